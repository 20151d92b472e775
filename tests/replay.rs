//! `stk replay` as a process, on transcripts of the form that Claude Code writes.

mod common;

use common::{Machine, python};
use serde_json::{Value, json};

/// A transcript under construction.
struct Transcript {
    cwd: String,
    agent: Option<&'static str>,
    lines: Vec<Value>,
}

impl Transcript {
    fn of(cwd: &str) -> Self {
        let prompt = json!({ "type": "user", "message": { "role": "user", "content": "SECRET: Read it" }, "cwd": cwd });
        Self { cwd: cwd.to_owned(), agent: None, lines: vec![json!({ "type": "mode", "mode": "normal" }), prompt] }
    }

    /// A call of Read on `day` of November and its result; on the main thread the client keeps the text apart too.
    fn read(&mut self, day: u32, name: &str, text: &str, range: Option<(usize, usize)>) -> &mut Self {
        let call = format!("toolu_{}", self.lines.len());
        let file = format!("{}/{name}", self.cwd);
        let mut input = json!({ "file_path": file });
        let (first, count) = range.unwrap_or((1, usize::MAX));
        if range.is_some() {
            (input["offset"], input["limit"]) = (json!(first), json!(count));
        }
        let lines: Vec<_> = text.split('\n').skip(first - 1).take(count).collect();
        let numbered: Vec<_> = (first..).zip(&lines).map(|(n, line)| format!("{n}\t{line}")).collect();
        let mut base = json!({ "isSidechain": self.agent.is_some(), "cwd": self.cwd, "sessionId": "s", "version": "2.1.332" });
        base["timestamp"] = json!(format!("2026-11-{day:02}T10:00:{:02}.000Z", self.lines.len() % 60));
        let mut asked = base.clone();
        asked["type"] = json!("assistant");
        asked["message"] =
            json!({ "role": "assistant", "content": [{ "type": "tool_use", "id": call, "name": "Read", "input": input }] });
        let mut result = base;
        result["type"] = json!("user");
        let block = json!({ "tool_use_id": call, "type": "tool_result", "content": numbered.join("\n") });
        result["message"] = json!({ "role": "user", "content": [block] });
        if let Some(agent) = self.agent {
            result["agentId"] = json!(agent);
        } else {
            result["toolUseResult"] = json!({ "type": "text", "file": {
                "filePath": file, "content": lines.join("\n"), "numLines": lines.len(), "startLine": first,
                "totalLines": text.split('\n').count(),
            } });
        }
        self.lines.extend([asked, result]);
        self
    }

    fn compact(&mut self) -> &mut Self {
        self.lines.push(json!({ "type": "system", "subtype": "compact_boundary", "content": "Conversation compacted" }));
        self
    }

    fn write(&self, machine: &Machine, name: &str) {
        let lines: Vec<_> = self.lines.iter().map(Value::to_string).collect();
        machine.write(&format!("home/.claude/projects/{name}.jsonl"), lines.join("\n") + "\n");
    }
}

fn machine() -> Machine {
    let mut machine = Machine::new();
    machine.set("USERPROFILE", machine.path("home").to_str().unwrap());
    machine.set("CLAUDE_CONFIG_DIR", "");
    let big = python(120);
    let mut main = Transcript::of("/gone/one");
    main.read(10, "small.py", &python(3), None)
        .read(10, "big.py", &big, Some((1, 20)))
        .read(10, "big.py", &big, None)
        .read(10, "big.py", &big, Some((100, 8)))
        .read(11, "big.py", &big, None)
        .compact()
        .read(12, "big.py", &big, None)
        .read(12, "CLAUDE.md", &big, None);
    main.write(&machine, "-gone-one/s");
    main.write(&machine, "-gone-one/fork-of-s");
    let mut agent = Transcript { agent: Some("a1"), ..Transcript::of("/gone/one") };
    agent.read(12, "big.py", &big, None).write(&machine, "-gone-one/s/subagents/agent-a1");
    Transcript::of("/gone/two").read(20, "x.rs", &rust(), None).write(&machine, "-gone-two/t");
    machine
}

fn json_of(machine: &Machine, arguments: &[&str]) -> Value {
    let run = machine.run(&[&["replay", "--format", "json"], arguments].concat(), b"");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn past_reads_are_decided_again_and_counted_once() {
    let machine = machine();
    let totals = json_of(&machine, &[]);
    for (key, value) in [
        ("transcripts", 4),
        ("reads", 9),
        ("outlines", 4),
        ("notices", 1),
        ("passed", 2),
        ("ranges", 1),
        ("other_ranges", 1),
        ("estimated", 0),
    ] {
        assert_eq!(totals[key], value, "{key}: {totals}");
    }
    let bytes = |key: &str| usize::try_from(totals[key].as_u64().unwrap()).unwrap();
    let delivered = bytes("delivered_bytes");
    assert!(delivered > 4 * python(120).len() + 30_000, "{delivered}");
    assert_eq!(bytes("saved_bytes"), delivered - bytes("sent_bytes"));
    let key = |group: &Value| group["key"].as_str().unwrap().to_owned();
    let keys = |name: &str| totals[name].as_array().unwrap().iter().map(key).collect::<Vec<_>>();
    assert_eq!(keys("projects"), ["/gone/one", "/gone/two"]);
    assert_eq!(keys("languages"), ["python", "rust"]);
}

/// One function of more than 16 KB: its outline is short, so that the length of the path does not decide what fits.
fn rust() -> String {
    format!("fn f() {{\n{}}}\n", "    g(1, 2, 3);\n".repeat(2500))
}

#[test]
fn what_would_have_been_sent_is_what_the_hook_sends() {
    let machine = machine();
    let file = machine.write("project/x.rs", rust());
    let sent = machine.read(&file).outline().replace(file.to_str().unwrap(), "/gone/two/x.rs").len();
    let totals = json_of(&machine, &[machine.path("home/.claude/projects/-gone-two").to_str().unwrap()]);
    assert_eq!((&totals["outlines"], &totals["sent_bytes"]), (&json!(1), &json!(sent)));
}

#[test]
fn only_reads_since_then_count() {
    let machine = machine();
    assert_eq!(json_of(&machine, &["--since", "2026-11-12"])["outlines"], 3);
    assert_eq!(json_of(&machine, &["--since", "2026-11-13"])["reads"], 1);
    assert_eq!(json_of(&machine, &["--since", "2099-01-01"])["reads"], 0);
}

#[test]
fn no_content_is_printed_and_nothing_is_kept() {
    let machine = machine();
    let run = machine.run(&["replay"], b"");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    for part in [
        "4 transcripts with 9 Reads, in ",
        "5 Reads would have been answered (over 16.0 KB): 4 with an outline, 1 with the notice",
        "parts were read as well: 1 ranged Read with",
        "/gone/one",
        "python",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    for content in ["SECRET", "task_", "fn f()", "big.py"] {
        assert!(!run.stdout.contains(content), "{content}: {}", run.stdout);
    }
    assert_eq!(machine.path("data").read_dir().unwrap().count(), 0);
}

#[test]
fn what_is_no_transcript_is_no_fault() {
    let machine = machine();
    machine.write("home/.claude/projects/-gone-one/torn.jsonl", "{\"type\":\"user\",\"tool_result\n\u{0}\n[\"Read\"]\n");
    assert_eq!(json_of(&machine, &[])["reads"], 9);
    let run = machine.run(&["replay", "no/such/folder"], b"");
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stderr, "stk: no/such/folder: is no folder; name one with Claude Code's transcripts\n");
}
