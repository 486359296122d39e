//! The office's calls for terms and sections.

use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::changes::{self, SectionEvent, SectionVerb};
use super::clashes::{SectionRow, with_clashes};
use super::rules::{SectionInput, TermCopyForm, TermInput};
use super::store::{self, SectionsFilter};
use super::{Delivery, Section, SectionKind, SectionStatus, SectionWait, Term};
use crate::audit::{self, Actor};
use crate::base::closed_set::ClosedSet as _;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::staff::{CurrentStaff, Duty, Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::description::{Description, Parameter};
use crate::web::form::Field;
use crate::web::id::{Id, Numbered as _};
use crate::web::query;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![
        list_admin_terms,
        create_term,
        copy_term,
        open_planned_sections,
        list_sections,
        create_section,
        delete_section
    ]
}

/// A copied term with its sections.
#[derive(Debug, Serialize, ToSchema)]
pub struct CopiedTerm {
    /// The new term.
    term: Term,
    /// Its sections, all of them planned.
    sections: Vec<SectionRow>,
}

/// Query parameters of the list of sections.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct SectionsQuery {
    /// Only those of this term.
    #[param(value_type = Option<i64>)]
    term: String,
    /// Only those of this course.
    #[param(value_type = Option<i64>)]
    course: String,
    /// Only those in this state.
    #[param(value_type = Option<SectionStatus>)]
    status: String,
    /// Only those that wait for this.
    #[param(value_type = Option<String>, example = "opening")]
    waits: String,
}

impl<S: Send + Sync> FromRequestParts<S> for SectionsFilter {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let query: SectionsQuery = query::of(&parts.uri)?;
        let mut errors = FieldErrors::default();
        let number = |text: &str| match text.trim() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| "Must be a number"),
        };
        let status = match query.status.trim() {
            "" => Ok(None),
            word => SectionStatus::choose(word).map(Some),
        };
        let term = errors.take("term", number(&query.term));
        let course = errors.take("course", number(&query.course));
        let status = errors.take("status", status);
        let waits = match query.waits.trim() {
            "" => Ok(None),
            word => SectionWait::choose(word).map(Some),
        };
        let waits = errors.take("waits", waits);
        let filter = || Some(Self { term: term?, course: course?, status: status?, waits: waits? });
        Ok(errors.finish(filter())?)
    }
}

impl SectionsFilter {
    /// Whether a section is in the term, of the course, and in the state.
    fn keeps(&self, section: &Section) -> bool {
        self.term.is_none_or(|term| section.term_id == Some(term))
            && self.course.is_none_or(|course| section.course_id == course)
            && self.status.is_none_or(|status| section.status == status)
    }
}

impl Parameter for SectionsFilter {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
    }
}

/// Refuses a version other than the stored one.
///
/// # Errors
/// [`Error::Conflict`] with the current row.
pub fn check_version(seen: Option<i64>, version: i64, current: &impl Serialize) -> Result<()> {
    if seen.is_none_or(|seen| seen == version) {
        return Ok(());
    }
    let message = "This was changed since you read it. Look at what it is now, then save again.";
    Err(Error::conflict(message, current))
}

/// Links lead into a class; only those who run the schedule see them.
fn shown_to(staff: &CurrentStaff, rows: Vec<SectionRow>) -> Vec<SectionRow> {
    if staff.require(Duty::Courses).is_ok() {
        return rows;
    }
    rows.into_iter().map(|row| SectionRow { section: row.section.without_links(), ..row }).collect()
}

/// Every term, newest first
#[utoipa::path(get, path = "/api/admin/terms", tag = "terms")]
async fn list_admin_terms(_: Staff<may::AnyRole>, State(app): State<App>) -> Result<Json<Vec<Term>>> {
    app.db.read(store::list_terms).await.map(Json)
}

/// Add a term
#[utoipa::path(post, path = "/api/admin/terms", tag = "terms")]
async fn create_term(
    staff: Staff<may::Courses>,
    State(app): State<App>,
    Json(input): Json<TermInput>,
) -> Result<(StatusCode, Json<Term>)> {
    let new = Term::parse(&input)?;
    let actor = staff.actor();
    let now = app.clock.now();
    let term = app
        .db
        .write(move |connection| {
            let term = store::insert_term(connection, new, now)?;
            audit::record(connection, &actor, "create", "term", term.id, json!(term), now)?;
            Ok(term)
        })
        .await?;
    Ok((StatusCode::CREATED, Json(term)))
}

/// Copy a term with its sections to other days: every date moves by the difference of the first days, days off by whole
/// weeks; sections that were cancelled, and those of archived courses, are left out
#[utoipa::path(post, path = "/api/admin/terms/{id}/copy", tag = "terms",
    responses((status = 409, body = ErrorBody, description = "There is a term with this name or these days; `current` is \
        that term")))]
async fn copy_term(
    staff: Staff<may::Courses>,
    State(app): State<App>,
    Id(id, ..): Id<Term>,
    Json(form): Json<TermCopyForm>,
) -> Result<(StatusCode, Json<CopiedTerm>)> {
    let actor = staff.actor();
    let now = app.clock.now();
    let copied = app.db.write(move |connection| copy(connection, id, &form, &actor, now)).await?;
    Ok((StatusCode::CREATED, Json(copied)))
}

fn copy(
    connection: &Connection,
    id: i64,
    form: &TermCopyForm,
    actor: &Actor,
    now: Timestamp,
) -> Result<CopiedTerm> {
    let from = store::find_term(connection, id)?.ok_or_else(Term::not_found)?;
    let copied = from.copied(form)?;
    if !form.is_again()
        && let Some(known) = store::find_equal(connection, &copied)?
    {
        let words = format!("{} is there already, with the same name or the same days.", known.name);
        return Err(Error::conflict(words, &known));
    }
    let term = store::insert_term(connection, copied, now)?;
    let filter = SectionsFilter { term: Some(id), ..SectionsFilter::default() };
    for section in store::list(connection, filter)? {
        let is_offered = store::course_of_new(connection, section.course_id)?.is_some();
        if is_offered && section.status != SectionStatus::Cancelled {
            store::insert(connection, &from.copied_section(&section, &term), now)?;
        }
    }
    let sections = store::list(connection, SectionsFilter { term: Some(term.id), ..filter })?;
    let detail = json!({ "from": from.name, "term": term, "sections": sections.len() });
    audit::record(connection, actor, "copy", "term", term.id, detail, now)?;
    Ok(CopiedTerm { term, sections: with_clashes(connection, sections)? })
}

/// Open every planned section of a term for requests, all or none; answers the term's sections
#[utoipa::path(post, path = "/api/admin/terms/{id}/open-sections", tag = "terms")]
async fn open_planned_sections(
    staff: Staff<may::Courses>,
    State(app): State<App>,
    Id(id, ..): Id<Term>,
) -> Result<Json<Vec<SectionRow>>> {
    let actor = staff.actor();
    let user_id = staff.id;
    let now = app.clock.now();
    app.carry_out(move |connection| {
        store::find_term(connection, id)?.ok_or_else(Term::not_found)?;
        let all = SectionsFilter { term: Some(id), ..SectionsFilter::default() };
        for before in store::list(connection, SectionsFilter { status: Some(SectionStatus::Planned), ..all })?
        {
            let event = SectionEvent::new(before.id, SectionVerb::Change, user_id);
            let after = Section { status: SectionStatus::Open, ..before.clone() };
            let after = changes::change(connection, &after, &event, now)?;
            let detail = differences(&detail(&before), &detail(&after));
            audit::record(connection, &actor, "update", "section", before.id, detail, now)?;
        }
        with_clashes(connection, store::list(connection, all)?)
    })
    .await
}

/// Sections with their seats and warnings, those of the latest term first; links only for those who may change them
#[utoipa::path(get, path = "/api/admin/sections", tag = "terms", params(SectionsQuery))]
async fn list_sections(
    staff: Staff<may::AnyRole>,
    State(app): State<App>,
    filter: SectionsFilter,
) -> Result<Json<Vec<SectionRow>>> {
    let today = app.today();
    let read = move |connection: &Connection| {
        let sections = match filter.waits {
            Some(SectionWait::Opening) => {
                let mut sections = store::list_planned(connection, today)?;
                sections.retain(|section| filter.keeps(section));
                sections
            }
            None => store::list(connection, filter)?,
        };
        with_clashes(connection, sections)
    };
    let rows = app.db.query(read).await?;
    Ok(Json(shown_to(&staff, rows)))
}

/// Add a section of a course
#[utoipa::path(post, path = "/api/admin/sections", tag = "terms")]
async fn create_section(
    staff: Staff<may::Courses>,
    State(app): State<App>,
    Json(input): Json<SectionInput>,
) -> Result<(StatusCode, Json<SectionRow>)> {
    let actor = staff.actor();
    let now = app.clock.now();
    let row = app.db.write(move |connection| create(connection, &input, &actor, now)).await?;
    Ok((StatusCode::CREATED, Json(row)))
}

fn create(
    connection: &Connection,
    input: &SectionInput,
    actor: &Actor,
    now: Timestamp,
) -> Result<SectionRow> {
    let new = new_section(connection, input)?;
    let id = store::insert(connection, &new, now)?;
    let section = store::find(connection, id)?.ok_or_else(Section::not_found)?;
    audit::record(connection, actor, "create", "section", id, detail(&section), now)?;
    one_row(connection, section)
}

/// A section with its clashes.
pub fn one_row(connection: &Connection, section: Section) -> Result<SectionRow> {
    with_clashes(connection, vec![section])?.pop().ok_or_else(Section::not_found)
}

/// A section for the audit trail, without the links of its classes.
pub fn detail(section: &Section) -> Value {
    let mut detail = json!(section.clone().without_links());
    if let Some(fields) = detail.as_object_mut() {
        fields.retain(|name, _| !["taken", "waiting", "courseName", "version"].contains(&name.as_str()));
    }
    detail
}

/// The keys of two objects whose values differ, each with what it was and what it is.
pub fn differences(before: &Value, after: &Value) -> Value {
    let changed = after.as_object().into_iter().flatten().filter(|(key, now)| before[*key] != **now);
    changed
        .map(|(key, now)| (key.clone(), json!({ "from": before[key], "to": now })))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// A section as it is to be added: what is not sent is the term's, the course's, or the next letter.
pub fn new_section(connection: &Connection, input: &SectionInput) -> Result<Section> {
    let mut errors = FieldErrors::default();
    let course = match input.course_id {
        Field::Value(id) => store::course_of_new(connection, id)?.map(|course| (id, course)),
        _ => None,
    };
    let course = errors.take("courseId", course.ok_or("Please choose a course that is offered"));
    let term = match input.term_id {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(id) => store::find_term(connection, id)?.map(Some).ok_or("There is no such term"),
        Field::Wrong => Err("There is no such term"),
    };
    let term = errors.take("termId", term);
    let days = match &term {
        Some(Some(term)) => Some((term.starts_on, term.ends_on)),
        _ if input.names_days() => Some((Date::ZERO, Date::ZERO)),
        Some(None) => {
            errors.add("startsOn", "A section without a term needs its first day");
            errors.add("endsOn", "A section without a term needs its last day");
            None
        }
        None => None,
    };
    let before = || {
        let (course_id, (course_code, course_name, capacity)) = course?;
        let term = term?;
        let (starts_on, ends_on) = days?;
        Some(Section {
            id: 0,
            course_id,
            course_code,
            course_name,
            term_id: term.as_ref().map(|term| term.id),
            term_name: term.map(|term| term.name),
            label: String::new(),
            kind: SectionKind::Regular,
            delivery: Delivery::Synchronous,
            starts_on,
            ends_on,
            capacity,
            price: None,
            teacher_name: None,
            meetings: Vec::new(),
            status: SectionStatus::Planned,
            taken: 0,
            waiting: 0,
            version: 1,
        })
    };
    let before = errors.finish(before())?;
    let label = match input.names_label() {
        true => String::new(),
        false => store::next_label(connection, before.course_id, before.term_id)?,
    };
    Ok(Section { label, ..before }.changed(input)?)
}

/// Delete a section that no student has asked for
#[utoipa::path(delete, path = "/api/admin/sections/{id}", tag = "terms",
    responses((status = 409, body = ErrorBody, description = "It has enrollments; `current` is the section")))]
async fn delete_section(
    staff: Staff<may::Courses>,
    State(app): State<App>,
    Id(id, ..): Id<Section>,
) -> Result<StatusCode> {
    let actor = staff.actor();
    let now = app.clock.now();
    app.db.write(move |connection| remove(connection, id, &actor, now)).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn remove(connection: &Connection, id: i64, actor: &Actor, now: Timestamp) -> Result<()> {
    let section = store::find(connection, id)?.ok_or_else(Section::not_found)?;
    if !store::delete(connection, id)? {
        let message = "Students have asked for this section, so it cannot be deleted. Cancel it instead.";
        return Err(Error::conflict(message, &section.without_links()));
    }
    audit::record(connection, actor, "delete", "section", id, detail(&section), now)
}
