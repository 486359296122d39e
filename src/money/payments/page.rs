//! A receipt as a page to print and as a PDF: it says what was stored when it was issued.

use axum::extract::{Path, State};
use axum::response::Response;
use jiff::tz::TimeZone;
use utoipa_axum::router::OpenApiRouter;

use super::receipts::{self, Receipt};
use crate::base::dates::date_in_words;
use crate::base::error::{ErrorBody, Result};
use crate::base::money::Money;
use crate::paper::{Mark, Paper, Row};
use crate::staff::{Staff, may};
use crate::students::CurrentStudent;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::Numbered;
use crate::web::print;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_receipt, get_own_receipt]
}

/// The receipt with this number, as a page to print; with `.pdf` after the number, as a PDF
#[utoipa::path(get, path = "/api/admin/receipts/{number}", tag = "payments",
    params(("number" = String, Path, description = "Number of the receipt, and `.pdf` for a PDF")),
    responses((status = 200, content((String = "text/html"), (Vec<u8> = "application/pdf"))),
        (status = 409, body = ErrorBody, description = "A name has letters that no font has (`script_missing`)")))]
async fn get_receipt(
    _: Staff<may::Balances>,
    State(app): State<App>,
    Path(address): Path<String>,
) -> Result<Response> {
    let (number, _) = print::number(&address);
    let found = app.db.read(|connection| receipts::find(connection, number)).await?;
    respond(&app, found, &address, "/api/admin/receipts").await
}

/// A receipt of the signed-in student, as a page to print; with `.pdf` after the number, as a PDF
#[utoipa::path(get, path = "/api/students/receipts/{number}", tag = "payments",
    params(("number" = String, Path, description = "Number of the receipt, and `.pdf` for a PDF")),
    responses((status = 200, content((String = "text/html"), (Vec<u8> = "application/pdf"))),
        (status = 409, body = ErrorBody, description = "A name has letters that no font has (`script_missing`)")))]
async fn get_own_receipt(
    student: CurrentStudent,
    State(app): State<App>,
    Path(address): Path<String>,
) -> Result<Response> {
    let (number, _) = print::number(&address);
    let found = app.db.read(|connection| receipts::find_own(connection, number, student.id)).await?;
    respond(&app, found, &address, "/api/students/receipts").await
}

/// Answers with a receipt, as its address asks; `folder` is the address without the number.
///
/// # Errors
/// 404 when there is none; 409 when a PDF cannot show it.
pub async fn respond(app: &App, found: Option<Receipt>, address: &str, folder: &str) -> Result<Response> {
    let receipt = found.ok_or_else(Receipt::not_found)?;
    let paper = paper(&receipt, &app.config.school().zone());
    match print::number(address) {
        (number, true) => print::pdf(app, paper, &format!("{folder}/{number}")).await,
        (number, false) => print::page(&paper, &format!("{number}.pdf")),
    }
}

/// What a receipt says.
pub fn paper(Receipt { body, void }: &Receipt, zone: &TimeZone) -> Paper {
    let money = |cents| Money::from_cents(cents).to_string();
    let received_on = date_in_words(body.received_on);
    let mark = void.as_ref().map(|(at, reason)| Mark {
        word: "VOID".into(),
        reason: format!("Since {}: {reason}", date_in_words(at.to_zoned(zone.clone()).date())),
    });
    let row = |line: &receipts::ReceiptLine| Row {
        cells: vec![line.label.clone(), money(line.amount_cents)],
        ..Row::default()
    };
    let mut paper = Paper {
        kind: "Receipt".into(),
        number: body.number.clone(),
        issued: format!("Issued on {}", date_in_words(body.issued_on)),
        letterhead: body.school.clone(),
        headline: Some(format!("{} received on {received_on}", money(body.amount_cents))),
        mark,
        columns: vec!["For".into(), "Amount".into()],
        rows: body.lines.iter().map(row).collect(),
        ..Paper::default()
    };
    paper.fact("Student", &body.student);
    if let Some(number) = &body.student_number {
        paper.fact("Student number", number);
    }
    paper.fact("Paid by", &body.payer);
    paper.fact("Received on", received_on);
    paper.fact("Method", body.method.label());
    if let Some(reference) = &body.reference {
        paper.fact("Reference", reference);
    }
    if body.on_account_cents > 0 {
        paper.sum("On account", money(body.on_account_cents), false);
    }
    paper.sum("Received", money(body.amount_cents), true);
    let (label, left) = body.balance();
    paper.sum(label, left, false);
    paper
}
