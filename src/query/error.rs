//! What is wrong with a query, and where.

use std::fmt;

/// A fault while reading: a byte offset in the query text, and what is wrong there.
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) message: String,
}

/// The first place at which a query cannot be read: shown as file, line and column, then the line with a caret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryError {
    /// The file as the caller names it.
    pub file: String,
    /// 1-based.
    pub line: usize,
    /// 1-based, in characters.
    pub column: usize,
    /// What is wrong there, and what would be right.
    pub message: String,
    source_line: String,
}

impl QueryError {
    pub(super) fn new(file: &str, text: &str, fault: Fault) -> Self {
        Self::at(file, text, fault.at, fault.message)
    }

    /// An error at a byte offset of the query text.
    pub fn at(file: &str, text: &str, at: usize, message: String) -> Self {
        let before = &text[..text.floor_char_boundary(at)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            file: file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message,
            source_line: text[line_start..].lines().next().unwrap_or_default().replace('\t', " "),
        }
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, message, source_line } = self;
        write!(f, "{file}:{line}:{column}: {message}\n  {source_line}\n  {:>column$}", '^')
    }
}

impl std::error::Error for QueryError {}
