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

/// Every place in `src/` where one of `words` stands in the code, as `file:line`; what belongs to tests is left out.
fn places_of(words: &[&str]) -> Vec<String> {
    let mut files = Vec::new();
    rust_files(&root().join("src"), &mut files);
    let mut places = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let shown = file.strip_prefix(root()).unwrap().display().to_string().replace('\\', "/");
        for (number, line) in text.split("#[cfg(test)]").next().unwrap().lines().enumerate() {
            let code = line.split("//").next().unwrap();
            if words.iter().any(|word| code.contains(word)) {
                places.push(format!("{shown}:{}", number + 1));
            }
        }
    }
    places
}

#[test]
fn no_process_is_started_and_no_socket_is_opened() {
    let places = places_of(&["std::net", "net::", "UnixStream", "process::Command", "Command::new(\"", "Stdio::"]);
    assert!(places.is_empty(), "{places:?}");
}

#[test]
fn only_two_files_are_unsafe() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(manifest.contains("unsafe_code = \"deny\""), "the compiler refuses it everywhere");
    let allowed = places_of(&["unsafe_code"]);
    let files: Vec<_> = allowed.iter().map(|place| place.split(':').next().unwrap()).collect();
    assert!(
        matches!(
            files[..],
            ["src/language/library.rs", "src/last_resort.rs"] | ["src/last_resort.rs", "src/language/library.rs"]
        ),
        "{allowed:?}"
    );
}

/// What stands under `cfg(unix)` is there for macOS too, and is compiled there by its users first.
#[test]
fn what_is_unix_is_in_posix() {
    const POSIX: &[&str] = &[
        "O_NOFOLLOW",
        "O_NONBLOCK",
        "SA_ONSTACK",
        "SIGABRT",
        "SIGALRM",
        "SIGBUS",
        "SIGFPE",
        "SIGILL",
        "SIGSEGV",
        "SIGXCPU",
        "SIGXFSZ",
        "_exit",
        "alarm",
        "c_int",
        "geteuid",
        "sigaction",
    ];
    let places = places_of(&["os::linux", "os::android", "\"/proc", "\"/sys", "target_os = \"linux\"", "use libc"]);
    assert!(places.is_empty(), "{places:?}");
    let mut files = Vec::new();
    rust_files(&root().join("src"), &mut files);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for after in text.split("libc::").skip(1) {
            let name = after.split(|c: char| c != '_' && !c.is_alphanumeric()).next().unwrap();
            assert!(POSIX.contains(&name), "{}: libc::{name}: does macOS have it?", file.display());
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
