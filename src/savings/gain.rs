//! What was saved, and what it cost: records of the statistics added up. Pure: no disk, no clock.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use crate::language::known::Languages;
use crate::savings::calendar;
use crate::store::stats::{Kind, Stat};

/// What a whole-file Read delivers at most, as bytes: it stops at 25,000 tokens.
pub const READ_DELIVERS: u64 = 64 * 1024;
/// Files over this size Read refuses to deliver whole; bytes.
pub const READ_REFUSES: u64 = 256 * 1024;
/// Bytes to a token: a rough measure.
pub const BYTES_PER_TOKEN: i64 = 4;

/// By what totals are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// Days, in UTC.
    Day,
    /// Languages, as file names tell them.
    Language,
    /// Files.
    File,
}

/// A sum of records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    /// Reads answered by an outline.
    pub clamps: u64,
    /// Reads answered by the notice that nothing has changed.
    pub dups: u64,
    /// Bytes of the files that were asked for.
    pub file_bytes: u64,
    /// Bytes that were sent in their place.
    pub sent_bytes: u64,
    /// Bytes of those files that Read alone would have delivered, as far as is known.
    pub deliverable_bytes: u64,
    /// Ranged reads of files that had been answered before.
    pub ranges: u64,
    /// Bytes that these fetched, estimated.
    pub refetched_bytes: u64,
}

impl Sum {
    /// Reads that were answered.
    pub fn answers(&self) -> u64 {
        self.clamps + self.dups
    }

    /// Bytes of files that were not sent.
    pub fn avoided_bytes(&self) -> u64 {
        self.file_bytes.saturating_sub(self.sent_bytes)
    }

    /// What remains of that after what was fetched again; below 0 where it cost more than it saved.
    pub fn net_bytes(&self) -> i64 {
        signed(self.avoided_bytes()) - signed(self.refetched_bytes)
    }

    /// The same, measured against what Read would have delivered.
    pub fn net_of_deliverable_bytes(&self) -> i64 {
        signed(self.deliverable_bytes) - signed(self.sent_bytes) - signed(self.refetched_bytes)
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds a read that was answered, or would have been.
    pub fn add_answer(&mut self, is_dup: bool, file_bytes: u64, sent_bytes: u64) {
        *(if is_dup { &mut self.dups } else { &mut self.clamps }) += 1;
        self.file_bytes += file_bytes;
        self.sent_bytes += sent_bytes;
        self.deliverable_bytes += deliverable(file_bytes);
    }

    /// Adds a ranged read of a file that had been answered.
    pub fn add_range(&mut self, bytes: u64) {
        self.ranges += 1;
        self.refetched_bytes += bytes;
    }
}

/// A sum, with what was only observed apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sums {
    /// What was done.
    pub done: Sum,
    /// What would have been done.
    pub observed: Sum,
}

/// The totals of all records, and of groups of them.
#[derive(Debug)]
pub struct Gain {
    /// By what the groups are made.
    pub by: Option<By>,
    since: u64,
    languages: Languages,
    /// All of them.
    pub total: Sums,
    /// Of each day, language or file.
    pub groups: BTreeMap<String, Sums>,
    /// Ranged reads of files that stk had not answered: no consequence of it.
    pub other_ranges: u64,
    /// The latest that is known of each file.
    files: HashMap<String, Known>,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    bytes: u64,
    lines: u64,
    /// Whether the model got an outline or a notice in its place.
    was_answered: bool,
}

impl Gain {
    /// Nothing yet. `since`: records before it (milliseconds since the epoch) are not counted, only learned from.
    pub fn new(by: Option<By>, since: u64, languages: Languages) -> Self {
        let (total, groups, files) = (Sums::default(), BTreeMap::new(), HashMap::new());
        Self { by, since, languages, total, groups, other_ranges: 0, files }
    }

    /// Adds a record; they come in the order in which they were written.
    pub fn add(&mut self, stat: &Stat<'_>) {
        let counts = stat.ts >= self.since;
        let range = match stat.kind {
            Kind::Clamp | Kind::Dup => {
                self.learn(stat);
                None
            }
            // A ranged read that was only observed is none that stk has caused.
            Kind::Range if stat.observed => return,
            Kind::Range => {
                let Some(known) = self.files.get(stat.file.as_ref()).filter(|known| known.was_answered) else {
                    self.other_ranges += u64::from(counts);
                    return;
                };
                Some(known.range(stat))
            }
        };
        if !counts {
            return;
        }
        let add = |sums: &mut Sums| {
            let sum = if stat.observed { &mut sums.observed } else { &mut sums.done };
            match range {
                Some(bytes) => sum.add_range(bytes),
                None => sum.add_answer(stat.kind == Kind::Dup, stat.file_bytes, stat.sent_bytes.unwrap_or_default()),
            }
        };
        add(&mut self.total);
        if let Some(by) = self.by {
            let key = match by {
                By::Day => calendar::day(stat.ts),
                By::Language => language_of(&stat.file, &self.languages).to_owned(),
                By::File => stat.file.clone().into_owned(),
            };
            add(self.groups.entry(key).or_default());
        }
    }

    fn learn(&mut self, stat: &Stat<'_>) {
        let known = Known { bytes: stat.file_bytes, lines: stat.lines.unwrap_or(0), was_answered: !stat.observed };
        match self.files.get_mut(stat.file.as_ref()) {
            Some(old) => *old = Known { was_answered: known.was_answered || old.was_answered, ..known },
            None => drop(self.files.insert(stat.file.clone().into_owned(), known)),
        }
    }
}

impl Known {
    /// Bytes that a ranged read fetched, by the mean line of the file as it was when it was answered.
    fn range(&self, stat: &Stat<'_>) -> u64 {
        range_bytes(self.bytes, self.lines, stat.file_bytes, stat.offset, stat.limit)
    }
}

/// Bytes that a ranged read of a file of `size` bytes fetches, where the file had `lines` lines in `bytes` bytes before.
/// Without an offset it begins at line 1, without a limit it goes to the end; never more than Read delivers.
pub fn range_bytes(bytes: u64, lines: u64, size: u64, offset: Option<u64>, limit: Option<u64>) -> u64 {
    if lines == 0 {
        return size.min(READ_DELIVERS);
    }
    let skipped = offset.unwrap_or(1).saturating_sub(1);
    let scale = |count: u64| u64::try_from(u128::from(count) * u128::from(bytes) / u128::from(lines)).unwrap_or(u64::MAX);
    let rest = size.saturating_sub(scale(skipped));
    limit.map_or(rest, |limit| scale(limit).min(rest)).min(READ_DELIVERS)
}

/// What a whole-file Read delivers of a file of so many bytes.
pub fn deliverable(file_bytes: u64) -> u64 {
    if file_bytes > READ_REFUSES { 0 } else { file_bytes.min(READ_DELIVERS) }
}

/// Tokens in so many bytes, roughly.
pub fn tokens(bytes: i64) -> i64 {
    bytes / BYTES_PER_TOKEN
}

/// The language of a file, by its name alone.
pub fn language_of(file: &str, languages: &Languages) -> &'static str {
    // Records of another platform have its separators.
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let name = Path::new(name).file_name().unwrap_or_default().to_string_lossy();
    languages.of_file(&name, b"").map_or("other", |language| language.name)
}

/// Sizes of files fit into what has a sign.
pub fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stat(kind: Kind, ts: u64, file: &str, file_bytes: u64, sent_bytes: u64) -> Stat<'_> {
        let answered = kind != Kind::Range;
        Stat {
            ts,
            file: file.into(),
            file_bytes,
            sent_bytes: answered.then_some(sent_bytes),
            kind,
            lines: answered.then_some(1000),
            offset: None,
            limit: None,
            observed: false,
        }
    }

    fn range(ts: u64, file: &str, offset: Option<u64>, limit: Option<u64>) -> Stat<'_> {
        Stat { offset, limit, ..stat(Kind::Range, ts, file, 40_000, 0) }
    }

    #[test]
    fn answers_add_up_and_ranges_are_taken_off() {
        let mut gain = Gain::new(None, 0, Languages::default());
        gain.add(&range(1, "/a.rs", Some(1), Some(100)));
        gain.add(&stat(Kind::Clamp, 2, "/a.rs", 40_000, 2_000));
        gain.add(&stat(Kind::Dup, 3, "/a.rs", 40_000, 200));
        gain.add(&range(4, "/a.rs", Some(11), Some(100)));
        gain.add(&range(5, "/b.rs", Some(11), Some(100)));
        let sum = gain.total.done;
        assert_eq!((sum.clamps, sum.dups, sum.file_bytes, sum.sent_bytes, sum.avoided_bytes()), (1, 1, 80_000, 2_200, 77_800));
        assert_eq!((sum.ranges, sum.refetched_bytes, sum.net_bytes()), (1, 4_000, 73_800));
        assert_eq!(gain.other_ranges, 2, "neither before an answer nor of another file");
    }

    #[test]
    fn a_range_is_as_long_as_the_file_and_as_read_allow() {
        let of = |size, offset, limit| range_bytes(40_000, 1000, size, offset, limit);
        assert_eq!(of(40_000, Some(1), Some(10)), 400);
        assert_eq!(of(40_000, Some(991), Some(100)), 400);
        assert_eq!(of(40_000, Some(991), None), 400);
        assert_eq!(of(40_000, None, Some(10)), 400);
        assert_eq!(of(40_000, None, None), 40_000);
        assert_eq!(of(40_000, Some(5000), Some(10)), 0);
        assert_eq!(of(80_000, Some(1991), None), 400, "the file has grown");
        assert_eq!(of(400_000, None, None), READ_DELIVERS);
        assert_eq!(of(400_000, Some(u64::MAX), Some(u64::MAX)), 0);
        assert_eq!(range_bytes(0, 0, 400_000, Some(1), Some(1)), READ_DELIVERS);
        assert_eq!(range_bytes(u64::MAX, 1, u64::MAX, None, Some(u64::MAX)), READ_DELIVERS);
    }

    #[test]
    fn read_alone_delivers_less_of_big_files() {
        assert_eq!([20_000, 65_536, 200_000, 262_144, 262_145].map(deliverable), [20_000, 65_536, 65_536, 65_536, 0]);
        let mut gain = Gain::new(None, 0, Languages::default());
        gain.add(&stat(Kind::Clamp, 1, "/a", 1_000_000, 2_000));
        assert_eq!((gain.total.done.net_bytes(), gain.total.done.net_of_deliverable_bytes()), (998_000, -2_000));
    }

    #[test]
    fn what_was_only_observed_stands_apart() {
        let mut gain = Gain::new(None, 0, Languages::default());
        gain.add(&Stat { observed: true, ..stat(Kind::Clamp, 1, "/a", 40_000, 2_000) });
        gain.add(&range(2, "/a", Some(1), Some(10)));
        gain.add(&Stat { observed: true, ..range(2, "/a", Some(1), Some(10)) });
        assert_eq!((gain.total.done, gain.other_ranges), (Sum::default(), 1));
        assert_eq!((gain.total.observed.clamps, gain.total.observed.avoided_bytes()), (1, 38_000));
    }

    #[test]
    fn groups_are_days_languages_or_files_and_old_records_only_teach() {
        let day = calendar::moment("2026-11-30").unwrap();
        let records = [
            stat(Kind::Clamp, day - 1, "/a.rs", 40_000, 2_000),
            stat(Kind::Clamp, day, r"C:\x\b.PY", 40_000, 2_000),
            stat(Kind::Clamp, day, "/Makefile.unheard", 40_000, 2_000),
            range(day, "/a.rs", Some(1), Some(10)),
        ];
        let groups = |by, since| {
            let mut gain = Gain::new(Some(by), since, Languages::default());
            for stat in &records {
                gain.add(stat);
            }
            gain.groups.iter().map(|(key, sums)| (key.clone(), sums.done.answers(), sums.done.ranges)).collect::<Vec<_>>()
        };
        let key = |key: &str, answers, ranges| (key.to_owned(), answers, ranges);
        assert_eq!(groups(By::Day, 0), [key("2026-11-29", 1, 0), key("2026-11-30", 2, 1)]);
        assert_eq!(groups(By::Language, 0), [key("other", 1, 0), key("python", 1, 0), key("rust", 1, 1)]);
        assert_eq!(groups(By::File, day), [key("/Makefile.unheard", 1, 0), key("/a.rs", 0, 1), key(r"C:\x\b.PY", 1, 0)]);
    }
}
