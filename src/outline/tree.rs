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

/// For each of `lines`, on which declarations begin, the line on which the attributes, decorators and comments directly
/// above it begin; the line itself where there are none. A blank line between ends what belongs to it.
pub fn heads(tree: &Tree, query: &Query<'_>, source: &[u8], lines: &[usize]) -> Vec<usize> {
    let mut walk = Walk { source, body_field: None, rows: Vec::new(), bodies: HashMap::new(), gaps: Vec::new() };
    walk.run(tree, &mut Matcher::new(query, tree, source));
    let mut gaps = std::mem::take(&mut walk.gaps);
    gaps.extend(walk.rows.iter().filter_map(|row| {
        let (first, start) = (start_with_wrappers(row.node), row.node.start_byte());
        let line = memchr::memrchr(b'\n', &source[..start]).map_or(0, |newline| newline + 1);
        (first < line).then_some(first..line)
    }));
    let above = blocks(gaps, source);
    lines.iter().map(|line| above.get(&(line - 1)).map_or(*line, |first| *first)).collect()
}

/// Where a node begins with what is wrapped round it: a decorated definition begins with its decorators.
fn start_with_wrappers(mut node: Node<'_>) -> usize {
    while let Some(parent) = node.parent().filter(|parent| parent.end_byte() == node.end_byte()) {
        let mut cursor = parent.walk();
        let mut is_child = cursor.goto_first_child();
        while is_child && cursor.node() != node {
            is_child = cursor.goto_next_sibling();
        }
        // What merely stands last in a list has no field.
        if !is_child || cursor.field_id().is_none() {
            break;
        }
        node = parent;
    }
    node.start_byte()
}

/// The attributes and comments that have their lines for themselves: on which line each ends, and on which the first of
/// those begins that stand with it without a blank line between.
fn blocks(mut gaps: Vec<Range<usize>>, source: &[u8]) -> HashMap<usize, usize> {
    let starts: Vec<usize> = std::iter::once(0).chain(memchr::memchr_iter(b'\n', source).map(|newline| newline + 1)).collect();
    let line_of = |at: usize| starts.partition_point(|start| *start <= at);
    let is_blank = |range: Range<usize>| source[range].iter().all(u8::is_ascii_whitespace);
    gaps.sort_unstable_by_key(|gap| (gap.start, Reverse(gap.end)));
    let mut blocks = HashMap::new();
    let (mut first, mut end) = (None, 0);
    for gap in gaps {
        // A comment of one line may end behind its line's end.
        let text = source[gap.clone()].trim_ascii_end().len();
        if text == 0 || gap.start + text <= end {
            continue;
        }
        let line = line_of(gap.start);
        let between = end.min(gap.start)..gap.start;
        let newlines = memchr::memchr_iter(b'\n', &source[between.clone()]).count();
        if end == 0 || newlines > 1 || !is_blank(between) || newlines == 1 && first.is_none() {
            first = is_blank(starts[line - 1]..gap.start).then_some(line);
        }
        end = gap.start + text;
        let last = line_of(end - 1);
        let line_end = starts.get(last).map_or(source.len(), |next| next - 1);
        if let Some(first) = first.filter(|_| is_blank(end..line_end)) {
            blocks.insert(last, first);
        }
    }
    blocks
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language;
    use crate::outline_query::OutlineQuery;

    fn head(language: &str, query: &str, source: &str, of: &str) -> usize {
        let language = language::by_name(language).unwrap();
        let grammar = language.grammar().unwrap();
        let query = if query.is_empty() { OutlineQuery::built_in(language).text } else { query.to_owned().into() };
        let query = Query::new(&query, &grammar, "test.scm").unwrap();
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&grammar).unwrap();
        let tree = parser.parse(source, None).unwrap();
        let line = source.lines().position(|line| line.contains(of)).unwrap() + 1;
        heads(&tree, &query, source.as_bytes(), &[line])[0]
    }

    #[test]
    fn attributes_and_comments_directly_above_belong_to_a_declaration() {
        let rust = |source, of| head("rust", "", source, of);
        assert_eq!(rust("fn a() {}\n\n/// one\n/// two\n#[inline]\n#[must_use] // why\nfn b() {}\n", "fn b"), 3);
        assert_eq!(rust("/// far\n\n/// near\nfn b() {}\n", "fn b"), 3);
        assert_eq!(rust("fn a() {} // of a\nfn b() {}\n", "fn b"), 2);
        assert_eq!(rust("fn a() {} // of a\n// of b\n#[x] #[y]\nfn b() {}\n", "fn b"), 2);
        assert_eq!(rust("/* of a */ fn a() {}\nfn b() {}\n", "fn b"), 2);
        assert_eq!(rust("/**\n * long\n */\n#[cfg(\n    x\n)]\npub fn b() {}\n", "fn b"), 1);
        assert_eq!(rust("#[a] fn b() {}\n", "fn b"), 1);
        assert_eq!(rust("struct S;\nimpl S {\n    // of b\n    fn b() {}\n}\n", "fn b"), 3);
    }

    #[test]
    fn decorators_round_a_definition_belong_to_it_and_what_stands_before_it_in_a_list_does_not() {
        let query =
            "(class_definition name: (_) @name) @definition.class (function_definition name: (_) @name) @definition.function";
        let python = |source, of| head("python", query, source, of);
        assert_eq!(python("x = 1\n@first\n@second(\n    1,\n)\ndef b():\n    pass\n", "def b"), 2);
        let export = "(class_declaration name: (_) @name) @definition.class";
        assert_eq!(head("typescript", export, "x();\n@first({\n  a: 1,\n})\nexport class B {\n}\n", "class B"), 2);
        assert_eq!(python("class A:\n    x = 1\n    def b(self):\n        pass\n", "def b"), 3);
        assert_eq!(python("class A:\n    x = 1\n    # of b\n    @first\n    def b(self):\n        pass\n", "def b"), 3);
    }
}
