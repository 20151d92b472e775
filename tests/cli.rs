//! The command line itself: help, completions, manual pages.

mod common;

use clap::{CommandFactory, Parser};
use common::Machine;
use stk::cli::Cli;

fn commands() -> Vec<String> {
    let stk = Cli::command();
    stk.get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

/// The command lines of stk in a text of examples, in words; comments, pipes and redirections left out.
fn examples(text: &str) -> Vec<Vec<String>> {
    let of_line = |line: &str| {
        let line = line.split(" | ").find(|part| part.trim().starts_with("stk "))?.trim();
        let line = ["  ", " > ", " >> "].iter().fold(line, |line, end| line.split(end).next().unwrap_or(line));
        Some(line.split_whitespace().map(|word| word.trim_matches('\'').to_owned()).collect())
    };
    text.lines().filter(|line| line.starts_with("  ")).filter_map(of_line).collect()
}

#[test]
fn every_command_has_examples_and_they_are_right() {
    let machine = Machine::new();
    let mut all = machine.run(&["--help"], b"").stdout;
    for command in commands() {
        let run = machine.run(&[&command, "--help"], b"");
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        assert!(run.stdout.contains("\nExample"), "{command}");
        let of_this = examples(run.stdout.split_once("\nExample").unwrap().1);
        assert!(of_this.iter().any(|words| words[1] == command), "{command}: {of_this:?}");
        all.push_str(&run.stdout);
    }
    let all = examples(&all);
    assert!(all.len() > 20);
    for words in all {
        Cli::try_parse_from(&words).unwrap_or_else(|error| panic!("{words:?}: {error}"));
    }
}

#[test]
fn completions_come_for_every_shell_and_name_every_command() {
    let machine = Machine::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = machine.run(&["completions", shell], b"");
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        for command in commands() {
            assert!(run.stdout.contains(&command), "{shell}: {command}");
        }
    }
    assert_eq!(machine.run(&["completions", "tcsh"], b"").code, Some(2));
}

#[test]
fn manual_pages_come_for_stk_and_for_every_command() {
    let machine = Machine::new();
    let page = machine.run(&["man"], b"").stdout;
    assert!(page.contains(".TH stk 1"), "{page}");
    for command in commands() {
        let name = command.replace('-', "\\-");
        assert!(page.contains(&format!("stk\\-{name}(1)")), "{command}");
        let run = machine.run(&["man", &command], b"");
        assert!(run.code == Some(0) && run.stdout.contains(&format!(".TH stk-{command} 1")), "{command}: {run:?}");
    }
    let run = machine.run(&["man", "unheard-of"], b"");
    assert!(run.code == Some(2) && run.stderr.starts_with("stk: stk has no command unheard-of; there are hook, "), "{run:?}");
}

#[cfg(unix)]
#[test]
fn a_pipe_that_nobody_reads_ends_every_command_quietly() {
    let machine = Machine::new();
    machine.write("project/a.rs", "fn f() {}\n");
    for arguments in ["outline a.rs", "outline .", "completions bash", "man", "languages", "config", "init", "gain"] {
        let script = format!("'{}' {arguments} | true; exit ${{PIPESTATUS[0]}}", env!("CARGO_BIN_EXE_stk"));
        let mut command = std::process::Command::new("bash");
        command.args(["-c", &script]).current_dir(machine.path("project"));
        for (name, value) in machine.command(&[]).get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        let output = command.output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments}");
        assert!(output.status.success(), "{arguments}");
    }
}
