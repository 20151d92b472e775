//! `stk languages`: what stk can read.

use std::io::{Write, stdout};
use std::path::Path;

use super::Failure;
use crate::language::{self, Language, Reader};
use crate::outline_query::OutlineQuery;
use crate::query::QueryError;

/// Prints a row for each language: its name, its extensions, what reads it, and where its query comes from.
pub fn run() -> Result<(), Failure> {
    let mut out = stdout().lock();
    for language in language::all() {
        let (reader, source) = match language.reader {
            Reader::TreeSitter { .. } => {
                let query = OutlineQuery::load(language)?;
                ("tree-sitter", if query.is_own { query.file } else { format!("built in: {}", query.file) })
            }
            Reader::Declarations => ("regex", String::new()),
            Reader::Markdown => ("markdown", String::new()),
            Reader::Json { .. } => ("json", String::new()),
        };
        let extensions = language.extensions.iter().chain(language.file_names).copied().collect::<Vec<_>>().join(" ");
        writeln!(out, "{}", format!("{:<12} {reader:<12} {extensions:<40} {source}", language.name).trim_end())?;
    }
    Ok(())
}

/// Builds the queries of all languages, or the one in `file`, which lies in a folder of its language's name.
///
/// Errors: every query that stk or tree-sitter cannot read, with the place and what is wrong there.
pub fn check(file: Option<&Path>) -> Result<(), Failure> {
    let mut out = stdout().lock();
    let mut faults = Vec::new();
    let mut languages = Vec::new();
    if let Some(file) = file {
        languages.push((language_of(file)?, OutlineQuery::read(file)?));
    } else {
        for language in language::all().iter().filter(|language| language.grammar().is_some()) {
            match OutlineQuery::load(language) {
                Ok(query) => languages.push((language, query)),
                Err(error) => faults.push(error),
            }
        }
    }
    for (language, query) in languages {
        match check_one(language, &query) {
            Ok(()) => writeln!(out, "{:<12} {}: reads", language.name, query.file)?,
            Err(error) => faults.push(error.to_string()),
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\nstk: ").into()) }
}

/// What stk itself says of a query, then what tree-sitter says, which also finds patterns that can never match.
fn check_one(language: &Language, query: &OutlineQuery) -> Result<(), QueryError> {
    query.check(language)?;
    let Some(grammar) = language.grammar() else { return Ok(()) };
    tree_sitter::Query::new(&grammar, &query.text).map(drop).map_err(|error| {
        QueryError::at(&query.file, &query.text, error.offset, &format!("tree-sitter says: {}", error.message.trim()))
    })
}

fn language_of(file: &Path) -> Result<&'static Language, String> {
    let folder = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let language = language::by_name(&folder).filter(|language| language.grammar().is_some());
    language
        .ok_or_else(|| format!("{}: its folder is not named after a language with a grammar; put it into one", file.display()))
}
