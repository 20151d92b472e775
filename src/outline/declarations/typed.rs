//! Functions whose type stands before their name: `static int count(void) {`, `Box::Box() : size(0) {`, `int Size {`.

use super::super::signature;
use super::names::MAX_NAME;
use super::parts::{Kind, Part, angles_start, is_group, is_mark, is_pair, skip_angles};
use super::read::{Declaration, HeadReader, Place, Then, Verdict};
use super::words::Meaning;
use crate::lexis::Body;

impl HeadReader<'_> {
    /// A function whose type stands before its name, or a property.
    pub(super) fn typed(
        &self,
        head: &[Part],
        first: usize,
        at: usize,
        then: Then,
        place: Place<'_>,
        properties: bool,
    ) -> Option<Verdict> {
        let declares = |kind, name, arrow: Option<usize>| {
            Verdict::Declares(Declaration {
                kind,
                name,
                body: Body::Closed,
                first,
                stop: arrow.map(|arrow| head[arrow].start),
                is_assigned: arrow.is_some(),
                is_named_late: false,
            })
        };
        if let Some(call) = self.callable(head, at, then, place) {
            if then == Then::Block
                && call.has_initial_values
                && matches!(head[head.len() - 1].what, Kind::Word | Kind::Mark(b'>'))
            {
                return Some(Verdict::GoesOn);
            }
            let arrow = (call.group..head.len()).find(|&at| is_pair(head, at, b"=>"));
            let kind = match call.kind {
                _ if call.is_constructor => "constructor",
                "property" => "property",
                _ if place.is_type() || call.is_qualified => "method",
                _ => "function",
            };
            return Some(declares(kind, call.name, arrow));
        }
        let is_getter = head[first..].iter().any(|part| part.what == Kind::Word && self.text(part) == b"get");
        if !properties || !is_getter && (!place.is_type() || place.kind == "enum") {
            return None;
        }
        // `int Count {`, `int Count =>`
        let arrow = (at..head.len()).find(|&at| is_pair(head, at, b"=>"));
        let end = arrow.or((then == Then::Block || is_getter).then_some(head.len()))?;
        let name = end.checked_sub(1).filter(|&name| name > at && head[name].what == Kind::Word)?;
        let has_type = !(at..end).any(|at| is_mark(head, at, b'=') || is_group(head, at, b'('));
        let start = self.path_start(head, at, name);
        (has_type && start > at).then(|| declares("property", self.joined(head, start, end), arrow))
    }

    /// A name with parentheses behind it that is no call.
    pub(super) fn callable(&self, head: &[Part], from: usize, then: Then, place: Place<'_>) -> Option<Call> {
        let mut at = from;
        while let Some(part) = head.get(at) {
            match part.what {
                Kind::Word => {
                    let word = self.text(part);
                    if word == b"operator" {
                        return self.operator(head, at);
                    }
                    if self.words.is(word, Meaning::Attribute) && is_group(head, at + 1, b'(') {
                        at += 2;
                        continue;
                    }
                    if self.words.is(word, Meaning::Reserved) {
                        return None;
                    }
                    if word == b"this" && is_group(head, at + 1, b'[') && place.is_type() && at > from {
                        let name = "this[]".to_owned();
                        return Some(Call { kind: "property", name, group: at + 1, ..Call::default() });
                    }
                }
                Kind::Mark(b':') if is_pair(head, at, b"::") => at += 1,
                Kind::Mark(b':' | b'=') => return None,
                Kind::Mark(b'<') if at > from => {
                    at = skip_angles(head, at)?;
                    continue;
                }
                Kind::Group(b'(') if at > from => {
                    if let Some(call) = self.call(head, from, at, then, place) {
                        return Some(call);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// The function whose parentheses are at `group`.
    pub(super) fn call(&self, head: &[Part], from: usize, group: usize, then: Then, place: Place<'_>) -> Option<Call> {
        let inside = self.source[head[group].start + 1..head[group].end].trim_ascii_start();
        let is_pointer = matches!(inside.first(), Some(b'*' | b'^')) && !inside.starts_with(b"*)");
        // `int (CALL *compare)(int)`, but not `T get(T)(string name)`
        let is_pointer_by_macro = is_group(head, group + 1, b'(') && (inside.contains(&b'*') || inside.contains(&b'^'));
        if is_pointer || is_pointer_by_macro {
            return None;
        }
        if let Some(next) = head.get(group + 1).filter(|next| next.what == Kind::Word) {
            let next = self.text(next);
            let may_follow = [Meaning::Continues, Meaning::Modifier, Meaning::Attribute];
            let is_known = self.words.meanings(next).any(|(meaning, _)| may_follow.contains(&meaning));
            // `lock() EXCLUDES(mutex_)`, but not `EXPORT(int) lock()`
            if !is_known && (!is_macro(next) || is_macro(self.text(&head[group - 1]))) {
                return None;
            }
        }
        let mut last = group - 1;
        if is_mark(head, last, b'>') {
            // `swap<T>(…)`
            last = angles_start(head, last)?.checked_sub(1)?;
        }
        // `int compare PROTO((int a, int b))`
        if inside.starts_with(b"(") && last > from && head[last - 1].what == Kind::Word {
            last -= 1;
        }
        if last < from || !matches!(head[last].what, Kind::Word | Kind::Literal) {
            return None;
        }
        let start = self.path_start(head, from, last);
        let name = self.joined(head, start, last + 1);
        let parts: Vec<&str> = name.split("::").collect();
        let own = parts[parts.len() - 1];
        let is_qualified = parts.len() > 1;
        let owner = if is_qualified { parts[parts.len() - 2] } else { place.name };
        let is_named = !place.name.is_empty() && name.strip_prefix(place.name).is_some_and(|rest| rest.starts_with('.'));
        let is_constructor = own.trim_start_matches('~') == owner && !own.is_empty() || is_named;
        if start == from && !is_constructor {
            return None;
        }
        // `int count GUARDED_BY(mutex_);`
        let words_before = head[from..start].iter().filter(|part| part.what == Kind::Word).count();
        if then == Then::End && words_before > 1 && is_macro(name.as_bytes()) {
            return None;
        }
        let has_initial_values = self.declarations.path.contains(&"::")
            && (group + 1..head.len())
                .any(|at| is_mark(head, at, b':') && !is_pair(head, at, b"::") && !is_pair(head, at - 1, b"::"));
        Some(Call {
            kind: "function",
            is_constructor: is_constructor && start == from && !own.starts_with('~'),
            name,
            group,
            is_qualified,
            has_initial_values,
        })
    }

    /// `operator==`, `operator bool`, `operator()`
    pub(super) fn operator(&self, head: &[Part], at: usize) -> Option<Call> {
        let mut group = (at + 1..head.len()).find(|&at| is_group(head, at, b'('))?;
        if is_group(head, group + 1, b'(') {
            group += 1;
        }
        let start = self.path_start(head, 0, at);
        let (from, to) = (head[start].start, head[group].start);
        let text = String::from_utf8_lossy(&self.source[from..to.min(from + MAX_NAME)]);
        Some(Call { kind: "function", name: signature::tidy_name(&text), group, ..Call::default() })
    }
}

/// A function as its shape tells.
#[derive(Default)]
pub(super) struct Call {
    kind: &'static str,
    name: String,
    /// The piece that is its parentheses.
    group: usize,
    is_constructor: bool,
    is_qualified: bool,
    /// Whether its members are given values before its body.
    has_initial_values: bool,
}

/// Whether a word looks like the name of a macro.
pub(super) fn is_macro(word: &[u8]) -> bool {
    word.len() > 1 && !word.iter().any(u8::is_ascii_lowercase) && word.iter().any(u8::is_ascii_uppercase)
}
