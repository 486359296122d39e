//! Who is signed in: our store under tower-sessions, with one portal for students and one for staff.
//!
//! Promises: the cookie's value is not in the database; a request in flight cannot bring a
//! logged-out session back (`save` only updates); idle and absolute lifetimes are the server's,
//! by its own clock. The published store promises none of these.
//!
//! OWASP ASVS 5.0, V7.2 (how sessions are made) and V3.3 (their cookies); what is open of V7 stands in
//! `tests/asvs.md`.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use anyhow::Context;
use async_trait::async_trait;
use axum::extract::Request;
use axum::http::request::Parts;
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, named_params};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use tower_sessions::cookie::SameSite;
use tower_sessions::session::{Id, Record};
use tower_sessions::session_store::{Error as StoreError, Result as StoreResult};
use tower_sessions::{Expiry, Session, SessionManagerLayer, SessionStore};

use crate::base::clock::Clock;
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::{Error, Result};
use crate::config::Limits;
use crate::storage::db::{Db, Memo};
use crate::web::app::App;

closed_set! {
    /// Which portal a session belongs to; its cookie is named after it.
    pub enum Portal {
        /// Signed in until logout: 90 days after the last visit, `[limits] student_session_days` in any case.
        Student = "student",
        /// Signed out after 60 idle minutes, and after 12 hours in any case.
        Staff = "staff",
    }
}

impl Portal {
    fn idle(self) -> SignedDuration {
        match self {
            Self::Student => SignedDuration::from_hours(90 * 24),
            Self::Staff => SignedDuration::from_mins(60),
        }
    }

    fn absolute(self, limits: &Limits) -> SignedDuration {
        match self {
            Self::Student => SignedDuration::from_hours(24 * i64::from(limits.student_session_days)),
            Self::Staff => SignedDuration::from_hours(12),
        }
    }

    /// How stale `last_seen_at` may become before a visit writes it again.
    fn grain(self) -> SignedDuration {
        match self {
            Self::Student => SignedDuration::from_hours(1),
            Self::Staff => SignedDuration::from_mins(1),
        }
    }
}

/// The student's session of this request, as an extension.
#[derive(Clone)]
pub struct StudentSession(pub Session);

/// The staff member's session of this request, as an extension.
#[derive(Clone)]
pub struct StaffSession(pub Session);

/// The accounts of one portal as they were looked up for requests, as an extension.
pub struct Accounts<A>(Arc<Memo<i64, Option<Arc<A>>>>);

impl<A> Accounts<A> {
    /// An account as it is now; `find` looks it up.
    ///
    /// # Errors
    /// What `find` returned.
    pub async fn find(
        parts: &Parts,
        db: &Db,
        id: i64,
        find: fn(&Connection, i64) -> Result<Option<A>>,
    ) -> Result<Option<Arc<A>>>
    where
        A: Send + Sync + 'static,
    {
        let accounts = parts.extensions.get::<Self>().context("the router knows no such accounts")?;
        db.recall(&accounts.0, id, |connection| Ok(find(connection, id)?.map(Arc::new))).await
    }
}

impl<A> Clone for Accounts<A> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<A> Default for Accounts<A> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

const SUBJECT: &str = "subject";
const SEEN: &str = "seen";
// What kind of device it is, for its owner's list.
const DEVICE: &str = "device";
// When somebody proved here who they are, by their password or their second factor; in milliseconds.
const PROVEN: &str = "proven";

/// For how long it counts that somebody has proved who they are: whoever finds a browser open is not them.
pub const PROOF_HOLDS: SignedDuration = SignedDuration::from_mins(10);

/// Signs somebody in under a new id, whoever was signed in here before.
pub async fn sign_in(session: &Session, subject: i64, device: &str, now: Timestamp) -> Result<()> {
    sign_out(session).await?;
    session.insert(SUBJECT, subject).await.map_err(internal)?;
    session.insert(DEVICE, device).await.map_err(internal)?;
    prove(session, now).await?;
    // Now, and not by the layer after the answer: a full disk gets a sentence of its own.
    session.save().await.map_err(|error| {
        tracing::error!("a session could not be saved: {error}");
        Error::Full("Your login could not be saved. Please try again later.")
    })?;
    // The layer sends the cookie of a session that has changed since it was saved.
    session.insert(SEEN, now.as_second()).await.map_err(internal)
}

/// Ends the session and removes its cookie.
pub async fn sign_out(session: &Session) -> Result<()> {
    // Without a cookie there is nothing to end, and tower-sessions would warn of it in the log.
    if session.id().is_none() {
        return Ok(());
    }
    session.flush().await.map_err(internal)
}

/// The answer to whoever signed out: the browser forgets the pages that it keeps for the way back. Cookies
/// stay: the other portal's session may be among them, and the one that tells a known browser is.
pub const SIGNED_OUT: [(&str, &str); 1] = [("clear-site-data", "\"cache\", \"storage\"")];

/// Who is signed in here, if anybody; extends the session's life at most once per grain.
pub async fn subject(session: &Session, portal: Portal, now: Timestamp) -> Result<Option<i64>> {
    let Some(subject) = session.get::<i64>(SUBJECT).await.map_err(internal)? else {
        return Ok(None);
    };
    let seen = session.get::<i64>(SEEN).await.map_err(internal)?.unwrap_or(0);
    if now.as_second() - seen >= portal.grain().as_secs() {
        session.insert(SEEN, now.as_second()).await.map_err(internal)?;
    }
    Ok(Some(subject))
}

/// Notes that somebody has just proved who they are; a login is such a proof.
pub async fn prove(session: &Session, now: Timestamp) -> Result<()> {
    session.insert(PROVEN, now.as_millisecond()).await.map_err(internal)
}

/// When somebody proved here who they are, if ever.
pub async fn proven_at(session: &Session) -> Result<Option<Timestamp>> {
    let millis = session.get::<i64>(PROVEN).await.map_err(internal)?;
    Ok(millis.and_then(|millis| Timestamp::from_millisecond(millis).ok()))
}

/// Whether a proof of that time still counts.
///
/// # Errors
/// [`Error::Unproven`] otherwise. One from the future does not, or a clock that was wrong would count for ever.
pub fn check_recent(proven_at: Option<Timestamp>, now: Timestamp) -> Result<()> {
    let age = proven_at.map(|proven_at| now.duration_since(proven_at));
    match age {
        Some(age) if age < PROOF_HOLDS && age > -PROOF_HOLDS => Ok(()),
        _ => Err(Error::Unproven),
    }
}

/// Ends every session of somebody, the one of this request too: after a new password, for example.
/// Returns how many.
pub fn end_all(connection: &Connection, portal: Portal, subject: i64) -> Result<usize> {
    Ok(connection
        .prepare_cached("delete from sessions where kind = :kind and subject_id = :subject")?
        .execute(named_params! { ":kind": portal, ":subject": subject })?)
}

/// After [`end_all`]: signs this browser in again under a new id, so that a copy of its old cookie is
/// worthless too. Nothing happens unless `before`, who was signed in here until then, is the subject.
///
/// What ended the sessions is done and is not undone by this: a browser whose new session cannot be
/// saved is logged out.
pub async fn renew(session: &Session, before: Option<i64>, subject: i64, now: Timestamp) {
    if before != Some(subject) {
        return;
    }
    let device = session.get::<String>(DEVICE).await.ok().flatten().unwrap_or_default();
    if sign_in(session, subject, &device, now).await.is_err() {
        session.clear().await;
    }
}

/// Deletes sessions that have run out.
pub fn sweep(connection: &Connection, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached("delete from sessions where expires_at <= :now")?
        .execute(named_params! { ":now": now.as_second() })?;
    Ok(())
}

/// The layer of one portal. `__Host-` cookies exist only over HTTPS.
pub fn layer(portal: Portal, app: &App, https: bool) -> SessionManagerLayer<Store> {
    let prefix = if https { "__Host-" } else { "" };
    let limits = &app.config.limits;
    let store = Store {
        portal,
        db: app.db.clone(),
        clock: app.clock.clone(),
        absolute: portal.absolute(limits),
        max: limits.sessions_per_account,
        known: Arc::default(),
    };
    SessionManagerLayer::new(store)
        .with_name(format!("{prefix}schoolhouse_{}", portal.as_str()))
        .with_secure(https)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_path("/")
        .with_expiry(Expiry::OnInactivity(time::Duration::seconds(portal.idle().as_secs())))
}

/// Keeps the student portal's session when the staff portal's layer puts its own in the same place.
pub fn keep_student(mut request: Request) -> Request {
    if let Some(session) = request.extensions_mut().remove::<Session>() {
        request.extensions_mut().insert(StudentSession(session));
    }
    request
}

/// Names the staff portal's session as such.
pub fn keep_staff(mut request: Request) -> Request {
    if let Some(session) = request.extensions_mut().remove::<Session>() {
        request.extensions_mut().insert(StaffSession(session));
    }
    request
}

/// The sessions of one portal in the database.
#[derive(Clone)]
pub struct Store {
    portal: Portal,
    db: Db,
    clock: Clock,
    /// After which time a session ends in any case.
    absolute: SignedDuration,
    /// How many an account may have.
    max: u32,
    /// A page asks for several things at once: its session is looked up for the first of them.
    known: Arc<Memo<Id, Option<Known>>>,
}

/// A session as it was read.
#[derive(Clone)]
struct Known {
    data: HashMap<String, serde_json::Value>,
    expires_at: i64,
}

impl Store {
    fn expires_at(&self, created_at: Timestamp, seen_at: Timestamp) -> i64 {
        (seen_at + self.portal.idle()).min(created_at + self.absolute).as_second()
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("portal", &self.portal).finish_non_exhaustive()
    }
}

#[async_trait]
impl SessionStore for Store {
    async fn create(&self, record: &mut Record) -> StoreResult<()> {
        // tower-sessions keeps the cookie's id through a flush: without a new one, whoever planted
        // the cookie would share the session (fixation).
        record.id = Id::default();
        let (portal, now) = (self.portal, self.clock.now());
        let (expires, max) = (self.expires_at(now, now), self.max);
        let row = SessionRow::from_record(record)?;
        self.db
            .write(move |connection| {
                connection
                    .prepare_cached(
                        "insert into sessions
                             (id_hash, kind, subject_id, data, created_at, last_seen_at, expires_at)
                         values (:id, :kind, :subject, :data, :now, :now, :expires)",
                    )?
                    .execute(named_params! {
                        ":id": row.id, ":kind": portal, ":subject": row.subject, ":data": row.data,
                        ":now": now.as_second(), ":expires": expires,
                    })?;
                connection
                    .prepare_cached(
                        "delete from sessions where id_hash in (
                             select id_hash from sessions where kind = :kind and subject_id = :subject
                             order by id_hash = :id desc, last_seen_at desc limit -1 offset :max)",
                    )?
                    .execute(named_params! {
                        ":kind": portal, ":subject": row.subject, ":id": row.id, ":max": max,
                    })?;
                Ok(())
            })
            .await
            .map_err(backend)
    }

    /// Updates only: a session that was deleted meanwhile stays deleted.
    async fn save(&self, record: &Record) -> StoreResult<()> {
        let (portal, now) = (self.portal, self.clock.now());
        let store = self.clone();
        let row = SessionRow::from_record(record)?;
        self.db
            .write(move |connection| {
                let created: Option<i64> = connection
                    .prepare_cached("select created_at from sessions where id_hash = :id")?
                    .query_row(named_params! { ":id": row.id }, |found| found.get(0))
                    .optional()?;
                let Some(created) = created else { return Ok(()) };
                let expires = store.expires_at(crate::base::clock::from_seconds(created), now);
                connection
                    .prepare_cached(
                        "update sessions set subject_id = :subject, data = :data,
                             last_seen_at = :now, expires_at = :expires
                         where id_hash = :id and kind = :kind",
                    )?
                    .execute(named_params! {
                        ":id": row.id, ":kind": portal, ":subject": row.subject, ":data": row.data,
                        ":now": now.as_second(), ":expires": expires,
                    })?;
                Ok(())
            })
            .await
            .or_else(|error| {
                // Who is signed in stays so while the disk fails: only the last visit is not noted, and
                // an answer that is made already is not turned into a refusal.
                if !matches!(error, Error::Busy(_) | Error::Full(_) | Error::ReadOnly) {
                    tracing::warn!("a visit was not noted: {error:?}");
                }
                Ok(())
            })
    }

    async fn load(&self, id: &Id) -> StoreResult<Option<Record>> {
        let found = self.db.recall(&self.known, *id, |connection| find(connection, self.portal, id)).await;
        let now = self.clock.now().as_second();
        let known = found.map_err(backend)?.filter(|known| known.expires_at > now);
        // The database decides about expiry; the record's own date never does.
        let expiry_date = OffsetDateTime::UNIX_EPOCH + time::Duration::days(365 * 1000);
        Ok(known.map(|known| Record { id: *id, data: known.data, expiry_date }))
    }

    async fn delete(&self, id: &Id) -> StoreResult<()> {
        let hashed = hash(id);
        self.db
            .write(move |connection| {
                connection
                    .prepare_cached("delete from sessions where id_hash = :id")?
                    .execute(named_params! { ":id": hashed })?;
                Ok(())
            })
            .await
            .map_err(backend)
    }
}

fn find(connection: &Connection, portal: Portal, id: &Id) -> Result<Option<Known>> {
    let found = connection
        .prepare_cached("select data, expires_at from sessions where id_hash = :id and kind = :kind")?
        .query_row(named_params! { ":id": hash(id), ":kind": portal }, |row| {
            Ok((row.get::<_, String>("data")?, row.get("expires_at")?))
        })
        .optional()?;
    let Some((data, expires_at)) = found else { return Ok(None) };
    let data = serde_json::from_str(&data).context("sessions.data")?;
    Ok(Some(Known { data, expires_at }))
}

struct SessionRow {
    id: Vec<u8>,
    subject: i64,
    data: String,
}

impl SessionRow {
    fn from_record(record: &Record) -> StoreResult<Self> {
        let subject = record
            .data
            .get(SUBJECT)
            .and_then(serde_json::Value::as_i64)
            .ok_or_else(|| StoreError::Encode("a session without a subject is not stored".into()))?;
        let data =
            serde_json::to_string(&record.data).map_err(|error| StoreError::Encode(error.to_string()))?;
        Ok(Self { id: hash(&record.id), subject, data })
    }
}

pub(super) fn hash(id: &Id) -> Vec<u8> {
    Sha256::digest(id.0.to_le_bytes()).to_vec()
}

#[expect(clippy::needless_pass_by_value, reason = "what map_err hands over")]
fn backend(error: Error) -> StoreError {
    StoreError::Backend(format!("{error:?}"))
}

fn internal(error: tower_sessions::session::Error) -> Error {
    Error::Internal(anyhow::Error::new(error).context("session"))
}
