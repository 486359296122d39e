//! Sessions: a store for tower-sessions, with one portal for students and one for staff.
//!
//! Promises: the cookie's value is not in the database; a request in flight cannot revive a logged-out session (`save`
//! only updates); idle and absolute lifetimes are enforced by the server's clock. The published store promises none of
//! these.
//!
//! OWASP ASVS 5.0, V7.2 (creation of sessions) and V3.3 (their cookies); `tests/asvs.md` lists what is open of V7.

mod store;

use std::sync::Arc;

use anyhow::Context;
use axum::extract::Request;
use axum::http::Extensions;
use axum::http::request::Parts;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use tower_sessions::cookie::SameSite;
use tower_sessions::{Expiry, Session, SessionManagerLayer};
use utoipa::openapi::ResponseBuilder;

use self::store::Store;
pub(super) use self::store::hash;
use crate::base::closed_set::ClosedSet;
use crate::base::error::{DATABASE_BUSY, Error, Result};
use crate::config::Limits;
use crate::storage::db::{Db, QueryCache};
use crate::storage::statements::{Statements, params};
use crate::web::app::App;
use crate::web::description::{Answer, Description};
use crate::web::portal::Portal;

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

    /// How stale `last_seen_at` may become before a visit updates it.
    fn touch_interval(self) -> SignedDuration {
        match self {
            Self::Student => SignedDuration::from_hours(1),
            Self::Staff => SignedDuration::from_mins(1),
        }
    }
}

/// The request's session of the student portal, as an extension.
#[derive(Clone)]
pub struct StudentSession(pub Session);

/// The request's session of the staff portal, as an extension.
#[derive(Clone)]
pub struct StaffSession(pub Session);

/// The request's session of a portal.
pub fn of(portal: Portal, extensions: &Extensions) -> Option<&Session> {
    match portal {
        Portal::Student => extensions.get().map(|StudentSession(session)| session),
        Portal::Staff => extensions.get().map(|StaffSession(session)| session),
    }
}

/// Cache of one portal's accounts, as an extension.
pub struct Accounts<A>(Arc<QueryCache<i64, Option<Arc<A>>>>);

impl<A> Accounts<A> {
    /// The current state of an account; `find` loads it.
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
// Kind of device, for the owner's list.
const DEVICE: &str = "device";
// Time of the last authentication in this session, by password or second factor; in milliseconds.
const PROVEN: &str = "proven";

/// How long an authentication counts as recent, to protect an unattended browser.
pub const PROOF_TTL: SignedDuration = SignedDuration::from_mins(10);

/// Signs an authenticated user in under a new session id, replacing any previous session.
pub async fn sign_in(session: &Session, subject: i64, device: &str, now: Timestamp) -> Result<()> {
    begin(session, subject, device, Some(now), now).await
}

async fn begin(
    session: &Session,
    subject: i64,
    device: &str,
    proven_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<()> {
    sign_out(session).await?;
    session.insert(SUBJECT, subject).await.map_err(internal)?;
    session.insert(DEVICE, device).await.map_err(internal)?;
    if let Some(proven_at) = proven_at {
        prove(session, proven_at).await?;
    }
    // Saved now, not by the layer after the response, so that a full disk gets its own message.
    session.save().await.map_err(|error| {
        tracing::error!("a session could not be saved: {error}");
        Error::Full("Your login could not be saved. Please try again later.")
    })?;
    // The layer sends the cookie only if the session has changed since it was saved.
    session.insert(SEEN, now.as_second()).await.map_err(internal)
}

/// Ends the session and removes its cookie.
pub async fn sign_out(session: &Session) -> Result<()> {
    // Without a cookie there is nothing to end, and tower-sessions would log a warning.
    if session.id().is_none() {
        return Ok(());
    }
    // The store reports the reason only as text; a retry may succeed in any case.
    session.flush().await.map_err(|error| {
        tracing::error!("a session could not be ended: {error}");
        Error::Busy(DATABASE_BUSY)
    })
}

/// Headers after signing out: the browser drops cached pages. Cookies stay, since the device cookie and perhaps the
/// other portal's session are among them.
pub const SIGNED_OUT: SignedOut = [("clear-site-data", "\"cache\", \"storage\"")];

/// The type of [`SIGNED_OUT`].
pub type SignedOut = [(&'static str, &'static str); 1];

impl Answer for SignedOut {
    fn describe(description: &mut Description<'_>) {
        description.success("200", |_| ResponseBuilder::new());
    }
}

/// The signed-in account, if any; extends the session at most once per `touch_interval`.
pub async fn subject(session: &Session, portal: Portal, now: Timestamp) -> Result<Option<i64>> {
    let Some(subject) = session.get::<i64>(SUBJECT).await.map_err(internal)? else {
        return Ok(None);
    };
    let seen = session.get::<i64>(SEEN).await.map_err(internal)?.unwrap_or(0);
    if now.as_second() - seen >= portal.touch_interval().as_secs() {
        session.insert(SEEN, now.as_second()).await.map_err(internal)?;
    }
    Ok(Some(subject))
}

/// Records an authentication; logging in is one.
pub async fn prove(session: &Session, now: Timestamp) -> Result<()> {
    session.insert(PROVEN, now.as_millisecond()).await.map_err(internal)
}

/// Time of the last authentication in this session.
pub async fn proven_at(session: &Session) -> Result<Option<Timestamp>> {
    let millis = session.get::<i64>(PROVEN).await.map_err(internal)?;
    Ok(millis.and_then(|millis| Timestamp::from_millisecond(millis).ok()))
}

/// Checks that an authentication is recent.
///
/// # Errors
/// [`Error::Unproven`] otherwise, also for a time in the future, which a wrong clock would make valid forever.
pub fn check_recent(proven_at: Option<Timestamp>, now: Timestamp) -> Result<()> {
    let age = proven_at.map(|proven_at| now.duration_since(proven_at));
    match age {
        Some(age) if age < PROOF_TTL && age > -PROOF_TTL => Ok(()),
        _ => Err(Error::Unproven),
    }
}

/// Ends every session of an account, including the current one, for example after a password change. Returns the
/// number.
pub fn end_all(connection: &Connection, portal: Portal, subject: i64) -> Result<usize> {
    let sql = "delete from sessions where kind = :kind and subject_id = :subject";
    connection.change(sql, params![kind = portal, subject])
}

/// After [`end_all`]: signs this browser in again under a new id, so that a copy of its old cookie is worthless, too.
/// Does nothing unless `before`, the account signed in here until then, is the subject.
///
/// `proven_at` is the authentication time carried over. A link leaves none: it proves access to the mailbox only, which
/// may be open in the same browser.
///
/// If the new session cannot be saved, the browser is logged out; the change that ended the sessions stands.
pub async fn renew(
    session: &Session,
    before: Option<i64>,
    subject: i64,
    proven_at: Option<Timestamp>,
    now: Timestamp,
) {
    if before != Some(subject) {
        return;
    }
    let device = session.get::<String>(DEVICE).await.ok().flatten().unwrap_or_default();
    if begin(session, subject, &device, proven_at, now).await.is_err() {
        session.clear().await;
    }
}

/// Deletes expired sessions.
pub fn sweep(connection: &Connection, now: Timestamp) -> Result<()> {
    connection.run("delete from sessions where expires_at <= :now", params![now = now.as_second()])
}

/// The layer of one portal. `__Host-` cookies exist only over HTTPS.
pub fn layer(portal: Portal, app: &App, https: bool) -> SessionManagerLayer<Store> {
    let prefix = if https { "__Host-" } else { "" };
    SessionManagerLayer::new(Store::new(portal, app))
        .with_name(format!("{prefix}schoolhouse_{}", portal.as_str()))
        .with_secure(https)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_path("/")
        .with_expiry(Expiry::OnInactivity(time::Duration::seconds(portal.idle().as_secs())))
}

/// Moves the student portal's session aside before the staff portal's layer inserts its own.
pub fn keep_student(mut request: Request) -> Request {
    if let Some(session) = request.extensions_mut().remove::<Session>() {
        request.extensions_mut().insert(StudentSession(session));
    }
    request
}

/// Wraps the staff portal's session.
pub fn keep_staff(mut request: Request) -> Request {
    if let Some(session) = request.extensions_mut().remove::<Session>() {
        request.extensions_mut().insert(StaffSession(session));
    }
    request
}

fn internal(error: tower_sessions::session::Error) -> Error {
    Error::Internal(anyhow::Error::new(error).context("session"))
}
