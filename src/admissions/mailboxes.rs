//! The mailboxes of an application. It acts only through those that opened a link which was mailed to them, and never
//! through one to which the office stopped disclosing.
//!
//! The tables `admission_openings` and `admission_stops`. A stop is about the child: [`settle_stops`] carries it between
//! an account, its guardians and all its applications, whichever of them it was set on.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::desk::AdmissionDesk;
use super::events::Event;
use super::status::{AdmissionActor, AdmissionVerb};
use super::{AdmissionRequest, store};
use crate::accounts::mailed::{self, MailedLinkPurpose};
use crate::audit::By;
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::config::Config;
use crate::mail::outbox;
use crate::storage::statements::{Statements, from_row, params};
use crate::students::guardians::{GuardianContext, GuardianStop, store as guardians};
use crate::students::{self, Student};
use crate::web::id::Numbered;

/// An address that an application names or named, and what it may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Mailbox {
    /// The address.
    pub email: String,
    /// When it first opened a link of the application; null before that.
    #[schema(required)]
    pub opened_at: Option<Timestamp>,
    /// When the office stopped disclosing to it; null where letters go to it.
    #[schema(required)]
    pub stopped_at: Option<Timestamp>,
    /// Why, for the office.
    #[schema(required)]
    pub stopped_reason: Option<String>,
}

from_row!(Mailbox { email, opened_at, stopped_at, stopped_reason });

/// The mailboxes of an application, with those that the office stopped.
pub fn list(connection: &Connection, request: &AdmissionRequest) -> Result<Vec<Mailbox>> {
    let sql = "with named (email, place) as (
            select :own, 0 union all select :guardian, 1 where :guardian is not null and :guardian <> :own
            union all select email, 2 from admission_stops where request_id = :id
                and email <> :own collate nocase and (:guardian is null or email <> :guardian collate nocase))
        select n.email, o.opened_at, s.stopped_at, s.reason as stopped_reason
        from named n
            left join admission_openings o on o.request_id = :id and o.email = n.email
            left join admission_stops s on s.request_id = :id and s.email = n.email
        order by n.place, n.email";
    connection.list(sql, params![id = request.id, own = request.email, guardian = request.guardian_email])
}

/// The mailboxes that letters about an application go to: the applicant's, and the guardian's if it is another. An address
/// of long ago that no email can reach is none.
pub fn written_to(connection: &Connection, request: &AdmissionRequest) -> Result<Vec<Email>> {
    let open = list(connection, request)?.into_iter().filter(|mailbox| mailbox.stopped_at.is_none());
    Ok(open.filter_map(|mailbox| Email::parse(&mailbox.email).ok()).collect())
}

/// Whether the office stopped disclosing an application to an address.
pub fn is_stopped(connection: &Connection, request_id: i64, email: &str) -> Result<bool> {
    let sql =
        "select exists (select 1 from admission_stops where request_id = :request_id and email = :email)";
    connection.one(sql, params![request_id, email])
}

/// Whether an address has opened a link of an application.
pub fn has_opened(connection: &Connection, request_id: i64, email: &str) -> Result<bool> {
    let sql =
        "select exists (select 1 from admission_openings where request_id = :request_id and email = :email)";
    connection.one(sql, params![request_id, email])
}

/// The addresses through which a student is reached before the account is opened: those of the student's applications that
/// have opened a link, and are stopped nowhere for this student.
pub fn opened_of_student(connection: &Connection, student_id: i64) -> Result<Vec<Email>> {
    let sql = "select distinct o.email
        from admission_requests q cross join admission_openings o on o.request_id = q.id
        where q.student_id = :student_id
            and (o.email = q.email collate nocase or o.email = q.guardian_email collate nocase)
            and o.email not in (
                select s.email from admission_requests r cross join admission_stops s on s.request_id = r.id
                where r.student_id = :student_id
                union all select u.email from guardians u indexed by guardians_student
                where u.student_id = :student_id and u.email is not null and u.stopped_at is not null)
        order by o.email";
    let opened: Vec<String> = connection.list(sql, params![student_id])?;
    Ok(opened.iter().filter_map(|email| Email::parse(email).ok()).collect())
}

/// Records that an address opened a link of an application.
pub fn note_opened(connection: &Connection, request_id: i64, email: &str, now: Timestamp) -> Result<()> {
    let sql =
        "insert into admission_openings (request_id, email, opened_at) values (:request_id, :email, :now)
        on conflict do nothing";
    connection.run(sql, params![request_id, email, now = now.as_second()])
}

/// Forgets that an address, which the application does not have any more, opened a link of it.
pub fn forget_opening(connection: &Connection, request_id: i64, email: &str) -> Result<()> {
    let sql = "delete from admission_openings where request_id = :request_id and email = :email";
    connection.run(sql, params![request_id, email])
}

/// Who stops or resumes, and when.
#[derive(Clone, Copy)]
pub struct StopContext<'a> {
    /// Who does it; the program where an application is linked by its acceptance.
    pub by: By,
    /// Configuration.
    pub config: &'a Config,
    /// Current time.
    pub now: Timestamp,
}

impl<'a> From<&'a AdmissionDesk> for StopContext<'a> {
    fn from(desk: &'a AdmissionDesk) -> Self {
        Self { by: By::Staff(desk.user_id), config: &desk.config, now: desk.now }
    }
}

impl<'a> StopContext<'a> {
    fn guardians(&self, connection: &'a Connection, student: &'a Student) -> GuardianContext<'a> {
        GuardianContext { connection, student, by: self.by, config: self.config, now: self.now }
    }

    /// Adds the event. It names the address alone: a family can ask for its events.
    fn note(
        &self,
        connection: &Connection,
        request: &AdmissionRequest,
        verb: AdmissionVerb,
        email: &str,
    ) -> Result<()> {
        let status = request.status;
        let event = match self.by {
            By::Staff(user_id) => Event::staff(user_id, verb, status, status),
            By::Student | By::Guardian | By::System => {
                Event { actor: AdmissionActor::System, ..Event::family(verb, status, status) }
            }
        };
        Event { reason: Some(email), ..event }.record(connection, request.id, self.now)
    }
}

/// A stop of an address, as it is stored.
struct Stop {
    email: String,
    reason: String,
    stopped_by: Option<i64>,
}

from_row!(Stop { email, reason, stopped_by });

/// Discloses an application to one of its addresses no longer; repeating it changes nothing.
///
/// # Errors
/// 400 for an address that the application does not have.
pub fn stop(
    connection: &Connection,
    desk: &AdmissionDesk,
    id: i64,
    email: &Email,
    reason: &str,
) -> Result<()> {
    let request = store::get(connection, id)?;
    let known = list(connection, &request)?;
    let Some(mailbox) = known.iter().find(|one| one.email.eq_ignore_ascii_case(email.as_str())) else {
        return Err(Error::field("email", "Choose one of the application’s email addresses."));
    };
    if mailbox.stopped_at.is_some() {
        return Ok(());
    }
    let stop =
        Stop { email: mailbox.email.clone(), reason: reason.to_owned(), stopped_by: Some(desk.user_id) };
    take_off(connection, &request, &stop, desk.now)?;
    let context = StopContext::from(desk);
    context.note(connection, &request, AdmissionVerb::Stop, &stop.email)?;
    desk.audit(
        connection,
        "stop disclosing",
        id,
        serde_json::json!({ "email": stop.email, "reason": reason }),
    )?;
    match request.student_id {
        Some(student_id) => settle_stops(connection, student_id, context),
        None => Ok(()),
    }
}

/// Discloses an application to an address again, and everything else about its student; repeating it changes nothing.
///
/// # Errors
/// Database errors.
pub fn resume(connection: &Connection, desk: &AdmissionDesk, id: i64, email: &Email) -> Result<()> {
    let request = store::get(connection, id)?;
    if !is_stopped(connection, id, email.as_str())? {
        return Ok(());
    }
    desk.audit(connection, "resume disclosing", id, serde_json::json!({ "email": email.as_str() }))?;
    let Some(student_id) = request.student_id else {
        return put_back(connection, desk.into(), &request, email.as_str());
    };
    let student = students::store::find(connection, student_id)?.ok_or_else(Student::not_found)?;
    let context = StopContext::from(desk);
    for guardian in guardians::list(connection, student_id)? {
        if guardian.email.as_deref().is_some_and(|known| known.eq_ignore_ascii_case(email.as_str())) {
            context.guardians(connection, &student).set_stopped(guardian.id, None)?;
        }
    }
    resume_for_student(connection, context, student_id, email.as_str())
}

/// Ends the stops of an address in the applications of a student, whose guardian the office discloses to again.
pub fn resume_for_student(
    connection: &Connection,
    context: StopContext<'_>,
    student_id: i64,
    email: &str,
) -> Result<()> {
    let still = guardians::stopped_addresses(connection, student_id)?;
    if still.iter().any(|one| one.email.eq_ignore_ascii_case(email)) {
        return Ok(());
    }
    for request in store::of_student(connection, student_id)? {
        put_back(connection, context, &request, email)?;
    }
    Ok(())
}

/// Carries the stops of a student's guardians and applications over to each other. Called after a stop, after a link,
/// and after a merge.
///
/// # Errors
/// Database errors.
pub fn settle_stops(connection: &Connection, student_id: i64, context: StopContext<'_>) -> Result<()> {
    let student = students::store::find(connection, student_id)?.ok_or_else(Student::not_found)?;
    let requests = store::of_student(connection, student_id)?;
    let sql = "select s.email, s.reason, s.stopped_by from admission_requests r
            cross join admission_stops s on s.request_id = r.id
        where r.student_id = :student_id group by s.email";
    let guardian_context = context.guardians(connection, &student);
    for stop in connection.list::<Stop>(sql, params![student_id])? {
        let name =
            requests.iter().find_map(|request| request.guardian_name.as_deref()).unwrap_or(&stop.email);
        let why = GuardianStop { reason: &stop.reason, user_id: stop.stopped_by };
        guardian_context.stop_address(name, &stop.email, why)?;
    }
    for stopped in guardians::stopped_addresses(connection, student_id)? {
        let stop = Stop { email: stopped.email, reason: stopped.reason, stopped_by: stopped.stopped_by };
        for request in &requests {
            if !is_stopped(connection, request.id, &stop.email)? {
                take_off(connection, request, &stop, context.now)?;
                context.note(connection, request, AdmissionVerb::Stop, &stop.email)?;
            }
        }
    }
    Ok(())
}

/// Takes an address off an application: its links, its sessions, and the letters that wait for it.
fn take_off(connection: &Connection, request: &AdmissionRequest, stop: &Stop, now: Timestamp) -> Result<()> {
    let id = request.id;
    let was_guardian =
        request.guardian_email.as_deref().is_some_and(|one| one.eq_ignore_ascii_case(&stop.email));
    let sql = "insert into admission_stops (request_id, email, stopped_at, reason, stopped_by, was_guardian)
        values (:id, :email, :now, :reason, :stopped_by, :was_guardian)";
    let values = params! {
        id, email = stop.email, now = now.as_second(), reason = stop.reason, stopped_by = stop.stopped_by,
        was_guardian,
    };
    connection.run(sql, values)?;
    if was_guardian {
        let sql = "update admission_requests set guardian_email = null, version = version + 1 where id = :id";
        connection.run(sql, params![id])?;
    }
    forget_opening(connection, id, &stop.email)?;
    mailed::end_of_mailbox(connection, MailedLinkPurpose::Application, id, &stop.email)?;
    outbox::delete_unsent_about(connection, &stop.email, &request.reference)
}

fn put_back(
    connection: &Connection,
    context: StopContext<'_>,
    request: &AdmissionRequest,
    email: &str,
) -> Result<()> {
    let id = request.id;
    let sql = "delete from admission_stops where request_id = :id and email = :email returning was_guardian";
    let Some(was_guardian) = connection.find::<bool>(sql, params![id, email])? else { return Ok(()) };
    if was_guardian {
        let sql = "update admission_requests set guardian_email = :email, version = version + 1
            where id = :id and guardian_email is null";
        connection.run(sql, params![id, email])?;
    }
    context.note(connection, request, AdmissionVerb::Resume, email)
}
