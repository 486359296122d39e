//! Merging two accounts of one student in one write: data of all rooms moves to the remaining account; the other is
//! closed with a reference to it.

use std::collections::BTreeMap;

use axum::extract::State;
use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;

use super::closing::shut;
use super::{StudentName, StudentRecord, document_waivers, notes, read, store};
use crate::admissions::mailboxes::StopContext;
use crate::audit::{self, By};
use crate::base::change::Change;
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::config::Config;
use crate::money::ledger::holds;
use crate::staff::{CurrentStaff, Recent, Staff, may};
use crate::students::guardians;
use crate::students::history::{self, HistoryChange};
use crate::students::profile::{Profile, check_joined_guardian};
use crate::students::status::StudentStatus;
use crate::students::{self, Student, identity};
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::Id;
use crate::{admissions, documents, enrollments};

closed_set! {
    /// The account from which a field is kept.
    pub enum KeptFrom {
        /// The account that stays.
        This = "this",
        /// The account that is closed.
        Other = "other",
    }
}

form! {
    /// `POST /api/admin/students/{id}/merge`'s body.
    pub struct Merge {
        /// The account that is closed.
        other_id: i64,
        /// Which account's value to keep, by field: `this` or `other`. Unnamed fields are kept from this account, or
        /// from the other if empty here.
        #[schema(value_type = BTreeMap<String, KeptFrom>, required = false)]
        keep: BTreeMap<String, String>,
    }
}

impl Merge {
    fn parse(&self, id: i64) -> Result<(i64, KeptFields), FieldErrors> {
        let mut errors = FieldErrors::default();
        let other = match self.other_id {
            Field::Value(other) if other != id => Ok(other),
            Field::Value(_) => Err("Choose another account than this one"),
            Field::Absent | Field::Null | Field::Wrong => Err("The other account is required"),
        };
        let other = errors.take("otherId", other);
        let empty = BTreeMap::new();
        let words = match &self.keep {
            Field::Value(words) => words,
            Field::Absent | Field::Null => &empty,
            Field::Wrong => return Err(FieldErrors::one("keep", "Each value must be this or other")),
        };
        let keep = KeptFields::parse(words)?;
        errors.finish(other.map(|other| (other, keep)))
    }
}

/// Merge two accounts of one student: courses, documents, charges and notes of the other move here, and the other is
/// closed with a reference. It cannot be undone.
#[utoipa::path(post, path = "/api/admin/students/{id}/merge", tag = "students",
    params(("id" = i64, Path, description = "The remaining account")),
    responses((status = 409, body = ErrorBody, description = "Both have an open enrollment in one course, \
            or one is closed")))]
pub(super) async fn merge_students(
    staff: Staff<may::Merging, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    Json(form): Json<Merge>,
) -> Result<Json<StudentRecord>> {
    let now = app.clock.now();
    let today = app.today();
    let config = app.config.clone();
    app.carry_out_and_notify(move |connection| {
        let this = read(connection, id, today)?;
        let (other_id, keep) = form.parse(id)?;
        let other = store::find(connection, other_id, today)?
            .ok_or_else(|| Error::field("otherId", "There is no such student"))?;
        for record in [&this, &other] {
            if record.status == StudentStatus::Closed {
                let message = "A closed account cannot be merged. Reinstate it first.";
                return Err(Error::conflict(message, record));
            }
        }
        enrollments::hand_over(connection, other_id, id)?;
        documents::store::hand_over(connection, other_id, id)?;
        admissions::store::move_student(connection, other_id, id)?;
        merge(connection, &staff, &MergedRecords { this, other }, &keep, &config, now)?;
        let stops = StopContext { by: By::Staff(staff.id), config: &config, now };
        admissions::mailboxes::settle_stops(connection, id, stops)?;
        read(connection, id, today)
    })
    .await
}

/// Which account's value to keep, by wire name.
#[derive(Debug, Clone, Default)]
struct KeptFields(BTreeMap<String, KeptFrom>);

impl KeptFields {
    /// Parses `{"phoneNumber": "other", "fullName": "this"}`.
    ///
    /// # Errors
    /// When a field or value is unknown.
    fn parse(words: &BTreeMap<String, String>) -> Result<Self, FieldErrors> {
        let known = Profile::default().facts();
        let mut kept = BTreeMap::new();
        for (field, word) in words {
            let is_known = known.iter().any(|(name, _)| name == field);
            let Some(from) = KeptFrom::parse(word).filter(|_| is_known) else {
                let message =
                    format!("{field}: each field of the profile is kept from \"this\" or \"other\"");
                return Err(FieldErrors::one("keep", message));
            };
            kept.insert(field.clone(), from);
        }
        Ok(Self(kept))
    }

    /// Unnamed fields are kept from this account, unless empty.
    fn takes_other(&self, field: &str, is_empty: bool) -> bool {
        self.0.get(field).map_or(is_empty, |from| *from == KeptFrom::Other)
    }
}

/// The records of two accounts that are merged.
struct MergedRecords {
    /// The account that is kept.
    this: StudentRecord,
    /// The account that is closed.
    other: StudentRecord,
}

/// Merges profile and notes, and closes the other account with a reference. Data of other rooms has been moved before.
fn merge(
    connection: &Connection,
    staff: &CurrentStaff,
    records: &MergedRecords,
    keep: &KeptFields,
    config: &Config,
    now: Timestamp,
) -> Result<()> {
    let MergedRecords { this, other } = records;
    let id = this.student.id;
    let other_id = other.student.id;
    let takes_other = |field: &str, is_empty| keep.takes_other(field, is_empty);
    let profile = this.student.profile.joined(&other.student.profile, takes_other);
    let today = now.to_zoned(config.school().zone()).date();
    check_joined_guardian([&this.student.profile, &other.student.profile], &profile, today)?;
    students::store::write_profile(connection, id, &profile, now)?;
    let after = Student { profile, ..this.student.clone() };
    let reason = format!("Merged with {}", name(other).words());
    let by = By::Staff(staff.id);
    let change = Change { before: &this.student, after: &after };
    identity::record_changes(connection, by, change, Some(&reason), config, now)?;
    guardians::store::hand_over(connection, other_id, id)?;
    notes::hand_over(connection, other_id, id)?;
    document_waivers::hand_over(connection, other_id, id)?;
    // What was set aside of it waits for the bursar again, who reads now what both have.
    holds::end(connection, other_id, now)?;
    let merged = name(other).words();
    let change = HistoryChange { field: "merged", before: None, after: Some(&merged), reason: None };
    history::add(connection, id, By::Staff(staff.id), change, now)?;
    shut(connection, staff, other, &format!("Merged into {}", name(this).words()), now)?;
    students::store::set_merged(connection, other_id, id)?;
    let detail = json!({ "otherId": other_id });
    audit::record(connection, &staff.actor(), "merge", "student", id, detail, now)
}

fn name(record: &StudentRecord) -> StudentName {
    StudentName {
        id: record.student.id,
        number: record.number.clone(),
        full_name: record.student.profile.full_name.clone(),
        email: record.student.email.clone(),
    }
}
