//! The table of languages: one row each. What is a symbol in a language stands in `queries/`, not here.

pub mod known;
pub mod library;
pub mod outline_query;
pub mod own;

use tree_sitter::Language as Grammar;

use crate::language::own::OwnLanguage;
use crate::lexis::{Lexis, facts};

/// One language: how its files are told, and what reads them.
pub struct Language {
    /// The name of its folder in `queries/`, and what `--lang` takes.
    pub name: &'static str,
    /// Without the dot, in lower case.
    pub extensions: &'static [&'static str],
    /// Those of its extensions whose files declare what other files define.
    pub headers: &'static [&'static str],
    /// Whole file names, where a name says more than its extension.
    pub file_names: &'static [&'static str],
    /// Programs that a `#!` line may name.
    pub interpreters: &'static [&'static str],
    /// What makes its outline.
    pub reader: Reader,
    /// How it is written, as far as that can be told without a grammar.
    pub lexis: Option<&'static Lexis>,
    /// What comes before the grammar's turn and may stand in its way.
    pub preprocessor: Option<Preprocessor>,
    /// How to read a file again in which the grammar finds errors.
    pub second_reading: Option<SecondReading>,
}

/// What a compiler of the language does before it parses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preprocessor {
    /// Conditional compilation: `#if`.
    Conditionals,
    /// The same, and macros.
    Macros,
}

/// Another way to read a file; of the two, the one with less damage counts.
#[derive(Clone, Copy)]
pub struct SecondReading {
    /// The name of the language to read it as, which may be its own.
    pub language: &'static str,
    /// Valid code that the grammar stumbles over.
    pub stumbles: &'static [&'static [Stumble]],
    /// Where one of these stands in a text, it is such code as a rule, so that a first reading would be in vain.
    pub signs: &'static [&'static str],
}

/// Valid code that a grammar stumbles over, and what it is given to read in its place. That is as long as what stood
/// there, so that nothing else moves.
pub struct Stumble {
    /// A regular expression; what its first group finds is replaced.
    pub pattern: &'static str,
    /// What is read there.
    pub with: &'static str,
    /// What follows it as often as there is room.
    pub fill: u8,
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
    /// A grammar of the user's own.
    Own {
        /// Where it and its query are.
        language: &'static OwnLanguage,
        /// What the files would be without it, and are where it has no answer.
        otherwise: Option<&'static Language>,
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
            query: include_str!(concat!("../../queries/", $query, "/outline.scm")),
        }
    };
}

const fn row(name: &'static str, extensions: &'static [&'static str], reader: Reader) -> Language {
    Language {
        name,
        extensions,
        headers: &[],
        file_names: &[],
        interpreters: &[],
        reader,
        lexis: None,
        preprocessor: None,
        second_reading: None,
    }
}

impl Language {
    const fn named(self, file_names: &'static [&'static str]) -> Self {
        Self { file_names, ..self }
    }

    const fn written(self, lexis: &'static Lexis) -> Self {
        Self { lexis: Some(lexis), ..self }
    }

    const fn with_headers(self, headers: &'static [&'static str]) -> Self {
        Self { headers, ..self }
    }

    const fn preprocessed(self, preprocessor: Preprocessor) -> Self {
        Self { preprocessor: Some(preprocessor), ..self }
    }

    const fn read_again_as(self, language: &'static str, stumbles: &'static [&'static [Stumble]]) -> Self {
        Self { second_reading: Some(SecondReading { language, stumbles, signs: &[] }), ..self }
    }

    const fn at_once_with(self, signs: &'static [&'static str]) -> Self {
        match self.second_reading {
            Some(second) => Self { second_reading: Some(SecondReading { signs, ..second }), ..self },
            None => self,
        }
    }

    const fn run_by(self, interpreters: &'static [&'static str]) -> Self {
        Self { interpreters, ..self }
    }

    /// A language of the user's own, for its files with this extension. One that is named like one of the table is written
    /// as that is.
    pub fn of_own(language: &'static OwnLanguage, extension: &'static str) -> Self {
        let namesake = by_name(&language.name);
        let otherwise = by_extension(extension).or(namesake);
        let extensions = Box::leak(Box::new([extension]));
        let headers = otherwise.map_or(&[][..], |otherwise| otherwise.headers);
        let row = row(&language.name, extensions, Reader::Own { language, otherwise }).with_headers(headers);
        match namesake {
            Some(namesake) => Self { lexis: namesake.lexis, preprocessor: namesake.preprocessor, ..row },
            None => row,
        }
    }

    /// Whether a file of this name declares what other files define, so that declarations without a body count.
    pub fn is_header(&self, file_name: &str) -> bool {
        extension_of(file_name).is_some_and(|extension| self.headers.contains(&extension.as_str()))
    }

    /// The grammar, where the language has one; one of the user's own, where it can be loaded.
    pub fn grammar(&self) -> Option<Grammar> {
        self.load_grammar().ok().flatten()
    }

    /// The grammar, where the language has one.
    ///
    /// Errors: a full sentence, where one of the user's own cannot be loaded.
    pub fn load_grammar(&self) -> Result<Option<Grammar>, String> {
        match self.reader {
            Reader::TreeSitter { grammar, .. } => Ok(Some(grammar())),
            Reader::Own { language, .. } => language.grammar().map(Some),
            _ => Ok(None),
        }
    }
}

/// Sorted by name; a test says so.
static LANGUAGES: &[Language] = &[
    row("c", &["c"], tree_sitter!(tree_sitter_c::LANGUAGE, "c")).written(&facts::C).preprocessed(Preprocessor::Macros),
    row("clojure", &["clj", "cljc", "cljs", "edn"], Reader::Declarations).written(&facts::CLOJURE).run_by(&["bb"]),
    row("cmake", &["cmake"], Reader::Declarations).written(&facts::CMAKE).named(&["CMakeLists.txt"]),
    row(
        "cpp",
        &["cc", "cpp", "cu", "cuh", "cxx", "c++", "h", "h++", "hh", "hpp", "hxx", "inl", "ino", "ipp", "ixx", "tcc", "tpp"],
        tree_sitter!(tree_sitter_cpp::LANGUAGE, "cpp"),
    )
    .written(&facts::CPP)
    .with_headers(&["cuh", "h", "h++", "hh", "hpp", "hxx", "inl", "ipp", "ixx", "tcc", "tpp"])
    .preprocessed(Preprocessor::Macros),
    row("crystal", &["cr"], Reader::Declarations).written(&facts::CRYSTAL).run_by(&["crystal"]),
    row("csharp", &["cs", "csx"], tree_sitter!(tree_sitter_c_sharp::LANGUAGE, "csharp"))
        .written(&facts::CSHARP)
        .preprocessed(Preprocessor::Conditionals)
        .read_again_as("csharp", &[CSHARP_STUMBLES]),
    row("css", &["css"], Reader::Declarations).written(&facts::CSS),
    row("d", &["d", "di"], Reader::Declarations).written(&facts::D).run_by(&["rdmd"]),
    row("dart", &["dart"], Reader::Declarations).written(&facts::DART).run_by(&["dart"]),
    row("dockerfile", &["dockerfile"], Reader::Declarations).written(&facts::DOCKERFILE).named(&["Containerfile", "Dockerfile"]),
    row("elixir", &["ex", "exs"], Reader::Declarations).written(&facts::ELIXIR).run_by(&["elixir"]),
    row("erlang", &["erl", "hrl"], Reader::Declarations).written(&facts::ERLANG).run_by(&["escript"]),
    row("fsharp", &["fs", "fsi", "fsx"], Reader::Declarations).written(&facts::FSHARP),
    row("go", &["go"], tree_sitter!(tree_sitter_go::LANGUAGE, "go")).written(&facts::GO),
    row("graphql", &["gql", "graphql", "graphqls"], Reader::Declarations).written(&facts::GRAPHQL),
    row("groovy", &["gradle", "groovy"], Reader::Declarations)
        .written(&facts::GROOVY)
        .named(&["Jenkinsfile"])
        .run_by(&["groovy"]),
    row("haskell", &["hs"], Reader::Declarations).written(&facts::HASKELL).run_by(&["runghc", "runhaskell"]),
    row("hcl", &["hcl", "nomad", "tf", "tfvars"], Reader::Declarations).written(&facts::HCL),
    row("ini", &["cfg", "conf", "desktop", "ini", "service"], Reader::Declarations).written(&facts::INI).named(&[
        ".editorconfig",
        ".gitconfig",
        ".gitmodules",
    ]),
    row("java", &["java"], tree_sitter!(tree_sitter_java::LANGUAGE, "java")).written(&facts::JAVA),
    row("javascript", &["cjs", "es6", "js", "jsx", "mjs"], tree_sitter!(tree_sitter_javascript::LANGUAGE, "javascript"))
        .written(&facts::JAVASCRIPT)
        // Flow's annotations are nearly TypeScript's.
        .read_again_as("tsx", &[TYPESCRIPT_STUMBLES, FLOW_STUMBLES])
        .run_by(&["bun", "deno", "node", "nodejs"]),
    row(
        "json",
        &["avsc", "geojson", "gltf", "har", "json", "json5", "jsonc", "jsonld", "topojson", "webmanifest"],
        Reader::Json { by_line: false },
    ),
    row("jsonl", &["jsonl", "ndjson"], Reader::Json { by_line: true }),
    row("julia", &["jl"], Reader::Declarations).written(&facts::JULIA).run_by(&["julia"]),
    row("kotlin", &["kt", "kts"], Reader::Declarations).written(&facts::KOTLIN).run_by(&["kotlin"]),
    row("lisp", &["cl", "el", "lisp", "lsp", "rkt", "scm", "ss"], Reader::Declarations).written(&facts::LISP),
    row("lua", &["lua", "luau", "rockspec"], Reader::Declarations).written(&facts::LUA).run_by(&["lua", "luajit"]),
    row("makefile", &["mak", "mk"], Reader::Declarations)
        .written(&facts::MAKE)
        .named(&["GNUmakefile", "Makefile", "makefile"])
        .run_by(&["make"]),
    row("markdown", &["markdown", "md", "mdown", "mdx", "mkd"], Reader::Markdown),
    row("nim", &["nim", "nims"], Reader::Declarations).written(&facts::NIM),
    row("objective-c", &["m", "mm"], Reader::Declarations).written(&facts::OBJECTIVE_C),
    row("ocaml", &["ml", "mli"], Reader::Declarations).written(&facts::OCAML).run_by(&["ocaml"]),
    row("perl", &["pl", "pm", "t"], Reader::Declarations).written(&facts::PERL).run_by(&["perl"]),
    row("php", &["php", "php5", "phps", "phtml"], tree_sitter!(tree_sitter_php::LANGUAGE_PHP, "php"))
        .written(&facts::PHP)
        .run_by(&["php"]),
    row("powershell", &["ps1", "psd1", "psm1"], Reader::Declarations).written(&facts::POWERSHELL).run_by(&["powershell", "pwsh"]),
    row("proto", &["proto"], Reader::Declarations).written(&facts::PROTO),
    row("python", &["py", "pyi", "pyw"], tree_sitter!(tree_sitter_python::LANGUAGE, "python"))
        .written(&facts::PYTHON)
        .run_by(&["pypy", "pypy3", "python", "python2", "python3"]),
    row("r", &["r"], Reader::Declarations).written(&facts::R).run_by(&["Rscript"]),
    row("ruby", &["gemspec", "podspec", "rake", "rb", "rbi", "ru"], tree_sitter!(tree_sitter_ruby::LANGUAGE, "ruby"))
        .written(&facts::RUBY)
        .read_again_as("ruby", &[RUBY_STUMBLES])
        .named(&["Brewfile", "Fastfile", "Gemfile", "Podfile", "Rakefile", "Vagrantfile"])
        .run_by(&["jruby", "ruby"]),
    row("rust", &["rs"], tree_sitter!(tree_sitter_rust::LANGUAGE, "rust")).written(&facts::RUST),
    row("scala", &["sbt", "sc", "scala"], Reader::Declarations).written(&facts::SCALA).run_by(&["scala"]),
    row("scss", &["less", "scss"], Reader::Declarations).written(&facts::SCSS),
    row("shell", &["bash", "bats", "ksh", "sh", "zsh"], Reader::Declarations)
        .written(&facts::SHELL)
        .named(&[".bash_aliases", ".bash_profile", ".bashrc", ".profile", ".zprofile", ".zshenv", ".zshrc", "PKGBUILD"])
        .run_by(&["ash", "bash", "bats", "dash", "ksh", "sh", "zsh"]),
    row("solidity", &["sol"], Reader::Declarations).written(&facts::SOLIDITY),
    row("sql", &["ddl", "psql", "sql"], Reader::Declarations).written(&facts::SQL),
    row("svelte", &["svelte"], Reader::Declarations).written(&facts::COMPONENT),
    row("swift", &["swift"], Reader::Declarations).written(&facts::SWIFT).run_by(&["swift"]),
    row("toml", &["toml"], Reader::Declarations).written(&facts::TOML).named(&[
        "Cargo.lock",
        "Pipfile",
        "poetry.lock",
        "uv.lock",
    ]),
    row("tsx", &["tsx"], tree_sitter!(tree_sitter_typescript::LANGUAGE_TSX, "typescript"))
        .written(&facts::TYPESCRIPT)
        .read_again_as("tsx", &[TYPESCRIPT_STUMBLES])
        .at_once_with(VARIANCE),
    row("typescript", &["cts", "mts", "ts"], tree_sitter!(tree_sitter_typescript::LANGUAGE_TYPESCRIPT, "typescript"))
        .written(&facts::TYPESCRIPT)
        .read_again_as("typescript", &[TYPESCRIPT_STUMBLES])
        .at_once_with(VARIANCE)
        .run_by(&["ts-node", "tsx"]),
    row("vb", &["bas", "frm", "vb", "vbs"], Reader::Declarations).written(&facts::VISUAL_BASIC),
    row("vue", &["vue"], Reader::Declarations).written(&facts::COMPONENT),
    row("yaml", &["yaml", "yml"], Reader::Declarations).written(&facts::YAML).named(&[".clang-format", ".clang-tidy"]),
    row("zig", &["zig", "zon"], Reader::Declarations).written(&facts::ZIG),
];

const CSHARP_STUMBLES: &[Stumble] = &[
    // A block of members that extend a type; as a record it has type parameters, parameters and constraints.
    Stumble { pattern: r"(?m-u)^[ \t]*(extension)[ \t]*(?:<[^>]*>)?[ \t]*\(", with: "record E", fill: b' ' },
    // A variable of that name among arguments: the grammar expects a function behind it, and reads a lambda as something else.
    Stumble { pattern: r"(?-u)[(,]\s*(async)\s*[,)]", with: "", fill: b'_' },
];

const RUBY_STUMBLES: &[Stumble] = &[
    // A quotient that could begin a regular expression, if `a` were a method: `a /b`.
    Stumble { pattern: r"(?m-u)[\w\])][ \t]+(/)[\w(][^/\n]*$", with: ".", fill: b' ' },
];

const TYPESCRIPT_STUMBLES: &[Stumble] = &[
    // A call signature that begins with type parameters ends the line before it, without a semicolon too.
    Stumble {
        pattern: r#"(?-u)(?:[\w\])}"']|[^=]>)\s*(?:/\*[^*]*\*+(?:[^/*][^*]*\*+)*/\s*|//[^\n]*\s*)*\n[ \t]*([ \t])<[\w\s]"#,
        with: ";",
        fill: b' ',
    },
    // A type may be imported where it is named, and then have arguments.
    Stumble { pattern: r#"(?-u)\b(import\(["'][^"'\n]*["']\))"#, with: "", fill: b'_' },
    // A declaration that disposes of what it declares.
    Stumble { pattern: r"(?-u)\b(await[ \t]+using|using)[ \t]+[\w$]+[ \t]*(?:[=:]|of\b)", with: "const", fill: b' ' },
    // The variance of a type parameter.
    Stumble { pattern: r"(?-u)[<,]\s*(in[ \t]+out|in|out)[ \t]+[\w$]", with: "", fill: b' ' },
];

/// Signs of the variance of type parameters.
const VARIANCE: &[&str] = &["<in ", "<out "];

/// What Flow writes otherwise than TypeScript.
const FLOW_STUMBLES: &[Stumble] = &[
    // A type that may be null; most of what TypeScript's grammar knows of it is that it is there.
    Stumble { pattern: r#"(?-u)(?:[:,<|(]|=>)\s*(\?+)[\w$({\['"]"#, with: "", fill: b' ' },
    // Exact objects, from `{|` to `|}`.
    Stumble { pattern: r"(?-u)\{(\|)", with: "", fill: b' ' },
    Stumble { pattern: r"(?-u)(\|)\}", with: "", fill: b' ' },
    // Objects with more to them, whatever it is: `...}`. And with the properties of another: `...Props,`.
    Stumble { pattern: r"(?-u)(\.\.\.)\s*\|?\}", with: "", fill: b' ' },
    Stumble { pattern: r"(?m-u)^[ \t]*(\.\.\.)(?:typeof\b|\$?[A-Z]+[a-z])", with: "_ :", fill: b' ' },
    // Parameters without a name.
    Stumble { pattern: r"(?-u)\((void)\)\s*=>", with: "_", fill: b' ' },
    Stumble { pattern: r"(?-u)\(\.\.\.[\w$]+(\[\])\)", with: "", fill: b' ' },
    // Properties and type parameters that can only be read, or only be written.
    Stumble { pattern: r"(?-u)[{|,;(\n][ \t]*([+-])[\w$]+\??:", with: "", fill: b' ' },
    Stumble { pattern: r"(?-u)[<,]\s*([+-])[A-Z]", with: "", fill: b' ' },
    // Types whose make-up only their module knows, and what may be known of it elsewhere.
    Stumble { pattern: r"(?-u)\b(opaque)[ \t]+type\b", with: "", fill: b' ' },
    Stumble { pattern: r"(?-u)\btype[ \t]+[\w$]+(:[ \t]*[\w$.]+)[ \t]*=", with: "", fill: b' ' },
    Stumble {
        pattern: r"(?-u)\bdeclare[ \t]+(?:export[ \t]+)?opaque[ \t]+type[ \t]+[\w$]+(?:<[^>;]*>)?(:)",
        with: "=",
        fill: b' ',
    },
    Stumble { pattern: r"(?-u)\b(declare)[ \t]+export\b", with: "", fill: b' ' },
    // Type arguments that are all left out, and one that is inferred.
    Stumble { pattern: r"(?-u)[\w$](<>)", with: "", fill: b' ' },
    Stumble { pattern: r"(?-u):[ \t]*(\*)[ \t]*[,)=;]", with: "_", fill: b' ' },
    // The type of a loop's variable, and a function's promise to check one.
    Stumble { pattern: r"(?-u)\((?:const|let|var)[ \t]+[\w$]+(:[^=;()]*)[ \t]of\b", with: "", fill: b' ' },
    Stumble { pattern: r"(?-u)(%checks)\b", with: "", fill: b' ' },
    // Functions of another name.
    Stumble { pattern: r"(?m-u)^(?:export[ \t]+)?(?:default[ \t]+)?(component)[ \t]+[A-Z]\w*[(<]", with: "function", fill: b' ' },
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
    by_whole_name(file_name).or_else(|| by_extension(&extension_of(file_name)?))
}

/// The language of files of exactly this name.
pub(crate) fn by_whole_name(file_name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.file_names.contains(&file_name))
}

fn by_extension(extension: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.extensions.contains(&extension))
}

/// In lower case, without the dot.
pub(crate) fn extension_of(file_name: &str) -> Option<String> {
    file_name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase())
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
    fn headers_are_told_by_their_extension() {
        let is_header = |file| of_file(file, b"").is_some_and(|language| language.is_header(file));
        assert!(is_header("a.h") && is_header("b.HPP") && is_header("c.d.inl"));
        assert!(!is_header("a.c") && !is_header("h.cpp") && !is_header("a.rs"));
        for language in LANGUAGES {
            assert!(language.headers.iter().all(|header| language.extensions.contains(header)), "{}", language.name);
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
