//! Outlines as text: `  40  export interface Config  [31]`.

use std::borrow::Cow;
use std::fmt::Write;

use super::fit::{Fit, gives_way, levels};
use super::{Outline, Parser, Symbol, signature, text};

/// Widths (characters) to which signatures are cut, the widest first; the first at which an outline fits is taken.
const WIDTHS: [usize; 10] = [120, 100, 80, 64, 52, 44, 36, 28, 18, 8];
/// Below this width signatures are cut only to keep within a hard limit.
const READABLE_WIDTH: usize = 36;

/// Levels that are set off from each other; what lies deeper stands below them, so that no row is mere white space.
const MAX_LEVELS: usize = 16;

/// Bytes in a line of the index, more only where the lines do not suffice.
const INDEX_WIDTH: usize = 110;
/// Between its entries.
const BETWEEN: &str = " · ";
/// What the index has room for of inner levels, however long it is; bytes.
const MIN_INNER: usize = 300;
/// Of how many entries of the outermost level on an index is a crowd in which nothing is found, and how many bytes beyond
/// what is comfortable it then has.
const CROWD: (usize, usize) = (300, 1_400);
/// Characters of a name in the index.
const INDEX_NAME: usize = 40;

/// How many bytes a fitted outline may have.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Signatures are shortened to come down to this.
    pub target: usize,
    /// The index of what was left out keeps below this, unless what it leaves out is of the outermost level.
    pub index: usize,
    /// Never more.
    pub limit: usize,
}

impl Default for Budget {
    /// For an outline that stands alone: what a reply has, its own sentences apart.
    fn default() -> Self {
        Self { target: 2_000, index: 2_200, limit: 7_400 }
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
    let mut max_lines = max_lines.max(1);
    let mut rounds = 0;
    loop {
        let text = fitted_to_lines(outline, lines, max_lines, budget);
        // A user may ask for more lines than there is room for.
        if text.len() <= budget.limit || max_lines == 1 {
            return text;
        }
        max_lines = fewer(max_lines, budget.limit, text.len(), rounds);
        rounds += 1;
    }
}

/// How many lines to try after so many rounds, where `max_lines` of them had too many `bytes`. Each round takes twice as
/// many away as the one before at least, so that there are few.
fn fewer(max_lines: usize, limit: usize, bytes: usize, rounds: u32) -> usize {
    let in_proportion = max_lines.saturating_mul(limit) / bytes;
    in_proportion.min(max_lines.saturating_sub(1 << rounds.min(32))).max(1)
}

fn fitted_to_lines(outline: &Outline, lines: usize, max_lines: usize, budget: Budget) -> String {
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
        let room = |bytes: usize| bytes.saturating_sub(out.len());
        let rooms = (room(budget.index), room(budget.limit));
        index(&mut out, symbols, &fit, width, rooms);
    }
    finish(out, outline, lines, width, max_lines)
}

fn row(out: &mut String, symbol: &Symbol, width: usize, signature_width: usize, hidden_members: usize) {
    let indent = symbol.depth.min(MAX_LEVELS) * 2;
    let text = signature::cut_round_name(&symbol.signature, &symbol.name, signature_width);
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

/// `LINE name · LINE name` of what has no row: in at most `room` bytes all that is of the outermost level, and of what is
/// inside of it as much as stays within `comfort` bytes, the last line of the file in any case.
fn index(out: &mut String, symbols: &[Symbol], fit: &Fit, width: usize, (comfort, room): (usize, usize)) {
    let entries: Vec<String> = fit.rest.iter().map(|&rest| index_entry(&symbols[rest])).collect();
    let levels = levels(symbols);
    let (outer, inner): (Vec<usize>, Vec<usize>) =
        (0..entries.len()).partition(|&entry| levels[fit.rest[entry]] == 0 && !gives_way(symbols, fit.rest[entry]));
    let room = if outer.len() > CROWD.0 { room.min(comfort + CROWD.1) } else { room };
    // Each line has its indentation, and an entry that would go over its end begins the next.
    let room = room.saturating_sub(fit.index_lines * (width + INDEX_NAME)).max(room / 2);
    let cost = |entry: usize| entries[entry].len() + BETWEEN.len();
    let mut chosen = spread(&outer, cost, room);
    let used: usize = chosen.iter().map(|&entry| cost(entry)).sum();
    let left = comfort.saturating_sub(used).max(room.saturating_sub(used).min(MIN_INNER));
    chosen.extend(spread(&inner, cost, left));
    chosen.sort_unstable();
    let bytes: usize = chosen.iter().map(|&entry| cost(entry)).sum();
    let line_width = (bytes / fit.index_lines.max(1) + INDEX_NAME).max(INDEX_WIDTH);
    let lines = pack(chosen.iter().map(|&entry| entries[entry].as_str()), line_width);
    for line in lines.iter().take(fit.index_lines) {
        let _ = writeln!(out, "{:width$}  {line}", "");
    }
}

fn index_entry(symbol: &Symbol) -> String {
    let name = match symbol.name.trim() {
        "" => Cow::Borrowed(symbol.kind),
        name => signature::cut(name, INDEX_NAME),
    };
    format!("{} {}", symbol.line, name.replace('·', "."))
}

/// As many of `wanted` as cost at most `bytes`: all, or some spread evenly up to the last.
fn spread(wanted: &[usize], cost: impl Fn(usize) -> usize, bytes: usize) -> Vec<usize> {
    let total: usize = wanted.iter().map(|&entry| cost(entry)).sum();
    if total <= bytes {
        return wanted.to_vec();
    }
    let mut left = bytes;
    let count = wanted.len() * bytes / total;
    let evenly = (0..count).map(|n| wanted[wanted.len() - 1 - n * wanted.len() / count]);
    evenly.take_while(|&entry| left.checked_sub(cost(entry)).inspect(|rest| left = *rest).is_some()).collect()
}

fn pack<'e>(entries: impl Iterator<Item = &'e str>, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for entry in entries {
        match lines.last_mut() {
            Some(line) if line.len() + BETWEEN.len() + entry.len() <= width => {
                line.push_str(BETWEEN);
                line.push_str(entry);
            }
            _ => lines.push(entry.to_owned()),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(count: usize) -> Outline {
        let symbol = |depth| Symbol {
            name: format!("c{depth}"),
            kind: "class",
            line: depth + 1,
            end_line: 2 * count - depth,
            depth,
            signature: format!("class c{depth}"),
        };
        Outline::of_symbols(Parser::TreeSitter, (0..count).map(symbol).collect())
    }

    #[test]
    fn no_nesting_and_no_number_of_lines_leads_over_the_limit() {
        for (count, max_lines) in [(80, 80), (3000, 80), (3000, 10_000), (3000, 1), (3000, 2), (40, 1)] {
            let text = fitted(&nested(count), 2 * count, max_lines, Budget::default());
            assert!(text.len() <= Budget::default().limit, "{count} in {max_lines} lines: {} bytes", text.len());
            assert!(text.lines().count() <= max_lines.max(2), "{count} in {max_lines} lines: {}", text.lines().count());
        }
        let whole = whole(&nested(3000), 6000);
        assert_eq!(whole.lines().count(), 3000);
        assert!(whole.len() < 3000 * 80);
    }

    #[test]
    fn a_text_that_is_too_long_by_a_byte_is_shortened_in_few_rounds() {
        let (mut lines, mut rounds) = (10_000, 0);
        while lines > 1 {
            lines = fewer(lines, 7400, 7401, rounds);
            rounds += 1;
        }
        assert!(rounds <= 14, "{rounds}");
    }
}
