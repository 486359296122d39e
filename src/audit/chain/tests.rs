//! The chain is built in steps and detects changes made outside the program.

use std::sync::Arc;

use rusqlite::Connection;
use serde_json::json;
use tokio::task::yield_now;

use super::*;
use crate::audit::{Actor, record};
use crate::storage::disk::Disk;

/// The tables without triggers, as for an attacker who edits the file.
fn trail(rows: i64) -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    connection
        .execute_batch(
            "create table audit (id integer primary key, at integer, user_id integer, actor text, action text,
                 object text, object_id integer, detail text);
             create table audit_chain (audit_id integer primary key, hash blob)",
        )
        .unwrap();
    for id in 0..rows {
        add(&connection, id);
    }
    connection
}

fn add(connection: &Connection, id: i64) {
    let now = "2026-11-21T15:00:00Z".parse().unwrap();
    let detail = json!({ "from": 1, "to": id });
    record(connection, &Actor::staff(1, "registrar"), "approve", "enrollment", id, detail, now).unwrap();
}

fn head(connection: &Connection) -> Head {
    match verify(connection, None).unwrap() {
        ChainVerdict::Intact { head: Some(head), .. } => head,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn broken(connection: &Connection, known: Option<&Head>, words: &str) {
    match verify(connection, known).unwrap() {
        ChainVerdict::Broken(why) => assert!(why.contains(words), "{why}"),
        intact @ ChainVerdict::Intact { .. } => panic!("{words}: {intact:?}"),
    }
}

#[test]
fn each_row_is_linked_as_it_is_written() {
    let connection = trail(5);
    let ChainVerdict::Intact { rows, waiting, head: Some(head) } = verify(&connection, None).unwrap() else {
        panic!("intact")
    };
    assert_eq!((rows, waiting, head.audit_id), (5, 0, 5));
    assert_eq!(verify(&trail(0), None).unwrap(), ChainVerdict::Intact { rows: 0, waiting: 0, head: None });
}

#[test]
fn manual_changes_to_a_row_are_found_at_that_row() {
    for (change, words) in [
        ("update audit set actor = 'stranger' where id = 3", "row 3 does not follow"),
        ("update audit set at = at + 1 where id = 3", "row 3 does not follow"),
        ("update audit set user_id = null where id = 5", "row 5 does not follow"),
        ("delete from audit where id = 3", "row 4 does not follow"),
        (
            "delete from audit where id = 3; delete from audit_chain where audit_id = 3",
            "row 4 does not follow",
        ),
        ("delete from audit_chain where audit_id = 3", "row 4 does not follow"),
        ("delete from audit where id = 5", "the rows from 5 to 5 were removed"),
    ] {
        let connection = trail(5);
        connection.execute_batch(change).unwrap();
        broken(&connection, None, words);
    }
}

#[test]
fn a_truncated_chain_differs_from_the_recorded_head() {
    let connection = trail(5);
    let known = head(&connection);
    add(&connection, 6);
    assert!(matches!(verify(&connection, Some(&known)).unwrap(), ChainVerdict::Intact { rows: 6, .. }));
    let cut = "delete from audit where id > 4; delete from audit_chain where audit_id > 4";
    connection.execute_batch(cut).unwrap();
    assert!(
        matches!(verify(&connection, None).unwrap(), ChainVerdict::Intact { rows: 4, .. }),
        "not by itself"
    );
    broken(&connection, Some(&known), "row 5 is not what it was");
    // New rows in their place do not hide it.
    for id in 5..9 {
        add(&connection, id * 10);
    }
    broken(&connection, Some(&known), "row 5 is not what it was");
}

#[test]
fn rows_from_before_are_linked_in_steps_and_new_ones_wait_behind_them() {
    let connection = trail(450);
    let whole = head(&connection);
    connection.run("delete from audit_chain", []).unwrap();
    assert!(matches!(verify(&connection, None).unwrap(), ChainVerdict::Intact { rows: 0, waiting: 450, .. }));
    assert_eq!(catch_up(&connection).unwrap(), STEP);
    add(&connection, 7);
    assert!(matches!(
        verify(&connection, None).unwrap(),
        ChainVerdict::Intact { rows: 200, waiting: 251, .. }
    ));
    assert_eq!(catch_up(&connection).unwrap(), STEP);
    assert_eq!(catch_up(&connection).unwrap(), 51);
    assert_eq!(catch_up(&connection).unwrap(), 0);
    assert!(matches!(
        verify(&connection, Some(&whole)).unwrap(),
        ChainVerdict::Intact { rows: 451, waiting: 0, .. }
    ));
    add(&connection, 8);
    assert_eq!(head(&connection).audit_id, 452);
}

/// Run by hand: `cargo test --release --lib chain -- --ignored --nocapture`.
#[test]
#[ignore = "half a million rows are measured by hand"]
fn half_a_million_rows_are_measured() {
    let connection = trail(0);
    connection
        .execute_batch(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 500000)
             insert into audit select i, 1763737200 + i, i % 20, 'registrar' || i % 20, 'approve', 'enrollment', i,
                 '{\"from\":\"pending\",\"to\":\"active\",\"price\":500}' from n",
        )
        .unwrap();
    let begun = std::time::Instant::now();
    let mut longest = std::time::Duration::ZERO;
    loop {
        let step = std::time::Instant::now();
        if catch_up(&connection).unwrap() == 0 {
            break;
        }
        longest = longest.max(step.elapsed());
    }
    println!("linked in {:?}, the longest step {longest:?}", begun.elapsed());
    let begun = std::time::Instant::now();
    assert!(matches!(verify(&connection, None).unwrap(), ChainVerdict::Intact { rows: 500_000, .. }));
    println!("verified in {:?}", begun.elapsed());
}

/// Rows that a write may find linked since the write before it: what its wait is made of. At 4 µs a row
/// that is 2 ms.
const MAX_ROWS: i64 = 500;

#[tokio::test]
async fn a_write_waits_for_the_links_of_a_few_hundred_rows_at_most() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schoolhouse.db");
    crate::storage::db::open(&path)
        .unwrap()
        .execute_batch(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 6000)
             insert into audit (at, actor, action, object, object_id)
                 select i, 'registrar', 'approve', 'enrollment', i from n",
        )
        .unwrap();
    let (db, _writer) = Db::start(&path, Arc::new(Disk::new(folder.path(), 0))).unwrap();
    let linking = tokio::spawn({
        let db = db.clone();
        async move { link_waiting(&db).await.unwrap() }
    });
    // The linking and the writes here take turns on the one thread of this test's runtime.
    let mut linked = vec![0];
    while !linking.is_finished() {
        linked.push(db.write(count_links).await.unwrap());
        yield_now().await;
    }
    assert_eq!(db.write(count_links).await.unwrap(), 6000);
    let max = linked.windows(2).map(|pair| pair[1] - pair[0]).max();
    assert!(max.is_some_and(|max| max <= MAX_ROWS), "{max:?} rows between two writes: {linked:?}");
}

fn count_links(connection: &Connection) -> Result<i64> {
    connection.one("select count(*) from audit_chain", [])
}
