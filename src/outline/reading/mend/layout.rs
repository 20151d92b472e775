//! Mending a text with syntax errors, so that its outline suffers only where the damage is.
//!
//! One bracket too many or too few, as in a file that is being written or was cut off, and a parser takes all that
//! follows for the inside of something else. The layout tells better: what begins at the indentation at which a
//! function began is its neighbour. So the text is split into pieces by indentation, and a piece that does not close
//! what it opens is closed where it ends, a bracket that closes nothing is blanked. Lines stay where they are.

use std::ops::Range;

use memchr::memmem;
use tree_sitter::{Node, Tree};

use super::CONFLICT_MARKS;

/// How many faults, one after the other.
const MAX_ROUNDS: usize = 4;
/// Pieces lie in pieces, at most so deep.
const MAX_DEPTH: usize = 32;
/// How many pieces that do not close what they open are looked at for one that closes it.
const MAX_NEIGHBOURS: usize = 64;

/// The text with less damage than `tree`, which was parsed from `source`, and its tree; None where there is no such text.
pub(in crate::outline::reading) fn mended(
    source: &[u8],
    tree: &Tree,
    parse: &dyn Fn(&[u8]) -> Option<Tree>,
) -> Option<(Vec<u8>, Tree)> {
    let mut found: Option<(Vec<u8>, Tree)> = None;
    for _ in 0..MAX_ROUNDS {
        let (source, tree) = found.as_ref().map_or((source, tree), |(source, tree)| (source, tree));
        if !tree.root_node().has_error() {
            break;
        }
        let damage = damage(tree);
        let better = [with_quote, with_brackets].iter().find_map(|attempt| {
            let mended = attempt(source, tree)?;
            let tree = parse(&mended)?;
            (self::damage(&tree) < damage).then_some((mended, tree))
        });
        let Some(better) = better else { break };
        found = Some(better);
    }
    found
}

/// Closes a string at the end of the line where it begins, if code seems to follow on what it has swallowed.
fn with_quote(source: &[u8], tree: &Tree) -> Option<Vec<u8>> {
    let string = open_string(source, tree)?;
    let line = memchr::memchr(b'\n', &source[string..])? + string;
    let is_text = |byte: &u8| !byte.is_ascii_whitespace() && !b";,)]}".contains(byte);
    let length = source[string..line].iter().rposition(is_text)? + 1;
    Edits { blanks: Vec::new(), closers: vec![(string + length, b'"')] }.applied(source)
}

/// Puts the brackets right.
fn with_brackets(source: &[u8], tree: &Tree) -> Option<Vec<u8>> {
    let mut layout = Layout::of(source, tree);
    let mut edits = Edits::default();
    if let Some(comment) = layout.open_comment.take() {
        // To the grammar its words are code.
        layout.brackets.retain(|bracket| bracket.at < comment);
        edits.blanks.push(comment..source.len());
    }
    if let Some(string) = string_at_end(source) {
        let end = source.trim_ascii_end().len();
        layout.brackets.retain(|bracket| bracket.at < string);
        layout.lines.iter_mut().filter(|line| line.bytes.contains(&string)).for_each(|line| line.code_end = end);
        edits.closers.push((end, b'"'));
    }
    for line in layout.lines.iter_mut().filter(|line| line.is_conflict_mark(source)) {
        line.indent = None;
        edits.blanks.push(line.bytes.clone());
    }
    layout.mend(0..layout.lines.len(), 0, &mut edits);
    edits.applied(source)
}

/// Where the string begins in which a text was cut off.
fn string_at_end(source: &[u8]) -> Option<usize> {
    let text = source.trim_ascii_end();
    let start = memchr::memrchr(b'\n', text).map_or(0, |newline| newline + 1);
    let is_escaped = |at: usize| text[..at].last() == Some(&b'\\');
    let quotes: Vec<_> = memchr::memchr_iter(b'"', &text[start..]).map(|at| start + at).filter(|at| !is_escaped(*at)).collect();
    quotes.last().copied().filter(|_| quotes.len() % 2 == 1)
}

/// Shows `visit` the nodes of a tree in order. False: it need not see what is inside.
fn each_node(tree: &Tree, mut visit: impl FnMut(Node<'_>) -> bool) {
    let mut cursor = tree.walk();
    loop {
        if visit(cursor.node()) && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

/// Where the first string begins that goes over a line end into what the grammar can make nothing of.
fn open_string(source: &[u8], tree: &Tree) -> Option<usize> {
    let mut found = None;
    let mut error_end = 0;
    let mut last = 0..0;
    each_node(tree, |node| {
        let range = node.byte_range();
        if found.is_some() {
            return false;
        }
        if node.is_error() {
            if last.end == range.start && !last.is_empty() {
                found = Some(last.start);
            }
            error_end = error_end.max(range.end);
        } else if source.get(range.start) == Some(&b'"') && node.is_named() && source[range.clone()].contains(&b'\n') {
            if range.start < error_end {
                found = Some(range.start);
            }
            last = range;
        }
        true
    });
    found
}

/// How much of a tree is damaged: the bytes that the grammar could make nothing of, and what is missing.
fn damage(tree: &Tree) -> usize {
    let mut damage = 0;
    each_node(tree, |node| {
        let is_damage = node.is_error() || node.is_missing();
        if is_damage {
            damage += 1 + node.byte_range().len();
        }
        !is_damage && node.has_error()
    });
    damage
}

/// What a text looks like: its lines and its brackets.
struct Layout {
    lines: Vec<Line>,
    brackets: Vec<Bracket>,
    /// Where the last comment begins, if the text ends in it.
    open_comment: Option<usize>,
}

struct Line {
    /// Without the line end.
    bytes: Range<usize>,
    /// None: it is blank, or begins with a comment or within a string, and says nothing of the layout.
    indent: Option<usize>,
    /// Its first word is a bracket, so that it goes on with what the line before it at this indentation began.
    continues: bool,
    /// Where its code ends, a comment apart.
    code_end: usize,
}

#[derive(Clone, Copy)]
struct Bracket {
    at: usize,
    byte: u8,
    line: usize,
}

#[derive(Default)]
struct Edits {
    blanks: Vec<Range<usize>>,
    /// What to insert, and where; of several at one place, the first comes first.
    closers: Vec<(usize, u8)>,
}

impl Layout {
    fn of(source: &[u8], tree: &Tree) -> Self {
        let mut start = 0;
        let ends = memchr::memchr_iter(b'\n', source).chain([source.len()]);
        let lines = ends.map(|end| {
            let line = Line::of(source, start..end);
            start = end + 1;
            line
        });
        let open_comment = memmem::rfind(source, b"/*").filter(|at| memmem::rfind(source, b"*/").is_none_or(|end| end < *at));
        let mut layout = Self { lines: lines.collect(), brackets: Vec::new(), open_comment };
        each_node(tree, |node| {
            let is_comment = node.is_extra() && !node.is_error();
            let has_inside = !is_comment && node.child_count() > 0;
            if !has_inside {
                layout.add(source, node, is_comment);
            }
            has_inside
        });
        layout
    }

    /// Takes account of a token or a comment.
    fn add(&mut self, source: &[u8], node: Node<'_>, is_comment: bool) {
        if (is_comment || node.is_named()) && self.open_comment.is_some_and(|at| node.byte_range().contains(&at)) {
            // No comment at all, or one that the grammar knows to go on to the end.
            self.open_comment = None;
        }
        let (first, last) = (node.start_position().row, node.end_position());
        let inside = first + 1..if last.column == 0 { last.row } else { last.row + 1 };
        for line in self.lines.get_mut(inside).into_iter().flatten() {
            line.indent = None;
        }
        if is_comment {
            let line = &mut self.lines[first];
            if line.indent.is_some_and(|indent| line.bytes.start + indent == node.start_byte()) {
                line.indent = None;
            }
            return;
        }
        if let Some(line) = self.lines.get_mut(last.row) {
            line.code_end = line.code_end.max(node.end_byte());
        }
        if !node.is_named() {
            for at in node.byte_range().filter(|at| b"(){}[]".contains(&source[*at])) {
                self.brackets.push(Bracket { at, byte: source[at], line: first });
            }
        }
    }

    /// Puts the brackets of these lines right, one piece after the other.
    fn mend(&mut self, lines: Range<usize>, depth: usize, edits: &mut Edits) {
        let pieces = self.pieces(lines);
        let mut faults: Vec<_> = pieces.iter().map(|piece| unmatched(self.brackets(piece.clone()))).collect();
        self.match_frames(&pieces, &mut faults);
        let mut index = 0;
        while index < pieces.len() {
            let (piece, fault) = (&pieces[index], &faults[index]);
            index += 1;
            if fault.is_empty() {
                continue;
            }
            // What looks like several pieces may be one, as with labels and directives at the margin.
            let mut open = fault.clone();
            let neighbours = (index..pieces.len()).filter(|&other| !faults[other].is_empty()).take(MAX_NEIGHBOURS);
            let closing = neighbours.into_iter().find(|&other| {
                open = unmatched(open.iter().chain(&faults[other]));
                open.is_empty()
            });
            match closing {
                Some(other) => index = other + 1,
                None => self.mend_piece(piece.clone(), depth, edits),
            }
        }
    }

    /// Takes away the brackets of what is not indented although it stands in braces: what a namespace holds, or what
    /// follows a label such as `public:`.
    fn match_frames(&mut self, pieces: &[Range<usize>], faults: &mut [Vec<Bracket>]) {
        let mut frames: Vec<(usize, Bracket)> = Vec::new();
        let mut matched = Vec::new();
        for index in 0..pieces.len() {
            let level = self.lines[pieces[index].clone()].iter().find_map(|line| line.indent);
            if let [bracket] = faults[index][..]
                && self.opens_frame(&pieces[index], bracket)
            {
                frames.push((index, bracket));
                continue;
            }
            // What does not stand at the margin closes something else.
            let at_margin = |bracket: &Bracket| {
                let line = &self.lines[bracket.line];
                bracket.byte == b'}' && line.indent == level && level == Some(bracket.at - line.bytes.start)
            };
            while let Some(place) = faults[index].iter().position(at_margin)
                && let Some((opened, bracket)) = frames.pop()
            {
                matched.extend([bracket.at, faults[index].remove(place).at]);
                faults[opened].clear();
            }
        }
        self.brackets.retain(|bracket| !matched.contains(&bracket.at));
    }

    /// Whether a piece ends with the brace that it opens, and is not a function's head.
    fn opens_frame(&self, piece: &Range<usize>, bracket: Bracket) -> bool {
        let is_last = self.lines[piece.clone()].iter().all(|line| line.code_end <= bracket.at + 1);
        let before = self.brackets(piece.clone()).take_while(|other| other.at < bracket.at).last();
        let is_head = before.is_some_and(|other| other.byte == b')');
        bracket.byte == b'{' && is_last && !is_head
    }

    /// Puts the brackets of a piece right: those of the pieces in it, and then its own.
    fn mend_piece(&mut self, piece: Range<usize>, depth: usize, edits: &mut Edits) {
        let outer = self.lines[piece.clone()].iter().find_map(|line| line.indent).unwrap_or(0);
        let is_inner = |line: usize| self.lines[line].indent.is_some_and(|indent| indent > outer);
        let inner = piece.clone().filter(|&line| is_inner(line) && !self.lines[line].continues);
        let level = inner.filter_map(|line| self.lines[line].indent).min();
        let mut own = vec![true; piece.len()];
        if let Some(level) = level.filter(|_| depth < MAX_DEPTH) {
            let mut line = piece.start;
            while line < piece.end {
                let start = (line..piece.end).find(|&line| self.lines[line].indent == Some(level));
                let Some(start) = start else { break };
                let end = (start..piece.end).find(|&line| self.lines[line].indent.is_some_and(|indent| indent <= outer));
                let end = end.unwrap_or(piece.end);
                own[start - piece.start..end - piece.start].fill(false);
                self.mend(start..end, depth + 1, edits);
                line = end;
            }
        }
        let last = piece.clone().rev().find(|&line| self.lines[line].indent.is_some()).unwrap_or(piece.start);
        let brackets = self.brackets(piece.clone()).filter(|bracket| own[bracket.line - piece.start]);
        for bracket in unmatched(brackets).iter().rev() {
            match closer(bracket.byte) {
                Some(closer) => edits.closers.push((self.lines[last].code_end, closer)),
                None => edits.blanks.push(bracket.at..bracket.at + 1),
            }
        }
    }

    /// Splits lines where one begins at their outermost indentation.
    fn pieces(&self, lines: Range<usize>) -> Vec<Range<usize>> {
        let begins = |line: &usize| self.lines[*line].indent.is_some() && !self.lines[*line].continues;
        let Some(level) = lines.clone().filter(begins).filter_map(|line| self.lines[line].indent).min() else {
            return vec![lines];
        };
        let mut pieces = Vec::new();
        let mut start = lines.start;
        for line in lines.clone().filter(begins).filter(|&line| self.lines[line].indent == Some(level)) {
            if start < line {
                pieces.push(start..line);
            }
            start = line;
        }
        pieces.push(start..lines.end);
        pieces
    }

    /// The brackets of those lines.
    fn brackets(&self, lines: Range<usize>) -> impl Iterator<Item = &Bracket> {
        let from = self.brackets.partition_point(|bracket| bracket.line < lines.start);
        let to = self.brackets.partition_point(|bracket| bracket.line < lines.end);
        self.brackets[from..to].iter()
    }
}

/// Those brackets that have no partner among the others, in their order.
fn unmatched<'b>(brackets: impl IntoIterator<Item = &'b Bracket>) -> Vec<Bracket> {
    let mut unmatched: Vec<Bracket> = Vec::new();
    for bracket in brackets {
        // One of another kind that stands open between is the one at fault.
        match unmatched.iter().rposition(|open| closer(open.byte) == Some(bracket.byte)) {
            Some(partner) => drop(unmatched.remove(partner)),
            None => unmatched.push(*bracket),
        }
    }
    unmatched
}

impl Line {
    fn of(source: &[u8], bytes: Range<usize>) -> Self {
        let text = &source[bytes.clone()];
        let indent = text.iter().position(|byte| !byte.is_ascii_whitespace());
        let continues = indent.is_some_and(|indent| b"){}]".contains(&text[indent]));
        Self { code_end: bytes.start, bytes, indent, continues }
    }

    fn is_conflict_mark(&self, source: &[u8]) -> bool {
        let text = &source[self.bytes.clone()];
        self.indent == Some(0)
            && CONFLICT_MARKS
                .iter()
                .any(|mark| text.strip_prefix(*mark).is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace)))
    }
}

impl Edits {
    fn applied(mut self, source: &[u8]) -> Option<Vec<u8>> {
        if self.blanks.is_empty() && self.closers.is_empty() {
            return None;
        }
        self.closers.sort_by_key(|(at, _)| *at);
        let mut blanked = source.to_vec();
        for blank in self.blanks {
            blanked[blank].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        }
        let mut mended = Vec::with_capacity(source.len() + self.closers.len());
        let mut done = 0;
        for (at, closer) in self.closers {
            mended.extend_from_slice(&blanked[done..at]);
            // Not every grammar takes one more comma before the end.
            if let Some(last) = mended.last_mut().filter(|last| **last == b',') {
                *last = b' ';
            }
            mended.push(closer);
            done = at;
        }
        mended.extend_from_slice(&blanked[done..]);
        Some(mended)
    }
}

/// The partner of a bracket that opens.
fn closer(bracket: u8) -> Option<u8> {
    match bracket {
        b'(' => Some(b')'),
        b'[' => Some(b']'),
        b'{' => Some(b'}'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(language: &str, source: &[u8]) -> Option<Tree> {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&crate::language::by_name(language).unwrap().grammar().unwrap()).unwrap();
        parser.parse(source, None)
    }

    /// The text as mended; None where it is left as it is.
    fn mended_as(language: &str, source: &str) -> Option<String> {
        let tree = parse(language, source.as_bytes()).unwrap();
        let (text, _) = super::mended(source.as_bytes(), &tree, &|text| parse(language, text))?;
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.matches('\n').count(), source.matches('\n').count(), "lines must not move");
        Some(text)
    }

    fn mended(source: &str) -> Option<String> {
        mended_as("java", source)
    }

    #[test]
    fn what_is_right_is_left_alone() {
        assert_eq!(mended("class A {\n  void a() { }\n  }\n"), None);
    }

    #[test]
    fn what_is_not_closed_ends_where_its_neighbour_begins() {
        let source = "class A {\n  void a() {\n    if (b) {\n      c();\n  }\n\n  @D\n  void e() {\n  }\n}\n";
        assert_eq!(mended(source).unwrap(), source.replace("      c();", "      c();}"));
    }

    #[test]
    fn what_closes_nothing_is_blanked() {
        let source = "class A {\n  void a() {\n    b(); }\n    c();\n  }\n  void d() {\n  }\n}\n";
        assert_eq!(mended(source).unwrap(), source.replace("b(); }", "b();  "));
    }

    #[test]
    fn what_was_cut_off_is_closed_at_the_end() {
        assert_eq!(mended("class A {\n  void a() {\n    b(c, // d").unwrap(), "class A {\n  void a() {\n    b(c )}} // d");
        assert_eq!(
            mended("class A {\n  void a() {\n  }\n  /* the words").unwrap(),
            "class A {\n  void a() {\n  }\n              }"
        );
    }

    #[test]
    fn a_string_ends_on_its_line_where_code_would_follow_on_it() {
        let source = "class A {\n  void a() {\n    b(\"c);\n    d(\"e\", f);\n  }\n}\n";
        assert_eq!(mended(source).unwrap(), source.replace("\"c", "\"c\""));
        assert_eq!(mended("class A {\n  void a() {\n    b(\"c").unwrap(), "class A {\n  void a() {\n    b(\"c\")}}");
    }

    #[test]
    fn the_marks_of_a_conflict_are_blanked() {
        let source = "class A {\n<<<<<<< HEAD\n  void a() { }\n=======\n  void b() { }\n>>>>>>> other\n}\n";
        let blank = |mark: &str| " ".repeat(mark.len());
        let expected = ["<<<<<<< HEAD", "=======", ">>>>>>> other"]
            .iter()
            .fold(source.to_owned(), |text, mark| text.replace(mark, &blank(mark)));
        assert_eq!(mended(source).unwrap(), expected);
    }

    #[test]
    fn what_stands_in_braces_need_not_be_indented() {
        let source = "class A {\npublic:\n  void a() {\n    if (b) {\n  }\nprivate:\n  int c;\n};\nclass D {\n};\n";
        assert_eq!(mended_as("cpp", source).unwrap(), source.replace("(b) {", "(b) {}"));
        let source = "namespace a {\nint b() {\n  if (c) {\n}\nint d() {\n}\n}\nint e() {\n}\n";
        assert_eq!(mended_as("cpp", source).unwrap(), source.replace("(c) {", "(c) {}"));
    }

    #[test]
    fn pieces_that_close_one_another_are_one() {
        let source =
            "class A {\n  void a() {\nlabel:\n    b();\n  }\n}\nclass C {\n  void d() {\n    e(); }\n  }\n  int f() { }\n}\n";
        assert_eq!(mended(source).unwrap(), source.replace("e(); }", "e();  "));
    }
}
