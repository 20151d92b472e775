//! Reading a text by the bytes that count: brackets, words, line ends, and comments and strings as one piece each.
//!
//! Cost: linear in the text, whatever is in it; nothing is allocated.

use super::{Lexis, What};

/// What a byte may be; several at once.
pub(super) mod class {
    /// A [`super::super::Span`] may begin here.
    pub(in crate::lexis) const SPAN: u8 = 1;
    pub(super) const WORD: u8 = 2;
    pub(super) const NEWLINE: u8 = 4;
    /// `{` and `}`.
    pub(super) const BRACE: u8 = 8;
    /// `(`, `)`, `[` and `]`.
    pub(super) const BRACKET: u8 = 16;
    /// All that is left, white space apart.
    pub(super) const MARK: u8 = 32;
}

/// Which pieces a [`Scanner`] stops at, besides comments and strings; the fewer, the faster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stops(u8);

impl Stops {
    /// Every piece there is.
    pub const ALL: Self = Self(class::WORD | class::NEWLINE | class::BRACE | class::BRACKET | class::MARK);
    /// Braces alone.
    pub const BRACES: Self = Self(class::BRACE);
    /// Brackets of all kinds.
    pub const BRACKETS: Self = Self(class::BRACE | class::BRACKET);
    /// Line ends and brackets of all kinds.
    pub const LINES: Self = Self(class::NEWLINE | class::BRACE | class::BRACKET);
}

/// A piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// What it is.
    pub what: PieceKind,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset behind its last byte.
    pub end: usize,
}

/// What a [`Piece`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    /// A name, a keyword or a number.
    Word,
    /// `(`, `[` or `{`.
    Open(u8),
    /// `)`, `]` or `}`.
    Close(u8),
    /// Any other byte that is no white space.
    Mark(u8),
    /// The end of a line outside comments and strings.
    Newline,
    /// A comment.
    Comment,
    /// A string or the like.
    Literal,
    /// A line for a preprocessor.
    Directive,
}

/// Reads a text piece by piece.
pub struct Scanner<'s> {
    pub(super) source: &'s [u8],
    pub(super) lexis: &'static Lexis,
    pub(super) classes: [u8; 256],
    at: usize,
    /// For each span: where it cannot begin, since it has been seen to have no end.
    dead: [(usize, usize); Lexis::MAX_SPANS],
    /// From where on no comment in a line for a preprocessor has an end.
    pub(super) unclosed_from: usize,
    /// Words that end the heredocs whose text begins on the next line.
    pub(super) heredocs: Heredocs,
    doubts: usize,
}

/// Heredocs that are announced, not begun.
#[derive(Default)]
pub(super) struct Heredocs {
    pub(super) waiting: [Heredoc; 4],
    pub(super) count: usize,
    /// How many have had no end: with too many, none is believed any more.
    pub(super) failures: usize,
}

/// A heredoc: the place of the word that ends it.
#[derive(Clone, Copy, Default)]
pub(super) struct Heredoc {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) is_indented: bool,
}

impl<'s> Scanner<'s> {
    /// Reads `source` from its beginning.
    pub fn new(source: &'s [u8], lexis: &'static Lexis) -> Self {
        let at = match lexis.begins_behind {
            "" if source.starts_with(b"\xef\xbb\xbf") => 3,
            "" => 0,
            mark => memchr::memmem::find(source, mark.as_bytes()).map_or(source.len(), |at| at + mark.len()),
        };
        Self {
            source,
            lexis,
            classes: classes(lexis),
            at,
            dead: [(0, 0); Lexis::MAX_SPANS],
            unclosed_from: usize::MAX,
            heredocs: Heredocs::default(),
            doubts: 0,
        }
    }

    /// Offset of what comes next.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Goes on from `at`, which lies in no comment and no string.
    pub fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    /// How often something began that had no end, or could have been two things: 0 where the text is as it seems.
    pub fn doubts(&self) -> usize {
        self.doubts
    }

    /// Whether a byte belongs to words.
    pub fn is_word(&self, byte: u8) -> bool {
        self.classes[usize::from(byte)] & class::WORD != 0
    }

    /// The next piece of those that are wanted; comments and strings are always among them.
    pub fn next(&mut self, stops: Stops) -> Option<Piece> {
        let mut mask = stops.0 | class::SPAN;
        if self.heredocs.count > 0 {
            mask |= class::NEWLINE;
        }
        let mut from = self.at;
        loop {
            let rest = self.source.get(self.at..)?;
            self.at += rest.iter().position(|&byte| self.classes[usize::from(byte)] & mask != 0)?;
            let start = self.at;
            let byte = self.source[start];
            let class = self.classes[usize::from(byte)];
            // A word is one piece, whether it is asked for or not: nothing begins inside of it.
            let is_in_word = class & class::WORD != 0 && start > from && self.is_word(self.source[start - 1]);
            if class & class::SPAN != 0
                && !is_in_word
                && let Some((what, end)) = self.span_at(start)
            {
                self.at = end.max(start + 1);
                from = self.at;
                if self.heredocs.count > 0 {
                    mask |= class::NEWLINE;
                }
                if end == start {
                    continue;
                }
                return Some(Piece { what, start, end });
            }
            if class & class::WORD != 0 && stops.0 & class::WORD != 0 {
                let rest = &self.source[start..];
                let length = rest.iter().position(|&byte| !self.is_word(byte)).unwrap_or(rest.len());
                self.at = start + length;
                return Some(Piece { what: PieceKind::Word, start, end: self.at });
            }
            self.at = start + 1;
            if class == class::NEWLINE && self.heredocs.count > 0 {
                self.skip_heredocs();
            }
            if class & stops.0 == 0 {
                continue;
            }
            let what = match byte {
                b'\n' => PieceKind::Newline,
                b'(' | b'[' | b'{' => PieceKind::Open(byte),
                b')' | b']' | b'}' => PieceKind::Close(byte),
                _ => PieceKind::Mark(byte),
            };
            return Some(Piece { what, start, end: start + 1 });
        }
    }

    /// The span that begins at `at`, and where it ends.
    fn span_at(&mut self, at: usize) -> Option<(PieceKind, usize)> {
        let lexis = self.lexis;
        let rest = &self.source[at..];
        for (index, span) in lexis.spans.iter().enumerate() {
            if !rest.starts_with(span.open.as_bytes()) {
                continue;
            }
            if !self.may_begin(span, at) {
                self.doubts += usize::from(self.may_begin_after_all(span, at));
                continue;
            }
            if (self.dead[index].0..self.dead[index].1).contains(&at) {
                self.doubts += 1;
                continue;
            }
            match self.end_of(span, at) {
                Found::End(end) => {
                    let what = match span.what {
                        What::Comment => PieceKind::Comment,
                        What::Literal => PieceKind::Literal,
                        What::Directive => PieceKind::Directive,
                    };
                    return Some((what, end.min(self.source.len())));
                }
                Found::Other => {}
                Found::NoEnd { before } => {
                    self.doubts += 1;
                    self.dead[index] = (at, before);
                }
            }
        }
        None
    }

    /// Behind the bracket that closes the brace just read, and whether there is one: else the end of the text.
    ///
    /// Where a preprocessor chooses between texts, the braces of the first count.
    pub fn skip_block(&mut self) -> (usize, bool) {
        self.skip_to_close(Stops::BRACES, b'{', b'}')
    }

    /// The same for a parenthesis just read.
    pub fn skip_parentheses(&mut self) -> (usize, bool) {
        self.skip_to_close(Stops::BRACKETS, b'(', b')')
    }

    fn skip_to_close(&mut self, stops: Stops, open: u8, close: u8) -> (usize, bool) {
        let mut depth = 1_usize;
        let mut choices = Choices::default();
        while let Some(piece) = self.next(stops) {
            match piece.what {
                PieceKind::Open(bracket) if bracket == open => depth += 1,
                PieceKind::Close(bracket) if bracket == close => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return (piece.end, true);
                    }
                }
                PieceKind::Directive => depth = choices.take(&self.source[piece.start..piece.end], depth),
                _ => {}
            }
        }
        (self.source.len(), false)
    }
}

/// How deep the braces were where a preprocessor's choices began.
#[derive(Default)]
pub struct Choices {
    depths: [usize; 16],
    count: usize,
}

impl Choices {
    /// Whether one has begun and not ended.
    pub fn is_open(&self) -> bool {
        self.count > 0
    }

    /// Takes a line for a preprocessor, where `depth` braces are open. Returns how many are open behind it.
    pub fn take(&mut self, directive: &[u8], depth: usize) -> usize {
        let word = directive[1..].trim_ascii_start();
        let is = |name: &[u8]| word.starts_with(name);
        if is(b"if") {
            if let Some(slot) = self.depths.get_mut(self.count) {
                *slot = depth;
            }
            self.count += 1;
        } else if is(b"el") {
            // A choice that began before the block: so the block begins anew.
            let Some(last) = self.count.checked_sub(1) else { return 0 };
            return self.depths.get(last).copied().unwrap_or(depth);
        } else if is(b"endif") {
            self.count = self.count.saturating_sub(1);
        }
        depth
    }
}

/// Whether a span has been found.
pub(super) enum Found {
    /// It ends here.
    End(usize),
    /// It has no end; nor has one that begins before this offset.
    NoEnd {
        /// The offset.
        before: usize,
    },
    /// It is something else.
    Other,
}

fn classes(lexis: &Lexis) -> [u8; 256] {
    let mut classes = [0; 256];
    for (byte, class) in (0..=u8::MAX).zip(&mut classes) {
        *class = match byte {
            b'\n' => class::NEWLINE,
            _ if byte.is_ascii_whitespace() || byte == 0 => 0,
            b'{' | b'}' => class::BRACE,
            b'(' | b')' | b'[' | b']' => class::BRACKET,
            b'_' | 0x80.. => class::WORD,
            _ if byte.is_ascii_alphanumeric() => class::WORD,
            _ => class::MARK,
        };
    }
    for byte in lexis.word.bytes() {
        classes[usize::from(byte)] = class::WORD;
    }
    for span in lexis.spans {
        classes[usize::from(span.open.as_bytes()[0])] |= class::SPAN;
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexis::facts;

    #[test]
    fn words_are_one_piece_whether_they_are_asked_for_or_not() {
        let source = b"create$$ { $$ } $$ $$ } $$";
        for stops in [Stops::ALL, Stops::BRACES, Stops::BRACKETS, Stops::LINES] {
            let mut scanner = Scanner::new(source, &facts::SQL);
            let pieces = std::iter::from_fn(|| scanner.next(stops)).map(|piece| (piece.what, piece.start, piece.end));
            let expected = [(PieceKind::Open(b'{'), 9, 10), (PieceKind::Literal, 11, 18), (PieceKind::Literal, 19, 26)];
            assert!(pieces.filter(|piece| piece.0 != PieceKind::Word).eq(expected), "{stops:?}");
        }
    }

    #[test]
    fn what_has_no_end_hides_nothing_that_stands_before_it() {
        let source = b"{ /* } */ a /* }";
        let mut scanner = Scanner::new(source, &facts::RUST);
        let brace = scanner.next(Stops::BRACES).unwrap();
        assert_eq!(scanner.skip_block(), (source.len(), true));
        scanner.go_to(brace.end);
        let comment = scanner.next(Stops::BRACES).unwrap();
        assert_eq!((comment.what, comment.start, comment.end), (PieceKind::Comment, 2, 9));
    }
}
