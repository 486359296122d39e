//! Messages: what visitors write to the school through the contact form, and how the office answers.
//!
//! A message is stored first and mailed after, so that a broken mail server loses none. The office marks it read and
//! unread, replies in its thread, enters what the visitor answered, writes notes, assigns it, closes it, or marks it as
//! spam.

pub mod decisions;
mod emails;
mod events;
mod office;
pub mod page;
pub mod query;
pub mod rules;
pub mod status;
pub mod store;
pub mod templates;
pub mod thread;

use axum::extract::State;
use axum::response::Response;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use self::query::{MessagesFilter, MessagesQuery};
use self::rules::{ContactSubject, NewMessage};
use self::status::{Mark, MessageStatus};
use self::thread::MessageThread;
use crate::audit;
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::json::Json;
use crate::mail::{self, Cause, EmailMessage, QueueOutcome};
use crate::staff::{Assignee, CurrentStaff, Duty, Staff, may};
use crate::web::access::{AnyCaller, endpoints};
use crate::web::app::App;
use crate::web::form::form;
use crate::web::id::{Id, Numbered, numbered};
use crate::web::pagination::{ListQuery, SheetQuery, SheetRequest};
use crate::web::rate_limit::ClientAddr;

/// The public endpoint.
pub fn public_routes() -> OpenApiRouter<App> {
    endpoints![send_message]
}

/// The office's endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_messages, get_message, mark_message_read, mark_message_unread]
        .merge(office::routes())
        .merge(templates::routes())
}

form! {
    /// `POST /api/contact`'s body.
    pub struct MessageForm {
        name: String,
        email: String,
        phone: Option<String>,
        subject: ContactSubject,
        message: String,
    }
}

/// `POST /api/contact`'s answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sent {
    message: &'static str,
}

/// A message as the office reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContactMessage {
    /// Number of the message.
    pub id: i64,
    /// Who wrote it.
    pub name: String,
    /// Where the answer goes.
    pub email: String,
    /// Telephone number, if one was left.
    #[schema(required)]
    pub phone: Option<String>,
    /// What it is about.
    pub subject: ContactSubject,
    /// The text, as it was written.
    pub message: String,
    /// Where it stands.
    pub status: MessageStatus,
    /// When it arrived.
    pub created_at: Timestamp,
    /// Reference for people: `M-26-7QK4`.
    pub reference: String,
    /// Id of the staff member who handles it.
    #[schema(required)]
    pub assignee_id: Option<i64>,
    /// Username of that staff member.
    #[schema(required)]
    pub assignee: Option<String>,
    /// Number of the application that was made of it.
    #[schema(required)]
    pub request_id: Option<i64>,
    /// When the office first replied.
    #[schema(required)]
    pub first_reply_at: Option<Timestamp>,
}

numbered!(ContactMessage, "Message");

/// Write to the school
#[utoipa::path(post, path = "/api/contact", tag = "messages")]
async fn send_message(
    _: AnyCaller,
    State(app): State<App>,
    client: ClientAddr,
    Json(form): Json<MessageForm>,
) -> Result<Json<Sent>> {
    send(&app, client, &form).await?;
    let message = "Thank you for your message. A confirmation email has been sent to your inbox.";
    Ok(Json(Sent { message }))
}

async fn send(app: &App, client: ClientAddr, form: &MessageForm) -> Result<()> {
    let new = NewMessage::parse(form)?;
    app.limits.contacts.count(client)?;
    let now = app.clock.now();
    let config = app.config.clone();
    let cause = Cause::Visitor(app.limits.asker(client));
    app.write_and_notify(move |connection| {
        let enqueue =
            |message: &EmailMessage| mail::outbox::enqueue(connection, message, cause, &config, now);
        let confirmation = match enqueue(&emails::confirmation(&new, &config))? {
            QueueOutcome::Accepted(email) => Some(email),
            QueueOutcome::OverBudget => None,
        };
        store::insert(connection, &new, confirmation, now)?;
        if let Some(office) = &config.school().email {
            enqueue(&emails::copy_to_school(&new, office))?;
        }
        Ok(())
    })
    .await
}

/// What visitors wrote, newest first; searched by name, address, reference and text. A role that does not answer
/// messages sees those that are assigned to the caller
#[utoipa::path(get, path = "/api/admin/messages", tag = "messages",
    params(ListQuery, MessagesQuery,
        ("status" = Option<MessageStatus>, Query, description = "Only messages in this state"),
        SheetQuery),
    responses((status = 200, content((Vec<ContactMessage> = "application/json"), (String = "text/csv")),
            headers(("X-Total-Count" = i64, description = "Rows that match, on every page"))),
        (status = 403, body = ErrorBody, description = "The role takes no sheets")))]
async fn list_messages(
    staff: Staff<may::AssignedMessages>,
    State(app): State<App>,
    SheetRequest(page): SheetRequest,
    query: MessagesQuery,
) -> Result<Response> {
    let filter = query.parse(&page)?;
    let page = staff.may_take(page)?;
    let own = own_only(&staff).map(Assignee::Colleague);
    let filter = MessagesFilter { assignee: own.or(filter.assignee), ..filter };
    let asked = page.clone();
    let listed = asked.ask(&app.db, move |page, connection| store::list(connection, page, &filter)).await?;
    audit::respond(&app, staff.actor(), &page, listed).await
}

/// Id of a caller who reads only assigned messages.
fn own_only(staff: &CurrentStaff) -> Option<i64> {
    (!staff.user.duties.contains(&Duty::Messages)).then_some(staff.id)
}

/// One message, with its replies and notes
#[utoipa::path(get, path = "/api/admin/messages/{id}", tag = "messages")]
async fn get_message(
    staff: Staff<may::AssignedMessages>,
    State(app): State<App>,
    Id(id, ..): Id<ContactMessage>,
) -> Result<Json<MessageThread>> {
    let found = app.db.read(|connection| thread::find(connection, id)).await?;
    match own_only(&staff) {
        Some(own) if found.message.assignee_id != Some(own) => Err(ContactMessage::not_found()),
        _ => Ok(Json(found)),
    }
}

/// Mark a new message as read, which opens it; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/messages/{id}/read", tag = "messages",
    responses((status = 409, body = ErrorBody)))]
async fn mark_message_read(
    staff: Staff<may::Messages>,
    State(app): State<App>,
    Id(id, ..): Id<ContactMessage>,
) -> Result<Json<ContactMessage>> {
    mark(staff, &app, id, Mark::Read).await
}

/// Mark an open message as unread, which makes it new again; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/messages/{id}/unread", tag = "messages",
    responses((status = 409, body = ErrorBody)))]
async fn mark_message_unread(
    staff: Staff<may::Messages>,
    State(app): State<App>,
    Id(id, ..): Id<ContactMessage>,
) -> Result<Json<ContactMessage>> {
    mark(staff, &app, id, Mark::Unread).await
}

async fn mark(staff: Staff<may::Messages>, app: &App, id: i64, mark: Mark) -> Result<Json<ContactMessage>> {
    let actor = staff.actor();
    let now = app.clock.now();
    app.carry_out(move |connection| {
        let before = store::find(connection, id)?.ok_or_else(ContactMessage::not_found)?;
        let status = before
            .status
            .mark(mark)
            .or_else(|words| Err(Error::conflict(words, &thread::find(connection, id)?)))?;
        if status == before.status {
            return Ok(before);
        }
        store::set_status(connection, id, status)?;
        let detail = serde_json::json!({ "from": before.status, "to": status });
        audit::record(connection, &actor, mark.as_str(), "message", id, detail, now)?;
        Ok(ContactMessage { status, ..before })
    })
    .await
}
