//! Definitions of macros that a grammar cannot read to their end.

use std::ops::Range;

use memchr::memmem;

use super::tokens::{Kind, Token};

/// The blanks behind the name of a macro that stands for nothing. Grammars take the next line for its value.
pub(super) fn blanks_for_values(source: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for at in memmem::find_iter(source, DEFINE) {
        let name = at + DEFINE.len();
        let end = memchr::memchr(b'\n', &source[name..]).map_or(source.len(), |end| name + end);
        let line = source[name..end].strip_suffix(b"\r").unwrap_or(&source[name..end]);
        let written = line.trim_ascii_end().len();
        let is_directive = source[..at].trim_ascii_end().ends_with(b"#");
        if is_directive && (1..line.len()).contains(&written) && value_start(line) >= written {
            found.push(name + written..name + line.len());
        }
    }
    found
}

const DEFINE: &[u8] = b"define";

/// Where the value of a macro begins in what follows the word `define`.
fn value_start(rest: &[u8]) -> usize {
    let name = rest.len() - rest.trim_ascii_start().len();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let end = rest[name..].iter().position(|byte| !is_word(byte)).map_or(rest.len(), |length| name + length);
    if rest[end..].starts_with(b"(") {
        memchr::memchr(b')', &rest[end..]).map_or(rest.len(), |close| end + close + 1)
    } else {
        end
    }
}

/// Comments inside the definition of a macro, at which grammars take it to end.
pub(super) fn comments(source: &[u8], tokens: &[Token]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for token in tokens.iter().filter(|token| token.kind == Kind::Directive) {
        let text = &source[token.range().clone()];
        let Some(rest) = text[1..].trim_ascii_start().strip_prefix(DEFINE) else { continue };
        let name = text.len() - rest.len();
        let mut at = name + value_start(rest);
        let mut comments = Vec::new();
        let mut has_value = false;
        while let Some(open) = memmem::find(&text[at..], b"/*").map(|open| at + open) {
            let end = memmem::find(&text[open + 2..], b"*/").map_or(text.len(), |close| open + 2 + close + 2);
            has_value |= !text[at..open].trim_ascii().is_empty();
            comments.push(token.range().start + open..token.range().start + end);
            at = end;
        }
        // One that stands for nothing must not end in blanks.
        if has_value || !text[at..].trim_ascii().is_empty() {
            found.append(&mut comments);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::tokens;
    use super::*;

    fn texts(source: &str, ranges: Vec<Range<usize>>) -> Vec<&str> {
        ranges.into_iter().map(|range| &source[range]).collect()
    }

    #[test]
    fn blanks_stand_behind_a_name_without_a_value() {
        let source = "#define A  \n# define B(x)\t\r\n#define C 1  \n#define D\nundefine E  \n#define F /* f */ \n#define \n";
        assert_eq!(texts(source, blanks_for_values(source.as_bytes())), ["  ", "\t"]);
        assert_eq!(blanks_for_values(b"#define A ").first(), Some(&(9..10)));
        assert!(blanks_for_values(b"#define").is_empty());
    }

    #[test]
    fn comments_are_found_in_definitions_that_have_a_value() {
        let source =
            "#define A /* a */ 1 /* b */\n#define B /* c */\n#define C(x /* d */) \\\n x /* e\n */ x\n#if D /* f */\n#endif";
        let tokens = tokens::of_cpp(source);
        assert_eq!(texts(source, comments(source.as_bytes(), &tokens)), ["/* a */", "/* b */", "/* e\n */"]);
    }
}
