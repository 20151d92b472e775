//! What holds for every outline and every answer, and the places that a fuzz target needs.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use stk::file::Content;
use stk::hook::reply;
use stk::outline::render::{self, Budget};
use stk::outline::{Outline, Parser};
use stk::shape::Shape;
use stk::shown::is_shown;

/// Bytes of a reply, at most.
pub const MAX_REPLY: usize = 8 * 1024;

/// A folder of this process alone, in which stk keeps its files and reads its settings.
pub fn places() -> &'static PathBuf {
    static PLACES: OnceLock<PathBuf> = OnceLock::new();
    PLACES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap().keep();
        for (variable, name) in [("STK_DATA_DIR", "data"), ("STK_CONFIG_DIR", "config")] {
            std::fs::create_dir(folder.join(name)).unwrap();
            // Sound: nothing else runs yet.
            unsafe { std::env::set_var(variable, folder.join(name)) };
        }
        folder
    })
}

/// Does `work`, and fails where it takes longer than `limit` twice: once it may be the machine that stands still.
pub fn in_time(limit: Duration, work: impl Fn()) {
    let is_late = || {
        let began = Instant::now();
        work();
        began.elapsed() > limit
    };
    assert!(!(is_late() && is_late()), "it takes longer than {limit:?}");
}

/// Holds an outline against what is promised of all, and renders it in every way.
pub fn check(outline: &Outline, content: &Content) {
    let shape = &content.shape;
    check_symbols(outline, shape);
    for sample in &outline.sample {
        assert!((1..=shape.lines).contains(&sample.line), "{sample:?} of {} lines", shape.lines);
        assert!(sample.text.chars().count() <= 200 && sample.text.chars().all(is_shown), "{sample:?}");
    }
    assert!(outline.sample.is_sorted_by(|a, b| a.line < b.line), "{:?}", outline.sample);
    check_rendered(outline, shape);
}

/// Rows are sorted, lie in the file, and nest by one level at a time.
pub fn check_symbols(outline: &Outline, shape: &Shape) {
    let (mut line, mut depth) = (1, None);
    for symbol in &outline.symbols {
        assert!(symbol.line >= line, "not sorted: {symbol:?} after line {line}");
        assert!(symbol.line <= symbol.end_line && symbol.end_line <= shape.lines, "{symbol:?} of {} lines", shape.lines);
        let deepest = depth.map_or(0, |depth: usize| depth + 1);
        // A text may begin with a heading of any level, and skip some.
        assert!(symbol.depth <= deepest || outline.parser == Parser::Markdown && symbol.depth < 6, "{symbol:?} after {depth:?}");
        for text in [&symbol.name, &symbol.signature] {
            assert!(text.chars().all(is_shown), "{symbol:?}");
        }
        (line, depth) = (symbol.line, Some(symbol.depth));
    }
}

/// However it is rendered, it keeps within its limits and on lines of its own.
pub fn check_rendered(outline: &Outline, shape: &Shape) {
    let whole = render::whole(outline, shape.lines);
    assert!(whole.lines().count() >= outline.symbols.len());
    for max_lines in [1, 2, 3, 10, 80, 10_000] {
        let text = render::fitted(outline, shape.lines, max_lines, Budget::default());
        assert!(text.len() <= Budget::default().limit, "{} bytes in {max_lines} lines", text.len());
        if !outline.symbols.is_empty() && outline.notes.is_empty() {
            assert!(text.lines().count() <= max_lines.max(2), "{} lines, not {max_lines}", text.lines().count());
        }
        let reply = reply::outline("/p/x".as_ref(), shape, outline, 16_384, max_lines, None);
        assert!(reply.len() <= MAX_REPLY, "{} bytes in {max_lines} lines", reply.len());
        assert!(reply.chars().all(|c| c == '\n' || is_shown(c)), "{reply:?}");
    }
}
