//! The nightly check of the audit trail's chain.

use anyhow::bail;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::{TaskContext, TaskName};
use crate::audit::chain::{self, ChainVerdict, Head};
use crate::base::error::{Error, Result};
use crate::base::security_log;
use crate::storage::db;

/// The head recorded by the last check.
pub fn known(connection: &Connection) -> Result<Option<Head>> {
    let last = super::last(connection, TaskName::Audit)?;
    Ok(last.and_then(|last| {
        let audit_id = last.detail["id"].as_i64()?;
        Some(Head { audit_id, hash: last.detail["head"].as_str()?.to_owned() })
    }))
}

/// Nightly check of every link; the head is logged, which later shows whether rows were removed.
pub(super) fn check(context: &TaskContext) -> anyhow::Result<Value> {
    let connection = db::connect(&context.data_dir.database())?;
    let read = |error: Error| anyhow::anyhow!("reading the audit trail: {error:?}");
    let known = known(&connection).map_err(read)?;
    match chain::verify(&connection, known.as_ref()).map_err(read)? {
        ChainVerdict::Broken(why) => bail!(why),
        ChainVerdict::Intact { rows, head: Some(head), .. } => {
            security_log::note_trail(rows, head.audit_id, &head.hash);
            Ok(json!({ "rows": rows, "id": head.audit_id, "head": head.hash }))
        }
        ChainVerdict::Intact { rows, head: None, .. } => Ok(json!({ "rows": rows })),
    }
}
