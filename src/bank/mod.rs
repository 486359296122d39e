//! The bank's file: what came to the school's account, matched with students, and recorded as payments.
//!
//! Importing only keeps the lines. Whose a line is, is worked out when it is looked at; a payment is recorded from the
//! lines that the office names, and undoing an import takes back all of them. Nothing but `payments` records money.

mod columns;
mod file;
mod matching;
mod post;
mod reopen;
mod store;
#[cfg(test)]
mod tests;
mod values;

use axum::extract::{DefaultBodyLimit, State};
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use self::columns::Columns;
use self::file::BankFile;
use self::matching::{BankMatch, MatchReason, Matcher};
pub use self::store::waiting;
use self::store::{LinePayment, StoredLine};
use crate::audit;
use crate::base::closed_set::closed_set;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::base::text::clean_name;
use crate::payments::PaymentContext;
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::{Id, Numbered, numbered};
use crate::web::idempotency::{IdempotentFile, Once};
use crate::web::pagination::{ListQuery, Listed, PageRequest};
use crate::web::query::Query;
use crate::web::sheet::request::is_on;

/// Maximum file size.
const MAX_BYTES: usize = 1024 * 1024;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    let import = endpoints![import_bank_file].layer(DefaultBodyLimit::max(MAX_BYTES));
    endpoints![list_bank_imports, get_bank_import].merge(import).merge(post::routes()).merge(reopen::routes())
}

closed_set! {
    /// What becomes of a line of the bank.
    pub enum LineState {
        /// A student's code is in it.
        Matched = "matched",
        /// It is probably a student's.
        Suggested = "suggested",
        /// Nothing says whose it is.
        Unknown = "unknown",
        /// An earlier file of the account had it.
        Seen = "seen",
        /// It is not a payment.
        Ignored = "ignored",
        /// A payment was recorded from it.
        Posted = "posted",
    }
}

closed_set! {
    /// What is kept of it; whose an unknown line is, is worked out at each look, because what is due changes.
    pub enum KeptState {
        /// Nothing was decided about it.
        Unknown = "unknown",
        /// An earlier file of the account had it.
        Seen = "seen",
        /// It is not a payment.
        Ignored = "ignored",
        /// A payment was recorded from it.
        Posted = "posted",
    }
}

impl From<KeptState> for LineState {
    fn from(state: KeptState) -> Self {
        match state {
            KeptState::Unknown => Self::Unknown,
            KeptState::Seen => Self::Seen,
            KeptState::Ignored => Self::Ignored,
            KeptState::Posted => Self::Posted,
        }
    }
}

/// An imported file of the bank.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BankImport {
    /// Its number.
    pub id: i64,
    /// What the school calls the account.
    pub account: String,
    /// When it was imported.
    pub imported_at: Timestamp,
    /// Username of the staff member who imported it.
    #[schema(required)]
    pub by: Option<String>,
    /// When it was undone.
    #[schema(required)]
    pub undone_at: Option<Timestamp>,
    /// Number of its lines.
    pub line_count: i64,
    /// Number of lines that wait for a decision.
    pub waiting_count: i64,
    /// Number of payments that were recorded from it and not reversed.
    pub posted_count: i64,
    /// Dollars of them.
    #[schema(value_type = f64)]
    pub posted_total: Money,
}

numbered!(BankImport, "Import");

/// A file of the bank, line by line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BankStatement {
    /// Number of the import; null for a dry run.
    #[schema(required)]
    id: Option<i64>,
    /// What the school calls the account.
    account: String,
    /// When it was imported; null for a dry run.
    #[schema(required)]
    imported_at: Option<Timestamp>,
    /// When it was undone.
    #[schema(required)]
    undone_at: Option<Timestamp>,
    /// Its lines, as the file has them.
    lines: Vec<BankLine>,
}

/// A line of the bank.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BankLine {
    /// Its number; null for a dry run.
    #[schema(required)]
    id: Option<i64>,
    /// Its line in the file, from 1.
    line: i64,
    /// Its date.
    date: Date,
    /// Dollars; less than 0 where money went out.
    #[schema(value_type = f64)]
    amount: Money,
    /// Its text.
    text: String,
    /// What becomes of it.
    state: LineState,
    /// The matched or suggested student.
    #[serde(rename = "match")]
    #[schema(required)]
    matched: Option<BankMatch>,
    /// The payments that were recorded from it.
    payments: Vec<BankPayment>,
}

/// A payment that was recorded from a line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BankPayment {
    /// Its number.
    id: i64,
    /// The student.
    student_id: i64,
    /// The student's name.
    student_name: String,
    /// Dollars.
    #[schema(value_type = f64)]
    amount: Money,
    /// Number of its receipt.
    receipt_number: String,
    /// When it was reversed.
    #[schema(required)]
    voided_at: Option<Timestamp>,
}

impl From<LinePayment> for BankPayment {
    fn from(payment: LinePayment) -> Self {
        let LinePayment { id, student_id, student_name, amount, receipt_number, voided_at, .. } = payment;
        Self { id, student_id, student_name, amount, receipt_number, voided_at }
    }
}

/// Query parameters of an import.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default, rename_all = "camelCase")]
struct ImportQuery {
    /// `1` for a dry run.
    #[param(value_type = Option<String>)]
    dry_run: String,
    /// What the school calls the account, at most 40 characters; its columns are remembered.
    #[param(value_type = Option<String>)]
    account: String,
    /// The column of the date: a heading, or a number from 1. Without columns, those of the account's last file or of a
    /// known bank.
    #[param(value_type = Option<String>)]
    date: String,
    /// The columns of the text, separated by commas.
    #[param(value_type = Option<String>)]
    text: String,
    /// The column of the amount, less than 0 where money went out.
    #[param(value_type = Option<String>)]
    amount: String,
    /// Or the column of money that came in,
    #[param(value_type = Option<String>)]
    credit: String,
    /// and that of money that went out.
    #[param(value_type = Option<String>)]
    debit: String,
    /// The order of a date's numbers: `ymd`, `mdy` or `dmy`; with slashes the month is first unless it says otherwise.
    #[param(value_type = Option<String>)]
    date_format: String,
}

impl ImportQuery {
    /// The account and the columns.
    fn parse(self) -> Result<(String, Columns), FieldErrors> {
        let mut errors = FieldErrors::default();
        let account = clean_name(&self.account);
        if account.chars().count() > 40 {
            errors.add("account", "Must be at most 40 characters");
        }
        let account = if account.is_empty() { "Bank account".to_owned() } else { account };
        let date_format = errors.take("dateFormat", columns::date_format(self.date_format.trim()));
        let Self { date, text, amount, credit, debit, .. } = self;
        let [date, text, amount, credit, debit] =
            [date, text, amount, credit, debit].map(|name| name.trim().to_owned());
        let columns = date_format.map(|date_format| Columns {
            date,
            text,
            amount,
            credit,
            debit,
            direction: String::new(),
            date_format,
        });
        errors.finish(columns.map(|columns| (account, columns)))
    }
}

/// Import a file of the bank; no payment is recorded. With a single line that cannot be read, nothing is kept
#[utoipa::path(post, path = "/api/admin/bank-imports", tag = "payments", params(ImportQuery),
    request_body(content = String, content_type = "text/csv"),
    responses((status = 409, body = ErrorBody, description = "The same file was imported before (`seen_before`, with \
        that import in `current`), or the key was used for another request (`idempotency_key_reused`)")))]
async fn import_bank_file(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Query(query): Query<ImportQuery>,
    IdempotentFile { key, file }: IdempotentFile,
) -> Result<Once<BankStatement>> {
    let is_dry_run = is_on(&query.dry_run);
    let (account, columns) = query.parse()?;
    let context = BankContext::new(&app, &staff);
    let today = app.today();
    // On a reader, so that other writes continue meanwhile.
    let read = app.db.query(move |connection| {
        let before = if columns.is_empty() { store::columns(connection, &account)? } else { None };
        let file = file::read(file, &account, columns, before, today)?;
        let dry = is_dry_run.then(|| context.preview(connection, &account, &file)).transpose()?;
        Ok((context, account, file, dry))
    });
    let (context, account, file, dry) = read.await?;
    if let Some(dry) = dry {
        return Ok(Once::Shown(dry));
    }
    let write = app.db.write(move |connection| {
        let PaymentContext { user_id, now, .. } = context.payments;
        key.once(connection, user_id, now, || context.import(connection, &account, &file))
    });
    write.await
}

/// Imported files of the bank, the newest first
#[utoipa::path(get, path = "/api/admin/bank-imports", tag = "payments", params(ListQuery))]
async fn list_bank_imports(
    _: Staff<may::Money>,
    State(app): State<App>,
    page: PageRequest,
) -> Result<Listed<BankImport>> {
    page.ask(&app.db, |page, connection| store::list(connection, page)).await
}

/// An imported file of the bank, line by line
#[utoipa::path(get, path = "/api/admin/bank-imports/{id}", tag = "payments")]
async fn get_bank_import(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<BankImport>,
) -> Result<Json<BankStatement>> {
    let context = BankContext::new(&app, &staff);
    app.db.query(move |connection| context.statement(connection, id)).await.map(Json)
}

/// Who imports and posts, and for which school.
pub struct BankContext {
    payments: PaymentContext,
    school: String,
}

impl BankContext {
    fn new(app: &App, staff: &crate::staff::CurrentStaff) -> Self {
        Self::of(PaymentContext::new(app, staff))
    }

    /// The same, of the context in which payments are recorded.
    pub fn of(payments: PaymentContext) -> Self {
        let school = payments.config.school().name.clone();
        Self { payments, school }
    }

    /// Imports a file and records the lines of one student, for the history of the demo school.
    ///
    /// # Errors
    /// As the calls.
    pub fn import_and_post(
        &self,
        connection: &Connection,
        (account, file): (&str, &str),
        student_id: i64,
        today: Date,
    ) -> Result<()> {
        let file = file::read(file.as_bytes().to_vec(), account, Columns::default(), None, today)?;
        let imported = self.import(connection, account, &file)?;
        let is_own =
            |line: &&BankLine| line.matched.as_ref().is_some_and(|found| found.student_id == student_id);
        let lines = imported.lines.iter().filter(is_own).filter_map(|line| line.id);
        let lines: Vec<_> = lines.map(post::PostedLine::whole).collect();
        self.post(connection, imported.id.unwrap_or_default(), &lines).map(drop)
    }

    fn import(&self, connection: &Connection, account: &str, file: &BankFile) -> Result<BankStatement> {
        expect_new(connection, file)?;
        let PaymentContext { user_id, now, .. } = self.payments;
        let id = store::insert(connection, (account, file), user_id, now)?;
        let detail = json!({ "account": account, "lines": file.lines.len() });
        audit::record(connection, &self.payments.actor, "import", "bank_import", id, detail, now)?;
        self.statement(connection, id)
    }

    /// What importing a file would show.
    fn preview(&self, connection: &Connection, account: &str, file: &BankFile) -> Result<BankStatement> {
        expect_new(connection, file)?;
        let mut matcher = Matcher::new(connection, &self.school);
        let mut lines = Vec::with_capacity(file.lines.len());
        for line in &file.lines {
            let state = store::first_state(connection, line)?;
            let number = i64::try_from(line.line).unwrap_or(i64::MAX);
            let stored = StoredLine {
                id: 0,
                line: number,
                date: line.date,
                cents: line.cents,
                text: line.text.clone(),
                state,
            };
            lines.push(BankLine { id: None, ..show(&mut matcher, stored, Vec::new())? });
        }
        Ok(BankStatement { id: None, account: account.to_owned(), imported_at: None, undone_at: None, lines })
    }

    /// An import, line by line.
    fn statement(&self, connection: &Connection, id: i64) -> Result<BankStatement> {
        let import = store::find(connection, id)?.ok_or_else(BankImport::not_found)?;
        let mut payments = store::payments(connection, id)?;
        let mut matcher = Matcher::new(connection, &self.school);
        let mut lines = Vec::new();
        for line in store::lines(connection, id)? {
            let own = payments.extract_if(.., |payment| payment.line_id == line.id).collect();
            lines.push(show(&mut matcher, line, own)?);
        }
        let BankImport { account, imported_at, undone_at, .. } = import;
        Ok(BankStatement { id: Some(id), account, imported_at: Some(imported_at), undone_at, lines })
    }
}

fn expect_new(connection: &Connection, file: &BankFile) -> Result<()> {
    let Some(before) = store::same_file(connection, file.sha256)? else { return Ok(()) };
    let message = "This file was imported before. Open that import, or undo it first.".to_owned();
    Err(Error::Lacking("seen_before", message, Box::new(json!(before))))
}

fn show(matcher: &mut Matcher<'_>, line: StoredLine, payments: Vec<LinePayment>) -> Result<BankLine> {
    let matched = match line.state {
        KeptState::Unknown => matcher.find(&line.text, line.cents)?,
        _ => None,
    };
    let state = match (&matched, line.state) {
        (Some(BankMatch { why: MatchReason::Code, .. }), _) => LineState::Matched,
        (Some(_), _) => LineState::Suggested,
        (None, state) => state.into(),
    };
    let payments = payments.into_iter().map(BankPayment::from);
    Ok(BankLine {
        id: Some(line.id),
        line: line.line,
        date: line.date,
        amount: Money::from_cents(line.cents),
        text: line.text,
        state,
        matched,
        payments: payments.collect(),
    })
}
