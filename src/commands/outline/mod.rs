//! `stk outline`: the symbols of files and folders, for people and scripts.

mod lines;
mod paint;
mod source;
mod text;

use std::borrow::Cow;
use std::io::{BufWriter, Write, stdout};
use std::path::{Path, PathBuf};

use source::{Source, Unread};

use super::progress::Progress;
use super::{Failure, known_languages, language_named, tell};
use crate::cli::{OutlineArgs, OutlineFormat};
use crate::in_order::{in_order, workers};
use crate::language::Language;
use crate::language::known::Languages;
use crate::outline::tags;
use crate::terminal::Screen;
use crate::{walk, windows};

/// Prints the outline of each path.
///
/// A file that cannot be read is told on stderr, and the others are still printed; then the command has failed.
pub fn run(args: &OutlineArgs) -> Result<(), Failure> {
    let languages = known_languages()?;
    let language = args.lang.as_deref().map(|name| language_named(name, &languages)).transpose()?;
    let is_single = args.paths.len() == 1 && !args.paths[0].is_dir();
    if args.at.is_some() && !is_single {
        return Err(Failure::Usage("--at LINE is for one file; name no folder and no second one".to_owned()));
    }
    if args.paths.iter().filter(|path| *path == Path::new("-")).count() > 1 {
        return Err(Failure::Usage("- stands for standard input, which can be read once; name it once".to_owned()));
    }
    let order = Order { args, languages, language, screen: Screen::of_stdout(args.color), is_single };
    let mut printer = Printer::new(&order);
    let jobs = args.paths.iter().flat_map(|path| Job::of(path));
    let workers = if is_single { 1 } else { workers() };
    in_order(jobs, workers, |job| order.done(job), |done| printer.print(done))?;
    printer.finish()
}

/// What was asked for.
struct Order<'a> {
    args: &'a OutlineArgs,
    languages: Languages,
    language: Option<&'static Language>,
    screen: Screen,
    /// One file: no heading, nothing but its rows.
    is_single: bool,
}

/// One thing to do.
enum Job {
    /// A file that the user names.
    Named(PathBuf),
    /// A file of a folder that the user names.
    Found(PathBuf),
    /// A part of a folder that cannot be read, and why.
    Unread(String),
}

impl Job {
    fn of(path: &Path) -> Box<dyn Iterator<Item = Self>> {
        if path != Path::new("-") && path.is_dir() {
            Box::new(walk::files(path).map(|found| found.map_or_else(Self::Unread, Self::Found)))
        } else {
            Box::new(std::iter::once(Self::Named(path.to_owned())))
        }
    }
}

/// What came of it.
enum Done {
    /// To be printed.
    Text(Vec<u8>),
    /// Lines of a tags file, which is sorted as a whole.
    Tags(Vec<String>),
    /// Nothing that was asked for is in it; names that may have been meant, and how far each is off.
    Nothing { near: Vec<(usize, String)> },
    /// A file of a folder that has no outline.
    Binary,
    /// A file of a folder whose language is not known.
    Unknown,
    /// A file that cannot be read, and why; whether the user named it.
    Unread { error: String, is_named: bool },
}

impl Order<'_> {
    fn done(&self, job: Job) -> Done {
        let (path, is_named) = match job {
            Job::Named(path) => (path, true),
            Job::Found(path) => (path, false),
            Job::Unread(error) => return Done::Unread { error, is_named: false },
        };
        let read = if is_named { Source::named } else { Source::found };
        let source = read(&path, self.language, &self.languages);
        match source.and_then(|source| self.outlined(source, &path)) {
            Ok(done) => done,
            Err(Unread::Binary) => Done::Binary,
            Err(Unread::Unknown) => Done::Unknown,
            Err(Unread::Other) => Done::Nothing { near: Vec::new() },
            Err(Unread::Failed(error)) => Done::Unread { error, is_named },
        }
    }

    fn outlined(&self, source: Source, path: &Path) -> Result<Done, Unread> {
        let args = self.args;
        let mut outlined = source.outline(!self.is_single)?;
        let wanted = outlined.find(args);
        match &wanted {
            Some(none) if none.is_empty() => {
                let near = args.symbol.as_deref().map(|name| outlined.near(name)).unwrap_or_default();
                return Ok(Done::Nothing { near });
            }
            Some(_) => {}
            None => outlined.keep(args),
        }
        let is_filtered = args.name.is_some() || !args.kind.is_empty();
        let has_nothing = is_filtered && outlined.outline.symbols.is_empty() && !self.is_single;
        Ok(match (args.format, wanted) {
            (OutlineFormat::Json, wanted) => Done::Text(outlined.json(path, wanted.as_deref())?),
            (OutlineFormat::Ctags, wanted) => Done::Tags(outlined.tags(path, wanted.as_deref())),
            (OutlineFormat::Text, Some(wanted)) => Done::Text(self.headed(path, lines::lines(&outlined, &wanted, &self.screen))),
            (OutlineFormat::Text, None) if has_nothing => Done::Nothing { near: Vec::new() },
            (OutlineFormat::Text, None) => Done::Text(self.headed(path, text::rows(&outlined, args, &self.screen).into_bytes())),
        })
    }

    /// Under the file's name, where there are several.
    fn headed(&self, path: &Path, text: Vec<u8>) -> Vec<u8> {
        if self.is_single {
            return text;
        }
        let path = printed(path);
        let heading = self.screen.styled(&self.screen.shown(&path), paint::HEADING);
        [heading.as_bytes(), b"\n", &text].concat()
    }
}

/// A path as it is printed: with slashes on every platform, as shells, models and tags files take it.
fn printed(path: &Path) -> Cow<'_, str> {
    let path = path.to_string_lossy();
    if cfg!(windows) { windows::with_slashes(&path).into() } else { path }
}

/// Prints what comes, and keeps what there is to tell in the end.
struct Printer<'a> {
    order: &'a Order<'a>,
    out: BufWriter<std::io::StdoutLock<'static>>,
    progress: Progress,
    tags: Vec<String>,
    near: Vec<(usize, String)>,
    printed: usize,
    binary: usize,
    unknown: usize,
    /// Of folders; what the user named is told one by one.
    unread: usize,
    has_failed: bool,
}

impl<'a> Printer<'a> {
    fn new(order: &'a Order<'a>) -> Self {
        let is_quiet = order.is_single || order.screen.width.is_some() && order.args.format != OutlineFormat::Ctags;
        Self {
            order,
            out: BufWriter::new(stdout().lock()),
            progress: Progress::new(!is_quiet, "files"),
            tags: Vec::new(),
            near: Vec::new(),
            printed: 0,
            binary: 0,
            unknown: 0,
            unread: 0,
            has_failed: false,
        }
    }

    fn print(&mut self, done: Done) -> Result<(), Failure> {
        match done {
            Done::Text(text) => {
                if self.printed > 0 && self.order.args.format == OutlineFormat::Text {
                    self.out.write_all(b"\n")?;
                }
                self.printed += 1;
                self.out.write_all(&text)?;
            }
            Done::Tags(tags) => self.tags.extend(tags),
            Done::Nothing { near } => self.near.extend(near),
            Done::Binary => self.binary += 1,
            Done::Unknown => self.unknown += 1,
            Done::Unread { error, is_named } => {
                self.has_failed = true;
                self.unread += usize::from(!is_named);
                self.progress.clear();
                self.out.flush()?;
                tell(&error);
            }
        }
        self.progress.step();
        Ok(())
    }

    fn finish(mut self) -> Result<(), Failure> {
        self.progress.clear();
        if self.order.args.format == OutlineFormat::Ctags {
            self.printed += self.tags.len();
            self.tags.sort_unstable();
            self.out.write_all(tags::header().as_bytes())?;
            for tag in &self.tags {
                writeln!(self.out, "{tag}")?;
            }
        }
        self.out.flush()?;
        if let Some(skipped) = self.skipped() {
            tell(&skipped);
        }
        match self.missing() {
            Some(message) if self.printed == 0 && !self.has_failed => Err(message.into()),
            _ if self.has_failed => Err(Failure::Told),
            _ => Ok(()),
        }
    }

    /// How many files of folders were left out, and why.
    fn skipped(&self) -> Option<String> {
        let unread = if self.order.is_single { 0 } else { self.unread };
        let counts = [(self.binary, "binary"), (self.unknown, "of no known language"), (unread, "that cannot be read")];
        let all: usize = counts.iter().map(|(count, _)| count).sum();
        let counts: Vec<_> = counts.iter().filter(|(count, _)| *count > 0).map(|(count, why)| format!("{count} {why}")).collect();
        let files = if all == 1 { "file" } else { "files" };
        (all > 0).then(|| format!("{all} {files} left out: {}", counts.join(", ")))
    }

    /// What to say where a symbol was asked for and there is none.
    fn missing(&self) -> Option<String> {
        let args = self.order.args;
        let place = match &args.paths[..] {
            [path] if *path == Path::new("-") => "standard input".to_owned(),
            [path] => path.display().to_string(),
            paths => format!("{} paths", paths.len()),
        };
        if let Some(line) = args.at {
            return Some(format!("{place}: no symbol holds line {line}; `stk outline` lists those there are"));
        }
        let name = args.symbol.as_ref()?;
        let mut near = self.near.clone();
        near.sort();
        near.dedup_by(|a, b| a.1 == b.1);
        let near: Vec<_> = near.into_iter().take(5).map(|(_, name)| name).collect();
        Some(if near.is_empty() {
            format!("{place}: no symbol is named {name}; `stk outline` lists those there are")
        } else {
            format!("{place}: no symbol is named {name}; there are {}", near.join(", "))
        })
    }
}
