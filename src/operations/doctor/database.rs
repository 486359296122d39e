//! Checks of the database, opened without writing anything, not even next to it.

use indicatif::HumanBytes;

use super::{CheckContext, CheckOutcome, database_of, ok, problem, warning};
use crate::audit::chain::{self, ChainVerdict};
use crate::money::ledger::total_due;
use crate::operations::maintenance::audit_chain;
use crate::storage::db::{self, integrity};

/// `journal_size_limit` is 64 MiB: it only stays larger while a reader does not end.
const LARGE_LOG: u64 = 256 * 1024 * 1024;
const RESTORE: &str = "Stop the server and restore the last backup: `schoolhouse restore ARCHIVE`.";

pub(super) fn integrity(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    if !context.database_file().exists() {
        return Ok(problem(
            format!("{} is not there", context.database_file().display()),
            "Is --data-dir right? A new database is created by `schoolhouse serve`.",
        ));
    }
    let connection = match context.connection() {
        Ok(connection) => connection,
        Err(error) => return Ok(problem(format!("it cannot be read: {error}"), RESTORE)),
    };
    let length = context.database_file().metadata()?.len();
    let how = if context.depth == integrity::Depth::Full { "checked in full" } else { "checked quickly" };
    Ok(match integrity::check(connection, context.depth)? {
        Some(damage) => problem(format!("it is damaged: {damage}"), RESTORE),
        None => ok(format!("sound, {}, {how}", HumanBytes(length))),
    })
}

pub(super) fn references(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    Ok(match integrity::orphan(database_of!(context))? {
        Some(table) => problem(format!("a row of {table} refers to nothing"), RESTORE),
        None => ok("every foreign key is valid"),
    })
}

pub(super) fn schema(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let found = db::schema_version(database_of!(context))?;
    let known = db::newest_schema();
    Ok(if found > known {
        problem(
            format!("schema {found} was written by a newer program; this one knows {known}"),
            "Install the newer program again.",
        )
    } else if found < known {
        warning(
            format!("schema {found}; this program writes {known}"),
            "It will be brought up to date, after a copy, when the server next starts.",
        )
    } else {
        ok(format!("{found}, this program's"))
    })
}

/// Compares the dashboard's total due with the sum of the ledger.
pub(super) fn total_due(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let connection = database_of!(context);
    if db::schema_version(connection)? != db::newest_schema() {
        return Ok(warning("not compared, because the schema is another program's", "See Schema."));
    }
    Ok(match total_due::difference(connection)? {
        None => ok("what the ledger adds up to"),
        Some(difference) => problem(
            difference,
            "Another program may have changed the ledger. A running server corrects the total within the hour; please \
             report this if it is wrong again.",
        ),
    })
}

pub(super) fn write_ahead_log(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let Ok(log) = context.database_file().with_extension("db-wal").metadata() else {
        return Ok(ok("none; the database was closed cleanly"));
    };
    let found = HumanBytes(log.len()).to_string();
    if log.len() > LARGE_LOG {
        return Ok(warning(
            format!("{found}: a program has been reading for a long time"),
            "End programs that have the database open (`fuser schoolhouse.db`), or restart the server.",
        ));
    }
    Ok(ok(found))
}

/// Checks the chain of the audit trail.
pub(super) fn audit_trail(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let connection = database_of!(context);
    for table in ["audit_chain", "upkeep"] {
        if !connection.table_exists(None, table)? {
            return Ok(warning("not linked yet", "Start the server once: it links the rows."));
        }
    }
    let read = |error| anyhow::anyhow!("{error:?}");
    let known = audit_chain::known(connection).map_err(read)?;
    Ok(match chain::verify(connection, known.as_ref()).map_err(read)? {
        ChainVerdict::Broken(why) => problem(
            why,
            "It may have been changed outside the program. Keep a copy of the data folder and of the last \
             backups before anything else is done.",
        ),
        ChainVerdict::Intact { waiting, .. } if waiting > 0 => {
            warning(format!("{waiting} rows are not linked yet"), "The server links them after its start.")
        }
        ChainVerdict::Intact { head: None, .. } => ok("empty"),
        // Removing the end, or rewriting everything, is detected by comparison with an older head.
        ChainVerdict::Intact { rows, head: Some(head), .. } => ok(format!(
            "{rows} rows follow from one another; row {} ends with {}",
            head.audit_id,
            &head.hash[..16]
        )),
    })
}
