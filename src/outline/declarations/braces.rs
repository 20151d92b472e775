//! Declarations of languages whose blocks stand in braces.
//!
//! Statements are collected piece by piece; at a brace, or at the end, the head tells what they declare. Blocks of which
//! nothing is listed are skipped at the speed of the scanner.

use super::super::{Symbol, signature};
use super::head::{Head, LineCounter, indent, line_start};
use super::parts::{Kind, Part};
use super::read::{BODY, Declaration, HeadReader, OBJECT, Place, Then, Verdict};
use super::typed::is_macro;
use super::words::{Meaning, phrases};
use crate::lexis::scan::{Piece, PieceKind, Scanner, Stops};
use crate::lexis::{Body, Functions, Habit, Lexis, Name};

/// A block that holds this share of the file (one part in so many) is what the file is about, whatever begins it.
const WRAPPER_SHARE: usize = 2;
/// Blocks that are looked into for this reason; each is read twice.
const MAX_WRAPPERS: usize = 3;
/// Blocks without an end for which the rest of the file is searched.
const MAX_OPEN_BLOCKS: usize = 16;

/// The symbols of a text.
pub(super) fn symbols(source: &[u8], lexis: &'static Lexis, newline_ends: bool) -> Vec<Symbol> {
    let mut braces = Braces {
        source,
        lexis,
        newline_ends,
        scanner: Scanner::new(source, lexis),
        reader: HeadReader::new(source, lexis),
        lines: LineCounter::new(source),
        head: Head::default(),
        blocks: Vec::new(),
        choices: Vec::new(),
        symbols: Vec::new(),
        has_body: Vec::new(),
        wrappers: 0,
        open_blocks: 0,
    };
    braces.run();
    braces.finish()
}

/// A block whose declarations are listed.
struct Block {
    /// The row it belongs to.
    row: Option<usize>,
    /// Kind and name of what its declarations are members of.
    kind: &'static str,
    name: String,
    /// The word that stands before each of its declarations.
    rule: Option<usize>,
    /// How many rows hold its declarations.
    depth: usize,
    /// A line for a preprocessor began it, and ends it.
    by_directive: bool,
}

struct Braces<'s> {
    source: &'s [u8],
    lexis: &'static Lexis,
    newline_ends: bool,
    scanner: Scanner<'s>,
    reader: HeadReader<'s>,
    lines: LineCounter<'s>,
    head: Head,
    blocks: Vec<Block>,
    /// How many blocks were open where a preprocessor's choices began.
    choices: Vec<usize>,
    symbols: Vec<Symbol>,
    /// For each symbol: whether it has a body.
    has_body: Vec<bool>,
    wrappers: usize,
    open_blocks: usize,
}

impl Braces<'_> {
    fn run(&mut self) {
        while let Some(piece) = self.scanner.next(Stops::ALL) {
            match piece.what {
                PieceKind::Comment => {
                    if !self.head.is_empty() {
                        self.head.gaps.push(piece.start..piece.end);
                    }
                    continue;
                }
                PieceKind::Newline => {
                    self.head.newline |= self.head.level == 0;
                    continue;
                }
                PieceKind::Directive => {
                    self.directive(piece);
                    continue;
                }
                _ => {}
            }
            if std::mem::take(&mut self.head.newline)
                && self.newline_ends
                && self.head.level == 0
                && !self.head.is_empty()
                && !self.continues(piece)
            {
                if self.is_accessor(piece) {
                    self.head.stop = self.head.stop.or(self.head.last().map(|last| last.end));
                } else {
                    self.end_statement();
                }
            }
            match piece.what {
                PieceKind::Word => self.word(piece),
                PieceKind::Literal => self.head.push(Kind::Literal, piece.start, piece.end),
                PieceKind::Open(b'{') => self.open_brace(piece),
                PieceKind::Close(b'}') => self.close_brace(piece),
                PieceKind::Open(b'(') if self.begins_group() => self.open_group(),
                PieceKind::Open(bracket) => self.head.open(bracket, piece.start),
                PieceKind::Close(_) if self.head.level > 0 => self.head.close(piece.end),
                PieceKind::Close(b')') if self.blocks.last().is_some_and(|block| block.rule.is_some()) => {
                    self.end_statement();
                    self.blocks.pop();
                }
                PieceKind::Mark(b';') if self.head.level == 0 => {
                    if !self.head.is_empty() {
                        self.head.push(Kind::Mark(b';'), piece.start, piece.end);
                    }
                    self.end_statement();
                }
                PieceKind::Mark(b',') if self.head.level == 0 && self.has_separators() => self.end_statement(),
                PieceKind::Mark(b':') if self.is_label(piece) => self.head.clear(),
                PieceKind::Mark(mark) => self.head.push(Kind::Mark(mark), piece.start, piece.end),
                PieceKind::Close(_) | PieceKind::Comment | PieceKind::Newline | PieceKind::Directive => {}
            }
        }
    }

    fn place(&self) -> Place<'_> {
        match self.blocks.last() {
            Some(block) => Place { kind: block.kind, name: &block.name, rule: block.rule },
            None => Place::OUTERMOST,
        }
    }

    fn depth(&self) -> usize {
        self.blocks.last().map_or(0, |block| block.depth)
    }

    /// Whether commas end what stands here.
    fn has_separators(&self) -> bool {
        let kinds = self.lexis.declarations.separated;
        self.blocks.last().is_some_and(|block| kinds.split(' ').any(|kind| kind == block.kind))
    }

    fn word(&mut self, piece: Piece) {
        if self.head.level == 0 {
            if let Some(last) = self.head.parts.last_mut()
                && matches!(last.what, Kind::Mark(_))
                && last.end == piece.start
                && self.reader.words().begins_rule(&self.source[last.start..piece.end])
            {
                *last = Part { what: Kind::Word, start: last.start, end: piece.end };
                return;
            }
            if !self.newline_ends && self.is_behind_macro(piece) {
                self.head.clear();
            }
        }
        self.head.push(Kind::Word, piece.start, piece.end);
    }

    /// Whether the line before was the call of a macro, which needs no semicolon: `DEFINE_TYPE(Box)`.
    fn is_behind_macro(&self, next: Piece) -> bool {
        let [first, others @ ..] = self.head.parts.as_slice() else { return false };
        let word = self.reader.text(first);
        let words = self.reader.words();
        let is_macro = match others {
            [] => word.contains(&b'_') && !word.iter().any(u8::is_ascii_lowercase),
            [group] => group.what == Kind::Group(b'('),
            _ => false,
        };
        is_macro
            && first.what == Kind::Word
            && words.meanings(word).next().is_none()
            && !words.is(&self.source[next.start..next.end], Meaning::Continues)
            && memchr::memchr(b'\n', &self.source[self.head.parts[others.len()].end..next.start]).is_some()
    }

    /// Whether a colon ends a label: `public:`
    fn is_label(&self, piece: Piece) -> bool {
        let is_single = self.source.get(piece.end) != Some(&b':') && self.source[..piece.start].last() != Some(&b':');
        let last = self.head.last().filter(|last| last.what == Kind::Word);
        is_single
            && self.reader.is_typed()
            && self.head.level == 0
            && self.head.parts.len() <= 3
            && last.is_some_and(|last| {
                let word = self.reader.text(&last);
                self.reader.words().is(word, Meaning::Label) || self.head.parts.len() == 1 && is_macro(word)
            })
    }

    /// Whether a statement goes on in a new line, which begins with `next`.
    fn continues(&self, next: Piece) -> bool {
        let Some(last) = self.head.last() else { return false };
        let words = self.reader.words();
        let before = match last.what {
            Kind::Mark(b'+' | b'-') => !matches!(&self.source[..last.end], [.., b'+', b'+'] | [.., b'-', b'-']),
            Kind::Mark(b'>') => matches!(&self.source[..last.end], [.., b'=' | b'-', b'>']),
            Kind::Mark(mark) => b",.=*/&|<:^%~".contains(&mark),
            Kind::Word => words.is(self.reader.text(&last), Meaning::Continues) && !self.is_of_declaration(next),
            _ => false,
        };
        before
            || self.is_before_constructor(next)
            || match next.what {
                PieceKind::Mark(mark) => b".=:?|&,+->".contains(&mark),
                PieceKind::Word => words.is(&self.source[next.start..next.end], Meaning::Continues),
                PieceKind::Open(b'{') => true,
                _ => false,
            }
    }

    /// Whether a word can only begin a declaration: so what stands before it, as `throws`, was the end of one.
    fn is_of_declaration(&self, next: Piece) -> bool {
        let word = &self.source[next.start..next.end];
        let words = self.reader.words();
        let begins = self.reader.begins_declaration(word) || words.is(word, Meaning::Modifier);
        next.what == PieceKind::Word && begins && !words.is(word, Meaning::Continues)
    }

    /// Whether the statement so far names a class, and its constructor follows, perhaps behind annotations.
    fn is_before_constructor(&self, next: Piece) -> bool {
        let is_constructor = |word: &[u8]| {
            let mut meanings = self.reader.words().meanings(word);
            meanings
                .any(|(meaning, _)| matches!(meaning, Meaning::Rule(number) if self.reader.rule(number).kind == "constructor"))
        };
        let is_type = |part: &Part| part.what == Kind::Word && self.reader.begins_declaration(self.reader.text(part));
        let parts = &self.head.parts;
        if !self.lexis.declarations.has(Habit::HeadConstructors)
            || !parts.iter().take(8).any(is_type)
            || parts.iter().any(|part| part.what == Kind::Mark(b':'))
        {
            return false;
        }
        let mut text = &self.source[next.start..];
        loop {
            text = text.trim_ascii_start();
            let is_annotation = text.starts_with(b"@");
            let name = &text[usize::from(is_annotation)..];
            let is_name = |byte: &u8| self.scanner.is_word(*byte) || is_annotation && matches!(byte, b'.' | b':');
            let (word, rest) = name.split_at(name.iter().take(200).take_while(|byte| is_name(byte)).count());
            text = rest;
            if is_annotation && !word.is_empty() {
                if text.starts_with(b"(") {
                    let Some(close) = memchr::memchr2(b')', b'\n', text).filter(|at| text[*at] == b')') else { return false };
                    text = &text[close + 1..];
                }
            } else if !self.reader.words().is(word, Meaning::Modifier) {
                return is_constructor(word);
            }
        }
    }

    /// Whether the accessor of a property begins, which is the statement so far: `get() = 1`, `private set`.
    fn is_accessor(&self, next: Piece) -> bool {
        let words = self.reader.words();
        let is_value = |part: &Part| part.what == Kind::Word && self.group_rule(part).is_some();
        if !self.lexis.declarations.has(Habit::Accessors) || !self.head.parts.iter().take(8).any(is_value) {
            return false;
        }
        let mut text = &self.source[next.start..];
        loop {
            let length = text.iter().take(40).take_while(|&&byte| self.scanner.is_word(byte)).count();
            let (word, rest) = text.split_at(length);
            match word {
                b"get" | b"set" => return rest.first().is_none_or(|byte| *byte == b'(' || byte.is_ascii_whitespace()),
                _ if length == 0 || !words.is(word, Meaning::Modifier) => return false,
                _ => text = &rest[rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()..],
            }
        }
    }

    /// Whether several declarations follow in parentheses, all with the word that is the head.
    fn begins_group(&self) -> bool {
        let [part] = self.head.parts.as_slice() else { return false };
        self.lexis.declarations.has(Habit::Groups) && self.group_rule(part).is_some()
    }

    fn group_rule(&self, part: &Part) -> Option<usize> {
        let mut meanings = self.reader.words().meanings(self.reader.text(part));
        meanings.find_map(|(meaning, _)| match meaning {
            Meaning::Rule(number) if self.reader.rule(number).body == Body::Value => Some(number),
            _ => None,
        })
    }

    fn open_group(&mut self) {
        let rule = self.head.parts.first().and_then(|part| self.group_rule(part));
        let (kind, depth) = (self.place().kind, self.depth());
        self.blocks.push(Block { row: None, kind, name: String::new(), rule, depth, by_directive: false });
        self.head.clear();
    }

    fn open_brace(&mut self, brace: Piece) {
        if self.head.level > 0 {
            self.open_in_brackets(brace);
            return;
        }
        let verdict = match self.head.row {
            // Its row is there already.
            Some(_) => Verdict::GoesOn,
            None => self.reader.read(&self.head.parts, Then::Block, self.place()),
        };
        match verdict {
            Verdict::Declares(declaration) => self.open_declaration(&declaration, brace),
            Verdict::Through { is_object } => {
                let kind = if is_object { OBJECT } else { self.place().kind };
                let (name, depth) = (self.place().name.to_owned(), self.depth());
                self.blocks.push(Block { row: None, kind, name, rule: None, depth, by_directive: false });
                self.head.clear();
            }
            Verdict::GoesOn => {
                let end = self.skip(brace.end);
                self.head.push(Kind::Group(b'{'), brace.start, end);
            }
            Verdict::Nothing | Verdict::Group(_) => {
                if !self.enter_wrapper(brace) {
                    self.head.clear();
                }
            }
        }
    }

    fn open_declaration(&mut self, declaration: &Declaration, brace: Piece) {
        let stop = self.head.stop.or(declaration.stop).unwrap_or(brace.start);
        let row = self.add(declaration, stop, true);
        if declaration.body == Body::Members {
            let kind = if declaration.is_assigned && declaration.body == Body::Members && declaration.kind != "class" {
                self.members_kind(declaration)
            } else {
                declaration.kind
            };
            let depth = self.depth() + 1;
            self.blocks.push(Block {
                row: Some(row),
                kind,
                name: declaration.name.clone(),
                rule: None,
                depth,
                by_directive: false,
            });
            self.head.clear();
            return;
        }
        if let Some(kind) = self.kind_inside(declaration) {
            let (name, depth) = (declaration.name.clone(), self.depth() + 1);
            self.blocks.push(Block { row: Some(row), kind, name, rule: None, depth, by_directive: false });
            self.head.clear();
            return;
        }
        let end = self.skip(brace.end);
        self.symbols[row].end_line = self.lines.line_of(end - 1);
        // `fun f() = when (x) { … }` ends where the statement does.
        let is_value = declaration.is_assigned || stop < brace.start && declaration.stop.or(self.head.stop).is_some();
        if is_value {
            self.head.push(Kind::Group(b'{'), brace.start, end);
            self.head.row = Some(row);
            self.head.is_named_late = declaration.is_named_late;
        } else {
            self.head.clear();
        }
    }

    /// What the body of a function is of, if what is declared in it is listed.
    fn kind_inside(&self, function: &Declaration) -> Option<&'static str> {
        let habits = &self.lexis.declarations;
        let last = self.head.last().map(|last| self.reader.text(&last));
        match function.kind {
            "function" if habits.has(Habit::TestsInMain) && function.name == "main" && !function.is_assigned => Some("test"),
            "function" if habits.has(Habit::TypeFunctions) && last == Some(b"type") => Some("struct"),
            _ => None,
        }
    }

    /// What the members are of, that something assigned has: of an object literal, or of a type.
    fn members_kind(&self, declaration: &Declaration) -> &'static str {
        match self.head.last() {
            Some(last) if last.what == Kind::Mark(b'=') => OBJECT,
            _ => declaration.kind,
        }
    }

    /// A block in parentheses: the body of a test, or a function as an argument.
    fn open_in_brackets(&mut self, brace: Piece) {
        let is_test = self.head.row.is_none()
            && self.head.parts.first().filter(|first| first.what == Kind::Word).is_some_and(|first| {
                let mut meanings = self.reader.words().meanings(self.reader.text(first));
                meanings.any(|(meaning, _)| matches!(meaning, Meaning::Rule(number) if self.reader.rule(number).kind == "test"))
            });
        if is_test && let Verdict::Declares(test) = self.reader.read(&self.head.parts, Then::Block, self.place()) {
            let row = self.add(&test, brace.start, true);
            if test.body == Body::Members {
                let (kind, depth) = (test.kind, self.depth() + 1);
                self.blocks.push(Block { row: Some(row), kind, name: String::new(), rule: None, depth, by_directive: false });
                self.head.clear();
                return;
            }
            let end = self.skip(brace.end);
            self.symbols[row].end_line = self.lines.line_of(end - 1);
            self.head.push(Kind::Group(b'{'), brace.start, end);
            self.head.row = Some(row);
            return;
        }
        let is_titled = self.head.parts.first().filter(|first| first.what == Kind::Word).is_some_and(|first| {
            let mut meanings = self.reader.words().meanings(self.reader.text(first));
            meanings.any(|(meaning, _)| matches!(meaning, Meaning::Rule(number) if self.reader.rule(number).name == Name::Title))
        });
        // `setMethod("norm", "Point", function(object) {`
        if is_titled && self.head.stop.is_none() {
            self.head.stop = Some(brace.start);
        }
        self.enter_wrapper(brace);
    }

    /// Skips a block that declares nothing by its head, or enters it, if it is most of the file. True: it was entered.
    fn enter_wrapper(&mut self, brace: Piece) -> bool {
        let end = self.skip(brace.end);
        let is_body =
            matches!(self.source[..brace.start].trim_ascii_end().last(), Some(b')' | b'>')) && !self.is_argument_of_value();
        if is_body && (end - brace.start) * WRAPPER_SHARE >= self.source.len() && self.wrappers < MAX_WRAPPERS {
            self.wrappers += 1;
            self.scanner.go_to(brace.end);
            let (name, depth) = (String::new(), self.depth());
            self.blocks.push(Block { row: None, kind: BODY, name, rule: None, depth, by_directive: false });
            self.head.clear();
            return true;
        }
        self.head.push(Kind::Group(b'{'), brace.start, end);
        false
    }

    /// Whether the head is a value that is made by a call: `const Card = forwardRef(function … )`.
    fn is_argument_of_value(&self) -> bool {
        let parts = &self.head.parts;
        let begins_value = parts.iter().take(4).any(|part| part.what == Kind::Word && self.group_rule(part).is_some());
        let group = parts.iter().rposition(|part| part.what == Kind::Group(b'('));
        let callee = group.and_then(|group| group.checked_sub(1)).map(|before| parts[before].what);
        begins_value && matches!(callee, Some(Kind::Word | Kind::Mark(b'>')))
    }

    /// Goes behind the block whose text begins at `inside`; where braces do not match, behind the line that looks like its
    /// end.
    fn skip(&mut self, inside: usize) -> usize {
        let head = self.head.parts.first().map_or(inside - 1, |part| part.start);
        let indent_of = |at: usize| line_start(self.source, at).map(|start| (start, indent(&self.source[start..])));
        let own = indent_of(head);
        let (end, is_closed) =
            if self.open_blocks < MAX_OPEN_BLOCKS { self.scanner.skip_block() } else { (self.source.len(), false) };
        let is_too_far_out = || {
            let (Some((_, own)), Some((start, indent))) = (own, indent_of(end)) else { return false };
            indent < own && self.source[start..end - 1].iter().all(u8::is_ascii_whitespace)
        };
        if is_closed && !is_too_far_out() {
            return end;
        }
        self.open_blocks += usize::from(!is_closed);
        let end = own.and_then(|(_, own)| self.end_by_indent(inside, end, own)).unwrap_or(end);
        self.scanner.go_to(end);
        end
    }

    /// Behind the first line that begins with a closing brace and is as far in as `wanted`; or behind the code before a line
    /// that begins a declaration and is no further in.
    fn end_by_indent(&self, from: usize, limit: usize, wanted: usize) -> Option<usize> {
        let text = &self.source[..limit];
        memchr::memchr_iter(b'\n', &text[from..]).map(|newline| from + newline + 1).find_map(|start| {
            let line = &text[start..];
            let blank = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            if line.get(blank) == Some(&b'}') && indent(line) == wanted {
                return Some(start + blank + 1);
            }
            let is_next =
                indent(line) <= wanted && (self.begins_declaration(&line[blank..]) || self.begins_shape(&line[blank..]));
            is_next.then(|| text[..start].trim_ascii_end().len().max(from))
        })
    }

    /// Whether a line may be the head of a function that no word tells: it begins with a name and ends with a brace.
    fn begins_shape(&self, line: &[u8]) -> bool {
        let length = line.iter().take(40).take_while(|&&byte| self.scanner.is_word(byte)).count();
        let is_known =
            [Meaning::Reserved, Meaning::Continues].iter().any(|&known| self.reader.words().is(&line[..length], known));
        let end = memchr::memchr(b'\n', line).unwrap_or(line.len());
        let has_shapes = self.reader.is_typed() || matches!(self.lexis.declarations.functions, Functions::Bare(_));
        has_shapes && length > 0 && !is_known && line[..end].contains(&b'(') && line[..end].trim_ascii_end().ends_with(b"{")
    }

    /// Whether a line begins with the word of a declaration that has a body, behind modifiers.
    fn begins_declaration(&self, line: &[u8]) -> bool {
        let mut text = line;
        loop {
            let length = text.iter().take(40).take_while(|&&byte| self.scanner.is_word(byte)).count();
            let (word, rest) = text.split_at(length);
            if !matches!(rest.first(), Some(b' ' | b'\t')) || length == 0 {
                return false;
            }
            if self.reader.begins_declaration(word) {
                return true;
            }
            if !self.reader.words().is(word, Meaning::Modifier) {
                return false;
            }
            text = &rest[rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()..];
        }
    }

    fn close_brace(&mut self, brace: Piece) {
        self.head.level = 0;
        self.end_statement();
        while self.blocks.last().is_some_and(|block| block.rule.is_some()) {
            self.blocks.pop();
        }
        if let Some(block) = self.blocks.pop()
            && let Some(row) = block.row
        {
            self.symbols[row].end_line = self.lines.line_of(brace.start);
        }
    }

    /// The statement has no block, or none that is left to come.
    fn end_statement(&mut self) {
        let Some(last) = self.head.last() else {
            self.head.clear();
            return;
        };
        let end = last.end;
        if last.what == Kind::Mark(b';') {
            self.head.parts.pop();
        }
        if self.head.is_empty() {
            self.head.clear();
            return;
        }
        if let Some(row) = self.head.row {
            self.symbols[row].end_line = self.lines.line_of(end - 1).max(self.symbols[row].line);
            if self.symbols[row].name.is_empty() || self.head.is_named_late {
                self.name_late(row);
            }
        } else if let Verdict::Declares(declaration) = self.reader.read(&self.head.parts, Then::End, self.place())
            && declaration.name != "_"
        {
            let end_of_signature = || self.reader.end_of_signature(&self.head.parts, &declaration);
            let stop = self.head.stop.or(declaration.stop).unwrap_or_else(end_of_signature);
            let row = self.add(&declaration, stop, false);
            self.symbols[row].end_line = self.lines.line_of(end - 1);
            let is_flat = self.lexis.declarations.flat.split(' ').any(|kind| kind == declaration.kind);
            if is_flat && declaration.body == Body::Members {
                let (kind, name, depth) = (declaration.kind, declaration.name, self.depth() + 1);
                self.blocks.push(Block { row: Some(row), kind, name, rule: None, depth, by_directive: false });
            }
        }
        self.head.clear();
    }

    /// `typedef struct { … } name;`
    fn name_late(&mut self, row: usize) {
        let Some(block) = self.head.parts.iter().find(|part| part.what == Kind::Group(b'{')) else { return };
        let (start, end) = (self.head.parts[0].start, self.head.last().map_or(0, |last| last.end));
        let hole = block.start..block.end;
        if let Some(name) = self.reader.name_behind(&self.head.parts)
            && end > hole.end
        {
            self.symbols[row].name = name;
            self.symbols[row].signature = signature::of(self.source, start..end, Some(&hole), &self.head.gaps);
        }
    }

    fn add(&mut self, declaration: &Declaration, stop: usize, has_body: bool) -> usize {
        let start = self.head.parts[declaration.first].start;
        let line = self.lines.line_of(start);
        let depth = self.depth();
        if has_body && self.lexis.declarations.has(Habit::OverloadHeads) {
            self.fold_overloads(declaration, depth);
        }
        self.symbols.push(Symbol {
            name: declaration.name.clone(),
            kind: declaration.kind,
            line,
            end_line: line,
            depth,
            signature: signature::of(self.source, start..stop.max(start), None, &self.head.gaps),
        });
        self.has_body.push(has_body);
        self.symbols.len() - 1
    }

    /// Heads of the same function, right before the one that has the body, are not listed.
    fn fold_overloads(&mut self, declaration: &Declaration, depth: usize) {
        while let (Some(last), Some(false)) = (self.symbols.last(), self.has_body.last()) {
            let is_head = last.name == declaration.name && last.depth == depth && last.kind == declaration.kind;
            if !is_head || !matches!(last.kind, "function" | "method" | "constructor") {
                return;
            }
            self.symbols.pop();
            self.has_body.pop();
        }
    }

    fn directive(&mut self, piece: Piece) {
        let text = &self.source[piece.start..piece.end];
        if !self.head.is_empty() {
            self.head.gaps.push(piece.start..piece.end);
        }
        let inside = text[1..].trim_ascii_start();
        let length = inside.iter().take_while(|&&byte| self.scanner.is_word(byte)).count();
        let word = &inside[..length];
        match word {
            b"if" | b"ifdef" | b"ifndef" => self.choices.push(self.blocks.len()),
            b"endif" => {
                self.choices.pop();
            }
            b"else" | b"elif" | b"elifdef" | b"elifndef" => {
                // The braces of one choice count.
                if let Some(&open) = self.choices.last() {
                    while self.blocks.len() > open {
                        let row = self.blocks.pop().and_then(|block| block.row);
                        if let Some(row) = row {
                            self.symbols[row].end_line = self.lines.line_of(piece.start);
                        }
                    }
                }
            }
            b"end" if self.blocks.last().is_some_and(|block| block.by_directive) => {
                let row = self.blocks.pop().and_then(|block| block.row);
                if let Some(row) = row {
                    self.symbols[row].end_line = self.lines.line_of(piece.start);
                }
            }
            _ => self.declare_by_directive(piece, word, &inside[length..]),
        }
    }

    fn declare_by_directive(&mut self, piece: Piece, word: &[u8], behind: &[u8]) {
        let directives = self.lexis.declarations.directives;
        let is_rule = |phrase: &str| phrase.as_bytes() == word;
        let Some(rule) = directives.iter().find(|rule| phrases(rule).any(is_rule)) else { return };
        let behind = behind.trim_ascii();
        let length = behind.iter().take_while(|&&byte| self.scanner.is_word(byte)).count();
        // A name without text is only there to be there.
        let is_empty = behind[length..].trim_ascii().is_empty();
        let is_open = rule.body == Body::Members;
        if is_open && (length == 0 || behind.ends_with(b";"))
            || rule.body == Body::Closed && (length == 0 || is_empty)
            || !self.head.is_empty() && rule.body == Body::Import
        {
            return;
        }
        let name = if rule.body == Body::Import { behind } else { &behind[..length] };
        let line = self.lines.line_of(piece.start);
        let end_line = self.lines.line_of(piece.end.saturating_sub(1).max(piece.start));
        let mut end = piece.end;
        if end_line > line {
            end = piece.start + memchr::memchr(b'\n', &self.source[piece.start..]).unwrap_or(0);
            end -= usize::from(self.source[..end].ends_with(b"\r"));
            end -= usize::from(self.source[..end].ends_with(b"\\"));
        }
        self.symbols.push(Symbol {
            name: String::from_utf8_lossy(&name[..name.len().min(200)]).into_owned(),
            kind: rule.kind,
            line,
            end_line,
            depth: self.depth(),
            signature: signature::of(self.source, piece.start..end, None, &[]),
        });
        self.has_body.push(true);
        if is_open {
            let (row, name) = (self.symbols.len() - 1, self.symbols[self.symbols.len() - 1].name.clone());
            let depth = self.depth() + 1;
            self.head.clear();
            self.blocks.push(Block { row: Some(row), kind: rule.kind, name, rule: None, depth, by_directive: true });
            if behind.ends_with(b"{") {
                // Variables, not members.
                self.scanner.skip_block();
            }
        }
    }

    fn finish(mut self) -> Vec<Symbol> {
        self.head.level = 0;
        self.end_statement();
        let last_line = self.lines.line_of(self.source.len().saturating_sub(1));
        while let Some(block) = self.blocks.pop() {
            if let Some(row) = block.row {
                self.symbols[row].end_line = last_line;
            }
        }
        if self.lexis.declarations.has(Habit::ForwardTypes) {
            self.drop_prototypes();
        }
        self.symbols
    }

    /// What is announced and then defined in the same file is listed once.
    fn drop_prototypes(&mut self) {
        let with_body =
            self.symbols.iter().zip(&self.has_body).filter(|(symbol, has_body)| **has_body && symbol.kind == "function");
        let defined: std::collections::HashSet<String> = with_body.map(|(symbol, _)| symbol.name.clone()).collect();
        let mut has_body = self.has_body.iter();
        self.symbols.retain(|symbol| {
            let has_body = has_body.next().copied().unwrap_or(true);
            has_body || symbol.kind != "function" || !defined.contains(&symbol.name)
        });
    }
}
