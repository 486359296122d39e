//! Failure cases of the database: failed upgrades, jobs that break their group, damage.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, OpenFlags};

use super::testing::{checked, open_at};
use super::*;
use crate::storage::db::integrity::Depth;
use crate::storage::statements::params;

fn copies(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder.join("backups"))
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A database of the version before this one, closed cleanly.
fn older(folder: &Path) -> PathBuf {
    let path = folder.join("schoolhouse.db");
    drop(open_at(&path, version_before()));
    path
}

fn version_before() -> i32 {
    schema_versions().into_iter().rev().nth(1).unwrap()
}

#[test]
fn an_upgrade_keeps_a_verified_copy_of_the_old_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = older(folder.path());
    drop(open(&path).unwrap());
    assert_eq!(copies(folder.path()), [format!("before-schema-{}.db", newest_schema())]);
    let copy = connect_alongside(
        &folder.path().join("backups").join(&copies(folder.path())[0]),
        OpenFlags::SQLITE_OPEN_READ_ONLY,
    )
    .unwrap();
    assert_eq!(schema_version(&copy).unwrap(), version_before());
    assert_eq!(integrity::check(&copy, Depth::Full).unwrap(), None);
    drop(open(&path).unwrap());
    assert_eq!(copies(folder.path()).len(), 1, "without an upgrade there is no copy");
}

#[test]
fn old_copies_and_leftovers_of_crashes_are_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let backups = folder.path().join("backups");
    fs::create_dir(&backups).unwrap();
    for (name, day) in [("before-schema-3.db", 1), ("before-schema-4.db", 2), ("before-schema-5.db", 3)] {
        let file = fs::File::create(backups.join(name)).unwrap();
        file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(day * 86_400)).unwrap();
    }
    fs::write(backups.join("before-schema-5-2.db.partial"), b"half").unwrap();
    fs::write(backups.join("schoolhouse-20260101-000000.tar.zst"), b"an archive").unwrap();
    drop(open(&older(folder.path())).unwrap());
    let newest = format!("before-schema-{}.db", newest_schema());
    let archive = "schoolhouse-20260101-000000.tar.zst".to_owned();
    let mut kept = [newest, "before-schema-4.db".into(), "before-schema-5.db".into(), archive];
    kept.sort();
    assert_eq!(copies(folder.path()), kept);
}

#[test]
fn a_failing_upgrade_leaves_the_old_database_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schoolhouse.db");
    drop(open_at(&path, 11));
    // The table that the next migration creates exists already.
    Connection::open(&path).unwrap().execute_batch("create table upkeep (task text)").unwrap();
    let before = fs::read(&path).unwrap();
    let error = format!("{:#}", open(&path).unwrap_err());
    assert!(
        error.contains("bringing the database up to date") && error.contains("already exists"),
        "{error}"
    );
    assert!(fs::read(&path).unwrap() == before, "the file has changed");
    assert_eq!(schema_version(&connect(&path).unwrap()).unwrap(), 11);
}

#[test]
fn a_damaged_database_is_not_upgraded() {
    let folder = tempfile::tempdir().unwrap();
    let path = older(folder.path());
    let connection = Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "pragma foreign_keys=off;
             insert into student_documents (student_id, document_type, document_path, sha256, content_type,
                 size_bytes, original_name, uploaded_at) values (99, 'other', 'x', printf('%064d', 1), 'application/pdf', 1,
                 'x', 0)",
        )
        .unwrap();
    drop(connection);
    let before = fs::read(&path).unwrap();
    let error = format!("{:#}", open(&path).unwrap_err());
    assert!(error.contains("damaged (a row of student_documents refers to nothing)"), "{error}");
    assert!(fs::read(&path).unwrap() == before, "the file has changed");
    assert!(copies(folder.path()).is_empty());
}

#[test]
fn a_migration_that_would_orphan_a_row_is_undone() {
    use refinery_core::traits::sync::Transaction;
    let mut connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch(
            "pragma foreign_keys=off; create table a (id integer primary key); insert into a values (1)",
        )
        .unwrap();
    let steps = ["create table b (a integer references a)", "insert into b values (2)"];
    let error = checked(&mut connection).execute(steps.into_iter()).unwrap_err();
    assert_eq!(error.to_string(), "a row of b would refer to nothing");
    let tables: i64 =
        connection.query_row("select count(*) from sqlite_schema", [], |row| row.get(0)).unwrap();
    assert_eq!(tables, 1);
}

#[test]
fn a_file_that_is_not_a_database_is_reported_as_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schoolhouse.db");
    fs::write(&path, "not a database at all".repeat(500)).unwrap();
    let error = format!("{:#}", open(&path).unwrap_err());
    assert!(error.contains("the database is damaged") && error.contains("schoolhouse restore"), "{error}");
}

fn started(folder: &Path) -> Db {
    let path = folder.join("schoolhouse.db");
    drop(open(&path).unwrap());
    let (db, _) = Db::start(&path, Arc::new(Disk::new(folder, 0))).unwrap();
    db
}

const NOTE: &str = "insert into upkeep (task, since) values (:task, 0)";

#[tokio::test]
async fn a_job_that_ends_the_transaction_fails_its_whole_group_and_nothing_is_partly_kept() {
    let folder = tempfile::tempdir().unwrap();
    let db = started(folder.path());
    // One job holds the writer until the others wait, so that they share a group.
    let (held, hold) = std::sync::mpsc::channel::<()>();
    let first = db.write(move |_| hold.recv().map_err(|error| Error::Internal(error.into())));
    let good = |task: &'static str| db.write(move |connection| Ok(connection.execute(NOTE, params![task])?));
    // SQLite does this itself when a disk fails in the middle of a statement.
    let bad = db.write(|connection| {
        connection.execute_batch("rollback")?;
        Err::<(), _>(Error::Internal(anyhow!("the disk failed")))
    });
    let release = async {
        tokio::task::yield_now().await;
        held.send(()).unwrap();
    };
    let (_, before, undone, after, ()) = tokio::join!(first, good("before"), bad, good("after"), release);
    assert!(before.is_err() && undone.is_err(), "they were told that they are kept");
    let kept = db
        .read(|connection| {
            Ok(connection.query_row("select count(*) from upkeep", [], |row| row.get::<_, i64>(0))?)
        })
        .await
        .unwrap();
    assert_eq!(kept, i64::from(after.is_ok()), "kept is what was answered as kept");
    good("later").await.unwrap();
}

#[tokio::test]
async fn a_failed_or_panicking_job_rolls_back_only_its_own_changes() {
    let folder = tempfile::tempdir().unwrap();
    let db = started(folder.path());
    for panics in [false, true] {
        let (held, hold) = std::sync::mpsc::channel::<()>();
        let note = |task: &'static str, is_kept: bool| {
            db.write(move |connection| {
                connection.execute(NOTE, params![task])?;
                assert!(is_kept || !panics, "the panic of this test");
                if is_kept { Ok(()) } else { Err(Error::Internal(anyhow!("refused"))) }
            })
        };
        // The first of the group holds the writer until the others wait.
        let first = db.write(move |connection| {
            connection.execute(NOTE, params![task = "first"])?;
            hold.recv().map_err(|error| Error::Internal(error.into()))?;
            assert!(!panics, "the panic of this test");
            Err::<(), _>(Error::Internal(anyhow!("refused")))
        });
        let release = async {
            tokio::task::yield_now().await;
            held.send(()).unwrap();
        };
        let (first, second, third, fourth, ()) =
            tokio::join!(first, note("second", true), note("third", false), note("fourth", true), release);
        assert!(first.is_err() && second.is_ok() && third.is_err() && fourth.is_ok());
        let forget = "delete from upkeep where task in ('first', 'second', 'third', 'fourth') returning task";
        let kept: Vec<String> = db
            .write(move |connection| {
                let mut delete = connection.prepare(forget)?;
                Ok(delete.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
            })
            .await
            .unwrap();
        assert_eq!(kept, ["fourth", "second"]);
    }
}

#[tokio::test]
async fn the_log_is_checkpointed_after_the_answers() {
    let folder = tempfile::tempdir().unwrap();
    let db = started(folder.path());
    let path = folder.path().join("schoolhouse.db");
    let before = path.metadata().unwrap().len();
    for _ in 0..20 {
        let rows = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 200)
                    insert into upkeep (task, since) select hex(randomblob(1000)), 0 from n";
        db.write(move |connection| Ok(connection.execute_batch(rows)?)).await.unwrap();
    }
    // The checkpoint that follows an answer is over before the next write begins.
    db.write(|_| Ok(())).await.unwrap();
    let file = path.metadata().unwrap().len();
    let log = path.with_extension("db-wal").metadata().unwrap().len();
    assert!(file > before + 2000 * 4096, "{file} bytes, {before} before");
    assert!(log < 3000 * 4096, "{log} bytes");
}

#[tokio::test]
async fn damage_found_by_a_query_ends_all_writing() {
    let folder = tempfile::tempdir().unwrap();
    let db = started(folder.path());
    db.write(|connection| Ok(connection.execute_batch("pragma wal_checkpoint(truncate)").ok()))
        .await
        .unwrap();
    assert_eq!(db.damage(), None);
    let met = db.read(|_| {
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
        Err::<(), _>(rusqlite::Error::SqliteFailure(code, None).into())
    });
    assert!(met.await.is_err());
    assert!(db.damage().is_some());
    assert!(matches!(db.write(|_| Ok(())).await, Err(Error::ReadOnly)));
    assert!(db.read(|_| Ok(())).await.is_ok(), "reading goes on");
}

#[tokio::test]
async fn a_revision_reflects_the_last_commit_of_any_process() {
    const GROW: &str = "update revisions set value = value + 1 where topic = 'courses'";
    let folder = tempfile::tempdir().unwrap();
    let db = started(folder.path());
    let first = db.revision("courses").await.unwrap();
    assert_eq!(db.revision("courses").await.unwrap(), first);
    let beside = connect(&folder.path().join("schoolhouse.db")).unwrap();
    for grown in 1..4 {
        beside.execute_batch(GROW).unwrap();
        assert_eq!(db.revision("courses").await.unwrap(), first + grown, "of another program");
    }
    db.write(|connection| Ok(connection.execute_batch(GROW)?)).await.unwrap();
    assert_eq!(db.revision("courses").await.unwrap(), first + 4);
    beside.execute_batch("begin immediate; update revisions set value = 99; rollback").unwrap();
    assert_eq!(db.revision("courses").await.unwrap(), first + 4, "nothing was committed");
    assert!(db.revision("no such topic").await.is_err());
}

#[tokio::test]
async fn a_cached_result_is_read_once_after_each_commit() {
    let folder = tempfile::tempdir().unwrap();
    let db = started(folder.path());
    let cache = QueryCache::default();
    let reads = Cell::new(0);
    let site = async || {
        let read = |connection: &Connection| {
            reads.set(reads.get() + 1);
            revision(connection, "site")
        };
        db.recall(&cache, "site", read).await.unwrap()
    };
    let first = site().await;
    assert_eq!((site().await, reads.get()), (first, 1));
    let write = |statement: &'static str| db.write(|connection| Ok(connection.execute_batch(statement)?));
    write("update revisions set value = value + 1 where topic = 'courses'").await.unwrap();
    assert_eq!((site().await, reads.get()), (first, 2), "something else has changed");
    write("update revisions set value = value + 1 where topic = 'site'").await.unwrap();
    assert_eq!((site().await, reads.get()), (first + 1, 3));
    assert_eq!((site().await, reads.get()), (first + 1, 3));
}

#[tokio::test]
async fn a_failed_read_is_not_cached() {
    let folder = tempfile::tempdir().unwrap();
    let db = started(folder.path());
    let cache = QueryCache::default();
    assert!(db.recall(&cache, 1, |_| Err(Error::Busy("for now"))).await.is_err());
    assert_eq!(db.recall(&cache, 1, |_| Ok("read")).await.unwrap(), "read");
}

#[test]
fn the_cache_has_a_limit() {
    let cache = QueryCache::default();
    for key in 0..=query_cache::MAX {
        cache.keep([1; 48], key, key);
    }
    assert_eq!(cache.get(&[1; 48], &0), None);
    assert_eq!(cache.get(&[1; 48], &query_cache::MAX), Some(query_cache::MAX));
}

#[test]
fn a_statement_is_prepared_once_for_all_of_its_parameters() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schoolhouse.db");
    drop(open(&path).unwrap());
    let connection = connect(&path).unwrap();
    let mut statement = connection
        .prepare("select id from enrollments where student_id = :student and created_at > :since order by id")
        .unwrap();
    for student in 1..9 {
        let parameters = params![student, since = student];
        assert!(statement.query(parameters).unwrap().next().unwrap().is_none());
    }
    assert_eq!(statement.get_status(rusqlite::StatementStatus::RePrepare), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_keeps_its_reader_until_it_ends_even_if_its_caller_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let db = started(folder.path());
    let gate = Arc::new(std::sync::Barrier::new(READERS + 1));
    let mut queries = tokio::task::JoinSet::new();
    for _ in 0..READERS {
        let db = db.clone();
        let gate = gate.clone();
        queries.spawn(async move {
            let query = db.query(move |_| {
                gate.wait();
                gate.wait();
                Ok(())
            });
            query.await
        });
    }
    gate.wait();
    queries.shutdown().await;
    let free = db.readers.permits.available_permits();
    let idle = || db.readers.idle.lock().unwrap().len();
    assert_eq!((free, idle()), (0, 0), "they still read");
    gate.wait();
    db.query(|_| Ok(())).await.unwrap();
    let all = u32::try_from(READERS).unwrap();
    drop(db.readers.permits.acquire_many(all).await.unwrap());
    assert_eq!(idle(), READERS);
}
