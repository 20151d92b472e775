//! What words mean in a language, looked up by the word.

use crate::lexis::{Declarations, Rule};

/// Words are compared without regard to case up to this length; longer ones are no keywords.
const MAX_KEYWORD: usize = 32;

/// One meaning of a word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Modifier,
    Attribute,
    Continues,
    Reserved,
    /// Names what has no name.
    Anonymous,
    /// A colon may follow it: `public:`
    Label,
    /// Its braces belong to a type.
    Types,
    /// Begins a rule, by its number.
    Rule(usize),
}

/// The words of a language.
pub(super) struct Words {
    /// Sorted by word; of a word that begins several rules, the longer ones first.
    meanings: Vec<(&'static str, Meaning, &'static str)>,
    /// For each byte, where the words are that begin with it: up to the next one's.
    starts: [u16; 257],
    is_case_blind: bool,
}

impl Words {
    pub(super) fn of(declarations: &'static Declarations, is_case_blind: bool) -> Self {
        let mut meanings = Vec::with_capacity(160);
        let lists = [
            (declarations.modifiers, Meaning::Modifier),
            (declarations.attributes, Meaning::Attribute),
            (declarations.continued_by, Meaning::Continues),
            (declarations.reserved, Meaning::Reserved),
            (declarations.anonymous, Meaning::Anonymous),
            (declarations.labels, Meaning::Label),
            (declarations.typed_by, Meaning::Types),
        ];
        for (list, meaning) in lists {
            meanings.extend(list.split_ascii_whitespace().map(|word| (word, meaning, "")));
        }
        for (number, rule) in declarations.rules.iter().enumerate() {
            for phrase in phrases(rule) {
                let (word, rest) = phrase.split_once(' ').unwrap_or((phrase, ""));
                meanings.push((word, Meaning::Rule(number), rest));
            }
        }
        meanings.sort_by_key(|(word, _, rest)| (*word, std::cmp::Reverse(rest.len())));
        let mut starts = [0; 257];
        for (byte, start) in starts.iter_mut().enumerate() {
            *start = meanings.partition_point(|(word, ..)| usize::from(word.as_bytes()[0]) < byte) as u16;
        }
        Self { meanings, starts, is_case_blind }
    }

    /// What a word means, and for a rule what must follow.
    pub(super) fn meanings(&self, word: &[u8]) -> impl Iterator<Item = (Meaning, &'static str)> {
        let mut lower = [0; MAX_KEYWORD];
        let word = if self.is_case_blind && word.len() <= MAX_KEYWORD {
            let lower = &mut lower[..word.len()];
            lower.copy_from_slice(word);
            lower.make_ascii_lowercase();
            &*lower
        } else {
            word
        };
        let byte = word.first().map_or(0, |byte| usize::from(*byte));
        let same_start = &self.meanings[usize::from(self.starts[byte])..usize::from(self.starts[byte + 1])];
        let first = same_start.iter().position(|(known, ..)| known.as_bytes() == word).unwrap_or(same_start.len());
        let count = same_start[first..].iter().take_while(|(known, ..)| known.as_bytes() == word).count();
        same_start[first..first + count].iter().map(|(_, meaning, rest)| (*meaning, *rest))
    }

    pub(super) fn is(&self, word: &[u8], wanted: Meaning) -> bool {
        self.meanings(word).any(|(meaning, _)| meaning == wanted)
    }

    pub(super) fn begins_rule(&self, word: &[u8]) -> bool {
        self.meanings(word).any(|(meaning, _)| matches!(meaning, Meaning::Rule(_)))
    }

    /// Whether two words are the same in this language.
    pub(super) fn same(&self, word: &[u8], keyword: &str) -> bool {
        if self.is_case_blind { word.eq_ignore_ascii_case(keyword.as_bytes()) } else { word == keyword.as_bytes() }
    }

    /// Whether a word is in a list in which spaces stand between words; an empty one never is.
    pub(super) fn is_in(&self, list: &str, word: &[u8]) -> bool {
        !word.is_empty() && list.split(' ').any(|known| self.same(word, known))
    }
}

/// The ways in which a rule may begin.
pub(super) fn phrases(rule: &Rule) -> impl Iterator<Item = &'static str> + use<> {
    rule.words.split('|')
}
