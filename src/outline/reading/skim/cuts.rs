//! Where a text may be cut, so that several threads parse it side by side.
//!
//! A cut stands between two declarations. What lies between two cuts is a text of the language if the heads and the ends of
//! the blocks round it are kept: `class A {`, some of its methods, `}`.

use std::ops::Range;

/// No more threads than this: many machines have no more processors to spare.
const MOST: usize = 4;

/// Cuts are at least so far apart, in bytes that are not left out.
const APART: usize = 512;

/// The places where a text may be cut, in file order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Cuts {
    cuts: Vec<Cut>,
    blocks: Vec<Block>,
}

#[derive(Debug, PartialEq, Eq)]
struct Cut {
    at: usize,
    /// How many bytes before it are not left out.
    kept: usize,
    /// The numbers of the blocks round it, from the outermost on.
    around: Vec<usize>,
}

/// A block with a cut in it.
#[derive(Debug, PartialEq, Eq)]
struct Block {
    /// What stands before it, and its opening brace.
    head: Range<usize>,
    /// Its closing brace, and what belongs to it; empty where it was not found.
    tail: Range<usize>,
}

impl Cuts {
    /// Whether a cut with so many bytes before it is far enough from the last.
    pub(super) fn is_due(&self, kept: usize) -> bool {
        kept >= self.cuts.last().map_or(0, |last| last.kept) + APART
    }

    pub(super) fn add(&mut self, at: usize, kept: usize, around: Vec<usize>) {
        self.cuts.push(Cut { at, kept, around });
    }

    /// A block round the next cut; answers its number.
    pub(super) fn begin_block(&mut self, head: Range<usize>) -> usize {
        self.blocks.push(Block { head, tail: 0..0 });
        self.blocks.len() - 1
    }

    pub(super) fn end_block(&mut self, block: usize, tail: Range<usize>) {
        self.blocks[block].tail = tail;
    }

    /// See [`super::Skim::shares`]. `kept` bytes of the text are not left out.
    pub(super) fn shares(&self, kept: usize, length: usize, size: usize, left_out: &[Range<usize>]) -> Vec<Vec<Range<usize>>> {
        // One thread more than there are processors, with as much to do as the others, would only hold these up.
        let count = match kept / size {
            0 | 1 => 1,
            2..=5 => 2,
            _ => MOST,
        };
        let mut chosen: Vec<&Cut> = Vec::new();
        for share in 1..count {
            let nearest = self.usable().min_by_key(|cut| cut.kept.abs_diff(kept * share / count));
            chosen.extend(nearest.filter(|cut| chosen.last().is_none_or(|last| last.at < cut.at)));
        }
        if chosen.is_empty() {
            return Vec::new();
        }
        let starts = std::iter::once(None).chain(chosen.iter().map(Some));
        let ends = chosen.iter().map(Some).chain([None]);
        starts.zip(ends).map(|(from, to)| self.left_out_between(from.copied(), to.copied(), length, left_out)).collect()
    }

    fn usable(&self) -> impl Iterator<Item = &Cut> {
        self.cuts.iter().filter(|cut| cut.around.iter().all(|&block| !self.blocks[block].tail.is_empty()))
    }

    /// What is left out by who reads from one cut to another, or from the beginning, or to the end.
    fn left_out_between(
        &self,
        from: Option<&Cut>,
        to: Option<&Cut>,
        length: usize,
        left_out: &[Range<usize>],
    ) -> Vec<Range<usize>> {
        let start = from.map_or(0, |cut| cut.at);
        let end = to.map_or(length, |cut| cut.at);
        let heads = self.around(from).map(|block| block.head.clone());
        let tails = self.around(to).rev().map(|block| block.tail.clone());
        let read: Vec<_> = heads.chain(std::iter::once(start..end)).chain(tails).collect();
        let mut at = 0;
        let mut unread = Vec::with_capacity(left_out.len() / 2);
        for part in read {
            unread.push(at..part.start);
            let inside = |left_out: &&Range<usize>| part.start <= left_out.start && left_out.end <= part.end;
            unread.extend(left_out.iter().filter(inside).cloned());
            at = part.end;
        }
        unread.push(at..length);
        unread.retain(|part| !part.is_empty());
        unread
    }

    /// The blocks round a cut, from the outermost on.
    fn around<'a>(&'a self, cut: Option<&'a Cut>) -> impl DoubleEndedIterator<Item = &'a Block> {
        cut.into_iter().flat_map(|cut| &cut.around).map(|&block| &self.blocks[block])
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{skim, without};

    /// What each reader of a text reads, where every cut is worth it.
    fn read(language: &str, source: &str) -> Vec<String> {
        skim(language, source).shares(source.len(), 1).iter().map(|left_out| without(source, left_out, "")).collect()
    }

    /// A method, and fields of more than [`super::APART`] bytes before it.
    fn method(name: &str) -> String {
        format!("{}    int {name}() {{ return 1; }}\n", "    int field;\n".repeat(40))
    }

    #[test]
    fn each_reader_has_the_heads_and_the_ends_of_the_blocks_round_its_share() {
        let names = ["a", "b", "c", "d"];
        let class = format!("import x;\n\nclass A {{\n    int f;\n{}}}\n", names.map(method).concat());
        let texts = read("java", &class);
        assert_eq!(texts.len(), 4);
        for (text, name) in texts.iter().zip(names) {
            assert!(text.starts_with("import x;\n\nclass A {"), "{text}");
            assert_eq!(text.matches("int f;").count(), usize::from(name == "a"), "{text}");
            assert_eq!(text.matches("() {").count(), 1, "{text}");
            assert!(text.contains(&format!("int {name}() {{")), "{text}");
            assert!(text.trim_end().ends_with('}'), "{text}");
        }
    }

    #[test]
    fn a_comment_behind_the_end_of_a_block_ends_with_its_line() {
        let members = ["a", "b", "c"].map(method).concat();
        let source = format!("namespace n {{\nclass A {{\n{members}}}; // A\n}} // n\n");
        assert!(read("cpp", &source)[0].ends_with("}; // A\n} // n\n"));
    }

    #[test]
    fn nothing_is_cut_inside_of_what_is_no_container() {
        let members = ["a", "b", "c"].map(method).concat();
        for head in ["int[] x = {", "void f() {", "foo({"] {
            assert!(read("java", &format!("{head}\n{members}}}\n")).is_empty(), "{head}");
        }
        let choice = format!("#if A\nclass A {{\n{members}}}\n#endif\n");
        assert!(read("csharp", &choice).is_empty());
    }

    #[test]
    fn nothing_is_cut_from_what_goes_on_with_it() {
        let body = "    a = 1;\n".repeat(60);
        for (behind, is_cut) in
            [("else { a(); }", false), (".b()", false), ("function b() {}", true), ("// b\nfunction b() {}", true)]
        {
            let source = format!("class A {{\n{body}}}\n{behind}\n");
            assert_eq!(!read("javascript", &source).is_empty(), is_cut, "{behind}");
        }
    }

    #[test]
    fn attributes_stay_with_what_they_belong_to() {
        let function = |name: &str| format!("def {name}():\n    {}\n", "a = 1; ".repeat(90));
        let source = format!("{}@wraps\n@other\n{}", function("a"), function("b")) + "c = 3\n";
        let texts = read("python", &source);
        assert_eq!(texts.len(), 2);
        assert!(texts[1].starts_with("@wraps\n@other\ndef b"), "{texts:?}");
        let class =
            format!("a()\n@Component({{\n  a: 1,\n}})\n@other\nexport class A {{\n{}}}\n", ["b", "c"].map(method).concat());
        for text in read("typescript", &class) {
            assert!(text.contains("@Component({\n  a: 1,\n})\n@other\nexport class A {"), "{text}");
        }
    }
}
