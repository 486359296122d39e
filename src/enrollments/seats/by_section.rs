//! Enrollments in a section: which one may be asked for, by which student and when. Its days and its price are the section's.

use jiff::civil::Date;
use rusqlite::Connection;

use crate::base::dates::date_in_words;
use crate::base::error::{Error, Result};
use crate::courses::Course;
use crate::courses::prerequisites::counted_as;
use crate::enrollments::credits::held::{self, Place};
use crate::enrollments::requests::rules::NewEnrollment;
use crate::enrollments::status::EnrollmentStatus;
use crate::terms::{self, Joining, ListedSection, NotJoinable, Section, SectionKind, SectionStatus, joining};

/// Today's price of the enrollment `e` in the course `c`: its section's, else the course's.
pub const CURRENT_PRICE: &str = "coalesce((select x.price_cents from sections x where x.id = e.section_id), c.price_cents) as price_cents";

/// Whether a course has a section that can be asked for today.
pub fn are_offered(connection: &Connection, course_id: i64, today: Date) -> Result<bool> {
    let listed = ListedSection::by_course(connection, Some(course_id), today)?;
    Ok(listed.values().flatten().any(|section| section.is_open(today)))
}

/// Takes days and price of a request from its section.
fn take(section: &Section, new: &mut NewEnrollment, course: &mut Course) {
    (new.start_date, new.end_date) = (section.starts_on, section.ends_on);
    course.price = section.price.or(course.price);
}

/// Takes days and price of a student's request from the section that it names. Returns whether the student joins late.
///
/// # Errors
/// A field error when the section cannot be asked for, with what to do instead.
pub fn ask(
    connection: &Connection,
    student_id: i64,
    new: &mut NewEnrollment,
    course: &mut Course,
    today: Date,
) -> Result<bool> {
    let Some(id) = new.section_id else { return Ok(false) };
    let section = of_course(connection, id, new.course_id)?;
    let term = match section.term_id {
        Some(id) => terms::store::find_term(connection, id)?,
        None => None,
    };
    let label = &section.label;
    let refused = |words: String| Error::field("sectionId", words);
    let Joining { is_late } = joining(&section, term.as_ref(), today).map_err(|reason| {
        refused(match reason {
            NotJoinable::NotOpen => {
                format!(
                    "Section {label} does not accept requests. Please choose another one, or ask the office."
                )
            }
            NotJoinable::NotYet(from) => {
                format!("Section {label} accepts requests from {} on.", date_in_words(from))
            }
            NotJoinable::Over(until) => format!(
                "Section {label} could be joined until {}. Please choose another one, or ask the office.",
                date_in_words(until)
            ),
        })
    })?;
    if section.kind == SectionKind::Upgrade && !has_completed(connection, student_id, course)? {
        return Err(refused(format!(
            "Section {label} is an upgrade: a shorter course for students who have completed {0}. If you completed {0} \
             at another school, send its transcript to the office; for your first time, choose a regular section.",
            course.code
        )));
    }
    take(&section, new, course);
    Ok(is_late)
}

/// Takes days and price of an enrollment by the office from the section that it names.
///
/// # Errors
/// A field error when the section is another course's, or cancelled.
pub fn take_by_office(connection: &Connection, new: &mut NewEnrollment, course: &mut Course) -> Result<()> {
    let Some(id) = new.section_id else { return Ok(()) };
    let section = of_course(connection, id, new.course_id)?;
    if section.status == SectionStatus::Cancelled {
        return Err(Error::field("sectionId", format!("Section {} is cancelled", section.label)));
    }
    take(&section, new, course);
    Ok(())
}

fn of_course(connection: &Connection, id: i64, course_id: i64) -> Result<Section> {
    let section = terms::store::find(connection, id)?.filter(|section| section.course_id == course_id);
    section.ok_or_else(|| Error::field("sectionId", "Please choose a section of this course"))
}

/// Whether a student has completed a course, here or elsewhere, whatever the mark.
fn has_completed(connection: &Connection, student_id: i64, course: &Course) -> Result<bool> {
    let is_over = |place: &Place| match place {
        Place::Here { status, .. } => *status == EnrollmentStatus::Completed,
        Place::Elsewhere(_) => true,
    };
    let attempts = held::attempts(connection, student_id)?;
    let is_same = |attempt: &&held::Attempt| counted_as(&attempt.code) == counted_as(&course.code);
    Ok(attempts.iter().filter(is_same).any(|attempt| is_over(&attempt.place)))
}
