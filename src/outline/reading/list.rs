//! What is in one text: parsed in part where that is enough, and by several threads where it is big.

use std::ops::Range;
use std::thread::{self, Scope, ScopedJoinHandle};

use tree_sitter::Tree;

use super::Reading;
use super::parse::Source;
use super::skim::Skim;
use crate::outline::tree::{self, Found, Listed, Text};
use crate::query::MAX_STACK;

/// A thread has to have so many bytes to parse to be worth being started.
pub(super) const SHARE: usize = 6 * 1024;

impl Reading<'_> {
    /// None: what may be left out cannot be told.
    pub(super) fn list_skimmed(&self, text: &[u8], mut skim: Skim, gaps: &[Range<usize>]) -> Option<Listed> {
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
    pub(super) fn list(&self, text: &[u8], gaps: &[Range<usize>]) -> Option<Listed> {
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

    pub(super) fn ask(&self, tree: Tree, mut source: Source<'_>, asked: Text<'_>) -> Option<Found> {
        let found = tree::find(&tree, self.query, asked, &mut |part| source.part(part));
        self.leave(tree);
        found
    }

    pub(super) fn parser_of<'t>(&'t self, text: &'t [u8]) -> Option<Source<'t>> {
        Source::new(text, &self.grammar, self.is_cancelled)
    }

    fn leave(&self, tree: Tree) {
        if !self.frees_memory {
            std::mem::forget(tree);
        }
    }
}

/// Does `work` on another thread, on which queries can be matched. None: there is none to be had.
pub(super) fn spawn<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> R + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, R>> {
    thread::Builder::new().stack_size(2 * MAX_STACK).spawn_scoped(scope, work).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::language;
    use crate::language::outline_query::OutlineQuery;
    use crate::outline::reading::parse::without_marks;
    use crate::outline::reading::tests::files;
    use crate::query::Query;

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
