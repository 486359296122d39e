//! The table `reply_templates`: replies that the office sends often.

use axum::extract::State;
use axum::http::StatusCode;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::audit;
use crate::base::closed_set::closed_set;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::staff::{Staff, may};
use crate::storage::db;
use crate::storage::statements::{Statements, from_row, params};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::{Id, Numbered, numbered};

/// The office's endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_reply_templates, create_reply_template, change_reply_template, delete_reply_template]
}

closed_set! {
    /// Language of a template.
    pub enum TemplateLanguage {
        /// English.
        English = "en",
        /// French.
        French = "fr",
    }
}

/// A reply that the office sends often.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReplyTemplate {
    /// Number of the template.
    pub id: i64,
    /// Name, for the office.
    pub name: String,
    /// Subject of the email.
    pub subject: String,
    /// Text; `{name}`, `{school}` and `{reference}` are filled in when it is sent.
    pub body: String,
    /// Language.
    pub language: TemplateLanguage,
    /// Version for optimistic locking.
    pub version: i64,
}

numbered!(ReplyTemplate, "Template");

form! {
    /// `POST /api/admin/reply-templates`' body.
    pub struct NewReplyTemplate {
        /// Unique name, for the office: 1 to 100 characters.
        name: String,
        /// Subject of the email: 1 to 150 characters.
        subject: String,
        /// 1 to 10,000 characters; `{name}`, `{school}` and `{reference}` are filled in when it is sent.
        body: String,
        /// Language; English by default.
        language: Option<TemplateLanguage>,
    }
}

form! {
    /// `PATCH /api/admin/reply-templates/{id}`'s body; absent fields stay as they are.
    pub struct ReplyTemplateChange {
        #[schema(required = false)]
        name: String,
        #[schema(required = false)]
        subject: String,
        #[schema(required = false)]
        body: String,
        #[schema(required = false)]
        language: TemplateLanguage,
        /// Version of the template that was edited.
        version: i64,
    }
}

/// The validated fields of a template.
struct TemplateText {
    name: String,
    subject: String,
    body: String,
    language: TemplateLanguage,
}

impl TemplateText {
    /// Validates the fields; those that are absent come from `before`.
    fn parse(
        [name, subject, body, language]: [&Field<String>; 4],
        before: Option<&ReplyTemplate>,
    ) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let kept = |field: &Field<String>, kept: fn(&ReplyTemplate) -> &String| {
            before.filter(|_| !field.is_sent()).map(|before| Ok(kept(before).clone()))
        };
        let name = kept(name, |before| &before.name)
            .unwrap_or_else(|| name.name(1, 100, "Give the template a name"));
        let name = errors.take("name", name);
        let subject = kept(subject, |before| &before.subject).unwrap_or_else(|| {
            let subject = subject.between(1, 150, "Write the subject of the email")?;
            if subject.contains(char::is_control) { Err("Must be one line".to_owned()) } else { Ok(subject) }
        });
        let subject = errors.take("subject", subject);
        let body = kept(body, |before| &before.body)
            .unwrap_or_else(|| body.between(1, 10_000, "Write the text of the template"));
        let body = errors.take("body", body);
        let language = errors.take("language", language.optional_one_of());
        let text = || {
            let other = before.map_or(TemplateLanguage::English, |before| before.language);
            Some(Self { name: name?, subject: subject?, body: body?, language: language?.unwrap_or(other) })
        };
        errors.finish(text())
    }
}

/// Reply templates, by name
#[utoipa::path(get, path = "/api/admin/reply-templates", tag = "messages")]
async fn list_reply_templates(
    _: Staff<may::Messages>,
    State(app): State<App>,
) -> Result<Json<Vec<ReplyTemplate>>> {
    app.db.read(list).await.map(Json)
}

/// Create a reply template
#[utoipa::path(post, path = "/api/admin/reply-templates", tag = "messages")]
async fn create_reply_template(
    staff: Staff<may::Messages>,
    State(app): State<App>,
    Json(form): Json<NewReplyTemplate>,
) -> Result<(StatusCode, Json<ReplyTemplate>)> {
    let text = TemplateText::parse([&form.name, &form.subject, &form.body, &form.language], None)?;
    let actor = staff.actor();
    let now = app.clock.now();
    let template = app.carry_out(move |connection| {
        let id = insert(connection, &text)?;
        let detail = json!({ "name": text.name });
        audit::record(connection, &actor, "create", "reply_template", id, detail, now)?;
        find(connection, id)
    });
    Ok((StatusCode::CREATED, template.await?))
}

/// Change a reply template
#[utoipa::path(patch, path = "/api/admin/reply-templates/{id}", tag = "messages",
    responses((status = 409, body = ErrorBody, description = "It was changed since; `current` is the template")))]
async fn change_reply_template(
    staff: Staff<may::Messages>,
    State(app): State<App>,
    Id(id, ..): Id<ReplyTemplate>,
    Json(form): Json<ReplyTemplateChange>,
) -> Result<Json<ReplyTemplate>> {
    let actor = staff.actor();
    let now = app.clock.now();
    app.carry_out(move |connection| {
        let before = find(connection, id)?;
        let fields = [&form.name, &form.subject, &form.body, &form.language];
        let text = TemplateText::parse(fields, Some(&before))?;
        if form.version != Field::Value(before.version) {
            let words = "This template was changed while you were editing it. Your changes were not saved; \
                please review the current values.";
            return Err(Error::conflict(words, &before));
        }
        update(connection, id, &text)?;
        let detail = json!({ "name": text.name });
        audit::record(connection, &actor, "change", "reply_template", id, detail, now)?;
        find(connection, id)
    })
    .await
}

/// Delete a reply template; sent replies stay
#[utoipa::path(delete, path = "/api/admin/reply-templates/{id}", tag = "messages")]
async fn delete_reply_template(
    staff: Staff<may::Messages>,
    State(app): State<App>,
    Id(id, ..): Id<ReplyTemplate>,
) -> Result<StatusCode> {
    let actor = staff.actor();
    let now = app.clock.now();
    app.db
        .write(move |connection| {
            let detail = json!({ "name": find(connection, id)?.name });
            connection.run("delete from reply_templates where id = :id", params![id])?;
            audit::record(connection, &actor, "delete", "reply_template", id, detail, now)?;
            Ok(StatusCode::NO_CONTENT)
        })
        .await
}

const COLUMNS: &str = "id, name, subject, body, language, version";

fn list(connection: &Connection) -> Result<Vec<ReplyTemplate>> {
    connection.list(&format!("select {COLUMNS} from reply_templates order by name"), [])
}

fn find(connection: &Connection, id: i64) -> Result<ReplyTemplate> {
    let found =
        connection.find(&format!("select {COLUMNS} from reply_templates where id = :id"), params![id])?;
    found.ok_or_else(ReplyTemplate::not_found)
}

fn insert(connection: &Connection, text: &TemplateText) -> Result<i64> {
    let TemplateText { name, subject, body, language } = text;
    let sql = "insert into reply_templates (name, subject, body, language)
        values (:name, :subject, :body, :language)";
    connection.insert(sql, params![name, subject, body, language]).map_err(on_taken_name)
}

/// Stores a template of the demo school in English.
///
/// # Errors
/// When its name is taken.
pub fn add(connection: &Connection, name: &str, subject: &str, body: &str) -> Result<()> {
    let [name, subject, body] = [name, subject, body].map(str::to_owned);
    insert(connection, &TemplateText { name, subject, body, language: TemplateLanguage::English }).map(drop)
}

fn update(connection: &Connection, id: i64, text: &TemplateText) -> Result<()> {
    let TemplateText { name, subject, body, language } = text;
    let sql =
        "update reply_templates set name = :name, subject = :subject, body = :body, language = :language,
            version = version + 1
        where id = :id";
    connection.run(sql, params![id, name, subject, body, language]).map_err(on_taken_name)
}

fn on_taken_name(error: Error) -> Error {
    if db::is_taken(&error, "reply_templates.name") {
        return Error::field("name", "A template with this name already exists");
    }
    error
}

from_row!(ReplyTemplate { id, name, subject, body, language, version });
