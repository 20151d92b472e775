//! Reading a file with its grammar: without what an outline does not show, and where there are errors, in other ways.
//!
//! Most files are read once, and only a part of them ([`skim`]). Grammars are not quite complete, though, and people
//! save files half-written; a parser that meets either may lose everything that follows. So a text with damage outside of
//! closed bodies is mended in the ways that its language knows ([`mend`]), and the best of its readings counts ([`again`]). How
//! one text is read, by one thread or several, stands in [`list`].

mod again;
mod list;
mod mend;
mod parse;
mod skim;
mod stand_ins;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::thread;

use memchr::memmem;
use tree_sitter::Language as Grammar;

use super::tree::{self, Listed};
use super::{Outline, Parser};
use crate::language::outline_query::OutlineQuery;
use crate::language::{Language, Preprocessor, SecondReading};
use crate::query::Query;
use list::{SHARE, spawn};
use mend::preprocessor::{Mended, Mender};
use mend::{preprocessor, stumbles};
use parse::{Source, without_marks};
use skim::Skim;
pub use stand_ins::{StandIn, stand_ins};

/// Bigger files (bytes) are read once, whatever the errors: parsing them again takes too long.
const LIMIT: usize = 512 * 1024;

/// Bigger files (bytes) are not parsed several times over where once will nearly do.
const MANY_PARSES: usize = 96 * 1024;

/// A file, and how it is read.
struct Reading<'a> {
    source: &'a [u8],
    language: &'static Language,
    grammar: Grammar,
    query: &'a Query<'a>,
    /// Whether the query is the user's own.
    has_own_query: bool,
    is_header: bool,
    is_cancelled: &'a AtomicBool,
    frees_memory: bool,
    /// At least so many bytes of a text are parsed by each of several threads.
    share: usize,
}

/// What was read of a text.
struct Read<'t> {
    text: Cow<'t, [u8]>,
    /// What is no part of a signature in it, in file order.
    gaps: Vec<Range<usize>>,
    listed: Listed,
}

/// Tells the outline of `bytes`: at once where the file reads without damage, else of one reading after the other, each
/// better than the one before. None: it cannot be read, and nothing was told.
///
/// Unless it `frees_memory`, trees are left to the end of the process: freeing one node by node takes longer than that.
pub(super) fn outline(
    bytes: &[u8],
    language: &'static Language,
    query: &OutlineQuery,
    is_cancelled: &AtomicBool,
    frees_memory: bool,
    tell: &dyn Fn(Outline),
) -> Option<()> {
    let source = without_marks(bytes);
    let grammar = language.grammar()?;
    let reading = Reading {
        source: &source,
        language,
        query: &Query::new(&query.text, &grammar, &query.file).ok()?,
        grammar,
        has_own_query: query.is_own,
        is_header: query.is_of_header,
        is_cancelled,
        frees_memory,
        share: SHARE,
    };
    let mut read = reading.first()?;
    let by_tree = |symbols| Outline::of_symbols(Parser::TreeSitter, symbols);
    if read.listed.damage > 0 && source.len() <= LIMIT {
        tell(by_tree(read.listed.symbols.clone()));
        let listed = reading.mended(read);
        let outline = reading.by_lines_alone(&listed);
        tell(outline.unwrap_or_else(|| by_tree(listed.symbols)));
        return Some(());
    }
    if read.listed.damage > 0 {
        reading.look_closer(&mut read);
    }
    tell(by_tree(read.listed.symbols));
    Some(())
}

/// For each of `lines`, on which declarations begin, the line on which what belongs to it begins.
pub(super) fn heads(
    bytes: &[u8],
    language: &Language,
    query: &OutlineQuery,
    is_cancelled: &AtomicBool,
    lines: &[usize],
) -> Option<Vec<usize>> {
    let source = without_marks(bytes);
    let grammar = language.grammar()?;
    let query = Query::new(&query.text, &grammar, &query.file).ok()?;
    let tree = Source::new(&source, &grammar, is_cancelled)?.whole()?;
    Some(tree::heads::heads(&tree, &query, &source, lines))
}

impl<'a> Reading<'a> {
    fn first(&self) -> Option<Read<'a>> {
        let source = Cow::Borrowed(self.source);
        match self.language.preprocessor {
            // Most files that may have macros have some: to parse them first as they are would be in vain.
            Some(preprocessor @ Preprocessor::Macros) => {
                let text = preprocessor::prepared(source, preprocessor);
                self.preprocessed(&text, preprocessor).or_else(|| self.read(text, Vec::new()))
            }
            Some(preprocessor) => self.read(preprocessor::prepared(source, preprocessor), Vec::new()),
            None => self.read(self.without_signs(), Vec::new()),
        }
    }

    /// The text without what its grammar is known to stumble over, where there are signs of it.
    fn without_signs(&self) -> Cow<'a, [u8]> {
        let second = self.language.second_reading.filter(|second| second.language == self.language.name);
        let has_sign =
            |second: &SecondReading| second.signs.iter().any(|sign| memmem::find(self.source, sign.as_bytes()).is_some());
        let text = second.filter(has_sign).and_then(|second| stumbles::overwritten(self.source, second.stumbles));
        text.map_or(Cow::Borrowed(self.source), Cow::Owned)
    }

    /// What is in a text without what its preprocessor takes away, of all choices that there are. None: it takes nothing.
    fn preprocessed(&self, text: &[u8], preprocessor: Preprocessor) -> Option<Read<'a>> {
        let mender = &Mender::new(text, preprocessor, &self.grammar);
        let (first, choices) = mender.first()?;
        let choices = if self.source.len() <= MANY_PARSES { choices } else { 1 };
        let read = |mended: Mended| self.read(Cow::Owned(mended.text), mended.left_out);
        thread::scope(|scope| {
            let choose = |choice| spawn(scope, move || read(mender.choose(choice)));
            let others: Vec<_> = (1..choices).map_while(choose).collect();
            let mut first = read(first)?;
            for other in others.into_iter().map_while(|other| other.join().ok()?) {
                preprocessor::merge(&mut first.listed.symbols, other.listed.symbols);
            }
            Some(first)
        })
    }

    /// What is in a text, of which only a part is parsed where that is enough. Its rows are worded as the source is.
    fn read<'t>(&self, text: Cow<'t, [u8]>, gaps: Vec<Range<usize>>) -> Option<Read<'t>> {
        let skim = self.language.lexis.map(|lexis| Skim::of(&text, lexis)).unwrap_or_default();
        let listed = if skim.left_out.is_empty() { None } else { self.list_skimmed(&text, skim, &gaps) };
        let listed = listed.or_else(|| self.list(&text, &gaps))?;
        Some(Read { text, gaps, listed })
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    /// Files of languages with a grammar: the fixtures, and those in the folder that STK_CORPUS names.
    pub(super) fn files() -> Vec<PathBuf> {
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")];
        folders.extend(std::env::var_os("STK_CORPUS").map(PathBuf::from));
        let mut files = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap().flatten() {
                let path = entry.path();
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        files.sort();
        files
    }
}
