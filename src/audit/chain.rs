//! The chain over the audit trail: each row is linked to all rows before it. The table is `audit_chain`.
//!
//! It detects, with the row's id, a row that was changed, removed or inserted by hand, since later hashes no longer
//! match. It has no secret, so an attacker with write access to the database can build a new chain, or remove the
//! newest rows with their links. Both are detected only by comparison with a head recorded elsewhere: the nightly check
//! stores one in its own row and one in the log, and every backup contains the chain of its day.

use rusqlite::Connection;
use sha2::{Digest, Sha256};

use crate::base::error::Result;
use crate::base::random;
use crate::storage::columns::ColumnPositions;
use crate::storage::db::Db;
use crate::storage::statements::{FromRow, Statements, from_row, params};

/// Rows linked per write, which blocks other writes: about a millisecond (3 to 4 µs a row, measured on the release).
pub const STEP: u32 = 200;

/// The end of the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The newest linked row.
    pub audit_id: i64,
    /// Its hash, as hexadecimal digits.
    pub hash: String,
}

/// Result of verifying the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChainVerdict {
    /// Every link is valid.
    Intact {
        /// Number of linked rows.
        rows: i64,
        /// Rows from before the chain existed that are not linked yet.
        waiting: i64,
        /// The newest link; `None` for an empty trail.
        head: Option<Head>,
    },
    /// It breaks.
    Broken(String),
}

type Hash = [u8; 32];

/// Hash before the first row.
const START: Hash = [0; 32];

/// Links a new row, unless earlier rows still wait for their links.
pub(super) fn link_newest(connection: &Connection, id: i64) -> Result<()> {
    let before: Option<i64> = connection.one("select max(id) from audit where id < :id", params![id])?;
    let head = newest(connection)?;
    if head.as_ref().map(|(head, _)| *head) == before {
        link(connection, head.map_or(START, |(_, hash)| hash), id.saturating_sub(1), 1)?;
    }
    Ok(())
}

/// Links the oldest unlinked rows, at most [`STEP`]. Returns the number.
pub fn catch_up(connection: &Connection) -> Result<u32> {
    let (after, hash) = newest(connection)?.unwrap_or((0, START));
    link(connection, hash, after, STEP)
}

/// Links rows from before the chain existed, a few hundred per write, with other writes in between.
pub async fn link_waiting(db: &Db) -> Result<()> {
    while db.write(catch_up).await? == STEP {}
    Ok(())
}

fn link(connection: &Connection, mut hash: Hash, after: i64, limit: u32) -> Result<u32> {
    let select = "select id, at, user_id, actor, action, object, object_id, detail from audit
        where id > :after order by id limit :limit";
    let rows: Vec<AuditRow> = connection.list(select, params![after, limit])?;
    let insert = "insert into audit_chain (audit_id, hash) values (:id, :hash)";
    for row in &rows {
        hash = next(&hash, row);
        connection.run(insert, params![id = row.id, hash])?;
    }
    Ok(rows.len() as u32)
}

fn newest(connection: &Connection) -> Result<Option<(i64, Hash)>> {
    let sql =
        "select audit_id, hash from audit_chain where audit_id = (select max(audit_id) from audit_chain)";
    connection.find(sql, [])
}

/// A row of the trail, as its hash has it.
struct AuditRow {
    id: i64,
    at: i64,
    user_id: Option<i64>,
    actor: String,
    action: String,
    object: String,
    object_id: Option<i64>,
    detail: String,
}

from_row!(AuditRow { id, at, user_id, actor, action, object, object_id, detail });

/// SHA-256 of the hash before and of the row as a JSON array: number, seconds, user, actor, action, object,
/// its number, detail.
fn next(before: &Hash, row: &AuditRow) -> Hash {
    let AuditRow { id, at, user_id, actor, action, object, object_id, detail } = row;
    let canonical = serde_json::json!([id, at, user_id, actor, action, object, object_id, detail]);
    Sha256::new().chain_update(before).chain_update(canonical.to_string()).finalize().into()
}

/// Verifies every link, and that the chain continues from a known head.
pub fn verify(connection: &Connection, known: Option<&Head>) -> Result<ChainVerdict> {
    // Row by row: the whole trail does not have to fit into memory.
    let mut select = connection.prepare(
        "select a.id, at, user_id, actor, action, object, object_id, detail, hash
         from audit a left join audit_chain c on c.audit_id = a.id order by a.id",
    )?;
    let mut rows = select.query([])?;
    let places = ColumnPositions::default();
    let mut hash = START;
    let mut head = 0;
    let mut count = 0;
    let mut waiting = 0;
    let mut is_known = known.is_none();
    while let Some(row) = rows.next()? {
        let row = places.of(row);
        let audited = AuditRow::read(&row)?;
        let id = audited.id;
        let Some(found) = row.read::<Option<Hash>>("hash")? else {
            waiting += 1;
            continue;
        };
        hash = next(&hash, &audited);
        if waiting > 0 || hash != found {
            return Ok(ChainVerdict::Broken(format!(
                "row {id} does not follow from the rows before it: it was changed, or rows between it and row \
                 {head} were removed or slipped in"
            )));
        }
        is_known |= known.is_some_and(|known| known.audit_id == id && known.hash == random::hex(&hash));
        (head, count) = (id, count + 1);
    }
    if let Some((last, _)) = newest(connection)?.filter(|(last, _)| *last > head) {
        return Ok(ChainVerdict::Broken(format!("the rows from {} to {last} were removed", head + 1)));
    }
    if let Some(known) = known.filter(|_| !is_known) {
        return Ok(ChainVerdict::Broken(format!(
            "row {} is not what it was when the trail was checked the last time: the newest rows were cut off, or \
             the whole trail was rewritten",
            known.audit_id
        )));
    }
    let head = (count > 0).then(|| Head { audit_id: head, hash: random::hex(&hash) });
    Ok(ChainVerdict::Intact { rows: count, waiting, head })
}

#[cfg(test)]
mod tests;
