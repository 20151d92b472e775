//! Reading a file with its grammar: without what an outline does not show, and where there are errors, in other ways.
//!
//! Most files are read once, and only a part of them ([`skim`]). Grammars are not quite complete, though, and people
//! save files half-written; a parser that meets either may lose everything that follows. So a text with damage outside of
//! closed bodies is mended in the ways that its language knows ([`mend`]), and the best of its readings counts.

mod mend;
mod parse;
mod skim;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use tree_sitter::{Language as Grammar, Tree};

use super::Symbol;
use super::tree::{self, Listed, Text};
use crate::language::{self, Language};
use crate::outline_query::OutlineQuery;
use crate::query::Query;
use mend::{bodies, layout, preprocessor, stumbles};
use parse::{Source, without_marks};
use skim::Skim;

/// Bigger files (bytes) are read once, whatever the errors: parsing them again takes too long.
const LIMIT: usize = 512 * 1024;

/// A file, and how it is read.
struct Reading<'a> {
    source: &'a [u8],
    language: &'a Language,
    grammar: Grammar,
    query: &'a OutlineQuery,
    is_cancelled: &'a AtomicBool,
    frees_memory: bool,
}

/// What was read of a text.
struct Read<'t> {
    text: Cow<'t, [u8]>,
    /// What is no part of a signature in it, in file order.
    gaps: Vec<Range<usize>>,
    listed: Listed,
}

/// Tells the symbols in `bytes`: at once where the file reads without damage, else of one reading after the other, each
/// better than the one before. None: there is no more to tell.
///
/// Unless it `frees_memory`, trees are left to the end of the process: freeing one node by node takes longer than that.
pub(super) fn symbols(
    bytes: &[u8],
    language: &Language,
    query: &OutlineQuery,
    is_cancelled: &AtomicBool,
    frees_memory: bool,
    tell: &dyn Fn(Vec<Symbol>),
) -> Option<()> {
    let source = without_marks(bytes);
    let reading = Reading { source: &source, language, grammar: language.grammar()?, query, is_cancelled, frees_memory };
    let mut read = reading.first()?;
    let is_damaged = read.listed.damage > 0;
    if is_damaged && source.len() > LIMIT {
        reading.look_closer(&mut read);
    }
    tell(read.listed.symbols.clone());
    if is_damaged && source.len() <= LIMIT {
        tell(reading.mended(read));
    }
    None
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
        let text = match self.language.preprocessor {
            Some(preprocessor) => preprocessor::prepared(Cow::Borrowed(self.source), preprocessor),
            None => Cow::Borrowed(self.source),
        };
        self.read(text, Vec::new())
    }

    /// What is in a text, of which only a part is parsed where that is enough. Its rows are worded as the source is.
    fn read<'t>(&self, text: Cow<'t, [u8]>, gaps: Vec<Range<usize>>) -> Option<Read<'t>> {
        let query = self.query()?;
        let skim = self.language.lexis.map(|lexis| Skim::of(&text, lexis)).unwrap_or_default();
        let listed = if skim.left_out.is_empty() { None } else { self.list_skimmed(&text, &skim, &query, &gaps) };
        let listed = listed.or_else(|| self.list(&text, self.source, &query, &gaps))?;
        Some(Read { text, gaps, listed })
    }

    fn list_skimmed(&self, text: &[u8], skim: &Skim, query: &Query<'_>, gaps: &[Range<usize>]) -> Option<Listed> {
        let marked = skim.marked(text);
        let mut source = Source::new(&marked, &self.grammar, self.is_cancelled)?.without(&skim.left_out);
        let tree = source.whole()?;
        let asked = Text { source: self.source, is_header: self.query.is_of_header, skipped: &skim.left_out, gaps };
        let listed = tree::list(&tree, query, asked, &mut |part| source.part(part));
        self.leave(tree);
        listed
    }

    /// What is in the whole of a text. `wording`: what its rows are worded as.
    fn list(&self, text: &[u8], wording: &[u8], query: &Query<'_>, gaps: &[Range<usize>]) -> Option<Listed> {
        let mut source = Source::new(text, &self.grammar, self.is_cancelled)?;
        let tree = source.whole()?;
        let asked = Text { source: wording, is_header: self.query.is_of_header, skipped: &[], gaps };
        let listed = tree::list(&tree, query, asked, &mut |part| source.part(part));
        self.leave(tree);
        listed
    }

    fn query(&self) -> Option<Query<'_>> {
        Query::new(&self.query.text, &self.grammar, &self.query.file).ok()
    }

    fn leave(&self, tree: Tree) {
        if !self.frees_memory {
            std::mem::forget(tree);
        }
    }

    /// The symbols of the best reading of a text that `read` found damaged.
    fn mended(&self, read: Read<'_>) -> Vec<Symbol> {
        let second = self.language.second_reading.and_then(|second| Some((second, language::by_name(second.language)?)));
        let Some((second, language)) = second else { return self.mended_by_rule(read) };
        let text = stumbles::overwritten(&read.text, second.stumbles);
        let is_other = language.name != self.language.name;
        // Whoever has a query of their own for this language does not want another language's.
        if is_other && self.query.is_own || !is_other && text.is_none() {
            return self.mended_by_rule(read);
        }
        let other_query = is_other.then(|| OutlineQuery::usable(language));
        let query = other_query.as_ref().unwrap_or(self.query);
        let Some(grammar) = language.grammar() else { return self.mended_by_rule(read) };
        let reading = Reading { language, grammar, query, ..*self };
        let text = text.unwrap_or_else(|| read.text.to_vec());
        match reading.read(Cow::Owned(text), Vec::new()).filter(|other| other.listed.damage < read.listed.damage) {
            Some(other) => reading.mended_by_rule(other),
            None => self.mended_by_rule(read),
        }
    }

    /// The same, by what is true of all texts: first what costs least.
    fn mended_by_rule(&self, mut read: Read<'_>) -> Vec<Symbol> {
        if read.listed.damage > 0
            && let Some(preprocessor) = self.language.preprocessor
        {
            let mut is_better = false;
            for mended in preprocessor::mended(&read.text, preprocessor, &self.grammar) {
                let Some(other) = self.read(Cow::Owned(mended.text), mended.left_out) else { break };
                if is_better {
                    preprocessor::merge(&mut read.listed.symbols, other.listed.symbols);
                } else if other.listed.is_better_than(&read.listed) {
                    read = other;
                    is_better = true;
                }
            }
        }
        if read.listed.damage > 0 {
            self.look_closer(&mut read);
        }
        if read.listed.damage > 0
            && let Some(text) = self.language.lexis.and_then(|lexis| bodies::without_bodies(&read.text, lexis))
            && let Some(other) = self.read(Cow::Owned(text), Vec::new())
            && other.listed.damage < read.listed.damage
        {
            read = other;
        }
        let by_layout = if read.listed.damage > 0 { self.read_by_layout(&read) } else { None };
        by_layout.unwrap_or(read.listed.symbols)
    }

    /// Parses what was left out too: where something is wrong, it may be the choice of what to leave out.
    fn look_closer(&self, read: &mut Read<'_>) {
        let listed = self.query().and_then(|query| self.list(&read.text, self.source, &query, &read.gaps));
        if let Some(listed) = listed.filter(|listed| listed.damage < read.listed.damage) {
            read.listed = listed;
        }
    }

    /// The symbols of the text with its brackets put right by its layout.
    fn read_by_layout(&self, read: &Read<'_>) -> Option<Vec<Symbol>> {
        let parse = |text: &[u8]| Source::new(text, &self.grammar, self.is_cancelled)?.whole();
        let (text, _) = layout::mended(&read.text, &parse(&read.text)?, &parse)?;
        let other = self.list(&text, &text, &self.query()?, &[])?;
        let found = read.listed.symbols.len();
        // Fewer rows can be right, where locals were taken for globals; but not for a little less damage.
        (other.symbols.len() >= found || other.damage * 2 < read.listed.damage).then_some(other.symbols)
    }
}
