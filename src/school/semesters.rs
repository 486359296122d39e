//! When the school's semesters begin: as in Ontario on the day after Labour Day, and on the first Mondays of February
//! and of May. There are the three that the specification names, each of the usual four months.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday, date};
use serde::Serialize;
use utoipa::ToSchema;

/// One that began this many days ago still counts as the next: who comes late catches up.
const LATE_DAYS: i32 = 14;
/// How many a request may choose from.
const SHOWN: usize = 4;
const USUAL_MONTHS: i32 = 4;

/// A semester.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Semester {
    /// Its name with its year, such as `Winter 2027`.
    pub name: String,
    /// Its first day.
    pub start_date: Date,
    /// Its last.
    pub end_date: Date,
    /// The first day in words, such as `Monday, February 1`.
    pub start_text: String,
}

/// The semesters that a request of a day may name, the next one first.
pub fn from(today: Date) -> Vec<Semester> {
    let earliest = today.saturating_sub(LATE_DAYS.days());
    let years = (0..).map_while(|ahead: i16| today.year().checked_add(ahead));
    years.flat_map(of_year).filter(|semester| semester.start_date >= earliest).take(SHOWN).collect()
}

fn of_year(year: i16) -> [Semester; 3] {
    let first_monday = |month| {
        let first = date(year, month, 1);
        first.nth_weekday_of_month(1, Weekday::Monday).unwrap_or(first)
    };
    let labour_day = first_monday(9);
    [
        ("Winter", first_monday(2)),
        ("Spring", first_monday(5)),
        ("Fall", labour_day.tomorrow().unwrap_or(labour_day)),
    ]
    .map(|(season, start_date)| Semester {
        name: format!("{season} {year}"),
        start_date,
        end_date: start_date.saturating_add(USUAL_MONTHS.months()),
        start_text: start_date.strftime("%A, %B %-d").to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_one_comes_first_and_one_that_began_in_the_last_two_weeks_is_still_it() {
        for (today, next, start_text) in [
            (date(2026, 1, 10), "Winter 2026", "Monday, February 2"),
            (date(2026, 4, 30), "Spring 2026", "Monday, May 4"),
            (date(2026, 8, 1), "Fall 2026", "Tuesday, September 8"),
            (date(2026, 9, 22), "Fall 2026", "Tuesday, September 8"),
            (date(2026, 9, 23), "Winter 2027", "Monday, February 1"),
            (date(2026, 12, 31), "Winter 2027", "Monday, February 1"),
        ] {
            let semesters = from(today);
            assert_eq!((&*semesters[0].name, &*semesters[0].start_text), (next, start_text), "{today}");
            assert_eq!(semesters.len(), SHOWN);
        }
    }

    #[test]
    fn each_has_the_usual_length() {
        let ends: Vec<_> = from(date(2026, 11, 22)).into_iter().map(|semester| semester.end_date).collect();
        assert_eq!(ends, [date(2027, 6, 1), date(2027, 9, 3), date(2028, 1, 7), date(2028, 6, 7)]);
    }
}
