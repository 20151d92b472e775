//! Declaration lines: the outline of languages without a grammar, and of all others where parsing takes too long.
//!
//! A text is read once, by the facts of its language ([`crate::lexis`]): strings and comments are out of the way, blocks are
//! known by braces or by how far lines are indented, and the head of each statement tells what it declares.

mod braces;
mod elements;
mod head;
mod lines;
mod lists;
mod names;
mod parts;
mod read;
mod sections;
mod shapes;
mod statements;
mod typed;
mod words;

use super::{Outline, Parser, Symbol, imports};
use crate::language::Language;
use crate::lexis::{Blocks, Lexis};
use crate::shown::is_shown;

/// The outline of a text by its declaration lines; empty where nothing is known of its language.
pub fn outline(source: &[u8], language: Option<&'static Language>) -> Outline {
    let lexis = language.and_then(|language| language.lexis);
    let mut symbols = lexis.map_or_else(Vec::new, |lexis| of_lexis(source, lexis));
    for symbol in &mut symbols {
        // A name may be a string of several lines.
        if symbol.name.contains(|c| !is_shown(c)) {
            symbol.name = symbol.name.split_whitespace().collect::<Vec<_>>().join(" ").replace(|c| !is_shown(c), "");
        }
    }
    // A head may go on behind a line for the preprocessor that has a row of its own.
    if !symbols.is_sorted_by_key(|symbol| symbol.line) {
        super::put_in_order(&mut symbols);
    }
    Outline::of_symbols(Parser::Regex, imports::fold(symbols))
}

/// The symbols of a text that is written so.
fn of_lexis(source: &[u8], lexis: &'static Lexis) -> Vec<Symbol> {
    match lexis.blocks {
        Blocks::Braces { newline_ends } => braces::symbols(source, lexis, newline_ends),
        Blocks::Lines(facts) => lines::symbols(source, lexis, facts),
        Blocks::Lists => lists::symbols(source, lexis),
        Blocks::Sections => sections::symbols(source, lexis),
        Blocks::Statements(ref facts) => statements::symbols(source, lexis, facts),
        Blocks::Elements { script } => elements::symbols(source, script),
    }
}

#[cfg(test)]
mod tests {
    use crate::language;

    #[test]
    fn a_head_comes_before_the_macros_that_stand_in_it() {
        let source = b"int f(int a)\n#define A 1\n{\n}\nint g() {\n}\n";
        let outline = super::outline(source, language::by_name("objective-c"));
        let rows: Vec<_> = outline.symbols.iter().map(|symbol| (symbol.name.as_str(), symbol.line, symbol.end_line)).collect();
        assert_eq!(rows, [("f", 1, 4), ("A", 2, 2), ("g", 5, 6)]);
    }

    #[test]
    fn a_name_in_quotes_may_stand_behind_modifiers() {
        let source = b"CREATE TABLE IF NOT EXISTS `shop`.`orders` (\n  id int\n);\ncreate unique index if not exists \"by_day\" on orders (day);\n";
        let outline = super::outline(source, language::by_name("sql"));
        let names: Vec<_> = outline.symbols.iter().map(|symbol| symbol.name.as_str()).collect();
        assert_eq!(names, ["shop.orders", "by_day"]);
    }
}
