//! From text to syntax trees: the whole, and parts that its grammar leaves unread.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use memchr::memmem;
use tree_sitter::{Language, ParseOptions, ParseState, Parser, Point, Range, Tree};

/// How much of what is parsed as a part may turn out to be no text of the language; bytes, for all parts of a file. To
/// recover from errors takes ten times as long as to parse what is right.
const MAX_BROKEN: usize = 32 * 1024;
/// A part that is longer than what is left of that is tried with its beginning; bytes.
const SAMPLE: usize = 4 * 1024;

/// A text, and the parser for it.
pub(super) struct Source<'a> {
    bytes: &'a [u8],
    /// What is not parsed of it, in file order.
    left_out: &'a [std::ops::Range<usize>],
    parser: Parser,
    is_cancelled: &'a AtomicBool,
    room: usize,
}

impl<'a> Source<'a> {
    /// `bytes` are those of [`without_marks`]; parsing gives up once `is_cancelled` is set. None: the grammar is of a
    /// version that the parser cannot use.
    pub(super) fn new(bytes: &'a [u8], grammar: &Language, is_cancelled: &'a AtomicBool) -> Option<Self> {
        let mut parser = Parser::new();
        parser.set_language(grammar).ok()?;
        Some(Self { bytes, left_out: &[], parser, is_cancelled, room: MAX_BROKEN })
    }

    /// The same text without these parts, which are in file order.
    pub(super) fn without(self, left_out: &'a [std::ops::Range<usize>]) -> Self {
        Self { left_out, ..self }
    }

    /// The tree of the whole; None where it was cancelled.
    pub(super) fn whole(&mut self) -> Option<Tree> {
        if self.left_out.is_empty() {
            return self.parse(&[]);
        }
        let start = Place { bytes: self.bytes, at: 0, point: Point::new(0, 0) };
        self.parse(&ranges(start, self.bytes.len(), self.left_out))
    }

    /// The tree of a part, as if it stood alone; positions are those in the whole. None: it was cancelled, or it is
    /// long and does not look like a text of this language.
    pub(super) fn part(&mut self, part: Range) -> Option<Tree> {
        let length = part.end_byte - part.start_byte;
        if length > self.room {
            let sample = self.sample(part)?;
            if self.parse(&[sample])?.root_node().has_error() {
                return None;
            }
        }
        let start = Place { bytes: self.bytes, at: part.start_byte, point: part.start_point };
        let inside = |left_out: &&std::ops::Range<usize>| left_out.start >= part.start_byte && left_out.end <= part.end_byte;
        let left_out: Vec<_> = self.left_out.iter().filter(inside).cloned().collect();
        let tree = self.parse(&ranges(start, part.end_byte, &left_out))?;
        if tree.root_node().has_error() {
            self.room = self.room.saturating_sub(length);
        }
        Some(tree)
    }

    /// A part's beginning up to an empty line, where something ends as a rule.
    fn sample(&self, part: Range) -> Option<Range> {
        let text = &self.bytes[part.start_byte..part.end_byte.min(part.start_byte + SAMPLE)];
        let end = memmem::rfind(text, b"\n\n").or_else(|| memmem::rfind(text, b"\n\r\n"))? + 1;
        let row = part.start_point.row + memchr::memchr_iter(b'\n', &text[..end]).count();
        Some(Range { end_byte: part.start_byte + end, end_point: Point { row, column: 0 }, ..part })
    }

    fn parse(&mut self, parts: &[Range]) -> Option<Tree> {
        self.parser.reset();
        self.parser.set_included_ranges(parts).ok()?;
        let mut progress = |_: &ParseState| {
            if self.is_cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let bytes = self.bytes;
        self.parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options))
    }
}

/// What is left from `start` to `end`, as tree-sitter wants it.
fn ranges(start: Place<'_>, end: usize, left_out: &[std::ops::Range<usize>]) -> Vec<Range> {
    let mut place = start;
    let mut ranges = Vec::with_capacity(left_out.len() + 1);
    for left_out in left_out {
        ranges.push(place.range_to(left_out.start));
        place.go_to(left_out.end);
    }
    ranges.push(place.range_to(end));
    // What ends before an empty range would seem to end in it.
    ranges.retain(|range| range.start_byte < range.end_byte);
    ranges
}

/// An offset with its line and column.
struct Place<'s> {
    bytes: &'s [u8],
    at: usize,
    point: Point,
}

impl Place<'_> {
    fn go_to(&mut self, at: usize) {
        let passed = &self.bytes[self.at..at];
        match memchr::memrchr(b'\n', passed) {
            Some(newline) => {
                self.point.row += memchr::memchr_iter(b'\n', passed).count();
                self.point.column = passed.len() - newline - 1;
            }
            None => self.point.column += passed.len(),
        }
        self.at = at;
    }

    fn range_to(&mut self, end: usize) -> Range {
        let (start_byte, start_point) = (self.at, self.point);
        self.go_to(end);
        Range { start_byte, end_byte: end, start_point, end_point: self.point }
    }
}

/// The text with spaces for a byte order mark and for NUL bytes, at which grammars see the end of the file.
pub(super) fn without_marks(bytes: &[u8]) -> Cow<'_, [u8]> {
    const BOM: &[u8] = b"\xef\xbb\xbf";
    let marked = bytes.starts_with(BOM);
    if !marked && memchr::memchr(0, bytes).is_none() {
        return Cow::Borrowed(bytes);
    }
    let mut owned = bytes.to_vec();
    if marked {
        owned[..BOM.len()].fill(b' ');
    }
    owned.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = b' ');
    Cow::Owned(owned)
}
