//! Conditionals: which branches of an `#if` can stand side by side, and which one stands where they cannot.
//!
//! A grammar reads the text before the preprocessor has. It can take all branches of a conditional as long as each is
//! made of whole declarations; one that splits a pair of braces, or stands in the middle of a signature, is decided here.

use std::collections::HashMap;
use std::ops::Range;

use super::tokens::{Kind, Token};

/// Conditionals nested deeper than this are left alone.
const MAX_DEPTH: usize = 200;

/// What is to be blanked.
#[derive(Default)]
pub(super) struct Decided {
    /// The lines of the conditionals themselves, and the branches that are left out. Not in order.
    pub blanks: Vec<Range<usize>>,
    /// How many choices keep another text each: 1 where there is none to be made.
    pub choices: usize,
}

/// Decides every conditional of a text: where only one branch can stand, it is the one of the number `choice`, or else
/// the last. None: they are not nested properly, or too deeply.
pub(super) fn decide(source: &[u8], tokens: &[Token], choice: usize) -> Option<Decided> {
    let known = HashMap::from([(&b"0"[..], false), (&b"1"[..], true)]);
    let decided = Decided { blanks: Vec::new(), choices: 1 };
    let mut reader = Reader { source, tokens, choice, known, at: 0, last: None, decided };
    let whole = reader.branch(0)?;
    (whole.end == tokens.len()).then_some(reader.decided)
}

/// How far a pair of brackets is open at the end of a text, and how far at least on the way.
#[derive(Clone, Copy, Default)]
struct Balance {
    open: i32,
    low: i32,
}

impl Balance {
    fn add(&mut self, other: Self) {
        self.low = self.low.min(self.open + other.low);
        self.open += other.open;
    }

    fn is_even(self) -> bool {
        self.open == 0 && self.low == 0
    }
}

/// What one branch leaves to the text round it.
#[derive(Clone, Copy, Default)]
struct Branch {
    /// The token behind it: a directive, or the end of the text.
    end: usize,
    braces: Balance,
    others: Balance,
    /// Whether it begins as a declaration does, and ends as one; None where nothing is in it.
    begins: Option<bool>,
    ends: Option<bool>,
    /// Whether a declaration may have ended in it.
    has_declaration: bool,
}

impl Branch {
    fn is_whole(&self) -> bool {
        self.braces.is_even() && self.others.is_even() && self.begins != Some(false) && self.ends != Some(false)
    }

    fn append(&mut self, inner: &Self) {
        self.braces.add(inner.braces);
        self.others.add(inner.others);
        self.begins = self.begins.or(inner.begins);
        self.ends = inner.ends.or(self.ends);
        self.has_declaration |= inner.has_declaration;
    }
}

struct Reader<'s> {
    source: &'s [u8],
    tokens: &'s [Token],
    choice: usize,
    /// Conditions on which something has been decided, without their negation.
    known: HashMap<&'s [u8], bool>,
    at: usize,
    /// The last token that is no directive.
    last: Option<usize>,
    decided: Decided,
}

impl<'s> Reader<'s> {
    fn text(&self, token: usize) -> &'s [u8] {
        &self.source[self.tokens[token].range().clone()]
    }

    /// Reads up to the next `#elif`, `#else` or `#endif` that belongs to no conditional inside.
    fn branch(&mut self, depth: usize) -> Option<Branch> {
        let mut branch = Branch::default();
        while let Some(token) = self.tokens.get(self.at) {
            match token.kind {
                Kind::Directive => match word(self.text(self.at)) {
                    b"if" | b"ifdef" | b"ifndef" => branch.append(&self.conditional(depth + 1)?),
                    b"else" | b"elif" | b"elifdef" | b"elifndef" | b"endif" => break,
                    _ => self.at += 1,
                },
                kind => {
                    match kind {
                        Kind::Mark(b'{') => branch.braces.add(Balance { open: 1, low: 0 }),
                        Kind::Mark(b'}') => branch.braces.add(Balance { open: -1, low: -1 }),
                        Kind::Mark(b'(' | b'[') => branch.others.add(Balance { open: 1, low: 0 }),
                        Kind::Mark(b')' | b']') => branch.others.add(Balance { open: -1, low: -1 }),
                        _ => {}
                    }
                    branch.begins = branch.begins.or_else(|| Some(self.begins_declaration(self.at)));
                    branch.ends = Some(matches!(kind, Kind::Mark(b';' | b'}' | b':')));
                    branch.has_declaration |= matches!(kind, Kind::Mark(b';' | b'{' | b'}'));
                    self.last = Some(self.at);
                    self.at += 1;
                }
            }
        }
        branch.end = self.at;
        Some(branch)
    }

    fn begins_declaration(&self, token: usize) -> bool {
        match self.tokens[token].kind {
            Kind::Word | Kind::Keyword => !matches!(self.text(token), b"else" | b"catch" | b"finally" | b"where" | b"while"),
            Kind::Mark(b'[' | b'~' | b'}') => true,
            Kind::Mark(b':') => matches!(self.tokens.get(token + 1), Some(next) if next.kind == Kind::Mark(b':')),
            _ => false,
        }
    }

    /// Whether a declaration can begin behind the last token.
    fn is_between_declarations(&self) -> bool {
        match self.last.map(|token| self.tokens[token].kind) {
            None | Some(Kind::Word | Kind::Keyword | Kind::Directive) => true,
            Some(Kind::Mark(mark)) => matches!(mark, b';' | b'{' | b'}' | b':' | b')' | b']' | b'>'),
            Some(Kind::Literal) => false,
        }
    }

    /// Reads a conditional, from its `#if` behind its `#endif`, and decides it.
    fn conditional(&mut self, depth: usize) -> Option<Branch> {
        if depth > MAX_DEPTH {
            return None;
        }
        let fits = self.is_between_declarations();
        let mut heads = Vec::new();
        let mut branches = Vec::new();
        loop {
            heads.push(self.at);
            if word(self.text(self.at)) == b"endif" {
                self.at += 1;
                break;
            }
            self.at += 1;
            branches.push(self.branch(depth)?);
            self.tokens.get(self.at)?;
        }
        for &head in &heads {
            self.decided.blanks.push(self.tokens[head].range().clone());
        }
        let has_alternatives = branches.len() > 1;
        let (holds, is_constant) = self.holds(heads[0], has_alternatives);
        if fits && !is_constant && branches.iter().all(Branch::is_whole) {
            let mut all = Branch::default();
            for branch in &branches {
                all.append(branch);
            }
            return Some(all);
        }
        // A few words that may as well not be there: then the declaration begins at the words that always are.
        let is_dispensable = !has_alternatives && branches[0].others.is_even() && !branches[0].has_declaration;
        let kept = if is_dispensable {
            None
        } else if holds {
            Some(0)
        } else {
            has_alternatives.then(|| self.choice.clamp(1, branches.len() - 1))
        };
        for (number, pair) in heads.windows(2).enumerate() {
            if Some(number) != kept {
                self.decided.blanks.push(self.tokens[pair[0]].range().end..self.tokens[pair[1]].range().start);
            }
        }
        if !is_constant {
            self.decided.choices = self.decided.choices.max(branches.len());
        }
        Some(kept.map_or_else(Branch::default, |kept| branches[kept]))
    }

    /// Whether the condition of a directive is taken to hold, and whether it says so itself.
    fn holds(&mut self, directive: usize, has_alternatives: bool) -> (bool, bool) {
        let (condition, negated) = condition(self.text(directive));
        let is_constant = matches!(condition, b"0" | b"1");
        let assumed = (self.choice == 0 || !has_alternatives) != negated;
        (*self.known.entry(condition).or_insert(assumed) != negated, is_constant)
    }
}

/// The word behind the `#`.
fn word(directive: &[u8]) -> &[u8] {
    let rest = directive[1..].trim_ascii_start();
    &rest[..rest.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(rest.len())]
}

/// What a directive asks, and whether it asks for the contrary: `#ifndef A`, `#if !defined(A)` and `#if A` are one question.
fn condition(directive: &[u8]) -> (&[u8], bool) {
    let word = word(directive);
    let mut rest = directive[1..].trim_ascii_start()[word.len()..].trim_ascii();
    let mut negated = matches!(word, b"ifndef" | b"elifndef");
    for comment in [&b"//"[..], b"/*"] {
        if let Some(at) = memchr::memmem::find(rest, comment) {
            rest = rest[..at].trim_ascii();
        }
    }
    let whole = (rest, negated);
    loop {
        rest = match rest {
            [b'!', inner @ ..] => {
                negated = !negated;
                inner
            }
            [b'd', b'e', b'f', b'i', b'n', b'e', b'd', inner @ ..] | [b'(', inner @ .., b')'] => inner,
            _ => break,
        }
        .trim_ascii();
    }
    let is_name = rest.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    if is_name { (rest, negated) } else { whole }
}

#[cfg(test)]
mod tests {
    use super::super::tokens;
    use super::*;

    /// The text that is left, and how many choices there are.
    fn left(source: &str, choice: usize) -> Option<(String, usize)> {
        let tokens = tokens::of_cpp(source);
        let decided = decide(source.as_bytes(), &tokens, choice)?;
        let mut text = source.as_bytes().to_vec();
        decided.blanks.iter().for_each(|blank| text[blank.clone()].fill(b' '));
        let text = String::from_utf8(text).unwrap();
        Some((text.split_whitespace().collect::<Vec<_>>().join(" "), decided.choices))
    }

    fn first(source: &str) -> String {
        left(source, 0).unwrap().0
    }

    #[test]
    fn whole_declarations_all_stay() {
        let source = "int a;\n#if A\nint b;\n#elif B\nint c() { }\n#else\n  #ifdef D\n  int d;\n  #endif\n#endif\nint e;";
        for choice in 0..3 {
            assert_eq!(left(source, choice), Some(("int a; int b; int c() { } int d; int e;".to_owned(), 1)));
        }
    }

    #[test]
    fn of_split_braces_one_branch_stays() {
        let source = "#ifdef A\nint f(int a) {\n#else\nint f() {\n#endif\n}\nint g;";
        assert_eq!(left(source, 0), Some(("int f(int a) { } int g;".to_owned(), 2)));
        assert_eq!(left(source, 1), Some(("int f() { } int g;".to_owned(), 2)));
        let three = "#if A\nf() {\n#elif B\ng() {\n#else\nh() {\n#endif\n}";
        let texts: Vec<_> = (0..4).map(|choice| left(three, choice).unwrap().0).collect();
        assert_eq!(texts, ["f() { }", "g() { }", "h() { }", "h() { }"]);
    }

    #[test]
    fn what_splits_a_signature_is_decided() {
        assert_eq!(first("int f(\n#if A\nint a,\n#endif\nint b);"), "int f( int b);");
        assert_eq!(first("int f()\n#if A\nconst\n#else\nvolatile\n#endif\n;"), "int f() const ;");
        assert_eq!(first("int a =\n#if A\nb();\n#else\nc();\n#endif\n"), "int a = b();");
        assert_eq!(first("if (a) { }\n#if A\nelse { }\n#else\nelse b();\n#endif"), "if (a) { } else { }");
    }

    #[test]
    fn a_condition_has_one_answer() {
        let twice = "#ifdef A\nf() {\n#endif\n#if !defined(A)\ng() {\n#endif\n}";
        assert_eq!(first(twice), "f() { }");
        let both = "#ifdef A\nf() {\n#else\ng() {\n#endif\na;\n#ifdef A // still\n}\n#else\n} }\n#endif";
        assert_eq!(left(both, 1), Some(("g() { a; } }".to_owned(), 2)));
        assert_eq!(first("#if 0\nlost\n#else\nkept\n#endif"), "kept");
        assert_eq!(first("#if 0\nint a;\n#endif\n#if 1\nint b;\n#else\nint c;\n#endif"), "int b;");
    }

    #[test]
    fn a_guard_is_no_choice() {
        let source = "#ifndef A_H\n#define A_H\nBEGIN\nint a;\nEND\n#endif";
        for choice in [0, 1] {
            assert_eq!(left(source, choice), Some(("#define A_H BEGIN int a; END".to_owned(), 1)));
        }
    }

    #[test]
    fn what_is_not_nested_properly_is_left_alone() {
        for source in ["#endif", "#if A\n", "#else\n#endif", "#if A\n#endif\n#endif", "#if A\n#else\n"] {
            assert_eq!(left(source, 0), None, "{source}");
        }
        let deep = "#if A\n".repeat(MAX_DEPTH + 1) + &"#endif\n".repeat(MAX_DEPTH + 1);
        assert_eq!(left(&deep, 0), None);
    }
}
