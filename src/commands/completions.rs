//! `stk completions SHELL`: a script that completes stk's arguments, made from the definitions that parse them.

use std::io::{Write, stdout};

use clap::CommandFactory;
use clap_complete::Shell;

use super::Failure;
use crate::cli::Cli;

/// Prints the script.
pub fn run(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "stk", &mut script);
    stdout().lock().write_all(&script)?;
    Ok(())
}
