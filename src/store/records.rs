//! Files of one JSON record a line, which many processes append to at the same time.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use memchr::memmem::Finder;
use memchr::{memchr, memrchr};
use serde::Serialize;

use crate::places;

/// Bytes read at a time from the end of a file.
const CHUNK: u64 = 64 * 1024;

/// Appends one record. One `write` for the whole line, so that parallel processes never tear each other's; where a
/// process was killed in the middle of its own, this one begins on a fresh line.
pub fn append(path: &Path, record: &impl Serialize) -> io::Result<()> {
    let mut line = Vec::with_capacity(256);
    let mut file = places::open_to_append(path)?;
    if !ends_with_newline(&mut file)? {
        line.push(b'\n');
    }
    serde_json::to_writer(&mut line, record)?;
    line.push(b'\n');
    let written = file.write(&line)?;
    if written < line.len() {
        // A full disk takes a part; the reader skips it, and the next record begins on a fresh line.
        return Err(io::ErrorKind::WriteZero.into());
    }
    Ok(())
}

fn ends_with_newline(file: &mut File) -> io::Result<bool> {
    let length = file.metadata()?.len();
    if length == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::Start(length - 1))?;
    // Nothing to read: another process has just replaced the file.
    Ok(file.read(&mut last)? == 0 || last == [b'\n'])
}

/// Shows `visit` the lines of a file that hold one of these marks, from the last to the first, until it answers true or
/// `limit` bytes are read. A file that is missing or cannot be read has no lines.
///
/// Marks hold no line end. They are looked for in many lines at once: most lines hold none, and to look at each costs more.
pub fn scan_backwards(path: &Path, limit: u64, marks: &[Finder<'_>], mut visit: impl FnMut(&[u8]) -> bool) {
    let Ok(mut file) = places::open_to_read(path) else { return };
    let Ok(length) = file.metadata().map(|metadata| metadata.len()) else { return };
    let stop = length.saturating_sub(limit);
    let (mut start, mut held) = (length, Vec::new());
    while start > stop {
        let size = CHUNK.min(start - stop);
        start -= size;
        let mut chunk = Vec::with_capacity(size as usize + held.len());
        let read = file.seek(SeekFrom::Start(start)).and_then(|_| (&mut file).take(size).read_to_end(&mut chunk));
        if read.ok() != Some(size as usize) {
            return;
        }
        chunk.extend_from_slice(&held);
        // Up to there it is the end of a line that began before.
        let cut = if start == 0 { None } else { Some(memchr(b'\n', &chunk).unwrap_or(chunk.len())) };
        let lines = &chunk[cut.unwrap_or(0)..];
        let mut hits: Vec<usize> = marks.iter().flat_map(|mark| mark.find_iter(lines)).collect();
        hits.sort_unstable();
        let mut shown = lines.len();
        for hit in hits.into_iter().rev() {
            if hit < shown {
                shown = memrchr(b'\n', &lines[..hit]).map_or(0, |newline| newline + 1);
                let end = memchr(b'\n', &lines[hit..]).map_or(lines.len(), |length| hit + length);
                if visit(&lines[shown..end]) {
                    return;
                }
            }
        }
        chunk.truncate(cut.unwrap_or(0));
        held = chunk;
    }
}

/// Shows `visit` the lines of a file from the first to the last, but for those over `limit` bytes: they are no records.
/// A file that is missing has no lines.
///
/// Errors: the file is there, and cannot be read.
pub fn scan(path: &Path, limit: u64, mut visit: impl FnMut(&[u8])) -> io::Result<()> {
    let mut file = match File::open(path) {
        Ok(file) => BufReader::with_capacity(CHUNK as usize, file),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut file).take(limit).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let is_whole = line.ends_with(b"\n");
        if is_whole || (line.len() as u64) < limit {
            visit(line.strip_suffix(b"\n").unwrap_or(&line));
        } else {
            file.skip_until(b'\n')?;
        }
    }
}

/// Milliseconds since the epoch; 0 where the clock stands before it.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_millis() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_a_mark_come_back_in_reverse_whatever_their_length() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        let lines: Vec<String> = (0..500).map(|n| "x".repeat(n * 3 % 1000) + &n.to_string()).collect();
        for end in ["", "\n"] {
            std::fs::write(&path, lines.join("\n") + end).unwrap();
            for marks in [&["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"][..], &["x7", "13"], &["0"], &["none"], &[]] {
                let finders: Vec<_> = marks.iter().map(|mark| Finder::new(*mark)).collect();
                let mut seen = Vec::new();
                scan_backwards(&path, u64::MAX, &finders, |line| {
                    seen.push(String::from_utf8(line.to_vec()).unwrap());
                    false
                });
                seen.reverse();
                let held = |line: &&String| marks.iter().any(|mark| line.contains(mark));
                assert!(seen.iter().eq(lines.iter().filter(held)), "{marks:?}");
            }
        }
    }

    #[test]
    fn a_torn_line_does_not_swallow_the_next_record() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/r.jsonl");
        append(&path, &1).unwrap();
        std::fs::write(&path, "1\n{\"torn").unwrap();
        append(&path, &2).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "1\n{\"torn\n2\n");
    }

    #[test]
    fn no_more_than_the_limit_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        std::fs::write(&path, "aaaa\nbbbb\ncccc\n").unwrap();
        let mut seen = 0;
        scan_backwards(&path, 11, &["a", "b", "c"].map(Finder::new), |_| {
            seen += 1;
            false
        });
        assert_eq!(seen, 2, "the line that the limit cuts is not shown");
    }

    #[test]
    fn lines_come_in_order_and_endless_ones_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        std::fs::write(&path, format!("a\n\n{}\nb\n{}\nc", "x".repeat(10), "y".repeat(9))).unwrap();
        let lines = |limit| {
            let mut lines = Vec::new();
            scan(&path, limit, |line| lines.push(String::from_utf8(line.to_vec()).unwrap())).unwrap();
            lines
        };
        assert_eq!(lines(10), ["a", "", "b", "yyyyyyyyy", "c"]);
        assert_eq!(lines(1000).len(), 6);
        assert!(scan(&folder.path().join("none"), 10, |_| panic!()).is_ok());
        assert!(scan(folder.path(), 10, |_| panic!()).is_err());
    }
}
