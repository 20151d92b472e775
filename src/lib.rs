//! stk, Session Token Killer: an outline in place of a big file.
//!
//! Two users: an AI coding agent, whose client calls `stk hook claude` before each Read and shows the model a
//! line-numbered outline instead of a big file; and whoever asks `stk outline` what is in a file.
//!
//! ```text
//! stdin ─► hook::claude ─► hook::decide ─► allow: print nothing
//!            the host's      pure rules └► clamp: language ─► outline ─► fit, render ─► hook::reply ─► stdout
//!            own JSON                                          └ timeout, fault ─► declaration lines ─► plain text
//! stk outline FILE = language ─► outline ─► render          stk gain = stats ─► totals ─► print
//! ```
//!
//! # Where to find what
//!
//! - [`hook`]: the request, the decision, the reply. [`hook::claude`] alone knows what Claude Code sends and takes.
//! - [`outline`]: what is in a file. [`outline::outline`] chooses the outliner; `outline::reading` parses a file, leaves out
//!   what is not shown and mends what does not parse; [`outline::tree`] makes symbols of a syntax tree and a query;
//!   `outline::declarations`, `markdown` and `json` need no grammar; [`outline::fit`] says which rows are shown when not all
//!   can be, [`outline::render`] writes them.
//! - [`query`]: tree-sitter's query language, read and matched here. What is a symbol in a language stands in
//!   `queries/<language>/outline.scm`, what the captures mean in `queries/README.md`.
//! - [`language`]: the table of languages, one row each, and those of the user's own. [`lexis`]: how languages are written, as
//!   far as that can be told without a grammar.
//! - [`store`]: what is kept on disk. [`places`]: where, and whom to trust. [`file`](mod@file) and [`shape`]: what is read.
//!   [`config`]: the settings. [`installed`]: the hook in Claude Code's settings. [`windows`]: how paths are written there.
//! - [`savings`]: the totals, and what would have been saved.
//! - [`cli`], [`help`] and [`commands`]: the command line; all printing is there. [`walk`]: the files of a folder; [`in_order`]:
//!   work on many of them at once; [`terminal`]: colours and widths. [`shown`]: which characters of other people's text reach
//!   a terminal or a model.
//! - [`last_resort`]: what the language cannot do, and [`language::library`]: a grammar that is not built in. These two have
//!   the `unsafe` that there is.
//!
//! # Invariants
//!
//! 1. The hook never breaks a Read: any fault, timeout or panic ends in silence and exit 0.
//! 2. [`hook::decide`] does no I/O: it sees values, so each rule is one unit test.
//! 3. No grammar's node name occurs in Rust; a test searches for them.
//! 4. One process, one language, one query: nothing is built that the file in hand does not need.
//! 5. An outline always exists: where one outliner finds nothing, the next answers, and a text has first and last lines.

pub mod cli;
pub mod commands;
pub mod config;
pub mod file;
pub mod help;
pub mod hook;
pub mod in_order;
pub mod installed;
pub mod language;
pub mod last_resort;
pub mod lexis;
pub mod outline;
pub mod places;
pub mod query;
pub mod savings;
pub mod shape;
pub mod shown;
pub mod store;
pub mod terminal;
pub mod walk;
pub mod windows;
