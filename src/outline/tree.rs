//! From a syntax tree to symbols: one walk that matches the query and does not enter what an outline does not show.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::{Symbol, imports, signature};
use crate::query::{Matcher, Place, Query, Role};

/// What is inside these is not listed unless the query says `@members`.
const CLOSED_KINDS: [&str; 5] = ["constructor", "function", "macro", "method", "test"];

/// Names longer than this are cut; bytes.
const MAX_NAME: usize = 200;

/// The symbols of a tree, which was parsed from `source`, in file order.
///
/// None: the query asked for more comparisons than any file is worth, so that the rows are incomplete.
pub fn symbols(tree: &Tree, query: &Query<'_>, source: &[u8]) -> Option<Vec<Symbol>> {
    let body_field = tree.language().field_id_for_name("body").map(u16::from);
    let mut walk = Walk { source, body_field, rows: Vec::new(), bodies: HashMap::new(), gaps: Vec::new() };
    let mut matcher = Matcher::new(query, tree, source);
    walk.run(tree, &mut matcher);
    matcher.is_within_budget().then(|| imports::fold(walk.finish()))
}

/// A definition as matched, before it is known where it stands among the others.
struct Row<'t> {
    node: Node<'t>,
    pattern: u16,
    /// Empty where a pattern takes a name without defining anything: nothing of that name is listed.
    kind: &'static str,
    names: Vec<Node<'t>>,
    body: Option<Node<'t>>,
}

/// What a query says about a node that is a body: the earliest pattern's word counts.
struct Body {
    pattern: u16,
    closed: bool,
    range: Range<usize>,
}

struct Walk<'a, 't> {
    source: &'a [u8],
    body_field: Option<u16>,
    rows: Vec<Row<'t>>,
    /// By node id.
    bodies: HashMap<usize, Body>,
    /// Comments and attributes, in file order: no part of a signature.
    gaps: Vec<Range<usize>>,
}

impl<'t> Walk<'_, 't> {
    /// Visits every node that does not lie in a closed body.
    fn run(&mut self, tree: &'t Tree, matcher: &mut Matcher<'_, 't>) {
        let mut cursor = tree.walk();
        // The way down to the node the cursor is on: each with its number among its siblings.
        let mut path: Vec<(Node<'t>, usize)> = vec![(cursor.node(), 0)];
        while let Some(&(node, index)) = path.last() {
            let depth = path.len() - 1;
            let parent = depth.checked_sub(1).map(|above| path[above].0);
            if self.visit(Place { node, index, parent, depth }, matcher) && cursor.goto_first_child() {
                path.push((cursor.node(), 0));
                continue;
            }
            loop {
                let Some((_, index)) = path.pop() else { return };
                if cursor.goto_next_sibling() {
                    path.push((cursor.node(), index + 1));
                    break;
                }
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }

    /// Matches at one node. False: nothing inside it is listed.
    fn visit(&mut self, place: Place<'t>, matcher: &mut Matcher<'_, 't>) -> bool {
        matcher.matches_at(place, &mut |pattern, captures| self.take(pattern, captures));
        let node = place.node;
        if node.is_extra() && node.end_byte() > node.start_byte() {
            self.gaps.push(node.byte_range());
        }
        self.bodies.get(&node.id()).is_none_or(|body| !body.closed)
    }

    fn take(&mut self, pattern: u16, captures: &[(Role, Node<'t>)]) {
        let mut row = None;
        let mut names = Vec::new();
        let mut body = None;
        for &(role, node) in captures {
            match role {
                Role::Definition(kind) => row = Some((node, kind)),
                Role::Import => row = Some((node, imports::KIND)),
                Role::Name => names.push(node),
                Role::Body => body = Some((node, true)),
                Role::Members => body = Some((node, false)),
                Role::Attribute => self.gaps.push(node.byte_range()),
                Role::Ignored => {}
            }
        }
        let (node, kind) = row.unwrap_or_else(|| (names.first().copied().unwrap_or(captures[0].1), ""));
        if body.is_none() && !kind.is_empty() {
            let inside = self.body_field.and_then(|field| node.child_by_field_id(field));
            body = inside.map(|inside| (inside, CLOSED_KINDS.contains(&kind)));
        }
        if let Some((inside, closed)) = body {
            let known = self.bodies.entry(inside.id()).or_insert(Body { pattern, closed, range: inside.byte_range() });
            if pattern < known.pattern {
                *known = Body { pattern, closed, range: inside.byte_range() };
            }
        }
        if !kind.is_empty() || !names.is_empty() {
            self.rows.push(Row { node, pattern, kind, names, body: body.map(|(inside, _)| inside) });
        }
    }

    fn finish(mut self) -> Vec<Symbol> {
        self.gaps.sort_unstable_by_key(|gap| gap.start);
        let mut rows = std::mem::take(&mut self.rows);
        keep_earliest_pattern_of_each_name(&mut rows);
        rows.sort_by_key(|row| {
            let name = row.names.first().map_or(0, Node::start_byte);
            (row.node.start_byte(), Reverse(row.node.end_byte()), name)
        });
        let mut closed: Vec<_> = self.bodies.values().filter(|body| body.closed).map(|body| body.range.clone()).collect();
        closed.sort_unstable_by_key(|range| range.start);
        let mut closed = closed.into_iter().peekable();
        let mut closed_until = 0;

        let mut above: Vec<Range<usize>> = Vec::new();
        let mut symbols: Vec<Symbol> = Vec::with_capacity(rows.len());
        for row in rows {
            let range = row.node.byte_range();
            while let Some(body) = closed.next_if(|body| body.start <= range.start) {
                closed_until = closed_until.max(body.end);
            }
            if range.end <= closed_until {
                continue;
            }
            while above.last().is_some_and(|outer| range.end > outer.end || *outer == range) {
                above.pop();
            }
            symbols.push(self.symbol(&row, above.len()));
            above.push(range);
        }
        symbols
    }

    fn symbol(&self, row: &Row<'t>, depth: usize) -> Symbol {
        let range = row.node.byte_range();
        let start = self.start_of_declaration(&range);
        let first_row = row.node.start_position().row;
        let line = first_row + 1 + memchr::memchr_iter(b'\n', &self.source[range.start..start]).count();
        let end = row.node.end_position();
        let end_row = if end.column == 0 && end.row > first_row { end.row - 1 } else { end.row };
        let name = self.name(&row.names);
        let name_end = row.names.last().map_or(start, Node::end_byte);
        let (stop, hole) = match row.body.map(|body| body.byte_range()) {
            Some(body) if body.start >= name_end => (body.start, None),
            Some(body) if body.start >= start => (range.end, Some(body)),
            _ => (range.end, None),
        };
        let from = signature::with_words_before(self.source, start);
        Symbol {
            name,
            kind: row.kind,
            line,
            end_line: (end_row + 1).max(line),
            depth,
            signature: signature::of(self.source, from..stop.max(from), hole.as_ref(), &self.gaps),
        }
    }

    /// Where a declaration begins when the attributes and comments at its head are left out.
    fn start_of_declaration(&self, range: &Range<usize>) -> usize {
        let mut start = range.start;
        let mut next = self.gaps.partition_point(|gap| gap.start < start);
        while let Some(gap) = self.gaps.get(next).filter(|gap| gap.end < range.end) {
            let space = self.source[start..gap.start.max(start)].iter().all(u8::is_ascii_whitespace);
            if !space {
                break;
            }
            start = start.max(gap.end);
            next += 1;
        }
        let rest = &self.source[start..range.end];
        start + rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0)
    }

    /// The text of all name nodes, joined as they stand in the source.
    fn name(&self, nodes: &[Node<'t>]) -> String {
        let mut name = String::new();
        let mut end = None;
        for node in nodes {
            let text =
                String::from_utf8_lossy(&self.source[node.start_byte()..node.end_byte().min(node.start_byte() + MAX_NAME)]);
            let apart = end.is_some_and(|end| end < node.start_byte());
            if apart && is_wordy(&text) && is_wordy(&name) {
                name.push(' ');
            }
            name.push_str(&text);
            end = Some(node.end_byte());
        }
        signature::tidy_name(&name)
    }
}

/// Punctuation joins without a space: `this` `[` `]` is `this[]`.
fn is_wordy(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

fn keep_earliest_pattern_of_each_name(rows: &mut Vec<Row<'_>>) {
    rows.sort_by_key(|row| row.pattern);
    let mut taken = HashSet::with_capacity(rows.len());
    rows.retain(|row| {
        if row.names.is_empty() {
            return taken.insert(row.node.id());
        }
        let free = row.names.iter().all(|name| !taken.contains(&name.id()));
        if free {
            taken.extend(row.names.iter().map(Node::id));
        }
        free && !row.kind.is_empty()
    });
}
