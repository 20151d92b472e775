//! Rules of the house that a search can keep.

mod common;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use common::{grammar_languages, root};

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in folder.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Facts about languages belong into `queries/`.
#[test]
fn no_node_name_of_a_grammar_occurs_in_the_source() {
    let grammars: Vec<_> = grammar_languages().map(|language| language.grammar().unwrap()).collect();
    let names: HashSet<&str> = grammars
        .iter()
        .flat_map(|grammar| (0..grammar.node_kind_count() as u16).filter_map(|id| grammar.node_kind_for_id(id)))
        // A name of one word is also English.
        .filter(|name| name.trim_matches('_').contains('_'))
        .collect();
    let mut files = Vec::new();
    rust_files(&root().join("src"), &mut files);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            for literal in line.split('"').skip(1).step_by(2) {
                assert!(!names.contains(literal), "{}:{}: \"{literal}\" is a node of a grammar", file.display(), number + 1);
            }
        }
    }
}
