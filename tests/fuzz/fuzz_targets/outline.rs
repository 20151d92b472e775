//! Any text as any kind of file: the whole way from bytes to an outline, with what is skimmed, mended and read by lines.
//! The first byte says which language it is, and by its highest bit whether it is a header.
#![no_main]

use std::sync::Arc;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use stk::file::Content;
use stk::language;
use stk::language::outline_query::OutlineQuery;
use stk::outline;

/// More than any text of a few kilobytes takes, checked and not optimised as it is here.
const TOO_LONG: Duration = Duration::from_secs(10);

fuzz_target!(|data: &[u8]| {
    let Some((&choice, bytes)) = data.split_first() else { return };
    let languages = language::all();
    let language = languages.get(usize::from(choice & 0x7f) % (languages.len() + 1));
    let query = language.map(OutlineQuery::built_in).unwrap_or_default();
    let query = OutlineQuery { is_of_header: choice > 0x7f, ..query };
    let content = Arc::new(Content::of(bytes.to_vec()));
    stk_fuzz::in_time(TOO_LONG, || {
        let outline = outline::outline_of_many(&content, language, query.clone(), TOO_LONG * 2);
        stk_fuzz::check(&outline, &content);
    });
});
