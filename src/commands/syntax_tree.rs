//! `stk languages --tree`: the syntax tree of a file, to write a query by.
//!
//! A line is a node: the lines it takes, how deep it lies, its field and its kind as a query writes them, and the text of
//! what has no nodes inside it.

use std::io::{Write, stdout};
use std::path::Path;

use tree_sitter::{Node, Parser};

use super::{Failure, known_languages, language_named, standard_input};
use crate::language::Language;
use crate::shown::is_shown;

/// Characters that are shown of a node's text.
const MAX_TEXT: usize = 60;

/// Prints the tree of `file`, or of standard input where that is `-`.
///
/// Errors: the file cannot be read, or there is no grammar for its language.
pub fn run(file: &Path, language: Option<&str>) -> Result<(), Failure> {
    let shown = file.display();
    let source = if file == Path::new("-") {
        standard_input()?
    } else {
        std::fs::read(file).map_err(|error| format!("{shown}: cannot be read: {error}"))?
    };
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let languages = known_languages()?;
    let language = match language {
        Some(name) => Some(language_named(name, &languages)?),
        None => languages.of_file(&name, &source),
    };
    let grammar = language.map(Language::load_grammar).transpose()?.flatten();
    let grammar = grammar
        .ok_or_else(|| format!("{shown}: its language has no grammar; name one that has with --lang (see `stk languages`)"))?;
    let mut parser = Parser::new();
    parser.set_language(&grammar).map_err(|error| format!("{shown}: its grammar cannot be used: {error}"))?;
    let tree = parser.parse(&source, None).ok_or_else(|| format!("{shown}: cannot be parsed"))?;

    let mut out = stdout().lock();
    let width = (tree.root_node().end_position().row + 1).ilog10() as usize + 1;
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let (first, last) = (node.start_position().row + 1, node.end_position().row + 1);
        let lines = if first == last { String::new() } else { format!("-{last}") };
        let indent = cursor.depth() as usize * 2;
        let field = cursor.field_name().map(|field| format!("{field}: ")).unwrap_or_default();
        writeln!(out, "{first:>width$}{lines:<after$} {:indent$}{field}{}", "", described(node, &source), after = width + 1)?;
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(());
            }
        }
    }
}

/// `(kind)`, or `"text"` where a query needs quotes, and the text of a leaf.
fn described(node: Node<'_>, source: &[u8]) -> String {
    let kind = node.kind();
    if node.is_missing() {
        return format!("(MISSING {kind})");
    }
    if !node.is_named() {
        return format!("{kind:?}");
    }
    if node.child_count() > 0 {
        return format!("({kind})");
    }
    let text = String::from_utf8_lossy(&source[node.byte_range()]);
    let mut shown: String = text.chars().take(MAX_TEXT).map(|c| if is_shown(c) { c } else { ' ' }).collect();
    if text.chars().nth(MAX_TEXT).is_some() {
        shown.push('…');
    }
    format!("({kind}) {shown}")
}
