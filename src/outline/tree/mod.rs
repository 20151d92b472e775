//! From a syntax tree to symbols: one walk that matches the query and does not enter what an outline does not show.

pub mod heads;
mod row;
mod walk;

use std::cmp::Reverse;
use std::ops::Range;

use tree_sitter::Tree;

use super::{Symbol, imports, is_value, overloads};
use crate::query::Query;
use row::Row;
pub use walk::{Found, wraps};

/// How often each byte may be parsed again as part of an unread text; such texts may lie in one another.
const MAX_ROUNDS: usize = 3;

/// A text whose tree is asked.
#[derive(Debug, Clone, Copy, Default)]
pub struct Text<'a> {
    /// What the rows are worded as. What was parsed may differ from it, but every position is the same.
    pub source: &'a [u8],
    /// Whether it is a header file, where rows marked `@prototype` are listed.
    pub is_header: bool,
    /// Parts that were not parsed, in file order: they have to lie in closed bodies or in comments.
    pub skipped: &'a [Range<usize>],
    /// Parts that are no part of a signature, besides comments and attributes.
    pub gaps: &'a [Range<usize>],
}

/// What was found in a tree.
#[derive(Debug, Clone)]
pub struct Listed {
    /// In file order.
    pub symbols: Vec<Symbol>,
    /// How much of what was visited the grammar could not place: the lines of each such piece, and one for each token that
    /// it missed. What lies in closed bodies does no harm and does not count.
    pub damage: usize,
    /// Whether all damage is in pieces of few lines that harm nothing else, as far as can be told.
    pub is_light: bool,
    /// Parts that were not parsed, though they lie neither in closed bodies nor in comments. With any, the symbols are not those of the file.
    pub open: Vec<Range<usize>>,
}

impl Listed {
    /// Whether this is the better list of the same file: less is damaged, or as much, or more is found in spite of it.
    pub fn is_better_than(&self, other: &Self) -> bool {
        self.damage <= other.damage || self.symbols.len() > other.symbols.len()
    }
}

/// Parses a part of the text by itself; positions are those in the whole. None: it is not worth the time.
pub type ParsePart<'p> = dyn FnMut(tree_sitter::Range) -> Option<Tree> + 'p;

/// What a query finds in a tree, and in the texts that its grammar left unread.
///
/// None: the query asked for more comparisons than any file is worth.
pub fn find(tree: &Tree, query: &Query<'_>, text: Text<'_>, parse: &mut ParsePart<'_>) -> Option<Found> {
    let mut found = Found::in_tree(tree, query, text)?;
    let mut room = text.source.len() * MAX_ROUNDS;
    let mut next = 0;
    while let Some(&part) = found.unread.get(next) {
        next += 1;
        let Some(rest) = room.checked_sub(part.end_byte - part.start_byte) else { break };
        room = rest;
        if let Some(tree) = parse(part) {
            found.add(Found::in_tree(&tree, query, text)?);
        }
    }
    Some(found)
}

/// The symbols of what was found in a text.
pub fn list(mut found: Found, text: Text<'_>) -> Listed {
    found.gaps.extend_from_slice(text.gaps);
    found.sort();
    let open = found.take_skipped(text.skipped);
    let (damage, is_light) = (found.damage, found.is_light());
    let symbols = if open.is_empty() { imports::fold(nested(&found, text.source)) } else { Vec::new() };
    Listed { symbols, damage, is_light, open }
}

/// The symbols of all rows that are not in closed bodies, nested as their nodes are.
fn nested(found: &Found, source: &[u8]) -> Vec<Symbol> {
    let mut closed = found.closed.iter().peekable();
    let mut closed_until = 0;
    let mut above: Vec<&Range<usize>> = Vec::new();
    let mut listed = Vec::with_capacity(found.rows.len());
    for row in &found.rows {
        while let Some(body) = closed.next_if(|body| body.start <= row.range.start) {
            closed_until = closed_until.max(body.end);
        }
        let is_local =
            || is_value(row.kind) && found.forced.iter().any(|body| body.start <= row.range.start && row.range.end <= body.end);
        if row.range.end <= closed_until || is_local() {
            continue;
        }
        while above.last().is_some_and(|outer| row.range.end > outer.end || **outer == row.range) {
            above.pop();
        }
        listed.push((row, above.len()));
        above.push(&row.range);
    }
    // No symbol begins behind the one that follows it.
    let mut start = source.len();
    let symbol = |(row, depth): (&Row, usize)| {
        start = row.start(start, found, source);
        (row.symbol(start, depth, found, source), row.is_head)
    };
    let mut symbols: Vec<_> = listed.into_iter().rev().map(symbol).collect();
    symbols.reverse();
    overloads::fold(symbols)
}

/// Outer rows before inner ones, and those of one node as their names stand.
fn file_order(row: &Row) -> (usize, Reverse<usize>, usize) {
    (row.range.start, Reverse(row.range.end), row.names.first().map_or(0, |name| name.range.start))
}
