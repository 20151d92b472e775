//! `stk gain` as a process, on statistics as they are found on disks.

mod common;

use std::time::Instant;

use common::{Machine, python};
use serde_json::{Value, json};

fn json_of(machine: &Machine, arguments: &[&str]) -> Value {
    let run = machine.run(&[&["gain", "--format", "json"], arguments].concat(), b"");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    serde_json::from_str(&run.stdout).unwrap()
}

fn text_of(machine: &Machine, arguments: &[&str]) -> String {
    let run = machine.run(&[&["gain"], arguments].concat(), b"");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    run.stdout
}

/// Milliseconds of the day 2026-11-30.
const DAY: u64 = 1_795_996_800_000;

fn records() -> String {
    let records = [
        json!({ "ts": DAY, "file": "/p/a.rs", "file_bytes": 40_000, "sent_bytes": 2_000, "kind": "clamp", "lines": 1000 }),
        json!({ "ts": DAY + 1, "file": "/p/a.rs", "file_bytes": 40_000, "kind": "range", "offset": 11, "limit": 100 }),
        json!({ "ts": DAY + 2, "file": "/p/a.rs", "file_bytes": 40_000, "sent_bytes": 300, "kind": "dup", "lines": 1000 }),
        json!({ "ts": DAY + 86_400_000, "file": "/p/b.py", "file_bytes": 300_000, "sent_bytes": 3_000, "kind": "clamp", "lines": 5000 }),
        json!({ "ts": DAY + 86_400_000, "file": "/p/b.py", "file_bytes": 300_000, "kind": "range", "offset": 1, "limit": null }),
        json!({ "ts": DAY + 86_400_001, "file": "/p/c.go", "file_bytes": 90_000, "kind": "range", "offset": 1, "limit": 10 }),
        json!({ "ts": DAY + 86_400_002, "file": "/p/c.go", "file_bytes": 90_000, "sent_bytes": 2_000, "kind": "clamp", "lines": 9000, "observed": true }),
    ];
    records.map(|record| record.to_string() + "\n").concat()
}

#[test]
fn no_statistics_are_zero_totals() {
    let machine = Machine::new();
    let totals = json_of(&machine, &[]);
    assert_eq!((&totals["clamps"], &totals["avoided_bytes"], &totals["net_tokens"]), (&json!(0), &json!(0), &json!(0)));
    assert!(text_of(&machine, &["--by", "day"]).starts_with("Nothing recorded yet."));
    machine.write("data/stats.jsonl", "");
    assert_eq!(json_of(&machine, &["--by", "file"])["groups"], json!([]));
}

#[test]
fn totals_count_what_was_saved_and_what_was_fetched_again() {
    let machine = Machine::new();
    machine.write("data/stats.jsonl", records());
    let totals = json_of(&machine, &[]);
    for (key, value) in [
        ("clamps", 2),
        ("dups", 1),
        ("file_bytes", 380_000),
        ("sent_bytes", 5_300),
        ("avoided_bytes", 374_700),
        ("avoided_tokens", 93_675),
        ("ranges", 2),
        ("refetched_bytes", 4_000 + 65_536),
        ("net_bytes", 374_700 - 69_536),
        ("deliverable_bytes", 80_000),
        ("net_of_deliverable_bytes", 80_000 - 5_300 - 69_536),
        ("other_ranges", 1),
    ] {
        assert_eq!(totals[key], value, "{key}: {totals}");
    }
    assert_eq!((&totals["observed"]["clamps"], &totals["observed"]["avoided_bytes"]), (&json!(1), &json!(88_000)));
    let text = text_of(&machine, &[]);
    for part in [
        "3 reads answered: 2 times with an outline, 1 time with the notice",
        "avoided                            365.9 KB  about     93675 tokens",
        "fetched again by 2 ranged reads     67.9 KB",
        "Read alone would have delivered 78.1 KB of these files",
        "Only observed, nothing of it done: 1 read would have been answered",
        "What cannot be seen from here:\n",
        "1 ranged read of files that stk had not answered",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn groups_are_days_languages_and_files() {
    let machine = Machine::new();
    machine.write("data/stats.jsonl", records());
    let keys = |by| {
        let groups = json_of(&machine, &["--by", by])["groups"].clone();
        groups.as_array().unwrap().iter().map(|group| group["key"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(keys("day"), ["2026-11-30", "2026-12-01"]);
    assert_eq!(keys("language"), ["go", "python", "rust"]);
    assert_eq!(keys("file"), ["/p/a.rs", "/p/b.py", "/p/c.go"]);
    let text = text_of(&machine, &["--by", "language"]);
    assert!(text.contains("python        1  290.0 KB        64.0 KB  226.0 KB  ███"), "{text}");
    assert!(!text.contains("\ngo "), "what was only observed is in no row of what was done: {text}");
    assert_eq!(json_of(&machine, &["--since", "2026-12-01"])["clamps"], 1);
    assert_eq!(json_of(&machine, &["--since", "2026-12-01"])["ranges"], 1);
    assert_eq!(machine.run(&["gain", "--since", "yesterday"], b"").code, Some(2));
}

#[test]
fn torn_and_foreign_lines_are_skipped() {
    let machine = Machine::new();
    let mut bytes =
        b"{\"ts\":1,\"file\":\"/x\",\"file_bytes\":1\nnull\n[1]\n\xff\xfe\n{\"ts\":1,\"kind\":\"other\"}\n\n".to_vec();
    bytes.extend_from_slice("x".repeat(300_000).as_bytes());
    bytes.push(b'\n');
    bytes.extend_from_slice(records().as_bytes());
    bytes.extend_from_slice(b"{\"ts\":1,\"file\":\"/p/a.rs\",\"file_b");
    machine.write("data/stats.jsonl", bytes);
    assert_eq!(json_of(&machine, &[])["clamps"], 2);
}

#[test]
fn what_the_hook_records_is_what_is_added_up() {
    let machine = Machine::new();
    let big = machine.write("project/big.py", python(120));
    let sent = machine.read(&big).outline().len();
    assert!(machine.read_with(&big, json!({ "tool_input": { "file_path": big, "offset": 9, "limit": 96 } })).is_pass());
    let totals = json_of(&machine, &["--since", "1h"]);
    let bytes = big.metadata().unwrap().len();
    assert_eq!((&totals["clamps"], &totals["avoided_bytes"]), (&json!(1), &json!(bytes - sent as u64)));
    assert_eq!((&totals["ranges"], &totals["refetched_bytes"]), (&json!(1), &json!(bytes / 10)));
}

#[test]
fn many_records_are_added_up_in_no_time() {
    let machine = Machine::new();
    machine.write("data/stats.jsonl", records().repeat(10_000));
    let start = Instant::now();
    assert_eq!(json_of(&machine, &["--by", "file"])["clamps"], 20_000);
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[test]
fn a_name_on_record_does_not_act_on_a_terminal() {
    let machine = Machine::new();
    machine.write("data/stats.jsonl", records().replace("/p/a.rs", "/p/\\u001b[2Ja.rs"));
    let text = text_of(&machine, &["--by", "file", "--color", "always"]);
    assert!(text.contains("\\u{1b}[2Ja.rs") && !text.contains("\u{1b}[2J"), "{text}");
}
