//! What is saved: [`gain`], the totals of what the hook has recorded; [`replay`], what it would have saved in sessions of
//! before, which Claude Code has written down ([`transcripts`]). [`calendar`]: days and moments.

pub mod calendar;
pub mod gain;
pub mod replay;
pub mod transcripts;
