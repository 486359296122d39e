//! What a request must say, and which change follows which state.

use jiff::civil::Date;

use super::EnrollmentForm;
use crate::plumbing::error::{Error, FieldErrors, Result};
use crate::plumbing::form::Field;

/// A request whose every field is right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEnrollment {
    /// The course asked for.
    pub course_id: i64,
    /// First day.
    pub start_date: Date,
    /// Last day, after the first.
    pub end_date: Date,
}

/// Checks the form (specification, section 5).
///
/// # Errors
/// Every broken rule by field.
pub fn parse(form: &EnrollmentForm) -> Result<NewEnrollment> {
    let mut errors = FieldErrors::default();
    let course = match form.course_id {
        Field::Value(id) => Ok(id),
        _ => Err("Course is required"),
    };
    let course_id = errors.take("courseId", course);
    let start = errors.take("startDate", form.start_date.date("Start date is required"));
    let end = errors.take("endDate", form.end_date.date("End date is required"));
    if let (Some(start), Some(end)) = (start, end)
        && end <= start
    {
        errors.add("endDate", "End date must be after start date");
    }
    errors.check()?;
    match (course_id, start, end) {
        (Some(course_id), Some(start_date), Some(end_date)) => {
            Ok(NewEnrollment { course_id, start_date, end_date })
        }
        _ => Err(Error::BadRequest("The request is incomplete.".into())),
    }
}

/// Whether approving changes anything: not for one that is active already.
///
/// # Errors
/// [`Error::Conflict`] in any state that cannot become active.
pub fn may_approve(status: &str) -> Result<bool> {
    match status {
        "pending" | "waitlisted" => Ok(true),
        "active" => Ok(false),
        other => Err(Error::Conflict(format!("This enrollment is {other} and can no longer be approved."))),
    }
}

/// Whether a student may take a request back: while the office has not approved it.
///
/// # Errors
/// [`Error::Conflict`] in any other state.
pub fn check_withdraw(status: &str) -> Result<()> {
    let refusal = match status {
        "pending" | "waitlisted" => return Ok(()),
        "active" => {
            "The office has already approved this enrollment. Please contact the office to leave the course."
        }
        "completed" => "You have already completed this course.",
        "declined" => "The office has declined this request, so there is nothing to withdraw.",
        _ => "This enrollment is withdrawn already.",
    };
    Err(Error::Conflict(refusal.into()))
}

/// What happens when a student asks for a course that they asked for before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// The old row becomes pending again.
    Reopen,
    /// The old row is history; a new one begins.
    Anew,
}

/// Decides about an earlier enrollment of the same student in the same course.
///
/// # Errors
/// [`Error::Conflict`] while the earlier one counts.
pub fn may_repeat(status: &str, was_approved: bool) -> Result<Repeat> {
    match status {
        "declined" => Ok(Repeat::Reopen),
        "withdrawn" if was_approved => Ok(Repeat::Anew),
        "withdrawn" => Ok(Repeat::Reopen),
        "completed" => Err(Error::Conflict("You have already completed this course.".into())),
        "active" => Err(Error::Conflict("You are already enrolled in this course.".into())),
        _ => Err(Error::Conflict(
            "You have already requested this course. The office has your request.".into(),
        )),
    }
}

/// There is no such enrollment.
pub fn not_found() -> Error {
    Error::NotFound("Enrollment not found".into())
}

/// A calendar date as a letter writes it: `September 8, 2026`.
pub fn long(date: Date) -> String {
    date.strftime("%B %-d, %Y").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(course: Field<i64>, start: &str, end: &str) -> EnrollmentForm {
        let text = |text: &str| Field::Value(text.to_owned());
        EnrollmentForm { course_id: course, start_date: text(start), end_date: text(end) }
    }

    fn errors(form: &EnrollmentForm) -> Vec<(&'static str, String)> {
        match parse(form) {
            Err(Error::Invalid(errors)) => {
                errors.iter().map(|(name, message)| (name, message.to_owned())).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_rule_about_dates_speaks_for_itself() {
        const WRONG: &str = "Must be a real date in the form YYYY-MM-DD";
        type Case = (&'static str, &'static str, &'static [(&'static str, &'static str)]);
        let table: [Case; 8] = [
            ("", "", &[("endDate", "End date is required"), ("startDate", "Start date is required")]),
            ("2026-09-08", "2026-09-08", &[("endDate", "End date must be after start date")]),
            ("2026-09-08", "2026-09-07", &[("endDate", "End date must be after start date")]),
            ("2026-02-30", "2026-09-07", &[("startDate", WRONG)]),
            ("2026-9-8", "2026-09-09", &[("startDate", WRONG)]),
            ("2026-09-08", "soon", &[("endDate", WRONG)]),
            ("2026-09-08", "9999-01-01", &[("endDate", WRONG)]),
            ("2026-09-08T00:00:00Z", "2026-10-01", &[("startDate", WRONG)]),
        ];
        for (start, end, expected) in table {
            let found = errors(&form(Field::Value(1), start, end));
            let expected: Vec<_> = expected.iter().map(|(n, m)| (*n, (*m).to_owned())).collect();
            assert_eq!(found, expected, "{start} {end}");
        }
        parse(&form(Field::Value(1), "2026-09-08", "2026-09-09")).unwrap();
    }

    #[test]
    fn the_course_is_named_with_the_dates() {
        for course in [Field::Absent, Field::Null, Field::Wrong] {
            assert_eq!(errors(&form(course, "", "")).len(), 3);
        }
    }

    #[test]
    fn approval_follows_the_table_of_states() {
        let table = [
            ("pending", Some(true)),
            ("waitlisted", Some(true)),
            ("active", Some(false)),
            ("declined", None),
            ("withdrawn", None),
            ("completed", None),
        ];
        for (status, expected) in table {
            assert_eq!(may_approve(status).ok(), expected, "{status}");
        }
    }

    #[test]
    fn a_student_takes_back_only_what_is_not_decided() {
        let table = [
            ("pending", true),
            ("waitlisted", true),
            ("active", false),
            ("declined", false),
            ("withdrawn", false),
            ("completed", false),
        ];
        for (status, expected) in table {
            assert_eq!(check_withdraw(status).is_ok(), expected, "{status}");
        }
    }

    #[test]
    fn a_course_can_be_asked_for_again_only_when_the_first_request_came_to_nothing() {
        let table = [
            ("pending", false, None),
            ("waitlisted", false, None),
            ("active", true, None),
            ("completed", true, None),
            ("declined", false, Some(Repeat::Reopen)),
            ("withdrawn", false, Some(Repeat::Reopen)),
            ("withdrawn", true, Some(Repeat::Anew)),
        ];
        for (status, approved, expected) in table {
            assert_eq!(may_repeat(status, approved).ok(), expected, "{status} {approved}");
        }
    }
}
