//! Site content of the demo: questions with answers, and semesters.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::ToSpan as _;
use jiff::civil::Date;
use rusqlite::Connection;

use super::schedule;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::consents;
use crate::money::refunds;
use crate::money::refunds::rules::{NewPolicy, Rule};
use crate::school::texts::{self, OwnTexts, SchoolText, TextKind};
use crate::school::{Question, hours};
use crate::settings::versions;
use crate::settings::{Facts, Settings};
use crate::web::app::App;

/// Questions with their answers.
const QUESTIONS: [[&str; 2]; 5] = [
    [
        "Do credits from your school count at Ontario universities?",
        "Yes. We are inspected by the Ministry of Education and grant credits toward the Ontario Secondary School \
         Diploma. They appear on the Ontario transcript like those of any other school.",
    ],
    [
        "Can my child take one course with you and stay at their current school?",
        "Yes. Many of our students take a single course beside their own timetable. We report the credit to the \
         home school when the course is completed.",
    ],
    [
        "How are classes held?",
        "Live, online, at fixed hours, with a certified teacher and a small class. Every lesson is recorded for \
         students who were away.",
    ],
    [
        "What do you need to enroll a student?",
        "Proof of identity, the latest transcript, and proof of address. A phone photo is fine; \
         everything is uploaded in the student portal.",
    ],
    [
        "Can a student start after the semester has begun?",
        "Usually, within the first weeks. The student makes up the lessons that were missed with the teacher’s help.",
    ],
];

const REFUNDS: &str = "Until the day before the first lesson we refund the whole fee. In the first two weeks of the \
    course we refund half of it. After that there is no refund.\n\nWe send refunds within 15 days of your notice, the \
    same way you paid.";

const HOW_TO_PAY: &str = "By Interac e-Transfer to office@northgate.example, or by cheque at the office. Please put your \
    payment code in the message of the transfer, or the student’s name on the cheque.";

/// The texts of the sample school.
pub fn texts(app: &App) -> Vec<Arc<SchoolText>> {
    texts::in_force(&app.config, &app.config.school(), &own_texts(), |_| None)
}

fn own_texts() -> OwnTexts {
    let text = |text: &str| Some(text.to_owned());
    OwnTexts { refunds: text(REFUNDS), how_to_pay: text(HOW_TO_PAY), ..OwnTexts::default() }
}

/// Records that a student accepts texts of the sample school.
pub fn accept(
    app: &App,
    connection: &Connection,
    student: i64,
    enrollment: Option<i64>,
    now: Timestamp,
) -> Result<()> {
    let asked = |text: &Arc<SchoolText>| {
        matches!(text.in_force.kind, TextKind::Terms)
            || (text.in_force.kind == TextKind::Privacy) == enrollment.is_none()
    };
    let accepted: Vec<_> = texts(app).into_iter().filter(asked).collect();
    let versions = texts::keep(connection, &accepted, now)?;
    consents::give(connection, student, enrollment, versions.into_iter(), now)
}

/// Publishes the content and every fact of the sample, dated in the past. The first of the three semesters may have
/// started.
pub fn publish(app: &App, connection: &Connection, by: i64, at: Timestamp, today: Date) -> Result<()> {
    let sample = app.config.school();
    let questions =
        QUESTIONS.map(|[question, answer]| Question { question: question.into(), answer: answer.into() });
    let settings = Settings {
        facts: Facts::of(&sample),
        hours: hours::of_words(&sample.hours).unwrap_or_default(),
        universities: Some(sample.universities.clone()),
        questions: questions.into(),
        texts: own_texts(),
        semesters: schedule::semesters(today),
        ..Settings::default()
    };
    let note = "Questions that families ask, and the semesters";
    versions::publish(connection, &settings, Some(note), Some(by), at)?;
    // As the text of the refunds says it.
    let rule =
        |until: &str, percent| Some(Rule { until: until.parse().ok()?, percent, keep: Money::default() });
    let rules = [rule("start-1d", 100), rule("start+13d", 50), rule("end", 0)];
    let policy = NewPolicy {
        name: "School’s own policy".into(),
        provinces: None,
        effective_on: today.saturating_sub(5.years()).first_of_year(),
        rules: rules.into_iter().flatten().collect(),
    };
    refunds::add_version(connection, &policy, by, at)?;
    versions::use_published(connection, &app.config)
}
