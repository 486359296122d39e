//! Immediate emails to the office about an enrollment that may start a deadline.

use crate::base::dates::date_in_words;
use crate::base::email::Email;
use crate::config::Config;
use crate::enrollments::Enrollment;
use crate::enrollments::requests::prices::QuoteTerms;
use crate::enrollments::store::Addressee;
use crate::mail::{EmailMessage, Kind};

/// A student asks to leave an active course.
pub fn asked_to_leave(
    office: &Email,
    student: &Addressee,
    enrollment: &Enrollment,
    reason: &str,
    terms: &QuoteTerms,
    config: &Config,
) -> EmailMessage {
    let asked = enrollment.leave_asked_at.map(|at| date_in_words(at.to_zoned(terms.zone.clone()).date()));
    let start = date_in_words(enrollment.start_date);
    let end = date_in_words(enrollment.end_date);
    about(office, student, enrollment, "Request to leave")
        .paragraph("A student asks to leave a course. The reason:")
        .quote(reason)
        .facts(&[
            ("Student", name(student)),
            ("Course", &course(enrollment)),
            ("Start date", &start),
            ("End date", &end),
            ("Asked on", asked.as_deref().unwrap_or_default()),
        ])
        .paragraph("The day of this request can count for a refund. The student waits for an answer until you give it.")
        .button("Decide about it", &page(config))
}

/// A student who asked to leave stays after all.
pub fn stays(office: &Email, student: &Addressee, enrollment: &Enrollment, config: &Config) -> EmailMessage {
    about(office, student, enrollment, "No longer wants to leave")
        .paragraph("A student who asked to leave a course stays after all. There is nothing left to decide.")
        .facts(&[("Student", name(student)), ("Course", &course(enrollment))])
        .link("Requests to leave a course", &page(config))
}

/// Answers go to the student.
fn about(office: &Email, student: &Addressee, enrollment: &Enrollment, what: &str) -> EmailMessage {
    let subject = format!("{what}: {}", enrollment.course.code);
    EmailMessage::to(Kind::LeaveRequest, office, &subject)
        .topic(&format!("leave {}", enrollment.id))
        .reply_to(&student.email)
        .greeting(None)
}

fn name(student: &Addressee) -> &str {
    student.full_name.as_deref().unwrap_or(student.email.as_str())
}

fn course(enrollment: &Enrollment) -> String {
    format!("{} ({})", enrollment.course.name, enrollment.course.code)
}

fn page(config: &Config) -> String {
    format!("{}/admin/enrollments?tab=leaving", config.public_url())
}
