//! Overloads: a head that only says how a function may be called has no row where the function itself follows.

use super::Symbol;

/// Leaves out the heads (`true`) behind which, head by head, comes a symbol of the same name that is none.
///
/// Heads with nothing behind them stay, each a row: in a stub file they are all there is.
pub fn fold(symbols: Vec<(Symbol, bool)>) -> Vec<Symbol> {
    let is_row = are_rows(&symbols);
    symbols.into_iter().zip(is_row).filter_map(|((symbol, _), is_row)| is_row.then_some(symbol)).collect()
}

fn are_rows(symbols: &[(Symbol, bool)]) -> Vec<bool> {
    let mut is_row = vec![true; symbols.len()];
    // For each depth the sibling that follows, as seen from the end.
    let mut next: Vec<Option<usize>> = Vec::new();
    for (index, (symbol, is_head)) in symbols.iter().enumerate().rev() {
        next.resize(symbol.depth + 1, None);
        let follows = next[symbol.depth].is_some_and(|next| {
            let (other, is_head) = &symbols[next];
            other.name == symbol.name && !(*is_head && is_row[next])
        });
        is_row[index] = !(*is_head && follows);
        next[symbol.depth] = Some(index);
    }
    is_row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(name: &str, line: usize, depth: usize, is_head: bool) -> (Symbol, bool) {
        let name = name.to_owned();
        (Symbol { name, kind: "function", line, end_line: line, depth, signature: String::new() }, is_head)
    }

    #[test]
    fn heads_fold_into_the_function_and_stay_without_one() {
        let symbols = vec![
            symbol("pick", 1, 0, true),
            symbol("pick", 2, 0, true),
            symbol("pick", 3, 0, false),
            symbol("Box", 4, 0, false),
            symbol("get", 5, 1, true),
            symbol("get", 6, 1, false),
            symbol("put", 7, 1, true),
            symbol("put", 8, 1, true),
            symbol("put", 9, 0, false),
        ];
        let lines: Vec<_> = fold(symbols).iter().map(|symbol| symbol.line).collect();
        assert_eq!(lines, [3, 4, 6, 7, 8, 9]);
    }
}
