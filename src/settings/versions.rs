//! What was published of the school's settings, and what is being written.
//!
//! Promises: what visitors see is the newest version, whichever process published it; nothing that was published is
//! edited; concurrent edits are detected.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::Settings;
use super::pictures;
use crate::base::closed_set::ClosedSet as _;
use crate::base::error::{Error, Result};
use crate::config::Config;
use crate::school::texts::TextKind;
use crate::storage::statements::{Statements, from_row, params};
use crate::web::id::{Numbered, numbered};

/// Versions kept, with the pictures that they show.
pub const KEPT: i64 = 50;

/// A version that was published.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteVersion {
    /// Number of the version.
    pub id: i64,
    /// When it was published.
    pub published_at: Timestamp,
    /// Who published it, by username; null for the program itself.
    #[schema(required)]
    pub published_by: Option<String>,
    /// What was said of it.
    #[schema(required)]
    pub note: Option<String>,
}

numbered!(SiteVersion, "Version");

/// What is being written.
#[derive(Debug, Clone)]
pub struct Draft {
    /// The settings so far.
    pub settings: Settings,
    /// Counts the changes; 0 before the first.
    pub version: i64,
}

/// What visitors see; the defaults before anything was published.
pub fn published(connection: &Connection) -> Result<Settings> {
    let sql = "select settings from site_versions order by id desc limit 1";
    let settings: Option<String> = connection.find(sql, [])?;
    settings.map_or(Ok(Settings::default()), |settings| parse(&settings))
}

/// The settings of one version.
///
/// # Errors
/// 404 when there is no such version.
pub fn find(connection: &Connection, id: i64) -> Result<Settings> {
    let sql = "select settings from site_versions where id = :id";
    let settings: Option<String> = connection.find(sql, params![id])?;
    parse(&settings.ok_or_else(SiteVersion::not_found)?)
}

/// The versions, the newest first.
pub fn list(connection: &Connection) -> Result<Vec<SiteVersion>> {
    let sql = "select v.id, v.published_at, v.note, u.username as published_by from site_versions v
        left join users u on u.id = v.published_by order by v.id desc";
    connection.list(sql, [])
}

/// The version that visitors see; none before anything was published.
pub fn newest(connection: &Connection) -> Result<Option<SiteVersion>> {
    let sql = "select v.id, v.published_at, v.note, u.username as published_by from site_versions v
        left join users u on u.id = v.published_by order by v.id desc limit 1";
    connection.find(sql, [])
}

from_row!(SiteVersion { id, published_at, published_by, note });

/// A value of the configuration in whose place the office's holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Override {
    /// Its key, in `[school]` where no section stands before it.
    #[schema(value_type = String)]
    pub key: &'static str,
    /// The office's, as TOML.
    pub value: String,
    /// Since when it is not the configuration's, as far back as versions are kept.
    pub since: Timestamp,
    /// The version that set it so.
    pub version: i64,
}

/// The keys of `[school]` that the office may set.
const KEYS: [&str; 13] = [
    "name",
    "tagline",
    "inspection_id",
    "registration_number",
    "founded_year",
    "street",
    "city",
    "province",
    "postal_code",
    "phone",
    "email",
    "hours",
    "universities",
];

/// Further ones, with their sections.
const OTHER_KEYS: [&str; 5] = [
    "money.e_transfer",
    "money.due_days",
    "money.reminders",
    "money.reminder_days",
    "office.every_guardian_confirms",
];

/// The values of `[school]` that the office has replaced.
pub fn overrides(connection: &Connection) -> Result<Vec<Override>> {
    replaced(connection, &KEYS)
}

/// The values of other sections that the office has replaced.
pub fn other_overrides(connection: &Connection) -> Result<Vec<Override>> {
    replaced(connection, &OTHER_KEYS)
}

fn replaced(connection: &Connection, keys: &[&'static str]) -> Result<Vec<Override>> {
    let versions = all_published(connection)?;
    let found = keys.iter().filter_map(|key| {
        let replaced =
            |(id, settings, at): &(i64, Settings, Timestamp)| Some((*id, settings.replaced(key)?, *at));
        let all: Vec<_> = versions.iter().map_while(replaced).collect();
        let (_, value, _) = all.first()?;
        let (.., since) = all.last()?;
        let same = all.iter().take_while(|(_, each, _)| each == value);
        let version = same.last().map(|(id, ..)| *id)?;
        Some(Override { key, value: value.to_string(), since: *since, version })
    });
    Ok(found.collect())
}

/// Since when each of the school's own texts is the one that is published.
pub fn texts_written_at(connection: &Connection) -> Result<HashMap<TextKind, Timestamp>> {
    let versions = all_published(connection)?;
    let at = |kind: &TextKind| {
        let own = versions.first()?.1.texts.of(*kind)?;
        let same = versions.iter().take_while(|(_, settings, _)| settings.texts.of(*kind) == Some(own));
        same.last().map(|(.., at)| (*kind, *at))
    };
    Ok(TextKind::ALL.iter().filter_map(at).collect())
}

/// Every version that is kept, the newest first: its number, its settings, and when it was published.
fn all_published(connection: &Connection) -> Result<Vec<(i64, Settings, Timestamp)>> {
    let sql = "select id, settings, published_at from site_versions order by id desc";
    let versions: Vec<(i64, String, Timestamp)> = connection.list(sql, [])?;
    versions.iter().map(|(id, settings, at)| Ok((*id, parse(settings)?, *at))).collect()
}

/// Has a configuration say what is published. A database of a program that knew no such settings has none.
pub fn use_published(connection: &Connection, config: &Config) -> Result<()> {
    if connection.table_exists(None, "site_versions")? {
        let settings = published(connection)?;
        let school = config.school_file.school(&settings.over_file());
        config.use_published(Arc::new(school), settings.every_guardian_confirms, settings.money.published());
    }
    Ok(())
}

/// What is being written; what is published, where nothing is.
pub fn draft(connection: &Connection) -> Result<Draft> {
    let sql = "select settings, version from site_draft where id = 1";
    let row: Option<(String, i64)> = connection.find(sql, [])?;
    match row {
        Some((settings, version)) => Ok(Draft { settings: parse(&settings)?, version }),
        None => Ok(Draft { settings: published(connection)?, version: 0 }),
    }
}

/// Keeps what was written, in the place of the draft of version `seen`, which the caller has compared.
pub fn write(connection: &Connection, settings: &Settings, seen: i64, by: i64, now: Timestamp) -> Result<()> {
    let sql = "insert into site_draft (id, settings, version, changed_at, changed_by)
        values (1, :settings, 1 + :seen, :now, :by)
        on conflict (id) do update set settings = excluded.settings, version = excluded.version,
            changed_at = excluded.changed_at, changed_by = excluded.changed_by";
    connection.run(sql, params![settings = text(settings)?, seen, now = now.as_second(), by])
}

/// Makes the settings what visitors see, and returns the number of the version. Those beyond [`KEPT`] go.
pub fn publish(
    connection: &Connection,
    settings: &Settings,
    note: Option<&str>,
    by: Option<i64>,
    now: Timestamp,
) -> Result<i64> {
    let sql = "insert into site_versions (settings, note, published_at, published_by)
        values (:settings, :note, :now, :by)";
    connection.run(sql, params![settings = text(settings)?, note, now = now.as_second(), by])?;
    let id = connection.last_insert_rowid();
    let sql = "delete from site_versions where id <= :newest - :kept";
    connection.run(sql, params![newest = id, kept = KEPT])?;
    Ok(id)
}

/// Removes pictures that no version or draft uses, a day after their upload.
pub fn sweep_pictures(connection: &Connection, now: Timestamp) -> Result<()> {
    let all = all(connection)?;
    let used: Vec<_> = all.iter().flat_map(Settings::pictures).map(|(_, id)| id.clone()).collect();
    pictures::sweep(connection, &used, now)
}

/// The settings of every version and of the draft.
fn all(connection: &Connection) -> Result<Vec<Settings>> {
    let sql = "select settings from site_versions union all select settings from site_draft";
    let texts: Vec<String> = connection.list(sql, [])?;
    texts.iter().map(|text| parse(text)).collect()
}

fn parse(settings: &str) -> Result<Settings> {
    serde_json::from_str(settings).map_err(|error| Error::Internal(anyhow::anyhow!("site settings: {error}")))
}

fn text(settings: &Settings) -> Result<String> {
    serde_json::to_string(settings).map_err(|error| Error::Internal(error.into()))
}
