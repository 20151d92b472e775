//! Finding symbols in an outline: by their name, and by a line that they hold.

use super::{Symbol, imports};

/// What stands between the parts of a name, in whatever language: `Pipeline.run`, `Foo::bar`, `Array#map`.
const SEPARATORS: [&str; 3] = ["::", ".", "#"];

/// How many near names are told.
const NEAR: usize = 5;

/// The symbols that `wanted` names, in file order: by their own name, or by it and those of what holds them, the
/// outermost of which may be left out. So `run`, `Pipeline.run` and `flow::Pipeline::run` all name the same method, and
/// `Foo::bar` the declaration in `Foo` as well as the definition outside it.
///
/// Where there is none of that kind, names in between may be left out too, and the owner may stand before the name in the
/// declaration, as in `func (b *Bins) Len()`.
pub fn by_name(symbols: &[Symbol], wanted: &str) -> Vec<usize> {
    let wanted = without_call(wanted.trim());
    let parts = parts(wanted);
    let parents = parents(symbols);
    let all = || (0..symbols.len()).filter(|&index| symbols[index].kind != imports::KIND);
    let exact: Vec<usize> =
        all().filter(|&index| symbols[index].name == wanted || is_named(symbols, &parents, index, &parts, false)).collect();
    if !exact.is_empty() {
        return exact;
    }
    let with_gaps: Vec<usize> = all().filter(|&index| is_named(symbols, &parents, index, &parts, true)).collect();
    if !with_gaps.is_empty() {
        return with_gaps;
    }
    all().filter(|&index| is_owned_in_its_signature(&symbols[index], &parts)).collect()
}

/// The innermost symbol that holds a line; `firsts` are the lines on which each begins, what stands above it included.
pub fn at_line(symbols: &[Symbol], firsts: &[usize], line: usize) -> Option<usize> {
    let holds = |index: &usize| firsts[*index] <= line && line <= symbols[*index].end_line;
    (0..symbols.len()).filter(holds).max_by_key(|&index| (symbols[index].depth, index))
}

/// Names that may have been meant, the nearest first, each with the name of what holds it, and how far it is off.
pub fn near(symbols: &[Symbol], wanted: &str) -> Vec<(usize, String)> {
    let wanted = last_part(without_call(wanted.trim())).to_lowercase();
    let parents = parents(symbols);
    let mut near: Vec<(usize, String)> = Vec::new();
    for (index, symbol) in symbols.iter().enumerate().filter(|(_, symbol)| symbol.kind != imports::KIND) {
        let name = last_part(&symbol.name).to_lowercase();
        let Some(distance) = distance(&name, &wanted) else { continue };
        let name = match parents[index] {
            Some(parent) => format!("{}.{}", symbols[parent].name, symbol.name),
            None => symbol.name.clone(),
        };
        if !near.iter().any(|(_, known)| *known == name) {
            near.push((distance, name));
            near.sort_by_key(|(distance, _)| *distance);
            near.truncate(NEAR);
        }
    }
    near
}

/// None: too far for a slip of the pen. (Names are folded to lower case before.)
fn distance(name: &str, wanted: &str) -> Option<usize> {
    if name == wanted {
        return Some(0);
    }
    let is_part = name.len().min(wanted.len()) >= 3 && (name.contains(wanted) || wanted.contains(name));
    let allowed = (wanted.chars().count() / 3).max(1);
    let edits = || (name.len().abs_diff(wanted.len()) <= allowed * 4).then(|| strsim::osa_distance(name, wanted));
    if is_part { Some(1) } else { edits().filter(|edits| *edits <= allowed) }
}

/// `run()` names `run`.
fn without_call(name: &str) -> &str {
    name.strip_suffix("()").filter(|name| !name.is_empty()).unwrap_or(name)
}

fn parts(name: &str) -> Vec<String> {
    // Generics and quotes are no part of a name, as in the outline itself.
    let mut parts = vec![super::signature::tidy_name(name)];
    for separator in SEPARATORS {
        parts = parts.iter().flat_map(|part| part.split(separator)).map(|part| part.trim().to_owned()).collect();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn last_part(name: &str) -> &str {
    SEPARATORS.iter().fold(name, |name, separator| name.rsplit(separator).find(|part| !part.is_empty()).unwrap_or(name)).trim()
}

/// The symbol that directly holds each.
pub fn parents(symbols: &[Symbol]) -> Vec<Option<usize>> {
    let mut above: Vec<usize> = Vec::new();
    let mut parents = Vec::with_capacity(symbols.len());
    for (index, symbol) in symbols.iter().enumerate() {
        while above.last().is_some_and(|&outer| symbols[outer].depth >= symbol.depth) {
            above.pop();
        }
        parents.push(above.last().copied());
        above.push(index);
    }
    parents
}

/// Whether the last of `wanted` name the symbol, and those before what holds it.
fn is_named(symbols: &[Symbol], parents: &[Option<usize>], index: usize, wanted: &[String], gaps: bool) -> bool {
    let name = &symbols[index].name;
    // `Display for Point` answers to both its names.
    let names = name.split_once(" for ").into_iter().flat_map(|(of, on)| [of, on]);
    std::iter::once(name.as_str()).chain(names).any(|name| {
        let own = parts(name);
        let common = own.len().min(wanted.len());
        let is_end = common > 0 && (1..=common).all(|n| same(&own[own.len() - n], &wanted[wanted.len() - n]));
        let outer = &wanted[..wanted.len() - common];
        let mut holders =
            std::iter::successors(parents[index], |&holder| parents[holder]).take(if gaps { usize::MAX } else { 1 });
        is_end && (outer.is_empty() || holders.any(|holder| is_named(symbols, parents, holder, outer, gaps)))
    })
}

/// A reference to a type has its name.
fn same(own: &str, wanted: &str) -> bool {
    own.trim_start_matches(['&', '*']) == wanted
}

/// Whether the symbol has the last name, and the one before it is a word of the declaration before the name.
fn is_owned_in_its_signature(symbol: &Symbol, wanted: &[String]) -> bool {
    let [.., owner, name] = wanted else { return false };
    if symbol.name != *name {
        return false;
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let before = symbol.signature.match_indices(name.as_str()).map(|(at, _)| &symbol.signature[..at]);
    before.last().is_some_and(|before| before.split(|c| !is_word(c)).any(|word| word == owner))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows as `depth name: signature`; each takes ten lines of its holder's hundred.
    fn symbols(rows: &[(usize, &str, &str)]) -> Vec<Symbol> {
        let symbol = |(n, &(depth, name, signature)): (usize, &(usize, &str, &str))| Symbol {
            name: name.to_owned(),
            kind: "function",
            line: n * 10 + 1,
            end_line: if depth == 0 { 100 } else { n * 10 + 9 },
            depth,
            signature: signature.to_owned(),
        };
        rows.iter().enumerate().map(symbol).collect()
    }

    #[test]
    fn a_symbol_is_found_by_its_own_name_and_by_those_of_its_holders() {
        let symbols = symbols(&[
            (0, "flow", "namespace flow"),
            (1, "Pipeline", "class Pipeline"),
            (2, "run", "run()"),
            (2, "#count", "#count()"),
            (1, "Other", "class Other"),
            (2, "run", "run()"),
        ]);
        let found = |wanted| by_name(&symbols, wanted);
        assert_eq!(found("run"), [2, 5]);
        for wanted in ["Pipeline.run", "Pipeline::run", "Pipeline#run", "flow.Pipeline.run", "Pipeline<T>.run()", " Pipeline.run"]
        {
            assert_eq!(found(wanted), [2], "{wanted}");
        }
        assert_eq!(found("flow.run"), [2, 5], "a name in between may be left out");
        assert_eq!(found("Pipeline.#count"), [3]);
        assert_eq!(found("count"), [3]);
        for wanted in ["Run", "line.run", "x.Pipeline.run", "", ".", "run.Pipeline"] {
            assert_eq!(found(wanted), [0; 0], "{wanted:?}");
        }
    }

    #[test]
    fn a_member_defined_outside_is_found_by_its_owner() {
        let cpp = symbols(&[(0, "Foo", "class Foo"), (1, "bar", "int bar()"), (0, "Foo::bar", "int Foo::bar()")]);
        assert_eq!(by_name(&cpp, "Foo::bar"), [1, 2]);
        assert_eq!(by_name(&cpp, "Foo.bar"), [1, 2]);
        assert_eq!(by_name(&cpp, "bar"), [1, 2]);
        let rust = symbols(&[
            (0, "Point", "impl Point"),
            (1, "norm", "fn norm(&self)"),
            (0, "fmt::Display for Point", "impl fmt::Display for Point"),
            (1, "fmt", "fn fmt(&self)"),
        ]);
        assert_eq!(by_name(&rust, "Point.norm"), [1]);
        for wanted in ["Point::fmt", "Display::fmt", "fmt::Display::fmt", "Display for Point.fmt"] {
            assert_eq!(by_name(&rust, wanted), [3], "{wanted}");
        }
        let go = symbols(&[
            (0, "Bins", "type Bins struct"),
            (0, "Len", "func (b *Bins[T]) Len() int"),
            (0, "Len", "func (l Lens) Len() int"),
        ]);
        assert_eq!(by_name(&go, "Bins.Len"), [1]);
        assert_eq!(by_name(&go, "Lens.Len"), [2]);
        assert_eq!(by_name(&go, "Len.Len"), [0; 0]);
    }

    #[test]
    fn names_with_separators_of_their_own_are_found() {
        let symbols =
            symbols(&[(0, "1. Setup", "1. Setup"), (0, "a.b works", "it(\"a.b works\""), (0, "operator->", "operator->")]);
        assert_eq!(by_name(&symbols, "1. Setup"), [0]);
        assert_eq!(by_name(&symbols, "Setup"), [0]);
        assert_eq!(by_name(&symbols, "a.b works"), [1]);
        assert_eq!(by_name(&symbols, "operator->"), [2]);
    }

    #[test]
    fn near_names_are_slips_other_cases_and_parts() {
        let symbols = symbols(&[(0, "Pipeline", ""), (1, "run", ""), (1, "run_all_of_them", ""), (1, "flush", ""), (0, "x", "")]);
        let names = |wanted| near(&symbols, wanted).into_iter().map(|(_, name)| name).collect::<Vec<_>>();
        assert_eq!(names("Pipeline.Run"), ["Pipeline.run", "Pipeline.run_all_of_them"]);
        assert_eq!(names("flsuh"), ["Pipeline.flush"]);
        assert_eq!(names("Pipelines"), ["Pipeline"]);
        assert_eq!(names("unheard_of"), [""; 0]);
    }

    #[test]
    fn a_line_has_an_innermost_symbol() {
        let symbols = symbols(&[(0, "a", ""), (1, "b", ""), (1, "c", "")]);
        let firsts: Vec<_> = symbols.iter().map(|symbol| symbol.line - usize::from(symbol.name == "c")).collect();
        let at = |line| at_line(&symbols, &firsts, line).map(|index| symbols[index].name.as_str());
        assert_eq!(
            [at(1), at(11), at(19), at(20), at(30), at(100), at(101)],
            [Some("a"), Some("b"), Some("b"), Some("c"), Some("a"), Some("a"), None]
        );
    }
}
