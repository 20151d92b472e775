//! The hook as a process: rules, records and faults, seen from outside. What it says word for word is in `contract.rs`.

mod common;

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use common::{Machine, python};
use serde_json::{Value, json};

const SESSION: &str = "sessions/5d0c2f1e-0000-4000-8000-00000000000a.jsonl";

/// A machine with a project of one big and one small file.
fn machine() -> (Machine, std::path::PathBuf, std::path::PathBuf) {
    let machine = Machine::new();
    let big = machine.write("project/src/big.py", python(120));
    let small = machine.write("project/src/small.py", python(5));
    (machine, big, small)
}

#[test]
fn rule_0_what_is_no_read_passes() {
    let (machine, big, _) = machine();
    for changes in [
        json!({ "tool_name": "Grep" }),
        json!({ "tool_name": "Bash", "tool_input": { "command": "cat big.py" } }),
        json!({ "hook_event_name": "PostToolUse" }),
        json!({ "hook_event_name": "SomethingNew" }),
        json!({ "tool_input": {} }),
        json!({ "tool_input": { "file_path": "" } }),
        json!({ "tool_input": { "file_path": 17 } }),
        json!({ "tool_input": [] }),
        json!({ "session_id": 17 }),
    ] {
        assert!(machine.read_with(&big, changes.clone()).is_pass(), "{changes}");
    }
    let without_names = json!({ "hook_event_name": null, "tool_use_id": null, "new_field": { "deep": [1] } });
    assert!(machine.read_with(&big, without_names).is_outline());
}

#[test]
fn rule_0_malformed_stdin_passes() {
    let (machine, big, _) = machine();
    let payload = machine.payload(&big, Value::Null).to_string();
    let mut inputs: Vec<Vec<u8>> = (0..payload.len()).step_by(7).map(|end| payload.as_bytes()[..end].to_vec()).collect();
    inputs.extend([b"null".to_vec(), b"[]".to_vec(), b"\xff\xfe".to_vec(), vec![b'['; 100_000], vec![b' '; 1_000_000]]);
    let not_utf8 = [&payload.as_bytes()[..20], b"\xff", &payload.as_bytes()[20..]].concat();
    inputs.push(not_utf8);
    for input in inputs {
        let run = machine.run(&["hook", "claude"], &input);
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", String::from_utf8_lossy(&input));
    }
    let huge = payload.replace("toolu_01", &"x".repeat(5_000_000));
    assert!(machine.run(&["hook", "claude"], huge.as_bytes()).stdout.contains("stk clamp"));
}

#[test]
fn rule_0_arguments_that_do_not_fit_pass() {
    let (machine, big, _) = machine();
    let payload = machine.payload(&big, Value::Null).to_string();
    for arguments in [&["hook"][..], &["hook", "claude", "--bogus"], &["hook", "claude", "extra"], &["hook", "other"]] {
        let run = machine.run(arguments, payload.as_bytes());
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn rule_0_stk_disable_switches_off() {
    let (mut machine, big, _) = machine();
    for (value, passes) in [("1", true), ("true", true), ("no", true), ("0", false), ("", false)] {
        machine.environment.clear();
        machine.set("STK_DISABLE", value);
        assert_eq!(machine.read_with(&big, json!({ "session_id": value })).is_pass(), passes, "{value:?}");
    }
}

#[test]
fn rule_0_a_config_that_cannot_be_used_passes() {
    let (machine, big, _) = machine();
    for config in ["exclude = [", "clamp_threshold = \"many\"", "exclude = [\"[\"]", "dedup = 1", "\u{0}"] {
        machine.write("config/config.toml", config);
        assert!(machine.read(&big).is_pass(), "{config}");
    }
    machine.write("config/config.toml", "from_a_newer_stk = true\n");
    assert!(machine.read(&big).is_outline());
}

#[test]
fn rule_1_a_scoped_read_passes_and_is_counted() {
    let (machine, big, small) = machine();
    for file in [&big, &small] {
        assert!(machine.read_with(file, json!({ "tool_input": { "file_path": file, "offset": 10, "limit": "20" } })).is_pass());
    }
    let stats = machine.records("stats.jsonl");
    assert_eq!(stats.len(), 1, "only that of the big file");
    assert_eq!((&stats[0]["kind"], &stats[0]["offset"], &stats[0]["limit"]), (&json!("range"), &json!(10), &json!(20)));
    assert!(machine.records(SESSION).is_empty());
}

#[cfg(unix)]
#[test]
fn rule_2_a_symlink_counts_as_its_target_and_nothing_else_is_opened() {
    use std::os::unix::fs::symlink;
    let (machine, big, _) = machine();
    let link = |target: &Path, name: &str| {
        let link = machine.path("project").join(name);
        symlink(target, &link).unwrap();
        link
    };
    assert!(machine.read(&link(&big, "link.py")).is_outline());
    assert!(machine.read(&link(Path::new("missing"), "dangling.py")).is_pass());
    assert!(machine.read(&link(Path::new("loop.py"), "loop.py")).is_pass());
    let fifo = machine.path("project/fifo.py");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let start = std::time::Instant::now();
    assert!(machine.read(&fifo).is_pass());
    assert!(machine.read_with(Path::new("/dev/zero"), json!({ "permission_mode": "bypassPermissions" })).is_pass());
    assert!(start.elapsed() < Duration::from_secs(5), "a FIFO or a device was opened");
}

#[test]
fn rule_2b_what_lies_outside_of_both_the_folder_and_the_project_passes() {
    let (mut machine, big, _) = machine();
    let outside = machine.write("outside/x.py", python(120));
    assert!(machine.read_with(&outside, json!({ "permission_mode": null, "session_id": "b" })).is_outline());
    assert!(machine.read_with(&big, json!({ "cwd": machine.path("outside") })).is_pass());
    machine.set("CLAUDE_PROJECT_DIR", machine.path("project").to_str().unwrap());
    assert!(machine.read_with(&big, json!({ "cwd": machine.path("outside") })).is_outline());
}

#[test]
fn rule_3_what_is_no_text_passes() {
    let (machine, _, _) = machine();
    let mut binary = python(120).into_bytes();
    binary[8191] = 0;
    for (name, content) in
        [("x.py", binary), ("x.PNG", python(120).into()), ("x.pdf", python(120).into()), ("x.ipynb", python(120).into())]
    {
        let file = machine.write(&format!("project/{name}"), content);
        assert!(machine.read(&file).is_pass(), "{name}");
    }
    let mut late = python(120).into_bytes();
    late[8192] = 0;
    assert!(machine.read(&machine.write("project/late.py", late)).is_outline());
    assert!(machine.read(&machine.write("project/x.svg", python(120))).is_outline());
}

#[test]
fn rule_4_a_file_up_to_the_threshold_passes_and_is_recorded() {
    let (machine, _, _) = machine();
    let at = machine.write("project/at.txt", "x\n".repeat(8 * 1024));
    let over = machine.write("project/over.txt", "x\n".repeat(8 * 1024) + "y");
    assert!(machine.read(&at).is_pass());
    assert!(machine.read(&at).is_pass(), "no notice for a small file");
    assert!(machine.read(&over).is_outline());
    let records = machine.records(SESSION);
    let hash = blake3::hash(&std::fs::read(&at).unwrap()).to_hex().to_string();
    assert_eq!((&records[0]["action"], &records[0]["size"], &records[0]["hash"]), (&json!("allow"), &json!(16384), &json!(hash)));
    assert!(records[0]["ts"].as_u64().unwrap() > 1_700_000_000_000);
}

#[test]
fn rule_5_an_unchanged_file_gets_the_notice_but_never_twice_in_a_row() {
    let (machine, big, _) = machine();
    assert!(machine.read(&big).is_outline());
    assert!(machine.read(&big).is_notice());
    assert!(machine.read(&big).is_outline(), "the model may have lost it");
    assert!(machine.read(&big).is_notice());
    std::fs::write(&big, python(121)).unwrap();
    assert!(machine.read(&big).is_outline());
    let twin = machine.write("project/src/twin.py", python(121));
    assert!(machine.read(&twin).is_outline(), "equal content elsewhere is no repetition");
    assert!(machine.read(&machine.path("project/./src//../src/big.py")).is_notice(), "the same path, spelled otherwise");
    machine.write("config/config.toml", "dedup = false\n");
    assert!(machine.read(&big).is_outline());
}

#[test]
fn rule_5_counts_for_one_session_and_one_agent_until_a_reset() {
    let (machine, big, _) = machine();
    assert!(machine.read(&big).is_outline());
    assert!(machine.read_with(&big, json!({ "agent_id": "a7f3", "agent_type": "Explore" })).is_outline());
    assert!(machine.read_with(&big, json!({ "agent_id": "a7f3" })).is_notice());
    assert!(machine.read_with(&big, json!({ "session_id": "other" })).is_outline());
    assert!(machine.read(&big).is_notice());
    for (event, resets) in [
        (json!({ "hook_event_name": "PreCompact" }), true),
        (json!({ "hook_event_name": "PostCompact" }), true),
        (json!({ "hook_event_name": "SessionStart", "source": "compact" }), true),
        (json!({ "hook_event_name": "SessionStart", "source": "clear" }), true),
        (json!({ "hook_event_name": "SessionStart", "source": "resume" }), false),
    ] {
        if machine.read(&big).is_notice() {
            assert!(machine.read(&big).is_outline());
        }
        let mut event = machine.payload(&big, event);
        event["tool_name"] = Value::Null;
        assert_eq!(machine.hook(&event), None);
        assert_eq!(machine.read(&big).is_outline(), resets, "{event}");
    }
}

#[test]
fn without_a_session_there_is_no_store_and_no_notice() {
    let (machine, big, _) = machine();
    for id in [Value::Null, json!("")] {
        for _ in 0..2 {
            assert!(machine.read_with(&big, json!({ "session_id": id })).is_outline());
        }
    }
    assert!(!machine.path("data/sessions").exists());
}

#[test]
fn every_answer_is_recorded_with_the_bytes_that_were_sent() {
    let (machine, big, _) = machine();
    let outline = machine.read(&big).outline();
    assert!(machine.read(&big).is_notice());
    let stats = machine.records("stats.jsonl");
    assert_eq!(stats[0]["kind"], "clamp");
    assert_eq!(stats[0]["sent_bytes"], outline.len());
    assert_eq!(stats[0]["file_bytes"], big.metadata().unwrap().len());
    assert_eq!(stats[0]["lines"], 960);
    assert_eq!(stats[1]["kind"], "dup");
    let actions: Vec<_> = machine.records(SESSION).iter().map(|record| record["action"].clone()).collect();
    assert_eq!(actions, ["clamp", "dup"]);
}

/// What the hook prints for a full read.
fn raw(machine: &Machine, file: &Path, changes: Value) -> Value {
    let run = machine.run(&["hook", "claude"], machine.payload(file, changes).to_string().as_bytes());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    if run.stdout.is_empty() { Value::Null } else { serde_json::from_str(&run.stdout).unwrap() }
}

#[test]
fn in_the_context_style_the_first_lines_that_pass_are_counted_as_sent() {
    let (machine, big, small) = machine();
    machine.write("config/config.toml", "reply = \"context\"\n");
    let answer = &raw(&machine, &big, Value::Null)["hookSpecificOutput"];
    let context = answer["additionalContext"].as_str().unwrap();
    let head: usize = std::fs::read_to_string(&big).unwrap().split_inclusive('\n').take(40).map(str::len).sum();
    assert_eq!(machine.records("stats.jsonl")[0]["sent_bytes"], context.len() + head);
    assert_ne!(raw(&machine, &big, Value::Null), Value::Null);
    assert_eq!(raw(&machine, &small, Value::Null), Value::Null);
    let scoped = json!({ "tool_input": { "file_path": big, "offset": 5 } });
    assert_eq!(raw(&machine, &big, scoped), Value::Null);
    let kinds: Vec<_> = machine.records("stats.jsonl").iter().map(|record| record["kind"].clone()).collect();
    assert_eq!(kinds, ["clamp", "dup", "range"]);
}

#[test]
fn in_the_context_style_a_file_of_endless_lines_is_answered_by_its_outline() {
    let (machine, _, _) = machine();
    machine.write("config/config.toml", "reply = \"context\"\n");
    let endless = machine.write("project/endless.txt", "x".repeat(50_000));
    assert!(machine.read(&endless).is_outline());
}

#[test]
fn an_observed_read_passes_and_is_recorded_as_what_would_have_been_done() {
    let (mut machine, big, small) = machine();
    machine.set("STK_MODE", "observe");
    for _ in 0..3 {
        assert!(machine.read(&big).is_pass());
    }
    assert!(machine.read(&small).is_pass());
    assert!(machine.read_with(&big, json!({ "tool_input": { "file_path": big, "offset": 5 } })).is_pass());
    let stats = machine.records("stats.jsonl");
    let kinds: Vec<_> = stats.iter().map(|record| record["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["clamp", "dup", "clamp", "range"]);
    assert!(stats.iter().all(|record| record["observed"] == true));
    assert!(stats[0]["sent_bytes"].as_u64().unwrap() < stats[0]["file_bytes"].as_u64().unwrap());
    let observed: Vec<_> = machine.records(SESSION).iter().map(|record| record.get("observed").is_some()).collect();
    assert_eq!(observed, [true, true, true, false], "a small file passes in any mode");
    machine.environment.clear();
    assert!(machine.read(&big).is_outline(), "the model has seen no outline yet");
    assert!(machine.read(&big).is_notice());
    let last = machine.records("stats.jsonl").pop().unwrap();
    assert_eq!((&last["kind"], last.get("observed")), (&json!("dup"), None));
}

#[test]
fn the_mode_comes_from_the_variable_or_the_config() {
    let (mut machine, big, _) = machine();
    machine.write("config/config.toml", "mode = \"observe\"\n");
    assert!(machine.read(&big).is_pass());
    machine.set("STK_MODE", "clamp");
    assert!(machine.read(&big).is_outline());
    assert!(machine.run(&["config"], b"").stdout.contains("mode = \"clamp\"  # $STK_MODE\n"));
    machine.environment.clear();
    machine.set("STK_MODE", "always");
    assert!(machine.read(&big).is_pass());
    let run = machine.run(&["config"], b"");
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), "stk: $STK_MODE: takes \"clamp\" or \"observe\", not \"always\"\n"));
    machine.environment.clear();
    machine.write("config/config.toml", "reply = \"both\"\n");
    assert!(machine.read(&big).is_pass());
}

#[cfg(unix)]
#[test]
fn nobody_else_may_read_what_is_kept() {
    use std::os::unix::fs::PermissionsExt;
    let (mut machine, big, _) = machine();
    machine.set("STK_DATA_DIR", machine.path("new/data").to_str().unwrap());
    assert!(machine.read(&big).is_outline());
    for (name, mode) in [("new/data", 0o700), ("new/data/sessions", 0o700), ("new/data/stats.jsonl", 0o600)] {
        assert_eq!(machine.path(name).metadata().unwrap().permissions().mode() & 0o777, mode, "{name}");
    }
    for entry in machine.path("new/data/sessions").read_dir().unwrap() {
        assert_eq!(entry.unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn old_sessions_are_pruned_at_start_up() {
    let (machine, big, _) = machine();
    let old = machine.write("data/sessions/old.jsonl", "{}\n");
    let age = Duration::from_hours(15 * 24);
    std::fs::File::options().append(true).open(&old).unwrap().set_modified(SystemTime::now() - age).unwrap();
    assert!(machine.read(&big).is_outline());
    assert!(!old.exists());
}

#[test]
fn the_decision_is_made_without_a_store() {
    let (mut machine, big, _) = machine();
    machine.write("file", "");
    for (variable, value) in [("STK_DATA_DIR", machine.path("file/below")), ("STK_DATA_DIR", machine.path("file"))] {
        machine.environment.clear();
        machine.set(variable, value.to_str().unwrap());
        assert!(machine.read(&big).is_outline());
    }
    machine.environment.clear();
    // Where the files should be there are folders.
    std::fs::create_dir_all(machine.path("data").join(SESSION)).unwrap();
    std::fs::create_dir_all(machine.path("data/stats.jsonl")).unwrap();
    assert!(machine.read(&big).is_outline());
    assert!(machine.read(&big).is_outline());
}

#[test]
fn stdin_that_never_ends_is_answered_after_the_first_object() {
    let (machine, big, _) = machine();
    let mut child = machine.command(&["hook", "claude"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(machine.payload(&big, Value::Null).to_string().as_bytes()).unwrap();
    stdin.flush().unwrap();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    assert!(output.status.success() && String::from_utf8(output.stdout).unwrap().contains("stk clamp"));
}

#[cfg(unix)]
#[test]
fn a_closed_stdout_is_no_failure() {
    let (machine, big, _) = machine();
    let script = format!("'{}' hook claude >&-", env!("CARGO_BIN_EXE_stk"));
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &script]).stdin(Stdio::piped()).stderr(Stdio::piped());
    for (name, value) in machine.command(&[]).get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(machine.payload(&big, Value::Null).to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn deep_nesting_and_one_long_line_are_answered() {
    let (machine, _, _) = machine();
    let depth = 10_000;
    for (name, content) in [
        ("deep.json", format!("{}{}", "[".repeat(depth * 2), "]".repeat(depth * 2))),
        ("objects.json", format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth))),
        ("deep.rs", format!("fn f() {{ {}1{} }}\n", "(".repeat(depth * 2), ")".repeat(depth * 2))),
        ("deep.c", format!("int x = {}1{};\nint f(void) {{ return x; }}\n", "(".repeat(depth), ")".repeat(depth))),
        ("deep.js", format!("f({}1{});\n", "[".repeat(depth), "]".repeat(depth))),
        ("line.py", "x = 1;".repeat(700_000)),
        ("line.json", format!("{{\"a\":\"{}\"}}", "x".repeat(4 << 20))),
        ("line.txt", "x".repeat(4 << 20)),
    ] {
        let file = machine.write(&format!("project/{name}"), content);
        assert!(machine.read(&file).is_outline(), "{name}");
    }
}
