//! What a message must say, and which state follows which.

use super::MessageForm;
use crate::base::email::Email;
use crate::base::error::{Error, FieldErrors, Result};

/// Values and labels of the subject (specification, section 3).
const SUBJECTS: [(&str, &str); 4] = [
    ("admission", "Admission Inquiry"),
    ("courses", "Course Information"),
    ("general", "General Questions"),
    ("other", "Other"),
];

/// The states of a message, in the order in which it passes through them.
pub const STATUSES: [&str; 5] = ["new", "open", "replied", "closed", "spam"];

/// A message whose every field is right.
pub struct NewMessage {
    /// Who writes.
    pub name: String,
    /// Where the answer goes.
    pub email: Email,
    /// Telephone number, if one was left.
    pub phone: Option<String>,
    /// Value and label of the subject.
    pub subject: (&'static str, &'static str),
    /// The text.
    pub message: String,
}

/// Checks the form (specification, section 5).
///
/// # Errors
/// Every broken rule by field.
pub fn parse(form: &MessageForm) -> Result<NewMessage> {
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

/// A change of state that the office makes with one click, and can undo.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    /// What the audit trail calls it; also what the message becomes, in words.
    pub action: &'static str,
    /// The state that it changes.
    pub from: &'static str,
    /// The state that it leads to, and where repeating it changes nothing.
    pub to: &'static str,
}

/// Somebody has read the message.
pub const READ: Mark = Mark { action: "read", from: "new", to: "open" };

/// The message counts as new again.
pub const UNREAD: Mark = Mark { action: "unread", from: "open", to: "new" };

impl Mark {
    /// Whether it changes a message that is in this state.
    ///
    /// # Errors
    /// [`Error::Conflict`] once the message is past being read.
    pub fn changes(self, status: &str) -> Result<bool> {
        let is = match status {
            _ if status == self.from => return Ok(true),
            _ if status == self.to => return Ok(false),
            "replied" => "has been answered",
            "closed" => "is closed",
            _ => "is marked as spam",
        };
        let action = self.action;
        Err(Error::Conflict(format!("This message {is} and can no longer be marked as {action}.")))
    }
}

/// There is no such message.
pub fn not_found() -> Error {
    Error::NotFound("Message not found".into())
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

    #[test]
    fn only_new_and_open_messages_are_marked() {
        let table = [
            ("new", Some(true), Some(false)),
            ("open", Some(false), Some(true)),
            ("replied", None, None),
            ("closed", None, None),
            ("spam", None, None),
        ];
        assert_eq!(table.map(|(status, ..)| status), STATUSES);
        for (status, read, unread) in table {
            assert_eq!(READ.changes(status).ok(), read, "{status}");
            assert_eq!(UNREAD.changes(status).ok(), unread, "{status}");
        }
    }
}
