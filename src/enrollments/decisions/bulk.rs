//! Bulk decisions: a result for each enrollment, and one undo for all.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;

use super::approve::{Approve, ApproveForm, Overrides};
use super::decline::{Decline, DeclineCode, DeclineForm};
use super::{Decided, DecisionContext};
use crate::base::error::{FieldErrors, Result};
use crate::base::json::Json;
use crate::decisions::{BulkDecided, decide_each};
use crate::enrollments::prices::PriceChoice;
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::bulk;
use crate::web::form::{Field, form};

/// The endpoints of many decisions at once.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![approve_enrollments, decline_enrollments, waitlist_enrollments]
}

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
    }
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

impl BulkApproveForm {
    fn parse(self) -> Result<(Vec<i64>, Approve), FieldErrors> {
        let ids = bulk::ids(&self.ids, THINGS);
        let approval =
            ApproveForm { expected: Field::Absent, price: self.price, r#override: self.r#override };
        match (ids, Approve::parse(&approval)) {
            (Ok(ids), Ok(choice)) => Ok((ids, choice)),
            (Ok(_), Err(errors)) => Err(errors),
            (Err(message), choice) => {
                let mut errors = choice.err().unwrap_or_default();
                errors.add("ids", message);
                Err(errors)
            }
        }
    }
}

/// Approve many requests independently
#[utoipa::path(post, path = "/api/admin/enrollments/approve", tag = "enrollments")]
async fn approve_enrollments(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Json(form): Json<BulkApproveForm>,
) -> Result<Json<BulkDecided<Decided>>> {
    let (ids, choice) = form.parse()?;
    let context = DecisionContext::new(&app, &staff);
    app.carry_out_and_notify(move |connection| {
        decide_each(connection, &ids, |connection, id, bulk| {
            context.approve(connection, id, &choice, Some(bulk))
        })
    })
    .await
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
