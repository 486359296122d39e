//! The pictures' tables.

use std::collections::HashMap;

use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;

use super::{PictureId, PictureType, StoredPicture};
use crate::base::error::{Error, Result};
use crate::base::picture::PictureSize;
use crate::storage::statements::{Statements, params};

/// More than a school shows, with its older versions.
const MAX_PICTURES: i64 = 200;

/// What an upload became.
pub struct NewPicture {
    /// Its name.
    pub id: PictureId,
    /// As what it was written.
    pub content_type: PictureType,
    /// Size of the largest.
    pub size: PictureSize,
    /// Each width with its file, from the smallest.
    pub files: Vec<(usize, Vec<u8>)>,
}

/// Stores a picture unless it exists.
///
/// # Errors
/// 409 when there are too many.
pub fn insert(connection: &Connection, written: &NewPicture, by: i64, now: Timestamp) -> Result<()> {
    if find(connection, &written.id)?.is_some() {
        return Ok(());
    }
    let count: i64 = connection.one("select count(*) from site_pictures", [])?;
    if count >= MAX_PICTURES {
        let message = format!(
            "The site has {MAX_PICTURES} pictures, its older versions' among them: no more can be kept."
        );
        return Err(Error::conflict(message, &json!({ "pictures": count })));
    }
    let sql = "insert into site_pictures (id, content_type, width, height, created_at, created_by)
        values (:id, :content_type, :width, :height, :now, :by)";
    let values = params! {
        id = written.id.0, content_type = written.content_type, width = written.size.width as i64,
        height = written.size.height as i64, now = now.as_second(), by,
    };
    connection.run(sql, values)?;
    let sql = "insert into site_picture_files (picture_id, width, content) values (:id, :width, :content)";
    (written.files.iter()).try_for_each(|(width, content)| {
        connection.run(sql, params![id = written.id.0, width = *width as i64, content])
    })
}

/// The picture of this name, if there is one.
pub fn find(connection: &Connection, id: &PictureId) -> Result<Option<StoredPicture>> {
    let sql = "select width, height, content_type from site_pictures where id = :id";
    let Some((width, height, content_type)) = connection.find(sql, params![id = id.0])? else {
        return Ok(None);
    };
    let sql = "select width from site_picture_files where picture_id = :id order by width";
    let widths = connection.list(sql, params![id = id.0])?;
    Ok(Some(StoredPicture { width, height, content_type, widths }))
}

/// Those of these pictures that exist.
pub fn find_all<'a>(
    connection: &Connection,
    ids: impl Iterator<Item = &'a PictureId>,
) -> Result<HashMap<PictureId, StoredPicture>> {
    let mut found = HashMap::new();
    for id in ids {
        if let Some(stored) = find(connection, id)? {
            found.insert(id.clone(), stored);
        }
    }
    Ok(found)
}

/// Removes pictures that no version and no draft uses, a day after upload, to allow time for saving.
pub fn sweep(connection: &Connection, used: &[PictureId], now: Timestamp) -> Result<()> {
    let day_ago = now.as_second() - 24 * 60 * 60;
    let sql = "select id from site_pictures where created_at < :day_ago";
    let old: Vec<String> = connection.list(sql, params![day_ago])?;
    let mut unused = old.iter().filter(|id| !used.iter().any(|used| used.0 == **id));
    unused.try_for_each(|id| connection.run("delete from site_pictures where id = :id", params![id]))
}
