//! The facts: a constant for each language, or for several that are written alike.

mod braces;
mod lines;
mod others;

pub use braces::*;
pub use lines::*;
pub use others::*;

use super::{Assigned, Body, Declarations, End, Escape, Functions, Habit, Name, Quote, Rule, Span, What, When};

/// Declares nothing; the base of all others.
const NONE: Declarations = Declarations {
    rules: &[],
    values: &[],
    directives: &[],
    functions: Functions::None,
    assigned: Assigned::Nothing,
    modifiers: "",
    attributes: "",
    attribute_marks: &[],
    path: &[],
    anonymous: "",
    assignments: &["="],
    separated: "enum",
    block_kind: "",
    flat: "",
    habits: &[],
    continued_by: "",
    reserved: "",
    labels: "",
    typed_by: "",
    stops: &[],
};

const fn rule(kind: &'static str, words: &'static str, body: Body) -> Rule {
    Rule { kind, words, body, name: Name::Next }
}

/// A declaration whose members are listed.
const fn open(kind: &'static str, words: &'static str) -> Rule {
    rule(kind, words, Body::Members)
}

/// A declaration of whose inside nothing is listed.
const fn closed(kind: &'static str, words: &'static str) -> Rule {
    rule(kind, words, Body::Closed)
}

/// A value, or a type that stands for another.
const fn value(kind: &'static str, words: &'static str) -> Rule {
    rule(kind, words, Body::Value)
}

const fn import(words: &'static str) -> Rule {
    Rule { kind: "import", words, body: Body::Import, name: Name::Rest }
}

/// What declarations may stand in without being members.
const fn through(words: &'static str) -> Rule {
    Rule { kind: "", words, body: Body::Through, name: Name::Own }
}

/// What begins like a declaration, and is none.
const fn hidden(words: &'static str) -> Rule {
    Rule { kind: "", words, body: Body::Hidden, name: Name::Own }
}

impl Rule {
    const fn named(self, name: Name) -> Self {
        Self { name, ..self }
    }
}

const fn span(open: &'static str, end: End, what: What) -> Span {
    Span { open, when: When::Always, end, what }
}

/// A comment to the end of the line.
const fn line(open: &'static str) -> Span {
    span(open, End::Line, What::Comment)
}

/// A comment to its closing mark.
const fn block(open: &'static str, close: &'static str) -> Span {
    span(open, End::Text { close, to_the_end: false }, What::Comment)
}

/// A comment to its closing mark, or to the end of the file.
const fn rest(open: &'static str, close: &'static str) -> Span {
    span(open, End::Text { close, to_the_end: true }, What::Comment)
}

/// A comment that may hold comments.
const fn nested(open: &'static str, close: &'static str) -> Span {
    span(open, End::Nested(close), What::Comment)
}

/// A string on one line, in which a backslash keeps a quote from closing it.
const fn string(quote: &'static str) -> Span {
    text(quote, quote)
}

/// The same with its own closing quotes.
const fn text(open: &'static str, close: &'static str) -> Span {
    let quote = Quote { close, escape: Escape::Byte(b'\\'), has_lines: false, holes: &[] };
    span(open, End::Quote(quote), What::Literal)
}

/// A string in which nothing is escaped.
const fn raw(open: &'static str, close: &'static str) -> Span {
    text(open, close).escaped(Escape::None)
}

/// `'a'`, which is not all that `'` may begin.
const CHARACTER: Span = span("'", End::Character, What::Literal).only(When::NotBehindWord { unless: "L u U u8 case return" });

/// `#if` and the like, on lines of their own.
const DIRECTIVE: Span = span("#", End::Directive, What::Directive).only(When::FirstOnLine);

/// A backslash takes the meaning from what follows.
const ESCAPED: Span = span("\\", End::Next, What::Literal);

impl Span {
    const fn only(self, when: When) -> Self {
        Self { when, ..self }
    }

    const fn on_several_lines(self) -> Self {
        match self.end {
            End::Quote(quote) => Self { end: End::Quote(Quote { has_lines: true, ..quote }), ..self },
            _ => self,
        }
    }

    const fn escaped(self, escape: Escape) -> Self {
        match self.end {
            End::Quote(quote) => Self { end: End::Quote(Quote { escape, ..quote }), ..self },
            _ => self,
        }
    }

    const fn with_holes(self, holes: &'static [&'static str]) -> Self {
        match self.end {
            End::Quote(quote) => Self { end: End::Quote(Quote { holes, ..quote }), ..self },
            _ => self,
        }
    }
}
