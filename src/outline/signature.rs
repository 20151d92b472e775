//! Signatures and names: pieces of source, brought onto one line.

use std::borrow::Cow;
use std::ops::Range;

use crate::shown::is_shown;

/// Signatures longer than this are cut; characters. The reply cuts further where it has to.
pub const MAX_WIDTH: usize = 200;

/// What a signature need not end with: it says only that a body or a value follows.
const TRAILING: [char; 6] = ['{', '=', ':', ';', '(', ','];

/// The source in `range` on one line: white space collapsed, `gaps` (comments, in file order) left out, and an
/// ellipsis for `hole`, a body that stands before the name.
pub fn of(source: &[u8], range: Range<usize>, hole: Option<&Range<usize>>, gaps: &[Range<usize>]) -> String {
    let mut line = Line::default();
    let mut at = range.start;
    let mut next = gaps.partition_point(|gap| gap.end <= at);
    while at < range.end && !line.is_full() {
        let gap = gaps[next..].iter().find(|gap| gap.start < range.end && gap.end > at);
        let hole = hole.filter(|hole| hole.start >= at && gap.is_none_or(|gap| gap.start >= hole.start));
        let stop = hole.or(gap).map_or(range.end, |stop| stop.start.max(at));
        line.push(&source[at..stop]);
        match (hole, gap) {
            (Some(hole), _) => {
                line.push("{…}".as_bytes());
                at = hole.end;
            }
            (None, Some(gap)) => {
                // Like a line of its own: no space next to a bracket.
                (line.space, line.newline) = (true, true);
                at = gap.end.min(range.end);
                next += 1;
            }
            (None, None) => break,
        }
    }
    line.finish()
}

/// Where the words that stand before `start` on its line begin: `export const`, of which a declarator is only a part.
pub fn with_words_before(source: &[u8], start: usize) -> usize {
    let line = memchr::memrchr(b'\n', &source[..start]).map_or(0, |newline| newline + 1);
    let line = line.max(start.saturating_sub(MAX_WIDTH));
    let before = &source[line..start];
    let blank = before.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(before.len());
    let words = &before[blank..];
    let only_words = words.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'\t' | b'_'));
    if only_words && words.last().is_none_or(u8::is_ascii_whitespace) { line + blank } else { start }
}

/// A symbol's name from the text of its name nodes: one line, no quotes, no generics, no colon that makes a word a symbol.
pub fn tidy_name(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace(|c| !is_shown(c), "");
    let text = text.replace(":: ", "::").replace(" ::", "::");
    if let Some(inside) = unquoted(&text) {
        return inside.to_owned();
    }
    let text = without_colon(&text);
    let is_operator = |at: &usize| is_operator(&text[at + "operator".len()..]) && !ends_in_generics(&text[..*at]);
    let at = text.match_indices("operator").map(|(at, _)| at).find(is_operator).unwrap_or(text.len());
    let (name, operator) = text.split_at(at);
    let mut name = without_generics(name).into_owned();
    match operator.strip_prefix("operator ") {
        Some(symbol) if !symbol.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"' | ':')) => {
            name.push_str("operator");
            name.push_str(symbol);
        }
        _ => name.push_str(operator),
    }
    name
}

/// What follows `operator` in the name of one: not the rest of a longer word.
fn is_operator(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// `:name` is a name, as a value; `::name` is a path.
fn without_colon(text: &str) -> &str {
    let is_word = |rest: &&str| rest.starts_with(|c: char| c.is_alphabetic() || c == '_');
    text.strip_prefix(':').filter(is_word).unwrap_or(text)
}

fn unquoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    text.strip_prefix(quote)?.strip_suffix(quote)
}

/// `Vec<T>::push` without `<T>`.
fn without_generics(name: &str) -> Cow<'_, str> {
    if !name.contains('<') {
        return Cow::Borrowed(name);
    }
    Cow::Owned(outside_generics(name).0.trim().to_owned())
}

/// Whether the arguments of a generic name are still open at the end of a text.
fn ends_in_generics(text: &str) -> bool {
    text.contains('<') && outside_generics(text).1 > 0
}

/// What stands outside of `<…>`, and how many of these are still open at the end; an arrow's `>` closes nothing.
fn outside_generics(text: &str) -> (String, usize) {
    let (mut kept, mut depth, mut last) = (String::with_capacity(text.len()), 0_usize, ' ');
    for c in text.chars() {
        match c {
            '<' => depth += 1,
            '>' if depth > 0 && last != '-' && last != '=' => depth -= 1,
            _ if depth == 0 => kept.push(c),
            _ => {}
        }
        last = c;
    }
    (kept, depth)
}

/// A line under construction, no longer than [`MAX_WIDTH`] characters.
#[derive(Default)]
struct Line {
    text: String,
    width: usize,
    /// White space that the next character has to be set off with, and whether a line ended in it.
    space: bool,
    newline: bool,
}

impl Line {
    fn is_full(&self) -> bool {
        self.width > MAX_WIDTH
    }

    fn push(&mut self, piece: &[u8]) {
        // A character has at most four bytes; what lies beyond is never looked at.
        let room = (MAX_WIDTH + 2 - self.width.min(MAX_WIDTH)) * 4;
        let mut rest = piece;
        while !rest.is_empty() && !self.is_full() {
            let blank = rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len());
            self.space |= blank > 0;
            self.newline |= rest[..blank].contains(&b'\n');
            rest = &rest[blank..];
            let word = rest.iter().take(room).position(u8::is_ascii_whitespace).unwrap_or(rest.len().min(room));
            for c in String::from_utf8_lossy(without_continuation(rest, word)).chars() {
                if is_shown(c) {
                    self.set_off(c);
                    self.text.push(c);
                    self.width += 1;
                }
                if self.is_full() {
                    return;
                }
            }
            rest = &rest[word..];
        }
    }

    /// One space for all white space; none inside brackets whose content had lines of its own.
    fn set_off(&mut self, next: char) {
        let (space, newline) = (std::mem::take(&mut self.space), std::mem::take(&mut self.newline));
        if !space || self.text.is_empty() || newline && self.text.ends_with(['(', '[', '<']) {
            return;
        }
        if newline && matches!(next, ')' | ']' | '>') {
            if self.text.ends_with(',') {
                self.text.pop();
                self.width -= 1;
            }
            return;
        }
        self.text.push(' ');
        self.width += 1;
    }

    fn finish(self) -> String {
        if self.is_full() {
            return cut(&self.text, MAX_WIDTH).into_owned();
        }
        let trimmed = self.text.trim_end_matches(|c: char| c.is_whitespace() || TRAILING.contains(&c));
        if trimmed.is_empty() { self.text } else { trimmed.to_owned() }
    }
}

/// The first `length` bytes of `text`, without a backslash that only joins their line to the next one.
fn without_continuation(text: &[u8], length: usize) -> &[u8] {
    let (word, behind) = text.split_at(length);
    let ends_line = behind.starts_with(b"\n") || behind.starts_with(b"\r\n");
    word.strip_suffix(b"\\").filter(|_| ends_line).unwrap_or(word)
}

/// `text` in at most `width` characters, the last an ellipsis where something was cut.
pub fn cut(text: &str, width: usize) -> Cow<'_, str> {
    if text.len() <= width || text.chars().count() <= width {
        return Cow::Borrowed(text);
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    Cow::Owned(format!("{}…", kept.trim_end()))
}

/// `text` in at most `width` characters, of which the name is not cut off: long types before it give way.
pub fn cut_round_name<'t>(text: &'t str, name: &str, width: usize) -> Cow<'t, str> {
    let plain = cut(text, width);
    if matches!(plain, Cow::Borrowed(_)) {
        return plain;
    }
    // A member's owner, and the marks of an operator or an indexer, may be written otherwise.
    let last = name.rsplit(['.', ':', ' ']).next().unwrap_or(name).trim_end_matches(|c| !is_word(c));
    let mut words = [name, last].into_iter().filter(|word| *word == last || word.chars().count() + 3 <= width);
    let Some((at, word)) = words.find_map(|word| Some((place_of_name(text, word)?, word))) else { return plain };
    // Of a name that is too long by itself, most is enough.
    let needed = word.chars().count().min(width * 2 / 3) + 1;
    if text[..at].chars().count() + needed <= width {
        return plain;
    }
    let room = width.saturating_sub(needed + 2);
    let mut kept = 0;
    for (blank, _) in text[..at].match_indices(' ') {
        if text[..blank].chars().count() <= room {
            kept = blank + 1;
        }
    }
    Cow::Owned(cut(&format!("{}… {}", &text[..kept], &text[at..]), width).into_owned())
}

/// Where a signature has its name: at its end, in front of brackets, or where it first occurs.
fn place_of_name(text: &str, word: &str) -> Option<usize> {
    let is_whole = |at: &usize| {
        let (before, after) = (text[..*at].chars().next_back(), text[at + word.len()..].chars().next());
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    };
    let mut places = text.match_indices(word).map(|(at, _)| at).filter(is_whole);
    let is_named = |at: &usize| {
        let after = text[at + word.len()..].trim_start();
        after.is_empty() || after.starts_with(['(', '<', '['])
    };
    let mut first = None;
    let named = places.find(|at| {
        first = first.or(Some(*at));
        is_named(at)
    });
    named.or(first).filter(|_| !word.is_empty())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_one_line_without_comments() {
        let source = b"pub fn run(\n    a: u8, // first\n    b: u8,\n) -> u8 {";
        let comment = 23..31;
        assert_eq!(&source[comment.clone()], b"// first");
        assert_eq!(of(source, 0..source.len(), None, &[comment]), "pub fn run(a: u8, b: u8) -> u8");
    }

    #[test]
    fn an_attribute_behind_a_bracket_leaves_no_space() {
        let source = b"void run(@Nonnull String a, @Nullable String b)";
        let attributes = [9..17, 28..37];
        assert_eq!(of(source, 0..source.len(), None, &attributes), "void run(String a, String b)");
    }

    #[test]
    fn a_comment_leaves_no_space_in_brackets() {
        let source = b"void f( /* a */ int a /* b */ ) /* c */ const";
        assert_eq!(of(source, 0..source.len(), None, &[8..15, 22..29, 32..39]), "void f(int a) const");
    }

    #[test]
    fn a_backslash_that_joins_two_lines_is_left_out() {
        let source = b"#define SUM(a, \\\n            b) \\\r\n    ((a) + (b))";
        assert_eq!(of(source, 0..35, None, &[]), "#define SUM(a, b)");
        assert_eq!(of(br"let f = \x -> x \ y", 0..19, None, &[]), r"let f = \x -> x \ y");
    }

    #[test]
    fn a_body_before_the_name_is_an_ellipsis() {
        let source = b"typedef struct {\n int x;\n} Point;";
        assert_eq!(of(source, 0..source.len(), Some(&(15..26)), &[]), "typedef struct {…} Point");
    }

    #[test]
    fn a_long_signature_is_cut_between_characters() {
        let source = "x = \"".to_owned() + &"é".repeat(MAX_WIDTH * 3);
        let line = of(source.as_bytes(), 0..source.len(), None, &[]);
        assert_eq!(line.chars().count(), MAX_WIDTH);
        assert!(line.ends_with("é…"));
    }

    #[test]
    fn names_have_no_generics_and_no_quotes() {
        for (written, name) in [
            ("Ring<T>", "Ring"),
            ("Drain for Ring<Vec<T>>", "Drain for Ring"),
            ("Map<K, V>::get", "Map::get"),
            ("operator <", "operator<"),
            ("Foo<T>::operator ()", "Foo::operator()"),
            ("Has<T, std::void_t<decltype(&T::operator())>>", "Has"),
            ("operator bool", "operator bool"),
            ("operators<T>", "operators"),
            ("\"quoted name\"", "quoted name"),
            ("'renders <div>'", "renders <div>"),
            ("Fn(u8) -> u8", "Fn(u8) -> u8"),
            (":deploy", "deploy"),
            ("::deploy", "::deploy"),
        ] {
            assert_eq!(tidy_name(written), name);
        }
    }

    #[test]
    fn words_before_a_declarator_come_along() {
        let at = |source: &str, name: &str| with_words_before(source.as_bytes(), source.find(name).unwrap());
        assert_eq!(at("a;\n  export const f = 1", "f ="), 5);
        assert_eq!(at("const a = 1, f = 2", "f ="), 13);
        assert_eq!(at("class Box { get v() {} }", "get"), 12);
    }

    #[test]
    fn a_long_type_gives_way_to_the_name_behind_it() {
        for (text, name, short) in [
            ("public event EventHandler<SessionEventArgs> SessionStarted", "SessionStarted", "public event … SessionStarted"),
            ("private async Task<List<User>> GetUsers(Session session)", "GetUsers", "private async … GetUsers(Sess…"),
            ("namespace Some.Company.Product.Module", "Some.Company.Product.Module", "… Some.Company.Product.Module"),
            ("IEnumerator<KeyValuePair<string, int>> IBag<int>.Get()", "IBag.Get", "… Get()"),
            ("Configuration Configuration(Configuration other)", "Configuration", "Configuration Configuration(C…"),
            (
                "def a_function_with_a_name_that_is_long(a)",
                "a_function_with_a_name_that_is_long",
                "def a_function_with_a_name_th…",
            ),
            (
                "public virtual Task A_function_with_a_long_name(int a)",
                "A_function_with_a_long_name",
                "public … A_function_with_a_lo…",
            ),
            ("fn short(a: u8)", "short", "fn short(a: u8)"),
            ("static Vector256<byte> operator +(Vector256<byte> a)", "operator+", "static … operator +(Vector256…"),
        ] {
            assert_eq!(cut_round_name(text, name, 30), short);
        }
        assert_eq!(cut_round_name("a = \"é…\"", "", 5), "a =…");
    }
}
