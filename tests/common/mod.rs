//! What several tests need: the fixtures, and the program itself.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test uses its part")]

use std::path::{Path, PathBuf};

use stk::language::{self, Language};

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The source files in `fixtures/<language>/`, sorted.
pub fn fixtures(language: &Language) -> Vec<PathBuf> {
    let folder = root().join("fixtures").join(language.name);
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).filter(|path| is_source(path)).collect();
    files.sort();
    files
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension != "outline")
}

pub fn grammar_languages() -> impl Iterator<Item = &'static Language> {
    language::all().iter().filter(|language| language.grammar().is_some())
}

pub fn parse(grammar: &tree_sitter::Language, source: &[u8]) -> tree_sitter::Tree {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(grammar).unwrap();
    parser.parse(source, None).unwrap()
}

/// Compares `actual` with the file `expected`, or writes it there when `UPDATE_EXPECT` is set. Ok(()) where they agree.
pub fn expect_file(expected: &Path, actual: &str) -> Result<(), String> {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(expected, actual).unwrap();
        return Ok(());
    }
    let shown = expected.strip_prefix(root()).unwrap_or(expected).display();
    let Ok(text) = std::fs::read_to_string(expected) else { return Err(format!("{shown} is missing")) };
    let text = text.replace("\r\n", "\n");
    if text == actual {
        return Ok(());
    }
    let line =
        text.lines().zip(actual.lines()).position(|(a, b)| a != b).unwrap_or(text.lines().count().min(actual.lines().count()));
    let at = |text: &str| text.lines().nth(line).unwrap_or("(end)").to_owned();
    Err(format!("{shown}:{}:\n  expected {}\n  got      {}", line + 1, at(&text), at(actual)))
}
