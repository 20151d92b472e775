//! What the head of a block in braces says of it: whether it is the body of a function, a value, a class.

use crate::lexis::{Body, Declarations, Functions, Lexis, Rule, is_among};

/// Whether a head is that of a function.
pub(super) fn is_function(head: &[u8], lexis: &Lexis) -> bool {
    let head = after_last_statement(head).trim_ascii();
    if !head.contains(&b')') {
        return false;
    }
    let declarations = &lexis.declarations;
    let mut words = Words { head, at: 0, depth: 0 };
    let mut is_first = true;
    let mut is_named_function = false;
    let mut is_assigned = false;
    while let Some(word) = words.next() {
        match word {
            Word::Assign => is_assigned = true,
            Word::Arrow => is_named_function |= is_value_of(declarations, b"=>"),
            Word::Name(name) => {
                // `function` is reserved and declares one.
                if is_first && is_among(declarations.reserved, name) && !declarations.has_rule(name, |_| true) {
                    return false;
                }
                for rule in declarations.rules.iter().filter(|rule| rule.has_word(name)) {
                    match rule.body {
                        // `fn f() -> impl A` is a function all the same.
                        Body::Members if is_named_function && !is_value_of(declarations, name) => {}
                        Body::Members | Body::Through => return false,
                        // A macro's definition has rules in braces, and there may be declarations in these; `const` may begin
                        // `const enum`.
                        Body::Closed => is_named_function |= !matches!(rule.kind, "macro" | "enum"),
                        _ => {}
                    }
                }
            }
        }
        is_first = false;
    }
    let needs_word = is_assigned || declarations.functions == Functions::None;
    // `[name](…)`
    let is_computed = head.strip_prefix(b"*").unwrap_or(head).starts_with(b"[");
    (!is_first || is_computed) && (!needs_word || is_named_function)
}

/// Whether a word or a mark makes a value that declares something, such as a function without a name.
fn is_value_of(declarations: &Declarations, word: &[u8]) -> bool {
    declarations.values.iter().any(|rule| rule.has_word(word))
}

/// Whether a word begins what has declarations of its own.
fn is_of_container(declarations: &Declarations, word: &[u8]) -> bool {
    declarations.has_rule(word, |rule| matches!(rule.body, Body::Members | Body::Through))
}

/// Whether a head is that of a block that a class runs when it is loaded.
pub(super) fn is_initializer(head: &[u8]) -> bool {
    after_last_statement(head).trim_ascii() == b"static"
}

/// Whether a head is that of an initial value in braces, in a language where these hold no methods: `int a[] = `,
/// `var a = []T`.
pub(super) fn is_value(head: &[u8], lexis: &Lexis) -> bool {
    let declarations = &lexis.declarations;
    let head = after_last_statement(head).trim_ascii();
    let Some(assign) = memchr::memrchr(b'=', head) else { return false };
    let value = &head[assign + 1..];
    let has_methods = matches!(declarations.functions, Functions::Bare(places) if is_among(places, b"{}"));
    if has_methods || value.iter().any(|byte| b"()>".contains(byte)) {
        return false;
    }
    if value.split(|byte| !is_word(*byte)).any(|word| is_value_of(declarations, word)) {
        return false;
    }
    let mut words = Words { head, at: 0, depth: 0 };
    let mut is_named = false;
    while let Some(word) = words.next() {
        match word {
            Word::Name(name) if is_of_container(declarations, name) => return false,
            Word::Name(_) => is_named = true,
            Word::Assign => return is_named,
            Word::Arrow => return false,
        }
    }
    false
}

/// Whether a head is that of a function that is an expression, and some of it: `const f = (a) => g`.
pub(super) fn is_expression_of_function(head: &[u8], lexis: &Lexis) -> bool {
    if memchr::memmem::find(head, b"=>").is_none() {
        return false;
    }
    let declarations = &lexis.declarations;
    let mut words = Words { head: after_last_statement(head), at: 0, depth: 0 };
    let mut is_value = false;
    let mut is_assigned = false;
    while let Some(word) = words.next() {
        match word {
            Word::Name(name) if !is_value && !is_among(declarations.modifiers, name) => {
                if !declarations.has_rule(name, |rule| rule.body == Body::Value) {
                    return false;
                }
                is_value = true;
            }
            Word::Name(_) => {}
            Word::Assign => is_assigned = true,
            Word::Arrow if is_assigned => return true,
            // That of a type.
            Word::Arrow => return false,
        }
    }
    false
}

/// Whether a head in brackets is that of a function in a value, `const C = memo(function (props)`, or of a test.
pub(super) fn is_in_value(head: &[u8], lexis: &Lexis) -> bool {
    let head = after_last_statement(head).trim_ascii();
    let declarations = &lexis.declarations;
    let mut words = head.split(|byte| !is_word(*byte)).filter(|word| !word.is_empty());
    let is_value_or_test = |rule: &Rule| rule.body == Body::Value || rule.kind == "test" && rule.body == Body::Closed;
    let first = words.by_ref().find(|word| !is_among(declarations.modifiers, word));
    let is_value = first.is_some_and(|word| declarations.has_rule(word, is_value_or_test));
    let is_function = |word: &[u8]| declarations.has_rule(word, |rule| rule.body == Body::Closed);
    // `= (function () {` may be called at once, and hold declarations.
    let is_called = memchr::memmem::find(head, b"= (").is_some();
    is_value && !is_called && (head.ends_with(b"=>") || head.ends_with(b")") && words.any(is_function))
}

/// Whether a head is that of a class or the like, in which one declaration follows the other.
pub(super) fn is_container(head: &[u8], lexis: &Lexis) -> bool {
    let declarations = &lexis.declarations;
    let mut words = Words { head: after_last_statement(head), at: 0, depth: 0 };
    while let Some(word) = words.next() {
        match word {
            Word::Name(name) if is_of_container(declarations, name) => return true,
            Word::Name(_) => {}
            Word::Assign | Word::Arrow => return false,
        }
    }
    false
}

/// A head without the statements before it, which end with `;`: one that stands in no parentheses, as in `for (;;)`.
pub(super) fn after_last_statement(head: &[u8]) -> &[u8] {
    let mut open = 0_usize;
    let end = memchr::memrchr3_iter(b';', b'(', b')', head).find(|&at| match head[at] {
        b')' => {
            open += 1;
            false
        }
        b'(' => {
            open = open.saturating_sub(1);
            false
        }
        _ => open == 0,
    });
    end.map_or(head, |end| &head[end + 1..])
}

/// The words of a head that stand in no brackets.
struct Words<'h> {
    head: &'h [u8],
    at: usize,
    depth: usize,
}

enum Word<'h> {
    Name(&'h [u8]),
    /// `=`
    Assign,
    /// `=>`
    Arrow,
}

impl<'h> Words<'h> {
    fn next(&mut self) -> Option<Word<'h>> {
        loop {
            let start = self.at;
            let byte = *self.head.get(start)?;
            let before = start.checked_sub(1).map_or(b' ', |before| self.head[before]);
            let behind = self.head.get(start + 1).copied().unwrap_or(b' ');
            self.at += 1;
            match byte {
                b'(' | b'[' => self.depth += 1,
                b')' | b']' => self.depth = self.depth.saturating_sub(1),
                // The brackets of generics, as far as these can be told from an operator.
                b'<' if is_word(before) && behind != b'<' && behind != b'=' => self.depth += 1,
                b'<' if self.depth > 0 && is_word(behind) => self.depth += 1,
                b'>' if self.depth > 0 && before != b'-' && before != b'=' => self.depth -= 1,
                _ if self.depth > 0 => {}
                b'=' if behind == b'>' => {
                    self.at += 1;
                    return Some(Word::Arrow);
                }
                b'=' if behind != b'=' && !b"=!<>".contains(&before) && !self.head[..start].ends_with(b"operator") => {
                    return Some(Word::Assign);
                }
                _ if is_word(byte) => {
                    let rest = &self.head[start..];
                    let length = rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
                    self.at = start + length;
                    return Some(Word::Name(&rest[..length]));
                }
                _ => {}
            }
        }
    }
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language;

    /// Asks the same of each head: its language, it, and the answer.
    fn check(is: fn(&[u8], &Lexis) -> bool, heads: &[(&str, &str, bool)]) {
        for (language, head, expected) in heads {
            let lexis = language::by_name(language).unwrap().lexis.unwrap();
            assert_eq!(is(head.as_bytes(), lexis), *expected, "{head}");
        }
    }

    #[test]
    fn heads_of_functions_are_told_from_others() {
        let heads = [
            ("javascript", "function f(a) ", true),
            ("javascript", "if (a) ", false),
            ("javascript", "for (let i = 0; i < a(b); i++) ", false),
            ("rust", "A(b) => ", false),
            ("javascript", "const a = b(c) ", false),
            ("typescript", "*[Symbol.iterator](): Iterator<A> ", true),
            ("typescript", "const a: Record<B, (c: any) => any> = ", false),
            ("typescript", "const a = (b: C): D => ", true),
            ("java", "class A extends B<C>(d) ", false),
            ("c", "a(); static int f(int a) ", true),
            ("rust", "fn f(a: A) -> impl Future<Output = B> ", true),
        ];
        check(is_function, &heads);
    }

    #[test]
    fn heads_of_values_are_told_from_others() {
        let heads = [
            ("c", "static const int a[] = ", true),
            ("cpp", "template <class T = int> struct A ", false),
            ("go", "var a = map[string]B", true),
            ("go", "type A = struct ", false),
            ("java", "A a = new A() ", false),
            // An object has methods.
            ("javascript", "const a = ", false),
        ];
        check(is_value, &heads);
    }
}
