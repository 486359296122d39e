//! Emails about changes after an approval, and about the waiting list.

use super::{Facts, UNPRICED, charged_or_free, section_hours, still_wanted};
use crate::base::dates::date_in_words;
use crate::base::money::Money;
use crate::config::Config;
use crate::enrollments::Enrollment;
use crate::enrollments::decisions::{Refund, Withdraw};
use crate::enrollments::requests::prices::QuoteTerms;
use crate::enrollments::requests::rules::PASS_MARK;
use crate::enrollments::store::Addressee;
use crate::mail::{EmailMessage, Kind};
use crate::money::ledger::{ExtensionFee, OpenPart};
use crate::money::refunds::RefundProposal;
use crate::students::lacks::Wanted;

/// The request is on the waiting list, at this place.
pub fn waitlisted(to: &Addressee, enrollment: &Enrollment, position: i64, config: &Config) -> EmailMessage {
    let days = config.office.place_days;
    decision(to, "You are on the waiting list")
        .paragraph(&format!(
            "The class of {} is full at the moment on the dates you asked for, {} to {}. You are number \
             {position} on its waiting list.",
            course(enrollment),
            date_in_words(enrollment.start_date),
            date_in_words(enrollment.end_date)
        ))
        .paragraph(&format!(
            "A free place is offered to the first on the list whose dates it fits. When it is yours we will write \
             to you and keep it for {days} days. Nothing is charged until you take it. You can leave the list in the \
             student portal at any time."
        ))
        .button("Open the student portal", &portal(config))
}

/// A place is kept, until when, and what it costs.
pub fn place_free(
    to: &Addressee,
    enrollment: &Enrollment,
    wanted: &[Wanted],
    terms: &QuoteTerms,
    config: &Config,
) -> EmailMessage {
    let until = enrollment.offered_until.map(|until| {
        let zoned = until.to_zoned(terms.zone.clone());
        let zone = config.school().time_zone.words();
        format!("{}, {} {zone}", date_in_words(zoned.date()), zoned.strftime("%H:%M"))
    });
    let price = enrollment.quoted_price.map_or_else(|| UNPRICED.to_owned(), charged_or_free);
    let is_due = enrollment.quoted_price.is_some_and(|price| price.cents() > 0);
    let due = is_due.then(|| format!("{} days after you have taken the place.", config.money.due_days()));
    let message = decision(to, "A place is free for you").paragraph(&format!(
        "A place in {} has become free, and it is yours if you want it. We keep it for you until {}. After that \
         it goes to the next on the list.",
        course(enrollment),
        until.unwrap_or_default()
    ));
    let message =
        message.paragraph("To take it, or to leave it to another student, open the student portal.");
    let message = still_wanted(message, wanted);
    Facts { enrollment, price, due, code: to.payment_code(config), config }.end(message)
}

/// The offered place was not taken in time.
pub fn place_lapsed(to: &Addressee, enrollment: &Enrollment, config: &Config) -> EmailMessage {
    decision(to, "The place was given to the next on the list")
        .paragraph(&format!(
            "A place in {} was kept for you, and you did not take it in time. You are no longer on the waiting \
             list, and nothing was charged.",
            course(enrollment)
        ))
        .paragraph(&format!("You can ask for the course again at any time. {}", questions(config)))
        .button("See the available courses", &format!("{}/student/courses", config.public_url()))
}

/// The enrollment has ended before its last day.
pub fn withdrawn(
    to: &Addressee,
    enrollment: &Enrollment,
    withdraw: &Withdraw,
    refund: Refund,
    proposal: Option<&RefundProposal>,
    config: &Config,
) -> EmailMessage {
    let fee = match (enrollment.charged_price.is_some_and(|price| price.cents() > 0), refund, proposal) {
        (false, ..) => "Nothing was charged for it.".to_owned(),
        (true, _, Some(proposal)) => by_policy(proposal),
        (true, Refund::Full, _) => "The charge for it has been reversed.".to_owned(),
        (true, ..) => {
            "What was charged for it remains due. The office will tell you if that changes.".to_owned()
        }
    };
    decision(to, "You have left a course")
        .paragraph(&format!(
            "The office has ended your enrollment in {} as of {}. The reason:",
            course(enrollment),
            date_in_words(withdraw.effective_on)
        ))
        .paragraph(&withdraw.reason)
        .paragraph(&format!("{fee} {}", questions(config)))
        .button("Open the student portal", &portal(config))
}

/// What the refund policy says of the fee.
fn by_policy(proposal: &RefundProposal) -> String {
    let RefundProposal { policy, fee, kept, refund, repay_by, .. } = proposal;
    let kept =
        format!("Under the refund policy “{}”, {kept} of the fee of {fee} remains payable.", policy.name);
    match refund.cents() {
        0 => kept,
        _ => format!("{kept} {refund} will be refunded to you by {}.", date_in_words(*repay_by)),
    }
}

/// The course is completed, with which mark, and what it earned; and why before its last day, if it was.
pub fn completed(
    to: &Addressee,
    enrollment: &Enrollment,
    early: Option<&str>,
    config: &Config,
) -> EmailMessage {
    let subject = match is_failed(enrollment) {
        true => format!("Your final mark in {}", enrollment.course.code),
        false => "You have completed a course".to_owned(),
    };
    let message =
        decision(to, &subject).paragraph(&format!("Your final mark in {} is recorded.", course(enrollment)));
    let message = match early {
        Some(reason) => message
            .paragraph(&format!(
                "The course was to run until {}. Why the mark comes before that day:",
                date_in_words(enrollment.end_date)
            ))
            .paragraph(reason),
        None => message,
    };
    result(message, enrollment, config)
}

/// The mark of a completed course was corrected, with the reason.
pub fn mark_corrected(
    to: &Addressee,
    enrollment: &Enrollment,
    reason: &str,
    config: &Config,
) -> EmailMessage {
    let message = decision(to, "Your final mark was corrected")
        .paragraph(&format!(
            "The office has corrected your final mark in {}. The reason:",
            course(enrollment)
        ))
        .paragraph(reason);
    result(message, enrollment, config)
}

fn is_failed(enrollment: &Enrollment) -> bool {
    enrollment.final_mark.is_some_and(|mark| mark < PASS_MARK)
}

fn result(message: EmailMessage, enrollment: &Enrollment, config: &Config) -> EmailMessage {
    let mark = enrollment.final_mark.map(|mark| format!("{mark}%")).unwrap_or_default();
    let credits = enrollment.earned_credits.map(|credits| credits.to_string()).unwrap_or_default();
    let message = match (enrollment.repeat, enrollment.better_attempt) {
        (_, Some(_)) => message.paragraph(
            "Your other mark in this course is as good or better, and it earns the credit. Both stay on your \
             record.",
        ),
        (Some(_), None) if !is_failed(enrollment) => message.paragraph(
            "You took this course before. This is the better of your marks: it earns the credit, once, and both \
             stay on your record.",
        ),
        (_, None) => message,
    };
    let message = match is_failed(enrollment) {
        true => message.paragraph(&format!(
            "A mark below {PASS_MARK}% earns no credit. You can take the course again: request it in the student portal, \
             or ask the office which course is the right next step."
        )),
        false => message,
    };
    message
        .facts(&[("Final mark", &*mark), ("Credits earned", &credits)])
        .button("Open the student portal", &portal(config))
}

/// An ended enrollment was reopened, with the reason.
pub fn reopened(to: &Addressee, enrollment: &Enrollment, reason: &str, config: &Config) -> EmailMessage {
    decision(to, "Your enrollment is open again")
        .paragraph(&format!(
            "The office has opened your enrollment in {} again. It is {} now. The reason:",
            course(enrollment),
            enrollment.status.label()
        ))
        .paragraph(reason)
        .paragraph(&questions(config))
        .button("Open the student portal", &portal(config))
}

/// The approval was a mistake, and why.
pub fn approval_reversed(
    to: &Addressee,
    enrollment: &Enrollment,
    reason: &str,
    config: &Config,
) -> EmailMessage {
    decision(to, "Correction: your enrollment is not approved yet")
        .paragraph(&format!(
            "We wrote to you that your enrollment in {} is approved. That was corrected: it waits for a decision \
             again. The reason:",
            course(enrollment)
        ))
        .paragraph(reason)
        .paragraph(&format!("What was charged for it has been reversed. {}", questions(config)))
        .button("Open the student portal", &portal(config))
}

/// The dates were changed, with the reason; and the fee of a longer enrollment, with its due date.
pub fn dates_changed(
    to: &Addressee,
    enrollment: &Enrollment,
    reason: &str,
    fee: Option<ExtensionFee>,
    config: &Config,
) -> EmailMessage {
    let start = date_in_words(enrollment.start_date);
    let end = date_in_words(enrollment.end_date);
    let fee = fee.map(|fee| (fee.amount.to_string(), date_in_words(fee.due_on)));
    let how_to_pay = config.how_to_pay();
    let code = to.payment_code(config);
    let mut facts = vec![("Start date", &*start), ("End date", &*end)];
    if let Some((fee, due)) = &fee {
        facts.extend([("Fee of the extension", &**fee), ("Due", due)]);
        facts.extend([("How to pay", &*how_to_pay), ("Payment code", &code)]);
    }
    decision(to, "The dates of your course have changed")
        .paragraph(&format!("The office has changed the dates of {}. The reason:", course(enrollment)))
        .paragraph(reason)
        .facts(&facts)
        .paragraph(&questions(config))
        .button("Open the student portal", &portal(config))
}

/// A transfer, for the letter about it.
pub struct Transferred<'a> {
    /// The enrollment that has ended.
    pub before: &'a Enrollment,
    /// The one that goes on.
    pub after: &'a Enrollment,
    /// Why.
    pub reason: &'a str,
    /// Whether its price is a new one.
    pub is_charged_again: bool,
    /// What is still to be paid for it, the earliest first.
    pub open: &'a [OpenPart],
}

/// The student goes on in another section or course: why, which hours are new, and what is owed by when.
pub fn transferred(to: &Addressee, transferred: &Transferred<'_>, config: &Config) -> EmailMessage {
    let Transferred { before, after, reason, is_charged_again, open } = *transferred;
    let from = place(before);
    let into = place(after);
    let as_before = |price: Money| format!("{}, as before", charged_or_free(price));
    let price = match (after.charged_price, before.charged_price) {
        (None, _) => UNPRICED.to_owned(),
        (Some(price), _) if !is_charged_again => as_before(price),
        (Some(price), Some(old)) if price == old => as_before(price),
        (Some(price), Some(old)) => {
            format!("{}, instead of {}", charged_or_free(price), charged_or_free(old))
        }
        (Some(price), None) => charged_or_free(price),
    };
    let owed = |part: &OpenPart| match part.due_on {
        Some(day) => format!("{} by {}", part.amount, date_in_words(day)),
        None => format!("{} at once", part.amount),
    };
    let owed: Vec<_> = open.iter().map(owed).collect();
    let due = (!owed.is_empty()).then(|| owed.join("; "));
    let is_priced = after.charged_price.is_some_and(|price| price.cents() > 0);
    let paid = match (&due, is_priced) {
        (Some(due), _) => format!("What you paid counts for it. Still to be paid: {due}."),
        (None, true) => "What you paid counts for it. Nothing more is to be paid for it.".to_owned(),
        (None, false) => "You don’t need to do anything.".to_owned(),
    };
    let message = decision(to, "Your course has changed")
        .paragraph(&format!("The office has moved you from {from} to {into}. The reason:"))
        .paragraph(reason)
        .paragraph(&paid);
    let old = when(before, config);
    let new = when(after, config);
    let message = match old == new {
        true => message,
        false => {
            message.paragraph("The hours are new:").facts(&[("Until now", &*old), ("From now on", &*new)])
        }
    };
    Facts { enrollment: after, price, due, code: to.payment_code(config), config }.end(message)
}

/// When an enrollment is taught.
fn when(enrollment: &Enrollment, config: &Config) -> String {
    let days = format!("{} to {}", date_in_words(enrollment.start_date), date_in_words(enrollment.end_date));
    let meetings = enrollment.section.as_ref().map_or(&[][..], |section| &section.meetings);
    match section_hours(meetings, config) {
        Some(hours) => format!("{hours}, {days}"),
        None => format!("At your own pace, {days}"),
    }
}

/// A request before and after it was moved to another section.
pub struct MovedRequest<'a> {
    /// As it was.
    pub before: &'a Enrollment,
    /// As it is now.
    pub after: &'a Enrollment,
}

/// A request goes on in another section of its course.
pub fn request_moved(
    to: &Addressee,
    MovedRequest { before, after }: MovedRequest<'_>,
    reason: &str,
    config: &Config,
) -> EmailMessage {
    let message = decision(to, "Your request has changed")
        .paragraph(&format!("Your request for {} is now for {}. The reason:", place(before), place(after)))
        .paragraph(reason)
        .paragraph("It keeps its place, and the office has not decided about it yet. If the new class does not suit you, you can withdraw the request in the student portal.");
    let price = after.quoted_price.map_or_else(|| UNPRICED.to_owned(), charged_or_free);
    Facts { enrollment: after, price, due: None, code: to.payment_code(config), config }.end(message)
}

/// A course with its section, in a sentence.
pub(super) fn place(enrollment: &Enrollment) -> String {
    let section = enrollment.section.as_ref().map(|section| format!(", section {}", section.label));
    format!("{}{}", course(enrollment), section.unwrap_or_default())
}

/// A request to leave was refused, with the reason.
pub fn leave_refused(to: &Addressee, enrollment: &Enrollment, reason: &str, config: &Config) -> EmailMessage {
    decision(to, "You remain enrolled")
        .paragraph(&format!(
            "You asked to leave {}. The office could not agree, and you remain enrolled. The reason:",
            course(enrollment)
        ))
        .paragraph(reason)
        .paragraph(&questions(config))
        .button("Open the student portal", &portal(config))
}

pub(super) fn decision(to: &Addressee, subject: &str) -> EmailMessage {
    EmailMessage::to(Kind::EnrollmentDecision, &to.email, subject).greeting(to.full_name.as_deref())
}

fn course(enrollment: &Enrollment) -> String {
    format!("{} ({})", enrollment.course.name, enrollment.course.code)
}

pub(super) fn portal(config: &Config) -> String {
    config.student_dashboard()
}

pub(super) fn questions(config: &Config) -> String {
    format!("Questions? {}.", config.school().write_or_call())
}
