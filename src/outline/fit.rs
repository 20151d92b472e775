//! The fit: which rows of an outline are shown when not all can be.
//!
//! A prefix would show the first third of a file. Here whole levels are kept from the outside in, and what is left out
//! stands in an index, many to a line, so that the last line of every file is reached.

use super::Symbol;

/// A container counts as a wrapper of its siblings when it holds this share of the lines that have symbols, in percent.
const WRAPPER_SHARE: usize = 80;

/// Wrappers inside each other that are looked through: a search for the next goes over the whole file.
const MAX_WRAPPERS: usize = 8;

/// What is shown of a list of symbols.
#[derive(Debug, PartialEq, Eq)]
pub struct Fit {
    /// Indices of the symbols that have a row of their own, in file order.
    pub rows: Vec<usize>,
    /// Indices of all others, in file order.
    pub rest: Vec<usize>,
    /// Lines that are left for the index of the rest.
    pub index_lines: usize,
}

impl Fit {
    /// Chooses at most `max_lines` lines (at least 1) of `symbols`.
    pub fn of(symbols: &[Symbol], max_lines: usize) -> Self {
        if symbols.len() <= max_lines {
            return Self { rows: (0..symbols.len()).collect(), rest: Vec::new(), index_lines: 0 };
        }
        let kept = (max_lines * 3 / 4).min(max_lines.saturating_sub(2)).max(1);
        let levels = levels(symbols);
        let mut order: Vec<usize> = (0..symbols.len()).collect();
        // Stable: inside a level, file order.
        order.sort_by_key(|&index| (gives_way(symbols, index), levels[index]));
        let mut rows = order[..kept].to_vec();
        let mut rest = order[kept..].to_vec();
        rows.sort_unstable();
        rest.sort_unstable();
        Self { rows, rest, index_lines: max_lines.saturating_sub(kept + 1) }
    }

    /// How many members of the symbol at `index` there are, where none of them has a row.
    pub fn hidden_members(&self, symbols: &[Symbol], index: usize) -> usize {
        let shown = self.rows.binary_search(&(index + 1)).is_ok();
        let inside = members(symbols, index);
        let any_shown = shown || inside.clone().any(|member| self.rows.binary_search(&member).is_ok());
        if any_shown { 0 } else { inside.filter(|&member| symbols[member].depth == symbols[index].depth + 1).count() }
    }
}

/// The symbols inside the one at `index`.
fn members(symbols: &[Symbol], index: usize) -> std::ops::Range<usize> {
    let depth = symbols[index].depth;
    let inside = symbols[index + 1..].iter().take_while(|symbol| symbol.depth > depth).count();
    index + 1..index + 1 + inside
}

/// Constants, variables and macros give way to all others, unless they hold some.
pub fn gives_way(symbols: &[Symbol], index: usize) -> bool {
    let symbol = &symbols[index];
    (symbol.is_value() || symbol.kind == "macro") && symbols.get(index + 1).is_none_or(|next| next.depth <= symbol.depth)
}

/// How important each symbol is: its depth, less the wrappers round it.
///
/// Markdown may begin at any depth, so the least one counts as the outermost.
pub fn levels(symbols: &[Symbol]) -> Vec<usize> {
    let outermost = symbols.iter().map(|symbol| symbol.depth).min().unwrap_or_default();
    let mut levels: Vec<usize> = symbols.iter().map(|symbol| symbol.depth - outermost).collect();
    let mut among = 0..symbols.len();
    for _ in 0..MAX_WRAPPERS {
        let Some(wrapper) = wrapper(symbols, among.clone()) else { break };
        among = members(symbols, wrapper);
        for member in among.clone() {
            levels[member] -= 1;
        }
    }
    levels
}

/// The one symbol at the top of `among` that holds nearly all of it.
fn wrapper(symbols: &[Symbol], among: std::ops::Range<usize>) -> Option<usize> {
    let depth = symbols[among.clone()].iter().map(|symbol| symbol.depth).min()?;
    let first = symbols[among.start].line;
    let last = symbols[among.clone()].iter().map(|symbol| symbol.end_line).max()?;
    let at_top = |index: &usize| symbols[*index].depth == depth;
    let widest = among.clone().filter(at_top).max_by_key(|&index| symbols[index].span())?;
    let share = symbols[widest].span() * 100 / (last + 1 - first);
    (share >= WRAPPER_SHARE && !members(symbols, widest).is_empty()).then_some(widest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(kind: &'static str, line: usize, end_line: usize, depth: usize) -> Symbol {
        Symbol { name: format!("s{line}"), kind, line, end_line, depth, signature: format!("{kind} s{line}") }
    }

    #[test]
    fn what_fits_is_shown_whole() {
        let symbols: Vec<_> = (1..=80).map(|n| symbol("function", n, n, 0)).collect();
        let fit = Fit::of(&symbols, 80);
        assert_eq!((fit.rows.len(), fit.rest.len()), (80, 0));
    }

    #[test]
    fn one_level_keeps_its_first_three_quarters() {
        let symbols: Vec<_> = (1..=100).map(|n| symbol("function", n, n, 0)).collect();
        let fit = Fit::of(&symbols, 80);
        assert_eq!(fit.rows, (0..60).collect::<Vec<_>>());
        assert_eq!((fit.rest.len(), fit.index_lines), (40, 19));
    }

    #[test]
    fn outer_levels_come_before_inner_ones() {
        let mut symbols = Vec::new();
        for class in 0..10 {
            let line = class * 10 + 1;
            symbols.push(symbol("class", line, line + 9, 0));
            symbols.extend((1..10).map(|n| symbol("method", line + n, line + n, 1)));
        }
        let fit = Fit::of(&symbols, 20);
        let classes: Vec<_> = fit.rows.iter().filter(|&&row| symbols[row].depth == 0).collect();
        assert_eq!(classes.len(), 10);
        assert_eq!(fit.rows.iter().filter(|&&row| symbols[row].depth == 1).copied().collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
        assert_eq!(fit.hidden_members(&symbols, 0), 0);
        assert_eq!(fit.hidden_members(&symbols, 90), 9);
    }

    #[test]
    fn values_give_way_and_a_wrapper_is_no_level() {
        let mut symbols = vec![symbol("module", 1, 200, 0)];
        symbols.extend((0..50).map(|n| symbol("constant", 2 + n, 2 + n, 1)));
        symbols.extend((0..10).map(|n| symbol("function", 60 + n * 10, 69 + n * 10, 1)));
        assert_eq!(levels(&symbols)[60], 0);
        let fit = Fit::of(&symbols, 16);
        let kinds: Vec<_> = fit.rows.iter().map(|&row| symbols[row].kind).collect();
        assert_eq!(kinds.iter().filter(|kind| **kind == "function").count(), 10);
        assert_eq!(kinds.iter().filter(|kind| **kind == "constant").count(), 1);
    }

    #[test]
    fn a_single_line_is_still_a_fit() {
        let symbols: Vec<_> = (1..=5).map(|n| symbol("function", n, n, 0)).collect();
        for max_lines in 1..5 {
            let fit = Fit::of(&symbols, max_lines);
            assert!(!fit.rows.is_empty() && fit.rows.len() + fit.rest.len() == 5, "{max_lines}");
        }
    }
}
