//! What emails say of a section: its name, its hours in the school's zone.

use jiff::civil::Date;

use super::changes::{decision, place, portal, questions};
use crate::base::dates::date_in_words;
use crate::config::Config;
use crate::enrollments::Enrollment;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::store::Addressee;
use crate::mail::EmailMessage;
use crate::terms::{EnrolledSection, Meeting, Section};

/// What the students of a section are told.
#[derive(Debug, Clone, Copy)]
pub enum SectionNews<'a> {
    /// Its days or hours have changed.
    Changed {
        /// What it was.
        before: &'a Section,
        /// What it is.
        after: &'a Section,
    },
    /// It is not taught.
    Cancelled {
        /// Why.
        reason: &'a str,
        /// Open sections of the course.
        others: &'a [Section],
    },
    /// One of its classes, or all of a day, does not take place.
    ClassCancelled {
        /// The date.
        date: Date,
        /// Its hours.
        hours: &'a str,
        /// Why.
        reason: &'a str,
    },
    /// A cancelled class takes place.
    ClassRestored {
        /// The date.
        date: Date,
        /// Its hours.
        hours: &'a str,
    },
}

/// An email to one of them. Links to classes stand in no email: it may be passed on, and goes to guardians.
pub fn section_news(
    to: &Addressee,
    enrollment: &Enrollment,
    news: SectionNews<'_>,
    config: &Config,
) -> EmailMessage {
    let place = place(enrollment);
    let message = match news {
        SectionNews::Changed { before, after } => {
            let old = schedule(before, config);
            let new = schedule(after, config);
            decision(to, "The hours of your course have changed")
                .paragraph(&format!("The office has changed when {place} is taught."))
                .facts(&[("Until now", &*old), ("From now on", &*new)])
                .paragraph("If you cannot take part at the new time, please write to the office.")
        }
        SectionNews::Cancelled { reason, others } => cancelled(to, enrollment, reason, others, config),
        SectionNews::ClassCancelled { date, hours, reason } => decision(to, "A class is cancelled")
            .paragraph(&format!(
                "The class of {place} on {}, {hours}, does not take place. The reason:",
                day(date)
            ))
            .paragraph(reason),
        SectionNews::ClassRestored { date, hours } => decision(to, "A class takes place after all")
            .paragraph(&format!("The class of {place} on {}, {hours}, takes place after all.", day(date))),
    };
    message.paragraph(&questions(config)).button("Open the student portal", &portal(config))
}

fn cancelled(
    to: &Addressee,
    enrollment: &Enrollment,
    reason: &str,
    others: &[Section],
    config: &Config,
) -> EmailMessage {
    let message = decision(to, "Your class is cancelled")
        .paragraph(&format!("{} will not be taught. The reason:", place(enrollment)))
        .paragraph(reason);
    let message = match enrollment.status {
        EnrollmentStatus::Active => message.paragraph(
            "You owe nothing for it. Anything you paid for it is on your account: it counts for the class in which \
             you go on, or is paid back in full if you leave the course.",
        ),
        _ => message.paragraph("Your request for it cannot be approved. Nothing was charged."),
    };
    if others.is_empty() {
        return message
            .paragraph("No other class of this course is open at the moment. The office will write to you.");
    }
    let message = message
        .paragraph("You can change to one of these classes. Please tell the office which one suits you:");
    others.iter().fold(message, |message, section| {
        let term = section.term_name.as_ref().map(|term| format!(", {term}")).unwrap_or_default();
        message.paragraph(&format!("Section {}{term}: {}", section.label, schedule(section, config)))
    })
}

/// Hours and days of a section: "Tuesday 19:00 to 20:30 (Toronto time), February 1, 2027 to June 25, 2027".
fn schedule(section: &Section, config: &Config) -> String {
    let days = format!("{} to {}", date_in_words(section.starts_on), date_in_words(section.ends_on));
    match section_hours(&section.meetings, config) {
        Some(hours) => format!("{hours}, {days}"),
        None => format!("At your own pace, {days}"),
    }
}

/// "Tuesday, February 2, 2027".
fn day(date: Date) -> String {
    date.strftime("%A, %B %-d, %Y").to_string()
}

/// Facts about the section of an enrollment; none for own dates.
pub(super) fn section(enrollment: &Enrollment, config: &Config) -> Vec<(&'static str, String)> {
    let Some(section) = &enrollment.section else { return Vec::new() };
    let classes = match section_hours(&section.meetings, config) {
        Some(hours) => hours,
        None => format!("At your own pace until {}", date_in_words(enrollment.end_date)),
    };
    vec![("Section", name(section)), ("Classes", classes)]
}

/// "A, Winter 2027".
fn name(section: &EnrolledSection) -> String {
    let term = section.term_name.as_ref().map(|term| format!(", {term}")).unwrap_or_default();
    format!("{}{term}", section.label)
}

/// "Tuesday and Thursday 19:00 to 20:30 (Toronto time)"; none without meetings.
pub fn section_hours(meetings: &[Meeting], config: &Config) -> Option<String> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for meeting in meetings {
        let hours = format!("{} to {}", meeting.starts_at, meeting.ends_at);
        let day = weekday(meeting.weekday);
        match groups.iter_mut().find(|(known, _)| *known == hours) {
            Some((_, days)) => days.push(day),
            None => groups.push((hours, vec![day])),
        }
    }
    let group = |(hours, days): &(String, Vec<&str>)| format!("{} {hours}", listed(days));
    let words: Vec<_> = groups.iter().map(group).collect();
    (!words.is_empty()).then(|| format!("{} ({})", words.join("; "), config.school().time_zone.words()))
}

/// "Monday, Tuesday and Thursday".
fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

fn weekday(number: i8) -> &'static str {
    const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    usize::try_from(number)
        .ok()
        .and_then(|number| DAYS.get(number.checked_sub(1)?))
        .copied()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::TimeOfDay;

    #[test]
    fn days_with_the_same_hours_are_named_together() {
        let meeting = |weekday, starts_at: &str, ends_at: &str| {
            let time = |text| TimeOfDay::parse(text).unwrap();
            Meeting { id: 1, weekday, starts_at: time(starts_at), ends_at: time(ends_at), link: None }
        };
        let words = |meetings: &[Meeting]| section_hours(meetings, &Config::default());
        assert_eq!(words(&[]), None);
        let evenings =
            [meeting(2, "19:00", "20:30"), meeting(4, "19:00", "20:30"), meeting(6, "09:00", "10:00")];
        let expected = "Tuesday and Thursday 19:00 to 20:30; Saturday 09:00 to 10:00 (Toronto time)";
        assert_eq!(words(&evenings).as_deref(), Some(expected));
    }
}
