//! The configuration: `config.toml`, read once and resolved into values that the rest uses.

use std::fmt::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::language::known::Languages;
use crate::language::own::OwnLanguage;
use crate::{places, windows};

/// The environment variable that goes before the key `mode`.
const MODE_VARIABLE: &str = "STK_MODE";
const MODE_EXPECTED: &str = "takes \"clamp\" or \"observe\"";

/// What the user has set, and for everything else what holds by default.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The keys as the file has them, or their defaults.
    pub settings: Settings,
    /// Globs of files that always pass: built only where there are some.
    pub exclude: Exclude,
    /// The languages, those of the user's own included.
    pub languages: Languages,
    /// Where each key that the file sets stands: its name and 1-based line.
    pub set: Vec<(&'static str, usize)>,
    /// The file that was read, where there is one.
    pub file: Option<PathBuf>,
    /// Whether the mode is that of `$STK_MODE`.
    pub mode_is_from_variable: bool,
    /// Keys of the file that stk does not know, with their lines: perhaps those of a newer one.
    pub unknown: Vec<(String, usize)>,
}

/// The value of each key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Files of at most this many bytes pass.
    pub clamp_threshold: u64,
    /// Lines of outline in a reply, at most; at least 1.
    pub outline_max_lines: usize,
    /// Whether a second read of an unchanged file gets the short notice.
    pub dedup: bool,
    /// Globs of files that always pass.
    pub exclude: Vec<String>,
    /// How long parsing may take before the declaration lines answer; milliseconds.
    pub parse_timeout_ms: u64,
    /// What happens to files outside the project.
    pub outside_project: OutsideProject,
    /// How a read of a big file is answered.
    pub reply: ReplyStyle,
    /// Whether reads are answered at all.
    pub mode: Mode,
}

/// How a read of a big file is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyStyle {
    /// The read is denied, with the outline as the reason.
    Deny,
    /// The read goes on, cut to the first lines, with the outline beside it.
    Context,
}

/// Whether reads are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// They are.
    Clamp,
    /// They all pass; what would have been done is recorded.
    Observe,
}

/// What happens to a read that Claude Code would ask its user about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutsideProject {
    /// It passes, so that the user is asked before anything of the file is shown.
    Ask,
    /// It is answered like any other.
    Clamp,
}

/// Globs, ready to match.
#[derive(Debug, Clone, Default)]
pub struct Exclude {
    names: Option<GlobSet>,
    paths: Option<GlobSet>,
}

/// Why a configuration cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The file.
    pub file: PathBuf,
    /// 1-based; None where the whole file is meant.
    pub line: Option<usize>,
    /// What is wrong and what would be right.
    pub message: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            clamp_threshold: 16 * 1024,
            outline_max_lines: 80,
            dedup: true,
            exclude: Vec::new(),
            parse_timeout_ms: 100,
            outside_project: OutsideProject::Ask,
            reply: ReplyStyle::Deny,
            mode: Mode::Clamp,
        }
    }
}

impl Config {
    /// The user's configuration; the defaults where there is no file. `$STK_MODE` goes before the key.
    ///
    /// Errors: the file cannot be read, is no TOML, or a key in it has an impossible value, or `$STK_MODE` has. A key that
    /// stk does not know is no error here: see [`Config::unknown`].
    pub fn load() -> Result<Self, ConfigError> {
        let mut config = Self::load_file()?;
        if let Some(mode) = places::variable(MODE_VARIABLE) {
            let expected = || ConfigError {
                file: PathBuf::from(format!("${MODE_VARIABLE}")),
                line: None,
                message: format!("{MODE_EXPECTED}, not {:?}", mode.to_string_lossy()),
            };
            config.settings.mode = mode.to_str().and_then(Mode::of_word).ok_or_else(expected)?;
            config.mode_is_from_variable = true;
        }
        Ok(config)
    }

    /// The user's configuration without what the environment says: for commands to which only languages matter.
    ///
    /// Errors: as for [`Config::load`].
    pub fn load_file() -> Result<Self, ConfigError> {
        let Some(file) = places::config_dir().map(|folder| folder.join("config.toml")) else { return Ok(Self::default()) };
        match places::read_settings(&file) {
            Ok(bytes) => Self::read(&bytes, &file),
            // No such file, or no such folder to hold one: HOME may be anything.
            Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
                Ok(Self::default())
            }
            Err(error) => Err(ConfigError { file, line: None, message: format!("cannot be read: {error}") }),
        }
    }

    fn read(bytes: &[u8], file: &Path) -> Result<Self, ConfigError> {
        let fault = |line, message| ConfigError { file: file.to_owned(), line, message };
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let text = str::from_utf8(bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            fault(Some(line_at(before, before.len())), "is not UTF-8 here; save it as UTF-8".to_owned())
        })?;
        let line = |offset| Some(line_at(text.as_bytes(), offset));
        let table = DeTable::parse(text).map_err(|error| {
            fault(error.span().and_then(|span| line(span.start)), format!("is no valid TOML: {}", error.message()))
        })?;
        let mut config = Self { file: Some(file.to_owned()), ..Self::default() };
        for (key, value) in table.get_ref() {
            let at = line_at(text.as_bytes(), key.span().start);
            if key.get_ref() == "language" {
                let tables = value.get_ref().as_table();
                let expected = "language takes tables, such as [language.kotlin]";
                config.set_languages(tables.ok_or_else(|| fault(Some(at), expected.to_owned()))?, file, text)?;
                continue;
            }
            match config.settings.set(key.get_ref(), value) {
                Ok(Some(name)) => config.set.push((name, at)),
                Ok(None) => config.unknown.push((key.get_ref().to_string(), at)),
                Err(expected) => return Err(fault(Some(at), format!("{} {expected}", key.get_ref()))),
            }
        }
        config.unknown.sort_by_key(|unknown| unknown.1);
        config.exclude = Exclude::of(&config.settings.exclude).map_err(|message| {
            let at = config.set.iter().find(|(name, _)| *name == "exclude").map(|(_, line)| *line);
            fault(at, message)
        })?;
        Ok(config)
    }

    fn set_languages(&mut self, tables: &DeTable<'_>, file: &Path, text: &str) -> Result<(), ConfigError> {
        let line = |offset| line_at(text.as_bytes(), offset);
        let fault = |line, message| ConfigError { file: file.to_owned(), line, message };
        let mut unknown = Vec::new();
        let read = |(name, table)| OwnLanguage::read(name, table, file, &line, &mut unknown);
        let own = tables.iter().map(read).collect::<Result<_, _>>();
        let own = own.map_err(|(at, message)| fault(Some(line(at)), message))?;
        self.unknown.extend(unknown.into_iter().map(|(at, key)| (key, line(at))));
        self.languages = Languages::with(own).map_err(|(extension, own)| {
            let message = format!("language.{}.extensions has {extension:?}, which is taken already", own.name);
            fault(own.line_of("extensions"), message)
        })?;
        Ok(())
    }

    /// How long parsing may take inside the hook.
    pub fn parse_timeout(&self) -> Duration {
        Duration::from_millis(self.settings.parse_timeout_ms)
    }

    /// The configuration as TOML, a key a line, with where each value comes from.
    pub fn to_toml(&self) -> String {
        let settings = &self.settings;
        let exclude = settings.exclude.iter().map(|glob| toml::Value::from(glob.as_str())).collect();
        let rows: [(&str, toml::Value); 8] = [
            ("clamp_threshold", integer(settings.clamp_threshold)),
            ("outline_max_lines", integer(settings.outline_max_lines as u64)),
            ("dedup", settings.dedup.into()),
            ("exclude", toml::Value::Array(exclude)),
            ("parse_timeout_ms", integer(settings.parse_timeout_ms)),
            ("outside_project", settings.outside_project.word().into()),
            ("reply", settings.reply.word().into()),
            ("mode", settings.mode.word().into()),
        ];
        let mut text = String::new();
        let source = |line: Option<usize>| match (line, &self.file) {
            (Some(line), Some(file)) => format!("{}:{line}", file.display()),
            _ => "default".to_owned(),
        };
        for (key, value) in rows {
            let line = self.set.iter().find(|(name, _)| *name == key).map(|(_, line)| *line);
            let source = if key == "mode" && self.mode_is_from_variable { format!("${MODE_VARIABLE}") } else { source(line) };
            let _ = writeln!(text, "{key} = {value}  # {source}");
        }
        for (_, own) in self.languages.own() {
            own.add_toml(&mut text, source);
        }
        text
    }
}

impl Settings {
    /// Sets one key. Ok(None): there is no such key. Err: what it takes instead.
    fn set(&mut self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<Option<&'static str>, &'static str> {
        let value = value.get_ref();
        Ok(Some(match key {
            "clamp_threshold" => {
                self.clamp_threshold = whole_number(value).ok_or("takes a number of bytes, such as 16384")?;
                "clamp_threshold"
            }
            "outline_max_lines" => {
                let lines = whole_number(value).filter(|lines| (1..=10_000).contains(lines));
                self.outline_max_lines = lines.ok_or("takes a number of lines from 1 to 10000, such as 80")? as usize;
                "outline_max_lines"
            }
            "dedup" => {
                self.dedup = value.as_bool().ok_or("takes true or false")?;
                "dedup"
            }
            "exclude" => {
                const EXPECTED: &str = "takes a list of globs, such as [\"*.lock\", \"vendor/**\"]";
                let globs = value.as_array().ok_or(EXPECTED)?.iter();
                let globs = globs.map(|glob| glob.get_ref().as_str().map(str::to_owned)).collect::<Option<_>>();
                self.exclude = globs.ok_or(EXPECTED)?;
                "exclude"
            }
            "parse_timeout_ms" => {
                let expected = "takes a number of milliseconds from 1 to 60000, such as 100";
                self.parse_timeout_ms = whole_number(value).filter(|ms| (1..=60_000).contains(ms)).ok_or(expected)?;
                "parse_timeout_ms"
            }
            "outside_project" => {
                self.outside_project = match value.as_str() {
                    Some("ask") => OutsideProject::Ask,
                    Some("clamp") => OutsideProject::Clamp,
                    _ => return Err("takes \"ask\" or \"clamp\""),
                };
                "outside_project"
            }
            "reply" => {
                self.reply = match value.as_str() {
                    Some("deny") => ReplyStyle::Deny,
                    Some("context") => ReplyStyle::Context,
                    _ => return Err("takes \"deny\" or \"context\""),
                };
                "reply"
            }
            "mode" => {
                self.mode = value.as_str().and_then(Mode::of_word).ok_or(MODE_EXPECTED)?;
                "mode"
            }
            _ => return Ok(None),
        }))
    }
}

impl OutsideProject {
    fn word(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Clamp => "clamp",
        }
    }
}

impl ReplyStyle {
    fn word(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Context => "context",
        }
    }
}

impl Mode {
    fn word(self) -> &'static str {
        match self {
            Self::Clamp => "clamp",
            Self::Observe => "observe",
        }
    }

    fn of_word(word: &str) -> Option<Self> {
        [Self::Clamp, Self::Observe].into_iter().find(|mode| mode.word() == word)
    }
}

impl Exclude {
    /// Builds the globs. One without a slash is for file names, one with a slash for paths.
    fn of(globs: &[String]) -> Result<Self, String> {
        if globs.is_empty() {
            return Ok(Self::default());
        }
        let (mut names, mut paths) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        for text in globs {
            let glob = GlobBuilder::new(text)
                .literal_separator(true)
                .case_insensitive(cfg!(windows))
                .build()
                .map_err(|error| format!("exclude holds {text:?}, which is no glob: {}", error.kind()))?;
            if text.contains('/') { &mut paths } else { &mut names }.add(glob);
        }
        let build = |set: GlobSetBuilder| set.build().map_err(|error| format!("exclude cannot be used: {error}"));
        Ok(Self { names: Some(build(names)?), paths: Some(build(paths)?) })
    }

    /// Whether there is nothing to match.
    pub fn is_empty(&self) -> bool {
        self.names.is_none()
    }

    /// Whether a file passes by its name, its path, or its path from `folder`.
    pub fn matches(&self, path: &Path, folder: Option<&Path>) -> bool {
        let (Some(names), Some(paths)) = (&self.names, &self.paths) else { return false };
        let from_folder = folder.and_then(|folder| path.strip_prefix(folder).ok());
        path.file_name().is_some_and(|name| names.is_match(name))
            || paths.is_match(with_slashes(path).as_ref())
            || from_folder.is_some_and(|path| paths.is_match(with_slashes(path).as_ref()))
    }
}

/// Globs are written with `/` on every platform.
fn with_slashes(path: &Path) -> std::borrow::Cow<'_, Path> {
    if cfg!(windows) { PathBuf::from(windows::with_slashes(&path.to_string_lossy())).into() } else { path.into() }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for ConfigError {}

fn whole_number(value: &DeValue<'_>) -> Option<u64> {
    let number = value.as_integer()?;
    u64::from_str_radix(number.as_str(), number.radix()).ok()
}

fn integer(value: u64) -> toml::Value {
    toml::Value::Integer(value.try_into().unwrap_or(i64::MAX))
}

/// The 1-based line of a byte offset.
fn line_at(text: &[u8], offset: usize) -> usize {
    memchr::memchr_iter(b'\n', &text[..offset.min(text.len())]).count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config, ConfigError> {
        Config::read(text.as_bytes(), Path::new("config.toml"))
    }

    #[test]
    fn every_key_is_read_and_keeps_its_line() {
        let config = read(
            "clamp_threshold = 1_000\noutline_max_lines = 0x10\ndedup = false\nexclude = [\"*.lock\"]\n\
             parse_timeout_ms = 5\noutside_project = \"clamp\"\nreply = \"context\"\nmode = \"observe\"\n",
        )
        .unwrap();
        let settings = &config.settings;
        assert_eq!((settings.clamp_threshold, settings.outline_max_lines, settings.parse_timeout_ms), (1000, 16, 5));
        assert!(!settings.dedup && settings.outside_project == OutsideProject::Clamp);
        assert_eq!((settings.reply, settings.mode), (ReplyStyle::Context, Mode::Observe));
        let mut lines: Vec<_> = config.set.iter().map(|(_, line)| *line).collect();
        lines.sort_unstable();
        assert_eq!(lines, [1, 2, 3, 4, 5, 6, 7, 8]);
        assert!(config.to_toml().contains("dedup = false  # config.toml:3\n"));
        assert!(read("").unwrap().to_toml().contains("clamp_threshold = 16384  # default\n"));
        assert_eq!(toml::from_str::<toml::Table>(&config.to_toml()).unwrap().len(), 8);
    }

    #[test]
    fn faults_name_the_line_and_the_key() {
        for (text, line, part) in [
            ("dedup = true\nclamp_threshold = \"many\"\n", 2, "clamp_threshold takes"),
            ("exclude = 5", 1, "exclude takes"),
            ("exclude = [\"*.x\", 5]", 1, "exclude takes"),
            ("\nexclude = [\"[\"]", 2, "\"[\", which is no glob"),
            ("dedup = 1", 1, "dedup takes"),
            ("outline_max_lines = 0", 1, "outline_max_lines takes"),
            ("clamp_threshold = -1", 1, "clamp_threshold takes"),
            ("outside_project = \"sometimes\"", 1, "outside_project takes"),
            ("reply = \"allow\"", 1, "reply takes"),
            ("mode = true", 1, "mode takes"),
            ("language = 5", 1, "language takes tables"),
            ("[language]\nx = 5", 2, "language.x takes a table"),
            ("\n[language.\"a b\"]\ngrammar = \"x\"", 2, "language.a b is no name"),
            ("[language.x]\ngrammar = \"x\"", 1, "language.x needs both"),
            ("[language.x]\ngrammar = \"\"", 2, "language.x.grammar takes"),
            ("[language.x]\nextensions = []", 2, "language.x.extensions takes"),
            ("[language.x]\nextensions = \"x\"", 2, "language.x.extensions takes"),
            ("[language.x]\nextensions = [\"a/b\"]", 2, "language.x.extensions takes"),
            ("[language.x]\nquery = 1", 2, "language.x.query takes"),
            ("[language.x]\ngrammar = \"x\"\nextensions = [\"a\", \"A\"]", 3, "\"a\", which is taken already"),
            ("dedup = true\nexclude = [\n", 2, "no valid TOML"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.message.contains(part), "{text:?}: {error}");
            assert!(error.line == Some(line) || text.ends_with("[\n"), "{text:?}: {error}");
        }
        assert_eq!(read("a = 1\n\nb = 2\n").unwrap().unknown, [("a".to_owned(), 1), ("b".to_owned(), 3)]);
    }

    #[test]
    fn a_language_of_the_users_own_is_read_and_printed_as_it_was_read() {
        let text = "[language.kot-lin]\nextensions = [\".KT\", \"kts\"]\ngrammar = \"lib/k.so\"\nnewer = 1\n\n\
                    [language.b]\ngrammar = \"/b.so\"\nextensions = [\"py\"]\nquery = \"b.scm\"\n";
        let config = Config::read(text.as_bytes(), Path::new("/c/config.toml")).unwrap();
        assert_eq!(config.unknown, [("language.kot-lin.newer".to_owned(), 4)]);
        let of_file = |name| config.languages.of_file(name, b"").map(|language| language.name);
        assert_eq!((of_file("a.kt"), of_file("a.KTS"), of_file("a.py")), (Some("kot-lin"), Some("kot-lin"), Some("b")));
        assert_eq!((of_file("a.rs"), of_file("a.none")), (Some("rust"), None));
        assert_eq!(config.languages.by_name("Kot-Lin").unwrap().extensions, ["kt"]);
        let toml = config.to_toml();
        let table = &toml::from_str::<toml::Table>(&toml).unwrap()["language"]["kot-lin"];
        assert_eq!(table["extensions"].as_array().unwrap().len(), 2);
        assert_eq!(Path::new(table["grammar"].as_str().unwrap()), Path::new("/c").join("lib/k.so"));
        assert_eq!(Path::new(table["query"].as_str().unwrap()), Path::new("/c/queries/kot-lin/outline.scm"));
        assert!(["3", "9"].iter().all(|line| toml.contains(&format!("  # /c/config.toml:{line}\n"))), "{toml}");
    }

    #[test]
    fn a_bom_and_crlf_are_no_fault() {
        assert!(!read("\u{feff}# note\r\ndedup = false\r\n").unwrap().settings.dedup);
    }

    #[test]
    fn globs_without_a_slash_are_for_names_and_with_one_for_paths() {
        let exclude = Exclude::of(&["*.lock".to_owned(), "gen/**".to_owned(), "/abs/x.py".to_owned()]).unwrap();
        let matches = |path: &str| exclude.matches(Path::new(path), Some(Path::new("/p")));
        assert!(matches("/p/deep/Cargo.lock") && matches("/other/Cargo.lock"));
        assert!(matches("/p/gen/a/b.py") && !matches("/p/src/gen.py") && !matches("/q/gen/a.py"));
        assert!(matches("/abs/x.py") && !matches("/p/lock"));
    }
}
