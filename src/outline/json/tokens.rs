//! The words of a JSON text, and of what people call JSON: comments, trailing commas, single quotes, keys without quotes.

use std::ops::Range;

use memchr::{memchr, memchr3, memmem};

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// `{` or `[`.
    Open(Kind),
    /// `}` or `]`.
    Close(Kind),
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// What stands between quotes.
    Text(Range<usize>),
    /// A number, `true`, `null`, a key without quotes.
    Word(Range<usize>),
    /// No JSON of any kind, or a string that is still open at the end of its line.
    Fault,
    /// The text ends, perhaps in the middle of a string.
    End {
        /// Whether it ends between two words.
        is_clean: bool,
    },
}

/// What brackets hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `{}`
    Object,
    /// `[]`
    Array,
}

/// Reads a text word by word.
pub(super) struct Tokens<'s> {
    source: &'s [u8],
    at: usize,
    /// 1-based line of the word read last; of its end, should it have several lines.
    pub(super) line: usize,
    /// Whether the word read last is the first on its line.
    pub(super) is_first_on_line: bool,
}

/// Where two versions of a file were merged and nobody has chosen yet, lines begin with one of these.
const CONFLICT_MARKS: [&[u8]; 4] = [b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||"];

impl<'s> Tokens<'s> {
    /// Reads `source` from `at`, where the line of number `line` begins.
    pub(super) fn new(source: &'s [u8], at: usize, line: usize) -> Self {
        let mark = if at == 0 && source.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { source, at: at + mark, line, is_first_on_line: true }
    }

    /// The next word; at the end [`Token::End`] again and again.
    pub(super) fn next(&mut self) -> Token {
        if !self.skip_blanks_and_comments() {
            return Token::End { is_clean: false };
        }
        let Some(&byte) = self.source.get(self.at) else { return Token::End { is_clean: true } };
        let single = match byte {
            b'{' => Token::Open(Kind::Object),
            b'[' => Token::Open(Kind::Array),
            b'}' => Token::Close(Kind::Object),
            b']' => Token::Close(Kind::Array),
            b',' => Token::Comma,
            b':' => Token::Colon,
            b'"' | b'\'' => return self.text(byte),
            _ if is_wordy(byte) => return self.word(),
            _ => Token::Fault,
        };
        self.at += 1;
        single
    }

    /// False: a comment is still open at the end.
    fn skip_blanks_and_comments(&mut self) -> bool {
        self.is_first_on_line = false;
        while let Some(&byte) = self.source.get(self.at) {
            match byte {
                b'\n' => {
                    self.at += 1;
                    self.line += 1;
                    self.is_first_on_line = true;
                    if CONFLICT_MARKS.iter().any(|mark| self.source[self.at..].starts_with(mark)) {
                        self.skip_line();
                    }
                }
                b' ' | b'\t' | b'\r' | 0 | 0x0b | 0x0c => self.at += 1,
                b'#' => self.skip_line(),
                b'/' if self.source[self.at..].starts_with(b"//") => self.skip_line(),
                b'/' if self.source[self.at..].starts_with(b"/*") => {
                    let inside = &self.source[self.at..];
                    let Some(end) = memmem::find(&inside[2..], b"*/") else { return false };
                    let lines = memchr::memchr_iter(b'\n', &inside[..end + 2]).count();
                    self.line += lines;
                    self.is_first_on_line |= lines > 0;
                    self.at += end + 4;
                }
                _ => return true,
            }
        }
        true
    }

    fn skip_line(&mut self) {
        self.at = memchr(b'\n', &self.source[self.at..]).map_or(self.source.len(), |end| self.at + end);
    }

    fn text(&mut self, quote: u8) -> Token {
        let start = self.at + 1;
        let mut at = start;
        loop {
            let Some(found) = memchr3(quote, b'\\', b'\n', &self.source[at..]) else {
                self.at = self.source.len();
                return Token::End { is_clean: false };
            };
            at += found;
            match self.source[at] {
                b'\\' => {
                    // JSON5: a backslash before the line's end continues the string on the next one.
                    let length = if self.source[at + 1..].starts_with(b"\r\n") { 3 } else { 2 };
                    let end = (at + length).min(self.source.len());
                    self.line += usize::from(self.source[..end].ends_with(b"\n"));
                    at = end;
                }
                b'\n' => {
                    self.at = at;
                    return Token::Fault;
                }
                _ => {
                    self.at = at + 1;
                    return Token::Text(start..at);
                }
            }
        }
    }

    fn word(&mut self) -> Token {
        let start = self.at;
        let rest = &self.source[start..];
        self.at += rest.iter().position(|&byte| !is_wordy(byte)).unwrap_or(rest.len());
        Token::Word(start..self.at)
    }
}

fn is_wordy(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'-' | b'+' | b'.' | b'\\') || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> String {
        let mut tokens = Tokens::new(source.as_bytes(), 0, 1);
        let mut seen = String::new();
        loop {
            let token = tokens.next();
            let word = match token {
                Token::Open(Kind::Object) => "{".to_owned(),
                Token::Open(Kind::Array) => "[".to_owned(),
                Token::Close(Kind::Object) => "}".to_owned(),
                Token::Close(Kind::Array) => "]".to_owned(),
                Token::Comma => ",".to_owned(),
                Token::Colon => ":".to_owned(),
                Token::Text(range) => format!("'{}'", &source[range]),
                Token::Word(range) => source[range].to_owned(),
                Token::Fault => "!".to_owned(),
                Token::End { is_clean } => return format!("{seen}{} {}", if is_clean { "" } else { "…" }, tokens.line),
            };
            seen += &word;
        }
    }

    #[test]
    fn words_of_json_and_of_json5() {
        assert_eq!(words("{\"a\\\"b\": [1, -2e5]}"), "{'a\\\"b':[1,-2e5]} 1");
        assert_eq!(words("// x\n{a: 'b', /* \n */ $c: +.5,}\n# y"), "{a:'b',$c:+.5,} 4");
        assert_eq!(words("\u{feff}{}\r\n[]"), "{}[] 2");
        assert_eq!(words("'a\\\r\nb' 'c\\\nd'"), "'a\\\r\nb''c\\\nd' 3");
        assert_eq!(words("1\n<<<<<<< HEAD: {\n2"), "12 3");
    }

    #[test]
    fn what_is_cut_off_ends_there() {
        assert_eq!(words("{\"a\": \"b"), "{'a':… 1");
        assert_eq!(words("[1, /* x\n"), "[1,… 1");
        assert_eq!(words("\"a\\"), "… 1");
        assert_eq!(words("\"a\nb"), "!b 2");
    }
}
