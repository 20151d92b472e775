//! The commands, one file each: thin, and the only place that prints.

pub mod config;
pub mod gain;
pub mod hook;
pub mod init;
pub mod languages;
pub mod outline;

use std::fmt;
use std::io;

use crate::cli::{Cli, Command};

/// Runs a command.
///
/// Errors: what the user is to read, as full sentences.
pub fn run(cli: Cli) -> Result<(), Failure> {
    match cli.command {
        Command::Hook { .. } => Ok(()),
        Command::Outline(args) => outline::run(&args),
        Command::Gain { format } => gain::run(format),
        Command::Init { format } => init::run(format),
        Command::Config => config::run(),
        Command::Languages { check: None } => languages::run(),
        Command::Languages { check: Some(file) } => languages::check(file.as_deref()),
    }
}

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// A sentence for the user.
    Message(String),
    /// Printing failed.
    Output(io::Error),
}

impl Failure {
    /// Whether nobody reads the output any more, which is no failure.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(message) => f.write_str(message),
            Self::Output(error) => write!(f, "the output cannot be written: {error}"),
        }
    }
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
