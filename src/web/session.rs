//! Who is signed in: our store under tower-sessions, with one portal for students and one for staff.
//!
//! Promises: the cookie's value is not in the database; a request in flight cannot bring a
//! logged-out session back (`save` only updates); idle and absolute lifetimes are the server's,
//! by its own clock. The published store promises none of these.
//!
//! OWASP ASVS 5.0, V7.2 (how sessions are made) and V3.3 (their cookies); what is open of V7 stands in
//! `tests/asvs.md`.

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

    /// How stale `last_seen_at` may become before a visit writes it again.
    fn touch_interval(self) -> SignedDuration {
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

/// A portal's session of a request.
pub fn of(portal: Portal, extensions: &Extensions) -> Option<&Session> {
    match portal {
        Portal::Student => extensions.get().map(|StudentSession(session)| session),
        Portal::Staff => extensions.get().map(|StaffSession(session)| session),
    }
}

/// The accounts of one portal as they were looked up for requests, as an extension.
pub struct Accounts<A>(Arc<QueryCache<i64, Option<Arc<A>>>>);

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
pub const PROOF_TTL: SignedDuration = SignedDuration::from_mins(10);

/// Signs somebody in who has proved who they are, under a new id, whoever was signed in here before.
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
    // The store says in words alone why a write was refused; whatever it was, another try may do.
    session.flush().await.map_err(|error| {
        tracing::error!("a session could not be ended: {error}");
        Error::Busy(DATABASE_BUSY)
    })
}

/// The answer to whoever signed out: the browser forgets the pages that it keeps for the way back. Cookies
/// stay: the other portal's session may be among them, and the one that tells a known browser is.
pub const SIGNED_OUT: SignedOut = [("clear-site-data", "\"cache\", \"storage\"")];

/// The type of [`SIGNED_OUT`].
pub type SignedOut = [(&'static str, &'static str); 1];

impl Answer for SignedOut {
    fn describe(description: &mut Description<'_>) {
        description.success("200", |_| ResponseBuilder::new());
    }
}

/// Who is signed in here, if anybody; extends the session's life at most once per `touch_interval`.
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
        Some(age) if age < PROOF_TTL && age > -PROOF_TTL => Ok(()),
        _ => Err(Error::Unproven),
    }
}

/// Ends every session of somebody, the one of this request too: after a new password, for example.
/// Returns how many.
pub fn end_all(connection: &Connection, portal: Portal, subject: i64) -> Result<usize> {
    let sql = "delete from sessions where kind = :kind and subject_id = :subject";
    connection.change(sql, params![kind = portal, subject])
}

/// After [`end_all`]: signs this browser in again under a new id, so that a copy of its old cookie is
/// worthless too. Nothing happens unless `before`, who was signed in here until then, is the subject.
///
/// `proven_at` is the proof that the new session goes on with. A link leaves none: it proves the mailbox, which
/// may stand open in the same browser.
///
/// What ended the sessions is done and is not undone by this: a browser whose new session cannot be
/// saved is logged out.
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

/// Deletes sessions that have run out.
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

fn internal(error: tower_sessions::session::Error) -> Error {
    Error::Internal(anyhow::Error::new(error).context("session"))
}
