//! The days on which a school teaches: Monday to Friday, without the days off of a term.

use jiff::civil::{Date, Weekday};
use rusqlite::Connection;

use super::store;
use crate::base::error::Result;
use crate::storage::statements::{Statements, params};

/// Days on which the school teaches.
#[derive(Debug, Clone, Default)]
pub struct SchoolDays {
    days_off: Vec<Date>,
}

impl SchoolDays {
    /// Every weekday that is none of these.
    pub fn without(days_off: Vec<Date>) -> Self {
        Self { days_off }
    }

    /// Those of a section's term; without one those of the published terms that the days lie in.
    pub fn of(connection: &Connection, section_id: Option<i64>, (first, last): (Date, Date)) -> Result<Self> {
        let sql =
            "select t.* from sections s cross join terms t on t.id = s.term_id where s.id = :section_id";
        if let Some(term) = connection.find::<super::Term>(sql, params![section_id])? {
            return Ok(Self::without(term.days_off));
        }
        let terms = store::published_terms(connection, first)?.into_iter();
        let days_off = terms.filter(|term| term.starts_on <= last).flat_map(|term| term.days_off);
        Ok(Self::without(days_off.collect()))
    }

    /// Whether the school teaches on a day.
    pub fn contains(&self, day: Date) -> bool {
        !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday) && !self.days_off.contains(&day)
    }

    /// The school day that is the `n`th from a day on: 1 is the first that is not before it, -1 the last before it, and 0
    /// the day itself.
    pub fn nth(&self, from: Date, n: i64) -> Date {
        let (mut day, mut left) = (from, n);
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
}
