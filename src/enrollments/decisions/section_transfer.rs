//! Moving the students of a section to another one, all at once: enrollments by a transfer, requests with their place in
//! the queue. A result for each, and one undo.

use axum::extract::State;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::approve::{Overrides, RequirementOverride, overrides};
use super::transfer::Transfer;
use super::{Decided, DecisionContext, conflict};
use crate::base::error::{Error, FieldErrors, Result};
use crate::base::json::Json;
use crate::decisions::{BulkDecided, decide_each};
use crate::enrollments::Enrollment;
use crate::enrollments::emails::MovedRequest;
use crate::enrollments::events::Event;
use crate::enrollments::transitions::Transition;
use crate::enrollments::{emails, store};
use crate::staff::{Staff, may};
use crate::terms::{self, Section, SectionStatus};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::bulk;
use crate::web::form::{Field, form};
use crate::web::id::{Id, Numbered as _};

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![transfer_section]
}

form! {
    /// `POST /api/admin/sections/{id}/transfer`'s body.
    pub struct SectionTransferForm {
        /// The section to go on in.
        to_section_id: i64,
        /// 1 to 200 of the section's enrollments; otherwise all that are open or cancelled.
        #[schema(required = false)]
        enrollment_ids: Vec<i64>,
        /// Reason for the students: 10 to 1,000 characters; otherwise that the section was cancelled, or is joined with the other.
        reason: Option<String>,
        /// Reasons for going on without required items, or for exceeding the capacity.
        r#override: Option<Overrides>,
    }
}

/// Move the students of a section to another one: who is enrolled by a transfer, who has asked with the request
#[utoipa::path(post, path = "/api/admin/sections/{id}/transfer", tag = "enrollments")]
async fn transfer_section(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Section>,
    Json(form): Json<SectionTransferForm>,
) -> Result<Json<BulkDecided<Decided>>> {
    let context = DecisionContext::new(&app, &staff);
    app.carry_out_and_notify(move |connection| {
        let from = terms::store::find(connection, id)?.ok_or_else(Section::not_found)?;
        let wish = SectionMove::parse(connection, from, &form)?;
        let ids = match form.enrollment_ids {
            Field::Absent | Field::Null => store::in_section(connection, id)?,
            ref ids => bulk::ids(ids, "enrollments").map_err(|words| Error::field("enrollmentIds", words))?,
        };
        decide_each(connection, &ids, |connection, enrollment, bulk| {
            context.move_to(connection, enrollment, &wish, bulk)
        })
    })
    .await
}

/// A validated move.
struct SectionMove {
    from: Section,
    to: Section,
    /// What the students read.
    reason: String,
    /// Items that may be missing, with reasons.
    overrides: Vec<RequirementOverride>,
}

impl SectionMove {
    fn parse(connection: &Connection, from: Section, form: &SectionTransferForm) -> Result<Self> {
        let mut errors = FieldErrors::default();
        let to = match form.to_section_id {
            Field::Value(id) => terms::store::find(connection, id)?,
            _ => None,
        };
        let to = match to {
            None => Err("Please choose the section to go on in"),
            Some(to) if to.id == from.id => Err("Please choose another section"),
            Some(to) if to.status == SectionStatus::Cancelled => Err("This section is cancelled"),
            Some(to) => Ok(to),
        };
        let to = errors.take("toSectionId", to);
        let reason = match form.reason {
            Field::Absent | Field::Null => Ok(None),
            ref reason => super::reason(reason).map(Some),
        };
        let reason = errors.take("reason", reason);
        let overrides = errors.take("override", overrides(&form.r#override));
        let (to, reason, overrides) = errors.finish((|| Some((to?, reason?, overrides?)))())?;
        let usual = || match from.status {
            SectionStatus::Cancelled => {
                format!("Section {} was cancelled, so you go on in section {}.", from.label, to.label)
            }
            _ => format!("Section {} goes on together with section {}.", from.label, to.label),
        };
        let reason = reason.unwrap_or_else(usual);
        Ok(Self { from, to, reason, overrides })
    }
}

impl DecisionContext {
    /// Moves one enrollment or request of a section to another section.
    fn move_to(
        &self,
        connection: &Connection,
        id: i64,
        SectionMove { from, to, reason, overrides }: &SectionMove,
        bulk: &str,
    ) -> Result<Decided> {
        let before = store::find(connection, id)?;
        let is_in = |one: &Enrollment| one.section.as_ref().is_some_and(|section| section.id == to.id);
        let next = before.transferred_to.map(|next| store::find(connection, next)).transpose()?;
        if is_in(next.as_ref().unwrap_or(&before)) {
            return Decided::unchanged(connection, id);
        }
        if let Some(next) = &next {
            let place = next
                .section
                .as_ref()
                .map_or("another course".to_owned(), |one| format!("section {}", one.label));
            return Err(conflict(format!("This student was moved to {place} meanwhile."), &before));
        }
        if before.section.as_ref().is_none_or(|section| section.id != from.id) {
            return Err(conflict(format!("This student is not in section {}.", from.label), &before));
        }
        if Transition::TRANSFER.after(before.status).is_ok() {
            let transfer = Transfer::to_section(to.id, reason, overrides);
            return self.transfer(connection, id, &transfer, Some(bulk));
        }
        let begun = self.begin(connection, id, &Transition::MOVE_REQUEST, None, Some(bulk))?;
        let Some(pending) = begun else { return Decided::unchanged(connection, id) };
        if to.course_id != before.course_id {
            let words = "A request goes on in a section of the same course. Decline it, and ask the student to choose again.";
            return Err(conflict(words, &before));
        }
        let event = Event { reason: Some(reason), ..pending.event() };
        store::move_request(connection, event, to, to.price.or(before.course.price), self.now)?;
        let detail = json!({
            "course": before.course.code, "section": from.label, "toSection": to.label, "reason": reason,
        });
        self.finish(connection, &pending, detail, |student, after| {
            let moved = MovedRequest { before: &before, after };
            emails::request_moved(student, moved, reason, &self.config)
        })
    }
}
