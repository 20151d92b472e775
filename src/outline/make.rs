//! Which outliner answers for a file, and what answers when it cannot. An outline always exists.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::{Outline, declarations, json, markdown, reading, text};
use crate::file::Content;
use crate::language::outline_query::OutlineQuery;
use crate::language::{Language, Reader};
use crate::query::MAX_STACK;

/// Makes the outline of a file.
///
/// `query` is the language's, where it has a grammar. Parsing that takes longer than `timeout` is given up, and the
/// declaration lines answer.
pub fn outline(content: &Arc<Content>, language: Option<&'static Language>, query: OutlineQuery, timeout: Duration) -> Outline {
    outline_and(Afterwards::End, content, language, query, timeout)
}

/// The same, in a process that goes on with other files.
pub fn outline_of_many(
    content: &Arc<Content>,
    language: Option<&'static Language>,
    query: OutlineQuery,
    timeout: Duration,
) -> Outline {
    outline_and(Afterwards::GoOn, content, language, query, timeout)
}

/// [`outline`] or [`outline_of_many`].
pub type Make = fn(&Arc<Content>, Option<&'static Language>, OutlineQuery, Duration) -> Outline;

/// What the process does after an outline.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Afterwards {
    /// It ends, and all its memory with it: freeing a tree node by node would take longer.
    End,
    /// It goes on, and needs the memory.
    GoOn,
}

fn outline_and(
    afterwards: Afterwards,
    content: &Arc<Content>,
    language: Option<&'static Language>,
    query: OutlineQuery,
    timeout: Duration,
) -> Outline {
    let bytes = content.bytes.as_slice();
    match language.map(|language| language.reader) {
        Some(Reader::Own { otherwise, .. }) => {
            let is_parsed = content.is_whole() && !content.shape.is_minified();
            let is_of_header = query.is_of_header;
            let outline = if is_parsed { parse(afterwards, content, language, query, timeout) } else { None };
            if let Some(outline) = outline.filter(|outline| !outline.is_empty()) {
                return outline;
            }
            let query = otherwise.map(OutlineQuery::usable).unwrap_or_default();
            outline_and(afterwards, content, otherwise, OutlineQuery { is_of_header, ..query }, timeout)
        }
        // First of all: a value out of JSON is never shown, whatever its size or shape.
        Some(Reader::Json { by_line }) => json::outline(bytes, by_line, content.is_whole()),
        _ if !content.is_whole() => text::outline_of_parts(content),
        _ if content.shape.is_minified() => text::outline(bytes),
        Some(Reader::Markdown) => or_text(markdown::outline(bytes), bytes),
        Some(Reader::TreeSitter { .. }) => match parse(afterwards, content, language, query, timeout) {
            Some(outline) if !outline.is_empty() => outline,
            _ => or_text(declarations::outline(bytes, language), bytes),
        },
        Some(Reader::Declarations) => or_text(declarations::outline(bytes, language), bytes),
        None => text::outline(bytes),
    }
}

fn or_text(outline: Outline, bytes: &[u8]) -> Outline {
    if outline.is_empty() { text::outline(bytes) } else { outline }
}

/// Parses on a thread of its own, which is left behind when it takes too long: tree-sitter cannot be relied on to stop.
/// A panic in it is caught here too.
fn parse(
    afterwards: Afterwards,
    content: &Arc<Content>,
    language: Option<&'static Language>,
    query: OutlineQuery,
    timeout: Duration,
) -> Option<Outline> {
    let language = language?;
    let content = Arc::clone(content);
    within(timeout, move |is_cancelled, tell| {
        reading::outline(&content.bytes, language, &query, is_cancelled, afterwards == Afterwards::GoOn, tell);
    })
}

/// For each of `lines`, on which declarations begin, the line on which what belongs to it begins: attributes, decorators
/// and comments directly above it. The line itself where the language has no grammar, or parsing takes too long.
pub fn heads(
    content: &Arc<Content>,
    language: Option<&'static Language>,
    query: OutlineQuery,
    timeout: Duration,
    lines: Vec<usize>,
) -> Vec<usize> {
    let (content, wanted) = (Arc::clone(content), lines.clone());
    let heads = within(timeout, move |is_cancelled, tell| {
        let heads = language.and_then(|language| reading::heads(&content.bytes, language, &query, is_cancelled, &wanted));
        heads.into_iter().for_each(tell);
    });
    heads.unwrap_or(lines)
}

/// Does `work` on a thread of its own, and answers what it told last in time; None where that is nothing.
fn within<R: Send + 'static>(timeout: Duration, work: impl FnOnce(&AtomicBool, &dyn Fn(R)) + Send + 'static) -> Option<R> {
    let deadline = Instant::now() + timeout;
    let (sender, receiver) = mpsc::channel();
    let cancelled = Arc::new(AtomicBool::new(false));
    let is_cancelled = Arc::clone(&cancelled);
    // Nobody listens any more after a timeout.
    let work = move || work(&is_cancelled, &|told| drop(sender.send(told)));
    // Not what the environment says: a match relies on it.
    let thread = std::thread::Builder::new().name("parse".to_owned()).stack_size(2 * MAX_STACK);
    thread.spawn(work).ok()?;
    let mut last = None;
    while let Ok(told) = receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        last = Some(told);
    }
    cancelled.store(true, Ordering::Relaxed);
    last
}
