//! `stk man`: manual pages, made from the definitions that parse the arguments.

use std::io::{Write, stdout};

use clap::CommandFactory;

use super::Failure;
use crate::cli::Cli;

/// Prints the page of stk, or of one of its commands.
pub fn run(command: Option<&str>) -> Result<(), Failure> {
    let mut stk = Cli::command();
    stk.build();
    let page = match command {
        None => clap_mangen::Man::new(stk),
        Some(name) => {
            let Some(command) = stk.find_subcommand(name) else {
                let known: Vec<_> = stk.get_subcommands().map(clap::Command::get_name).collect();
                return Err(Failure::Usage(format!("stk has no command {name}; there are {}", known.join(", "))));
            };
            clap_mangen::Man::new(command.clone())
        }
    };
    let mut text = Vec::new();
    page.render(&mut text)?;
    stdout().lock().write_all(&text)?;
    Ok(())
}
