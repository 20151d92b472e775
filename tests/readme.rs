//! What README.md shows is what stk prints: each `$ stk …` in its `console` blocks is run, with nothing configured and nothing
//! recorded, in the folder of the project.
//!
//! A line of `…` stands for any lines, and one that ends with `…` for whatever begins so.
#![cfg(unix)]

mod common;

use std::path::Path;
use std::process::{Command, Stdio};

use common::root;

/// What prints what has happened before, or needs files that are not here.
const NOT_RUN: [&str; 3] = ["stk gain", "stk replay", "stk outline app.gleam"];

/// A command and the lines that are said to follow it.
struct Example<'r> {
    command: &'r str,
    lines: Vec<&'r str>,
}

fn examples(readme: &str) -> Vec<Example<'_>> {
    let mut examples: Vec<Example<'_>> = Vec::new();
    for block in readme.split("```console\n").skip(1) {
        for line in block.split("\n```").next().unwrap().lines() {
            match line.strip_prefix("$ ") {
                Some(command) => examples.push(Example { command, lines: Vec::new() }),
                None => examples.last_mut().expect("a block begins with a command").lines.push(line),
            }
        }
    }
    examples
}

/// Runs a command as a shell would, with the `stk` under test.
fn run(command: &str, home: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_stk")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    // What it writes goes into the empty home.
    let command = command.replace("> tags", "> \"$HOME/tags\"").replace("readtags ", "readtags -t \"$HOME/tags\" ");
    let output = Command::new("sh")
        .args(["-c", &command])
        .current_dir(root())
        .env_clear()
        .env("PATH", format!("{}:{path}", program.display()))
        .env("HOME", home)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Whether these lines are what was printed; else what is wrong.
fn compare(expected: &[&str], printed: &str) -> Result<(), String> {
    let mut printed = printed.lines().peekable();
    let mut is_anything = false;
    for line in expected {
        if line.trim() == "…" {
            is_anything = true;
            continue;
        }
        let is_same = |printed: &&str| *printed == *line || line.strip_suffix('…').is_some_and(|head| printed.starts_with(head));
        let found = if is_anything { printed.find(is_same) } else { printed.next().filter(is_same) };
        if found.is_none() {
            return Err(format!("not printed: {line}"));
        }
        is_anything = false;
    }
    match printed.next() {
        Some(line) if !is_anything => Err(format!("printed, but not shown: {line}")),
        _ => Ok(()),
    }
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--help").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

#[test]
fn the_readme_shows_what_is_printed() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let home = tempfile::tempdir().unwrap();
    let mut count = 0;
    let mut faults = Vec::new();
    for Example { command, lines } in examples(&readme) {
        if NOT_RUN.iter().any(|start| command.starts_with(start)) || command.contains("readtags") && !is_there("readtags") {
            continue;
        }
        count += 1;
        if let Err(fault) = compare(&lines, &run(command, home.path())) {
            faults.push(format!("$ {command}\n{fault}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count >= 10, "only {count} commands were found");
}

#[test]
fn a_line_that_is_not_printed_is_noticed() {
    assert!(compare(&["a", " …", "c"], "a\nb\nc\n").is_ok());
    assert!(compare(&["a", "long …"], "a\nlong line\n").is_ok());
    assert!(compare(&["a"], "a\nb\n").is_err());
    assert!(compare(&["a", "c"], "a\nb\nc\n").is_err());
    assert!(compare(&[" …", "d"], "a\nb\n").is_err());
}
