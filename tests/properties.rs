//! What is true of the outline of any file, whatever its language: tried on every fixture that is in order.

mod common;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use common::fixtures;
use stk::file::Content;
use stk::language::outline_query::OutlineQuery;
use stk::language::{self, Language};
use stk::outline::{Outline, outline_of_many};

fn outline(source: &str, language: &'static Language, file: &Path) -> Outline {
    let name = file.file_name().unwrap().to_string_lossy();
    let query = OutlineQuery::built_in(language).of_file(language, &name);
    let content = Arc::new(Content::of(source.as_bytes().to_vec()));
    outline_of_many(&content, Some(language), query, Duration::from_secs(20))
}

/// Calls `check` with each fixture of a language with a grammar, its line ends those of Unix.
fn of_each_fixture(mut check: impl FnMut(&str, &'static Language, &Path)) {
    for language in language::all().iter().filter(|language| language.grammar().is_some()) {
        for file in fixtures(language) {
            let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).replace("\r\n", "\n");
            check(&text, language, &file);
        }
    }
}

/// Whether a fixture shows what becomes of a file with errors.
fn is_broken(file: &Path) -> bool {
    let name = file.file_name().unwrap().to_string_lossy().to_lowercase();
    ["broken", "cut_off", "error", "half_written", "unclosed", "unfinished"].iter().any(|word| name.contains(word))
}

#[test]
fn line_ends_of_two_bytes_make_no_difference() {
    of_each_fixture(|text, language, file| {
        let with_returns = outline(&text.replace('\n', "\r\n"), language, file);
        assert_eq!(outline(text, language, file).symbols, with_returns.symbols, "{}", file.display());
    });
}

#[test]
fn the_same_text_has_the_same_outline_again() {
    of_each_fixture(|text, language, file| {
        assert_eq!(outline(text, language, file).symbols, outline(text, language, file).symbols, "{}", file.display());
    });
}

#[test]
fn a_comment_at_the_end_changes_nothing() {
    of_each_fixture(|text, language, file| {
        let mark = if matches!(language.name, "python" | "ruby") { "#" } else { "//" };
        if is_broken(file) || language.name == "php" && !text.contains("<?php\n") {
            return;
        }
        let longer = format!("{}\n\n{mark} That is all, (or [is it {{?\n", text.trim_end());
        assert_eq!(outline(text, language, file).symbols, outline(&longer, language, file).symbols, "{}", file.display());
    });
}

#[test]
fn what_comes_later_changes_nothing_of_what_is_whole_before() {
    of_each_fixture(|text, language, file| {
        if is_broken(file) {
            return;
        }
        let all = outline(text, language, file).symbols;
        let ends: Vec<usize> = all.iter().filter(|symbol| symbol.depth == 0).map(|symbol| symbol.end_line).collect();
        for end in ends.iter().step_by(ends.len() / 6 + 1) {
            let whole: Vec<_> = all.iter().filter(|symbol| symbol.end_line <= *end).cloned().collect();
            let lies_across = all.iter().any(|symbol| symbol.line <= *end && symbol.end_line > *end);
            let before: String = text.split_inclusive('\n').take(*end).collect();
            // What stands in a function that is round the whole file is not whole without its end; nor is half a condition.
            let is_open = |opens: &str, closes: &str| before.matches(opens).count() != before.matches(closes).count();
            if lies_across || is_open("\n#if", "\n#endif") || is_open("{", "}") || is_open("(", ")") {
                continue;
            }
            let mut seen = outline(&before, language, file).symbols;
            seen.truncate(whole.len());
            assert_eq!(seen, whole, "{}, its first {end} lines", file.display());
        }
    });
}
