//! Declarations that begin with no word of their own, but have a shape: `name() {`, `name: value`, `NAME = value`.

use super::names::{MAX_NAME, is_operator, one_line};
use super::parts::{Kind, Part, find_mark, is_group, is_in_angles, is_mark, is_pair, skip_angles};
use super::read::{Declaration, HeadReader, OBJECT, Place, Then, Verdict};
use super::words::{Meaning, phrases};
use crate::lexis::{Assigned, Body, Functions, Habit, Name, Rule};

impl HeadReader<'_> {
    pub(super) fn has_bare_functions(&self, place: Place<'_>) -> bool {
        matches!(self.declarations.functions, Functions::Bare(kinds) if kinds.split(' ').any(|kind| kind == place.kind))
    }

    /// A test whose title is a sentence, with the word behind it that a block follows: `"a list" should "be sorted" in {`.
    pub(super) fn titled(&self, head: &[Part], first: usize, then: Then) -> Option<Verdict> {
        if !self.declarations.rules.iter().any(|rule| rule.name == Name::Sentence) || !matches!(then, Then::Line { .. }) {
            return None;
        }
        let rule = |part: &Part| {
            let mut meanings = self.words.meanings(self.text(part)).filter(|_| part.what == Kind::Word);
            meanings.find_map(|(meaning, _)| match meaning {
                Meaning::Rule(number) => Some(self.rule(number)).filter(|rule| rule.name == Name::Sentence),
                _ => None,
            })
        };
        let sentence = head[first..].iter().take_while(|part| matches!(part.what, Kind::Word | Kind::Literal)).count();
        let words = &head[first..first + sentence];
        let (at, rule) = words.iter().enumerate().rev().find_map(|(at, part)| rule(part).map(|rule| (at, rule)))?;
        let is_title =
            words[..at].iter().take(2).any(|part| part.what == Kind::Literal) || at > 2 && words[2].what == Kind::Literal;
        let is_alone = first + at + 1 == head.len();
        if !is_title || is_alone {
            return None;
        }
        let (from, to) = (words[0].start, words[at - 1].end);
        let text = String::from_utf8_lossy(&self.source[from..to.min(from + MAX_NAME)]);
        let name = one_line(&text.replace('"', "")).into_owned();
        let stop = Some(words[at].end);
        Some(Verdict::Declares(Declaration {
            kind: rule.kind,
            name,
            body: rule.body,
            first,
            stop,
            is_assigned: false,
            is_named_late: false,
        }))
    }

    /// What a head declares that begins with no word of a rule.
    pub(super) fn by_shape(&self, head: &[Part], first: usize, at: usize, then: Then, place: Place<'_>) -> Verdict {
        let found = match self.declarations.functions {
            Functions::Typed { properties } => self.typed(head, first, at, then, place, properties),
            Functions::Messages => self.message(head, first, at).or_else(|| self.typed(head, first, at, then, place, false)),
            Functions::Bare(_) if self.has_bare_functions(place) => self.bare(head, first, at, then, place),
            Functions::Bare(_) | Functions::None => self.assigned(head, first, at, then, place),
            Functions::Commands => self.command(head, first, at),
            Functions::Annotated => self.annotated(head, first, at, then),
            Functions::Clauses => self.clause(head, first, at, then),
            Functions::Equations => self.equation(head, first, at).or_else(|| self.assigned(head, first, at, then, place)),
            Functions::Labels { kind, nested } => self.label(head, first, at, place, (kind, nested)),
        };
        let found = found.or_else(|| self.named_value(head, first, at, then));
        let found = found.or_else(|| self.block(head, first, at, then, place));
        found.unwrap_or(if then == Then::Block && self.goes_on(head) { Verdict::GoesOn } else { Verdict::Nothing })
    }

    /// Whether the block behind a head that declares nothing is a value or a type in it.
    pub(super) fn goes_on(&self, head: &[Part]) -> bool {
        let last = head[head.len() - 1];
        let is_typed = self.is_typed();
        !is_typed && is_in_angles(head)
            || matches!(last.what, Kind::Mark(b'=' | b':' | b'|' | b'&' | b',' | b'(' | b'<' | b'?' | b'+' | b'-'))
            || self.assignment(head, 0).is_some()
    }

    /// `- (int)count:(id)things with:(id)others`
    pub(super) fn message(&self, head: &[Part], first: usize, at: usize) -> Option<Verdict> {
        let is_message = matches!(head[at].what, Kind::Mark(b'-' | b'+')) && is_group(head, at + 1, b'(');
        let first_word = at + 2;
        if !is_message || head.get(first_word)?.what != Kind::Word {
            return None;
        }
        let mut name = self.string(&head[first_word]);
        let mut is_first = true;
        for colon in (first_word..head.len()).filter(|&at| is_mark(head, at, b':')) {
            if !std::mem::take(&mut is_first) && head[colon - 1].what == Kind::Word {
                name += &self.string(&head[colon - 1]);
            }
            name.push(':');
        }
        name.truncate(name.floor_char_boundary(MAX_NAME.min(name.len())));
        Some(closed("method", name, first, None))
    }

    /// `dependencies {`, `terraform {`, `nav a:hover {`: whatever has a block.
    pub(super) fn block(&self, head: &[Part], first: usize, at: usize, then: Then, place: Place<'_>) -> Option<Verdict> {
        let kind = self.declarations.block_kind;
        let is_config = then == Then::Block && !kind.is_empty() && (place.kind.is_empty() || place.kind == kind);
        if !is_config || head[at].what == Kind::Word && self.words.is(self.text(&head[at]), Meaning::Reserved) {
            return None;
        }
        let is_selector = self.declarations.has(Habit::Selectors);
        let is_name = |part: &Part| {
            matches!(part.what, Kind::Word | Kind::Literal | Kind::Mark(b'.' | b'<' | b'>')) || part.what == Kind::Group(b'(')
        };
        if !is_selector && (head[at].what != Kind::Word || !head[at..].iter().all(is_name)) {
            return None;
        }
        let (from, to) = (head[at].start, head[head.len() - 1].end);
        let text = String::from_utf8_lossy(&self.source[from..to.min(from + MAX_NAME)]);
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let body = Body::Members;
        Some(Verdict::Declares(Declaration { kind, name, body, first, stop: None, is_assigned: false, is_named_late: false }))
    }

    /// `name() {`
    pub(super) fn command(&self, head: &[Part], first: usize, at: usize) -> Option<Verdict> {
        let is_called = head[at].what == Kind::Word && is_mark(head, at + 1, b'(') && is_mark(head, at + 2, b')');
        let is_last = head.len() == at + 3 || is_mark(head, at + 3, b'{') || is_mark(head, at + 3, b'(');
        (is_called && is_last).then(|| closed("function", self.string(&head[at]), first, Some(head[at + 2].end)))
    }

    /// `name :: type`
    pub(super) fn annotated(&self, head: &[Part], first: usize, at: usize, then: Then) -> Option<Verdict> {
        let part = head.get(at)?;
        let name = match part.what {
            Kind::Word => self.string(part),
            Kind::Group(b'(') => self.string(part).trim_matches(['(', ')']).trim().to_owned(),
            _ => return None,
        };
        let is_typed = is_pair(head, at + 1, b"::");
        // `xs +++ ys = …`, ``x `op` y = …``
        let is_outermost = then == Then::Line { indent: 0 };
        if is_outermost && part.what == Kind::Word && self.assignment(head, at + 2).is_some() {
            let marks = head[at + 1..].iter().take_while(|part| matches!(part.what, Kind::Mark(mark) if is_operator(mark)));
            let marks = marks.count();
            let first_mark = head.get(at + 1).map(|part| self.text(part));
            let name = match first_mark {
                Some(b"`") if head.get(at + 3).is_some_and(|part| self.text(part) == b"`") => Some(self.string(&head[at + 2])),
                Some(b"!" | b"~") | None => None,
                Some(b"|" | b"=" | b":") if marks == 1 => None,
                Some(_) if marks > 0 && !is_typed && self.assignment(head, at + 1 + marks).is_some() => {
                    Some(self.joined(head, at + 1, at + 1 + marks))
                }
                Some(_) => None,
            };
            if let Some(name) = name {
                return Some(closed("function", name, first, self.stop(head, at + 2)));
            }
        }
        let is_equation = then == Then::Line { indent: 0 }
            && part.what == Kind::Word
            && self.text(part)[0].is_ascii_lowercase()
            && self.assignment(head, at + 1).is_some();
        (is_typed || is_equation).then(|| closed("function", name, first, self.stop(head, at + 1)))
    }

    /// `name(…) ->` at the beginning of a line.
    pub(super) fn clause(&self, head: &[Part], first: usize, at: usize, then: Then) -> Option<Verdict> {
        let is_name = matches!(head[at].what, Kind::Word | Kind::Literal);
        let is_head = then == Then::Line { indent: 0 } && is_name && is_group(head, at + 1, b'(');
        is_head.then(|| closed("function", self.string(&head[at]), first, self.stop(head, at + 1)))
    }

    /// `name(…) = …`
    pub(super) fn equation(&self, head: &[Part], first: usize, at: usize) -> Option<Verdict> {
        let behind = self.path_end(head, at);
        let is_called = head[at].what == Kind::Word && is_group(head, behind, b'(');
        let (equals, _) = self.assignment(head, behind)?;
        let is_declared =
            is_called && !head[behind..equals].iter().any(|part| matches!(part.what, Kind::Literal | Kind::Mark(b',')));
        is_declared.then(|| closed("function", self.joined(head, at, behind), first, Some(head[equals].start)))
    }

    /// `name: …`; of what is behind the colon nothing is shown.
    pub(super) fn label(
        &self,
        head: &[Part],
        first: usize,
        at: usize,
        place: Place<'_>,
        (kind, nested): (&'static str, bool),
    ) -> Option<Verdict> {
        let double = (at + 1..head.len()).find(|&at| !nested && is_pair(head, at, b"::"));
        let colon = find_mark(head, at + 1, b':').or(double)?;
        // `module.net["hub"].routes: …`
        let is_name = |part: &Part| matches!(part.what, Kind::Word | Kind::Literal | Kind::Mark(_) | Kind::Group(b'(' | b'['));
        // `.PHONY: all` declares nothing, nor does `target: VARIABLE = value`.
        let is_special = matches!(self.text(&head[at]), [b'.', b'A'..=b'Z', ..]);
        let is_appended = || (colon + 1..head.len()).any(|at| is_pair(head, at, b"+="));
        let is_variable = !nested && (self.assignment(head, colon + 1).is_some() || is_appended());
        let is_plain = !nested || matches!(head[at].what, Kind::Word | Kind::Literal);
        if is_special || is_variable || !is_plain || !head[at..colon].iter().all(is_name) {
            return None;
        }
        let (from, to) = (head[at].start, head[colon].start);
        let text = String::from_utf8_lossy(&self.source[from..to.min(from + MAX_NAME)]);
        let name = one_line(text.trim().trim_matches(['"', '\''])).into_owned();
        // A block of text or a value has no names in it.
        let has_members = nested && place.kind.is_empty() && is_anchor(&head[colon + 1..]);
        let body = if has_members { Body::Members } else { Body::Closed };
        let stop = Some(to);
        Some(Verdict::Declares(Declaration { kind, name, body, first, stop, is_assigned: false, is_named_late: false }))
    }

    /// `NAME = …` without a word before it.
    pub(super) fn named_value(&self, head: &[Part], first: usize, at: usize, then: Then) -> Option<Verdict> {
        let name = head.get(at).filter(|part| part.what == Kind::Word)?;
        let word = self.text(name);
        let is_upper = !word.iter().any(u8::is_ascii_lowercase);
        let (wanted, kind) = match self.declarations.assigned {
            Assigned::Nothing => return None,
            Assigned::Names => {
                let is_outermost = then == Then::Line { indent: 0 };
                (is_outermost, if is_upper { "constant" } else { "variable" })
            }
            Assigned::Capitals => (word[0].is_ascii_uppercase() || is_upper && word.len() > 1, "constant"),
        };
        // `target: NAME = value` is no value of the target's.
        let has_labels = matches!(self.declarations.functions, Functions::Labels { .. });
        let has_type = !has_labels && is_mark(head, at + 1, b':') && !is_pair(head, at + 1, b"::");
        let is_assigned = self.assignment(head, at + 1).is_some_and(|(equals, _)| equals == at + 1 || has_type);
        if !wanted || !is_assigned || self.words.is(word, Meaning::Reserved) {
            return None;
        }
        Some(Verdict::Declares(Declaration {
            kind,
            name: self.string(name),
            body: Body::Value,
            first,
            stop: None,
            is_assigned: true,
            is_named_late: false,
        }))
    }

    /// A function in a class whose name stands alone, or a field that holds one.
    pub(super) fn bare(&self, head: &[Part], first: usize, at: usize, then: Then, place: Place<'_>) -> Option<Verdict> {
        let mut from = at;
        while is_mark(head, from, b'*') {
            from += 1;
        }
        let start = from;
        if is_mark(head, from, b'#') {
            from += 1;
        }
        let part = head.get(from)?;
        let (name, behind) = match part.what {
            Kind::Word => (self.joined(head, start, from + 1), from + 1),
            Kind::Literal | Kind::Group(b'[') => (self.string(part), from + 1),
            Kind::Group(b'(') if place.kind == "interface" => ("()".to_owned(), from),
            _ => return None,
        };
        let mut behind = behind;
        while is_mark(head, behind, b'?') || is_mark(head, behind, b'!') {
            behind += 1;
        }
        if is_mark(head, behind, b'<') {
            behind = skip_angles(head, behind)?;
        }
        let is_object = place.kind == OBJECT;
        let method = |name: String, is_assigned| {
            let kind = if name == "constructor" { "constructor" } else { "method" };
            Some(Verdict::Declares(Declaration {
                kind,
                name,
                body: Body::Closed,
                first,
                stop: None,
                is_assigned,
                is_named_late: false,
            }))
        };
        if is_group(head, behind, b'(') {
            if is_object && then != Then::Block {
                return None;
            }
            if part.what == Kind::Word && self.words.is(self.text(part), Meaning::Reserved) && place.kind.is_empty() {
                return None;
            }
            let last = head[head.len() - 1].what;
            if then == Then::Block && (is_in_angles(head) || matches!(last, Kind::Mark(b':' | b'|' | b'&' | b',' | b'>'))) {
                return Some(Verdict::GoesOn);
            }
            return method(name, false);
        }
        let sign = if is_object { b':' } else { b'=' };
        let value = find_mark(head, behind, sign)?;
        if value == behind || !is_object {
            let is_function = self.value_rule_at(head, value + 1).is_some_and(|rule| rule.kind == "function");
            if is_function && place.kind != "interface" {
                return method(name, true);
            }
        }
        None
    }

    /// `Foo.prototype.bar = function () {`, `module.exports = {`
    pub(super) fn assigned(&self, head: &[Part], first: usize, at: usize, then: Then, place: Place<'_>) -> Option<Verdict> {
        let name = head.get(at)?;
        let is_name = name.what == Kind::Word || name.what == Kind::Literal && self.text(name).starts_with(b"`");
        if !is_name || !place.lists_functions() {
            return None;
        }
        let behind = self.path_end(head, at);
        let (equals, value) = self.assignment(head, behind).filter(|&(equals, _)| equals == behind)?;
        if let Some(rule) = self.value_rule_at(head, value) {
            let name = self.joined(head, at, behind).trim_matches('`').to_owned();
            return Some(Verdict::Declares(Declaration {
                kind: rule.kind,
                name,
                body: rule.body,
                first,
                stop: None,
                is_assigned: true,
                is_named_late: false,
            }));
        }
        let has_objects = matches!(self.declarations.functions, Functions::Bare(kinds) if kinds.contains(OBJECT));
        let is_object = has_objects && then == Then::Block && equals + 1 == head.len() && behind > at + 1;
        is_object.then_some(Verdict::Through { is_object: true })
    }

    pub(super) fn value_rule_at(&self, head: &[Part], start: usize) -> Option<&'static Rule> {
        let mut at = start;
        while head.get(at).is_some_and(|part| part.what == Kind::Word && self.words.is(self.text(part), Meaning::Modifier)) {
            at += 1;
        }
        let word = head.get(at).filter(|part| part.what == Kind::Word).map(|part| self.text(part));
        // `R6::R6Class`
        let path = word.map(|_| self.path_end(head, at)).filter(|&end| end > at + 1).map(|end| self.joined(head, at, end));
        let by_word = |rule: &&Rule| {
            let is_path = |phrase| path.as_ref().is_some_and(|path| self.words.same(path.as_bytes(), phrase));
            word.is_some_and(|word| phrases(rule).any(|phrase| self.words.same(word, phrase) || is_path(phrase)))
        };
        let is_arrow = (start..head.len()).any(|at| is_pair(head, at, b"=>"));
        let values = self.declarations.values;
        values.iter().find(by_word).or_else(|| values.iter().find(|rule| is_arrow && rule.words == "=>"))
    }
}

fn closed(kind: &'static str, name: String, first: usize, stop: Option<usize>) -> Verdict {
    Verdict::Declares(Declaration { kind, name, body: Body::Closed, first, stop, is_assigned: false, is_named_late: false })
}

/// Whether nothing stands there but the name of what follows, or its type: `&name`, `!type`.
fn is_anchor(parts: &[Part]) -> bool {
    let Some(first) = parts.first() else { return true };
    let is_joined = parts.windows(2).all(|pair| pair[0].end == pair[1].start);
    is_joined && matches!(first.what, Kind::Mark(b'&' | b'!'))
}
