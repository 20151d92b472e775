//! What stk keeps on disk, in its own data folder: what happened to the files of a session, and what was saved by it. All of
//! it is lines of JSON that are only ever appended ([`records`]).

pub mod records;
pub mod session;
pub mod stats;
