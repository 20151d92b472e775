//! A language of the user's own: a table `[language.NAME]` of the configuration, with a grammar out of a shared library.
//!
//! Reading the configuration only learns that there is one. The library is loaded, and its query read, when a file of the
//! language is.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use toml::Spanned;
use toml::de::DeValue;
use tree_sitter::Language as Grammar;

use crate::language::library;

/// What the configuration says of it.
#[derive(Debug)]
pub struct OwnLanguage {
    /// Also the grammar's: the library exports `tree_sitter_` and this name.
    pub name: String,
    /// Without the dot, in lower case.
    pub extensions: Vec<String>,
    /// The shared library.
    pub grammar: PathBuf,
    /// The outline query.
    pub query: PathBuf,
    /// The file that says so.
    pub config: PathBuf,
    /// Its keys that are set, each with its 1-based line.
    set: Vec<(&'static str, usize)>,
    loaded: OnceLock<Result<Grammar, String>>,
}

/// A key or a fault, and the byte offset at which it stands in the file.
pub type At = (usize, String);

impl OwnLanguage {
    /// Reads one table of the file `config`; keys in it that stk does not know are left in `unknown`. `line` tells the line
    /// of an offset.
    ///
    /// Errors: the name is none, a key has an impossible value, or `grammar` or `extensions` is missing.
    pub fn read(
        name: &Spanned<Cow<'_, str>>,
        table: &Spanned<DeValue<'_>>,
        config: &Path,
        line: &dyn Fn(usize) -> usize,
        unknown: &mut Vec<At>,
    ) -> Result<Self, At> {
        let (at, name) = (name.span().start, name.get_ref());
        let fault = |at, message: &str| (at, format!("language.{name}{message}"));
        if !is_name(name) {
            return Err(fault(at, " is no name of a language: it takes letters, digits, `_` and `-`"));
        }
        let table = table.get_ref().as_table().ok_or_else(|| fault(at, " takes a table with `grammar` and `extensions`"))?;
        let folder = config.parent().unwrap_or(config);
        let mut language = Self {
            name: name.to_string(),
            extensions: Vec::new(),
            grammar: PathBuf::new(),
            query: folder.join("queries").join(&**name).join("outline.scm"),
            config: config.to_owned(),
            set: Vec::new(),
            loaded: OnceLock::new(),
        };
        for (key, value) in table {
            let (at, value) = (key.span().start, value.get_ref());
            let path = || value.as_str().filter(|path| !path.is_empty()).map(|path| folder.join(path));
            match &**key.get_ref() {
                "grammar" => {
                    let expected = ".grammar takes the path of a shared library, such as \"/usr/lib/tree-sitter-kotlin.so\"";
                    language.grammar = path().ok_or_else(|| fault(at, expected))?;
                    language.set.push(("grammar", line(at)));
                }
                "extensions" => {
                    let expected = ".extensions takes a list of file name extensions, such as [\"kt\", \"kts\"]";
                    language.extensions = extensions(value).ok_or_else(|| fault(at, expected))?;
                    language.set.push(("extensions", line(at)));
                }
                "query" => {
                    language.query = path().ok_or_else(|| fault(at, ".query takes the path of an outline.scm"))?;
                    language.set.push(("query", line(at)));
                }
                other => unknown.push((at, format!("language.{name}.{other}"))),
            }
        }
        if language.line_of("grammar").is_none() || language.line_of("extensions").is_none() {
            return Err(fault(at, " needs both `grammar`, the path of a shared library, and `extensions`, a list"));
        }
        Ok(language)
    }

    /// The grammar, loaded when it is first asked for.
    ///
    /// Errors: a full sentence, where it cannot be loaded.
    pub fn grammar(&self) -> Result<Grammar, String> {
        self.loaded.get_or_init(|| library::load(&self.grammar, &self.name, &self.config)).clone()
    }

    /// Adds the table as TOML; `source` says where a key comes from that is set on such a line, or on none.
    pub fn add_toml(&self, text: &mut String, source: impl Fn(Option<usize>) -> String) {
        let path = |path: &Path| toml::Value::from(path.to_string_lossy().as_ref());
        let rows = [
            ("grammar", path(&self.grammar)),
            ("extensions", self.extensions.iter().map(String::as_str).collect::<Vec<_>>().into()),
            ("query", path(&self.query)),
        ];
        let _ = writeln!(text, "\n[language.{}]", self.name);
        for (key, value) in rows {
            let _ = writeln!(text, "{key} = {value}  # {}", source(self.line_of(key)));
        }
    }

    /// The line on which a key is set.
    pub fn line_of(&self, key: &str) -> Option<usize> {
        self.set.iter().find(|(name, _)| *name == key).map(|(_, line)| *line)
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// None: it is no list of extensions, or an empty one.
fn extensions(value: &DeValue<'_>) -> Option<Vec<String>> {
    let one = |extension: &Spanned<DeValue<'_>>| {
        let extension = extension.get_ref().as_str()?;
        let extension = extension.strip_prefix('.').unwrap_or(extension).to_ascii_lowercase();
        (!extension.is_empty() && !extension.contains(['.', '/', '\\'])).then_some(extension)
    };
    let extensions: Vec<_> = value.as_array()?.iter().map(one).collect::<Option<_>>()?;
    (!extensions.is_empty()).then_some(extensions)
}
