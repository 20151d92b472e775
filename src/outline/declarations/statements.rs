//! Statements that a semicolon ends: SQL. Some hold statements of their own, between `BEGIN` and `END` or up to a line such as
//! `GO`; others have no semicolon, and end where a line begins the next declaration.

use super::super::{Symbol, signature};
use super::head::{Head, LineCounter, indent, line_start};
use super::parts::{Kind, Part};
use super::read::{Declaration, HeadReader, Place, Then, Verdict};
use super::words::Words;
use crate::lexis::scan::{Piece, PieceKind, Scanner, Stops};
use crate::lexis::{Lexis, Statements};

/// Pieces of a line that tell whether it begins a declaration.
const MAX_GLANCE: usize = 16;
/// What has not been declared by so many pieces of a statement is not declared by more.
const MAX_HEAD: usize = 40;

/// The symbols of a text.
pub(super) fn symbols(source: &[u8], lexis: &'static Lexis, facts: &Statements) -> Vec<Symbol> {
    let sets_delimiter = |line: &[u8]| delimiter(line, facts).is_some();
    let lexis = facts.delimited.filter(|_| lines(source).any(sets_delimiter)).unwrap_or(lexis);
    let reader = HeadReader::new(source, lexis);
    let has_batches = lines(source).any(|line| ends_batch(line, facts, reader.words()));
    let mut statements = StatementOutline {
        source,
        lexis,
        facts,
        scanner: Scanner::new(source, lexis),
        reader,
        lines: LineCounter::new(source),
        head: Head::default(),
        declares: Declares::NotYetKnown,
        begun: 0,
        has_batches,
        delimiter: b"",
        symbols: Vec::new(),
    };
    statements.next_line();
    while let Some(piece) = statements.scanner.next(Stops::ALL) {
        statements.take(piece);
    }
    statements.end();
    statements.symbols
}

struct StatementOutline<'s> {
    source: &'s [u8],
    lexis: &'static Lexis,
    facts: &'s Statements,
    scanner: Scanner<'s>,
    reader: HeadReader<'s>,
    lines: LineCounter<'s>,
    head: Head,
    /// What the statement declares, as soon as that is known.
    declares: Declares,
    /// How many `BEGIN` of the statement have had no `END` so far.
    begun: usize,
    /// Whether the text has lines that end whatever stands before them: then nothing else ends a routine.
    has_batches: bool,
    /// What ends statements besides the semicolon, at the end of a line; empty where nothing does.
    delimiter: &'s [u8],
    symbols: Vec<Symbol>,
}

/// What is known of a statement.
#[derive(Clone, Copy)]
enum Declares {
    NotYetKnown,
    Nothing,
    /// A declaration of this kind.
    Something(&'static str),
}

impl StatementOutline<'_> {
    fn take(&mut self, piece: Piece) {
        match piece.what {
            PieceKind::Comment | PieceKind::Directive => {
                if !self.head.is_empty() {
                    self.head.gaps.push(piece.start..piece.end);
                }
            }
            PieceKind::Newline => {
                if !self.delimiter.is_empty() && self.source[..piece.start].trim_ascii_end().ends_with(self.delimiter) {
                    self.end();
                }
                self.next_line();
            }
            PieceKind::Mark(b';') if self.head.level == 0 => {
                if self.begun == 0 && !(self.has_batches && self.is_routine()) {
                    self.end();
                }
            }
            PieceKind::Word => {
                if self.head.level == 0 {
                    self.count(piece);
                }
                self.head.push(Kind::Word, piece.start, piece.end);
            }
            PieceKind::Literal => self.head.push(Kind::Literal, piece.start, piece.end),
            PieceKind::Mark(mark) => self.head.push(Kind::Mark(mark), piece.start, piece.end),
            PieceKind::Open(bracket) => self.head.open(bracket, piece.start),
            PieceKind::Close(_) => self.head.close(piece.end),
        }
    }

    /// Counts what begins and ends in a routine.
    fn count(&mut self, piece: Piece) {
        let word = &self.source[piece.start..piece.end];
        if self.head.last().is_some_and(|last| last.what == Kind::Mark(b'.') && last.end == piece.start) {
            return;
        }
        let facts = self.facts;
        if self.begun > 0 && self.is_in(facts.ends, word) {
            if !self.is_in(facts.ends_of_others, self.word_behind(piece)) {
                self.begun -= 1;
            }
        } else if self.is_in(facts.begins, word) {
            if !self.is_in(facts.transactions, self.word_behind(piece)) && (self.begun > 0 || self.is_routine()) {
                self.begun += 1;
            }
        } else if self.begun > 0 && self.is_in(facts.begins_inside, word) {
            self.begun += 1;
        }
    }

    /// The word behind a piece, on its line.
    fn word_behind(&self, piece: Piece) -> &[u8] {
        self.first_word(first_line(&self.source[piece.end..]))
    }

    fn first_word<'l>(&self, line: &'l [u8]) -> &'l [u8] {
        let text = line.trim_ascii_start();
        &text[..text.iter().take_while(|byte| self.scanner.is_word(**byte)).count()]
    }

    /// Looks at the line that comes next: it may end the statement, or begin another.
    fn next_line(&mut self) {
        let at = self.scanner.at();
        let line = first_line(self.source.get(at..).unwrap_or_default());
        let is_command = line.first() == Some(&b'\\') && self.begun == 0;
        if is_command || ends_batch(line, self.facts, self.reader.words()) {
            self.end();
            self.scanner.go_to(at + line.len());
        } else if let Some(delimiter) = delimiter(line, self.facts) {
            self.end();
            self.delimiter = if delimiter == b";" { b"" } else { delimiter };
            self.scanner.go_to(at + line.len());
        } else if !self.head.is_empty() && self.is_new_beginning(line) {
            self.end();
        }
    }

    /// Whether a line begins a declaration for sure, though the statement before has no semicolon.
    fn is_new_beginning(&mut self, line: &[u8]) -> bool {
        let word = self.first_word(line);
        if word.is_empty() || !self.reader.begins_declaration(word) {
            return false;
        }
        let Some(declaration) = self.glance(self.scanner.at(), line.len()) else { return false };
        let Some(before) = self.kind() else { return self.head.level == 0 || self.is_routine_kind(declaration.kind) };
        let is_open = self.head.level > 0 || self.begun > 0 || self.has_batches && self.is_routine_kind(before);
        (!is_open || self.is_routine_kind(declaration.kind)) && self.indent_of_head() >= indent(line)
    }

    /// What the first pieces of the line at `at` declare.
    fn glance(&self, at: usize, length: usize) -> Option<Declaration> {
        let mut scanner = Scanner::new(&self.source[..at + length], self.lexis);
        scanner.go_to(at);
        let mut parts = Vec::with_capacity(MAX_GLANCE);
        while let Some(piece) = scanner.next(Stops::ALL).filter(|_| parts.len() < MAX_GLANCE) {
            let what = match piece.what {
                PieceKind::Word => Kind::Word,
                PieceKind::Literal => Kind::Literal,
                PieceKind::Mark(mark) => Kind::Mark(mark),
                _ => break,
            };
            parts.push(Part { what, start: piece.start, end: piece.end });
        }
        self.declared_by(&parts)
    }

    fn indent_of_head(&self) -> usize {
        let start = self.head.parts.first().and_then(|first| line_start(self.source, first.start));
        start.map_or(0, |at| indent(&self.source[at..]))
    }

    /// What the statement declares, as far as it has been read.
    fn declaration(&self) -> Option<Declaration> {
        self.declared_by(&self.head.parts)
    }

    fn declared_by(&self, parts: &[Part]) -> Option<Declaration> {
        if parts.is_empty() {
            return None;
        }
        match self.reader.read(parts, Then::End, Place::OUTERMOST) {
            Verdict::Declares(declaration) => Some(declaration),
            _ => None,
        }
    }

    /// The kind of what the statement declares, as far as it has been read.
    fn kind(&mut self) -> Option<&'static str> {
        match self.declares {
            Declares::Something(kind) => Some(kind),
            Declares::Nothing => None,
            Declares::NotYetKnown => {
                let kind = self.declaration().map(|declaration| declaration.kind);
                self.declares = match kind {
                    Some(kind) => Declares::Something(kind),
                    None if self.head.parts.len() > MAX_HEAD => Declares::Nothing,
                    None => Declares::NotYetKnown,
                };
                kind
            }
        }
    }

    fn is_routine(&mut self) -> bool {
        self.kind().is_some_and(|kind| self.is_routine_kind(kind))
    }

    fn is_in(&self, list: &str, word: &[u8]) -> bool {
        self.reader.words().is_in(list, word)
    }

    fn is_routine_kind(&self, kind: &str) -> bool {
        self.is_in(self.facts.routines, kind.as_bytes())
    }

    /// The statement ends: lists what it declares.
    fn end(&mut self) {
        self.begun = 0;
        self.declares = Declares::NotYetKnown;
        if let Some(declaration) = self.declaration().filter(|declaration| self.is_whole(declaration)) {
            let parts = &self.head.parts;
            let (start, end) = (parts[declaration.first].start, parts[parts.len() - 1].end);
            let is_end = |part: &&Part| part.what == Kind::Word && self.is_in(self.facts.heads_end, self.reader.text(part));
            let is_routine = self.is_routine_kind(declaration.kind);
            let head_end = parts.iter().find(is_end).filter(|_| is_routine).map(|part| part.start);
            let stop = declaration.stop.into_iter().chain(head_end).min();
            let stop = stop.unwrap_or_else(|| self.reader.end_of_signature(parts, &declaration));
            self.symbols.push(Symbol {
                name: declaration.name,
                kind: declaration.kind,
                line: self.lines.line_of(start),
                end_line: self.lines.line_of(end - 1),
                depth: 0,
                signature: signature::of(self.source, start..stop.max(start), None, &self.head.gaps),
            });
        }
        self.head.clear();
    }

    /// Whether it is more than a change of what is declared elsewhere: `ALTER FUNCTION … OWNER TO …`.
    fn is_whole(&self, declaration: &Declaration) -> bool {
        let word = self.reader.text(&self.head.parts[declaration.first]);
        !self.is_in(self.facts.changes, word) || declaration.stop.is_some()
    }
}

fn lines(source: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = source;
    std::iter::from_fn(move || {
        let line = first_line(rest);
        (!rest.is_empty()).then(|| rest = &rest[(line.len() + 1).min(rest.len())..])?;
        Some(line)
    })
}

fn first_line(text: &[u8]) -> &[u8] {
    &text[..memchr::memchr(b'\n', text).unwrap_or(text.len())]
}

/// Whether a line ends whatever stands before it.
fn ends_batch(line: &[u8], facts: &Statements, words: &Words) -> bool {
    let line = line.trim_ascii();
    line.len() <= 4 && words.is_in(facts.batch_ends, line)
}

/// What a line says ends statements from there on.
fn delimiter<'l>(line: &'l [u8], facts: &Statements) -> Option<&'l [u8]> {
    let (word, rest) = line.split_at_checked(facts.delimiter.len())?;
    let delimiter = rest.trim_ascii();
    let is_set = word.eq_ignore_ascii_case(facts.delimiter.as_bytes()) && rest.first().is_some_and(u8::is_ascii_whitespace);
    (is_set && !delimiter.is_empty()).then_some(delimiter)
}
