//! The office's calls about a message: reply, answer, note, assign, close, reopen, spam.

use axum::extract::State;
use axum::http::StatusCode;
use utoipa_axum::router::OpenApiRouter;

use super::ContactMessage;
use super::decisions::{MessageContext, Reply};
use super::status::{MessageStatus, MessageVerb};
use super::thread::MessageThread;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::decisions::{BulkDecided, decide_each};
use crate::staff::{Assignable, Colleague, Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::bulk;
use crate::web::form::{Field, OptionalJson, form};
use crate::web::id::Id;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![
        reply_to_message,
        add_message_answer,
        add_message_note,
        assign_message,
        list_assignees,
        close_message,
        reopen_message,
        mark_message_spam,
        mark_message_not_spam,
        close_messages,
        mark_messages_spam,
    ]
}

form! {
    /// `POST /api/admin/messages/{id}/reply`'s body.
    pub struct ReplyForm {
        /// What the visitor reads: 1 to 10,000 characters. `{name}`, `{school}` and `{reference}` are filled in.
        body: String,
        /// Subject of the email, at most 150 characters; otherwise that of the confirmation.
        subject: Option<String>,
        /// Whether the message is closed with it.
        close: Option<bool>,
        /// Number of replies and answers that the author has seen; with another number nothing is sent.
        expected_replies: Option<i64>,
    }
}

form! {
    /// The body of an answer or a note.
    pub struct MessageTextForm {
        /// 1 to 10,000 characters; of a note 4,000.
        body: String,
    }
}

form! {
    /// `POST /api/admin/messages/{id}/assign`'s body.
    pub struct AssignForm {
        /// Number of the colleague; null for none.
        #[schema(required)]
        user_id: Option<i64>,
    }
}

form! {
    /// The body of a change of state, which may be left out.
    pub struct MessageStateForm {
        /// Expected current state; in any other, nothing is decided.
        expected: Option<MessageStatus>,
    }
}

form! {
    /// The body of a change of state of many messages.
    pub struct BulkMessagesForm {
        /// 1 to 200 messages.
        ids: Vec<i64>,
    }
}

impl Reply {
    fn parse(form: &ReplyForm) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let body = errors.take("body", form.body.between(1, 10_000, "Write the reply"));
        let subject = match form.subject.optional(150) {
            Ok(Some(subject)) if subject.contains(char::is_control) => Err("Must be one line".to_owned()),
            subject => subject,
        };
        let subject = errors.take("subject", subject);
        let closes = match form.close {
            Field::Absent | Field::Null => Ok(false),
            Field::Value(closes) => Ok(closes),
            Field::Wrong => Err("Must be yes or no"),
        };
        let closes = errors.take("close", closes);
        let expected_replies = match form.expected_replies {
            Field::Absent | Field::Null => Ok(None),
            Field::Value(count) => Ok(Some(count)),
            Field::Wrong => Err("Must be a number"),
        };
        let expected_replies = errors.take("expectedReplies", expected_replies);
        let reply = || {
            Some(Self {
                body: body?,
                subject: subject?,
                closes: closes?,
                expected_replies: expected_replies?,
            })
        };
        errors.finish(reply())
    }
}

/// Reply to a visitor by email, which waits for ten seconds at most
#[utoipa::path(post, path = "/api/admin/messages/{id}/reply", tag = "messages",
    responses((status = 409, body = ErrorBody, description = "It is marked as spam, or has a newer reply \
            (`reason`: `new_reply`); `current` is the message")))]
async fn reply_to_message(
    staff: Staff<may::Messages>,
    State(app): State<App>,
    Id(id, ..): Id<ContactMessage>,
    Json(form): Json<ReplyForm>,
) -> Result<(StatusCode, Json<MessageThread>)> {
    let reply = Reply::parse(&form)?;
    let context = MessageContext::new(&app, &staff);
    let thread = app.carry_out_and_notify(move |connection| context.reply(connection, id, &reply)).await?;
    Ok((StatusCode::CREATED, thread))
}

/// Enter what the visitor answered by telephone or email; sends nothing
#[utoipa::path(post, path = "/api/admin/messages/{id}/answers", tag = "messages",
    responses((status = 409, body = ErrorBody, description = "It is marked as spam; `current` is the message")))]
async fn add_message_answer(
    staff: Staff<may::Messages>,
    State(app): State<App>,
    Id(id, ..): Id<ContactMessage>,
    Json(form): Json<MessageTextForm>,
) -> Result<(StatusCode, Json<MessageThread>)> {
    let body = text(&form, 10_000, "Write what they answered")?;
    let context = MessageContext::new(&app, &staff);
    let thread = app.carry_out(move |connection| context.answer(connection, id, &body)).await?;
    Ok((StatusCode::CREATED, thread))
}

/// Write a note about a message, which visitors never see
#[utoipa::path(post, path = "/api/admin/messages/{id}/notes", tag = "messages")]
async fn add_message_note(
    staff: Staff<may::Messages>,
    State(app): State<App>,
    Id(id, ..): Id<ContactMessage>,
    Json(form): Json<MessageTextForm>,
) -> Result<(StatusCode, Json<MessageThread>)> {
    let body = text(&form, 4000, "Enter the text of the note")?;
    let context = MessageContext::new(&app, &staff);
    let thread = app.carry_out(move |connection| context.note(connection, id, &body)).await?;
    Ok((StatusCode::CREATED, thread))
}

fn text(form: &MessageTextForm, max: usize, missing: &str) -> Result<String> {
    form.body.between(1, max, missing).map_err(|message| Error::field("body", message))
}

/// Assign a message to a colleague, or to none; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/messages/{id}/assign", tag = "messages")]
async fn assign_message(
    staff: Staff<may::Messages>,
    State(app): State<App>,
    Id(id, ..): Id<ContactMessage>,
    Json(form): Json<AssignForm>,
) -> Result<Json<MessageThread>> {
    let user_id = match form.user_id {
        Field::Null => None,
        Field::Value(id) => Some(id),
        Field::Absent | Field::Wrong => return Err(Error::field("userId", "Choose a colleague, or none")),
    };
    let context = MessageContext::new(&app, &staff);
    app.carry_out(move |connection| context.assign(connection, id, user_id)).await
}

/// Colleagues who can be assigned, by username
#[utoipa::path(get, path = "/api/admin/messages/assignees", tag = "messages")]
async fn list_assignees(_: Staff<may::Messages>, State(app): State<App>) -> Result<Json<Vec<Colleague>>> {
    let office = app.config.office.clone();
    app.db.query(move |connection| Colleague::list(connection, Assignable::Messages, &office)).await.map(Json)
}

async fn change(
    staff: &Staff<may::Messages>,
    app: &App,
    id: i64,
    verb: MessageVerb,
    form: &MessageStateForm,
) -> Result<Json<MessageThread>> {
    let expected = form.expected.optional_one_of().map_err(|message| Error::field("expected", message))?;
    let context = MessageContext::new(app, staff);
    app.carry_out(move |connection| context.change(connection, id, verb, expected, None)).await
}

async fn change_each(
    staff: &Staff<may::Messages>,
    app: &App,
    verb: MessageVerb,
    form: &BulkMessagesForm,
) -> Result<Json<BulkDecided<MessageThread>>> {
    let ids = bulk::ids(&form.ids, "messages").map_err(|message| Error::field("ids", message))?;
    let context = MessageContext::new(app, staff);
    app.carry_out(move |connection| {
        decide_each(connection, &ids, |connection, id, bulk| {
            context.change(connection, id, verb, None, Some(bulk))
        })
    })
    .await
}

/// Close a message: nothing more is to be done; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/messages/{id}/close", tag = "messages",
    request_body = Option<MessageStateForm>,
    responses((status = 409, body = ErrorBody, description = "It is in another state; `current` is the message")))]
async fn close_message(
    staff: Staff<may::Messages>,
    State(app): State<App>,
    Id(id, ..): Id<ContactMessage>,
    OptionalJson(form): OptionalJson<MessageStateForm>,
) -> Result<Json<MessageThread>> {
    change(&staff, &app, id, MessageVerb::Close, &form).await
}

/// Reopen a closed message; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/messages/{id}/reopen", tag = "messages",
    request_body = Option<MessageStateForm>,
    responses((status = 409, body = ErrorBody, description = "It is in another state; `current` is the message")))]
async fn reopen_message(
    staff: Staff<may::Messages>,
    State(app): State<App>,
    Id(id, ..): Id<ContactMessage>,
    OptionalJson(form): OptionalJson<MessageStateForm>,
) -> Result<Json<MessageThread>> {
    change(&staff, &app, id, MessageVerb::Reopen, &form).await
}

/// Mark a message as spam; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/messages/{id}/spam", tag = "messages",
    request_body = Option<MessageStateForm>,
    responses((status = 409, body = ErrorBody, description = "It is in another state; `current` is the message")))]
async fn mark_message_spam(
    staff: Staff<may::Messages>,
    State(app): State<App>,
    Id(id, ..): Id<ContactMessage>,
    OptionalJson(form): OptionalJson<MessageStateForm>,
) -> Result<Json<MessageThread>> {
    change(&staff, &app, id, MessageVerb::Spam, &form).await
}

/// Mark a message as no spam, which opens it; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/messages/{id}/not-spam", tag = "messages",
    request_body = Option<MessageStateForm>,
    responses((status = 409, body = ErrorBody, description = "It is in another state; `current` is the message")))]
async fn mark_message_not_spam(
    staff: Staff<may::Messages>,
    State(app): State<App>,
    Id(id, ..): Id<ContactMessage>,
    OptionalJson(form): OptionalJson<MessageStateForm>,
) -> Result<Json<MessageThread>> {
    change(&staff, &app, id, MessageVerb::NotSpam, &form).await
}

/// Close many messages independently
#[utoipa::path(post, path = "/api/admin/messages/close", tag = "messages")]
async fn close_messages(
    staff: Staff<may::Messages>,
    State(app): State<App>,
    Json(form): Json<BulkMessagesForm>,
) -> Result<Json<BulkDecided<MessageThread>>> {
    change_each(&staff, &app, MessageVerb::Close, &form).await
}

/// Mark many messages as spam independently
#[utoipa::path(post, path = "/api/admin/messages/spam", tag = "messages")]
async fn mark_messages_spam(
    staff: Staff<may::Messages>,
    State(app): State<App>,
    Json(form): Json<BulkMessagesForm>,
) -> Result<Json<BulkDecided<MessageThread>>> {
    change_each(&staff, &app, MessageVerb::Spam, &form).await
}
