//! Parsing at the edge: wire values become types whose every value is right.
//!
//! A body is read into a struct of [`Field`]s, which never fails; the room's rules then turn the
//! fields into a parsed type and collect every error, so that a form hears of all of them at once.

use axum::extract::{FromRequest, Request};
use axum::http::header;
use jiff::civil::Date;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use crate::base::error::{Error, FieldErrors};
use crate::base::guessable;
use crate::web::listener::TooSlow;

const NO_DATE: &str = "Must be a real date in the form YYYY-MM-DD";

/// A field of a body: absent, null, of the right type, or of a wrong one.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Field<T> {
    /// The key is not there.
    #[default]
    Absent,
    /// The key is there and null.
    Null,
    /// The value is of the right type; no rule has been checked yet.
    Value(T),
    /// The value is of another type.
    Wrong,
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        if value.is_null() {
            return Ok(Self::Null);
        }
        Ok(serde_json::from_value(value).map_or(Self::Wrong, Self::Value))
    }
}

impl<T> Field<T> {
    /// Whether the key was sent at all.
    pub fn is_sent(&self) -> bool {
        !matches!(self, Self::Absent)
    }
}

impl Field<String> {
    /// The trimmed text; empty where nothing usable was sent.
    pub fn text(&self) -> &str {
        match self {
            Self::Value(text) => text.trim(),
            _ => "",
        }
    }

    /// A text of `least..=most` characters, or the rule's message.
    ///
    /// # Errors
    /// `message` when it is too short or not a text; a sentence with the limit when too long.
    pub fn between(&self, least: usize, most: usize, message: &str) -> Result<String, String> {
        let text = self.text();
        let length = text.chars().count();
        if length < least {
            Err(message.to_owned())
        } else if length > most {
            Err(format!("Must be at most {most} characters"))
        } else if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
            Err("Must not contain control characters".to_owned())
        } else {
            Ok(text.to_owned())
        }
    }

    /// An optional text of at most `most` characters; blank is none.
    ///
    /// # Errors
    /// A sentence when it is too long or not a text.
    pub fn optional(&self, most: usize) -> Result<Option<String>, String> {
        match self {
            Self::Wrong => Err("Must be a text".to_owned()),
            _ if self.text().is_empty() => Ok(None),
            _ => self.between(1, most, "").map(Some),
        }
    }

    /// A real calendar date of our times in the form `2026-09-08`.
    ///
    /// # Errors
    /// `message` when nothing was sent, another sentence when it is no date.
    pub fn date(&self, message: &str) -> Result<Date, String> {
        self.date_of_any_year(message).and_then(|date| {
            if (1900..=2200).contains(&date.year()) { Ok(date) } else { Err(NO_DATE.to_owned()) }
        })
    }

    /// As [`Self::date`], for who judges the year with words of their own.
    ///
    /// # Errors
    /// `message` when nothing was sent, another sentence when it is no date.
    pub fn date_of_any_year(&self, message: &str) -> Result<Date, String> {
        let text = self.text();
        if text.is_empty() {
            return Err(message.to_owned());
        }
        let well_formed = text.len() == 10 && !text.starts_with('-');
        well_formed.then(|| text.parse::<Date>().ok()).flatten().ok_or_else(|| NO_DATE.to_owned())
    }
}

/// An e-mail address, in lower case; one mailbox has one spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Parses what a person typed.
    ///
    /// # Errors
    /// The specification's message (section 5).
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        const MESSAGE: &str = "Please enter a valid email address";
        let text = text.trim();
        let options = email_address::Options::default()
            .with_required_tld()
            .without_domain_literal()
            .without_display_text();
        let parsed = email_address::EmailAddress::parse_with_options(text, options).map_err(|_| MESSAGE)?;
        // A quoted local part is legal and never meant; header injection lives there.
        if parsed.local_part().starts_with('"') || text.len() > 254 || !text.is_ascii() {
            return Err(MESSAGE);
        }
        Ok(Self(text.to_ascii_lowercase()))
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A chosen password that obeys the rule of section 5 and is not guessed first; never printed.
pub struct Password(String);

impl Password {
    /// Longer ones are refused: hashing is bounded work.
    pub const MOST: usize = 256;

    /// Parses a chosen password. `own` is what is known about its owner, as far as it is known here:
    /// the school's name, the address, the username.
    ///
    /// # Errors
    /// The specification's message, the upper limit, or why it is easily guessed.
    pub fn parse(field: &Field<String>, own: &[&str]) -> Result<Self, String> {
        let text = Self::text(field)?;
        guessable::check(text, own)?;
        Ok(Self(text.to_owned()))
    }

    /// A password together with its repetition, both checked, as every form of a new password has.
    pub fn parse_confirmed(
        password: &Field<String>,
        confirm: &Field<String>,
        own: &[&str],
        errors: &mut FieldErrors,
    ) -> Option<Self> {
        let parsed = errors.take("password", Self::parse(password, own));
        let repeated = errors.take("confirmPassword", Self::text(confirm))?;
        let Ok(chosen) = Self::text(password) else { return None };
        if chosen != repeated {
            errors.add("confirmPassword", "Passwords don't match");
            return None;
        }
        parsed
    }

    /// Refuses a password made from its owner's names, where a link said late who that is.
    ///
    /// # Errors
    /// A field error.
    pub fn check_own(&self, own: &[&str]) -> Result<(), Error> {
        guessable::check(&self.0, own).map_err(|message| Error::field("password", message))
    }

    fn text(field: &Field<String>) -> Result<&str, String> {
        let Field::Value(text) = field else {
            return Err("Password must be at least 8 characters".into());
        };
        // Not trimmed: a space at either end is part of the password.
        match text.chars().count() {
            0..8 => Err("Password must be at least 8 characters".into()),
            8..=Self::MOST => Ok(text),
            _ => Err(format!("Password must be at most {} characters", Self::MOST)),
        }
    }

    /// The text, for hashing.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// A JSON body of at most 64 KiB; the content type must say so, which a cross-site form cannot.
pub struct Json<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self, Error> {
        check_type(&request)?;
        read_object(&read_body(request).await?).map(Self)
    }
}

/// A JSON body as [`Json`] takes it, or none at all, which is the type's default.
pub struct OptionalJson<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Default> FromRequest<S> for OptionalJson<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self, Error> {
        let checked = check_type(&request);
        let body = read_body(request).await?;
        if body.is_empty() {
            Ok(Self(T::default()))
        } else {
            checked.and_then(|()| read_object(&body).map(Self))
        }
    }
}

fn check_type(request: &Request) -> Result<(), Error> {
    let is_json = request
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.split(';').next().unwrap_or("").trim() == "application/json");
    if is_json {
        return Ok(());
    }
    Err(Error::UnsupportedType("The request body must be JSON (application/json).".into()))
}

async fn read_body(request: Request) -> Result<axum::body::Bytes, Error> {
    const MOST: usize = 64 * 1024;
    axum::body::to_bytes(request.into_body(), MOST).await.map_err(|error| {
        match TooSlow::is_cause_of(&error) {
            true => Error::TooSlow,
            false => Error::TooLarge("The request body is too large.".into()),
        }
    })
}

fn read_object<T: DeserializeOwned>(body: &[u8]) -> Result<T, Error> {
    let is_object = body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
    if !is_object {
        return Err(Error::BadRequest("The request body must be a JSON object.".into()));
    }
    serde_json::from_slice(body).map_err(|_| Error::BadRequest("The request body is not valid JSON.".into()))
}
