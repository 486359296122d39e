//! The office's list of emails with their status, and resending failed ones.
//!
//! The table is [`mail`](crate::mail)'s, and so is the SQL. An email's text
//! never leaves the server: the links in it are secrets.

use axum::extract::State;
use axum::response::Response;
use jiff::Timestamp;
use rusqlite::{Connection, ToSql};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::audit::{self, Actor};
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::json::Json;
use crate::mail::records::{self, COLUMNS, EmailStatus, MailRecord, UNSETTLED};
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::{Id, Numbered, numbered};
use crate::web::pagination::{List, ListQuery, Listed, PageRequest, SheetQuery, SheetRequest};

/// The office's endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_mail, retry_mail, retry_dead_mail, settle_mail]
}

numbered!(MailRecord, "Email");

/// `POST /api/admin/mail/retry`'s answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Retried {
    /// Number of renewed emails.
    count: usize,
}

/// Emails with their status, newest first; search by address and subject
#[utoipa::path(get, path = "/api/admin/mail", tag = "mail",
    params(ListQuery, ("status" = Option<EmailStatus>, Query, description = "Only emails in this state"),
        SheetQuery),
    responses((status = 200, content((Vec<MailRecord> = "application/json"), (String = "text/csv")),
            headers(("X-Total-Count" = i64, description = "Rows that match, on every page"))),
        (status = 403, body = ErrorBody, description = "The role takes no sheets")))]
async fn list_mail(
    staff: Staff<may::Mail>,
    State(app): State<App>,
    SheetRequest(page): SheetRequest,
) -> Result<Response> {
    let status = page.status()?;
    let page = staff.may_take(page)?;
    let asked = page.clone();
    let listed = asked.ask(&app.db, move |page, connection| list(connection, page, status)).await?;
    audit::respond(&app, staff.actor(), &page, listed).await
}

/// Send a failed or waiting email now; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/mail/{id}/retry", tag = "mail",
    responses((status = 409, body = ErrorBody)))]
async fn retry_mail(
    staff: Staff<may::Mail>,
    State(app): State<App>,
    Id(id, ..): Id<MailRecord>,
) -> Result<Json<MailRecord>> {
    let actor = staff.actor();
    let now = app.clock.now();
    app.carry_out_and_notify(move |connection| {
        let email = records::find(connection, id)?.ok_or_else(MailRecord::not_found)?;
        if can_retry(&email, now)? {
            retry(connection, &email, &actor, now)?;
        }
        records::find(connection, id)?.ok_or_else(MailRecord::not_found)
    })
    .await
}

/// Send all failed emails now, for example after fixing the mail server
#[utoipa::path(post, path = "/api/admin/mail/retry", tag = "mail")]
async fn retry_dead_mail(staff: Staff<may::Mail>, State(app): State<App>) -> Result<Json<Retried>> {
    let actor = staff.actor();
    let now = app.clock.now();
    app.write_and_notify(move |connection| {
        let dead = records::list_dead(connection)?;
        for email in &dead {
            retry(connection, email, &actor, now)?;
        }
        Ok(Json(Retried { count: dead.len() }))
    })
    .await
}

/// Settle an email that could not be delivered, without sending it: its reader was told in another way, or no
/// longer uses the address; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/mail/{id}/settle", tag = "mail",
    responses((status = 409, body = ErrorBody, description = "It has been sent, or still waits to be")))]
async fn settle_mail(
    staff: Staff<may::Mail>,
    State(app): State<App>,
    Id(id, ..): Id<MailRecord>,
) -> Result<Json<MailRecord>> {
    let actor = staff.actor();
    let now = app.clock.now();
    app.carry_out(move |connection| {
        let email = records::find(connection, id)?.ok_or_else(MailRecord::not_found)?;
        if email.status != EmailStatus::Dead {
            let message = "Only an email that could not be delivered can be settled.";
            return Err(Error::conflict(message, &email));
        }
        if email.settled_at.is_none() {
            records::settle(connection, id, now)?;
            let detail = serde_json::json!({ "attempts": email.attempts });
            audit::record(connection, &actor, "settle", "mail", id, detail, now)?;
        }
        records::find(connection, id)?.ok_or_else(MailRecord::not_found)
    })
    .await
}

/// The emails of a page, newest first: all of them, or those in one state.
pub fn list(
    connection: &Connection,
    page: &PageRequest,
    status: Option<EmailStatus>,
) -> Result<Listed<MailRecord>> {
    match status {
        None => page.read(connection, &all()),
        // What the office has settled stays in the list of all.
        Some(EmailStatus::Dead) => page.read(connection, &unsettled()),
        Some(status) => page.read(connection, &in_state(&[(":status", &status)])),
    }
}

const FOUND: &str = "matches_terms(concat_ws(' ', recipient, subject), :words)";
const ORDER: &str = "order by created_at desc, id desc limit :limit offset :offset";

fn all() -> List<'static> {
    List {
        rows: format!("select {COLUMNS} from outbox where {FOUND} {ORDER}"),
        count: "select count(*) from outbox".into(),
        filter: &[],
    }
}

fn in_state<'a>(filter: &'a [(&'a str, &'a dyn ToSql)]) -> List<'a> {
    List {
        rows: format!("select {COLUMNS} from outbox where state = :status and {FOUND} {ORDER}"),
        count: "select count(*) from outbox where state = :status".into(),
        filter,
    }
}

fn unsettled() -> List<'static> {
    List {
        rows: format!(
            "select {COLUMNS} from outbox indexed by outbox_unsettled where {UNSETTLED} and {FOUND} {ORDER}"
        ),
        count: format!("select count(*) from outbox indexed by outbox_unsettled where {UNSETTLED}"),
        filter: &[],
    }
}

/// Whether a retry has an effect; an email that is due already is being sent.
///
/// # Errors
/// [`Error::Conflict`] once the email was sent.
fn can_retry(email: &MailRecord, now: Timestamp) -> Result<bool> {
    match email.status {
        EmailStatus::Sent => Err(Error::conflict("This email has already been sent.", email)),
        EmailStatus::Queued => Ok(email.next_attempt_at.is_some_and(|at| at > now)),
        EmailStatus::Dead => Ok(true),
    }
}

fn retry(connection: &Connection, email: &MailRecord, actor: &Actor, now: Timestamp) -> Result<()> {
    records::renew(connection, email.id, now)?;
    let detail = serde_json::json!({ "from": email.status, "attempts": email.attempts });
    audit::record(connection, actor, "retry", "mail", email.id, detail, now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::clock::from_seconds;
    use crate::web::pagination::testing::assert_comes_from_index;

    #[test]
    fn an_email_can_be_retried_unless_it_was_sent_or_is_being_sent() {
        let now = from_seconds(1000);
        let email = |status: EmailStatus, next: Option<i64>| MailRecord {
            id: 1,
            recipient: "mei@example.org".into(),
            subject: "Hello".into(),
            status,
            attempts: 3,
            next_attempt_at: next.map(from_seconds),
            last_error: None,
            created_at: from_seconds(0),
            sent_at: None,
            is_in_file: false,
            settled_at: None,
        };
        assert!(can_retry(&email(EmailStatus::Dead, None), now).unwrap());
        assert!(can_retry(&email(EmailStatus::Queued, Some(1001)), now).unwrap());
        assert!(!can_retry(&email(EmailStatus::Queued, Some(1000)), now).unwrap());
        let refused = can_retry(&email(EmailStatus::Sent, None), now).unwrap_err().to_string();
        assert_eq!(refused, "This email has already been sent.");
    }

    #[test]
    fn the_first_page_of_emails_comes_from_an_index() {
        let folder = tempfile::tempdir().unwrap();
        let connection = crate::storage::db::open(&folder.path().join("school.db")).unwrap();
        assert_comes_from_index(&connection, &all(), "outbox_created");
        assert_comes_from_index(&connection, &in_state(&[]), "outbox_state");
    }
}
