//! The audit trail for the office, and its verification.
//!
//! The table is [`crate::audit`]'s, and so is the SQL. Administrators read all entries, the registrar and the bursar
//! only their own.

use axum::extract::State;
use axum::response::Response;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::audit;
use crate::audit::chain::{self, ChainVerdict};
use crate::audit::filter::TrailQuery;
use crate::audit::trail::{self, AuditEntry, TrailWords};
use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::base::json::Json;
use crate::operations::maintenance::{self, TaskName, audit_chain};
use crate::staff::{Duty, Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::pagination::{SheetQuery, SheetRequest};

/// Maximum rows to verify during a request: a few tens of milliseconds.
const MAX_CHECKED_AT_ONCE: i64 = 20_000;

/// The office's endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_audit, list_audit_words, get_audit_chain]
}

/// Audit entries, newest first; the registrar and the bursar see only their own. `format=csv` exports all rows, which
/// is itself recorded
#[utoipa::path(get, path = "/api/admin/audit", tag = "audit",
    params(TrailQuery,
        ("page" = Option<i64>, Query, minimum = 1, description = "The 25 rows of this page, counted from 1; \
            of the first one where none is named"),
        SheetQuery),
    responses((status = 200, content((Vec<AuditEntry> = "application/json"), (String = "text/csv")), headers(("X-Total-Count" = i64, description = "Rows that match, on every page")))))]
async fn list_audit(
    staff: Staff<may::Audit>,
    State(app): State<App>,
    query: TrailQuery,
    SheetRequest(page): SheetRequest,
) -> Result<Response> {
    let filter = query.parse(own(&staff), &app.config.school().zone())?;
    let asked = page.clone().paged();
    let listed = app.db.query(move |connection| trail::list(connection, &asked, &filter)).await?;
    audit::respond(&app, staff.actor(), &page, listed).await
}

/// The user whose entries the caller may read; `None` means all users.
fn own(staff: &Staff<may::Audit>) -> Option<i64> {
    (!staff.user.duties.contains(&Duty::EveryAudit)).then_some(staff.id)
}

/// Filter values of the trail
#[utoipa::path(get, path = "/api/admin/audit/words", tag = "audit")]
async fn list_audit_words(staff: Staff<may::Audit>, State(app): State<App>) -> Result<Json<TrailWords>> {
    let own = own(&staff).map(|_| staff.user.username.clone());
    app.db.read(|connection| trail::words(connection, own)).await.map(Json)
}

closed_set! {
    /// State of the audit trail's chain.
    pub enum ChainState {
        /// Every row follows from the rows before it.
        Intact = "intact",
        /// The chain is broken.
        Broken = "broken",
        /// Not verified yet.
        Unchecked = "unchecked",
    }
}

/// Last verification of the audit trail's chain.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Chain {
    state: ChainState,
    /// When it was verified.
    #[schema(required)]
    checked_at: Option<Timestamp>,
    /// Rows that were linked then.
    rows: i64,
    /// The newest link, in hexadecimal digits: to be noted elsewhere.
    #[schema(required)]
    head: Option<String>,
    /// Where it breaks.
    #[schema(required)]
    problem: Option<String>,
}

/// Verify the audit trail: now if it is short, else the result of the last nightly check
#[utoipa::path(get, path = "/api/admin/audit/chain", tag = "audit")]
async fn get_audit_chain(_: Staff<may::EveryAudit>, State(app): State<App>) -> Result<Json<Chain>> {
    let now = app.clock.now();
    app.db.query(move |connection| verify_chain(connection, now)).await.map(Json)
}

fn verify_chain(connection: &Connection, now: Timestamp) -> Result<Chain> {
    if trail::newest(connection)? <= MAX_CHECKED_AT_ONCE {
        let found = chain::verify(connection, audit_chain::known(connection)?.as_ref())?;
        return Ok(Chain::new(found, now));
    }
    let last = maintenance::last(connection, TaskName::Audit)?;
    let Some(last) = last.filter(|last| last.tried_at.is_some()) else {
        return Ok(Chain {
            state: ChainState::Unchecked,
            checked_at: None,
            rows: 0,
            head: None,
            problem: None,
        });
    };
    Ok(Chain {
        state: if last.failure.is_some() { ChainState::Broken } else { ChainState::Intact },
        checked_at: last.tried_at,
        rows: last.detail["rows"].as_i64().unwrap_or_default(),
        head: last.detail["head"].as_str().map(str::to_owned),
        problem: last.failure,
    })
}

impl Chain {
    fn new(found: ChainVerdict, now: Timestamp) -> Self {
        let (state, rows, head, problem) = match found {
            ChainVerdict::Intact { rows, head, .. } => {
                (ChainState::Intact, rows, head.map(|head| head.hash), None)
            }
            ChainVerdict::Broken(why) => (ChainState::Broken, 0, None, Some(why)),
        };
        Self { state, checked_at: Some(now), rows, head, problem }
    }
}
