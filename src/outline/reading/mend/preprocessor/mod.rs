//! Repair: parsing that survives the preprocessor.
//!
//! A grammar reads the text before the preprocessor has, and loses its way in some places: a macro before a class's
//! name, an `#if` that splits a pair of braces. There the rest of the file may be lost with it. A text that did not parse
//! well is therefore looked through for such places, they are blanked, and it is parsed again. Blanks are as long as what
//! they replace and keep its newlines, so that every position stays what it was.

mod bodies;
mod conditionals;
mod directives;
mod macros;
mod shapes;
mod stream;
mod tokens;

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use tree_sitter::Language as Grammar;

use crate::language::Preprocessor;
use crate::outline::{self, Symbol};
use stream::Stream;
use tokens::{Keywords, Token};

/// How many texts are tried in place of one.
const MAX_CHOICES: usize = 3;

/// A text to parse in place of another.
pub(in crate::outline::reading) struct Mended {
    /// As long as the other, with the same newlines.
    pub(in crate::outline::reading) text: Vec<u8>,
    /// What the preprocessor takes away: its own lines, and branches that are not chosen. No part of a signature.
    pub(in crate::outline::reading) left_out: Vec<Range<usize>>,
}

/// The text as grammars can read it, whatever else is in it.
pub(in crate::outline::reading) fn prepared(source: Cow<'_, [u8]>, preprocessor: Preprocessor) -> Cow<'_, [u8]> {
    let gaps = if preprocessor == Preprocessor::Macros { directives::blanks_for_values(&source) } else { Vec::new() };
    if gaps.is_empty() {
        return source;
    }
    let mut text = source.into_owned();
    for gap in gaps {
        text[gap].fill(b'_');
    }
    Cow::Owned(text)
}

/// A text that texts are made of to be parsed in its place.
pub(in crate::outline::reading) struct Mender<'s> {
    source: &'s [u8],
    tokens: Vec<Token>,
    preprocessor: Preprocessor,
}

impl<'s> Mender<'s> {
    pub(in crate::outline::reading) fn new(source: &'s [u8], preprocessor: Preprocessor, grammar: &Grammar) -> Self {
        Self { source, tokens: tokens::of(source, preprocessor, &Keywords::of(grammar)), preprocessor }
    }

    /// The text without what can be mended, and in how many ways there is to choose: several where conditionals offer a
    /// choice between declarations that cannot stand side by side. None: nothing in it can be mended.
    pub(in crate::outline::reading) fn first(&self) -> Option<(Mended, usize)> {
        let (mended, choices) = self.mend(0);
        (mended.text != self.source).then_some((mended, choices.min(MAX_CHOICES)))
    }

    /// The text with the choice of that number, from 1 on.
    pub(in crate::outline::reading) fn choose(&self, choice: usize) -> Mended {
        self.mend(choice).0
    }

    /// The text with the choice of that number, and how many choices there are.
    fn mend(&self, choice: usize) -> (Mended, usize) {
        let mut text = self.source.to_vec();
        let decided = conditionals::decide(self.source, &self.tokens, choice).unwrap_or_default();
        for range in &decided.blanks {
            blank(&mut text[range.clone()]);
        }
        if self.preprocessor == Preprocessor::Macros {
            for range in directives::comments(self.source, &self.tokens) {
                blank(&mut text[range]);
            }
            let mut tokens = self.tokens.clone();
            for find in [macros::find, bodies::find] {
                tokens.retain(|token| !text[token.range().start].is_ascii_whitespace());
                let stream = Stream::new(self.source, tokens);
                for range in find(&stream) {
                    blank(&mut text[range]);
                }
                tokens = stream.tokens;
            }
        }
        (Mended { text, left_out: decided.blanks }, decided.choices)
    }
}

/// Adds what is only in `others` to `symbols`; both are in file order.
pub(in crate::outline::reading) fn merge(symbols: &mut Vec<Symbol>, others: Vec<Symbol>) {
    let known: HashSet<(usize, String)> = symbols.iter().map(|symbol| (symbol.line, symbol.name.clone())).collect();
    symbols.extend(others.into_iter().filter(|other| !known.contains(&(other.line, other.name.clone()))));
    outline::put_in_order(symbols);
}

/// White space in place of a text, its newlines kept.
fn blank(text: &mut [u8]) {
    text.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
}
