//! Files without structure: their first and last lines, and what can be counted.

use std::ops::Range;

use memchr::memchr;

use super::{Outline, Parser, SampleLine, signature};
use crate::file::{Content, LAST_LINES};
use crate::shape::Shape;
use crate::shown::is_shown;

/// Lines shown of the beginning and of the end of a file.
pub const SHOWN: (usize, usize) = (10, LAST_LINES);

/// Characters shown of each line.
pub const MAX_WIDTH: usize = 200;

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

/// A line as it can be shown: valid UTF-8, nothing unseen, no longer than [`MAX_WIDTH`] characters.
pub fn shown(line: &[u8]) -> String {
    let line = &line[..line.len().min(MAX_WIDTH * 4 + 4)];
    let text: String = String::from_utf8_lossy(line)
        .trim_end()
        .chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| is_shown(*c))
        .collect();
    signature::cut(&text, MAX_WIDTH).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
