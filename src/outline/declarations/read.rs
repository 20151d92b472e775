//! What the head of a statement declares.

use super::parts::{Kind, Part, find_mark, has_two_groups, is_group, is_in_angles, is_mark, skip_angles};
use super::typed::is_macro;
use super::words::{Meaning, Words};
use crate::lexis::{Body, Declarations, Functions, Habit, Lexis, Name, Rule};

/// Functions in declarations of these kinds are methods.
const TYPES: [&str; 19] = [
    "actor",
    "annotation",
    "class",
    "contract",
    "enum",
    "extension",
    "impl",
    "implementation",
    "interface",
    "library",
    "mixin",
    "object",
    "opaque",
    "protocol",
    "record",
    "service",
    "struct",
    "trait",
    "union",
];

/// What stands for the kind of an object literal, which has members and is no declaration.
pub(super) const OBJECT: &str = "{}";

/// What stands for the kind of a function that is round the whole file: its functions are listed, its variables not.
pub(super) const BODY: &str = "()";

/// What a head declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Declaration {
    pub(super) kind: &'static str,
    /// Empty where it has none yet.
    pub(super) name: String,
    pub(super) body: Body,
    /// The piece it begins with, behind attributes.
    pub(super) first: usize,
    /// Where the signature ends, if that is before the head does.
    pub(super) stop: Option<usize>,
    /// Whether it is assigned: then it ends where the statement does.
    pub(super) is_assigned: bool,
    /// Whether its name comes last, behind the block.
    pub(super) is_named_late: bool,
}

impl Declaration {
    /// A value where values are not listed.
    const UNLISTED: Self = Self {
        kind: "",
        name: String::new(),
        body: Body::Hidden,
        first: 0,
        stop: None,
        is_assigned: false,
        is_named_late: false,
    };
}

/// What a head means for the block behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It declares something.
    Declares(Declaration),
    /// It declares nothing, but in its block there may be declarations; those of an object literal?
    Through { is_object: bool },
    /// The block is part of it: a type, an initial value.
    GoesOn,
    /// What is inside declares as if this word stood before it.
    Group(usize),
    /// It declares nothing.
    Nothing,
}

/// What a statement stands in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'p> {
    /// The kind of the declaration it is a member of; empty at the outermost level.
    pub(super) kind: &'static str,
    /// The name of that.
    pub(super) name: &'p str,
    /// A word that stands before all that is declared here: `const ( … )`.
    pub(super) rule: Option<usize>,
}

impl Place<'_> {
    pub(super) const OUTERMOST: Place<'static> = Place { kind: "", name: "", rule: None };

    pub(super) fn is_type(&self) -> bool {
        TYPES.contains(&self.kind)
    }

    /// Whether values are listed here.
    pub(super) fn lists_values(&self) -> bool {
        matches!(self.kind, "" | "module" | "namespace" | "package")
    }

    /// Whether functions are listed that are assigned here.
    pub(super) fn lists_functions(&self) -> bool {
        self.lists_values() || matches!(self.kind, BODY | "test")
    }
}

/// What follows a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    /// A block in braces.
    Block,
    /// The end of the statement.
    End,
    /// The end of its line, where lines tell blocks.
    Line {
        /// Columns of white space before it.
        indent: usize,
    },
}

/// Reads heads.
pub(super) struct HeadReader<'s> {
    pub(super) source: &'s [u8],
    pub(super) declarations: &'static Declarations,
    pub(super) words: Words,
}

impl<'s> HeadReader<'s> {
    pub(super) fn new(source: &'s [u8], lexis: &'static Lexis) -> Self {
        let declarations = &lexis.declarations;
        Self { source, declarations, words: Words::of(declarations, lexis.is_case_blind) }
    }

    pub(super) fn text(&self, part: &Part) -> &'s [u8] {
        &self.source[part.start..part.end]
    }

    pub(super) fn rule(&self, number: usize) -> &'static Rule {
        &self.declarations.rules[number]
    }

    pub(super) fn words(&self) -> &Words {
        &self.words
    }

    /// Whether a word begins a declaration that has a body.
    pub(super) fn begins_declaration(&self, word: &[u8]) -> bool {
        self.words.meanings(word).any(|(meaning, _)| {
            matches!(meaning, Meaning::Rule(number) if matches!(self.rule(number).body, Body::Members | Body::Closed))
        })
    }

    /// Where the signature of a statement without a block ends: a value of several lines is not shown.
    pub(super) fn end_of_signature(&self, head: &[Part], declaration: &Declaration) -> usize {
        let (start, end) = (head[declaration.first].start, head[head.len() - 1].end);
        let equals = self.assignment(head, declaration.first).map(|(at, _)| head[at].start);
        let has_lines = memchr::memchr(b'\n', &self.source[start..end]).is_some();
        let is_open = matches!(head[head.len() - 1].what, Kind::Mark(b'(' | b'[' | b'{'));
        equals.filter(|_| has_lines || is_open).unwrap_or(end)
    }

    /// The name that a head has only behind its block: `typedef struct { … } name`.
    pub(super) fn name_behind(&self, head: &[Part]) -> Option<String> {
        head.iter().rev().find(|part| part.what == Kind::Word).map(|part| self.string(part))
    }

    /// Whether types stand before names.
    pub(super) fn is_typed(&self) -> bool {
        matches!(self.declarations.functions, Functions::Typed { .. } | Functions::Messages)
    }

    /// What a head declares.
    pub(super) fn read(&self, head: &[Part], then: Then, place: Place<'_>) -> Verdict {
        let first = self.skip_attributes(head, 0);
        if first == head.len() {
            return Verdict::Nothing;
        }
        if let Some(verdict) = self.titled(head, first, then) {
            return verdict;
        }
        if let Some(number) = place.rule {
            let declaration = self.by_rule(head, first, first, number, then, place);
            let listed = declaration.filter(|declaration| declaration.body != Body::Hidden);
            return listed.map_or(Verdict::Nothing, Verdict::Declares);
        }
        let mut at = first;
        let mut has_literal = false;
        let mut anonymous = None;
        while let Some(part) = head.get(at) {
            match part.what {
                Kind::Word => {
                    let word = self.text(part);
                    let is_called = is_group(head, at + 1, b'(');
                    if is_called && self.has_bare_functions(place) {
                        break;
                    }
                    let is_modifier = self.words.is(word, Meaning::Modifier);
                    if let Some(rule) = self.rule_at(head, at, is_modifier)
                        && let Some(verdict) = self.by_words(head, first, at, rule, then, place, anonymous)
                    {
                        return verdict;
                    }
                    if is_called && (self.words.is(word, Meaning::Attribute) || self.is_macro_before_word(head, at)) {
                        at += 2;
                    } else if is_modifier {
                        if self.words.is(word, Meaning::Anonymous) {
                            anonymous = Some(at);
                        }
                        at += 1;
                        // `private[app] def`, `private [app] def`
                        let is_before_word = head.get(at + 1).is_some_and(|next| next.what == Kind::Word);
                        if is_group(head, at, b'[') && (head[at].start == part.end || is_before_word) {
                            at += 1;
                        }
                        if is_mark(head, at, b'<') {
                            at = skip_angles(head, at).unwrap_or(at);
                        }
                    } else {
                        break;
                    }
                }
                Kind::Literal if at > first => {
                    has_literal = true;
                    at += 1;
                }
                _ => {
                    let behind = self.skip_attributes(head, at);
                    if behind == at {
                        break;
                    }
                    at = behind;
                }
            }
        }
        if at == head.len() {
            let is_object = anonymous.is_some();
            let is_block = then == Then::Block && (has_literal || is_object);
            return if is_block { Verdict::Through { is_object } } else { Verdict::Nothing };
        }
        // The type before the name of a method looks like an attribute.
        let has_type = is_group(head, 0, b'[') && self.has_bare_functions(place);
        self.by_shape(head, if has_type { 0 } else { first }, at, then, place)
    }

    /// Whether something that looks like the call of a macro stands before a declaration.
    fn is_macro_before_word(&self, head: &[Part], at: usize) -> bool {
        self.is_typed()
            && is_macro(self.text(&head[at]))
            && head.get(at + 2).is_some_and(|part| part.what == Kind::Word && !is_macro(self.text(part)))
    }

    /// The rule whose words begin at `at`, and what is behind them.
    fn rule_at(&self, head: &[Part], at: usize, is_modifier: bool) -> Option<(usize, usize)> {
        let word = self.text(&head[at]);
        for (meaning, rest) in self.words.meanings(word) {
            let Meaning::Rule(number) = meaning else { continue };
            if rest.is_empty() {
                // `const fn`: a word of its own, or one before another.
                let words = head[at + 1..].iter().take_while(|next| next.what == Kind::Word).map(|next| self.text(next));
                let mut others = words.skip_while(|next| !self.words.begins_rule(next) && self.words.is(next, Meaning::Modifier));
                let is_before_another = others.next().is_some_and(|next| self.words.begins_rule(next));
                if is_modifier && is_before_another {
                    continue;
                }
                return Some((number, at + 1));
            }
            let mut next = at + 1;
            let matches = rest.split(' ').all(|wanted| {
                while let Some(part) = head.get(next).filter(|part| part.what == Kind::Word) {
                    let word = self.text(part);
                    next += 1;
                    if self.words.same(word, wanted) {
                        return true;
                    }
                    if !self.words.is(word, Meaning::Modifier) {
                        return false;
                    }
                }
                false
            });
            if matches {
                return Some((number, next));
            }
        }
        None
    }

    /// What a rule makes of a head; None: it does not fit after all.
    #[expect(clippy::too_many_arguments, reason = "all of it is the place in the head")]
    fn by_words(
        &self,
        head: &[Part],
        first: usize,
        at: usize,
        (number, next): (usize, usize),
        then: Then,
        place: Place<'_>,
        anonymous: Option<usize>,
    ) -> Option<Verdict> {
        let rule = self.rule(number);
        let is_modifier = self.words.is(self.text(&head[at]), Meaning::Modifier);
        if rule.body == Body::Through && is_modifier && next == at + 1 && next < head.len() {
            return None;
        }
        match rule.body {
            Body::Through if then != Then::End => return Some(Verdict::Through { is_object: false }),
            Body::Through | Body::Hidden => return Some(Verdict::Nothing),
            Body::Import if then == Then::Block => return Some(Verdict::GoesOn),
            _ => {}
        }
        // `extension (text: Text) def words: Int` is a function.
        if rule.name == Name::Own
            && rule.body == Body::Members
            && let Some(at) = self.behind_groups(head, next)
            && let Some(rule) = self.rule_at(head, at, self.words.is(self.text(&head[at]), Meaning::Modifier))
        {
            return self.by_words(head, first, at, rule, then, place, anonymous);
        }
        // `struct point *middle(struct point a) {` is a function.
        let is_typed = self.is_typed();
        if is_typed && rule.name == Name::Last && rule.body != Body::Value && self.callable(head, at, then, place).is_some() {
            return None;
        }
        if is_typed && rule.name == Name::Last && rule.body != Body::Value && find_mark(head, next, b'=').is_some() {
            return Some(Verdict::GoesOn);
        }
        if matches!(then, Then::Line { .. }) && next == head.len() && self.declarations.has(Habit::Groups) {
            return Some(Verdict::Group(number));
        }
        if let Some(declaration) = self.by_rule(head, first, next, number, then, place) {
            if declaration.body == Body::Hidden {
                return Some(Verdict::GoesOn);
            }
            return Some(Verdict::Declares(declaration))
                .filter(|_| !self.is_type_so_far(head, rule, then))
                .or(Some(Verdict::GoesOn));
        }
        let has_no_name = self.name(head, next, rule).is_none();
        if !has_no_name || then != Then::Block {
            return None;
        }
        let is_named_later = rule.name == Name::Last && rule.body == Body::Value;
        if is_named_later || anonymous.is_some() {
            let name = anonymous.map_or_else(String::new, |word| self.string(&head[word]));
            return Some(Verdict::Declares(Declaration {
                kind: rule.kind,
                name,
                body: rule.body,
                first,
                stop: None,
                is_assigned: is_named_later,
                is_named_late: is_named_later,
            }));
        }
        (rule.body == Body::Members && rule.name == Name::Next).then_some(Verdict::Through { is_object: false })
    }

    /// The word behind what stands in brackets at `at`, and behind modifiers.
    fn behind_groups(&self, head: &[Part], at: usize) -> Option<usize> {
        let groups = head.get(at..)?.iter().take_while(|part| matches!(part.what, Kind::Group(_))).count();
        let mut at = at + groups;
        let word = |at: usize| head.get(at).filter(|part| part.what == Kind::Word).map(|part| self.text(part));
        while word(at).is_some_and(|word| self.words.is(word, Meaning::Modifier)) && word(at + 1).is_some() {
            at += 1;
        }
        (groups > 0 && word(at).is_some()).then_some(at)
    }

    /// Whether the brace behind a head belongs to a type in it: `func f() interface{}`.
    fn is_type_so_far(&self, head: &[Part], rule: &Rule, then: Then) -> bool {
        let last = head[head.len() - 1];
        let is_typed = self.is_typed();
        if then == Then::Block && !is_typed && is_in_angles(head) {
            return true;
        }
        then == Then::Block
            && rule.body == Body::Closed
            && (last.what == Kind::Word && self.words.is(self.text(&last), Meaning::Types)
                || matches!(last.what, Kind::Mark(b':' | b'|' | b'&')))
    }

    /// What a rule makes of what is behind its words.
    fn by_rule(
        &self,
        head: &[Part],
        first: usize,
        next: usize,
        number: usize,
        then: Then,
        place: Place<'_>,
    ) -> Option<Declaration> {
        let rule = self.rule(number);
        let (name, behind) = self.name(head, next, rule)?;
        let assigned = self.assigned_rule(head, behind);
        let own = assigned.unwrap_or(rule);
        let is_object = assigned.is_none()
            && rule.body == Body::Value
            && rule.kind != "type"
            && then == Then::Block
            && matches!(self.declarations.functions, Functions::Bare(kinds) if kinds.contains(OBJECT))
            && is_mark(head, head.len() - 1, b'=');
        let body = if is_object { Body::Members } else { own.body };
        let is_property = self.declarations.has(Habit::Properties)
            && place.is_type()
            && then == Then::Block
            && rule.kind == "variable"
            && self.assignment(head, behind).is_none();
        if body == Body::Value && !place.lists_values() && !is_property {
            return Some(Declaration::UNLISTED);
        }
        if body == Body::Import && place.is_type() {
            return None;
        }
        if then == Then::End && body == Body::Members && self.declarations.has(Habit::ForwardTypes) {
            return None;
        }
        if then == Then::End && self.declarations.has(Habit::ForwardTypes) && body == Body::Closed && rule.name == Name::Last {
            return None;
        }
        let is_value = then == Then::Block && rule.body == Body::Value;
        let is_named_late = is_value && rule.name == Name::Last;
        if rule.kind == "test" && matches!(then, Then::Line { .. }) && !self.has_open_block(head) && !has_two_groups(head, next) {
            return None;
        }
        let mut kind = own.kind;
        if rule.name == Name::Binding {
            let is_value = head.get(behind).is_none_or(|part| matches!(part.what, Kind::Mark(b'=' | b':')));
            kind = if is_value { rule.kind } else { "function" };
        }
        if is_named_late
            && let Some((other, _)) =
                head.get(next).and_then(|part| self.rule_at(head, next, false).filter(|_| part.what == Kind::Word))
        {
            kind = self.rule(other).kind;
        }
        if kind == "function" && place.is_type() {
            kind = "method";
        }
        if is_property {
            kind = "property";
        }
        Some(Declaration {
            kind,
            name,
            body: if is_property { Body::Closed } else { body },
            first,
            stop: if rule.body == Body::Value {
                let is_type = assigned.is_some_and(|rule| rule.kind != "function");
                (is_value && !is_type).then(|| self.equals(head, behind)).flatten()
            } else {
                parameters_end(head, behind).or_else(|| self.stop(head, behind))
            },
            is_assigned: rule.body == Body::Value && !is_property,
            is_named_late,
        })
    }

    /// What a name is assigned that is more than a value.
    fn assigned_rule(&self, head: &[Part], behind: usize) -> Option<&'static Rule> {
        let values = self.declarations.values;
        if values.is_empty() {
            return None;
        }
        match self.assignment(head, behind) {
            Some((_, start)) => self.value_rule_at(head, start),
            // `type Point struct`
            None => self.value_rule_at(head, behind).filter(|rule| rule.words != "=>"),
        }
    }

    /// Behind the attributes that begin at `at`.
    pub(super) fn skip_attributes(&self, head: &[Part], at: usize) -> usize {
        let mut at = at;
        'next: loop {
            for mark in self.declarations.attribute_marks {
                let end = match *mark {
                    "@" if is_mark(head, at, b'@') => {
                        let mut end = self.path_end(head, at + 1);
                        if is_mark(head, end, b':') {
                            end = self.path_end(head, end + 1);
                        }
                        end + usize::from(is_group(head, end, b'('))
                    }
                    "[" | "[[" if is_group(head, at, b'[') => {
                        let is_double = self.source[head[at].start + 1..].starts_with(b"[");
                        if *mark == "[[" && !is_double {
                            continue;
                        }
                        at + 1
                    }
                    "#[" if is_mark(head, at, b'#') && is_group(head, at + 1, b'[') => at + 2,
                    "#![" if is_mark(head, at, b'#') && is_group(head, at + 2, b'[') => at + 3,
                    _ => continue,
                };
                at = end;
                continue 'next;
            }
            return at;
        }
    }
}

/// Behind the parameters, where these are not read as one piece.
fn parameters_end(head: &[Part], open: usize) -> Option<usize> {
    if !is_mark(head, open, b'(') {
        return None;
    }
    let mut level = 0_usize;
    head[open..].iter().find_map(|part| {
        match part.what {
            Kind::Mark(b'(') => level += 1,
            Kind::Mark(b')') => level -= 1,
            _ => {}
        }
        (level == 0).then_some(part.end)
    })
}
