//! A student's attempts at courses, here and at other schools, for the sum of credits and for prerequisites.

use std::collections::BTreeMap;

use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::error::Result;
use crate::courses::prerequisites::stem;
use crate::courses::values::{CourseCode, Credits};
use crate::enrollments::requests::rules::PASS_MARK;
use crate::enrollments::status::EnrollmentStatus;
use crate::storage::statements::{Statements, params};

/// An attempt at a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Its code.
    pub code: CourseCode,
    /// Credits.
    pub credits: Credits,
    /// The final mark; `None` if there is none.
    pub mark: Option<i64>,
    /// Where it was taken.
    pub place: Place,
}

/// The school at which a course was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// At this school.
    Here {
        /// State of the enrollment.
        status: EnrollmentStatus,
        /// Its last day.
        end: Date,
    },
    /// At another school, by name.
    Elsewhere(String),
}

impl Attempt {
    /// Whether it earned its credit: completed, without a failing mark.
    pub fn is_earned(&self) -> bool {
        let is_over = match self.place {
            Place::Here { status, .. } => status == EnrollmentStatus::Completed,
            Place::Elsewhere(_) => true,
        };
        is_over && self.mark.is_none_or(|mark| mark >= PASS_MARK)
    }

    fn is_running(&self) -> bool {
        matches!(self.place, Place::Here { status: EnrollmentStatus::Active, .. })
    }
}

/// Credits toward the diploma; a repeated course counts once, preferably here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreditSum {
    /// Earned here.
    #[schema(value_type = f64)]
    pub here: Credits,
    /// Recorded from other schools, beyond those.
    #[schema(value_type = f64)]
    pub elsewhere: Credits,
    /// From active courses without an earned credit.
    #[schema(value_type = f64)]
    pub under_way: Credits,
}

impl CreditSum {
    /// Sums up attempts.
    pub fn of(attempts: &[Attempt]) -> Self {
        /// The most credits of each kind of attempt at one course.
        #[derive(Clone, Copy)]
        struct BestAttempts {
            here: Credits,
            elsewhere: Credits,
            running: Credits,
        }
        let none = BestAttempts { here: Credits::NONE, elsewhere: Credits::NONE, running: Credits::NONE };
        let mut courses: BTreeMap<&str, BestAttempts> = BTreeMap::new();
        for attempt in attempts {
            let best = courses.entry(stem(&attempt.code)).or_insert(none);
            let max = match attempt.place {
                _ if attempt.is_running() => &mut best.running,
                _ if !attempt.is_earned() => continue,
                Place::Here { .. } => &mut best.here,
                Place::Elsewhere(_) => &mut best.elsewhere,
            };
            *max = attempt.credits.max(*max);
        }
        let nothing = Self { here: Credits::NONE, elsewhere: Credits::NONE, under_way: Credits::NONE };
        courses.values().fold(nothing, |sum, best| Self {
            here: sum.here.plus(best.here),
            elsewhere: sum.elsewhere.plus(best.elsewhere.beyond(best.here)),
            under_way: sum.under_way.plus(best.running.beyond(best.here.max(best.elsewhere))),
        })
    }
}

const HERE: &str =
    "select c.code, coalesce(e.credits_hundredths, c.credits_hundredths) as credits_hundredths,
        e.final_mark, e.status, e.end_date
    from enrollments e join courses c on c.id = e.course_id
    where e.student_id = :student_id and e.status not in ('declined', 'withdrawn', 'cancelled') order by e.id";

const ELSEWHERE: &str = "select code, credits_hundredths, mark, school from external_credits
    where student_id = :student_id and voided_at is null order by completed_on, id";

/// Every course that a student took, takes or asked for, here and elsewhere.
pub fn attempts(connection: &Connection, student_id: i64) -> Result<Vec<Attempt>> {
    let here = |(code, credits, mark, status, end)| Attempt {
        code,
        credits,
        mark,
        place: Place::Here { status, end },
    };
    let elsewhere =
        |(code, credits, mark, school)| Attempt { code, credits, mark, place: Place::Elsewhere(school) };
    let mut found: Vec<_> = connection.list(HERE, params![student_id])?.into_iter().map(here).collect();
    found.extend(connection.list(ELSEWHERE, params![student_id])?.into_iter().map(elsewhere));
    Ok(found)
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::web::form::Field;

    fn attempt(code: &str, credits: f64, mark: Option<i64>, place: Place) -> Attempt {
        let code = CourseCode::parse(&Field::Value(code.to_owned())).unwrap();
        Attempt {
            code,
            credits: Credits::parse_earned_elsewhere(&Field::Value(credits)).unwrap(),
            mark,
            place,
        }
    }

    /// A course here that ends on January 31, 2027.
    pub fn here(code: &str, status: EnrollmentStatus, mark: Option<i64>) -> Attempt {
        attempt(code, 1.0, mark, Place::Here { status, end: "2027-01-31".parse().unwrap() })
    }

    pub fn elsewhere(code: &str, credits: f64, mark: Option<i64>) -> Attempt {
        attempt(code, credits, mark, Place::Elsewhere("Sample Park Collegiate".into()))
    }

    #[test]
    fn a_course_counts_once_wherever_it_was_taken() {
        use EnrollmentStatus::{Active, Completed, Pending};
        type Case = (&'static str, Vec<Attempt>, [&'static str; 3]);
        let table: Vec<Case> = vec![
            ("nothing", vec![], ["0", "0", "0"]),
            (
                "here and elsewhere",
                vec![here("ENG3U", Completed, Some(78)), elsewhere("MPM2D", 1.0, Some(60))],
                ["1", "1", "0"],
            ),
            (
                "both at one course",
                vec![here("ENG3U", Completed, Some(78)), elsewhere("ENG3UX", 1.0, Some(90))],
                ["1", "0", "0"],
            ),
            (
                "failed here, passed elsewhere",
                vec![here("ENG3U", Completed, Some(41)), elsewhere("ENG3U", 1.0, Some(90))],
                ["0", "1", "0"],
            ),
            (
                "passed twice here",
                vec![here("ENG3U", Completed, Some(55)), here("ENG3U-2", Completed, Some(90))],
                ["1", "0", "0"],
            ),
            ("failed elsewhere", vec![elsewhere("ENG3U", 1.0, Some(49))], ["0", "0", "0"]),
            (
                "years abroad",
                vec![elsewhere("EQUIV9", 8.0, None), elsewhere("EQUIV10", 7.5, None)],
                ["0", "15.5", "0"],
            ),
            (
                "more elsewhere",
                vec![here("CHV2O", Completed, Some(70)), elsewhere("CHV2O", 1.5, None)],
                ["1", "0.5", "0"],
            ),
            ("running", vec![here("MCR3U", Active, None), here("SPH3U", Pending, None)], ["0", "0", "1"]),
            (
                "running again",
                vec![here("MCR3U", Active, None), elsewhere("MCR3U", 1.0, Some(62))],
                ["0", "1", "0"],
            ),
        ];
        for (name, attempts, expected) in table {
            let CreditSum { here, elsewhere, under_way } = CreditSum::of(&attempts);
            assert_eq!([here, elsewhere, under_way].map(|sum| sum.to_string()), expected, "{name}");
        }
    }
}
