//! Tables with bars, for people: what `stk gain` and `stk replay` show.

use crate::terminal::{Screen, columns, cut};

/// Columns of a chart where standard output is no terminal.
const WIDTH: usize = 80;
/// Columns of a name, at most.
const NAME: usize = 40;
/// Columns of the longest bar: less is no bar, more says no more.
const BAR: (usize, usize) = (5, 40);

/// One row of a chart.
pub(super) struct Row {
    /// What it is about; may be a file's name.
    pub(super) name: String,
    /// Numbers and their words, one a column.
    pub(super) cells: Vec<String>,
    /// How long its bar is, in whatever unit; none for what is not above 0.
    pub(super) value: i64,
}

/// The rows below a line of headings, columns aligned, each with its bar.
pub(super) fn chart(headings: &[&str], rows: &[Row], screen: &Screen) -> String {
    let name = |row: &Row| last_columns(&screen.shown(&row.name), NAME);
    let names: Vec<String> = rows.iter().map(name).collect();
    let first = names.iter().map(|name| columns(name)).chain([columns(headings[0])]).max().unwrap_or(0);
    let widths: Vec<usize> = (0..headings.len() - 1)
        .map(|column| {
            let cells = rows.iter().map(|row| columns(&row.cells[column]));
            cells.chain([columns(headings[column + 1])]).max().unwrap_or(0)
        })
        .collect();
    let line = |name: &str, cells: &mut dyn Iterator<Item = &str>| {
        let mut line = format!("{name}{}", " ".repeat(first - columns(name)));
        for (cell, width) in cells.zip(&widths) {
            line.push_str(&" ".repeat(2 + width - columns(cell)));
            line.push_str(cell);
        }
        line
    };
    let taken = first + widths.iter().map(|width| width + 2).sum::<usize>() + 2;
    let room = screen.width.unwrap_or(WIDTH).saturating_sub(taken).min(BAR.1);
    let longest = rows.iter().map(|row| row.value).max().unwrap_or(0);
    let mut text = line(headings[0], &mut headings[1..].iter().copied()) + "\n";
    for (row, name) in rows.iter().zip(&names) {
        let row_text = line(name, &mut row.cells.iter().map(String::as_str));
        let bar = if room >= BAR.0 { bar(row.value, longest, room) } else { String::new() };
        let bar = screen.styled(&bar, anstyle::AnsiColor::Green.on_default());
        text.push_str(format!("{row_text}  {bar}").trim_end());
        text.push('\n');
    }
    text
}

/// A bar of at most `width` columns, in eighths of one.
fn bar(value: i64, longest: i64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if value <= 0 || longest <= 0 {
        return String::new();
    }
    let eighths = usize::try_from(i128::from(value) * width as i128 * 8 / i128::from(longest)).unwrap_or(0).max(1);
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// The end of a text: of a path, what tells it from others.
fn last_columns(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let reversed: String = text.chars().rev().collect();
    cut(&reversed, width).chars().rev().collect()
}

/// A size for people: 1024 bytes to the KB, one decimal.
pub(super) fn size(bytes: i64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    let kilobytes = bytes as f64 / 1024.0;
    if kilobytes.abs() < 1000.0 {
        format!("{kilobytes:.1} KB")
    } else if kilobytes.abs() < 1000.0 * 1024.0 {
        format!("{:.1} MB", kilobytes / 1024.0)
    } else {
        format!("{:.1} GB", kilobytes / 1024.0 / 1024.0)
    }
}

/// `1 read`, `2 reads`.
pub(super) fn count(number: u64, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_values() {
        assert_eq!(["", "▏", "▌", "█", "█▏"], [bar(-5, 8, 2), bar(1, 1000, 1), bar(4, 8, 1), bar(8, 8, 1), bar(9, 16, 2)]);
    }

    #[test]
    fn columns_are_aligned_and_long_names_keep_their_end() {
        let row = |name: &str, cell: &str, value| Row { name: name.to_owned(), cells: vec![cell.to_owned()], value };
        let long = format!("/{}/end.rs", "x".repeat(60));
        let rows = [row(&long, "1.0 KB", 10), row("é", "200.0 KB", -1)];
        let text = chart(&["file", "net"], &rows, &Screen { width: Some(60), ..Screen::default() });
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], format!("file{}       net", " ".repeat(36)));
        assert_eq!(lines[1], format!("…{}/end.rs    1.0 KB  {}", "x".repeat(32), "█".repeat(8)));
        assert_eq!(lines[2], format!("é{}  200.0 KB", " ".repeat(39)));
    }

    #[test]
    fn sizes_are_for_people() {
        assert_eq!([0, 1536, -1536, 5 << 20, 3 << 30].map(size), ["0.0 KB", "1.5 KB", "-1.5 KB", "5.0 MB", "3.0 GB"]);
    }
}
