//! Changing a term: the sections that have its own days move along with their enrollments, and their students are told.
//! What moves and what stays is shown before, by doing it and rolling it back.

use axum::extract::State;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::sections::{Consequences, MovedSection, move_section};
use crate::audit;
use crate::base::error::{ErrorBody, Result};
use crate::base::json::Json;
use crate::decisions::{Decision, Undo};
use crate::enrollments::decisions::DecisionContext;
use crate::enrollments::store::open_in_section;
use crate::mail::outbox;
use crate::staff::{CurrentStaff, Staff, may};
use crate::storage::db;
use crate::terms::changes;
use crate::terms::rules::{self, TermInput};
use crate::terms::store::{self, SectionsFilter};
use crate::terms::{self, Section, SectionStatus, Term};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::{Id, Numbered as _};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![update_term, preview_term]
}

/// A term after a change.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedTerm {
    /// The term as it is now.
    #[serde(flatten)]
    term: Term,
    /// Undo of a change that moved sections with students; null if there are none.
    #[schema(required)]
    undo: Option<Undo>,
    /// When it was decided, from which the time to undo it counts; null without undo.
    #[schema(required)]
    decided_at: Option<Timestamp>,
    /// Students who are told.
    told: usize,
}

/// What a change of a term would do to its sections.
#[derive(Debug, Serialize, ToSchema)]
pub struct TermPreview {
    /// Sections that have the term's own days, and move along.
    moving: Vec<TermSection>,
    /// Sections with days of their own, which stay.
    staying: Vec<TermSection>,
    /// Students who are told.
    told: usize,
    /// Number of emails, with the copies to guardians.
    emails: i64,
}

/// A section of a term that moves.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TermSection {
    /// Number of the section.
    id: i64,
    /// Code of its course.
    course_code: String,
    /// Label, such as `A`.
    label: String,
    /// First day after the change.
    starts_on: Date,
    /// Last day after the change.
    ends_on: Date,
    /// Enrollments and requests of it.
    enrollments: usize,
    /// Of those: how many move along; the others keep days of their own.
    moved: usize,
}

impl TermSection {
    fn of(section: Section, enrollments: usize, moved: usize) -> Self {
        let Section { id, course_code, label, starts_on, ends_on, .. } = section;
        Self { id, course_code, label, starts_on, ends_on, enrollments, moved }
    }
}

/// A change of a term, and what became of its sections.
struct TermChange {
    term: Term,
    decision: Option<Decision>,
    moving: Vec<TermSection>,
    staying: Vec<TermSection>,
    told: usize,
}

/// Change the fields of a term that are sent; sections that have the term's own days move with it, and their students are
/// told
#[utoipa::path(patch, path = "/api/admin/terms/{id}", tag = "terms",
    responses((status = 409, body = ErrorBody, description = "It was changed since; `current` is the term")))]
async fn update_term(
    staff: Staff<may::Courses>,
    State(app): State<App>,
    Id(id, ..): Id<Term>,
    Json(input): Json<TermInput>,
) -> Result<Json<ChangedTerm>> {
    let seen = rules::version(&input.version)?;
    let context = DecisionContext::of(&app, &staff);
    let changed = app
        .write_and_notify(move |connection| change(&context, &staff, connection, id, &input, seen))
        .await?;
    let undo = changed.decision.as_ref().and_then(Decision::undo);
    let decided_at = changed.decision.filter(|_| undo.is_some()).map(|decision| decision.now);
    Ok(Json(ChangedTerm { term: changed.term, undo, decided_at, told: changed.told }))
}

/// Preview a change of a term: which sections move along and which stay, with their enrollments, and who is told. Nothing
/// is changed
#[utoipa::path(post, path = "/api/admin/terms/{id}/preview", tag = "terms",
    responses((status = 409, body = ErrorBody, description = "It was changed since; `current` is the term")))]
async fn preview_term(
    staff: Staff<may::Courses>,
    State(app): State<App>,
    Id(id, ..): Id<Term>,
    Json(input): Json<TermInput>,
) -> Result<Json<TermPreview>> {
    let seen = rules::version(&input.version)?;
    let context = DecisionContext::of(&app, &staff);
    app.carry_out(move |connection| {
        db::rolled_back(connection, |connection| {
            let TermChange { decision, moving, staying, told, .. } =
                change(&context, &staff, connection, id, &input, seen)?;
            let count = |decision: Decision| outbox::count_about(connection, decision.id());
            let emails = decision.map(count).transpose()?.unwrap_or_default();
            Ok(TermPreview { moving, staying, told, emails })
        })
    })
    .await
}

fn change(
    context: &DecisionContext,
    staff: &CurrentStaff,
    connection: &Connection,
    id: i64,
    input: &TermInput,
    seen: Option<i64>,
) -> Result<TermChange> {
    let before = store::find_term(connection, id)?.ok_or_else(Term::not_found)?;
    terms::check_version(seen, before.version, &before)?;
    let after = before.changed(input)?;
    let nothing =
        |term| TermChange { term, decision: None, moving: Vec::new(), staying: Vec::new(), told: 0 };
    if before == after {
        return Ok(nothing(before));
    }
    let all = SectionsFilter { term: Some(id), ..SectionsFilter::default() };
    let mut sections = store::list(connection, all)?;
    sections.retain(|section| section.status != SectionStatus::Cancelled);
    let is_moved = (before.starts_on, before.ends_on) != (after.starts_on, after.ends_on);
    let (moving, staying): (Vec<_>, Vec<_>) = sections
        .into_iter()
        .partition(|one| (one.starts_on, one.ends_on) == (before.starts_on, before.ends_on));
    let mut with_students = Vec::new();
    for section in moving.iter().filter(|_| is_moved) {
        if store::has_enrollments(connection, section.id)? {
            with_students.push(section.id);
        }
    }
    let is_decided = !with_students.is_empty();
    let decision = is_decided.then(|| context.begin_decision(connection, "change_term")).transpose()?;
    if let Some(decision) = &decision {
        changes::note_term(connection, &before, decision.id())?;
    }
    // Moves the sections without students, which need no event.
    store::update_term(connection, &before, &after, context.now())?;
    let after = store::find_term(connection, id)?.ok_or_else(Term::not_found)?;
    let detail = terms::differences(&json!(before), &json!(after));
    audit::record(connection, &staff.actor(), "update", "term", id, detail, context.now())?;
    if !is_moved {
        return Ok(nothing(after));
    }
    let mut change = TermChange { decision, ..nothing(after) };
    for section in moving {
        let starts_on = change.term.starts_on;
        let ends_on = change.term.ends_on;
        let moved = Section { starts_on, ends_on, ..section.clone() };
        let mut consequences = Consequences::default();
        if with_students.contains(&section.id) {
            (_, consequences) = move_section(
                context,
                connection,
                MovedSection { before: &section, after: &moved },
                change.decision.as_ref(),
            )?;
        }
        change.told += consequences.told;
        let enrollments = consequences.moved + consequences.kept;
        change.moving.push(TermSection::of(moved, enrollments, consequences.moved));
    }
    for section in staying {
        let enrollments = open_in_section(connection, section.id)?.len();
        change.staying.push(TermSection::of(section, enrollments, 0));
    }
    Ok(change)
}
