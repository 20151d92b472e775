//! How far a long folder has come: on stderr, and only on a terminal.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

/// Shorter work needs no telling.
const BEFORE: Duration = Duration::from_millis(500);
/// How often the line is written anew.
const EVERY: Duration = Duration::from_millis(100);

/// A line that is written over again and again.
pub(super) struct Progress {
    is_wanted: bool,
    is_shown: bool,
    files: usize,
    next: Instant,
}

impl Progress {
    /// `is_wanted`: false where what is printed meanwhile shows it well enough.
    pub(super) fn new(is_wanted: bool) -> Self {
        Self { is_wanted: is_wanted && stderr().is_terminal(), is_shown: false, files: 0, next: Instant::now() + BEFORE }
    }

    /// One more file is done.
    pub(super) fn step(&mut self) {
        self.files += 1;
        if self.is_wanted && Instant::now() >= self.next {
            let _ = write!(stderr(), "\r\x1b[K{} files", self.files);
            self.is_shown = true;
            self.next = Instant::now() + EVERY;
        }
    }

    /// Takes the line away.
    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
