//! The school's semesters: which ones a request may name, and what an empty school is offered to begin with.
//!
//! The office writes and publishes them with the other settings; nothing here is published by itself.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday, date};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Semesters proposed: a year.
const PROPOSED: usize = 3;
/// Days after the first one on which a proposed semester may still be joined.
const LATE_DAYS: i32 = 14;

/// A semester as the office writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Semester {
    /// Name, such as `Winter 2027`.
    pub name: String,
    /// First day.
    pub start_date: Date,
    /// Last day.
    pub end_date: Date,
    /// Last day on which a student may join, from the first day to the last.
    pub join_until: Date,
}

/// A semester that a request may name now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfferedSemester {
    #[serde(flatten)]
    semester: Semester,
    /// The first day in words, such as `Monday, February 1`.
    start_text: String,
    /// What follows its name in a sentence: `begins Monday, February 1`, and once it has, until when one may join.
    when_text: String,
}

impl OfferedSemester {
    fn new(semester: &Semester, today: Date) -> Self {
        let start_text = in_words(semester.start_date);
        let when_text = if semester.start_date < today {
            format!("has begun; you may join until {}", in_words(semester.join_until))
        } else {
            format!("begins {start_text}")
        };
        Self { semester: semester.clone(), start_text, when_text }
    }

    /// Its first and its last day.
    pub fn dates(&self) -> (Date, Date) {
        (self.semester.start_date, self.semester.end_date)
    }
}

fn in_words(day: Date) -> String {
    day.strftime("%A, %B %-d").to_string()
}

/// The semesters that a student may join on a day.
pub fn open(semesters: &[Semester], today: Date) -> impl Iterator<Item = &Semester> {
    semesters.iter().filter(move |semester| semester.join_until >= today)
}

/// The same as the pages and the enroll dialog offer them, the next one first.
pub fn offered(semesters: &[Semester], today: Date) -> Vec<OfferedSemester> {
    open(semesters, today).map(|semester| OfferedSemester::new(semester, today)).collect()
}

/// A year of semesters for a school that has none: Fall from the day after Labour Day, Winter and Spring from the first
/// Mondays of January and May, each for the usual four months or a few days less.
pub fn proposal(today: Date) -> Vec<Semester> {
    let years = (0..2).filter_map(|ahead: i16| today.year().checked_add(ahead));
    let all: Vec<_> = years.flat_map(of_year).collect();
    open(&all, today).take(PROPOSED).cloned().collect()
}

fn of_year(year: i16) -> [Semester; 3] {
    let first_monday = |month| {
        let first = date(year, month, 1);
        first.nth_weekday_of_month(1, Weekday::Monday).unwrap_or(first)
    };
    let last_friday =
        |day: Date| day.tomorrow().and_then(|next| next.nth_weekday(-1, Weekday::Friday)).unwrap_or(day);
    let labour_day = first_monday(9);
    [
        ("Winter", first_monday(1), date(year, 4, 30)),
        ("Spring", first_monday(5), date(year, 8, 31)),
        ("Fall", labour_day.tomorrow().unwrap_or(labour_day), date(year, 12, 22)),
    ]
    .map(|(season, start_date, end)| Semester {
        name: format!("{season} {year}"),
        start_date,
        end_date: last_friday(end),
        join_until: start_date.saturating_add(LATE_DAYS.days()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_three_are_proposed_beginning_with_one_that_may_still_be_joined() {
        for (today, next) in [
            (date(2026, 1, 19), "Winter 2026"),
            (date(2026, 1, 20), "Spring 2026"),
            (date(2026, 9, 22), "Fall 2026"),
            (date(2026, 9, 23), "Winter 2027"),
            (date(2026, 12, 31), "Winter 2027"),
        ] {
            let proposed = proposal(today);
            assert_eq!((&*proposed[0].name, proposed.len()), (next, PROPOSED), "{today}");
        }
    }

    #[test]
    fn proposed_semesters_last_about_four_months_and_no_two_overlap() {
        for year in 2020..2060 {
            let all = proposal(date(year, 1, 1));
            for semester in &all {
                let Semester { start_date, end_date, join_until, .. } = semester;
                let days = start_date.until(*end_date).unwrap().get_days();
                assert!((98..=123).contains(&days), "{semester:?}: {days}");
                assert!(start_date < join_until && join_until < end_date, "{semester:?}");
            }
            assert!(all.windows(2).all(|pair| pair[0].end_date < pair[1].start_date), "{all:?}");
        }
        let dates: Vec<_> =
            proposal(date(2026, 11, 22)).iter().map(|one| (one.start_date, one.end_date)).collect();
        assert_eq!(
            dates,
            [
                (date(2027, 1, 4), date(2027, 4, 30)),
                (date(2027, 5, 3), date(2027, 8, 27)),
                (date(2027, 9, 7), date(2027, 12, 17)),
            ]
        );
    }

    #[test]
    fn one_is_offered_until_its_last_day_to_join_has_ended() {
        let fall = Semester {
            name: "Fall".into(),
            start_date: date(2026, 9, 8),
            end_date: date(2026, 12, 18),
            join_until: date(2026, 10, 2),
        };
        for (today, expected) in [
            (date(2026, 9, 7), Some("begins Tuesday, September 8")),
            (date(2026, 9, 8), Some("begins Tuesday, September 8")),
            (date(2026, 9, 9), Some("has begun; you may join until Friday, October 2")),
            (date(2026, 10, 2), Some("has begun; you may join until Friday, October 2")),
            (date(2026, 10, 3), None),
        ] {
            let found = offered(std::slice::from_ref(&fall), today);
            assert_eq!(found.first().map(|one| &*one.when_text), expected, "{today}");
        }
    }
}
