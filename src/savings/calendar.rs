//! Days and moments, in UTC: records hold milliseconds since the epoch, people and transcripts write dates.

use std::str::FromStr;

const SECOND: u64 = 1000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// From when on records count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// So many milliseconds before now.
    Ago(u64),
    /// From the beginning of a day; milliseconds since the epoch.
    At(u64),
}

impl Since {
    /// The first moment that counts; milliseconds since the epoch.
    pub fn start(self, now: u64) -> u64 {
        match self {
            Self::Ago(span) => now.saturating_sub(span),
            Self::At(moment) => moment,
        }
    }
}

impl FromStr for Since {
    type Err = String;

    /// `7d`, `24h`, `30m`, `2w`, or a date such as `2026-11-01`.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "takes a span such as 7d, 24h or 2w, or a date such as 2026-11-01".to_owned();
        if let Some(moment) = moment(text).filter(|_| text.len() >= "2026-11-01".len()) {
            return Ok(Self::At(moment));
        }
        let (digits, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(expected)?;
        let unit = match unit {
            "m" => MINUTE,
            "h" => HOUR,
            "d" => DAY,
            "w" => 7 * DAY,
            _ => return Err(expected()),
        };
        let count: u64 = digits.parse().map_err(|_| expected())?;
        Ok(Self::Ago(count.saturating_mul(unit)))
    }
}

/// The day of a moment: `2026-11-30`.
pub fn day(moment: u64) -> String {
    // Days are counted from 0000-03-01, so that the day which some years have more is the last of its year.
    let days = moment / DAY + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The moment of a date, or of a date and time as `2026-11-30T16:22:29.862Z`; None: it is neither, or before 1970.
/// A time without `Z` is taken as UTC too.
pub fn moment(text: &str) -> Option<u64> {
    let (date, time) = text.split_once('T').unwrap_or((text, ""));
    let mut numbers = date.split('-').map(|part| part.parse::<u64>().ok());
    let (year, month, day) = (numbers.next()??, numbers.next()??, numbers.next()??);
    if numbers.next().is_some() || !(1970..10_000).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let (year, month_from_march) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let (era, year_of_era) = (year / 400, year % 400);
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let days = era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let mut moment = days.checked_sub(719_468)? * DAY;
    if !time.is_empty() {
        let (time, fraction) = time.trim_end_matches('Z').split_once('.').unwrap_or((time.trim_end_matches('Z'), "0"));
        let mut numbers = time.split(':').map(|part| part.parse::<u64>().ok().filter(|number| *number < 61));
        moment += numbers.next()?? * HOUR + numbers.next()?? * MINUTE + numbers.next()?? * SECOND;
        let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
        moment += thousandths.parse::<u64>().ok()?;
    }
    Some(moment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_moments_are_each_others_reverse() {
        assert_eq!(day(0), "1970-01-01");
        assert_eq!(day(1_796_055_749_862), "2026-11-30");
        assert_eq!(moment("2026-11-30T16:22:29.862Z"), Some(1_796_055_749_862));
        assert_eq!(moment("2026-11-30T16:22:29.8Z"), Some(1_796_055_749_800));
        for days in (0..60_000).step_by(13) {
            assert_eq!(moment(&day(days * DAY + 5)), Some(days * DAY));
        }
        assert_eq!(
            (day(moment("2024-02-29").unwrap()), day(moment("2024-02-28").unwrap() + DAY)),
            ("2024-02-29".into(), "2024-02-29".into())
        );
        for text in ["", "2026", "2026-13-01", "2026-00-01", "1969-12-31", "x-y-z", "2026-11-30T", "2026-11-30T1:2", "2026-1-1-1"]
        {
            assert!(moment(text).is_none() || text == "2026-11-30T", "{text}");
        }
    }

    #[test]
    fn since_takes_spans_and_dates() {
        assert_eq!("7d".parse(), Ok(Since::Ago(7 * DAY)));
        assert_eq!("24h".parse(), Ok(Since::Ago(DAY)));
        assert_eq!("2w".parse(), Ok(Since::Ago(14 * DAY)));
        assert_eq!("2026-11-01".parse(), Ok(Since::At(moment("2026-11-01").unwrap())));
        for text in ["", "d", "7", "7x", "-1d", "é", "2026-11", "2026-99-01", "yesterday"] {
            assert!(text.parse::<Since>().is_err(), "{text}");
        }
        assert_eq!((Since::Ago(5).start(3), Since::Ago(5).start(8), Since::At(5).start(100)), (0, 3, 5));
    }
}
