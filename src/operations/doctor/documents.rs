//! Checks that each document has its file, and each file its document.

use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;
use indicatif::HumanBytes;
use rusqlite::Connection;
use rustix::fs::statvfs;

use super::{CheckContext, CheckOutcome, database_of, ok, problem, warning};
use crate::base::file_encryption::{self, Key};
use crate::documents::encryption;
use crate::documents::file::sum;
use crate::storage::db;
use crate::storage::db::integrity::Depth;
use crate::storage::statements::{Statements, params};

const RESTORE: &str = "Take each out of a backup: `schoolhouse restore --document NUMBER ARCHIVE`; or the office puts \
    another copy in its place or writes it off, on the student's page. Backups go on without them.";
/// Hourly maintenance deletes older files; if they remain, it does not run.
const GRACE: Duration = Duration::from_hours(25);

pub(super) fn named(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let connection = database_of!(context);
    // Databases of older versions lack this column.
    let is_given_up = match connection.column_exists(None, "student_documents", "fault")? {
        true => "fault is 'written_off'",
        false => "0",
    };
    let Ok(mut select) = connection.prepare(&format!(
        "select id, document_path, sha256, size_bytes, key_id is not null from {}
         where not {is_given_up} order by id",
        stored(connection)?
    )) else {
        return Ok(ok("none yet"));
    };
    let mut rows = select.query([])?;
    let mut count = 0_usize;
    let mut wrong = 0_usize;
    let mut first = String::new();
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let path: String = row.get(1)?;
        let sha256: String = row.get(2)?;
        let size = row.get::<_, i64>(3)?.cast_unsigned();
        let size = if row.get(4)? { file_encryption::encrypted_bytes(size) } else { size };
        count += 1;
        if let Some(fault) = fault(&context.data_dir.join(path), &sha256, size, context.depth) {
            wrong += 1;
            if wrong == 1 {
                first = format!("document {id} {fault}");
            }
        }
    }
    Ok(match wrong {
        0 if context.depth == Depth::Full => ok(format!("{count} documents, every one read and unchanged")),
        0 => ok(format!("{count} documents, every one in its place")),
        _ => problem(format!("{wrong} of {count} are missing or changed: {first}"), RESTORE),
    })
}

/// Whether documents are encrypted on disk, and whether all can be decrypted.
pub(super) fn key(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let keys = match context.config.documents.keys(context.data_dir) {
        Ok(keys) => keys,
        Err(error) => {
            return Ok(problem(
                error.to_string(),
                "Correct documents.key_file; the server does not start without it.",
            ));
        }
    };
    let connection = database_of!(context);
    let current = keys.current().map(Key::id);
    let count = |sql: &str| connection.query_row(sql, params![key_id = current], |row| row.get::<_, i64>(0));
    let from = stored(connection)?;
    let Ok(under) = count(&format!("select count(*) from {from} where key_id = :key_id")) else {
        return Ok(ok("none yet"));
    };
    let others = count(&format!("select count(*) from {from} where key_id is not :key_id"))?;
    if let Some(missing) = encryption::missing_key(connection, &keys).map_err(|error| anyhow!("{error:?}"))? {
        return Ok(problem(
            missing,
            "Take the key from where it was kept; the server does not start without it. Where systemd keeps it \
             encrypted, man schoolhouse-guide says how to pass it to this command.",
        ));
    }
    Ok(match current {
        None => ok("none: documents are stored unencrypted"),
        Some(id) if others == 0 => ok(format!("{id}: {under} documents are encrypted, none is not")),
        Some(id) => ok(format!(
            "{id}: {under} documents are encrypted; {others} are not, or with an older key, and follow, a thousand \
             an hour, while the server runs"
        )),
    })
}

pub(super) fn room(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let connection = database_of!(context);
    let sum_of_bytes = format!("select coalesce(sum(size_bytes), 0) from {}", stored(connection)?);
    let Ok(used) = connection.one::<u64>(&sum_of_bytes, []) else {
        return Ok(ok("none used yet"));
    };
    let percent = context.config.documents.disk_percent;
    let stat = statvfs(&**context.data_dir)?;
    let share = stat.f_blocks.saturating_mul(stat.f_frsize) / 100 * u64::from(percent);
    let found = format!("{} of {} used, {percent} % of the disk", HumanBytes(used), HumanBytes(share));
    let advice = "Move the data folder to a larger disk, or raise documents.disk_percent.";
    Ok(match used {
        _ if used >= share => problem(format!("{found}: uploads are refused"), advice),
        _ if used / 4 >= share / 5 => warning(found, advice),
        _ => ok(found),
    })
}

fn fault(path: &Path, sha256: &str, size: u64, depth: Depth) -> Option<String> {
    let Ok(found) = path.metadata() else { return Some("is missing".into()) };
    if found.len() != size {
        return Some(format!("has {} bytes instead of {size}", found.len()));
    }
    if depth == Depth::Quick {
        return None;
    }
    match File::open(path).and_then(|mut file| sum(&mut file)) {
        Err(error) => Some(format!("cannot be read: {error}")),
        Ok(found) if found != sha256 => Some("has changed".into()),
        Ok(_) => None,
    }
}

pub(super) fn stray(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let connection = database_of!(context);
    let Ok(mut select) = connection.prepare(&format!("select sha256 from {}", stored(connection)?)) else {
        return Ok(ok("none"));
    };
    let named: HashSet<String> = select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let copies = db::copies(&context.data_dir.backups())?;
    let kept = named_by(&copies)?;
    let mut stray = Vec::new();
    let mut kept_bytes = 0;
    for folder in std::fs::read_dir(context.data_dir.documents()).into_iter().flatten().flatten() {
        for file in std::fs::read_dir(folder.path()).into_iter().flatten().flatten() {
            let (Ok(found), name) = (file.metadata(), file.file_name()) else { continue };
            let name = name.to_string_lossy();
            let is_old = found.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age > GRACE));
            if named.contains(&*name) {
                continue;
            }
            if kept.contains(&*name) {
                kept_bytes += found.len();
            } else if is_old {
                stray.push(file.path());
            }
        }
    }
    Ok(match stray.first() {
        None if kept_bytes > 0 => ok(format!(
            "none; {} are kept for going back to {}, and go with it",
            HumanBytes(kept_bytes),
            copies.iter().map(|copy| copy.display().to_string()).collect::<Vec<_>>().join(", ")
        )),
        None => ok("none"),
        Some(first) => warning(
            format!(
                "{} files in documents/ belong to no document, {} among them",
                stray.len(),
                first.display()
            ),
            "The server deletes such files within an hour of its start.",
        ),
    })
}

/// Where every stored file is named: in schemas from before applications had documents, the table of students'.
fn stored(connection: &Connection) -> rusqlite::Result<&'static str> {
    let has_applications = connection.table_exists(None, "admission_documents")?;
    Ok(if has_applications { "stored_documents" } else { "student_documents" })
}

/// Hashes of documents that pre-upgrade copies refer to.
fn named_by(copies: &[PathBuf]) -> anyhow::Result<HashSet<String>> {
    let mut named = HashSet::new();
    for copy in copies {
        let connection = db::connect_to_inspect(copy)?;
        if connection.table_exists(None, "student_documents")? {
            let mut select = connection.prepare(&format!("select sha256 from {}", stored(&connection)?))?;
            for sum in select.query_map([], |row| row.get(0))? {
                named.insert(sum?);
            }
        }
    }
    Ok(named)
}
