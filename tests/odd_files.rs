//! Odd files, each with its right answer: by the hook, and by `stk outline`.

mod common;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::{Duration, Instant};

use common::{Machine, python};
use serde_json::{Value, json};

/// What `stk outline --format json` says of a file, held against what holds for every outline.
#[track_caller]
fn document(machine: &Machine, name: &str) -> Value {
    let run = machine.run(&["outline", "--format", "json", machine.path(name).to_str().unwrap()], b"");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{name}");
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_holds(&document, name);
    document
}

#[track_caller]
fn assert_holds(document: &Value, name: &str) {
    let number = |value: &Value| value.as_u64().unwrap();
    let mut above = (0, 0);
    for symbol in document["symbols"].as_array().unwrap() {
        let (line, end, depth) = (number(&symbol["line"]), number(&symbol["end_line"]), number(&symbol["depth"]));
        assert!(1 <= line && line <= end && end <= number(&document["lines"]), "{name}: {symbol}");
        assert!(line >= above.0, "{name}: rows are sorted by line: {symbol}");
        assert!(depth <= above.1 + 1, "{name}: depth grows by one at most: {symbol}");
        above = (line, depth);
    }
}

fn rows(document: &Value) -> Vec<(String, u64, u64)> {
    let row = |symbol: &Value| {
        let number = |key: &str| symbol[key].as_u64().unwrap();
        (symbol["name"].as_str().unwrap().to_owned(), number("line"), number("end_line"))
    };
    document["symbols"].as_array().unwrap().iter().map(row).collect()
}

/// What the hook answers, whose lines must be those of the file.
#[track_caller]
fn reply(machine: &Machine, name: &str) -> String {
    let start = Instant::now();
    let reply = machine.read_with(&machine.path(name), json!({ "session_id": null })).outline();
    assert!(start.elapsed() < Duration::from_secs(if cfg!(unix) { 4 } else { 30 }), "{name} took {:?}", start.elapsed());
    assert!(reply.len() <= 8 * 1024, "{name}: {} bytes", reply.len());
    reply
}

#[test]
fn marks_line_ends_and_encodings_shift_no_line() {
    let machine = Machine::new();
    let plain = python(120);
    let name = |n: usize| format!("task_{n}");
    let expected: Vec<_> = (0..120_usize).map(|n| (name(n), (8 * n + 1) as u64, (8 * n + 6) as u64)).collect();
    let mut with_nul = plain.clone().into_bytes();
    let late = plain.find("def task_100").unwrap() + 120;
    with_nul[late] = 0;
    let latin_1: Vec<u8> = plain.replace("first", "\u{e9}t\u{e9}").chars().map(|c| c as u8).collect();
    for (file, content) in [
        ("plain.py", plain.clone().into_bytes()),
        ("bom.py", [b"\xef\xbb\xbf", plain.as_bytes()].concat()),
        ("crlf.py", plain.replace('\n', "\r\n").into_bytes()),
        ("bom_crlf.py", [b"\xef\xbb\xbf", plain.replace('\n', "\r\n").as_bytes()].concat()),
        ("latin_1.py", latin_1),
        ("late_nul.py", with_nul),
        ("no_final_newline.py", plain.trim_end().as_bytes().to_vec()),
        ("line_separators.py", plain.replace("assert", "'\u{2028}\u{2029}\u{85}\u{c}\u{b}'; assert").into_bytes()),
        (
            "broken_utf8.py",
            plain
                .replace("third = ", "third = '\u{fffd}' and ")
                .into_bytes()
                .iter()
                .map(|b| if *b == 0xbd { 0xff } else { *b })
                .collect(),
        ),
    ] {
        machine.write(&format!("project/{file}"), content);
        let document = document(&machine, &format!("project/{file}"));
        assert_eq!(rows(&document), expected, "{file}");
        let reply = reply(&machine, &format!("project/{file}"));
        assert!(reply.contains("def task_0(") && reply.contains("task_119"), "{file}: {reply}");
    }
}

#[test]
fn a_lone_cr_ends_no_line() {
    // Nor does it for Read, which shows such a file as one line.
    let machine = Machine::new();
    machine.write("project/mac.py", python(120).replace('\n', "\r"));
    assert_eq!(document(&machine, "project/mac.py")["lines"], 1);
    let reply = reply(&machine, "project/mac.py");
    assert!(reply.contains("1 lines") && reply.contains("offset and limit cannot cut a line"), "{reply}");
    let mixed = python(120).replace("    third", "    zero = 0\r    third");
    machine.write("project/mixed.py", mixed);
    let document = document(&machine, "project/mixed.py");
    assert_eq!((document["lines"].as_u64(), rows(&document)[1].1), (Some(960), 9));
}

#[test]
fn utf_16_passes_the_hook_and_is_decoded_for_people() {
    let machine = Machine::new();
    let text = python(120);
    let units = |big_endian: bool| -> Vec<u8> {
        text.encode_utf16().flat_map(|unit| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    };
    for (file, content) in [
        ("le.py", [b"\xff\xfe".to_vec(), units(false)].concat()),
        ("be.py", [b"\xfe\xff".to_vec(), units(true)].concat()),
        ("odd.py", [b"\xff\xfe".to_vec(), units(false), b"x".to_vec()].concat()),
    ] {
        let path = machine.write(&format!("project/{file}"), content);
        assert!(machine.read(&path).is_pass(), "{file}: half of its bytes are NULs");
        let document = document(&machine, &format!("project/{file}"));
        assert_eq!(rows(&document)[119], ("task_119".to_owned(), 953, 958), "{file}");
    }
    let unmarked = machine.write("project/unmarked.py", units(false));
    assert!(machine.read(&unmarked).is_pass());
    document(&machine, "project/unmarked.py");
}

#[test]
fn an_empty_file_and_one_of_white_space_have_an_outline() {
    let machine = Machine::new();
    for (file, content, lines) in [
        ("empty.py", String::new(), 0),
        ("empty.md", String::new(), 0),
        ("empty.json", String::new(), 0),
        ("blank.rs", "\n".repeat(9), 9),
    ] {
        let path = machine.write(&format!("project/{file}"), content);
        assert!(machine.read(&path).is_pass());
        assert_eq!(document(&machine, &format!("project/{file}"))["lines"], lines, "{file}");
    }
    machine.write("project/blank.py", " \n".repeat(20_000));
    machine.write("project/blank.json", " \n".repeat(20_000));
    assert!(reply(&machine, "project/blank.py").contains("20000 lines"));
    assert!(reply(&machine, "project/blank.json").contains("20000 lines"));
}

#[test]
fn a_shebang_stands_for_an_extension() {
    let machine = Machine::new();
    machine.write("project/tool", format!("#!/usr/bin/env python3\n{}", python(120)));
    let document = document(&machine, "project/tool");
    assert_eq!((document["language"].as_str(), rows(&document)[0].1), (Some("python"), 2));
    assert!(reply(&machine, "project/tool").contains("def task_0("));
}

#[test]
fn one_line_of_json_of_50_mb_gives_its_keys_and_no_value() {
    let machine = Machine::new();
    let mut text = String::from("{\"first_key\":{\"inner\":[");
    while text.len() < 50_000_000 {
        text.push_str("\"secret value\",12345678,");
    }
    text.push_str("0]},\"last_key\":\"secret\"}");
    machine.write("project/line.json", text);
    let reply = reply(&machine, "project/line.json");
    assert!(reply.contains("47.7 MB") || reply.contains("KB, 1 lines"), "{reply}");
    assert!(reply.contains("first_key") && !reply.contains("secret") && !reply.contains("12345"), "{reply}");
    assert!(reply.contains("offset and limit cannot cut a line"));
    document(&machine, "project/line.json");
}

#[test]
fn twenty_megabytes_of_python_are_streamed() {
    let machine = Machine::new();
    let text = (0..480_000).fold(String::new(), |mut text, n| {
        let _ = write!(text, "def task_number_{n}(first):\n    return first\n");
        text
    });
    assert!(text.len() > 20_000_000);
    machine.write("project/huge.py", text);
    let reply = reply(&machine, "project/huge.py");
    assert!(
        reply.contains("960000 lines") && reply.contains("task_number_0(") && reply.contains("task_number_479999("),
        "{reply}"
    );
    document(&machine, "project/huge.py");
}

#[test]
fn deep_nesting_is_answered() {
    let machine = Machine::new();
    let nested = |open: &str, inner: &str, close: &str, depth| format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
    let mut functions = String::new();
    for n in 0..3000 {
        let _ = writeln!(functions, "{}def f{n}():", " ".repeat(n.min(400)));
    }
    for (file, content) in [
        ("parens.py", format!("def before():\n    return {}\n\ndef after():\n    pass\n", nested("(", "1", ")", 20_000))),
        ("parens.rs", format!("fn before() {{}}\nconst X: u8 = {};\nfn after() {{}}\n", nested("(", "1", ")", 20_000))),
        ("functions.js", nested("function f() {\n", "1;\n", "}\n", 3000)),
        ("functions.rs", nested("fn f() {\n", "1;\n", "}\n", 3000)),
        ("classes.java", nested("class A {\n", "int x;\n", "}\n", 3000)),
        ("namespaces.cpp", nested("namespace a {\n", "int f();\n", "}\n", 3000)),
        ("modules.ts", nested("namespace a {\n", "const f = () => 1;\n", "}\n", 3000)),
        ("classes.cs", nested("class A {\n", "int x;\n", "}\n", 3000)),
        ("blocks.go", format!("package a\nfunc f() {{\n{}\n}}\n", nested("{\n", "x()\n", "}\n", 5000))),
        ("blocks.c", format!("int f(void) {{\n{}\n}}\n", nested("{\n", "x();\n", "}\n", 5000))),
        ("functions.py", functions),
        ("quotes.md", format!("# Title\n\n{}text\n", "> ".repeat(10_000))),
        ("lists.md", format!("# Title\n\n{}text\n", "- ".repeat(10_000))),
        ("brackets.md", format!("# Title\n\n{}\n", nested("[", "text", "]", 20_000))),
        ("arrays.json", nested("[", "", "]", 100_000)),
        ("objects.json", nested("{\"a\":\n", "1", "\n}", 20_000)),
        ("dedent.py", (0..2000).rev().fold(String::from("if x:\n"), |text, n| text + &" ".repeat(n % 100) + "if y:\n")),
    ] {
        machine.write(&format!("project/{file}"), &content);
        document(&machine, &format!("project/{file}"));
        if content.len() > 16 * 1024 {
            reply(&machine, &format!("project/{file}"));
        }
    }
}

#[test]
fn a_minified_bundle_is_shown_as_text() {
    let machine = Machine::new();
    let bundle = (0..3000)
        .fold(String::from("!function(){"), |text, n| text + &format!("function f{n}(a,b){{return a+b}}var g{n}=f{n};"))
        + "}();";
    machine.write("project/app.min.js", format!("/*! license */\n{bundle}\n"));
    let document = document(&machine, "project/app.min.js");
    assert_eq!((document["parser"].as_str(), document["lines"].as_u64()), (Some("text"), Some(2)));
    let reply = reply(&machine, "project/app.min.js");
    assert!(reply.contains("/*! license */") && reply.contains("2 lines") && reply.contains("search it with Grep"), "{reply}");
}

#[test]
fn the_same_bytes_give_the_same_answer() {
    let machine = Machine::new();
    let big = machine.write("project/big.py", python(2000));
    let answers: BTreeSet<String> = (0..10).map(|_| machine.read_with(&big, json!({ "session_id": null })).outline()).collect();
    assert_eq!(answers.len(), 1);
}
