//! Claude Code's own transcripts: which files its Reads have asked for, and what they got. Nothing of them is kept.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use memchr::memmem;
use serde::Deserialize;
use serde_json::Value;

use crate::hook::claude::{self, Range};
use crate::{places, savings::calendar, store::records};

/// Longer lines are not looked at; bytes. A Read's result has some hundred thousand.
const MAX_LINE: u64 = 32 * 1024 * 1024;

/// Where Claude Code keeps its transcripts.
pub fn folder() -> Option<PathBuf> {
    let claude = places::variable("CLAUDE_CONFIG_DIR").map(PathBuf::from).or_else(|| Some(places::home()?.join(".claude")))?;
    Some(claude.join("projects"))
}

/// The transcripts in a folder and below, in a fixed order. An item is an error, a full sentence, where a folder cannot be
/// read.
pub fn files(folder: &Path) -> impl Iterator<Item = Result<PathBuf, String>> + use<> {
    let walk = WalkBuilder::new(folder).standard_filters(false).sort_by_file_name(Ord::cmp).build();
    walk.filter_map(|entry| match entry {
        Err(error) => Some(Err(error.to_string())),
        Ok(entry) => {
            let is_transcript = entry.file_type().is_some_and(|kind| kind.is_file())
                && entry.path().extension().is_some_and(|extension| extension == "jsonl");
            is_transcript.then(|| Ok(entry.into_path()))
        }
    })
}

/// What happened in a session, as far as files were read.
#[derive(Debug, PartialEq, Eq)]
pub enum Event {
    /// A Read, with its result.
    Read(Box<Read>),
    /// The context was compacted: the model does not know any more what it had read.
    ContextLost,
}

/// A Read that has happened.
#[derive(Debug, PartialEq, Eq)]
pub struct Read {
    /// The call's name, which copies of a session share.
    pub call: String,
    /// Milliseconds since the epoch; 0 where it is not said.
    pub ts: u64,
    /// The folder the session was in.
    pub cwd: Option<PathBuf>,
    /// The file, absolute.
    pub file: PathBuf,
    /// The part that was asked for; None: all of it.
    pub range: Option<Range>,
    /// What the model got.
    pub result: Delivered,
}

/// What a Read gave the model.
#[derive(Debug, PartialEq, Eq)]
pub enum Delivered {
    /// Text of the file.
    Text {
        /// Bytes that the model got, the numbers of the lines included.
        bytes: u64,
        /// The text itself, without the numbers.
        text: String,
        /// Lines in the whole file, where that is more than was delivered.
        total_lines: Option<u64>,
    },
    /// A refusal since the file is too large: so many bytes of it.
    TooLarge(u64),
    /// An answer of stk's own.
    Stk,
    /// A picture, a document, an error: nothing that stk would have answered.
    Other,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    subtype: Option<String>,
    #[serde(default)]
    timestamp: Option<String>,
    #[serde(default)]
    cwd: Option<String>,
    #[serde(default)]
    message: Option<Message>,
    #[serde(default)]
    tool_use_result: Option<Value>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Value,
}

/// Shows `visit` what happened in a transcript, in order. Lines of another form are skipped.
///
/// Errors: the file cannot be read.
pub fn events(path: &Path, mut visit: impl FnMut(Event)) -> io::Result<()> {
    let mut calls = HashMap::new();
    let marks = [&br#""Read""#[..], b"tool_result", b"compact_boundary"].map(memmem::Finder::new);
    records::scan(path, MAX_LINE, |line| {
        if marks.iter().all(|mark| mark.find(line).is_none()) {
            return;
        }
        let Ok(line) = serde_json::from_slice::<Line>(line) else { return };
        match line.kind.as_str() {
            "assistant" => line.note_calls(&mut calls),
            "user" => line.results(&mut calls).into_iter().for_each(|read| visit(Event::Read(Box::new(read)))),
            "system" if line.subtype.as_deref() == Some("compact_boundary") => visit(Event::ContextLost),
            _ => {}
        }
    })
}

impl Line {
    fn blocks(&self) -> impl Iterator<Item = &Value> {
        self.message.iter().filter_map(|message| message.content.as_array()).flatten()
    }

    /// Keeps the calls of Read, whose results come later.
    fn note_calls(&self, calls: &mut HashMap<String, Value>) {
        for block in self.blocks().filter(|block| block["type"] == "tool_use" && block["name"] == "Read") {
            if let Some(id) = block["id"].as_str() {
                calls.insert(id.to_owned(), block["input"].clone());
            }
        }
    }

    fn results(&self, calls: &mut HashMap<String, Value>) -> Vec<Read> {
        let results = self.blocks().filter(|block| block["type"] == "tool_result");
        let read = |block: &Value| {
            let id = block["tool_use_id"].as_str()?;
            let input = calls.remove(id)?;
            let cwd = self.cwd.as_deref().map(PathBuf::from);
            let (file, range) = claude::file_and_range(&input, cwd.as_deref())?;
            Some(Read {
                call: id.to_owned(),
                ts: self.timestamp.as_deref().and_then(calendar::moment).unwrap_or(0),
                cwd,
                file,
                range,
                result: self.delivered(block),
            })
        };
        results.filter_map(read).collect()
    }

    fn delivered(&self, block: &Value) -> Delivered {
        let text = match &block["content"] {
            Value::String(text) => text.as_str(),
            Value::Array(parts) => match &parts[..] {
                [part] => part["text"].as_str().unwrap_or_default(),
                _ => "",
            },
            _ => "",
        };
        if text.contains("stk clamp: ") || text.contains("stk: file unchanged since stk") {
            return Delivered::Stk;
        }
        if block["is_error"] == true {
            let is_too_large = text.contains("exceeds maximum allowed size") || text.contains("exceeds maximum allowed tokens");
            return if is_too_large { Delivered::TooLarge(text.len() as u64) } else { Delivered::Other };
        }
        let Some(without_numbers) = without_numbers(text) else { return Delivered::Other };
        let file = self.tool_use_result.as_ref().map(|result| &result["file"]);
        let lines = |name: &str| file.and_then(|file| file[name].as_u64());
        let total_lines = lines("totalLines").zip(lines("numLines")).filter(|(all, shown)| all > shown).map(|(all, _)| all);
        let content = file.and_then(|file| file["content"].as_str()).map(str::to_owned);
        Delivered::Text { bytes: text.len() as u64, text: content.unwrap_or(without_numbers), total_lines }
    }
}

/// The text of lines as Read shows them, `N<TAB>text`; None: the first is none.
fn without_numbers(text: &str) -> Option<String> {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let rest = line.trim_start_matches(' ').trim_start_matches(|c: char| c.is_ascii_digit());
        // Older versions of the client put an arrow behind the number.
        match rest.strip_prefix('\t').or_else(|| rest.strip_prefix('→')).filter(|_| !line.trim_start().starts_with(rest)) {
            Some(rest) => lines.push(rest),
            // What follows the file is the client's own.
            None if lines.is_empty() => return None,
            None => break,
        }
    }
    Some(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(id: &str, input: &Value) -> Value {
        let content =
            json!([{ "type": "text", "text": "let me see" }, { "type": "tool_use", "id": id, "name": "Read", "input": input }]);
        json!({ "type": "assistant", "message": { "role": "assistant", "content": content }, "cwd": "/p" })
    }

    fn result(id: &str, content: &str, is_error: bool, file: &Value) -> Value {
        let block = json!({ "type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error });
        json!({
            "type": "user", "timestamp": "2026-11-30T16:22:30.123Z", "cwd": "/p", "message": { "content": [block] },
            "toolUseResult": { "type": "text", "file": file },
        })
    }

    fn events_of(lines: &[Value]) -> Vec<Event> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        let text: Vec<_> = lines.iter().map(Value::to_string).collect();
        std::fs::write(&path, format!("{}\nnot json \"Read\"\n{{\"type\":\"user\",\"x\":\"tool_result", text.join("\n")))
            .unwrap();
        let mut seen = Vec::new();
        events(&path, |event| seen.push(event)).unwrap();
        seen
    }

    #[test]
    fn a_read_is_told_with_its_result() {
        let seen = events_of(&[
            json!({ "type": "user", "message": { "content": "please Read" } }),
            call("1", &json!({ "file_path": "/p/a.rs", "offset": 3, "limit": 2 })),
            result(
                "1",
                "3\tfn a() {\n4\t}\n",
                false,
                &json!({ "content": "fn a() {\n}", "numLines": 2, "startLine": 3, "totalLines": 9 }),
            ),
            json!({ "type": "system", "subtype": "compact_boundary" }),
            result("1", "repeated", false, &Value::Null),
        ]);
        let [Event::Read(read), Event::ContextLost] = &seen[..] else { panic!("{seen:?}") };
        assert_eq!((read.file.as_path(), read.ts), (Path::new("/p/a.rs"), 1_796_055_750_123));
        assert_eq!(read.range, Some(Range { offset: Some(3), limit: Some(2) }));
        let text = "fn a() {\n}".to_owned();
        assert_eq!(read.result, Delivered::Text { bytes: 15, text, total_lines: Some(9) });
    }

    #[test]
    fn results_are_told_apart() {
        let delivered = |content: &str, is_error| {
            let call = call("1", &json!({ "file_path": "a.rs" }));
            match events_of(&[call, result("1", content, is_error, &Value::Null)]).pop() {
                Some(Event::Read(read)) => read.result,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(delivered("PreToolUse:Read hook error: stk clamp: /p/a.rs, 20 KB", true), Delivered::Stk);
        assert_eq!(delivered("File content (411.9KB) exceeds maximum allowed size (256KB).", true), Delivered::TooLarge(60));
        assert_eq!(delivered("File does not exist.", true), Delivered::Other);
        assert_eq!(delivered("<system-reminder>empty</system-reminder>", false), Delivered::Other);
        let text = |content: &str| match delivered(content, false) {
            Delivered::Text { text, .. } => text,
            other => panic!("{other:?}"),
        };
        assert_eq!(text("1\ta\n2\t\tb\n3\t\n"), "a\n\tb\n");
        assert_eq!(text("     1→a\n     2→b\n\n<system-reminder>x</system-reminder>"), "a\nb");
    }

    #[test]
    fn only_transcripts_are_files_of_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["-p/b.jsonl", "-p/a.jsonl", "-p/a/subagents/agent-1.jsonl", "-p/memory/x.md", ".hidden/c.jsonl"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let names: Vec<_> = files(folder.path())
            .map(|path| path.unwrap().strip_prefix(folder.path()).unwrap().to_string_lossy().replace('\\', "/"))
            .collect();
        assert_eq!(names, ["-p/a/subagents/agent-1.jsonl", "-p/a.jsonl", "-p/b.jsonl", ".hidden/c.jsonl"]);
    }
}
