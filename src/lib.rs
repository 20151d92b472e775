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
//! - [`outline`]: what is in a file. [`outline::outline`] chooses the outliner; [`outline::tree`] makes symbols of a syntax
//!   tree and a query; [`outline::fit`] says which rows are shown when not all can be, [`outline::render`] writes them.
//! - [`query`]: tree-sitter's query language, read and matched here. What is a symbol in a language stands in
//!   `queries/<language>/outline.scm`, what the captures mean in `queries/README.md`.
//! - [`language`]: the table of languages, one row each; [`own_language`]: one of the user's own, [`languages`]: both.
//!   [`outline_query`]: the built-in query or the user's own.
//! - [`file`](mod@file) and [`shape`], [`session`], [`stats`], [`config`], [`places`], [`records`],
//!   [`installed`]: the rim, where the disk is. [`windows`] knows how paths are written there. [`last_resort`] is what the language
//!   cannot do, [`grammar_library`] loads a grammar that is not built in: the two places with `unsafe`.
//! - [`gain`]: the totals of the statistics. [`transcripts`] and [`replay`]: what would have been saved in sessions of before. [`calendar`]: days and moments.
//! - [`cli`], [`help`] and [`commands`]: the command line; all printing is there. [`walk`]: the files of a folder; [`in_order`]: work
//!   on many of them at once; [`terminal`]: colours and widths. [`shown`]: which characters of other people's text reach a
//!   terminal or a model.
//!
//! # Invariants
//!
//! 1. The hook never breaks a Read: any fault, timeout or panic ends in silence and exit 0.
//! 2. [`hook::decide`] does no I/O: it sees values, so each rule is one unit test.
//! 3. No grammar's node name occurs in Rust; a test searches for them.
//! 4. One process, one language, one query: nothing is built that the file in hand does not need.
//! 5. An outline always exists: where one outliner finds nothing, the next answers, and a text has first and last lines.

pub mod calendar;
pub mod cli;
pub mod commands;
pub mod config;
pub mod file;
pub mod gain;
pub mod grammar_library;
pub mod help;
pub mod hook;
pub mod in_order;
pub mod installed;
pub mod language;
pub mod languages;
pub mod last_resort;
pub mod lexis;
pub mod outline;
pub mod outline_query;
pub mod own_language;
pub mod places;
pub mod query;
pub mod records;
pub mod replay;
pub mod session;
pub mod shape;
pub mod shown;
pub mod stats;
pub mod terminal;
pub mod transcripts;
pub mod walk;
pub mod windows;
