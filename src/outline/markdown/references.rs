//! References: `[label]: destination "title"`, to which `[label]` is a link.

use std::collections::HashSet;

/// The labels that a text defines, in the form in which they are compared.
#[derive(Default)]
pub(super) struct References {
    labels: HashSet<String>,
}

/// A label longer than this is none; bytes.
const MAX_LABEL: usize = 999;

/// A title longer than this is none; bytes. CommonMark has no such limit, but the cost of looking for an end has.
const MAX_TITLE: usize = 2_000;

impl References {
    /// Whether `label` is defined.
    pub(super) fn contains(&self, label: &str) -> bool {
        self.labels.contains(&folded(label))
    }

    /// Takes the definitions with which a paragraph begins, and returns what is left of it.
    pub(super) fn take_definitions<'p>(&mut self, paragraph: &'p str) -> &'p str {
        let mut rest = paragraph;
        while let Some((label, length)) = definition(rest) {
            self.labels.insert(folded(label));
            rest = &rest[length..];
        }
        rest
    }
}

/// Labels are the same whatever their case and white space.
fn folded(label: &str) -> String {
    label.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The label of the definition with which `text` begins, and the bytes of all of it.
fn definition(text: &str) -> Option<(&str, usize)> {
    let indent = text.len() - text.trim_start_matches(' ').len();
    let label_end = label_end(&text[indent..])? + indent;
    let label = &text[indent + 1..label_end - 1];
    let behind = text[label_end..].strip_prefix(':')?;
    let mut at = label_end + 1 + blank(behind)?;
    at += destination(&text[at..])?;
    let line_end = |at: usize| -> Option<usize> {
        let rest = text[at..].trim_start_matches([' ', '\t']);
        let at = text.len() - rest.len();
        if rest.is_empty() { Some(at) } else { rest.starts_with('\n').then_some(at + 1) }
    };
    // A title stands apart. One that is none leaves the definition without it, if that ends with its line.
    let with_title = blank(&text[at..])
        .filter(|&space| space > 0)
        .and_then(|space| title(&text[at + space..]).and_then(|length| line_end(at + space + length)));
    let end = with_title.or_else(|| line_end(at))?;
    Some((label, end))
}

/// Bytes up to behind the `]` of the label with which `text` begins.
pub(super) fn label_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.first() != Some(&b'[') {
        return None;
    }
    let mut at = 1;
    while at < bytes.len().min(MAX_LABEL) {
        match bytes[at] {
            b'\\' => at += 1,
            b'[' => return None,
            b']' => return (!text[1..at].trim().is_empty()).then_some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Bytes of white space with at most one line end; None where there are more.
fn blank(text: &str) -> Option<usize> {
    let space = text.len() - text.trim_start_matches([' ', '\t', '\n']).len();
    (text[..space].matches('\n').count() <= 1).then_some(space)
}

/// Bytes of the destination of a link.
pub(super) fn destination(text: &str) -> Option<usize> {
    if let Some(inside) = text.strip_prefix('<') {
        let end = ends_at(inside, |c| c == '>', |c| c == '<' || c == '\n')?;
        return Some(end + 2);
    }
    let mut parentheses = 0_usize;
    let mut is_escaped = false;
    let mut length = 0;
    for c in text.chars() {
        match c {
            _ if c.is_whitespace() || c.is_control() => break,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '(' => parentheses += 1,
            ')' if parentheses == 0 => break,
            ')' => parentheses -= 1,
            _ => {}
        }
        length += c.len_utf8();
    }
    (length > 0 && parentheses == 0).then_some(length)
}

/// Bytes of a title in quotes or parentheses.
pub(super) fn title(text: &str) -> Option<usize> {
    let close = match text.chars().next()? {
        '(' => ')',
        quote @ ('"' | '\'') => quote,
        _ => return None,
    };
    let inside = &text[1..text.floor_char_boundary(MAX_TITLE.min(text.len()))];
    Some(ends_at(inside, |c| c == close, |_| false)? + 2)
}

/// Where the first character stands that ends something, unless one stands before it that must not be in it.
fn ends_at(text: &str, is_end: impl Fn(char) -> bool, is_forbidden: impl Fn(char) -> bool) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if is_end(c) => return Some(at),
            _ if is_forbidden(c) => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_told_from_text() {
        for (text, label) in [
            ("[a]: /b", Some("a")),
            ("[A b]:\n  <c d>\n  'e\nf'  ", Some("A b")),
            ("[a]: /b \"c\"", Some("a")),
            ("[a]:", None),
            ("[ ]: /b", None),
            ("[a] : /b", None),
            ("[a]: /b c", None),
            ("[a]: <b>c", None),
            ("[a]: /b \"c\" d", None),
        ] {
            assert_eq!(definition(text).map(|(label, _)| label), label, "{text}");
        }
    }

    #[test]
    fn a_title_that_is_none_is_text() {
        let mut references = References::default();
        assert_eq!(references.take_definitions("[a]: /b\n\"c\" d"), "\"c\" d");
        assert!(references.contains("A"));
        assert_eq!(references.take_definitions("[d]: /e\n[f]: /g\nrest"), "rest");
        assert!(references.contains("f"));
    }
}
