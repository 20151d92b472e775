//! What the captures of `queries/README.md` do to the rows, on small sources.

mod common;

use stk::language;
use stk::outline::{Symbol, tree};
use stk::query::Query;

fn symbols(query: &str, source: &str, is_header: bool) -> Vec<Symbol> {
    let grammar = language::by_name("cpp").unwrap().grammar().unwrap();
    let query = Query::new(query, &grammar, "test").unwrap_or_else(|error| panic!("{error}"));
    let tree = common::parse(&grammar, source.as_bytes());
    let text = tree::Text { source: source.as_bytes(), is_header, ..tree::Text::default() };
    tree::list(tree::find(&tree, &query, text, &mut |_| None).unwrap(), text).symbols
}

fn rows(query: &str, source: &str, is_header: bool) -> Vec<(String, usize, usize)> {
    symbols(query, source, is_header).into_iter().map(|symbol| (symbol.name, symbol.line, symbol.end_line)).collect()
}

fn row(name: &str, line: usize, end_line: usize) -> (String, usize, usize) {
    (name.to_owned(), line, end_line)
}

#[test]
fn a_whole_lends_its_lines_to_the_row_right_inside_it() {
    let query = "(template_declaration) @whole
        (class_specifier name: (_) @name) @definition.class
        (field_declaration declarator: (_ declarator: (_) @name)) @definition.method";
    let source = "template <class T>\ntemplate <class U>\nclass A {\n  void f();\n}\n;\nclass B {};\n";
    assert_eq!(rows(query, source, false), [row("A", 1, 6), row("f", 4, 4), row("B", 7, 7)]);
    let signatures: Vec<_> = symbols(query, source, false).into_iter().map(|symbol| (symbol.depth, symbol.signature)).collect();
    assert_eq!(signatures[0], (0, "template <class T> template <class U> class A".to_owned()));
    assert_eq!(signatures[1], (1, "void f()".to_owned()));
}

#[test]
fn a_prototype_is_a_row_in_headers_and_takes_its_name_elsewhere() {
    let query = "(declaration declarator: (_ declarator: (_) @name)) @definition.function @prototype
        (declaration declarator: (_ declarator: (_) @name)) @definition.variable";
    assert_eq!(rows(query, "int f();", true), [row("f", 1, 1)]);
    assert_eq!(rows(query, "int f();", false), []);
}

#[test]
fn a_row_reaches_to_the_end_of_a_body_that_stands_behind_it() {
    let query = "((expression_statement (call_expression) @name) @definition.test . (compound_statement) @body)
        (declaration declarator: (identifier) @name) @definition.variable";
    assert_eq!(
        rows(query, "int a;\nTEST(\"a\") {\n  int b;\n}\nint c;\n", false),
        [row("a", 1, 1), row("TEST(\"a\")", 2, 4), row("c", 5, 5)]
    );
}

#[test]
fn one_body_may_stand_before_the_name_and_one_behind_it() {
    let query = "(declaration type: (_ body: (_) @members)
        declarator: (init_declarator declarator: (_) @name value: (_) @body)) @definition.variable
        (struct_specifier name: (_) @name body: (_) @members) @definition.struct";
    let found = symbols(query, "struct A { struct B { int b; } b; } a = { 1 };", false);
    let signatures: Vec<_> = found.into_iter().map(|symbol| symbol.signature).collect();
    assert_eq!(signatures, ["struct A {…} a", "struct A", "struct B"]);
}

#[test]
fn what_the_grammar_cannot_place_stays_in_the_signature() {
    let query = "(function_definition declarator: (_ declarator: (_) @name)) @definition.function";
    let found = symbols(query, "API int f() { }", false);
    assert_eq!(found[0].signature, "API int f()");
}

#[test]
fn a_pattern_that_comes_too_late_for_the_name_has_no_say_about_bodies() {
    let query = "(declaration
          declarator: (init_declarator declarator: (_) @name value: (initializer_list (_ body: (_) @members)))) @definition.variable
        (declaration declarator: (init_declarator declarator: (_) @name value: (_) @body)) @definition.variable
        (function_definition declarator: (_ declarator: (_) @name)) @definition.function
        (struct_specifier name: (_) @name) @definition.struct";
    let source = "auto a = { [] { struct B {}; } };\nauto c = 1;\n";
    assert_eq!(rows(query, source, false), [row("a", 1, 1), row("B", 1, 1), row("c", 2, 2)]);
}
