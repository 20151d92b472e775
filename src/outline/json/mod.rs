//! JSON: keys of depth 1 and 2, array lengths, never a value.
//!
//! A scanner that keeps one byte for each bracket that is open, so that neither deep nor endless text can hurt it. What
//! people call JSON reads too (comments, trailing commas, several values one after another), but where a text stops
//! being any of that, nothing further is listed: what stands there might be a value.

mod tokens;

use std::collections::HashSet;
use std::ops::Range;

use memchr::memchr;

use super::{Outline, Parser, Symbol, signature};
use crate::shown::is_shown;
use tokens::{Kind, Token, Tokens};

/// The kind of every row.
const KIND: &str = "key";

/// Keys nested deeper are not listed.
const LEVELS: usize = 2;

/// A key longer than this is cut; bytes.
const MAX_KEY: usize = 400;

/// The outline of a JSON text. `by_line`: each line is a value of its own. `is_whole`: false where `source` is only the
/// beginning. It is never empty, and it never holds a value, or a part of one.
pub fn outline(source: &[u8], by_line: bool, is_whole: bool) -> Outline {
    let mut reader = Reader { source, about: if is_whole { "" } else { "at least " }, ..Reader::default() };
    let mut notes = if by_line { reader.read_lines(is_whole) } else { reader.read_text(is_whole) };
    if !is_whole {
        notes.push(format!("Only the first {} were looked at.", super::render::kilobytes(source.len() as u64)));
    }
    Outline { parser: Parser::Json, symbols: reader.symbols, notes, sample: Vec::new() }
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Next {
    /// A value, or the end of the array.
    #[default]
    Value,
    /// A key, or the end of the object.
    Key,
    /// The colon behind a key.
    Colon,
    /// A comma, or the end of what is open.
    Comma,
}

/// How the reading of values ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Behind a value.
    Clean,
    /// In the middle of a value.
    Cut,
    /// Where the text is no JSON, and on which line.
    Fault(usize),
}

/// A bracket that is open, with the row whose value it is.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Elements so far, the one being read included.
    count: usize,
    row: Option<usize>,
}

#[derive(Default)]
struct Reader<'s> {
    source: &'s [u8],
    /// What stands before a count that may not be all.
    about: &'static str,
    symbols: Vec<Symbol>,
    /// Brackets that are open, from the outside in.
    open: Vec<Kind>,
    /// The outermost of them; deeper ones need no count.
    levels: [Level; LEVELS + 1],
    next: Next,
    key: Range<usize>,
    key_line: usize,
    /// The row of the key read last, where it has one.
    row: Option<usize>,
    /// Values at the outermost level so far.
    values: usize,
    /// Kind and length of the last of them.
    outermost: Option<(Kind, usize)>,
    /// Keys that have their row, where many records share one each.
    seen: HashSet<&'s [u8]>,
}

impl<'s> Reader<'s> {
    /// Reads a text of one value, or of several one after another. Returns the notes.
    fn read_text(&mut self, is_whole: bool) -> Vec<String> {
        let (end, _) = self.read(Tokens::new(self.source, 0, 1));
        if end != End::Clean {
            self.about = "at least ";
        }
        let listed = if self.symbols.is_empty() { "" } else { "; each key of theirs is listed where it comes first" };
        let mut notes = vec![match self.outermost {
            _ if self.values > 1 => format!("Values one after another: {}{listed}.", self.counted(self.values, "value")),
            Some((Kind::Object, count)) => format!("Object of {}.", self.counted(count, "key")),
            Some((Kind::Array, count)) => format!("Array of {}{listed}.", self.counted(count, "item")),
            None if self.values == 1 => "A single value, no object and no array.".to_owned(),
            None => "No JSON value.".to_owned(),
        }];
        match end {
            End::Fault(line) => notes.push(format!("Not JSON from line {line} on; nothing is listed from there.")),
            End::Cut if is_whole => notes.push("The text ends in the middle of a value.".to_owned()),
            _ => {}
        }
        notes
    }

    /// Reads a text of one value a line. Returns the notes.
    fn read_lines(&mut self, is_whole: bool) -> Vec<String> {
        let (mut at, mut line, mut records, mut faults) = (0, 0, 0, 0);
        while at < self.source.len() {
            line += 1;
            let end = memchr(b'\n', &self.source[at..]).map_or(self.source.len(), |newline| at + newline);
            let is_whole_line = is_whole || end < self.source.len();
            if is_whole_line && !self.source[at..end].trim_ascii().is_empty() {
                records += 1;
                // Every record shares its keys with the others.
                self.values = 1;
                let symbols = self.symbols.len();
                let (end, fresh) = self.read(Tokens::new(&self.source[..end], at, line));
                if end != End::Clean {
                    // What is broken may show what is no key.
                    self.symbols.truncate(symbols);
                    for key in fresh {
                        self.seen.remove(key);
                    }
                    faults += 1;
                }
            }
            at = end + 1;
        }
        let listed = if self.symbols.is_empty() { "" } else { "; each key is listed where it comes first" };
        let mut notes = vec![format!("One record a line: {}{listed}.", self.counted(records, "record"))];
        if faults > 0 {
            notes.push(format!("Lines that are no JSON: {faults}."));
        }
        notes
    }

    fn counted(&self, count: usize, one: &str) -> String {
        format!("{}{count} {one}{}", self.about, if count == 1 { "" } else { "s" })
    }

    /// Reads values up to the end. Returns how that was, and the keys that were new.
    fn read(&mut self, mut tokens: Tokens<'s>) -> (End, Vec<&'s [u8]>) {
        self.open.clear();
        self.next = Next::Value;
        let mut fresh = Vec::new();
        // Behind the last token there may be blank lines.
        let mut last_line = tokens.line;
        let end = loop {
            let token = tokens.next();
            if !matches!(token, Token::End { .. }) {
                last_line = tokens.line;
            }
            match (self.next, token) {
                (_, Token::End { is_clean }) => break if is_clean && self.open.is_empty() { End::Clean } else { End::Cut },
                (Next::Value, Token::Open(kind)) => self.enter(kind),
                (Next::Value, Token::Text(_)) => self.scalar("string", tokens.line),
                (Next::Value, Token::Word(word)) => match type_of(&self.source[word]) {
                    Some(kind) => self.scalar(kind, tokens.line),
                    None => break End::Fault(tokens.line),
                },
                (Next::Key | Next::Value | Next::Comma, Token::Close(kind)) if self.open.last() == Some(&kind) => {
                    self.leave(tokens.line);
                }
                // One comma too many, as behind the last element, says nothing.
                (Next::Key | Next::Value, Token::Comma) => {}
                (Next::Comma, Token::Comma) => self.begin_element(),
                (Next::Key, Token::Text(key) | Token::Word(key)) => {
                    self.key = key;
                    self.key_line = tokens.line;
                    self.next = Next::Colon;
                }
                // A comma that was forgotten at the end of a line.
                (Next::Comma, Token::Text(key)) if tokens.is_first_on_line && self.open.last() == Some(&Kind::Object) => {
                    self.key = key;
                    self.key_line = tokens.line;
                    self.next = Next::Colon;
                }
                (Next::Colon, Token::Colon) => {
                    self.count();
                    self.take_key(&mut fresh);
                    self.next = Next::Value;
                }
                _ => break End::Fault(tokens.line),
            }
        };
        if end != End::Clean {
            self.close_all(last_line);
        }
        (end, fresh)
    }

    /// Where keys of depth 1 stand: in an object at the outermost level, or in one that is an item of an array there.
    fn base(&self) -> usize {
        usize::from(self.open.first() == Some(&Kind::Array))
    }

    /// Whether keys are those of many records, which share a row for each.
    fn is_shared(&self) -> bool {
        self.base() == 1 || self.values > 1
    }

    /// The key has its colon: it is one. It gets a row if it is of the outer levels.
    fn take_key(&mut self, fresh: &mut Vec<&'s [u8]>) {
        self.row = None;
        let base = self.base();
        let depth = self.open.len() - base;
        if depth > LEVELS || self.open[base..].contains(&Kind::Array) {
            return;
        }
        let key = &self.source[self.key.clone()];
        if depth > 1 && self.levels[base + 1].row.is_none() {
            return;
        }
        if depth == 1 && self.is_shared() {
            if !self.seen.insert(key) {
                return;
            }
            fresh.push(key);
        }
        let name = shown(key);
        self.row = Some(self.symbols.len());
        self.symbols.push(Symbol {
            signature: name.clone(),
            name,
            kind: KIND,
            line: self.key_line,
            end_line: self.key_line,
            depth: depth - 1,
        });
    }

    /// One more element of what is open.
    fn count(&mut self) {
        match self.open.len() {
            0 => self.values += 1,
            depth => {
                if let Some(level) = self.levels.get_mut(depth - 1) {
                    level.count += 1;
                }
            }
        }
    }

    fn begin_value(&mut self) {
        // In an object it is the keys that were counted.
        if self.open.last() != Some(&Kind::Object) {
            self.count();
        }
    }

    fn begin_element(&mut self) {
        self.next = if self.open.last() == Some(&Kind::Object) { Next::Key } else { Next::Value };
    }

    fn end_value(&mut self) {
        self.row = None;
        self.next = if self.open.is_empty() { Next::Value } else { Next::Comma };
    }

    fn scalar(&mut self, kind: &str, line: usize) {
        self.begin_value();
        if self.open.is_empty() {
            self.outermost = None;
        }
        self.describe(self.row, kind, line);
        self.end_value();
    }

    fn enter(&mut self, kind: Kind) {
        self.begin_value();
        self.open.push(kind);
        if let Some(level) = self.levels.get_mut(self.open.len() - 1) {
            *level = Level { count: 0, row: self.row.take() };
        }
        self.begin_element();
    }

    fn leave(&mut self, line: usize) {
        let Some(kind) = self.open.pop() else { return };
        if let Some(&level) = self.levels.get(self.open.len()) {
            self.describe_brackets(level, kind, "", line);
        }
        self.end_value();
    }

    /// Ends what is still open where the reading ends.
    fn close_all(&mut self, line: usize) {
        self.describe(self.row, "not read to its end", line);
        while let Some(kind) = self.open.pop() {
            if let Some(&level) = self.levels.get(self.open.len()) {
                self.describe_brackets(level, kind, "+", line);
            }
        }
    }

    fn describe_brackets(&mut self, level: Level, kind: Kind, more: &str, line: usize) {
        if self.open.is_empty() {
            self.outermost = Some((kind, level.count));
        }
        let plural = if level.count == 1 && more.is_empty() { "" } else { "s" };
        let text = match kind {
            Kind::Object => format!("{{{}{more} key{plural}}}", level.count),
            Kind::Array => format!("[{}{more} item{plural}]", level.count),
        };
        self.describe(level.row, &text, line);
    }

    /// Says of a row what its value is, and where it ends.
    fn describe(&mut self, row: Option<usize>, value: &str, line: usize) {
        if let Some(symbol) = row.and_then(|row| self.symbols.get_mut(row)) {
            symbol.signature = format!("{}: {value}", symbol.name);
            symbol.end_line = line.max(symbol.line);
        }
    }
}

/// The type of a value that stands without quotes; None: it is none.
fn type_of(word: &[u8]) -> Option<&'static str> {
    let unsigned = word.strip_prefix(b"-").or_else(|| word.strip_prefix(b"+")).unwrap_or(word);
    match word {
        // Also as JavaScript and Python write them by mistake.
        b"true" | b"false" | b"True" | b"False" => Some("boolean"),
        b"null" | b"undefined" | b"None" => Some("null"),
        _ if matches!(unsigned, [b'0'..=b'9' | b'.', ..] | b"Infinity" | b"NaN") => Some("number"),
        _ => None,
    }
}

/// A key as people write it: escapes resolved, on one line.
fn shown(key: &[u8]) -> String {
    let text = String::from_utf8_lossy(&key[..key.len().min(MAX_KEY)]);
    let text = if text.contains('\\') { unescaped(&text) } else { text.into_owned() };
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).filter(|c| is_shown(*c)).collect();
    signature::cut(&text, signature::MAX_WIDTH / 2).into_owned()
}

/// Resolves the escapes that stand for something to be seen.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut units = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let hex = rest.strip_prefix("\\u").and_then(|hex| hex.get(..4)).and_then(|hex| u16::from_str_radix(hex, 16).ok());
        if let Some(unit) = hex {
            units.push(unit);
            rest = &rest[6..];
            continue;
        }
        // Two escapes may make one character.
        plain.extend(char::decode_utf16(units.drain(..)).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
        let escaped = rest.strip_prefix('\\').and_then(|after| after.chars().next());
        let (c, length) = match escaped {
            Some('n' | 'r' | 't' | 'b' | 'f') => (' ', 2),
            Some(escaped) => (escaped, 1 + escaped.len_utf8()),
            None => (c, c.len_utf8()),
        };
        plain.push(c);
        rest = &rest[length..];
    }
    plain.extend(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(source: &str) -> Vec<String> {
        rows_of(&outline(source.as_bytes(), false, true))
    }

    fn rows_of(outline: &Outline) -> Vec<String> {
        let rows = outline
            .symbols
            .iter()
            .map(|symbol| format!("{}-{} {}{}", symbol.line, symbol.end_line, ">".repeat(symbol.depth), symbol.signature));
        rows.chain(outline.notes.iter().cloned()).collect()
    }

    #[test]
    fn keys_of_two_levels_have_types_and_lengths() {
        let source =
            "{\n\"a\": 1, \"b\": {\"c\": [1, 2], \"d\": {\"deep\": true}},\n\"e\": [\n{\"x\": 1}],\n\"f\": {}, \"g\": null}";
        assert_eq!(
            rows(source),
            [
                "2-2 a: number",
                "2-2 b: {2 keys}",
                "2-2 >c: [2 items]",
                "2-2 >d: {1 key}",
                "3-4 e: [1 item]",
                "5-5 f: {0 keys}",
                "5-5 g: null",
                "Object of 5 keys.",
            ]
        );
    }

    #[test]
    fn items_of_an_array_share_a_row_for_each_key() {
        assert_eq!(
            rows("[{\"a\": 1},\n {\"a\": 2, \"b\": {\"c\": 'x'}},\n {\"b\": {\"d\": 1}}, 7]"),
            [
                "1-1 a: number",
                "2-2 b: {1 key}",
                "2-2 >c: string",
                "Array of 4 items; each key of theirs is listed where it comes first."
            ]
        );
        assert_eq!(rows("[1, 2]"), ["Array of 2 items."]);
    }

    #[test]
    fn values_one_after_another_share_rows_from_the_second_on() {
        assert_eq!(
            rows("{\"a\": 1, \"a\": 2}\n{\"b\": 1}\n{\"b\": 2}"),
            [
                "1-1 a: number",
                "1-1 a: number",
                "2-2 b: number",
                "Values one after another: 3 values; each key of theirs is listed where it comes first."
            ]
        );
    }

    #[test]
    fn lines_are_records_and_broken_ones_are_only_counted() {
        let outline = outline(b"{\"a\": 1}\n\n{\"b\": \"x\", y\n{\"b\": {\"c\": 1}}\r\n[1]\n", true, true);
        assert_eq!(
            rows_of(&outline),
            [
                "1-1 a: number",
                "4-4 b: {1 key}",
                "4-4 >c: number",
                "One record a line: 4 records; each key is listed where it comes first.",
                "Lines that are no JSON: 1.",
            ]
        );
    }

    #[test]
    fn what_is_not_json_shows_nothing_that_could_be_a_value() {
        for source in [
            "{\"a\": \"it said \"secret\": 1\", \"secret\": 2}",
            "{\"a\": secret secret: 3}",
            "{\"a\": \"secret\n\"secret\": 1}",
            "[\"secret\" \"secret\": 1]",
            "\"secret\": {\"secret\": 1}",
            "secret: secret",
            "secret secret",
            "{\"a\": 1, 'secret'",
            "{\"a\": [\"secret\"}, \"secret\": 1",
            "<secret attribute=\"secret\">",
            "{\"secret",
        ] {
            let rows = rows(source);
            assert!(!rows.is_empty() && rows.iter().all(|row| !row.contains("secret")), "{source}: {rows:?}");
        }
    }

    #[test]
    fn a_forgotten_comma_at_the_end_of_a_line_is_forgiven() {
        assert_eq!(
            rows("{\"a\": 1\n\"b\": 2,, // c\n c: 3,}"),
            ["1-1 a: number", "2-2 b: number", "3-3 c: number", "Object of 3 keys."]
        );
    }

    #[test]
    fn a_beginning_says_that_it_is_one() {
        assert_eq!(
            rows_of(&outline(b"{\"a\": [1,\n2, {\"b\": \"x", false, false)),
            ["1-2 a: [3+ items]", "Object of at least 1 key.", "Only the first 0.0 KB were looked at."]
        );
        assert_eq!(
            rows("{\"a\": {\"b\": 1,\n\"c\":"),
            [
                "1-2 a: {2+ keys}",
                "1-1 >b: number",
                "2-2 >c: not read to its end",
                "Object of at least 1 key.",
                "The text ends in the middle of a value."
            ]
        );
    }

    #[test]
    fn names_have_their_escapes_resolved() {
        for (written, name) in [
            ("\\u00e9t\\u00e9", "été"),
            ("esc\\\"aped:key", "esc\"aped:key"),
            ("back\\\\slash", "back\\slash"),
            ("\\ud83d\\ude00!", "😀!"),
            ("a\\nb\\ud83d", "a b\u{fffd}"),
            ("\\uzzzz\\", "uzzzz\\"),
        ] {
            assert_eq!(shown(written.as_bytes()), name);
        }
    }

    #[test]
    fn neither_depth_nor_length_hurts() {
        let deep = "[".repeat(1_000_000);
        assert_eq!(rows(&deep), ["Array of at least 1 item.", "The text ends in the middle of a value."]);
        let nested = "{\"a\":".repeat(5_000) + "1" + &"}".repeat(5_000);
        assert_eq!(rows(&nested), ["1-1 a: {1 key}", "1-1 >a: {1 key}", "Object of 1 key."]);
    }

    #[test]
    fn every_text_has_an_outline() {
        for source in ["", " \n", "// x", "7", "\"x\"", "{", "}", "nonsense here", "\u{feff}", "{}", "[]", "{]"] {
            assert!(!rows(source).is_empty(), "{source}");
            assert!(!outline(source.as_bytes(), true, true).notes.is_empty(), "{source}");
        }
    }
}
