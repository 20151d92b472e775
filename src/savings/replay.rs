//! What stk would have done in a session that is over: its Reads, decided again.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::config::{Config, ReplyStyle};
use crate::file::{self, Content};
use crate::hook::claude::Request;
use crate::hook::decide::{self, Decision, Facts, Place};
use crate::hook::reply::FirstLines;
use crate::hook::{self, reply};
use crate::outline;
use crate::savings::gain::{self, READ_REFUSES};
use crate::savings::transcripts::{Delivered, Event, Read};
use crate::store::session::Action;

/// One Read, as it was and as it would have been.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The call's name, which copies of a session share.
    pub call: String,
    /// Milliseconds since the epoch.
    pub ts: u64,
    /// The folder the session was in.
    pub project: PathBuf,
    /// As file names tell it.
    pub language: &'static str,
    /// What it was, and would have been.
    pub kind: Kind,
}

/// What a Read was, and would have been.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// stk would have answered it.
    Answered(Answered),
    /// A part of a file that stk would have answered before; so many bytes.
    Range(u64),
    /// Another read of a part.
    OtherRange,
    /// It would have passed: a small file, or one that the rules leave alone.
    Passed,
    /// stk did answer it.
    AlreadyStk,
    /// No text came of it.
    NoText,
}

/// A Read that stk would have answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answered {
    /// By the notice that nothing has changed, not by an outline.
    pub is_dup: bool,
    /// Bytes that Read delivered.
    pub delivered: u64,
    /// Bytes that stk would have sent; None where they cannot be told, since the file is not known whole.
    pub sent: Option<u64>,
}

/// The Reads of one transcript, decided one after the other.
pub struct Replay<'c> {
    config: &'c Config,
    /// What would have been done last with each file, until the context is lost.
    latest: HashMap<PathBuf, (Action, String)>,
    /// Files that would have been answered, whatever came of the context.
    answered: HashSet<PathBuf>,
}

impl<'c> Replay<'c> {
    /// A session that has read nothing.
    pub fn new(config: &'c Config) -> Self {
        Self { config, latest: HashMap::new(), answered: HashSet::new() }
    }

    /// Decides what happens next. None: it was no Read.
    pub fn next(&mut self, event: Event) -> Option<Outcome> {
        let Event::Read(read) = event else {
            self.latest.clear();
            return None;
        };
        let kind = self.kind(&read);
        let language = gain::language_of(&read.file.to_string_lossy(), &self.config.languages);
        let Read { call, ts, cwd, .. } = *read;
        Some(Outcome { call, ts, project: cwd.unwrap_or_default(), language, kind })
    }

    fn kind(&mut self, read: &Read) -> Kind {
        let was_answered = self.answered.contains(&read.file);
        match (&read.result, read.range) {
            (Delivered::Stk, _) => Kind::AlreadyStk,
            (Delivered::Text { bytes, .. }, Some(_)) if was_answered => Kind::Range(*bytes),
            (_, Some(_)) => Kind::OtherRange,
            (Delivered::Other, None) => Kind::NoText,
            _ if !self.comes_to_content(read) => Kind::Passed,
            (Delivered::TooLarge(bytes), None) => self.too_large(read, *bytes),
            (Delivered::Text { bytes, text, total_lines }, None) => self.text(read, *bytes, text, *total_lines),
        }
    }

    /// Rules 2a, 2b and 3, as far as the path tells.
    fn comes_to_content(&self, read: &Read) -> bool {
        let request = Request { file_path: read.file.clone(), cwd: read.cwd.clone(), ..Request::default() };
        // The files may be gone: what they resolved to cannot be told any more.
        let place = Place {
            given: read.file.clone(),
            resolved: read.file.clone(),
            cwd: read.cwd.clone(),
            resolved_cwd: read.cwd.clone(),
            ..Place::default()
        };
        decide::by_place(&request, &place, self.config).is_none() && !file::is_shown_otherwise(&read.file)
    }

    /// A file that Read refused: it has more than it delivers, and its text is known only where it is still there.
    fn too_large(&mut self, read: &Read, delivered: u64) -> Kind {
        let on_disk = read_file(&read.file).filter(|content| content.shape.bytes > READ_REFUSES);
        let facts = Facts { size: on_disk.as_ref().map_or(READ_REFUSES + 1, |content| content.shape.bytes), ..Facts::default() };
        self.answer(read, &facts, delivered, on_disk)
    }

    fn text(&mut self, read: &Read, delivered: u64, text: &str, total_lines: Option<u64>) -> Kind {
        let hash = || blake3::hash(text.as_bytes()).to_hex().to_string();
        let Some(total_lines) = total_lines else {
            let facts = Facts { size: text.len() as u64, is_binary: false, hash: Some(hash()) };
            return self.answer(read, &facts, delivered, Some(Content::of(text.as_bytes().to_vec())));
        };
        // Cut by Read: the rest is known only where the file is still there with as many lines, one more where it ends
        // with a line end.
        let is_the_same =
            |content: &Content| content.shape.lines as u64 == total_lines || content.shape.lines as u64 + 1 == total_lines;
        let on_disk = read_file(&read.file).filter(is_the_same);
        let shown_lines = text.split('\n').count() as u64;
        let estimate = (text.len() as u64).saturating_mul(total_lines) / shown_lines.max(1);
        let facts = Facts {
            size: on_disk.as_ref().map_or(estimate, |content| content.shape.bytes),
            is_binary: false,
            hash: Some(hash()),
        };
        self.answer(read, &facts, delivered, on_disk)
    }

    /// `content`: the file, where it is known.
    fn answer(&mut self, read: &Read, facts: &Facts, delivered: u64, content: Option<Content>) -> Kind {
        let latest = self.latest.get(&read.file);
        let decision = decide::by_content(facts, latest, self.config);
        let first = match (self.config.settings.reply, &content) {
            (ReplyStyle::Context, Some(content)) => FirstLines::of(&content.bytes),
            _ => None,
        };
        let first_bytes = first.map_or(0, |first| first.bytes);
        let (action, sent) = match decision {
            Decision::Allow | Decision::AllowAndRecord => {
                self.note(read, Action::Allow, facts);
                return Kind::Passed;
            }
            Decision::Notice => (Action::Dup, content.map(|content| reply::notice(&content.shape, first).len())),
            Decision::Outline => {
                let reply =
                    |content| hook::outline_reply(&read.file, content, self.config, first, outline::outline_of_many).len();
                (Action::Clamp, content.map(reply))
            }
        };
        let sent = sent.map(|sent| (sent + first_bytes) as u64);
        if sent.is_some_and(|sent| sent >= facts.size) {
            return Kind::Passed;
        }
        self.note(read, action, facts);
        self.answered.insert(read.file.clone());
        Kind::Answered(Answered { is_dup: action == Action::Dup, delivered, sent })
    }

    fn note(&mut self, read: &Read, action: Action, facts: &Facts) {
        self.latest.insert(read.file.clone(), (action, facts.hash.clone().unwrap_or_default()));
    }
}

fn read_file(path: &Path) -> Option<Content> {
    let metadata = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    Content::read(path, metadata.len()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::claude::Range;

    fn read(file: &str, range: Option<Range>, result: Delivered) -> Event {
        let cwd = Some("/no/such/project".into());
        Event::Read(Box::new(Read { call: "c".to_owned(), ts: 1, cwd, file: file.into(), range, result }))
    }

    fn whole(lines: usize) -> Delivered {
        let text = "some words on a line\n".repeat(lines);
        Delivered::Text { bytes: text.len() as u64 + 5, text, total_lines: None }
    }

    fn kinds(events: Vec<Event>) -> Vec<Kind> {
        let config = Config::default();
        let mut replay = Replay::new(&config);
        events.into_iter().filter_map(|event| replay.next(event)).map(|outcome| outcome.kind).collect()
    }

    const FILE: &str = "/no/such/project/a.txt";
    const RANGE: Option<Range> = Some(Range { offset: Some(1), limit: Some(2) });

    #[test]
    fn reads_are_decided_as_the_hook_would() {
        let part = || Delivered::Text { bytes: 50, text: "x".to_owned(), total_lines: Some(1000) };
        let kinds = kinds(vec![
            read(FILE, RANGE, part()),
            read(FILE, None, whole(10)),
            read(FILE, None, whole(1000)),
            read(FILE, RANGE, part()),
            read(FILE, None, whole(1000)),
            read(FILE, None, whole(1000)),
            read(FILE, None, whole(1000)),
            Event::ContextLost,
            read(FILE, None, whole(1000)),
            read(FILE, None, Delivered::Stk),
            read(FILE, None, Delivered::Other),
            read("/no/such/project/CLAUDE.md", None, whole(1000)),
        ]);
        let dups: Vec<_> = kinds
            .iter()
            .map(|kind| match kind {
                Kind::Answered(answered) => Some(answered.is_dup),
                _ => None,
            })
            .collect();
        assert_eq!(dups[2..8], [Some(false), None, Some(true), Some(false), Some(true), Some(false)]);
        assert_eq!([kinds[0], kinds[1], kinds[3]], [Kind::OtherRange, Kind::Passed, Kind::Range(50)]);
        assert_eq!(kinds[8..], [Kind::AlreadyStk, Kind::NoText, Kind::Passed]);
        let Kind::Answered(Answered { delivered, sent: Some(sent), .. }) = kinds[2] else { panic!("{kinds:?}") };
        assert_eq!(delivered, 21_005);
        assert!((300..2_500).contains(&sent), "{sent}");
    }

    #[test]
    fn what_is_not_known_whole_has_no_exact_reply() {
        let cut = Delivered::Text { bytes: 60_000, text: "some words on a line\n".repeat(2000), total_lines: Some(9000) };
        let seen = kinds(vec![read(FILE, None, cut), read(FILE, None, Delivered::TooLarge(371))]);
        assert_eq!(
            seen,
            [
                Kind::Answered(Answered { is_dup: false, delivered: 60_000, sent: None }),
                Kind::Answered(Answered { is_dup: false, delivered: 371, sent: None }),
            ]
        );
    }
}
