//! Imports: a run of them is one row.

use super::Symbol;

/// The kind of an import's row.
pub const KIND: &str = "import";

/// Folds each run of neighbouring imports into one symbol, with the lines they take; so too one of several lines.
pub fn fold(symbols: Vec<Symbol>) -> Vec<Symbol> {
    let mut folded: Vec<Symbol> = Vec::with_capacity(symbols.len());
    let mut lines = 0;
    for symbol in symbols {
        let is_import = symbol.kind == KIND;
        match folded.last_mut() {
            Some(run) if is_import && run.kind == KIND && run.depth == symbol.depth => {
                lines += symbol.span();
                run.end_line = run.end_line.max(symbol.end_line);
            }
            _ => {
                lines = symbol.span();
                folded.push(symbol);
            }
        }
        if let Some(run) = folded.last_mut().filter(|_| is_import && lines > 1) {
            let word = run.signature.trim_start_matches('(').split([' ', '(']).next().unwrap_or(KIND);
            run.signature = format!("{word} ... ({lines} import lines)");
            KIND.clone_into(&mut run.name);
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(kind: &'static str, line: usize, end_line: usize, depth: usize) -> Symbol {
        Symbol { name: String::new(), kind, line, end_line, depth, signature: format!("use a{line}") }
    }

    #[test]
    fn neighbours_fold_and_others_do_not() {
        let rows = [
            symbol(KIND, 1, 1, 0),
            symbol(KIND, 2, 4, 0),
            symbol(KIND, 9, 9, 0),
            symbol("module", 10, 20, 0),
            symbol(KIND, 11, 11, 1),
            symbol(KIND, 30, 30, 0),
            symbol(KIND, 31, 31, 0),
        ];
        let folded = fold(rows.to_vec());
        let seen: Vec<_> = folded.iter().map(|symbol| (symbol.line, symbol.end_line, symbol.signature.as_str())).collect();
        assert_eq!(
            seen,
            [(1, 9, "use ... (5 import lines)"), (10, 20, "use a10"), (11, 11, "use a11"), (30, 31, "use ... (2 import lines)"),]
        );
    }
}
