//! Where the hook is installed: Claude Code's own settings files, which are read here and never written.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::places;

mod command;

pub use command::find_program;
use command::{command_line, program};

/// A settings file of Claude Code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Where it is, or would be.
    pub file: PathBuf,
    /// For whom it counts.
    pub scope: Scope,
    /// What it says of stk; None where there is no such file. Err: why it cannot be read.
    pub found: Option<Result<Found, String>>,
}

/// For whom a settings file counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Everyone on this machine: the administrator's.
    Machine,
    /// One user, in every project.
    User,
    /// Everyone in a project.
    Project,
    /// One user in a project.
    Local,
}

/// What a settings file says of stk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// Hooks that call stk.
    pub hooks: Vec<Hook>,
    /// The name under which stk's plugin is switched on.
    pub plugin: Option<String>,
    /// Whether the file switches all hooks off.
    pub disables_hooks: bool,
}

/// A hook that calls stk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// The event, such as `PreToolUse`.
    pub event: String,
    /// Whether it comes for Reads (of `PreToolUse`) or for compactions (of `SessionStart`).
    pub matches: bool,
    /// The command line as it stands.
    pub command: String,
    /// The program in it.
    pub program: String,
}

impl Scope {
    /// In words, behind the file's name.
    pub fn words(self) -> &'static str {
        match self {
            Self::Machine => "for everyone on this machine",
            Self::User => "for you, in every project",
            Self::Project => "for everyone in this project",
            Self::Local => "for you, in this project",
        }
    }
}

/// The settings files that count for a session which starts in `folder`.
pub fn settings_files(folder: &Path) -> Vec<Settings> {
    let home = places::home();
    let user = places::variable("CLAUDE_CONFIG_DIR").map(PathBuf::from).or_else(|| Some(home.as_ref()?.join(".claude")));
    let project = project_folder(folder, home.as_deref()).join(".claude");
    let files = [
        (machine_folder().map(|folder| folder.join("managed-settings.json")), Scope::Machine),
        (user.map(|folder| folder.join("settings.json")), Scope::User),
        (Some(project.join("settings.json")), Scope::Project),
        (Some(project.join("settings.local.json")), Scope::Local),
    ];
    let mut settings: Vec<Settings> = Vec::new();
    for (file, scope) in files {
        // In the home folder itself, the user's file and the project's are one.
        let Some(file) = file.filter(|file| settings.iter().all(|known| known.file != *file)) else { continue };
        let found = match std::fs::read(&file) {
            Ok(bytes) => Some(Found::read(&bytes)),
            Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => None,
            Err(error) => Some(Err(format!("cannot be read: {error}"))),
        };
        settings.push(Settings { file, scope, found });
    }
    settings
}

/// The nearest folder that has settings of its own, but not the user's; `folder` itself where there is none.
fn project_folder(folder: &Path, home: Option<&Path>) -> PathBuf {
    let has_settings =
        |folder: &&Path| ["settings.json", "settings.local.json"].iter().any(|name| folder.join(".claude").join(name).is_file());
    let below_home = folder.ancestors().take_while(|folder| Some(*folder) != home);
    below_home.into_iter().find(has_settings).unwrap_or(folder).to_owned()
}

fn machine_folder() -> Option<PathBuf> {
    if cfg!(windows) {
        Some(PathBuf::from(std::env::var_os("ProgramFiles")?).join("ClaudeCode"))
    } else if cfg!(target_os = "macos") {
        Some("/Library/Application Support/ClaudeCode".into())
    } else {
        Some("/etc/claude-code".into())
    }
}

impl Found {
    /// What the text of a settings file says. Errors: why it is none, to stand behind its name.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let settings: serde_json::Map<String, Value> =
            serde_json::from_slice(bytes).map_err(|error| format!("is no JSON object: {error}"))?;
        let mut hooks = Vec::new();
        for (event, groups) in settings.get("hooks").and_then(Value::as_object).into_iter().flatten() {
            for group in groups.as_array().into_iter().flatten() {
                let matcher = group["matcher"].as_str().unwrap_or_default();
                let subject = if event == "PreToolUse" { "Read" } else { "compact" };
                let commands = group["hooks"].as_array().into_iter().flatten().filter_map(command_line);
                hooks.extend(commands.filter_map(|command| {
                    let program = program(&command)?;
                    Some(Hook { event: event.clone(), matches: covers(matcher, subject), program, command })
                }));
            }
        }
        let plugins = settings.get("enabledPlugins").and_then(Value::as_object).into_iter().flatten();
        let plugin = plugins.filter(|(_, on)| **on != Value::Bool(false)).find(|(name, _)| name.split('@').next() == Some("stk"));
        let disables_hooks = settings.get("disableAllHooks") == Some(&Value::Bool(true));
        Ok(Self { hooks, plugin: plugin.map(|(name, _)| name.clone()), disables_hooks })
    }
}

/// Whether a matcher is one for `subject`: empty, a star, or an expression for the whole name.
fn covers(matcher: &str, subject: &str) -> bool {
    matches!(matcher, "" | "*") || regex::Regex::new(&format!("^(?:{matcher})$")).is_ok_and(|matcher| matcher.is_match(subject))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Found {
        Found::read(json.as_bytes()).unwrap()
    }

    #[test]
    fn arguments_may_stand_apart() {
        let exec =
            read(r#"{"hooks":{"PreToolUse":[{"matcher":"Read","hooks":[{"command":"/x/stk","args":["hook","claude"]}]}]}}"#);
        assert_eq!(exec.hooks[0].command, "/x/stk hook claude");
    }

    #[test]
    fn a_matcher_must_cover_reads() {
        let matches = |matcher: &str| {
            let json =
                format!(r#"{{"hooks":{{"PreToolUse":[{{"matcher":"{matcher}","hooks":[{{"command":"stk hook claude"}}]}}]}}}}"#);
            read(&json).hooks[0].matches
        };
        assert!(["", "*", "Read", "Edit|Read", "R.*", ".*"].into_iter().all(matches));
        assert!(!["Reads", "Edit", "read", "("].into_iter().any(matches));
    }

    #[test]
    fn other_settings_are_no_hooks_of_stk() {
        assert_eq!(read("{}"), Found::default());
        assert_eq!(
            read(r#"{"hooks":{"PreToolUse":[{"hooks":[{"command":"x"},{},7]},null],"Stop":{}},"enabledPlugins":[]}"#),
            Found::default()
        );
        assert_eq!(read(r#"{"enabledPlugins":{"x@y":true,"stk@stk":true}}"#).plugin.as_deref(), Some("stk@stk"));
        assert_eq!(read(r#"{"enabledPlugins":{"stk@stk":false}}"#).plugin, None);
        assert!(read(r#"{"disableAllHooks":true}"#).disables_hooks);
        assert!(Found::read(b"[]").is_err());
        assert_eq!(Found::read("\u{feff}{}".as_bytes()).unwrap(), Found::default());
    }
}
