//! Changing and cancelling a section: what it costs, who teaches it, its days and hours. Its students are told of what
//! concerns them, once it can no longer be undone.

mod single;

use axum::extract::State;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::decisions::{Decision, Undo};
use crate::enrollments::SectionNews;
use crate::enrollments::decisions::{DecisionContext, NotifiedStudents};
use crate::enrollments::store::open_in_section;
use crate::mail::outbox;
use crate::staff::{Duty, Staff, may};
use crate::storage::db;
use crate::terms::changes::{self, ScheduleChange, SectionEvent, SectionVerb};
use crate::terms::rules::{self, SectionInput};
use crate::terms::{self, Section, SectionRow, SectionStatus};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::{Id, Numbered as _};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![update_section, preview_section, cancel_section].merge(single::routes())
}

/// A section after a change.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedSection {
    /// The section as it is now.
    #[serde(flatten)]
    row: SectionRow,
    /// Undo of a change of which students are told; null if there are none to tell.
    #[schema(required)]
    undo: Option<Undo>,
    /// When it was decided, from which the time to undo it counts; null without undo.
    #[schema(required)]
    decided_at: Option<Timestamp>,
    /// What it concerns.
    #[serde(flatten)]
    consequences: Consequences,
    /// The decision, if students are told.
    #[serde(skip)]
    decision_id: Option<String>,
}

impl ChangedSection {
    fn new(
        connection: &Connection,
        section: Section,
        decision: Option<&Decision>,
        consequences: Consequences,
    ) -> Result<Self> {
        let undo = decision.and_then(Decision::undo);
        let decided_at = decision.filter(|_| undo.is_some()).map(|decision| decision.now);
        let decision_id = decision.map(|decision| decision.id().to_owned());
        Ok(Self { row: terms::one_row(connection, section)?, undo, decided_at, consequences, decision_id })
    }
}

/// Students that a change of a section, or of its term, concerns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Consequences {
    /// Enrollments and requests whose days move along.
    pub moved: usize,
    /// Enrollments and requests that keep days of their own.
    pub kept: usize,
    /// Students who are told.
    pub told: usize,
}

/// What a change of a section would do.
#[derive(Debug, Serialize, ToSchema)]
pub struct SectionPreview {
    /// What it concerns.
    #[serde(flatten)]
    consequences: Consequences,
    /// Number of emails, with the copies to guardians.
    emails: i64,
}

form! {
    /// `POST /api/admin/sections/{id}/cancel`'s body.
    pub struct CancelSectionForm {
        /// Reason for the students: 10 to 1,000 characters.
        reason: String,
        /// Version of the section when it was read; an outdated one is refused with the current row.
        version: Option<i64>,
    }
}

/// The reason of a cancellation, which students read.
fn reason(field: &Field<String>) -> Result<String, FieldErrors> {
    let reason = field.between(10, 1000, "Please say in at least 10 characters why; students read it");
    reason.map_err(|message| FieldErrors::one("reason", message))
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
    let context = DecisionContext::of(&app, &staff);
    let changed =
        app.write_and_notify(move |connection| change(&context, connection, id, &input, seen)).await?;
    // A larger class may have seats for the waiting list.
    app.seats_wakeup.notify_one();
    let row = match runs_schedule {
        Ok(()) => changed.row,
        Err(_) => SectionRow { section: changed.row.section.without_links(), ..changed.row },
    };
    Ok(Json(ChangedSection { row, ..changed }))
}

fn change(
    context: &DecisionContext,
    connection: &Connection,
    id: i64,
    input: &SectionInput,
    seen: Option<i64>,
) -> Result<ChangedSection> {
    let before = find_taught(connection, id)?;
    terms::check_version(seen, before.version, &before)?;
    let after = before.changed(input)?;
    if before == after {
        return ChangedSection::new(connection, before, None, Consequences::default());
    }
    let schedule = ScheduleChange::between(&before, &after);
    let is_told = schedule.is_any() && terms::store::has_open_enrollments(connection, id)?;
    let decision = is_told.then(|| context.begin_decision(connection, "change_section")).transpose()?;
    let moved = MovedSection { before: &before, after: &after };
    let (section, consequences) = move_section(context, connection, moved, decision.as_ref())?;
    ChangedSection::new(connection, section, decision.as_ref(), consequences)
}

/// A section, and what it becomes.
pub(super) struct MovedSection<'a> {
    pub before: &'a Section,
    pub after: &'a Section,
}

/// Writes a changed section. With a decision its enrollments follow, and its students are told.
pub(super) fn move_section(
    context: &DecisionContext,
    connection: &Connection,
    MovedSection { before, after }: MovedSection<'_>,
    decision: Option<&Decision>,
) -> Result<(Section, Consequences)> {
    let id = before.id;
    let event = SectionEvent::new(id, SectionVerb::Change, context.user_id());
    let event = SectionEvent { decision: decision.map(Decision::id), ..event };
    let section = changes::change(connection, after, &event, context.now())?;
    let detail = terms::differences(&terms::detail(before), &terms::detail(&section));
    context.record_section(connection, "update", id, detail)?;
    let mut consequences = Consequences::default();
    if let Some(decision) = decision {
        let open = open_in_section(connection, id)?.len();
        consequences.moved = context.follow_section(connection, before, &section, decision)?;
        consequences.kept = open - consequences.moved;
        let news = SectionNews::Changed { before, after: &section };
        consequences.told =
            context.tell_section(connection, (id, NotifiedStudents::Everyone), decision, news)?;
    }
    Ok((section, consequences))
}

/// Preview a change of a section: how many enrollments move along, and who is told. Nothing is changed
#[utoipa::path(post, path = "/api/admin/sections/{id}/preview", tag = "terms",
    responses((status = 409, body = ErrorBody, description = "It was changed since, or is cancelled; `current` is the \
        section")))]
async fn preview_section(
    staff: Staff<may::Courses>,
    State(app): State<App>,
    Id(id, ..): Id<Section>,
    Json(input): Json<SectionInput>,
) -> Result<Json<SectionPreview>> {
    let seen = rules::version(&input.version)?;
    let context = DecisionContext::of(&app, &staff);
    app.carry_out(move |connection| {
        db::rolled_back(connection, |connection| {
            let changed = change(&context, connection, id, &input, seen)?;
            let emails = changed.decision_id.map(|id| outbox::count_about(connection, &id)).transpose()?;
            Ok(SectionPreview { consequences: changed.consequences, emails: emails.unwrap_or_default() })
        })
    })
    .await
}

/// A section that is not cancelled.
fn find_taught(connection: &Connection, id: i64) -> Result<Section> {
    let section = terms::store::find(connection, id)?.ok_or_else(Section::not_found)?;
    if section.status == SectionStatus::Cancelled {
        let message = "This section is cancelled. Add another one instead.";
        return Err(Error::conflict(message, &section.without_links()));
    }
    Ok(section)
}

/// Cancel a section: its students are told, owe nothing for it, and wait for a transfer; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/sections/{id}/cancel", tag = "terms",
    responses((status = 409, body = ErrorBody, description = "It was changed since; `current` is the section")))]
async fn cancel_section(
    staff: Staff<may::Courses>,
    State(app): State<App>,
    Id(id, ..): Id<Section>,
    Json(form): Json<CancelSectionForm>,
) -> Result<Json<ChangedSection>> {
    let reason = reason(&form.reason)?;
    let seen = rules::version(&form.version)?;
    let context = DecisionContext::of(&app, &staff);
    app.carry_out_and_notify(move |connection| cancel(&context, connection, id, &reason, seen)).await
}

/// Cancels a section with its enrollments, in the caller's transaction; `seen` is the version that the office read.
///
/// # Errors
/// 404 when there is no such section; 409 when it has changed.
pub fn cancel(
    context: &DecisionContext,
    connection: &Connection,
    id: i64,
    reason: &str,
    seen: Option<i64>,
) -> Result<ChangedSection> {
    let before = terms::store::find(connection, id)?.ok_or_else(Section::not_found)?;
    terms::check_version(seen, before.version, &before.clone().without_links())?;
    if before.status == SectionStatus::Cancelled {
        return ChangedSection::new(connection, before, None, Consequences::default());
    }
    let decision = context.begin_decision(connection, "cancel_section")?;
    let event = SectionEvent::new(id, SectionVerb::Cancel, context.user_id());
    let event = SectionEvent { reason: Some(reason), decision: Some(decision.id()), ..event };
    let after = Section { status: SectionStatus::Cancelled, ..before };
    let section = changes::change(connection, &after, &event, context.now())?;
    let others = terms::store::list_open(connection, Some(section.course_id), context.today())?;
    let news = SectionNews::Cancelled { reason, others: &others };
    let told = context.tell_section(connection, (id, NotifiedStudents::Everyone), &decision, news)?;
    context.cancel_enrollments(connection, &section, reason, &decision)?;
    let detail =
        json!({ "course": section.course_code, "label": section.label, "reason": reason, "told": told });
    context.record_section(connection, "cancel", id, detail)?;
    let consequences = Consequences { told, ..Consequences::default() };
    ChangedSection::new(connection, section, Some(&decision), consequences)
}
