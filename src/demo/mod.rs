//! The throw-away school of `serve --demo`: the sample catalogue, one member of the staff, one
//! verified student with documents and enrollments in several states, and what visitors wrote.
//!
//! It goes through the rooms' own functions. Passwords are drawn anew each time and printed.

use std::net::Ipv4Addr;
use std::path::Path;

use anyhow::anyhow;
use jiff::{SignedDuration, Timestamp, ToSpan};
use serde::de::DeserializeOwned;

use crate::admissions::{self, NewAdmissionRequest};
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::base::password::Password;
use crate::base::random;
use crate::courses::import;
use crate::courses::values::{CourseCode, Grade};
use crate::documents::rules::DocumentType;
use crate::enrollments::decisions::{Decision, Verb};
use crate::enrollments::rules::NewEnrollment;
use crate::enrollments::status::EnrollmentStatus;
use crate::messages::MessageForm;
use crate::messages::rules::NewMessage;
use crate::messages::status::MessageStatus;
use crate::staff::Role;
use crate::staff::store::NewUser;
use crate::students::profile::{ProfileForm, ProfileUpdate};
use crate::web::app::App;
use crate::web::form::Field;
use crate::web::rate_limit::ClientAddr;
use crate::{courses, documents, enrollments, fees, messages, staff, students};

const CATALOGUE: &[u8] = include_bytes!("../../examples/ontario-courses.csv");
const PASSPORT: &[u8] = include_bytes!("passport.png");
const TRANSCRIPT: &[u8] = include_bytes!("transcript.pdf");
const STAFF: &str = "office";
const STUDENT: &str = "amara.okonkwo@mail.example";

/// Who may log in to the demo.
pub struct Accounts {
    staff_password: String,
    student_password: String,
}

impl Accounts {
    /// What is printed when the demo opens.
    pub fn notice(&self, url: &str, folder: &Path) -> String {
        format!(
            "\n  The demo school is open at {url}\n\n  \
             Student  {url}/student/auth\n           {STUDENT}   {}\n  \
             Office   {url}/admin/login\n           {STAFF}   {}\n\n  \
             Mail is written to {}\n  \
             Everything is thrown away when you stop it with Ctrl-C.\n",
            self.student_password,
            self.staff_password,
            folder.join("mail").display()
        )
    }
}

/// Fills an empty school.
pub async fn seed(app: &App) -> Result<Accounts> {
    let sheet = import::read(CATALOGUE)
        .map_err(|problems| anyhow!("the sample catalogue: {}", import::report(&problems)))?;
    let now = app.clock.now();
    let path = app.data_dir.database();
    tokio::task::spawn_blocking(move || -> Result<()> {
        let mut connection = crate::storage::db::connect(&path)?;
        import::apply(&mut connection, &sheet, false, now, &mut |_, _| {})?;
        Ok(())
    })
    .await
    .map_err(|error| anyhow!("importing the sample catalogue: {error}"))??;

    let accounts = Accounts { staff_password: random::password()?, student_password: random::password()? };
    let here = ClientAddr::new(Ipv4Addr::LOCALHOST.into());
    let staff_hash = app.passwords.hash(&password(&accounts.staff_password)?, here.lane()).await?;
    let student_hash = app.passwords.hash(&password(&accounts.student_password)?, here.lane()).await?;
    let student = app.clone();
    let today = app.clock.today(&app.config.school.zone());
    let id = app
        .db
        .write(move |connection| {
            let email = address("office@northgate.example")?;
            let new =
                NewUser { username: STAFF, email: &email, password_hash: &staff_hash, role: Role::Admin };
            let user = staff::store::insert(connection, &new, now)?;
            let id = students::store::insert(connection, &address(STUDENT)?, &student_hash, now)?;
            students::store::mark_verified(connection, id, now)?;
            let before =
                students::store::find(connection, id)?.ok_or_else(|| anyhow!("the demo's student"))?;
            students::store::update_profile(
                connection,
                id,
                &ProfileUpdate::parse(&profile_form()?, &before, today)?,
                now,
            )?;
            enroll(&student, connection, id, user)?;
            write_to_school(connection, now)?;
            Ok(id)
        })
        .await?;
    documents::add(app, id, DocumentType::GovernmentId, "passport.png", PASSPORT).await?;
    documents::add(app, id, DocumentType::Transcript, "Transcript June 2026.pdf", TRANSCRIPT).await?;
    Ok(accounts)
}

fn enroll(app: &App, connection: &rusqlite::Connection, student: i64, user: i64) -> Result<()> {
    let today = app.clock.today(&app.config.school.zone());
    // Code, months since the start, and what became of the request.
    let requests = [
        ("ENG4U", -2, EnrollmentStatus::Active),
        ("MHF4U", 1, EnrollmentStatus::Pending),
        ("SCH3U", -9, EnrollmentStatus::Completed),
        ("SPH4U", 2, EnrollmentStatus::Declined),
    ];
    for (days, (code, months, state)) in (0..).zip(requests) {
        let now = app.clock.now() - SignedDuration::from_hours(24 * (20 - days));
        let known = CourseCode::parse(&Field::Value(code.to_owned())).map_err(|message| anyhow!(message))?;
        let course = courses::store::find_by_code(connection, &known)?
            .ok_or_else(|| anyhow!("{code} is in the sample"))?;
        let start = today.saturating_add(months.months());
        let new = NewEnrollment {
            course_id: course.id,
            start_date: start,
            end_date: start.saturating_add(4.months()),
        };
        let id = enrollments::store::request(connection, student, &new, &course, now)?;
        if matches!(state, EnrollmentStatus::Active | EnrollmentStatus::Completed) {
            let decision = Decision::begin(connection, Verb::Approve, user, None, &app.config.office, now)?;
            enrollments::store::approve(connection, id, EnrollmentStatus::Pending, course.price, &decision)?;
            students::identity::mark_checked(connection, student, user, now)?;
            if let Some(price) = course.price {
                let due_on = app.config.money.due_on(today);
                fees::charge_enrollment(connection, id, price, due_on, user, now)?;
            }
        }
        match state {
            EnrollmentStatus::Completed => enrollments::store::complete(connection, id, 87, user, now)?,
            EnrollmentStatus::Declined => {
                let decision =
                    Decision::begin(connection, Verb::Decline, user, None, &app.config.office, now)?;
                let reason = "The winter class is full.";
                enrollments::store::decline(connection, id, EnrollmentStatus::Pending, reason, &decision)?;
            }
            EnrollmentStatus::Pending
            | EnrollmentStatus::Active
            | EnrollmentStatus::Waitlisted
            | EnrollmentStatus::Withdrawn => {}
        }
    }
    Ok(())
}

/// Two messages, of which the office has read the older one, and a request for a place.
fn write_to_school(connection: &rusqlite::Connection, now: Timestamp) -> Result<()> {
    let read: MessageForm = form(serde_json::json!({
        "name": "Søren Kjær", "email": "soren.kjaer@mail.example", "phone": "+45 55 50 01 42",
        "subject": "courses",
        "message": "Does MHF4U also run in the winter semester? Our family moves to Ottawa in January.",
    }))?;
    let unread: MessageForm = form(serde_json::json!({
        "name": "Zoë Müller-Tremblay", "email": "zoe.muller@mail.example", "subject": "admission",
        "message": "Our son would like to join Grade 11 in September.\n\nWhich documents do you need from \
                    a school in Québec?",
    }))?;
    let read = messages::store::insert(
        connection,
        &NewMessage::parse(&read)?,
        now - SignedDuration::from_hours(26),
    )?;
    messages::store::set_status(connection, read, MessageStatus::Open)?;
    messages::store::insert(connection, &NewMessage::parse(&unread)?, now - SignedDuration::from_hours(3))?;
    let request = NewAdmissionRequest {
        first_name: "Anaïs",
        last_name: "Núñez-Gagné",
        email: &address("famille.gagne@mail.example")?,
        phone: "(514) 555-0176",
        address: "9 rue de l'Exemple, Montréal, QC H2X 0A0",
        grade: Grade::ALL[1],
        previous_school: Some("École secondaire de l'Exemple"),
    };
    admissions::insert(connection, &request, now - SignedDuration::from_hours(50))?;
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

fn form<T: DeserializeOwned>(fields: serde_json::Value) -> Result<T> {
    serde_json::from_value(fields).map_err(|error| Error::Internal(error.into()))
}

fn address(text: &str) -> Result<Email> {
    Email::parse(text).map_err(|message| Error::Internal(anyhow!("{text}: {message}")))
}

fn password(text: &str) -> Result<Password> {
    Password::parse(text, &[]).map_err(|message| Error::Internal(anyhow!(message)))
}
