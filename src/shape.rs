//! The shape of a text: what its line ends tell.

use memchr::memchr_iter;

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
    fn minified_is_a_long_mean_line_or_most_bytes_in_long_lines() {
        let minified = |text: String| Shape::of(text.as_bytes()).is_minified();
        assert!(minified("x".repeat(501)));
        assert!(!minified("x\n".repeat(5000)));
        assert!(minified(format!("{}{}\n", "x\n".repeat(500), "y".repeat(2001))));
        assert!(!minified(format!("{}{}\n", "x\n".repeat(1500), "y".repeat(2001))));
    }
}
