//! The family says whether the address of the student's account is right; an account that it does not know is locked.

use axum::extract::State;
use jiff::SignedDuration;
use rusqlite::Connection;
use utoipa_axum::router::OpenApiRouter;

use super::account::ApplicationAccount;
use super::events::Event;
use super::links::Family;
use super::own::{FamilyAct, OwnApplication, conflict};
use super::status::AdmissionVerb;
use super::{AdmissionRequest, store};
use crate::accounts::links::end_all;
use crate::accounts::password;
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::hashing;
use crate::base::json::Json;
use crate::storage::statements::{Statements, params};
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
        let id = self.id;
        let now = self.now;
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
