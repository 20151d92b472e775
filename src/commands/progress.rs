//! How far work on a long folder has come: on stderr, and only on a terminal.

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
    things: &'static str,
    done: usize,
    next: Instant,
}

impl Progress {
    /// `is_wanted`: false where what is printed meanwhile shows it well enough. `things`: what is counted.
    pub(super) fn new(is_wanted: bool, things: &'static str) -> Self {
        Self { is_wanted: is_wanted && stderr().is_terminal(), is_shown: false, things, done: 0, next: Instant::now() + BEFORE }
    }

    /// One more is done.
    pub(super) fn step(&mut self) {
        self.done += 1;
        if self.is_wanted && Instant::now() >= self.next {
            let _ = write!(stderr(), "\r\x1b[K{} {}", self.done, self.things);
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
