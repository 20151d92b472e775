//! The hook: a request comes in, a decision is made, a reply goes out, a record is kept.
//!
//! Whatever goes wrong here ends in silence and exit 0: the read then simply happens.

pub mod claude;
pub mod decide;
pub mod reply;

use std::borrow::Cow;
use std::io::{Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use claude::{Event, Request};
use decide::{Decision, Facts, Place};
use reply::FirstLines;

use crate::config::{Config, Mode, ReplyStyle};
use crate::file::{self, Content};
use crate::language::outline_query::OutlineQuery;
use crate::outline;
use crate::store::records::now;
use crate::store::session::{Action, Record, Session};
use crate::store::stats::{self, Kind, Stat};
use crate::windows;

/// Answers one event. A panic anywhere inside is an answer too: none.
pub fn run(stdin: impl Read, stdout: impl Write) {
    std::panic::set_hook(Box::new(|_| ()));
    let run = || answer(stdin, stdout);
    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
}

/// Reads an event, decides, prints and records. None wherever there is nothing (more) to do.
fn answer(stdin: impl Read, stdout: impl Write) -> Option<()> {
    if std::env::var_os("STK_DISABLE").is_some_and(|value| !value.is_empty() && value != "0") {
        return None;
    }
    match Event::read(stdin)? {
        Event::Read(request) => answer_read(&request, stdout),
        Event::ContextLost { session_id } => {
            let action = Action::Reset;
            let reset = Record { ts: now(), file: None, size: None, hash: None, action, agent: None, observed: false };
            Session::open(session_id.as_deref()?)?.record(&reset);
            Some(())
        }
        Event::Other => None,
    }
}

fn answer_read(request: &Request, mut stdout: impl Write) -> Option<()> {
    let config = Config::load().ok()?;
    let key = key(&request.file_path);
    if is_off_limits(request) {
        return None;
    }
    let metadata = request.file_path.metadata().ok().filter(std::fs::Metadata::is_file);
    if decide::by_request(request).is_some() {
        count_range(request, metadata?.len(), &key, &config);
        return None;
    }
    let size = metadata?.len();
    let place = place(request)?;
    if decide::by_place(request, &place, &config).is_some() || file::is_shown_otherwise(&place.resolved) {
        return None;
    }
    let content = Content::read(&request.file_path, size).ok()?;
    let facts = Facts { size: content.shape.bytes, is_binary: content.is_binary(), hash: content.hash() };
    let session = request.session_id.as_deref().and_then(Session::open);
    let agent = request.agent_id.as_deref();
    let asks_store = config.settings.dedup && !facts.is_binary && facts.size > config.settings.clamp_threshold;
    let observed = config.settings.mode == Mode::Observe;
    let latest = session.as_ref().filter(|_| asks_store).and_then(|session| session.latest(&key, agent, observed));
    let record = |action, observed| {
        if let Some(session) = &session {
            let hash = facts.hash.as_deref().map(Cow::from);
            let (file, agent) = (Some(Cow::from(&*key)), agent.map(Cow::from));
            session.record(&Record { ts: now(), file, size: Some(facts.size), hash, action, agent, observed });
        }
    };
    let shape = content.shape;
    let first = match config.settings.reply {
        ReplyStyle::Deny => None,
        // A file whose first line is too long for that is answered by its outline alone.
        ReplyStyle::Context => FirstLines::of(&content.bytes),
    };
    let (reply, action, kind) = match decide::by_content(&facts, latest.as_ref(), &config) {
        Decision::Allow => return None,
        Decision::AllowAndRecord => {
            record(Action::Allow, false);
            return None;
        }
        Decision::Notice => (reply::notice(&shape, first), Action::Dup, Kind::Dup),
        Decision::Outline => {
            let reply = outline_reply(&request.file_path, content, &config, first, outline::outline);
            (reply, Action::Clamp, Kind::Clamp)
        }
    };
    let sent = (reply.len() + first.map_or(0, |first| first.bytes)) as u64;
    if sent >= facts.size {
        return None;
    }
    if !observed {
        let answer = match first {
            None => claude::deny(&reply),
            Some(first) => claude::cut(&request.input, first.lines, &reply),
        };
        // The record stands for what the model has been shown: not before it is.
        stdout.write_all(answer.as_bytes()).and_then(|()| stdout.flush()).ok()?;
    }
    record(action, observed);
    stats::record(&Stat {
        ts: now(),
        file: Cow::from(&*key),
        file_bytes: facts.size,
        sent_bytes: Some(sent),
        kind,
        lines: Some(shape.lines as u64),
        offset: None,
        limit: None,
        observed,
    });
    Some(())
}

/// The outline of a file as it is sent in its place. `make`: [`outline::outline`], or its like where the process goes on.
pub fn outline_reply(path: &Path, content: Content, config: &Config, first: Option<FirstLines>, make: outline::Make) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let language = config.languages.of_file(&name, &content.bytes);
    let query = language.map(|language| OutlineQuery::usable(language).of_file(language, &name)).unwrap_or_default();
    let content = Arc::new(content);
    let outline = make(&content, language, query, config.parse_timeout());
    let settings = &config.settings;
    reply::outline(path, &content.shape, &outline, settings.clamp_threshold, settings.outline_max_lines, first)
}

/// Keeps that a part of a big file was fetched, so that the cost of outlines can be told.
fn count_range(request: &Request, size: u64, key: &str, config: &Config) {
    let Some(range) = request.range.filter(|_| size > config.settings.clamp_threshold) else { return };
    stats::record(&Stat {
        ts: now(),
        file: Cow::from(key),
        file_bytes: size,
        sent_bytes: None,
        kind: Kind::Range,
        lines: None,
        offset: range.offset,
        limit: range.limit,
        observed: config.settings.mode == Mode::Observe,
    });
}

/// Where the file lies; None: it cannot be said.
fn place(request: &Request) -> Option<Place> {
    let resolve = |path: &Path| path.canonicalize().ok();
    let project = std::env::var_os("CLAUDE_PROJECT_DIR").filter(|folder| !folder.is_empty());
    let transcripts = request.transcript_path.as_deref().and_then(Path::parent);
    Some(Place {
        given: normal(&request.file_path),
        resolved: resolve(&request.file_path)?,
        cwd: request.cwd.clone(),
        resolved_cwd: request.cwd.as_deref().and_then(resolve),
        project: project.and_then(|folder| resolve(Path::new(&folder))),
        transcripts: transcripts.into_iter().flat_map(|folder| [Some(folder.to_owned()), resolve(folder)]).flatten().collect(),
    })
}

/// The path without `.`, `..` and doubled separators, by its text alone.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            _ => normal.push(component),
        }
    }
    normal
}

/// What a file is known by in the store: its path as given, normalised, and on Windows without regard to case and to
/// the kind of slash.
fn key(path: &Path) -> String {
    if cfg!(windows) { windows::key(&path.to_string_lossy()) } else { normal(path).to_string_lossy().into_owned() }
}

/// What is not even looked at: on Windows a device, and what lies on a network share that the session is not on, since to
/// look there is to tell that server who the user is. Claude Code asks its user first.
fn is_off_limits(request: &Request) -> bool {
    if !cfg!(windows) {
        return false;
    }
    let share = |path: &Path| windows::share(&path.to_string_lossy());
    let here = request.cwd.as_deref().and_then(share);
    windows::is_device(&request.file_path.to_string_lossy()) || share(&request.file_path).is_some_and(|share| Some(share) != here)
}
