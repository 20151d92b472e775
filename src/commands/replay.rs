//! `stk replay`: what stk would have saved in sessions of before. No content is printed or kept.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::chart::{Row, chart, count, size};
use super::progress::Progress;
use super::{Failure, tell};
use crate::cli::{Format, ReplayArgs};
use crate::config::Config;
use crate::in_order::{in_order, workers};
use crate::savings::gain::{signed, tokens};
use crate::savings::replay::{Answered, Kind, Outcome, Replay};
use crate::terminal::Screen;
use crate::{savings::calendar, savings::transcripts, store::records};

/// Rows of projects that are shown; the JSON has all.
const SHOWN: usize = 20;

/// Bytes of an outline that cannot be told, where no other can be told either.
const USUAL_OUTLINE: u64 = 2_500;

const NOT_KNOWN: &str = "how much of these files the model would then have fetched in parts, and in how many more turns";

/// Prints what would have been saved.
pub fn run(args: &ReplayArgs) -> Result<(), Failure> {
    let config = Config::load().map_err(|error| error.to_string())?;
    let folder = args.folder.clone().or_else(transcripts::folder).ok_or_else(|| "the home folder cannot be told".to_owned())?;
    if !folder.is_dir() {
        return Err(format!("{}: is no folder; name one with Claude Code's transcripts", folder.display()).into());
    }
    let since = args.since.map(|since| since.start(records::now()));
    let mut totals = Totals::default();
    let mut has_failed = false;
    let mut progress = Progress::new(true, "transcripts");
    let work = |file: Result<PathBuf, String>| file.and_then(|file| outcomes(&file, &config));
    in_order(transcripts::files(&folder), workers(), work, |outcomes| {
        match outcomes {
            Ok(outcomes) => totals.add_transcript(outcomes, since.unwrap_or(0)),
            Err(error) => {
                has_failed = true;
                progress.clear();
                tell(&error);
            }
        }
        progress.step();
        Ok::<(), Failure>(())
    })?;
    progress.clear();
    let text = match args.format {
        Format::Json => format!("{}\n", totals.json(&folder, since)),
        Format::Text => totals.text(&folder, since, &config, &Screen::of_stdout(args.color)),
    };
    stdout().lock().write_all(text.as_bytes())?;
    if has_failed { Err(Failure::Told) } else { Ok(()) }
}

/// The Reads of one transcript.
fn outcomes(file: &Path, config: &Config) -> Result<Vec<Outcome>, String> {
    let mut replay = Replay::new(config);
    let mut outcomes = Vec::new();
    transcripts::events(file, |event| outcomes.extend(replay.next(event)))
        .map_err(|error| format!("{}: cannot be read: {error}", file.display()))?;
    Ok(outcomes)
}

/// Answered Reads of all transcripts, or of one project or language.
#[derive(Debug, Default, Clone, Copy)]
struct Sum {
    outlines: u64,
    notices: u64,
    delivered_bytes: u64,
    /// Bytes that would have been sent, where they can be told; and how often they cannot.
    sent_bytes: u64,
    estimated: u64,
    ranges: u64,
    range_bytes: u64,
}

#[derive(Debug, Default)]
struct Totals {
    transcripts: u64,
    reads: u64,
    passed: u64,
    other_ranges: u64,
    already: u64,
    all: Sum,
    projects: BTreeMap<String, Sum>,
    languages: BTreeMap<String, Sum>,
    /// Calls that are counted already: a session that is resumed or forked may stand in two files.
    seen: HashSet<(String, u64)>,
}

impl Sum {
    fn add(&mut self, kind: &Kind) {
        match *kind {
            Kind::Answered(Answered { is_dup, delivered, sent }) => {
                *(if is_dup { &mut self.notices } else { &mut self.outlines }) += 1;
                self.delivered_bytes += delivered;
                self.sent_bytes += sent.unwrap_or(0);
                self.estimated += u64::from(sent.is_none());
            }
            Kind::Range(bytes) => {
                self.ranges += 1;
                self.range_bytes += bytes;
            }
            Kind::OtherRange | Kind::Passed | Kind::AlreadyStk | Kind::NoText => {}
        }
    }

    fn answers(&self) -> u64 {
        self.outlines + self.notices
    }

    /// Bytes of an answer that cannot be told: the mean of those that can.
    fn usual(&self) -> u64 {
        self.sent_bytes.checked_div(self.answers() - self.estimated).unwrap_or(USUAL_OUTLINE)
    }

    /// Bytes that would have been sent, with `usual` for each that cannot be told.
    fn sent(&self, usual: u64) -> u64 {
        self.sent_bytes + self.estimated * usual
    }

    fn saved(&self, usual: u64) -> i64 {
        signed(self.delivered_bytes) - signed(self.sent(usual))
    }

    fn json(&self, usual: u64) -> Value {
        json!({
            "outlines": self.outlines,
            "notices": self.notices,
            "delivered_bytes": self.delivered_bytes,
            "sent_bytes": self.sent(usual),
            "estimated": self.estimated,
            "saved_bytes": self.saved(usual),
            "saved_tokens": tokens(self.saved(usual)),
            "ranges": self.ranges,
            "range_bytes": self.range_bytes,
        })
    }
}

impl Totals {
    fn add_transcript(&mut self, outcomes: Vec<Outcome>, since: u64) {
        self.transcripts += 1;
        for Outcome { call, ts, project, language, kind } in outcomes {
            if ts < since || !self.seen.insert((call, ts)) {
                continue;
            }
            self.reads += 1;
            self.passed += u64::from(kind == Kind::Passed);
            self.already += u64::from(kind == Kind::AlreadyStk);
            self.other_ranges += u64::from(kind == Kind::OtherRange);
            if matches!(kind, Kind::Answered(_) | Kind::Range(_)) {
                self.all.add(&kind);
                self.projects.entry(project.to_string_lossy().into_owned()).or_default().add(&kind);
                self.languages.entry(language.to_owned()).or_default().add(&kind);
            }
        }
    }

    fn json(&self, folder: &Path, since: Option<u64>) -> Value {
        let usual = self.all.usual();
        let groups = |groups: &BTreeMap<String, Sum>| -> Vec<Value> {
            let group = |(key, sum): (&String, &Sum)| {
                let mut group = sum.json(usual);
                group["key"] = json!(key);
                group
            };
            groups.iter().map(group).collect()
        };
        let mut document = self.all.json(usual);
        document["folder"] = json!(folder.to_string_lossy());
        document["since"] = json!(since);
        document["transcripts"] = json!(self.transcripts);
        document["reads"] = json!(self.reads);
        document["passed"] = json!(self.passed);
        document["other_ranges"] = json!(self.other_ranges);
        document["already_answered"] = json!(self.already);
        document["estimated_bytes_each"] = json!(usual);
        document["projects"] = groups(&self.projects).into();
        document["languages"] = groups(&self.languages).into();
        document["not_known"] = json!(NOT_KNOWN);
        document
    }

    fn text(&self, folder: &Path, since: Option<u64>, config: &Config, screen: &Screen) -> String {
        let all = &self.all;
        let usual = all.usual();
        let from = since.map(|moment| format!(" since {}", calendar::day(moment))).unwrap_or_default();
        let mut text = format!(
            "{} with {}{from}, in {}.\n",
            count(self.transcripts, "transcript"),
            count(self.reads, "Read"),
            screen.shown(&folder.to_string_lossy()),
        );
        if self.already > 0 {
            let _ = writeln!(text, "stk answered {} of them then; these are not counted below.", self.already);
        }
        if self.reads == 0 {
            return text;
        }
        if all.answers() == 0 {
            text.push_str(
                "None of the others would have been answered: they were small, of a part, or of files that stk leaves alone.\n",
            );
            return text;
        }
        let _ = writeln!(
            text,
            "{} would have been answered (over {}): {} with an outline, {} with the notice that nothing has changed.\n",
            count(all.answers(), "Read"),
            size(signed(config.settings.clamp_threshold)),
            all.outlines,
            all.notices
        );
        for (name, bytes) in [
            ("delivered by Read", signed(all.delivered_bytes)),
            ("stk would have sent", signed(all.sent(usual))),
            ("saved", all.saved(usual)),
        ] {
            let _ = writeln!(text, "  {name:<19}  {:>10}  about {:>9} tokens", size(bytes), tokens(bytes));
        }
        if all.estimated > 0 {
            let known = all.answers() - all.estimated;
            let _ = writeln!(
                text,
                "\n{known} of the {} replies are exact: made anew from the text in the transcript, or from the file where it still is\n\
                 as it was. The others are taken as {} each.",
                all.answers(),
                size(signed(usual))
            );
        }
        let _ = writeln!(
            text,
            "\nOf files that were read whole, parts were read as well: {} with {}. With stk the model would\n\
             have fetched more parts. How many cannot be known from here, nor the turns that takes; nothing is saved where they are\n\
             more than {} % of what Read delivered.",
            count(all.ranges, "ranged Read"),
            size(signed(all.range_bytes)),
            (all.saved(usual).max(0) * 100).checked_div(signed(all.delivered_bytes)).unwrap_or(0),
        );
        for (heading, groups) in [("project", &self.projects), ("language", &self.languages)] {
            text.push('\n');
            text.push_str(&table(heading, groups, usual, screen));
        }
        text
    }
}

fn table(heading: &str, groups: &BTreeMap<String, Sum>, usual: u64, screen: &Screen) -> String {
    let mut groups: Vec<_> = groups.iter().collect();
    groups.sort_by_key(|(_, sum)| std::cmp::Reverse(sum.saved(usual)));
    let row = |(key, sum): &(&String, &Sum)| Row {
        name: (*key).clone(),
        cells: vec![sum.answers().to_string(), size(signed(sum.delivered_bytes)), size(sum.saved(usual)), sum.ranges.to_string()],
        value: sum.saved(usual),
    };
    let rows: Vec<Row> = groups.iter().take(SHOWN).map(row).collect();
    let mut text = chart(&[heading, "answered", "delivered", "saved", "ranges"], &rows, screen);
    if groups.len() > rows.len() {
        let _ = writeln!(text, "… and {} more", groups.len() - rows.len());
    }
    text
}
