//! Browsers whose time-zone rules differ from the school's: the interface tells it once per visit, and the doctor says
//! so. Of each portal the last day is kept, so a caller can write one row a day.

use axum::extract::State;
use axum::http::StatusCode;
use jiff::civil::Date;
use rusqlite::Connection;

use super::caller::SignedInOwner;
use super::owner::Owner;
use crate::base::error::Result;
use crate::storage::statements::{Statements, params};
use crate::web::app::App;
use crate::web::portal::Portal;

/// Say that this browser's time-zone rules differ from the school's
#[utoipa::path(post, path = "/old-browser")]
pub async fn report_old_browser<O: Owner>(_: SignedInOwner<O>, State(app): State<App>) -> Result<StatusCode> {
    let today = app.today();
    app.db
        .write(move |connection| record(connection, O::PORTAL, today))
        .await
        .map(|()| StatusCode::NO_CONTENT)
}

fn record(connection: &Connection, portal: Portal, today: Date) -> Result<()> {
    let sql = "insert into old_browsers (portal, seen_on) values (:portal, :today)
        on conflict do update set seen_on = excluded.seen_on where seen_on < excluded.seen_on";
    connection.run(sql, params![portal, today = today.to_string()])?;
    Ok(())
}

/// The last day on which such a browser was seen in a portal.
///
/// # Errors
/// Database errors.
pub fn last_seen(connection: &Connection) -> Result<Option<Date>> {
    connection.one("select max(seen_on) from old_browsers", [])
}
