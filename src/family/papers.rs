//! Documents about money of the students on the family page.

use axum::extract::{Path, State};
use axum::response::Response;
use rusqlite::Connection;
use utoipa_axum::router::OpenApiRouter;

use super::FamilyMember;
use super::store::FamilyContext;
use crate::base::error::{ErrorBody, Result};
use crate::money::payments::statement::{self, Statement, StatementQuery, StatementRequest};
use crate::money::payments::{invoices, page, receipts};
use crate::students::Student;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::{Id, Numbered as _};
use crate::web::print;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_family_receipt, get_family_invoice, get_family_statement]
}

/// A receipt of a student on the family page, as a page to print; with `.pdf` after the number, as a PDF
#[utoipa::path(get, path = "/api/family/receipts/{number}", tag = "family",
    params(("number" = String, Path, description = "Number of the receipt, and `.pdf` for a PDF")),
    responses((status = 200, content((String = "text/html"), (Vec<u8> = "application/pdf"))),
        (status = 404, body = ErrorBody, description = "No such receipt, or it is another student's"),
        (status = 409, body = ErrorBody, description = "A name has letters that no font has (`script_missing`)")))]
async fn get_family_receipt(
    member: FamilyMember,
    State(app): State<App>,
    Path(address): Path<String>,
) -> Result<Response> {
    let (number, _) = print::number(&address);
    let found = find(&app, &member, |connection, id| receipts::find_own(connection, number, id)).await?;
    page::respond(&app, found, &address, "/api/family/receipts").await
}

/// An invoice or credit note of a student on the family page, as a page to print; with `.pdf` after the number, as a PDF
#[utoipa::path(get, path = "/api/family/invoices/{number}", tag = "family",
    params(("number" = String, Path, description = "Number of the invoice or credit note, and `.pdf` for a PDF")),
    responses((status = 200, content((String = "text/html"), (Vec<u8> = "application/pdf"))),
        (status = 404, body = ErrorBody, description = "No such invoice, or it is another student's"),
        (status = 409, body = ErrorBody, description = "A name has letters that no font has (`script_missing`)")))]
async fn get_family_invoice(
    member: FamilyMember,
    State(app): State<App>,
    Path(address): Path<String>,
) -> Result<Response> {
    let (number, _) = print::number(&address);
    let found = find(&app, &member, |connection, id| invoices::find_own(connection, number, id)).await?;
    invoices::respond(&app, found, &address, "/api/family/invoices").await
}

/// What one of the students on the family page has.
async fn find<T>(
    app: &App,
    member: &FamilyMember,
    find_own: impl Fn(&Connection, i64) -> Result<Option<T>>,
) -> Result<Option<T>> {
    let context = FamilyContext::new(app);
    let find = |connection: &Connection| {
        for id in context.children(connection, &member.email)? {
            if let Some(found) = find_own(connection, id)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    };
    app.db.read(find).await
}

/// The statement of a student on the family page
#[utoipa::path(get, path = "/api/family/students/{id}/statement", tag = "family", params(StatementQuery),
    responses((status = 200, content((Statement = "application/json"), (Vec<u8> = "application/pdf"),
            (String = "text/html"))),
        (status = 404, body = ErrorBody, description = "No such student, or not of this family"),
        (status = 409, body = ErrorBody, description = "A name has letters that no font has (`script_missing`)")))]
async fn get_family_statement(
    member: FamilyMember,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    asked: StatementRequest,
) -> Result<Response> {
    let context = FamilyContext::new(&app);
    let children = app.db.read(|connection| context.children(connection, &member.email)).await?;
    if !children.contains(&id) {
        return Err(Student::not_found());
    }
    statement::respond(&app, id, asked, &format!("/api/family/students/{id}/statement")).await
}
