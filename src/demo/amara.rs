//! The student whose password is printed: verified, with documents and an enrollment in several states.

use anyhow::anyhow;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp, ToSpan as _};
use rusqlite::Connection;

use super::calendar::Calendar;
use super::names::AMARA;
use super::scene::course;
use super::staff::{OFFICE, REGISTRAR, Team, address};
use super::{files, form, schedule, site};
use crate::audit::{ActingStaff, Actor};
use crate::base::error::Result;
use crate::documents::rules::DocumentType;
use crate::enrollments::credits::{self, CreditFacts, NewExternalCredit};
use crate::enrollments::decisions::decline::DeclineCode;
use crate::enrollments::decisions::{Approve, Complete, DecisionContext, Decline};
use crate::enrollments::requests::rules::NewEnrollment;
use crate::enrollments::status::EnrollmentStatus;
use crate::students::confirmations::{self, GuardianHow};
use crate::students::guardians::{self, GuardianFacts, Relationship};
use crate::students::profile::{ProfileForm, ProfileUpdate};
use crate::web::app::App;
use crate::{documents, enrollments, students};

/// Creates the account with its enrollments, and returns its id.
pub fn insert(
    app: &App,
    connection: &Connection,
    password_hash: &str,
    team: Team,
    calendar: &Calendar,
) -> Result<i64> {
    let Calendar { now, today, .. } = *calendar;
    let id = students::store::insert(connection, &address(AMARA)?, password_hash, now)?;
    site::accept(app, connection, id, None, now)?;
    students::store::mark_verified(connection, id, today, now)?;
    let before = students::store::find(connection, id)?.ok_or_else(|| anyhow!("the demo's student"))?;
    let update = ProfileUpdate::parse(&profile_form()?, &before, today)?;
    students::store::update_profile(connection, id, &update, now)?;
    let mother = GuardianFacts {
        name: "Ngozi Lefebvre".to_owned(),
        email: Some(address("ngozi.lefebvre@mail.example")?.as_str().to_owned()),
        phone: None,
        relationship: Some(Relationship::Mother),
        is_primary: false,
        gets_mail: true,
    };
    guardians::store::write(connection, id, None, &mother, now)?;
    enroll(app, connection, id, team, calendar)?;
    // Her father confirmed the requests made by then.
    let by = ActingStaff { id: team.office, actor: &Actor::staff(team.office, OFFICE) };
    let at = app.clock.now() - SignedDuration::from_hours(24 * 10);
    let father = guardians::store::list(connection, id)?.first().map(|guardian| guardian.id);
    confirmations::record(connection, id, GuardianHow::Phone, father, by, at)?;
    Ok(id)
}

/// Uploads her two documents, whose files all demo students share.
pub async fn upload(app: &App, id: i64, team: Team) -> Result<files::Files> {
    let passport =
        documents::add(app, id, DocumentType::GovernmentId, "passport.png", files::PASSPORT).await?;
    let name = "Transcript June 2026.pdf";
    let transcript = documents::add(app, id, DocumentType::Transcript, name, files::TRANSCRIPT).await?;
    let now = app.clock.now();
    let today = app.today();
    let brought = OwnDocument { student_id: id, document_id: transcript.id };
    app.db.write(move |connection| bring_credits(connection, brought, team, today, now)).await?;
    files::Files::of(app, &[passport, transcript]).await
}

/// A student's document.
#[derive(Clone, Copy)]
struct OwnDocument {
    student_id: i64,
    document_id: i64,
}

/// Credits from the previous school, as on the transcript.
fn bring_credits(
    connection: &Connection,
    transcript: OwnDocument,
    team: Team,
    today: Date,
    now: Timestamp,
) -> Result<()> {
    let registrar = Actor::staff(team.registrar, REGISTRAR);
    let day = Date::constant(today.year() - 1, 6, 25);
    for (code, name, mark) in
        [("ENG3U", "English", 79), ("MCR3U", "Functions", 84), ("MPM2D", "Principles of Mathematics", 88)]
    {
        let credit = serde_json::json!({
            "code": code, "name": name, "credits": 1, "mark": mark, "completedOn": day,
            "school": "Sample Park Collegiate", "documentId": transcript.document_id,
        });
        let facts = CreditFacts::parse(&form::<NewExternalCredit>(credit)?, None, today)?;
        credits::record(connection, transcript.student_id, &facts, team.registrar, &registrar, now)?;
    }
    Ok(())
}

fn enroll(app: &App, connection: &Connection, student: i64, team: Team, calendar: &Calendar) -> Result<()> {
    let today = calendar.today;
    // Code, months since the start, and outcome of the request.
    let requests = [
        ("ENG4U", -2, EnrollmentStatus::Active),
        ("MHF4U", 1, EnrollmentStatus::Pending),
        ("SCH3U", -9, EnrollmentStatus::Completed),
        ("SPH4U", 2, EnrollmentStatus::Declined),
    ];
    for (days, (code, months, state)) in (0..).zip(requests) {
        let now = app.clock.now() - SignedDuration::from_hours(24 * (20 - days));
        let course = course(connection, code)?;
        let start_date = today.saturating_add(months.months());
        let end_date = start_date.saturating_add(4.months());
        // Her course of today is taught live, while a term is in full swing.
        let begun = if state == EnrollmentStatus::Active { schedule::begun(calendar, code, 0) } else { None };
        let section = match begun {
            Some(begun) => schedule::find(connection, course.id, begun.label, begun.start)?,
            None => None,
        };
        let (start_date, end_date) =
            section.as_ref().map_or((start_date, end_date), |section| (section.starts_on, section.ends_on));
        let section_id = section.map(|section| section.id);
        let new = NewEnrollment { course_id: course.id, section_id, start_date, end_date };
        let id = enrollments::store::request(connection, student, &new, &course, now)?.id;
        site::accept(app, connection, student, Some(id), now)?;
        let context = DecisionContext::at(app, team.office, OFFICE, now);
        match state {
            EnrollmentStatus::Active => drop(context.approve(connection, id, &Approve::default(), None)?),
            EnrollmentStatus::Completed => {
                // Approved in time, by the last day of the course.
                let mut earlier = DecisionContext::at(app, team.office, OFFICE, now);
                earlier.terms.today = end_date;
                earlier.approve(connection, id, &Approve::default(), None)?;
                context.complete(
                    connection,
                    id,
                    &Complete { final_mark: 87, reason: None, mails_reason: false, expected: None },
                    None,
                )?;
            }
            EnrollmentStatus::Declined => {
                let words = "The winter class is full.".to_owned();
                let reason = Decline { words, code: DeclineCode::ClassFull, expected: None };
                context.decline(connection, id, &reason, None)?;
            }
            EnrollmentStatus::Pending
            | EnrollmentStatus::Waitlisted
            | EnrollmentStatus::Withdrawn
            | EnrollmentStatus::Cancelled => {}
        }
    }
    Ok(())
}

fn profile_form() -> Result<ProfileForm> {
    form(serde_json::json!({
        "fullName": "Amara Okonkwo-Lefebvre", "phoneNumber": "(647) 555-0188", "dateOfBirth": "2009-03-01",
        "gender": "female", "canadianStatus": "permanent_resident", "address": "88 Sample Crescent",
        "city": "Mississauga", "province": "ON", "postalCode": "L5B 0A1",
        "parentName": "Chidi Okonkwo", "parentContact": "(647) 555-0189",
    }))
}
