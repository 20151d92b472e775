//! Comments that have their lines for themselves: a tree has to know that there is one, not what is in it. To a grammar each
//! line of a long description is a node or three.

use std::ops::Range;

use super::{Skim, WORTH};

/// A comment, or several of one line each that follow one another: these become one.
#[derive(Default)]
pub(super) struct Comments {
    /// Without what has to stay of them, so that they are one still; empty where none is being read.
    inside: Range<usize>,
    /// Whether more of them may follow.
    are_lines: bool,
}

impl Comments {
    /// Takes the next comment of a text.
    pub(super) fn take(&mut self, comment: Range<usize>, source: &[u8], skim: &mut Skim) {
        let text = &source[comment.clone()];
        let is_line = text.starts_with(b"//");
        if is_line && self.are_lines && is_blank(&source[self.inside.end..comment.start]) && !goes_on(text) {
            self.inside.end = comment.end;
            return;
        }
        self.end(skim);
        let before = source[..comment.start].iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
        if before.is_some_and(|byte| *byte != b'\n') {
            return;
        }
        if is_line && !goes_on(text) {
            *self = Self { inside: comment.start + 2..comment.end, are_lines: true };
        } else if text.len() >= 4 && text.starts_with(b"/*") && text.ends_with(b"*/") {
            self.inside = comment.start + 2..comment.end - 2;
        }
    }

    /// Something else follows than comments and line ends, or nothing.
    pub(super) fn end(&mut self, skim: &mut Skim) {
        let Self { inside, .. } = std::mem::take(self);
        if inside.len() >= WORTH {
            skim.leave_out(inside);
        }
    }
}

fn is_blank(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_whitespace)
}

/// Whether a comment of one line goes on with the next one, as in C.
fn goes_on(line: &[u8]) -> bool {
    line.trim_ascii_end().ends_with(b"\\")
}
