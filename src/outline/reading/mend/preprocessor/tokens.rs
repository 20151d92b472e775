//! The tokens of a text, as far as they matter here: words, brackets and other marks; comments are none.

use std::ops::Range;

use memchr::{memchr, memchr2, memmem};
use tree_sitter::Language as Grammar;

use crate::language::Preprocessor;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name.
    Word,
    /// A word that is no name.
    Keyword,
    /// A string, a character or a number.
    Literal,
    /// One byte of anything else.
    Mark(u8),
    /// A line for the preprocessor, with those that continue it.
    Directive,
}

/// A token and where it stands; small, since there are many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    start: u32,
    end: u32,
}

impl Token {
    pub(super) fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The words of a grammar that are no names, by their first letter.
pub(super) struct Keywords<'g>([Vec<&'g [u8]>; 128]);

impl<'g> Keywords<'g> {
    pub(super) fn of(grammar: &'g Grammar) -> Self {
        let mut keywords = Self(std::array::from_fn(|_| Vec::new()));
        // The first kind is the end of the text, and called so.
        for id in 1..grammar.node_kind_count() as u16 {
            let word = grammar.node_kind_for_id(id).filter(|_| !grammar.node_kind_is_named(id)).unwrap_or_default().as_bytes();
            if word.iter().all(|byte| byte.is_ascii() && is_word(*byte)) {
                keywords.0[usize::from(word.first().copied().unwrap_or_default())].push(word);
            }
        }
        keywords
    }

    fn contains(&self, word: &[u8]) -> bool {
        self.0.get(usize::from(word[0])).is_some_and(|keywords| keywords.contains(&word))
    }
}

/// All tokens of a text, in order.
pub(super) fn of(source: &[u8], preprocessor: Preprocessor, keywords: &Keywords<'_>) -> Vec<Token> {
    let tokens = Vec::with_capacity(source.len() / 5);
    let mut lexer = Lexer { source, preprocessor, keywords, at: 0, tokens, fresh: true };
    while lexer.at < source.len() {
        lexer.step();
    }
    lexer.tokens
}

struct Lexer<'s> {
    source: &'s [u8],
    preprocessor: Preprocessor,
    keywords: &'s Keywords<'s>,
    at: usize,
    tokens: Vec<Token>,
    /// Only white space and comments so far on this line.
    fresh: bool,
}

impl Lexer<'_> {
    fn step(&mut self) {
        let start = self.at;
        let rest = &self.source[start..];
        match rest[0] {
            b'\n' => {
                self.fresh = true;
                self.at += 1;
            }
            byte if byte.is_ascii_whitespace() => self.at += 1,
            b'\\' if continues(rest) => self.at += 1 + rest[1..].iter().take_while(|byte| **byte != b'\n').count() + 1,
            b'/' if rest.get(1) == Some(&b'/') => self.at = self.end_of_line(start, true),
            b'/' if rest.get(1) == Some(&b'*') => self.at = self.end_of_comment(start),
            b'#' if self.fresh => {
                let end = self.end_of_directive(start);
                self.push(Kind::Directive, end);
                self.fresh = true;
            }
            b'"' => {
                let end = self.end_of_string(start);
                self.push(Kind::Literal, end);
            }
            b'\'' => {
                let end = self.end_of_quoted(start);
                self.push(Kind::Literal, end);
            }
            byte if byte.is_ascii_digit() => {
                let end = self.end_of_number(start);
                self.push(Kind::Literal, end);
            }
            byte if is_word(byte) => {
                let length = rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len());
                let is_keyword = self.keywords.contains(&rest[..length]);
                self.push(if is_keyword { Kind::Keyword } else { Kind::Word }, start + length);
            }
            byte => self.push(Kind::Mark(byte), start + 1),
        }
    }

    fn push(&mut self, kind: Kind, end: usize) {
        self.tokens.push(Token { kind, start: self.at as u32, end: end as u32 });
        self.at = end;
        self.fresh = false;
    }

    /// Where the line ends, its newline not included; `continued`: a backslash takes the next line along.
    fn end_of_line(&self, from: usize, continued: bool) -> usize {
        let mut at = from;
        loop {
            let Some(newline) = memchr(b'\n', &self.source[at..]).map(|newline| at + newline) else { return self.source.len() };
            let line = self.source[from..newline].strip_suffix(b"\r").unwrap_or(&self.source[from..newline]);
            if !(continued && line.ends_with(b"\\")) {
                return newline;
            }
            at = newline + 1;
        }
    }

    fn end_of_comment(&self, start: usize) -> usize {
        let inside = start + 2;
        memmem::find(&self.source[inside.min(self.source.len())..], b"*/").map_or(self.source.len(), |end| inside + end + 2)
    }

    /// A comment that begins in a directive may end on a later line.
    fn end_of_directive(&self, start: usize) -> usize {
        let macros = self.preprocessor == Preprocessor::Macros;
        let mut end = self.end_of_line(start, macros);
        let mut at = start;
        while let Some(comment) = memmem::find(&self.source[at..end], b"/*").map(|comment| at + comment).filter(|_| macros) {
            if memmem::find(&self.source[at..comment], b"//").is_some() {
                break;
            }
            at = self.end_of_comment(comment);
            if at > end {
                end = self.end_of_line(at, true);
            }
        }
        end
    }

    fn end_of_string(&self, start: usize) -> usize {
        let before = &self.source[..start];
        let prefix = before.iter().rev().take(3).take_while(|byte| is_word(**byte) || matches!(byte, b'@' | b'$')).count();
        let prefix = &before[start - prefix..];
        match self.preprocessor {
            Preprocessor::Macros if prefix.ends_with(b"R") => self.end_of_raw_string(start),
            Preprocessor::Conditionals if self.source[start..].starts_with(b"\"\"\"") => {
                let quotes = self.source[start..].iter().take_while(|byte| **byte == b'"').count();
                let inside = start + quotes;
                let end = memmem::find(&self.source[inside..], &self.source[start..inside]);
                end.map_or(self.source.len(), |end| inside + end + quotes)
            }
            Preprocessor::Conditionals if prefix.contains(&b'@') => {
                let mut at = start + 1;
                while let Some(quote) = memchr(b'"', &self.source[at..]).map(|quote| at + quote) {
                    if self.source.get(quote + 1) != Some(&b'"') {
                        return quote + 1;
                    }
                    at = quote + 2;
                }
                self.source.len()
            }
            _ => self.end_of_quoted(start),
        }
    }

    /// `R"delimiter(…)delimiter"`.
    fn end_of_raw_string(&self, start: usize) -> usize {
        let inside = &self.source[start + 1..];
        let Some(open) = inside.iter().take(17).position(|byte| *byte == b'(') else { return self.end_of_quoted(start) };
        let mut close = vec![b')'];
        close.extend(&inside[..open]);
        close.push(b'"');
        memmem::find(inside, &close).map_or(self.source.len(), |end| start + 1 + end + close.len())
    }

    /// One that ends on its line.
    fn end_of_quoted(&self, start: usize) -> usize {
        let quote = self.source[start];
        let mut at = start + 1;
        while let Some(byte) = self.source.get(at) {
            match *byte {
                b'\\' => at += 2,
                b'\n' => break,
                byte if byte == quote => return at + 1,
                _ => at += 1,
            }
        }
        at.min(self.source.len())
    }

    fn end_of_number(&self, start: usize) -> usize {
        let mut at = start;
        while let Some(byte) = self.source.get(at) {
            let sign = matches!(byte, b'+' | b'-') && matches!(self.source[at - 1], b'e' | b'E' | b'p' | b'P');
            let separator = *byte == b'\'' && self.source.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
            if !(is_word(*byte) || *byte == b'.' || sign || separator) {
                break;
            }
            at += 1;
        }
        at
    }
}

/// A backslash that only white space separates from the end of its line.
fn continues(rest: &[u8]) -> bool {
    let end = memchr2(b'\n', b'\\', &rest[1..]).map(|at| at + 1);
    end.is_some_and(|end| rest[end] == b'\n' && rest[1..end].iter().all(u8::is_ascii_whitespace))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

/// The tokens of a text in C++.
#[cfg(test)]
pub(super) fn of_cpp(source: &str) -> Vec<Token> {
    let grammar = crate::language::by_name("cpp").and_then(crate::language::Language::grammar).unwrap();
    of(source.as_bytes(), Preprocessor::Macros, &Keywords::of(&grammar))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(source: &str, preprocessor: Preprocessor) -> Vec<Token> {
        let grammar = crate::language::by_name("cpp").unwrap().grammar().unwrap();
        of(source.as_bytes(), preprocessor, &Keywords::of(&grammar))
    }

    fn texts(source: &str, preprocessor: Preprocessor) -> Vec<&str> {
        tokens(source, preprocessor).into_iter().map(|token| &source[token.range()]).collect()
    }

    #[test]
    fn comments_are_left_out_and_directives_are_one_token() {
        let source = "a /* b\n#c */ // d \\\n e\n  # define f \\\n g /* h\n i */ j\nk # l";
        assert_eq!(texts(source, Preprocessor::Macros), ["a", "# define f \\\n g /* h\n i */ j", "k", "#", "l"]);
        assert_eq!(texts("#a /* b://c */ /* d\ne */\nf", Preprocessor::Macros), ["#a /* b://c */ /* d\ne */", "f"]);
    }

    #[test]
    fn strings_hide_what_is_in_them() {
        let source = r#"f("a\"{", 'x', '\'', R"--({"})--", 1'000, 0x1p-3, L"w")"#;
        let tokens = texts(source, Preprocessor::Macros);
        let expected = ["f", "(", r#""a\"{""#, ",", "'x'", ",", r"'\''", ",", "R", r#""--({"})--""#, ",", "1'000", ",", "0x1p-3"];
        assert_eq!(tokens[..expected.len()], expected);
        let source = "f(@\"a\\\", $@\"b\"\"{\", \"\"\"c\n\"d\"\n\"\"\", \"e\\\"\")";
        let tokens = texts(source, Preprocessor::Conditionals);
        let expected =
            ["f", "(", "@", "\"a\\\"", ",", "$", "@", "\"b\"\"{\"", ",", "\"\"\"c\n\"d\"\n\"\"\"", ",", "\"e\\\"\"", ")"];
        assert_eq!(tokens, expected);
    }

    #[test]
    fn keywords_are_those_of_the_grammar() {
        let kinds: Vec<_> =
            tokens("class end public __attribute__ int Foo é", Preprocessor::Macros).iter().map(|t| t.kind).collect();
        let (word, keyword) = (Kind::Word, Kind::Keyword);
        assert_eq!(kinds, [keyword, word, keyword, keyword, word, word, word]);
    }

    #[test]
    fn a_text_that_breaks_off_ends_its_last_token() {
        for source in ["\"abc", "'a", "R\"x(abc", "/* abc", "#if a \\", "a\\", "\"\\", "1e", "@\"a\"\"", "\"\"\"", "R\"", "/*"] {
            for preprocessor in [Preprocessor::Macros, Preprocessor::Conditionals] {
                let tokens = tokens(source, preprocessor);
                assert!(tokens.iter().all(|token| token.range().end <= source.len() && !token.range().is_empty()), "{source}");
            }
        }
    }
}
