//! Bulk decisions: a result for each enrollment, and one undo for all.

use axum::extract::State;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::approve::{Approve, ApproveForm, Overrides};
use super::decline::{Decline, DeclineCode, DeclineForm};
use super::{Decided, DecisionContext};
use crate::base::error::{FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::decisions::{BulkDecided, decide_each};
use crate::enrollments::requests::prices::PriceChoice;
use crate::enrollments::seats;
use crate::mail::outbox;
use crate::staff::{Staff, may};
use crate::storage::db;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::bulk;
use crate::web::form::{Field, form};

/// The endpoints of many decisions at once.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![approve_enrollments, preview_approvals, decline_enrollments, waitlist_enrollments]
}

/// Maximum requests of a preview: the interface approves more than [`bulk::MAX`] in several calls, one after the other.
const PREVIEWED: usize = 1000;

/// Name of the items in error messages.
const THINGS: &str = "enrollments";

form! {
    /// `POST /api/admin/enrollments/approve`'s body.
    pub struct BulkApproveForm {
        /// 1 to 200 enrollments.
        ids: Vec<i64>,
        /// Which price is charged; otherwise each quote while it holds, and today's price afterwards.
        price: Option<PriceChoice>,
        /// Why all of them are approved although something is missing that the school requires.
        r#override: Option<Overrides>,
        /// Those of them to which `override` applies; otherwise all.
        #[schema(required = false)]
        override_ids: Vec<i64>,
    }
}

/// What approving many requests together would do: in the order of the list, each after those before it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalPreview {
    /// A result for each request, in their order.
    pub results: Vec<PreviewedApproval>,
    /// Number that would be approved.
    pub approved: usize,
    /// Of those: number of classes with a limit, of which each takes a seat.
    pub seats: usize,
    /// Dollars that would be charged.
    #[schema(value_type = f64)]
    pub total: Money,
    /// Number of emails, with the copies to guardians.
    pub emails: i64,
}

/// What would become of a request.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewedApproval {
    /// Number of the request.
    pub id: i64,
    /// Whether it would be approved.
    pub ok: bool,
    /// Dollars charged; null if it has no price, or is not approved.
    #[schema(value_type = Option<f64>, required)]
    pub price: Option<Money>,
    /// Why not.
    #[schema(required)]
    pub message: Option<String>,
    /// The requirement that is missing: `capacity_full`.
    #[schema(required)]
    pub reason: Option<&'static str>,
}

form! {
    /// `POST /api/admin/enrollments/decline`'s body.
    pub struct BulkDeclineForm {
        /// 1 to 200 enrollments.
        ids: Vec<i64>,
        /// Why, in words that each student reads: 10 to 1,000 characters.
        reason: String,
        /// Why, in a word for the school's figures; otherwise `other`.
        code: Option<DeclineCode>,
    }
}

form! {
    /// `POST /api/admin/enrollments/waitlist`'s body.
    pub struct BulkWaitlistForm {
        /// 1 to 200 enrollments.
        ids: Vec<i64>,
    }
}

/// A validated approval of many.
struct BulkApprove {
    ids: Vec<i64>,
    /// For those to which overrides apply.
    choice: Approve,
    /// These; `None` means all.
    overridden: Option<Vec<i64>>,
}

impl BulkApproveForm {
    fn parse(self, max: usize) -> Result<BulkApprove, FieldErrors> {
        let approval =
            ApproveForm { expected: Field::Absent, price: self.price, r#override: self.r#override };
        let (choice, mut errors) = match Approve::parse(&approval) {
            Ok(choice) => (Some(choice), FieldErrors::default()),
            Err(errors) => (None, errors),
        };
        let ids = errors.take("ids", bulk::ids_up_to(max, &self.ids, THINGS));
        let overridden = match self.override_ids {
            Field::Absent | Field::Null => Ok(None),
            Field::Value(ids) => Ok(Some(ids)),
            Field::Wrong => Err("Must be a list of numbers"),
        };
        let overridden = errors.take("overrideIds", overridden);
        let approve = || Some(BulkApprove { ids: ids?, choice: choice?, overridden: overridden? });
        errors.finish(approve())
    }
}

impl BulkApprove {
    /// Decides about each in the order of the list.
    fn decide(&self, context: &DecisionContext, connection: &Connection) -> Result<BulkDecided<Decided>> {
        let plain = Approve { price: self.choice.price, ..Approve::default() };
        decide_each(connection, &self.ids, |connection, id, bulk| {
            let is_overridden = self.overridden.as_ref().is_none_or(|ids| ids.contains(&id));
            let choice = if is_overridden { &self.choice } else { &plain };
            context.approve(connection, id, choice, Some(bulk))
        })
    }

    /// What [`Self::decide`] would do, by doing it and rolling it back.
    fn preview(&self, context: &DecisionContext, connection: &Connection) -> Result<ApprovalPreview> {
        db::rolled_back(connection, |connection| {
            let decided = self.decide(context, connection)?;
            let emails = outbox::count_about(connection, &decided.bulk_id)?;
            let mut preview = ApprovalPreview {
                results: Vec::new(),
                approved: 0,
                seats: 0,
                total: Money::default(),
                emails,
            };
            for result in decided.results {
                let row = result.row.as_ref().filter(|row| row.is_changed);
                let price = row.and_then(|row| row.enrollment.charged_price);
                if let Some(row) = row {
                    preview.approved += 1;
                    preview.seats += usize::from(seats::is_limited(connection, row.enrollment.id)?);
                }
                let cents = preview.total.cents() + price.unwrap_or_default().cents();
                preview.total = Money::from_cents(cents);
                preview.results.push(PreviewedApproval {
                    id: result.id,
                    ok: result.ok,
                    price,
                    message: result.message,
                    reason: result.reason,
                });
            }
            Ok(preview)
        })
    }
}

/// Approve many requests independently
#[utoipa::path(post, path = "/api/admin/enrollments/approve", tag = "enrollments")]
async fn approve_enrollments(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Json(form): Json<BulkApproveForm>,
) -> Result<Json<BulkDecided<Decided>>> {
    let approve = form.parse(bulk::MAX)?;
    let context = DecisionContext::new(&app, &staff);
    app.carry_out_and_notify(move |connection| approve.decide(&context, connection)).await
}

/// Preview approving many requests together: which get the last seats, what is charged, and how many emails are sent.
/// Nothing is changed
#[utoipa::path(post, path = "/api/admin/enrollments/approve/preview", tag = "enrollments")]
async fn preview_approvals(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Json(form): Json<BulkApproveForm>,
) -> Result<Json<ApprovalPreview>> {
    let approve = form.parse(PREVIEWED)?;
    let context = DecisionContext::new(&app, &staff);
    app.carry_out(move |connection| approve.preview(&context, connection)).await
}

/// Decline many requests for one reason, which each student reads
#[utoipa::path(post, path = "/api/admin/enrollments/decline", tag = "enrollments")]
async fn decline_enrollments(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Json(form): Json<BulkDeclineForm>,
) -> Result<Json<BulkDecided<Decided>>> {
    let ids = bulk::ids(&form.ids, THINGS).map_err(|message| FieldErrors::one("ids", message))?;
    let reason =
        Decline::parse(&DeclineForm { reason: form.reason, code: form.code, expected: Field::Absent })?;
    let context = DecisionContext::new(&app, &staff);
    app.carry_out_and_notify(move |connection| {
        decide_each(connection, &ids, |connection, id, bulk| {
            context.decline(connection, id, &reason, Some(bulk))
        })
    })
    .await
}

/// Put many pending requests on the waiting lists of their courses
#[utoipa::path(post, path = "/api/admin/enrollments/waitlist", tag = "enrollments")]
async fn waitlist_enrollments(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Json(form): Json<BulkWaitlistForm>,
) -> Result<Json<BulkDecided<Decided>>> {
    let ids = bulk::ids(&form.ids, THINGS).map_err(|message| FieldErrors::one("ids", message))?;
    let context = DecisionContext::new(&app, &staff);
    app.carry_out_and_notify(move |connection| {
        decide_each(connection, &ids, |connection, id, bulk| {
            context.waitlist(connection, id, None, Some(bulk))
        })
    })
    .await
}
