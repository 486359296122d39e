//! Inspects a school after a fault: acknowledged data, half-done work, rows without their file.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, Row};
use schoolhouse::testing::hex;
use sha2::{Digest, Sha256};

use crate::calls;
use crate::crowd::Promises;
use crate::pairs::PAIRS;

/// Remembers which documents it has hashed.
#[derive(Default)]
pub struct Inspector {
    hashed: BTreeSet<String>,
}

impl Inspector {
    /// Outcome everything that is not as it should be.
    pub fn inspect(&mut self, data: &Path, promises: &Promises) -> Vec<String> {
        let database = look_into(data);
        // One moment for every question.
        database.execute_batch("begin").unwrap();
        let mut problems = promises.broken.clone();
        problems.extend(check_database(&database));
        for (what, left, right) in PAIRS {
            if same_rows(&database, left, right) != Ok(true) {
                let [only, missing] = [(left, right), (right, left)].map(|(one, other)| {
                    let rows = format!("select * from ({one}) except select * from ({other}) limit 3");
                    texts(&database, &rows).join(" ")
                });
                problems.push(format!("{what}: one without the other: [{only}] and [{missing}]"));
            }
        }
        problems.extend(kept(&database, promises));
        problems.extend(self.documents(&database, data));
        problems.extend(strangers(data));
        problems
    }

    /// Every row has its file with the right content.
    fn documents(&mut self, database: &Connection, data: &Path) -> Vec<String> {
        let mut problems = Vec::new();
        for sha256 in texts(database, "select sha256 from student_documents") {
            if self.hashed.contains(&sha256) {
                continue;
            }
            match fs::read(data.join("documents").join(&sha256[..2]).join(&sha256)) {
                Ok(bytes) if hex(&Sha256::digest(&bytes)) == sha256 => _ = self.hashed.insert(sha256),
                Ok(_) => problems.push(format!("document {sha256} has another content")),
                Err(error) => problems.push(format!("document {sha256}: {error}")),
            }
        }
        problems
    }
}

/// Opens the database to look; a look never writes, not even when it is the last to leave.
pub fn look_into(data: &Path) -> Connection {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(data.join("schoolhouse.db"), flags).unwrap();
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).unwrap();
    connection.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
    connection.execute_batch("pragma query_only=on").unwrap();
    connection
}

/// One number out of the database.
pub fn count(data: &Path, sql: &str) -> i64 {
    look_into(data).query_row(sql, [], |row| row.get(0)).unwrap()
}

/// What SQLite finds wrong with a database.
pub fn check_database(database: &Connection) -> Vec<String> {
    let mut problems = texts(database, "pragma integrity_check");
    problems.retain(|line| line != "ok");
    problems.extend(texts(database, "select \"table\" from pragma_foreign_key_check"));
    problems
}

fn texts(database: &Connection, sql: &str) -> Vec<String> {
    let mut statement = database.prepare(sql).unwrap();
    let text = |row: &Row<'_>| match row.get_ref(0)? {
        ValueRef::Integer(number) => Ok(number.to_string()),
        _ => row.get(0),
    };
    let rows = statement.query_map([], text).unwrap();
    rows.map(|row| row.unwrap_or_else(|error| format!("{sql}: {error}"))).collect()
}

fn same_rows(database: &Connection, left: &str, right: &str) -> rusqlite::Result<bool> {
    let sql = format!(
        "select (select count(*) from ({left})) = (select count(*) from ({right}))
            and not exists (select * from ({left}) except select * from ({right}))"
    );
    database.query_row(&sql, [], |row| row.get(0))
}

/// Everything that was promised and is not there.
fn kept(database: &Connection, promises: &Promises) -> Vec<String> {
    let numbers = |numbers: &BTreeSet<i64>| numbers.iter().map(i64::to_string).collect::<BTreeSet<_>>();
    let documents = promises.documents.iter().map(|(id, sha256)| format!("{id} {sha256}")).collect();
    let table = [
        ("message", promises.messages.clone(), "select email from contact_messages"),
        (
            "registration",
            promises.registrations.clone(),
            "select email from students union select email from account_requests",
        ),
        ("enrollment", numbers(&promises.enrollments), "select cast(id as text) from enrollments"),
        (
            "approval",
            numbers(&promises.approvals),
            "select cast(id as text) from enrollments where status = 'active'",
        ),
        ("document", documents, "select id || ' ' || sha256 from student_documents"),
    ];
    let of_calls = calls::KEPT
        .iter()
        .filter_map(|(kind, sql)| Some((format!("{kind:?}"), promises.calls.get(kind)?.clone(), *sql)));
    let table =
        table.map(|(what, promised, sql)| (what.to_owned(), promised, sql)).into_iter().chain(of_calls);
    let mut problems = Vec::new();
    for (what, promised, sql) in table {
        let there: BTreeSet<String> = texts(database, sql).into_iter().collect();
        problems
            .extend(promised.difference(&there).map(|one| format!("{what} {one} was answered and is gone")));
    }
    problems
}

/// Stored documents and uploads on their way.
pub fn files(data: &Path) -> Vec<PathBuf> {
    let within =
        |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let stored = within(data.join("documents")).flat_map(within);
    let uploads = within(data.join("tmp"))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".tmp")));
    stored.chain(uploads).collect()
}

/// Those that no row names.
pub fn unnamed_files(data: &Path) -> Vec<PathBuf> {
    let named: BTreeSet<String> =
        texts(&look_into(data), "select sha256 from student_documents").into_iter().collect();
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    files(data).into_iter().filter(|path| !named.contains(&name(path))).collect()
}

/// Unknown files, which are never deleted.
fn strangers(data: &Path) -> Vec<String> {
    let mut problems = Vec::new();
    let mut expect = |folder: &str, is_known: fn(&str) -> bool| {
        for entry in fs::read_dir(data.join(folder)).into_iter().flatten().flatten() {
            let name = entry.file_name().into_string().unwrap();
            if !is_known(&name) {
                problems.push(format!("{folder}/{name} is unknown"));
            }
        }
    };
    expect("", |name| {
        let known = ["documents", "mail", "backups", "tmp", "lock", "ballast"];
        let beginnings = ["schoolhouse.db", "before-restore-", "config-of-archive."];
        known.contains(&name) || beginnings.iter().any(|beginning| name.starts_with(beginning))
    });
    expect("tmp", |name| name.starts_with(".tmp") || name.starts_with("backup"));
    expect("mail", |name| name.ends_with(".eml") || name.ends_with(".eml.partial"));
    expect("backups", |name| {
        !name.ends_with(".partial") || name.ends_with(".tar.zst.partial") || name.ends_with(".db.partial")
    });
    problems
}
