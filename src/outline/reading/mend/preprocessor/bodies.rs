//! What a file's outline does not need: the bodies of functions, initial values, the parameters of templates and what
//! these require, computed types.
//!
//! A grammar that loses its way inside a function may lose what follows it too. What is not there cannot mislead it.

use std::ops::Range;

use super::stream::Stream;
use super::tokens::Kind;

/// The ranges inside brackets of which nothing is listed.
pub(super) fn find(stream: &Stream<'_>) -> Vec<Range<usize>> {
    let mut blanks = Vec::new();
    let mut at = 0;
    // Where the declaration begins that a token belongs to.
    let mut head = 0;
    while at < stream.tokens.len() {
        let mate = stream.mate(at);
        match stream.tokens[at].kind {
            Kind::Mark(b'{') if mate > at && is_closed(stream, head, at) => {
                blanks.push(stream.tokens[at].range().end..stream.tokens[mate].range().start);
                at = mate;
                if !is_followed_by_another(stream, at) {
                    head = at + 1;
                }
            }
            Kind::Mark(b';' | b'{' | b'}') | Kind::Directive => head = at + 1,
            Kind::Mark(b'(' | b'[') if mate > at => at = mate,
            Kind::Keyword if stream.is(at, b"template") && stream.is_mark(at + 1, b'<') => {
                if let Some(end) = stream.angle_end(at + 1) {
                    blanks.push(stream.tokens[at + 1].range().end..stream.tokens[end - 1].range().start);
                    at = end - 1;
                }
            }
            Kind::Keyword if stream.is(at, b"requires") => {
                let end = stream.constraint_end(at + 1);
                blanks.push(stream.tokens[at].range().start..stream.tokens[end - 1].range().end);
                at = end - 1;
            }
            Kind::Mark(b'-') if stream.is_mark(at + 1, b'>') => {
                if let Some(end) = computed_type_end(stream, at + 2) {
                    blanks.push(stream.tokens[at].range().start..stream.tokens[end - 1].range().end);
                    at = end - 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    blanks
}

/// Behind a type that a function's `->` names, where it is computed from expressions.
fn computed_type_end(stream: &Stream<'_>, at: usize) -> Option<usize> {
    let mut end = at;
    let mut is_computed = false;
    while let Some(kind) = stream.kind(end) {
        match kind {
            Kind::Mark(b'{' | b';' | b'}' | b'=' | b')') | Kind::Directive => break,
            Kind::Mark(b'(' | b'[') => end = stream.mate(end),
            Kind::Keyword => is_computed |= stream.is(end, b"decltype"),
            _ => {}
        }
        end += 1;
    }
    (is_computed && end > at).then_some(end)
}

/// Whether behind a brace that closes the body is still to come: `: a{1}, b{2} {`.
pub(super) fn is_followed_by_another(stream: &Stream<'_>, close: usize) -> bool {
    stream.is_mark(close + 1, b',') || stream.is_mark(close + 1, b'{')
}

/// Whether nothing is declared in the braces that open at a token. `head`: where the declaration before them begins.
pub(super) fn is_closed(stream: &Stream<'_>, head: usize, open: usize) -> bool {
    let mut key = None;
    let mut names = 0;
    let mut at = head;
    while at < open {
        let mate = stream.mate(at);
        match stream.tokens[at].kind {
            Kind::Mark(b'=') => return true,
            Kind::Mark(b'(') if mate > at => {
                if at > head && !stream.is_keyword(at - 1) && key != Some(&b"namespace"[..]) {
                    return true;
                }
                at = mate;
            }
            Kind::Mark(b'[' | b'{') if mate > at => at = mate,
            Kind::Mark(b'<') => at = stream.angle_end(at).map_or(at, |end| end - 1),
            Kind::Mark(b':') if key.is_some() => break,
            Kind::Literal => key = key.or(Some(&b"extern"[..])),
            Kind::Word => names += 1,
            Kind::Keyword if matches!(stream.text(at), b"class" | b"struct" | b"union" | b"enum" | b"namespace") => {
                key = key.or(Some(stream.text(at)));
            }
            _ => {}
        }
        at += 1;
    }
    match key {
        Some(key) => key == b"enum",
        None => names > 1,
    }
}
