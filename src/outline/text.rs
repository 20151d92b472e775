//! Files without structure: their first and last lines, and what can be counted.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::{Outline, Parser, SampleLine, signature};
use crate::file::Content;

/// Lines shown of the beginning and of the end of a file.
pub const SHOWN: (usize, usize) = (10, 5);

/// Characters shown of each line.
pub const MAX_WIDTH: usize = 200;

/// A line longer than this (bytes) is pointed out: Read's offset and limit cannot cut it.
pub const LONG_LINE: usize = 2000;

/// A file whose mean line is longer than this (bytes) was not written by hand.
const MINIFIED_MEAN: usize = 500;

/// What can be told of a text by looking at its line ends. Only `\n` ends a line, as Read counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shape {
    /// Bytes in all.
    pub bytes: u64,
    /// A last line without `\n` counts.
    pub lines: usize,
    /// Bytes of the longest line, its `\n` apart.
    pub longest: u64,
    /// Bytes that stand in lines over [`LONG_LINE`].
    pub in_long_lines: u64,
    /// Bytes of the line that is not yet at its end; 0 in the shape of a whole text.
    pub open: u64,
}

impl Shape {
    /// The shape of a whole text.
    pub fn of(text: &[u8]) -> Self {
        let mut shape = Self::default();
        shape.add(text);
        shape.end()
    }

    /// Takes the next piece of a text.
    pub fn add(&mut self, piece: &[u8]) {
        self.bytes += piece.len() as u64;
        let mut start = 0;
        for end in memchr_iter(b'\n', piece) {
            self.open += (end - start) as u64;
            self.end_line();
            start = end + 1;
        }
        self.open += (piece.len() - start) as u64;
    }

    /// The shape, when there are no more pieces.
    #[must_use]
    pub fn end(mut self) -> Self {
        if self.open > 0 {
            self.end_line();
        }
        self
    }

    fn end_line(&mut self) {
        let length = std::mem::take(&mut self.open);
        self.lines += 1;
        self.longest = self.longest.max(length);
        if length > LONG_LINE as u64 {
            self.in_long_lines += length;
        }
    }

    /// Whether a program wrote it for programs: an outline of it would be rows that all stand on a few lines.
    pub fn is_minified(&self) -> bool {
        self.bytes > (MINIFIED_MEAN * self.lines) as u64 || self.in_long_lines * 2 > self.bytes
    }

    /// Whether some line is too long for Read to cut.
    pub fn has_long_line(&self) -> bool {
        self.longest > LONG_LINE as u64
    }
}

/// First and last lines of a text that is held whole.
pub fn outline(text: &[u8]) -> Outline {
    let mut first = Vec::new();
    let mut at = 0;
    while first.len() < SHOWN.0 && at < text.len() {
        let end = memchr(b'\n', &text[at..]).map_or(text.len(), |newline| at + newline);
        first.push(at..end);
        at = end + 1;
    }
    let last = last_lines(text, at.min(text.len()));
    let lines = Shape::of(text).lines;
    sample(first.len(), lines, first.iter().chain(&last).map(|range| &text[range.clone()]))
}

/// First and last lines of a file that is too big to be held.
pub fn outline_of_parts(content: &Content) -> Outline {
    let mut first: Vec<_> = content.bytes.split(|&byte| byte == b'\n').take(SHOWN.0).collect();
    // The line in which the held part ends is shown if it is among them: what is missing lies beyond what is shown.
    first.truncate(content.shape.lines.saturating_sub(content.last_lines.len()).max(1));
    sample(first.len(), content.shape.lines, first.iter().copied().chain(content.last_lines.iter().map(Vec::as_slice)))
}

/// The ranges of the last lines that begin at or after `from`, in file order.
fn last_lines(text: &[u8], from: usize) -> Vec<Range<usize>> {
    let mut last = Vec::new();
    let mut end = text.len() - usize::from(text.ends_with(b"\n"));
    while last.len() < SHOWN.1 && end >= from && from < text.len() {
        let start = memchr::memrchr(b'\n', &text[from..end]).map_or(from, |newline| from + newline + 1);
        last.push(start..end);
        if start == from {
            break;
        }
        end = start - 1;
    }
    last.reverse();
    last
}

/// An outline of lines as they stand: the first `first` of `lines` from the beginning, the others from the end.
pub fn sample<'l>(first: usize, lines: usize, texts: impl Iterator<Item = &'l [u8]>) -> Outline {
    let texts: Vec<_> = texts.collect();
    let skipped = lines - texts.len();
    let sample = texts.iter().enumerate().map(|(index, text)| {
        let line = index + 1 + if index < first { 0 } else { skipped };
        SampleLine { line, text: shown(text) }
    });
    Outline { parser: Parser::Text, symbols: Vec::new(), notes: Vec::new(), sample: sample.collect() }
}

/// A line as it can be shown: valid UTF-8, no control characters, no longer than [`MAX_WIDTH`] characters.
pub fn shown(line: &[u8]) -> String {
    let line = &line[..line.len().min(MAX_WIDTH * 4 + 4)];
    let text: String = String::from_utf8_lossy(line)
        .trim_end()
        .chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| !c.is_control())
        .collect();
    signature::cut(&text, MAX_WIDTH).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_what_read_counts() {
        for (text, lines) in [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("a\r\nb\rc\u{2028}d\n", 2), ("\n\n", 2)] {
            assert_eq!(Shape::of(text.as_bytes()).lines, lines, "{text:?}");
        }
    }

    #[test]
    fn a_text_in_pieces_has_the_shape_of_the_whole() {
        let text = format!("short\n{}\n\nend", "x".repeat(3000));
        for piece in [1, 7, 100, 5000] {
            let mut shape = Shape::default();
            text.as_bytes().chunks(piece).for_each(|piece| shape.add(piece));
            assert_eq!(shape.end(), Shape::of(text.as_bytes()), "pieces of {piece}");
        }
    }

    #[test]
    fn a_sample_is_the_first_ten_and_the_last_five_lines() {
        let text = |lines: usize| (1..=lines).fold(String::new(), |text, n| text + &format!("line {n}\n"));
        let shown = |lines| outline(text(lines).as_bytes()).sample.iter().map(|line| line.line).collect::<Vec<_>>();
        assert_eq!(shown(0), [0; 0]);
        assert_eq!(shown(3), [1, 2, 3]);
        assert_eq!(shown(12), (1..=12).collect::<Vec<_>>());
        assert_eq!(shown(400), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 396, 397, 398, 399, 400]);
        let outline = outline(text(400).as_bytes());
        assert_eq!(outline.sample[10], SampleLine { line: 396, text: "line 396".to_owned() });
    }

    #[test]
    fn minified_is_a_long_mean_line_or_most_bytes_in_long_lines() {
        let minified = |text: String| Shape::of(text.as_bytes()).is_minified();
        assert!(minified("x".repeat(501)));
        assert!(!minified("x\n".repeat(5000)));
        assert!(minified(format!("{}{}\n", "x\n".repeat(500), "y".repeat(2001))));
        assert!(!minified(format!("{}{}\n", "x\n".repeat(1500), "y".repeat(2001))));
    }
}
