//! The program: parse, run, report, exit code.

use std::process::ExitCode;

use clap::Parser;
use stk::cli::Cli;
use stk::commands;

fn main() -> ExitCode {
    if let Some(code) = commands::hook::intercept(std::env::args_os()) {
        return code;
    }
    match commands::run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
