//! `stk init`: what it prints, what it finds, and that it writes nothing.

mod common;

use common::{Machine, Run, root};
use serde_json::Value;

fn json_of(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

fn machine() -> Machine {
    let mut machine = Machine::new();
    machine.set("USERPROFILE", machine.path("home").to_str().unwrap());
    machine.set("CLAUDE_CONFIG_DIR", "");
    machine
}

#[test]
fn the_json_alone_is_what_is_pasted_and_then_all_is_in_order() {
    let machine = machine();
    let printed = machine.run(&["init", "--format", "json"], b"");
    let settings = json_of(&printed);
    assert_eq!(settings["hooks"]["PreToolUse"][0]["matcher"], "Read");
    assert_eq!(settings["hooks"]["SessionStart"][0]["matcher"], "compact");
    let before = machine.run(&["init", "--check"], b"");
    assert_eq!(
        (before.code, before.stdout.as_str()),
        (Some(1), "Not in order: The hook is not installed. `stk init` says how.\n")
    );
    for file in ["home/.claude/settings.json", "project/.claude/settings.json", "project/.claude/settings.local.json"] {
        let path = machine.write(file, &printed.stdout);
        let after = machine.run(&["init", "--check"], b"");
        assert_eq!((after.code, after.stderr.as_str()), (Some(0), ""), "{after:?}");
        // With one kind of separator.
        let shown: std::path::PathBuf = path.components().collect();
        assert!(after.stdout.contains(&format!("installed in {}", shown.display())), "{after:?}");
        assert!(after.stdout.contains("the one that runs now.\n") && after.stdout.ends_with("All in order.\n"), "{after:?}");
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn the_instructions_name_the_files_and_say_what_is_there() {
    let machine = machine();
    let settings = machine.write("home/.claude/settings.json", "{}");
    let run = machine.run(&["init"], b"");
    for part in
        ["for you, in every project\n", "for everyone in this project (not there yet", "\"matcher\": \"Read\"", "STK_DISABLE=1"]
    {
        assert!(run.stdout.contains(part), "{part}: {run:?}");
    }
    assert!(!run.stdout.contains("What is there now"));
    assert_eq!(std::fs::read_to_string(&settings).unwrap(), "{}");
    assert!(!machine.path("project/.claude").exists());
    std::fs::write(&settings, machine.run(&["init", "--format", "json"], b"").stdout).unwrap();
    assert!(machine.run(&["init"], b"").stdout.starts_with("What is there now:\n\nThe hook is installed in "));
}

#[test]
fn two_hooks_a_missing_binary_and_a_config_that_does_not_read_are_not_in_order() {
    let machine = machine();
    let printed = machine.run(&["init", "--format", "json"], b"").stdout;
    machine.write("home/.claude/settings.json", &printed);
    machine
        .write("project/.claude/settings.json", printed.replace(&env!("CARGO_BIN_EXE_stk").replace('\\', "/"), "/no/such/stk"));
    machine.write("config/config.toml", "dedup = 1\n");
    let run = machine.run(&["init", "--check", "--format", "json"], b"");
    assert_eq!(run.code, Some(1));
    let check = json_of(&run);
    assert_eq!((&check["in_order"], &check["hooks"]), (&false.into(), &2.into()));
    let problems = check["problems"].to_string();
    for part in ["2 hooks of stk with different commands", "/no/such/stk", "dedup takes true or false"] {
        assert!(problems.contains(part), "{part}: {problems}");
    }
}

#[test]
fn another_place_of_the_clients_own_files_counts() {
    let mut machine = machine();
    let printed = machine.run(&["init", "--format", "json"], b"").stdout;
    machine.write("elsewhere/settings.json", printed);
    machine.set("CLAUDE_CONFIG_DIR", machine.path("elsewhere").to_str().unwrap());
    assert_eq!(machine.run(&["init", "--check"], b"").code, Some(0));
    machine.set("STK_DISABLE", "1");
    assert!(machine.run(&["init", "--check"], b"").stdout.contains("STK_DISABLE is set"));
}

/// The plugin in the repository installs the same hook, by the name that stk has in PATH.
#[test]
fn the_plugin_installs_what_init_prints() {
    let read = |file: &str| -> Value {
        serde_json::from_slice(&std::fs::read(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))).unwrap()
    };
    assert_eq!(read(".claude-plugin/stk/hooks/hooks.json")["hooks"], stk::hook::claude::settings("stk hook claude")["hooks"]);
    assert_eq!(read(".claude-plugin/stk/.claude-plugin/plugin.json")["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(read(".claude-plugin/marketplace.json")["plugins"][0]["source"], "./.claude-plugin/stk");
}
