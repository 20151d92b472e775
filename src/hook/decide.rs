//! The decision: the rules, in order, and the first that holds decides. Pure: no disk, no clock, only values.
//!
//! Rule 0, anything that cannot be understood passes, is kept by the shell around this (`answer`).

use std::path::{Component, Path, PathBuf};

use super::claude::Request;
use crate::config::{Config, OutsideProject};
use crate::store::session::Action;

/// What becomes of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It passes.
    Allow,
    /// It passes, and the session keeps what was read.
    AllowAndRecord,
    /// It is answered by the short notice that nothing has changed.
    Notice,
    /// It is answered by the outline, if that is smaller than the file.
    Outline,
}

/// Where a file lies, with every symlink resolved, as far as that is possible.
#[derive(Debug, Default, Clone)]
pub struct Place {
    /// The path as given, absolute.
    pub given: PathBuf,
    /// The path with symlinks resolved.
    pub resolved: PathBuf,
    /// The session's folder, as given.
    pub cwd: Option<PathBuf>,
    /// The same, resolved; None also where there is no such folder.
    pub resolved_cwd: Option<PathBuf>,
    /// `$CLAUDE_PROJECT_DIR`, resolved.
    pub project: Option<PathBuf>,
    /// The folder of the client's own log of the session, as given and resolved.
    pub transcripts: Vec<PathBuf>,
}

/// What a file holds, as far as the rules ask.
#[derive(Debug, Default, Clone)]
pub struct Facts {
    /// Bytes.
    pub size: u64,
    /// A NUL byte near its beginning, or the extension of a picture, a document or a notebook.
    pub is_binary: bool,
    /// Of the content; None over 4 MiB.
    pub hash: Option<String>,
}

/// Instructions are meant to be read whole.
const INSTRUCTIONS: [&str; 5] = ["CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "SKILL.md", "MEMORY.md"];

/// Rule 1: a read of a part passes, never fight it.
pub fn by_request(request: &Request) -> Option<Decision> {
    request.range.map(|_| Decision::Allow)
}

/// Rules 2a and 2b: what the user excludes, what belongs to Claude Code itself, and what it would ask its user about.
/// (Rule 2, no regular file, is kept before: there is no place then.)
pub fn by_place(request: &Request, place: &Place, config: &Config) -> Option<Decision> {
    let is_excluded = config.exclude.matches(&place.given, place.cwd.as_deref())
        || config.exclude.matches(&place.resolved, place.resolved_cwd.as_deref());
    let is_the_clients_own = [&place.given, &place.resolved].into_iter().any(|path| {
        let is_instruction = path.file_name().is_some_and(|name| INSTRUCTIONS.iter().any(|known| same_name(name, known)));
        is_instruction || lies_in_claude_folder(path) || place.transcripts.iter().any(|folder| path.starts_with(folder))
    });
    (is_excluded || is_the_clients_own || would_be_asked_about(request, place, config)).then_some(Decision::Allow)
}

/// An outline given before the client has asked its user would leak.
fn would_be_asked_about(request: &Request, place: &Place, config: &Config) -> bool {
    let asks = request.permission_mode.as_deref().is_some_and(|mode| mode != "bypassPermissions");
    let inside = [&place.resolved_cwd, &place.project].into_iter().flatten().any(|folder| place.resolved.starts_with(folder));
    asks && request.cwd.is_some() && !inside && config.settings.outside_project == OutsideProject::Ask
}

/// A folder named `.claude`, but for the checkouts in its `worktrees`.
fn lies_in_claude_folder(path: &Path) -> bool {
    let mut names = path.parent().into_iter().flat_map(Path::components).filter_map(|component| match component {
        Component::Normal(name) => Some(name),
        _ => None,
    });
    while let Some(name) = names.next() {
        // The next name is only looked at: it may itself be `.claude`.
        if same_name(name, ".claude") && names.clone().next().is_none_or(|next| !same_name(next, "worktrees")) {
            return true;
        }
    }
    false
}

/// Names are the same where the platform's file systems say so.
fn same_name(name: &std::ffi::OsStr, known: &str) -> bool {
    if cfg!(any(windows, target_os = "macos")) { name.eq_ignore_ascii_case(known) } else { name == known }
}

/// Rules 3 to 6. `latest` is what was last done with this path, for this agent and since the last reset.
pub fn by_content(facts: &Facts, latest: Option<&(Action, String)>, config: &Config) -> Decision {
    let is_repeated =
        || facts.hash.as_ref().zip(latest).is_some_and(|(hash, (action, seen))| hash == seen && *action != Action::Dup);
    if facts.is_binary {
        Decision::Allow
    } else if facts.size <= config.settings.clamp_threshold {
        Decision::AllowAndRecord
    } else if config.settings.dedup && is_repeated() {
        Decision::Notice
    } else {
        Decision::Outline
    }
}

#[cfg(test)]
mod tests {
    use super::super::claude::Range;
    use super::*;

    fn request() -> Request {
        Request { cwd: Some("/p".into()), permission_mode: Some("default".to_owned()), ..Request::default() }
    }

    fn place(path: &str) -> Place {
        Place {
            given: path.into(),
            resolved: path.into(),
            cwd: Some("/p".into()),
            resolved_cwd: Some("/p".into()),
            project: None,
            transcripts: vec!["/home/u/t".into()],
        }
    }

    fn decides(request: &Request, place: &Place) -> Option<Decision> {
        by_place(request, place, &Config::default())
    }

    #[test]
    fn rule_1_a_range_passes() {
        assert_eq!(by_request(&Request { range: Some(Range::default()), ..request() }), Some(Decision::Allow));
        assert_eq!(by_request(&request()), None);
    }

    #[test]
    fn rule_2b_the_clients_own_files_pass() {
        for path in [
            "/p/CLAUDE.md",
            "/p/CLAUDE.local.md",
            "/p/docs/AGENTS.md",
            "/p/skills/pdf/SKILL.md",
            "/p/MEMORY.md",
            "/p/.claude/tool.py",
            "/p/.claude/commands/deep/x.md",
            "/p/.claude/worktrees/w/.claude/x.md",
            "/home/u/t/saved.txt",
            "/home/u/t/deep/saved.txt",
        ] {
            let request = Request { permission_mode: Some("bypassPermissions".to_owned()), ..request() };
            assert_eq!(decides(&request, &place(path)), Some(Decision::Allow), "{path}");
        }
        for path in [
            "/p/NOT_CLAUDE.md",
            "/p/CLAUDE.md.orig",
            "/p/CLAUDE.mdx",
            "/p/claude/x.md",
            "/p/AGENTS.md.d/x.md",
            "/p/x.claude/y.md",
            "/p/.claude/worktrees/w/src/main.rs",
            "/p/.claude",
        ] {
            assert_eq!(decides(&request(), &place(path)), None, "{path}");
        }
    }

    #[test]
    fn rule_2b_what_the_client_would_ask_about_passes() {
        let outside = place("/q/x.rs");
        assert_eq!(decides(&request(), &outside), Some(Decision::Allow));
        assert_eq!(decides(&request(), &place("/p-other/x.rs")), Some(Decision::Allow));
        assert_eq!(decides(&request(), &place("/p/x.rs")), None);
        let without_mode = Request { permission_mode: None, ..request() };
        assert_eq!(decides(&without_mode, &outside), None);
        let without_cwd = Request { cwd: None, ..request() };
        assert_eq!(decides(&without_cwd, &Place { cwd: None, resolved_cwd: None, ..outside.clone() }), None);
        let bypassed = Request { permission_mode: Some("bypassPermissions".to_owned()), ..request() };
        assert_eq!(decides(&bypassed, &outside), None);
        assert_eq!(decides(&request(), &Place { project: Some("/q".into()), ..outside.clone() }), None);
        assert_eq!(decides(&request(), &Place { resolved_cwd: None, ..place("/p/x.rs") }), Some(Decision::Allow));
        let linked = Place { resolved: "/q/x.rs".into(), ..place("/p/link.rs") };
        assert_eq!(decides(&request(), &linked), Some(Decision::Allow));
        let mut config = Config::default();
        config.settings.outside_project = OutsideProject::Clamp;
        assert_eq!(by_place(&request(), &outside, &config), None);
    }

    #[test]
    fn rules_3_to_6_in_order() {
        let config = Config::default();
        let facts = |size: u64| Facts { size, is_binary: false, hash: Some("h".to_owned()) };
        let seen = |action, hash: &str| Some((action, hash.to_owned()));
        let big = 16 * 1024 + 1;
        assert_eq!(by_content(&Facts { is_binary: true, ..facts(big) }, None, &config), Decision::Allow);
        assert_eq!(by_content(&facts(16 * 1024), None, &config), Decision::AllowAndRecord);
        assert_eq!(by_content(&facts(big), None, &config), Decision::Outline);
        for (latest, decision) in [
            (seen(Action::Clamp, "h"), Decision::Notice),
            (seen(Action::Allow, "h"), Decision::Notice),
            (seen(Action::Dup, "h"), Decision::Outline),
            (seen(Action::Clamp, "other"), Decision::Outline),
        ] {
            assert_eq!(by_content(&facts(big), latest.as_ref(), &config), decision, "{latest:?}");
        }
        let without_hash = Facts { hash: None, ..facts(5 << 20) };
        assert_eq!(by_content(&without_hash, seen(Action::Clamp, "").as_ref(), &config), Decision::Outline);
        let mut without_dedup = Config::default();
        without_dedup.settings.dedup = false;
        assert_eq!(by_content(&facts(big), seen(Action::Clamp, "h").as_ref(), &without_dedup), Decision::Outline);
    }
}
