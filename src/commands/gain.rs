//! `stk gain`: what was saved.

use super::Failure;
use crate::cli::Format;

/// Prints the totals of the statistics.
pub fn run(_format: Format) -> Result<(), Failure> {
    Ok(())
}
