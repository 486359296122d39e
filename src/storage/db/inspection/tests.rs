//! The look after the start: what it finds, and what happens meanwhile.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;

use rusqlite::named_params;

use super::*;
use crate::base::error::Error;
use crate::storage::db::{Writer, open, pages};
use crate::storage::disk::Disk;

/// A database of some hundred pages, closed by the server.
fn closed(folder: &Path) -> PathBuf {
    let path = folder.join("schoolhouse.db");
    drop(open(&path).unwrap());
    let (db, writer) = start(&path);
    let filled = pollster(db.write(|connection| {
        Ok(connection.execute_batch(
            "create table filling (id integer primary key, content text);
             with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
             insert into filling (content) select 'Chemistry ' || hex(randomblob(1000)) from n",
        )?)
    }));
    filled.unwrap();
    drop(db);
    writer.finish();
    path
}

fn start(path: &Path) -> (Db, Writer) {
    let sums = pages::take(path, || Ok(false)).unwrap();
    Db::start_knowing(sums, path, Arc::new(Disk::new(path.parent().unwrap(), 0))).unwrap()
}

fn pollster<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

fn write(db: &Db, rows: i64) -> Result<(), Error> {
    pollster(db.write(move |connection| {
        connection.execute(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < :rows)
             insert into filling (content) select hex(randomblob(1000)) from n",
            named_params! { ":rows": rows },
        )?;
        Ok(())
    }))
}

#[test]
fn until_it_is_looked_over_the_file_stays_as_it_was_and_writes_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = closed(folder.path());
    let (db, writer) = start(&path);
    let before = fs::read(&path).unwrap();
    db.page_check().hold(true);
    for _ in 0..10 {
        write(&db, 500).unwrap();
    }
    let log = path.with_extension("db-wal").metadata().unwrap().len();
    assert!(log > 2500 * 4096, "{log} bytes are more than would be moved otherwise");
    assert!(fs::read(&path).unwrap() == before, "the file was written to");
    // Neither are these writes taken for a change, nor does the look keep them back.
    let inspection = Inspection::begin(&db, &path).unwrap();
    pollster(db.inspected());
    assert_eq!(db.integrity(), Integrity::Ok);
    write(&db, 1).unwrap();
    write(&db, 1).unwrap();
    assert!(path.metadata().unwrap().len() > before.len() as u64 + 2500 * 4096, "the log is moved again");
    inspection.end();
    drop(db);
    writer.finish();
    assert!(!pages::note(&path).exists());
    assert_eq!(pages::compare(&path).unwrap(), pages::Since::Same);
}

#[test]
fn a_letter_that_changed_while_it_was_closed_is_noted_once_although_people_write_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let path = closed(folder.path());
    let bytes = fs::read(&path).unwrap();
    let at = bytes.windows(9).rposition(|word| word == b"Chemistry").unwrap();
    File::options().write(true).open(&path).unwrap().write_all_at(b"X", at as u64).unwrap();
    for is_noted in [true, false] {
        let (db, writer) = start(&path);
        let inspection = Inspection::begin(&db, &path).unwrap();
        write(&db, 500).unwrap();
        pollster(db.inspected());
        assert_eq!(db.integrity(), Integrity::Ok, "to SQLite it is another letter");
        assert_eq!(pages::note(&path).exists(), is_noted);
        let _ = fs::remove_file(pages::note(&path));
        inspection.end();
        drop(db);
        writer.finish();
    }
}

#[test]
fn damage_ends_writing_as_soon_as_it_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = closed(folder.path());
    let length = path.metadata().unwrap().len();
    File::options().write(true).open(&path).unwrap().write_all_at(&[0xAA; 64], length - 4096).unwrap();
    let (db, _writer) = start(&path);
    assert_eq!((db.integrity(), db.damage()), (Integrity::Ok, None), "nobody has looked");
    let inspection = Inspection::begin(&db, &path).unwrap();
    pollster(db.inspected());
    assert_eq!(db.integrity(), Integrity::Damaged);
    assert!(matches!(write(&db, 1), Err(Error::ReadOnly)));
    inspection.end();
}

#[test]
fn an_end_does_not_wait_for_the_look() {
    let folder = tempfile::tempdir().unwrap();
    let path = closed(folder.path());
    for _ in 0..20 {
        let (db, writer) = start(&path);
        Inspection::begin(&db, &path).unwrap().end();
        drop(db);
        writer.finish();
        assert_eq!(pages::compare(&path).unwrap(), pages::Since::Same);
    }
}
