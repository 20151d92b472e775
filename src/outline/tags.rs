//! Outlines as a tags file, in the extended format that vi, vim and readtags read.

use std::collections::HashMap;
use std::fmt::Write;

use super::find::parents;
use super::{Symbol, imports};
use crate::shown::is_shown;

/// Bytes of a line that are searched for, at most: a longer one is told by its number.
const MAX_PATTERN: usize = 200;

/// What stands at the head of a tags file.
pub fn header() -> String {
    format!(
        "!_TAG_FILE_ENCODING\tutf-8\t//\n\
         !_TAG_FILE_FORMAT\t2\t/extended format/\n\
         !_TAG_FILE_SORTED\t1\t/0=unsorted, 1=sorted, 2=foldcase/\n\
         !_TAG_PROGRAM_NAME\tstk\t//\n\
         !_TAG_PROGRAM_VERSION\t{}\t//\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// A line for each symbol of a file: name, file, address, kind, line, end, what holds it, language. Sorted with those of
/// other files, byte by byte, they are a tags file.
///
/// The address is a search for the line as it stands, so that it is found when lines above it come and go; the number of
/// the line where such a search would find another one, or the line is long.
pub fn tags(path: &str, source: &[u8], language: Option<&str>, symbols: &[Symbol]) -> Vec<String> {
    let lines: Vec<&[u8]> = source.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect();
    let mut counts: HashMap<&[u8], usize> = HashMap::with_capacity(lines.len());
    for line in &lines {
        *counts.entry(line).or_default() += 1;
    }
    let path = escaped(path);
    let parents = parents(symbols);
    let kinds: HashMap<&str, &str> = symbols.iter().map(|symbol| (symbol.name.as_str(), symbol.kind)).collect();
    let tagged = |symbol: &Symbol| symbol.kind != imports::KIND && !symbol.name.trim().is_empty();
    let line_of = |(index, symbol): (usize, &Symbol)| {
        let line = lines.get(symbol.line - 1).filter(|line| counts[*line] == 1).and_then(|line| pattern(line));
        let address = line.unwrap_or_else(|| symbol.line.to_string());
        // A member that is defined outside its owner is looked for by its own name.
        let (owner, name) = symbol.name.rsplit_once("::").filter(|(_, name)| !name.is_empty()).unwrap_or(("", &symbol.name));
        let mut tag = format!("{}\t{path}\t{address};\"\tkind:{}", escaped(name), symbol.kind);
        let _ = write!(tag, "\tline:{}\tend:{}", symbol.line, symbol.end_line);
        if let Some(language) = language {
            let _ = write!(tag, "\tlanguage:{language}");
        }
        let mut holders: Vec<_> = std::iter::successors(parents[index], |&outer| parents[outer]).collect();
        holders.reverse();
        let mut names: Vec<_> = holders.iter().map(|&outer| escaped(&symbols[outer].name)).collect();
        if !owner.is_empty() {
            names.push(escaped(owner));
        }
        let kind = match kinds.get(owner) {
            Some(kind) => kind,
            None if owner.is_empty() => holders.last().map_or("", |&holder| symbols[holder].kind),
            None => "class",
        };
        if !names.is_empty() {
            let _ = write!(tag, "\t{kind}:{}", names.join("."));
        }
        tag
    };
    symbols.iter().enumerate().filter(|(_, symbol)| tagged(symbol)).map(line_of).collect()
}

/// A search for exactly this line; None where it cannot be written as one.
fn pattern(line: &[u8]) -> Option<String> {
    let text = str::from_utf8(line).ok().filter(|text| text.len() <= MAX_PATTERN)?;
    // A tab may stand in a search. What is not seen where it stands may not, like a byte order mark, which editors take away.
    if !text.chars().all(|c| c == '\t' || is_shown(c)) {
        return None;
    }
    Some(format!("/^{}$/", text.replace('\\', "\\\\").replace('/', "\\/")))
}

/// In a field, a tab would end it and a line break the tag, and no other control character is written as it is.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str("\\\\"),
            '\t' => escaped.push_str("\\t"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            c if c.is_ascii_control() => _ = write!(escaped, "\\x{:02x}", u32::from(c)),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(name: &str, kind: &'static str, line: usize, end_line: usize, depth: usize) -> Symbol {
        Symbol { name: name.to_owned(), kind, line, end_line, depth, signature: String::new() }
    }

    #[test]
    fn a_tag_has_an_address_and_fields() {
        let source = b"class A { // a/b\\c\r\n\tint x();\n}\nclass B {\n\tint x();\n}\n";
        let symbols = [
            symbol("import", "import", 1, 1, 0),
            symbol("A", "class", 1, 3, 0),
            symbol("x", "method", 2, 2, 1),
            symbol("B", "class", 4, 6, 0),
            symbol("C::D", "class", 4, 6, 1),
            symbol("y\tz", "method", 5, 5, 2),
        ];
        let tags = tags("a.cpp", source, Some("cpp"), &symbols);
        assert_eq!(
            tags,
            [
                "A\ta.cpp\t/^class A { \\/\\/ a\\/b\\\\c$/;\"\tkind:class\tline:1\tend:3\tlanguage:cpp",
                "x\ta.cpp\t2;\"\tkind:method\tline:2\tend:2\tlanguage:cpp\tclass:A",
                "B\ta.cpp\t/^class B {$/;\"\tkind:class\tline:4\tend:6\tlanguage:cpp",
                "D\ta.cpp\t/^class B {$/;\"\tkind:class\tline:4\tend:6\tlanguage:cpp\tclass:B.C",
                "y\\tz\ta.cpp\t5;\"\tkind:method\tline:5\tend:5\tlanguage:cpp\tclass:B.C::D",
            ]
        );
    }

    #[test]
    fn a_line_that_cannot_be_searched_for_is_told_by_its_number() {
        let unseen =
            ["a\x0cb", "\u{feff}f()", "f() // \u{202e}", "f(\u{200b})", "\u{1b}[2Jf()"].map(|line| line.as_bytes().to_vec());
        for source in unseen.into_iter().chain([vec![b'x'; 300], b"\xff()".to_vec()]) {
            assert!(tags("a", &source, None, &[symbol("f", "function", 1, 1, 0)])[0].starts_with("f\ta\t1;\"\tkind:function"));
        }
    }

    #[test]
    fn a_file_name_stays_in_its_field() {
        let tags = tags("a\t\u{1b}[2J\n\\b", b"f()", None, &[symbol("f", "function", 1, 1, 0)]);
        assert!(tags[0].starts_with("f\ta\\t\\x1b[2J\\n\\\\b\t/^f()$/"), "{tags:?}");
    }
}
