//! Claude Code's side of the hook: what it sends on stdin, and what it takes as an answer. Nothing else knows it.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Value, json};

/// Bytes of stdin that are looked at; a request for a Read has some hundred.
const MAX_PAYLOAD: u64 = 64 * 1024 * 1024;

/// What Claude Code tells.
#[derive(Debug, PartialEq, Eq)]
pub enum Event {
    /// It is about to call Read.
    Read(Request),
    /// The session's context is lost or cut: what the model has seen before does not count any more.
    ContextLost {
        /// The session.
        session_id: Option<String>,
    },
    /// Nothing that stk answers.
    Other,
}

/// A call of Read that has not happened yet.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Request {
    /// The session; stays the same over compaction, and is shared with subagents.
    pub session_id: Option<String>,
    /// The subagent that asks; None on the main thread.
    pub agent_id: Option<String>,
    /// The file, made absolute with `cwd`.
    pub file_path: PathBuf,
    /// The folder the session is in.
    pub cwd: Option<PathBuf>,
    /// The session's own log, beside which the client saves long outputs.
    pub transcript_path: Option<PathBuf>,
    /// How the client asks its user; `bypassPermissions` where it does not.
    pub permission_mode: Option<String>,
    /// What part of the file is asked for; None: all of it.
    pub range: Option<Range>,
    /// The call as it was sent, so that it can be sent on with a change.
    pub input: Value,
}

/// The part of a file that a Read asks for. Models send numbers, strings and floats: what is no number is None.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The first line, 1-based.
    pub offset: Option<u64>,
    /// How many lines.
    pub limit: Option<u64>,
}

#[derive(Deserialize)]
struct Payload {
    session_id: Option<String>,
    agent_id: Option<String>,
    transcript_path: Option<String>,
    cwd: Option<String>,
    permission_mode: Option<String>,
    hook_event_name: Option<String>,
    tool_name: Option<String>,
    tool_input: Option<Value>,
    /// Of SessionStart.
    source: Option<String>,
}

#[derive(Deserialize)]
struct ToolInput {
    file_path: String,
    offset: Option<Value>,
    limit: Option<Value>,
    pages: Option<Value>,
    allow_large: Option<Value>,
}

impl Event {
    /// Reads the first JSON object of `stdin`, and no further: it may never end. None: there is none, or it is not of
    /// the form that Claude Code sends.
    pub fn read(stdin: impl Read) -> Option<Self> {
        let mut stdin = BufReader::new(stdin.take(MAX_PAYLOAD));
        if stdin.fill_buf().ok()?.starts_with(b"\xef\xbb\xbf") {
            stdin.consume(3);
        }
        let payload = Payload::deserialize(&mut serde_json::Deserializer::from_reader(stdin)).ok()?;
        match payload.hook_event_name.as_deref() {
            // The event's name may be absent: then it is the one that a hook on a tool is for.
            None | Some("PreToolUse") if payload.tool_name.as_deref() == Some("Read") => payload.into_request().map(Self::Read),
            Some("PreCompact" | "PostCompact") => Some(Self::ContextLost { session_id: payload.session_id }),
            Some("SessionStart") if matches!(payload.source.as_deref(), Some("compact" | "clear")) => {
                Some(Self::ContextLost { session_id: payload.session_id })
            }
            _ => Some(Self::Other),
        }
    }
}

impl Payload {
    fn into_request(self) -> Option<Request> {
        let input = self.tool_input?;
        let cwd = self.cwd.filter(|cwd| !cwd.is_empty()).map(PathBuf::from);
        let (file_path, range) = file_and_range(&input, cwd.as_deref())?;
        Some(Request {
            session_id: self.session_id.filter(|id| !id.is_empty()),
            agent_id: self.agent_id.filter(|id| !id.is_empty()),
            file_path,
            cwd,
            transcript_path: self.transcript_path.filter(|path| !path.is_empty()).map(PathBuf::from),
            permission_mode: self.permission_mode,
            range,
            input,
        })
    }
}

/// The file that a call of Read asks for, made absolute with `cwd`, and the part of it; None: it is no such call.
pub fn file_and_range(input: &Value, cwd: Option<&Path>) -> Option<(PathBuf, Option<Range>)> {
    let input = ToolInput::deserialize(input).ok().filter(|input| !input.file_path.is_empty())?;
    Some((cwd.unwrap_or(Path::new("")).join(&input.file_path), input.range()))
}

impl ToolInput {
    /// A Read that names lines or pages, or says that it knows how large the file is, is left alone. (`null` is none.)
    fn range(&self) -> Option<Range> {
        let pages = self.pages.as_ref().is_some_and(|pages| *pages != "");
        let allow_large = self.allow_large.as_ref().is_some_and(|allow| *allow != false);
        let scoped = self.offset.is_some() || self.limit.is_some() || pages || allow_large;
        scoped.then(|| Range { offset: whole_number(self.offset.as_ref()), limit: whole_number(self.limit.as_ref()) })
    }
}

fn whole_number(value: Option<&Value>) -> Option<u64> {
    match value? {
        Value::String(text) => text.trim().parse().ok(),
        #[expect(clippy::cast_sign_loss, reason = "not below 0")]
        Value::Number(number) => number.as_u64().or_else(|| number.as_f64().filter(|n| *n >= 0.0).map(|n| n as u64)),
        _ => None,
    }
}

/// The answer that keeps a Read from happening; the model reads `reason` in its place.
pub fn deny(reason: &str) -> String {
    json!({
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    })
    .to_string()
}

/// The answer that lets a Read go on, but for its first `lines` alone; the model reads `context` beside them. Without a
/// decision Claude Code still asks its user what it would have asked.
pub fn cut(input: &Value, lines: usize, context: &str) -> String {
    let mut input = input.clone();
    input["offset"] = 1.into();
    input["limit"] = lines.into();
    json!({
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "updatedInput": input,
            "additionalContext": context,
        }
    })
    .to_string()
}

/// The part of `settings.json` that installs the hook: `command` before each Read, and when the context is lost.
pub fn settings(command: &str) -> Value {
    let hooks = json!([{ "type": "command", "command": command, "timeout": 5 }]);
    json!({
        "hooks": {
            "PreToolUse": [{ "matcher": "Read", "hooks": hooks }],
            "SessionStart": [{ "matcher": "compact", "hooks": hooks }],
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Option<Event> {
        Event::read(json.as_bytes())
    }

    fn request(tool_input: &str) -> Option<Request> {
        let payload = format!(r#"{{"session_id":"s","cwd":"/p","tool_name":"Read","tool_input":{tool_input}}}"#);
        match read(&payload)? {
            Event::Read(request) => Some(request),
            _ => None,
        }
    }

    #[test]
    fn a_relative_path_is_taken_from_cwd() {
        assert_eq!(request(r#"{"file_path":"a/b.rs"}"#).unwrap().file_path, PathBuf::from("/p/a/b.rs"));
        assert_eq!(request(r#"{"file_path":"/a/b.rs"}"#).unwrap().file_path, PathBuf::from("/a/b.rs"));
    }

    #[test]
    fn what_scopes_a_read_counts_whatever_its_type() {
        for (input, range) in [
            (r#""offset":null,"limit":null"#, None),
            (r#""pages":"","allow_large":false"#, None),
            (r#""offset":10,"limit":20"#, Some((Some(10), Some(20)))),
            (r#""offset":"10""#, Some((Some(10), None))),
            (r#""limit":5.0"#, Some((None, Some(5)))),
            (r#""offset":-3"#, Some((None, None))),
            (r#""offset":{}"#, Some((None, None))),
            (r#""pages":"1-3""#, Some((None, None))),
            (r#""allow_large":true"#, Some((None, None))),
        ] {
            let request = request(&format!(r#"{{"file_path":"/x",{input}}}"#)).unwrap();
            assert_eq!(request.range.map(|range| (range.offset, range.limit)), range, "{input}");
        }
    }

    #[test]
    fn only_a_read_before_it_happens_is_a_request() {
        for (json, is_read) in [
            (r#"{"tool_name":"Read","tool_input":{"file_path":"/x"}}"#, true),
            (r#"{"hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"file_path":"/x"}}"#, false),
            (r#"{"tool_name":"read","tool_input":{"file_path":"/x"}}"#, false),
            (r#"{"tool_name":"Bash","tool_input":{"command":"cat /x"}}"#, false),
        ] {
            assert_eq!(matches!(read(json), Some(Event::Read(_))), is_read, "{json}");
        }
    }

    #[test]
    fn compaction_and_clearing_lose_the_context() {
        let lost = |json: &str| matches!(read(json), Some(Event::ContextLost { .. }));
        assert!(lost(r#"{"hook_event_name":"PreCompact","session_id":"s"}"#));
        assert!(lost(r#"{"hook_event_name":"PostCompact","session_id":"s"}"#));
        assert!(lost(r#"{"hook_event_name":"SessionStart","source":"compact","session_id":"s"}"#));
        assert!(lost(r#"{"hook_event_name":"SessionStart","source":"clear","session_id":"s"}"#));
        assert!(!lost(r#"{"hook_event_name":"SessionStart","source":"resume","session_id":"s"}"#));
        assert!(!lost(r#"{"hook_event_name":"SessionStart","source":"startup","session_id":"s"}"#));
    }

    #[test]
    fn a_cut_read_keeps_what_was_sent() {
        let sent = request(r#"{"file_path":"b.rs","offset":null,"new":[1]}"#).unwrap();
        let answer: Value = serde_json::from_str(&cut(&sent.input, 40, "outline")).unwrap();
        let expected = json!({
            "hookEventName": "PreToolUse",
            "updatedInput": { "file_path": "b.rs", "offset": 1, "limit": 40, "new": [1] },
            "additionalContext": "outline",
        });
        assert_eq!(answer["hookSpecificOutput"], expected);
    }

    #[test]
    fn malformed_payloads_are_nothing() {
        for json in [
            "",
            "null",
            "[]",
            "17",
            "{",
            "{\"tool_name\":\"Read\"",
            "\u{0}",
            r#"{"tool_name":"Read"}"#,
            r#"{"tool_name":"Read","tool_input":{}}"#,
            r#"{"tool_name":"Read","tool_input":{"file_path":""}}"#,
            r#"{"tool_name":"Read","tool_input":{"file_path":17}}"#,
            r#"{"tool_name":"Read","tool_input":["/x"]}"#,
            r#"{"session_id":17,"tool_name":"Read","tool_input":{"file_path":"/x"}}"#,
            r#"{"tool_name":["Read"],"tool_input":{"file_path":"/x"}}"#,
        ] {
            assert_eq!(read(json), None, "{json}");
        }
        assert_eq!(Event::read(&b"{\"tool_name\":\"Read\",\"tool_input\":{\"file_path\":\"/\xff\"}}"[..]), None);
    }

    #[test]
    fn the_first_object_is_enough_and_a_bom_is_skipped() {
        let payload = "\u{feff}{\"tool_name\":\"Read\",\"tool_input\":{\"file_path\":\"/x\"}}\r\ntrailing";
        assert!(matches!(read(payload), Some(Event::Read(_))));
    }
}
