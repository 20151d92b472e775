//! Declarations of languages whose blocks are told by how far lines are indented: those that have no other mark of a block,
//! and those in which an `end` is hard to match with what it ends. People indent both.

use super::super::{Symbol, signature};
use super::head::{Head, LineCounter};
use super::parts::{Kind, Part};
use super::read::{Declaration, HeadReader, Place, Then, Verdict};
use super::words::Meaning;
use crate::lexis::scan::{Piece, PieceKind, Scanner, Stops};
use crate::lexis::{Body, Functions, Habit, Lexis, Lines};

/// The symbols of a text.
pub(super) fn symbols(source: &[u8], lexis: &'static Lexis, facts: Lines) -> Vec<Symbol> {
    let mut lines = LineOutline {
        source,
        lexis,
        facts,
        scanner: Scanner::new(source, lexis),
        reader: HeadReader::new(source, lexis),
        lines: LineCounter::new(source),
        head: Head::default(),
        blocks: Vec::new(),
        line_start: 0,
        statement_indent: 0,
        previous_indent: usize::MAX,
        code_end: 0,
        announced_end: None,
        last_arity: 0,
        symbols: Vec::new(),
    };
    lines.run();
    lines.symbols
}

/// What the lines further in belong to.
struct Block {
    indent: usize,
    row: Option<usize>,
    kind: &'static str,
    name: String,
    /// The word that stands before each of its declarations.
    rule: Option<usize>,
    /// How many rows hold its declarations.
    depth: usize,
    extent: Extent,
}

/// What a block holds, and how far it goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Declarations, in the lines that are further in than its head.
    Members,
    /// Declarations, also in lines that are as far in as its head.
    Flat,
    /// What is not listed, in the lines that are further in than its head.
    Closed,
    /// What is not listed, up to a closing brace, whatever is on the lines before that.
    Braced,
}

struct LineOutline<'s> {
    source: &'s [u8],
    lexis: &'static Lexis,
    facts: Lines,
    scanner: Scanner<'s>,
    reader: HeadReader<'s>,
    lines: LineCounter<'s>,
    head: Head,
    blocks: Vec<Block>,
    /// Where the line begins that is being read, and how far the statement is indented.
    line_start: usize,
    statement_indent: usize,
    /// How far the statement before was indented.
    previous_indent: usize,
    /// Behind the last piece of code.
    code_end: usize,
    /// Behind the text that the statement has announced.
    announced_end: Option<usize>,
    /// Parameters of the function listed last, where several may be one.
    last_arity: usize,
    symbols: Vec<Symbol>,
}

impl LineOutline<'_> {
    fn run(&mut self) {
        while self.read_statement() {
            self.statement();
        }
        while let Some(block) = self.blocks.pop() {
            self.end(&block);
        }
    }

    /// Reads the next statement into the head. False: there is none.
    fn read_statement(&mut self) -> bool {
        self.head.clear();
        while let Some(piece) = self.scanner.next(Stops::ALL) {
            if self.head.is_empty() {
                self.statement_indent = self.indent();
            }
            if piece.what == PieceKind::Newline {
                self.pass_text(piece);
                self.line_start = self.scanner.at();
                self.announced_end = self.announced_end(piece);
            }
            match piece.what {
                PieceKind::Comment | PieceKind::Directive => {
                    if !self.head.is_empty() {
                        self.head.gaps.push(piece.start..piece.end);
                    }
                }
                PieceKind::Newline if self.head.is_empty() || self.is_type_to_come() || self.goes_on() => {}
                PieceKind::Newline if self.head.level == 0 || self.is_new_beginning(0) => break,
                PieceKind::Newline => {}
                PieceKind::Mark(b';') if self.head.level == 0 => {
                    if self.head.is_empty() {
                        continue;
                    }
                    break;
                }
                PieceKind::Word => self.word(piece),
                PieceKind::Literal => self.head.push(Kind::Literal, piece.start, piece.end),
                PieceKind::Mark(mark) => self.head.push(Kind::Mark(mark), piece.start, piece.end),
                PieceKind::Open(bracket) if self.joins(bracket) => self.head.open(bracket, piece.start),
                PieceKind::Close(bracket) if self.joins(mate(bracket)) => {
                    if self.head.level == 0 {
                        self.head.push(Kind::Mark(bracket), piece.start, piece.end);
                    }
                    self.head.close(piece.end);
                }
                PieceKind::Open(bracket) | PieceKind::Close(bracket) => {
                    self.head.push(Kind::Mark(bracket), piece.start, piece.end);
                }
            }
        }
        !self.head.is_empty()
    }

    /// Whether the type of a name follows on the next line.
    fn is_type_to_come(&self) -> bool {
        self.lexis.declarations.functions == Functions::Annotated
            && self.head.parts.len() == 1
            && self.source[self.scanner.at()..].trim_ascii_start().starts_with(b"::")
    }

    /// Whether the head goes on in the next line: `extends Base`.
    fn goes_on(&self) -> bool {
        if self.lexis.declarations.continued_by.is_empty() || self.head.level > 0 {
            return false;
        }
        let (indent, word) = self.next_word();
        indent >= self.statement_indent && self.reader.words().is(word, Meaning::Continues)
    }

    /// How far the next line is indented, and the word that begins it.
    fn next_word(&self) -> (usize, &[u8]) {
        let rest = &self.source[self.scanner.at()..];
        let text = &rest[rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()..];
        let length = text.iter().take(40).take_while(|&&byte| self.scanner.is_word(byte)).count();
        (super::head::indent(rest), &text[..length])
    }

    fn word(&mut self, piece: Piece) {
        // `-record`: the mark belongs to the word.
        if let [part] = self.head.parts.as_mut_slice()
            && matches!(part.what, Kind::Mark(_))
            && part.end == piece.start
            && self.reader.words().begins_rule(&self.source[part.start..piece.end])
        {
            *part = Part { what: Kind::Word, start: part.start, end: piece.end };
            return;
        }
        self.head.push(Kind::Word, piece.start, piece.end);
    }

    /// Whether a line's end is none inside this bracket.
    fn joins(&self, bracket: u8) -> bool {
        self.facts.joins.as_bytes().contains(&bracket)
    }

    /// Whether the next line, no further in than `indent`, begins a declaration for sure: then brackets before it were
    /// left open.
    fn is_new_beginning(&self, indent: usize) -> bool {
        let rest = &self.source[self.scanner.at()..];
        if super::head::indent(rest) > indent {
            return false;
        }
        let text = &rest[rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()..];
        let length = text.iter().take(40).take_while(|&&byte| self.scanner.is_word(byte)).count();
        let is_set_off = matches!(text.get(length), Some(b' '));
        is_set_off && self.reader.begins_declaration(&text[..length])
    }

    fn place(&self) -> Place<'_> {
        match self.blocks.last() {
            Some(block) => Place { kind: block.kind, name: &block.name, rule: block.rule },
            None => Place::OUTERMOST,
        }
    }

    fn statement(&mut self) {
        let (first, last) = (self.head.parts[0], self.head.parts[self.head.parts.len() - 1]);
        let indent = self.statement_indent;
        self.open_unlisted(indent);
        self.close_blocks(indent + 1);
        let is_own = self.blocks.last().is_some_and(|block| block.indent == indent);
        if self.is_closer(&first) {
            self.code_end = last.end;
            // `} else {` ends a part of a block, not the block.
            if is_own
                && !self.is_in(self.facts.reopeners, &last)
                && !self.is_before_middle(indent)
                && let Some(block) = self.blocks.pop()
            {
                self.end(&block);
            }
            return;
        }
        let is_middle = self.is_one_of(self.facts.middles, &first) || first.what == Kind::Mark(b'{');
        if !is_own || !is_middle {
            // The items of a list may be as far in as the key whose value they are.
            if !is_own || !self.begins_item() {
                self.close_blocks(indent);
            }
            self.declare(indent);
        }
        self.code_end = self.announced_end.take().unwrap_or(last.end);
        if self.blocks.last().is_some_and(|block| matches!(block.extent, Extent::Closed | Extent::Braced)) {
            self.skip_body();
        }
    }

    /// Whether what the head declares holds what follows it; `module Name =` holds what is further in.
    fn is_flat(&self, kind: &str) -> bool {
        let is_assigned = self.head.last().is_some_and(|last| last.what == Kind::Mark(b'='));
        !is_assigned && self.lexis.declarations.flat.split(' ').any(|flat| flat == kind)
    }

    /// What the statement before began, though it declares nothing, ends with a word of its own: `if`, `begin`.
    fn open_unlisted(&mut self, indent: usize) {
        let before = std::mem::replace(&mut self.previous_indent, indent);
        let is_known = self.blocks.last().is_some_and(|block| block.indent >= before && block.extent != Extent::Flat);
        if indent > before && !is_known && !self.facts.closers.is_empty() {
            let rule = self.place().rule;
            let block = self.unlisted(before, Extent::Members);
            self.blocks.push(Block { rule, ..block });
        }
    }

    /// Closes the blocks whose heads are `indent` or more columns in.
    fn close_blocks(&mut self, indent: usize) {
        let is_over = |block: &mut Block| block.indent > indent || block.indent == indent && block.extent != Extent::Flat;
        while let Some(block) = self.blocks.pop_if(is_over) {
            self.end(&block);
        }
    }

    /// A block ends with the code read last.
    fn end(&mut self, block: &Block) {
        if let Some(row) = block.row {
            let line = self.lines.line_of(self.code_end.saturating_sub(1));
            self.symbols[row].end_line = line.max(self.symbols[row].line);
        }
    }

    fn is_closer(&self, first: &Part) -> bool {
        self.is_in(self.facts.closers, first)
    }

    /// Whether the next line goes on with the block whose head is `indent` columns in: `}` and `catch {` below it.
    fn is_before_middle(&self, indent: usize) -> bool {
        let (next_indent, word) = self.next_word();
        next_indent == indent && self.reader.words().is_in(self.facts.middles, word)
    }

    /// Whether a word or a mark is in a list.
    fn is_in(&self, list: &str, part: &Part) -> bool {
        match part.what {
            Kind::Mark(mark) => list.as_bytes().contains(&mark),
            _ => self.is_one_of(list, part),
        }
    }

    fn is_one_of(&self, list: &str, part: &Part) -> bool {
        part.what == Kind::Word && self.reader.words().is_in(list, self.reader.text(part))
    }

    /// Lists what the head declares, and opens its block.
    fn declare(&mut self, indent: usize) {
        let verdict = self.reader.read(&self.head.parts, Then::Line { indent }, self.place());
        match verdict {
            Verdict::Declares(declaration) => {
                if self.is_flat(declaration.kind)
                    && let Some(block) = self.blocks.pop_if(|block| block.extent == Extent::Flat && block.indent == indent)
                {
                    self.end(&block);
                }
                if self.facts.clauses && self.is_clause(&declaration) {
                    return;
                }
                self.add(&declaration, indent);
            }
            Verdict::Group(rule) => {
                let block = self.unlisted(indent, Extent::Members);
                self.blocks.push(Block { rule: Some(rule), ..block });
            }
            // A value that is not listed: nor is what is in it.
            Verdict::GoesOn => {
                let block = self.unlisted(indent, Extent::Closed);
                self.blocks.push(block);
            }
            _ if self.begins_item() => {
                let block = self.unlisted(indent, Extent::Closed);
                self.blocks.push(block);
            }
            _ if self.facts.clauses => {
                // An equation of the function above, which has its type.
                let name = self.reader.text(&self.head.parts[0]);
                let is_same = |last: &Symbol| last.kind == "function" && last.name.as_bytes() == name;
                if self.symbols.last().is_some_and(|last| is_same(last) && last.depth == self.depth()) {
                    self.extend_last(indent);
                }
            }
            _ => {}
        }
    }

    /// A block that has no row.
    fn unlisted(&self, indent: usize, extent: Extent) -> Block {
        let place = self.place();
        Block { indent, row: None, kind: place.kind, name: place.name.to_owned(), rule: None, depth: self.depth(), extent }
    }

    /// What follows belongs to the row listed last.
    fn extend_last(&mut self, indent: usize) {
        let row = self.symbols.len().checked_sub(1);
        let block = self.unlisted(indent, Extent::Closed);
        self.blocks.push(Block { row, depth: block.depth + 1, ..block });
    }

    /// Whether an item of a list of YAML begins: the names in it are not listed.
    fn begins_item(&self) -> bool {
        matches!(self.lexis.declarations.functions, Functions::Labels { nested: true, .. })
            && self.head.parts[0].what == Kind::Mark(b'-')
            && self.source.get(self.head.parts[0].end).is_none_or(u8::is_ascii_whitespace)
    }

    /// Whether this goes on with the function before it, which then ends behind this.
    fn is_clause(&mut self, declaration: &Declaration) -> bool {
        let depth = self.depth();
        let Some(last) = self.symbols.last() else { return false };
        let is_same = last.name == declaration.name && last.kind == declaration.kind && last.depth == depth;
        let arity = if self.lexis.declarations.functions == Functions::Annotated { 0 } else { self.arity() };
        let is_same = is_same && arity == self.last_arity;
        self.last_arity = arity;
        if !is_same || !matches!(last.kind, "function" | "method" | "macro") {
            return false;
        }
        self.extend_last(self.statement_indent);
        true
    }

    /// How many parameters the function has whose head this is: what has another number is another function.
    fn arity(&self) -> usize {
        let group = self.head.parts.iter().find(|part| part.what == Kind::Group(b'('));
        let Some(group) = group else { return 0 };
        let inside = self.source.get(group.start + 1..group.end - 1).unwrap_or_default().trim_ascii();
        let (mut depth, mut count) = (0_usize, usize::from(!inside.is_empty()));
        for byte in inside {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b',' if depth == 0 => count += 1,
                _ => {}
            }
        }
        count
    }

    fn depth(&self) -> usize {
        self.blocks.last().map_or(0, |block| block.depth)
    }

    fn add(&mut self, declaration: &Declaration, indent: usize) {
        let parts = &self.head.parts;
        let (start, end) = (parts[declaration.first].start, parts[parts.len() - 1].end);
        let (line, end_line) = (self.lines.line_of(start), self.lines.line_of(end - 1));
        let stop = declaration.stop.unwrap_or_else(|| self.reader.end_of_signature(parts, declaration));
        let depth = self.depth();
        let kind = match declaration.kind {
            // As what it stands beside.
            "and" => self.symbols.iter().rev().find(|above| above.depth == depth).map_or("function", |above| above.kind),
            kind => kind,
        };
        self.symbols.push(Symbol {
            name: declaration.name.clone(),
            kind,
            line,
            end_line,
            depth,
            signature: signature::of(self.source, start..stop.max(start), None, &self.head.gaps),
        });
        if declaration.body == Body::Import {
            return;
        }
        let has_brace = self.head.last().is_some_and(|last| last.what == Kind::Mark(b'{'));
        let extent = match declaration.body {
            Body::Members if self.is_flat(declaration.kind) => Extent::Flat,
            Body::Members => Extent::Members,
            _ if has_brace => Extent::Braced,
            _ if declaration.kind == "macro" && self.lexis.declarations.has(Habit::Verbatim) => Extent::Braced,
            _ => Extent::Closed,
        };
        let row = Some(self.symbols.len() - 1);
        let (kind, name) = (declaration.kind, declaration.name.clone());
        self.blocks.push(Block { indent, row, kind, name, rule: None, depth: depth + 1, extent });
    }

    /// Goes to the first line that is no further in than the head of the block that was opened last.
    fn skip_body(&mut self) {
        let Some(block) = self.blocks.last() else { return };
        let (limit, is_braced) = (block.indent, block.extent == Extent::Braced);
        while let Some(first) = self.scanner.next(Stops::ALL) {
            match first.what {
                PieceKind::Newline => self.line_start = self.scanner.at(),
                PieceKind::Comment | PieceKind::Directive => {}
                _ => {
                    let is_outside = self.indent() <= limit && !self.is_middle(first, limit);
                    if is_outside && (!is_braced || self.ends_braces(first)) {
                        self.scanner.go_to(first.start);
                        return;
                    }
                    self.skip_line(first, limit);
                }
            }
        }
    }

    /// Whether a line that is no further in than the head of a block in braces ends it: with the brace, or with what comes
    /// next.
    fn ends_braces(&self, first: Piece) -> bool {
        let word = &self.source[first.start..first.end];
        if self.lexis.declarations.has(Habit::Verbatim) {
            return self.is_closer(&Part { what: Kind::Word, start: first.start, end: first.end });
        }
        match first.what {
            PieceKind::Close(b'}') => true,
            PieceKind::Word => self.reader.begins_declaration(word) || self.source[first.end..].starts_with(b"() {"),
            _ => false,
        }
    }

    /// Goes behind the line that begins with `first`, and behind those that brackets join to it.
    fn skip_line(&mut self, first: Piece, limit: usize) {
        let mut level = 0_usize;
        let mut piece = first;
        loop {
            match piece.what {
                PieceKind::Open(bracket) if self.joins(bracket) => level += 1,
                PieceKind::Close(bracket) if self.joins(mate(bracket)) => level = level.saturating_sub(1),
                PieceKind::Newline => {
                    self.pass_text(piece);
                    let code = self.source[self.line_start..piece.start].trim_ascii_end();
                    if !code.is_empty() {
                        self.code_end = self.announced_end(piece).unwrap_or(self.line_start + code.len());
                    }
                    self.line_start = self.scanner.at();
                    if level == 0 || self.is_new_beginning(limit) {
                        return;
                    }
                }
                _ => {}
            }
            let Some(next) = self.scanner.next(Stops::LINES) else {
                self.code_end = self.source.trim_ascii_end().len();
                return;
            };
            piece = next;
        }
    }

    /// Whether a line goes on with the block whose head is `limit` columns in.
    fn is_middle(&self, first: Piece, limit: usize) -> bool {
        let part = Part { what: Kind::Word, start: first.start, end: first.end };
        let is_word = first.what == PieceKind::Word && self.is_one_of(self.facts.middles, &part);
        self.indent() == limit && (is_word || first.what == PieceKind::Open(b'{') && !self.joins(b'{'))
    }

    /// Where the text ends that a line has announced, whose end has just been read: `<<EOF`.
    fn announced_end(&self, newline: Piece) -> Option<usize> {
        let text = self.source.get(newline.end..self.scanner.at()).filter(|text| !text.is_empty())?;
        Some(newline.end + text.trim_ascii_end().len())
    }

    /// Goes behind the text that the line has announced, whose end has just been read: `run: |`
    fn pass_text(&mut self, newline: Piece) {
        let line = &self.source[self.line_start..newline.start];
        if self.facts.texts.is_empty() || !announces_text(line, self.facts.texts) {
            return;
        }
        let mut at = self.scanner.at();
        let mut text_indent = None;
        while let Some(rest) = self.source.get(at..).filter(|rest| !rest.is_empty()) {
            let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1);
            if !rest[..length].trim_ascii().is_empty() {
                let indent = super::head::indent(rest);
                // The first line says how far in the text is.
                if indent < *text_indent.get_or_insert(indent.max(super::head::indent(line) + 1)) {
                    break;
                }
            }
            at += length;
        }
        self.scanner.go_to(at);
    }

    /// How far the line is indented that is being read.
    fn indent(&self) -> usize {
        super::head::indent(&self.source[self.line_start..])
    }
}

/// Whether a line ends with one of these marks, perhaps with what says how the text is taken: `|`, `>-`, `|2+`.
fn announces_text(line: &[u8], marks: &str) -> bool {
    let line = line.trim_ascii_end();
    let signs = line.iter().rev().take(2).take_while(|byte| matches!(byte, b'+' | b'-' | b'1'..=b'9')).count();
    let Some((mark, before)) = line[..line.len() - signs].split_last() else { return false };
    marks.as_bytes().contains(mark) && before.last().is_none_or(u8::is_ascii_whitespace)
}

/// The bracket that a bracket closes.
fn mate(bracket: u8) -> u8 {
    match bracket {
        b')' => b'(',
        b']' => b'[',
        _ => b'{',
    }
}
