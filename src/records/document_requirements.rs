//! The table `document_requirements`: the documents that the school requires, the students who need them, and why.
//!
//! It begins with `[office] required_documents` at the first start, and is the office's from then on. What leaves the
//! list becomes inactive: waivers and emails of before may name it.

use std::collections::BTreeSet;

use axum::extract::State;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::audit;
use crate::base::closed_set::ClosedSet as _;
use crate::base::error::{FieldErrors, Result};
use crate::base::json::Json;
use crate::config::{Office, RequiredDocument};
use crate::staff::{CurrentStaff, Staff, may};
use crate::storage::columns::stored_as_json;
use crate::storage::statements::{Statements, from_row, params};
use crate::students::lacks::NeededFor;
use crate::students::profile::choices::CanadianStatus;
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::form::{Field, JsonList, form, read_as};

/// The office's endpoints.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(endpoint!(list_document_requirements))
        .routes(endpoint!(replace_document_requirements))
}

/// Requirements that are active at a time.
const MAX: usize = 30;

/// A document that the school asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentRequirement {
    /// Number of the requirement.
    pub id: i64,
    /// Which document.
    pub document_type: RequiredDocument,
    /// What people call it.
    pub label: String,
    /// The students concerned.
    pub applies: Applies,
    /// Whether an upload is enough for an approval, or an accepted document is needed.
    pub needed_for: NeededFor,
    /// Months for which an accepted document is valid unless its reviewer sets a day; null if it does not expire.
    #[schema(required)]
    pub valid_months: Option<i64>,
    /// Whether it is currently required.
    pub is_active: bool,
}

/// Students who need a document; null is everyone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Applies {
    /// Students with one of these statuses in Canada.
    #[schema(required)]
    pub canadian_status: Option<Vec<CanadianStatus>>,
    /// Students of this age or older; an unknown birth date is a minor's.
    #[schema(required)]
    pub min_age: Option<i64>,
    /// Students of this age or younger.
    #[schema(required)]
    pub max_age: Option<i64>,
    /// Requests for courses of this grade or a higher one.
    #[schema(required)]
    pub grade_min: Option<i64>,
    /// Requests for courses with a prerequisite (true) or without one (false).
    #[schema(required)]
    pub has_prerequisite: Option<bool>,
}

form! {
    /// Students who need a document; absent or null is everyone.
    pub struct AppliesInput {
        canadian_status: Option<Vec<CanadianStatus>>,
        /// 0 to 99.
        min_age: Option<i64>,
        /// 0 to 99.
        max_age: Option<i64>,
        /// 9 to 12.
        grade_min: Option<i64>,
        has_prerequisite: Option<bool>,
    }
}

form! {
    /// A row of `PUT /api/admin/document-requirements`' body.
    pub struct RequirementInput {
        /// Number of an existing row; absent for a new one.
        id: Option<i64>,
        document_type: RequiredDocument,
        /// What people call it, 1 to 100 characters; otherwise what its type is called.
        label: Option<String>,
        applies: Option<AppliesInput>,
        /// `request` (an upload is enough) unless it says `approval` (the office has to accept it).
        needed_for: Option<NeededFor>,
        /// 1 to 120.
        valid_months: Option<i64>,
        is_active: Option<bool>,
    }
}

read_as! {
    AppliesInput => AppliesInput,
    Vec<CanadianStatus> => Vec<String>,
}

/// A row whose every field is right.
struct NewRequirement {
    id: Option<i64>,
    document_type: RequiredDocument,
    label: String,
    applies: Applies,
    needed_for: NeededFor,
    valid_months: Option<i64>,
    is_active: bool,
}

fn number(field: &Field<i64>, min: i64, max: i64) -> Result<Option<i64>, String> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(number) if (min..=max).contains(number) => Ok(Some(*number)),
        Field::Value(_) | Field::Wrong => Err(format!("Must be a whole number from {min} to {max}")),
    }
}

fn yes_or_no(field: &Field<bool>) -> Result<Option<bool>, String> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(value) => Ok(Some(*value)),
        Field::Wrong => Err("Must be true or false".into()),
    }
}

impl Applies {
    fn parse(form: &Field<AppliesInput>, at: &str, errors: &mut FieldErrors) -> Self {
        let form = match form {
            Field::Absent | Field::Null => return Self::default(),
            Field::Value(form) => form,
            Field::Wrong => {
                errors.add(format!("{at}.applies"), "Must say which students need it");
                return Self::default();
            }
        };
        let statuses = match &form.canadian_status {
            Field::Absent | Field::Null => Ok(None),
            Field::Value(words) => {
                let words: BTreeSet<_> = words.iter().collect();
                let chosen: Result<Vec<_>, _> =
                    words.into_iter().map(|word| CanadianStatus::choose(word)).collect();
                chosen.map(|chosen| Some(chosen).filter(|chosen| !chosen.is_empty()))
            }
            Field::Wrong => Err(format!("Must be some of {}", CanadianStatus::words())),
        };
        let mut take = |name: &str, found: Result<Option<i64>, String>| {
            errors.take(format!("{at}.applies.{name}"), found).flatten()
        };
        let min_age = take("minAge", number(&form.min_age, 0, 99));
        let mut max_age = number(&form.max_age, 0, 99);
        if let (Some(min), Ok(Some(max))) = (min_age, &max_age)
            && *max < min
        {
            max_age = Err("Must not be lower than the lowest age".into());
        }
        Self {
            min_age,
            max_age: take("maxAge", max_age),
            grade_min: take("gradeMin", number(&form.grade_min, 9, 12)),
            canadian_status: errors.take(format!("{at}.applies.canadianStatus"), statuses).flatten(),
            has_prerequisite: errors
                .take(format!("{at}.applies.hasPrerequisite"), yes_or_no(&form.has_prerequisite))
                .flatten(),
        }
    }

    /// As the table has it: only what it says.
    fn stored(&self) -> String {
        let mut all = json!(self);
        if let Some(all) = all.as_object_mut() {
            all.retain(|_, value| !value.is_null());
        }
        all.to_string()
    }
}

impl NewRequirement {
    fn parse(form: &RequirementInput, at: &str, errors: &mut FieldErrors) -> Option<Self> {
        let id = errors.take(format!("{at}.id"), number(&form.id, 1, i64::MAX));
        let document_type = errors.take(format!("{at}.documentType"), form.document_type.one_of());
        let label = errors.take(format!("{at}.label"), form.label.optional_name(100));
        let applies = Applies::parse(&form.applies, at, errors);
        let needed_for = errors.take(format!("{at}.neededFor"), form.needed_for.optional_one_of());
        let valid_months = errors.take(format!("{at}.validMonths"), number(&form.valid_months, 1, 120));
        let is_active = errors.take(format!("{at}.isActive"), yes_or_no(&form.is_active));
        let document_type: RequiredDocument = document_type?;
        Some(Self {
            id: id?,
            document_type,
            label: label?.unwrap_or_else(|| document_type.label().to_owned()),
            applies,
            needed_for: needed_for?.unwrap_or(NeededFor::Request),
            valid_months: valid_months?,
            is_active: is_active?.unwrap_or(true),
        })
    }
}

/// Which documents the school asks for, with those that it asks for no longer
#[utoipa::path(get, path = "/api/admin/document-requirements", tag = "documents")]
async fn list_document_requirements(
    _: Staff<may::Students>,
    State(app): State<App>,
) -> Result<Json<Vec<DocumentRequirement>>> {
    app.db.query(list).await.map(Json)
}

/// Replace which documents the school asks for, in their order; those that are not named become inactive
#[utoipa::path(put, path = "/api/admin/document-requirements", tag = "documents",
    request_body = Vec<RequirementInput>)]
async fn replace_document_requirements(
    staff: Staff<may::Students>,
    State(app): State<App>,
    JsonList(rows): JsonList<RequirementInput>,
) -> Result<Json<Vec<DocumentRequirement>>> {
    let now = app.clock.now();
    app.carry_out(move |connection| replace(connection, &staff, &rows, now)).await
}

fn replace(
    connection: &Connection,
    staff: &CurrentStaff,
    rows: &[RequirementInput],
    now: Timestamp,
) -> Result<Vec<DocumentRequirement>> {
    let before = list(connection)?;
    let mut errors = FieldErrors::default();
    let mut new = Vec::with_capacity(rows.len());
    let mut seen = BTreeSet::new();
    for (place, row) in rows.iter().enumerate() {
        let at = place.to_string();
        let Some(row) = NewRequirement::parse(row, &at, &mut errors) else { continue };
        if let Some(id) = row.id
            && (!seen.insert(id) || before.iter().all(|known| known.id != id))
        {
            errors.add(format!("{at}.id"), "There is no such requirement, or it is named twice");
        }
        new.push(row);
    }
    if new.iter().filter(|row| row.is_active).count() > MAX {
        errors.add(MAX.to_string(), format!("There may be at most {MAX} requirements"));
    }
    let new = errors.finish(Some(new))?;
    connection.run("update document_requirements set is_active = 0", [])?;
    for (position, row) in (0_i64..).zip(&new) {
        write(connection, row, position)?;
    }
    let after = list(connection)?;
    if after != before {
        let detail = json!({ "from": before, "to": after });
        audit::record(connection, &staff.actor(), "change", "document_requirements", None, detail, now)?;
    }
    Ok(after)
}

fn write(connection: &Connection, row: &NewRequirement, position: i64) -> Result<()> {
    let sql =
        "insert into document_requirements (id, document_type, label, applies, needed_for, valid_months,
            is_active, position)
        values (:id, :document_type, :label, :applies, :needed_for, :valid_months, :is_active, :position)
        on conflict (id) do update set document_type = excluded.document_type, label = excluded.label,
            applies = excluded.applies, needed_for = excluded.needed_for,
            valid_months = excluded.valid_months, is_active = excluded.is_active,
            position = excluded.position";
    let values = params! {
        id = row.id, document_type = row.document_type, label = row.label, applies = row.applies.stored(),
        needed_for = row.needed_for, valid_months = row.valid_months, is_active = row.is_active, position,
    };
    connection.run(sql, values)
}

/// All of them: those that are asked for in their order, then the others.
pub(super) fn list(connection: &Connection) -> Result<Vec<DocumentRequirement>> {
    let sql = "select id, document_type, label, applies, needed_for, valid_months, is_active
        from document_requirements order by is_active desc, position, id";
    connection.list(sql, [])
}

stored_as_json!(Applies);

from_row!(DocumentRequirement { id, document_type, label, applies, needed_for, valid_months, is_active });

/// Takes the list over from the configuration, once.
///
/// # Errors
/// Database errors.
pub fn begin(connection: &Connection, office: &Office, now: Timestamp) -> Result<()> {
    let sql = "insert or ignore into document_requirements_begun (id, at) values (1, :now)";
    let begun = connection.change(sql, params![now = now.as_second()])?;
    if begun == 0 {
        return Ok(());
    }
    let mut seen = BTreeSet::new();
    for (position, document_type) in (0_i64..).zip(office.required_documents.iter().copied()) {
        if !seen.insert(document_type) {
            continue;
        }
        let row = NewRequirement {
            id: None,
            document_type,
            label: document_type.label().to_owned(),
            applies: Applies::default(),
            needed_for: NeededFor::Request,
            valid_months: None,
            is_active: true,
        };
        write(connection, &row, position)?;
    }
    Ok(())
}

/// Whether the list has been taken over.
///
/// # Errors
/// Database errors.
pub fn has_begun(connection: &Connection) -> Result<bool> {
    connection.one("select exists (select 1 from document_requirements_begun where id = 1)", [])
}
