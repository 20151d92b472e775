//! Skimming: what an outline shows nothing of is not parsed: the bodies of functions, long values, comments.
//!
//! A quick scan that knows a language's comments and strings finds bodies by their heads, and tree-sitter is told to
//! leave out what is in them; positions stay as they are. The scan may guess, since the tree is the judge: every part
//! that was left out must lie in a comment, or in a body which the query closes ([`crate::outline::tree`]), in a tree without
//! errors. Where that does not hold the text is parsed in full. So an outline is the same with and without, and a test says so.

mod braces;
mod comments;
mod cuts;
mod heads;
mod lines;

use std::borrow::Cow;
use std::ops::Range;

use crate::lexis::{Blocks, Lexis};
use cuts::Cuts;

/// Whether a text is the head of a function, up to the brace or the colon with which its body opens.
pub(super) fn is_head_of_function(head: &[u8], lexis: &Lexis) -> bool {
    match lexis.blocks {
        Blocks::Braces { .. } => heads::is_function(head, lexis),
        Blocks::Lines(_) => lines::is_function(head, lexis),
        _ => false,
    }
}

/// Bodies shorter than this are parsed: leaving out has a cost too; bytes.
const WORTH: usize = 48;

/// What need not be parsed of a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Skim {
    /// The inside of bodies, in file order.
    pub left_out: Vec<Range<usize>>,
    /// Bytes to set in their place, so that what is left of a body is still one: offsets and bytes.
    pub marks: Vec<(usize, u8)>,
    /// How much is left out; bytes.
    length: usize,
    /// Where the text may be cut.
    cuts: Cuts,
}

impl Skim {
    /// Finds the bodies of a text. Nothing is left out where the scan is not sure of what it reads.
    pub(super) fn of(source: &[u8], lexis: &'static Lexis) -> Self {
        let skim = match lexis.blocks {
            Blocks::Braces { newline_ends } => braces::skim(source, lexis, newline_ends),
            Blocks::Lines(_) => lines::skim(source, lexis),
            _ => None,
        };
        skim.unwrap_or_default()
    }

    /// Leaves out less: not these parts of what was left out, which are in file order.
    pub(super) fn put_back(&mut self, parts: &[Range<usize>]) {
        self.left_out.retain(|part| parts.binary_search_by_key(&part.start, |part| part.start).is_err());
        self.length = self.left_out.iter().map(Range::len).sum();
        self.marks.retain(|(at, _)| !parts.iter().any(|part| part.start <= at + 1 && *at <= part.end));
    }

    /// What each of several readers leaves out of a text of `length` bytes, so that all of them together read what has to
    /// be read: at least `size` bytes each. Empty where one reader has to read it all.
    ///
    /// The blocks round what a reader reads are its own as well: their heads and their ends.
    pub(super) fn shares(&self, length: usize, size: usize) -> Vec<Vec<Range<usize>>> {
        self.cuts.shares(length - self.length, length, size, &self.left_out)
    }

    /// Leaves out a part that lies behind all others.
    fn leave_out(&mut self, part: Range<usize>) {
        self.length += part.len();
        self.left_out.push(part);
    }

    /// The text with its marks.
    pub(super) fn marked<'s>(&self, source: &'s [u8]) -> Cow<'s, [u8]> {
        if self.marks.is_empty() {
            return Cow::Borrowed(source);
        }
        let mut marked = source.to_vec();
        for &(at, byte) in &self.marks {
            marked[at] = byte;
        }
        Cow::Owned(marked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language;

    /// A text with a mark in place of each part that is left out.
    pub(super) fn without(source: &str, left_out: &[Range<usize>], mark: &str) -> String {
        let mut text = String::new();
        let mut at = 0;
        for part in left_out {
            text += &source[at..part.start];
            text += mark;
            at = part.end;
        }
        text + &source[at..]
    }

    pub(super) fn skim(language: &str, source: &str) -> Skim {
        Skim::of(source.as_bytes(), language::by_name(language).unwrap().lexis.unwrap())
    }

    fn left(language: &str, source: &str) -> String {
        without(source, &skim(language, source).left_out, "…")
    }

    #[test]
    fn functions_of_all_kinds_are_left_out() {
        let body = "\n        a(1, 2, 3); // as many bytes as make it worth it\n    ";
        for (language, head, tail) in [
            ("javascript", "function f(a) ", ""),
            ("typescript", "class A {\n    [a.b](c: D) ", "}"),
            ("typescript", "export const f = g<\n    (a: A) => B,\n    C\n>(2, (a) => ", ")"),
            ("java", "class A {\n    int f(int a,\n                  int b)\n            throws C ", "}"),
            ("java", "class A {\n    static ", "}"),
            ("go", "var a = []B", ""),
            ("c", "static int a[] = ", ";"),
            ("csharp", "class A {\n    string a = $\"\"\"\n{\n\"\"\";\n    int F() ", "}"),
            ("typescript", "const a = b! / c\nfunction f() ", "\nconst d = e / g"),
        ] {
            let source = format!("{head}{{{body}}}{tail}\n");
            assert_eq!(left(language, &source), source.replace(body, "…"), "{head}");
        }
    }

    #[test]
    fn a_comment_that_has_its_lines_for_itself_keeps_its_marks() {
        let line = "0123456789".repeat(5);
        let source = format!("/* {line} */\nint a; // {line}\n\n// {line}\n\n// b\n  /// c\nint d;\n");
        let expected = format!("/*…*/\nint a; // {line}\n\n//…\nint d;\n");
        assert_eq!(left("cpp", &source), expected);
        // One that the next line belongs to.
        let source = format!("// {line} \\\n{{\n// b\n");
        assert_eq!(left("cpp", &source), source);
    }

    #[test]
    fn what_is_short_or_on_one_line_stays() {
        for (language, source) in [("java", "int f() { return 1; }"), ("go", &*format!("var a = []B{{{}}}", "1, ".repeat(50)))] {
            assert_eq!(left(language, source), source);
        }
    }
}
