//! A text without what stands in its functions, whatever brackets and quotes are wrong in there.
//!
//! One construct that a grammar does not know may cost a parser the rest of the file, and an outline has no use for what
//! stands in a function. Where its body ends is told by the layout alone: at the next line that is indented no deeper than
//! its head.

use super::super::skim::is_head_of_function;
use super::CONFLICT_MARKS;
use crate::lexis::scan::{PieceKind, Scanner, Stops};
use crate::lexis::{Blocks, Body, Lexis, is_among};

/// A head has at most so many lines.
const MAX_HEAD: usize = 40;

/// The text with white space in place of bodies; None where there are none.
pub(in crate::outline::reading) fn without_bodies(source: &[u8], lexis: &'static Lexis) -> Option<Vec<u8>> {
    let opener = match lexis.blocks {
        Blocks::Braces { .. } => b'{',
        Blocks::Lines(_) => b':',
        _ => return None,
    };
    let lines = lines(source, lexis);
    let mut text = source.to_vec();
    for line in lines.iter().filter(|line| line.indent == 0) {
        if CONFLICT_MARKS.iter().any(|mark| source[line.start..].starts_with(mark)) {
            text[line.start..line.end].fill(b' ');
        }
    }
    let mut at = 0;
    while at < lines.len() {
        let (first, last) = (lines[first_line(source, &lines, at)], lines[at]);
        at += 1;
        let body = body(source, &lines[at..], first.indent);
        let Some(end) = body.last() else { continue };
        let (start, end) = (body[0].start, end.end);
        if opener == b':' && source[last.end - 1] != b':' && body[0].indent > last.indent {
            set_colon(&mut text, last, lexis);
        }
        let Some(head) = text[first.start..last.end].trim_ascii_end().strip_suffix(&[opener]) else { continue };
        if !is_head_of_function(head, lexis) {
            continue;
        }
        at += body.len();
        text[start..end].iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        if opener == b':' {
            // What is left is a statement that may have lines.
            (text[start], text[end - 1]) = (b'(', b')');
            if end - start == 1 {
                text[start] = b'0';
            }
        } else if lines.get(at).is_none_or(|line| source[line.start] != b'}') {
            text[end - 1] = b'}';
        }
    }
    (text != source).then_some(text)
}

/// A line that is not blank.
#[derive(Clone, Copy)]
struct Line {
    /// Of its first byte behind the indentation.
    start: usize,
    /// Behind its last byte that is no comment.
    end: usize,
    indent: usize,
}

fn lines(source: &[u8], lexis: &'static Lexis) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in source.split(|byte| *byte == b'\n') {
        // Behind a brace there are comments rarely, and to find them takes time.
        let code = if matches!(lexis.blocks, Blocks::Lines(_)) { &line[..comment_start(line, lexis)] } else { line };
        if let Some(indent) = code.iter().position(|byte| !byte.is_ascii_whitespace()) {
            lines.push(Line { start: start + indent, end: start + code.trim_ascii_end().len(), indent });
        }
        start += line.len() + 1;
    }
    lines
}

/// Where the comment at the end of a line begins, were it the only one.
fn comment_start(line: &[u8], lexis: &'static Lexis) -> usize {
    let mut scanner = Scanner::new(line, lexis);
    let mut last = None;
    while let Some(piece) = scanner.next(Stops::BRACES) {
        last = (piece.what == PieceKind::Comment && piece.end == line.len()).then_some(piece.start);
    }
    last.unwrap_or(line.len())
}

/// The lines up to the next that is indented no deeper than `indent`. What does not begin as code does, such as directives
/// and the marks of templates and of conflicts, may stand anywhere.
fn body<'l>(source: &[u8], lines: &'l [Line], indent: usize) -> &'l [Line] {
    let ends = |line: &Line| {
        let byte = source[line.start];
        line.indent <= indent && (byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'@' | b'}' | b'~' | 0x80..))
    };
    let inside = &lines[..lines.iter().position(ends).unwrap_or(lines.len())];
    &inside[..inside.iter().rposition(|line| line.indent > indent).map_or(0, |last| last + 1)]
}

/// Puts in the colon that a line misses which begins a declaration with a body, in place of what follows the name; the
/// end of a short name has to give way too.
fn set_colon(text: &mut [u8], line: Line, lexis: &Lexis) {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | 0x80..);
    let declarations = &lexis.declarations;
    let mut words = text[line.start..line.end].split(|byte| !is_word(*byte));
    let mut start = line.start;
    let mut next = || words.next().inspect(|word| start += word.len() + 1);
    let mut word = next();
    while word.is_some_and(|word| is_among(declarations.modifiers, word)) {
        word = next();
    }
    let rule = declarations.rules.iter().find(|rule| word.is_some_and(|word| rule.has_word(word)));
    let behind: &[u8] = match rule.map(|rule| rule.body) {
        Some(Body::Members) => b":",
        Some(Body::Closed) => b"():",
        _ => return,
    };
    let Some(name) = next().map(<[u8]>::len).filter(|length| *length > 0) else { return };
    let name = start - name - 1;
    let is_open = text[name..line.end].iter().fold(0_i32, |open, byte| match byte {
        b'(' | b'[' | b'{' => open + 1,
        b')' | b']' | b'}' => open - 1,
        _ => open,
    });
    let at = (start - 1).min(line.end.saturating_sub(behind.len()));
    if is_open > 0 || at <= name {
        return;
    }
    text[at..line.end].fill(b' ');
    text[at..at + behind.len()].copy_from_slice(behind);
}

/// The first line of what ends with the line at `at`.
fn first_line(source: &[u8], lines: &[Line], at: usize) -> usize {
    let goes_on = |line: usize| {
        matches!(source[lines[line].start], b')' | b'{' | b'>') || matches!(source[lines[line - 1].end - 1], b',' | b'(' | b'<')
    };
    (at.saturating_sub(MAX_HEAD) + 1..=at).rev().find(|line| !goes_on(*line)).unwrap_or(at.saturating_sub(MAX_HEAD))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language;

    fn left(language: &str, source: &str) -> Option<String> {
        let text = without_bodies(source.as_bytes(), language::by_name(language).unwrap().lexis.unwrap())?;
        assert_eq!(text.len(), source.len());
        Some(String::from_utf8(text).unwrap().replace(' ', ""))
    }

    #[test]
    fn a_body_ends_where_its_head_is_indented_again() {
        let source = "class A {\n  f(a) {\n    if (a {\n  }\n\n  g() {\n    \"no end;\n  }\n}\n";
        assert_eq!(left("typescript", source).unwrap(), "classA{\nf(a){\n\n}\n\ng(){\n\n}\n}\n");
    }

    #[test]
    fn a_body_that_is_not_closed_is_closed() {
        let source = "fn f() {\n    let a = [1;\n\nfn g(\n    a: A,\n) {\n    }}\n}\n";
        assert_eq!(left("rust", source).unwrap(), "fnf(){\n}\n\nfng(\na:A,\n){\n\n}\n");
    }

    #[test]
    fn a_body_without_braces_is_a_statement() {
        let source = "class A:\n  def f(self,\n        a):\n    b(c\n\n  async def g(): # d\n    x\n  e = 1\n";
        assert_eq!(left("python", source).unwrap(), "classA:\ndeff(self,\na):\n()\n\nasyncdefg():#d\n0\ne=1\n");
    }

    #[test]
    fn a_colon_that_is_missing_takes_the_place_of_what_follows_the_name() {
        let source = "class A(B)\n  def f(self) -> C  # d\n    x\nclass Deep\n  def gather\n    x\n";
        assert_eq!(left("python", source).unwrap(), "classA:\ndeff():#d\n0\nclassDee:\ndefgat():\n0\n");
    }

    #[test]
    fn what_has_no_body_stays() {
        assert_eq!(left("python", "if a:\n  b\nclass C:\n  d = 1\n"), None);
        assert_eq!(left("go", "type A struct {\n\tb int\n}\n"), None);
    }
}
