//! Changing a student's profile by the office.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::{StudentRecord, read};
use crate::audit::{self, By};
use crate::base::change::Change;
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::json::Json;
use crate::mail::{self, Cause};
use crate::staff::{Staff, may};
use crate::students::profile::StudentChange;
use crate::students::{self, Student, emails, identity};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::Id;

/// The endpoint of this part.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![change_student]
}

/// Change a student's profile; absent fields are not changed, and empty ones may stay empty
#[utoipa::path(patch, path = "/api/admin/students/{id}", tag = "students",
    responses((status = 409, body = ErrorBody, description = "The account was changed after it was read; \
            `current` is how it is now")))]
async fn change_student(
    staff: Staff<may::Students>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    Json(form): Json<StudentChange>,
) -> Result<Json<StudentRecord>> {
    let now = app.clock.now();
    let today = app.today();
    let config = app.config.clone();
    app.carry_out_and_notify(move |connection: &Connection| {
        let before = read(connection, id, today)?;
        let (version, reason) = form.version_and_reason()?;
        let profile = form.parse(&before.student.profile, today)?;
        if version != before.student.version {
            return Err(moved(&before));
        }
        students::store::write_profile(connection, id, &profile, now)?;
        let after = read(connection, id, today)?;
        let by = By::Staff(staff.id);
        let old = &before.student;
        let new = &after.student;
        let changed = identity::record_changes(
            connection,
            by,
            Change { before: old, after: new },
            reason.as_deref(),
            &config,
            now,
        )?;
        let mut detail = identity::audited(old, new);
        if detail.is_empty() {
            return Ok(before);
        }
        detail.insert("reason".into(), json!(reason));
        if !changed.is_empty() && old.is_verified {
            let email = emails::details_corrected(&old.address()?, new, &changed, &config);
            mail::outbox::enqueue(connection, &email, Cause::Office, &config, now)?;
        }
        audit::record(connection, &staff.actor(), "change", "student", id, detail.into(), now)?;
        read(connection, id, today)
    })
    .await
}

/// Optimistic lock conflict.
fn moved(current: &StudentRecord) -> Error {
    let message = "This student’s details were changed while you were editing them. Your changes were not \
        saved; please review the current values.";
    Error::conflict(message, current)
}
