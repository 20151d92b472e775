//! The commands, one file each: thin, and the only place that prints.

pub mod completions;
pub mod config;
pub mod gain;
pub mod hook;
pub mod init;
pub mod languages;
pub mod man;
pub mod outline;
pub mod replay;
pub mod syntax_tree;

mod chart;
mod progress;

use std::io::{self, Read, Write};
use std::process::ExitCode;

use crate::cli::{Cli, Command};
use crate::config::Config;
use crate::language::Language;
use crate::language::known::Languages;
use crate::terminal;

/// Runs a command.
///
/// Errors: what the user is to read, as full sentences.
pub fn run(cli: Cli) -> Result<(), Failure> {
    match cli.command {
        Command::Hook { .. } => Ok(()),
        Command::Outline(args) => outline::run(&args),
        Command::Gain(args) => gain::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Config => config::run(),
        Command::Completions { shell } => completions::run(shell),
        Command::Man { command } => man::run(command.as_deref()),
        Command::Languages { tree: Some(file), lang, .. } => syntax_tree::run(&file, lang.as_deref()),
        Command::Languages { check: Some(file), .. } => languages::check(file.as_deref()),
        Command::Languages { .. } => languages::run(),
    }
}

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// A sentence for the user.
    Message(String),
    /// Arguments that do not go together: a sentence for the user.
    Usage(String),
    /// What failed has been told already; the rest was done.
    Told,
    /// Printing failed.
    Output(io::Error),
}

impl Failure {
    /// Tells the user on stderr, and says how the program ends. That nobody reads the output any more is no failure.
    pub fn report(&self) -> ExitCode {
        let (message, code) = match self {
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Self::Told => return ExitCode::FAILURE,
            Self::Message(message) => (message.clone(), ExitCode::FAILURE),
            Self::Usage(message) => (message.clone(), ExitCode::from(2)),
            Self::Output(error) => (format!("the output cannot be written: {error}"), ExitCode::FAILURE),
        };
        tell(&message);
        code
    }
}

/// Tells the user something on stderr, in which file names and pieces of source may stand.
fn tell(message: &str) {
    let lines: Vec<_> = message.lines().map(terminal::safe).collect();
    let _ = writeln!(io::stderr(), "stk: {}", lines.join("\n"));
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::Message(message)
    }
}

/// Standard input, whole. Errors: a full sentence.
fn standard_input() -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(|error| format!("standard input cannot be read: {error}"))?;
    Ok(bytes)
}

/// The languages, those of the user's own included. Errors: a full sentence, where the configuration does not read.
fn known_languages() -> Result<Languages, String> {
    Ok(Config::load_file().map_err(|error| error.to_string())?.languages)
}

/// The language that `--lang` names. Errors: a full sentence with the names that there are.
fn language_named(name: &str, languages: &Languages) -> Result<&'static Language, String> {
    languages.by_name(name).ok_or_else(|| {
        let known: Vec<_> = languages.names().collect();
        format!("--lang {name}: no such language; there are {}", known.join(", "))
    })
}
