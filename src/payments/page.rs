//! A receipt as a page for paper: it needs no scripts and no network, and says what was stored when it was issued.

use std::sync::LazyLock;

use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use jiff::tz::TimeZone;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};
use utoipa_axum::router::OpenApiRouter;

use super::receipts::{self, Receipt};
use super::rules::long;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::staff::{Staff, may};
use crate::students::CurrentStudent;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::content_policy;
use crate::web::id::Numbered;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_receipt, get_own_receipt]
}

/// The receipt with this number, as a page to print
#[utoipa::path(get, path = "/api/admin/receipts/{number}", tag = "payments",
    params(("number" = String, Path, description = "Number of the receipt")),
    responses((status = 200, body = String, content_type = "text/html")))]
async fn get_receipt(
    _: Staff<may::Balances>,
    State(app): State<App>,
    Path(number): Path<String>,
) -> Result<Response> {
    let found = app.db.read(|connection| receipts::find(connection, &number)).await?;
    Ok(respond(&found.ok_or_else(Receipt::not_found)?, &app))
}

/// A receipt of the signed-in student, as a page to print
#[utoipa::path(get, path = "/api/students/receipts/{number}", tag = "payments",
    params(("number" = String, Path, description = "Number of the receipt")),
    responses((status = 200, body = String, content_type = "text/html")))]
async fn get_own_receipt(
    student: CurrentStudent,
    State(app): State<App>,
    Path(number): Path<String>,
) -> Result<Response> {
    let found = app.db.read(|connection| receipts::find_own(connection, &number, student.id)).await?;
    Ok(respond(&found.ok_or_else(Receipt::not_found)?, &app))
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:0;color:#1b2733;background:#fff}\
    main{max-width:40rem;margin:0 auto;padding:2rem 1.25rem}header{display:flex;flex-wrap:wrap;gap:1rem 2rem;\
    justify-content:space-between;border-bottom:2px solid;padding-bottom:1rem}h1{font:600 1.75rem/1.2 Georgia,serif;\
    margin:1.5rem 0 0}p{margin:0}header p:first-child{font-weight:600}table{border-collapse:collapse;width:100%;\
    margin-top:1.5rem}th,td{border-top:1px solid #b9c3cd;padding:.4rem 0;text-align:left;font-weight:400;\
    vertical-align:top;overflow-wrap:anywhere}th{padding-right:1.5rem}td.money{text-align:right;white-space:nowrap;\
    font-variant-numeric:tabular-nums}tr.total>*{font-weight:600;border-top-width:2px}\
    .void{border:3px solid #b3261e;color:#b3261e;padding:.5rem 1rem;margin-top:1.5rem}\
    .void strong{font-size:1.5rem;letter-spacing:.2em}\
    @media screen and (prefers-color-scheme:dark){body{color:#e6ebf0;background:#14202b}th,td{border-color:#46586a}\
    .void{color:#f2b8b5;border-color:#f2b8b5}}@page{margin:2cm}@media print{main{padding:0}}";

/// The policy that allows its style sheet.
static POLICY: LazyLock<Option<HeaderValue>> =
    LazyLock::new(|| content_policy::with_style(&BASE64_STANDARD.encode(Sha256::digest(STYLE))));

fn respond(receipt: &Receipt, app: &App) -> Response {
    let page = page(receipt, &app.config.school().zone()).into_string();
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    let mut response = ([(header::CONTENT_TYPE, html)], page).into_response();
    if let Some(policy) = &*POLICY {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy.clone());
    }
    response
}

fn page(Receipt { body, void }: &Receipt, zone: &TimeZone) -> Markup {
    let money = |cents| Money::from_cents(cents).to_string();
    let (balance, left) = body.balance();
    html! {
        (DOCTYPE)
        html lang="en-CA" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                title { "Receipt " (body.number) }
                style { (PreEscaped(STYLE)) }
            }
            body { main {
                header {
                    div { @for line in &body.school { p { (line) } } }
                    p { "Issued on " (long(body.issued_on)) }
                }
                h1 { "Receipt " (body.number) }
                @if let Some((at, reason)) = void {
                    div.void {
                        p { strong { "VOID" } }
                        p { "Since " (long(at.to_zoned(zone.clone()).date())) ": " (reason) }
                    }
                }
                table {
                    tr { th scope="row" { "Student" } td { bdi { (body.student) } } }
                    @if let Some(number) = &body.student_number {
                        tr { th scope="row" { "Student number" } td { (number) } }
                    }
                    tr { th scope="row" { "Paid by" } td { bdi { (body.payer) } } }
                    tr { th scope="row" { "Received on" } td { (long(body.received_on)) } }
                    tr { th scope="row" { "Method" } td { (body.method.label()) } }
                    @if let Some(reference) = &body.reference {
                        tr { th scope="row" { "Reference" } td { bdi { (reference) } } }
                    }
                }
                table {
                    @for line in &body.lines {
                        tr { th scope="row" { bdi { (line.label) } } td.money { (money(line.amount_cents)) } }
                    }
                    @if body.on_account_cents > 0 {
                        tr { th scope="row" { "On account" } td.money { (money(body.on_account_cents)) } }
                    }
                    tr.total { th scope="row" { "Received" } td.money { (money(body.amount_cents)) } }
                    tr { th scope="row" { (balance) } td.money { (left) } }
                }
            } }
        }
    }
}
