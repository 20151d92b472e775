//! A stream of tokens, and what can be told of each by its neighbours.

use super::tokens::{Kind, Token};

/// Template parameters that are longer than this are none; tokens.
const MAX_ANGLE: usize = 1000;

/// How many brackets may be left open inside another.
const MAX_LEFT_OPEN: usize = 64;

/// Tokens with the brackets matched.
pub(super) struct Stream<'s> {
    pub source: &'s [u8],
    pub tokens: Vec<Token>,
    /// See [`Self::mate`].
    mates: Vec<u32>,
}

impl<'s> Stream<'s> {
    pub(super) fn new(source: &'s [u8], tokens: Vec<Token>) -> Self {
        Self { source, mates: mates(&tokens), tokens }
    }

    /// The bracket that belongs to a token; the token itself where it is none, or has none.
    pub(super) fn mate(&self, at: usize) -> usize {
        self.mates[at] as usize
    }

    /// Behind a name with its scopes and template arguments; `at` itself where there is none.
    pub(super) fn chain_end(&self, at: usize) -> usize {
        let mut end = at;
        loop {
            let mut next = end;
            if self.is_mark(next, b':') && self.is_mark(next + 1, b':') {
                next += 2;
            } else if end > at {
                return end;
            }
            if !self.is_name(next) {
                return end;
            }
            end = next + 1;
            if self.is_mark(end, b'<') {
                end = self.angle_end(end).unwrap_or(end);
            }
        }
    }

    /// Behind the `>` that belongs to a `<`; None where it is no bracket.
    pub(super) fn angle_end(&self, at: usize) -> Option<usize> {
        let mut depth = 0_usize;
        let mut next = at;
        while next < self.tokens.len() && next - at < MAX_ANGLE {
            match self.tokens[next].kind {
                Kind::Mark(b'<') => depth += 1,
                Kind::Mark(b'>') if !self.is_mark(next - 1, b'-') => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(next + 1);
                    }
                }
                Kind::Mark(b';' | b'}' | b')' | b']') => return None,
                Kind::Mark(b'(' | b'[' | b'{') => next = self.mate(next),
                _ => {}
            }
            next += 1;
        }
        None
    }

    /// Behind the `(…)` that begins at a token; the token itself where there is none.
    pub(super) fn group_end(&self, at: usize) -> usize {
        if self.is_mark(at, b'(') && self.mate(at) > at { self.mate(at) + 1 } else { at }
    }

    /// Behind the constraint that begins at a token: terms between `&&` and `||`.
    pub(super) fn constraint_end(&self, at: usize) -> usize {
        let mut end = at;
        loop {
            end = if self.is(end, b"requires") {
                let body = self.group_end(end + 1);
                if self.is_mark(body, b'{') && self.mate(body) > body { self.mate(body) + 1 } else { body }
            } else if self.is_mark(end, b'(') {
                self.group_end(end)
            } else {
                self.chain_end(end)
            };
            let is_joined = [b'&', b'|'].iter().any(|mark| self.is_mark(end, *mark) && self.is_mark(end + 1, *mark));
            if !is_joined {
                return end;
            }
            end += 2;
        }
    }

    pub(super) fn is_name(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Word)
    }

    pub(super) fn is_keyword(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Keyword)
    }

    pub(super) fn is_mark(&self, at: usize, mark: u8) -> bool {
        self.kind(at) == Some(Kind::Mark(mark))
    }

    pub(super) fn is(&self, at: usize, word: &[u8]) -> bool {
        matches!(self.kind(at), Some(Kind::Word | Kind::Keyword)) && self.text(at) == word
    }

    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    pub(super) fn text(&self, at: usize) -> &'s [u8] {
        &self.source[self.tokens[at].range().clone()]
    }
}

/// Which brackets belong together; one that has no partner belongs to itself.
fn mates(tokens: &[Token]) -> Vec<u32> {
    let mut mates: Vec<u32> = (0..tokens.len() as u32).collect();
    let mut open: Vec<(usize, u8)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Mark(b'(') => open.push((at, b')')),
            Kind::Mark(b'[') => open.push((at, b']')),
            Kind::Mark(b'{') => open.push((at, b'}')),
            Kind::Mark(mark @ (b')' | b']' | b'}')) => {
                // A brace closes what was left open inside it; a parenthesis too many closes nothing.
                let last = open.iter().rev().take(MAX_LEFT_OPEN).position(|(_, close)| *close == mark || *close == b'}');
                let depth = last.map(|last| open.len() - 1 - last);
                if let Some(depth) = depth.filter(|depth| open[*depth].1 == mark) {
                    mates[at] = open[depth].0 as u32;
                    mates[open[depth].0] = at as u32;
                    open.truncate(depth);
                }
            }
            _ => {}
        }
    }
    mates
}
