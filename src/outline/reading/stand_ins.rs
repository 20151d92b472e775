//! Every text that may be parsed in place of one, for who holds them against what is promised of all.

use std::borrow::Cow;
use std::ops::Range;

use super::list::SHARE;
use super::mend::preprocessor::{self, Mender};
use super::mend::{bodies, stumbles};
use super::parse::without_marks;
use super::skim::Skim;
use crate::language::Language;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language;
    use crate::outline::reading::tests::files;

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
}
