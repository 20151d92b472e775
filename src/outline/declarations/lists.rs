//! Declarations of the Lisps: each list at the outermost level is one, or none.

use super::super::{Symbol, signature};
use super::head::LineCounter;
use super::words::{Meaning, Words};
use crate::lexis::scan::{Piece, PieceKind, Scanner, Stops};
use crate::lexis::{Body, Lexis};

/// Bytes of a name that are shown.
const MAX_NAME: usize = 200;

/// The symbols of a text.
pub(super) fn symbols(source: &[u8], lexis: &'static Lexis) -> Vec<Symbol> {
    let mut lists = Lists {
        source,
        lexis,
        scanner: Scanner::new(source, lexis),
        words: Words::of(&lexis.declarations, lexis.is_case_blind),
        lines: LineCounter::new(source),
        symbols: Vec::new(),
    };
    while let Some(piece) = lists.scanner.next(Stops::ALL) {
        if piece.what == PieceKind::Open(b'(') {
            lists.list(piece);
        }
    }
    lists.symbols
}

struct Lists<'s> {
    source: &'s [u8],
    lexis: &'static Lexis,
    scanner: Scanner<'s>,
    words: Words,
    lines: LineCounter<'s>,
    symbols: Vec<Symbol>,
}

impl Lists<'_> {
    /// Reads a list, whose bracket has been read.
    fn list(&mut self, open: Piece) {
        let mut level = 1_usize;
        let mut rule = None;
        let mut name: Option<Piece> = None;
        let mut is_first = true;
        let mut first_line_end = None;
        let mut end = open.end;
        while level > 0 {
            let Some(piece) = self.scanner.next(Stops::ALL) else { break };
            // What begins a line begins a list of its own: a bracket before it was forgotten.
            let is_at_line_start = self.source[..piece.start].last() == Some(&b'\n');
            if piece.what == PieceKind::Open(b'(') && is_at_line_start {
                self.scanner.go_to(piece.start);
                break;
            }
            match piece.what {
                PieceKind::Comment | PieceKind::Directive => continue,
                PieceKind::Newline => {
                    first_line_end = first_line_end.or(Some(piece.start));
                    continue;
                }
                PieceKind::Open(_) => level += 1,
                PieceKind::Close(_) => level -= 1,
                PieceKind::Literal if memchr::memchr(b'\n', &self.source[piece.start..piece.end]).is_some() => {
                    first_line_end = first_line_end.or(Some(piece.start));
                }
                PieceKind::Word if is_first => rule = self.rule_of(piece),
                // Before the name there may be brackets, and marks with words of their own: `^:private name`.
                PieceKind::Word if name.is_none() && level <= 2 && !self.is_marked(piece) => name = Some(piece),
                _ => {}
            }
            is_first = false;
            end = piece.end;
        }
        let (Some(rule), Some(name)) = (rule, name) else { return };
        let rule = &self.lexis.declarations.rules[rule];
        if rule.body == Body::Hidden {
            return;
        }
        let text = &self.source[name.start..name.end.min(name.start + MAX_NAME)];
        let line = self.lines.line_of(open.start);
        let stop = first_line_end.unwrap_or(end).min(end);
        self.symbols.push(Symbol {
            name: String::from_utf8_lossy(text).into_owned(),
            kind: rule.kind,
            line,
            end_line: self.lines.line_of(end - 1),
            depth: 0,
            signature: signature::of(self.source, open.start..stop, None, &[]),
        });
    }

    fn rule_of(&self, piece: Piece) -> Option<usize> {
        self.words.meanings(&self.source[piece.start..piece.end]).find_map(|(meaning, _)| match meaning {
            Meaning::Rule(number) => Some(number),
            _ => None,
        })
    }

    fn is_marked(&self, piece: Piece) -> bool {
        self.source[..piece.start].last() == Some(&b'^') || self.source[piece.start] == b':'
    }
}
