//! A damaged text, read again in other ways: the best of its readings counts.

use std::borrow::Cow;

use super::mend::{bodies, layout, preprocessor, stumbles};
use super::{MANY_PARSES, Read, Reading};
use crate::language::outline_query::OutlineQuery;
use crate::language::{self, Preprocessor};
use crate::outline::tree::{self, Listed, Text};
use crate::outline::{Outline, declarations};
use crate::query::Query;

/// Damage is light when at most one line in so many is damaged.
const LIGHT: usize = 100;

impl<'a> Reading<'a> {
    /// What the best reading finds of a text that `read` found damaged.
    pub(super) fn mended(&self, read: Read<'a>) -> Listed {
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
    pub(super) fn look_closer(&self, read: &mut Read<'_>) {
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
    pub(super) fn by_lines_alone(&self, listed: &Listed) -> Option<Outline> {
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
