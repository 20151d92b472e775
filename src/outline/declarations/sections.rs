//! Sections: a heading, and all that follows up to the next. Before the first, keys. Of values nothing is shown.

use super::super::{Symbol, signature};
use super::head::{LineCounter, indent, line_start};
use super::parts::{Kind, Part};
use super::read::{HeadReader, Place, Then, Verdict};
use crate::lexis::scan::{PieceKind, Scanner, Stops};
use crate::lexis::{Habit, Lexis};

/// Bytes of a name that are shown.
const MAX_NAME: usize = 200;

/// The symbols of a text.
pub(super) fn symbols(source: &[u8], lexis: &'static Lexis) -> Vec<Symbol> {
    let mut sections = Sections {
        source,
        reader: HeadReader::new(source, lexis),
        lines: LineCounter::new(source),
        symbols: Vec::new(),
        has_keys: lexis.declarations.rules.is_empty(),
        section: None,
        code_end: 0,
        key_indent: None,
    };
    let mut scanner = Scanner::new(source, lexis);
    let mut parts: Vec<Part> = Vec::new();
    let mut level = 0_usize;
    while let Some(piece) = scanner.next(Stops::ALL) {
        let kind = match piece.what {
            PieceKind::Newline if level == 0 || scanner.at() == source.len() => {
                sections.statement(&parts);
                // Behind it there may be text that the line has announced.
                if scanner.at() > piece.end {
                    sections.code_end = source[..scanner.at()].trim_ascii_end().len();
                }
                parts.clear();
                level = 0;
                continue;
            }
            PieceKind::Newline | PieceKind::Comment | PieceKind::Directive => continue,
            PieceKind::Open(bracket) => {
                level += 1;
                Kind::Mark(bracket)
            }
            PieceKind::Close(bracket) => {
                level = level.saturating_sub(1);
                Kind::Mark(bracket)
            }
            PieceKind::Word => Kind::Word,
            PieceKind::Literal => Kind::Literal,
            PieceKind::Mark(mark) => Kind::Mark(mark),
        };
        // The beginning of a line tells what it is; the end, where it ends.
        match parts.get_mut(7) {
            Some(last) => last.end = piece.end,
            None => parts.push(Part { what: kind, start: piece.start, end: piece.end }),
        }
    }
    sections.statement(&parts);
    sections.end_section();
    sections.symbols
}

struct Sections<'s> {
    source: &'s [u8],
    reader: HeadReader<'s>,
    lines: LineCounter<'s>,
    symbols: Vec<Symbol>,
    /// Whether what stands before the first section is listed.
    has_keys: bool,
    /// The row of the section that is open.
    section: Option<usize>,
    /// Behind the last piece of code.
    code_end: usize,
    /// How far the key is indented that was read last, if no section has begun since.
    key_indent: Option<usize>,
}

impl Sections<'_> {
    /// Takes a line, or several that brackets join.
    fn statement(&mut self, parts: &[Part]) {
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
        let (start, end) = (first.start, last.end);
        let indent = line_start(self.source, start).map_or(0, |at| indent(&self.source[at..]));
        if self.reader.declarations.has(Habit::Continuations) && self.key_indent.is_some_and(|key| indent > key) {
            self.code_end = end;
            return;
        }
        self.key_indent = parts.iter().any(|part| part.what == Kind::Mark(b'=')).then_some(indent);
        if first.what == Kind::Mark(b'[') && last.what == Kind::Mark(b']') || self.is_bracketed(start, end) {
            let inside = self.source[start..end].trim_ascii_end();
            let name = inside.iter().position(|byte| *byte != b'[').map_or(&inside[..0], |from| &inside[from..]);
            let name = &name[..name.iter().position(|byte| *byte == b']').unwrap_or(name.len())];
            self.begin_section("section", name, start, end);
        } else if let Verdict::Declares(declaration) = self.reader.read(parts, Then::End, Place::OUTERMOST) {
            self.begin_section(declaration.kind, declaration.name.as_bytes(), start, end);
        } else if self.has_keys
            && self.section.is_none()
            && let Some(equals) = parts.iter().position(|part| part.what == Kind::Mark(b'='))
        {
            let name = self.source[start..parts[equals].start].trim_ascii();
            self.add("key", name, start, start + name.len());
            let end_line = self.lines.line_of(end - 1);
            if let Some(key) = self.symbols.last_mut() {
                key.end_line = end_line;
            }
        }
        self.code_end = end;
    }

    fn is_bracketed(&self, start: usize, end: usize) -> bool {
        self.source[start] == b'[' && self.source[start..end].contains(&b']') && !self.source[start..end].contains(&b'=')
    }

    fn begin_section(&mut self, kind: &'static str, name: &[u8], start: usize, end: usize) {
        self.end_section();
        self.add(kind, name, start, end);
        self.section = self.symbols.len().checked_sub(1);
    }

    fn end_section(&mut self) {
        if let Some(row) = self.section.take() {
            self.symbols[row].end_line = self.lines.line_of(self.code_end.saturating_sub(1)).max(self.symbols[row].line);
        }
    }

    fn add(&mut self, kind: &'static str, name: &[u8], start: usize, stop: usize) {
        let line = self.lines.line_of(start);
        self.symbols.push(Symbol {
            name: String::from_utf8_lossy(&name[..name.len().min(MAX_NAME)]).trim().to_owned(),
            kind,
            line,
            end_line: line,
            depth: 0,
            signature: signature::of(self.source, start..stop, None, &[]),
        });
    }
}
