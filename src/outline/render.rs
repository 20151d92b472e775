//! Outlines as text: `  40  export interface Config  [31]`.

use std::borrow::Cow;
use std::fmt::Write;

use super::fit::{Fit, levels};
use super::{Outline, Parser, Symbol, signature, text};

/// Widths (characters) to which signatures are cut, the widest first; the first at which an outline fits is taken.
const WIDTHS: [usize; 9] = [120, 100, 80, 64, 52, 44, 32, 20, 8];
/// Below this width signatures are cut only to keep within a hard limit.
const READABLE_WIDTH: usize = 44;

/// Characters in a line of the index, about.
const INDEX_WIDTH: usize = 110;
/// Characters of a name in the index.
const INDEX_NAME: usize = 40;

/// How many bytes a fitted outline may have.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Signatures are shortened to come down to this.
    pub target: usize,
    /// The index of what was left out keeps below this.
    pub index: usize,
    /// Never more.
    pub limit: usize,
}

impl Default for Budget {
    /// For an outline that stands alone: what a reply has, its own sentences apart.
    fn default() -> Self {
        Self { target: 2_000, index: 3_500, limit: 7_600 }
    }
}

/// Every symbol, a row each; `lines` is the number of lines in the file.
pub fn whole(outline: &Outline, lines: usize) -> String {
    let mut out = String::new();
    let width = number_width(outline, lines);
    for symbol in &outline.symbols {
        row(&mut out, symbol, width, signature::MAX_WIDTH, 0);
    }
    finish(out, outline, lines, width, usize::MAX)
}

/// The outline in at most `max_lines` lines and within `budget`.
pub fn fitted(outline: &Outline, lines: usize, max_lines: usize, budget: Budget) -> String {
    let symbols = &outline.symbols;
    let fit = Fit::of(symbols, max_lines);
    let width = number_width(outline, lines);
    let members: Vec<usize> =
        fit.rows.iter().map(|&row| if fit.rest.is_empty() { 0 } else { fit.hidden_members(symbols, row) }).collect();
    let mut out = String::new();
    for signature_width in WIDTHS {
        out.clear();
        for (&index, &members) in fit.rows.iter().zip(&members) {
            row(&mut out, &symbols[index], width, signature_width, members);
        }
        let wanted = if signature_width > READABLE_WIDTH { budget.target } else { budget.limit * 3 / 4 };
        if out.len() <= wanted {
            break;
        }
    }
    if !fit.rest.is_empty() {
        let _ = writeln!(out, "{:width$}  … (+{} more entries)", "", fit.rest.len());
        let room = budget.index.max(out.len() + 400).min(budget.limit).saturating_sub(out.len());
        index(&mut out, symbols, &fit, width, room);
    }
    finish(out, outline, lines, width, max_lines)
}

fn row(out: &mut String, symbol: &Symbol, width: usize, signature_width: usize, hidden_members: usize) {
    let indent = symbol.depth * 2;
    let text = signature::cut(&symbol.signature, signature_width);
    let _ = write!(out, "{:width$}  {:indent$}{text}", symbol.line, "");
    if hidden_members > 0 {
        let _ = write!(out, "  ({hidden_members} members)");
    }
    if symbol.span() > 1 {
        let _ = write!(out, "  [{}]", symbol.span());
    }
    out.push('\n');
}

/// Samples, notes and what can be said of the whole.
fn finish(mut out: String, outline: &Outline, lines: usize, width: usize, max_lines: usize) -> String {
    let mut shown = 0;
    // Two lines are for what is not shown and for the count; where there is little room, the beginning has more of it.
    let samples = outline.sample.len().min(max_lines.saturating_sub(2).max(1));
    let first = (samples * text::SHOWN.0).div_ceil(text::SHOWN.0 + text::SHOWN.1);
    let last = outline.sample.len() - (samples - first);
    for sample in outline.sample[..first].iter().chain(&outline.sample[last..]) {
        if sample.line > shown + 1 {
            let _ = writeln!(out, "{:width$}  … ({} lines not shown)", "", sample.line - shown - 1);
        }
        let _ = writeln!(out, "{:width$}  {}", sample.line, sample.text);
        shown = sample.line;
    }
    if outline.parser == Parser::Text {
        let _ = writeln!(out, "{lines} lines in all");
    }
    for note in &outline.notes {
        let _ = writeln!(out, "{note}");
    }
    out
}

fn number_width(outline: &Outline, lines: usize) -> usize {
    let largest = outline.symbols.iter().map(|symbol| symbol.line).max();
    let largest = largest.or(outline.sample.last().map(|sample| sample.line)).unwrap_or(lines);
    largest.max(1).ilog10() as usize + 1
}

/// `LINE name · LINE name` of what has no row, in at most `room` bytes.
fn index(out: &mut String, symbols: &[Symbol], fit: &Fit, width: usize, room: usize) {
    let entries: Vec<String> = fit.rest.iter().map(|&rest| index_entry(&symbols[rest])).collect();
    let levels = levels(symbols);
    let outermost: Vec<bool> = fit.rest.iter().map(|&rest| levels[rest] == 0 && !symbols[rest].is_value()).collect();
    let mut bytes = room;
    // Lines break between entries, so that the bytes that fit are not known beforehand: try, and take less.
    loop {
        let chosen = spread(&entries, &outermost, bytes);
        let lines = pack(&chosen.iter().map(|&entry| entries[entry].as_str()).collect::<Vec<_>>());
        let size: usize = lines.iter().map(|line| line.len() + width + 3).sum();
        if lines.len() <= fit.index_lines && size <= room || chosen.len() <= 1 {
            for line in lines.iter().take(fit.index_lines) {
                let _ = writeln!(out, "{:width$}  {line}", "");
            }
            return;
        }
        bytes = bytes * 19 / 20;
    }
}

fn index_entry(symbol: &Symbol) -> String {
    let name = match symbol.name.trim() {
        "" => Cow::Borrowed(symbol.kind),
        name => signature::cut(name, INDEX_NAME),
    };
    format!("{} {}", symbol.line, name.replace('·', "."))
}

/// Chooses entries that together have at most `bytes`: all, or some spread evenly up to the last, and with what is
/// left of the room those of the outermost level.
fn spread(entries: &[String], outermost: &[bool], bytes: usize) -> Vec<usize> {
    let cost = |entry: usize| entries[entry].len() + " · ".len();
    let total: usize = (0..entries.len()).map(cost).sum();
    if total <= bytes {
        return (0..entries.len()).collect();
    }
    let mut chosen = vec![false; entries.len()];
    let mut left = bytes;
    let mut take = |chosen: &mut Vec<bool>, wanted: &[usize], room: usize| {
        let room = room.min(left);
        let wanted_bytes: usize = wanted.iter().map(|&entry| cost(entry)).sum();
        let count = (wanted.len() * room / wanted_bytes.max(1)).min(wanted.len());
        for n in 0..count {
            // The last one is always among them.
            let entry = wanted[wanted.len() - 1 - n * wanted.len() / count];
            if !chosen[entry] && cost(entry) <= left {
                chosen[entry] = true;
                left -= cost(entry);
            }
        }
    };
    let all: Vec<usize> = (0..entries.len()).collect();
    let top: Vec<usize> = all.iter().copied().filter(|&entry| outermost[entry]).collect();
    if top.len() < all.len() {
        take(&mut chosen, &all, bytes * 6 / 10);
        let top: Vec<usize> = top.into_iter().filter(|&entry| !chosen[entry]).collect();
        take(&mut chosen, &top, bytes);
        let others: Vec<usize> = all.into_iter().filter(|&entry| !chosen[entry]).collect();
        take(&mut chosen, &others, bytes);
    } else {
        take(&mut chosen, &all, bytes);
    }
    (0..entries.len()).filter(|&entry| chosen[entry]).collect()
}

fn pack(entries: &[&str]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for entry in entries {
        match lines.last_mut() {
            Some(line) if line.chars().count() + entry.chars().count() + 3 <= INDEX_WIDTH => {
                line.push_str(" · ");
                line.push_str(entry);
            }
            _ => lines.push((*entry).to_owned()),
        }
    }
    lines
}

/// A size for people: 1024 bytes to the KB, one decimal unless it is whole.
pub fn kilobytes(bytes: u64) -> String {
    if bytes.is_multiple_of(1024) {
        return format!("{} KB", bytes / 1024);
    }
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    let size = bytes as f64 / 1024.0;
    format!("{size:.1} KB")
}
