//! The hook's requests and replies, word for word: every scenario in `fixtures/hook/`.
//!
//! `UPDATE_EXPECT=1 cargo test --test contract` writes the replies anew; review the diff.

mod common;

use std::collections::BTreeMap;
use std::path::PathBuf;

use common::{Machine, expect_file, root};
use serde::Deserialize;
use serde_json::Value;

/// What the folder of a scenario is called in its files.
const ROOT: &str = "${root}";

/// What a scenario needs besides the two files that each has.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Setup {
    config: String,
    /// Where in the folder, and of which file in `fixtures/hook/` it is a copy.
    files: BTreeMap<String, String>,
}

fn folder() -> PathBuf {
    root().join("fixtures/hook")
}

fn names() -> Vec<String> {
    let mut names: Vec<_> = folder().read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The steps of each scenario, in their order.
fn scenarios() -> BTreeMap<String, Vec<String>> {
    let mut scenarios = BTreeMap::<_, Vec<_>>::new();
    for name in names() {
        if let Some(step) = name.strip_suffix(".request.json") {
            scenarios.entry(step.split('.').next().unwrap().to_owned()).or_default().push(step.to_owned());
        }
    }
    scenarios
}

fn machine(scenario: &str) -> Machine {
    let machine = Machine::new();
    let setup = std::fs::read_to_string(folder().join(format!("{scenario}.setup.toml")));
    let mut setup: Setup = setup.map(|text| toml::from_str(&text).unwrap()).unwrap_or_default();
    for name in ["pipeline.py", "small.py"] {
        setup.files.insert(format!("project/src/{name}"), name.to_owned());
    }
    for (path, name) in setup.files {
        machine.write(&path, std::fs::read(folder().join(name)).unwrap());
    }
    machine.write("config/config.toml", setup.config);
    machine
}

/// The same text in every string.
fn replaced(value: Value, from: &str, to: &str) -> Value {
    match value {
        Value::String(text) => text.replace(from, to).into(),
        Value::Array(values) => values.into_iter().map(|value| replaced(value, from, to)).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, replaced(value, from, to))).collect(),
        other => other,
    }
}

/// What the hook prints, as it stands in a file.
fn reply(machine: &Machine, request: &str) -> String {
    let here = machine.folder.path().to_str().unwrap();
    let request = match serde_json::from_str(request) {
        Ok(request) => replaced(request, ROOT, here).to_string(),
        Err(_) => request.replace(ROOT, here),
    };
    let run = machine.run(&["hook", "claude"], request.as_bytes());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    if run.stdout.is_empty() {
        return run.stdout;
    }
    let reply = replaced(serde_json::from_str(&run.stdout).unwrap(), here, ROOT);
    // Only paths have any.
    let reply = if cfg!(windows) { replaced(reply, "\\", "/") } else { reply };
    format!("{}\n", serde_json::to_string_pretty(&reply).unwrap())
}

#[test]
fn every_request_gets_its_reply() {
    let mut faults = Vec::new();
    for (scenario, steps) in scenarios() {
        let machine = machine(&scenario);
        for step in steps {
            let request = std::fs::read_to_string(folder().join(format!("{step}.request.json"))).unwrap();
            let reply = reply(&machine, &request);
            faults.extend(expect_file(&folder().join(format!("{step}.reply.json")), &reply).err());
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_rule_has_a_scenario_and_every_file_belongs_to_one() {
    let scenarios = scenarios();
    for rule in ["0", "1", "2", "2a", "2b", "3", "4", "5", "6"] {
        let rule = format!("rule_{rule}_");
        assert!(scenarios.keys().any(|scenario| scenario.starts_with(&rule)), "{rule} has none");
    }
    for name in names() {
        let is_known = match name.split_once('.').unwrap() {
            (scenario, "setup.toml") => scenarios.contains_key(scenario),
            (_, rest) if rest.ends_with("json") => {
                name.ends_with(".request.json")
                    || name
                        .strip_suffix(".reply.json")
                        .is_some_and(|step| scenarios.values().flatten().any(|known| known == step))
            }
            _ => ["README.md", "pipeline.py", "small.py"].contains(&name.as_str()),
        };
        assert!(is_known, "fixtures/hook/{name} belongs to no scenario");
    }
}
