//! What the model reads in place of the file: an outline with the way to the rest, or the short notice.

use std::path::Path;

use crate::outline::render::{self, Budget, kilobytes};
use crate::outline::{Outline, signature};
use crate::shape::{LONG_LINE, Shape};
use crate::shown;

/// Bytes of a whole reply, at most; other output of the client is capped at 10,000 characters.
const MAX_REPLY: usize = 8 * 1024;
/// Bytes that a reply comes down to by shortening signatures.
const TARGET: usize = 2_500;
/// Bytes that a reply with an index of what was left out keeps below, where it can.
const TARGET_WITH_INDEX: usize = 2_600;

/// Read refuses a range of more than 25,000 tokens: a file over this size is fetched in pages of about this size.
const PAGE: u64 = 48 * 1024;

/// Lines and bytes that are delivered of a file, at most, where the outline stands beside it.
const FIRST: (usize, usize) = (40, 2 * 1024);

/// Characters of a path in a reply.
const MAX_PATH: usize = 3_000;

/// The first lines of a file, which Read delivers where the outline stands beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstLines {
    /// How many; at least 1.
    pub lines: usize,
    /// Their bytes.
    pub bytes: usize,
}

impl FirstLines {
    /// As many of a text as are worth sending; None: not even the first line is.
    pub fn of(text: &[u8]) -> Option<Self> {
        let mut first = Self { lines: 0, bytes: 0 };
        for line in text.split_inclusive(|&byte| byte == b'\n').take(FIRST.0) {
            if first.bytes + line.len() > FIRST.1 {
                break;
            }
            first = Self { lines: first.lines + 1, bytes: first.bytes + line.len() };
        }
        (first.lines > 0).then_some(first)
    }
}

/// The outline of a file, with what stands above and below it. `first`: what Read delivers of the file itself.
pub fn outline(
    path: &Path,
    shape: &Shape,
    outline: &Outline,
    threshold: u64,
    max_lines: usize,
    first: Option<FirstLines>,
) -> String {
    let how = match first {
        None => "This is not an error: the outline below stands in for the file".to_owned(),
        Some(first) => format!("Read delivers its first {}; the outline below stands in for the rest", lines(first.lines)),
    };
    let head = format!(
        "stk clamp: {}, {}, {} lines (threshold {}). {how}; fetch only what you need with Read(file_path, offset, limit).\n\n",
        shown_path(path),
        kilobytes(shape.bytes),
        shape.lines,
        kilobytes(threshold),
    );
    let long_line = if shape.has_long_line() {
        format!(
            "Some line is longer than {LONG_LINE} bytes, and offset and limit cannot cut a line: search it with Grep instead.\n"
        )
    } else {
        String::new()
    };
    let foot = format!(
        "\n{long_line}Re-read a symbol's body: Read with offset=<line>, limit=<span, the number in brackets>. {}",
        whole_file("Whole file only if truly needed:", "re-Read with ", shape)
    );
    let around = head.len() + foot.len();
    let budget = Budget {
        target: TARGET.saturating_sub(around),
        index: TARGET_WITH_INDEX.saturating_sub(around),
        limit: MAX_REPLY.saturating_sub(around),
    };
    let rows = render::fitted(outline, shape.lines, max_lines, budget);
    format!("{head}{rows}{foot}")
}

/// The notice that nothing has changed since the last answer. `first`: what Read delivers of the file itself.
pub fn notice(shape: &Shape, first: Option<FirstLines>) -> String {
    let how = first.map(|first| format!(" Read delivers its first {}.", lines(first.lines))).unwrap_or_default();
    format!(
        "stk: file unchanged since stk last saw it this session (hash match).{how} Re-read with offset/limit if you need to \
         re-check a specific range. {}",
        whole_file(&format!("All {} lines:", shape.lines), "", shape)
    )
}

/// The sentence that says how to get the whole file, and works when followed.
fn whole_file(lead: &str, how: &str, shape: &Shape) -> String {
    let lines = shape.lines as u64;
    if shape.bytes <= PAGE {
        return format!("{lead} {how}offset=1, limit={lines}.");
    }
    let page = (lines * PAGE / shape.bytes).max(1);
    format!("{lead} {lines} lines, in pages of {page} (offset=1, limit={page}, then offset={}, …).", page + 1)
}

fn lines(count: usize) -> String {
    if count == 1 { "line".to_owned() } else { format!("{count} lines") }
}

/// A path on one line and no longer than it is worth.
fn shown_path(path: &Path) -> String {
    signature::cut(&shown::escaped(&path.to_string_lossy()), MAX_PATH).into_owned()
}

#[cfg(test)]
mod tests {
    use std::ops::Add;

    use super::*;
    use crate::outline::{Parser, Symbol};

    fn symbols(count: usize, width: usize) -> Outline {
        let symbol = |n: usize| Symbol {
            name: format!("name_{n}"),
            kind: "function",
            line: n * 3 + 1,
            end_line: n * 3 + 2,
            depth: 0,
            signature: format!("fn name_{n}({})", "é".repeat(width)),
        };
        Outline::of_symbols(Parser::TreeSitter, (0..count).map(symbol).collect())
    }

    fn shape(bytes: u64, lines: usize) -> Shape {
        Shape { bytes, lines, ..Shape::default() }
    }

    #[test]
    fn a_reply_names_file_size_lines_and_the_way_to_the_rest() {
        let reply = outline(Path::new("/p/a.rs"), &shape(18_500, 960), &symbols(3, 0), 16_384, 80, None);
        assert!(reply.starts_with("stk clamp: /p/a.rs, 18.1 KB, 960 lines (threshold 16 KB). This is not an error"));
        assert!(reply.contains("\n\n1  fn name_0()  [2]\n4  fn name_1()  [2]\n7  fn name_2()  [2]\n\nRe-read"));
        assert!(reply.ends_with("re-Read with offset=1, limit=960."));
    }

    #[test]
    fn over_48_kb_the_whole_file_comes_in_pages() {
        let reply = outline(Path::new("/p/a.rs"), &shape(96 * 1024, 2000), &symbols(3, 0), 16_384, 80, None);
        assert!(reply.ends_with("2000 lines, in pages of 1000 (offset=1, limit=1000, then offset=1001, …)."), "{reply}");
        assert!(
            notice(&shape(96 * 1024, 2000), None)
                .ends_with("All 2000 lines: 2000 lines, in pages of 1000 (offset=1, limit=1000, then offset=1001, …).")
        );
    }

    #[test]
    fn a_reply_keeps_within_its_caps_and_reaches_the_last_symbol() {
        for (count, width, path) in [(80, 300, 10), (5000, 300, 10), (5000, 0, 5000), (61, 120, 3000), (300, 10, 20)] {
            let path = format!("/{}", "p".repeat(path));
            let reply = outline(Path::new(&path), &shape(1 << 20, count * 3), &symbols(count, width), 16_384, 80, None);
            assert!(reply.len() <= MAX_REPLY, "{count} symbols of {width}: {} bytes", reply.len());
            assert!(reply.contains(&format!(" name_{}", count - 1)), "{count} symbols of {width}");
        }
    }

    #[test]
    fn the_first_lines_are_few_and_short() {
        let first = |text: &str| FirstLines::of(text.as_bytes()).map(|first| (first.lines, first.bytes));
        assert_eq!(first(&"ab\n".repeat(1000)), Some((40, 120)));
        assert_eq!(first(&"x".repeat(99).add("\n").repeat(1000)), Some((20, 2000)));
        assert_eq!(first("a\nb"), Some((2, 3)));
        assert_eq!(first(&"x".repeat(2048).add("\n")), None);
    }

    #[test]
    fn beside_the_first_lines_the_reply_says_so() {
        let first = FirstLines::of(b"a\nb\n");
        let reply = outline(Path::new("/p/a.rs"), &shape(18_500, 960), &symbols(3, 0), 16_384, 80, first);
        assert!(
            reply.contains("(threshold 16 KB). Read delivers its first 2 lines; the outline below stands in for the rest; fetch")
        );
        assert!(notice(&shape(18_500, 960), first).contains("(hash match). Read delivers its first 2 lines. Re-read with"));
    }
}
