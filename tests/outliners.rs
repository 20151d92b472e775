//! The outliners that need no grammar, on texts that nobody would write: they never panic, they end soon, and what they
//! list lies in the file and in order.

mod common;

use std::time::{Duration, Instant};

use common::fixtures;
use stk::language::{self, Language, Reader};
use stk::outline::{Outline, Parser, Symbol, declarations, json, markdown};

/// A small generator of numbers: the same ones in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }
}

/// Pieces that mean something in some language, set apart by dots.
const PIECES: [&str; 4] = [
    "\n·\n·\n·\n  ·\n    ·\n\t· · ·(·)·[·]·{·}·{·}·;·,·:·::·.·=·=>·->·<·>·+·-·*·/·|·&·!·?·@·#·$·%·^",
    "~·\\·`·'·\"·'''·\"\"\"·//·/*·*/·--·#=·{-·-}·(*·*)·<<·<<EOF·EOF·<<~TEXT·${·#{·r#\"·\"#·R\"x(",
    ")x\"·[[·]]·<?php·?>·=begin·=end·class ·def ·function ·fn ·struct ·enum ·module ·end·do·if ·else",
    "const ·type ·let ·import ·name·Name·é·x1·public ·static ·#define X ·#if 1·#else·#endif",
];

fn random_text(random: &mut Random, pieces: &[&str]) -> String {
    (0..random.below(120)).map(|_| random.pick(pieces)).collect()
}

fn outline(source: &[u8], language: &'static Language) -> Outline {
    match language.reader {
        Reader::Json { by_line } => json::outline(source, by_line, true),
        Reader::Markdown => markdown::outline(source),
        Reader::Declarations | Reader::TreeSitter { .. } | Reader::Own { .. } => declarations::outline(source, Some(language)),
    }
}

fn line_count(source: &[u8]) -> usize {
    source.split_inclusive(|byte| *byte == b'\n').count()
}

/// What is wrong with an outline; None: nothing.
fn fault(outline: &Outline, source: &[u8]) -> Option<String> {
    let lines = line_count(source);
    let mut before: Option<&Symbol> = None;
    for symbol in &outline.symbols {
        if symbol.line < before.map_or(1, |before| before.line) || symbol.line > symbol.end_line || symbol.end_line > lines {
            return Some(format!("{symbol:?} is out of order or range: {lines} lines"));
        }
        let deepest = before.map_or(0, |before| before.depth + 1);
        if outline.parser != Parser::Markdown && symbol.depth > deepest {
            return Some(format!("{symbol:?} is too deep"));
        }
        if symbol.name.contains(['\n', '\r']) || symbol.signature.contains(['\n', '\r']) {
            return Some(format!("{symbol:?} has a line break"));
        }
        before = Some(symbol);
    }
    None
}

#[test]
fn random_texts_have_outlines_in_order_and_in_range() {
    let mut random = Random(0x5eed);
    let pieces: Vec<_> = PIECES.iter().flat_map(|line| line.split('·')).collect();
    for language in language::all() {
        for _ in 0..400 {
            let text = random_text(&mut random, &pieces);
            let outline = outline(text.as_bytes(), language);
            if let Some(fault) = fault(&outline, text.as_bytes()) {
                panic!("{}: {fault}\n{text}", language.name);
            }
        }
    }
}

#[test]
fn random_bytes_have_outlines_in_order_and_in_range() {
    let mut random = Random(0xb17e5);
    for language in language::all() {
        for _ in 0..60 {
            let bytes: Vec<u8> = (0..random.below(300)).map(|_| (random.next() >> 24) as u8).collect();
            let outline = outline(&bytes, language);
            if let Some(fault) = fault(&outline, &bytes) {
                panic!("{}: {fault}\n{bytes:?}", language.name);
            }
        }
    }
}

#[test]
fn fixtures_that_are_cut_off_anywhere_have_outlines() {
    for language in language::all() {
        for file in fixtures(language) {
            let source = std::fs::read(&file).unwrap();
            for part in 1..24 {
                let cut = &source[..source.len() * part / 24];
                if let Some(fault) = fault(&outline(cut, language), cut) {
                    panic!("{}, its first {} bytes: {fault}", file.display(), cut.len());
                }
            }
        }
    }
}

#[test]
fn line_ends_of_two_bytes_make_no_difference() {
    for language in language::all() {
        for file in fixtures(language) {
            let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).replace("\r\n", "\n");
            let with_returns = text.replace('\n', "\r\n");
            assert_eq!(
                outline(text.as_bytes(), language).symbols,
                outline(with_returns.as_bytes(), language).symbols,
                "{}",
                file.display()
            );
        }
    }
}

/// Cost grows no faster than the text: a quadratic step would take minutes on these.
#[test]
fn texts_made_to_be_slow_are_not() {
    const SIZE: usize = 1 << 16;
    let repeated = |piece: &str| piece.repeat(SIZE / piece.len());
    let nested = |open: &str, close: &str| format!("x = {}{}", open.repeat(SIZE / 4), close.repeat(SIZE / 4));
    let texts = [
        repeated("x "),
        repeated("x;"),
        repeated("\""),
        repeated("'"),
        repeated("\"\\\""),
        repeated("`"),
        repeated("/*"),
        repeated("/ /"),
        repeated("<<A\n"),
        repeated("<<'A' "),
        repeated("${"),
        repeated("\"${"),
        repeated("r#\""),
        repeated("{-(*#=/+"),
        repeated("[=["),
        repeated("$a$"),
        repeated("%w["),
        repeated("# "),
        repeated("#if x\n"),
        repeated("#define A \\\n"),
        repeated("#a /*"),
        repeated("#a /*\n"),
        format!("#a {}", repeated("\"\\")),
        format!("r{}{}", "#".repeat(SIZE / 2), "\"#".repeat(SIZE / 4)),
        repeated("{"),
        repeated("}"),
        repeated("class A {\n"),
        repeated("function f() {\n"),
        repeated("def f(\n"),
        repeated("f(){};"),
        repeated("fn f(){}\n"),
        repeated("(function () {"),
        repeated("foo({a: function () {"),
        repeated("    a:\n"),
        repeated("a: |\n"),
        repeated("create proc x as begin\n"),
        repeated("create table x\n  "),
        repeated("<a\n"),
        repeated("<template>\n"),
        repeated("[a]: /b 'c\n"),
        repeated("> "),
        repeated("> a\n"),
        repeated("- "),
        repeated("*a _b"),
        repeated("# [a](b\n"),
        repeated("{\"a\":"),
        repeated("[{\"a\": 1},"),
        repeated(" "),
        repeated("\n"),
        nested("(", ")"),
        nested("{", "}"),
        nested("[", "]"),
        nested("<", ">"),
    ];
    for language in language::all() {
        for text in &texts {
            let start = Instant::now();
            let outline = outline(text.as_bytes(), language);
            let time = start.elapsed();
            let head = &text[..40];
            assert!(time < Duration::from_secs(2), "{}: {time:?} for {head:?} again and again", language.name);
            if let Some(fault) = fault(&outline, text.as_bytes()) {
                panic!("{}: {fault} in {head:?} again and again", language.name);
            }
        }
    }
}
