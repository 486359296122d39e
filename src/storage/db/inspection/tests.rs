//! The check after the start: what it detects, and what works meanwhile.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use super::*;
use crate::base::error::Error;
use crate::storage::db::{Writer, open};
use crate::storage::disk::Disk;

/// A database of some hundred pages, closed by the server.
fn closed(folder: &Path) -> PathBuf {
    let path = folder.join("schoolhouse.db");
    drop(open(&path).unwrap());
    let (db, writer) = start(&path);
    let create = "create table filling (id integer primary key, content text)";
    block_on(db.write(move |connection| Ok(connection.execute_batch(create)?))).unwrap();
    write(&db).unwrap();
    drop(db);
    writer.finish();
    path
}

fn start(path: &Path) -> (Db, Writer) {
    Db::start(path, Arc::new(Disk::new(path.parent().unwrap(), 0))).unwrap()
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

/// Writes 250 pages.
fn write(db: &Db) -> Result<(), Error> {
    block_on(db.write(|connection| {
        connection.execute_batch(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
             insert into filling (content) select hex(randomblob(1000)) from n",
        )?;
        Ok(())
    }))
}

#[test]
fn writes_are_accepted_while_the_database_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = closed(folder.path());
    let (db, writer) = start(&path);
    let inspection = Inspection::begin(&db, &path).unwrap();
    write(&db).unwrap();
    block_on(db.inspected());
    assert_eq!(db.integrity(), Integrity::Ok);
    inspection.end();
    drop(db);
    writer.finish();
    assert!(!path.with_extension("db-wal").exists(), "the log is in the database");
}

#[test]
fn damage_ends_writing_as_soon_as_it_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = closed(folder.path());
    let length = path.metadata().unwrap().len();
    File::options().write(true).open(&path).unwrap().write_all_at(&[0xAA; 64], length - 4096).unwrap();
    let (db, _writer) = start(&path);
    assert_eq!((db.integrity(), db.damage()), (Integrity::Ok, None), "it is not checked yet");
    let inspection = Inspection::begin(&db, &path).unwrap();
    block_on(db.inspected());
    assert_eq!(db.integrity(), Integrity::Damaged);
    assert!(matches!(write(&db), Err(Error::ReadOnly)));
    inspection.end();
}

#[test]
fn shutdown_does_not_wait_for_the_check() {
    let folder = tempfile::tempdir().unwrap();
    let path = closed(folder.path());
    let (db, writer) = start(&path);
    for _ in 0..20 {
        Inspection::begin(&db, &path).unwrap().end();
        assert_ne!(db.integrity(), Integrity::Damaged, "an interrupted check is inconclusive");
    }
    drop(db);
    writer.finish();
}
