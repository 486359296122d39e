//! Session store of one portal, for tower-sessions.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use anyhow::Context;
use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use tower_sessions::SessionStore;
use tower_sessions::session::{Id, Record};
use tower_sessions::session_store::{Error as StoreError, Result as StoreResult};

use super::{Portal, SUBJECT};
use crate::base::clock::Clock;
use crate::base::error::{Error, Result};
use crate::storage::db::{Db, QueryCache};
use crate::storage::statements::{Statements, params};
use crate::web::app::App;

/// The sessions of one portal in the database.
#[derive(Clone)]
pub struct Store {
    portal: Portal,
    db: Db,
    clock: Clock,
    /// Absolute lifetime of a session.
    absolute: SignedDuration,
    /// Maximum sessions per account.
    max: u32,
    /// Cache, as a page sends several requests at once.
    known: Arc<QueryCache<Id, Option<StoredSession>>>,
}

/// A session as loaded.
#[derive(Clone)]
struct StoredSession {
    data: HashMap<String, serde_json::Value>,
    expires_at: i64,
}

impl Store {
    pub(super) fn new(portal: Portal, app: &App) -> Self {
        let limits = &app.config.limits;
        Self {
            portal,
            db: app.db.clone(),
            clock: app.clock.clone(),
            absolute: portal.absolute(limits),
            max: limits.sessions_per_account,
            known: Arc::default(),
        }
    }

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
        // tower-sessions keeps the cookie's id through a flush: without a new one, an attacker who planted the cookie
        // would share the session (fixation).
        record.id = Id::default();
        let portal = self.portal;
        let now = self.clock.now();
        let expires = self.expires_at(now, now);
        let max = self.max;
        let row = SessionRow::from_record(record)?;
        self.db
            .write(move |connection| {
                let sql = "insert into sessions
                        (id_hash, kind, subject_id, data, created_at, last_seen_at, expires_at)
                    values (:id, :kind, :subject, :data, :now, :now, :expires)";
                let values = params! {
                    id = row.id, kind = portal, subject = row.subject, data = row.data, now = now.as_second(),
                    expires,
                };
                connection.run(sql, values)?;
                let sql = "delete from sessions where id_hash in (
                    select id_hash from sessions where kind = :kind and subject_id = :subject
                    order by id_hash = :id desc, last_seen_at desc limit -1 offset :max)";
                connection.run(sql, params![kind = portal, subject = row.subject, id = row.id, max])
            })
            .await
            .map_err(backend)
    }

    /// Updates only: a session that was deleted meanwhile stays deleted.
    async fn save(&self, record: &Record) -> StoreResult<()> {
        let portal = self.portal;
        let now = self.clock.now();
        let store = self.clone();
        let row = SessionRow::from_record(record)?;
        self.db
            .write(move |connection| {
                let sql = "select created_at from sessions where id_hash = :id";
                let Some(created) = connection.find(sql, params![id = row.id])? else { return Ok(()) };
                let expires = store.expires_at(created, now);
                let sql = "update sessions set subject_id = :subject, data = :data,
                        last_seen_at = :now, expires_at = :expires
                    where id_hash = :id and kind = :kind";
                let values = params! {
                    id = row.id, kind = portal, subject = row.subject, data = row.data, now = now.as_second(),
                    expires,
                };
                connection.run(sql, values)
            })
            .await
            .or_else(|error| {
                // Users stay signed in while the disk fails: only the last visit is not recorded, and a finished
                // response is not turned into an error.
                if !matches!(error, Error::Busy(_) | Error::Full(_) | Error::ReadOnly) {
                    tracing::warn!("a visit was not recorded: {error:?}");
                }
                Ok(())
            })
    }

    async fn load(&self, id: &Id) -> StoreResult<Option<Record>> {
        let found = self.db.recall(&self.known, *id, |connection| find(connection, self.portal, id)).await;
        let now = self.clock.now().as_second();
        let known = found.map_err(backend)?.filter(|known| known.expires_at > now);
        // The database decides about expiry, not the record's own date.
        let expiry_date = OffsetDateTime::UNIX_EPOCH + time::Duration::days(365 * 1000);
        Ok(known.map(|known| Record { id: *id, data: known.data, expiry_date }))
    }

    async fn delete(&self, id: &Id) -> StoreResult<()> {
        let hashed = hash(id);
        self.db
            .write(move |connection| {
                connection.run("delete from sessions where id_hash = :id", params![id = hashed])
            })
            .await
            .map_err(backend)
    }
}

fn find(connection: &Connection, portal: Portal, id: &Id) -> Result<Option<StoredSession>> {
    let found = connection.find(
        "select data, expires_at from sessions where id_hash = :id and kind = :kind",
        params![id = hash(id), kind = portal],
    )?;
    let Some((data, expires_at)): Option<(String, _)> = found else { return Ok(None) };
    let data = serde_json::from_str(&data).context("sessions.data")?;
    Ok(Some(StoredSession { data, expires_at }))
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

pub(in crate::web) fn hash(id: &Id) -> Vec<u8> {
    Sha256::digest(id.0.to_le_bytes()).to_vec()
}

#[expect(clippy::needless_pass_by_value, reason = "what map_err hands over")]
fn backend(error: Error) -> StoreError {
    StoreError::Backend(format!("{error:?}"))
}
