//! `stk init`: how to install the hook, and whether it is. It edits nothing.

use std::fmt::Write as _;
use std::io::{Write, stdout};
use std::path::Path;

use serde_json::{Value, json};

use super::Failure;
use crate::cli::{Format, InitArgs};
use crate::config::{Config, Mode};
use crate::hook::claude;
use crate::installed::{self, Hook, Scope, Settings};
use crate::places;
use crate::terminal::Screen;
use crate::windows;

/// Prints the settings that install the hook, with the path of this very binary, or checks what is installed.
pub fn run(args: &InitArgs) -> Result<(), Failure> {
    let binary = std::env::current_exe().map_err(|error| format!("the path of this program cannot be told: {error}"))?;
    let folder = std::env::current_dir().map_err(|error| format!("the current folder cannot be told: {error}"))?;
    let screen = Screen::plain();
    let mut out = stdout().lock();
    if args.check {
        let check = Check::of(&installed::settings_files(&folder), &binary, &folder);
        match args.format {
            Format::Json => writeln!(out, "{}", check.json())?,
            Format::Text => out.write_all(screen.shown_lines(&check.text()).as_bytes())?,
        }
        out.flush()?;
        return if check.is_in_order() { Ok(()) } else { Err(Failure::Told) };
    }
    let settings = claude::settings(&command(&binary.to_string_lossy(), cfg!(windows)));
    let settings = serde_json::to_string_pretty(&settings).map_err(std::io::Error::from)?;
    match args.format {
        Format::Json => writeln!(out, "{settings}")?,
        Format::Text => out.write_all(screen.shown_lines(&instructions(&settings, &binary, &folder)).as_bytes())?,
    }
    Ok(())
}

fn instructions(settings: &str, binary: &Path, folder: &Path) -> String {
    let files = installed::settings_files(folder);
    let check = Check::of(&files, binary, folder);
    let mut text = String::new();
    if check.hooks > 0 || check.plugin.is_some() {
        text.push_str("What is there now:\n\n");
        text.push_str(&check.text());
        text.push_str("\nHow to install it:\n\n");
    }
    text.push_str("Merge this into one of these files (what they already have under \"hooks\" stays; add to its lists):\n\n");
    let own: Vec<_> = files.iter().filter(|settings| settings.scope != Scope::Machine).collect();
    let width = own.iter().map(|settings| settings.file.display().to_string().chars().count()).max().unwrap_or(0);
    for Settings { file, scope, found } in own {
        let is_new = if found.is_none() { " (not there yet: create it)" } else { "" };
        let _ = writeln!(text, "  {:width$}  {}{is_new}", file.display().to_string(), scope.words());
    }
    let _ = writeln!(text, "\n{settings}\n");
    text.push_str(
        "In the file that everyone in a project shares, write `stk hook claude` as the command, and let each have stk in PATH.\n\
         Then start Claude Code anew, and let `stk init --check` look at it.\n\n\
         To switch it off for a while: STK_DISABLE=1 in Claude Code's environment. To only measure what it would do:\n\
         STK_MODE=observe. To remove it: delete these lines.\n",
    );
    if cfg!(windows) {
        text.push_str("Claude Code runs the command in Git Bash where there is one: keep the slashes as they are.\n");
    }
    text
}

/// The hook's command line: run by a POSIX shell, on Windows by Git Bash, which takes a backslash as its own.
fn command(binary: &str, is_windows: bool) -> String {
    let binary = if is_windows { windows::with_slashes(binary) } else { binary.to_owned() };
    format!("'{}' hook claude", binary.replace('\'', r"'\''"))
}

/// What is installed, in sentences.
#[derive(Debug, Default)]
struct Check {
    /// Hooks on Reads that call stk.
    hooks: usize,
    plugin: Option<String>,
    /// What is as it should be, or good to know.
    facts: Vec<String>,
    /// What is not in order, and what to do.
    problems: Vec<String>,
}

impl Check {
    fn of(files: &[Settings], binary: &Path, folder: &Path) -> Self {
        let mut check = Self::default();
        let mut commands: Vec<(&str, &Path)> = Vec::new();
        let mut resets = false;
        for Settings { file, scope, found } in files {
            let found = match found {
                None => continue,
                Some(Err(error)) => {
                    check.problems.push(format!("{} {error}; Claude Code cannot read it either.", file.display()));
                    continue;
                }
                Some(Ok(found)) => found,
            };
            if found.disables_hooks {
                check.problems.push(format!("{} switches all hooks off: \"disableAllHooks\".", file.display()));
            }
            if let Some(plugin) = &found.plugin {
                check.facts.push(format!("The plugin {plugin} is switched on in {}.", file.display()));
                if installed::find_program("stk", folder).is_none() {
                    check.problems.push("The plugin calls stk, which is not in PATH.".to_owned());
                }
                check.plugin = Some(plugin.clone());
            }
            resets |= found.hooks.iter().any(|hook| hook.event != "PreToolUse" && hook.matches);
            for hook in found.hooks.iter().filter(|hook| hook.event == "PreToolUse") {
                if !hook.matches {
                    check
                        .problems
                        .push(format!("The hook in {} does not come for Reads: its matcher must be \"Read\".", file.display()));
                    continue;
                }
                check.hooks += 1;
                check.facts.push(format!("The hook is installed in {}, {}: {}", file.display(), scope.words(), hook.command));
                if !commands.iter().any(|(command, _)| *command == hook.command) {
                    commands.push((&hook.command, file));
                    check.look_at_program(hook, binary, folder);
                }
            }
        }
        check.count(&commands, resets);
        check.look_at_rest();
        check
    }

    fn look_at_program(&mut self, hook: &Hook, binary: &Path, folder: &Path) {
        let Some(found) = installed::find_program(&hook.program, folder) else {
            let program = &hook.program;
            self.problems
                .push(format!("Its program is not there, or cannot be run: {program}. Let `stk init` print the right one."));
            return;
        };
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let is_this = real(&found) == real(binary);
        let which = if is_this { "the one that runs now" } else { "another one than runs now" };
        self.facts.push(format!("Its program is {}, {which}.", found.display()));
    }

    fn count(&mut self, commands: &[(&str, &Path)], resets: bool) {
        match (commands.len(), &self.plugin) {
            (0, None) => self.problems.push("The hook is not installed. `stk init` says how.".to_owned()),
            (0, Some(_)) | (1, None) => {}
            (1, Some(_)) => self
                .problems
                .push("The hook is installed by the plugin and in the settings, and runs twice: remove one.".to_owned()),
            (count, _) => self
                .problems
                .push(format!("{count} hooks of stk with different commands are installed, and all run on each Read: keep one.")),
        }
        if self.hooks > commands.len() {
            self.facts.push("The same command in several files runs once.".to_owned());
        }
        if !commands.is_empty() && !resets && self.plugin.is_none() {
            self.problems.push(
                "No hook tells stk of a compaction (SessionStart, matcher \"compact\"): it may call a file known that the model has lost."
                    .to_owned(),
            );
        }
    }

    /// What else keeps the hook from answering.
    fn look_at_rest(&mut self) {
        if places::variable("STK_DISABLE").is_some_and(|value| value != "0") {
            self.problems.push("STK_DISABLE is set: the hook lets every read pass.".to_owned());
        }
        match Config::load() {
            Err(error) => self.problems.push(format!("The hook lets every read pass until this is mended: {error}")),
            Ok(config) if config.settings.mode == Mode::Observe => {
                self.facts.push(
                    "It only observes (mode = \"observe\"): every read passes. `stk gain` shows what it would have done."
                        .to_owned(),
                );
            }
            Ok(_) => {}
        }
    }

    fn is_in_order(&self) -> bool {
        self.problems.is_empty()
    }

    fn text(&self) -> String {
        let facts = self.facts.iter().map(|fact| format!("{fact}\n"));
        let problems = self.problems.iter().map(|problem| format!("Not in order: {problem}\n"));
        let sum = self.is_in_order().then(|| "All in order.\n".to_owned());
        facts.chain(problems).chain(sum).collect()
    }

    fn json(&self) -> Value {
        json!({
            "in_order": self.is_in_order(),
            "hooks": self.hooks,
            "plugin": self.plugin,
            "facts": self.facts,
            "problems": self.problems,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::installed::Found;

    fn settings(scope: Scope, json: &str) -> Settings {
        let found = Found::read(json.as_bytes());
        Settings { file: PathBuf::from(format!("{scope:?}.json")), scope, found: Some(found) }
    }

    fn check(files: &[Settings]) -> Check {
        Check::of(files, Path::new("/bin/sh"), Path::new("/"))
    }

    #[test]
    fn the_printed_settings_are_in_order_when_installed_once() {
        let printed =
            claude::settings(&command(&std::env::current_exe().unwrap().with_file_name("stk").to_string_lossy(), cfg!(windows)))
                .to_string();
        let once = check(&[settings(Scope::User, &printed)]);
        assert_eq!(once.hooks, 1);
        let twice = check(&[settings(Scope::User, &printed), settings(Scope::Project, &printed)]);
        assert_eq!((twice.hooks, twice.problems.len()), (2, once.problems.len()), "the same command runs once");
        let other = printed.replace("hook claude", "hook claude --x");
        let different = check(&[settings(Scope::User, &printed), settings(Scope::Local, &other)]);
        assert!(different.problems.iter().any(|problem| problem.starts_with("2 hooks of stk with different commands")));
        let plugin =
            check(&[settings(Scope::User, &printed), settings(Scope::Project, r#"{"enabledPlugins":{"stk@stk":true}}"#)]);
        assert!(plugin.problems.iter().any(|problem| problem.contains("runs twice")));
    }

    #[test]
    fn what_is_not_in_order_is_said() {
        let problem = |json: &str, part: &str| {
            let check = check(&[settings(Scope::User, json)]);
            assert!(check.problems.iter().any(|problem| problem.contains(part)), "{json}: {check:?}");
        };
        problem("{}", "is not installed");
        problem("[", "is no JSON");
        problem(r#"{"disableAllHooks":true}"#, "switches all hooks off");
        let with = |matcher: &str| {
            format!(
                r#"{{"hooks":{{"PreToolUse":[{{"matcher":"{matcher}","hooks":[{{"command":"/no/such/stk hook claude"}}]}}]}}}}"#
            )
        };
        problem(&with("Edit"), "does not come for Reads");
        problem(&with("Read"), "not there, or cannot be run: /no/such/stk");
        problem(&with("Read"), "No hook tells stk of a compaction");
    }

    #[test]
    fn the_command_is_one_that_a_posix_shell_takes() {
        assert_eq!(command("/usr/bin/stk", false), "'/usr/bin/stk' hook claude");
        assert_eq!(command("/o'brien/my stk\\", false), r"'/o'\''brien/my stk\' hook claude");
        assert_eq!(command(r"C:\Program Files\stk.exe", true), "'C:/Program Files/stk.exe' hook claude");
        assert_eq!(command(r"\\?\C:\stk.exe", true), "'C:/stk.exe' hook claude");
        assert_eq!(command(r"\\?\UNC\server\share\stk.exe", true), "'//server/share/stk.exe' hook claude");
    }
}
