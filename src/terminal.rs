//! Terminals: whether one wants colours, how wide it is, and what must not reach it.
//!
//! File names and source are other people's text. On a terminal an escape sequence in them could repaint the screen, and
//! a bidi override show code in another order than it runs, so they pass through [`safe`] first. A pipe gets them as they
//! are: what reads it may need every byte.

use std::borrow::Cow;
use std::io::IsTerminal;

use unicode_width::UnicodeWidthChar;

use crate::cli::ColorWhen;
use crate::shown::{self, is_shown};

/// Narrower terminals are taken as this wide: below it nothing is readable anyway.
const MIN_WIDTH: usize = 20;

/// How standard output is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Screen {
    /// Whether escape sequences of our own are wanted.
    pub color: bool,
    /// Columns; None where standard output is no terminal, and nothing is cut.
    pub width: Option<usize>,
    /// Whether what is printed may end up on a terminal, so that it has to be safe for one.
    pub is_shown: bool,
}

impl Screen {
    /// Standard output, for a command that uses no colours.
    pub fn plain() -> Self {
        Self::of_stdout(ColorWhen::Never)
    }

    /// What standard output is, and what the user and the environment say about colours: `NO_COLOR`, `CLICOLOR`,
    /// `CLICOLOR_FORCE`, `TERM`.
    pub fn of_stdout(when: ColorWhen) -> Self {
        let stdout = std::io::stdout();
        let is_terminal = stdout.is_terminal();
        let color = match when {
            ColorWhen::Always => true,
            ColorWhen::Never => false,
            ColorWhen::Auto if anstyle_query::no_color() => false,
            ColorWhen::Auto if anstyle_query::clicolor_force() => true,
            ColorWhen::Auto => {
                let wanted = anstyle_query::clicolor();
                is_terminal && wanted.unwrap_or(true) && (anstyle_query::term_supports_ansi_color() || wanted == Some(true))
            }
        };
        // A Windows console has to be asked to understand colours; where it refuses, it gets none.
        let color = color && (!is_terminal || anstyle_query::windows::enable_ansi_colors().unwrap_or(true));
        let width = || terminal_size::terminal_size_of(&stdout).map(|(width, _)| usize::from(width.0).max(MIN_WIDTH));
        Self { color, width: is_terminal.then(width).flatten(), is_shown: is_terminal || color }
    }

    /// `text` as it may be printed here.
    pub fn shown<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_shown { safe(text) } else { Cow::Borrowed(text) }
    }

    /// Several lines as they may be printed here.
    pub fn shown_lines<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let lines = || text.split('\n').map(safe).collect::<Vec<_>>().join("\n");
        if self.is_shown { Cow::Owned(lines()) } else { Cow::Borrowed(text) }
    }

    /// `text` in a style, where colours are wanted.
    pub fn styled(&self, text: &str, style: anstyle::Style) -> String {
        if self.color && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

/// `text` without what a terminal would act on: all that may not be shown, but for tabs, stands as `\u{1b}`.
pub fn safe(text: &str) -> Cow<'_, str> {
    shown::escaped_but(text, |c| c == '\t' || is_shown(c))
}

/// The columns that a text takes; a tab counts as one.
pub fn columns(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(1)).sum()
}

/// `text` in at most `width` columns, the last an ellipsis where something was cut.
pub fn cut(text: &str, width: usize) -> Cow<'_, str> {
    if text.len() <= width || columns(text) <= width {
        return Cow::Borrowed(text);
    }
    let mut taken = 0;
    let end = text
        .char_indices()
        .find(|(_, c)| {
            taken += c.width().unwrap_or(1);
            taken + 1 > width
        })
        .map_or(text.len(), |(at, _)| at);
    Cow::Owned(format!("{}…", text[..end].trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_acts_on_passes() {
        assert_eq!(safe("plain\ttext é 漢"), "plain\ttext é 漢");
        assert_eq!(safe("a\u{1b}[31mb\rc\u{7}\u{9b}2J"), "a\\u{1b}[31mb\\u{d}c\\u{7}\\u{9b}2J");
        assert_eq!(safe("\u{202e}txt.exe\u{2066}\u{2028}\u{200b}"), "\\u{202e}txt.exe\\u{2066}\\u{2028}\\u{200b}");
    }

    #[test]
    fn columns_are_what_a_terminal_counts() {
        assert_eq!((columns("abc"), columns("漢字"), columns("e\u{301}")), (3, 4, 1));
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdef", 5), "abcd…");
        assert_eq!(cut("漢字漢字", 5), "漢字…");
        assert_eq!(cut("漢字漢字", 6), "漢字…");
        assert_eq!(cut("abc", 1), "…");
    }

    #[test]
    fn a_style_is_written_only_where_colours_are_wanted() {
        let bold = anstyle::Style::new().bold();
        assert_eq!(Screen::default().styled("x", bold), "x");
        assert_eq!(Screen { color: true, ..Screen::default() }.styled("x", bold), "\u{1b}[1mx\u{1b}[0m");
    }
}
