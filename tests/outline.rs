//! `stk outline` as a process: files, folders, one symbol's lines, formats, terminals.

mod common;

use common::Machine;
use serde_json::Value;

const POINT: &str = "//! A point.\n\nuse std::fmt;\nuse std::ops;\n\n/// Where.\n#[derive(Debug)]\npub struct Point {\n    x: f64,\n}\n\n\
                     impl Point {\n    /// How far.\n    #[must_use]\n    pub fn norm(&self) -> f64 {\n        self.x\n    }\n}\n\n\
                     impl fmt::Display for Point {\n    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {\n        todo!()\n    }\n}\n";

/// A project of two Rust files, a text, a picture and what git does not want.
fn project() -> Machine {
    let machine = Machine::new();
    machine.write("project/src/point.rs", POINT);
    machine.write("project/src/a b.rs", "fn run() {}\n\nmod inner {\n    fn run() {}\n}\n");
    machine.write("project/notes.unheard-of", "text\n");
    machine.write("project/src/picture.rs", b"\0\x01\x02");
    machine.write("project/.gitignore", "target\n");
    machine.write("project/target/out.rs", "fn ignored() {}\n");
    machine.write("project/.hidden.rs", "fn hidden() {}\n");
    machine
}

fn ok(machine: &Machine, arguments: &[&str]) -> String {
    let run = machine.run(arguments, b"");
    assert_eq!(run.code, Some(0), "{arguments:?}: {run:?}");
    run.stdout
}

#[test]
fn one_file_prints_its_rows_alone() {
    let machine = project();
    let run = machine.run(&["outline", "src/a b.rs"], b"");
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("1  fn run()\n3  mod inner  [3]\n4    fn run()\n", ""));
}

#[test]
fn a_folder_prints_its_files_in_order_under_headings_and_counts_what_it_leaves_out() {
    let machine = project();
    for folder in [".", "../project/"] {
        let run = machine.run(&["outline", "--depth", "1", folder], b"");
        let prefix = if folder == "." { "" } else { folder };
        assert_eq!(
            run.stdout,
            format!(
                "{prefix}src/a b.rs\n1  fn run()\n3  mod inner  [3]\n\n{prefix}src/point.rs\n 3  use ... (2 import lines)  [2]\n \
                 8  pub struct Point  [3]\n12  impl Point  [7]\n20  impl fmt::Display for Point  [5]\n"
            )
        );
        assert_eq!(run.stderr, "stk: 2 files left out: 1 binary, 1 of no known language\n");
        assert_eq!(run.code, Some(0));
    }
}

#[test]
fn what_is_named_is_listed_whatever_it_is() {
    let machine = project();
    let run = machine.run(&["outline", "notes.unheard-of", ".hidden.rs", "target"], b"");
    assert_eq!(
        run.stdout,
        "notes.unheard-of\n1  text\n1 lines in all\n\n.hidden.rs\n1  fn hidden()\n\ntarget/out.rs\n1  fn ignored()\n"
    );
    assert_eq!(run.stderr, "");
}

#[test]
fn one_file_that_fails_does_not_keep_the_others_back() {
    let machine = project();
    let run = machine.run(&["outline", "none.rs", "src/a b.rs", "src/none.rs"], b"");
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stdout, "src/a b.rs\n1  fn run()\n3  mod inner  [3]\n4    fn run()\n");
    let lines: Vec<_> = run.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("stk: none.rs: cannot be read: ") && lines[1].starts_with("stk: src/none.rs: "), "{lines:?}");
}

#[test]
fn filters_choose_symbols_and_leave_out_files_without_any() {
    let machine = project();
    assert_eq!(ok(&machine, &["outline", ".", "--name", "^no"]), "src/point.rs\n15    pub fn norm(&self) -> f64  [3]\n");
    assert_eq!(ok(&machine, &["outline", ".", "--kind", "struct,enum"]), "src/point.rs\n8  pub struct Point  [3]\n");
    assert_eq!(ok(&machine, &["outline", "src/point.rs", "--name", "nothing"]), "");
    assert_eq!(ok(&machine, &["outline", "notes.unheard-of", "--name", "text"]), "");
    let max = ok(&machine, &["outline", ".", "--max-lines", "2"]);
    assert!(max.contains("src/a b.rs\n1  fn run()\n   … (+2 more entries)\n"), "{max}");
    let run = machine.run(&["outline", ".", "--name", "("], b"");
    assert_eq!(run.code, Some(2));
    assert_eq!(ok(&machine, &["outline", ".", "--lang", "python"]), "");
}

#[test]
fn standard_input_is_a_file_of_the_language_that_is_named() {
    let machine = project();
    let run = machine.run(&["outline", "-", "--lang", "rust"], POINT.as_bytes());
    assert!(run.stdout.starts_with(" 3  use ... (2 import lines)  [2]\n"), "{run:?}");
    let run = machine.run(&["outline", "-", "--lang", "rust", "--symbol", "norm", "src/a b.rs"], POINT.as_bytes());
    assert_eq!(run.stdout.lines().next(), Some("-"));
    assert_eq!(machine.run(&["outline", "-", "-"], b"").code, Some(2));
    assert_eq!(machine.run(&["outline", "-", "--lang", "klingon"], b"").code, Some(1));
}

#[test]
fn json_is_an_object_for_each_file() {
    let machine = project();
    let text = ok(&machine, &["outline", "--format", "json", "src"]);
    let documents: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(documents.len(), 2);
    assert_eq!((&documents[1]["path"], &documents[1]["language"]), (&"src/point.rs".into(), &"rust".into()));
    assert_eq!(documents[1]["symbols"][1]["name"], "Point");
    assert!(documents[1]["symbols"][1].get("source").is_none());
    let text = ok(&machine, &["outline", "--format", "json", "src", "--symbol", "Point.norm"]);
    let document: Value = serde_json::from_str(text.trim_end()).unwrap();
    let symbol = &document["symbols"][0];
    assert_eq!((&symbol["line"], &symbol["source_line"]), (&15.into(), &13.into()));
    assert_eq!(symbol["source"], "    /// How far.\n    #[must_use]\n    pub fn norm(&self) -> f64 {\n        self.x\n    }\n");
}

#[test]
fn a_symbol_is_shown_with_its_numbers_and_what_stands_directly_above_it() {
    let machine = project();
    let norm = "13      /// How far.\n14      #[must_use]\n15      pub fn norm(&self) -> f64 {\n16          self.x\n17      }\n";
    for name in ["norm", "Point.norm", "Point::norm", "Point#norm"] {
        assert_eq!(ok(&machine, &["outline", "src/point.rs", "--symbol", name]), norm);
    }
    assert_eq!(ok(&machine, &["outline", "src", "--symbol", "Point.norm"]), format!("src/point.rs\n{norm}"));
    assert_eq!(ok(&machine, &["outline", "src/a b.rs", "--symbol", "run"]), "1  fn run() {}\n\n4      fn run() {}\n");
    let all = ok(&machine, &["outline", "src/point.rs", "--symbol", "Point"]);
    assert_eq!(all.lines().filter(|line| line.contains("fn norm")).count(), 1, "nothing is shown twice: {all}");
    assert!(all.starts_with(" 6  /// Where.\n 7  #[derive(Debug)]\n 8  pub struct Point {\n"), "{all}");
}

#[test]
fn a_symbol_that_is_not_there_is_an_error_that_lists_near_names() {
    let machine = project();
    let run = machine.run(&["outline", "src/point.rs", "--symbol", "Point.nrom"], b"");
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert_eq!(run.stderr, "stk: src/point.rs: no symbol is named Point.nrom; there are Point.norm\n");
    let run = machine.run(&["outline", "src", "--symbol", "unheard_of"], b"");
    assert!(run.stderr.ends_with("stk: src: no symbol is named unheard_of; `stk outline` lists those there are\n"), "{run:?}");
    assert_eq!(run.code, Some(1));
}

#[test]
fn a_line_shows_the_innermost_symbol_round_it() {
    let machine = project();
    for line in ["13", "15", "17"] {
        assert!(ok(&machine, &["outline", "src/point.rs", "--at", line]).starts_with("13      /// How far.\n"), "{line}");
    }
    assert!(ok(&machine, &["outline", "src/point.rs", "--at", "18"]).starts_with("12  impl Point {\n"));
    let run = machine.run(&["outline", "src/point.rs", "--at", "11"], b"");
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stderr, "stk: src/point.rs: no symbol holds line 11; `stk outline` lists those there are\n");
    for arguments in [["src", "--at", "1"], ["src/point.rs", "--at", "0"]] {
        assert_eq!(machine.run(&[&["outline"], &arguments[..]].concat(), b"").code, Some(2));
    }
}

#[test]
fn a_tags_file_is_sorted_and_readable() {
    let machine = project();
    let tags = ok(&machine, &["outline", "--format", "ctags", "."]);
    let (header, lines): (Vec<_>, Vec<_>) = tags.lines().partition(|line| line.starts_with("!_TAG_"));
    assert!(header.contains(&"!_TAG_FILE_SORTED\t1\t/0=unsorted, 1=sorted, 2=foldcase/"));
    assert!(lines.is_sorted() && tags.starts_with("!_TAG_"));
    assert!(lines.contains(
        &"norm\tsrc/point.rs\t/^    pub fn norm(&self) -> f64 {$/;\"\tkind:method\tline:15\tend:17\tlanguage:rust\timpl:Point"
    ));
    assert!(!tags.contains("import"));
    let file = machine.write("project/tags", &tags);
    let Ok(output) = std::process::Command::new("readtags").arg("-e").arg("-t").arg(file).args(["-", "run"]).output() else {
        return;
    };
    let found = String::from_utf8(output.stdout).unwrap();
    assert_eq!(found.lines().count(), 2, "{found}");
    assert!(found.contains("kind:function") && found.contains("module:inner"), "{found}");
}

#[test]
fn a_long_folder_comes_in_order_and_the_same_every_time() {
    let machine = Machine::new();
    for n in 0..300 {
        let functions = "fn f() {}\n".repeat(n * 7 % 90);
        machine.write(&format!("project/{}/{n:03}.rs", n % 7), format!("fn first_{n}() {{}}\n{functions}"));
    }
    let once = ok(&machine, &["outline", "."]);
    let headings: Vec<_> = once.lines().filter(|line| line.contains('/')).collect();
    assert_eq!(headings.len(), 300);
    assert!(headings.is_sorted());
    for _ in 0..3 {
        assert_eq!(ok(&machine, &["outline", "."]), once);
    }
}

#[test]
fn a_pipe_gets_no_colours_unless_they_are_asked_for() {
    let mut machine = project();
    assert!(!ok(&machine, &["outline", "."]).contains('\u{1b}'));
    let colored = ok(&machine, &["outline", "src/a b.rs", "--color", "always"]);
    assert!(colored.contains("fn \u{1b}[1m\u{1b}[34mrun\u{1b}[0m()"), "{colored:?}");
    machine.set("CLICOLOR_FORCE", "1");
    assert!(ok(&machine, &["outline", "src/a b.rs"]).contains('\u{1b}'));
    assert!(!ok(&machine, &["outline", "src/a b.rs", "--color", "never"]).contains('\u{1b}'));
    machine.set("NO_COLOR", "1");
    assert!(!ok(&machine, &["outline", "src/a b.rs"]).contains('\u{1b}'));
}

/// What the program shows on a terminal of so many columns; None where there is no `script` to make one.
#[cfg(unix)]
fn on_terminal(machine: &Machine, columns: usize, arguments: &str) -> Option<String> {
    let line = format!("stty rows 24 cols {columns}; '{}' {arguments}", env!("CARGO_BIN_EXE_stk"));
    let mut command = std::process::Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).current_dir(machine.path("project"));
    for (name, value) in machine.command(&[]).get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    command.env("TERM", "xterm").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env("CLICOLOR", "1");
    let output = command.stdin(std::process::Stdio::null()).output().ok()?;
    Some(String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n"))
}

#[cfg(unix)]
#[test]
fn a_terminal_gets_colours_and_lines_that_fit() {
    let machine = project();
    let Some(shown) = on_terminal(&machine, 40, "outline src/point.rs") else { return };
    assert!(shown.contains("\u{1b}[33mPoint\u{1b}[0m"), "{shown:?}");
    let plain = on_terminal(&machine, 40, "outline src/point.rs --color never").unwrap();
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
    assert!(plain.lines().all(|line| line.chars().count() <= 40), "{plain}");
    assert!(plain.contains("    fn fmt(&self, f: &mut fmt::F…  [3]\n"), "{plain}");
}

#[cfg(unix)]
#[test]
fn nothing_of_a_file_acts_on_a_terminal() {
    let machine = Machine::new();
    let evil = "\u{1b}]0;title\u{7}\u{202e}";
    machine.write(&format!("project/src/{evil}.rs"), format!("// {evil}\nfn f(a: &str = \"{evil}\") {{}}\n"));
    machine.write(&format!("project/{evil}.txt"), format!("{evil}\n"));
    let Some(all) = on_terminal(&machine, 80, "outline src") else { return };
    let all = all
        + &on_terminal(&machine, 80, "outline src --symbol f").unwrap()
        + &on_terminal(&machine, 80, "outline --color never *.txt src/*.rs").unwrap()
        + &on_terminal(&machine, 80, &format!("outline '{evil}'")).unwrap();
    assert!(all.contains("\\u{1b}]0;title\\u{7}\\u{202e}"), "{all:?}");
    assert!(!all.contains("\u{1b}]") && !all.contains('\u{7}') && !all.contains('\u{202e}'), "{all:?}");
}
