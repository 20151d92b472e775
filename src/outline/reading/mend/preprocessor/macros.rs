//! Uses of macros that no grammar can place, told by their shape: a name in capitals where a type, a second type or
//! nothing at all should stand.
//!
//! Every rule here looks for what cannot be C or C++ as it stands, so that text without macros is never touched.

use std::ops::{Deref, Range};

use super::bodies;
use super::stream::Stream;
use super::tokens::Kind;

/// How many words and groups may stand behind the parameters of a function.
const MAX_TRAILERS: usize = 16;

/// Declarations of parameters that are longer than this are none; tokens.
const MAX_PARAMETERS: usize = 400;

/// The ranges of a text that are uses of macros, or of what else its grammar does not know; and the insides of bodies of which
/// nothing is listed, as far as no macro stands in their heads: what is in them does not matter.
pub(super) fn find(stream: &Stream<'_>) -> Vec<Range<usize>> {
    let mut finder = Finder {
        stream,
        blanks: Vec::new(),
        kept: Vec::with_capacity(stream.tokens.len()),
        closing: Vec::new(),
        template_end: None,
        is_fresh: true,
        in_value: false,
        class: None,
        classes: Vec::new(),
        head: Head::default(),
        group_end: 0,
        bodies: Vec::new(),
    };
    finder.run();
    finder.blanks.append(&mut finder.bodies);
    finder.blanks
}

struct Finder<'s> {
    stream: &'s Stream<'s>,
    blanks: Vec<Range<usize>>,
    /// The tokens before the current one, without those that are blanked.
    kept: Vec<usize>,
    /// Brackets to come that are blanked because their partner was.
    closing: Vec<usize>,
    /// The last token of the parameters of the last template.
    template_end: Option<usize>,
    /// Whether a declaration may begin at the current token, or has begun and still lacks its type.
    is_fresh: bool,
    /// Whether an initial value has begun.
    in_value: bool,
    /// Behind a class key: the last name since, or the key itself.
    class: Option<usize>,
    /// The names of the classes round the current token, and where each ends.
    classes: Vec<(usize, usize)>,
    head: Head,
    /// Behind the group, or the body, that the current token lies in.
    group_end: usize,
    /// The insides of bodies that were passed over.
    bodies: Vec<Range<usize>>,
}

/// Where the declaration begins that a token belongs to.
#[derive(Default)]
struct Head {
    start: usize,
    /// How many uses of macros had been found before it.
    macros: usize,
}

impl<'s> Deref for Finder<'s> {
    type Target = Stream<'s>;

    fn deref(&self) -> &Self::Target {
        self.stream
    }
}

impl Finder<'_> {
    fn run(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            if let Some(end) = self.macro_end(at) {
                self.blank(at, end);
                at = self.blank_statement(end);
            } else if self.closing.last() == Some(&at) {
                self.closing.pop();
                self.blank(at, at + 1);
                at += 1;
            } else if let Some(inside) = self.unwrapped(at) {
                at = inside;
            } else {
                self.blank_old_parameters_before(at);
                self.is_fresh = self.is_fresh_after(at);
                self.in_value = self.in_value_after(at);
                self.enter_class(at);
                self.kept.push(at);
                at = self.body_end(at).unwrap_or_else(|| self.skip_template(at + 1));
            }
        }
    }

    /// The brace that closes the body which opens at a token, if nothing in it is listed. Keeps account of heads.
    fn body_end(&mut self, at: usize) -> Option<usize> {
        if at < self.group_end {
            return None;
        }
        let mate = self.mate(at);
        let macros = self.blanks.len();
        match self.tokens[at].kind {
            Kind::Mark(b'(' | b'[') if mate > at => self.group_end = mate + 1,
            Kind::Mark(b'{') if mate > at && self.head.macros == macros && bodies::is_closed(self, self.head.start, at) => {
                self.bodies.push(self.tokens[at].range().end..self.tokens[mate].range().start);
                self.group_end = mate + 1;
                if !bodies::is_followed_by_another(self, mate) {
                    self.head = Head { start: mate + 1, macros };
                }
                return Some(mate);
            }
            Kind::Mark(b';' | b'{' | b'}') | Kind::Directive => self.head = Head { start: at + 1, macros },
            _ => {}
        }
        None
    }

    /// Behind the parameters of a template and what it requires.
    fn skip_template(&mut self, at: usize) -> usize {
        let mut end = at;
        if self.is(at - 1, b"template") && self.is_mark(at, b'<') {
            end = self.angle_end(at).unwrap_or(at);
        } else if self.is(at - 1, b"requires") {
            end = self.constraint_end(at);
        }
        if end > at {
            self.kept.push(end - 1);
            self.template_end = Some(end - 1);
            self.is_fresh = true;
        }
        end
    }

    fn is_fresh_after(&self, at: usize) -> bool {
        match self.tokens[at].kind {
            Kind::Mark(b';' | b'{' | b'}') | Kind::Directive => true,
            Kind::Mark(b':') => self.is_fresh || self.before(0).is_some_and(|before| self.is_access(before)),
            Kind::Literal => self.before(0).is_some_and(|before| self.is(before, b"extern")),
            Kind::Mark(b']') => self.is_fresh || self.is_attribute(self.mate(at)),
            Kind::Mark(b'[') => self.is_attribute(at),
            // `__attribute__((…))`, `alignas(…)`.
            Kind::Mark(b')') => self.mate(at) > 0 && self.is_before_name(self.mate(at) - 1),
            Kind::Keyword => self.is_before_name(at) && !self.is_class_key(at),
            _ => false,
        }
    }

    fn in_value_after(&self, at: usize) -> bool {
        match self.tokens[at].kind {
            Kind::Mark(b'=') => true,
            Kind::Mark(b';' | b'{' | b'}') | Kind::Directive => false,
            _ => self.in_value,
        }
    }

    /// Keeps account of the classes that a token lies in.
    fn enter_class(&mut self, at: usize) {
        match self.tokens[at].kind {
            Kind::Keyword if self.is_class_key(at) => self.class = Some(at),
            // `class A`, `class A::B`; what comes behind are bases and arguments.
            Kind::Word if self.class.is_some() => {
                let is_scope = self.is_mark(at - 1, b':') && self.before(2) == self.class;
                if is_scope || self.before(0) == self.class {
                    self.class = Some(at);
                }
            }
            Kind::Mark(b'{') => {
                let end = self.mate(at);
                self.classes.extend(self.class.take().map(|name| (name, end)));
            }
            // Bases, or something that is no class.
            Kind::Mark(b';' | b'}' | b'(' | b')' | b'=') => self.class = None,
            _ => {}
        }
        while self.classes.last().is_some_and(|(_, end)| *end <= at) {
            self.classes.pop();
        }
    }

    /// Whether a token is the name of the class that it lies in.
    fn is_of_class(&self, at: usize) -> bool {
        self.classes.last().is_some_and(|(name, _)| self.text(*name) == self.text(at))
    }

    /// Where a use of a macro ends that begins at a token, and is to be blanked whole.
    fn macro_end(&self, at: usize) -> Option<usize> {
        if self.is(at, b"extern") && self.is(at + 1, b"template") {
            let length = self.tokens[at..].iter().position(|token| token.kind == Kind::Mark(b';'))?;
            return Some(at + length + 1);
        }
        if self.is_specifier(at) {
            return self.specifiers_before_friend(at);
        }
        if !self.is_name(at) {
            return None;
        }
        let before = self.before(0);
        if self.is_mark(at + 1, b':') && !self.is_mark(at + 2, b':') {
            if before.is_some_and(|before| self.is_access(before)) {
                // `public slots:`
                return Some(at + 1);
            }
            // `signals:`, or a label; no width of a field without a name.
            if self.begins_statement() && self.kind(at + 2) != Some(Kind::Literal) {
                return Some(at + 2);
            }
        }
        let end = self.group_end(at + 1);
        if let Some(key) = before.filter(|before| self.is_class_key(*before)) {
            return self.is_before_class_name(at, end, self.text(key)).then_some(end);
        }
        let is_macro = if self.is_trailing_macro(at) && self.is_behind_parameters() {
            self.ends_head(end)
        } else if !self.is_macro(at) {
            let is_first = self.is_fresh && self.is_type_and_declared(self.skip_neutral(at + 1));
            return (is_first || self.is_behind_pointer(at) || self.is_alone(at)).then_some(at + 1);
        } else if self.is_fresh {
            self.is_before_declaration(at, end)
        } else {
            self.is_between_type_and_name(at, end) || self.is_behind_name(at, end) || self.is_in_declarator(at)
        };
        is_macro.then_some(end)
    }

    /// `inline friend`: grammars know such words only behind `friend`. Where they end.
    fn specifiers_before_friend(&self, at: usize) -> Option<usize> {
        let end = (at + 1..self.tokens.len()).find(|next| !self.is_specifier(*next))?;
        self.is(end, b"friend").then_some(end)
    }

    /// Whether what follows a macro at the beginning of a declaration is a declaration without it.
    fn is_before_declaration(&self, at: usize, end: usize) -> bool {
        let has_group = end > at + 1;
        if self.before(0).is_some_and(|before| self.closes_class(before)) {
            return self.is_name(end) || has_group && self.is_mark(end, b';');
        }
        let next = self.skip_neutral(end);
        let is_next = next == end;
        match self.kind(next) {
            None | Some(Kind::Directive | Kind::Mark(b'}' | b'~')) => is_next,
            Some(Kind::Mark(b':')) => self.is_mark(next + 1, b':') && self.is_type_and_name(next),
            Some(Kind::Mark(b'[')) => self.is_attribute(next),
            Some(Kind::Mark(b';')) => is_next && has_group && self.holds_values(at + 1),
            // One that converts, so that no type stands before it.
            Some(Kind::Keyword) if self.is(next, b"operator") => {
                is_next && (self.is_name(next + 1) || self.is_qualifier(next + 1))
            }
            Some(Kind::Keyword) => self.is_before_name(next),
            Some(Kind::Word) => {
                self.is_type_and_name(next)
                    || self.is_last(next)
                    || has_group && self.is_macro(next) && self.is_on_later_line(end) && self.begins_statement()
                    || is_next && (self.is_constructor(next) || self.is_of_class(next) && self.is_mark(next + 1, b'('))
            }
            _ => false,
        }
    }

    /// `class API Name {`: of two names before the body the first is a macro, or the second where only that one looks so.
    fn is_before_class_name(&self, at: usize, end: usize, key: &[u8]) -> bool {
        let mut next = end;
        let mut is_function = false;
        let mut is_named = self.is_macro(at);
        while self.is_name(next) && !is_function && next < at + MAX_PARAMETERS {
            is_named |= !self.is_macro(next);
            next = self.chain_end(next);
            let behind = self.group_end(next);
            is_function = behind > next && !self.is_name(behind);
            next = behind;
        }
        next > end && !is_function && is_named && (key == b"class" || self.is_macro(at)) && self.ends_class_head(next, key)
    }

    /// `char *nonnull name`, `char *nonnull const`: of two names behind a pointer the first is a macro.
    fn is_behind_pointer(&self, at: usize) -> bool {
        let is_pointer = self.before(0).is_some_and(|before| matches!(self.tokens[before].kind, Kind::Mark(b'*' | b'&')));
        let is_named = self.is_name(at + 1)
            && !self.is_macro(at + 1)
            && matches!(self.kind(at + 2), Some(Kind::Mark(b',' | b')' | b';' | b'=' | b'(' | b'[')));
        is_pointer && (is_named || self.is_qualifier(at + 1))
    }

    /// Any name on a line of its own, where a declaration follows that is whole without it.
    fn is_alone(&self, at: usize) -> bool {
        if !self.begins_statement() || at + 1 >= self.tokens.len() || !self.is_on_later_line(at + 1) {
            return false;
        }
        match self.kind(at + 1) {
            Some(Kind::Mark(b'}')) => true,
            Some(Kind::Keyword) => self.is_before_name(at + 1) && !self.is_extension(at + 1),
            _ => false,
        }
    }

    /// A macro between a type and a name: `int API f(`.
    fn is_between_type_and_name(&self, at: usize, end: usize) -> bool {
        let Some(before) = self.before(0) else { return false };
        let behind_type = self.is_name(before) || matches!(self.tokens[before].kind, Kind::Mark(b'*' | b'&' | b'>'));
        if !behind_type || !self.is_name(end) {
            return false;
        }
        let behind = self.chain_end(end);
        let is_function = self.is_mark(behind, b'(') || self.is_macro(behind);
        if end > at + 1 {
            return is_function && !self.is_macro(end);
        }
        is_function || matches!(self.kind(behind), Some(Kind::Mark(b';' | b'=' | b'[' | b',' | b')')))
    }

    /// A macro behind what is declared: `int a API;`, `namespace a API {`, `struct { … } a API;`.
    fn is_behind_name(&self, at: usize, end: usize) -> bool {
        let (Some(name), Some(before)) = (self.before(0), self.before(1)) else { return false };
        if !self.is_name(name) {
            return false;
        }
        if self.is(before, b"namespace") {
            return self.is_mark(end, b'{');
        }
        if self.is_class_key(before) {
            return self.ends_class_head(end, self.text(before));
        }
        let is_type = match self.tokens[before].kind {
            Kind::Mark(b'>') => Some(before) != self.template_end,
            Kind::Mark(b'*' | b'&') => true,
            Kind::Mark(b'}') => self.closes_class(before),
            _ => self.is_name(before),
        };
        is_type && !self.is_doubled(at) && matches!(self.kind(end), Some(Kind::Mark(b';' | b'=' | b',' | b')')))
    }

    /// `(API *f)(…)`, `(API f)(…)`.
    fn is_in_declarator(&self, at: usize) -> bool {
        let Some(open) = self.before(0).filter(|open| self.is_mark(*open, b'(')) else { return false };
        let close = self.mate(open);
        let name = self.skip_pointers(at + 1);
        close > at && self.is_name(name) && name + 1 == close && self.is_mark(close + 1, b'(')
    }

    /// Whether only words that may follow parameters stand between a `)` and the current token.
    fn is_behind_parameters(&self) -> bool {
        let mut count = self.kept.len();
        for _ in 0..MAX_TRAILERS {
            let Some(last) = count.checked_sub(1).map(|index| self.kept[index]) else { return false };
            count = match self.tokens[last].kind {
                Kind::Mark(b'&') => count - 1,
                Kind::Word | Kind::Keyword if self.is_trailer(last) => count - 1,
                Kind::Mark(b')') => {
                    let open = self.mate(last);
                    let before = self.kept.partition_point(|kept| *kept < open);
                    if before == 0 || open == last || self.is_mark(open + 1, b'*') {
                        return false;
                    }
                    let name = self.kept[before - 1];
                    let is_trailing =
                        before > 1 && (self.is_trailer(self.kept[before - 2]) || self.is_mark(self.kept[before - 2], b')'));
                    if !(is_trailing && self.is_trailer(name)) {
                        let is_pointer = self.is_mark(name, b')') && self.is_mark(self.mate(name) + 1, b'*');
                        return self.is_name(name) || self.is_mark(name, b'>') || self.is_operator(name) || is_pointer;
                    }
                    before - 1
                }
                _ => return false,
            };
        }
        false
    }

    /// Blanks the part of a macro, or of a name in parentheses, that hides what is declared. The token to go on with.
    fn unwrapped(&mut self, at: usize) -> Option<usize> {
        if self.is_mark(at, b'(') {
            return self.bared(at);
        }
        let close = self.group_end(at + 1).checked_sub(1).filter(|close| self.is_name(at) && *close > at + 2)?;
        // `API(int) f(…)`, `f(API(int) a)`: the macro alone is type enough.
        if self.wraps_type(at, close) || self.is_macro(at) && self.is_parameter(close + 1) {
            self.blank(at + 1, close + 1);
            self.is_fresh = false;
            self.kept.push(at);
            return Some(close + 1);
        }
        // `int f P_((int a))`
        if !self.is_fresh && self.is_macro(at) && self.is_doubled(at) && self.mate(at + 2) + 1 == close {
            self.blank(at, at + 2);
            self.closing.push(close);
            return Some(at + 2);
        }
        // `int CALLBACK(f)(int a)`
        if !self.is_fresh && self.is_macro(at) && self.is_name(at + 2) && close == at + 3 && self.is_mark(close + 1, b'(') {
            self.blank(at, at + 1);
            return Some(at + 1);
        }
        None
    }

    /// Whether a word and what it has in parentheses stand for the type of what is declared behind them.
    fn wraps_type(&self, at: usize, close: usize) -> bool {
        let name = close + 1;
        let is_pointer = self.is_mark(at + 2, b'*');
        // No more macros behind the parameters of a constructor.
        let is_behind = self.is_macro(name) && (self.begins_statement() || self.is_mark(name + 1, b'('));
        self.is_fresh && !is_pointer && !is_behind && self.is_declared(name)
    }

    /// Whether a parameter is named at a token, the current one being the first of its type.
    fn is_parameter(&self, at: usize) -> bool {
        let is_first = self.before(0).is_some_and(|before| matches!(self.tokens[before].kind, Kind::Mark(b'(' | b',')));
        let name = self.skip_pointers(at);
        let ends = matches!(self.kind(name + 1), Some(Kind::Mark(b',' | b')' | b'='))) || self.is_macro(name + 1);
        is_first && self.is_name(name) && ends
    }

    /// `type(f)(…)`: the parentheses round a name.
    fn bared(&mut self, at: usize) -> Option<usize> {
        let before = self.before(0).filter(|_| !self.in_value)?;
        let is_behind_type = self.is_name(before) && !self.is_macro(before) || self.is_mark(before, b'>');
        let is_name = self.mate(at) == at + 2 && self.is_name(at + 1) && self.is_mark(at + 3, b'(');
        (is_behind_type && is_name).then(|| {
            self.blank(at, at + 1);
            self.closing.push(at + 2);
            at + 1
        })
    }

    /// `API(a, 1);`, `static API(a, 1);`: blanks what is left of the statement of a macro that ends at a token, if that is
    /// nothing but specifiers: it would be part of the declaration before it, or behind. Answers where to go on.
    fn blank_statement(&mut self, end: usize) -> usize {
        let is_left = |at: &&usize| self.is_specifier(**at) || self.is_qualifier(**at) || self.is(**at, b"extern");
        let first = self.kept.len() - self.kept.iter().rev().take_while(is_left).count();
        if !self.is_mark(end, b';') || !self.begins_statement_behind(first) {
            return end;
        }
        for at in self.kept.split_off(first) {
            self.blank(at, at + 1);
        }
        self.blank(end, end + 1);
        end + 1
    }

    /// `f(a, b) int a; char *b; {`: the declarations between are blanked.
    fn blank_old_parameters_before(&mut self, at: usize) {
        if !self.is_mark(at, b'{') || at == 0 || !self.is_mark(at - 1, b';') {
            return;
        }
        let mut before = at - 1;
        while before > 1 && at - before < MAX_PARAMETERS {
            before -= 1;
            match self.tokens[before].kind {
                Kind::Mark(b'*' | b',' | b';' | b'[' | b']' | b'(') | Kind::Word | Kind::Keyword | Kind::Literal => {}
                Kind::Mark(b')') => {
                    let open = self.mate(before);
                    let names = &self.tokens[open + 1..before.max(open + 1)];
                    let are_names = names.iter().all(|token| matches!(token.kind, Kind::Word | Kind::Mark(b',')));
                    let follows = matches!(self.kind(before + 1), Some(Kind::Word | Kind::Keyword));
                    if open > 0 && !names.is_empty() && are_names && follows && self.is_name(open - 1) {
                        self.blank(before + 1, at);
                        return;
                    }
                }
                _ => return,
            }
        }
    }

    /// The token that stands so many before the current one.
    fn before(&self, distance: usize) -> Option<usize> {
        self.kept.len().checked_sub(distance + 1).map(|index| self.kept[index])
    }

    fn begins_statement(&self) -> bool {
        self.begins_statement_behind(self.kept.len())
    }

    /// Whether a statement begins behind so many of the tokens that are kept.
    fn begins_statement_behind(&self, kept: usize) -> bool {
        kept.checked_sub(1).is_none_or(|before| match self.tokens[self.kept[before]].kind {
            Kind::Mark(b';' | b'{' | b'}') | Kind::Directive => true,
            Kind::Mark(b':') => self.is_fresh,
            _ => false,
        })
    }

    fn blank(&mut self, from: usize, to: usize) {
        let range = self.tokens[from].range().start..self.tokens[to - 1].range().end;
        self.blanks.push(range);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens;
    use super::*;

    #[test]
    fn bodies_are_passed_over_where_no_macro_stands_in_their_heads() {
        let source =
            "int f() { MACRO a; }\nAPI int g() { b; }\nint c[] = { 1 }, d[] = { 2 };\nstruct E { int API h() { i; } };\n";
        let stream = Stream::new(source.as_bytes(), tokens::of_cpp(source));
        let mut found = find(&stream);
        found.sort_by_key(|range| range.start);
        let texts: Vec<_> = found.into_iter().map(|range| &source[range]).collect();
        assert_eq!(texts, [" MACRO a; ", "API", " 1 ", " 2 ", "API"]);
    }
}
