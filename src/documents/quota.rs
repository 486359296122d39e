//! Storage limits per student and in total. Space is reserved before an upload is read, so that concurrent uploads
//! cannot exceed the limits.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::rules::{FileTotals, MAX_BYTES, StorageUsed};
use super::store;
use crate::base::error::{Error, Result};
use crate::config;
use crate::web::app::App;

const MEBIBYTE: u64 = 1024 * 1024;
/// Overhead of the form: boundaries, names, the type.
const FORM_BYTES: u64 = 8 * 1024;

/// Limits of one student.
fn allowance(settings: &config::Documents) -> FileTotals {
    FileTotals {
        files: settings.files_per_student.into(),
        bytes: u64::from(settings.mb_per_student) * MEBIBYTE,
    }
}

/// Storage used by a student, and the limits.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentUsage {
    /// Number of documents, without replaced ones.
    pub files: u64,
    /// Their size in bytes.
    pub bytes: u64,
    /// Maximum number of documents.
    pub max_files: u64,
    /// Maximum size in bytes.
    pub max_bytes: u64,
    /// Why uploads are currently refused, with advice; null if they are not.
    #[schema(required)]
    pub refusal: Option<String>,
}

/// Pending uploads by student.
#[derive(Clone, Default)]
pub struct PendingUploads(Arc<Mutex<HashMap<i64, FileTotals>>>);

/// Space reserved for one upload, until dropped.
pub struct Reservation {
    arriving: PendingUploads,
    student_id: i64,
    bytes: u64,
    refusal: String,
}

impl Reservation {
    /// Maximum size of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The error if it is larger.
    pub fn refusal(&self) -> Error {
        Error::TooLarge(self.refusal.clone())
    }
}

#[cfg(test)]
impl Reservation {
    /// A reservation without accounting.
    pub fn of(bytes: u64) -> Self {
        Self {
            arriving: PendingUploads::default(),
            student_id: 1,
            bytes,
            refusal: "There is no room.".into(),
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut all = self.arriving.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(amount) = all.get_mut(&self.student_id) {
            amount.files = amount.files.saturating_sub(1);
            amount.bytes = amount.bytes.saturating_sub(self.bytes);
            if amount.files == 0 {
                all.remove(&self.student_id);
            }
        }
    }
}

/// Reserves space for an owner's upload with a `Content-Length` of `length`, if known; `used` tells what there is.
///
/// # Errors
/// 413 when the owner's limit is reached or the file exceeds the rest of it; 503 when the school's is.
pub async fn reserve(
    app: &App,
    arriving: &PendingUploads,
    student_id: i64,
    length: Option<u64>,
    used: impl Fn(&Connection, Timestamp) -> Result<StorageUsed>,
) -> Result<Reservation> {
    let now = app.clock.now();
    let (used, stored) =
        app.db.read(|connection| Ok((used(connection, now)?, store::stored(connection, now)?))).await?;
    let settings = &app.config.documents;
    let min = length.map_or(1, |length| length.saturating_sub(FORM_BYTES).clamp(1, MAX_BYTES));
    let wanted = length.map_or(MAX_BYTES, |length| length.clamp(1, MAX_BYTES));
    let mut all = arriving.0.lock().unwrap_or_else(PoisonError::into_inner);
    let own = all.get(&student_id).copied().unwrap_or_default();
    let left = left(settings, StorageUsed { listed: used.listed.and(own), ..used }, min)?;
    let bytes = wanted.min(left);
    let on_its_way = all.values().map(|amount| amount.bytes).sum::<u64>();
    if stored.saturating_add(on_its_way).saturating_add(bytes) > share(app)? {
        return Err(Error::Full(SCHOOL_FULL));
    }
    all.insert(student_id, own.and(FileTotals { files: 1, bytes }));
    let refusal = does_not_fit(used.listed.and(own).bytes, allowance(settings).bytes);
    Ok(Reservation { arriving: arriving.clone(), student_id, bytes, refusal })
}

/// Final check of the limit, in the transaction that adds the document.
///
/// # Errors
/// 413.
pub fn check(
    connection: &Connection,
    settings: &config::Documents,
    student_id: i64,
    bytes: u64,
    now: Timestamp,
) -> Result<()> {
    check_used(settings, store::used(connection, student_id, now)?, bytes)
}

/// The same of an owner whose use is known.
///
/// # Errors
/// 413.
pub fn check_used(settings: &config::Documents, used: StorageUsed, bytes: u64) -> Result<()> {
    left(settings, used, bytes).map(drop)
}

/// Storage used by a student.
pub async fn usage(app: &App, student_id: i64) -> Result<DocumentUsage> {
    let now = app.clock.now();
    let (used, stored) = app
        .db
        .read(|connection| Ok((store::used(connection, student_id, now)?, store::stored(connection, now)?)))
        .await?;
    let max = allowance(&app.config.documents);
    let refusal = match left(&app.config.documents, used, 1) {
        Err(refusal) => Some(refusal.to_string()),
        Ok(_) if stored >= share(app)? || !app.disk.has_room().context("free disk space")? => {
            Some(SCHOOL_FULL.to_owned())
        }
        Ok(_) => None,
    };
    Ok(DocumentUsage {
        files: used.listed.files,
        bytes: used.listed.bytes,
        max_files: max.files,
        max_bytes: max.bytes,
        refusal,
    })
}

/// Maximum bytes of another document of at least `min` bytes.
fn left(settings: &config::Documents, used: StorageUsed, min: u64) -> Result<u64> {
    let max = allowance(settings);
    let listed = used.listed;
    if listed.files >= max.files {
        return Err(Error::TooLarge(too_many(max.files)));
    }
    let left = max.bytes.saturating_sub(listed.bytes);
    if left < min {
        return Err(Error::TooLarge(does_not_fit(listed.bytes, max.bytes)));
    }
    // Removed files stay for a day, so repeated uploading and removing also fills the disk.
    let today = listed.and(used.leaving);
    let left_today = (2 * max.bytes).saturating_sub(today.bytes);
    if today.files >= 2 * max.files || left_today < min {
        return Err(Error::TooLarge(ENOUGH_FOR_TODAY.into()));
    }
    Ok(left.min(left_today))
}

/// Limit of all documents in bytes.
fn share(app: &App) -> Result<u64> {
    let size = app.disk.size().context("the disk's size")?;
    Ok(size / 100 * u64::from(app.config.documents.disk_percent))
}

/// Message when all documents together have reached their share of the disk.
const SCHOOL_FULL: &str = "The school’s server has no room for more documents at the moment. \
    Please tell the office, and try again later.";

/// Message when a student repeatedly uploads and removes.
const ENOUGH_FOR_TODAY: &str = "You have uploaded and removed a great deal today. Please continue tomorrow, or write \
    to the office.";

const WAY_OUT: &str = "remove a document that the office has not looked at yet, or write to the office";

fn too_many(max: u64) -> String {
    format!("You have {max} documents, which is the maximum. Please {WAY_OUT}.")
}

fn does_not_fit(used: u64, max: u64) -> String {
    let used = megabytes(used);
    let max = megabytes(max);
    format!(
        "Your documents take up {used} of {max} MB, and this would be more. Please choose a smaller file, {WAY_OUT}."
    )
}

/// "98.5": rounded up, as in the portal.
fn megabytes(bytes: u64) -> String {
    let tenths = (bytes * 10).div_ceil(MEBIBYTE);
    match tenths % 10 {
        0 => (tenths / 10).to_string(),
        rest => format!("{}.{rest}", tenths / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_student_has_room_until_files_bytes_or_the_day_are_used_up() {
        let settings = config::Documents { files_per_student: 3, mb_per_student: 10, ..Default::default() };
        let max = 10 * MEBIBYTE;
        let amount = |files, bytes| FileTotals { files, bytes };
        let none = FileTotals::default();
        let refused = |listed, leaving, min| {
            left(&settings, StorageUsed { listed, leaving }, min).map_err(|refusal| refusal.to_string())
        };
        assert_eq!(refused(none, none, 1), Ok(max));
        assert_eq!(refused(amount(2, max - 5), none, 5), Ok(5));
        assert_eq!(refused(amount(2, max - 5), none, 6), Err(does_not_fit(max - 5, max)));
        assert_eq!(refused(amount(3, 3), none, 1), Err(too_many(3)));
        assert_eq!(refused(amount(1, 0), amount(4, 0), 1), Ok(max));
        assert_eq!(refused(amount(1, 0), amount(5, 0), 1), Err(ENOUGH_FOR_TODAY.into()));
        assert_eq!(refused(amount(1, 5), amount(1, 2 * max - 9), 1), Ok(4));
        assert_eq!(refused(amount(1, 5), amount(1, 2 * max - 9), 5), Err(ENOUGH_FOR_TODAY.into()));
    }

    #[test]
    fn megabytes_are_rounded_up() {
        for (bytes, expected) in
            [(0, "0"), (1, "0.1"), (MEBIBYTE, "1"), (103_284_736, "98.5"), (104_857_600, "100")]
        {
            assert_eq!(megabytes(bytes), expected, "{bytes}");
        }
    }
}
