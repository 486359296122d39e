//! The pictures' tables.

use std::collections::HashMap;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, named_params};

use super::{PictureId, PictureType, StoredPicture};
use crate::base::error::{Error, Result};

/// More than a school shows, with its older versions.
const MAX_PICTURES: i64 = 200;

/// What an upload became.
pub struct NewPicture {
    /// Its name.
    pub id: PictureId,
    /// As what it was written.
    pub content_type: PictureType,
    /// Width and height of the largest in pixels.
    pub size: (usize, usize),
    /// Each width with its file, from the smallest.
    pub files: Vec<(usize, Vec<u8>)>,
}

/// Keeps a picture, unless it is there.
///
/// # Errors
/// 409 where there are too many.
pub fn insert(connection: &Connection, written: &NewPicture, by: i64, now: Timestamp) -> Result<()> {
    if find(connection, &written.id)?.is_some() {
        return Ok(());
    }
    let count: i64 =
        connection.prepare_cached("select count(*) from site_pictures")?.query_row([], |row| row.get(0))?;
    if count >= MAX_PICTURES {
        let message = format!(
            "The site has {MAX_PICTURES} pictures, its older versions' among them: no more can be kept."
        );
        return Err(Error::Conflict(message));
    }
    connection
        .prepare_cached(
            "insert into site_pictures (id, content_type, width, height, created_at, created_by)
             values (:id, :content_type, :width, :height, :now, :by)",
        )?
        .execute(named_params! {
            ":id": written.id.0,
            ":content_type": written.content_type,
            ":width": written.size.0 as i64,
            ":height": written.size.1 as i64,
            ":now": now.as_second(),
            ":by": by,
        })?;
    let mut file = connection.prepare_cached(
        "insert into site_picture_files (picture_id, width, content) values (:id, :width, :content)",
    )?;
    for (width, content) in &written.files {
        file.execute(named_params! { ":id": written.id.0, ":width": *width as i64, ":content": content })?;
    }
    Ok(())
}

/// The picture of this name, if there is one.
pub fn find(connection: &Connection, id: &PictureId) -> Result<Option<StoredPicture>> {
    let stored = connection
        .prepare_cached("select width, height, content_type from site_pictures where id = :id")?
        .query_row(named_params! { ":id": id.0 }, |row| {
            Ok(StoredPicture {
                width: row.get("width")?,
                height: row.get("height")?,
                content_type: row.get("content_type")?,
                widths: Vec::new(),
            })
        })
        .optional()?;
    let Some(mut stored) = stored else { return Ok(None) };
    stored.widths = connection
        .prepare_cached("select width from site_picture_files where picture_id = :id order by width")?
        .query_map(named_params! { ":id": id.0 }, |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(Some(stored))
}

/// Those of these pictures that are there.
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

/// Removes what no version and no draft shows, a day after it came: whoever uploads has yet to save.
pub fn sweep(connection: &Connection, used: &[PictureId], now: Timestamp) -> Result<()> {
    let day_ago = now.as_second() - 24 * 60 * 60;
    let old: Vec<String> = connection
        .prepare_cached("select id from site_pictures where created_at < :day_ago")?
        .query_map(named_params! { ":day_ago": day_ago }, |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let mut delete = connection.prepare_cached("delete from site_pictures where id = :id")?;
    for id in old.iter().filter(|id| !used.iter().any(|used| used.0 == **id)) {
        delete.execute(named_params! { ":id": id })?;
    }
    Ok(())
}
