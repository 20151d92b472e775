//! The table of languages: one row each. What is a symbol in a language stands in `queries/`, not here.

use tree_sitter::Language as Grammar;

/// One language: how its files are told, and what reads them.
pub struct Language {
    /// The name of its folder in `queries/`, and what `--lang` takes.
    pub name: &'static str,
    /// Without the dot, in lower case.
    pub extensions: &'static [&'static str],
    /// Whole file names, where a name says more than its extension.
    pub file_names: &'static [&'static str],
    /// Programs that a `#!` line may name.
    pub interpreters: &'static [&'static str],
    /// What makes its outline.
    pub reader: Reader,
}

/// What makes the outline of a language's files.
#[derive(Clone, Copy)]
pub enum Reader {
    /// A tree-sitter grammar, and the built-in query.
    TreeSitter {
        /// The grammar; asked for only when a file of the language is read.
        grammar: fn() -> Grammar,
        /// The folder in `queries/` whose `outline.scm` it is.
        query_name: &'static str,
        /// The text of that file.
        query: &'static str,
    },
    /// No grammar: lines that look like declarations.
    Declarations,
    /// Headings.
    Markdown,
    /// Keys; `by_line` where each line is a value of its own.
    Json {
        /// JSON Lines.
        by_line: bool,
    },
}

macro_rules! tree_sitter {
    ($grammar:expr, $query:literal) => {
        Reader::TreeSitter {
            grammar: || $grammar.into(),
            query_name: $query,
            query: include_str!(concat!("../queries/", $query, "/outline.scm")),
        }
    };
}

const fn row(name: &'static str, extensions: &'static [&'static str], reader: Reader) -> Language {
    Language { name, extensions, file_names: &[], interpreters: &[], reader }
}

impl Language {
    #[allow(dead_code)]
    const fn named(self, file_names: &'static [&'static str]) -> Self {
        Self { file_names, ..self }
    }

    const fn run_by(self, interpreters: &'static [&'static str]) -> Self {
        Self { interpreters, ..self }
    }

    /// The grammar, where the language has one.
    pub fn grammar(&self) -> Option<Grammar> {
        match self.reader {
            Reader::TreeSitter { grammar, .. } => Some(grammar()),
            _ => None,
        }
    }
}

/// Sorted by name; a test says so.
static LANGUAGES: &[Language] = &[
    row("c", &["c"], tree_sitter!(tree_sitter_c::LANGUAGE, "c")),
    row(
        "cpp",
        &["cc", "cpp", "cu", "cuh", "cxx", "c++", "h", "h++", "hh", "hpp", "hxx", "inl", "ino", "ipp", "ixx", "tcc", "tpp"],
        tree_sitter!(tree_sitter_cpp::LANGUAGE, "cpp"),
    ),
    row("csharp", &["cs", "csx"], tree_sitter!(tree_sitter_c_sharp::LANGUAGE, "csharp")),
    row("go", &["go"], tree_sitter!(tree_sitter_go::LANGUAGE, "go")),
    row("java", &["java"], tree_sitter!(tree_sitter_java::LANGUAGE, "java")),
    row("javascript", &["cjs", "es6", "js", "jsx", "mjs"], tree_sitter!(tree_sitter_javascript::LANGUAGE, "javascript"))
        .run_by(&["bun", "deno", "node", "nodejs"]),
    row(
        "json",
        &["avsc", "geojson", "gltf", "har", "json", "json5", "jsonc", "jsonld", "topojson", "webmanifest"],
        Reader::Json { by_line: false },
    ),
    row("jsonl", &["jsonl", "ndjson"], Reader::Json { by_line: true }),
    row("markdown", &["markdown", "md", "mdown", "mdx", "mkd"], Reader::Markdown),
    row("python", &["py", "pyi", "pyw"], tree_sitter!(tree_sitter_python::LANGUAGE, "python"))
        .run_by(&["pypy", "pypy3", "python", "python2", "python3"]),
    row("rust", &["rs"], tree_sitter!(tree_sitter_rust::LANGUAGE, "rust")),
    row("tsx", &["tsx"], tree_sitter!(tree_sitter_typescript::LANGUAGE_TSX, "typescript")),
    row("typescript", &["cts", "mts", "ts"], tree_sitter!(tree_sitter_typescript::LANGUAGE_TYPESCRIPT, "typescript"))
        .run_by(&["ts-node", "tsx"]),
];

/// Every language, sorted by name.
pub fn all() -> &'static [Language] {
    LANGUAGES
}

/// The language of that name, as `--lang` takes it.
pub fn by_name(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.name.eq_ignore_ascii_case(name))
}

/// The language of a file: by its whole name, its extension, or the program that its first line names.
///
/// `file_name` has no folder in it; `head` is the beginning of the file, of which the first line counts.
pub fn of_file(file_name: &str, head: &[u8]) -> Option<&'static Language> {
    by_file_name(file_name).or_else(|| by_first_line(head))
}

fn by_file_name(file_name: &str) -> Option<&'static Language> {
    if let Some(language) = LANGUAGES.iter().find(|language| language.file_names.contains(&file_name)) {
        return Some(language);
    }
    let (_, extension) = file_name.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    LANGUAGES.iter().find(|language| language.extensions.contains(&extension.as_str()))
}

/// `#!/usr/bin/env -S python3.11 -u` names python3.
fn by_first_line(head: &[u8]) -> Option<&'static Language> {
    let line = head.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let line = std::str::from_utf8(&line[..line.len().min(200)]).ok()?;
    let program = line
        .split_ascii_whitespace()
        .map(|word| word.rsplit('/').next().unwrap_or(word))
        .find(|word| !word.starts_with('-') && !word.contains('=') && *word != "env")?;
    let bare = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    LANGUAGES.iter().find(|language| language.interpreters.iter().any(|name| [program, bare].contains(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_names_nothing_twice() {
        assert!(LANGUAGES.is_sorted_by(|a, b| a.name < b.name));
        let mut extensions: Vec<_> = LANGUAGES.iter().flat_map(|language| language.extensions).collect();
        extensions.sort();
        assert!(extensions.windows(2).all(|pair| pair[0] != pair[1]), "an extension of two languages: {extensions:?}");
        for language in LANGUAGES {
            assert!(language.extensions.is_sorted() || language.name == "cpp", "{}", language.name);
            assert!(language.extensions.iter().all(|extension| extension.to_ascii_lowercase() == **extension));
        }
    }

    #[test]
    fn a_file_is_told_by_name_extension_or_first_line() {
        let name = |file, head: &str| of_file(file, head.as_bytes()).map(|language| language.name);
        assert_eq!(name("x.RS", ""), Some("rust"));
        assert_eq!(name("a.b.hpp", ""), Some("cpp"));
        assert_eq!(name("tool", "#!/usr/bin/env -S python3.11 -u\n"), Some("python"));
        assert_eq!(name("tool", "#!/usr/bin/node\n"), Some("javascript"));
        assert_eq!(name("tool", "#!/bin/unheard-of\n"), None);
        assert_eq!(name("tool", ""), None);
    }
}
