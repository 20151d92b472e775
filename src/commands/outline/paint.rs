//! Rows on a terminal: colours by kind, no longer than the line, and nothing that the terminal would act on.

use anstyle::{AnsiColor, Style};

use crate::outline::{Symbol, imports};
use crate::terminal::{Screen, columns, cut, safe};

/// A file's name above its rows.
pub(super) const HEADING: Style = Style::new().bold().underline();
/// The number of a line.
pub(super) const NUMBER: Style = AnsiColor::BrightBlack.on_default();

/// Columns that a signature keeps, however narrow the terminal and deep the row.
const MIN_SIGNATURE: usize = 10;

/// The colour of a kind's names. A kind that is not known has none.
fn style_of(kind: &str) -> Style {
    let color = match kind {
        "class" | "struct" | "enum" | "union" | "record" | "interface" | "trait" | "type" | "impl" | "concept" | "delegate" => {
            AnsiColor::Yellow
        }
        "module" | "namespace" | "package" | "import" => AnsiColor::Magenta,
        "function" | "method" | "constructor" | "operator" => AnsiColor::Blue,
        "macro" | "test" => AnsiColor::Green,
        "constant" | "variable" | "property" | "field" | "event" | "indexer" | "key" => AnsiColor::Cyan,
        "heading" => return Style::new().bold(),
        _ => return Style::new(),
    };
    color.on_default()
}

/// Paints rows as [`crate::outline::render`] writes them; `symbols` are those of the outline, in file order.
pub(super) fn rows(rows: &str, symbols: &[Symbol], screen: &Screen) -> String {
    let mut painted = String::with_capacity(rows.len() * 2);
    let mut symbols = symbols.iter().peekable();
    for row in rows.lines() {
        let row = safe(row);
        match Row::of(&row) {
            Some(parts) => {
                while symbols.next_if(|symbol| symbol.line < parts.line).is_some() {}
                let symbol = symbols.next_if(|symbol| symbol.line == parts.line);
                parts.paint(symbol, screen, &mut painted);
            }
            None => painted.push_str(&screen.width.map_or(row.as_ref().into(), |width| cut(&row, width))),
        }
        painted.push('\n');
    }
    painted
}

/// `  40  export interface Config  [31]` in its parts.
struct Row<'r> {
    line: usize,
    /// The number and the space round it.
    number: &'r str,
    signature: &'r str,
    /// How many members or lines it has.
    counts: &'r str,
}

impl<'r> Row<'r> {
    /// None: this is no row of one line, but of the index or a note.
    fn of(row: &'r str) -> Option<Self> {
        let blank = row.len() - row.trim_start().len();
        let digits = row[blank..].bytes().take_while(u8::is_ascii_digit).count();
        let line = row[blank..blank + digits].parse().ok()?;
        let rest = row[blank + digits..].strip_prefix("  ")?;
        let start = row.len() - rest.trim_start().len();
        let end = ["  (", "  ["].into_iter().filter(|_| row.ends_with(']')).filter_map(|open| counts_at(row, open)).min();
        let end = end.unwrap_or(row.len()).max(start);
        Some(Self { line, number: &row[..start], signature: &row[start..end], counts: &row[end..] })
    }

    fn paint(&self, symbol: Option<&Symbol>, screen: &Screen, painted: &mut String) {
        painted.push_str(&screen.styled(self.number, NUMBER));
        let signature = match screen.width {
            Some(width) => {
                let room = width.saturating_sub(columns(self.number) + columns(self.counts));
                cut(self.signature, room.max(MIN_SIGNATURE))
            }
            None => self.signature.into(),
        };
        let style = symbol.map(|symbol| style_of(symbol.kind)).unwrap_or_default();
        // A run of imports has no name of its own.
        let name = symbol.filter(|symbol| symbol.kind != imports::KIND).map(|symbol| safe(&symbol.name)).unwrap_or_default();
        match signature.find(&*name).filter(|_| !name.is_empty()) {
            Some(at) => {
                let (before, rest) = signature.split_at(at);
                let (name, after) = rest.split_at(name.len());
                painted.push_str(before);
                painted.push_str(&screen.styled(name, style.bold()));
                painted.push_str(after);
            }
            None => painted.push_str(&screen.styled(&signature, style)),
        }
        painted.push_str(&screen.styled(self.counts, NUMBER));
    }
}

/// Where the counts at the end of a row begin: `  (12 members)  [40]`.
fn counts_at(row: &str, open: &str) -> Option<usize> {
    let at = row.rfind(open)?;
    let inside = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || b" membrs()[]".contains(&byte));
    inside(&row[at..]).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(name: &str, kind: &'static str, line: usize) -> Symbol {
        Symbol { name: name.to_owned(), kind, line, end_line: line + 9, depth: 0, signature: String::new() }
    }

    const PLAIN: Screen = Screen { color: false, width: Some(30), is_shown: true };
    const COLORS: Screen = Screen { color: true, width: None, is_shown: true };

    #[test]
    fn a_long_row_is_cut_and_keeps_its_counts() {
        let text = "  40  class Config extends Something  (3 members)  [31]\n     … (+3 more entries)\n  1203 foo · 1250 bar · 1291 quxi\n";
        assert_eq!(
            rows(text, &[symbol("Config", "class", 40)], &Screen { width: Some(40), ..PLAIN }),
            "  40  class Config e…  (3 members)  [31]\n     … (+3 more entries)\n  1203 foo · 1250 bar · 1291 quxi\n"
        );
        assert_eq!(rows("1  fn a(b: [u8], c: [u8; 3000])  [3]\n", &[], &PLAIN), "1  fn a(b: [u8], c: [u8;…  [3]\n");
        assert_eq!(rows("1  漢字漢字漢字漢字漢字漢字漢字漢字\n", &[], &PLAIN), "1  漢字漢字漢字漢字漢字漢字漢…\n");
    }

    #[test]
    fn names_have_the_colour_of_their_kind() {
        let painted = rows(
            "1  fn a()\n2  let x\n2  fn b()  [2]\n",
            &[symbol("a", "function", 1), symbol("x", "variable", 2), symbol("b", "function", 2)],
            &COLORS,
        );
        let blue = style_of("function").bold();
        let cyan = style_of("variable").bold();
        assert_eq!(
            painted,
            format!(
                "{NUMBER}1  {NUMBER:#}fn {blue}a{blue:#}()\n{NUMBER}2  {NUMBER:#}let {cyan}x{cyan:#}\n\
                 {NUMBER}2  {NUMBER:#}fn {blue}b{blue:#}(){NUMBER}  [2]{NUMBER:#}\n"
            )
        );
    }

    #[test]
    fn what_a_terminal_acts_on_is_shown_as_text() {
        let painted = rows("1  it(\"\u{202e}x\u{1b}[2J\")\n", &[], &PLAIN);
        assert_eq!(painted, "1  it(\"\\u{202e}x\\u{1b}[2J\")\n");
    }
}
