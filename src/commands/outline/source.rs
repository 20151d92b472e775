//! One file: read, its language told, its outline made, and what was asked for chosen.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::cli::OutlineArgs;
use crate::commands::standard_input;
use crate::file::{self, Content};
use crate::language::Language;
use crate::language::known::Languages;
use crate::language::outline_query::OutlineQuery;
use crate::outline::{self, Outline, Parser, Symbol, find, tags};

/// Nobody waits for a keystroke here: parsing may take its time.
const TIMEOUT: Duration = Duration::from_secs(10);

/// What is looked at of a file of a folder before it is read; bytes.
const HEAD: u64 = 8 * 1024;

/// Why a file has no outline.
pub(super) enum Unread {
    /// It is no text.
    Binary,
    /// Its language is not known.
    Unknown,
    /// It is of another language than asked for.
    Other,
    /// It cannot be read: a full sentence.
    Failed(String),
}

impl From<String> for Unread {
    fn from(error: String) -> Self {
        Self::Failed(error)
    }
}

/// A file, read.
pub(super) struct Source {
    /// Without its folder.
    name: String,
    /// On disk.
    bytes: u64,
    /// In UTF-8, where it was UTF-16 with a byte order mark.
    content: Arc<Content>,
    language: Option<&'static Language>,
}

impl Source {
    /// A file that the user names, or `-`, whatever it is.
    pub(super) fn named(path: &Path, language: Option<&'static Language>, languages: &Languages) -> Result<Self, Unread> {
        let (bytes, content) = if path == Path::new("-") {
            decoded(Content::of(standard_input()?))
        } else {
            let shown = path.display();
            let metadata = path.metadata().map_err(|error| format!("{shown}: cannot be read: {error}"))?;
            if !metadata.is_file() {
                return Err(format!("{shown}: is no regular file; name a file or a folder").into());
            }
            read(path, metadata.len())?
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let language = language.or_else(|| languages.of_file(&name, &content.bytes));
        Ok(Self { name: name.into_owned(), bytes, content: Arc::new(content), language })
    }

    /// A file of a folder: only where it is a text of a known language, and of `wanted` where that is given.
    pub(super) fn found(path: &Path, wanted: Option<&'static Language>, languages: &Languages) -> Result<Self, Unread> {
        let failed = |error| format!("{}: cannot be read: {error}", path.display());
        let mut head = Vec::new();
        let mut file = File::open(path).map_err(failed)?;
        (&mut file).take(HEAD).read_to_end(&mut head).map_err(failed)?;
        let is_utf16 = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
        if file::is_shown_otherwise(path) || !is_utf16 && memchr::memchr(0, &head).is_some() {
            return Err(Unread::Binary);
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let language = languages.of_file(&name, &head).ok_or(Unread::Unknown)?;
        if wanted.is_some_and(|wanted| wanted.name != language.name) {
            return Err(Unread::Other);
        }
        let size = file.metadata().map_err(failed)?.len();
        let (bytes, content) = read(path, size)?;
        Ok(Self { name: name.into_owned(), bytes, content: Arc::new(content), language: Some(language) })
    }

    /// Makes the outline. `of_many`: others follow, so that memory matters.
    pub(super) fn outline(self, of_many: bool) -> Result<Outlined, Unread> {
        let make: outline::Make = if of_many { outline::outline_of_many } else { outline::outline };
        let outline = make(&self.content, self.language, self.query()?, TIMEOUT);
        Ok(Outlined { source: self, outline })
    }

    fn query(&self) -> Result<OutlineQuery, String> {
        let load = |language| OutlineQuery::load(language).map(|query| query.of_file(language, &self.name));
        Ok(self.language.map(load).transpose()?.unwrap_or_default())
    }
}

fn read(path: &Path, size: u64) -> Result<(u64, Content), String> {
    let content = Content::read(path, size).map_err(|error| format!("{}: cannot be read: {error}", path.display()))?;
    Ok(decoded(content))
}

/// The size on disk, and the content in UTF-8 where it is UTF-16 with a byte order mark.
fn decoded(content: Content) -> (u64, Content) {
    let bytes = content.shape.bytes;
    let read: fn([u8; 2]) -> u16 = match content.bytes {
        _ if !content.is_whole() => return (bytes, content),
        ref text if text.starts_with(b"\xff\xfe") => u16::from_le_bytes,
        ref text if text.starts_with(b"\xfe\xff") => u16::from_be_bytes,
        _ => return (bytes, content),
    };
    let units = content.bytes[2..].chunks_exact(2).map(|pair| read([pair[0], pair[1]]));
    let text: String = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    (bytes, Content::of(text.into_bytes()))
}

/// A file and its outline.
pub(super) struct Outlined {
    source: Source,
    pub(super) outline: Outline,
}

/// One line of `--format json`. Scripts are written against it: fields are added, never changed.
#[derive(Serialize)]
struct Document<'d> {
    path: Cow<'d, str>,
    language: Option<&'static str>,
    parser: Parser,
    bytes: u64,
    lines: usize,
    symbols: Vec<Entry<'d>>,
}

#[derive(Serialize)]
struct Entry<'d> {
    #[serde(flatten)]
    symbol: &'d Symbol,
    /// Of a symbol that was asked for by name or line: its lines, and the number of the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    source_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Cow<'d, str>>,
}

impl Outlined {
    /// Lines in the file.
    pub(super) fn lines(&self) -> usize {
        self.source.content.shape.lines
    }

    /// The text of lines `first` to `last`, with their line ends.
    pub(super) fn text_of(&self, first: usize, last: usize) -> impl Iterator<Item = &[u8]> {
        let lines = self.source.content.bytes.split_inclusive(|&byte| byte == b'\n');
        lines.skip(first - 1).take(last + 1 - first)
    }

    /// The symbols that `--symbol` or `--at` asks for; None where the outline itself is.
    pub(super) fn find(&self, args: &OutlineArgs) -> Option<Vec<usize>> {
        let symbols = &self.outline.symbols;
        match (&args.symbol, args.at) {
            (Some(name), _) => Some(find::by_name(symbols, name)),
            (None, Some(line)) => {
                let all: Vec<usize> = (0..symbols.len()).collect();
                Some(find::at_line(symbols, &self.first_lines(&all), line).into_iter().collect())
            }
            (None, None) => None,
        }
    }

    /// Names that may have been meant, and how far each is off.
    pub(super) fn near(&self, name: &str) -> Vec<(usize, String)> {
        find::near(&self.outline.symbols, name)
    }

    /// The line on which each of `symbols` begins, with what stands directly above it.
    pub(super) fn first_lines(&self, symbols: &[usize]) -> Vec<usize> {
        let lines = symbols.iter().map(|&index| self.outline.symbols[index].line).collect();
        let query = self.source.query().unwrap_or_default();
        outline::heads(&self.source.content, self.source.language, query, TIMEOUT, lines)
    }

    /// Drops the symbols that were not asked for.
    pub(super) fn keep(&mut self, args: &OutlineArgs) {
        self.outline.symbols.retain(|symbol| {
            args.depth.is_none_or(|depth| symbol.depth < depth)
                && (args.kind.is_empty() || args.kind.iter().any(|kind| kind == symbol.kind))
                && args.name.as_ref().is_none_or(|name| name.is_match(&symbol.name))
        });
        if args.name.is_some() {
            // Lines and counts have no name.
            self.outline.sample.clear();
            self.outline.notes.clear();
        }
    }

    /// As JSON; with the lines of those that are `wanted`.
    pub(super) fn json(&self, path: &Path, wanted: Option<&[usize]>) -> Result<Vec<u8>, Unread> {
        let symbols = &self.outline.symbols;
        let symbols = match wanted {
            None => symbols.iter().map(|symbol| Entry { symbol, source_line: None, source: None }).collect(),
            Some(wanted) => wanted.iter().zip(self.first_lines(wanted)).map(|(&index, first)| self.entry(index, first)).collect(),
        };
        let document = Document {
            path: super::printed(path),
            language: self.source.language.map(|language| language.name),
            parser: self.outline.parser,
            bytes: self.source.bytes,
            lines: self.lines(),
            symbols,
        };
        let mut line = serde_json::to_vec(&document).map_err(|error| format!("{}: no JSON of it: {error}", path.display()))?;
        line.push(b'\n');
        Ok(line)
    }

    fn entry(&self, index: usize, first: usize) -> Entry<'_> {
        let symbol = &self.outline.symbols[index];
        let text: Vec<u8> = self.text_of(first, symbol.end_line).flatten().copied().collect();
        let source = String::from_utf8_lossy(&text).into_owned();
        Entry { symbol, source_line: Some(first), source: Some(source.into()) }
    }

    /// As lines of a tags file.
    pub(super) fn tags(&self, path: &Path, wanted: Option<&[usize]>) -> Vec<String> {
        let language = self.source.language.map(|language| language.name);
        let chosen: Vec<Symbol>;
        let symbols = match wanted {
            None => &self.outline.symbols,
            Some(wanted) => {
                chosen = wanted.iter().map(|&index| self.outline.symbols[index].clone()).collect();
                &chosen
            }
        };
        tags::tags(&super::printed(path), &self.source.content.bytes, language, symbols)
    }
}
