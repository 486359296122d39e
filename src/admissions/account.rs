//! The student's account of an accepted application. The family's documents become the account's once a mailbox of the
//! application has opened it, or the family has confirmed its address: an address that was mistyped is a stranger's.

use axum::extract::State;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::events::Event;
use super::links::Family;
use super::own::{FamilyAct, OwnApplication, conflict};
use super::status::{AdmissionRequestStatus, AdmissionVerb};
use super::{AdmissionRequest, store};
use crate::accounts::links::end_all;
use crate::accounts::password;
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::hashing;
use crate::base::json::Json;
use crate::documents::of_applications;
use crate::storage::statements::{Statements, from_row, params};
use crate::students::links::LinkPurpose;
use crate::students::{self, Student};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::Numbered;
use crate::web::portal::Portal;
use crate::web::session;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![answer_about_account]
}

/// How long after the acceptance a family can say that an account is not its own.
const DISOWNED_WITHIN: SignedDuration = SignedDuration::from_hours(14 * 24);

/// The student's account, as the family of an accepted application reads it. It is the same whether the account was
/// made, was there, or is still to be linked by the office.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationAccount {
    /// The address that the family gave for it.
    pub email: String,
    /// Whether a mailbox of the application has this address, or the family confirmed it.
    pub is_confirmed: bool,
    /// Whether the family said that it is not theirs.
    pub is_disowned: bool,
}

from_row!(ApplicationAccount { email, is_confirmed, is_disowned });

impl ApplicationAccount {
    /// Reads it; `None` before an acceptance.
    pub fn read(connection: &Connection, request: &AdmissionRequest) -> Result<Option<Self>> {
        if request.status != AdmissionRequestStatus::Accepted {
            return Ok(None);
        }
        let sql = "select q.account_email as email, q.disowned_email is q.account_email as is_disowned,
                q.account_confirmed_at is not null or exists (select 1 from admission_openings o
                    where o.request_id = q.id and o.email = q.account_email) as is_confirmed
            from admission_requests q where q.id = :id and q.account_email is not null";
        connection.find(sql, params![id = request.id])
    }
}

/// Keeps the address that the family gave for the account.
pub fn keep_address(connection: &Connection, id: i64, email: &str) -> Result<()> {
    let sql = "update admission_requests set account_email = :email where id = :id";
    connection.run(sql, params![id, email])
}

/// SQL: an application `q` whose student `s` may have its documents. The account is open, and is that of a mailbox that
/// opened a link of the application or of an address that the family confirmed.
const MAY_HAVE: &str = "s.status in ('active', 'suspended') and (q.account_confirmed_at is not null
        and s.email = q.account_email
    or exists (select 1 from admission_openings o where o.request_id = q.id and o.email = s.email))";

/// Hands over the documents of the applications that were noted: an account or a link was opened. Runs before each
/// commit.
///
/// # Errors
/// Database errors.
pub fn settle(connection: &Connection) -> Result<()> {
    let sql = "select request_id, at from document_handovers";
    let noted: Vec<(i64, i64)> = connection.list(sql, params![])?;
    for (id, at) in noted {
        connection.run("delete from document_handovers where request_id = :id", params![id])?;
        let at = Timestamp::from_second(at).map_err(anyhow::Error::from)?;
        hand_over(connection, id, at)?;
    }
    Ok(())
}

/// Hands the documents of an application over, if its student may have them.
pub fn hand_over(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    let sql = format!(
        "select q.student_id from admission_requests q join students s on s.id = q.student_id
         where q.id = :id and {MAY_HAVE}"
    );
    match connection.find(&sql, params![id])? {
        Some(student_id) => of_applications::hand_over(connection, id, student_id, now).map(drop),
        None => Ok(()),
    }
}

form! {
    /// `POST /api/applications/me/account`'s body.
    pub struct AccountAnswer {
        /// Whether the address of the account is the student's.
        is_ours: bool,
    }
}

/// Say whether the address of the student's account is right. If it is not, the account is locked until the office has
/// given it another
#[utoipa::path(post, path = "/api/applications/me/account", tag = "applications",
    responses((status = 409, body = ErrorBody, description = "There is no account, or it was confirmed; `current` is \
            the application")))]
async fn answer_about_account(
    family: Family,
    State(app): State<App>,
    Json(form): Json<AccountAnswer>,
) -> Result<Json<OwnApplication>> {
    let Field::Value(is_ours) = form.is_ours else {
        return Err(Error::field("isOurs", "Please say whether the address is the student’s"));
    };
    let act = FamilyAct::new(&app, &family)?;
    act.carry_out(&app, move |act, connection| act.answer_about_account(connection, is_ours)).await
}

impl FamilyAct {
    fn answer_about_account(&self, connection: &Connection, is_ours: bool) -> Result<()> {
        let request = store::get(connection, self.id)?;
        let refuse = |words: &str| Err(conflict(connection, self, words));
        let Some(account) = ApplicationAccount::read(connection, &request)? else {
            return refuse("There is no student account yet.");
        };
        match (account.is_disowned, account.is_confirmed, is_ours) {
            (true, _, false) | (false, true, true) => Ok(()),
            (true, _, true) => refuse("The account is locked. Please contact the office."),
            (_, true, false) => {
                refuse("This address is one of the application’s. Please contact the office.")
            }
            (_, _, true) => {
                let sql = "update admission_requests set account_confirmed_at = :now where id = :id";
                connection.run(sql, params![id = self.id, now = self.now.as_second()])
            }
            (_, _, false) if self.now.duration_since(request.state_since) > DISOWNED_WITHIN => {
                refuse("The account is more than two weeks old. Please contact the office.")
            }
            (_, _, false) => self.disown(connection, &request, &account.email),
        }
    }

    /// Locks the account, which the office gives another address.
    fn disown(&self, connection: &Connection, request: &AdmissionRequest, email: &str) -> Result<()> {
        let (id, now) = (self.id, self.now);
        let sql = "update admission_requests set disowned_email = :email where id = :id";
        connection.run(sql, params![id, email])?;
        let event = Event::family(AdmissionVerb::Disown, request.status, request.status);
        Event { reason: Some(email), ..event }.record(connection, id, now)?;
        let Some(student_id) = request.student_id else { return Ok(()) };
        let student = students::store::find(connection, student_id)?.ok_or_else(Student::not_found)?;
        if !student.email.eq_ignore_ascii_case(email) {
            return Ok(());
        }
        students::store::mark_unverified(connection, student_id, now)?;
        password::replace::<Student>(connection, student_id, hashing::NO_PASSWORD, now)?;
        end_all::<LinkPurpose>(connection, student_id)?;
        session::end_all(connection, Portal::Student, student_id).map(drop)
    }
}
