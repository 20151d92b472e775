//! Anything on standard input: nothing or one valid JSON object on standard output, and no panic.
#![no_main]

use std::io::Write;

use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|data: &[u8]| {
    let places = stk_fuzz::places();
    // The requests of the corpus name this file. It is small: the hook leaves its memory to the end of the process.
    let big = places.join("big.py");
    if !big.exists() {
        let mut file = std::fs::File::create(&big).unwrap();
        (0..20).for_each(|n| writeln!(file, "def task_{n}(first):\n    return first").unwrap());
        std::fs::write(places.join("config/config.toml"), "clamp_threshold = 500\n").unwrap();
    }
    let text = String::from_utf8_lossy(data).replace("$BIG", big.to_str().unwrap());
    let data = if text.contains('\u{fffd}') { data } else { text.as_bytes() };
    let mut out = Vec::new();
    stk::hook::run(data, &mut out);
    if !out.is_empty() {
        let answer: Value = serde_json::from_slice(&out).unwrap();
        let answer = &answer["hookSpecificOutput"];
        assert_eq!(answer["permissionDecision"], "deny");
        assert!(answer["permissionDecisionReason"].as_str().unwrap().len() <= stk_fuzz::MAX_REPLY);
    }
});
