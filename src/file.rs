//! Reading files: whole up to 4 MiB, beyond that only what an outline shows.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::shape::Shape;

/// Files up to this size are parsed and hashed; bytes.
pub const MAX_PARSED: u64 = 4 * 1024 * 1024;

/// A file with a NUL byte in its first bytes is binary; how many are looked at.
const BINARY_HEAD: usize = 8 * 1024;

/// Lines that are kept of the end of a file that is too big to be held, and bytes of each: what is shown of them.
pub const LAST_LINES: usize = 5;
const LAST_LINE_BYTES: u64 = 1024;

/// Bytes read at a time from a file that is too big to be held.
const CHUNK: usize = 256 * 1024;

/// The content of a file.
#[derive(Debug)]
pub struct Content {
    /// All of it, or the first [`MAX_PARSED`] bytes.
    pub bytes: Vec<u8>,
    /// Its size, lines and the like.
    pub shape: Shape,
    /// The last lines of a file that is not held whole: where each begins, and its text or the beginning of it.
    pub last_lines: Vec<Vec<u8>>,
}

impl Content {
    /// A content that is at hand.
    pub fn of(bytes: Vec<u8>) -> Self {
        Self { shape: Shape::of(&bytes), bytes, last_lines: Vec::new() }
    }

    /// Reads a regular file of `size` bytes, as its metadata says. A file that grows meanwhile is read up to there.
    ///
    /// Errors: those of the system; it is no regular file any more.
    pub fn read(path: &Path, size: u64) -> io::Result<Self> {
        let mut file = open(path)?;
        let held = size.min(MAX_PARSED);
        let mut bytes = Vec::with_capacity(held as usize);
        (&mut file).take(held).read_to_end(&mut bytes)?;
        if size <= MAX_PARSED {
            return Ok(Self::of(bytes));
        }
        Self::read_rest(file.take(size - held), bytes)
    }

    fn read_rest(mut file: io::Take<File>, bytes: Vec<u8>) -> io::Result<Self> {
        let mut shape = Shape::default();
        let mut starts = LineStarts::default();
        shape.add(&bytes);
        starts.add(&bytes);
        let mut chunk = vec![0; CHUNK];
        loop {
            let count = file.read(&mut chunk)?;
            if count == 0 {
                break;
            }
            shape.add(&chunk[..count]);
            starts.add(&chunk[..count]);
        }
        let mut file = file.into_inner();
        let mut last_lines = Vec::new();
        for start in starts.last(shape.bytes) {
            let mut line = Vec::new();
            file.seek(SeekFrom::Start(start))?;
            (&mut file).take(LAST_LINE_BYTES).read_to_end(&mut line)?;
            line.truncate(memchr::memchr(b'\n', &line).unwrap_or(line.len()));
            last_lines.push(line);
        }
        Ok(Self { bytes, shape: shape.end(), last_lines })
    }

    /// Whether `bytes` is all there is.
    pub fn is_whole(&self) -> bool {
        self.bytes.len() as u64 == self.shape.bytes
    }

    /// Whether this is no text, as far as its first bytes tell.
    pub fn is_binary(&self) -> bool {
        let head = &self.bytes[..self.bytes.len().min(BINARY_HEAD)];
        memchr::memchr(0, head).is_some()
    }

    /// BLAKE3 in hex; None over [`MAX_PARSED`].
    pub fn hash(&self) -> Option<String> {
        self.is_whole().then(|| blake3::hash(&self.bytes).to_hex().to_string())
    }
}

/// Opens a regular file for reading, and nothing else: a FIFO would wait for somebody to write into it, and a device may
/// do anything.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    never_wait(&mut options, false);
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no regular file")) }
}

/// Has `open` return at once, whatever is opened, and where `itself` is set, fail on a symlink.
pub fn never_wait(options: &mut OpenOptions, itself: bool) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(if itself { libc::O_NONBLOCK | libc::O_NOFOLLOW } else { libc::O_NONBLOCK });
    }
    #[cfg(not(unix))]
    let _ = (options, itself);
}

/// Where the last lines of a text begin, kept while it streams by.
#[derive(Default)]
struct LineStarts {
    read: u64,
    newest: [u64; LineStarts::KEPT],
    count: usize,
}

impl LineStarts {
    /// One more than is shown: the last may turn out to begin at the very end, and be none.
    const KEPT: usize = LAST_LINES + 1;

    fn add(&mut self, piece: &[u8]) {
        // Only the last few matter: look for them from the end.
        let mut found = [0; Self::KEPT];
        let mut count = 0;
        for newline in memchr::memrchr_iter(b'\n', piece).take(Self::KEPT) {
            found[count] = self.read + newline as u64 + 1;
            count += 1;
        }
        for &start in found[..count].iter().rev() {
            self.newest[self.count % Self::KEPT] = start;
            self.count += 1;
        }
        self.read += piece.len() as u64;
    }

    /// The starts of the last lines of a text of `length` bytes, in file order.
    fn last(&self, length: u64) -> Vec<u64> {
        let mut starts: Vec<_> =
            self.newest[..self.count.min(Self::KEPT)].iter().copied().filter(|start| *start < length).collect();
        starts.sort_unstable();
        let surplus = starts.len().saturating_sub(LAST_LINES);
        starts.drain(..surplus);
        starts
    }
}

/// Extensions of what Read shows as a picture, a document or a notebook, and of SVG not: that is text.
pub fn is_shown_otherwise(path: &Path) -> bool {
    const EXTENSIONS: [&str; 20] = [
        "apng", "avif", "bmp", "cur", "gif", "heic", "heif", "icns", "ico", "ipynb", "jfif", "jp2", "jpeg", "jpg", "jxl", "pdf",
        "png", "tif", "tiff", "webp",
    ];
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    EXTENSIONS.iter().any(|known| extension == *known)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_big_file_is_streamed_and_its_last_lines_are_kept() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let line = "x".repeat(99) + "\n";
        let count = MAX_PARSED as usize / 100 + 5_000;
        file.write_all(line.repeat(count).as_bytes()).unwrap();
        file.write_all(format!("the last\n{}", "y".repeat(5_000)).as_bytes()).unwrap();
        let size = file.path().metadata().unwrap().len();
        let content = Content::read(file.path(), size).unwrap();
        assert!(!content.is_whole() && content.hash().is_none());
        assert_eq!(content.bytes.len() as u64, MAX_PARSED);
        assert_eq!((content.shape.bytes, content.shape.lines), (size, count + 2));
        assert_eq!(content.last_lines.len(), 5);
        assert_eq!(content.last_lines[3], b"the last");
        assert!(content.last_lines[4].starts_with(b"yyy") && content.last_lines[4].len() < 5_000);
    }

    #[test]
    fn one_endless_line_has_no_last_lines() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&vec![b'x'; MAX_PARSED as usize + 10]).unwrap();
        let content = Content::read(file.path(), MAX_PARSED + 10).unwrap();
        assert_eq!(content.shape.lines, 1);
        assert!(content.last_lines.is_empty());
    }

    #[test]
    fn a_file_that_has_grown_is_read_up_to_its_old_size() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"one\ntwo\nthree\n").unwrap();
        assert_eq!(Content::read(file.path(), 8).unwrap().bytes, b"one\ntwo\n");
        assert_eq!(Content::read(file.path(), 100).unwrap().shape.lines, 3);
    }

    #[test]
    fn binary_is_a_nul_in_the_first_8_kib() {
        let with_nul_at = |at: usize| {
            let mut bytes = vec![b'x'; 20_000];
            bytes[at] = 0;
            Content::of(bytes).is_binary()
        };
        assert!(with_nul_at(0) && with_nul_at(8191) && !with_nul_at(8192));
    }
}
