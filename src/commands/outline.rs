//! `stk outline`: the symbols of files, for people and scripts.

use std::borrow::Cow;
use std::io::{Read, Write, stdin, stdout};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use super::Failure;
use crate::cli::{Format, OutlineArgs};
use crate::file::Content;
use crate::language::{self, Language};
use crate::outline::render::{self, Budget};
use crate::outline::{self, Outline, Parser, Symbol};
use crate::outline_query::OutlineQuery;

/// Nobody waits for a keystroke here: parsing may take its time.
const TIMEOUT: Duration = Duration::from_secs(10);

/// One line of `--format json`. Scripts are written against it: fields are added, never changed.
#[derive(Serialize)]
struct Document<'d> {
    path: Cow<'d, str>,
    language: Option<&'static str>,
    parser: Parser,
    bytes: u64,
    lines: usize,
    symbols: &'d [Symbol],
}

/// Prints the outline of each path.
pub fn run(args: &OutlineArgs) -> Result<(), Failure> {
    let language = match &args.lang {
        None => None,
        Some(name) => Some(language::by_name(name).ok_or_else(|| {
            let known: Vec<_> = language::all().iter().map(|language| language.name).collect();
            format!("--lang {name}: no such language; there are {}", known.join(", "))
        })?),
    };
    let mut out = std::io::BufWriter::new(stdout().lock());
    for (number, path) in args.paths.iter().enumerate() {
        let content = read(path)?;
        let document = outlined(path, content, language, args)?;
        match args.format {
            Format::Json => {
                serde_json::to_writer(&mut out, &document.json(path)).map_err(std::io::Error::from)?;
                out.write_all(b"\n")?;
            }
            Format::Text => {
                if args.paths.len() > 1 {
                    let gap = if number > 0 { "\n" } else { "" };
                    writeln!(out, "{gap}{}", path.display())?;
                }
                out.write_all(document.text(args.max_lines).as_bytes())?;
            }
        }
    }
    out.flush()?;
    Ok(())
}

struct Outlined {
    language: Option<&'static Language>,
    bytes: u64,
    lines: usize,
    outline: Outline,
}

fn read(path: &Path) -> Result<(u64, Content), Failure> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        stdin().lock().read_to_end(&mut bytes).map_err(|error| format!("standard input cannot be read: {error}"))?;
        return Ok(decoded(Content::of(bytes)));
    }
    let shown = path.display();
    let metadata = path.metadata().map_err(|error| format!("{shown}: cannot be read: {error}"))?;
    if !metadata.is_file() {
        return Err(format!("{shown}: is no regular file; name a file").into());
    }
    let content = Content::read(path, metadata.len()).map_err(|error| format!("{shown}: cannot be read: {error}"))?;
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

fn outlined(
    path: &Path,
    (bytes, content): (u64, Content),
    language: Option<&'static Language>,
    args: &OutlineArgs,
) -> Result<Outlined, Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let language = language.or_else(|| language::of_file(&name, &content.bytes));
    let query = language.map(OutlineQuery::load).transpose()?.unwrap_or_default();
    let content = Arc::new(content);
    let mut outline = outline::outline(&content, language, query, TIMEOUT);
    outline.symbols.retain(|symbol| {
        args.depth.is_none_or(|depth| symbol.depth < depth)
            && (args.kind.is_empty() || args.kind.iter().any(|kind| kind == symbol.kind))
    });
    Ok(Outlined { language, bytes, lines: content.shape.lines, outline })
}

impl Outlined {
    fn json<'d>(&'d self, path: &'d Path) -> Document<'d> {
        Document {
            path: path.to_string_lossy(),
            language: self.language.map(|language| language.name),
            parser: self.outline.parser,
            bytes: self.bytes,
            lines: self.lines,
            symbols: &self.outline.symbols,
        }
    }

    fn text(&self, max_lines: Option<usize>) -> String {
        match max_lines {
            Some(max_lines) => render::fitted(&self.outline, self.lines, max_lines, Budget::default()),
            None => render::whole(&self.outline, self.lines),
        }
    }
}
