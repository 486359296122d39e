//! The list of an account's sessions for its owner, and ending them.
//!
//! Promises: an entry shows only a kind of device, never the user agent string or an address; its id is a hash of the
//! stored hash of the cookie, so that it gives no access.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use sha2::{Digest, Sha256};
use tower_sessions::session::Id;
use utoipa::ToSchema;

use crate::base::error::{Error, Result};
use crate::base::random;
use crate::storage::statements::{Statements, params};
use crate::web::description::Parameter;
use crate::web::portal::Portal;
use crate::web::session;

/// The kind of device a request comes from, like "Firefox on Windows".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device(String);

impl Device {
    /// The displayed text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn from_user_agent(user_agent: &str) -> Self {
        // The first match wins, as browsers also include the names of others.
        const BROWSERS: [(&str, &str); 11] = [
            ("Edg", "Edge"),
            ("OPR/", "Opera"),
            ("SamsungBrowser/", "Samsung Internet"),
            ("Vivaldi/", "Vivaldi"),
            ("DuckDuckGo/", "DuckDuckGo"),
            ("Firefox/", "Firefox"),
            ("FxiOS/", "Firefox"),
            ("CriOS/", "Chrome"),
            ("Chrome/", "Chrome"),
            ("Safari/", "Safari"),
            ("Mozilla/", "A browser"),
        ];
        const SYSTEMS: [(&str, &str); 8] = [
            ("iPhone", "iPhone"),
            ("iPad", "iPad"),
            ("Android", "Android"),
            ("Windows", "Windows"),
            ("CrOS", "ChromeOS"),
            ("Macintosh", "Mac"),
            ("Linux", "Linux"),
            ("BSD", "BSD"),
        ];
        let find = |table: &[(&str, &'static str)]| {
            table.iter().find(|(mark, _)| user_agent.contains(mark)).map(|(_, name)| *name)
        };
        Self(match (find(&BROWSERS), find(&SYSTEMS)) {
            (Some(browser), Some(system)) => format!("{browser} on {system}"),
            (Some(browser), None) => browser.to_owned(),
            (None, _) => UNKNOWN.to_owned(),
        })
    }
}

const UNKNOWN: &str = "Unknown device";

impl Parameter for Device {}

impl<S: Sync> FromRequestParts<S> for Device {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let user_agent = parts.headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        Ok(Self::from_user_agent(user_agent.unwrap_or_default()))
    }
}

/// A device on which the account is signed in.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    /// Identifies the entry when ending it; gives no access.
    pub id: String,
    /// What kind of device, like "Firefox on Windows".
    pub device: String,
    /// When it signed in.
    pub signed_in_at: Timestamp,
    /// Last activity, to the minute for staff, to the hour for students.
    pub last_seen_at: Timestamp,
    /// Whether it is the current session.
    pub is_current: bool,
}

struct DeviceEntry {
    id_hash: Vec<u8>,
    shown: SignedIn,
}

/// An account's devices: the current one first, then by last activity.
pub fn list(
    connection: &Connection,
    portal: Portal,
    subject: i64,
    current: Option<Id>,
    now: Timestamp,
) -> Result<Vec<SignedIn>> {
    let mut entries = entries(connection, portal, subject, current, now)?;
    entries.sort_by_key(|entry| !entry.shown.is_current);
    Ok(entries.into_iter().map(|entry| entry.shown).collect())
}

/// Ends one of an account's sessions.
///
/// # Errors
/// [`Error::NotFound`] if the id is not one of the account's sessions.
pub fn end(connection: &Connection, portal: Portal, subject: i64, id: &str, now: Timestamp) -> Result<()> {
    let entries = entries(connection, portal, subject, None, now)?;
    let entry = entries
        .iter()
        .find(|entry| entry.shown.id == id)
        .ok_or_else(|| Error::NotFound("This device is signed out already.".into()))?;
    connection.run("delete from sessions where id_hash = :id", params![id = entry.id_hash])
}

/// Ends all sessions of an account except the current one.
pub fn end_others(connection: &Connection, portal: Portal, subject: i64, current: Option<Id>) -> Result<()> {
    let keep = current.map(|id| session::hash(&id)).unwrap_or_default();
    let sql = "delete from sessions where kind = :kind and subject_id = :subject and id_hash <> :keep";
    connection.run(sql, params![kind = portal, subject, keep])
}

/// Refuses a request if its session was ended meanwhile.
///
/// # Errors
/// [`Error::signed_out`].
pub fn check_not_ended(connection: &Connection, current: Option<Id>) -> Result<()> {
    let id = current.map(|id| session::hash(&id)).unwrap_or_default();
    let sql = "select exists (select 1 from sessions where id_hash = :id)";
    let is_there: bool = connection.one(sql, params![id])?;
    if is_there { Ok(()) } else { Err(Error::signed_out()) }
}

fn entries(
    connection: &Connection,
    portal: Portal,
    subject: i64,
    current: Option<Id>,
    now: Timestamp,
) -> Result<Vec<DeviceEntry>> {
    let current = current.map(|id| session::hash(&id));
    let sql = "select id_hash, data ->> 'device' as device, created_at, last_seen_at from sessions
        where kind = :kind and subject_id = :subject and expires_at > :now order by last_seen_at desc";
    let found = connection.list(sql, params![kind = portal, subject, now = now.as_second()])?;
    let entry =
        |(id_hash, device, signed_in_at, last_seen_at): (Vec<u8>, Option<String>, _, _)| DeviceEntry {
            shown: SignedIn {
                id: shown_id(&id_hash),
                // Older sessions have no recorded device.
                device: device.unwrap_or_else(|| UNKNOWN.to_owned()),
                signed_in_at,
                last_seen_at,
                is_current: current.as_ref() == Some(&id_hash),
            },
            id_hash,
        };
    Ok(found.into_iter().map(entry).collect())
}

fn shown_id(id_hash: &[u8]) -> String {
    let digest = Sha256::new().chain_update(b"shown id of a session").chain_update(id_hash).finalize();
    random::hex(&digest[..16])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_named_by_browser_and_system_and_by_nothing_else() {
        for (user_agent, device) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0",
                "Firefox on Windows",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 \
                 Safari/537.36 Edg/142.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 Version/18.6 Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile \
                 Safari/537.36",
                "Chrome on Android",
            ),
            ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/142.0.0.0 Safari/537.36", "Chrome on ChromeOS"),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/26.0 Safari/605.1.15", "Safari on Mac"),
            ("Mozilla/5.0 (compatible)", "A browser"),
            ("curl/8.5.0 <script>", "Unknown device"),
            ("", "Unknown device"),
        ] {
            assert_eq!(Device::from_user_agent(user_agent).as_str(), device, "{user_agent}");
        }
    }
}
