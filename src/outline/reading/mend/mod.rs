//! Other texts to parse in place of one that did not parse well. Lines stay where they are in all of them.

pub(super) mod bodies;
pub(super) mod layout;
pub(super) mod preprocessor;
pub(super) mod stumbles;

/// The marks that version control leaves at the beginning of a line where two versions conflict.
const CONFLICT_MARKS: [&[u8]; 4] = [b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>"];
