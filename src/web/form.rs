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
use crate::base::password::{Password, check_length};
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

    /// The text as it was sent, spaces and all; empty where nothing usable was sent.
    pub fn untrimmed(&self) -> &str {
        match self {
            Self::Value(text) => text,
            _ => "",
        }
    }

    /// A text of `least..=most` characters, or the rule's message.
    ///
    /// # Errors
    /// `message` when it is too short or not a text; a sentence with the limit when too long.
    pub fn between(&self, min: usize, max: usize, message: &str) -> Result<String, String> {
        let text = self.text();
        let length = text.chars().count();
        if length < min {
            Err(message.to_owned())
        } else if length > max {
            Err(format!("Must be at most {max} characters"))
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
    pub fn optional(&self, max: usize) -> Result<Option<String>, String> {
        match self {
            Self::Wrong => Err("Must be a text".to_owned()),
            _ if self.text().is_empty() => Ok(None),
            _ => self.between(1, max, "").map(Some),
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

impl Password {
    /// A password together with its repetition, both checked, as every form of a new password has. `own`
    /// as for [`Password::parse`].
    pub fn parse_confirmed(
        password: &Field<String>,
        confirm: &Field<String>,
        own: &[&str],
        errors: &mut FieldErrors,
    ) -> Option<Self> {
        let parsed = errors.take("password", Self::parse(password.untrimmed(), own));
        let repeated = confirm.untrimmed();
        errors.take("confirmPassword", check_length(repeated))?;
        if check_length(password.untrimmed()).is_ok() && password.untrimmed() != repeated {
            errors.add("confirmPassword", "Passwords don't match");
            return None;
        }
        parsed
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
    const MAX: usize = 64 * 1024;
    axum::body::to_bytes(request.into_body(), MAX).await.map_err(|error| match TooSlow::is_cause_of(&error) {
        true => Error::TooSlow,
        false => Error::TooLarge("The request body is too large.".into()),
    })
}

fn read_object<T: DeserializeOwned>(body: &[u8]) -> Result<T, Error> {
    let is_object = body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
    if !is_object {
        return Err(Error::BadRequest("The request body must be a JSON object.".into()));
    }
    serde_json::from_slice(body).map_err(|_| Error::BadRequest("The request body is not valid JSON.".into()))
}
