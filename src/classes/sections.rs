//! Changing a section: what it costs, who teaches it, its days and hours.

use axum::extract::State;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::audit::{self, Actor};
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::json::Json;
use crate::decisions::Undo;
use crate::staff::{Duty, Staff, may};
use crate::terms::changes::{self, ScheduleChange, SectionEvent, SectionVerb};
use crate::terms::rules::{self, SectionInput};
use crate::terms::{self, Section, SectionRow, SectionStatus};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::{Id, Numbered as _};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![update_section]
}

/// A section after a change.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChangedSection {
    /// The section as it is now.
    #[serde(flatten)]
    row: SectionRow,
    /// Undo of new days or hours, of which students are told; null if there are none to tell.
    #[schema(required)]
    undo: Option<Undo>,
}

/// Change the fields of a section that are sent. Needs the duty of changing courses, except for the price.
#[utoipa::path(patch, path = "/api/admin/sections/{id}", tag = "terms",
    responses((status = 409, body = ErrorBody, description = "It was changed since, or is cancelled; `current` is the \
        section")))]
async fn update_section(
    staff: Staff<may::Balances>,
    State(app): State<App>,
    Id(id, ..): Id<Section>,
    Json(input): Json<SectionInput>,
) -> Result<Json<ChangedSection>> {
    let runs_schedule = staff.require(Duty::Courses);
    if !input.is_about_price_alone() {
        runs_schedule.as_ref().map_err(|_| {
            Error::Forbidden("Your role may change the price of a section, and nothing else of it.".into())
        })?;
    }
    let seen = rules::version(&input.version)?;
    let context = SectionContext { actor: staff.actor(), user_id: staff.id, now: app.clock.now() };
    let changed =
        app.write_and_notify(move |connection| context.change(connection, id, &input, seen)).await?;
    // A larger class may have seats for the waiting list.
    app.seats_wakeup.notify_one();
    let row = match runs_schedule {
        Ok(()) => changed.row,
        Err(_) => SectionRow { section: changed.row.section.without_links(), ..changed.row },
    };
    Ok(Json(ChangedSection { row, ..changed }))
}

/// Who changes a section, and when.
struct SectionContext {
    actor: Actor,
    user_id: i64,
    now: Timestamp,
}

impl SectionContext {
    fn change(
        &self,
        connection: &Connection,
        id: i64,
        input: &SectionInput,
        seen: Option<i64>,
    ) -> Result<ChangedSection> {
        let before = terms::store::find(connection, id)?.ok_or_else(Section::not_found)?;
        terms::check_version(seen, before.version, &before)?;
        if before.status == SectionStatus::Cancelled {
            let message = "This section is cancelled. Add another one instead.";
            return Err(Error::Moved(message.into(), Box::new(terms::detail(&before))));
        }
        let after = before.changed(input)?;
        if before == after {
            return Ok(ChangedSection { row: terms::one_row(connection, before)?, undo: None });
        }
        let is_told = ScheduleChange::between(&before, &after).is_any()
            && terms::store::has_open_enrollments(connection, id)?;
        if is_told {
            let message = "Students have asked for this section, so its days and hours stay.";
            return Err(Error::Moved(message.into(), Box::new(terms::detail(&before))));
        }
        let event = SectionEvent::new(id, SectionVerb::Change, self.user_id);
        let section = changes::change(connection, &after, &event, self.now)?;
        let detail = terms::differences(&terms::detail(&before), &terms::detail(&section));
        audit::record(connection, &self.actor, "update", "section", id, json!(detail), self.now)?;
        Ok(ChangedSection { row: terms::one_row(connection, section)?, undo: None })
    }
}
