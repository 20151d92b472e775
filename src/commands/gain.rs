//! `stk gain`: what was saved, what that cost, and what cannot be seen from here.

use std::fmt::Write as _;
use std::io::{Write, stdout};

use serde_json::{Value, json};

use super::Failure;
use super::chart::{Row, chart, count, size};
use crate::cli::{Format, GainArgs, GainBy};
use crate::config::Config;
use crate::savings::gain::{self, By, Gain, Sum, Sums, tokens};
use crate::terminal::Screen;
use crate::{savings::calendar, store::records, store::stats};

/// Rows of files and the like that are shown; the JSON has all.
const SHOWN: usize = 20;

const NOT_COUNTED: [&str; 4] = [
    "what the model would have done without stk, and whether it would have read parts anyway",
    "the extra turns that fetching parts takes, each of which costs tokens of its own",
    "reads through Bash (cat, sed) and @file mentions: no Read hook sees them",
    "how many tokens it really were: bytes / 4 is a rough measure, and ranged reads are estimated from a file's mean line",
];

/// Prints the totals of the statistics.
pub fn run(args: &GainArgs) -> Result<(), Failure> {
    let since = args.since.map(|since| since.start(records::now()));
    let by = args.by.map(|by| match by {
        GainBy::Day => By::Day,
        GainBy::Language => By::Language,
        GainBy::File => By::File,
    });
    // What is wrong with a configuration is no matter of the totals.
    let languages = Config::load_file().unwrap_or_default().languages;
    let mut gain = Gain::new(by, since.unwrap_or(0), languages);
    if let Some(path) = stats::path() {
        stats::read(&path, |stat| gain.add(stat)).map_err(|error| format!("{}: cannot be read: {error}", path.display()))?;
    }
    let text = match args.format {
        Format::Json => format!("{}\n", json(&gain, since)),
        Format::Text => text(&gain, since, &Screen::of_stdout(args.color)),
    };
    stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}

fn text(gain: &Gain, since: Option<u64>, screen: &Screen) -> String {
    let Sums { done, observed } = &gain.total;
    let since = since.map(|moment| format!(" since {}", calendar::day(moment))).unwrap_or_default();
    let mut text = String::new();
    if done.is_empty() && observed.is_empty() {
        let _ = writeln!(text, "Nothing recorded{since} yet. `stk init --check` says whether the hook is installed.");
        return text;
    }
    if !done.is_empty() {
        let answers = count(done.answers(), "read");
        let outlines = count(done.clamps, "time");
        let notices = count(done.dups, "time");
        let _ = writeln!(
            text,
            "{answers} answered{since}: {outlines} with an outline, {notices} with the notice that nothing has changed.\n"
        );
        text.push_str(&sums(done, "sent instead"));
        let _ = writeln!(
            text,
            "\nRead alone would have delivered {} of these files: it stops at 25,000 tokens (taken as 64 KB here) and refuses\n\
             a whole file over 256 KB. Against that, the net is {}, about {} tokens.",
            size(gain::signed(done.deliverable_bytes)),
            size(done.net_of_deliverable_bytes()),
            tokens(done.net_of_deliverable_bytes()),
        );
    }
    if !observed.is_empty() {
        let _ = writeln!(
            text,
            "{}Only observed{since}, nothing of it done: {} would have been answered ({} with an outline, {} with the notice).\n",
            if done.is_empty() { "" } else { "\n" },
            count(observed.answers(), "read"),
            observed.clamps,
            observed.dups
        );
        text.push_str(&sums(observed, "would be sent"));
    }
    if gain.by.is_some() && !gain.groups.is_empty() {
        text.push('\n');
        text.push_str(&groups(gain, screen));
    }
    text.push_str("\nWhat cannot be seen from here:\n");
    for what in NOT_COUNTED {
        let _ = writeln!(text, "- {what}");
    }
    if gain.other_ranges > 0 {
        let _ =
            writeln!(text, "Not counted either: {} of files that stk had not answered.", count(gain.other_ranges, "ranged read"));
    }
    text
}

fn sums(sum: &Sum, sent: &str) -> String {
    let ranges = format!("fetched again by {}", count(sum.ranges, "ranged read"));
    let rows = [
        ("files asked for", gain::signed(sum.file_bytes)),
        (sent, gain::signed(sum.sent_bytes)),
        ("avoided", gain::signed(sum.avoided_bytes())),
        (ranges.as_str(), gain::signed(sum.refetched_bytes)),
        ("net", sum.net_bytes()),
    ];
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, bytes) in rows {
        let _ = writeln!(text, "  {name:width$}  {:>10}  about {:>9} tokens", size(bytes), tokens(bytes));
    }
    text
}

/// The groups that are shown: of days all, of others those with the most.
fn groups(gain: &Gain, screen: &Screen) -> String {
    // Where nothing was done, what was observed is of interest.
    let of = |sums: &Sums| if gain.total.done.is_empty() { sums.observed } else { sums.done };
    let mut groups: Vec<(&str, Sum)> = gain.groups.iter().map(|(key, sums)| (key.as_str(), of(sums))).collect();
    groups.retain(|(_, sum)| !sum.is_empty());
    let (heading, all) = match gain.by {
        Some(By::Day) => ("day (UTC)", groups.len()),
        Some(By::Language) => ("language", groups.len()),
        _ => ("file", SHOWN),
    };
    if gain.by != Some(By::Day) {
        groups.sort_by_key(|(_, sum)| std::cmp::Reverse((sum.net_bytes(), sum.file_bytes)));
    }
    let row = |(key, sum): &(&str, Sum)| Row {
        name: (*key).to_owned(),
        cells: vec![
            sum.answers().to_string(),
            size(gain::signed(sum.avoided_bytes())),
            size(gain::signed(sum.refetched_bytes)),
            size(sum.net_bytes()),
        ],
        value: sum.net_bytes(),
    };
    let rows: Vec<Row> = groups.iter().take(all).map(row).collect();
    let mut text = chart(&[heading, "reads", "avoided", "fetched again", "net"], &rows, screen);
    if groups.len() > rows.len() {
        let _ = writeln!(text, "… and {} more", groups.len() - rows.len());
    }
    text
}

fn json(gain: &Gain, since: Option<u64>) -> Value {
    let mut document = json_of(&gain.total.done);
    document["since"] = json!(since);
    document["other_ranges"] = json!(gain.other_ranges);
    document["observed"] = json_of(&gain.total.observed);
    if gain.by.is_some() {
        let group = |(key, sums): (&String, &Sums)| {
            let mut group = json_of(&sums.done);
            group["key"] = json!(key);
            group["observed"] = json_of(&sums.observed);
            group
        };
        document["groups"] = gain.groups.iter().map(group).collect();
    }
    document["not_counted"] = json!(NOT_COUNTED);
    document
}

fn json_of(sum: &Sum) -> Value {
    json!({
        "clamps": sum.clamps,
        "dups": sum.dups,
        "file_bytes": sum.file_bytes,
        "sent_bytes": sum.sent_bytes,
        "avoided_bytes": sum.avoided_bytes(),
        "avoided_tokens": tokens(gain::signed(sum.avoided_bytes())),
        "ranges": sum.ranges,
        "refetched_bytes": sum.refetched_bytes,
        "net_bytes": sum.net_bytes(),
        "net_tokens": tokens(sum.net_bytes()),
        "deliverable_bytes": sum.deliverable_bytes,
        "net_of_deliverable_bytes": sum.net_of_deliverable_bytes(),
        "net_of_deliverable_tokens": tokens(sum.net_of_deliverable_bytes()),
    })
}
