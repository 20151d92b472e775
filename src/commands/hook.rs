//! `stk hook claude`: exit 0, whatever happens. Claude Code takes exit 2, which is what a wrong argument commonly gives,
//! as "block this read".

use std::ffi::OsString;
use std::io::{stdin, stdout};
use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Command};
use crate::hook;
use crate::last_resort;

/// A disk or a standard input that does not answer must not hold a Read for ever: until then, and the read happens.
/// Claude Code itself waits for five seconds, and then shows an error. In seconds.
const DEADLINE: u32 = 4;

/// Handles `stk hook …` in all its forms; None: this is another command.
///
/// The one form that settings hold is known without asking clap, which takes longer than most decisions.
pub fn intercept(arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let arguments: Vec<_> = arguments.collect();
    if arguments.get(1)? != "hook" {
        return None;
    }
    last_resort::end_in_silence(DEADLINE);
    if arguments[2..] == ["claude"] {
        hook::run(stdin().lock(), stdout().lock());
        return Some(ExitCode::SUCCESS);
    }
    match Cli::try_parse_from(arguments) {
        Ok(Cli { command: Command::Hook { .. } }) => hook::run(stdin().lock(), stdout().lock()),
        Ok(_) => {}
        // Help is wanted on stdout; what is wrong with the arguments goes to stderr.
        Err(error) => drop(error.print()),
    }
    Some(ExitCode::SUCCESS)
}
