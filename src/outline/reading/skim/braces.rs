//! Bodies between braces.

use std::ops::Range;

use super::{Skim, WORTH};
use crate::lexis::scan::{Choices, PieceKind, Scanner, Stops};
use crate::lexis::{Body, Functions, Lexis, Rule, is_among};
use crate::outline::tree;

/// What is open round the place that is read.
struct Level {
    /// Behind the brace that opened it.
    start: usize,
    /// Its number among the blocks round cuts, once there is one in it.
    block: Option<usize>,
    /// Where the head of the next block begins: behind the last block, statement or directive.
    head: usize,
    /// The same, but behind no directive, nor inside a choice that those make.
    settled: usize,
    /// Parentheses and square brackets that are open.
    brackets: usize,
    /// Where the last of them was closed.
    closed: usize,
}

impl Level {
    fn at(start: usize) -> Self {
        Self { start, block: None, head: start, settled: start, brackets: 0, closed: 0 }
    }

    fn restart(&mut self, head: usize, choices: &Choices) {
        self.begin_head(head);
        if self.brackets == 0 && !choices.is_open() {
            self.settled = head;
        }
    }

    fn begin_head(&mut self, at: usize) {
        if self.brackets == 0 {
            self.head = at;
        }
    }
}

/// None: the brackets of the text do not match, or it could be read in two ways.
pub(super) fn skim(source: &[u8], lexis: &'static Lexis, newline_ends: bool) -> Option<Skim> {
    let mut scanner = Scanner::new(source, lexis);
    let stops = if newline_ends { Stops::LINES } else { Stops::BRACKETS };
    let mut levels = vec![Level::at(0)];
    let mut choices = Choices::default();
    let mut skim = Skim::default();
    // A line end after which a block may still open.
    let mut newline = None;
    while let Some(piece) = scanner.next(stops) {
        let depth = levels.len() - 1;
        let level = &mut levels[depth];
        if let Some(end) = newline.take()
            && !(piece.what == PieceKind::Open(b'{') && source[end..piece.start].trim_ascii().is_empty())
        {
            level.restart(end, &choices);
        }
        match piece.what {
            PieceKind::Open(b'{') => {
                let head = &source[level.head..piece.start];
                let is_body = match level.brackets {
                    0 => level.closed > level.head && is_function(head, lexis),
                    _ => is_in_value(head, lexis),
                };
                if is_body {
                    let (end, is_closed) = scanner.skip_block();
                    if !is_closed {
                        return None;
                    }
                    let inside = piece.end..end - 1;
                    if !tree::wraps(&inside, source.len()) {
                        if inside.len() >= WORTH && !swallows(source, &inside, lexis) {
                            skim.leave_out(inside);
                        }
                        level.restart(end, &choices);
                        cut(&mut skim, &mut levels, &choices, end, source, lexis);
                        continue;
                    }
                    scanner.go_to(piece.end);
                }
                levels.push(Level::at(piece.end));
            }
            PieceKind::Close(b'}') => {
                if depth == 0 || level.brackets > 0 {
                    return None;
                }
                if let Some(block) = level.block {
                    skim.cuts.end_block(block, piece.start..end_of_tail(source, piece.end));
                }
                levels.pop();
                levels[depth - 1].restart(piece.end, &choices);
                cut(&mut skim, &mut levels, &choices, piece.end, source, lexis);
            }
            PieceKind::Open(b'(')
                if level.brackets == 0 && is_expression_of_function(&source[level.head..piece.start], lexis) =>
            {
                let (end, is_closed) = scanner.skip_parentheses();
                if !is_closed {
                    return None;
                }
                let inside = piece.end..end - 1;
                let first = source[inside.clone()].iter().position(|byte| !byte.is_ascii_whitespace());
                if let Some(first) = first.map(|first| inside.start + first)
                    && inside.end - first >= WORTH
                    && !swallows(source, &inside, lexis)
                {
                    // Between parentheses something has to stand.
                    skim.marks.push((first, b'0'));
                    skim.leave_out(first + 1..inside.end);
                }
            }
            PieceKind::Open(_) => level.brackets += 1,
            PieceKind::Close(_) => {
                level.brackets = level.brackets.checked_sub(1)?;
                if level.brackets == 0 {
                    level.closed = piece.end;
                }
            }
            // No word of a comment before a head counts.
            PieceKind::Comment if source[level.head..piece.start].trim_ascii().is_empty() => level.begin_head(piece.end),
            PieceKind::Newline if !goes_on(&source[level.head..piece.start]) => newline = Some(piece.start),
            PieceKind::Directive => {
                let depth = choices.take(&source[piece.start..piece.end], depth);
                levels.truncate(depth + 1);
                levels.last_mut()?.begin_head(piece.end);
            }
            _ => {}
        }
    }
    (levels.len() == 1 && levels[0].brackets == 0 && scanner.doubts() == 0).then_some(skim)
}

/// Notes that the text may be cut behind a block that ends at `end`, if it may: in no choice, and in no brackets.
fn cut(skim: &mut Skim, levels: &mut [Level], choices: &Choices, end: usize, source: &[u8], lexis: &Lexis) {
    // What stands before `begins_behind` changes how everything is read.
    if choices.is_open() || !lexis.begins_behind.is_empty() || levels.iter().any(|level| level.brackets > 0) {
        return;
    }
    let kept = end - skim.length;
    if !skim.cuts.is_due(kept) {
        return;
    }
    let Some(at) = behind_declaration(source, end, lexis) else { return };
    let mut around = Vec::with_capacity(levels.len() - 1);
    for inner in 1..levels.len() {
        let (outer, start) = (&levels[inner - 1], levels[inner].start);
        let (head, whole_head) = (outer.head..start, outer.settled..start);
        if levels[inner].block.is_none() && !is_container(&source[head], lexis) {
            return;
        }
        around.push(*levels[inner].block.get_or_insert_with(|| skim.cuts.begin_block(whole_head)));
    }
    skim.cuts.add(at, kept, around);
}

/// Whether a head is that of a class or the like, in which one declaration follows the other.
fn is_container(head: &[u8], lexis: &Lexis) -> bool {
    let declarations = &lexis.declarations;
    let mut words = Words { head: after_last_statement(head), at: 0, depth: 0 };
    while let Some(word) = words.next() {
        match word {
            Word::Name(name) if declarations.has_rule(name, |rule| matches!(rule.body, Body::Members | Body::Through)) => {
                return true;
            }
            Word::Name(_) => {}
            Word::Assign | Word::Arrow => return false,
        }
    }
    false
}

/// The beginning of the line behind a block, if what follows there is a declaration of its own, as far as can be told.
fn behind_declaration(source: &[u8], end: usize, lexis: &Lexis) -> Option<usize> {
    let (line, rest) = source[end..].split_at(memchr::memchr(b'\n', &source[end..])? + 1);
    let behind = line.strip_prefix(b";").or_else(|| line.strip_prefix(b",")).unwrap_or(line).trim_ascii();
    let next = rest.trim_ascii_start();
    let word = &next[..next.iter().position(|byte| !is_word(*byte)).unwrap_or(next.len())];
    let declarations = &lexis.declarations;
    let begins = match word {
        [] => {
            let mut marks = declarations.attribute_marks.iter().chain(&["//", "/*"]);
            marks.any(|mark| next.starts_with(mark.as_bytes()))
        }
        _ => !is_among(declarations.continued_by, word),
    };
    (begins && (behind.is_empty() || behind.starts_with(b"//"))).then_some(end + line.len())
}

/// Behind the line on which a block ends at `end`, where what follows the brace may belong to it: `};`. A comment on it must
/// not go on with what is read next.
fn end_of_tail(source: &[u8], end: usize) -> usize {
    let rest = &source[end..];
    let line = &rest[..memchr::memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1)];
    if line.iter().any(|byte| b"{}()[]\"'`".contains(byte)) { end } else { end + line.len() }
}

/// Whether a line ends with what something has to follow.
fn goes_on(head: &[u8]) -> bool {
    let line = head.trim_ascii_end();
    line.ends_with(b"=>") || line.ends_with(b" =")
}

/// Whether a body has a line that looks like the head of a neighbour: indented no deeper than the body's first line, and
/// beginning with a word with which declarations begin. Then something in it is not closed.
fn swallows(source: &[u8], inside: &Range<usize>, lexis: &Lexis) -> bool {
    let indent_at = |start: usize| source[start..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let first = memchr::memrchr(b'\n', &source[..inside.start]).map_or(0, |newline| newline + 1);
    let limit = indent_at(first);
    memchr::memchr_iter(b'\n', &source[inside.clone()]).any(|newline| {
        let start = inside.start + newline + 1;
        let indent = source[start..inside.end].iter().take(limit + 1).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let line = &source[start + indent..inside.end];
        indent <= limit && line.first().is_some_and(u8::is_ascii_alphabetic) && begins_declaration(line, lexis)
    })
}

fn begins_declaration(line: &[u8], lexis: &Lexis) -> bool {
    let declarations = &lexis.declarations;
    let word = &line[..line.iter().position(|byte| !is_word(*byte)).unwrap_or(line.len())];
    is_among(declarations.modifiers, word)
        || declarations.has_rule(word, |rule| matches!(rule.body, Body::Closed | Body::Members))
}

/// Whether a head with parentheses is that of a function.
pub(super) fn is_function(head: &[u8], lexis: &Lexis) -> bool {
    let head = after_last_statement(head);
    if !head.contains(&b')') {
        return false;
    }
    let declarations = &lexis.declarations;
    let mut words = Words { head, at: 0, depth: 0 };
    let mut is_first = true;
    let mut is_named_function = false;
    let mut is_assigned = false;
    while let Some(word) = words.next() {
        match word {
            Word::Assign => is_assigned = true,
            Word::Arrow => is_named_function = true,
            Word::Name(name) => {
                if is_first && is_among(declarations.reserved, name) {
                    return false;
                }
                for rule in declarations.rules.iter().filter(|rule| rule.has_word(name)) {
                    match rule.body {
                        Body::Members | Body::Through => return false,
                        // A macro's definition has rules in braces, and there may be declarations in these.
                        Body::Closed => is_named_function |= rule.kind != "macro",
                        _ => {}
                    }
                }
            }
        }
        is_first = false;
    }
    let needs_word = is_assigned || declarations.functions == Functions::None;
    !is_first && (!needs_word || is_named_function)
}

/// Whether a head is that of a function that is an expression, and some of it: `const f = (a) => g`.
fn is_expression_of_function(head: &[u8], lexis: &Lexis) -> bool {
    let head = after_last_statement(head);
    if memchr::memmem::find(head, b"=>").is_none() {
        return false;
    }
    let declarations = &lexis.declarations;
    let mut words = Words { head, at: 0, depth: 0 };
    let mut is_value = false;
    let mut is_assigned = false;
    while let Some(word) = words.next() {
        match word {
            Word::Name(name) if !is_value && !is_among(declarations.modifiers, name) => {
                if !declarations.has_rule(name, |rule| rule.body == Body::Value) {
                    return false;
                }
                is_value = true;
            }
            Word::Name(_) => {}
            Word::Assign => is_assigned = true,
            Word::Arrow if is_assigned => return true,
            // That of a type.
            Word::Arrow => return false,
        }
    }
    false
}

/// Whether a head in brackets is that of a function in a value, `const C = memo(function (props)`, or of a test.
fn is_in_value(head: &[u8], lexis: &Lexis) -> bool {
    let head = after_last_statement(head).trim_ascii();
    let declarations = &lexis.declarations;
    let mut words = head.split(|byte| !is_word(*byte)).filter(|word| !word.is_empty());
    let is_value_or_test = |rule: &Rule| rule.body == Body::Value || rule.kind == "test" && rule.body == Body::Closed;
    let first = words.by_ref().find(|word| !is_among(declarations.modifiers, word));
    let is_value = first.is_some_and(|word| declarations.has_rule(word, is_value_or_test));
    let is_function = |word: &[u8]| declarations.has_rule(word, |rule| rule.body == Body::Closed);
    is_value && (head.ends_with(b"=>") || head.ends_with(b")") && words.any(is_function))
}

/// A head without the statements before it, which end with `;`.
fn after_last_statement(head: &[u8]) -> &[u8] {
    memchr::memrchr(b';', head).map_or(head, |end| &head[end + 1..])
}

/// The words of a head that stand in no brackets.
struct Words<'h> {
    head: &'h [u8],
    at: usize,
    depth: usize,
}

enum Word<'h> {
    Name(&'h [u8]),
    /// `=`
    Assign,
    /// `=>`
    Arrow,
}

impl<'h> Words<'h> {
    fn next(&mut self) -> Option<Word<'h>> {
        loop {
            let start = self.at;
            let byte = *self.head.get(start)?;
            let before = start.checked_sub(1).map_or(b' ', |before| self.head[before]);
            let behind = self.head.get(start + 1).copied().unwrap_or(b' ');
            self.at += 1;
            match byte {
                b'(' | b'[' => self.depth += 1,
                b')' | b']' => self.depth = self.depth.saturating_sub(1),
                // The brackets of generics, as far as these can be told from an operator.
                b'<' if is_word(before) && behind != b'<' && behind != b'=' => self.depth += 1,
                b'>' if self.depth > 0 && before != b'-' && before != b'=' => self.depth -= 1,
                _ if self.depth > 0 => {}
                b'=' if behind == b'>' => {
                    self.at += 1;
                    return Some(Word::Arrow);
                }
                b'=' if behind != b'=' && !b"=!<>".contains(&before) && !self.head[..start].ends_with(b"operator") => {
                    return Some(Word::Assign);
                }
                _ if is_word(byte) => {
                    let rest = &self.head[start..];
                    let length = rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
                    self.at = start + length;
                    return Some(Word::Name(&rest[..length]));
                }
                _ => {}
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..)
}
