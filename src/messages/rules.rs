//! Validation of messages.

use super::MessageForm;
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::email::Email;
use crate::base::error::FieldErrors;
use crate::students::profile::formats;

closed_set! {
    /// What a message is about (specification, section 3).
    pub enum ContactSubject {
        /// Asking for a place.
        Admission = "admission" => "Admission Inquiry",
        /// What is taught.
        Courses = "courses" => "Course Information",
        /// The school.
        General = "general" => "General Questions",
        /// Anything else.
        Other = "other" => "Other",
    }
}

/// A validated message.
pub struct NewMessage {
    /// The sender's name.
    pub name: String,
    /// Where the answer goes.
    pub email: Email,
    /// Telephone number, if one was left.
    pub phone: Option<String>,
    /// What it is about.
    pub subject: ContactSubject,
    /// The text.
    pub message: String,
}

impl NewMessage {
    /// Checks the form (specification, section 5).
    pub fn parse(form: &MessageForm) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let name = errors.take("name", form.name.person(2, 200, "Name must be at least 2 characters"));
        let email = errors.take("email", Email::parse(form.email.text()));
        let phone = errors.take("phone", formats::optional_phone(&form.phone, 50, None));
        let subject = ContactSubject::parse(form.subject.text()).ok_or("Please select a subject");
        let subject = errors.take("subject", subject);
        let text = form.message.between(10, 10_000, "Message must be at least 10 characters");
        let message = errors.take("message", text);
        let new =
            || Some(Self { name: name?, email: email?, phone: phone?, subject: subject?, message: message? });
        errors.finish(new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: serde_json::Value) -> Vec<(String, String)> {
        match NewMessage::parse(&serde_json::from_value(body).unwrap()) {
            Ok(_) => Vec::new(),
            Err(errors) => errors.iter().map(|(n, m)| (n.to_owned(), m.to_owned())).collect(),
        }
    }

    #[test]
    fn every_rule_of_the_contact_form_has_its_message() {
        let good = serde_json::json!({ "name": "Li", "email": "li@example.com", "phone": "",
            "subject": "admission", "message": "0123456789" });
        assert!(check(good.clone()).is_empty());
        for name in ["李.", "R."] {
            let mut body = good.clone();
            body["name"] = name.into();
            assert!(check(body).is_empty(), "{name}");
        }
        let table = [
            ("name", " \u{200B} ", "Name must be at least 2 characters"),
            ("name", "L", "Name must be at least 2 characters"),
            ("email", "li@example", "Please enter a valid email address"),
            (
                "email",
                "li@example.com\r\nBcc: x@y.zz",
                "Please enter a valid email address: there is a space in it",
            ),
            ("subject", "", "Please select a subject"),
            ("subject", "Admission Inquiry", "Please select a subject"),
            ("message", "012345678", "Message must be at least 10 characters"),
            ("message", "   012345678   ", "Message must be at least 10 characters"),
        ];
        for (name, value, message) in table {
            let mut body = good.clone();
            body[name] = value.into();
            assert_eq!(check(body), [(name.to_owned(), message.to_owned())], "{value:?}");
        }
        assert_eq!(check(serde_json::json!({})).len(), 4, "all at once");
        assert_eq!(check(serde_json::json!({ "name": 1, "phone": 2 })).len(), 5, "wrong types are named too");
    }
}
