//! Checks prerequisites against a student's courses, with the reason. Advisory only.

use std::collections::HashMap;

use axum::extract::State;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::base::closed_set::closed_set;
use crate::base::dates::date_in_words;
use crate::base::error::Result;
use crate::base::json::Json;
use crate::courses::details::prerequisite_text;
use crate::courses::prerequisites::{CodePattern, Expression, counted_as};
use crate::courses::{self, Course};
use crate::enrollments::credits::held::{self, Attempt, Place};
use crate::enrollments::requests::rules::PASS_MARK;
use crate::enrollments::status::EnrollmentStatus;
use crate::students::CurrentStudent;
use crate::web::access::endpoints;
use crate::web::app::App;

/// The student's endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_own_prerequisites]
}

closed_set! {
    /// State of a prerequisite; of several courses, the worst.
    pub enum PrerequisiteState {
        /// Completed at this school.
        Here = "here",
        /// Recorded from another school.
        Elsewhere = "elsewhere",
        /// Being taken.
        InProgress = "in_progress",
        /// Missing.
        Nothing = "nothing",
        /// The text is not a list of course codes.
        CheckByHand = "check_by_hand",
    }
}

/// A checked prerequisite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct PrerequisiteCheck {
    /// Text of the catalogue.
    pub text: String,
    /// State.
    pub state: PrerequisiteState,
    /// Why: "ENG3U, completed here with 78"; null if it is to be checked by hand.
    #[schema(required)]
    pub reason: Option<String>,
}

impl PrerequisiteCheck {
    /// Checks one course; `None` without prerequisites.
    pub fn new(course: &Course, attempts: &[Attempt], today: Date) -> Option<Self> {
        let text = prerequisite_text(course).trim();
        if text.trim_end_matches('.').eq_ignore_ascii_case("none") {
            return None;
        }
        let verdict = Expression::parse(text).map(|asked| any_of(&asked, attempts, today));
        let (state, reason) = match verdict {
            Some(Verdict { state, reason }) => (state, Some(reason)),
            None => (PrerequisiteState::CheckByHand, None),
        };
        Some(Self { text: text.to_owned(), state, reason })
    }

    /// Text for CSV: "MCR3U: in progress (MCR3U, taken here until January 31, 2027)".
    pub fn words(&self) -> String {
        let Self { text, state, reason } = self;
        let state = match state {
            PrerequisiteState::Here => "here",
            PrerequisiteState::Elsewhere => "elsewhere",
            PrerequisiteState::InProgress => "in progress",
            PrerequisiteState::Nothing => "nothing",
            PrerequisiteState::CheckByHand => "check by hand",
        };
        let reason = reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        format!("{text}: {state}{reason}")
    }
}

struct Verdict {
    state: PrerequisiteState,
    reason: String,
}

fn any_of(Expression(any): &Expression, attempts: &[Attempt], today: Date) -> Verdict {
    let verdicts: Vec<_> = any.iter().map(|all| all_of(all, attempts, today)).collect();
    let state = verdicts.iter().map(|one| one.state).min().unwrap_or(PrerequisiteState::Nothing);
    if state != PrerequisiteState::Nothing {
        return verdicts.into_iter().find(|one| one.state == state).unwrap_or_else(|| joined(state, &[]));
    }
    joined(state, &verdicts)
}

fn all_of(all: &[CodePattern], attempts: &[Attempt], today: Date) -> Verdict {
    let verdicts: Vec<_> = all.iter().map(|named| of_one(named, attempts, today)).collect();
    let state = verdicts.iter().map(|one| one.state).max().unwrap_or(PrerequisiteState::Nothing);
    joined(state, &verdicts)
}

/// Joins reasons; if something is missing, only those of missing courses.
fn joined(state: PrerequisiteState, verdicts: &[Verdict]) -> Verdict {
    let counts = |one: &&Verdict| state != PrerequisiteState::Nothing || one.state == state;
    let reasons: Vec<_> = verdicts.iter().filter(counts).map(|one| one.reason.as_str()).collect();
    Verdict { state, reason: reasons.join("; ") }
}

/// The best attempt at a course, with its state.
fn of_one(named: &CodePattern, attempts: &[Attempt], today: Date) -> Verdict {
    let wanted = counted_as(&named.code);
    let of_course = attempts.iter().filter(|attempt| counted_as(&attempt.code) == wanted);
    // The best mark, then the latest attempt.
    let nearest =
        of_course.rev().min_by_key(|attempt| (state_of(attempt), -attempt.mark.unwrap_or(PASS_MARK)));
    let Some(attempt) = nearest else {
        let reason = format!("no credit in {} is recorded", named.code);
        return Verdict { state: PrerequisiteState::Nothing, reason };
    };
    let state = state_of(attempt);
    let at = match &attempt.place {
        Place::Here { .. } => "here".to_owned(),
        Place::Elsewhere(school) => format!("at {school}"),
    };
    let mark = attempt.mark.map(|mark| format!(" with {mark}")).unwrap_or_default();
    let what = match attempt.place {
        Place::Here { end, .. } if state == PrerequisiteState::InProgress => {
            let same_time = if named.is_concurrent { ", and may be taken at the same time" } else { "" };
            if end < today {
                format!("ended here on {} and has no mark yet", date_in_words(end))
            } else {
                format!("taken here until {}{same_time}", date_in_words(end))
            }
        }
        Place::Here { status: EnrollmentStatus::Pending | EnrollmentStatus::Waitlisted, .. } => {
            "requested here and not approved yet".to_owned()
        }
        _ if state == PrerequisiteState::Nothing => format!("completed {at}{mark}, which earns no credit"),
        _ => format!("completed {at}{mark}"),
    };
    Verdict { state, reason: format!("{}, {what}", attempt.code) }
}

fn state_of(attempt: &Attempt) -> PrerequisiteState {
    match attempt.place {
        Place::Here { status: EnrollmentStatus::Active, .. } => PrerequisiteState::InProgress,
        _ if !attempt.is_earned() => PrerequisiteState::Nothing,
        Place::Here { .. } => PrerequisiteState::Here,
        Place::Elsewhere(_) => PrerequisiteState::Elsewhere,
    }
}

/// Checks many, loading each course and student once.
pub struct Checks<'a> {
    connection: &'a Connection,
    today: Date,
    courses: HashMap<i64, Option<Course>>,
    attempts: HashMap<i64, Vec<Attempt>>,
}

impl<'a> Checks<'a> {
    /// Checks on this day at the school.
    pub fn new(connection: &'a Connection, today: Date) -> Self {
        Self { connection, today, courses: HashMap::new(), attempts: HashMap::new() }
    }

    /// One of them.
    pub fn of(&mut self, student_id: i64, course_id: i64) -> Result<Option<PrerequisiteCheck>> {
        let course = match self.courses.get(&course_id) {
            Some(known) => known,
            None => {
                let found = courses::store::find(self.connection, course_id)?;
                let asking = found.filter(|course| prerequisite_text(course) != "None");
                self.courses.entry(course_id).or_insert(asking)
            }
        };
        let Some(course) = course else { return Ok(None) };
        let attempts = match self.attempts.get(&student_id) {
            Some(known) => known,
            None => {
                let found = held::attempts(self.connection, student_id)?;
                self.attempts.entry(student_id).or_insert(found)
            }
        };
        Ok(PrerequisiteCheck::new(course, attempts, self.today))
    }
}

/// Prerequisite of an offered course for the signed-in student.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CoursePrerequisite {
    /// Number of the course.
    pub course_id: i64,
    /// What it asks for.
    #[serde(flatten)]
    pub check: PrerequisiteCheck,
}

/// Prerequisites of offered courses, checked for the signed-in student; courses without any are left out
#[utoipa::path(get, path = "/api/students/prerequisites", tag = "enrollments")]
async fn list_own_prerequisites(
    student: CurrentStudent,
    State(app): State<App>,
) -> Result<Json<Vec<CoursePrerequisite>>> {
    let today = app.today();
    app.db
        .query(move |connection| {
            let attempts = held::attempts(connection, student.id)?;
            let courses = courses::store::list(connection)?;
            let check = |course: &Course| {
                let check = PrerequisiteCheck::new(course, &attempts, today)?;
                Some(CoursePrerequisite { course_id: course.id, check })
            };
            Ok(courses.iter().filter_map(check).collect())
        })
        .await
        .map(Json)
}

#[cfg(test)]
mod tests {
    use super::super::held::tests::{elsewhere, here};
    use super::*;
    use crate::courses::details::tests::course;

    fn check(text: &str, attempts: &[Attempt]) -> Option<PrerequisiteCheck> {
        PrerequisiteCheck::new(&course("ZZZ4U", text), attempts, "2026-11-21".parse().unwrap())
    }

    #[test]
    fn each_state_has_its_reason() {
        use EnrollmentStatus::{Active, Completed, Pending};
        use PrerequisiteState::{Elsewhere, Here, InProgress, Nothing};
        type Case = (&'static str, Vec<Attempt>, PrerequisiteState, &'static str);
        let table: Vec<Case> = vec![
            ("ENG3U", vec![here("ENG3U", Completed, Some(78))], Here, "ENG3U, completed here with 78"),
            ("ENG3U", vec![here("ENG3U-2", Completed, Some(50))], Here, "ENG3U-2, completed here with 50"),
            (
                "ENG3U",
                vec![elsewhere("ENG3U", 1.0, Some(81))],
                Elsewhere,
                "ENG3U, completed at Sample Park Collegiate with 81",
            ),
            (
                "ENG3U",
                vec![elsewhere("ENG3U", 1.0, None)],
                Elsewhere,
                "ENG3U, completed at Sample Park Collegiate",
            ),
            (
                "ENG3U",
                vec![here("ENG3U", Active, None)],
                InProgress,
                "ENG3U, taken here until January 31, 2027",
            ),
            (
                "MHF4U*",
                vec![here("MHF4U", Active, None)],
                InProgress,
                "MHF4U, taken here until January 31, 2027, and may be taken at the same time",
            ),
            ("ENG3U", vec![], Nothing, "no credit in ENG3U is recorded"),
            (
                "ENG3U",
                vec![here("ENG3U", Completed, Some(41))],
                Nothing,
                "ENG3U, completed here with 41, which earns no credit",
            ),
            (
                "ENG3U",
                vec![elsewhere("ENG3U", 1.0, Some(49))],
                Nothing,
                "ENG3U, completed at Sample Park Collegiate with 49, which earns no credit",
            ),
            (
                "ENG3U",
                vec![here("ENG3U", Pending, None)],
                Nothing,
                "ENG3U, requested here and not approved yet",
            ),
            // The best of several attempts, and a replaced code.
            (
                "ENG3U",
                vec![here("ENG3U", Completed, Some(41)), here("ENG3U", Completed, Some(66))],
                Here,
                "ENG3U, completed here with 66",
            ),
            (
                "ENG3U",
                vec![elsewhere("ENG3U", 1.0, Some(90)), here("ENG3U", Completed, Some(60))],
                Here,
                "ENG3U, completed here with 60",
            ),
            (
                "MTH1W",
                vec![elsewhere("MPM1D", 1.0, Some(90))],
                Elsewhere,
                "MPM1D, completed at Sample Park Collegiate with 90",
            ),
            ("MPM1D", vec![here("MTH1W", Completed, Some(90))], Here, "MTH1W, completed here with 90"),
            // Or and and.
            (
                "MCR3U or MCT4C",
                vec![here("MCT4C", Active, None)],
                InProgress,
                "MCT4C, taken here until January 31, 2027",
            ),
            (
                "MCR3U or MCT4C",
                vec![],
                Nothing,
                "no credit in MCR3U is recorded; no credit in MCT4C is recorded",
            ),
            (
                "SPH3U and MCR3U",
                vec![here("SPH3U", Completed, Some(70)), elsewhere("MCR3U", 1.0, Some(80))],
                Elsewhere,
                "SPH3U, completed here with 70; MCR3U, completed at Sample Park Collegiate with 80",
            ),
            (
                "SPH3U and MCR3U",
                vec![here("SPH3U", Completed, Some(70))],
                Nothing,
                "no credit in MCR3U is recorded",
            ),
        ];
        for (text, attempts, state, reason) in table {
            let expected = PrerequisiteCheck { text: text.into(), state, reason: Some(reason.into()) };
            assert_eq!(check(text, &attempts), Some(expected), "{text} {attempts:?}");
        }
    }

    #[test]
    fn a_sentence_is_checked_by_hand_and_nothing_is_nothing() {
        let text = "Any university course in science";
        let all = [here("SPH3U", EnrollmentStatus::Completed, Some(90))];
        let found = check(text, &all).unwrap();
        assert_eq!(
            (found.state, &found.reason, found.text.as_str()),
            (PrerequisiteState::CheckByHand, &None, text)
        );
        assert_eq!(found.words(), "Any university course in science: check by hand");
        for text in ["", "None", "none."] {
            assert_eq!(check(text, &all), None, "{text}");
        }
        let audition = Course { description: "Entry requires an audition.".into(), ..course("ADA1O", "") };
        let found = PrerequisiteCheck::new(&audition, &[], "2026-11-21".parse().unwrap()).unwrap();
        assert_eq!((found.state, found.text.as_str()), (PrerequisiteState::CheckByHand, "See description"));
    }

    #[test]
    fn a_course_that_has_ended_without_a_mark_says_so() {
        let all = [here("ENG3U", EnrollmentStatus::Active, None)];
        let found = PrerequisiteCheck::new(&course("ENG4U", "ENG3U"), &all, "2027-02-01".parse().unwrap());
        assert_eq!(
            found.unwrap().words(),
            "ENG3U: in progress (ENG3U, ended here on January 31, 2027 and has no mark yet)"
        );
    }
}
