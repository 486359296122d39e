//! Validation of requests.

use jiff::civil::Date;

use crate::base::closed_set::closed_set;
use crate::base::dates::date_in_words;
use crate::base::error::{Error, FieldErrors, Result};
use crate::config::Enrollments;
use crate::courses::Course;
use crate::enrollments::EnrollmentForm;
use crate::enrollments::status::EnrollmentStatus;
use crate::school::semesters::OfferedSemester;
use crate::web::form::Field;

/// A validated request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEnrollment {
    /// The course asked for.
    pub course_id: i64,
    /// The section; `None` for own dates.
    pub section_id: Option<i64>,
    /// First day.
    pub start_date: Date,
    /// Last day, after the first.
    pub end_date: Date,
}

impl EnrollmentForm {
    /// Whether it has neither a section nor both days.
    pub fn names_no_days(&self) -> bool {
        !names_section(&self.section_id) && (self.start_date.is_blank() || self.end_date.is_blank())
    }
}

/// Whether a section is named, rightly or not.
pub fn names_section(field: &Field<i64>) -> bool {
    matches!(field, Field::Value(_) | Field::Wrong)
}

/// The number of a section, if one is named.
///
/// # Errors
/// When it is no number.
pub fn section_id(field: &Field<i64>) -> Result<Option<i64>, &'static str> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(id) => Ok(Some(*id)),
        Field::Wrong => Err("Please choose a section of this course"),
    }
}

impl NewEnrollment {
    /// Validates the form (specification, section 5): the days of a section are filled in later; own dates must be those
    /// of an offered semester or plausible.
    pub fn parse(
        form: &EnrollmentForm,
        needs_section: bool,
        settings: &Enrollments,
        semesters: &[OfferedSemester],
        today: Date,
    ) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let course = match form.course_id {
            Field::Value(id) => Ok(id),
            _ => Err("Course is required"),
        };
        let course_id = errors.take("courseId", course);
        let section_id = errors.take("sectionId", section_id(&form.section_id));
        if needs_section {
            errors.add("sectionId", "Please choose a section of this course");
        }
        if needs_section || names_section(&form.section_id) {
            let start_date = today;
            let end_date = today;
            let new = || Some(Self { course_id: course_id?, section_id: section_id?, start_date, end_date });
            return errors.finish(new());
        }
        let dates = dates(&form.start_date, &form.end_date, settings, &mut errors);
        let is_offered =
            dates.is_some_and(|dates| semesters.iter().any(|semester| semester.dates() == dates));
        let start = form.start_date.date("").ok().filter(|_| !is_offered);
        if let Some(message) = start.and_then(|start| wrong_start(start, settings, today)) {
            errors.add("startDate", message);
        }
        let new = || {
            let (start_date, end_date) = dates?;
            Some(Self { course_id: course_id?, section_id: None, start_date, end_date })
        };
        errors.finish(new())
    }
}

/// Start and end date, in order and within a plausible range.
pub fn dates(
    start: &Field<String>,
    end: &Field<String>,
    settings: &Enrollments,
    errors: &mut FieldErrors,
) -> Option<(Date, Date)> {
    let start = errors.take("startDate", start.date("Start date is required"));
    let end = errors.take("endDate", end.date("End date is required"));
    let start = start?;
    let end = end?;
    if end <= start {
        errors.add("endDate", "End date must be after start date");
        return None;
    }
    if end > settings.latest_end(start) {
        let months = settings.max_months_long;
        errors.add("endDate", format!("End date must be at most {months} months after start date"));
        return None;
    }
    Some((start, end))
}

fn wrong_start(start: Date, settings: &Enrollments, today: Date) -> Option<String> {
    let earliest = settings.earliest_start(today);
    let latest = settings.latest_start(today);
    if start < earliest {
        Some(format!(
            "Start date must be {} or later, at most {} weeks back",
            date_in_words(earliest),
            settings.max_weeks_back
        ))
    } else if start > latest {
        Some(format!(
            "Start date must be {} or earlier, at most {} months ahead",
            date_in_words(latest),
            settings.max_months_ahead
        ))
    } else {
        None
    }
}

/// An earlier enrollment of the same student in a course of the same code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierEnrollment {
    /// Number of the enrollment.
    pub id: i64,
    /// Its row of the catalogue.
    pub course_id: i64,
    /// Its full code.
    pub code: String,
    /// State.
    pub status: EnrollmentStatus,
    /// Its final mark.
    pub mark: Option<i64>,
}

/// Whether a course can be asked for.
///
/// # Errors
/// [`Error::Conflict`] while the office has closed it.
pub fn check_open(course: &Course) -> Result<()> {
    if course.is_open {
        return Ok(());
    }
    let words = format!(
        "{} does not accept requests at the moment. Please choose another course or ask the office.",
        course.code
    );
    Err(Error::conflict(words, course))
}

/// A course is identified by the first five characters of its code, across catalogue rows.
pub const CODE_CHARACTERS: usize = 5;

/// The mark that earns a course's credit (Growing Success, Ontario Ministry of Education, 2010).
pub const PASS_MARK: i64 = 50;

closed_set! {
    /// Reason for repeating a completed course.
    pub enum Repeat {
        /// It was failed.
        Failed = "failed",
        /// It was passed; the student wants a better mark. The office confirms that by its approval.
        Upgrade = "upgrade",
    }
}

impl Repeat {
    /// The reason for repeating a course with this mark; a missing mark is not a failure.
    pub fn of(mark: Option<i64>) -> Self {
        if mark.is_some_and(|mark| mark < PASS_MARK) { Self::Failed } else { Self::Upgrade }
    }
}

/// The enrollment that a new request for this course repeats, if there is one: the latest that was completed,
/// else the latest that came to nothing. `earlier` comes newest first.
///
/// # Errors
/// While an earlier one is open: its id, with a sentence.
pub fn may_request(
    earlier: &[EarlierEnrollment],
    course_id: i64,
) -> Result<Option<&EarlierEnrollment>, (i64, String)> {
    for one in earlier {
        let is_same = one.course_id == course_id;
        let refusal = match one.status {
            EnrollmentStatus::Active if is_same => "You are already enrolled in this course.".to_owned(),
            EnrollmentStatus::Pending | EnrollmentStatus::Waitlisted if is_same => {
                "You have already requested this course. The office has your request.".to_owned()
            }
            EnrollmentStatus::Active => {
                format!("You are already enrolled in {}, which is the same course.", one.code)
            }
            EnrollmentStatus::Pending | EnrollmentStatus::Waitlisted => {
                format!("You have already requested {}, which is the same course.", one.code)
            }
            EnrollmentStatus::Completed
            | EnrollmentStatus::Declined
            | EnrollmentStatus::Withdrawn
            | EnrollmentStatus::Cancelled => {
                continue;
            }
        };
        return Err((one.id, refusal));
    }
    let completed = earlier.iter().find(|one| one.status == EnrollmentStatus::Completed);
    Ok(completed.or_else(|| earlier.first()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(course: Field<i64>, start: &str, end: &str) -> EnrollmentForm {
        let text = |text: &str| Field::Value(text.to_owned());
        EnrollmentForm {
            course_id: course,
            section_id: Field::Absent,
            start_date: text(start),
            end_date: text(end),
            accepted_text_versions: Field::Absent,
        }
    }

    fn check(form: &EnrollmentForm) -> Result<NewEnrollment, FieldErrors> {
        NewEnrollment::parse(form, false, &Enrollments::default(), &[], "2026-08-31".parse().unwrap())
    }

    fn errors(form: &EnrollmentForm) -> Vec<(String, String)> {
        let errors = check(form).unwrap_err();
        errors.iter().map(|(name, message)| (name.to_owned(), message.to_owned())).collect()
    }

    #[test]
    fn every_rule_about_dates_speaks_for_itself() {
        const WRONG: &str = "Must be a real date in the form YYYY-MM-DD";
        const TWO: &str = "This can be September 8, 2026 or August 9, 2026. Write 2026-09-08 or 2026-08-09";
        const EARLY: &str = "Start date must be July 6, 2026 or later, at most 8 weeks back";
        const LATE: &str = "Start date must be February 29, 2028 or earlier, at most 18 months ahead";
        const LONG: &str = "End date must be at most 24 months after start date";
        type Case = (&'static str, &'static str, &'static [(&'static str, &'static str)]);
        let table: [Case; 12] = [
            ("", "", &[("endDate", "End date is required"), ("startDate", "Start date is required")]),
            ("2026-09-08", "2026-09-08", &[("endDate", "End date must be after start date")]),
            ("2026-09-08", "2026-09-07", &[("endDate", "End date must be after start date")]),
            ("2026-02-30", "2026-09-07", &[("startDate", WRONG)]),
            ("9/8/2026", "2026-09-09", &[("startDate", TWO)]),
            ("2026-09-08", "soon", &[("endDate", WRONG)]),
            ("2026-09-08", "9999-01-01", &[("endDate", WRONG)]),
            ("2026-09-08T00:00:00Z", "2026-10-01", &[("startDate", WRONG)]),
            ("2026-07-05", "2026-10-01", &[("startDate", EARLY)]),
            ("2028-03-01", "2028-10-01", &[("startDate", LATE)]),
            ("2026-09-08", "2028-09-09", &[("endDate", LONG)]),
            ("1999-01-01", "2199-01-01", &[("endDate", LONG), ("startDate", EARLY)]),
        ];
        for (start, end, expected) in table {
            let found = errors(&form(Field::Value(1), start, end));
            let expected: Vec<_> = expected.iter().map(|(n, m)| ((*n).to_owned(), (*m).to_owned())).collect();
            assert_eq!(found, expected, "{start} {end}");
        }
        for (start, end) in
            [("2026-09-08", "2026-09-09"), ("2026-07-06", "2028-07-06"), ("2028-02-29", "2030-02-28")]
        {
            check(&form(Field::Value(1), start, end)).unwrap();
        }
    }

    #[test]
    fn the_course_is_named_with_the_dates() {
        for course in [Field::Absent, Field::Null, Field::Wrong] {
            assert_eq!(errors(&form(course, "", "")).len(), 3);
        }
    }

    #[test]
    fn a_course_can_be_asked_for_again_only_when_no_earlier_request_is_open() {
        let earlier = |id, course_id, status| EarlierEnrollment {
            id,
            course_id,
            code: "ENG4U-2".into(),
            status,
            mark: None,
        };
        use EnrollmentStatus::{Active, Completed, Declined, Pending, Waitlisted, Withdrawn};
        type Case<'a> = (&'a [(i64, EnrollmentStatus)], Result<Option<i64>, &'static str>);
        let table: [Case<'_>; 11] = [
            (&[], Ok(None)),
            (&[(1, Pending)], Err("You have already requested this course. The office has your request.")),
            (&[(1, Waitlisted)], Err("You have already requested this course. The office has your request.")),
            (&[(1, Active)], Err("You are already enrolled in this course.")),
            (&[(1, Completed)], Ok(Some(10))),
            (&[(2, Pending)], Err("You have already requested ENG4U-2, which is the same course.")),
            (&[(2, Active)], Err("You are already enrolled in ENG4U-2, which is the same course.")),
            (&[(2, Completed)], Ok(Some(10))),
            (&[(1, Declined), (1, Withdrawn)], Ok(Some(10))),
            (&[(2, Withdrawn), (1, Completed), (2, Completed)], Ok(Some(11))),
            (
                &[(1, Declined), (2, Active)],
                Err("You are already enrolled in ENG4U-2, which is the same course."),
            ),
        ];
        for (rows, expected) in table {
            let rows: Vec<_> =
                (10..).zip(rows).map(|(id, (course, status))| earlier(id, *course, *status)).collect();
            let found = may_request(&rows, 1).map(|one| one.map(|one| one.id)).map_err(|(_, words)| words);
            assert_eq!(found, expected.map_err(str::to_owned), "{rows:?}");
        }
    }
}
