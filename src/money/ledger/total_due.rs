//! What is owed on all enrollments, in cents: the sum of what is due in the view `balances`.
//!
//! A trigger keeps that sum (migration V72), because summing it up takes 19 ms at 20,000 enrollments and 115 ms at
//! 200,000. It, and what is kept of each student ([`kept`]), is only wrong after changes outside the program; maintenance
//! then corrects it.

use rusqlite::Connection;

use super::kept;
use crate::base::error::Result;
use crate::storage::db::Db;
use crate::storage::statements::{Statements, params};

/// The total that is kept. Only an approved enrollment has a charge, and leaving the course does not forgive it: the
/// office waives or reverses it.
///
/// # Errors
/// Database errors.
pub fn read(connection: &Connection) -> Result<i64> {
    connection.one("select cents from total_due", [])
}

/// Describes a difference between what is kept and the ledger's sum, if any.
///
/// # Errors
/// Database errors.
pub fn difference(connection: &Connection) -> Result<Option<String>> {
    let kept = read(connection)?;
    let summed = sum(connection)?;
    if kept != summed {
        return Ok(Some(format!("{kept} cents are kept as owed, and the ledger adds up to {summed}")));
    }
    kept::difference(connection, summed)
}

fn sum(connection: &Connection) -> Result<i64> {
    connection.one("select coalesce(sum(max(0, balance)), 0) from enrollment_balances", [])
}

/// Corrects what is kept, and returns what was wrong with it.
///
/// # Errors
/// Database errors.
pub async fn correct(db: &Db) -> Result<Option<String>> {
    // A reader looks first: the writer waits for no sum that finds nothing.
    if db.query(difference).await?.is_none() {
        return Ok(None);
    }
    db.write(|connection| {
        let difference = difference(connection)?;
        let sum = sum(connection)?;
        if kept::difference(connection, sum)?.is_some() {
            kept::forget(connection)?;
        }
        connection.run("update total_due set cents = :cents", params![cents = sum])?;
        Ok(difference)
    })
    .await
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::storage::db;
    use crate::storage::disk::Disk;

    /// Enrollments, charged and paid, waived, refunded or reversed in turn.
    fn add(connection: &Connection, from: i64, to: i64) {
        connection
            .execute_batch(&format!(
                "create temp table fresh (id integer primary key);
                 with recursive n(i) as (select {from} union all select i + 1 from n where i < {to})
                 insert into fresh select i from n;
                 insert into students (id, email, password_hash, status, full_name, created_at, updated_at)
                 select id, 's' || id || '@mail.example', 'x', 'active', 'S', 0, 0 from fresh;
                 insert into courses (id, code, name, description, grade, course_type, created_at, updated_at)
                 select id, 'C' || id, 'Course', 'A course of some.', 9, 'Open', 0, 0 from fresh;
                 insert into enrollments (id, student_id, course_id, start_date, end_date, status, created_at)
                 select id, id, id, '2026-09-01', '2026-12-01', 'active', 0 from fresh;
                 insert into ledger (kind, amount_cents, enrollment_id, created_at)
                 select 'charge', 50000 + id, id, 0 from fresh;
                 insert into ledger (kind, amount_cents, enrollment_id, created_at)
                 select iif(id % 2, 'payment', 'waiver'), 20000 * (id % 5), id, 0 from fresh where id % 5;
                 insert into ledger (kind, amount_cents, enrollment_id, reverses_id, created_at)
                 select 'reversal', amount_cents, enrollment_id, id, 0 from ledger
                 where enrollment_id in (select id from fresh) and enrollment_id % 4 = 0;
                 insert into ledger (kind, amount_cents, enrollment_id, created_at)
                 select 'refund', 100, id, 0 from fresh where id % 7 = 0;
                 drop table fresh;"
            ))
            .unwrap();
    }

    #[test]
    fn the_total_is_the_ledgers_sum_whatever_is_posted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school.db");
        add(&db::testing::open_at(&path, 71), 1, 40);
        let connection = db::open(&path).unwrap();
        assert_eq!(difference(&connection).unwrap(), None);
        kept::settle(&connection).unwrap();
        let kept: i64 = connection.one("select count(*) from student_balances", []).unwrap();
        assert_eq!((kept, difference(&connection).unwrap()), (40, None));
        let before = read(&connection).unwrap();
        add(&connection, 41, 90);
        assert!(read(&connection).unwrap() > before && before > 0);
        kept::settle(&connection).unwrap();
        assert_eq!(difference(&connection).unwrap(), None);
        connection
            .execute_batch(
                "begin; insert into ledger (kind, amount_cents, enrollment_id, created_at) values ('charge', 1, 1, 0);
                 rollback",
            )
            .unwrap();
        assert_eq!(difference(&connection).unwrap(), None);
    }

    #[tokio::test]
    async fn a_total_that_was_changed_past_the_program_is_corrected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school.db");
        let connection = db::open(&path).unwrap();
        // More than are computed before one commit.
        add(&connection, 1, 1100);
        let disk = Arc::new(Disk::new(folder.path(), 0));
        let (db, _) = Db::start_with(&path, disk, kept::settle).unwrap();
        kept::catch_up(&db).await.unwrap();
        let rows = "select count(*) from student_balances";
        assert_eq!(connection.one::<i64>(rows, []).unwrap(), 1100);
        assert_eq!(correct(&db).await.unwrap(), None);
        let sum = read(&connection).unwrap();
        connection.execute_batch("update total_due set cents = cents + 7").unwrap();
        let wrong = format!("{} cents are kept as owed, and the ledger adds up to {sum}", sum + 7);
        assert_eq!(correct(&db).await.unwrap(), Some(wrong));
        assert_eq!((read(&connection).unwrap(), correct(&db).await.unwrap()), (sum, None));
        for wrong in [
            "update student_balances set balance_cents = balance_cents + 7 where student_id = 5",
            "update owed_days set cents = cents + 7",
        ] {
            connection.execute_batch(wrong).unwrap();
            assert!(correct(&db).await.unwrap().is_some(), "{wrong}");
            kept::catch_up(&db).await.unwrap();
            assert_eq!((connection.one::<i64>(rows, []).unwrap(), correct(&db).await.unwrap()), (1100, None));
        }
    }
}
