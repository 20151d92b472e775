//! Reading `.scm` text: one pass from characters to [`Pattern`]s, names resolved on the way.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::error::Fault;
use super::kinds::Kinds;
use super::predicate::{Predicate, TextTest};
use super::{CaptureName, FieldId, NodeShape, Pattern, Quantifier, Role, Shape, Step, Test};

/// Patterns nest as deep as syntax trees; beyond this a file is hostile, and recursion would end in a stack overflow.
const MAX_DEPTH: usize = 200;
/// Nodes and captures of one pattern: a list of every keyword of a language has some hundred.
const MAX_NODES: usize = 1_000;
/// As many captures as one pattern may name; an index of them fits into a byte.
const MAX_CAPTURES: usize = 200;
/// Patterns are numbered in 16 bits.
const MAX_PATTERNS: usize = 10_000;

/// Reads all patterns of a query text.
pub(super) fn patterns<'q>(text: &'q str, kinds: &Kinds<'_>) -> Result<Vec<Pattern<'q>>, Fault> {
    let mut reader = Reader { text, at: 0, kinds, depth: 0, nodes: 0, predicates: Vec::new(), captures: Vec::new() };
    let mut patterns = Vec::new();
    reader.skip_space();
    while reader.peek().is_some() {
        if patterns.len() == MAX_PATTERNS {
            return reader.fault(format!("more than {MAX_PATTERNS} patterns in one file"));
        }
        patterns.push(reader.pattern()?);
    }
    Ok(patterns)
}

struct Reader<'q, 'k> {
    text: &'q str,
    at: usize,
    kinds: &'k Kinds<'k>,
    depth: usize,
    /// Of the pattern that is being read: nodes, choices, groups and captures.
    nodes: usize,
    /// Of the pattern that is being read: a predicate counts for the whole, wherever it stands.
    predicates: Vec<Unresolved<'q>>,
    captures: Vec<CaptureName<'q>>,
}

/// A predicate as read: captures may be named before they appear.
struct Unresolved<'q> {
    at: usize,
    name: &'q str,
    arguments: Vec<(usize, Argument<'q>)>,
}

enum Argument<'q> {
    Capture(&'q str),
    Text(Cow<'q, str>),
}

impl<'q> Reader<'q, '_> {
    fn pattern(&mut self) -> Result<Pattern<'q>, Fault> {
        let at = self.at;
        self.nodes = 0;
        let step = self.step(false)?;
        let captures = std::mem::take(&mut self.captures);
        let predicates = std::mem::take(&mut self.predicates)
            .into_iter()
            .filter_map(|predicate| resolve(predicate, &captures).transpose())
            .collect::<Result<_, _>>()?;
        let steps = match step {
            Some(Step { shape: Shape::Group(steps), quantifier: Quantifier::One, .. }) => steps,
            Some(step) => vec![step],
            None => return fault(at, "a predicate stands inside a pattern's parentheses, not alone"),
        };
        if steps.is_empty() {
            return fault(at, "a pattern without a node");
        }
        Ok(Pattern { at, steps, predicates, captures })
    }

    /// One element with its quantifier and captures; None where it was a predicate.
    fn step(&mut self, immediate: bool) -> Result<Option<Step>, Fault> {
        if self.depth == MAX_DEPTH {
            return self.fault(format!("patterns nested more than {MAX_DEPTH} deep"));
        }
        self.count_one()?;
        self.depth += 1;
        let step = self.bare_step(immediate);
        self.depth -= 1;
        let Some(mut step) = step? else { return Ok(None) };
        self.skip_space();
        loop {
            match self.peek() {
                Some(sign @ ('?' | '*' | '+')) => {
                    if sign == '+' && step.shape.may_be_nothing() {
                        // tree-sitter never comes to an end with one.
                        return self.fault("what `+` repeats here may be nothing; write `*`".to_owned());
                    }
                    self.bump();
                    step.quantifier = step.quantifier.and(sign);
                }
                Some('@') => {
                    let capture = self.capture()?;
                    step.on_first_nodes(&mut |first| {
                        if !first.captures.contains(&capture) {
                            first.captures.push(capture);
                        }
                    });
                }
                _ => return Ok(Some(step)),
            }
            self.skip_space();
        }
    }

    fn count_one(&mut self) -> Result<(), Fault> {
        self.nodes += 1;
        if self.nodes <= MAX_NODES {
            return Ok(());
        }
        self.fault(format!("more than {MAX_NODES} nodes and captures in one pattern"))
    }

    fn bare_step(&mut self, immediate: bool) -> Result<Option<Step>, Fault> {
        let at = self.at;
        match self.peek() {
            Some('(') => {
                self.bump();
                self.skip_space();
                match self.peek() {
                    Some('(' | '"' | '[') => self.group(at, immediate).map(Some),
                    Some('#') => self.predicate().map(|()| None),
                    _ => self.node(at, immediate).map(Some),
                }
            }
            Some('[') => self.choice(at, immediate).map(Some),
            Some('"') => {
                let token = self.string()?;
                let kind = self.kinds.anonymous(&token).or_else(|message| fault(at, message))?;
                Ok(Some(Step::node(Test::Kind(kind), immediate)))
            }
            Some('_') if !self.text[at + 1..].starts_with(is_word) => {
                self.bump();
                Ok(Some(Step::node(Test::Any, immediate)))
            }
            Some(first) if is_word_start(first) => self.with_field(immediate).map(Some),
            Some(')') => fault(at, "a `)` without its `(`"),
            Some(']') => fault(at, "a `]` without its `[`"),
            Some(other) => fault(at, format!("no pattern begins with `{other}`; expected ( [ \" _ or a field name")),
            None => fault(at, "the file ends inside a pattern"),
        }
    }

    fn with_field(&mut self, immediate: bool) -> Result<Step, Fault> {
        let (at, name) = (self.at, self.word());
        self.skip_space();
        if self.peek() != Some(':') {
            return fault(
                at,
                format!("`{name}` is neither a node, which stands in parentheses, nor a field, which a colon follows"),
            );
        }
        self.bump();
        self.skip_space();
        let field = self.kinds.field(name).or_else(|message| fault(at, message))?;
        let value = self.at;
        match self.step(immediate)? {
            Some(mut step) => {
                step.on_first_nodes(&mut |first| first.field = field);
                Ok(step)
            }
            None => fault(value, "a field needs a node, not a predicate"),
        }
    }

    fn group(&mut self, at: usize, immediate: bool) -> Result<Step, Fault> {
        let mut steps: Vec<Step> = Vec::new();
        let mut anchored = immediate;
        loop {
            if self.peek() == Some('.') {
                let anchor = self.at;
                self.bump();
                self.skip_space();
                if self.peek() == Some(')') {
                    return fault(anchor, "an anchor at the end of a group has nothing to anchor");
                }
                anchored = true;
            }
            match self.peek() {
                Some(')') => {
                    self.bump();
                    self.skip_space();
                    return Ok(Step::of(Shape::Group(steps), immediate));
                }
                None => return fault(at, "this ( is never closed"),
                Some(_) => {
                    if let Some(step) = self.step(anchored)? {
                        steps.push(step);
                    }
                    anchored = false;
                    self.skip_space();
                }
            }
        }
    }

    fn choice(&mut self, at: usize, immediate: bool) -> Result<Step, Fault> {
        self.bump();
        self.skip_space();
        let mut branches = Vec::new();
        loop {
            match self.peek() {
                Some(']') if branches.is_empty() => return fault(at, "a choice [ ] of nothing"),
                Some(']') => {
                    self.bump();
                    self.skip_space();
                    return Ok(Step::of(Shape::Choice(branches), immediate));
                }
                None => return fault(at, "this [ is never closed"),
                Some(_) => {
                    let branch = self.at;
                    match self.step(immediate)? {
                        Some(step) => branches.push(step),
                        None => return fault(branch, "a choice [ ] holds nodes, no predicates"),
                    }
                    self.skip_space();
                }
            }
        }
    }

    fn node(&mut self, at: usize, immediate: bool) -> Result<Step, Fault> {
        let test = self.node_test()?;
        self.skip_space();
        let mut shape = NodeShape { test, children: Vec::new(), without_fields: Vec::new(), ends_with_anchor: false };
        let mut anchored = None;
        loop {
            match self.peek() {
                Some('!') => {
                    self.bump();
                    self.skip_space();
                    let field = self.field()?;
                    shape.without_fields.push(field);
                }
                Some('.') => {
                    anchored = Some(self.at);
                    self.bump();
                }
                Some(')') => {
                    self.bump();
                    shape.ends_with_anchor = anchored.is_some();
                    return match anchored {
                        Some(anchor) if shape.children.is_empty() => fault(anchor, "an anchor beside no child"),
                        _ => {
                            self.skip_space();
                            Ok(Step::of(Shape::Node(shape), immediate))
                        }
                    };
                }
                None => return fault(at, "this ( is never closed"),
                Some(_) => {
                    if let Some(step) = self.step(anchored.is_some())? {
                        shape.children.push(step);
                        anchored = None;
                    }
                }
            }
            self.skip_space();
        }
    }

    fn field(&mut self) -> Result<FieldId, Fault> {
        let (at, name) = (self.at, self.word());
        self.kinds.field(name).or_else(|message| fault(at, message))
    }

    fn node_test(&mut self) -> Result<Test, Fault> {
        let (at, name) = (self.at, self.word());
        let test = match name {
            "" => return fault(at, "a ( is followed by the name of a node, `_`, another pattern or a # predicate"),
            "_" => return Ok(Test::Named),
            "MISSING" => return self.missing(),
            _ => self.kinds.named(name),
        };
        if self.peek() != Some('/') {
            return test.or_else(|message| fault(at, message));
        }
        self.bump();
        let subtype = self.word();
        self.kinds.subtype(name, subtype).or_else(|message| fault(at, message))
    }

    fn missing(&mut self) -> Result<Test, Fault> {
        self.skip_space();
        let at = self.at;
        let kind = match self.peek() {
            Some(')') => None,
            Some('"') => {
                let token = self.string()?;
                Some(self.kinds.anonymous(&token).or_else(|message| fault(at, message))?)
            }
            _ => match self.kinds.named(self.text_word()).or_else(|message| fault(at, message))? {
                Test::Kind(kind) => {
                    self.word();
                    Some(kind)
                }
                _ => return fault(at, "(MISSING) takes one node kind, no supertype"),
            },
        };
        Ok(Test::Missing(kind))
    }

    fn capture(&mut self) -> Result<u8, Fault> {
        self.count_one()?;
        let at = self.at;
        self.bump();
        let name = self.word();
        if let Some(index) = self.captures.iter().position(|capture| capture.name == name) {
            return Ok(index as u8);
        }
        let Some(role) = Role::of(name) else {
            return fault(at, format!("@{name} is no capture of an outline query; there are {}", Role::WORDS));
        };
        if self.captures.len() == MAX_CAPTURES {
            return fault(at, format!("more than {MAX_CAPTURES} captures in one pattern"));
        }
        self.captures.push(CaptureName { name, role });
        Ok((self.captures.len() - 1) as u8)
    }

    fn predicate(&mut self) -> Result<(), Fault> {
        let at = self.at;
        self.bump();
        let start = self.at;
        self.word();
        if let Some('?' | '!') = self.peek() {
            self.bump();
        }
        let name = &self.text[start..self.at];
        let mut arguments = Vec::new();
        loop {
            self.skip_space();
            let at = self.at;
            arguments.push((
                at,
                match self.peek() {
                    Some(')') => {
                        self.bump();
                        self.skip_space();
                        break;
                    }
                    Some('@') => {
                        self.bump();
                        Argument::Capture(self.word())
                    }
                    Some('"') => Argument::Text(self.string()?),
                    Some(first) if is_word_start(first) => Argument::Text(self.word().into()),
                    Some(other) => return fault(at, format!("`{other}` in a predicate; expected @capture, \"text\" or `)`")),
                    None => return fault(at, "the file ends inside a predicate"),
                },
            ));
        }
        self.predicates.push(Unresolved { at, name, arguments });
        Ok(())
    }

    fn string(&mut self) -> Result<Cow<'q, str>, Fault> {
        let at = self.at;
        self.bump();
        let start = self.at;
        let mut unescaped: Option<String> = None;
        loop {
            match self.bump() {
                None | Some('\n') => return fault(at, "this string is not closed on its line"),
                Some('"') => {
                    return Ok(match unescaped {
                        Some(text) => text.into(),
                        None => self.text[start..self.at - 1].into(),
                    });
                }
                Some('\\') => {
                    let before = &self.text[start..self.at - 1];
                    let text = unescaped.get_or_insert_with(|| before.to_owned());
                    match self.bump() {
                        Some('n') => text.push('\n'),
                        Some('r') => text.push('\r'),
                        Some('t') => text.push('\t'),
                        Some('0') => text.push('\0'),
                        Some(other) => text.push(other),
                        None => return fault(at, "this string is not closed on its line"),
                    }
                }
                Some(other) => {
                    if let Some(text) = &mut unescaped {
                        text.push(other);
                    }
                }
            }
        }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// White space and comments, which run from `;` to the end of the line.
    fn skip_space(&mut self) {
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            self.at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let rest = &self.text[self.at..];
            self.at += match rest.as_bytes().first() {
                Some(b';') => memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len()),
                // There is white space beyond ASCII's.
                Some(0x0b | 0x80..) if rest.starts_with(char::is_whitespace) => rest.len() - rest.trim_start().len(),
                _ => return,
            };
        }
    }

    /// The word that begins here; it may be empty.
    fn text_word(&self) -> &'q str {
        let rest = &self.text[self.at..];
        let length = rest.bytes().position(|byte| byte >= 0x80 || !is_word(byte.into())).unwrap_or(rest.len());
        let is_ascii = rest.as_bytes().get(length).is_none_or(u8::is_ascii);
        let length = if is_ascii { length } else { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) };
        &rest[..length]
    }

    fn word(&mut self) -> &'q str {
        let word = self.text_word();
        self.at += word.len();
        word
    }

    fn fault<T>(&self, message: String) -> Result<T, Fault> {
        fault(self.at, message)
    }
}

impl Step {
    fn of(shape: Shape, immediate: bool) -> Self {
        Self {
            shape,
            field: 0,
            immediate,
            quantifier: Quantifier::One,
            captures: Vec::new(),
            is_tried_everywhere: true,
            is_any_token_before_anchor: false,
        }
    }

    fn node(test: Test, immediate: bool) -> Self {
        let shape = NodeShape { test, children: Vec::new(), without_fields: Vec::new(), ends_with_anchor: false };
        Self::of(Shape::Node(shape), immediate)
    }

    /// A field or a capture on a choice is one on each of its branches, on a group one on its first node.
    fn on_first_nodes(&mut self, apply: &mut dyn FnMut(&mut Step)) {
        match &mut self.shape {
            Shape::Node(_) => apply(self),
            Shape::Choice(branches) => branches.iter_mut().for_each(|branch| branch.on_first_nodes(apply)),
            Shape::Group(steps) => {
                if let Some(first) = steps.first_mut() {
                    first.on_first_nodes(apply);
                }
            }
        }
    }
}

impl Shape {
    /// Whether every element of a group, or of a choice, may be left out.
    fn may_be_nothing(&self) -> bool {
        let may_be =
            |step: &Step| matches!(step.quantifier, Quantifier::Optional | Quantifier::Any) || step.shape.may_be_nothing();
        match self {
            Self::Node(_) => false,
            Self::Choice(branches) => branches.iter().any(may_be),
            Self::Group(steps) => steps.iter().all(may_be),
        }
    }
}

impl Quantifier {
    /// This quantifier with one more sign behind it.
    fn and(self, sign: char) -> Self {
        match (self, sign) {
            (Self::One | Self::Optional, '?') => Self::Optional,
            (Self::One | Self::Some, '+') => Self::Some,
            _ => Self::Any,
        }
    }
}

fn resolve<'q>(read: Unresolved<'q>, captures: &[CaptureName<'q>]) -> Result<Option<Predicate<'q>>, Fault> {
    let Unresolved { at, name, arguments } = read;
    let capture = |(at, argument): &(usize, Argument<'q>)| match argument {
        Argument::Capture(name) => match captures.iter().position(|capture| capture.name == *name) {
            Some(index) => Ok(index as u8),
            None => fault(*at, format!("the pattern captures no @{name}")),
        },
        Argument::Text(text) => fault(*at, format!("#{name} tests a @capture, not \"{text}\"")),
    };
    let text = |(at, argument): (usize, Argument<'q>)| match argument {
        Argument::Text(text) => Ok(text),
        Argument::Capture(_) => fault(at, format!("#{name} takes \"text\" here")),
    };
    let Some(test) = name.strip_suffix('?') else {
        // Directives tell other tools what to do with a match; they do not decide whether it is one.
        return if name.ends_with('!') { Ok(None) } else { fault(at, format!("#{name}: a predicate's name ends with `?`")) };
    };
    if matches!(test, "is" | "is-not") {
        return Ok(None);
    }
    let (test, every) = match test.strip_prefix("any-") {
        Some(rest) if rest != "of" => (rest, false),
        _ => (test, true),
    };
    let (test, positive) = match test.strip_prefix("not-") {
        Some(rest) => (rest, false),
        None => (test, true),
    };
    let expected = match test {
        "eq" | "match" => 2..=2,
        "any-of" if every => 1..=usize::MAX,
        _ => {
            return fault(
                at,
                format!("#{name} is no predicate that stk knows; there are eq?, match?, any-of?, their not- and any- forms"),
            );
        }
    };
    if !expected.contains(&arguments.len()) {
        let count = arguments.len();
        return fault(
            at,
            format!("#{name} has {count} arguments, and needs {}", if test == "any-of" { "at least 1" } else { "2" }),
        );
    }
    let first = capture(&arguments[0])?;
    let second_at = arguments.get(1).map_or(at, |argument| argument.0);
    let mut rest = arguments.into_iter().skip(1);
    let test = match test {
        "any-of" => TextTest::OneOf(rest.map(text).collect::<Result<_, _>>()?),
        "match" => {
            let pattern = rest.next().map_or(Ok(Cow::Borrowed("")), text)?;
            // Only read here: compiling costs more, and most files never ask.
            if let Err(error) = regex_syntax::ParserBuilder::new().utf8(false).build().parse(&pattern) {
                return fault(second_at, format!("this regular expression does not read: {}", last_line(&error.to_string())));
            }
            TextTest::Matches(pattern, OnceLock::new())
        }
        _ => match rest.next() {
            Some(other @ (_, Argument::Capture(_))) => TextTest::SameAs(capture(&other)?),
            Some((_, Argument::Text(text))) => TextTest::Equals(text),
            None => return fault(at, format!("#{name} needs 2 arguments")),
        },
    };
    Ok(Some(Predicate { capture: first, test, positive, every }))
}

/// The sentence in an error of many lines, which draws the pattern first.
fn last_line(message: &str) -> &str {
    message.lines().next_back().unwrap_or_default().trim_start_matches("error: ")
}

fn is_word_start(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

fn fault<T>(at: usize, message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { at, message: message.into() })
}

#[cfg(test)]
mod tests {
    use crate::language;
    use crate::query::Query;

    #[test]
    fn what_may_be_nothing_is_not_repeated_once_or_more() {
        let grammar = language::by_name("python").unwrap().grammar().unwrap();
        for text in [
            "((comment)?)+ @_a",
            "((comment)* (string)?)+",
            "[(comment) (string)?]+",
            "(((comment)?)+ (string))",
            "(module ((comment)?)+)",
        ] {
            let error = Query::new(text, &grammar, "a.scm").err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains("what `+` repeats here may be nothing"), "{text}: {error}");
        }
        for text in ["((comment)?)* @_a", "((comment)? (string))+ @_a", "[(comment) (string)]+ @_a", "(comment)?+ @_a"] {
            assert!(Query::new(text, &grammar, "a.scm").is_ok() && tree_sitter::Query::new(&grammar, text).is_ok(), "{text}");
        }
    }
}
