//! JSON: keys of depth 1 and 2, array lengths, never a value.

use super::{Outline, Parser};

/// The outline of a JSON text. `is_whole`: false where `source` is only the beginning.
pub fn outline(_source: &[u8], _by_line: bool, _is_whole: bool) -> Outline {
    Outline::of_symbols(Parser::Json, Vec::new())
}
