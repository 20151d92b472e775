//! Files whose outermost elements hold text of other languages: the elements, and what their scripts declare.

use std::ops::Range;

use memchr::{memchr, memmem};

use super::super::{Symbol, signature};
use super::head::LineCounter;
use crate::lexis::Lexis;

/// The kind of an element's row.
const KIND: &str = "element";

/// Elements without an end for which the rest of the file is searched.
const MAX_OPEN: usize = 16;

/// The symbols of a text whose `script` elements are written in `script`.
pub(super) fn symbols(source: &[u8], script: &'static Lexis) -> Vec<Symbol> {
    let mut lines = LineCounter::new(source);
    let mut symbols = Vec::new();
    let (mut at, mut open) = (0, 0);
    while let Some((name, whole)) = next_element(source, at, &mut open) {
        let line = lines.line_of(whole.start);
        let head_end = memchr(b'>', &source[whole.clone()]).map_or(whole.end, |end| whole.start + end + 1);
        symbols.push(Symbol {
            name: name.to_owned(),
            kind: KIND,
            line,
            end_line: lines.line_of(whole.end - 1),
            depth: 0,
            signature: signature::of(source, whole.start..head_end, None, &[]),
        });
        if name == "script" {
            let first_line = lines.line_of(head_end);
            let inside = super::of_lexis(&source[head_end..whole.end], script);
            symbols.extend(inside.into_iter().map(|symbol| Symbol {
                line: symbol.line + first_line - 1,
                end_line: symbol.end_line + first_line - 1,
                depth: symbol.depth + 1,
                ..symbol
            }));
        }
        at = whole.end;
    }
    symbols
}

/// The first element that begins at the beginning of a line at or behind `from`: its name, and all of it.
fn next_element<'s>(source: &'s [u8], from: usize, open: &mut usize) -> Option<(&'s str, Range<usize>)> {
    let mut at = from;
    loop {
        let is_line_start = at == 0 || source[at - 1] == b'\n';
        let length =
            source[at..].iter().skip(1).take(40).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
        if is_line_start && source.get(at) == Some(&b'<') && length > 0 {
            let name = std::str::from_utf8(&source[at + 1..at + 1 + length]).ok()?;
            let close = format!("\n</{name}");
            let rest = if *open < MAX_OPEN { &source[at..] } else { &[] };
            let end = memmem::find(rest, close.as_bytes()).map(|end| at + end + close.len());
            *open += usize::from(end.is_none());
            // One that is not closed at the beginning of a line ends on its own.
            let end = end.unwrap_or(at);
            let line_end = memchr(b'\n', &source[end..]).map_or(source.len(), |newline| end + newline);
            return Some((name, at..line_end));
        }
        at += memchr(b'\n', source.get(at..)?)? + 1;
    }
}
