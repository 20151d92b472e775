//! A hook's command line: which program it calls, and where that is.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::places;

/// A hook's command, with its arguments where they stand apart.
pub(super) fn command_line(hook: &Value) -> Option<String> {
    let mut command = hook["command"].as_str()?.to_owned();
    for argument in hook["args"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        command.push(' ');
        command.push_str(argument);
    }
    Some(command)
}

/// The program of a command line that calls `stk hook claude`; None: it does not.
pub(super) fn program(command: &str) -> Option<String> {
    let words = words(command);
    let program = words.windows(3).find(|words| {
        let name = words[0].rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
        name.strip_suffix(".exe").unwrap_or(&name) == "stk" && words[1..] == ["hook", "claude"]
    });
    program.map(|words| words[0].clone())
}

/// The words of a command line, as a POSIX shell takes quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(open)) if c == open => quote = None,
            // A path of Windows in front of anything but a quote or a space keeps its backslashes.
            ('\\', None) if chars.as_str().starts_with(['\'', '"', ' ', '\\']) => {
                word.get_or_insert_default().extend(chars.next());
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Where the program of a hook is; None: nowhere. A name without a folder is looked for in `$PATH`.
pub fn find_program(program: &str, folder: &Path) -> Option<PathBuf> {
    let home = places::home().unwrap_or_default();
    let home = home.to_string_lossy();
    let mut path = program.to_owned();
    for variable in ["~/", "$HOME/", "${HOME}/"] {
        if let Some(rest) = path.strip_prefix(variable) {
            path = format!("{home}/{rest}");
        }
    }
    for variable in ["$CLAUDE_PROJECT_DIR/", "${CLAUDE_PROJECT_DIR}/"] {
        if let Some(rest) = path.strip_prefix(variable) {
            path = format!("{}/{rest}", folder.display());
        }
    }
    if path.contains(['/', '\\']) {
        return executable(&folder.join(path));
    }
    std::env::split_paths(&std::env::var_os("PATH")?).find_map(|folder| executable(&folder.join(&path)))
}

/// The file itself where it can be run, with `.exe` where that is what it is called.
fn executable(path: &Path) -> Option<PathBuf> {
    let with_exe = path.extension() != Some(OsStr::new("exe"));
    let candidates = [Some(path.to_owned()), (cfg!(windows) && with_exe).then(|| path.with_extension("exe"))];
    candidates.into_iter().flatten().find(|path| path.metadata().is_ok_and(|metadata| metadata.is_file() && may_run(&metadata)))
}

#[cfg(unix)]
fn may_run(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn may_run(_: &std::fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hooks_that_call_stk_are_found_whatever_their_form() {
        for (command, expected) in [
            ("'/opt/my tools/stk' hook claude", Some("/opt/my tools/stk")),
            ("stk hook claude", Some("stk")),
            ("STK_MODE=observe ~/bin/stk  hook claude 2>/dev/null", Some("~/bin/stk")),
            ("\"C:/Program Files/stk.exe\" hook claude", Some("C:/Program Files/stk.exe")),
            (r"C:\bin\STK.EXE hook claude", Some(r"C:\bin\STK.EXE")),
            (r"'/a'\''b/stk' hook claude", Some("/a'b/stk")),
            ("stk outline", None),
            ("/x/not-stk hook claude", None),
            ("rtk hook claude", None),
            ("stk", None),
        ] {
            assert_eq!(program(command).as_deref(), expected, "{command}");
        }
    }
}
