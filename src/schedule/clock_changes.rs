//! Changes of a zone's clocks, and the yearly rule that they follow, as iCalendar writes it.
//!
//! The library of zones gives the dates of changes, not the rules behind them: a rule is read off the dates of a cycle of
//! the calendar, in which every date falls on every day of the week, in leap years too.

use jiff::civil::{DateTime, Time, Weekday};
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

/// Years of a cycle.
const CYCLE: usize = 28;

/// A change of clocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockChange {
    /// When it is, by the clocks before it.
    pub on: DateTime,
    /// The offset before it.
    pub from: Offset,
    /// The offset from then on.
    pub to: Offset,
    /// Short name of the time from then on: `EDT`.
    pub name: String,
    /// Whether daylight time begins.
    pub is_daylight: bool,
}

impl ClockChange {
    /// The change at an instant.
    pub fn at(rules: &TimeZone, at: Timestamp) -> Self {
        let from = rules.to_offset(at.saturating_sub(SignedDuration::from_secs(1)).unwrap_or(at));
        let to = rules.to_offset_info(at);
        Self {
            on: from.to_datetime(at),
            from,
            to: to.offset(),
            name: to.abbreviation().to_owned(),
            is_daylight: to.dst().is_dst(),
        }
    }

    /// What a yearly rule keeps: all but the year and the day of the month.
    fn pattern(&self) -> (i8, Time, [Offset; 2], &str, bool) {
        (self.on.month(), self.on.time(), [self.from, self.to], &self.name, self.is_daylight)
    }
}

/// A change that comes back every year.
#[derive(Debug, PartialEq, Eq)]
pub struct YearlyChange {
    /// The first of them.
    pub first: ClockChange,
    /// How it is repeated: the value of RRULE.
    pub rule: String,
}

impl YearlyChange {
    /// The two changes of each year from the one at an instant on; `None` where a year has more or fewer, or other dates.
    pub fn pair_from(rules: &TimeZone, at: Timestamp) -> Option<[Self; 2]> {
        let following = rules.following(at).map(|change| change.timestamp());
        let changes: Vec<_> = std::iter::once(at)
            .chain(following)
            .take(2 * CYCLE)
            .map(|at| ClockChange::at(rules, at))
            .collect();
        let one = |first: usize| Self::of(&changes.iter().skip(first).step_by(2).collect::<Vec<_>>());
        Some([one(0)?, one(1)?])
    }

    fn of(changes: &[&ClockChange]) -> Option<Self> {
        let first = *changes.first().filter(|_| changes.len() == CYCLE)?;
        let is_yearly = changes.iter().zip(first.on.year()..).all(|(one, year)| one.on.year() == year);
        if !is_yearly || !changes.iter().all(|one| one.pattern() == first.pattern()) {
            return None;
        }
        let days: Vec<DateTime> = changes.iter().map(|one| one.on).collect();
        let rule = format!("FREQ=YEARLY;BYMONTH={};{}", first.on.month(), day_of_month(&days)?);
        Some(Self { first: first.clone(), rule })
    }
}

/// Which day of their month all of these are.
fn day_of_month(days: &[DateTime]) -> Option<String> {
    let first = days.first()?;
    let all = |is_so: &dyn Fn(&DateTime) -> bool| days.iter().all(is_so);
    if all(&|day| day.day() == first.day()) {
        return Some(format!("BYMONTHDAY={}", first.day()));
    }
    if !all(&|day| day.weekday() == first.weekday()) {
        return None;
    }
    let weekday = match first.weekday() {
        Weekday::Monday => "MO",
        Weekday::Tuesday => "TU",
        Weekday::Wednesday => "WE",
        Weekday::Thursday => "TH",
        Weekday::Friday => "FR",
        Weekday::Saturday => "SA",
        Weekday::Sunday => "SU",
    };
    let week = |day: &DateTime| (day.day() - 1) / 7 + 1;
    if all(&|day| day.day() + 7 > day.days_in_month()) {
        return Some(format!("BYDAY=-1{weekday}"));
    }
    if all(&|day| week(day) == week(first)) {
        return Some(format!("BYDAY={}{weekday}", week(first)));
    }
    // The first such weekday from a day of the month on.
    let from = days.iter().map(|day| day.day()).min()?;
    let dates: Vec<_> = (from..from + 7).map(|day| day.to_string()).collect();
    all(&|day| day.day() < from + 7).then(|| format!("BYMONTHDAY={};BYDAY={weekday}", dates.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Zone;

    /// The rules of a zone from its first change after an instant on.
    fn read(zone: &str, after: &str) -> Option<[String; 2]> {
        let zone = Zone::try_from(zone.to_owned()).unwrap();
        let rules = zone.rules();
        let at = rules.following(after.parse::<Timestamp>().unwrap()).next()?.timestamp();
        YearlyChange::pair_from(rules, at).map(|pair| pair.map(|one| one.rule))
    }

    #[test]
    fn a_yearly_rule_is_read_off_the_dates_of_changes() {
        for (zone, begins, ends) in [
            ("America/Toronto", "BYMONTH=3;BYDAY=2SU", "BYMONTH=11;BYDAY=1SU"),
            ("Europe/Paris", "BYMONTH=3;BYDAY=-1SU", "BYMONTH=10;BYDAY=-1SU"),
            // On the Friday before the last Sunday.
            ("Asia/Jerusalem", "BYMONTH=3;BYMONTHDAY=23,24,25,26,27,28,29;BYDAY=FR", "BYMONTH=10;BYDAY=-1SU"),
        ] {
            let expected = [begins, ends].map(|rule| format!("FREQ=YEARLY;{rule}"));
            assert_eq!(read(zone, "2027-01-01T00:00:00Z"), Some(expected), "{zone}");
        }
        // The rule of today began in 2007, on another date than before.
        assert_eq!(read("America/Toronto", "2006-01-01T00:00:00Z"), None);
        assert!(read("America/Toronto", "2006-06-01T00:00:00Z").is_none());
        assert!(read("America/Toronto", "2007-01-01T00:00:00Z").is_some());
        // By the moon, and never.
        assert_eq!(read("Africa/Casablanca", "2025-01-01T00:00:00Z"), None);
        assert_eq!(read("Asia/Kolkata", "2027-01-01T00:00:00Z"), None);
    }
}
