//! Lines that look like declarations, for languages without a grammar and for parsing that takes too long.

use super::{Outline, Parser};
use crate::language::Language;

/// The outline of a text by its declaration lines.
pub fn outline(_source: &[u8], _language: Option<&'static Language>) -> Outline {
    Outline::of_symbols(Parser::Regex, Vec::new())
}
