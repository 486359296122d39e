//! The office's review: the rules, the proposals, and the confirmation that deletes.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use jiff::civil::Date;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::proposals::{self, Proposal, ProposedClass};
use super::rules::{self, RetentionRule};
use super::{RetentionAction, RetentionClass, due};
use crate::audit;
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::documents;
use crate::staff::{Recent, Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::{Id, Numbered};

/// Items deleted per write, so that other writes do not wait long.
const AT_ONCE: usize = 200;
/// The law requires breaches to be kept for 24 months (SOR/2018-64, section 6).
const MIN_BREACH_YEARS: i64 = 2;

/// The endpoints.
pub(super) fn routes() -> OpenApiRouter<App> {
    endpoints![get_retention, add_retention_rule, confirm_retention, hold_proposal, release_proposal]
}

/// Retention rules and proposals.
#[derive(Debug, Serialize, ToSchema)]
pub struct Retention {
    /// The current rule of each class, and future ones.
    rules: Vec<RetentionRule>,
    /// Expired items.
    proposals: Vec<ProposedClass>,
}

form! {
    /// `POST /api/admin/retention`'s body.
    pub struct NewRetentionRule {
        class: RetentionClass,
        /// 0 to 100, whole.
        years: i64,
        /// Effective date: today or later.
        in_force_from: Date,
        /// 10 to 500 characters.
        reason: String,
    }
}

form! {
    /// `POST /api/admin/retention/{class}/confirm`'s body.
    pub struct ConfirmedDeletion {
        /// Number of items to delete, as typed by the admin.
        count: i64,
    }
}

form! {
    /// `POST /api/admin/retention/proposals/{id}/hold`'s body.
    pub struct HoldForm {
        /// Reason, 3 to 500 characters.
        reason: String,
    }
}

/// Result of a confirmation.
#[derive(Debug, Serialize, ToSchema)]
pub struct Carried {
    /// Number of deleted items.
    deleted: usize,
}

/// Retention rules, and items past their retention period
#[utoipa::path(get, path = "/api/admin/retention", tag = "privacy")]
async fn get_retention(_: Staff<may::Privacy>, State(app): State<App>) -> Result<Json<Retention>> {
    let today = app.today();
    app.db
        .query(move |connection| {
            Ok(Retention { rules: rules::list(connection, today)?, proposals: proposals::list(connection)? })
        })
        .await
        .map(Json)
}

impl NewRetentionRule {
    fn parse(&self, today: Date) -> Result<(RetentionClass, i16, Date, String), FieldErrors> {
        let mut errors = FieldErrors::default();
        let class = RetentionClass::parse(self.class.text()).ok_or("Say what it is about");
        let class = errors.take("class", class);
        let min = if class == Some(RetentionClass::Breaches) { MIN_BREACH_YEARS } else { 0 };
        let years = match self.years {
            Field::Value(years) if (min..=100).contains(&years) => Ok(years as i16),
            _ => Err(format!("Must be a whole number of years from {min} to 100")),
        };
        let years = errors.take("years", years);
        let from = self.in_force_from.date("Must be a real date in the form YYYY-MM-DD").and_then(|from| {
            if from < today { Err("Must not be before today".to_owned()) } else { Ok(from) }
        });
        let from = errors.take("inForceFrom", from);
        let why = "Please say in at least 10 characters why: it is shown beside the rule";
        let reason = errors.take("reason", self.reason.between(10, 500, why));
        let all = || Some((class?, years?, from?, reason?));
        errors.finish(all())
    }
}

/// Change a retention period from an effective date; earlier rules stay on record
#[utoipa::path(post, path = "/api/admin/retention", tag = "privacy",
    responses((status = 409, body = ErrorBody, description = "It is kept whatever the years")))]
async fn add_retention_rule(
    staff: Staff<may::Privacy>,
    State(app): State<App>,
    Json(form): Json<NewRetentionRule>,
) -> Result<(StatusCode, Json<RetentionRule>)> {
    let now = app.clock.now();
    let today = app.today();
    let (class, years, in_force_from, reason) = form.parse(today)?;
    let added = app
        .db
        .write(move |connection| {
            let before = rules::in_force(connection, class, today)?;
            if before.action == RetentionAction::Keep {
                let message = "A school has to keep this; nothing of it is ever deleted here.";
                return Err(Error::conflict(message, &before));
            }
            let rule = RetentionRule { years: Some(years), in_force_from, reason, ..before.clone() };
            rules::add(connection, &rule, staff.id, now)?;
            let detail = json!({
                "class": class, "years": { "from": before.years, "to": years }, "inForceFrom": in_force_from,
            });
            audit::record(connection, &staff.actor(), "change rule", "retention", None, detail, now)?;
            Ok(rule)
        })
        .await?;
    super::propose(&app).await?;
    Ok((StatusCode::CREATED, Json(added)))
}

/// Delete the proposed items of one class; the count must match. It cannot be undone.
#[utoipa::path(post, path = "/api/admin/retention/{class}/confirm", tag = "privacy",
    params(("class" = RetentionClass, Path, description = "Of what kind")),
    responses((status = 409, body = ErrorBody, description = "Another number waits now")))]
async fn confirm_retention(
    staff: Staff<may::Privacy, Recent>,
    State(app): State<App>,
    Path(class): Path<String>,
    Json(form): Json<ConfirmedDeletion>,
) -> Result<Json<Carried>> {
    let class = RetentionClass::parse(&class).ok_or_else(Proposal::not_found)?;
    let Field::Value(count) = form.count else {
        return Err(Error::field("count", "Type how many are to be deleted"));
    };
    let waiting = app.db.query(move |connection| proposals::waiting(connection, class)).await?;
    if i64::try_from(waiting.len()) != Ok(count) {
        let message = format!("{} wait now, not {count}. Please look at the list again.", waiting.len());
        return Err(Error::conflict(message, &json!({ "class": class, "count": waiting.len() })));
    }
    let mut deleted = 0;
    for some in waiting.chunks(AT_ONCE) {
        let some = some.to_vec();
        let actor = staff.actor();
        let now = app.clock.now();
        let today = app.today();
        let (gone, files) = app
            .db
            .write(move |connection| {
                let mut gone = Vec::new();
                let mut files = Vec::new();
                let rule = rules::in_force(connection, class, today)?;
                for (proposal, object_id) in some {
                    // Put on hold, or the student has returned, since it was proposed.
                    let Some((is_asked, student_id)) = proposals::waits(connection, proposal)? else {
                        continue;
                    };
                    let is_due = match student_id {
                        Some(student_id) if !is_asked => {
                            let item = due::StudentItem { object_id, student_id };
                            due::is_due(connection, &rule, item, today)?
                        }
                        _ => true,
                    };
                    if is_due {
                        files.extend(due::carry_out(connection, class, object_id, now)?);
                        gone.push(object_id);
                    }
                    proposals::remove(connection, proposal)?;
                }
                let detail = json!({ "class": class, "count": gone.len(), "numbers": gone });
                audit::record(connection, &actor, "delete", "retention", None, detail, now)?;
                Ok((gone.len(), files))
            })
            .await?;
        documents::file::keep_for_a_day(&app.data_dir, &files);
        deleted += gone;
    }
    Ok(Json(Carried { deleted }))
}

/// Put an item on hold with a reason, until it is released
#[utoipa::path(post, path = "/api/admin/retention/proposals/{id}/hold", tag = "privacy")]
async fn hold_proposal(
    staff: Staff<may::Privacy>,
    State(app): State<App>,
    Id(id, ..): Id<Proposal>,
    Json(form): Json<HoldForm>,
) -> Result<StatusCode> {
    let reason = form.reason.between(3, 500, "Please say why it is kept");
    let reason = reason.map_err(|message| FieldErrors::one("reason", message))?;
    hold(&app, &staff, id, Some(reason)).await
}

/// Release an item from hold
#[utoipa::path(post, path = "/api/admin/retention/proposals/{id}/release", tag = "privacy")]
async fn release_proposal(
    staff: Staff<may::Privacy>,
    State(app): State<App>,
    Id(id, ..): Id<Proposal>,
) -> Result<StatusCode> {
    hold(&app, &staff, id, None).await
}

async fn hold(app: &App, staff: &Staff<may::Privacy>, id: i64, reason: Option<String>) -> Result<StatusCode> {
    let now = app.clock.now();
    let actor = staff.actor();
    let user_id = staff.id;
    app.db
        .write(move |connection| {
            let holder = reason.as_deref().map(|reason| proposals::ProposalHold { by: user_id, reason });
            if !proposals::hold(connection, id, holder, now)? {
                return Err(Proposal::not_found());
            }
            let verb = if reason.is_some() { "hold" } else { "release" };
            let detail = json!({ "proposalId": id, "reason": reason });
            audit::record(connection, &actor, verb, "retention", None, detail, now)?;
            Ok(StatusCode::NO_CONTENT)
        })
        .await
}
