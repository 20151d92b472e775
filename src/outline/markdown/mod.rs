//! Markdown: headings, by CommonMark's rules.
//!
//! `blocks` finds the headings, `inline` makes names of their text. A heading inside a quote or a list item is one too,
//! but its section ends where the quote or the item does, and it ends no section outside.

mod blocks;
mod html;
mod inline;
mod references;

use super::{Outline, Parser, Symbol, signature};
use blocks::{Blocks, Heading};

/// The kind of every row.
const KIND: &str = "heading";

/// The outline of a Markdown text: headings with their sections. Empty where there is no heading.
pub fn outline(source: &[u8]) -> Outline {
    let blocks = Blocks::of(source);
    let symbols: Vec<_> = blocks.headings.iter().map(|heading| symbol(heading, &blocks)).collect();
    let mut outline = Outline::of_symbols(Parser::Markdown, symbols);
    if !outline.symbols.is_empty() && blocks.fences > 0 {
        outline.notes.push(format!("Fenced code blocks: {}.", blocks.fences));
    }
    outline
}

fn symbol(heading: &Heading, blocks: &Blocks) -> Symbol {
    let name = inline::plain(&heading.text, &blocks.references);
    let name = signature::cut(&name, signature::MAX_WIDTH).into_owned();
    Symbol {
        signature: format!("{} {name}", "#".repeat(heading.level)).trim_end().to_owned(),
        name,
        kind: KIND,
        line: heading.line,
        end_line: heading.end_line,
        depth: heading.level - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `line-end name`, with a mark for each level.
    fn rows(source: &str) -> Vec<String> {
        let row = |symbol: &Symbol| format!("{}-{} {}", symbol.line, symbol.end_line, symbol.signature);
        outline(source.as_bytes()).symbols.iter().map(row).collect()
    }

    #[test]
    fn sections_end_before_the_next_heading_of_their_level_or_above() {
        assert_eq!(
            rows("# A\n\n## B\ntext\n#### C\n### D\n## E\n# F"),
            ["1-7 # A", "3-6 ## B", "5-5 #### C", "6-6 ### D", "7-7 ## E", "8-8 # F"]
        );
    }

    #[test]
    fn atx_headings_need_a_space_and_at_most_six_marks() {
        assert_eq!(
            rows(
                "#hashtag\n####### seven\n#\ttab\n   ## three spaces\n    # four\n\\# escaped\n##\n# foo ## \n# bar#\n# baz \\#"
            ),
            ["3-7 # tab", "4-6 ## three spaces", "7-7 ##", "8-8 # foo", "9-9 # bar#", "10-10 # baz #"]
        );
    }

    #[test]
    fn setext_headings_take_their_whole_paragraph() {
        assert_eq!(rows("One\nmore\n===\n\nTwo\n---\n\n---\n\n* a\n---\n"), ["1-11 # One more", "5-11 ## Two"]);
        assert_eq!(rows("a | b\n--- | ---\n\ntext\n- - -\nb\n= =\n"), [""; 0]);
    }

    #[test]
    fn a_definition_of_a_reference_is_no_heading() {
        assert_eq!(rows("[a]: /b\n===\n"), [""; 0]);
        assert_eq!(rows("[a]: <b c>\n  'title'\n---\n"), [""; 0]);
        assert_eq!(rows("[a]: /b\nText [a]\n===\n"), ["2-3 # Text a"]);
        assert_eq!(rows("[a]: /b c\n===\n"), ["1-2 # [a]: /b c"]);
    }

    #[test]
    fn fences_hide_headings_until_they_are_closed() {
        assert_eq!(rows("```sh\n# a\n``\n~~~\n````\n# b\n"), ["6-6 # b"]);
        assert_eq!(rows("~~~ a`b\n# a\n~~~ x\n# b"), [""; 0]);
        assert_eq!(rows("- ```\n  # a\n# b\n"), ["3-3 # b"]);
        assert_eq!(rows("> ```\n> # a\n# b\n"), ["3-3 # b"]);
        assert_eq!(outline(b"# a\n```\n```\n~~~\n").notes, ["Fenced code blocks: 2."]);
    }

    #[test]
    fn headings_in_quotes_and_lists_end_no_section_outside() {
        assert_eq!(
            rows("## A\n> # Q\n> text\n> ## R\n\n- # L\n\n  text\n- Set\n  ---\n\n### B\n"),
            ["1-12 ## A", "2-4 # Q", "4-4 ## R", "6-8 # L", "9-11 ## Set", "12-12 ### B"]
        );
        assert_eq!(rows("> lazy\n===\n"), [""; 0]);
    }

    #[test]
    fn html_blocks_and_comments_hide_headings() {
        assert_eq!(rows("<!--\n# a\n\n# b\n-->\n# c\n"), ["6-6 # c"]);
        assert_eq!(rows("<div>\n# a\n\n# b\n</div>\n"), ["4-5 # b"]);
        assert_eq!(rows("<pre>\n\n# a\n</pre>\n# b\n"), ["5-5 # b"]);
        assert_eq!(rows("<Tabs x={1}>\n# a\n\n# b\n"), ["4-4 # b"]);
        assert_eq!(rows("{/*\n# a\n*/}\n# b\n"), ["4-4 # b"]);
    }

    #[test]
    fn front_matter_is_no_heading() {
        assert_eq!(rows("---\ntitle: x\n# c\n---\n# a\n"), ["5-5 # a"]);
        assert_eq!(rows("+++\ntitle = 'x'\n# c\n+++\n# a\n"), ["5-5 # a"]);
        assert_eq!(rows("\u{feff}---\r\ntitle: x\r\n...\r\n# a\r\n"), ["4-4 # a"]);
        assert_eq!(rows("---\n# a\ntext\n---\n"), ["2-4 # a", "3-4 ## text"]);
        assert_eq!(rows("---\ntitle: x\n"), [""; 0]);
    }
}
