//! Bodies between braces.

use std::ops::Range;

use super::comments::Comments;
use super::heads::{
    after_last_statement, is_container, is_expression_of_function, is_function, is_in_value, is_initializer, is_value, is_word,
};
use super::{Skim, WORTH};
use crate::lexis::scan::{Choices, PieceKind, Scanner, Stops};
use crate::lexis::{Body, Lexis, is_among};
use crate::outline::tree;

/// A head that takes more lines than fit into this many bytes is none: each bracket in one may be a look at all of it.
const MAX_HEAD: usize = 4096;

/// How far what begins a line is looked for; bytes.
const MAX_INDENT: usize = 200;

/// What is open round the place that is read.
struct Level {
    /// Behind the brace that opened it.
    start: usize,
    /// Its number among the blocks round cuts, once there is one in it.
    block: Option<usize>,
    /// Where the head of the next block begins: behind the last block, statement or directive.
    head: usize,
    /// The same, but behind no directive, nor inside a choice that those make.
    settled: usize,
    /// Parentheses and square brackets that are open.
    brackets: usize,
    /// Where the last of them was closed.
    closed: usize,
    /// Lines that end with `<`, where the `>` that belongs to it has not yet begun another.
    angles: usize,
}

impl Level {
    fn at(start: usize) -> Self {
        Self { start, block: None, head: start, settled: start, brackets: 0, closed: 0, angles: 0 }
    }

    fn restart(&mut self, head: usize, choices: &Choices) {
        self.begin_head(head);
        if self.is_outside() && !choices.is_open() {
            self.settled = head;
        }
    }

    fn begin_head(&mut self, at: usize) {
        if self.is_outside() {
            self.head = at;
        }
    }

    /// Whether no bracket is open.
    fn is_outside(&self) -> bool {
        self.brackets == 0 && self.angles == 0
    }

    /// Takes the end of a line, in a language where one may end a statement. False: this one ends inside of angle brackets.
    fn end_line(&mut self, line: Range<usize>, source: &[u8]) -> bool {
        if self.brackets > 0 {
            return false;
        }
        if line.end.saturating_sub(self.head) > MAX_HEAD {
            self.angles = 0;
        }
        self.angles += usize::from(source[line.clone()].trim_ascii_end().ends_with(b"<"));
        let is_outside = self.is_outside();
        let next = source[line.end..].iter().take(MAX_INDENT).find(|byte| !byte.is_ascii_whitespace());
        if next == Some(&b'>') {
            self.angles = self.angles.saturating_sub(1);
        }
        is_outside
    }
}

/// None: the brackets of the text do not match, or it could be read in two ways.
pub(super) fn skim(source: &[u8], lexis: &'static Lexis, newline_ends: bool) -> Option<Skim> {
    let mut scanner = Scanner::new(source, lexis);
    let stops = if newline_ends { Stops::LINES } else { Stops::BRACKETS };
    let mut levels = vec![Level::at(0)];
    let mut choices = Choices::default();
    let mut skim = Skim::default();
    let mut comments = Comments::default();
    // Where the line begins that is read, and a line end after which a block may still open.
    let (mut line, mut newline) = (0, None);
    while let Some(piece) = scanner.next(stops) {
        let depth = levels.len() - 1;
        let level = &mut levels[depth];
        if let Some(end) = newline.take()
            && !(piece.what == PieceKind::Open(b'{') && source[end..piece.start].trim_ascii().is_empty())
        {
            level.restart(end, &choices);
        }
        match piece.what {
            PieceKind::Comment => comments.take(piece.start..piece.end, source, &mut skim),
            PieceKind::Newline => {}
            _ => comments.end(&mut skim),
        }
        match piece.what {
            PieceKind::Open(b'{') => {
                let head = &source[level.head..piece.start];
                let is_body = match level.brackets {
                    0 => level.closed > level.head && is_function(head, lexis) || is_initializer(head),
                    _ => is_in_value(head, lexis),
                };
                let is_value = !is_body && level.brackets == 0 && is_value(head, lexis);
                if is_body || is_value {
                    let (end, is_closed) = scanner.skip_block();
                    if !is_closed {
                        return None;
                    }
                    let inside = piece.end..end - 1;
                    if !tree::wraps(&inside, source.len()) {
                        // A value on one line is a part of the signature.
                        let is_shown = is_value && memchr::memchr(b'\n', &source[inside.clone()]).is_none();
                        if inside.len() >= WORTH && !is_shown && !swallows(source, level.head, &inside, lexis) {
                            skim.leave_out(inside);
                        }
                        level.restart(end, &choices);
                        cut(&mut skim, &mut levels, &choices, end, source, lexis);
                        continue;
                    }
                    scanner.go_to(piece.end);
                }
                levels.push(Level::at(piece.end));
            }
            PieceKind::Close(b'}') => {
                if depth == 0 || level.brackets > 0 {
                    return None;
                }
                if let Some(block) = level.block {
                    skim.cuts.end_block(block, piece.start..end_of_tail(source, piece.end));
                }
                levels.pop();
                levels[depth - 1].restart(piece.end, &choices);
                cut(&mut skim, &mut levels, &choices, piece.end, source, lexis);
            }
            PieceKind::Open(b'(')
                if level.brackets == 0 && is_expression_of_function(&source[level.head..piece.start], lexis) =>
            {
                let (end, is_closed) = scanner.skip_parentheses();
                if !is_closed {
                    return None;
                }
                leave_out_expression(&mut skim, level.head, piece.end..end - 1, source, lexis);
            }
            PieceKind::Open(_) => level.brackets += 1,
            PieceKind::Close(_) => {
                level.brackets = level.brackets.checked_sub(1)?;
                if level.brackets == 0 {
                    level.closed = piece.end;
                }
            }
            // No word of a comment before a head counts.
            PieceKind::Comment if matches!(source[level.head..piece.start].trim_ascii(), b"" | b",") => {
                level.begin_head(piece.end);
            }
            PieceKind::Newline => {
                if level.end_line(line..piece.start, source) && !goes_on(&source[level.head..piece.start], lexis) {
                    newline = Some(piece.start);
                }
                line = piece.end;
            }
            PieceKind::Directive => {
                let depth = choices.take(&source[piece.start..piece.end], depth);
                levels.truncate(depth + 1);
                levels.last_mut()?.begin_head(piece.end);
            }
            _ => {}
        }
    }
    comments.end(&mut skim);
    (levels.len() == 1 && levels[0].brackets == 0 && scanner.doubts() == 0).then_some(skim)
}

/// Leaves out what stands in parentheses that open in a head, where it is long.
fn leave_out_expression(skim: &mut Skim, head: usize, inside: Range<usize>, source: &[u8], lexis: &Lexis) {
    let first = source[inside.clone()].iter().position(|byte| !byte.is_ascii_whitespace());
    if let Some(first) = first.map(|first| inside.start + first)
        && inside.end - first >= WORTH
        && !swallows(source, head, &inside, lexis)
    {
        // Between parentheses something has to stand.
        skim.marks.push((first, b'0'));
        skim.leave_out(first + 1..inside.end);
    }
}

/// Notes that the text may be cut behind a block that ends at `end`, if it may: in no choice, and in no brackets.
fn cut(skim: &mut Skim, levels: &mut [Level], choices: &Choices, end: usize, source: &[u8], lexis: &Lexis) {
    // What stands before `begins_behind` changes how everything is read.
    if choices.is_open() || !lexis.begins_behind.is_empty() || levels.iter().any(|level| !level.is_outside()) {
        return;
    }
    let kept = end - skim.length;
    if !skim.cuts.is_due(kept) {
        return;
    }
    let Some(at) = behind_declaration(source, end, lexis) else { return };
    let mut around = Vec::with_capacity(levels.len() - 1);
    for inner in 1..levels.len() {
        let (outer, start) = (&levels[inner - 1], levels[inner].start);
        let (head, whole_head) = (outer.head..start, outer.settled..start);
        if levels[inner].block.is_none() && !is_container(&source[head], lexis) {
            return;
        }
        around.push(*levels[inner].block.get_or_insert_with(|| skim.cuts.begin_block(whole_head)));
    }
    skim.cuts.add(at, kept, around);
}

/// The beginning of the line behind a block, if what follows there is a declaration of its own, as far as can be told.
fn behind_declaration(source: &[u8], end: usize, lexis: &Lexis) -> Option<usize> {
    let (line, rest) = source[end..].split_at(memchr::memchr(b'\n', &source[end..])? + 1);
    let behind = line.strip_prefix(b";").or_else(|| line.strip_prefix(b",")).unwrap_or(line).trim_ascii();
    let next = rest.trim_ascii_start();
    let word = &next[..next.iter().position(|byte| !is_word(*byte)).unwrap_or(next.len())];
    let declarations = &lexis.declarations;
    let begins = match word {
        [] => {
            let mut marks = declarations.attribute_marks.iter().chain(&["//", "/*"]);
            marks.any(|mark| next.starts_with(mark.as_bytes()))
        }
        _ => !is_among(declarations.continued_by, word),
    };
    (begins && (behind.is_empty() || behind.starts_with(b"//"))).then_some(end + line.len())
}

/// Behind the line on which a block ends at `end`, where what follows the brace may belong to it: `};`. A comment on it must
/// not go on with what is read next.
fn end_of_tail(source: &[u8], end: usize) -> usize {
    let rest = &source[end..];
    let line = &rest[..memchr::memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1)];
    if line.iter().any(|byte| b"{}()[]\"'`".contains(byte)) { end } else { end + line.len() }
}

/// Whether a line ends with what something has to follow, or with an attribute.
fn goes_on(head: &[u8], lexis: &Lexis) -> bool {
    let head = head.trim_ascii();
    if head.len() > MAX_HEAD {
        return false;
    }
    let begins_with_attribute =
        |text: &[u8]| lexis.declarations.attribute_marks.iter().any(|mark| text.starts_with(mark.as_bytes()));
    let line = || memchr::memrchr(b'\n', head).map_or(head, |newline| head[newline + 1..].trim_ascii_start());
    let ends_with_attribute =
        || head.ends_with(b")") || begins_with_attribute(line()) && !line().iter().any(u8::is_ascii_whitespace);
    head.ends_with(b"=>") || head.ends_with(b" =") || begins_with_attribute(head) && ends_with_attribute()
}

/// Whether a body has a line that looks like the head of a neighbour: indented no deeper than its own head, which begins
/// behind `head`, and beginning with a word with which declarations begin. Then something in it is not closed.
fn swallows(source: &[u8], head: usize, inside: &Range<usize>, lexis: &Lexis) -> bool {
    let indent_at = |start: usize| source[start..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let line_of = |at: usize| memchr::memrchr(b'\n', &source[..at]).map_or(0, |newline| newline + 1);
    let head = inside.start - after_last_statement(&source[head..inside.start]).trim_ascii_start().len();
    // The brace may stand deeper than the head, behind parameters.
    let limit = indent_at(line_of(head)).min(indent_at(line_of(inside.start)));
    memchr::memchr_iter(b'\n', &source[inside.clone()]).any(|newline| {
        let start = inside.start + newline + 1;
        let indent = source[start..inside.end].iter().take(limit + 1).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let line = &source[start + indent..inside.end];
        indent <= limit && line.first().is_some_and(u8::is_ascii_alphabetic) && begins_declaration(line, lexis)
    })
}

fn begins_declaration(line: &[u8], lexis: &Lexis) -> bool {
    let declarations = &lexis.declarations;
    let word = &line[..line.iter().position(|byte| !is_word(*byte)).unwrap_or(line.len())];
    is_among(declarations.modifiers, word)
        || declarations.has_rule(word, |rule| matches!(rule.body, Body::Closed | Body::Members))
}
