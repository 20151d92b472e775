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
use std::thread::{self, Scope, ScopedJoinHandle};

use memchr::memmem;
use tree_sitter::{Language as Grammar, Tree};

use super::tree::{self, Found, Listed, Text};
use super::{Outline, Parser, declarations};
use crate::language::outline_query::OutlineQuery;
use crate::language::{self, Language, Preprocessor, SecondReading};
use crate::query::{MAX_STACK, Query};
use mend::preprocessor::{Mended, Mender};
use mend::{bodies, layout, preprocessor, stumbles};
use parse::{Source, without_marks};
use skim::Skim;

/// Bigger files (bytes) are read once, whatever the errors: parsing them again takes too long.
const LIMIT: usize = 512 * 1024;

/// Bigger files (bytes) are not parsed several times over where once will nearly do.
const MANY_PARSES: usize = 96 * 1024;

/// Damage is light when at most one line in so many is damaged.
const LIGHT: usize = 100;

/// A thread has to have so many bytes to parse to be worth being started.
const SHARE: usize = 12 * 1024;

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

/// A text that may be parsed in place of another.
pub struct StandIn {
    /// As long as the other, with the same line ends.
    pub text: Vec<u8>,
    /// What is not parsed of it: in file order, none over another.
    pub left_out: Vec<Range<usize>>,
    /// What each of several threads does not parse of it; all of them together parse what one would.
    pub shares: Vec<Vec<Range<usize>>>,
}

/// Every text that may be parsed in place of one, as far as that can be told without a parse: for who holds them against what
/// is promised of all.
pub fn stand_ins(bytes: &[u8], language: &'static Language) -> Vec<StandIn> {
    let source = without_marks(bytes);
    let mut texts = vec![source.to_vec()];
    if let Some((preprocessor, grammar)) = language.preprocessor.zip(language.grammar()) {
        texts.push(preprocessor::prepared(Cow::Borrowed(&source), preprocessor).into_owned());
        let mender = Mender::new(&source, preprocessor, &grammar);
        let (first, choices) = mender.first().unzip();
        texts.extend(
            first.into_iter().chain((1..choices.unwrap_or(0)).map(|choice| mender.choose(choice))).map(|mended| mended.text),
        );
    }
    texts.extend(language.second_reading.and_then(|second| stumbles::overwritten(&source, second.stumbles)));
    texts.extend(language.lexis.and_then(|lexis| bodies::without_bodies(&source, lexis)));
    let skimmed = |text: Vec<u8>| {
        let skim = language.lexis.map(|lexis| Skim::of(&text, lexis)).unwrap_or_default();
        StandIn { text: skim.marked(&text).into_owned(), shares: skim.shares(text.len(), SHARE / 32), left_out: skim.left_out }
    };
    texts.into_iter().map(skimmed).collect()
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

    /// None: what may be left out cannot be told.
    fn list_skimmed(&self, text: &[u8], mut skim: Skim, gaps: &[Range<usize>]) -> Option<Listed> {
        let listed = self.list_without(text, &skim, gaps)?;
        if listed.open.is_empty() {
            return Some(listed);
        }
        skim.put_back(&listed.open);
        self.list_without(text, &skim, gaps).filter(|listed| listed.open.is_empty())
    }

    fn list_without(&self, text: &[u8], skim: &Skim, gaps: &[Range<usize>]) -> Option<Listed> {
        let marked = skim.marked(text);
        let asked = Text { source: self.source, is_header: self.is_header, skipped: &skim.left_out, gaps };
        let found = self.find_side_by_side(&marked, &skim.shares(text.len(), self.share), asked);
        Some(tree::list(found.or_else(|| self.find(&marked, &skim.left_out, asked))?, asked))
    }

    /// What is in the whole of a text.
    fn list(&self, text: &[u8], gaps: &[Range<usize>]) -> Option<Listed> {
        let asked = Text { source: self.source, is_header: self.is_header, skipped: &[], gaps };
        Some(tree::list(self.find(text, &[], asked)?, asked))
    }

    /// What several threads find in a text, of which each leaves out what others read. None: the shares do not fit together
    /// or are badly damaged, or there are none, so that one alone has to read it all.
    fn find_side_by_side<'s>(&self, text: &[u8], shares: &'s [Vec<Range<usize>>], asked: Text<'_>) -> Option<Found> {
        let find = |share: &'s [Range<usize>]| self.find(text, share, asked);
        let (first, others) = shares.split_first()?;
        thread::scope(|scope| {
            let start = |share: &'s Vec<Range<usize>>| spawn(scope, move || find(share));
            let others: Vec<_> = others.iter().map(start).collect();
            let first = find(first);
            let others = others.into_iter().map(|other| other?.join().ok()?);
            let found = Found::join(std::iter::once(first).chain(others).collect::<Option<Vec<_>>>()?)?;
            // What lies beyond a share may help to see where the damage ends.
            found.is_light().then_some(found)
        })
    }

    /// What is in a text, of which `left_out` is not parsed.
    fn find(&self, text: &[u8], left_out: &[Range<usize>], asked: Text<'_>) -> Option<Found> {
        let mut source = self.parser_of(text)?.without(left_out);
        let tree = source.whole()?;
        self.ask(tree, source, asked)
    }

    fn ask(&self, tree: Tree, mut source: Source<'_>, asked: Text<'_>) -> Option<Found> {
        let found = tree::find(&tree, self.query, asked, &mut |part| source.part(part));
        self.leave(tree);
        found
    }

    fn parser_of<'t>(&'t self, text: &'t [u8]) -> Option<Source<'t>> {
        Source::new(text, &self.grammar, self.is_cancelled)
    }

    fn leave(&self, tree: Tree) {
        if !self.frees_memory {
            std::mem::forget(tree);
        }
    }

    /// What the best reading finds of a text that `read` found damaged.
    fn mended(&self, read: Read<'a>) -> Listed {
        let second = self.language.second_reading.and_then(|second| Some((second, language::by_name(second.language)?)));
        let Some((second, language)) = second else { return self.mended_by_rule(read) };
        let text = stumbles::overwritten(&read.text, second.stumbles);
        let is_other = language.name != self.language.name;
        // Whoever has a query of their own for this language does not want another language's.
        if is_other && self.has_own_query || !is_other && text.is_none() {
            return self.mended_by_rule(read);
        }
        let text = text.unwrap_or_else(|| read.text.to_vec());
        let other_query;
        let query_of_other;
        let reading = if is_other {
            let Some(grammar) = language.grammar() else { return self.mended_by_rule(read) };
            other_query = OutlineQuery::usable(language);
            let Ok(query) = Query::new(&other_query.text, &grammar, &other_query.file) else { return self.mended_by_rule(read) };
            query_of_other = query;
            Reading { language, grammar, query: &query_of_other, ..*self }
        } else {
            Reading { grammar: self.grammar.clone(), ..*self }
        };
        match reading.read(Cow::Owned(text), Vec::new()).filter(|other| other.listed.damage < read.listed.damage) {
            Some(other) => reading.mended_by_rule(other),
            None => self.mended_by_rule(read),
        }
    }

    /// The same, by what is true of all texts: first what costs least.
    fn mended_by_rule(&self, mut read: Read<'a>) -> Listed {
        if read.listed.damage > 0
            && let Some(preprocessor) = self.language.preprocessor
            && let Some(other) = self.other_by_preprocessor(&read, preprocessor)
            && other.listed.is_better_than(&read.listed)
        {
            read = other;
        }
        // Here and there a line that the grammar does not know is no reason to parse all of it several times.
        if read.listed.damage == 0 || read.listed.is_light && read.listed.damage * LIGHT <= self.lines() {
            return read.listed;
        }
        if self.source.len() <= MANY_PARSES {
            self.look_closer(&mut read);
        }
        if read.listed.damage > 0
            && let Some(text) = self.language.lexis.and_then(|lexis| bodies::without_bodies(&read.text, lexis))
            && let Some(other) = self.read(Cow::Owned(text), Vec::new())
            && other.listed.damage < read.listed.damage
        {
            read = other;
        }
        let by_layout =
            if read.listed.damage > 0 && self.source.len() <= MANY_PARSES { self.read_by_layout(&read) } else { None };
        by_layout.unwrap_or(read.listed)
    }

    /// The text as it is where the preprocessor's work was read first, else that.
    fn other_by_preprocessor(&self, read: &Read<'_>, preprocessor: Preprocessor) -> Option<Read<'a>> {
        match preprocessor {
            Preprocessor::Conditionals => self.preprocessed(&read.text, preprocessor),
            Preprocessor::Macros if read.gaps.is_empty() && *read.text == *self.source => None,
            Preprocessor::Macros if read.listed.is_light => None,
            Preprocessor::Macros => self.read(preprocessor::prepared(Cow::Borrowed(self.source), preprocessor), Vec::new()),
        }
    }

    /// Parses what was left out too: where something is wrong, it may be the choice of what to leave out.
    fn look_closer(&self, read: &mut Read<'_>) {
        let listed = self.list(&read.text, &read.gaps);
        if let Some(listed) = listed.filter(|listed| listed.damage < read.listed.damage) {
            read.listed = listed;
        }
    }

    /// What is in the text with its brackets put right by its layout.
    fn read_by_layout(&self, read: &Read<'_>) -> Option<Listed> {
        let parse = |text: &[u8]| self.parser_of(text)?.whole();
        let (text, tree) = layout::mended(&read.text, &parse(&read.text)?, &parse)?;
        // Brackets were put in, so that positions are those of this text.
        let asked = Text { source: &text, is_header: self.is_header, ..Text::default() };
        let other = tree::list(self.ask(tree, self.parser_of(&text)?, asked)?, asked);
        let found = read.listed.symbols.len();
        // Fewer rows can be right, where locals were taken for globals; but not for a little less damage.
        (other.symbols.len() >= found || other.damage * 2 < read.listed.damage).then_some(other)
    }

    /// What the lines that look like declarations tell, where most of the text is damaged in spite of all and they tell as
    /// much.
    fn by_lines_alone(&self, listed: &Listed) -> Option<Outline> {
        if listed.damage * 2 <= self.lines() {
            return None;
        }
        let outline = declarations::outline(self.source, Some(self.language));
        (outline.symbols.len() >= listed.symbols.len()).then_some(outline)
    }

    fn lines(&self) -> usize {
        memchr::memchr_iter(b'\n', self.source).count()
    }
}

/// Does `work` on another thread, on which queries can be matched. None: there is none to be had.
fn spawn<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> R + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, R>> {
    thread::Builder::new().stack_size(2 * MAX_STACK).spawn_scoped(scope, work).ok()
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;

    /// Files of languages with a grammar: the fixtures, and those in the folder that STK_CORPUS names.
    fn files() -> Vec<PathBuf> {
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

    #[test]
    fn what_is_parsed_in_place_of_a_text_moves_nothing_in_it() {
        for path in files() {
            let bytes = std::fs::read(&path).unwrap();
            let Some(language) = language::of_file(&path.file_name().unwrap().to_string_lossy(), &bytes) else { continue };
            let line_ends: Vec<_> = memchr::memchr_iter(b'\n', &bytes).collect();
            for StandIn { text, left_out, shares } in stand_ins(&bytes, language) {
                assert_eq!(text.len(), bytes.len(), "{}", path.display());
                assert!(memchr::memchr_iter(b'\n', &text).eq(line_ends.iter().copied()), "{}", path.display());
                for parts in shares.iter().chain([&left_out]) {
                    assert!(parts.iter().all(|part| part.start < part.end && part.end <= text.len()), "{}", path.display());
                    assert!(parts.is_sorted_by(|a, b| a.end <= b.start), "{}", path.display());
                }
            }
        }
    }

    #[test]
    fn what_is_left_out_changes_no_outline() {
        let is_cancelled = AtomicBool::new(false);
        let mut skimmed_files = 0;
        let mut shared_files = 0;
        let mut faults = Vec::new();
        for path in files() {
            let bytes = std::fs::read(&path).unwrap();
            let language = language::of_file(&path.file_name().unwrap().to_string_lossy(), &bytes);
            let Some((language, grammar)) = language.and_then(|language| Some((language, language.grammar()?))) else { continue };
            let query = OutlineQuery::built_in(language);
            let source = without_marks(&bytes);
            let reading = Reading {
                source: &source,
                language,
                query: &Query::new(&query.text, &grammar, &query.file).unwrap(),
                grammar,
                has_own_query: false,
                is_header: false,
                is_cancelled: &is_cancelled,
                frees_memory: true,
                share: 1,
            };
            let skim = Skim::of(&source, language.lexis.unwrap());
            if skim.left_out.is_empty() {
                continue;
            }
            let asked = Text { source: &source, is_header: false, skipped: &skim.left_out, gaps: &[] };
            let shares = skim.shares(source.len(), 1);
            shared_files += usize::from(reading.find_side_by_side(&skim.marked(&source), &shares, asked).is_some());
            let Some(skimmed) = reading.list_skimmed(&source, skim, &[]) else { continue };
            let whole = reading.list(&source, &[]).unwrap();
            // Where something is wrong inside of a body, only who leaves it out may be right.
            if skimmed.damage == 0 && whole.damage == 0 {
                // What stands in a macro is listed only where it parses, which the less there is of it the better it does.
                let has_macros = query.text.contains("@injection.content");
                let lost = whole.symbols.iter().find(|symbol| !skimmed.symbols.contains(symbol));
                let added = skimmed.symbols.iter().find(|symbol| !has_macros && !whole.symbols.contains(symbol));
                if lost.is_some() || added.is_some() {
                    faults.push(format!("{}: lost {lost:?}, added {added:?}", path.display()));
                }
                skimmed_files += 1;
            }
        }
        assert!(faults.is_empty(), "{} of {skimmed_files} differ:\n{}", faults.len(), faults.join("\n"));
        assert!(skimmed_files > 30, "{skimmed_files}");
        assert!(shared_files > 20, "{shared_files}");
    }
}
