//! The command line: types for clap, no logic.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use regex::Regex;

use crate::help;
use crate::savings::calendar::Since;

/// Session Token Killer: a line-numbered outline in place of a big file.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true, after_help = help::STK)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What stk can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Answer a coding agent's hook: JSON on stdin, JSON or nothing on stdout
    #[command(after_help = help::HOOK)]
    Hook {
        /// The client that calls
        host: Host,
    },
    /// List the symbols of files and folders, or of standard input
    #[command(after_help = help::OUTLINE)]
    Outline(OutlineArgs),
    /// Add up what was saved, and what it cost
    #[command(after_help = help::GAIN)]
    Gain(GainArgs),
    /// Say what stk would have saved in Claude Code's past sessions, from its own transcripts
    #[command(after_help = help::REPLAY)]
    Replay(ReplayArgs),
    /// Print the settings that install the hook; changes nothing
    #[command(after_help = help::INIT)]
    Init(InitArgs),
    /// Print the active configuration, and where each value comes from
    #[command(after_help = help::CONFIG)]
    Config,
    /// List the languages, what reads them, and where their queries come from
    #[command(after_help = help::LANGUAGES)]
    Languages {
        /// Build every query, or the one in FILE, and say what is wrong with it
        #[arg(long, value_name = "FILE", num_args = 0..=1)]
        check: Option<Option<PathBuf>>,
        /// Print the syntax tree of FILE, a node on each line, to write a query by
        #[arg(long, value_name = "FILE", conflicts_with = "check")]
        tree: Option<PathBuf>,
        /// Its language, where the name does not tell
        #[arg(long, value_name = "LANGUAGE", requires = "tree")]
        lang: Option<String>,
    },
    /// Print a script that completes stk's arguments in a shell
    #[command(after_help = help::COMPLETIONS)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page of stk, or of one of its commands
    #[command(after_help = help::MAN)]
    Man {
        /// The command; stk itself without one
        command: Option<String>,
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

/// What `stk gain` adds up.
#[derive(Debug, Args)]
pub struct GainArgs {
    /// Also split by this
    #[arg(long, value_enum)]
    pub by: Option<GainBy>,
    /// Only what was recorded since then: 7d, 24h, 2w, or a date such as 2026-11-01 (UTC)
    #[arg(long, value_name = "WHEN")]
    pub since: Option<Since>,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// When to use colours
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub color: ColorWhen,
}

/// By what `stk gain` splits its totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GainBy {
    /// Days, in UTC
    Day,
    /// Languages, as file names tell them
    Language,
    /// Files, those with the most first
    File,
}

/// What `stk replay` looks at.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// Where the transcripts are; without it where Claude Code keeps them
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Only reads since then: 30d, 24h, 2w, or a date such as 2026-11-01 (UTC)
    #[arg(long, value_name = "WHEN")]
    pub since: Option<Since>,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// When to use colours
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub color: ColorWhen,
}

/// What `stk init` prints.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// Say whether the hook is installed, once, and works
    #[arg(long)]
    pub check: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// How `stk outline` prints.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum OutlineFormat {
    /// A row a symbol
    #[default]
    Text,
    /// An object a file, each on its line
    Json,
    /// A tags file for vim, readtags and their like
    Ctags,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless NO_COLOR or CLICOLOR=0 is set
    #[default]
    Auto,
    /// Also into a file or a pipe
    Always,
    /// Never
    Never,
}

/// What `stk outline` lists, and how.
#[derive(Debug, Args)]
pub struct OutlineArgs {
    /// Files and folders; `-` for standard input. In a folder, hidden files, those that .gitignore and .ignore name,
    /// binary ones and those of no known language are left out
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The language of the files, whatever their names say; in a folder, only files of this language
    #[arg(long, value_name = "LANGUAGE")]
    pub lang: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: OutlineFormat,
    /// Only symbols of these kinds, such as class,function
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub kind: Vec<String>,
    /// Only symbols nested at most so deep; 1 is the outermost level
    #[arg(long, value_name = "LEVELS")]
    pub depth: Option<usize>,
    /// Only symbols whose name matches this regular expression
    #[arg(long, value_name = "REGEX")]
    pub name: Option<Regex>,
    /// At most so many lines for each file, chosen as the hook does
    #[arg(long, value_name = "LINES")]
    pub max_lines: Option<usize>,
    /// The source lines of the symbols of this name, such as run, Pipeline.run or flow::Pipeline::run, with the comments
    /// and attributes directly above them
    #[arg(long, value_name = "NAME", conflicts_with_all = ["kind", "depth", "name", "max_lines"])]
    pub symbol: Option<String>,
    /// The source lines of the innermost symbol round this line of a file
    #[arg(long, value_name = "LINE", value_parser = line_number, conflicts_with_all = ["symbol", "kind", "depth", "name", "max_lines"])]
    pub at: Option<usize>,
    /// When to use colours
    #[arg(long, value_name = "WHEN", value_enum, default_value_t)]
    pub color: ColorWhen,
}

fn line_number(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|line| *line > 0).ok_or_else(|| "lines are numbered from 1".to_owned())
}
