//! Refunds: what leaving a course costs by when, as the school decided it, and what has to be refunded by when.
//!
//! Policies are dated and versioned data (`refund_policies`); which holds follows from the day of the request and the
//! student's province. The windows that families read and what the office posts come from one function. What is owed to a
//! family is a dated task (`tasks`), open until it is refunded.

pub mod arithmetic;
pub mod rules;
pub mod store;
pub mod tasks;

use axum::extract::State;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use self::arithmetic::CourseTaken;
pub use self::arithmetic::{LeavingStep, RefundProposal};
use self::rules::{LeavingDays, NewPolicy, RefundPoliciesForm, Rule};
use crate::audit;
use crate::base::dates::DateRange;
use crate::base::error::{Error, Result};
use crate::base::money::Money;
use crate::staff::{Staff, may};
use crate::terms::SchoolDays;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::idempotency::{Idempotent, Once};
use crate::web::pagination::{ListQuery, Listed, PageRequest};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_refund_policies, put_refund_policies]
}

/// A version of a refund policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundPolicy {
    /// Number of the version.
    pub id: i64,
    /// What it is called.
    pub name: String,
    /// For residents of these provinces, by their two letters; null for all others.
    #[schema(required)]
    pub provinces: Option<Vec<String>>,
    /// For requests from this day on.
    pub effective_on: Date,
    /// The earliest day first; the first one whose day is not past holds.
    pub rules: Vec<RefundRule>,
    /// When the office wrote it.
    pub created_at: Timestamp,
    /// Username of the staff member who wrote it.
    #[schema(required)]
    pub by: Option<String>,
    /// The rules to calculate with.
    #[serde(skip)]
    pub parsed: Vec<Rule>,
}

/// What is forgiven of the fee of a student who leaves by a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RefundRule {
    /// The last day: `start-1d`, `start+5sd` (school days, of which the first from the start on is 1) or `end`.
    pub until: String,
    /// Percent of the fee.
    pub percent: i64,
    /// Dollars that the school keeps of them.
    #[schema(value_type = f64)]
    pub keep: Money,
}

impl From<&Rule> for RefundRule {
    fn from(rule: &Rule) -> Self {
        Self { until: rule.until.to_string(), percent: rule.percent, keep: rule.keep }
    }
}

/// What leaving a course costs, by the day.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeavingTerms {
    /// What the policy is called; null when the school has written none for it.
    #[schema(required)]
    pub policy: Option<String>,
    /// Each step, the earliest first; none for a course that costs nothing or without a policy.
    pub steps: Vec<LeavingStep>,
}

/// Every version of the refund policies, the newest first; searched by name
#[utoipa::path(get, path = "/api/admin/refund-policies", tag = "money", params(ListQuery))]
async fn list_refund_policies(
    _: Staff<may::Money>,
    State(app): State<App>,
    page: PageRequest,
) -> Result<Listed<RefundPolicy>> {
    app.db.query(move |connection| Ok(page.cut(store::list(connection)?, |policy| policy.name.clone()))).await
}

/// Add a version of each policy that differs from what is known; returns all
#[utoipa::path(put, path = "/api/admin/refund-policies", tag = "money", request_body = RefundPoliciesForm)]
async fn put_refund_policies(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Idempotent { key, body }: Idempotent<RefundPoliciesForm>,
) -> Result<Once<Vec<RefundPolicy>, 200>> {
    let policies = body.parse()?;
    let now = app.clock.now();
    let actor = staff.actor();
    let user_id = staff.id;
    app.db
        .write(move |connection| {
            key.once(connection, user_id, now, || {
                for policy in &policies {
                    if let Some(id) = add_version(connection, policy, user_id, now)? {
                        let detail = json!({ "name": policy.name, "effectiveOn": policy.effective_on });
                        audit::record(connection, &actor, "change", "refund_policy", id, detail, now)?;
                    }
                }
                store::list(connection)
            })
        })
        .await
}

/// Adds a version, unless the newest one of its name says the same.
pub fn add_version(
    connection: &Connection,
    policy: &NewPolicy,
    user_id: i64,
    now: Timestamp,
) -> Result<Option<i64>> {
    let newest = store::list(connection)?.into_iter().find(|known| known.name == policy.name);
    let is_known = newest.is_some_and(|known| {
        (known.provinces, known.effective_on, known.parsed)
            == (policy.provinces.clone(), policy.effective_on, policy.rules.clone())
    });
    if is_known { Ok(None) } else { store::insert(connection, policy, user_id, now).map(Some) }
}

/// The policy for a request: of those in force on its day the newest that names the student's province, else the newest
/// for all others.
fn choose(policies: Vec<RefundPolicy>, province: Option<&str>, requested_on: Date) -> Option<RefundPolicy> {
    let is_named = |policy: &RefundPolicy| {
        policy.provinces.as_ref().is_some_and(|names| names.iter().any(|name| Some(&**name) == province))
    };
    let in_force = policies.into_iter().filter(|policy| policy.effective_on <= requested_on);
    in_force
        .filter(|policy| policy.provinces.is_none() || is_named(policy))
        .max_by_key(|policy| (policy.provinces.is_some(), policy.effective_on, policy.id))
}

/// What the policy says of an enrollment that was ever approved; `current` is its row.
///
/// # Errors
/// 409 when it was never approved, or when there is no policy for it.
pub fn propose(
    connection: &Connection,
    enrollment_id: i64,
    current: &impl Serialize,
    days: LeavingDays,
    zone: &TimeZone,
) -> Result<RefundProposal> {
    let facts = store::facts(connection, enrollment_id)?;
    if !facts.was_approved {
        let message = "This request was never approved, so nothing is to be refunded.";
        return Err(Error::conflict(message, current));
    }
    let Some(policy) = policy_for(connection, &facts, zone)? else {
        let message = "There is no refund policy for this request. Write one under Money, or decide by hand.";
        return Err(Error::Lacking("no_policy", message.into(), Box::new(json!(current))));
    };
    Ok(facts.course(connection, facts.quoted)?.propose(&policy, days))
}

fn policy_for(
    connection: &Connection,
    facts: &store::EnrollmentFacts,
    zone: &TimeZone,
) -> Result<Option<RefundPolicy>> {
    let requested_on = facts.requested_at.to_zoned(zone.clone()).date();
    Ok(choose(store::list(connection)?, facts.province.as_deref(), requested_on))
}

/// A course that a student may ask for.
#[derive(Debug, Clone, Copy)]
pub struct QuotedCourse {
    /// What it costs.
    pub fee: Money,
    /// From when to when.
    pub days: DateRange,
    /// In which section; `None` on own days.
    pub section_id: Option<i64>,
}

/// What leaving a course would cost by when, if a student of a province asked for it on a day.
///
/// # Errors
/// Database errors.
pub fn quoted_terms(
    connection: &Connection,
    QuotedCourse { fee, days, section_id }: QuotedCourse,
    province: Option<&str>,
    requested_on: Date,
) -> Result<LeavingTerms> {
    let Some(policy) = choose(store::list(connection)?, province, requested_on) else {
        return Ok(LeavingTerms::default());
    };
    let calendar = SchoolDays::of(connection, section_id, days)?;
    let course = CourseTaken { days, calendar, fee, ..CourseTaken::default() };
    Ok(LeavingTerms { steps: course.steps(&policy), policy: Some(policy.name) })
}

/// What leaving the course of an enrollment costs by when; `price` is what its approval would charge.
///
/// # Errors
/// 404 when there is no such enrollment.
pub fn leaving_terms(
    connection: &Connection,
    enrollment_id: i64,
    price: Option<Money>,
    zone: &TimeZone,
) -> Result<LeavingTerms> {
    let facts = store::facts(connection, enrollment_id)?;
    let Some(policy) = policy_for(connection, &facts, zone)? else { return Ok(LeavingTerms::default()) };
    let steps = facts.course(connection, price)?.steps(&policy);
    Ok(LeavingTerms { policy: Some(policy.name), steps })
}
