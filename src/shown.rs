//! What may be shown. File names and source are other people's text: an escape sequence in them could repaint a
//! terminal, a bidi override show code in another order than it runs, and a row of invisible characters tell a model
//! what no person sees.

use std::borrow::Cow;

/// Whether a character is seen where it stands, and does nothing else. A tab is not: it may stand in a text, but moves
/// what follows.
///
/// The joiners U+200C and U+200D are: Persian, Hindi and many emoji are not written without them.
pub fn is_shown(c: char) -> bool {
    !(c.is_control()
        || matches!(c,
            // The soft hyphen, marks, embeddings, overrides and isolates of writing direction, line and paragraph
            // separators, what has no width, annotations.
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            // Tags, in which a whole text can be hidden, and selectors of glyph variants, in which another can.
            | '\u{e0000}'..='\u{e0fff}'))
}

/// `text` with what may not be shown written out, as `\u{1b}`: nothing is hidden, and it stays on one line.
pub fn escaped(text: &str) -> Cow<'_, str> {
    escaped_but(text, is_shown)
}

/// `text` with all written out but for the characters that may stay.
pub fn escaped_but(text: &str, stays: fn(char) -> bool) -> Cow<'_, str> {
    if text.chars().all(stays) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if stays(c) { escaped.push(c) } else { escaped.extend(c.escape_unicode()) }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_without_being_seen_is_written_out() {
        assert_eq!(escaped("/home/é/漢字/a b.py"), "/home/é/漢字/a b.py");
        assert_eq!(escaped("a\u{1b}[31mb\r\n\u{9b}2J"), "a\\u{1b}[31mb\\u{d}\\u{a}\\u{9b}2J");
        assert_eq!(
            escaped("\u{202e}txt.exe\u{2066}\u{2028}\u{200b}\u{e0041}"),
            "\\u{202e}txt.exe\\u{2066}\\u{2028}\\u{200b}\\u{e0041}"
        );
        assert_eq!(escaped("می\u{200c}خواهم 👩\u{200d}💻"), "می\u{200c}خواهم 👩\u{200d}💻");
    }
}
