//! The breach register: incidents with personal data, the risk of harm, and notifications.
//!
//! The law requires a record of every breach for 24 months, and, for a real risk of significant harm, a report to the
//! Privacy Commissioner and notification of the people affected (PIPEDA, sections 10.1 to 10.3; SOR/2018-64).

use axum::extract::State;
use axum::http::StatusCode;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::audit::{self, ActingStaff};
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::staff::{Staff, may};
use crate::storage::statements::{Statements, from_row, params};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::{Id, Numbered, numbered};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_breaches, record_breach, change_breach]
}

closed_set! {
    /// Whether there is a real risk of significant harm.
    pub enum Risk {
        /// Not assessed yet.
        NotAssessed = "not_assessed",
        /// No real risk.
        Low = "low",
        /// Real risk: the commissioner and the people affected must be notified.
        Significant = "significant",
    }
}

/// An entry in the breach register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Breach {
    /// Id of the breach.
    pub id: i64,
    /// Date of the breach, if known.
    #[schema(required)]
    pub happened_on: Option<Date>,
    /// Date of discovery.
    pub discovered_on: Date,
    /// What happened.
    pub what: String,
    /// Who is affected.
    pub affected: String,
    /// Number of people affected, if known.
    #[schema(required)]
    pub affected_count: Option<i64>,
    /// Risk of harm.
    pub risk: Risk,
    /// Reason for the assessment.
    #[schema(required)]
    pub risk_reason: Option<String>,
    /// Date of the report to the Privacy Commissioner.
    #[schema(required)]
    pub reported_to_opc_on: Option<Date>,
    /// Date on which the people affected were notified.
    #[schema(required)]
    pub people_told_on: Option<Date>,
    /// Measures taken.
    #[schema(required)]
    pub measures: Option<String>,
    /// When it was recorded.
    pub created_at: Timestamp,
    /// Username of the staff member who recorded it.
    pub by: String,
    /// When it was last changed.
    #[schema(required)]
    pub changed_at: Option<Timestamp>,
    /// Version for optimistic locking.
    pub version: i64,
}

numbered!(Breach, "Breach");

form! {
    /// The body of `POST /api/admin/breaches`, and of `PATCH /api/admin/breaches/{id}`, which replaces all fields.
    pub struct BreachForm {
        happened_on: Option<Date>,
        /// Today or earlier.
        discovered_on: Date,
        /// 10 to 4,000 characters.
        what: String,
        /// 1 to 1,000 characters.
        affected: String,
        /// 0 to 1,000,000.
        affected_count: Option<i64>,
        risk: Risk,
        /// At most 2,000 characters; required once the risk is assessed.
        risk_reason: Option<String>,
        reported_to_opc_on: Option<Date>,
        people_told_on: Option<Date>,
        /// At most 4,000 characters.
        measures: Option<String>,
        /// For a change: the version it is based on.
        version: Option<i64>,
    }
}

/// A validated entry.
pub struct NewBreach {
    happened_on: Option<Date>,
    discovered_on: Date,
    what: String,
    affected: String,
    affected_count: Option<i64>,
    risk: Risk,
    risk_reason: Option<String>,
    reported_to_opc_on: Option<Date>,
    people_told_on: Option<Date>,
    measures: Option<String>,
}

fn day(field: &Field<String>, today: Date) -> Result<Date, String> {
    let day = field.date("Must be a real date in the form YYYY-MM-DD")?;
    if day > today { Err("Must not be later than today".to_owned()) } else { Ok(day) }
}

fn optional_day(field: &Field<String>, today: Date) -> Result<Option<Date>, String> {
    if field.is_blank() { Ok(None) } else { day(field, today).map(Some) }
}

impl BreachForm {
    /// Validates the form.
    ///
    /// # Errors
    /// Field errors.
    pub fn parse(&self, today: Date) -> Result<NewBreach, FieldErrors> {
        let mut errors = FieldErrors::default();
        let happened_on = errors.take("happenedOn", optional_day(&self.happened_on, today));
        let discovered_on = errors.take("discoveredOn", day(&self.discovered_on, today));
        if let (Some(Some(happened)), Some(discovered)) = (happened_on, discovered_on)
            && happened > discovered
        {
            errors.add("happenedOn", "Must not be later than its discovery");
        }
        let what = "Please say in at least 10 characters what happened";
        let what = errors.take("what", self.what.between(10, 4000, what));
        let affected = errors.take("affected", self.affected.between(1, 1000, "Please say who is affected"));
        let affected_count = match self.affected_count {
            Field::Absent | Field::Null => Ok(None),
            Field::Value(count) if (0..=1_000_000).contains(&count) => Ok(Some(count)),
            Field::Value(_) | Field::Wrong => Err("Must be a whole number from 0 to 1,000,000"),
        };
        let affected_count = errors.take("affectedCount", affected_count);
        let risk = errors.take("risk", Risk::parse(self.risk.text()).ok_or("Say how large the risk is"));
        let risk_reason = match risk {
            Some(Risk::Low | Risk::Significant) => {
                let why = "Please say in at least 10 characters why the risk is judged so";
                self.risk_reason.between(10, 2000, why).map(Some)
            }
            Some(Risk::NotAssessed) | None => self.risk_reason.optional(2000),
        };
        let risk_reason = errors.take("riskReason", risk_reason);
        let reported_to_opc_on =
            errors.take("reportedToOpcOn", optional_day(&self.reported_to_opc_on, today));
        let people_told_on = errors.take("peopleToldOn", optional_day(&self.people_told_on, today));
        let measures = errors.take("measures", self.measures.optional(4000));
        let new = || {
            Some(NewBreach {
                happened_on: happened_on?,
                discovered_on: discovered_on?,
                what: what?,
                affected: affected?,
                affected_count: affected_count?,
                risk: risk?,
                risk_reason: risk_reason?,
                reported_to_opc_on: reported_to_opc_on?,
                people_told_on: people_told_on?,
                measures: measures?,
            })
        };
        errors.finish(new())
    }
}

/// The breach register, newest first
#[utoipa::path(get, path = "/api/admin/breaches", tag = "privacy")]
async fn list_breaches(_: Staff<may::Privacy>, State(app): State<App>) -> Result<Json<Vec<Breach>>> {
    app.db.query(list).await.map(Json)
}

/// Record a breach
#[utoipa::path(post, path = "/api/admin/breaches", tag = "privacy")]
async fn record_breach(
    staff: Staff<may::Privacy>,
    State(app): State<App>,
    Json(form): Json<BreachForm>,
) -> Result<(StatusCode, Json<Breach>)> {
    let now = app.clock.now();
    let today = app.today();
    let new = form.parse(today)?;
    let write = move |connection: &Connection| {
        let by = ActingStaff { id: staff.id, actor: &staff.actor() };
        record(connection, &new, by, now)
    };
    let recorded = app.db.write(write).await?;
    Ok((StatusCode::CREATED, Json(recorded)))
}

/// Records a breach.
pub fn record(
    connection: &Connection,
    new: &NewBreach,
    by: ActingStaff<'_>,
    now: Timestamp,
) -> Result<Breach> {
    let id = insert(connection, new, by.id, now)?;
    audit::record(connection, by.actor, "record", "breach", id, json!({ "risk": new.risk }), now)?;
    find(connection, id)
}

/// Change an entry in the breach register
#[utoipa::path(patch, path = "/api/admin/breaches/{id}", tag = "privacy",
    responses((status = 409, body = ErrorBody, description = "It was changed after it was read")))]
async fn change_breach(
    staff: Staff<may::Privacy>,
    State(app): State<App>,
    Id(id, ..): Id<Breach>,
    Json(form): Json<BreachForm>,
) -> Result<Json<Breach>> {
    let now = app.clock.now();
    let today = app.today();
    app.carry_out(move |connection| {
        let before = find(connection, id)?;
        let new = form.parse(today)?;
        if form.version != Field::Value(before.version) {
            let message = "This was changed by another user meanwhile. Please review the current version.";
            return Err(Error::conflict(message, &before));
        }
        update(connection, id, &new, now)?;
        let detail = json!({
            "risk": { "from": before.risk, "to": new.risk },
            "reportedToOpcOn": { "from": before.reported_to_opc_on, "to": new.reported_to_opc_on },
            "peopleToldOn": { "from": before.people_told_on, "to": new.people_told_on },
        });
        audit::record(connection, &staff.actor(), "update", "breach", id, detail, now)?;
        find(connection, id)
    })
    .await
}

const COLUMNS: &str = "b.id, b.happened_on, b.discovered_on, b.what, b.affected, b.affected_count, b.risk, \
    b.risk_reason, b.reported_to_opc_on, b.people_told_on, b.measures, b.created_at, b.changed_at, b.version, \
    u.username";

fn list(connection: &Connection) -> Result<Vec<Breach>> {
    let sql = format!(
        "select {COLUMNS} from breaches b join users u on u.id = b.created_by
             order by b.discovered_on desc, b.id desc"
    );
    connection.list(&sql, [])
}

fn find(connection: &Connection, id: i64) -> Result<Breach> {
    let sql =
        format!("select {COLUMNS} from breaches b join users u on u.id = b.created_by where b.id = :id");
    connection.find(&sql, params![id])?.ok_or_else(Breach::not_found)
}

fn insert(connection: &Connection, new: &NewBreach, user_id: i64, now: Timestamp) -> Result<i64> {
    let sql =
        "insert into breaches (happened_on, discovered_on, what, affected, affected_count, risk, risk_reason,
            reported_to_opc_on, people_told_on, measures, created_at, created_by)
        values (:happened_on, :discovered_on, :what, :affected, :affected_count, :risk, :risk_reason,
            :reported_to_opc_on, :people_told_on, :measures, :now, :user_id)";
    let values = params! {
        happened_on = text(new.happened_on), discovered_on = new.discovered_on.to_string(), what = new.what,
        affected = new.affected, affected_count = new.affected_count, risk = new.risk,
        risk_reason = new.risk_reason, reported_to_opc_on = text(new.reported_to_opc_on),
        people_told_on = text(new.people_told_on), measures = new.measures, now = now.as_second(), user_id,
    };
    connection.insert(sql, values)
}

fn update(connection: &Connection, id: i64, new: &NewBreach, now: Timestamp) -> Result<()> {
    let sql = "update breaches set happened_on = :happened_on, discovered_on = :discovered_on, what = :what,
            affected = :affected, affected_count = :affected_count, risk = :risk, risk_reason = :risk_reason,
            reported_to_opc_on = :reported_to_opc_on, people_told_on = :people_told_on, measures = :measures,
            changed_at = :now, version = version + 1
        where id = :id";
    let values = params! {
        id, happened_on = text(new.happened_on), discovered_on = new.discovered_on.to_string(),
        what = new.what, affected = new.affected, affected_count = new.affected_count, risk = new.risk,
        risk_reason = new.risk_reason, reported_to_opc_on = text(new.reported_to_opc_on),
        people_told_on = text(new.people_told_on), measures = new.measures, now = now.as_second(),
    };
    connection.run(sql, values)
}

fn text(date: Option<Date>) -> Option<String> {
    date.map(|date| date.to_string())
}

/// Deletes a breach after the legal retention period.
pub fn delete(connection: &Connection, id: i64) -> Result<()> {
    connection.run("delete from breaches where id = :id", params![id])
}

from_row!(Breach {
    id, happened_on, discovered_on, what, affected, affected_count, risk, risk_reason, reported_to_opc_on,
    people_told_on, measures, created_at, by = "username", changed_at, version,
});
