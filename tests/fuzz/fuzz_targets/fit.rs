//! Any list of symbols, fitted and rendered. Each symbol is made of six bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use stk::outline::fit::Fit;
use stk::outline::{Outline, Parser, Symbol};
use stk::shape::Shape;

const KINDS: [&str; 6] = ["class", "function", "constant", "variable", "import", "heading"];

fuzz_target!(|data: &[u8]| {
    let (mut line, mut depth, mut lines) = (1_usize, 0_usize, 1_usize);
    let mut symbols = Vec::new();
    for piece in data.chunks_exact(6) {
        line += usize::from(piece[0]);
        depth = usize::from(piece[1]).min(if symbols.is_empty() { 0 } else { depth + 1 });
        let end_line = line + usize::from(piece[2]) * usize::from(piece[3]);
        lines = lines.max(end_line);
        let text = "sígnature of some length, ".repeat(usize::from(piece[4]) / 8);
        let name = text.chars().take(usize::from(piece[4])).collect::<String>();
        let kind = KINDS[usize::from(piece[5]) % KINDS.len()];
        symbols.push(Symbol { name, kind, line, end_line, depth, signature: text.trim_end().to_owned() });
    }
    for max_lines in [1, 2, 7, 80] {
        let fit = Fit::of(&symbols, max_lines);
        let mut all: Vec<_> = fit.rows.iter().chain(&fit.rest).copied().collect();
        all.sort_unstable();
        assert!(all.iter().copied().eq(0..symbols.len()), "each symbol is a row or in the rest, once");
        assert!(fit.rows.is_sorted() && fit.rest.is_sorted());
    }
    let bytes = lines as u64 * 30;
    let outline = Outline::of_symbols(Parser::TreeSitter, symbols);
    let shape = Shape { bytes, lines, ..Shape::default() };
    stk_fuzz::check_symbols(&outline, &shape);
    stk_fuzz::check_rendered(&outline, &shape);
});
