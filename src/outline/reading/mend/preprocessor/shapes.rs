//! Shapes of declarations in a stream of tokens, as far as a look at the words tells.

use super::stream::Stream;
use super::tokens::Kind;

/// Words that may stand on either side of a type.
const QUALIFIERS: [&[u8]; 2] = [b"const", b"volatile"];

/// Words that stand behind the parameters of a function.
const TRAILERS: [&[u8]; 9] =
    [b"const", b"volatile", b"noexcept", b"override", b"final", b"throw", b"requires", b"try", b"mutable"];

/// Words that a type's name follows.
const CLASS_KEYS: [&[u8]; 4] = [b"class", b"struct", b"union", b"enum"];

/// Words that a colon follows, and then members.
const ACCESS: [&[u8]; 3] = [b"public", b"protected", b"private"];

/// How many macros may stand one behind the other.
const MAX_MACROS: usize = 16;

impl Stream<'_> {
    /// Whether a token is a name such as macros have: in capitals, or with two underscores in front and no arguments.
    pub(super) fn is_macro(&self, at: usize) -> bool {
        self.is_name(at) && {
            let text = self.text(at);
            let is_upper = text.iter().any(u8::is_ascii_uppercase) && !text.iter().any(u8::is_ascii_lowercase);
            is_upper && text.len() > 1 || text.starts_with(b"__") && !self.is_mark(at + 1, b'(')
        }
    }

    pub(super) fn is_class_key(&self, at: usize) -> bool {
        self.is_keyword(at) && CLASS_KEYS.contains(&self.text(at))
    }

    pub(super) fn is_access(&self, at: usize) -> bool {
        self.is_keyword(at) && ACCESS.contains(&self.text(at))
    }

    pub(super) fn is_qualifier(&self, at: usize) -> bool {
        self.is_keyword(at) && QUALIFIERS.contains(&self.text(at))
    }

    /// What may stand before the type of a function in any order.
    pub(super) fn is_specifier(&self, at: usize) -> bool {
        matches!(self.text(at), b"constexpr" | b"consteval" | b"inline" | b"static")
    }

    /// `__attribute__`, `__stdcall` and the like.
    pub(super) fn is_extension(&self, at: usize) -> bool {
        self.is_keyword(at) && self.text(at).starts_with(b"__")
    }

    /// `__nonnull ((1))`, and all other macros.
    pub(super) fn is_trailing_macro(&self, at: usize) -> bool {
        self.is_macro(at) || self.is_name(at) && self.text(at).starts_with(b"__")
    }

    /// Whether a token may follow the parameters of a function.
    pub(super) fn is_trailer(&self, at: usize) -> bool {
        self.is_trailing_macro(at) || self.is_extension(at) || self.is_keyword(at) && TRAILERS.contains(&self.text(at))
    }

    /// Whether a token is a keyword behind which the name of a declaration, or its type, is still to come.
    pub(super) fn is_before_name(&self, at: usize) -> bool {
        self.is_keyword(at) && !self.is(at, b"operator") && (self.is_qualifier(at) || !TRAILERS.contains(&self.text(at)))
    }

    /// The word `operator`, or the mark of one behind it.
    pub(super) fn is_operator(&self, at: usize) -> bool {
        (at.saturating_sub(2)..=at).any(|at| self.is(at, b"operator"))
    }

    /// Whether a token is one of the brackets of `[[…]]`.
    pub(super) fn is_attribute(&self, at: usize) -> bool {
        self.is_mark(at, b'[') && (self.is_mark(at + 1, b'[') || at > 0 && self.is_mark(at - 1, b'['))
    }

    /// `P_((…))`: two pairs of parentheses, one in the other.
    pub(super) fn is_doubled(&self, at: usize) -> bool {
        self.is_mark(at + 1, b'(') && self.is_mark(at + 2, b'(')
    }

    /// Whether the head of a class ends at a token.
    pub(super) fn ends_class_head(&self, at: usize, key: &[u8]) -> bool {
        let at = self.skip_macros(at);
        match self.kind(at) {
            Some(Kind::Mark(b'{')) => true,
            Some(Kind::Mark(b':')) => !self.is_mark(at + 1, b':'),
            Some(Kind::Mark(b';')) => key == b"class",
            _ => self.is(at, b"final"),
        }
    }

    /// Whether a token is the `}` of a class, a structure or an enumeration.
    pub(super) fn closes_class(&self, at: usize) -> bool {
        let open = self.mate(at);
        self.is_mark(at, b'}') && open < at && (1..3).any(|distance| open >= distance && self.is_class_key(open - distance))
    }

    /// Whether a line ends between a token and the one before it.
    pub(super) fn is_on_later_line(&self, at: usize) -> bool {
        let end = self.tokens.get(at).map_or(self.source.len(), |token| token.range().start);
        at > 0 && self.source[self.tokens[at - 1].range().end..end].contains(&b'\n')
    }

    /// Behind `const`, `__attribute__((…))` and the like.
    pub(super) fn skip_neutral(&self, mut at: usize) -> usize {
        while self.is_qualifier(at) || self.is_extension(at) {
            at = self.group_end(at + 1);
        }
        at
    }

    pub(super) fn skip_pointers(&self, mut at: usize) -> usize {
        while self.is_mark(at, b'*') || self.is_mark(at, b'&') {
            at += 1;
        }
        at
    }

    /// Whether a token and those behind it are macros, and the last ones of a block.
    pub(super) fn is_last(&self, at: usize) -> bool {
        matches!(self.kind(self.skip_macros(at)), None | Some(Kind::Directive | Kind::Mark(b'}')))
    }

    /// Whether a token ends the head of a function: its body, its end, what follows its parameters.
    pub(super) fn ends_head(&self, at: usize) -> bool {
        let next = self.skip_macros(at);
        match self.kind(next) {
            Some(Kind::Mark(b':')) => !self.is_mark(next + 1, b':'),
            Some(Kind::Mark(b'-')) => self.is_mark(next + 1, b'>'),
            Some(Kind::Mark(mark)) => matches!(mark, b'{' | b';' | b'=' | b',' | b')'),
            Some(Kind::Word | Kind::Keyword) => self.is_trailer(next),
            _ => false,
        }
    }

    fn skip_macros(&self, at: usize) -> usize {
        let mut next = at;
        for _ in 0..MAX_MACROS {
            if !self.is_trailing_macro(next) {
                break;
            }
            next = self.group_end(next + 1);
        }
        next
    }

    /// Whether what stands in parentheses are values, and cannot be parameters.
    pub(super) fn holds_values(&self, open: usize) -> bool {
        let is_default = |at: usize| self.is_mark(at, b'=') && !self.is_mark(at - 1, b'=') && !self.is_mark(at + 1, b'=');
        let is_value = |at: usize| match self.tokens[at].kind {
            Kind::Literal => !self.is_mark(at - 1, b'['),
            Kind::Word => matches!(self.text(at), b"true" | b"false"),
            Kind::Mark(b',') => self.is_mark(at + 1, b')'),
            Kind::Mark(mark) => matches!(mark, b'!' | b'|' | b'?' | b'+' | b'-' | b'/' | b'^' | b'%'),
            _ => false,
        };
        let inside = open + 1..self.mate(open);
        inside.clone().any(is_value) && !inside.clone().any(is_default)
    }

    /// Whether a name stands at a token, pointers before it, and behind it what makes it one that is declared.
    pub(super) fn is_declared(&self, at: usize) -> bool {
        let name = self.skip_pointers(at);
        if self.is_mark(name, b'(') {
            return name > at && self.is_mark(name + 1, b'*');
        }
        self.is_name(name) && matches!(self.kind(self.chain_end(name)), Some(Kind::Mark(b'(' | b';' | b'=' | b'[' | b',')))
    }

    /// `Type name`, `ns::Type<T> *name`: a type and what is declared of it.
    pub(super) fn is_type_and_name(&self, at: usize) -> bool {
        let Some(next) = self.type_end(at) else { return false };
        match self.kind(next) {
            // `int (*f(…))(…)`, `int (f)(…)`, `int (API *f)(…)`.
            Some(Kind::Mark(b'(')) => {
                let close = self.mate(next);
                let is_pointer = self.is_mark(self.skip_macros(next + 1), b'*');
                self.is_mark(next + 1, b'*') || (is_pointer || close == next + 2) && self.is_mark(close + 1, b'(')
            }
            Some(Kind::Mark(b':')) => self.is_mark(next + 1, b':'),
            Some(Kind::Word | Kind::Keyword) => self.is_name(next) || self.is(next, b"operator") || self.is_before_name(next),
            _ => false,
        }
    }

    /// `Type name(`, `Type *name;`: the same, no macro among the words, and the name declared.
    pub(super) fn is_type_and_declared(&self, at: usize) -> bool {
        let is_type = self.is_name(at) && !self.is_macro(at);
        self.type_end(at).is_some_and(|name| is_type && self.is_name(name) && !self.is_macro(name) && self.is_declared(name))
    }

    /// Behind a type, and behind pointers and qualifiers that follow it.
    fn type_end(&self, at: usize) -> Option<usize> {
        let mut next = self.chain_end(at);
        if next == at {
            return None;
        }
        if self.is_macro(at) {
            next = self.group_end(next);
        }
        loop {
            let behind = self.skip_neutral(self.skip_pointers(next));
            if behind == next {
                return Some(next);
            }
            next = behind;
        }
    }

    /// `Name(…) : member(…)`: a constructor with initial values has no type before it.
    pub(super) fn is_constructor(&self, at: usize) -> bool {
        let mut next = self.group_end(self.chain_end(at));
        if next == self.chain_end(at) {
            return false;
        }
        for _ in 0..MAX_MACROS {
            if !self.is_trailer(next) {
                break;
            }
            next = self.group_end(next + 1);
        }
        let member = self.chain_end(next + 1);
        self.is_mark(next, b':') && member > next + 1 && (self.is_mark(member, b'(') || self.is_mark(member, b'{'))
    }
}
