//! The queries: each reads, tree-sitter takes it too, no pattern is idle, and stk finds what tree-sitter finds.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use common::{fixtures, grammar_languages, parse};
use stk::language::Language;
use stk::language::outline_query::OutlineQuery;
use stk::query::{Matcher, Query, Role, Visitor};
use tree_sitter::{Node, StreamingIterator, Tree};

/// A definition: its kind, and the byte ranges of the node and of its name.
type Definition = (String, (usize, usize), Option<(usize, usize)>);

fn range(node: Node<'_>) -> (usize, usize) {
    (node.start_byte(), node.end_byte())
}

/// What is found at all nodes of a tree.
#[derive(Default)]
struct All {
    definitions: BTreeSet<Definition>,
    patterns: BTreeSet<u16>,
}

impl<'t> Visitor<'t> for All {
    fn found(&mut self, pattern: u16, captures: &[(Role, Node<'t>)]) {
        self.patterns.insert(pattern);
        let name = captures.iter().find(|(role, _)| *role == Role::Name).map(|(_, node)| range(*node));
        for (role, node) in captures {
            if let Role::Definition(kind) = role {
                self.definitions.insert(((*kind).to_owned(), range(*node), name));
            }
        }
    }

    fn enters(&mut self, _: Node<'t>, _: Option<Node<'t>>) -> bool {
        true
    }
}

/// What stk's own engine finds, and which patterns it found it with.
fn found_by_stk(query: &Query<'_>, tree: &Tree, source: &[u8]) -> (BTreeSet<Definition>, BTreeSet<u16>) {
    let mut matcher = Matcher::new(query, tree, source);
    let mut all = All::default();
    matcher.walk(tree.root_node(), &mut all);
    assert!(matcher.is_within_budget());
    (all.definitions, all.patterns)
}

/// What tree-sitter's engine finds with the same text.
fn found_by_tree_sitter(query: &tree_sitter::Query, tree: &Tree, source: &[u8]) -> BTreeSet<Definition> {
    let names = query.capture_names();
    let mut cursor = tree_sitter::QueryCursor::new();
    let mut matches = cursor.matches(query, tree.root_node(), source);
    let mut definitions = BTreeSet::new();
    while let Some(found) = matches.next() {
        let name =
            found.captures().iter().find(|capture| names[capture.index as usize] == "name").map(|capture| range(capture.node));
        for capture in found.captures() {
            if let Some(kind) = names[capture.index as usize].strip_prefix("definition.") {
                definitions.insert((kind.to_owned(), range(capture.node), name));
            }
        }
    }
    definitions
}

#[test]
fn every_query_reads_and_tree_sitter_takes_it_too() {
    for language in grammar_languages() {
        let query = OutlineQuery::built_in(language);
        query.check(language).unwrap_or_else(|error| panic!("{error}"));
        if let Err(error) = tree_sitter::Query::new(&language.grammar().unwrap(), &query.text) {
            panic!("{}: {error}", query.file);
        }
    }
}

#[test]
fn no_pattern_is_idle() {
    let mut idle = Vec::new();
    let mut used = BTreeMap::<String, (OutlineQuery, &Language, BTreeSet<u16>)>::new();
    for language in grammar_languages() {
        // Languages may share a query: then one of them has to use a pattern.
        let text = OutlineQuery::built_in(language);
        let grammar = language.grammar().unwrap();
        let query = Query::new(&text.text, &grammar, &text.file).unwrap();
        let used = &mut used.entry(text.file.clone()).or_insert((text.clone(), language, BTreeSet::new())).2;
        for file in fixtures(language) {
            let source = std::fs::read(file).unwrap();
            used.extend(found_by_stk(&query, &parse(&grammar, &source), &source).1);
        }
    }
    for (file, (text, language, used)) in &used {
        let query = Query::new(&text.text, &language.grammar().unwrap(), file).unwrap();
        for pattern in (0..query.pattern_count() as u16).filter(|pattern| !used.contains(pattern)) {
            let line = text.text[..query.pattern_at(pattern)].matches('\n').count() + 1;
            idle.push(format!("{file}:{line}: matches nothing in fixtures/{}", language.name));
        }
    }
    assert!(idle.is_empty(), "{}", idle.join("\n"));
}

#[test]
fn stk_finds_what_tree_sitter_finds_with_the_built_in_queries() {
    for language in grammar_languages() {
        compare(language, &OutlineQuery::built_in(language).text);
    }
}

#[test]
fn stk_finds_what_tree_sitter_finds_with_the_grammars_own_tags() {
    let tags = [
        ("c", tree_sitter_c::TAGS_QUERY),
        ("cpp", tree_sitter_cpp::TAGS_QUERY),
        ("csharp", tree_sitter_c_sharp::TAGS_QUERY),
        ("go", tree_sitter_go::TAGS_QUERY),
        ("java", tree_sitter_java::TAGS_QUERY),
        ("javascript", tree_sitter_javascript::TAGS_QUERY),
        ("php", tree_sitter_php::TAGS_QUERY),
        ("python", tree_sitter_python::TAGS_QUERY),
        ("ruby", tree_sitter_ruby::TAGS_QUERY),
        ("rust", tree_sitter_rust::TAGS_QUERY),
        ("tsx", tree_sitter_typescript::TAGS_QUERY),
        ("typescript", tree_sitter_typescript::TAGS_QUERY),
    ];
    for (name, text) in tags {
        compare(stk::language::by_name(name).unwrap(), text);
    }
}

/// Further files: all below the folder of the language's name in `$STK_CORPUS`, where that is set.
fn corpus(language: &Language) -> Vec<PathBuf> {
    fn add(folder: &Path, files: &mut Vec<PathBuf>) {
        for path in folder.read_dir().into_iter().flatten().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                add(&path, files);
            } else if path.extension().is_some_and(|extension| !extension.is_empty()) {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    if let Some(folder) = std::env::var_os("STK_CORPUS") {
        add(&Path::new(&folder).join(language.name), &mut files);
    }
    files.sort();
    files
}

fn compare(language: &Language, text: &str) {
    let grammar = language.grammar().unwrap();
    let ours = Query::new(text, &grammar, language.name).unwrap_or_else(|error| panic!("{error}"));
    let theirs = tree_sitter::Query::new(&grammar, text).unwrap_or_else(|error| panic!("{}: {error}", language.name));
    for file in fixtures(language).into_iter().chain(corpus(language)) {
        let source = std::fs::read(&file).unwrap();
        let tree = parse(&grammar, &source);
        let (ours, _) = found_by_stk(&ours, &tree, &source);
        let theirs = found_by_tree_sitter(&theirs, &tree, &source);
        let show = |definition: &Definition| {
            let line = source[..definition.1.0].split(|byte| *byte == b'\n').count();
            let name = definition.2.map(|(start, end)| String::from_utf8_lossy(&source[start..end]).into_owned());
            format!("{} {name:?} at line {line}", definition.0)
        };
        let only = |a: &BTreeSet<Definition>, b: &BTreeSet<Definition>| a.difference(b).take(5).map(show).collect::<Vec<_>>();
        assert!(
            ours == theirs,
            "{}:\n  only stk: {:?}\n  only tree-sitter: {:?}",
            file.display(),
            only(&ours, &theirs),
            only(&theirs, &ours)
        );
    }
}

#[test]
fn siblings_at_the_top_of_a_pattern_may_be_told_by_their_fields() {
    let python = stk::language::by_name("python").unwrap();
    let (grammar, source) = (python.grammar().unwrap(), b"def f(a):\n    pass\n");
    let tree = parse(&grammar, source);
    for (text, count) in [
        ("((parameters) . body: (block) @definition.a)", 1),
        ("((identifier) [parameters: (parameters) body: (block)] @definition.a)", 2),
        ("((identifier) . (parameters) name: (_) @definition.a)", 0),
    ] {
        let (ours, _) = found_by_stk(&Query::new(text, &grammar, "a.scm").unwrap(), &tree, source);
        assert_eq!(ours, found_by_tree_sitter(&tree_sitter::Query::new(&grammar, text).unwrap(), &tree, source), "{text}");
        assert_eq!(ours.len(), count, "{text}");
    }
}
