//! The head of a statement: its pieces up to the block, or to its end.

use super::parts::{Kind, Part};

/// Pieces of a head that are kept; what is longer declares nothing that its beginning does not tell.
const MAX_PIECES: usize = 400;

/// The pieces of a statement so far, those inside brackets left out.
#[derive(Default)]
pub(super) struct Head {
    pub(super) parts: Vec<Part>,
    /// Brackets that are open.
    pub(super) level: usize,
    /// The row that its first block has made, which ends where the statement does.
    pub(super) row: Option<usize>,
    /// Whether the name of that row comes last.
    pub(super) is_named_late: bool,
    /// Where its signature ends, if it goes on with what is no part of that.
    pub(super) stop: Option<usize>,
    /// Whether a line has ended since the last piece.
    pub(super) newline: bool,
    /// Comments and attributes in it: no part of the signature.
    pub(super) gaps: Vec<std::ops::Range<usize>>,
}

impl Head {
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.parts.clear();
        self.gaps.clear();
        self.level = 0;
        self.row = None;
        self.is_named_late = false;
        self.stop = None;
        self.newline = false;
    }

    pub(super) fn push(&mut self, what: Kind, start: usize, end: usize) {
        let part = Part { what, start, end };
        let is_full = self.parts.len() >= MAX_PIECES;
        match self.parts.last_mut() {
            Some(last) if self.level > 0 => last.end = end,
            Some(last) if is_full => *last = part,
            _ => self.parts.push(part),
        }
    }

    /// A bracket opens; what is inside is one piece with it.
    pub(super) fn open(&mut self, bracket: u8, at: usize) {
        if self.level == 0 {
            self.push(Kind::Group(bracket), at, at + 1);
        }
        self.level += 1;
    }

    /// A bracket closes.
    pub(super) fn close(&mut self, end: usize) {
        if self.level > 0 {
            self.level -= 1;
            if let Some(last) = self.parts.last_mut() {
                last.end = end;
            }
        }
    }

    pub(super) fn last(&self) -> Option<Part> {
        self.parts.last().copied()
    }
}

/// Counts lines up to places that come one after another.
pub(super) struct LineCounter<'s> {
    source: &'s [u8],
    at: usize,
    line: usize,
}

impl<'s> LineCounter<'s> {
    pub(super) fn new(source: &'s [u8]) -> Self {
        Self { source, at: 0, line: 1 }
    }

    /// The line of the byte at `at`, 1-based.
    pub(super) fn line_of(&mut self, at: usize) -> usize {
        let at = at.min(self.source.len());
        if at >= self.at {
            self.line += memchr::memchr_iter(b'\n', &self.source[self.at..at]).count();
        } else {
            self.line -= memchr::memchr_iter(b'\n', &self.source[at..self.at]).count();
        }
        self.at = at;
        self.line
    }
}

/// Where the line begins in which `at` lies; None where that is far away.
pub(super) fn line_start(source: &[u8], at: usize) -> Option<usize> {
    const FAR: usize = 2_000;
    let from = at.saturating_sub(FAR);
    match memchr::memrchr(b'\n', &source[from..at]) {
        Some(newline) => Some(from + newline + 1),
        None => (from == 0).then_some(0),
    }
}

/// Columns of white space at the beginning of a line, tabs reaching to the next multiple of eight.
pub(super) fn indent(line: &[u8]) -> usize {
    let mut column = 0;
    for byte in line {
        match byte {
            b' ' => column += 1,
            b'\t' => column += 8 - column % 8,
            _ => break,
        }
    }
    column
}
