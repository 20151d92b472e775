//! The source of symbols that were asked for, line by line with the numbers.

use std::io::Write;

use super::paint;
use super::source::Outlined;
use crate::terminal::{Screen, safe};

/// The lines of each of `wanted` (in file order), from the comments and attributes directly above it to its end; a blank
/// line between. What lies inside another one is not shown twice.
pub(super) fn lines(outlined: &Outlined, wanted: &[usize], screen: &Screen) -> Vec<u8> {
    let firsts = outlined.first_lines(wanted);
    let lasts = wanted.iter().map(|&index| outlined.outline.symbols[index].end_line);
    let width = lasts.clone().max().unwrap_or(1).ilog10() as usize + 1;
    let mut out = Vec::new();
    let mut shown = 0;
    for (first, last) in firsts.into_iter().zip(lasts) {
        if last <= shown {
            continue;
        }
        if !out.is_empty() {
            out.push(b'\n');
        }
        let first = first.max(shown + 1);
        for (number, line) in (first..).zip(outlined.text_of(first, last)) {
            let number = screen.styled(&format!("{number:width$}"), paint::NUMBER);
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let _ = write!(out, "{number}  ");
            if screen.is_shown {
                out.extend_from_slice(safe(&String::from_utf8_lossy(line)).as_bytes());
            } else {
                out.extend_from_slice(line);
            }
            out.push(b'\n');
        }
        shown = last;
    }
    out
}
