//! The session store: what stk has answered in a session, so that it can tell when a file is asked for again.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use memchr::memmem::Finder;
use serde::{Deserialize, Serialize};

use crate::{places, store::records, windows};

/// Bytes of a session's file that are looked at, from its end: some thousand records. What lies before is taken as
/// forgotten; then an outline is sent once more.
const REMEMBERED: u64 = 1024 * 1024;

/// Session files that nobody wrote to for so long are removed.
const KEPT_FOR: Duration = Duration::from_hours(14 * 24);
/// How often the folder is searched for them.
const PRUNED_EVERY: Duration = Duration::from_hours(24);
/// Its modification time says when that was last done.
const PRUNE_MARK: &str = ".pruned";

/// What was done with a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// It passed.
    Allow,
    /// It was answered by an outline.
    Clamp,
    /// It was answered by the short notice.
    Dup,
    /// The context was lost: what came before does not count any more.
    Reset,
}

/// One line of a session's file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record<'r> {
    /// Milliseconds since the epoch.
    pub ts: u64,
    /// The key of the file: its path as given, lexically normalised. Absent in a reset.
    #[serde(skip_serializing_if = "Option::is_none", borrow)]
    pub file: Option<Cow<'r, str>>,
    /// Bytes. Absent in a reset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// BLAKE3 of the content in hex; absent for a file over 4 MiB.
    #[serde(skip_serializing_if = "Option::is_none", borrow)]
    pub hash: Option<Cow<'r, str>>,
    /// What was done.
    pub action: Action,
    /// The subagent that asked; absent on the main thread.
    #[serde(skip_serializing_if = "Option::is_none", borrow)]
    pub agent: Option<Cow<'r, str>>,
    /// Whether it was only what would have been done: the read passed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub observed: bool,
}

/// The store of one session.
pub struct Session {
    path: PathBuf,
}

impl Session {
    /// The store of the session with this id. None without an id, or where there is no place for files: then nothing
    /// is kept, and nothing is a repetition.
    pub fn open(id: &str) -> Option<Self> {
        if id.is_empty() {
            return None;
        }
        let folder = places::data_dir()?.join("sessions");
        Some(Self { path: folder.join(format!("{}.jsonl", file_name(id))) })
    }

    /// What was last done with a file, for this agent and since the last reset: the action and the content's hash.
    ///
    /// `observing`: what would have been done counts too. Where reads are answered it does not: the model saw none of it.
    pub fn latest(&self, file: &str, agent: Option<&str>, observing: bool) -> Option<(Action, String)> {
        let key = serde_json::to_vec(file).ok()?;
        let marks = [&key[..], br#""reset""#].map(Finder::new);
        let mut latest = None;
        records::scan_backwards(&self.path, REMEMBERED, &marks, |line| {
            // A torn or foreign line is no record.
            let Ok(record) = serde_json::from_slice::<Record<'_>>(line) else { return false };
            if record.action == Action::Reset {
                return true;
            }
            if record.file.as_deref() != Some(file) || record.agent.as_deref() != agent || record.observed && !observing {
                return false;
            }
            latest = Some((record.action, record.hash.map(Cow::into_owned).unwrap_or_default()));
            true
        });
        latest
    }

    /// Keeps a record. A failure is nobody's business: the decision stands without it.
    pub fn record(&self, record: &Record<'_>) {
        if records::append(&self.path, record).is_ok() {
            prune(self.path.parent().unwrap_or(&self.path), SystemTime::now());
        }
    }
}

/// A file name for a session id: the id itself where it is one on every system, else a name made from its hash, which
/// begins as no id does that is kept. Two ids never share a name.
fn file_name(id: &str) -> Cow<'_, str> {
    // Where the file system does not tell `A` from `a`, only one of them may keep its name.
    let folds_case = cfg!(any(windows, target_os = "macos"));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_kept = id.len() <= 128
        && id.bytes().all(|byte| is_plain(byte) && !(folds_case && byte.is_ascii_uppercase()))
        && !id.is_empty()
        && !id.starts_with('.')
        && !id.ends_with('.')
        && !windows::is_reserved(id);
    if is_kept { Cow::Borrowed(id) } else { Cow::Owned(format!("+{}", blake3::hash(id.as_bytes()).to_hex())) }
}

/// Removes old session files, once a day.
fn prune(folder: &Path, now: SystemTime) {
    let mark = folder.join(PRUNE_MARK);
    let age = |path: &Path| now.duration_since(path.metadata().ok()?.modified().ok()?).ok();
    if age(&mark).is_some_and(|age| age < PRUNED_EVERY) {
        return;
    }
    let touched = places::open_to_append(&mark).and_then(|file| file.set_modified(now));
    let (Ok(()), Ok(entries)) = (touched, folder.read_dir()) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let is_session = path.extension().is_some_and(|extension| extension == "jsonl");
        if is_session && age(&path).is_some_and(|age| age > KEPT_FOR) {
            let _ = std::fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(folder: &Path) -> Session {
        Session { path: folder.join("sessions/s.jsonl") }
    }

    fn record<'r>(file: &'r str, hash: &'r str, action: Action, agent: Option<&'r str>) -> Record<'r> {
        let hash = Some(hash.into());
        Record { ts: 1, file: Some(file.into()), size: Some(5), hash, action, agent: agent.map(Cow::from), observed: false }
    }

    const RESET: Record<'_> =
        Record { ts: 1, file: None, size: None, hash: None, action: Action::Reset, agent: None, observed: false };

    #[test]
    fn the_latest_record_of_a_path_and_agent_counts() {
        let folder = tempfile::tempdir().unwrap();
        let session = session(folder.path());
        assert_eq!(session.latest("/a", None, false), None);
        session.record(&record("/a", "1", Action::Clamp, None));
        session.record(&record("/a", "2", Action::Allow, None));
        session.record(&record("/a\"quoted\\", "3", Action::Clamp, None));
        session.record(&record("/a", "4", Action::Clamp, Some("sub")));
        assert_eq!(session.latest("/a", None, false), Some((Action::Allow, "2".to_owned())));
        assert_eq!(session.latest("/a", Some("sub"), false), Some((Action::Clamp, "4".to_owned())));
        assert_eq!(session.latest("/a\"quoted\\", None, false), Some((Action::Clamp, "3".to_owned())));
        assert_eq!(session.latest("/", None, false), None);
    }

    #[test]
    fn a_reset_forgets_for_every_agent() {
        let folder = tempfile::tempdir().unwrap();
        let session = session(folder.path());
        session.record(&record("/a", "1", Action::Clamp, None));
        session.record(&record("/a", "1", Action::Clamp, Some("sub")));
        session.record(&RESET);
        assert_eq!(session.latest("/a", None, false), None);
        assert_eq!(session.latest("/a", Some("sub"), false), None);
        session.record(&record("/a", "1", Action::Clamp, None));
        assert_eq!(session.latest("/a", None, false), Some((Action::Clamp, "1".to_owned())));
    }

    #[test]
    fn what_was_only_observed_counts_only_while_observing() {
        let folder = tempfile::tempdir().unwrap();
        let session = session(folder.path());
        session.record(&record("/a", "1", Action::Clamp, None));
        session.record(&Record { observed: true, ..record("/a", "2", Action::Dup, None) });
        assert_eq!(session.latest("/a", None, false), Some((Action::Clamp, "1".to_owned())));
        assert_eq!(session.latest("/a", None, true), Some((Action::Dup, "2".to_owned())));
    }

    #[test]
    fn torn_and_foreign_lines_are_skipped() {
        let folder = tempfile::tempdir().unwrap();
        let session = session(folder.path());
        session.record(&record("/a", "1", Action::Clamp, None));
        let mut text = std::fs::read_to_string(&session.path).unwrap();
        text.push_str("{\"file\":\"/a\",\"reset\"\nnot json \"/a\"\n{\"other\":\"reset\"}\n{\"ts\":1,\"file\":\"/a\",\"ac");
        std::fs::write(&session.path, text).unwrap();
        assert_eq!(session.latest("/a", None, false), Some((Action::Clamp, "1".to_owned())));
    }

    #[test]
    fn session_ids_are_never_paths_and_never_share_a_file() {
        assert_eq!(file_name("5d0c2f1e-0000-4000-8000-00000000000a"), "5d0c2f1e-0000-4000-8000-00000000000a");
        let long = "x".repeat(129);
        let hostile = ["..", ".", "a/b", "a\\b", "a\0b", "a\nb", "CON", "nul.txt", "com1", "x.", "a:b", "", "é", &long];
        let mut names: Vec<_> = hostile.iter().map(|id| file_name(id).into_owned()).collect();
        for name in &names {
            assert!(name.starts_with('+') && name.len() == 65, "{name}");
        }
        names.sort();
        names.dedup();
        assert_eq!(names.len(), hostile.len());
    }

    #[test]
    fn old_sessions_are_removed_once_a_day() {
        let folder = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        let file = |name: &str, age: Duration| {
            let path = folder.path().join(name);
            std::fs::File::create(&path).unwrap().set_modified(now - age).unwrap();
            path
        };
        let (old, young, foreign) = (
            file("old.jsonl", KEPT_FOR + Duration::from_mins(1)),
            file("young.jsonl", KEPT_FOR / 2),
            file("old.txt", KEPT_FOR * 2),
        );
        prune(folder.path(), now);
        assert!(!old.exists() && young.exists() && foreign.exists());
        let old = file("old.jsonl", KEPT_FOR * 2);
        prune(folder.path(), now + Duration::from_hours(1));
        assert!(old.exists(), "the folder was searched an hour ago");
        prune(folder.path(), now + Duration::from_hours(25));
        assert!(!old.exists());
    }
}
