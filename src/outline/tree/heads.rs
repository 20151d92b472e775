//! What stands above a declaration and belongs to it: attributes, decorators, comments.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::Text;
use super::walk::Found;
use crate::query::Query;

/// For each of `lines`, on which declarations begin, the line on which the attributes, decorators and comments directly
/// above it begin; the line itself where there are none. A blank line between ends what belongs to it.
pub fn heads(tree: &Tree, query: &Query<'_>, source: &[u8], lines: &[usize]) -> Vec<usize> {
    let Some(Found { mut gaps, rows, .. }) = Found::in_tree(tree, query, Text { source, ..Text::default() }) else {
        return lines.to_vec();
    };
    gaps.extend(rows.iter().filter_map(|row| {
        let node = tree.root_node().named_descendant_for_byte_range(row.range.start, row.range.end)?;
        let (first, start) = (start_with_wrappers(node), row.range.start);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language;
    use crate::language::outline_query::OutlineQuery;

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
