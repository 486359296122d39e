//! The rows from before there was a chain are linked without keeping others from writing.

use std::sync::Arc;

use tokio::task::yield_now;

use super::*;
use crate::storage::disk::Disk;

/// Rows that a write may find linked since the write before it: what its wait is made of. At 4 µs a row
/// that is 2 ms.
const MAX_ROWS: i64 = 500;

#[tokio::test]
async fn a_write_waits_for_the_links_of_a_few_hundred_rows_at_most() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("schoolhouse.db");
    db::open(&path)
        .unwrap()
        .execute_batch(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 6000)
             insert into audit (at, actor, action, object, object_id)
                 select i, 'clerk', 'approve', 'enrollment', i from n",
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
        linked.push(db.write(count).await.unwrap());
        yield_now().await;
    }
    assert_eq!(db.write(count).await.unwrap(), 6000);
    let most = linked.windows(2).map(|pair| pair[1] - pair[0]).max();
    assert!(most.is_some_and(|most| most <= MAX_ROWS), "{most:?} rows between two writes: {linked:?}");
}

fn count(connection: &Connection) -> Result<i64> {
    Ok(connection.query_row("select count(*) from audit_chain", [], |row| row.get(0))?)
}
