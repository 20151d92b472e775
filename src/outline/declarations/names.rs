//! Names: where they are in a head, and how they are written.

use std::borrow::Cow;

use super::super::signature;
use super::parts::{Kind, Part, angles_start, find_mark_at, is_group, is_mark, is_pair, skip_angles};
use super::read::HeadReader;
use super::words::Meaning;
use crate::lexis::{Body, Habit, Name, Rule};

/// Names longer than this are cut; bytes.
pub(super) const MAX_NAME: usize = 200;

impl HeadReader<'_> {
    /// The name of what a rule declares, and the piece behind it.
    pub(super) fn name(&self, head: &[Part], next: usize, rule: &Rule) -> Option<(String, usize)> {
        match rule.name {
            Name::Next => self.next_name(head, next, rule),
            Name::Assigned => self.next_name(head, next, rule).filter(|&(_, behind)| self.assignment(head, behind).is_some()),
            Name::Assignee => {
                let (equals, _) = self.assignment(head, next)?;
                let word = head[next..equals].iter().rposition(|part| part.what != Kind::Group(b'['))? + next;
                // `constexpr Box() noexcept = default;`
                if head[word].what != Kind::Word || self.words.meanings(self.text(&head[word])).next().is_some() {
                    return None;
                }
                Some((self.string(&head[word]), equals)).filter(|(name, _)| name != "operator")
            }
            Name::Last => self.last_name(head, next),
            Name::Called => {
                let group = (next..head.len()).find(|&at| is_group(head, at, b'('))?;
                let before = if is_mark(head, group - 1, b'>') { angles_start(head, group - 1)? } else { group };
                let is_name = |part: &Part| matches!(part.what, Kind::Word | Kind::Literal);
                let word = head[..before].iter().rposition(is_name).filter(|&at| at >= next)?;
                Some((self.string(&head[word]), group))
            }
            Name::Rest => {
                let mut start = next;
                if is_mark(head, start, b'<') {
                    start = skip_angles(head, start).unwrap_or(start);
                }
                let is_end = |part: &Part| part.what == Kind::Word && self.words.is(self.text(part), Meaning::Continues);
                let length = head.get(start..)?.iter().position(is_end).unwrap_or(head.len() - start);
                let parts = &head[start..start + length];
                let (from, to) = (parts.first()?.start, parts.last()?.end);
                let text = String::from_utf8_lossy(&self.source[from..to.min(from + MAX_NAME)]);
                Some((signature::tidy_name(&text), start + length))
            }
            // `data = "x"` in a block is a value of it.
            Name::Strings if is_mark(head, next, b'=') => None,
            Name::Strings => {
                let strings: Vec<_> = head[next.min(head.len())..]
                    .iter()
                    .filter(|part| part.what == Kind::Literal)
                    .map(|part| self.string(part))
                    .collect();
                let own = || self.string(&head[next - 1]);
                Some((if strings.is_empty() { own() } else { strings.join(".") }, head.len()))
            }
            Name::Binding => {
                let (name, behind) = self.next_name(head, next, rule)?;
                Some((name, behind))
            }
            Name::Part => {
                let (name, behind) = self.next_name(head, next, rule)?;
                let last = name.rsplit('.').next().unwrap_or_default().to_owned();
                Some((last, behind))
            }
            Name::Argument => {
                let group = head.get(next).filter(|part| part.what == Kind::Group(b'('))?;
                let inside = self.source[group.start + 1..group.end].trim_ascii();
                let length = inside.iter().take(MAX_NAME).take_while(|byte| !b" \t\r\n(),".contains(byte)).count();
                Some((String::from_utf8_lossy(&inside[..length]).into_owned(), next + 1)).filter(|_| length > 0)
            }
            Name::Title => self.title(head, next),
            // Only `titled` knows where it begins.
            Name::Sentence => None,
            Name::Own => Some((self.string(&head[next - 1]), next)),
        }
    }

    pub(super) fn next_name(&self, head: &[Part], next: usize, rule: &Rule) -> Option<(String, usize)> {
        let mut at = next;
        loop {
            let part = head.get(at)?;
            match part.what {
                Kind::Word => {
                    let word = self.text(part);
                    if self.words.is(word, Meaning::Continues) {
                        return None;
                    }
                    let is_modifier = self.words.is(word, Meaning::Modifier);
                    let is_before_name = head.get(at + 1).is_some_and(|next| match next.what {
                        Kind::Word => !self.words.is(self.text(next), Meaning::Continues),
                        // `create table if not exists "orders"`
                        Kind::Literal => is_modifier,
                        _ => false,
                    });
                    let is_keyword = rule.body != Body::Closed || rule.kind == "enum";
                    if is_before_name && (is_modifier || is_keyword && self.words.begins_rule(word)) {
                        at += 1;
                        continue;
                    }
                    if self.words.is(word, Meaning::Attribute) && is_group(head, at + 1, b'(') && is_modifier {
                        at += 2;
                        continue;
                    }
                    // `fn @"name"()`
                    if word == b"@" && head.get(at + 1).is_some_and(|next| next.what == Kind::Literal) {
                        at += 1;
                        continue;
                    }
                    let mut behind = self.path_end(head, at);
                    // `def name=(value)`
                    let is_setter = self.declarations.has(Habit::Operators)
                        && is_mark(head, behind, b'=')
                        && head[behind].start == head[behind - 1].end
                        && is_group(head, behind + 1, b'(');
                    behind += usize::from(is_setter);
                    return Some((self.joined(head, at, behind), behind));
                }
                Kind::Literal => {
                    let behind = self.path_end(head, at);
                    return Some((self.joined(head, at, behind), behind));
                }
                Kind::Group(b'(') if at == next && head.get(at + 1).is_some_and(|part| part.what == Kind::Word) => at += 1,
                Kind::Mark(b'<') if !self.declarations.has(Habit::Operators) || at == next && are_parameters(head, at) => {
                    at = skip_angles(head, at)?;
                }
                Kind::Group(b'[') if self.declarations.has(Habit::Operators) => {
                    let is_setter = is_mark(head, at + 1, b'=') && head[at + 1].start == part.end;
                    return Some((if is_setter { "[]=" } else { "[]" }.to_owned(), at + 1 + usize::from(is_setter)));
                }
                Kind::Mark(_) if rule.body == Body::Members && self.declarations.has(Habit::Operators) => at += 1,
                Kind::Mark(mark) if self.declarations.has(Habit::Operators) && is_operator(mark) => {
                    let marks = head[at..].iter().take_while(|part| matches!(part.what, Kind::Mark(mark) if is_operator(mark)));
                    let behind = at + marks.count();
                    return Some((self.joined(head, at, behind), behind));
                }
                Kind::Mark(b'*' | b'&' | b'!' | b'?') => at += 1,
                _ => return None,
            }
        }
    }

    /// The last word before bases, and before what else follows a name.
    pub(super) fn last_name(&self, head: &[Part], next: usize) -> Option<(String, usize)> {
        let mut name = None;
        let mut at = next;
        while let Some(part) = head.get(at) {
            match part.what {
                Kind::Word if self.words.begins_rule(self.text(part)) || self.words.is(self.text(part), Meaning::Modifier) => {
                    at += 1;
                }
                Kind::Word if self.words.is(self.text(part), Meaning::Continues) => break,
                Kind::Word if is_group(head, at + 1, b'(') && self.words.is(self.text(part), Meaning::Attribute) => at += 2,
                Kind::Word => {
                    let behind = self.path_end(head, at);
                    name = Some((at, behind));
                    at = behind;
                }
                Kind::Mark(b'<') => at = skip_angles(head, at)?,
                Kind::Mark(b':') => break,
                // `typedef int (*compare)(int, int)`
                Kind::Group(b'(') if is_group(head, at + 1, b'(') => {
                    let inside = &self.source[part.start + 1..part.end];
                    let word_end = inside.iter().rposition(|byte| is_name_byte(*byte))? + 1;
                    let word_start = inside[..word_end].iter().rposition(|byte| !is_name_byte(*byte)).map_or(0, |at| at + 1);
                    return Some((String::from_utf8_lossy(&inside[word_start..word_end]).into_owned(), head.len()));
                }
                _ => at += 1,
            }
        }
        name.map(|(from, behind)| (self.joined(head, from, behind), behind))
    }

    /// A string that follows, in parentheses or not.
    pub(super) fn title(&self, head: &[Part], next: usize) -> Option<(String, usize)> {
        // `.only`, `.each(…)`
        let mut at = next;
        while is_mark(head, at, b'.') {
            at += 2;
        }
        while is_mark(head, at, b':') || is_mark(head, at, b'(') {
            at += 1;
        }
        let groups = head.get(at..)?.iter().take_while(|part| part.what == Kind::Group(b'(')).count();
        if groups > 0 {
            // `each(…)("title")`, `test("title")(…)`
            let inside = |group: &Part| self.source[group.start + 1..group.end].trim_ascii_start();
            let is_title = |group: &&Part| matches!(inside(group).first(), Some(b'"' | b'\'' | b'`'));
            let inside = inside(head[at..at + groups].iter().rfind(is_title)?);
            let (quote, inside) = (inside[0], &inside[1..]);
            let end = inside.iter().take(MAX_NAME).position(|byte| *byte == quote).unwrap_or(inside.len().min(MAX_NAME));
            return Some((one_line(&String::from_utf8_lossy(&inside[..end])).into_owned(), head.len()));
        }
        // `test "title"`, `test name`
        let part = head.get(at).filter(|part| matches!(part.what, Kind::Literal | Kind::Word))?;
        Some((self.string(part), at + 1))
    }

    /// Where the signature ends, if there is something that ends it.
    pub(super) fn stop(&self, head: &[Part], behind: usize) -> Option<usize> {
        let parts = head.get(behind..)?;
        let mark = parts.iter().enumerate().find(|(index, part)| {
            self.declarations.stops.iter().any(|stop| {
                let at = behind + index;
                match part.what {
                    Kind::Word => self.words.same(self.text(part), stop),
                    Kind::Mark(_) => match stop.as_bytes() {
                        [only] => find_mark_at(head, at, *only),
                        pair => pair.len() == 2 && is_pair(head, at, pair),
                    },
                    _ => false,
                }
            })
        });
        mark.map(|(_, part)| part.start)
    }

    /// Whether a line ends with what begins a block.
    pub(super) fn has_open_block(&self, head: &[Part]) -> bool {
        let last = &head[head.len() - 1];
        let stops = self.declarations.stops;
        match last.what {
            Kind::Mark(b':' | b'{') | Kind::Group(b'{') => true,
            _ => {
                head.iter().any(|part| part.what == Kind::Word && stops.iter().any(|stop| self.words.same(self.text(part), stop)))
            }
        }
    }

    /// Where the value begins that is assigned.
    pub(super) fn equals(&self, head: &[Part], behind: usize) -> Option<usize> {
        self.assignment(head, behind).map(|(at, _)| head[at].start)
    }

    /// Behind the name that begins with the word at `at`, with what is joined to it.
    pub(super) fn path_end(&self, head: &[Part], at: usize) -> usize {
        let mut end = (at + 1).min(head.len());
        loop {
            let joint = self.declarations.path.iter().find(|joint| is_joint(head, end, joint));
            let Some(joint) = joint else { return end };
            let next = end + joint.len();
            match head.get(next) {
                Some(part) if matches!(part.what, Kind::Word | Kind::Literal) => end = next + 1,
                _ => return end,
            }
        }
    }

    /// Where the name begins that ends with the word at `last`.
    pub(super) fn path_start(&self, head: &[Part], from: usize, last: usize) -> usize {
        let mut start = last;
        loop {
            if start > from && is_mark(head, start - 1, b'~') {
                start -= 1;
            }
            let joint = self
                .declarations
                .path
                .iter()
                .find(|joint| start >= from + joint.len() && is_joint(head, start - joint.len(), joint));
            let Some(joint) = joint else { return start };
            let before = start - joint.len();
            let Some(owner) = before.checked_sub(1).filter(|&owner| owner >= from) else { return before };
            match head[owner].what {
                Kind::Word => start = owner,
                Kind::Mark(b'>') => match angles_start(head, owner).and_then(|open| open.checked_sub(1)) {
                    Some(word) if word >= from && head[word].what == Kind::Word => start = word,
                    _ => return start,
                },
                _ => return start,
            }
        }
    }

    /// Where something is assigned, and the piece behind that.
    pub(super) fn assignment(&self, head: &[Part], from: usize) -> Option<(usize, usize)> {
        let signs = self.declarations.assignments;
        (from..head.len()).find_map(|at| {
            signs.iter().find_map(|sign| match sign.as_bytes() {
                [only] => (find_mark_at(head, at, *only)).then_some((at, at + 1)),
                marks => {
                    let is_here = (0..marks.len()).all(|index| is_mark(head, at + index, marks[index]))
                        && head[at].start + marks.len() == head[at + marks.len() - 1].end;
                    is_here.then_some((at, at + marks.len()))
                }
            })
        })
    }

    /// The text of some pieces, without generics and white space.
    pub(super) fn joined(&self, head: &[Part], from: usize, behind: usize) -> String {
        let mut name = String::new();
        let mut at = from;
        while at < behind {
            if at > from
                && is_mark(head, at, b'<')
                && let Some(end) = skip_angles(head, at)
            {
                at = end;
                continue;
            }
            match head[at].what {
                Kind::Literal => name += &self.string(&head[at]),
                _ => name += &String::from_utf8_lossy(self.text(&head[at])),
            }
            at += 1;
        }
        name.truncate(name.floor_char_boundary(MAX_NAME.min(name.len())));
        name
    }

    /// A word as it stands, a string without its quotes.
    pub(super) fn string(&self, part: &Part) -> String {
        let text = self.text(part);
        let text = String::from_utf8_lossy(&text[..text.len().min(MAX_NAME)]);
        let text = match part.what {
            Kind::Literal if text.starts_with('[') => text.trim_matches(['[', ']']),
            Kind::Literal => text.trim_matches(['"', '\'', '`']),
            _ => &text,
        };
        one_line(text).into_owned()
    }
}

/// Whether a `<` begins parameters, and not the name of an operator.
fn are_parameters(head: &[Part], at: usize) -> bool {
    head.get(at + 1).is_some_and(|part| part.what == Kind::Word) && skip_angles(head, at).is_some()
}

/// Whether words are joined to one name at `at`.
fn is_joint(head: &[Part], at: usize, joint: &str) -> bool {
    match joint.as_bytes() {
        [mark] => is_mark(head, at, *mark),
        pair => is_pair(head, at, pair),
    }
}

pub(super) fn is_operator(mark: u8) -> bool {
    b"+-*/%<>=!&|^~:?#".contains(&mark)
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains(|c: char| c.is_control()) {
        Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" "))
    } else {
        Cow::Borrowed(text)
    }
}
