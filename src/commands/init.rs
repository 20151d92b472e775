//! `stk init`: how to install the hook. It edits nothing.

use std::io::{Write, stdout};

use super::Failure;
use crate::cli::Format;
use crate::hook::claude;

/// Prints the settings that install the hook, with the path of this very binary.
pub fn run(format: Format) -> Result<(), Failure> {
    let binary = std::env::current_exe().map_err(|error| format!("the path of this program cannot be told: {error}"))?;
    let settings =
        serde_json::to_string_pretty(&claude::settings(&command(&binary.to_string_lossy()))).map_err(std::io::Error::from)?;
    let mut out = stdout().lock();
    match format {
        Format::Json => writeln!(out, "{settings}")?,
        Format::Text => write!(
            out,
            "Merge this into ~/.claude/settings.json (for you, in every project), .claude/settings.json (for everyone in\n\
             this project) or .claude/settings.local.json (for you, in this project), then start Claude Code anew:\n\n\
             {settings}\n\n\
             To switch it off for a while: STK_DISABLE=1 in Claude Code's environment. To remove it: delete these lines.\n"
        )?,
    }
    Ok(())
}

/// The hook's command line: run by a POSIX shell, on Windows by Git Bash, which takes a backslash as its own.
fn command(binary: &str) -> String {
    let binary = if cfg!(windows) { binary.replace('\\', "/") } else { binary.to_owned() };
    let binary = binary.strip_prefix("//?/").unwrap_or(&binary);
    format!("'{}' hook claude", binary.replace('\'', r"'\''"))
}
