//! A language of the user's own, without rebuilding: a grammar that is not linked in, built here with the C compiler.

mod common;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Machine, python, root};

const QUERY: &str = "(recipe name: (word) @name body: (steps) @members) @definition.class\n\
                     (step name: (word) @name) @definition.method\n";
/// However busy the machine is that runs the tests.
const CONFIG: &str = "parse_timeout_ms = 60000\n[language.recipe]\ngrammar = \"recipe.so\"\nextensions = [\"recipe\"]\n";
const ROW: &str = "  recipe bread  (2 members)  [3]\n";
const LIBRARY: &str = "config/recipe.so";

/// Source of so many recipes, four lines each.
fn recipes(count: usize) -> String {
    (0..count).fold(String::new(), |mut text, _| {
        text += "# as grandmother made it\nrecipe bread {\n  step knead_the_dough; step rise;\n}\n";
        text
    })
}

/// A machine whose configuration names the grammar, and a big file of the language. None, and a word to whoever runs the
/// test: there is no C compiler.
fn machine() -> Option<(Machine, PathBuf)> {
    let machine = Machine::new();
    machine.write("config/config.toml", CONFIG);
    machine.write("config/queries/recipe/outline.scm", QUERY);
    let big = machine.write("project/big.recipe", recipes(300));
    build(&machine, "cc", &[], |_| {}).then_some((machine, big))
}

/// Builds the library anew from a changed `parser.c`, with these further sources. False: there is no such compiler.
fn build(machine: &Machine, compiler: &str, sources: &[&Path], change: impl FnOnce(&mut String)) -> bool {
    let mut parser = std::fs::read_to_string(root().join("fixtures/grammar/parser.c")).unwrap();
    change(&mut parser);
    machine.write("build/tree_sitter/parser.h", tree_sitter::PARSER_HEADER);
    let parser = machine.write("build/parser.c", parser);
    let object = machine.path("build/parser.o");
    let run = |arguments: &mut Command| match arguments.current_dir(machine.path("build")).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            true
        }
        Err(error) => {
            // Not a macro: what those print is shown of failing tests alone.
            let _ = writeln!(std::io::stderr(), "SKIPPED: {compiler} cannot be run here ({error}), so no grammar was loaded");
            false
        }
    };
    let library = machine.path(LIBRARY);
    // A library that is in use is not overwritten but replaced.
    let _ = std::fs::remove_file(&library);
    run(Command::new("cc").args(["-c", "-fPIC", "-I."]).arg(&parser).arg("-o").arg(&object))
        && run(Command::new(compiler).args(["-shared", "-fPIC"]).arg(&object).args(sources).arg("-o").arg(library))
}

/// What `stk languages --check` finds wrong; the hook and `stk outline` are asked too.
fn fault(machine: &Machine, big: &Path, in_the_hook: &str) -> String {
    // Of the others it is not asked: that takes long.
    let query = machine.path("config/queries/recipe/outline.scm");
    let check = machine.run(&["languages", "--check", query.to_str().unwrap()], b"");
    assert_eq!(check.code, Some(1), "{check:?}");
    let outline = machine.run(&["outline", big.to_str().unwrap()], b"");
    assert_eq!((outline.code, &outline.stderr), (Some(1), &check.stderr));
    // Another session each time: no notice.
    let session = serde_json::json!({ "session_id": check.stderr });
    let reply = machine.read_with(big, session).outline();
    assert!(reply.contains(in_the_hook), "{reply}");
    check.stderr.trim_end().to_owned()
}

#[test]
fn a_grammar_that_is_not_linked_in_is_loaded_when_a_file_of_its_language_is_read() {
    let Some((machine, big)) = machine() else { return };
    let reply = machine.read(&big).outline();
    assert!(reply.contains(&format!("\n   2{ROW}")), "{reply}");
    let small = machine.write("project/one.recipe", recipes(1));
    let small = small.to_str().unwrap();
    let rows = "2  recipe bread  [3]\n3    step knead_the_dough\n3    step rise\n";
    assert_eq!(machine.run(&["outline", small], b"").stdout, rows);
    assert_eq!(machine.run(&["outline", "-", "--lang", "recipe"], recipes(1).as_bytes()).stdout, rows);
    assert!(machine.run(&["outline", "."], b"").stdout.contains(rows), "in a folder too");
    let json = machine.run(&["outline", small, "--format", "json"], b"").stdout;
    assert!(json.contains("\"language\":\"recipe\",\"parser\":\"tree-sitter\""), "{json}");
    assert!(machine.run(&["languages", "--tree", small], b"").stdout.contains("body: (steps)"));

    let (library, query) = (machine.path(LIBRARY), machine.path("config/queries/recipe/outline.scm"));
    let (library, query) = (library.display(), query.display());
    let listed = machine.run(&["languages"], b"").stdout;
    assert!(listed.contains("recipe       tree-sitter  recipe  "), "{listed}");
    assert!(listed.contains(&format!("{library}, {query}\n")), "{listed}");
    let check = machine.run(&["languages", "--check"], b"");
    assert_eq!((check.code, check.stderr.as_str()), (Some(0), ""));
    assert!(check.stdout.contains(&format!("recipe       {library}: loads, ABI version 15\n")), "{}", check.stdout);
    assert!(check.stdout.contains(&format!("recipe       {query}: reads\n")), "{}", check.stdout);
    assert_eq!(machine.run(&["languages", "--check", &query.to_string()], b"").code, Some(0));
    let config = machine.run(&["config"], b"").stdout;
    assert!(config.contains("[language.recipe]\ngrammar = "), "{config}");
}

#[test]
fn one_that_does_not_load_leaves_the_hook_its_text_outline_and_is_explained() {
    let Some((machine, big)) = machine() else { return };
    let library = machine.path(LIBRARY).display().to_string();
    let fault = || fault(&machine, &big, "grandmother");
    let valid = std::fs::read(machine.path(LIBRARY)).unwrap();

    build(&machine, "cc", &[], |parser| *parser = parser.replace("LANGUAGE_VERSION 15", "LANGUAGE_VERSION 99"));
    assert!(fault().starts_with(&format!("stk: {library}: its grammar has ABI version 99, and stk reads 13 to 15;")));
    build(&machine, "cc", &[], |parser| *parser = parser.replace("tree_sitter_recipe(void)", "tree_sitter_menu(void)"));
    let expected = format!("stk: {library}: exports no tree_sitter_recipe; name the language as its grammar is named");
    assert_eq!(fault(), expected);
    // Other linkers find that out by themselves.
    if cfg!(target_os = "linux") {
        // What is missing is told when the library is loaded, not when it is called, which would end the process.
        let calls = "extern void not_there(void); void calls_it(void) { not_there(); }";
        build(&machine, "cc", &[], |parser| parser.push_str(calls));
        let said = fault();
        assert!(said.starts_with(&format!("stk: {library}: cannot be loaded: ")), "{said}");
    }
    std::fs::write(machine.path(LIBRARY), "no library").unwrap();
    assert!(fault().starts_with(&format!("stk: {library}: cannot be loaded: ")));
    std::fs::remove_file(machine.path(LIBRARY)).unwrap();
    assert!(fault().starts_with(&format!("stk: {library}: is not loaded: ")));
    let check = machine.run(&["languages", "--check"], b"");
    assert!(check.stdout.contains("queries/rust/outline.scm: reads"), "the others are checked: {}", check.stdout);
    assert!(check.stderr.contains("is not loaded"), "{}", check.stderr);
    std::fs::write(machine.path(LIBRARY), valid).unwrap();
    assert!(machine.read_with(&big, serde_json::json!({ "session_id": "in order again" })).outline().contains(ROW));
}

#[test]
fn a_query_that_does_not_read_or_is_missing_is_told_too() {
    let Some((machine, big)) = machine() else { return };
    let query = machine.write("config/queries/recipe/outline.scm", "(recipe nam: (word) @name) @definition.class\n");
    let shown = query.display();
    let said = fault(&machine, &big, "grandmother");
    assert!(said.starts_with(&format!("stk: {shown}:1:9: the grammar has no field `nam`")), "{said}");
    std::fs::remove_file(&query).unwrap();
    let said = fault(&machine, &big, "grandmother");
    assert!(said.starts_with(&format!("stk: {shown}: cannot be read: ")), "{said}");
    machine.write("config/config.toml", format!("{CONFIG}query = \"mine.scm\"\n"));
    machine.write("config/mine.scm", QUERY);
    let reply = machine.read(&big).outline();
    assert!(reply.contains(ROW), "{reply}");
}

#[test]
fn the_users_own_language_takes_extensions_over_and_gives_them_back_where_it_fails() {
    let Some((machine, _)) = machine() else { return };
    machine.write("config/config.toml", CONFIG.replace("[\"recipe\"]", "[\"py\", \"json\"]"));
    let recipe = machine.write("project/recipe.py", recipes(300));
    assert!(machine.read(&recipe).outline().contains(ROW));
    let listed = machine.run(&["languages"], b"").stdout;
    let python_row = listed.lines().find(|line| line.starts_with("python ")).unwrap();
    assert!(python_row.contains("tree-sitter  pyi pyw"), "{python_row}");
    let code = machine.write("project/code.py", python(120));
    assert!(machine.read(&code).outline().contains("  def task_0(first, second)  [6]"), "where it finds nothing");
    std::fs::write(machine.path(LIBRARY), "").unwrap();
    std::fs::write(&code, python(121)).unwrap();
    assert!(machine.read(&code).outline().contains("  def task_0(first, second)  [6]"));
    let secret = format!("{{\"token\": \"hush\", \"list\": [{}1]}}\n", "1, ".repeat(10_000));
    let reply = machine.read(&machine.write("project/secret.json", secret)).outline();
    assert!(reply.contains("token") && !reply.contains("hush"), "{reply}");
}

#[test]
fn nothing_is_loaded_that_the_file_in_hand_does_not_need() {
    let Some((mut machine, big)) = machine() else { return };
    let other = machine.write("project/other.py", python(120));
    let mark = machine.path("loaded");
    machine.set("MARK", mark.to_str().unwrap());
    build(&machine, "cc", &[], |parser| {
        *parser = format!("#include <stdio.h>\n#include <stdlib.h>\n{parser}");
        *parser += "__attribute__((constructor)) static void mark(void) { fclose(fopen(getenv(\"MARK\"), \"w\")); }\n";
    });
    assert!(machine.read(&other).is_outline());
    for arguments in [&["languages"][..], &["config"], &["outline", "other.py"], &["gain", "--by", "language"]] {
        assert_eq!(machine.run(arguments, b"").code, Some(0), "{arguments:?}");
    }
    assert!(machine.read_with(&big, serde_json::json!({ "tool_input": { "file_path": big, "limit": 5 } })).is_pass());
    assert!(!mark.exists());
    assert!(machine.read(&big).is_outline());
    assert!(mark.exists());
}

#[test]
fn one_that_needs_the_cpp_runtime_is_loaded() {
    let Some((machine, big)) = machine() else { return };
    let source = machine.write(
        "build/words.cc",
        "#include <map>\n#include <string>\nstatic std::map<std::string, int> words{{\"one\", 1}};\n\
         extern \"C\" int word(const char *name) { try { return words.at(name); } catch (...) { return 0; } }\n",
    );
    if build(&machine, "c++", &[&source], |_| {}) {
        assert!(machine.read(&big).outline().contains(ROW));
    }
}

#[cfg(unix)]
#[test]
fn a_library_or_configuration_that_somebody_else_can_write_is_not_trusted() {
    use std::os::unix::fs::PermissionsExt;
    let Some((mut machine, big)) = machine() else { return };
    let mode = |name: &str, mode| std::fs::set_permissions(machine.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
    let library = machine.path(LIBRARY).display().to_string();
    mode(LIBRARY, 0o777);
    let said = fault(&machine, &big, "grandmother");
    assert_eq!(said, format!("stk: {library}: is not loaded: {library}: everyone may write to it"));
    mode(LIBRARY, 0o755);
    assert!(machine.read_with(&big, serde_json::json!({ "session_id": "b" })).outline().contains(ROW));
    machine.write("open/recipe.so", std::fs::read(machine.path(LIBRARY)).unwrap());
    machine.write("config/config.toml", CONFIG.replace("recipe.so", "../open/recipe.so"));
    mode("open", 0o777);
    assert!(fault(&machine, &big, "grandmother").ends_with("/open: everyone may write to it"));
    // A folder that is named from the current one is anybody's.
    machine.set("STK_CONFIG_DIR", "../config");
    assert!(fault(&machine, &big, "grandmother").contains("is not named from the root"));
}

#[test]
fn a_table_with_a_wrong_type_lets_every_read_pass_and_unknown_keys_do_not() {
    let machine = Machine::new();
    let big = machine.write("project/big.py", python(120));
    for config in ["language = 1", "[language.x]\ngrammar = 1\nextensions = [\"x\"]", "[language.\"x y\"]\n"] {
        machine.write("config/config.toml", config);
        assert!(machine.read(&big).is_pass(), "{config}");
        assert_eq!(machine.run(&["config"], b"").code, Some(1));
        let outline = machine.run(&["outline", big.to_str().unwrap()], b"");
        assert!(outline.code == Some(1) && outline.stderr.contains("config.toml:"), "{outline:?}");
    }
    machine.write("config/config.toml", format!("{CONFIG}newer = true\n"));
    assert!(machine.read(&big).is_outline());
    let config = machine.run(&["config"], b"");
    assert!(config.code == Some(1) && config.stderr.contains("config.toml:5: there is no key language.recipe.newer;"));
}
