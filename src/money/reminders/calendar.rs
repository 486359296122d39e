//! The days on which a family is reminded: school days that are no public holiday of Ontario, from 09:00 at the school.

use jiff::civil::{Date, Time, Weekday, time};
use rusqlite::Connection;

use crate::base::error::Result;
use crate::terms::{SchoolDays, store};

/// When reminders leave.
pub const AT: Time = time(9, 0, 0, 0);

/// The days on which reminders leave.
pub struct SendingDays {
    school: SchoolDays,
}

impl SendingDays {
    /// Without the days off of the published terms that have not ended by a day.
    pub fn from(connection: &Connection, day: Date) -> Result<Self> {
        let terms = store::published_terms(connection, day)?;
        let days_off = terms.into_iter().flat_map(|term| term.days_off).collect();
        Ok(Self { school: SchoolDays::without(days_off) })
    }

    /// Whether a day is one.
    pub fn contains(&self, day: Date) -> bool {
        self.school.contains(day) && !is_public_holiday(day)
    }

    /// The first of them that is not before a day.
    pub fn next(&self, day: Date) -> Date {
        let mut days = day.series(jiff::Span::new().days(1));
        days.find(|day| self.contains(*day)).unwrap_or(day)
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
    let (golden, century) = (year % 19, year / 100);
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
    fn nothing_leaves_on_weekends_days_off_and_holidays() {
        let days = SendingDays { school: SchoolDays::without(vec![date(2026, 12, 21), date(2026, 12, 22)]) };
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
