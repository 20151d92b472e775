//! Outlines: what is in a file, one line a symbol.

pub mod declarations;
pub mod find;
pub mod fit;
pub mod imports;
pub mod json;
pub mod markdown;
pub mod overloads;
pub mod render;
pub mod tags;
pub mod text;
pub mod tree;

mod make;
mod reading;
pub mod signature;

pub use make::{Make, heads, outline, outline_of_many};
pub use reading::{StandIn, stand_ins};

use serde::Serialize;

/// What is in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// What made it.
    pub parser: Parser,
    /// In file order, nested by `depth`.
    pub symbols: Vec<Symbol>,
    /// Facts about the whole that are no symbols, a short sentence each.
    pub notes: Vec<String>,
    /// Lines of the file itself, where it has no structure to show.
    pub sample: Vec<SampleLine>,
}

/// One line of a file that is shown as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleLine {
    /// 1-based.
    pub line: usize,
    /// Cut to [`text::MAX_WIDTH`] characters.
    pub text: String,
}

/// What made an outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Parser {
    /// A grammar and its query.
    TreeSitter,
    /// Lines that look like declarations.
    Regex,
    /// Headings.
    Markdown,
    /// Keys.
    Json,
    /// First and last lines.
    Text,
}

/// Something that a reader would jump to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Symbol {
    /// As the language's users would call it: `run`, `operator+`, `Display for Point`.
    pub name: String,
    /// The word behind `@definition.` in the query, or `import`, `heading`, `key`.
    pub kind: &'static str,
    /// The first line of the declaration itself, 1-based.
    pub line: usize,
    /// The last line, included.
    pub end_line: usize,
    /// How many symbols hold it.
    pub depth: usize,
    /// The declaration up to its body, on one line.
    pub signature: String,
}

impl Outline {
    /// An outline of symbols alone.
    pub fn of_symbols(parser: Parser, symbols: Vec<Symbol>) -> Self {
        Self { parser, symbols, notes: Vec::new(), sample: Vec::new() }
    }

    /// Whether there is anything to show beside the number of lines.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty() && self.notes.is_empty() && self.sample.is_empty()
    }
}

impl Symbol {
    /// How many lines `Read` needs to show it whole; at least 1.
    pub fn span(&self) -> usize {
        self.end_line + 1 - self.line
    }

    /// Constants and variables give way to other symbols when there is too little room.
    pub fn is_value(&self) -> bool {
        is_value(self.kind)
    }
}

/// Puts symbols in file order, each at most one level deeper than the one before it.
pub fn put_in_order(symbols: &mut [Symbol]) {
    symbols.sort_by_key(|symbol| symbol.line);
    let mut deepest = 0;
    for symbol in symbols {
        symbol.depth = symbol.depth.min(deepest);
        deepest = symbol.depth + 1;
    }
}

/// Whether symbols of this kind are constants, variables and the like.
pub fn is_value(kind: &str) -> bool {
    matches!(kind, "constant" | "variable" | "field")
}

impl Parser {
    /// As it stands in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::TreeSitter => "tree-sitter",
            Self::Regex => "regex",
            Self::Markdown => "markdown",
            Self::Json => "json",
            Self::Text => "text",
        }
    }
}
