//! A row: what a query has matched, and the symbol that it makes.

use std::ops::Range;

use tree_sitter::Node;

use super::walk::Found;
use crate::outline::{Symbol, signature};

/// Names longer than this are cut; bytes.
const MAX_NAME: usize = 200;

/// How deep the end of a row is looked for; each row has its own way down, so that it must not be as long as the file.
const MAX_STEPS_TO_END: usize = 64;

/// A definition as matched.
pub(super) struct Row {
    /// As long as its tree lives, no other node has it.
    pub(super) node_id: usize,
    pub(super) pattern: u16,
    /// Empty where a pattern takes a name without defining anything: nothing of that name is listed.
    pub(super) kind: &'static str,
    /// Whether it is the head of an overload.
    pub(super) is_head: bool,
    pub(super) range: Range<usize>,
    /// 0-based rows; both belong to it.
    rows: (usize, usize),
    pub(super) names: Vec<Name>,
    /// In file order.
    bodies: Vec<Range<usize>>,
}

/// A node that is a name, or a part of one.
pub(super) struct Name {
    pub(super) node_id: usize,
    pub(super) range: Range<usize>,
    is_named: bool,
}

/// Where a node is.
#[derive(Clone)]
pub(super) struct Span {
    range: Range<usize>,
    rows: (usize, usize),
}

impl Name {
    pub(super) fn of(node: Node<'_>) -> Self {
        Self { node_id: node.id(), range: node.byte_range(), is_named: node.is_named() }
    }
}

impl Span {
    pub(super) fn of(node: Node<'_>, source: &[u8]) -> Self {
        let first = node.start_position().row;
        let end = last_part(node, source).end_position();
        // What ends at the beginning of a line ends on the line before.
        let last = if end.column == 0 && end.row > first { end.row - 1 } else { end.row };
        Self { range: node.byte_range(), rows: (first, last) }
    }
}

impl Row {
    pub(super) fn of(
        node: Node<'_>,
        source: &[u8],
        pattern: u16,
        kind: &'static str,
        names: Vec<Name>,
        bodies: &[Node<'_>],
    ) -> Self {
        let Span { mut range, mut rows } = Span::of(node, source);
        // A body may stand behind what it belongs to.
        if let Some(behind) = bodies.last().filter(|body| body.start_byte() >= range.end) {
            let behind = Span::of(*behind, source);
            (range.end, rows.1) = (behind.range.end, behind.rows.1);
        }
        Self {
            node_id: node.id(),
            pattern,
            kind,
            is_head: false,
            range,
            rows,
            names,
            bodies: bodies.iter().map(Node::byte_range).collect(),
        }
    }

    pub(super) fn set_span(&mut self, span: &Span) {
        (self.range, self.rows) = (span.range.clone(), span.rows);
    }

    /// What tells it from all other rows, however often its text is read: where its name begins; without one, where it does.
    pub(super) fn key(&self) -> (bool, usize) {
        let name = self.names.first();
        (name.is_some(), name.map_or(self.range.start, |name| name.range.start))
    }

    /// Where the declaration itself begins: at `before` at the latest, where the next one does.
    pub(super) fn start(&self, before: usize, found: &Found, source: &[u8]) -> usize {
        start_of_declaration(&self.range, before, &found.gaps, source)
    }

    /// The symbol of this row, which begins at `start`, in as many others as `depth` says. What is `found` is in file order.
    pub(super) fn symbol(&self, start: usize, depth: usize, found: &Found, source: &[u8]) -> Symbol {
        let range = &self.range;
        let line = self.rows.0 + 1 + memchr::memchr_iter(b'\n', &source[range.start..start]).count();
        let last_row = self.end_of_group(found).unwrap_or(self.rows.1);
        let name_end = self.names.last().map_or(start, |name| name.range.end);
        let stop = self.bodies.iter().find(|body| body.start >= name_end).map_or(range.end, |body| body.start);
        let hole = self.bodies.iter().find(|body| (start..name_end).contains(&body.start));
        let from = signature::with_words_before(source, start);
        Symbol {
            name: self.name(source),
            kind: self.kind,
            line,
            end_line: (last_row + 1).max(line),
            depth,
            signature: signature::of(source, from..stop.max(from), hole, &found.gaps),
        }
    }

    /// The row where the brackets end in which a declaration seems to end: its text is not quite that of the language.
    fn end_of_group(&self, found: &Found) -> Option<usize> {
        let last = found.groups.partition_point(|(group, _)| group.start < self.range.end).checked_sub(1)?;
        let (group, end) = &found.groups[last];
        (group.start > self.range.start && self.range.end < group.end).then_some(*end)
    }

    /// The text of all name nodes, joined as they stand in the source.
    fn name(&self, source: &[u8]) -> String {
        let mut text = String::new();
        let mut before: Option<(usize, bool)> = None;
        for name in &self.names {
            let range = whole_word(&name.range, source);
            let part = String::from_utf8_lossy(&source[range.start..range.end.min(range.start + MAX_NAME)]);
            // A mark, such as `[`, joins without a space; a type that is written with marks alone, such as `()`, is a word.
            let is_word = name.is_named || part.chars().any(char::is_alphanumeric);
            if before.is_some_and(|(end, was_word)| end < name.range.start && is_word && was_word) {
                text.push(' ');
            }
            text.push_str(&part);
            before = Some((name.range.end, is_word));
        }
        signature::tidy_name(&text)
    }
}

/// A name with the rest of its word: something else may have been parsed in its place.
fn whole_word(name: &Range<usize>, source: &[u8]) -> Range<usize> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | 0x80..);
    let (inside, behind) = (&source[name.clone()], &source[name.end..]);
    let begins = inside.first().is_some_and(is_word);
    let ends = inside.last().is_some_and(is_word);
    let before = source[..name.start].iter().rev().take(MAX_NAME).take_while(|byte| begins && is_word(byte)).count();
    let after = behind.iter().take(MAX_NAME).take_while(|byte| ends && is_word(byte)).count();
    name.start - before..name.end + after
}

/// Where a declaration begins when the attributes and comments at its head are left out, of which none reaches over
/// `before`: what is garbled may hold another declaration.
fn start_of_declaration(range: &Range<usize>, before: usize, gaps: &[Range<usize>], source: &[u8]) -> usize {
    let mut start = range.start;
    let mut next = gaps.partition_point(|gap| gap.start < start);
    while let Some(gap) = gaps.get(next).filter(|gap| gap.end < range.end && gap.end <= before) {
        if !source[start..gap.start.max(start)].iter().all(u8::is_ascii_whitespace) {
            break;
        }
        start = start.max(gap.end);
        next += 1;
    }
    let rest = &source[start..range.end];
    start + rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0)
}

/// The last node inside `node` that is no comment: a block that ends by indentation holds those behind its last statement.
/// A node may also end with text that belongs to none of its children, such as that of a string.
fn last_part<'t>(node: Node<'t>, source: &[u8]) -> Node<'t> {
    let is_part = |child: &Node<'_>| !child.is_extra() || child.is_error();
    let mut part = node;
    for _ in 0..MAX_STEPS_TO_END {
        let last = part.child_count().checked_sub(1).and_then(|last| part.child(last));
        // Children are found from the first one on, so that going back one by one would be quadratic.
        let behind = |child: &Node<'_>| source.get(child.end_byte()..part.end_byte()).unwrap_or_default();
        if last.filter(is_part).is_some_and(|last| !behind(&last).trim_ascii().is_empty()) {
            break;
        }
        let last = last.filter(is_part).or_else(|| part.children(&mut part.walk()).filter(is_part).last());
        let Some(last) = last else { break };
        part = last;
    }
    part
}
