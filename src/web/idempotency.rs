//! `Idempotency-Key`: a call that is sent twice under one key is carried out once, and answered the same.
//!
//! The first answer is stored in the transaction of what it reports, for seven days, under the key and its user. So a
//! double Enter, a second tab or a server that died before it could answer leads to no second payment. A refused call
//! uses up no key; without a key a call is carried out as often as it is sent.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use utoipa::openapi::Required;
use utoipa::openapi::path::{ParameterBuilder, ParameterIn};
use utoipa::{PartialSchema, ToSchema};

use crate::base::error::{Error, Result};
use crate::base::json::Json;
use crate::base::random::hex;
use crate::storage::statements::{Statements, params};
use crate::web::description::{Answer, Description, Parameter};
use crate::web::form::OptionalJson;
use crate::web::sheet::request::file_of;

/// How long an answer is kept.
const KEPT: SignedDuration = SignedDuration::from_hours(7 * 24);

const HEADER: &str = "idempotency-key";

/// Digits of a request's hash that tell it from others of a day.
const HASH: usize = 40;

/// A JSON body, with the key of the call.
pub struct Idempotent<T> {
    /// The key.
    pub key: IdempotencyKey,
    /// The body.
    pub body: T,
}

/// The key of a call, if it has one, and what it asks for.
pub struct IdempotencyKey {
    key: Option<String>,
    request_hash: [u8; 32],
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Idempotent<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let key = read_key(request.headers())?;
        let path = request.uri().path().to_owned();
        let OptionalJson(body) = OptionalJson::<Value>::from_request(request, state).await?;
        // Without a body, as with an empty one.
        let body = if body.is_null() { json!({}) } else { body };
        let request_hash = Sha256::new().chain_update(path).chain_update(body.to_string()).finalize().into();
        let body = serde_json::from_value(body)
            .map_err(|_| Error::BadRequest("The request body is not valid JSON.".into()))?;
        Ok(Self { key: IdempotencyKey { key, request_hash }, body })
    }
}

/// A file as a body, with the key of the call.
pub struct IdempotentFile {
    /// The key.
    pub key: IdempotencyKey,
    /// The file.
    pub file: Vec<u8>,
}

impl<S: Send + Sync> FromRequest<S> for IdempotentFile {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let key = read_key(request.headers())?;
        let address = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
        let body = Bytes::from_request(request, state).await;
        let file = file_of(
            body,
            "The file must be at most 1 MB. Please divide it, and import one part after the other.",
        )?;
        let request_hash = Sha256::new().chain_update(address).chain_update(&file).finalize().into();
        Ok(Self { key: IdempotencyKey { key, request_hash }, file })
    }
}

impl Parameter for IdempotentFile {
    fn describe(description: &mut Description<'_>) {
        Bytes::describe(description);
        <Idempotent<()> as Parameter>::describe(description);
    }
}

fn read_key(headers: &HeaderMap) -> Result<Option<String>> {
    let Some(value) = headers.get(HEADER) else { return Ok(None) };
    let is_valid =
        |key: &&str| (8..=64).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    let key = value.to_str().ok().filter(is_valid).ok_or_else(|| {
        Error::BadRequest("The Idempotency-Key must have 8 to 64 visible characters.".into())
    })?;
    Ok(Some(key.to_owned()))
}

impl<T> Parameter for Idempotent<T> {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
        description.refusal("409");
        let key = ParameterBuilder::new()
            .name("Idempotency-Key")
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .description(Some(
                "8 to 64 visible characters; the same call under the same key within seven days is carried out once",
            ))
            .schema(Some(String::schema()));
        description.operation.parameters.get_or_insert_default().push(key.build().into());
    }
}

impl IdempotencyKey {
    /// The same; without a key that of what is asked for and of the day, so that the same call on one day is carried out once.
    pub fn or_of_day(self, day: Date) -> Self {
        let own = || format!("{day} {}", &hex(&self.request_hash)[..HASH]);
        Self { key: self.key.or_else(|| Some(own())), request_hash: self.request_hash }
    }

    /// The key itself.
    pub fn as_str(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// Carries the call out, or returns the answer of the first one. Call it in the write transaction.
    ///
    /// # Errors
    /// 409 when the key was used for something else, and what `work` returned.
    pub fn once<T: Serialize, const STATUS: u16>(
        &self,
        connection: &Connection,
        user_id: i64,
        now: Timestamp,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<Once<T, STATUS>> {
        self.once_kept(connection, user_id, now, work, |answer| Some(json!(answer)))
    }

    /// The same, of an answer of which a part is kept for who repeats the call: no whole records of people. Of what came to
    /// nothing nothing is kept, so that it can be tried again.
    ///
    /// # Errors
    /// As [`Self::once`].
    pub fn once_kept<T: Serialize, const STATUS: u16>(
        &self,
        connection: &Connection,
        user_id: i64,
        now: Timestamp,
        work: impl FnOnce() -> Result<T>,
        kept: impl FnOnce(&T) -> Option<Value>,
    ) -> Result<Once<T, STATUS>> {
        let Some(key) = &self.key else { return work().map(Once::First) };
        let sql = "select request_hash, response from idempotency where user_id = :user_id and key = :key";
        let earlier: Option<(Vec<u8>, String)> = connection.find(sql, params![user_id, key])?;
        if let Some((hash, response)) = earlier {
            if hash == self.request_hash {
                return Ok(Once::Again(response));
            }
            return Err(Error::Lacking(
                "idempotency_key_reused",
                "This form was sent before with other values. Close it, and look at what was saved before you open it again.".into(),
                Box::new(serde_json::from_str(&response).unwrap_or_default()),
            ));
        }
        let answer = work()?;
        let Some(response) = kept(&answer).map(|kept| kept.to_string()) else {
            return Ok(Once::First(answer));
        };
        let sql = "insert into idempotency (user_id, key, request_hash, response, created_at)
            values (:user_id, :key, :request_hash, :response, :now)";
        let request_hash = &self.request_hash;
        connection.run(sql, params![user_id, key, request_hash, response, now = now.as_second()])?;
        Ok(Once::First(answer))
    }
}

/// The answer to a call that is carried out once: 201 unless it says 200, and 200 when it is repeated.
pub enum Once<T, const STATUS: u16 = 201> {
    /// It was carried out.
    First(T),
    /// The answer of the first one, as JSON.
    Again(String),
    /// Nothing was to be carried out: 200.
    Shown(T),
}

impl<T: Serialize, const STATUS: u16> IntoResponse for Once<T, STATUS> {
    fn into_response(self) -> Response {
        match self {
            Self::First(answer) => {
                let status = StatusCode::from_u16(STATUS).unwrap_or(StatusCode::OK);
                (status, Json(answer)).into_response()
            }
            Self::Shown(answer) => Json(answer).into_response(),
            Self::Again(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
        }
    }
}

impl<T: ToSchema, const STATUS: u16> Answer for Once<T, STATUS> {
    fn describe(description: &mut Description<'_>) {
        if STATUS == 200 {
            description.success("200", Description::json::<T>);
            return;
        }
        description.success("201", Description::json::<T>);
        let again = description.json::<T>();
        description.answer("200", again);
    }
}

/// Deletes answers that are no longer kept.
pub fn sweep(connection: &Connection, now: Timestamp) -> Result<()> {
    let before = (now - KEPT).as_second();
    connection.run("delete from idempotency where created_at <= :before", params![before])
}
