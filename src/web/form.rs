//! Parsing at the edge: wire values become validated types.
//!
//! A body is read into a struct of [`Field`]s, which never fails; the room's rules then turn the fields into a parsed
//! type and collect every error, so that a form shows all of them at once. `form!` generates that struct from the
//! declared body, which also describes it in the OpenAPI document. OWASP ASVS 5.0, V2.2 (validation of input):
//! `tests/asvs.md`.

use std::collections::BTreeMap;

use axum::extract::{FromRequest, Request};
use axum::http::header;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, FieldErrors};
use crate::base::json::Json;
use crate::base::password::{Password, check_length, normal};
use crate::base::text::{check_person, clean_name, count_seen};
use crate::web::description::{Description, Parameter};
use crate::web::listener::TooSlow;
use crate::web::sheet::WrittenDate;

const NO_DATE: &str = "Must be a real date in the form YYYY-MM-DD";

/// A field of a body: absent, null, of the right type, or of a wrong one.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Field<T> {
    /// The key is missing.
    #[default]
    Absent,
    /// The key is present and null.
    Null,
    /// The value has the right type and is not yet validated.
    Value(T),
    /// The value has the wrong type.
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
    /// Whether the key was present.
    pub fn is_sent(&self) -> bool {
        !matches!(self, Self::Absent)
    }
}

/// Types that `form!` accepts for a field.
pub trait Declared {
    /// The type it is read as before validation: a date, for example, as text.
    type Read;
}

impl<T: Declared> Declared for Option<T> {
    type Read = T::Read;
}

impl<T: ClosedSet> Declared for T {
    type Read = String;
}

/// Maps declared types to the types they are read as.
macro_rules! read_as {
    ($($declared:ty => $read:ty),+ $(,)?) => {
        $(impl $crate::web::form::Declared for $declared {
            type Read = $read;
        })+
    };
}
pub(crate) use read_as;

read_as! {
    String => String,
    Date => String,
    Timestamp => String,
    bool => bool,
    i64 => i64,
    f64 => f64,
    Vec<i64> => Vec<i64>,
    BTreeMap<String, String> => BTreeMap<String, String>,
}

/// Declares a request body: the caller lists the types for the OpenAPI document and gets a struct of [`Field`]s, which
/// can be read from JSON even if any of them is absent or wrong. A field that is not an `Option` is required, unless
/// its `schema` attribute says otherwise.
// The schema comes from a second struct with the declared types, since utoipa would refer to a schema named `Field`.
macro_rules! form {
    ($(#[doc = $of_form:tt])* $visibility:vis struct $form:ident {
        $($(#[doc = $of_field:tt])* $(#[schema($($schema:tt)*)])?
        $of:vis $field:ident: $declared:ty,)+
    }) => {
        $(#[doc = $of_form])*
        #[derive(Debug, Clone, Default, serde::Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        $visibility struct $form {
            $($(#[doc = $of_field])*
            $of $field: $crate::web::form::Field<<$declared as $crate::web::form::Declared>::Read>,)+
        }

        const _: () = {
            $(#[doc = $of_form])*
            #[derive(utoipa::ToSchema)]
            #[schema(rename_all = "camelCase")]
            #[expect(dead_code, reason = "only described, never constructed")]
            struct Description {
                $($(#[doc = $of_field])* $(#[schema($($schema)*)])? $field: $declared,)+
            }

            impl utoipa::PartialSchema for $form {
                fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                    Description::schema()
                }
            }

            impl utoipa::ToSchema for $form {
                fn name() -> std::borrow::Cow<'static, str> {
                    stringify!($form).into()
                }

                fn schemas(all: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
                    Description::schemas(all);
                }
            }
        };
    };
}
pub(crate) use form;

impl Field<bool> {
    /// Whether nothing was sent.
    pub fn is_blank(&self) -> bool {
        matches!(self, Self::Absent | Self::Null)
    }
}

impl Field<String> {
    /// Whether it is empty or white space.
    pub fn is_blank(&self) -> bool {
        match self {
            Self::Absent | Self::Null => true,
            Self::Value(text) => text.trim().is_empty(),
            Self::Wrong => false,
        }
    }

    /// The trimmed text; empty if absent or of the wrong type.
    pub fn text(&self) -> &str {
        match self {
            Self::Value(text) => text.trim(),
            _ => "",
        }
    }

    /// The text as sent, including spaces; empty if absent or of the wrong type.
    pub fn untrimmed(&self) -> &str {
        match self {
            Self::Value(text) => text,
            _ => "",
        }
    }

    /// A text of `min..=max` characters, of which at least `min` can be seen.
    ///
    /// # Errors
    /// `message` if it is too short or not a text; a sentence with the limit if it is too long.
    pub fn between(&self, min: usize, max: usize, message: &str) -> Result<String, String> {
        let text = self.text();
        if count_seen(text) < min {
            Err(message.to_owned())
        } else if text.chars().count() > max {
            Err(format!("Must be at most {max} characters"))
        } else if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
            Err("Must not contain control characters".to_owned())
        } else {
            Ok(text.to_owned())
        }
    }

    /// An optional text of at most `max` characters; blank means `None`.
    ///
    /// # Errors
    /// A sentence when it is too long or not a text.
    pub fn optional(&self, max: usize) -> Result<Option<String>, String> {
        match self {
            Self::Wrong => Err("Must be a text".to_owned()),
            _ if count_seen(self.text()) == 0 => Ok(None),
            _ => self.between(1, max, "").map(Some),
        }
    }

    /// The field itself, if it has text.
    ///
    /// # Errors
    /// `message` if it has none.
    pub fn filled(&self, message: &str) -> Result<&Self, String> {
        if self.text().is_empty() { Err(message.to_owned()) } else { Ok(self) }
    }

    /// A word of a closed set.
    ///
    /// # Errors
    /// A sentence that lists the valid words.
    pub fn one_of<T: ClosedSet>(&self) -> Result<T, String> {
        T::choose(self.text())
    }

    /// A word of a closed set, or `None` if absent.
    ///
    /// # Errors
    /// As [`Self::one_of`].
    pub fn optional_one_of<T: ClosedSet>(&self) -> Result<Option<T>, String> {
        match self {
            Self::Absent | Self::Null => Ok(None),
            Self::Value(_) | Self::Wrong => self.one_of().map(Some),
        }
    }

    /// The name of a person, as [`Self::name`].
    ///
    /// # Errors
    /// As [`Self::between`] and [`check_person`].
    pub fn person(&self, min: usize, max: usize, message: &str) -> Result<String, String> {
        let name = self.name(min, max, message)?;
        check_person(&name).map(|()| name)
    }

    /// An optional name of a person, as [`Self::optional_name`].
    ///
    /// # Errors
    /// As [`Self::optional`] and [`check_person`].
    pub fn optional_person(&self, max: usize) -> Result<Option<String>, String> {
        let name = self.optional_name(max)?;
        name.as_deref().map_or(Ok(()), check_person).map(|()| name)
    }

    /// A name, as [`Self::between`] and [cleaned](clean_name).
    ///
    /// # Errors
    /// As [`Self::between`]; invisible characters do not count.
    pub fn name(&self, min: usize, max: usize, message: &str) -> Result<String, String> {
        let name = clean_name(&self.between(min, max, message)?);
        if name.chars().count() < min { Err(message.to_owned()) } else { Ok(name) }
    }

    /// An optional name, as [`Self::optional`] and [cleaned](clean_name).
    ///
    /// # Errors
    /// As [`Self::optional`].
    pub fn optional_name(&self, max: usize) -> Result<Option<String>, String> {
        Ok(self.optional(max)?.map(|name| clean_name(&name)).filter(|name| !name.is_empty()))
    }

    /// A real calendar date within a plausible range: `2026-09-08`, or as [`WrittenDate::read`] reads it.
    ///
    /// # Errors
    /// `message` if absent, another sentence if it is not a date.
    pub fn date(&self, message: &str) -> Result<Date, String> {
        self.date_of_any_year(message).and_then(|date| {
            if (1900..=2200).contains(&date.year()) { Ok(date) } else { Err(NO_DATE.to_owned()) }
        })
    }

    /// As [`Self::date`], or `None` if blank.
    ///
    /// # Errors
    /// A sentence if it is not a date.
    pub fn optional_date(&self) -> Result<Option<Date>, String> {
        if self.is_blank() { Ok(None) } else { self.date("").map(Some) }
    }

    /// As [`Self::date`], for callers that validate the year themselves.
    ///
    /// # Errors
    /// `message` if absent, another sentence if it is not a date.
    pub fn date_of_any_year(&self, message: &str) -> Result<Date, String> {
        let text = self.text();
        if self.is_blank() {
            return Err(message.to_owned());
        }
        match iso_date(text) {
            Ok(day) => Ok(day),
            // A moment in another zone can be another day.
            Err(rule) if text.contains(':') => Err(rule),
            Err(rule) => WrittenDate::read(text).one().map_err(|other| other.unwrap_or(rule)),
        }
    }
}

/// A date in the form `2026-09-08` alone.
///
/// # Errors
/// A sentence if it is none.
pub fn iso_date(text: &str) -> Result<Date, String> {
    let well_formed = text.len() == 10 && !text.starts_with('-');
    well_formed.then(|| text.parse().ok()).flatten().ok_or_else(|| NO_DATE.to_owned())
}

impl Password {
    /// A new password and its confirmation. `own` as for [`Password::parse`].
    pub fn parse_confirmed(
        password: &Field<String>,
        confirm: &Field<String>,
        own: &[&str],
        errors: &mut FieldErrors,
    ) -> Option<Self> {
        let parsed = errors.take("password", Self::parse(password.untrimmed(), own));
        let repeated = confirm.untrimmed();
        errors.take("confirmPassword", check_length(repeated))?;
        if check_length(password.untrimmed()).is_ok() && normal(password.untrimmed()) != normal(repeated) {
            errors.add("confirmPassword", "Passwords don't match");
            return None;
        }
        parsed
    }
}

/// A JSON body of at most 64 KiB; requires the JSON content type, which a cross-site form cannot send.
impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self, Error> {
        check_type(&request)?;
        read_object(&read_body(request, MAX).await?).map(Self)
    }
}

impl<T> Parameter for Json<T> {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
    }
}

impl<T> Parameter for OptionalJson<T> {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
    }
}

/// A JSON body as for [`Json`]; without a body, the type's default.
pub struct OptionalJson<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Default> FromRequest<S> for OptionalJson<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self, Error> {
        let checked = check_type(&request);
        let body = read_body(request, MAX).await?;
        if body.is_empty() {
            Ok(Self(T::default()))
        } else {
            checked.and_then(|()| read_object(&body).map(Self))
        }
    }
}

/// A JSON body that is a bare list of objects, checked and limited as [`Json`] is.
pub struct JsonList<T>(pub Vec<T>);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonList<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self, Error> {
        check_type(&request)?;
        let body = read_body(request, MAX).await?;
        // An object first: a struct would be read from a list of its values, too.
        let rows: Vec<serde_json::Map<String, serde_json::Value>> = serde_json::from_slice(&body)
            .map_err(|_| Error::BadRequest("The request body must be a JSON list of objects.".into()))?;
        let rows = rows.into_iter().map(|row| serde_json::from_value(row.into()));
        let rows = rows.collect::<Result<_, _>>();
        rows.map(Self).map_err(|_| Error::BadRequest("The request body is not valid JSON.".into()))
    }
}

impl<T> Parameter for JsonList<T> {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
    }
}

/// A form as a browser sends it by itself, read as [`Json`] reads its body.
pub struct Urlencoded<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Urlencoded<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let FormPairs(pairs) = FormPairs::from_request(request, state).await?;
        let fields = pairs.into_iter().map(|(name, value)| (name, value.into()));
        serde_json::from_value(serde_json::Value::Object(fields.collect()))
            .map(Self)
            .map_err(|_| Error::BadRequest("The form could not be read.".into()))
    }
}

/// The names and values of a form as a browser sends it by itself; of boxes with one name, each that is ticked.
pub struct FormPairs(pub Vec<(String, String)>);

impl<S: Send + Sync> FromRequest<S> for FormPairs {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self, Error> {
        if !is_of_type(&request, "application/x-www-form-urlencoded") {
            return Err(Error::UnsupportedType("The request body must be a form.".into()));
        }
        // Percent-encoding takes three bytes for each byte of a non-ASCII letter.
        let body = read_body(request, 3 * MAX).await?;
        // Browsers send CRLF line ends.
        let pairs = form_urlencoded::parse(&body);
        Ok(Self(pairs.map(|(name, value)| (name.into_owned(), value.replace("\r\n", "\n"))).collect()))
    }
}

fn is_of_type(request: &Request, wanted: &str) -> bool {
    let value = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.is_some_and(|value| value.split(';').next().unwrap_or("").trim() == wanted)
}

fn check_type(request: &Request) -> Result<(), Error> {
    if is_of_type(request, "application/json") {
        return Ok(());
    }
    Err(Error::UnsupportedType("The request body must be JSON (application/json).".into()))
}

/// Limit of a form, in bytes.
const MAX: usize = 64 * 1024;

async fn read_body(request: Request, max: usize) -> Result<axum::body::Bytes, Error> {
    axum::body::to_bytes(request.into_body(), max).await.map_err(|error| match TooSlow::is_cause_of(&error) {
        true => Error::TooSlow,
        false => Error::TooLarge(
            "This is longer than the limit of 64 KB. Please shorten it, and try again.".into(),
        ),
    })
}

fn read_object<T: DeserializeOwned>(body: &[u8]) -> Result<T, Error> {
    let is_object = body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
    if !is_object {
        return Err(Error::BadRequest("The request body must be a JSON object.".into()));
    }
    serde_json::from_slice(body).map_err(|_| Error::BadRequest("The request body is not valid JSON.".into()))
}

#[cfg(test)]
mod tests {
    use utoipa::{PartialSchema, ToSchema};

    use super::*;

    form! {
        /// A visit to the school.
        struct Visit {
            /// When.
            first_day: Date,
            phone: Option<String>,
            #[schema(required = false, example = 2)]
            guests: i64,
        }
    }

    #[test]
    fn a_form_is_read_whatever_its_fields_hold() {
        let read = |body: &str| serde_json::from_str::<Visit>(body).unwrap();
        let visit = read(r#"{"firstDay": "soon", "phone": null, "guests": "two", "other": 1}"#);
        assert_eq!(visit.first_day, Field::Value("soon".to_owned()));
        assert_eq!((visit.phone, visit.guests), (Field::Null, Field::Wrong));
        assert_eq!(read("{}").guests, Field::Absent);
    }

    #[test]
    fn a_date_of_the_wrong_type_is_told_from_none() {
        assert_eq!(Field::Wrong.date("wanted"), Err(NO_DATE.to_owned()));
        assert_eq!(Field::Wrong.optional_date(), Err(NO_DATE.to_owned()));
        assert_eq!(Field::Null.date("wanted"), Err("wanted".to_owned()));
        assert_eq!(Field::Value(" ".to_owned()).optional_date(), Ok(None));
    }

    #[test]
    fn a_name_consists_of_visible_characters() {
        let name = |text: &str| Field::Value(text.to_owned()).name(2, 20, "wanted");
        assert_eq!(name(" Zoë\u{202E}  Müller "), Ok("Zoë Müller".to_owned()));
        assert_eq!(name("\u{202E}\u{200B}a"), Err("wanted".to_owned()), "invisible characters do not count");
        assert_eq!(Field::Value("\u{2066}\u{2069}".to_owned()).optional_name(10), Ok(None));
    }

    #[test]
    fn a_form_is_described_by_its_declared_types() {
        assert_eq!(Visit::name(), "Visit");
        assert_eq!(
            serde_json::to_value(Visit::schema()).unwrap(),
            serde_json::json!({
                "type": "object",
                "description": "A visit to the school.",
                "required": ["firstDay"],
                "properties": {
                    "firstDay": {"type": "string", "format": "date", "description": "When."},
                    "phone": {"type": ["string", "null"]},
                    "guests": {"type": "integer", "format": "int64", "example": 2},
                },
            })
        );
    }
}
