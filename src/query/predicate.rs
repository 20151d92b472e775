//! Predicates: `(#eq? @name "main")` and its kin, checked when all nodes of a pattern are found.

use std::borrow::Cow;
use std::cell::OnceCell;

use regex::bytes::Regex;

use super::matching::Capture;

/// One condition on the text of captured nodes. As in tree-sitter, one that names a capture which caught nothing holds.
pub(super) struct Predicate<'q> {
    pub(super) capture: u8,
    pub(super) test: TextTest<'q>,
    /// False for `not-`.
    pub(super) positive: bool,
    /// False for `any-`: one node is enough where a capture caught several.
    pub(super) every: bool,
}

pub(super) enum TextTest<'q> {
    Equals(Cow<'q, str>),
    /// The text of another capture's nodes, pair by pair.
    SameAs(u8),
    OneOf(Vec<Cow<'q, str>>),
    /// Compiled when first needed: most files never ask.
    Matches(Cow<'q, str>, OnceCell<Option<Regex>>),
}

impl Predicate<'_> {
    /// Does it hold for these captures? `source` is the text that was parsed.
    pub(super) fn holds(&self, captures: &[Capture<'_>], source: &[u8]) -> bool {
        let texts = |of: u8| captures.iter().filter(move |c| c.index == of).map(|c| &source[c.node.byte_range()]);
        if let TextTest::SameAs(other) = self.test {
            let (mut left, mut right) = (texts(self.capture), texts(other));
            loop {
                match (left.next(), right.next()) {
                    (Some(a), Some(b)) if (a == b) == self.positive && !self.every => return true,
                    (Some(a), Some(b)) if (a == b) != self.positive && self.every => return false,
                    (Some(_), Some(_)) => {}
                    (None, None) => return true,
                    _ => return false,
                }
            }
        }
        for text in texts(self.capture) {
            let found = match &self.test {
                TextTest::Equals(value) => text == value.as_bytes(),
                TextTest::OneOf(values) => values.iter().any(|value| text == value.as_bytes()),
                TextTest::Matches(pattern, regex) => {
                    regex.get_or_init(|| Regex::new(pattern).ok()).as_ref().is_some_and(|regex| regex.is_match(text))
                }
                TextTest::SameAs(_) => unreachable!("handled above"),
            };
            if found != self.positive && self.every {
                return false;
            }
            if found == self.positive && !self.every {
                return true;
            }
        }
        true
    }
}
