//! Any text in any language with a grammar, as one whole tree, with its built-in query. The first byte says which
//! language it is, and by its highest bit whether it is a header.
#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use stk::file::Content;
use stk::language;
use stk::language::outline_query::OutlineQuery;
use stk::outline::{Outline, Parser, tree};
use stk::query::Query;

thread_local! {
    static PARSER: RefCell<tree_sitter::Parser> = RefCell::new(tree_sitter::Parser::new());
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, bytes)) = data.split_first() else { return };
    let languages: Vec<_> = language::all().iter().filter(|language| language.grammar().is_some()).collect();
    let language = languages[usize::from(choice & 0x7f) % languages.len()];
    let grammar = language.grammar().unwrap();
    let text = OutlineQuery::built_in(language);
    let query = Query::new(&text.text, &grammar, &text.file).unwrap();
    // As the outline does: a grammar takes a NUL for the end of the file.
    let bytes: Vec<u8> = bytes.iter().map(|&byte| if byte == 0 { b' ' } else { byte }).collect();
    let tree = PARSER.with_borrow_mut(|parser| {
        parser.set_language(&grammar).unwrap();
        parser.parse(&bytes, None)
    });
    let Some(tree) = tree else { return };
    let text = tree::Text { source: &bytes, is_header: choice > 0x7f, ..tree::Text::default() };
    let mut parse_part = |part| {
        PARSER.with_borrow_mut(|parser| {
            parser.set_included_ranges(&[part]).ok()?;
            let tree = parser.parse(&bytes, None);
            parser.set_included_ranges(&[]).ok()?;
            tree
        })
    };
    if let Some(listed) = tree::find(&tree, &query, text, &mut parse_part).map(|found| tree::list(found, text)) {
        stk_fuzz::check(&Outline::of_symbols(Parser::TreeSitter, listed.symbols), &Content::of(bytes));
    }
});
