//! Whether the kept totals are what is there. Nothing but a change past the program makes them differ; maintenance
//! then corrects them.

use super::{CheckContext, CheckOutcome, database_of, ok, problem, warning};
use crate::operations::maintenance::totals;
use crate::storage::db;

pub(super) fn compare(context: &CheckContext<'_>) -> anyhow::Result<CheckOutcome> {
    let connection = database_of!(context);
    if db::schema_version(connection)? != db::newest_schema() {
        return Ok(warning("not compared, because the schema is another program's", "See Schema."));
    }
    let wrong = totals::wrong(connection)?;
    Ok(if wrong.is_empty() {
        ok("as many rows as the lists and the dashboard say")
    } else {
        problem(
            wrong.join("; "),
            "Somebody may have changed the database past the program. A running server counts them anew within the \
             hour; please report this if they are wrong again.",
        )
    })
}
