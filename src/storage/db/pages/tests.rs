//! A changed byte is found, and nothing else is taken for one.

use rusqlite::named_params;
use tokio::task::spawn_blocking;

use super::*;
use crate::storage::db::{Db, connect, open};
use crate::storage::disk::Disk;

fn flip(path: &Path, offset: usize) {
    let file = File::options().read(true).write(true).open(path).unwrap();
    let mut byte = [0];
    file.read_exact_at(&mut byte, offset as u64).unwrap();
    byte[0] ^= 1;
    file.write_all_at(&byte, offset as u64).unwrap();
}

#[test]
fn a_changed_byte_anywhere_in_a_closed_database_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schoolhouse.db");
    drop(open(&path).unwrap());
    Pages::new(&path).unwrap().save(&path).unwrap();
    assert_eq!(compare(&path).unwrap(), Since::Same);
    let length = usize::try_from(path.metadata().unwrap().len()).unwrap();
    for (page, at) in (0..length).step_by(4096).enumerate() {
        flip(&path, at + page % 4096);
        assert_eq!(compare(&path).unwrap(), Since::Changed, "page {page}");
        flip(&path, at + page % 4096);
    }
    File::options().write(true).open(&path).unwrap().set_len(length as u64 - 4096).unwrap();
    assert!(take(&path, || Ok(false)).unwrap().0.is_empty(), "a page is missing");
    assert!(note(&path).exists(), "remembered until somebody has looked");
    assert_eq!(compare_now(&path).unwrap(), Since::Unknown, "and reported once");
}

#[test]
fn a_database_with_writes_in_its_log_has_no_sums_and_damaged_sums_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schoolhouse.db");
    drop(open(&path).unwrap());
    Pages::new(&path).unwrap().save(&path).unwrap();
    let connection = open(&path).unwrap();
    connection.execute_batch("create table more (a)").unwrap();
    assert_eq!(compare(&path).unwrap(), Since::Unknown);
    assert!(Pages::new(&path).unwrap().lock().is_empty());
    drop(connection);
    assert_eq!(compare(&path).unwrap(), Since::Changed, "another program wrote");
    Pages::new(&path).unwrap().save(&path).unwrap();
    assert_eq!(compare(&path).unwrap(), Since::Same);
    for offset in [3, 100] {
        flip(&beside(&path), offset);
        assert_eq!(compare(&path).unwrap(), Since::Unknown);
        flip(&beside(&path), offset);
    }
    forget(&path).unwrap();
    assert_eq!(compare(&path).unwrap(), Since::Unknown);
}

/// An open database whose writer is busy.
struct Busy {
    db: Db,
    path: PathBuf,
    folder: tempfile::TempDir,
}

impl Busy {
    fn open() -> (Self, crate::storage::db::Writer) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("schoolhouse.db");
        let table = "create table filling (id integer primary key, content text)";
        open(&path).unwrap().execute_batch(table).unwrap();
        let (db, writer) = Db::start(&path, Arc::new(Disk::new(folder.path(), 0))).unwrap();
        db.page_check().first_changed().unwrap();
        (Self { db, path, folder }, writer)
    }

    /// Some hundred pages of the log.
    async fn write(&self, number: i64) {
        let write = self.db.write(move |connection| {
            connection
                .execute("delete from filling where id % 3 = :rest", named_params! { ":rest": number % 3 })?;
            connection.execute(
                "with recursive n(i) as (select 1 union all select i + 1 from n where i < 200)
                 insert into filling (content) select hex(randomblob(1000 + :number)) from n",
                named_params! { ":number": number },
            )?;
            Ok(())
        });
        write.await.unwrap();
    }

    async fn changed(&self) -> Option<usize> {
        let check = self.db.page_check();
        spawn_blocking(move || check.first_changed().unwrap()).await.unwrap()
    }

    fn known(&self) -> usize {
        self.db.page_check().pages.lock().iter().filter(|sum| **sum != UNKNOWN).count()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_byte_anywhere_in_an_open_database_is_found() {
    let (busy, writer) = Busy::open();
    let length_of = || usize::try_from(busy.path.metadata().unwrap().len()).unwrap();
    let before = length_of();
    for number in 0..12 {
        busy.write(number).await;
        assert!(busy.known() > 20, "known from the beginning");
        assert_eq!(busy.changed().await, None, "after {number}");
    }
    // A page that is still in the log would be mended by it.
    let check = busy.db.page_check();
    assert!(spawn_blocking(move || check.settle()).await.unwrap());
    let length = length_of();
    assert!(length > before + 500_000, "the log was never moved: {length} bytes");
    for (page, at) in (0..length).step_by(4096).enumerate().step_by(7) {
        flip(&busy.path, at + 11 * page % 4096);
        assert_eq!(busy.changed().await, Some(page + 1));
        flip(&busy.path, at + 11 * page % 4096);
    }
    assert_eq!(busy.changed().await, None);
    // What changed in the last hours is reported at the next start, and not adopted at shutdown.
    flip(&busy.path, 3 * 4096 + 100);
    let Busy { db, path, folder: _folder } = busy;
    drop(db);
    writer.finish();
    assert_eq!(compare(&path).unwrap(), Since::Changed);
    flip(&path, 3 * 4096 + 100);
    assert_eq!(compare(&path).unwrap(), Since::Same);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_readers_and_other_programs_do_is_no_damage() {
    let (busy, writer) = Busy::open();
    // The same moves each time.
    let mut rng = fastrand::Rng::with_seed(7);
    let mut other: Option<rusqlite::Connection> = None;
    let mut learned = 0;
    for number in 0..250 {
        match rng.u8(..12) {
            0 => other = Some(connect(&busy.path).unwrap()),
            1 => other = None,
            // A reader that keeps the log from beginning anew, and some of it out of the file.
            2 => other.iter().for_each(|other| {
                let _ = other.execute_batch("begin; select count(*) from filling");
            }),
            3 => other.iter().for_each(|other| {
                let _ = other.execute_batch("commit");
            }),
            4 => other.iter().for_each(|other| {
                let mode = rng.choice(["passive", "full", "restart", "truncate"]).unwrap();
                other.busy_timeout(std::time::Duration::ZERO).unwrap();
                let _ = other.query_row(&format!("pragma wal_checkpoint({mode})"), [], |_| Ok(()));
            }),
            // Not while it reads: then it would keep the lock of writers, too.
            5 => other.iter().filter(|other| other.is_autocommit()).for_each(|other| {
                let _ = other.execute_batch("update filling set content = 'somebody else' where id % 5 = 0");
            }),
            6 => other.iter().for_each(|other| {
                let _ = other.execute_batch("vacuum");
            }),
            _ => busy.write(number).await,
        }
        if rng.u8(..3) == 0 {
            assert_eq!(busy.changed().await, None, "after {number}");
            learned += usize::from(busy.known() > 20);
        }
    }
    assert!(learned > 40, "{learned}");
    drop(other);
    busy.write(0).await;
    assert_eq!(busy.changed().await, None);
    let Busy { db, path, folder: _folder } = busy;
    drop(db);
    writer.finish();
    assert_eq!(compare(&path).unwrap(), Since::Same);
}
