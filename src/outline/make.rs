//! Which outliner answers for a file, and what answers when it cannot. An outline always exists.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use tree_sitter::{ParseOptions, Parser as TreeSitterParser, Tree};

use super::{Outline, Parser, Symbol, declarations, json, markdown, text, tree};
use crate::file::Content;
use crate::language::{Language, Reader};
use crate::outline_query::OutlineQuery;
use crate::query::Query;

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
        // First of all: a value out of JSON is never shown, whatever its size or shape.
        Some(Reader::Json { by_line }) => json::outline(bytes, by_line, content.is_whole()),
        _ if !content.is_whole() => text::outline_of_parts(content),
        _ if content.shape.is_minified() => text::outline(bytes),
        Some(Reader::Markdown) => or_text(markdown::outline(bytes), bytes),
        Some(Reader::TreeSitter { .. }) => match parse(afterwards, content, language, query, timeout) {
            Some(symbols) if !symbols.is_empty() => Outline::of_symbols(Parser::TreeSitter, symbols),
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
) -> Option<Vec<Symbol>> {
    let language = language?;
    let content = Arc::clone(content);
    within(timeout, move |is_cancelled| {
        let (symbols, tree) = with_tree(&content.bytes, language, &query, is_cancelled, tree::symbols)?;
        if afterwards == Afterwards::End {
            std::mem::forget(tree);
        }
        symbols
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
    let heads = within(timeout, move |is_cancelled| {
        let heads = |tree: &Tree, query: &Query<'_>, source: &[u8]| tree::heads(tree, query, source, &wanted);
        with_tree(&content.bytes, language?, &query, is_cancelled, heads).map(|(heads, _)| heads)
    });
    heads.unwrap_or(lines)
}

/// Does `work` on a thread of its own; None where it takes too long.
fn within<R: Send + 'static>(timeout: Duration, work: impl FnOnce(&AtomicBool) -> Option<R> + Send + 'static) -> Option<R> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let cancelled = Arc::new(AtomicBool::new(false));
    let is_cancelled = Arc::clone(&cancelled);
    // Nobody listens any more after a timeout.
    let work = move || drop(sender.send(work(&is_cancelled)));
    std::thread::Builder::new().name("parse".to_owned()).spawn(work).ok()?;
    let result = receiver.recv_timeout(timeout);
    cancelled.store(true, Ordering::Relaxed);
    result.ok().flatten()
}

/// What `look` sees in the tree of a text, and the tree.
fn with_tree<R>(
    bytes: &[u8],
    language: &Language,
    query: &OutlineQuery,
    is_cancelled: &AtomicBool,
    look: impl FnOnce(&Tree, &Query<'_>, &[u8]) -> R,
) -> Option<(R, Tree)> {
    let grammar = language.grammar()?;
    let query = Query::new(&query.text, &grammar, &query.file).ok()?;
    let bytes = without_marks(bytes);
    let tree = parse_tree(&bytes, &grammar, is_cancelled)?;
    Some((look(&tree, &query, &bytes), tree))
}

/// The syntax tree of a text; None where it was cancelled.
fn parse_tree(bytes: &[u8], grammar: &tree_sitter::Language, is_cancelled: &AtomicBool) -> Option<Tree> {
    let mut parser = TreeSitterParser::new();
    parser.set_language(grammar).ok()?;
    let mut stop = |_: &_| if is_cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let options = ParseOptions::new().progress_callback(&mut stop);
    parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options))
}

/// The text with spaces for a byte order mark and for NUL bytes, at which grammars see the end of the file.
fn without_marks(bytes: &[u8]) -> Cow<'_, [u8]> {
    const BOM: &[u8] = b"\xef\xbb\xbf";
    let marked = bytes.starts_with(BOM);
    if !marked && memchr::memchr(0, bytes).is_none() {
        return Cow::Borrowed(bytes);
    }
    let mut owned = bytes.to_vec();
    if marked {
        owned[..BOM.len()].fill(b' ');
    }
    owned.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = b' ');
    Cow::Owned(owned)
}
