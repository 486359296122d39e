//! What fell due and what was received, month by month.

use std::collections::BTreeMap;

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use jiff::ToSpan as _;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::balances::in_one_view;
use crate::base::error::{Error, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::money::ledger;
use crate::money::ledger::aging::Due;
use crate::money::payments;
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::description::{Description, Parameter};
use crate::web::query;

/// Most months in a request.
const MOST: i32 = 60;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_months]
}

/// What fell due and what was received in a month.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct MonthTotal {
    /// The month, as `2026-11`.
    month: String,
    /// Dollars that are to be paid in this month, on enrollments and admissions, without what was waived.
    #[schema(value_type = f64)]
    due: Money,
    /// Dollars of it that are not paid.
    #[schema(value_type = f64)]
    open: Money,
    /// Dollars received in this month, for whatever, without what was reversed.
    #[schema(value_type = f64)]
    received: Money,
}

/// Query parameters of the months.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MonthsQuery {
    /// A day of the first month; default eight months ago.
    #[serde(default)]
    #[param(value_type = Option<Date>)]
    from: String,
    /// A day of the last month, at most 60 months in all; default in three months.
    #[serde(default)]
    #[param(value_type = Option<Date>)]
    to: String,
}

/// The first days of the first and the last month.
#[derive(Debug)]
pub struct MonthsPeriod {
    from: Date,
    to: Date,
}

impl FromRequestParts<App> for MonthsPeriod {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let query: MonthsQuery = query::of(&parts.uri)?;
        let mut errors = FieldErrors::default();
        let month = |day: Option<Date>, usual: Date| day.unwrap_or(usual).first_of_month();
        let today = app.today();
        let from = errors.take("from", query::day(&query.from));
        let from = from.map(|day| month(day, today.saturating_sub(8.months())));
        let to = errors.take("to", query::day(&query.to));
        let to = to.map(|day| month(day, today.saturating_add(3.months())));
        if let (Some(from), Some(to)) = (from, to) {
            if to < from {
                errors.add("to", "Must not be before the first month");
            } else if to >= from.saturating_add(MOST.months()) {
                errors.add("to", format!("At most {MOST} months can be asked for"));
            }
        }
        let wish = || Some(Self { from: from?, to: to? });
        Ok(errors.finish(wish())?)
    }
}

impl Parameter for MonthsPeriod {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
    }
}

/// What fell due and what was received, month by month, the earliest first; a month without either is listed too
#[utoipa::path(get, path = "/api/admin/money/months", tag = "money", params(MonthsQuery))]
async fn list_months(
    _: Staff<may::Balances>,
    State(app): State<App>,
    wish: MonthsPeriod,
) -> Result<Json<Vec<MonthTotal>>> {
    let zone = app.config.school().zone();
    app.db
        .query(move |connection| in_one_view(connection, |connection| months(connection, &wish, &zone)))
        .await
        .map(Json)
}

fn months(connection: &Connection, wish: &MonthsPeriod, zone: &TimeZone) -> Result<Vec<MonthTotal>> {
    let name = |day: Date| day.strftime("%Y-%m").to_string();
    let mut months: BTreeMap<String, MonthTotal> = BTreeMap::new();
    let mut day = wish.from;
    while day <= wish.to {
        let month = name(day);
        months.insert(month.clone(), MonthTotal { month, ..MonthTotal::default() });
        day = day.saturating_add(1.month());
    }
    for (parts, rests) in ledger::parts_and_rests(connection, i64::MAX)? {
        let mut add = |due: &Due, sum: fn(&mut MonthTotal) -> &mut Money| {
            if let Some(month) = months.get_mut(&name(due.day(zone))) {
                let sum = sum(month);
                *sum = Money::from_cents(sum.cents() + due.cents);
            }
        };
        for part in &parts {
            add(part, |month| &mut month.due);
        }
        for rest in &rests {
            add(rest, |month| &mut month.open);
        }
    }
    for day in payments::totals(connection, wish.from, wish.to.last_of_month())? {
        if let Some(month) = months.get_mut(&name(day.day)) {
            month.received += day.total;
        }
    }
    Ok(months.into_values().collect())
}
