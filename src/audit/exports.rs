//! CSV exports of lists, with a record of who exported what, and how many rows.

use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;

use super::{Actor, record};
use crate::base::error::Result;
use crate::web::app::App;
use crate::web::pagination::{Listed, PageRequest};
use crate::web::sheet::{self, SheetRow};

/// Returns a page of a list or, for `format=csv`, all rows as a file, and records the export.
pub async fn respond<T: Serialize + SheetRow>(
    app: &App,
    actor: Actor,
    page: &PageRequest,
    listed: Listed<T>,
) -> Result<Response> {
    if !page.is_sheet() {
        return Ok(listed.into_response());
    }
    let answer = sheet::respond(&listed.rows, page.style(), app.today())?;
    let now = app.clock.now();
    let detail = json!({ "asked": page.asked(), "rows": listed.total });
    app.db.write(move |connection| record(connection, &actor, "export", T::LIST, None, detail, now)).await?;
    Ok(answer)
}
