//! The days on which a school teaches: Monday to Friday, without the days off of a term and Ontario's public holidays.

use jiff::civil::{Date, Weekday};
use rusqlite::Connection;

use super::store;
use crate::base::dates::DateRange;
use crate::base::error::Result;
use crate::storage::statements::{Statements, params};

/// Days on which the school teaches.
#[derive(Debug, Clone, Default)]
pub struct SchoolDays {
    days_off: Vec<Date>,
}

impl SchoolDays {
    /// Every weekday that is none of these, and no public holiday.
    pub fn without(days_off: Vec<Date>) -> Self {
        Self { days_off }
    }

    /// Those of a section's term; without one those of the published terms that the days lie in.
    pub fn of(connection: &Connection, section_id: Option<i64>, days: DateRange) -> Result<Self> {
        let sql =
            "select t.* from sections s cross join terms t on t.id = s.term_id where s.id = :section_id";
        if let Some(term) = connection.find::<super::Term>(sql, params![section_id])? {
            return Ok(Self::without(term.days_off));
        }
        let terms = store::published_terms(connection, days.first)?.into_iter();
        let days_off = terms.filter(|term| term.starts_on <= days.last).flat_map(|term| term.days_off);
        Ok(Self::without(days_off.collect()))
    }

    /// Those of every published term that has not ended by a day.
    pub fn from(connection: &Connection, day: Date) -> Result<Self> {
        Self::of(connection, None, DateRange { first: day, last: Date::MAX })
    }

    /// Whether the school teaches on a day.
    pub fn contains(&self, day: Date) -> bool {
        !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday)
            && !self.days_off.contains(&day)
            && !is_public_holiday(day)
    }

    /// The first of them that is not before a day.
    pub fn next(&self, day: Date) -> Date {
        self.nth(day, 1)
    }

    /// The school day that is the `n`th from a day on: 1 is the first that is not before it, -1 the last before it, and 0
    /// the day itself.
    pub fn nth(&self, from: Date, n: i64) -> Date {
        let mut day = from;
        let mut left = n;
        if n > 0 && self.contains(from) {
            left -= 1;
        }
        while left != 0 {
            let next = if left > 0 { day.tomorrow() } else { day.yesterday() };
            let Ok(next) = next else { break };
            day = next;
            if self.contains(day) {
                left -= left.signum();
            }
        }
        day
    }

    /// Number of school days from one day to another, both included.
    pub fn count(&self, first: Date, last: Date) -> usize {
        let days = first.series(jiff::Span::new().days(1)).take_while(|day| *day <= last);
        days.filter(|day| self.contains(*day)).count()
    }
}

/// Ontario's public holidays.
fn is_public_holiday(day: Date) -> bool {
    let is_monday = day.weekday() == Weekday::Monday;
    match (day.month(), day.day()) {
        (1 | 7, 1) | (12, 25 | 26) => true,
        // Family Day, Victoria Day, Labour Day and Thanksgiving.
        (2, 15..=21) | (5, 18..=24) | (9, 1..=7) | (10, 8..=14) => is_monday,
        _ => Some(day) == good_friday(day.year()),
    }
}

/// The Friday before Easter, by the calendar of 1583.
fn good_friday(year: i16) -> Option<Date> {
    let year = i32::from(year);
    let golden = year % 19;
    let century = year / 100;
    let epact = (century - century / 4 - (8 * century + 13) / 25 + 19 * golden + 15) % 30;
    let moon = epact - epact / 28 * (1 - epact / 28 * (29 / (epact + 1)) * ((21 - golden) / 11));
    let weekday = (year + year / 4 + moon + 2 - century + century / 4) % 7;
    let days = moon - weekday;
    let month = 3 + (days + 40) / 44;
    let day = days + 28 - 31 * (month / 4);
    let easter = Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?);
    Some(easter.ok()?.saturating_sub(jiff::Span::new().days(2)))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn school_days_pass_over_weekends_days_off_and_the_changes_of_the_clock() {
        // Clocks change on November 1, 2026, and on March 14, 2027, both Sundays.
        let days = SchoolDays::without(vec![date(2026, 10, 30), date(2027, 3, 15)]);
        for (from, n, expected) in [
            (date(2026, 10, 28), 1, date(2026, 10, 28)),
            (date(2026, 10, 28), 2, date(2026, 10, 29)),
            (date(2026, 10, 28), 3, date(2026, 11, 2)),
            (date(2026, 10, 30), 1, date(2026, 11, 2)),
            (date(2026, 10, 31), 1, date(2026, 11, 2)),
            (date(2026, 11, 2), -1, date(2026, 10, 29)),
            (date(2026, 11, 2), 0, date(2026, 11, 2)),
            (date(2027, 3, 11), 3, date(2027, 3, 16)),
            (date(2027, 3, 16), -2, date(2027, 3, 11)),
        ] {
            assert_eq!(days.nth(from, n), expected, "{from} {n}");
        }
        assert_eq!(days.count(date(2026, 10, 28), date(2026, 11, 2)), 3);
        assert_eq!(days.count(date(2027, 3, 13), date(2027, 3, 15)), 0);
        assert_eq!(days.count(date(2026, 11, 2), date(2026, 11, 1)), 0);
        assert_eq!(SchoolDays::default().nth(Date::MAX, 5), Date::MAX);
    }

    #[test]
    fn a_public_holiday_of_ontario_is_no_school_day() {
        let days = SchoolDays::without(vec![date(2026, 12, 21), date(2026, 12, 22)]);
        for (day, expected) in [
            (date(2026, 11, 27), date(2026, 11, 27)),
            (date(2026, 11, 28), date(2026, 11, 30)),
            (date(2026, 12, 19), date(2026, 12, 23)),
            (date(2026, 12, 25), date(2026, 12, 28)),
            (date(2027, 1, 1), date(2027, 1, 4)),
            // Family Day, Good Friday, Victoria Day, Canada Day, Labour Day, Thanksgiving.
            (date(2027, 2, 15), date(2027, 2, 16)),
            (date(2027, 3, 26), date(2027, 3, 29)),
            (date(2027, 5, 24), date(2027, 5, 25)),
            (date(2027, 7, 1), date(2027, 7, 2)),
            (date(2027, 9, 6), date(2027, 9, 7)),
            (date(2027, 10, 11), date(2027, 10, 12)),
        ] {
            assert_eq!(days.next(day), expected, "{day}");
        }
        for (year, month, day) in [(2024, 3, 29), (2025, 4, 18), (2026, 4, 3), (2038, 4, 23), (2049, 4, 16)] {
            assert_eq!(good_friday(year), Some(date(year, month, day)));
        }
    }
}
