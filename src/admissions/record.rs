//! One application as the office works on it: everything about it, who works on it, notes, corrections, its student.

use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::admitted::{self, Admission};
use super::deposits::{self, Deposit};
use super::desk::{AdmissionDesk, conflict};
use super::duplicates::{self, Duplicate};
use super::events::{self, AdmissionEvent, Event};
use super::links::{Family, FamilyMail};
use super::mailboxes::{self, Mailbox};
use super::offers::{self, AdmissionOffer};
use super::own::OwnApplication;
use super::rules::{ApplicationForm, NewApplication};
use super::status::{AdmissionVerb, FamilyLanguage};
use super::{AdmissionRequest, AdmissionsReading, ApplicationDetails, ListedAdmissionRequest, emails, store};
use crate::accounts::mailed;
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::courses::values::Grade;
use crate::documents::of_applications::{self, AdmissionDocument};
use crate::mail::{Cause, outbox};
use crate::money::ledger::FeePart;
use crate::staff::{Assignable, Colleague, Recent, Staff, may};
use crate::storage::statements::{Statements, from_row, params};
use crate::students::guardians::Relationship;
use crate::students::profile::choices::Gender;
use crate::students::{self, Student};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::{Id, Numbered};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![
        get_admission_request,
        view_as_family,
        correct_admission_request,
        assign_application,
        list_application_assignees,
        add_admission_note,
        link_application,
        stop_mailbox,
        resume_mailbox,
    ]
}

/// An application with everything that the office knows of it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdmissionRecord {
    /// The application as in the list.
    #[serde(flatten)]
    pub listed: ListedAdmissionRequest,
    /// What else the family wrote.
    #[serde(flatten)]
    pub details: ApplicationDetails,
    /// What happened to it, oldest first.
    pub events: Vec<AdmissionEvent>,
    /// What the office wrote down for itself, oldest first.
    pub notes: Vec<AdmissionNote>,
    /// What the family has sent, newest first.
    pub documents: Vec<AdmissionDocument>,
    /// Students and applications that may be about the same person.
    pub duplicates: Vec<Duplicate>,
    /// The standing offer, or the last one.
    #[schema(required)]
    pub offer: Option<AdmissionOffer>,
    /// The admission that followed from accepting it.
    #[schema(required)]
    pub admission: Option<Admission>,
    /// The fee in the parts in which it is due: as the offer promises it, then as it is charged.
    pub fee_parts: Vec<FeePart>,
    /// The deposit of the admission, with what of it was received; null without one, or once nothing of it is left to pay.
    #[schema(required)]
    pub deposit: Option<Deposit>,
    /// The addresses it names or named, and what they may do.
    pub mailboxes: Vec<Mailbox>,
}

/// What the office wrote down about an application.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdmissionNote {
    /// Number of the note.
    pub id: i64,
    /// The text.
    pub body: String,
    /// Who wrote it, by username.
    pub by: String,
    /// When.
    pub created_at: Timestamp,
}

from_row!(AdmissionNote { id, body, by = "username", created_at });

const NOTES: &str = "select n.id, n.body, u.username, n.created_at
    from admission_notes n join users u on u.id = n.user_id";

impl AdmissionRecord {
    /// Reads one.
    ///
    /// # Errors
    /// 404 when there is no such application.
    pub fn read(connection: &Connection, id: i64, reading: &AdmissionsReading) -> Result<Self> {
        let request = store::get(connection, id)?;
        let duplicates = duplicates::find(connection, &request)?;
        let notes =
            connection.list(&format!("{NOTES} where n.request_id = :id order by n.id"), params![id])?;
        let offer = offers::latest(connection, id)?;
        Ok(Self {
            details: store::details(connection, id)?,
            events: events::list(connection, id)?,
            notes,
            documents: of_applications::list(connection, id)?,
            fee_parts: offers::parts_of(connection, id, offer.as_ref())?,
            deposit: deposits::of_request(connection, id)?,
            offer,
            admission: admitted::of_request(connection, id)?,
            mailboxes: mailboxes::list(connection, &request)?,
            listed: store::as_listed(connection, request, reading)?,
            duplicates,
        })
    }
}

/// One application with everything that the office knows of it
#[utoipa::path(get, path = "/api/admin/admission-requests/{id}", tag = "admissions")]
async fn get_admission_request(
    _: Staff<may::Admissions>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
) -> Result<Json<AdmissionRecord>> {
    let reading = AdmissionsReading::new(&app);
    app.db
        .query(move |connection| {
            // One read transaction: the record is of one moment.
            let transaction = connection.unchecked_transaction()?;
            AdmissionRecord::read(&transaction, id, &reading)
        })
        .await
        .map(Json)
}

/// One application as its family reads it, without its notes, duplicates and names of staff
#[utoipa::path(get, path = "/api/admin/admission-requests/{id}/family", tag = "admissions")]
async fn view_as_family(
    _: Staff<may::Admissions>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
) -> Result<Json<OwnApplication>> {
    app.db
        .query(move |connection| {
            let email = store::get(connection, id)?.application.email;
            OwnApplication::read(connection, id, &email)
        })
        .await
        .map(Json)
}

form! {
    /// The body of an assignment.
    pub struct AssignmentForm {
        /// Number of the colleague; null to unassign.
        user_id: Option<i64>,
    }
}

/// Say who works on an application
#[utoipa::path(post, path = "/api/admin/admission-requests/{id}/assign", tag = "admissions")]
async fn assign_application(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
    Json(form): Json<AssignmentForm>,
) -> Result<Json<AdmissionRecord>> {
    let user_id = match form.user_id {
        Field::Null => None,
        Field::Value(user_id) => Some(user_id),
        Field::Absent | Field::Wrong => {
            return Err(Error::field("userId", "Choose a colleague who decides about applications, or none"));
        }
    };
    let desk = AdmissionDesk::new(&app, &staff);
    app.carry_out(move |connection| {
        assign(connection, &desk, id, user_id)?;
        AdmissionRecord::read(connection, id, &desk.reading())
    })
    .await
}

/// Says who works on an application.
pub fn assign(connection: &Connection, desk: &AdmissionDesk, id: i64, user_id: Option<i64>) -> Result<()> {
    let before = store::get(connection, id)?;
    if before.assignee_id == user_id {
        return Ok(());
    }
    Colleague::check(connection, user_id, Assignable::Applications, &desk.config.office, "userId")?;
    store::assign(connection, id, user_id)?;
    desk.audit(connection, "assign", id, json!({ "from": before.assignee_id, "to": user_id }))
}

/// Colleagues who can be assigned, by username
#[utoipa::path(get, path = "/api/admin/admission-requests/assignees", tag = "admissions")]
async fn list_application_assignees(
    _: Staff<may::Enrollments>,
    State(app): State<App>,
) -> Result<Json<Vec<Colleague>>> {
    let office = app.config.office.clone();
    app.db
        .query(move |connection| Colleague::list(connection, Assignable::Applications, &office))
        .await
        .map(Json)
}

form! {
    /// The body of a note about an application.
    pub struct AdmissionNoteForm {
        /// 1 to 4,000 characters.
        body: String,
    }
}

/// Write something down about an application, for the office alone
#[utoipa::path(post, path = "/api/admin/admission-requests/{id}/notes", tag = "admissions")]
async fn add_admission_note(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
    Json(form): Json<AdmissionNoteForm>,
) -> Result<(StatusCode, Json<AdmissionNote>)> {
    let body = form.body.between(1, 4000, "Please write the note");
    let body = body.map_err(|message| FieldErrors::one("body", message))?;
    let desk = AdmissionDesk::new(&app, &staff);
    app.db
        .write(move |connection| add_note(connection, &desk, id, &body))
        .await
        .map(|note| (StatusCode::CREATED, Json(note)))
}

/// Adds a note to an application.
pub fn add_note(connection: &Connection, desk: &AdmissionDesk, id: i64, body: &str) -> Result<AdmissionNote> {
    store::get(connection, id)?;
    let sql = "insert into admission_notes (request_id, user_id, body, created_at)
        values (:id, :user_id, :body, :now)";
    let values = params![id, user_id = desk.user_id, body, now = desk.now.as_second()];
    let note = connection.insert(sql, values)?;
    desk.audit(connection, "note", id, json!({}))?;
    connection.one(&format!("{NOTES} where n.id = :note"), params![note])
}

form! {
    /// The body of linking an application to a student.
    pub struct LinkForm {
        /// Number of the student.
        student_id: i64,
    }
}

/// Link an application to a student who has an account already, whose documents those of the family become
#[utoipa::path(post, path = "/api/admin/admission-requests/{id}/link", tag = "admissions")]
async fn link_application(
    staff: Staff<may::Enrollments, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
    Json(form): Json<LinkForm>,
) -> Result<Json<AdmissionRecord>> {
    let Field::Value(student_id) = form.student_id else {
        return Err(Error::field("studentId", "Please choose a student"));
    };
    let desk = AdmissionDesk::new(&app, &staff);
    app.carry_out(move |connection| {
        let before = store::get(connection, id)?;
        let student = students::store::find(connection, student_id)?.ok_or_else(Student::not_found)?;
        if before.student_id != Some(student_id) {
            store::link_student(connection, id, student_id)?;
            mailboxes::settle_stops(connection, student_id, (&desk).into())?;
            let name = student.profile.full_name.as_deref().unwrap_or(&student.email);
            let event = Event::staff(desk.user_id, AdmissionVerb::Link, before.status, before.status);
            Event { reason: Some(name), ..event }.record(connection, id, desk.now)?;
            let detail = json!({ "from": before.student_id, "to": student_id });
            desk.audit(connection, "link", id, detail)?;
        }
        of_applications::hand_over(connection, id, student_id, desk.now)?;
        AdmissionRecord::read(connection, id, &desk.reading())
    })
    .await
}

form! {
    /// The body of a stop.
    pub struct MailboxStop {
        /// One of the application's addresses.
        email: String,
        /// Why, for the office alone: 1 to 1,000 characters.
        reason: String,
    }
}

impl MailboxStop {
    fn parse(&self) -> Result<(Email, String), FieldErrors> {
        let mut errors = FieldErrors::default();
        let email = errors.take("email", Email::parse(self.email.text()));
        let reason =
            errors.take("reason", self.reason.between(1, 1000, "Please say why; only the office reads it"));
        errors.finish(email.zip(reason))
    }
}

/// Disclose an application, and everything about its student, to one of its addresses no longer: its links and sessions
/// end, and no letter goes to it. Repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/admission-requests/{id}/stop", tag = "admissions")]
async fn stop_mailbox(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
    Json(form): Json<MailboxStop>,
) -> Result<Json<AdmissionRecord>> {
    let (email, reason) = form.parse()?;
    let desk = AdmissionDesk::new(&app, &staff);
    app.carry_out(move |connection| {
        mailboxes::stop(connection, &desk, id, &email, &reason)?;
        AdmissionRecord::read(connection, id, &desk.reading())
    })
    .await
}

form! {
    /// The body of the end of a stop.
    pub struct MailboxResume {
        /// The stopped address.
        email: String,
    }
}

/// Disclose an application to a stopped address again; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/admission-requests/{id}/resume", tag = "admissions")]
async fn resume_mailbox(
    staff: Staff<may::Enrollments, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
    Json(form): Json<MailboxResume>,
) -> Result<Json<AdmissionRecord>> {
    let email = Email::parse(form.email.text()).map_err(|message| Error::field("email", message))?;
    let desk = AdmissionDesk::new(&app, &staff);
    app.carry_out(move |connection| {
        mailboxes::resume(connection, &desk, id, &email)?;
        AdmissionRecord::read(connection, id, &desk.reading())
    })
    .await
}

form! {
    /// The body of a correction; what is absent stays.
    pub struct CorrectionForm {
        /// The version that the office saw.
        version: i64,
        first_name: Option<String>,
        last_name: Option<String>,
        email: Option<String>,
        phone: Option<String>,
        address: Option<String>,
        grade: Option<Grade>,
        date_of_birth: Option<Date>,
        guardian_name: Option<String>,
        guardian_email: Option<String>,
        country: Option<String>,
        city: Option<String>,
        province: Option<String>,
        postal_code: Option<String>,
        gender: Option<Gender>,
        guardian_phone: Option<String>,
        relationship: Option<Relationship>,
        previous_school: Option<String>,
        start_term: Option<String>,
        wanted_courses: Option<Vec<String>>,
        language: Option<FamilyLanguage>,
    }
}

/// Lays the fields that were sent over those of a form.
macro_rules! lay_over {
    ($form:ident, $sent:ident: $($field:ident),+) => {
        $(if $sent.$field.is_sent() {
            $form.$field = $sent.$field;
        })+
    };
}

impl CorrectionForm {
    /// The application with the correction.
    fn over(self, stored: &AdmissionRecord) -> Result<ApplicationForm> {
        let stored = serde_json::to_value(stored).map_err(anyhow::Error::from)?;
        let mut form: ApplicationForm = serde_json::from_value(stored).map_err(anyhow::Error::from)?;
        lay_over!(form, self: first_name, last_name, email, phone, address, grade, date_of_birth, guardian_name,
            guardian_email, country, city, province, postal_code, gender, guardian_phone, relationship,
            previous_school, start_term, wanted_courses, language);
        Ok(form)
    }
}

/// Correct what a family typed; another mailbox needs a recent proof, gets a link, and the old one is told
#[utoipa::path(patch, path = "/api/admin/admission-requests/{id}", tag = "admissions",
    responses((status = 409, body = ErrorBody, description = "Another version; `current` is the application")))]
async fn correct_admission_request(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
    Json(form): Json<CorrectionForm>,
) -> Result<Json<AdmissionRecord>> {
    let Field::Value(version) = form.version else {
        return Err(Error::field("version", "Must be the version that was read"));
    };
    let desk = AdmissionDesk::new(&app, &staff);
    app.carry_out_and_notify(move |connection| {
        let stored = AdmissionRecord::read(connection, id, &desk.reading())?;
        let before = stored.listed.request.clone();
        if before.version != version {
            let words = "This application was changed meanwhile. Your changes were not saved.";
            return Err(conflict(words, &before));
        }
        let form = form.over(&stored)?;
        let new = match stored.mailboxes.iter().any(|mailbox| mailbox.stopped_at.is_some()) {
            // The address that the form would need may be the one that the office has stopped.
            true => NewApplication::parse_without_guardian(&form, desk.today)?,
            false => NewApplication::parse(&form, desk.today)?,
        };
        let moves = MailboxChange::between(&before, &new);
        if !moves.is_empty() {
            staff.require_recent(desk.now)?;
        }
        store::rewrite(connection, id, &new)?;
        let after = AdmissionRecord::read(connection, id, &desk.reading())?;
        let changed = changed(&stored, &after)?;
        if changed.is_empty() {
            return Ok(stored);
        }
        let reason = changed.join(", ");
        let event = Event::staff(desk.user_id, AdmissionVerb::Edit, before.status, before.status);
        Event { reason: Some(&reason), ..event }.record(connection, id, desk.now)?;
        desk.audit(connection, "edit", id, json!({ "changed": changed }))?;
        for change in moves {
            change.carry_out(connection, &desk, &after.listed.request)?;
        }
        // Links in a mailbox that is not the family's any more are dead.
        let kept: [Option<&Email>; 2] = [Some(&new.email), new.guardian_email.as_ref()];
        mailed::end_of_others(connection, id, kept, None::<&Family>)?;
        AdmissionRecord::read(connection, id, &desk.reading())
    })
    .await
}

/// A mailbox that an application has no longer, and the one in its place.
struct MailboxChange {
    field: &'static str,
    old: Option<Email>,
    new: Option<Email>,
}

impl MailboxChange {
    fn between(before: &AdmissionRequest, new: &NewApplication) -> Vec<Self> {
        let stored = |text: &str| Email::parse(text).ok();
        let own = Self { field: "email", old: stored(&before.email), new: Some(new.email.clone()) };
        let old = before.guardian_email.as_deref().and_then(stored);
        let guardian = Self { field: "guardianEmail", old, new: new.guardian_email.clone() };
        [own, guardian].into_iter().filter(|change| change.old != change.new).collect()
    }

    /// Sends the new mailbox its link, and tells the old one if it has opened one.
    ///
    /// # Errors
    /// 400 for an address to which the office stopped disclosing.
    fn carry_out(
        &self,
        connection: &Connection,
        desk: &AdmissionDesk,
        after: &AdmissionRequest,
    ) -> Result<()> {
        let id = after.id;
        let config = &*desk.config;
        let now = desk.now;
        let cause = Cause::Office;
        let named = mailboxes::written_to(connection, after)?;
        if let Some(new) = &self.new {
            if mailboxes::is_stopped(connection, id, new.as_str())? {
                return Err(Error::field(
                    self.field,
                    "Disclosing to this address was stopped. Resume it first.",
                ));
            }
            let mail = FamilyMail { connection, config, cause, hold: None, now };
            mail.send_to(after, new, |to, url| emails::address_changed(to, after, url, config))?;
        }
        let Some(old) = self.old.as_ref().filter(|old| !named.contains(old)) else { return Ok(()) };
        if mailboxes::has_opened(connection, id, old.as_str())? {
            let message = emails::address_taken_off(old, &after.reference, None, config);
            outbox::enqueue(connection, &message, cause, config, now)?;
            mailboxes::forget_opening(connection, id, old.as_str())?;
        }
        Ok(())
    }
}

/// The names of the fields that differ, but for the version.
fn changed(before: &AdmissionRecord, after: &AdmissionRecord) -> Result<Vec<String>> {
    let fields = |record: &AdmissionRecord| serde_json::to_value(record).map_err(anyhow::Error::from);
    let before = fields(before)?;
    let after = fields(after)?;
    let is_typed =
        |name: &&String| !matches!(name.as_str(), "version" | "duplicates" | "isDuplicate" | "mailboxes");
    let names = after.as_object().into_iter().flat_map(|fields| fields.keys());
    Ok(names.filter(is_typed).filter(|name| before[name.as_str()] != after[name.as_str()]).cloned().collect())
}
