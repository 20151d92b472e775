//! Valid code that a grammar stumbles over is overwritten before a second reading. What is known of it stands in the table
//! of languages.

use regex::bytes::Regex;

use crate::language::Stumble;

/// The text with something else in place of what the grammar stumbles over, byte for byte as long and with the same line
/// ends; None where there is nothing of the kind.
pub(in crate::outline::reading) fn overwritten(bytes: &[u8], stumbles: &[&[Stumble]]) -> Option<Vec<u8>> {
    let mut text = None;
    for stumble in stumbles.iter().copied().flatten() {
        let Ok(pattern) = Regex::new(stumble.pattern) else { continue };
        for found in pattern.captures_iter(bytes).filter_map(|captures| captures.get(1)) {
            let place = &mut text.get_or_insert_with(|| bytes.to_vec())[found.range()];
            let with = stumble.with.bytes().chain(std::iter::repeat(stumble.fill));
            for (byte, with) in place.iter_mut().zip(with).filter(|(byte, _)| !matches!(byte, b'\n' | b'\r')) {
                *byte = with;
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language;

    /// What the parser is given in place of `source` by the stumbles of a language.
    fn read(language: &str, source: &str) -> String {
        let stumbles = language::by_name(language).unwrap().second_reading.unwrap().stumbles;
        overwritten(source.as_bytes(), stumbles).map_or(source.to_owned(), |text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn every_stumble_is_a_regular_expression_with_a_group() {
        for stumble in language::all()
            .iter()
            .filter_map(|language| language.second_reading)
            .flat_map(|again| again.stumbles.iter().copied().flatten())
        {
            assert_eq!(Regex::new(stumble.pattern).unwrap().captures_len(), 2, "{}", stumble.pattern);
        }
    }

    #[test]
    fn what_a_grammar_stumbles_over_is_overwritten_in_place() {
        for (source, text) in [
            ("  (a: A): B\n  <C>(c: C): B\n", "  (a: A): B\n ;<C>(c: C): B\n"),
            ("  (a: A): B<A>\n\n  /** more */\n  <C>(c: C): B\n", "  (a: A): B<A>\n\n  /** more */\n ;<C>(c: C): B\n"),
            ("const f =\n  <T>(x: T) => x;\n", "const f =\n  <T>(x: T) => x;\n"),
            ("type A = import('a').B<C>;", "type A = ___________.B<C>;"),
            ("for (using x of y) {}", "for (const x of y) {}"),
            ("await using file = open();", "const       file = open();"),
            ("interface A<in out T, out U> {}", "interface A<       T,     U> {}"),
            ("if (using) in(out, x);", "if (using) in(out, x);"),
        ] {
            assert_eq!(read("typescript", source), text);
        }
        for (source, text) in [
            ("F(async, (a, b) => { });", "F(_____, (a, b) => { });"),
            (
                "Task F(bool async) => G(async () => { }, async x => x);",
                "Task F(bool async) => G(async () => { }, async x => x);",
            ),
        ] {
            assert_eq!(read("csharp", source), text);
        }
    }
    #[test]
    fn what_flow_writes_otherwise_is_overwritten_in_place() {
        for (source, text) in [
            ("type A = {| +a: ?string, ...B, ... |};", "type A = {   a:  string, ...B,      };"),
            ("type A = {\n  ...Props,\n  -b: ?(x: B) => C,\n};", "type A = {\n  _ :Props,\n   b:  (x: B) => C,\n};"),
            ("type F = ?(...mixed[]) => void;", "type F = ?(...mixed  ) => void;"),
            ("class A<+T, -U> {}", "class A< T,  U> {}"),
            ("export opaque type Id: string = string;", "export        type Id         = string;"),
            ("declare export opaque type Op<T>: Query;", "        export        type Op<T>= Query;"),
            ("let all: Graph<> = one(*);", "let all: Graph   = one(*);"),
            ("for (const a: any of all) f((a: *));", "for (const a      of all) f((a: _));"),
            ("for (const a: {\n  b: c,\r\n} of all) {}", "for (const a   \n       \r\n  of all) {}"),
            ("type F = (void) => void;", "type F = (_   ) => void;"),
            ("export component Panel(title: string) {}", "export function  Panel(title: string) {}"),
            ("const a = b ? c : {...d};\n f(+a, ...b);", "const a = b ? c : {...d};\n f(+a, ...b);"),
        ] {
            assert_eq!(read("javascript", source), text);
        }
    }
}
