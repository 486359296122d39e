//! Emails to parents and guardians about requests, and to the student after a refusal.

use super::{HOW_TO_CANCEL, UNPRICED, charged_or_free};
use crate::base::dates::date_in_words;
use crate::base::email::Email;
use crate::config::Config;
use crate::enrollments::Enrollment;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::store::Addressee;
use crate::mail::{EmailLink, EmailMessage, Kind};

/// What a student is called whose name the office has not seen.
const UNSEEN: &str = "a student who named you as a parent or guardian";

/// A request that a guardian is asked to confirm.
pub struct AskedRequest {
    /// Its student.
    pub student: Addressee,
    /// What the student asks for.
    pub enrollment: Enrollment,
}

/// A student under 18 asks for courses; names that the office has not seen are left out. `url` is the family page with
/// its token.
pub fn asks_guardian(
    to: &Email,
    name: Option<&str>,
    requests: &[AskedRequest],
    url: &str,
    is_reminder: bool,
    config: &Config,
) -> EmailMessage {
    let students: Vec<_> = requests.iter().map(|request| student_name(&request.student)).collect();
    let is_one = students.iter().all(|student| *student == students[0]);
    let who = if is_one { students[0] } else { "your children" };
    let school = config.school();
    let school = &school.name;
    let subject = if is_reminder { "Reminder: please confirm a request" } else { "Please confirm a request" };
    let who = if who == UNSEEN { "A student who named you as a parent or guardian" } else { who };
    let ask = match requests {
        [AskedRequest { student, enrollment }] if enrollment.status == EnrollmentStatus::Active => format!(
            "{school} has moved {} to another class. The school asks you to confirm it.",
            student_name(student)
        ),
        [_] => format!(
            "{who} has asked {school} for a course and is under 18. The school asks you to confirm it."
        ),
        _ => format!(
            "{who} asked {school} for courses, and the school asks a parent or guardian to confirm them."
        ),
    };
    // Limits apply to each topic: several requests are several emails.
    let topic = format!("request {}", requests.first().map_or(0, |first| first.enrollment.id));
    let message =
        EmailMessage::to(Kind::GuardianRequest, to, subject).topic(&topic).greeting(name).paragraph(&ask);
    let message = requests.iter().fold(message, |message, AskedRequest { student, enrollment }| {
        let start = date_in_words(enrollment.start_date);
        let end = date_in_words(enrollment.end_date);
        let course = format!("{} ({})", enrollment.course.name, enrollment.course.code);
        let price = enrollment.quoted_price.map_or_else(|| UNPRICED.to_owned(), charged_or_free);
        let code = student.payment_code(config);
        let name = student.full_name.as_deref().map(|name| ("Student", name));
        let facts = [
            ("Course", &*course),
            ("Start date", &start),
            ("End date", &end),
            ("Price", &price),
            ("Payment code", &code),
        ];
        message.facts(&name.into_iter().chain(facts).collect::<Vec<_>>())
    });
    let due = format!("{} days after the office has approved the request.", config.money.due_days());
    message
        .button("Read and decide", url)
        .paragraph(
            "Opening the page decides nothing. You can confirm there, or say no and why. The link is valid for \
             seven days; on the page you can ask for a new one at any time.",
        )
        .facts(&[
            ("Due", &due),
            ("How to pay", &config.how_to_pay()),
            ("How to cancel", HOW_TO_CANCEL),
            ("Refunds", &config.refunds()),
        ])
        .paragraph(&format!(
            "You get this because the student named you as a parent or guardian. If that is not right, please tell \
             the office{}.",
            config.school().contacts()
        ))
}

/// A copy of what the school wrote to a student, with the names if the office has seen them.
pub fn copy_to_guardian(
    email: &EmailMessage,
    to: &Email,
    name: &str,
    student: &Addressee,
    is_seen: bool,
    config: &Config,
) -> EmailMessage {
    let about = format!(
        "The school wrote this to {}. You get a copy as a parent or guardian.",
        if is_seen { student_name(student) } else { UNSEEN }
    );
    let url = format!("{}/family", config.public_url());
    let button = EmailLink { label: "Open the family page", url: &url };
    email.copy_to(to, Some(name).filter(|_| is_seen), &about, &button)
}

/// A guardian did not agree to a request.
pub fn refused_by_guardian(
    to: &Addressee,
    before: &Enrollment,
    reason: &str,
    config: &Config,
) -> EmailMessage {
    EmailMessage::to(
        Kind::EnrollmentDecision,
        &to.email,
        "Your request was withdrawn by your parent or guardian",
    )
    .greeting(to.full_name.as_deref())
    .paragraph(&format!(
        "Your parent or guardian did not agree to your request for {} ({}), so it is withdrawn. The reason:",
        before.course.name, before.course.code
    ))
    .paragraph(reason)
    .paragraph("Nothing was charged. You can ask for this course again, or for another one.")
    .button("Open the student portal", &(config.student_dashboard() + "?tab=courses"))
}

fn student_name(student: &Addressee) -> &str {
    student.full_name.as_deref().unwrap_or(UNSEEN)
}
