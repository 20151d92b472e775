//! The query of a language: the built-in one, or the user's own in its place.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::language::{self, Language, Reader};
use crate::places;
use crate::query::{Query, QueryError};

/// A user's query that begins with this line stands before the built-in one, and does not replace it.
const EXTENDS: &str = "; extends";

/// The text of a query, and where it is from.
#[derive(Debug, Clone, Default)]
pub struct OutlineQuery {
    /// The file, for messages.
    pub file: String,
    /// The query.
    pub text: Cow<'static, str>,
    /// Whether it is the user's.
    pub is_own: bool,
    /// Whether it is asked of a header file, where rows marked `@prototype` are listed.
    pub is_of_header: bool,
}

impl OutlineQuery {
    /// The built-in query of a language; empty where it has no grammar. One of the user's own has that of its namesake.
    pub fn built_in(language: &Language) -> Self {
        match language.reader {
            Reader::TreeSitter { query, query_name, .. } => {
                Self { file: format!("queries/{query_name}/outline.scm"), text: Cow::Borrowed(query), ..Self::default() }
            }
            Reader::Own { language, .. } => language::by_name(&language.name).map(Self::built_in).unwrap_or_default(),
            _ => Self::default(),
        }
    }

    /// The user's own query where there is one that reads, else the built-in one.
    pub fn usable(language: &Language) -> Self {
        match Self::own(language) {
            Some(Ok(own)) if own.check(language).is_ok() => own,
            _ => Self::built_in(language),
        }
    }

    /// The user's own query where there is one, else the built-in one.
    ///
    /// Errors: a full sentence, where the file of the user's own cannot be read, or is no query, or their grammar cannot be
    /// loaded.
    pub fn load(language: &Language) -> Result<Self, String> {
        language.load_grammar()?;
        match Self::own(language) {
            None => Ok(Self::built_in(language)),
            Some(Err(error)) => Err(error),
            Some(Ok(own)) => own.check(language).map(|()| own.clone()).map_err(|error| error.to_string()),
        }
    }

    /// The query in a file, whatever language it is for. Errors: a full sentence, where the file cannot be read.
    pub fn read(file: &Path) -> Result<Self, String> {
        Self::of_own(file, std::fs::read(file))
    }

    /// The same query, asked of a file of that name.
    #[must_use]
    pub fn of_file(self, language: &Language, file_name: &str) -> Self {
        Self { is_of_header: language.is_header(file_name), ..self }
    }

    fn of_own(file: &Path, bytes: std::io::Result<Vec<u8>>) -> Result<Self, String> {
        let failed = |error: &dyn std::fmt::Display| format!("{}: cannot be read: {error}", file.display());
        let text = String::from_utf8(bytes.map_err(|error| failed(&error))?).map_err(|error| failed(&error))?;
        Ok(Self { file: file.display().to_string(), text: Cow::Owned(text), is_own: true, ..Self::default() })
    }

    /// Reads the query. Errors: the first place at which it does not.
    pub fn check(&self, language: &Language) -> Result<(), QueryError> {
        language.grammar().map_or(Ok(()), |grammar| Query::new(&self.text, &grammar, &self.file).map(drop))
    }

    fn own(language: &Language) -> Option<Result<Self, String>> {
        let built_in = Self::built_in(language).text;
        let file = match language.reader {
            Reader::TreeSitter { query_name, .. } => {
                let files = [language.name, query_name].into_iter().map(file_of);
                files.flatten().find(|file| file.exists())?
            }
            Reader::Own { language, .. } => {
                let is_wanted = built_in.is_empty() || language.line_of("query").is_some() || language.query.exists();
                is_wanted.then(|| language.query.clone())?
            }
            _ => return None,
        };
        Some(Self::of_own(&file, places::read_settings(&file)).map(|own| match own.text.lines().next() {
            Some(line) if line.trim() == EXTENDS => Self { text: format!("{}\n{built_in}", own.text).into(), ..own },
            _ => own,
        }))
    }
}

fn file_of(language: &str) -> Option<PathBuf> {
    Some(places::config_dir()?.join("queries").join(language).join("outline.scm"))
}
