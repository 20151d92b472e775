//! Every file in `fixtures/<language>/`, and in `fixtures/text/`, has the outline that stands beside it.
//!
//! `UPDATE_EXPECT=1 cargo test --test fixtures` writes these anew; review the diff.

mod common;

use std::process::Command;

use common::{expect_file, fixture_folders, fixtures, fixtures_in, root};

fn outline(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_stk")).arg("outline").args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_fixture_has_its_outline() {
    let mut faults = Vec::new();
    let mut count = 0;
    for folder in fixture_folders() {
        for file in fixtures_in(folder) {
            count += 1;
            let actual = outline(&[file.to_str().unwrap()]);
            let mut expected = file.clone().into_os_string();
            expected.push(".outline");
            faults.extend(expect_file(expected.as_ref(), &actual).err());
        }
    }
    assert!(faults.is_empty(), "{} of {count} differ:\n{}", faults.len(), faults.join("\n"));
    assert!(count > 0);
}

#[test]
fn every_expectation_has_its_fixture() {
    for folder in fixture_folders() {
        let Ok(entries) = root().join("fixtures").join(folder).read_dir() else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.extension().is_some_and(|extension| extension == "outline") {
                assert!(path.with_extension("").is_file(), "{} has no source", path.display());
            }
        }
    }
}

#[test]
fn every_language_without_a_grammar_has_a_fixture() {
    let has_grammar = |folder: &str| common::grammar_languages().any(|language| language.name == folder);
    for folder in fixture_folders().filter(|folder| !has_grammar(folder)) {
        assert!(!fixtures_in(folder).is_empty(), "fixtures/{folder} has none");
    }
    let folders = root().join("fixtures").read_dir().unwrap().map(|entry| entry.unwrap().file_name());
    for folder in folders {
        let mut known = fixture_folders().chain(common::OTHER_FIXTURES);
        assert!(known.any(|known| folder == known), "fixtures/{} is of no language", folder.display());
    }
}

#[test]
fn every_language_with_a_grammar_has_the_fixtures_it_needs() {
    for language in common::grammar_languages() {
        let files = fixtures(language);
        let sources: Vec<_> = files.iter().map(|file| std::fs::read(file).unwrap()).collect();
        let name = language.name;
        assert!(files.len() >= 5, "{name} has {} fixtures", files.len());
        assert!(sources.iter().any(|source| source.len() > 16 * 1024), "{name} has no fixture of more than 16 KB");
        assert!(sources.iter().any(|source| source.windows(2).any(|pair| pair == b"\r\n")), "{name} has none with CRLF");
        let grammar = language.grammar().unwrap();
        let has_error = |source: &Vec<u8>| common::parse(&grammar, source).root_node().has_error();
        assert!(sources.iter().any(has_error), "{name} has none with a syntax error");
    }
}
