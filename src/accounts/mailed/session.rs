//! The session of a browser that opened a mailed link: a cookie of its own, beside those of the portals.

use std::convert::Infallible;
use std::marker::PhantomData;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponseParts, ResponseParts};
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;

use super::{LinkRow, MailedLinkPurpose};
use crate::base::closed_set::ClosedSet as _;
use crate::base::error::{Error, Result};
use crate::base::random::{self, Token};
use crate::config::Config;
use crate::storage::statements::{Statements, from_row, params};
use crate::web::access::{Caller, WayIn};
use crate::web::app::App;
use crate::web::description::{Answer, Description};
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::guesses::LinkUse;

/// How long a browser can go on without opening a link again.
const SESSION_TTL: SignedDuration = SignedDuration::from_hours(24);

/// Sessions that a mailbox can have of one kind. The pages open one for each change, and the oldest ends.
const SESSIONS_PER_MAILBOX: i64 = 50;

/// A purpose as a type, for [`LinkHolder`].
pub trait MailedPurpose: Send + Sync + 'static {
    /// The purpose.
    const PURPOSE: MailedLinkPurpose;

    /// Notes that the mailbox of a link has opened it.
    ///
    /// # Errors
    /// Database errors.
    fn opened(_connection: &Connection, _holder: &LinkHolder<Self>, _now: Timestamp) -> Result<()>
    where
        Self: Sized,
    {
        Ok(())
    }
}

/// Holder of a session that began with a mailed link; extraction fails with 401 for other callers.
#[derive(Debug, Clone)]
pub struct LinkHolder<P> {
    /// What the link opens, if not the mailbox alone decides.
    pub subject_id: Option<i64>,
    /// The mailbox that the link was sent to.
    pub email: String,
    hash: [u8; 32],
    purpose: PhantomData<P>,
}

impl<P> LinkHolder<P> {
    fn new(StoredLink { subject_id, email }: StoredLink, hash: [u8; 32]) -> Self {
        Self { subject_id, email, hash, purpose: PhantomData }
    }

    /// The hash of the session's cookie.
    pub(super) fn hash(&self) -> [u8; 32] {
        self.hash
    }
}

struct StoredLink {
    subject_id: Option<i64>,
    email: String,
}

from_row!(StoredLink { subject_id, email });

fn find(
    connection: &Connection,
    purpose: MailedLinkPurpose,
    is_session: bool,
    hash: &[u8; 32],
    now: Timestamp,
) -> Result<Option<StoredLink>> {
    let sql = "select subject_id, email from links
        where token_hash = :hash and purpose = :purpose and is_session = :is_session and expires_at > :now";
    connection.find(sql, params![hash, purpose, is_session, now = now.as_second()])
}

/// Ends the oldest sessions of a mailbox that has too many; the new one stays.
fn end_oldest(connection: &Connection, row: &LinkRow<'_>, session: &Token) -> Result<()> {
    let sql = "delete from links where token_hash in (
            select token_hash from links
            where purpose = :purpose and email = :email and is_session = 1 and token_hash <> :session
            order by created_at desc limit -1 offset :others)";
    let values = params! {
        purpose = row.purpose, email = row.email, session = session.hash(), others = SESSIONS_PER_MAILBOX - 1,
    };
    connection.run(sql, values)
}

/// Exchanges the token of a link for a session, and runs `work` with its holder in the same transaction.
///
/// # Errors
/// 404 for an invalid or expired link, which counts as a guess; 429 after too many; what `work` returned.
pub async fn exchange<P: MailedPurpose, T: Send + 'static>(
    app: &App,
    token: &str,
    client: ClientAddr,
    work: impl FnOnce(&Connection, &LinkHolder<P>) -> Result<T> + Send + 'static,
) -> Result<(SessionCookie, T)> {
    let hash = random::hash(token.trim());
    let now = app.clock.now();
    let lives = move |connection: &Connection| Ok(find(connection, P::PURPOSE, false, &hash, now)?.is_some());
    app.limits.use_link(LinkUse::UseMailed, client, P::PURPOSE.dead(), lives).await?;
    let session = Token::generate()?;
    let cookie = SessionCookie::new::<P>(&session, &app.config)?;
    let answer = app
        .db
        .write(move |connection| {
            let link = find(connection, P::PURPOSE, false, &hash, now)?
                .ok_or_else(|| Error::NotFound(P::PURPOSE.dead().into()))?;
            let sql = "update links set used_at = coalesce(used_at, :now) where token_hash = :hash";
            connection.run(sql, params![hash, now = now.as_second()])?;
            let row = LinkRow {
                purpose: P::PURPOSE,
                subject_id: link.subject_id,
                email: &link.email,
                is_session: true,
            };
            row.insert(connection, &session, now + SESSION_TTL, now)?;
            end_oldest(connection, &row, &session)?;
            let holder = LinkHolder::new(link, session.hash());
            P::opened(connection, &holder, now)?;
            work(connection, &holder)
        })
        .await?;
    Ok((cookie, answer))
}

/// Uses a link up, and runs `work` with its holder in the same transaction.
///
/// # Errors
/// 404 for an invalid or expired link, which counts as a guess; 429 after too many; what `work` returned.
pub async fn spend<P: MailedPurpose, T: Send + 'static>(
    app: &App,
    token: &str,
    client: ClientAddr,
    work: impl FnOnce(&Connection, &LinkHolder<P>) -> Result<T> + Send + 'static,
) -> Result<T> {
    let hash = random::hash(token.trim());
    let now = app.clock.now();
    let lives = move |connection: &Connection| Ok(find(connection, P::PURPOSE, false, &hash, now)?.is_some());
    app.limits.use_link(LinkUse::UseMailed, client, P::PURPOSE.dead(), lives).await?;
    app.db
        .write(move |connection| {
            let link = find(connection, P::PURPOSE, false, &hash, now)?
                .ok_or_else(|| Error::NotFound(P::PURPOSE.dead().into()))?;
            connection.run("delete from links where token_hash = :hash", params![hash])?;
            work(connection, &LinkHolder::new(link, hash))
        })
        .await
}

/// Ends the holder's session, and clears its cookie.
///
/// # Errors
/// Database errors.
pub async fn end<P: MailedPurpose>(app: &App, holder: LinkHolder<P>) -> Result<SessionCookie> {
    let hash = holder.hash;
    app.db
        .write(move |connection| {
            connection.run("delete from links where token_hash = :hash and is_session = 1", params![hash])
        })
        .await?;
    SessionCookie::with::<P>("", SignedDuration::ZERO, &app.config)
}

fn cookie_name(purpose: MailedLinkPurpose, config: &Config) -> String {
    let prefix = if config.is_https() { "__Host-" } else { "" };
    format!("{prefix}schoolhouse_{}", purpose.as_str())
}

fn cookie(headers: &HeaderMap, name: &str) -> Option<[u8; 32]> {
    let values = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = values.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, _)| *found == name).map(|(_, token)| random::hash(token))
}

impl<P: MailedPurpose> LinkHolder<P> {
    /// The holder of a request's session, if it has one.
    pub async fn find(headers: &HeaderMap, app: &App) -> Result<Option<Self>> {
        let Some(hash) = cookie(headers, &cookie_name(P::PURPOSE, &app.config)) else { return Ok(None) };
        let now = app.clock.now();
        let found = app.db.read(|connection| find(connection, P::PURPOSE, true, &hash, now)).await?;
        Ok(found.map(|link| Self::new(link, hash)))
    }
}

impl<P: MailedPurpose> FromRequestParts<App> for LinkHolder<P> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let found = Self::find(&parts.headers, app).await?;
        found.ok_or_else(|| Error::Unauthorized("Please open the link in our email again.".into()))
    }
}

impl<P: MailedPurpose> Caller for LinkHolder<P> {
    fn ways_in() -> Vec<WayIn> {
        vec![WayIn { portal: P::PURPOSE.as_str(), duty: None, is_recent: false }]
    }
}

/// The cookie of a new session.
#[derive(Debug, Clone)]
pub struct SessionCookie(HeaderValue);

impl SessionCookie {
    fn new<P: MailedPurpose>(session: &Token, config: &Config) -> Result<Self> {
        Self::with::<P>(session.as_str(), SESSION_TTL, config)
    }

    fn with<P: MailedPurpose>(token: &str, lasts: SignedDuration, config: &Config) -> Result<Self> {
        let name = cookie_name(P::PURPOSE, config);
        let seconds = lasts.as_secs();
        let secure = if config.is_https() { "; Secure" } else { "" };
        let value = format!("{name}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
        let value = HeaderValue::try_from(value).map_err(|error| anyhow::anyhow!("a cookie: {error}"))?;
        Ok(Self(value))
    }
}

impl IntoResponseParts for SessionCookie {
    type Error = Infallible;

    fn into_response_parts(self, mut parts: ResponseParts) -> Result<ResponseParts, Infallible> {
        parts.headers_mut().append(header::SET_COOKIE, self.0);
        Ok(parts)
    }
}

impl<A: Answer> Answer for (SessionCookie, A) {
    fn describe(description: &mut Description<'_>) {
        A::describe(description);
    }
}
