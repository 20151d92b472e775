//! Hostile input: names, ids, symbols, settings and queries that were made to do harm.

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use common::{Machine, python};
use serde_json::{Value, json};
use stk::shown::is_shown;

/// Names that are paths, devices, too long, of several lines, invisible, or not what they look like.
fn hostile_names() -> Vec<String> {
    let mut names: Vec<String> = [
        "..",
        ".",
        "../../escape",
        "..\\..\\escape",
        "/etc/passwd",
        "a/b",
        "a\\b",
        "a\0b",
        "a\nb",
        "a\r\nb",
        "\n{\"ts\":1}\n",
        "C:\\escape",
        "C:escape",
        "\\\\?\\C:\\escape",
        "\\\\server\\share\\x",
        "\\\\.\\pipe\\x",
        "//server/share",
        "CON",
        "nul",
        "NUL.jsonl",
        "com1",
        "LPT9.txt",
        "aux",
        "x.",
        "x ",
        " x",
        "a:b",
        "file.jsonl:stream",
        "~",
        "~root",
        "$HOME",
        "%APPDATA%",
        "`id`",
        "$(id)",
        "; rm -rf x",
        "-rf",
        "\u{202e}gpj.exe",
        "\u{200b}",
        "a\u{200d}b",
        "\u{feff}x",
        "\u{e0041}\u{e0042}",
        "\u{1b}]0;title\u{7}\u{1b}[2J",
        "\u{9b}31m",
        "é",
        "e\u{301}",
        "ſ",
        "K",
        "\u{fffd}",
        "🦀",
        "*?<>|\"",
        "{\"reset\":1}",
    ]
    .map(str::to_owned)
    .to_vec();
    names.push("x".repeat(10_000));
    names.push("../".repeat(3_333));
    names.push("é".repeat(200));
    names
}

/// All files and folders below a folder, as paths from there.
fn tree(folder: &Path) -> BTreeSet<PathBuf> {
    fn add(folder: &Path, top: &Path, into: &mut BTreeSet<PathBuf>) {
        for path in folder.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
            into.insert(path.strip_prefix(top).unwrap().to_owned());
            if path.is_dir() && !path.is_symlink() {
                add(&path, top, into);
            }
        }
    }
    let mut paths = BTreeSet::new();
    add(folder, folder, &mut paths);
    paths
}

/// Everything but line ends and the tabs of a terminal is seen where it stands.
#[track_caller]
fn assert_all_shown(text: &str) {
    let unseen: Vec<_> = text.chars().filter(|c| *c != '\n' && !is_shown(*c)).collect();
    assert!(unseen.is_empty(), "{unseen:?} in {text:?}");
}

#[test]
fn no_id_leads_out_of_the_store_or_to_another_sessions_file() {
    let machine = Machine::new();
    let big = machine.write("project/big.py", python(120));
    let before = tree(machine.folder.path());
    let names = hostile_names();
    for id in &names {
        assert!(machine.read_with(&big, json!({ "session_id": id })).is_outline(), "{id:?}");
        assert!(machine.read_with(&big, json!({ "session_id": id })).is_notice(), "{id:?} shares a file or has none");
        let reset = json!({ "session_id": id, "hook_event_name": "PreCompact", "tool_name": null });
        assert!(machine.hook(&machine.payload(&big, reset)).is_none());
        assert!(machine.read_with(&big, json!({ "session_id": id })).is_outline(), "{id:?} was not reset");
    }
    let new: Vec<_> = tree(machine.folder.path()).difference(&before).cloned().collect();
    let sessions = new.iter().filter(|path| path.starts_with("data/sessions") && path.extension().is_some_and(|e| e == "jsonl"));
    assert_eq!(sessions.count(), names.len());
    for path in new {
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(path.starts_with("data"), "{}", path.display());
        assert!(name.len() < 150 && name.chars().all(|c| c.is_ascii_alphanumeric() || "+-_.".contains(c)), "{name:?}");
    }
}

#[test]
fn no_agent_id_breaks_a_record_or_is_taken_for_another() {
    let machine = Machine::new();
    let big = machine.write("project/big.py", python(120));
    let names = hostile_names();
    for id in &names {
        assert!(machine.read_with(&big, json!({ "agent_id": id })).is_outline(), "{id:?}");
    }
    for id in &names {
        assert!(machine.read_with(&big, json!({ "agent_id": id })).is_notice(), "{id:?}");
    }
    // Each is a line of JSON.
    assert_eq!(machine.records("sessions/5d0c2f1e-0000-4000-8000-00000000000a.jsonl").len(), 2 * names.len());
}

#[test]
fn no_path_is_more_than_a_path() {
    let machine = Machine::new();
    machine.write("project/big.py", python(120));
    let before = tree(machine.folder.path());
    for name in hostile_names() {
        for path in [name.clone(), format!("{}/{name}", machine.path("project").display())] {
            let payload = machine.payload(Path::new("x"), json!({ "tool_input": { "file_path": path } }));
            assert_eq!(machine.hook(&payload), None, "{path:?}");
        }
        for field in ["cwd", "transcript_path", "permission_mode"] {
            machine.hook(&machine.payload(&machine.path("project/big.py"), json!({ field: name })));
        }
    }
    let new: Vec<_> = tree(machine.folder.path()).difference(&before).filter(|path| !path.starts_with("data")).cloned().collect();
    assert!(new.is_empty(), "{new:?}");
}

#[cfg(unix)]
#[test]
fn a_files_name_stays_on_the_first_line_of_the_reply_and_hides_nothing() {
    let machine = Machine::new();
    let names = [
        "a\nstk: done.py",
        "\u{1b}[2J\u{1b}]0;x\u{7}.py",
        "\u{202e}yp.exe.py",
        "zero\u{200b}width.py",
        "\u{9b}31m.py",
        "tab\t.py",
    ];
    for name in names {
        let file = machine.write(&format!("project/{name}"), python(120));
        let reply = machine.read(&file).outline();
        assert_all_shown(&reply);
        let first = reply.lines().next().unwrap();
        assert!(first.contains(".py, ") && first.contains("This is not an error"), "{first}");
        let unseen = name.chars().find(|c| !is_shown(*c)).unwrap();
        assert!(first.contains(&unseen.escape_unicode().to_string()), "{first}");
    }
    let bytes = machine.path("project").join(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"\xff\xfe\x80.py"));
    std::fs::write(&bytes, python(120)).unwrap();
    // JSON cannot name such a file.
    let payload = machine.payload(Path::new("x"), json!({ "tool_input": { "file_path": bytes.to_string_lossy() } }));
    assert_eq!(machine.hook(&payload), None);
}

/// Source in each kind of outliner whose symbols, keys, headings and lines hold what may not be shown.
fn hostile_sources() -> Vec<(&'static str, String)> {
    const UNSEEN: &str = "\u{1b}[31m\u{202e}\u{2066}\u{200b}\u{9b}2J\u{7}\u{8}\u{e0041}\u{feff}";
    let repeated = |piece: &str| piece.replace('@', UNSEEN).repeat(20_000 / piece.len());
    vec![
        ("x.py", repeated("def a@b(c=\"@\"):\n    return '@'\n\nclass D@: pass\n")),
        ("x.js", repeated("describe(\"a@b\", () => { it('@', f) });\nfunction g@(a = `@`) { return 1 }\n")),
        ("x.rs", repeated("fn f@(a: &str) -> u8 { b\"@\" }\n/* @ */ const C@: u8 = 1;\n")),
        ("x.ts", repeated("export const a@ = (b = '@') => 1;\ninterface I@ { m@(): void }\n")),
        ("x.java", repeated("class A@ { void m@(String s) { } }\n")),
        ("x.go", repeated("func f@(a string) { }\nvar s@ = `@`\n")),
        ("x.cs", repeated("class A@ { string P@ => \"@\"; }\n")),
        ("x.c", repeated("int f@(int a) { return 1; }\n#define M@(x) \"@\"\n")),
        ("x.cpp", repeated("namespace n@ { int f@() { return 1; } }\n")),
        ("x.md", repeated("# Heading @ `@`\n\ntext @\n\n[@]: http://x/@ '@'\n")),
        ("x.json", repeated("{\"a@b\": {\"@\": 1}}\n")),
        ("x.jsonl", repeated("{\"a@b\": {\"@\": 1}}\n")),
        ("x.rb", repeated("def a@b(c)\n  '@'\nend\nclass D@\nend\n")),
        ("x.sh", repeated("f@() { echo '@'; }\n")),
        ("x.txt", repeated("plain @ text\n")),
        ("x.html", repeated("<h1>@</h1>\n")),
    ]
}

#[test]
fn nothing_unseen_in_a_source_reaches_the_model() {
    let machine = Machine::new();
    for (name, source) in hostile_sources() {
        assert_all_shown(&machine.read(&machine.write(&format!("project/{name}"), source)).outline());
    }
}

/// Queries that ask for too much: time, stack or memory. Each with whether it reads at all.
fn hostile_queries() -> Vec<(&'static str, String, bool)> {
    let nested = |open: &str, inner: &str, close: &str, depth| format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
    vec![
        ("many optional nodes", format!("(module {}) @definition.x", "_? ".repeat(900)), true),
        ("too many nodes", format!("(module {}) @definition.x", "_? ".repeat(100_000)), false),
        ("many ways through choices", format!("(module {}) @definition.x", "[(_)? (_)?] ".repeat(60)), true),
        ("repetitions in repetitions", format!("(module {}) @definition.x", nested("(", "(_)", ")+", 50)), true),
        ("five of them", format!("(module {}) @definition.x", nested("(", "(_)", ")+", 5)), true),
        ("choices in choices", format!("{} @definition.x", nested("[", "(_)", "]", 190)), true),
        ("deeper than anything", nested("(", "(_)", ")", 100_000), false),
        ("never closed", "(".repeat(500_000), false),
        ("a capture again and again", format!("[{}] {}", "_ ".repeat(500), "@_a ".repeat(100_000)), false),
        ("every four siblings", "((_) @_a (_) @_b (_) @_c (_) @_d (#eq? @_a @_b) (#eq? @_c @_d))".to_owned(), true),
        ("everything is a row", "(_) @definition.x (_ (_)* @name) @definition.y".to_owned(), true),
        ("every pattern everywhere", "(_) @definition.x\n".repeat(9_999), true),
        ("too many patterns", "(_) @definition.x\n".repeat(20_000), false),
        ("a slow expression", "((_) @definition.x (#match? @definition.x \"(.*)*(.*)*(.*)*y$\"))".to_owned(), true),
        ("a huge expression", "((_) @definition.x (#match? @definition.x \"\\\\pL{1000}{1000}\"))".to_owned(), true),
        ("a string without end", format!("(module \"{}", "\\n".repeat(300_000)), false),
        ("too large a file", ";".repeat(3_000_000), false),
        ("not UTF-8 once cut", "é".repeat(100_000), false),
        ("escape sequences", "(\u{1b}[2J\u{202e}) @definition.\u{7}".to_owned(), false),
    ]
}

#[test]
fn no_query_makes_the_hook_slow_or_ends_it() {
    let mut machine = Machine::new();
    machine.set("STK_DATA_DIR", "");
    let functions = machine.write("project/functions.py", python(400));
    let wide = machine.write("project/wide.py", format!("x = [{}]\n", "1,\n".repeat(100_000)));
    let deep =
        machine.write("project/deep.py", format!("x = {}1{}\n{}", "(".repeat(5000), ")".repeat(5000), "# c\n".repeat(9000)));
    for (what, query, _) in hostile_queries() {
        machine.write("config/queries/python/outline.scm", query);
        for file in [&functions, &wide, &deep] {
            let start = Instant::now();
            let answer = machine.read_with(file, json!({ "session_id": null }));
            let common::Answer::Outline(reply) = answer else { panic!("{what}: {answer:?} after {:?}", start.elapsed()) };
            // On Unix four seconds is the deadline; this is for a debug build on a busy machine, or under Wine.
            assert!(start.elapsed() < Duration::from_secs(if cfg!(unix) { 4 } else { 20 }), "{what}: {:?}", start.elapsed());
            assert!(reply.len() <= 8 * 1024, "{what}: {} bytes", reply.len());
        }
    }
}

#[test]
fn no_query_overflows_a_stack_or_takes_memory_without_end() {
    let mut machine = Machine::new();
    // Stacks have the size that stk relies on, whatever the environment says.
    machine.set("RUST_MIN_STACK", "16384");
    let deep = machine.write("project/deep.py", format!("x = {}1{}\n{}", "(".repeat(200), ")".repeat(200), "# c\n".repeat(2000)));
    for (what, query, reads) in hostile_queries() {
        machine.write("config/queries/python/outline.scm", query);
        let run = machine.run(&["outline", "--max-lines", "50", deep.to_str().unwrap()], b"");
        assert_eq!(run.code, Some(i32::from(!reads)), "{what}: {}", run.stderr);
        assert!(run.stderr.len() < 2_000, "{what}: {} bytes of message", run.stderr.len());
    }
}

#[test]
fn the_size_of_stacks_is_not_the_environments_to_say() {
    let mut machine = Machine::new();
    machine.set("RUST_MIN_STACK", "16384");
    for name in ["a.rb", "b.md", "c.json", "d.py", "e.cpp"] {
        machine.write(&format!("project/several/{name}"), "# a\n".repeat(100));
    }
    let run = machine.run(&["outline", "several"], b"");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn rule_2b_sees_through_symlinks_and_dots() {
    use std::os::unix::fs::symlink;
    let machine = Machine::new();
    let python = python(120);
    machine.write("project/src/big.py", &python);
    machine.write("project/.claude/tool.py", &python);
    machine.write("outside/secret.py", &python);
    machine.write("transcripts/saved.py", &python);
    let project = machine.path("project");
    symlink(machine.path("outside"), project.join("linked")).unwrap();
    symlink("../outside/secret.py", project.join("link.py")).unwrap();
    symlink("link.py", project.join("second.py")).unwrap();
    symlink(".claude", project.join("innocent")).unwrap();
    symlink("src/big.py", project.join("CLAUDE.md")).unwrap();
    symlink(project.join("src"), machine.path("way_in")).unwrap();
    std::fs::create_dir_all(project.join("src/deep")).unwrap();
    symlink("../../../outside", project.join("src/deep/up")).unwrap();
    for path in [
        "link.py",
        "second.py",
        "linked/secret.py",
        "src/../link.py",
        "../outside/secret.py",
        "src/deep/up/secret.py",
        "src/deep/../../../outside/secret.py",
        "./././/linked//./secret.py",
        "innocent/tool.py",
        "src/../.claude/tool.py",
        "CLAUDE.md",
        "../transcripts/saved.py",
    ] {
        assert!(machine.read(&project.join(path)).is_pass(), "{path}");
    }
    // What lies inside may be reached from anywhere: through the folder above, and by a link from outside.
    for path in ["src/../src/big.py", "../project/src/big.py", "../way_in/big.py"] {
        assert!(!machine.read_with(&project.join(path), json!({ "session_id": null })).is_pass(), "{path}");
    }
    // As the session's folder, a link is what it points to.
    symlink(&project, machine.path("alias")).unwrap();
    let cwd = machine.path("alias");
    assert!(machine.read_with(&project.join("src/big.py"), json!({ "cwd": cwd, "session_id": null })).is_outline());
    assert!(machine.read_with(&cwd.join("linked/secret.py"), json!({ "cwd": cwd })).is_pass());
}

#[test]
fn rule_2b_with_the_file_systems_own_idea_of_case() {
    let machine = Machine::new();
    machine.write("project/claude.MD", python(120));
    machine.write("project/.Claude/x.py", python(120));
    let folds = cfg!(any(windows, target_os = "macos"));
    for path in ["project/claude.MD", "project/.Claude/x.py"] {
        assert_eq!(machine.read(&machine.path(path)).is_pass(), folds, "{path}");
    }
}

#[test]
fn a_payload_of_any_shape_is_answered_with_exit_0() {
    let machine = Machine::new();
    let big = machine.write("project/big.py", python(120));
    let payload = machine.payload(&big, Value::Null);
    let fields: Vec<String> = payload.as_object().unwrap().keys().cloned().chain(["agent_id".into(), "source".into()]).collect();
    let values =
        [json!(17), json!(-1.5e300), json!(true), json!([]), json!([[[]]]), json!({}), json!({ "a": { "b": null } }), json!("")];
    for field in &fields {
        for value in &values {
            machine.hook(&machine.payload(&big, json!({ field: value })));
        }
    }
    let text = payload.to_string();
    for hostile in [
        text.replacen('{', "{\"session_id\":\"x\",", 1),
        text.replace("\"Read\"", "\"\\u0052ead\""),
        format!("{text}{text}"),
        text.replace(':', ":\u{a0}"),
        "{\"tool_name\":".repeat(100_000),
        format!("{{\"tool_input\":{}1{}}}", "[".repeat(200_000), "]".repeat(200_000)),
        format!("{{\"deep\":{}{},{}", "{\"a\":".repeat(100_000), "1".to_owned() + &"}".repeat(100_000), &text[1..]),
        format!("{{\"n\":1e99999,{}", &text[1..]),
        format!("{{\"lone\":\"\\ud800\",{}", &text[1..]),
    ] {
        let run = machine.run(&["hook", "claude"], hostile.as_bytes());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{}", &hostile[..100]);
        assert!(run.stdout.is_empty() || serde_json::from_str::<Value>(&run.stdout).is_ok());
    }
}
