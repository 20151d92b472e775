//! What is wrong with a query, and where.

use std::fmt;

use crate::outline::signature::cut;

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
    /// Of the line in question, as much as is read at a glance, and the column of the fault in it.
    source_line: String,
    caret: usize,
}

/// Characters of a message, in which a word of the query may stand.
const MAX_MESSAGE: usize = 300;
/// Characters of a line shown before and behind a fault.
const SHOWN: (usize, usize) = (80, 60);

impl QueryError {
    pub(super) fn new(file: &str, text: &str, fault: &Fault) -> Self {
        Self::at(file, text, fault.at, &fault.message)
    }

    /// An error at a byte offset of the query text.
    pub fn at(file: &str, text: &str, at: usize, message: &str) -> Self {
        let before = &text[..text.floor_char_boundary(at)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before[line_start..].chars().count() + 1;
        let caret = column.min(SHOWN.0);
        let shown = text[line_start..].lines().next().unwrap_or_default().chars().skip(column - caret).take(caret + SHOWN.1);
        Self {
            file: file.to_owned(),
            line: before.matches('\n').count() + 1,
            column,
            message: cut(message, MAX_MESSAGE).into_owned(),
            source_line: shown.map(|c| if c == '\t' { ' ' } else { c }).collect(),
            caret,
        }
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, message, source_line, caret } = self;
        write!(f, "{file}:{line}:{column}: {message}\n  {source_line}\n  {:>caret$}", '^')
    }
}

impl std::error::Error for QueryError {}
