//! Messages: what visitors write to the school through the contact form.
//!
//! The message is stored first and mailed after, so that a broken mail server loses none. Absent
//! until its own issue: reading and answering them in the office.

use axum::Json;
use axum::extract::State;
use jiff::Timestamp;
use rusqlite::{Connection, named_params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::plumbing::app::App;
use crate::plumbing::config::Config;
use crate::plumbing::error::{Error, ErrorBody, FieldErrors, Result};
use crate::plumbing::form::{Email, Field, Json as JsonBody};
use crate::plumbing::limits::ClientAddr;
use crate::plumbing::mail::{self, Letter};

/// The calls of this room.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(send_message))
}

/// Values and labels of the subject (specification, section 3).
const SUBJECTS: [(&str, &str); 4] = [
    ("admission", "Admission Inquiry"),
    ("courses", "Course Information"),
    ("general", "General Questions"),
    ("other", "Other"),
];

/// `POST /api/contact`'s body.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct MessageForm {
    #[serde(default)]
    #[schema(value_type = String, required = true)]
    name: Field<String>,
    #[serde(default)]
    #[schema(value_type = String, required = true)]
    email: Field<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    phone: Field<String>,
    #[serde(default)]
    #[schema(value_type = String, required = true)]
    subject: Field<String>,
    #[serde(default)]
    #[schema(value_type = String, required = true)]
    message: Field<String>,
}

/// `POST /api/contact`'s answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sent {
    message: &'static str,
}

struct NewMessage {
    name: String,
    email: Email,
    phone: Option<String>,
    subject: (&'static str, &'static str),
    message: String,
}

/// Write to the school
#[utoipa::path(post, path = "/api/contact", tag = "messages", request_body = MessageForm,
    responses((status = 200, body = Sent), (status = 400, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn send_message(
    State(app): State<App>,
    client: ClientAddr,
    JsonBody(form): JsonBody<MessageForm>,
) -> Result<Json<Sent>> {
    let new = parse(&form)?;
    app.limits.contacts.count(client)?;
    let (now, config) = (app.clock.now(), app.config.clone());
    app.write_and_post(move |connection| {
        insert(connection, &new, now)?;
        mail::outbox::enqueue(connection, &confirmation(&new, &config), &config.school, now)?;
        mail::outbox::enqueue(connection, &copy_to_school(&new, &config)?, &config.school, now)
    })
    .await?;
    let message = "Thank you for your message. A confirmation email has been sent to your inbox.";
    Ok(Json(Sent { message }))
}

/// The rules of section 5.
fn parse(form: &MessageForm) -> Result<NewMessage> {
    let mut errors = FieldErrors::default();
    let name = errors.take("name", form.name.between(2, 200, "Name must be at least 2 characters"));
    let email = errors.take("email", Email::parse(form.email.text()));
    let phone = errors.take("phone", form.phone.optional(50));
    let subject = SUBJECTS.into_iter().find(|(value, _)| *value == form.subject.text());
    let subject = errors.take("subject", subject.ok_or("Please select a subject"));
    let text = form.message.between(10, 10_000, "Message must be at least 10 characters");
    let message = errors.take("message", text);
    errors.check()?;
    let new = || {
        let name = name?.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(NewMessage { name, email: email?, phone: phone?, subject: subject?, message: message? })
    };
    new().ok_or_else(|| Error::BadRequest("The message is incomplete.".into()))
}

/// The visitor's letter does not repeat the message: the form must not mail a stranger's words to
/// any address that somebody types.
fn confirmation(new: &NewMessage, config: &Config) -> Letter {
    let school = &config.school;
    Letter::to(&new.email, "We have your message")
        .greeting(Some(&new.name))
        .paragraph(&format!(
            "Thank you for writing to {}. Your message about \"{}\" has arrived and the office will \
             answer it as soon as it can.",
            school.name, new.subject.1
        ))
        .paragraph(&format!("Office hours: {}. Telephone: {}.", school.hours, school.phone))
        .paragraph("If you did not write to us, you can ignore this message.")
}

fn copy_to_school(new: &NewMessage, config: &Config) -> Result<Letter> {
    let school = Email::parse(&config.school.email)
        .map_err(|message| Error::Internal(anyhow::anyhow!("school.email: {message}")))?;
    let phone = new.phone.as_deref().unwrap_or("not given");
    Ok(Letter::to(&school, &format!("{}: {}", new.subject.1, new.name))
        .reply_to(&new.email)
        .paragraph(&format!("From: {} <{}>", new.name, new.email.as_str()))
        .paragraph(&format!("Phone: {phone}"))
        .paragraph(&format!("Subject: {}", new.subject.1))
        .quote(&new.message))
}

fn insert(connection: &Connection, new: &NewMessage, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "insert into contact_messages (name, email, phone, subject, message, status, created_at)
             values (:name, :email, :phone, :subject, :message, 'new', :now)",
        )?
        .execute(named_params! {
            ":name": new.name, ":email": new.email.as_str(), ":phone": new.phone,
            ":subject": new.subject.0, ":message": new.message, ":now": now.as_second(),
        })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: serde_json::Value) -> Vec<(&'static str, String)> {
        match parse(&serde_json::from_value(body).unwrap()) {
            Ok(_) => Vec::new(),
            Err(Error::Invalid(errors)) => errors.iter().map(|(n, m)| (n, m.to_owned())).collect(),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_rule_of_the_contact_form_has_its_message() {
        let good = serde_json::json!({ "name": "Li", "email": "li@example.com", "phone": "",
            "subject": "admission", "message": "0123456789" });
        assert!(check(good.clone()).is_empty());
        let table = [
            ("name", "L", "Name must be at least 2 characters"),
            ("email", "li@example", "Please enter a valid email address"),
            ("email", "li@example.com\r\nBcc: x@y.zz", "Please enter a valid email address"),
            ("subject", "", "Please select a subject"),
            ("subject", "Admission Inquiry", "Please select a subject"),
            ("message", "012345678", "Message must be at least 10 characters"),
            ("message", "   012345678   ", "Message must be at least 10 characters"),
        ];
        for (name, value, message) in table {
            let mut body = good.clone();
            body[name] = value.into();
            assert_eq!(check(body), [(name, message.to_owned())], "{value:?}");
        }
        assert_eq!(check(serde_json::json!({})).len(), 4, "all at once");
        assert_eq!(check(serde_json::json!({ "name": 1, "phone": 2 })).len(), 5, "wrong types are named too");
    }
}
