//! Blocks of HTML in Markdown: where they begin, and where they end.

use memchr::memmem;

/// A block of HTML that is open, by what ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Html {
    /// A line in which one of these occurs is the last.
    Until(&'static [&'static str]),
    /// A blank line ends it.
    Blank,
}

/// Tags whose content may hold blank lines.
const VERBATIM: [&str; 4] = ["pre", "script", "style", "textarea"];
const VERBATIM_ENDS: &[&str] = &["</pre>", "</script>", "</style>", "</textarea>"];

/// Beginnings that are no tags, and their ends. The last is a comment in MDX.
const SPECIAL: [(&str, &[&str]); 5] =
    [("<!--", &["-->"]), ("<?", &["?>"]), ("<![CDATA[", &["]]>"]), ("<!", &[">"]), ("{/*", &["*/}"])];

/// Tags that begin a block wherever they stand; sorted.
const BLOCK_TAGS: [&str; 62] = [
    "address",
    "article",
    "aside",
    "base",
    "basefont",
    "blockquote",
    "body",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "iframe",
    "legend",
    "li",
    "link",
    "main",
    "menu",
    "menuitem",
    "nav",
    "noframes",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "ul",
];

impl Html {
    /// The block that begins with `text`, if it is HTML.
    pub(super) fn starting(text: &[u8], in_paragraph: bool) -> Option<Self> {
        if !matches!(text[0], b'<' | b'{') {
            return None;
        }
        if let Some((open, ends)) = SPECIAL.iter().find(|(open, _)| text.starts_with(open.as_bytes())) {
            let is_letter = text.get(2).is_some_and(u8::is_ascii_alphabetic);
            return (*open != "<!" || is_letter).then_some(Self::Until(ends));
        }
        let is_closing = text.get(1) == Some(&b'/');
        let name = &text[1 + usize::from(is_closing)..];
        let name = &name[..name.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count()];
        let behind = &text[1 + usize::from(is_closing) + name.len()..];
        let name = String::from_utf8_lossy(&name[..name.len().min(20)]).to_ascii_lowercase();
        let is_bounded = behind.first().is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'>'));
        if !is_closing && is_bounded && VERBATIM.contains(&name.as_str()) {
            return Some(Self::Until(VERBATIM_ENDS));
        }
        if (is_bounded || behind.starts_with(b"/>")) && BLOCK_TAGS.binary_search(&name.as_str()).is_ok() {
            return Some(Self::Blank);
        }
        let is_alone = !in_paragraph && tag_length(text).is_some_and(|length| text[length..].trim_ascii().is_empty());
        is_alone.then_some(Self::Blank)
    }

    /// Whether a line belongs to it.
    pub(super) fn takes(self, line: &[u8]) -> bool {
        self != Self::Blank || !line.trim_ascii().is_empty()
    }

    /// Whether a line is its last, or stands behind it.
    pub(super) fn ends_with(self, line: &[u8]) -> bool {
        match self {
            Self::Blank => line.trim_ascii().is_empty(),
            Self::Until(VERBATIM_ENDS) => {
                let line = line.to_ascii_lowercase();
                VERBATIM_ENDS.iter().any(|end| memmem::find(&line, end.as_bytes()).is_some())
            }
            Self::Until(ends) => ends.iter().any(|end| memmem::find(line, end.as_bytes()).is_some()),
        }
    }
}

/// Bytes of the tag, opening or closing, with which `text` begins.
pub(super) fn tag_length(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    if text.first() != Some(&b'<') {
        return None;
    }
    let is_closing = text.get(at) == Some(&b'/');
    at += usize::from(is_closing);
    if !text.get(at)?.is_ascii_alphabetic() {
        return None;
    }
    at += count(&text[at..], |byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if is_closing {
        at += count(&text[at..], is_space);
        return (text.get(at) == Some(&b'>')).then_some(at + 1);
    }
    loop {
        let spaces = count(&text[at..], is_space);
        at += spaces;
        match text.get(at)? {
            b'>' => return Some(at + 1),
            b'/' => return (text.get(at + 1) == Some(&b'>')).then_some(at + 2),
            byte if spaces > 0 && (byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':')) => at = attribute_end(text, at)?,
            _ => return None,
        }
    }
}

/// Where the attribute ends that begins at `at`.
fn attribute_end(text: &[u8], at: usize) -> Option<usize> {
    let at = at + count(&text[at..], |byte| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte));
    let value = at + count(&text[at..], is_space);
    if text.get(value) != Some(&b'=') {
        return Some(at);
    }
    let value = value + 1 + count(&text[value + 1..], is_space);
    if let quote @ (b'"' | b'\'') = *text.get(value)? {
        return memchr::memchr(quote, &text[value + 1..]).map(|end| value + 1 + end + 1);
    }
    let length = count(&text[value..], |byte| !is_space(byte) && !b"\"'=<>`".contains(&byte));
    (length > 0).then_some(value + length)
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

fn count(text: &[u8], is_wanted: impl Fn(u8) -> bool) -> usize {
    text.iter().take_while(|byte| is_wanted(**byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_tags_are_sorted() {
        assert!(BLOCK_TAGS.is_sorted());
    }

    #[test]
    fn tags_are_told_from_text() {
        for (text, length) in [
            ("<a>", Some(3)),
            ("<a/>b", Some(4)),
            ("</a >", Some(5)),
            ("<b c d=e f='>' g=\"\" />", Some(22)),
            ("<a", None),
            ("<a b=>", None),
            ("<a b='c'd>", None),
            ("<33>", None),
            ("<a href='x>", None),
            ("</a b>", None),
        ] {
            assert_eq!(tag_length(text.as_bytes()), length, "{text}");
        }
    }
}
