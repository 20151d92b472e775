//! The rows of an outline: as they are into a pipe, painted on a terminal.

use super::paint;
use super::source::Outlined;
use crate::cli::OutlineArgs;
use crate::outline::render::{self, Budget};
use crate::terminal::Screen;

/// All rows, or as many as `--max-lines` allows.
pub(super) fn rows(outlined: &Outlined, args: &OutlineArgs, screen: &Screen) -> String {
    let outline = &outlined.outline;
    if args.name.is_some() && outline.symbols.is_empty() {
        return String::new();
    }
    let rows = match args.max_lines {
        Some(max_lines) => render::fitted(outline, outlined.lines(), max_lines, Budget::default()),
        None => render::whole(outline, outlined.lines()),
    };
    if screen.is_shown { paint::rows(&rows, &outline.symbols, screen) } else { rows }
}
