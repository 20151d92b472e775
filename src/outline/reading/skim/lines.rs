//! Bodies that are told by how far their lines are indented.

use super::{Skim, WORTH};
use crate::lexis::scan::{PieceKind, Scanner, Stops};
use crate::lexis::{Body, Lexis, Rule, is_among};
use crate::outline::tree;

/// A line, or several that are joined by brackets, strings or a backslash; not blank.
struct Line {
    indent: usize,
    /// Of its first byte behind the indentation.
    start: usize,
    /// Behind its last byte that is neither space nor comment.
    end: usize,
}

/// The head of a function whose body is being read.
struct Function {
    indent: usize,
    /// Where its body begins and, so far, ends.
    body: Option<(usize, usize)>,
}

/// None: the text could be read in two ways.
pub(super) fn skim(source: &[u8], lexis: &'static Lexis) -> Option<Skim> {
    let mut scanner = Scanner::new(source, lexis);
    let mut skim = Skim::default();
    let mut function: Option<Function> = None;
    let (mut line_start, mut brackets, mut comment, mut is_attributed) = (0, 0_usize, None, false);
    loop {
        let piece = scanner.next(Stops::LINES);
        match piece.map(|piece| piece.what) {
            Some(PieceKind::Open(_)) => brackets += 1,
            Some(PieceKind::Close(_)) => brackets = brackets.checked_sub(1)?,
            Some(PieceKind::Comment) => comment = piece.map(|piece| piece.start),
            Some(PieceKind::Newline) | None if brackets == 0 => {
                let end = piece.map_or(source.len(), |piece| piece.start);
                if let Some(line) = line(source, line_start, comment.take().unwrap_or(end)) {
                    cut(&mut skim, &line, &mut is_attributed, source, lexis);
                    function = take(function, &line, source, lexis, &mut skim);
                }
                if piece.is_none() {
                    break;
                }
                line_start = end + 1;
            }
            Some(PieceKind::Newline) => comment = None,
            None => return None,
            Some(_) => {}
        }
    }
    leave_out(function, source, &mut skim);
    (scanner.doubts() == 0).then_some(skim)
}

fn line(source: &[u8], start: usize, end: usize) -> Option<Line> {
    let text = &source[start..end];
    let blank = text.iter().position(|byte| !byte.is_ascii_whitespace())?;
    // As the grammar counts: a tab is eight columns, a form feed begins anew.
    let indent = text[..blank].iter().fold(0, |indent, byte| match byte {
        b'\t' => indent + 8,
        b'\x0c' => 0,
        _ => indent + 1,
    });
    Some(Line { indent, start: start + blank, end: start + text.trim_ascii_end().len() })
}

/// Notes that the text may be cut before a line, if that begins a declaration at the outermost level, and its attributes.
fn cut(skim: &mut Skim, line: &Line, is_attributed: &mut bool, source: &[u8], lexis: &Lexis) {
    if line.indent > 0 {
        return;
    }
    let declarations = &lexis.declarations;
    let text = &source[line.start..line.end];
    let is_attribute = declarations.attribute_marks.iter().any(|mark| text.starts_with(mark.as_bytes()));
    let kept = line.start - skim.length;
    if !*is_attributed && (is_attribute || declares(text, lexis, |_| true)) && skim.cuts.is_due(kept) {
        skim.cuts.add(line.start, kept, Vec::new());
    }
    *is_attributed = is_attribute;
}

/// Takes the next line, and answers the function that is then being read.
fn take(function: Option<Function>, line: &Line, source: &[u8], lexis: &Lexis, skim: &mut Skim) -> Option<Function> {
    match function {
        Some(Function { indent, body }) if line.indent > indent => {
            let start = body.map_or(line.start, |(start, _)| start);
            Some(Function { indent, body: Some((start, line.end)) })
        }
        ended => {
            leave_out(ended, source, skim);
            let head = source[line.start..line.end].strip_suffix(b":");
            head.is_some_and(|head| is_function(head, lexis)).then_some(Function { indent: line.indent, body: None })
        }
    }
}

/// What is left of a body is a pair of parentheses: a statement that may have lines.
fn leave_out(function: Option<Function>, source: &[u8], skim: &mut Skim) {
    let Some((start, end)) = function.and_then(|function| function.body) else { return };
    if end - start < WORTH || tree::wraps(&(start..end), source.len()) {
        return;
    }
    skim.leave_out(start + 1..end - 1);
    skim.marks.extend([(start, b'('), (end - 1, b')')]);
}

/// Whether a line is the head of a function, up to its colon.
pub(super) fn is_function(line: &[u8], lexis: &Lexis) -> bool {
    declares(line, lexis, |rule| rule.body == Body::Closed)
}

/// Whether a line begins a declaration by a rule of which this is true.
fn declares(line: &[u8], lexis: &Lexis, is_wanted: impl Fn(&Rule) -> bool) -> bool {
    let declarations = &lexis.declarations;
    let mut words = line.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_')).filter(|word| !word.is_empty());
    let word = words.find(|word| !is_among(declarations.modifiers, word));
    word.is_some_and(|word| declarations.has_rule(word, is_wanted))
}
