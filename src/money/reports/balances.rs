//! The figures of `/admin/money`, and the list of who owes what.

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::response::Response;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::report::{self, BalanceRow, ReportDay};
use crate::audit;
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::enrollments::waiting::charges;
use crate::money::ledger::aging::Aging;
use crate::money::ledger::kept;
use crate::staff::{Duty, Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::description::{Description, Parameter};
use crate::web::pagination::{ListQuery, SheetQuery, SheetRequest, Sort};
use crate::web::query;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_money_summary, list_balances]
}

/// The figures of the school's money at the end of a day.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MoneySummary {
    /// Dollars owed on enrollments, due already or later.
    #[schema(value_type = f64)]
    due: Money,
    /// Dollars owed on admissions.
    #[schema(value_type = f64)]
    admission_fees_due: Money,
    /// Both.
    #[schema(value_type = f64)]
    total_due: Money,
    /// Dollars of it that money on account covers.
    #[schema(value_type = f64)]
    covered: Money,
    /// Dollars of the rest that are late.
    #[schema(value_type = f64)]
    overdue: Money,
    /// Dollars paid or waived beyond what was charged.
    #[schema(value_type = f64)]
    credits: Money,
    /// Dollars on account.
    #[schema(value_type = f64)]
    unapplied: Money,
    /// Active enrollments that were approved without a price.
    unpriced_count: i64,
    /// Dollars received in the month of the day.
    #[schema(value_type = f64)]
    received_this_month: Money,
    /// What is due and not covered, by how long it has been.
    aging: Aging,
}

closed_set! {
    /// Which balances.
    pub enum BalanceFilter {
        /// Something is due, already or later.
        Due = "due",
        /// Something is late.
        Overdue = "overdue",
        /// More was paid or waived than charged.
        Credit = "credit",
        /// Something is on account.
        Unapplied = "unapplied",
        /// Something is on account that is not set aside, or whose day has come.
        Free = "free",
        /// An admission fee is due.
        Admission = "admission",
    }
}

impl BalanceFilter {
    fn holds(self, row: &BalanceRow, on: Date) -> bool {
        let amount = match self {
            Self::Due => row.total_due,
            Self::Overdue => row.overdue,
            Self::Credit => row.credit,
            Self::Free if row.hold.as_ref().is_none_or(|hold| hold.until < on) => row.unapplied,
            Self::Free => row.free,
            Self::Unapplied => row.unapplied,
            Self::Admission => row.admission_due,
        };
        amount.cents() > 0
    }
}

closed_set! {
    /// What the list of balances is sorted by.
    pub enum BalanceOrder {
        /// The student's name.
        Name = "name",
        /// What is owed.
        Due = "due",
        /// What is late.
        Overdue = "overdue",
        /// Since when it is late.
        Since = "since",
        /// The balance.
        Balance = "balance",
    }
}

/// Query parameters of the figures and the list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct BalancesQuery {
    /// At the end of this day, past or to come; default today.
    #[serde(default)]
    #[param(value_type = Option<Date>)]
    as_of: String,
    /// Only those.
    #[serde(default)]
    #[param(value_type = Option<BalanceFilter>, inline)]
    filter: String,
}

/// Validated query parameters.
#[derive(Debug)]
pub struct BalancesRequest {
    as_of: Option<Date>,
    filter: Option<BalanceFilter>,
}

impl<S: Send + Sync> FromRequestParts<S> for BalancesRequest {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let query: BalancesQuery = query::of(&parts.uri)?;
        let as_of = query::day(&query.as_of).map_err(|message| Error::field("asOf", message))?;
        let filter = match query.filter.as_str() {
            "" => None,
            word => Some(BalanceFilter::choose(word).map_err(|message| Error::field("filter", message))?),
        };
        Ok(Self { as_of, filter })
    }
}

impl Parameter for BalancesRequest {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
    }
}

fn day(app: &App, wish: &BalancesRequest) -> ReportDay {
    ReportDay::new(wish.as_of.unwrap_or_else(|| app.today()), app.config.school().zone())
}

/// The figures of the school's money
#[utoipa::path(get, path = "/api/admin/money/summary", tag = "money", params(BalancesQuery))]
async fn get_money_summary(
    _: Staff<may::AnyRole>,
    State(app): State<App>,
    wish: BalancesRequest,
) -> Result<Json<MoneySummary>> {
    let report = day(&app, &wish);
    app.db
        .query(move |connection| in_one_view(connection, |connection| summary(connection, &report)))
        .await
        .map(Json)
}

/// One transaction, so that all figures are of one moment.
pub fn in_one_view<T>(connection: &Connection, read: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    let transaction = connection.unchecked_transaction()?;
    read(&transaction)
}

/// The figures at the end of a day.
///
/// # Errors
/// Database errors.
pub fn summary(connection: &Connection, report: &ReportDay) -> Result<MoneySummary> {
    let total = report::total(connection, report)?;
    Ok(MoneySummary {
        due: total.due,
        admission_fees_due: total.admission_due,
        total_due: total.total_due,
        covered: total.covered,
        overdue: total.overdue,
        credits: total.credit,
        unapplied: total.unapplied,
        unpriced_count: charges(connection)?.count,
        received_this_month: report::received_in_month(connection, report.day.on)?,
        aging: total.aging,
    })
}

/// What each student owes, all students who ever had a charge or a payment; searched by name, number and email
#[utoipa::path(get, path = "/api/admin/money/balances", tag = "money", params(ListQuery, BalancesQuery,
        ("sort" = Option<String>, Query, description = "name, due, overdue, since or balance; with a - before it from the largest"),
        SheetQuery),
    responses((status = 200, content((Vec<BalanceRow> = "application/json"), (String = "text/csv")),
            headers(("X-Total-Count" = i64, description = "Rows that match, on every page"))),
        (status = 403, body = ErrorBody, description = "The role takes no sheets")))]
async fn list_balances(
    staff: Staff<may::Balances>,
    State(app): State<App>,
    wish: BalancesRequest,
    SheetRequest(page): SheetRequest,
) -> Result<Response> {
    if page.is_sheet() {
        staff.require(Duty::Money)?;
    }
    let report = day(&app, &wish);
    let asked = page.clone();
    let sort = page.sort::<BalanceOrder>()?;
    let listed = app
        .db
        .query(move |connection| {
            let connection = &connection.unchecked_transaction()?;
            let is_by_name = sort.is_none_or(|sort| sort.by == BalanceOrder::Name);
            if wish.filter.is_none() && is_by_name && kept::is_as_before(connection, report.before)? {
                return report::page(
                    connection,
                    &report,
                    &asked,
                    sort.map_or("asc", |sort| sort.direction()),
                );
            }
            let mut rows = report::read(connection, &report)?;
            rows.retain(|row| wish.filter.is_none_or(|filter| filter.holds(row, report.day.on)));
            order(&mut rows, sort);
            Ok(asked.cut(rows, |row| {
                let number = row.student_number.as_deref().unwrap_or_default();
                format!("{} {number} {}", row.student_name, row.email)
            }))
        })
        .await?;
    audit::respond(&app, staff.actor(), &page, listed).await
}

fn order(rows: &mut [BalanceRow], sort: Option<Sort<BalanceOrder>>) {
    let name = |row: &BalanceRow| (crate::storage::search::fold(&row.student_name), row.student_id);
    rows.sort_by_cached_key(name);
    let Some(Sort { by, is_descending }) = sort else { return };
    match by {
        BalanceOrder::Name => {}
        BalanceOrder::Due => rows.sort_by_key(|row| row.total_due),
        BalanceOrder::Overdue => rows.sort_by_key(|row| row.overdue),
        // Those that are not late come last.
        BalanceOrder::Since => rows.sort_by_key(|row| (row.overdue_since.is_none(), row.overdue_since)),
        BalanceOrder::Balance => rows.sort_by_key(|row| row.balance),
    }
    if is_descending {
        rows.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::ledger::holds::Hold;

    #[test]
    fn money_on_account_waits_until_it_is_set_aside_and_again_from_the_day_after_its_own() {
        let cents = Money::from_cents;
        let until = jiff::civil::date(2026, 12, 1);
        let hold = Hold { amount: cents(5), held_for: "The spring term".into(), until };
        let row =
            |free, hold| BalanceRow { unapplied: cents(5), free: cents(free), hold, ..BalanceRow::default() };
        for (row, on, is_listed) in [
            (row(5, None), until, true),
            (row(0, Some(hold.clone())), until, false),
            (row(1, Some(hold.clone())), until, true),
            (row(0, Some(hold)), until.tomorrow().unwrap(), true),
            (BalanceRow::default(), until, false),
        ] {
            assert_eq!(BalanceFilter::Free.holds(&row, on), is_listed, "{row:?}");
        }
    }
}
