//! Any bytes as a session's file: lines come back as they are, and what is recorded next is found.
#![no_main]

use std::borrow::Cow;

use libfuzzer_sys::fuzz_target;
use memchr::memmem::Finder;
use stk::store::records;
use stk::store::session::{Action, Record, Session};

fuzz_target!(|data: &[u8]| {
    let file = stk_fuzz::places().join("data/sessions/fuzz.jsonl");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, data).unwrap();

    let mut seen = Vec::new();
    let marks = [&b"1"[..], b"\"a"];
    records::scan_backwards(&file, u64::MAX, &marks.map(Finder::new), |line| {
        seen.push(line.to_vec());
        false
    });
    seen.reverse();
    let is_marked = |line: &&[u8]| marks.iter().any(|mark| memchr::memmem::find(line, mark).is_some());
    let expected: Vec<_> = data.split(|&byte| byte == b'\n').filter(is_marked).map(<[u8]>::to_vec).collect();
    assert_eq!(seen, expected);

    let session = Session::open("fuzz").unwrap();
    let _ = (session.latest("/a", None, false), session.latest("/a", Some("b"), true));
    for (agent, hash) in [(None, "1"), (Some("b"), "2")] {
        let (file, agent) = (Some(Cow::Borrowed("/a")), agent.map(Cow::Borrowed));
        session.record(&Record {
            ts: 1,
            file,
            size: Some(1),
            hash: Some(hash.into()),
            action: Action::Clamp,
            agent,
            observed: false,
        });
    }
    assert_eq!(session.latest("/a", None, false), Some((Action::Clamp, "1".to_owned())));
    assert_eq!(session.latest("/a", Some("b"), false), Some((Action::Clamp, "2".to_owned())));
    assert!(std::fs::read(&file).unwrap().starts_with(data), "what was there stays");
});
