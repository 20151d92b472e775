//! Where a comment or a string begins, and where it ends.

use memchr::{memchr, memchr2, memchr3, memmem};

use super::scan::{Found, Heredoc, Scanner, class};
use super::{End, Escape, Quote, Span, When, is_among};

/// Code inside strings inside code inside strings: nobody goes deeper.
const MAX_HOLES: usize = 16;

/// Bytes of a regular expression that is written in code inside a string.
const MAX_LITERAL: usize = 1_000;

/// Heredocs without an end, after which `<<` is taken for a shift.
const MAX_HEREDOC_FAILURES: usize = 16;

impl Scanner<'_> {
    /// Whether what stands before `at` lets a span begin there.
    pub(super) fn may_begin(&self, span: &Span, at: usize) -> bool {
        let before = &self.source[..at];
        match span.when {
            When::Always => true,
            When::NotBehindWord { unless } => match before.last() {
                Some(b')' | b']' | b'}') => false,
                Some(&byte) if self.is_word(byte) => {
                    let length = before.iter().rev().take(12).take_while(|&&byte| self.is_word(byte)).count();
                    unless.split(' ').any(|word| word.as_bytes() == &before[at - length..])
                }
                _ => true,
            },
            When::Apart => before.last().is_none_or(|byte| byte.is_ascii_whitespace() || b";&|(){}`".contains(byte)),
            When::AtLineStart => before.last().is_none_or(|byte| *byte == b'\n'),
            When::AtLineStartBeforeLetter => {
                let is_letter = self.source.get(at + span.open.len()).is_some_and(u8::is_ascii_alphabetic);
                is_letter && before.last().is_none_or(|byte| *byte == b'\n')
            }
            When::FirstOnLine => {
                let blank = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                matches!(before[..at - blank], [] | [.., b'\n'] | [0xef, 0xbb, 0xbf])
            }
            When::BehindPrefix(prefixes) => {
                let marks = before.iter().rev().take_while(|byte| **byte == b'#').count();
                let before = &before[..at - marks];
                prefixes.iter().any(|prefix| {
                    let letters = before.strip_suffix(prefix.as_bytes());
                    letters.is_some_and(|before| {
                        if prefix.is_empty() { marks > 0 } else { before.last().is_none_or(|&byte| !self.is_word(byte)) }
                    })
                })
            }
            When::BeforeExpression { words, commands } => self.is_before_expression(words, commands, at),
        }
    }

    /// Whether an expression may begin at `at`, so that `/` does not divide.
    fn is_before_expression(&self, words: &str, commands: bool, at: usize) -> bool {
        let before = self.source[..at].trim_ascii_end();
        let Some(&last) = before.last() else { return true };
        if self.is_word(last) {
            let length = before.iter().rev().take(12).take_while(|&&byte| self.is_word(byte)).count();
            let word = &before[before.len() - length..];
            // A property may be called like a keyword.
            let is_property = before[..before.len() - length].last() == Some(&b'.');
            let is_set_off = before.len() < at && self.source.get(at + 1).is_some_and(|byte| !b" \t=".contains(byte));
            return !is_property && is_among(words, word) || commands && is_set_off && !last.is_ascii_digit();
        }
        // The end of a tag is no expression.
        let is_postfix = before.ends_with(b"++") || before.ends_with(b"--") || last == b'<' && before.len() == at;
        // Nor is `a! / b`, which says that `a` is not null.
        let is_asserted = last == b'!' && before.len() < at && {
            let asserted = before[..before.len() - 1].last();
            asserted.is_some_and(|&byte| self.is_word(byte) || matches!(byte, b')' | b']'))
        };
        !is_postfix && !is_asserted && !matches!(last, b')' | b']' | b'}' | b'"' | b'\'' | b'`')
    }

    /// Whether what is taken for a division might be a regular expression that hides something: `if (is) /["{]/.test(x)`.
    pub(super) fn may_begin_after_all(&self, span: &Span, at: usize) -> bool {
        let is_unclear = matches!(span.when, When::BeforeExpression { .. })
            && matches!(self.source[..at].trim_ascii_end().last(), Some(b')' | b'}'));
        let text = &self.source[at + 1..];
        let end = if is_unclear { memchr2(b'/', b'\n', text) } else { None };
        end.is_some_and(|end| text[end] == b'/' && text[..end].iter().any(|byte| b"{}\"'`".contains(byte)))
    }

    /// Where the span that begins at `at` ends.
    pub(super) fn end_of(&mut self, span: &Span, at: usize) -> Found {
        let source = self.source;
        let inside = at + span.open.len();
        let rest = &source[inside..];
        match span.end {
            End::Here => Found::End(inside),
            End::Next => Found::End(if rest.starts_with(b"\r\n") { inside + 2 } else { inside + 1 }),
            End::Line => Found::End(memchr(b'\n', rest).map_or(source.len(), |end| inside + end)),
            End::LineOr(text) => {
                let end = memchr(b'\n', rest).map_or(source.len(), |end| inside + end);
                Found::End(memmem::find(&source[inside..end], text.as_bytes()).map_or(end, |at| inside + at))
            }
            End::Directive => Found::End(self.directive_end(inside)),
            End::Text { close, to_the_end } => match memmem::find(rest, close.as_bytes()) {
                Some(end) => Found::End(inside + end + close.len()),
                None if to_the_end => Found::End(source.len()),
                None => Found::NoEnd { before: source.len() },
            },
            End::Nested(close) => nested_end(source, inside, span.open.as_bytes(), close.as_bytes()),
            End::Quote(quote) => self.quote_end(quote, inside),
            End::Character => character_end(source, inside).map_or(Found::Other, Found::End),
            End::Hashes => {
                let marks = source[..at].iter().rev().take_while(|byte| **byte == b'#').count();
                memchr::memchr_iter(b'"', rest)
                    .map(|quote| inside + quote + 1)
                    .find(|&end| source[end..].iter().take(marks).take_while(|byte| **byte == b'#').count() == marks)
                    .map_or(Found::NoEnd { before: source.len() }, |end| Found::End(end + marks))
            }
            End::Quotes => {
                let more = rest.iter().take_while(|byte| **byte == b'"').count();
                let quotes = span.open.bytes().filter(|byte| *byte == b'"').count() + more;
                find_run(source, inside + more, b'"', quotes).map_or(Found::NoEnd { before: source.len() }, Found::End)
            }
            End::LongBracket => long_bracket_end(source, inside),
            End::Delimited => delimited_end(source, inside),
            End::Tagged { open, close, last } => tagged_end(source, inside, [open, close, last]),
            End::Heredoc { spaced, lower, indented } => self.heredoc(inside, spaced, lower, indented),
            End::Pair(letters) => pair_end(source, inside, letters),
            End::Regex => regex_end(source, inside),
        }
    }

    /// A directive goes on in the next line behind a backslash, and in a comment.
    fn directive_end(&mut self, at: usize) -> usize {
        let source = self.source;
        let mut at = at;
        // Up to where no string ends.
        let mut unclosed = 0;
        loop {
            let Some(found) = memchr3(b'\n', b'/', b'"', &source[at..]) else { return source.len() };
            at += found;
            let rest = &source[at..];
            match rest[0] {
                b'\n' => {
                    let line = source[..at].strip_suffix(b"\r").unwrap_or(&source[..at]);
                    if !line.ends_with(b"\\") {
                        return at;
                    }
                    at += 1;
                }
                b'/' if rest.starts_with(b"/*") && at < self.unclosed_from => {
                    let end = memmem::find(&rest[2..], b"*/");
                    if end.is_none() {
                        self.unclosed_from = at;
                    }
                    at += end.map_or(1, |end| end + 4);
                }
                b'/' if rest.starts_with(b"//") => at += memchr(b'\n', rest).unwrap_or(rest.len()),
                b'"' if at >= unclosed => {
                    // A string, if it ends on this line.
                    let mut end = at + 1;
                    while let Some(&byte) = source.get(end).filter(|byte| !matches!(byte, b'"' | b'\n')) {
                        end += if byte == b'\\' && source.get(end + 1) != Some(&b'\n') { 2 } else { 1 };
                    }
                    if source.get(end) == Some(&b'"') {
                        at = end + 1;
                    } else {
                        unclosed = end;
                        at += 1;
                    }
                }
                _ => at += 1,
            }
        }
    }

    /// Where a quoted string ends whose text begins at `at`, with the code inside it.
    fn quote_end(&self, quote: Quote, at: usize) -> Found {
        let mut at = at;
        // The strings that are open, and the brackets that are in the code between them.
        let mut holes: [(Quote, u8, u8, usize); MAX_HOLES] = [(quote, 0, 0, 0); MAX_HOLES];
        let mut depth = 0;
        let mut quote = quote;
        loop {
            // In the text of a string.
            let hole = match self.text_end(quote, at) {
                TextEnd::Closed(end) => {
                    at = end;
                    None
                }
                TextEnd::Hole(end, bracket) => {
                    at = end;
                    Some(bracket)
                }
                TextEnd::NoEnd(before) => return Found::NoEnd { before },
            };
            match hole {
                None if depth == 0 => return Found::End(at),
                None => {}
                Some(_) if depth == MAX_HOLES => return Found::NoEnd { before: at },
                Some(bracket) => {
                    let mate = if bracket == b'(' { b')' } else { b'}' };
                    holes[depth] = (quote, bracket, mate, 1);
                    depth += 1;
                }
            }
            // In code, up to the next string or the end of the hole.
            loop {
                let (outer, open, mate, brackets) = &mut holes[depth - 1];
                let Some(&byte) = self.source.get(at) else { return Found::NoEnd { before: self.source.len() } };
                if byte == b'\n' && !outer.has_lines {
                    return Found::NoEnd { before: at };
                }
                at += 1;
                if byte == *open {
                    *brackets += 1;
                } else if byte == *mate {
                    *brackets -= 1;
                    if *brackets == 0 {
                        quote = *outer;
                        depth -= 1;
                        break;
                    }
                } else {
                    match self.literal_at(at - 1) {
                        Literal::Quote(inner, text) => {
                            at = text;
                            quote = inner;
                            break;
                        }
                        Literal::Whole(end) => at = end,
                        Literal::None => {}
                    }
                }
            }
        }
    }

    /// The literal that begins at `at` in the code of a hole.
    fn literal_at(&self, at: usize) -> Literal {
        let rest = &self.source[at..];
        if self.classes[usize::from(rest[0])] & class::SPAN == 0 {
            return Literal::None;
        }
        let near = &self.source[..(at + MAX_LITERAL).min(self.source.len())];
        for span in self.lexis.spans {
            if !rest.starts_with(span.open.as_bytes()) || !self.may_begin(span, at) {
                continue;
            }
            let inside = at + span.open.len();
            let end = match span.end {
                End::Quote(quote) => return Literal::Quote(quote, inside),
                End::Regex => regex_end(near, inside),
                End::Character => character_end(near, inside).map_or(Found::Other, Found::End),
                _ => Found::Other,
            };
            if let Found::End(end) = end {
                return Literal::Whole(end);
            }
        }
        Literal::None
    }

    fn text_end(&self, quote: Quote, from: usize) -> TextEnd {
        let close = quote.close.as_bytes();
        let escape = match quote.escape {
            Escape::Byte(byte) => byte,
            _ => close[0],
        };
        let mut at = from;
        loop {
            let rest = &self.source[at..];
            let hole_start = quote.holes.first().map_or(escape, |hole| hole.as_bytes()[0]);
            let found = if quote.has_lines {
                memchr3(close[0], escape, hole_start, rest)
            } else {
                let is_wanted = |byte: u8| byte == close[0] || byte == escape || byte == hole_start || byte == b'\n';
                rest.iter().position(|&byte| is_wanted(byte))
            };
            let Some(found) = found else { return TextEnd::NoEnd(self.source.len()) };
            at += found;
            let rest = &self.source[at..];
            if let Some(hole) = quote.holes.iter().find(|hole| rest.starts_with(hole.as_bytes())) {
                let bracket = hole.as_bytes()[hole.len() - 1];
                // `{{` is no hole where `{` is one.
                if hole.len() == 1 && rest.get(1) == Some(&bracket) {
                    at += 2;
                    continue;
                }
                let open = if bracket == b'(' { b'(' } else { b'{' };
                return TextEnd::Hole(at + hole.len(), open);
            }
            if rest.starts_with(close) {
                let behind = at + close.len();
                if quote.escape == Escape::Doubled && self.source[behind..].starts_with(close) {
                    at = behind + close.len();
                    continue;
                }
                // `""""` ends a string of three quotes behind the last of them.
                let more = if close.len() > 1 {
                    self.source[behind..].iter().take(2).take_while(|byte| **byte == close[0]).count()
                } else {
                    0
                };
                return TextEnd::Closed(behind + more);
            }
            match rest[0] {
                b'\n' => return TextEnd::NoEnd(at),
                byte if byte == escape && quote.escape != Escape::Doubled && quote.escape != Escape::None => {
                    at += if rest[1..].starts_with(b"\r\n") { 3 } else { 2 };
                    if at > self.source.len() {
                        return TextEnd::NoEnd(self.source.len());
                    }
                }
                _ => at += 1,
            }
        }
    }

    /// Notes a heredoc, whose text begins on the next line. The span itself is what announces it.
    fn heredoc(&mut self, at: usize, spaced: bool, lower: bool, indented: bool) -> Found {
        let source = self.source;
        if self.heredocs.failures >= MAX_HEREDOC_FAILURES || self.heredocs.count == self.heredocs.waiting.len() {
            return Found::Other;
        }
        let mut start = at;
        let is_indented = indented | matches!(source.get(start), Some(b'-' | b'~'));
        start += usize::from(matches!(source.get(start), Some(b'-' | b'~')));
        let is_marked = start > at;
        if spaced {
            start += source[start..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        }
        let quote = source.get(start).copied().filter(|byte| matches!(byte, b'"' | b'\'' | b'`' | b'\\'));
        start += usize::from(quote.is_some());
        let length = source[start..].iter().take(80).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let word = &source[start..start + length];
        let is_name = word.first().is_some_and(|byte| {
            byte.is_ascii_uppercase() || *byte == b'_' || byte.is_ascii_lowercase() && (lower || is_marked || quote.is_some())
        });
        if !is_name {
            return Found::Other;
        }
        let mut end = start + length;
        if let Some(quote) = quote.filter(|quote| *quote != b'\\') {
            if source.get(end) != Some(&quote) {
                return Found::Other;
            }
            end += 1;
        }
        self.heredocs.waiting[self.heredocs.count] = Heredoc { start, end: start + length, is_indented };
        self.heredocs.count += 1;
        Found::End(end)
    }

    /// Goes behind the heredocs that were announced on the line just read.
    pub(super) fn skip_heredocs(&mut self) {
        for index in 0..std::mem::take(&mut self.heredocs.count) {
            let heredoc = self.heredocs.waiting[index];
            let word = &self.source[heredoc.start..heredoc.end];
            let is_last = |line: &[u8]| {
                let text = if heredoc.is_indented { line.trim_ascii_start() } else { line };
                let behind = text.strip_prefix(word);
                behind.is_some_and(|behind| behind.first().is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_'))
            };
            let mut at = self.at();
            loop {
                let rest = &self.source[at..];
                if rest.is_empty() {
                    // It was none.
                    self.heredocs.failures += 1;
                    break;
                }
                let length = memchr(b'\n', rest).unwrap_or(rest.len());
                if is_last(&rest[..length]) {
                    // What follows the word on its line is code.
                    let indent = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                    self.go_to(at + indent + word.len());
                    break;
                }
                at = (at + length + 1).min(self.source.len());
            }
        }
    }
}

/// What begins in the code of a hole.
enum Literal {
    /// A string, and where its text begins.
    Quote(Quote, usize),
    /// Another literal, and where it ends.
    Whole(usize),
    None,
}

enum TextEnd {
    Closed(usize),
    /// Where the code begins, and the bracket that begins it.
    Hole(usize, u8),
    /// Up to where there is none.
    NoEnd(usize),
}

fn nested_end(source: &[u8], at: usize, open: &[u8], close: &[u8]) -> Found {
    let mut at = at;
    let mut depth = 1_usize;
    while let Some(found) = memchr2(open[0], close[0], &source[at..]) {
        at += found;
        let rest = &source[at..];
        if rest.starts_with(close) {
            at += close.len();
            depth -= 1;
            if depth == 0 {
                return Found::End(at);
            }
        } else if rest.starts_with(open) {
            at += open.len();
            depth += 1;
        } else {
            at += 1;
        }
    }
    Found::NoEnd { before: source.len() }
}

/// `'a'`, `'\n'`, `'\u{1f600}'`; not `'a`.
fn character_end(source: &[u8], at: usize) -> Option<usize> {
    let rest = &source[at..];
    match *rest.first()? {
        b'\\' => {
            let end = rest[2.min(rest.len())..].iter().take(12).position(|byte| matches!(byte, b'\'' | b'\n'))?;
            (rest[2 + end] == b'\'').then_some(at + 2 + end + 1)
        }
        b'\'' | b'\n' => None,
        first => {
            let length = match first {
                0..0xc0 => 1,
                0xc0..0xe0 => 2,
                0xe0..0xf0 => 3,
                _ => 4,
            };
            (rest.get(length) == Some(&b'\'')).then_some(at + length + 1)
        }
    }
}

/// Behind the next run of at least `length` of these bytes.
fn find_run(source: &[u8], at: usize, byte: u8, length: usize) -> Option<usize> {
    let mut at = at;
    loop {
        at += memchr(byte, &source[at..])?;
        let run = source[at..].iter().take_while(|found| **found == byte).count();
        at += run;
        if run >= length {
            return Some(at);
        }
    }
}

fn long_bracket_end(source: &[u8], at: usize) -> Found {
    let marks = source[at..].iter().take_while(|byte| **byte == b'=').count();
    if source.get(at + marks) != Some(&b'[') {
        return Found::Other;
    }
    let mut at = at + marks + 1;
    while let Some(found) = memchr(b']', &source[at..]) {
        at += found + 1;
        let run = source[at..].iter().take_while(|byte| **byte == b'=').count();
        if run == marks && source.get(at + run) == Some(&b']') {
            return Found::End(at + run + 1);
        }
        at += run;
    }
    Found::NoEnd { before: source.len() }
}

fn delimited_end(source: &[u8], at: usize) -> Found {
    let length =
        source[at..].iter().take(17).take_while(|byte| !matches!(byte, b'(' | b')' | b'\\' | b' ' | b'\n' | b'"')).count();
    let delimiter = &source[at..at + length];
    if source.get(at + length) != Some(&b'(') {
        return Found::Other;
    }
    let mut at = at + length + 1;
    while let Some(found) = memchr(b')', &source[at..]) {
        at += found + 1;
        if source[at..].strip_prefix(delimiter).is_some_and(|behind| behind.starts_with(b"\"")) {
            return Found::End(at + delimiter.len() + 1);
        }
    }
    Found::NoEnd { before: source.len() }
}

fn tagged_end(source: &[u8], at: usize, [open, close, last]: [u8; 3]) -> Found {
    let length = source[at..].iter().take(64).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let tag = &source[at..at + length];
    if source.get(at + length) != Some(&open) || tag.first().is_some_and(u8::is_ascii_digit) {
        return Found::Other;
    }
    let mut at = at + length + 1;
    while let Some(found) = memchr(close, &source[at..]) {
        at += found + 1;
        if source[at..].strip_prefix(tag).is_some_and(|behind| behind.first() == Some(&last)) {
            return Found::End(at + tag.len() + 1);
        }
    }
    Found::NoEnd { before: source.len() }
}

/// `%w[a b]`, `~s(a)`, `%(a (b))`.
fn pair_end(source: &[u8], at: usize, letters: &str) -> Found {
    let has_letter = source.get(at).is_some_and(|byte| letters.as_bytes().contains(byte));
    let bracket_at = at + usize::from(has_letter);
    let Some(&open) = source.get(bracket_at) else { return Found::Other };
    let (close, is_bracket) = match open {
        b'(' => (b')', true),
        b'[' => (b']', true),
        b'{' => (b'}', true),
        b'<' => (b'>', true),
        b'/' | b'|' | b'!' | b'"' | b'\'' | b'^' | b'#' | b',' | b':' | b'~' if has_letter => (open, false),
        _ => return Found::Other,
    };
    let mut at = bracket_at + 1;
    let mut depth = 1_usize;
    while let Some(found) = memchr3(open, close, b'\\', &source[at..]) {
        at += found;
        let byte = source[at];
        at += 1;
        if byte == b'\\' {
            at = (at + 1).min(source.len());
        } else if byte == close {
            depth -= 1;
            if depth == 0 {
                return Found::End(at);
            }
        } else if is_bracket {
            depth += 1;
        }
    }
    Found::NoEnd { before: source.len() }
}

/// A regular expression ends on its line.
fn regex_end(source: &[u8], at: usize) -> Found {
    let mut at = at;
    let mut in_class = false;
    while let Some(&byte) = source.get(at) {
        at += 1;
        match byte {
            b'\n' => return Found::NoEnd { before: at - 1 },
            b'\\' => at += usize::from(source.get(at) != Some(&b'\n')),
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => {
                let flags = source[at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
                return Found::End(at + flags);
            }
            _ => {}
        }
    }
    Found::NoEnd { before: source.len() }
}
