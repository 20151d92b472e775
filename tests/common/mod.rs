//! What several tests need: the fixtures, and the program itself.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test uses its part")]

use std::path::{Path, PathBuf};

use stk::language::{self, Language};

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The source files in `fixtures/<language>/`, sorted.
pub fn fixtures(language: &Language) -> Vec<PathBuf> {
    fixtures_in(language.name)
}

/// The source files in that folder of `fixtures/`, sorted.
pub fn fixtures_in(folder: &str) -> Vec<PathBuf> {
    let folder = root().join("fixtures").join(folder);
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).filter(|path| is_source(path)).collect();
    files.sort();
    files
}

/// The folders in `fixtures/`: one for each language, and `text` for what is in none.
pub fn fixture_folders() -> impl Iterator<Item = &'static str> {
    language::all().iter().map(|language| language.name).chain(["text"])
}

/// The folders in `fixtures/` that are of no language: a grammar for tests, and the hook's requests and replies.
pub const OTHER_FIXTURES: [&str; 2] = ["grammar", "hook"];

fn is_source(path: &Path) -> bool {
    path.extension().is_none_or(|extension| extension != "outline")
}

pub fn grammar_languages() -> impl Iterator<Item = &'static Language> {
    language::all().iter().filter(|language| language.grammar().is_some())
}

pub fn parse(grammar: &tree_sitter::Language, source: &[u8]) -> tree_sitter::Tree {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(grammar).unwrap();
    parser.parse(source, None).unwrap()
}

/// Compares `actual` with the file `expected`, or writes it there when `UPDATE_EXPECT` is set. Ok(()) where they agree.
pub fn expect_file(expected: &Path, actual: &str) -> Result<(), String> {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(expected, actual).unwrap();
        return Ok(());
    }
    let shown = expected.strip_prefix(root()).unwrap_or(expected).display();
    let Ok(text) = std::fs::read_to_string(expected) else { return Err(format!("{shown} is missing")) };
    let text = text.replace("\r\n", "\n");
    if text == actual {
        return Ok(());
    }
    let line =
        text.lines().zip(actual.lines()).position(|(a, b)| a != b).unwrap_or(text.lines().count().min(actual.lines().count()));
    let at = |text: &str| text.lines().nth(line).unwrap_or("(end)").to_owned();
    Err(format!("{shown}:{}:\n  expected {}\n  got      {}", line + 1, at(&text), at(actual)))
}

/// A user's machine in a temporary folder: a project, and stk's own places.
pub struct Machine {
    pub folder: tempfile::TempDir,
    pub environment: Vec<(String, String)>,
}

/// What a run of the program gave.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Machine {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["project", "config", "data", "home"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        Self { folder, environment: Vec::new() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub fn set(&mut self, variable: &str, value: &str) {
        self.environment.push((variable.to_owned(), value.to_owned()));
    }

    pub fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_stk"));
        command
            .args(arguments)
            .current_dir(self.path("project"))
            .env_remove("CLAUDE_PROJECT_DIR")
            .env_remove("STK_DISABLE")
            .env_remove("STK_MODE")
            .env("HOME", self.path("home"))
            .env("USERPROFILE", self.path("home"))
            .env("STK_CONFIG_DIR", self.path("config"))
            .env("STK_DATA_DIR", self.path("data"))
            .envs(self.environment.iter().cloned());
        command
    }

    pub fn run(&self, arguments: &[&str], stdin: &[u8]) -> Run {
        use std::io::Write;
        use std::process::Stdio;
        let mut child =
            self.command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The program may have answered before it has read all.
        let _ = child.stdin.take().unwrap().write_all(stdin);
        let output = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// A usual call of Read before it happens, with these fields in place of the usual ones; `null` leaves one out.
    pub fn payload(&self, file: &Path, changes: serde_json::Value) -> serde_json::Value {
        let mut payload = serde_json::json!({
            "session_id": "5d0c2f1e-0000-4000-8000-00000000000a",
            "transcript_path": self.path("transcripts/s.jsonl"),
            "cwd": self.path("project"),
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "Read",
            "tool_input": { "file_path": file },
            "tool_use_id": "toolu_01",
        });
        if let serde_json::Value::Object(changes) = changes {
            for (key, value) in changes {
                payload[key] = value;
            }
        }
        payload.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        payload
    }

    /// What the hook answers: the reason of a deny, or None.
    pub fn hook(&self, payload: &serde_json::Value) -> Option<String> {
        let run = self.run(&["hook", "claude"], payload.to_string().as_bytes());
        assert_eq!(run.code, Some(0), "{run:?}");
        if run.stdout.is_empty() {
            return None;
        }
        let answer: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        let answer = &answer["hookSpecificOutput"];
        assert_eq!((&answer["hookEventName"], &answer["permissionDecision"]), (&"PreToolUse".into(), &"deny".into()));
        Some(answer["permissionDecisionReason"].as_str().unwrap().to_owned())
    }

    /// What the hook answers to a full read.
    pub fn read(&self, file: &Path) -> Answer {
        self.read_with(file, serde_json::Value::Null)
    }

    pub fn read_with(&self, file: &Path, changes: serde_json::Value) -> Answer {
        match self.hook(&self.payload(file, changes)) {
            None => Answer::Pass,
            Some(reason) if reason.starts_with("stk clamp: ") => Answer::Outline(reason),
            Some(reason) if reason.starts_with("stk: file unchanged") => Answer::Notice(reason),
            Some(reason) => panic!("neither outline nor notice: {reason}"),
        }
    }

    /// The records of a file of stk's own, which must be whole lines of JSON.
    pub fn records(&self, name: &str) -> Vec<serde_json::Value> {
        let Ok(text) = std::fs::read_to_string(self.path("data").join(name)) else { return Vec::new() };
        assert!(text.is_empty() || text.ends_with('\n'), "{name} ends in the middle of a line");
        text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}: {line}"))).collect()
    }
}

/// What the hook does with a read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Pass,
    Outline(String),
    Notice(String),
}

impl Answer {
    pub fn is_pass(&self) -> bool {
        matches!(self, Self::Pass)
    }

    pub fn is_outline(&self) -> bool {
        matches!(self, Self::Outline(_))
    }

    pub fn is_notice(&self) -> bool {
        matches!(self, Self::Notice(_))
    }

    #[track_caller]
    pub fn outline(self) -> String {
        match self {
            Self::Outline(reason) => reason,
            other => panic!("no outline: {other:?}"),
        }
    }
}

/// Python source of so many functions, six lines each.
pub fn python(functions: usize) -> String {
    use std::fmt::Write;
    (0..functions).fold(String::new(), |mut text, n| {
        let _ = write!(
            text,
            "def task_{n}(first, second):\n    third = first * {n} + second\n    fourth = third - second * 2\n    \
             fifth = [third, fourth, first]\n    assert len(fifth) == 3\n    return sum(fifth) + {n}\n\n\n"
        );
        text
    })
}
