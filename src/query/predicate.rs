//! Predicates: `(#eq? @name "main")` and its kin, checked when all nodes of a pattern are found.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex::bytes::Regex;

use super::matching::Capture;

/// Bytes of text that are looked at in the time in which two nodes are compared.
const BYTES_COMPARED: usize = 16;

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
    Matches(Cow<'q, str>, OnceLock<Option<Regex>>),
}

impl Predicate<'_> {
    /// Can it still hold when more nodes are captured? Only what costs little is looked at.
    pub(super) fn may_hold(&self, captures: &[Capture<'_>], source: &[u8]) -> bool {
        let texts = |of: u8| captures.iter().filter(move |c| c.index == of).map(|c| &source[c.node.byte_range()]);
        !self.every
            || match &self.test {
                TextTest::SameAs(other) => texts(self.capture).zip(texts(*other)).all(|(a, b)| (a == b) == self.positive),
                TextTest::Equals(value) => texts(self.capture).all(|text| (text == value.as_bytes()) == self.positive),
                TextTest::OneOf(values) => {
                    texts(self.capture).all(|text| values.iter().any(|value| text == value.as_bytes()) == self.positive)
                }
                TextTest::Matches(..) => true,
            }
    }

    /// What it costs to look whether it holds, in comparisons of nodes, about.
    pub(super) fn cost(&self, captures: &[Capture<'_>]) -> u64 {
        let texts = || captures.iter().filter(|c| c.index == self.capture).map(|c| c.node.byte_range().len());
        let looks = match &self.test {
            TextTest::Equals(value) => texts().count() * (1 + value.len() / BYTES_COMPARED),
            TextTest::OneOf(values) => texts().count() * values.len(),
            TextTest::SameAs(_) | TextTest::Matches(..) => texts().sum::<usize>() / BYTES_COMPARED,
        };
        (captures.len() + looks) as u64
    }

    /// The same for [`Self::may_hold`].
    pub(super) fn cost_to_go_on(&self, captures: &[Capture<'_>]) -> u64 {
        if !self.every || matches!(self.test, TextTest::Matches(..)) { 0 } else { self.cost(captures) }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_predicate_is_given_up_once_it_cannot_hold_any_more() {
        let source = b"a; b; a;";
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&crate::language::by_name("javascript").unwrap().grammar().unwrap()).unwrap();
        let tree = parser.parse(source, None).unwrap();
        let capture =
            |index: u8, at: usize| Capture { index, node: tree.root_node().descendant_for_byte_range(at, at + 1).unwrap() };
        let predicate = |test, every| Predicate { capture: 0, test, positive: true, every };
        let (same, any) = (predicate(TextTest::SameAs(1), true), predicate(TextTest::SameAs(1), false));
        assert!(same.may_hold(&[capture(0, 0)], source));
        assert!(same.may_hold(&[capture(0, 0), capture(1, 6)], source));
        assert!(!same.may_hold(&[capture(0, 0), capture(1, 3)], source));
        assert!(any.may_hold(&[capture(0, 0), capture(1, 3)], source));
        assert!(!predicate(TextTest::Equals("b".into()), true).may_hold(&[capture(0, 0)], source));
    }
}
