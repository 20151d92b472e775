//! Any text in any language, read without its grammar: piece by piece, as the texts that may be parsed in its place, and by its
//! declaration lines. The first byte says which language it is.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use stk::file::Content;
use stk::language::{self, Language};
use stk::lexis::Lexis;
use stk::lexis::scan::{Piece, PieceKind, Scanner, Stops};
use stk::outline::{StandIn, declarations, stand_ins};

/// More than any text of a few kilobytes takes, checked and not optimised as it is here.
const TOO_LONG: Duration = Duration::from_secs(2);

fn pieces(source: &[u8], lexis: &'static Lexis, stops: Stops) -> Vec<Piece> {
    let mut scanner = Scanner::new(source, lexis);
    std::iter::from_fn(|| scanner.next(stops)).collect()
}

/// Pieces are in order and apart, and it makes no difference to a piece which others are asked for.
fn check_pieces(source: &[u8], lexis: &'static Lexis) {
    let all = pieces(source, lexis, Stops::ALL);
    assert!(all.iter().all(|piece| piece.start < piece.end && piece.end <= source.len()), "{all:?}");
    assert!(all.is_sorted_by(|a, b| a.end <= b.start), "{all:?}");
    let is_span = |what| matches!(what, PieceKind::Comment | PieceKind::Literal | PieceKind::Directive);
    let is_bracket = |what| matches!(what, PieceKind::Open(_) | PieceKind::Close(_));
    let is_brace = |what| matches!(what, PieceKind::Open(b'{') | PieceKind::Close(b'}'));
    let some = |is_wanted: &dyn Fn(PieceKind) -> bool| -> Vec<Piece> {
        all.iter().copied().filter(|piece| is_span(piece.what) || is_wanted(piece.what)).collect()
    };
    assert_eq!(pieces(source, lexis, Stops::BRACES), some(&is_brace));
    assert_eq!(pieces(source, lexis, Stops::BRACKETS), some(&is_bracket));
    assert_eq!(pieces(source, lexis, Stops::LINES), some(&|what| is_bracket(what) || what == PieceKind::Newline));
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, bytes)) = data.split_first() else { return };
    let languages = language::all();
    let language = &languages[usize::from(choice & 0x7f) % languages.len()];
    stk_fuzz::in_time(TOO_LONG, || check(bytes, language));
});

fn check(bytes: &[u8], language: &'static Language) {
    if let Some(lexis) = language.lexis {
        check_pieces(bytes, lexis);
    }
    let line_ends = |text: &[u8]| -> Vec<usize> { (0..text.len()).filter(|&at| text[at] == b'\n').collect() };
    for StandIn { text, left_out, shares } in stand_ins(bytes, language) {
        assert_eq!(text.len(), bytes.len());
        assert_eq!(line_ends(&text), line_ends(bytes));
        for parts in shares.iter().chain([&left_out]) {
            assert!(parts.iter().all(|part| part.start < part.end && part.end <= text.len()), "{parts:?}");
            assert!(parts.is_sorted_by(|a, b| a.end <= b.start), "{parts:?}");
        }
        if !shares.is_empty() {
            let unread = |parts: &[std::ops::Range<usize>], at: usize| parts.iter().any(|part| part.contains(&at));
            let by_all = |at: &usize| shares.iter().all(|share| unread(share, *at));
            let lost = (0..text.len()).find(|at| by_all(at) && !unread(&left_out, *at));
            assert_eq!(lost, None, "no share has it: {shares:?}, {left_out:?}");
        }
    }
    let outline = declarations::outline(bytes, Some(language));
    stk_fuzz::check_symbols(&outline, &Content::of(bytes.to_vec()).shape);
}
