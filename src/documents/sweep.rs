//! Deletes unreferenced files: leftovers of interrupted uploads, removed and rewritten files.
//!
//! A pre-upgrade copy of the database may be restored, so the files it refers to stay as long as it exists.

use std::path::{Path, PathBuf};

use anyhow::Context;
use rusqlite::Connection;
use tokio::task::spawn_blocking;

use super::store::GRACE;
use crate::base::error::Result;
use crate::storage::db;
use crate::storage::statements::{Statements, params};
use crate::web::app::App;

/// Deletes unreferenced files a day after they were written; returns the number.
///
/// Works one folder at a time and holds no database reader while waiting for the disk.
pub async fn sweep_files(app: &App) -> Result<usize> {
    let mut swept = 0;
    for folder in entries(app.data_dir.documents()).await? {
        // Entries that are not folders are ignored.
        let old = old_files(folder).await.unwrap_or_default();
        let nameless = app.db.query(move |connection| nameless(connection, old)).await?;
        let backups = app.data_dir.backups();
        let unneeded = spawn_blocking(move || named_by_no_copy(&backups, nameless));
        swept += delete(unneeded.await.context("looking into copies panicked")??).await?;
    }
    let forgotten = old_files(app.data_dir.tmp()).await?;
    Ok(swept + delete(forgotten).await?)
}

async fn entries(folder: PathBuf) -> Result<Vec<PathBuf>> {
    let read = move || -> anyhow::Result<_> {
        let entries = std::fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
        Ok(entries.flatten().map(|entry| entry.path()).collect())
    };
    Ok(spawn_blocking(read).await.context("reading a folder panicked")??)
}

async fn old_files(folder: PathBuf) -> Result<Vec<PathBuf>> {
    let mut files = entries(folder).await?;
    let choose = move || {
        files.retain(|file| is_old(file));
        files
    };
    Ok(spawn_blocking(choose).await.context("looking at files panicked")?)
}

/// Files without a row.
fn nameless(connection: &Connection, files: Vec<PathBuf>) -> Result<Vec<PathBuf>> {
    look_for_rows(connection, "select exists(select 1 from stored_documents where sha256 = :sha256)", files)
}

fn look_for_rows(connection: &Connection, sql: &str, files: Vec<PathBuf>) -> Result<Vec<PathBuf>> {
    let mut nameless = Vec::new();
    for file in files {
        let Some(sha256) = file.file_name().and_then(|name| name.to_str()) else { continue };
        let is_named: bool = connection.one(sql, params![sha256])?;
        if !is_named {
            nameless.push(file);
        }
    }
    Ok(nameless)
}

/// Files that no pre-upgrade copy refers to.
///
/// # Errors
/// When a copy cannot be read: nothing is deleted until it is gone.
fn named_by_no_copy(backups: &Path, mut files: Vec<PathBuf>) -> Result<Vec<PathBuf>> {
    if files.is_empty() {
        return Ok(files);
    }
    for copy in db::copies(backups)? {
        let context =
            || format!("files of documents stay until {} is gone, which cannot be read", copy.display());
        let connection = db::connect_to_inspect(&copy).with_context(context)?;
        // A copy from before documents existed.
        if connection.table_exists(None, "admission_documents").with_context(context)? {
            files = nameless(&connection, files)?;
        } else if connection.table_exists(None, "student_documents").with_context(context)? {
            let sql = "select exists(select 1 from student_documents where sha256 = :sha256)";
            files = look_for_rows(&connection, sql, files)?;
        }
    }
    Ok(files)
}

/// Deletes the files, except those touched by an upload meanwhile.
async fn delete(files: Vec<PathBuf>) -> Result<usize> {
    let delete =
        move || files.iter().filter(|file| is_old(file) && std::fs::remove_file(file).is_ok()).count();
    Ok(spawn_blocking(delete).await.context("deleting files panicked")?)
}

fn is_old(path: &Path) -> bool {
    path.metadata()
        .and_then(|metadata| metadata.modified())
        .is_ok_and(|modified| modified.elapsed().is_ok_and(|age| age > GRACE))
}
