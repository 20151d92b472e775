//! Statistics: one record for each answer, so that what stk saves can be added up.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{places, store::records};

/// One line of `stats.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stat<'s> {
    /// Milliseconds since the epoch.
    pub ts: u64,
    /// The path as given, lexically normalised.
    #[serde(borrow)]
    pub file: Cow<'s, str>,
    /// The file's size.
    pub file_bytes: u64,
    /// Bytes of the reply; absent for a ranged read, which passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent_bytes: Option<u64>,
    /// What was done.
    pub kind: Kind,
    /// Lines in the file; absent for a ranged read, which is not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
    /// Of a ranged read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Of a ranged read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Whether it was only what would have been done: the read passed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub observed: bool,
}

/// What was done with a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Answered by an outline.
    Clamp,
    /// Answered by the short notice.
    Dup,
    /// Passed, since it asks for a range of lines.
    Range,
}

/// The file of the statistics.
pub fn path() -> Option<PathBuf> {
    Some(places::data_dir()?.join("stats.jsonl"))
}

/// A record has some hundred bytes, and a path of some thousand at most.
const MAX_RECORD: u64 = 64 * 1024;

/// Shows `visit` every record, the oldest first; torn and foreign lines are skipped, and a file that is missing has none.
///
/// Errors: the file is there, and cannot be read.
pub fn read(path: &Path, mut visit: impl FnMut(&Stat<'_>)) -> io::Result<()> {
    records::scan(path, MAX_RECORD, |line| {
        if let Ok(stat) = serde_json::from_slice(line) {
            visit(&stat);
        }
    })
}

/// Keeps a record. A failure is nobody's business: the answer stands without it.
pub fn record(stat: &Stat<'_>) {
    if let Some(path) = path() {
        let _ = records::append(&path, stat);
    }
}
