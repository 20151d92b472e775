//! The blocks of a Markdown text, as far as it takes to tell what is a heading.
//!
//! One pass, line by line, with the quotes and list items that are open, innermost last. Cost: a line is looked at once
//! for each of them.

use memchr::memchr;

use super::html::Html;
use super::references::References;

/// Quotes and items nested deeper than this are text: nobody writes them, and the cost of a line grows with them.
const MAX_NESTING: usize = 64;

/// Bytes of a heading's text that are kept.
const MAX_TEXT: usize = 2_000;

/// A heading and its section.
#[derive(Debug)]
pub(super) struct Heading {
    /// 1 to 6.
    pub(super) level: usize,
    /// As written, several lines joined by a space.
    pub(super) text: String,
    /// Of its first line.
    pub(super) line: usize,
    /// Of its section.
    pub(super) end_line: usize,
}

/// What a text has.
#[derive(Default)]
pub(super) struct Blocks<'s> {
    pub(super) headings: Vec<Heading>,
    /// How many fenced blocks there are.
    pub(super) fences: usize,
    /// What the links of headings may refer to.
    pub(super) references: References,
    /// Quotes and list items that are open.
    containers: Vec<Container>,
    leaf: Leaf<'s>,
    /// The headings whose sections are open: index, and how many containers they stand in.
    open: Vec<(usize, usize)>,
    line: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Quote,
    Item {
        /// Columns by which its content is indented.
        indent: usize,
        /// Whether there has been nothing but the marker.
        is_empty: bool,
    },
}

/// The block that takes the next line, inside the containers.
#[derive(Default)]
enum Leaf<'s> {
    #[default]
    None,
    Paragraph {
        line: usize,
        lines: Vec<&'s [u8]>,
    },
    Fence {
        mark: u8,
        length: usize,
    },
    Html(Html),
}

/// The rest of a line, and in which column it begins: tabs reach to the next multiple of four.
#[derive(Clone, Copy)]
struct Rest<'s> {
    text: &'s [u8],
    column: usize,
    /// Columns of a tab that are left, where a container has taken only a part of it.
    pending: usize,
}

impl<'s> Rest<'s> {
    /// Columns of white space at the beginning.
    fn indent(&self) -> usize {
        let mut column = self.column + self.pending;
        for byte in self.text {
            match byte {
                b' ' => column += 1,
                b'\t' => column += 4 - column % 4,
                _ => break,
            }
        }
        column - self.column
    }

    /// Takes white space of at most `columns` columns.
    fn skip(&mut self, columns: usize) {
        let end = self.column + columns;
        let taken = self.pending.min(columns);
        self.pending -= taken;
        self.column += taken;
        while self.column < end {
            match self.text.first() {
                Some(b' ') => self.column += 1,
                Some(b'\t') => {
                    let next = self.column + 4 - self.column % 4;
                    self.pending = next.saturating_sub(end);
                    self.column = next.min(end);
                }
                _ => break,
            }
            self.text = &self.text[1..];
        }
    }

    /// Takes bytes that are no white space.
    fn take(&mut self, bytes: usize) {
        self.text = &self.text[bytes..];
        self.column += bytes;
    }

    fn trimmed(&self) -> &'s [u8] {
        self.text.trim_ascii_start()
    }

    fn is_blank(&self) -> bool {
        self.text.iter().all(u8::is_ascii_whitespace)
    }
}

impl<'s> Blocks<'s> {
    /// Reads a text.
    pub(super) fn of(source: &'s [u8]) -> Self {
        let mut blocks = Self::default();
        let source = source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source);
        let (matter, matter_lines) = front_matter(source);
        blocks.line = matter_lines;
        let mut at = matter;
        while at < source.len() {
            let end = memchr(b'\n', &source[at..]).map_or(source.len(), |newline| at + newline);
            blocks.line += 1;
            blocks.add_line(source[at..end].strip_suffix(b"\r").unwrap_or(&source[at..end]));
            at = end + 1;
        }
        blocks.line += 1;
        blocks.end_leaf();
        blocks.close_containers(0);
        blocks.end_sections(0, 0, blocks.line);
        blocks
    }

    fn add_line(&mut self, text: &'s [u8]) {
        let mut rest = Rest { text, column: 0, pending: 0 };
        let matched = self.match_containers(&mut rest);
        let all_matched = matched == self.containers.len();
        if all_matched && self.goes_on(rest) {
            return;
        }
        if rest.is_blank() {
            self.close_containers(matched);
            self.end_leaf();
            if let Some(Container::Item { is_empty: true, .. }) = self.containers.last() {
                // A list item may begin with one blank line, not with two.
                self.close_containers(self.containers.len() - 1);
            }
            return;
        }
        let mut depth = matched;
        while self.starts_block(&mut rest, &mut depth) {
            if rest.is_blank() {
                return;
            }
        }
        // A heading, a fence and the like have taken the whole line.
        if rest.is_blank() {
            return;
        }
        self.add_text(rest, depth);
    }

    /// How many of the open containers go on in this line; `rest` is what they leave of it.
    fn match_containers(&mut self, rest: &mut Rest<'s>) -> usize {
        let is_blank = rest.is_blank();
        for (index, container) in self.containers.iter().enumerate() {
            let indent = rest.indent();
            match *container {
                Container::Quote if indent < 4 && rest.trimmed().starts_with(b">") => skip_quote_mark(rest),
                Container::Item { indent: wanted, .. } if indent >= wanted => rest.skip(wanted),
                Container::Item { is_empty: false, .. } if is_blank || rest.is_blank() => {}
                _ => return index,
            }
        }
        self.containers.len()
    }

    /// Whether the line belongs to a fence or to HTML that is open.
    fn goes_on(&mut self, rest: Rest<'s>) -> bool {
        match &mut self.leaf {
            Leaf::Fence { mark, length } => {
                let text = rest.trimmed();
                let marks = text.iter().take_while(|byte| *byte == mark).count();
                if rest.indent() < 4 && marks >= *length && text[marks..].trim_ascii().is_empty() {
                    self.leaf = Leaf::None;
                }
                true
            }
            Leaf::Html(html) => {
                let takes = html.takes(rest.text);
                if html.ends_with(rest.text) {
                    self.leaf = Leaf::None;
                }
                takes
            }
            _ => false,
        }
    }

    /// Starts the block that begins here, if one does, inside the first `depth` of the containers. True: the line may go
    /// on with another block inside it.
    fn starts_block(&mut self, rest: &mut Rest<'s>, depth: &mut usize) -> bool {
        let in_paragraph = matches!(self.leaf, Leaf::Paragraph { .. });
        let is_own_paragraph = in_paragraph && *depth == self.containers.len();
        if rest.indent() >= 4 {
            if !in_paragraph {
                self.close_containers(*depth);
                self.leaf = Leaf::None;
                self.is_content();
                // Code: the whole line.
                rest.text = b"";
            }
            return false;
        }
        let text = rest.trimmed();
        if text[0] == b'>' && *depth < MAX_NESTING {
            self.close_containers(*depth);
            self.end_leaf();
            self.is_content();
            skip_quote_mark(rest);
            self.containers.push(Container::Quote);
            *depth += 1;
            return true;
        }
        if let Some(level) = atx_level(text) {
            self.close_containers(*depth);
            self.end_leaf();
            self.add_heading(level, atx_text(&text[level..]), self.line);
            rest.text = b"";
            return false;
        }
        if let Some((mark, length)) = fence(text) {
            self.close_containers(*depth);
            self.end_leaf();
            self.is_content();
            self.fences += 1;
            self.leaf = Leaf::Fence { mark, length };
            rest.text = b"";
            return false;
        }
        if let Some(html) = Html::starting(text, in_paragraph) {
            self.close_containers(*depth);
            self.end_leaf();
            self.is_content();
            self.leaf = if html.ends_with(text) { Leaf::None } else { Leaf::Html(html) };
            rest.text = b"";
            return false;
        }
        if is_own_paragraph
            && let Some(level) = setext_level(text)
            && self.underline(level)
        {
            rest.text = b"";
            return false;
        }
        if is_thematic_break(text) {
            self.close_containers(*depth);
            self.end_leaf();
            self.is_content();
            rest.text = b"";
            return false;
        }
        if *depth < MAX_NESTING && self.starts_item(rest, *depth, in_paragraph) {
            *depth += 1;
            return true;
        }
        false
    }

    fn starts_item(&mut self, rest: &mut Rest<'s>, depth: usize, in_paragraph: bool) -> bool {
        let text = rest.trimmed();
        let Some(width) = list_marker(text) else { return false };
        let is_blank = text[width..].trim_ascii().is_empty();
        let is_sibling = matches!(self.containers.get(depth), Some(Container::Item { .. }));
        // Only a list that is one beyond doubt interrupts a paragraph.
        let interrupts = !is_blank && (!text[0].is_ascii_digit() || &text[..width - 1] == b"1");
        if in_paragraph && !is_sibling && !interrupts {
            return false;
        }
        self.close_containers(depth);
        self.end_leaf();
        self.is_content();
        let before = rest.indent();
        rest.skip(before);
        rest.take(width);
        let behind = rest.indent();
        let spaces = if is_blank || behind > 4 { 1 } else { behind };
        rest.skip(spaces);
        self.containers.push(Container::Item { indent: before + width + spaces, is_empty: is_blank });
        true
    }

    /// Text that starts no block: it goes on with a paragraph, even one in containers that do not go on, or begins one.
    fn add_text(&mut self, rest: Rest<'s>, depth: usize) {
        let text = rest.text.trim_ascii();
        if let Leaf::Paragraph { lines, .. } = &mut self.leaf {
            lines.push(text);
        } else {
            self.close_containers(depth);
            self.is_content();
            self.leaf = Leaf::Paragraph { line: self.line, lines: vec![text] };
        }
    }

    /// The paragraph is a heading, unless it is all definitions of references.
    fn underline(&mut self, level: usize) -> bool {
        let Leaf::Paragraph { line, lines } = &self.leaf else { return false };
        let line = *line;
        let text = joined(lines);
        let rest = if text.starts_with('[') { self.references.take_definitions(&text) } else { &text };
        if rest.trim().is_empty() {
            return false;
        }
        // Its line is that of the text behind the definitions.
        let line = line + text[..text.len() - rest.len()].matches('\n').count();
        let rest = rest.replace('\n', " ");
        self.leaf = Leaf::None;
        self.add_heading(level, rest, line);
        true
    }

    fn add_heading(&mut self, level: usize, text: String, line: usize) {
        self.is_content();
        let depth = self.containers.len();
        self.end_sections(depth, level, line);
        // Until a line ends it.
        self.open.push((self.headings.len(), depth));
        self.headings.push(Heading { level, text, line, end_line: line });
    }

    /// The innermost list item has something in it.
    fn is_content(&mut self) {
        if let Some(Container::Item { is_empty, .. }) = self.containers.last_mut() {
            *is_empty = false;
        }
    }

    /// Ends the leaf; a paragraph may define references.
    fn end_leaf(&mut self) {
        if let Leaf::Paragraph { lines, .. } = std::mem::take(&mut self.leaf)
            && lines[0].starts_with(b"[")
        {
            self.references.take_definitions(&joined(&lines));
        }
    }

    /// Closes all but the first `depth` containers, with what is in them.
    fn close_containers(&mut self, depth: usize) {
        if depth < self.containers.len() {
            self.end_leaf();
            self.containers.truncate(depth);
            // Sections that stand further in end on the line before.
            while self.open.last().is_some_and(|&(_, inside)| inside > depth) {
                self.end_section(self.line - 1);
            }
        }
    }

    /// Ends the sections of `level` and below that stand in `depth` containers, before a heading that begins on `line`; at
    /// the end of the file (`level` 0) all.
    fn end_sections(&mut self, depth: usize, level: usize, line: usize) {
        while let Some(&(index, inside)) = self.open.last() {
            if inside < depth || self.headings[index].level < level {
                break;
            }
            self.end_section(line - 1);
        }
    }

    fn end_section(&mut self, end_line: usize) {
        if let Some((index, _)) = self.open.pop() {
            let heading = &mut self.headings[index];
            heading.end_line = end_line.max(heading.line);
        }
    }
}

/// A paragraph's text: as much as a heading may have, or all of it where it may define references.
fn joined(lines: &[&[u8]]) -> String {
    let most = if lines[0].starts_with(b"[") { usize::MAX } else { MAX_TEXT };
    let mut text = String::new();
    for line in lines {
        if text.len() > most {
            break;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text += &String::from_utf8_lossy(&line[..line.len().min(most)]);
    }
    text
}

fn skip_quote_mark(rest: &mut Rest<'_>) {
    rest.skip(3);
    rest.take(1);
    rest.skip(1);
}

fn atx_level(text: &[u8]) -> Option<usize> {
    let level = text.iter().take_while(|byte| **byte == b'#').count();
    let is_set_off = text.get(level).is_none_or(|byte| matches!(byte, b' ' | b'\t'));
    ((1..=6).contains(&level) && is_set_off).then_some(level)
}

/// The text of a heading, without the marks that may close it.
fn atx_text(text: &[u8]) -> String {
    let text = text[..text.len().min(MAX_TEXT)].trim_ascii();
    let marks = text.iter().rev().take_while(|byte| **byte == b'#').count();
    let inside = &text[..text.len() - marks];
    let is_closed = marks > 0 && inside.last().is_none_or(|byte| matches!(byte, b' ' | b'\t'));
    String::from_utf8_lossy(if is_closed { inside.trim_ascii_end() } else { text }).into_owned()
}

fn setext_level(text: &[u8]) -> Option<usize> {
    let text = text.trim_ascii_end();
    match text[0] {
        b'=' if text.iter().all(|byte| *byte == b'=') => Some(1),
        b'-' if text.iter().all(|byte| *byte == b'-') => Some(2),
        _ => None,
    }
}

fn is_thematic_break(text: &[u8]) -> bool {
    let mark = text[0];
    matches!(mark, b'*' | b'-' | b'_')
        && memchr::memchr_iter(mark, text).count() >= 3
        && text.iter().all(|byte| *byte == mark || matches!(byte, b' ' | b'\t' | b'\r'))
}

fn fence(text: &[u8]) -> Option<(u8, usize)> {
    let mark = text[0];
    let length = text.iter().take_while(|byte| **byte == mark).count();
    let is_inline = mark == b'`' && memchr(b'`', &text[length..]).is_some();
    (matches!(mark, b'`' | b'~') && length >= 3 && !is_inline).then_some((mark, length))
}

/// Bytes of a list marker: `-`, `+`, `*`, or up to nine digits with `.` or `)`.
fn list_marker(text: &[u8]) -> Option<usize> {
    let width = match text[0] {
        b'-' | b'+' | b'*' => 1,
        _ => {
            let digits = text.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
            let is_marked = matches!(text.get(digits), Some(b'.' | b')'));
            if !(1..=9).contains(&digits) || !is_marked {
                return None;
            }
            digits + 1
        }
    };
    text.get(width).is_none_or(|byte| matches!(byte, b' ' | b'\t')).then_some(width)
}

/// Bytes and lines of the front matter, if the text begins with one.
fn front_matter(source: &[u8]) -> (usize, usize) {
    const NONE: (usize, usize) = (0, 0);
    let mut lines = source.split_inclusive(|byte| *byte == b'\n');
    let Some(first) = lines.next() else { return NONE };
    let ends: &[&[u8]] = match first.trim_ascii_end() {
        b"---" => &[b"---", b"..."],
        b"+++" => &[b"+++"],
        _ => return NONE,
    };
    let (mut at, mut count, mut has_key) = (first.len(), 1, false);
    for line in lines {
        at += line.len();
        count += 1;
        let text = line.trim_ascii_end();
        if ends.contains(&text) {
            return (at, count);
        }
        if !has_key && !text.is_empty() && text[0] != b'#' {
            // A rule and a heading stand at the beginning of a text as well.
            if !is_key(text) {
                return NONE;
            }
            has_key = true;
        }
    }
    NONE
}

/// Whether a line of YAML or TOML may begin what is no sentence.
fn is_key(line: &[u8]) -> bool {
    let key = line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_-.\"'$ ".contains(byte)).count();
    key > 0 && matches!(line.get(key), Some(b':' | b'=')) || matches!(line[0], b'{' | b'[' | b'-')
}
