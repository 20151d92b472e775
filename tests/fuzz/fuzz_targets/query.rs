//! Any text as a query: it is read or refused, and where tree-sitter takes it too, both find the same. What repeats or
//! may be left out is the exception: from each place where it may begin stk takes the longest way through it that fits,
//! tree-sitter shorter ones too, but none that lies within another; so names in it may be others. And where all of it is
//! left out before an anchor at the end, stk finds a node without children, tree-sitter does not.
//!
//! The first byte says which language it is for; it is asked of a fixed source of that language.
#![no_main]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use stk::language::{self, Language};
use stk::query::{Matcher, Query, Role, Visitor};
use tree_sitter::{Node, StreamingIterator, Tree};

/// Some declarations, errors and comments in each language.
fn source(name: &str) -> &'static str {
    match name {
        "c" | "cpp" => {
            "// a\n// b\nint f(int a, char *b) { return a + 1; }\nstruct P { int x; };\n#define M 1\nint (;\nenum E { A, B };\n"
        }
        "csharp" => "// a\nnamespace N { class C { int P { get; set; } void M(int a) { } } }\nclass { \n",
        "go" => {
            "package p\n\nimport \"fmt\"\n\n// a\nfunc (t *T) f(a int, b string) error { return nil }\ntype T struct { x int }\nfunc (\n"
        }
        "java" => "// a\nimport a.b;\nclass A { int x; void m(int a, String b) { } }\nclass {\n",
        "javascript" | "typescript" | "tsx" => {
            "// a\nimport { b } from 'c';\nexport const f = (a, b = 1) => a + b;\nclass C { m() { return [1, 2, 3]; } }\nfunction (;\n"
        }
        "python" => {
            "# a\n# b\nimport os\n@d\ndef f(a, b=1):\n    return [a, b, 'x']\n\nclass C(B):\n    x = 1\n    def m(self): pass\ndef (:\n"
        }
        "rust" => "// a\nuse std::fmt;\n#[x]\npub fn f(a: u8, b: &str) -> u8 { a + 1 }\nimpl T for S { fn m() {} }\nfn (\n",
        _ => "",
    }
}

fn trees() -> &'static BTreeMap<&'static str, Tree> {
    static TREES: OnceLock<BTreeMap<&'static str, Tree>> = OnceLock::new();
    TREES.get_or_init(|| {
        let parse = |language: &Language| {
            let mut parser = tree_sitter::Parser::new();
            parser.set_language(&language.grammar()?).ok()?;
            Some((language.name, parser.parse(source(language.name), None)?))
        };
        language::all().iter().filter_map(parse).collect()
    })
}

type Found = BTreeSet<(String, (usize, usize), Option<(usize, usize)>)>;

fn range(node: Node<'_>) -> (usize, usize) {
    (node.start_byte(), node.end_byte())
}

/// What is found at all nodes of a tree.
#[derive(Default)]
struct Ours(Found);

impl<'t> Visitor<'t> for Ours {
    fn found(&mut self, _: u16, captures: &[(Role, Node<'t>)]) {
        let name = captures.iter().find(|(role, _)| *role == Role::Name).map(|(_, node)| range(*node));
        for (role, node) in captures {
            if let Role::Definition(kind) = role {
                self.0.insert(((*kind).to_owned(), range(*node), name));
            }
        }
    }

    fn enters(&mut self, _: Node<'t>, _: Option<Node<'t>>) -> bool {
        true
    }
}

fn theirs(query: &tree_sitter::Query, tree: &Tree, source: &[u8]) -> Option<Found> {
    let names = query.capture_names();
    let mut cursor = tree_sitter::QueryCursor::new();
    let mut matches = cursor.matches(query, tree.root_node(), source);
    let (mut found, mut count) = (Found::new(), 0);
    while let Some(one) = matches.next() {
        count += 1;
        if count > 20_000 {
            return None;
        }
        let name =
            one.captures().iter().find(|capture| names[capture.index as usize] == "name").map(|capture| range(capture.node));
        for capture in one.captures() {
            if let Some(kind) = names[capture.index as usize].strip_prefix("definition.") {
                found.insert((kind.to_owned(), range(capture.node), name));
            }
        }
    }
    (!cursor.did_exceed_match_limit()).then_some(found)
}

/// Whether `+`, `*` or `?` stands anywhere but in the name of a predicate.
fn has_quantifier(text: &str) -> bool {
    let mut in_predicate = false;
    text.chars().any(|c| {
        in_predicate = c == '#' || in_predicate && (c.is_alphanumeric() || matches!(c, '-' | '_' | '?'));
        !in_predicate && matches!(c, '+' | '*' | '?')
    })
}

/// Whether a dot stands right before a closing bracket.
fn has_anchor_at_end(text: &str) -> bool {
    text.split('.').skip(1).any(|after| after.trim_start().starts_with([')', ']']))
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, text)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let names: Vec<_> = trees().keys().collect();
    let language = language::by_name(names[usize::from(choice) % names.len()]).unwrap();
    let (grammar, tree, source) = (language.grammar().unwrap(), &trees()[language.name], source(language.name).as_bytes());
    let query = match Query::new(text, &grammar, "fuzz.scm") {
        Ok(query) => query,
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1 && error.to_string().len() < 3_000, "{error}");
            return;
        }
    };
    let mut matcher = Matcher::new(&query, tree, source);
    let mut ours = Ours::default();
    matcher.walk(tree.root_node(), &mut ours);
    let Ours(ours) = ours;
    if !matcher.is_within_budget() || std::env::var_os("STK_FUZZ_ORACLE").is_none() {
        return;
    }
    // tree-sitter's own reader recurses as deep as a query is nested.
    if let Ok(query) = tree_sitter::Query::new(&grammar, text)
        && let Some(theirs) = theirs(&query, tree, source)
    {
        let without_names = |found: &Found| found.iter().map(|(kind, range, _)| (kind.clone(), *range, None)).collect::<Found>();
        let made_up: Vec<_> = match has_quantifier(text) {
            true => without_names(&ours).difference(&without_names(&theirs)).cloned().collect(),
            false => ours.difference(&theirs).cloned().collect(),
        };
        assert!(
            made_up.is_empty() || has_quantifier(text) && has_anchor_at_end(text),
            "{}\n{text}\nonly stk: {made_up:?}",
            language.name
        );
        let missed: Vec<_> = theirs.difference(&ours).collect();
        assert!(missed.is_empty() || has_quantifier(text), "{}\n{text}\nonly tree-sitter: {missed:?}", language.name);
    }
});
