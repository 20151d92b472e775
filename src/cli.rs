//! The command line: types for clap, no logic.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Session Token Killer: a line-numbered outline in place of a big file.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What stk can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Answer a coding agent's hook: JSON on stdin, JSON or nothing on stdout
    Hook {
        /// The client that calls
        host: Host,
    },
    /// List the symbols of files, or of standard input
    Outline(OutlineArgs),
    /// Add up what was saved, and what it cost
    Gain {
        /// How to print it
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Print the settings that install the hook; changes nothing
    Init {
        /// How to print it
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Print the active configuration, and where each value comes from
    Config,
    /// List the languages, what reads them, and where their queries come from
    Languages {
        /// Build every query, or the one in FILE, and say what is wrong with it
        #[arg(long, value_name = "FILE", num_args = 0..=1)]
        check: Option<Option<PathBuf>>,
    },
}

/// A client that has hooks.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Host {
    /// Claude Code
    Claude,
}

/// How to print.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

/// What `stk outline` lists, and how.
#[derive(Debug, Args)]
pub struct OutlineArgs {
    /// Files; `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The language, whatever the file's name says
    #[arg(long, value_name = "LANGUAGE")]
    pub lang: Option<String>,
    /// Text: a row a symbol. JSON: an object a file, each on its line
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Only symbols of these kinds, such as class,function
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub kind: Vec<String>,
    /// Only symbols nested at most so deep; 1 is the outermost level
    #[arg(long, value_name = "LEVELS")]
    pub depth: Option<usize>,
    /// At most so many lines for each file, chosen as the hook does
    #[arg(long, value_name = "LINES")]
    pub max_lines: Option<usize>,
}
