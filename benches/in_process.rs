//! What the parts cost inside one process: decisions, outlines, queries. `cargo bench --bench in_process`
//!
//! The budget is about whole processes, and `budget.rs` measures these; here is where the time of one goes.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use stk::config::Config;
use stk::file::Content;
use stk::hook::claude::{Range, Request};
use stk::hook::decide::{self, Facts, Place};
use stk::language::outline_query::OutlineQuery;
use stk::language::{self, Language};
use stk::outline::{outline, tree};
use stk::query::Query;
use stk::store::session::Action;

/// The largest fixture of each language with a grammar.
fn fixtures() -> Vec<(&'static Language, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let largest = |language: &'static Language| {
        let files = root.join(language.name).read_dir().ok()?.map(|entry| entry.unwrap().path());
        let sources = files.filter(|path| path.extension().is_some_and(|extension| extension != "outline"));
        Some((language, sources.max_by_key(|path| path.metadata().unwrap().len())?))
    };
    language::all().iter().filter(|language| language.grammar().is_some()).filter_map(largest).collect()
}

/// Each rule, as the shell asks it.
fn decisions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("decision");
    let config = Config::default();
    let request = Request { cwd: Some("/p".into()), permission_mode: Some("default".to_owned()), ..Request::default() };
    let scoped = Request { range: Some(Range::default()), ..request.clone() };
    let at =
        |path: &str| Place { given: path.into(), resolved: path.into(), resolved_cwd: Some("/p".into()), ..Place::default() };
    let facts = |size| Facts { size, is_binary: false, hash: Some("h".repeat(64)) };
    let seen = Some((Action::Clamp, "h".repeat(64)));
    group.bench_function("1 range", |b| b.iter(|| decide::by_request(black_box(&scoped))));
    for (name, place) in
        [("2b inside", at("/p/src/deep/er/x.rs")), ("2b instructions", at("/p/CLAUDE.md")), ("2b outside", at("/q/x.rs"))]
    {
        group.bench_function(name, |b| b.iter(|| decide::by_place(black_box(&request), black_box(&place), &config)));
    }
    for (name, facts, latest) in
        [("4 small", facts(100), &None), ("5 repeated", facts(1 << 20), &seen), ("6 outline", facts(1 << 20), &None)]
    {
        group.bench_function(name, |b| b.iter(|| decide::by_content(black_box(&facts), latest.as_ref(), &config)));
    }
    group.finish();
}

/// Cold: what one hook does, from the bytes to the symbols. Warm: parsed already, only the walk.
fn outlines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("outline");
    for (language, file) in fixtures() {
        let content = Arc::new(Content::of(std::fs::read(file).unwrap()));
        group.throughput(Throughput::Bytes(content.shape.bytes));
        group.bench_with_input(BenchmarkId::new("cold", language.name), &content, |b, content| {
            b.iter(|| outline(content, Some(language), OutlineQuery::built_in(language), Duration::from_secs(10)));
        });
        let grammar = language.grammar().unwrap();
        let text = OutlineQuery::built_in(language);
        let query = Query::new(&text.text, &grammar, &text.file).unwrap();
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&grammar).unwrap();
        let tree = parser.parse(&content.bytes, None).unwrap();
        group.bench_with_input(BenchmarkId::new("walk", language.name), &content, |b, content| {
            let text = tree::Text { source: &content.bytes, ..tree::Text::default() };
            b.iter(|| tree::find(&tree, &query, text, &mut |_| None).map(|found| tree::list(found, text)));
        });
        group.bench_with_input(BenchmarkId::new("parse", language.name), &content, |b, content| {
            b.iter(|| parser.parse(&content.bytes, None));
        });
    }
    group.finish();
}

/// Reading the built-in queries.
fn queries(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("query");
    for language in language::all() {
        let Some(grammar) = language.grammar() else { continue };
        let text = OutlineQuery::built_in(language);
        group.throughput(Throughput::Bytes(text.text.len() as u64));
        group.bench_function(language.name, |b| {
            b.iter(|| Query::new(&text.text, &grammar, &text.file).map(|query| query.pattern_count()));
        });
    }
    group.finish();
}

criterion_group!(benches, decisions, outlines, queries);
criterion_main!(benches);
