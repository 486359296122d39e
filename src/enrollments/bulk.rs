//! Deciding many requests with one press: a result for each, and one way back for all of them.

use axum::Json;
use axum::extract::State;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::decide::{Choice, Decided, DeclineCode, Desk, Reason, Refusal};
use super::decisions::{self, Undo};
use super::prices::PriceChoice;
use crate::base::error::{ErrorBody, FieldErrors, Result};
use crate::staff::{Staff, may};
use crate::storage::db;
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::form::{Field, Json as JsonBody, form};

/// The endpoints of many decisions at once.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(endpoint!(approve_enrollments)).routes(endpoint!(decline_enrollments))
}

/// How many requests one press may decide.
const MAX: usize = 200;

form! {
    /// `POST /api/admin/enrollments/approve`'s body.
    pub struct BulkApproval {
        /// 1 to 200 enrollments.
        ids: Vec<i64>,
        /// Which price is charged; otherwise each quote while it holds, and today's price afterwards.
        price: Option<PriceChoice>,
    }
}

form! {
    /// `POST /api/admin/enrollments/decline`'s body.
    pub struct BulkRefusal {
        /// 1 to 200 enrollments.
        ids: Vec<i64>,
        /// Why, in words that each student reads: 10 to 1,000 characters.
        reason: String,
        /// Why, in a word for the school's figures; otherwise `other`.
        code: Option<DeclineCode>,
    }
}

/// What became of many decisions.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkDecided {
    /// A result for each enrollment, in the order in which they were named.
    results: Vec<BulkResult>,
    /// How to take all of them back; null when nothing changed, or e-mails leave at once.
    undo: Option<Undo>,
}

/// What became of one of them.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkResult {
    /// Number of the enrollment.
    id: i64,
    /// Whether it is now as it was decided.
    ok: bool,
    /// The enrollment, and the way back for it alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<Decided>,
    /// The status with which the same decision alone would have been refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    /// Why, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

impl BulkApproval {
    fn parse(&self) -> Result<(Vec<i64>, Choice), FieldErrors> {
        let mut errors = FieldErrors::default();
        let ids = errors.take("ids", ids(&self.ids));
        let price = errors.take("price", PriceChoice::read(&self.price));
        let parsed = || Some((ids?, Choice { expected: None, price: price? }));
        errors.finish(parsed())
    }
}

/// The numbers, each once.
fn ids(field: &Field<Vec<i64>>) -> Result<Vec<i64>, String> {
    match field {
        Field::Value(ids) if (1..=MAX).contains(&ids.len()) => {
            let mut once: Vec<i64> = Vec::with_capacity(ids.len());
            for id in ids {
                if !once.contains(id) {
                    once.push(*id);
                }
            }
            Ok(once)
        }
        _ => Err(format!("Choose 1 to {MAX} enrollments")),
    }
}

/// Decides each in a savepoint of its own: what is refused for one stops no other. A fault of ours
/// leaves all of them as they were.
fn decide_each(
    connection: &Connection,
    ids: &[i64],
    decide: impl Fn(&Connection, i64, &str) -> Result<Decided>,
) -> Result<BulkDecided> {
    let bulk = decisions::draw_id()?;
    let mut undo = None;
    let mut results = Vec::with_capacity(ids.len());
    for &id in ids {
        results.push(match db::in_savepoint(connection, |connection| decide(connection, id, &bulk)) {
            Ok(row) => {
                if let Some(own) = &row.undo {
                    undo = Some(Undo { id: bulk.clone(), until: own.until });
                }
                BulkResult { id, ok: true, row: Some(row), status: None, message: None }
            }
            Err(error) if error.status().is_server_error() => return Err(error),
            Err(error) => BulkResult {
                id,
                ok: false,
                row: None,
                status: Some(error.status().as_u16()),
                message: Some(error.to_string()),
            },
        });
    }
    Ok(BulkDecided { results, undo })
}

/// Approve many requests, each as if it were alone
#[utoipa::path(post, path = "/api/admin/enrollments/approve", tag = "enrollments", request_body = BulkApproval,
    responses((status = 200, body = BulkDecided), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody)))]
async fn approve_enrollments(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    JsonBody(form): JsonBody<BulkApproval>,
) -> Result<Json<BulkDecided>> {
    let (ids, choice) = form.parse()?;
    let desk = Desk::new(&app, staff);
    app.write_and_post(move |connection| {
        decide_each(connection, &ids, |connection, id, bulk| {
            desk.approve(connection, id, &choice, Some(bulk))
        })
    })
    .await
    .map(Json)
}

/// Decline many requests for one reason, which each student reads
#[utoipa::path(post, path = "/api/admin/enrollments/decline", tag = "enrollments", request_body = BulkRefusal,
    responses((status = 200, body = BulkDecided), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody)))]
async fn decline_enrollments(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    JsonBody(form): JsonBody<BulkRefusal>,
) -> Result<Json<BulkDecided>> {
    let ids = ids(&form.ids).map_err(|message| FieldErrors::one("ids", message))?;
    let reason = Reason::parse(&Refusal { reason: form.reason, code: form.code, expected: Field::Absent })?;
    let desk = Desk::new(&app, staff);
    app.write_and_post(move |connection| {
        decide_each(connection, &ids, |connection, id, bulk| {
            desk.decline(connection, id, &reason, Some(bulk))
        })
    })
    .await
    .map(Json)
}
