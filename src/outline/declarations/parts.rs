//! The parts of a head, and how they stand to each other.

/// A part of a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) what: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// What a [`Part`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Literal,
    Mark(u8),
    /// Brackets with all that is in them, by the first.
    Group(u8),
}

pub(super) fn is_mark(head: &[Part], at: usize, mark: u8) -> bool {
    head.get(at).is_some_and(|part| part.what == Kind::Mark(mark))
}

pub(super) fn is_group(head: &[Part], at: usize, bracket: u8) -> bool {
    head.get(at).is_some_and(|part| part.what == Kind::Group(bracket))
}

/// Whether two things in parentheses follow: `test("adds")(sums)`.
pub(super) fn has_two_groups(head: &[Part], at: usize) -> bool {
    is_group(head, at, b'(') && is_group(head, at + 1, b'(')
}

pub(super) fn is_pair(head: &[Part], at: usize, pair: &[u8]) -> bool {
    is_mark(head, at, pair[0]) && is_mark(head, at + 1, pair[1]) && head[at].end == head[at + 1].start
}

/// Behind the `>` that closes the `<` at `at`.
pub(super) fn skip_angles(head: &[Part], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, part) in head.iter().enumerate().skip(at) {
        match part.what {
            Kind::Mark(b'<') => depth += 1,
            Kind::Mark(b'>') if !is_arrow_head(head, index) => {
                depth -= 1;
                if depth == 0 {
                    return Some(index + 1);
                }
            }
            Kind::Mark(b';') => return None,
            _ => {}
        }
    }
    None
}

/// The `<` that the `>` at `at` closes.
pub(super) fn angles_start(head: &[Part], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for index in (0..=at).rev() {
        match head[index].what {
            Kind::Mark(b'>') if !is_arrow_head(head, index) => depth += 1,
            Kind::Mark(b'<') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether a `<` is open at the end of a head.
pub(super) fn is_in_angles(head: &[Part]) -> bool {
    let open = head.iter().filter(|part| part.what == Kind::Mark(b'<')).count();
    let closed = |(at, part): &(usize, &Part)| part.what == Kind::Mark(b'>') && !is_arrow_head(head, *at);
    open > head.iter().enumerate().filter(closed).count()
}

pub(super) fn is_arrow_head(head: &[Part], at: usize) -> bool {
    at > 0 && (is_pair(head, at - 1, b"->") || is_pair(head, at - 1, b"=>"))
}

/// A mark that stands alone: `=`, not `==`, `=>` or `<=`.
pub(super) fn find_mark(head: &[Part], from: usize, mark: u8) -> Option<usize> {
    (from..head.len()).find(|&at| find_mark_at(head, at, mark))
}

pub(super) fn find_mark_at(head: &[Part], at: usize, mark: u8) -> bool {
    let touches = |other: usize| {
        head.get(other).is_some_and(|part| {
            let is_near = part.end == head[at].start || part.start == head[at].end;
            is_near && matches!(part.what, Kind::Mark(b'=' | b'>' | b'<' | b'!' | b':'))
        })
    };
    is_mark(head, at, mark) && !touches(at + 1) && (at == 0 || !touches(at - 1))
}
