//! `stk languages`: what stk can read.

use std::io::{Write, stdout};
use std::path::Path;

use super::{Failure, known_languages};
use crate::language::known::Languages;
use crate::language::outline_query::OutlineQuery;
use crate::language::{self, Language, Reader};
use crate::query::QueryError;

/// Prints a row for each language: its name, its extensions, what reads it, and where its query comes from.
pub fn run() -> Result<(), Failure> {
    let languages = known_languages()?;
    let mut out = stdout().lock();
    for (_, own) in languages.own() {
        let source = format!("{}, {}", own.grammar.display(), own.query.display());
        writeln!(out, "{}", row(&own.name, "tree-sitter", &own.extensions.join(" "), &source))?;
    }
    for language in language::all() {
        let (reader, source) = match language.reader {
            Reader::TreeSitter { .. } => {
                let query = OutlineQuery::load(language)?;
                ("tree-sitter", if query.is_own { query.file } else { format!("built in: {}", query.file) })
            }
            Reader::Own { .. } | Reader::Declarations => ("regex", String::new()),
            Reader::Markdown => ("markdown", String::new()),
            Reader::Json { .. } => ("json", String::new()),
        };
        let extensions = language.extensions.iter().filter(|extension| !languages.is_own(extension));
        let extensions: Vec<_> = extensions.chain(language.file_names).copied().collect();
        writeln!(out, "{}", row(language.name, reader, &extensions.join(" "), &source))?;
    }
    Ok(())
}

fn row(name: &str, reader: &str, extensions: &str, source: &str) -> String {
    format!("{name:<12} {reader:<12} {extensions:<40} {source}").trim_end().to_owned()
}

/// Builds the queries of all languages, or the one in `file`, which lies in a folder of its language's name.
///
/// Errors: every query that stk or tree-sitter cannot read, with the place and what is wrong there, and every grammar of
/// the user's own that cannot be loaded, with why.
pub fn check(file: Option<&Path>) -> Result<(), Failure> {
    let mut out = stdout().lock();
    let mut faults = Vec::new();
    let mut queries = Vec::new();
    let languages = known_languages()?;
    if let Some(file) = file {
        queries.push((language_of(file, &languages)?, OutlineQuery::read(file)?));
    } else {
        for (_, own) in languages.own() {
            // What is wrong with one that does not load is told with its query.
            if let Ok(grammar) = own.grammar() {
                writeln!(out, "{:<12} {}: loads, ABI version {}", own.name, own.grammar.display(), grammar.abi_version())?;
            }
        }
        let own = languages.own().map(|(language, _)| language);
        let built_in = language::all().iter().filter(|language| language.grammar().is_some());
        for language in own.chain(built_in) {
            match OutlineQuery::load(language) {
                Ok(query) => queries.push((language, query)),
                Err(error) => faults.push(error),
            }
        }
    }
    for (language, query) in queries {
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

fn language_of(file: &Path, languages: &Languages) -> Result<&'static Language, String> {
    let folder = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    if let Some(language) = languages.by_name(&folder)
        && language.load_grammar()?.is_some()
    {
        return Ok(language);
    }
    Err(format!("{}: its folder is not named after a language with a grammar; put it into one", file.display()))
}
