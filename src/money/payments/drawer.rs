//! The cash drawer: what was received each day, by method, and what was brought to the bank.

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::{Payment, PaymentContext, store};
use crate::audit;
use crate::base::dates::date_in_words;
use crate::base::error::{Error, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::decisions::{BulkDone, BulkResult};
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::bulk;
use crate::web::description::{Description, Parameter};
use crate::web::form::{Field, form};
use crate::web::id::Numbered;
use crate::web::idempotency::{Idempotent, Once};
use crate::web::query;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_payment_totals, mark_deposited]
}

/// What was received on a day, without what was reversed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct DayTotal {
    /// The day.
    pub day: Date,
    /// Dollars.
    #[schema(value_type = f64)]
    pub total: Money,
    /// Number of payments.
    pub count: i64,
    /// Dollars by method: `cash`, `cheque`, …
    #[schema(value_type = BTreeMap<String, f64>)]
    pub methods: BTreeMap<String, Money>,
}

/// Query parameters of the daily totals.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TotalsQuery {
    /// The first day; default the first of this month.
    #[serde(default)]
    #[param(value_type = Option<Date>)]
    from: String,
    /// The last day; default today.
    #[serde(default)]
    #[param(value_type = Option<Date>)]
    to: String,
}

/// Validated query parameters.
#[derive(Debug)]
pub struct TotalsPeriod {
    from: Date,
    to: Date,
}

impl FromRequestParts<App> for TotalsPeriod {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let query: TotalsQuery = query::of(&parts.uri)?;
        let mut errors = FieldErrors::default();
        let from = errors.take("from", query::day(&query.from));
        let to = errors.take("to", query::day(&query.to));
        let today = app.today();
        let wish = from
            .zip(to)
            .map(|(from, to)| Self { from: from.unwrap_or(today.first_of_month()), to: to.unwrap_or(today) });
        if wish.as_ref().is_some_and(|wish| wish.from > wish.to) {
            errors.add("from", "Must not be after the last day");
        }
        Ok(errors.finish(wish)?)
    }
}

impl Parameter for TotalsPeriod {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
    }
}

/// What was received each day, by method, the newest day first; reversed payments are not in it
#[utoipa::path(get, path = "/api/admin/payments/totals", tag = "payments", params(TotalsQuery))]
async fn list_payment_totals(
    _: Staff<may::Balances>,
    State(app): State<App>,
    wish: TotalsPeriod,
) -> Result<Json<Vec<DayTotal>>> {
    app.db.query(move |connection| totals(connection, wish.from, wish.to)).await.map(Json)
}

/// What was received on each day of a time, the newest first.
///
/// # Errors
/// Database errors.
pub fn totals(connection: &Connection, from: Date, to: Date) -> Result<Vec<DayTotal>> {
    let mut days: Vec<DayTotal> = Vec::new();
    for (day, method, total, count) in store::totals(connection, from, to)? {
        if days.last().is_none_or(|last| last.day != day) {
            days.push(DayTotal { day, total: Money::default(), count: 0, methods: BTreeMap::new() });
        }
        if let Some(last) = days.last_mut() {
            last.total += total;
            last.count += count;
            last.methods.insert(method, total);
        }
    }
    Ok(days)
}

form! {
    /// `POST /api/admin/payments/deposited`' body.
    pub struct DepositedForm {
        /// 1 to 200 payments.
        ids: Vec<i64>,
        /// The day on which they were brought to the bank, today or earlier; null takes that back.
        on: Option<Date>,
    }
}

/// Note that payments were brought to the bank
#[utoipa::path(post, path = "/api/admin/payments/deposited", tag = "payments", request_body = DepositedForm)]
async fn mark_deposited(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Idempotent { key, body }: Idempotent<DepositedForm>,
) -> Result<Once<BulkDone<Payment>, 200>> {
    let mut errors = FieldErrors::default();
    let ids = errors.take("ids", bulk::ids(&body.ids, "payments"));
    let on = match body.on {
        Field::Null => Some(None),
        _ => errors.take("on", super::rules::day_until(&body.on, app.today(), "Say on which day")).map(Some),
    };
    let (ids, on) = errors.finish(ids.zip(on))?;
    let context = PaymentContext::new(&app, &staff);
    app.write_and_notify(move |connection| {
        key.once(connection, context.user_id, context.now, || {
            let done = bulk::each(connection, &ids, |connection, id| context.deposit(connection, id, on))?;
            Ok(BulkDone {
                results: done.into_iter().map(|(id, result)| BulkResult::of(id, result)).collect(),
            })
        })
    })
    .await
}

impl PaymentContext {
    /// Notes when a payment was brought to the bank.
    ///
    /// # Errors
    /// 404 when there is no such payment; 409 when it was reversed, or received after that day.
    pub fn deposit(&self, connection: &Connection, id: i64, on: Option<Date>) -> Result<Payment> {
        let before = store::find(connection, id)?.ok_or_else(Payment::not_found)?;
        if before.voided_at.is_some() {
            let message = format!("This payment was reversed; receipt {} is void.", before.receipt_number);
            return Err(Error::conflict(message, &before));
        }
        if on.is_some_and(|on| on < before.received_on) {
            let received_on = date_in_words(before.received_on);
            let message = format!("Received on {received_on}: it cannot have been deposited before.");
            return Err(Error::conflict(message, &before));
        }
        // Another day is noted once the first is reversed.
        if before.deposited_on.is_some_and(|noted| on.is_some_and(|on| on != noted)) {
            self.deposit(connection, id, None)?;
        }
        if before.deposited_on != on {
            store::set_deposited(connection, id, on)?;
            let detail =
                json!({ "studentId": before.student_id, "receipt": before.receipt_number, "on": on });
            audit::record(connection, &self.actor, "deposit", "payment", id, detail, self.now)?;
        }
        store::find(connection, id)?.ok_or_else(Payment::not_found)
    }
}
