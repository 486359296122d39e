//! Encrypts stored files with the configured key, or decrypts them.

use anyhow::{Context, ensure};
use rusqlite::Connection;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use tokio::task::spawn_blocking;

use super::file::{self, StoredFile};
use super::store::FileRecord;
use crate::base::error::Result;
use crate::base::file_encryption::{Key, KeyId, Keys};
use crate::base::random::hex;
use crate::storage::data_dir::DataDir;
use crate::storage::statements::{Statements, params};
use crate::web::app::App;

/// Files per run, which takes up to a minute of one thread.
const MAX: usize = 1_000;

/// Encrypts up to a thousand unencrypted files or files under an older key; returns the number. The old files are
/// deleted a day later.
///
/// # Errors
/// Database errors; an unreadable file waits for the next run.
pub async fn encrypt_stored(app: &App) -> Result<usize> {
    let Some(current) = app.document_keys.current().map(Key::id) else { return Ok(0) };
    hide_removed(app).await?;
    let used = app.db.query(keys_in_use).await?;
    let others = used.into_iter().filter(|id| *id != current).map(Some);
    let mut tried = 0;
    let mut done = 0;
    let keys = std::iter::once(None).chain(others);
    for (other, files_under) in keys.flat_map(|other| SOURCES.map(|source| (other, source))) {
        let mut last = 0;
        loop {
            let files = app.db.query(move |connection| files_under(connection, other, last)).await?;
            if files.is_empty() {
                break;
            }
            for file in files {
                if tried == MAX {
                    return Ok(done);
                }
                (tried, last) = (tried + 1, file.id);
                match encrypt(app, file.stored).await {
                    Ok(()) => done += 1,
                    Err(error) => tracing::warn!("document {last} could not be encrypted: {error:?}"),
                }
            }
        }
    }
    Ok(done)
}

async fn encrypt(app: &App, old: StoredFile) -> Result<()> {
    let shared = app.clone();
    let before = old.clone();
    let work = move || {
        let keys = &shared.document_keys;
        rewrite(&shared.data_dir, keys, &before, keys.current())
    };
    let new = spawn_blocking(work).await.context("encrypting a document panicked")??;
    let sha256 = old.sha256;
    app.db.write(move |connection| replace(connection, &sha256, &new)).await?;
    file::keep_for_a_day(&app.data_dir, &[old.document_path]);
    Ok(())
}

/// Decrypts every document, for a school that stops using a key; returns the number of files. The caller holds the lock
/// of the data folder.
///
/// # Errors
/// Names the first document that cannot be decrypted; earlier ones are done.
pub fn decrypt_stored(data_dir: &DataDir, connection: &Connection, keys: &Keys) -> Result<usize> {
    let mut done = 0;
    let used = keys_in_use(connection)?;
    for (key_id, files_under) in used.into_iter().flat_map(|key| SOURCES.map(|source| (key, source))) {
        let mut last = 0;
        loop {
            let files = files_under(connection, Some(key_id), last)?;
            if files.is_empty() {
                break;
            }
            for FileRecord { id, stored, .. } in files {
                let new = rewrite(data_dir, keys, &stored, None).with_context(|| format!("document {id}"))?;
                replace(connection, &stored.sha256, &new)?;
                file::keep_for_a_day(data_dir, &[stored.document_path]);
                (last, done) = (id, done + 1);
            }
        }
    }
    Ok(done)
}

/// Describes a missing key, if one is.
pub fn missing_key(connection: &Connection, keys: &Keys) -> Result<Option<String>> {
    let Some(id) = keys_in_use(connection)?.into_iter().find(|id| keys.find(*id).is_none()) else {
        return Ok(None);
    };
    let sql = "select (select count(*) from student_documents where key_id = :key_id)
        + (select count(*) from admission_documents where key_id = :key_id)";
    let count: i64 = connection.one(sql, params![key_id = id])?;
    let documents = if count == 1 { "1 document is".into() } else { format!("{count} documents are") };
    let place = match keys.current() {
        None => {
            "no key is configured: name its file in documents.key_file, or put it into systemd’s credential \
            documents_key"
        }
        Some(_) => "the configured key file does not hold it: put its line there, below the others",
    };
    Ok(Some(format!("{documents} encrypted with the key {id}, and {place}. Nothing else can open them.")))
}

/// Ids of all keys in use.
pub fn keys_in_use(connection: &Connection) -> Result<Vec<KeyId>> {
    // One index look-up per key, not per document.
    let sql = "with recursive used (key_id) as (
            select min(key_id) from student_documents
            union all
            select (select min(d.key_id) from student_documents d where d.key_id > used.key_id)
            from used where used.key_id is not null)
        select key_id from used where key_id is not null
        union select key_id from (
            with recursive used (key_id) as (
                select min(key_id) from admission_documents
                union all
                select (select min(d.key_id) from admission_documents d where d.key_id > used.key_id)
                from used where used.key_id is not null)
            select key_id from used where key_id is not null)";
    connection.list(sql, [])
}

/// Some files under a key, or unencrypted, after this id.
type Source = fn(&Connection, Option<KeyId>, i64) -> Result<Vec<FileRecord>>;

/// Of students, and of applications.
const SOURCES: [Source; 2] = [
    |connection, key_id, after| {
        let sql =
            "select id, student_id, document_path, sha256, key_id, content_mac, content_type, size_bytes,
                original_name, examination
            from student_documents where key_id is :key_id and id > :after order by id limit 50";
        connection.list(sql, params![key_id, after])
    },
    |connection, key_id, after| {
        let sql =
            "select id, request_id as student_id, document_path, sha256, key_id, content_mac, content_type,
                size_bytes, original_name, 'passed' as examination
            from admission_documents where key_id is :key_id and id > :after order by id limit 50";
        connection.list(sql, params![key_id, after])
    },
];

/// Rewrites a file, encrypted with a key or not.
fn rewrite(
    data_dir: &DataDir,
    keys: &Keys,
    old: &StoredFile,
    key: Option<&Key>,
) -> anyhow::Result<StoredFile> {
    let content = old.read(data_dir, keys)?;
    // Corrupted content must not get a valid checksum.
    ensure!(
        old.encryption.is_some() || hex(&Sha256::digest(&content)) == old.sha256,
        "{} has changed",
        old.document_path
    );
    let tmp = NamedTempFile::new_in(data_dir.tmp()).context("making a temporary file")?.into_temp_path();
    file::store(data_dir, tmp, &content, key)
}

/// Points every document of a file to the rewritten one.
pub(super) fn replace(connection: &Connection, sha256: &str, new: &StoredFile) -> Result<()> {
    let values = params! {
        sha256, document_path = new.document_path, new_sha256 = new.sha256,
        key_id = new.encryption.map(|encryption| encryption.key_id),
        content_mac = new.encryption.map(|encryption| encryption.mac),
    };
    for sql in [
        "update student_documents set document_path = :document_path, sha256 = :new_sha256, key_id = :key_id,
             content_mac = :content_mac where sha256 = :sha256",
        "update admission_documents set document_path = :document_path, sha256 = :new_sha256, key_id = :key_id,
             content_mac = :content_mac where sha256 = :sha256",
    ] {
        connection.run(sql, values)?;
    }
    Ok(())
}

/// Replaces plain hashes of removed documents, which would reveal who had uploaded a known file.
async fn hide_removed(app: &App) -> Result<()> {
    let app = app.clone();
    let shared = app.clone();
    let hide = move |connection: &Connection| {
        let Some(key) = shared.document_keys.current() else { return Ok(()) };
        let sql = "select document_id, unhex(sha256) from document_removals where key_id is null limit 1000";
        let plain: Vec<(i64, Vec<u8>)> = connection.list(sql, [])?;
        let sql = "update document_removals set sha256 = :sum, key_id = :key_id where document_id = :id";
        plain.into_iter().try_for_each(|(id, sha256)| {
            connection.run(sql, params![id, sum = hex(&key.mac_of_sum(&sha256)), key_id = key.id()])
        })
    };
    app.db.write(hide).await
}
