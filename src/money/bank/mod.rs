//! The bank's file: what came to the school's account, matched with students, and recorded as payments.
//!
//! Importing only keeps the lines. Whose a line is, is worked out when it is looked at; a payment is recorded from the
//! lines that the office names, and undoing an import takes back all of them. Nothing but `payments` records money.

mod camt;
mod columns;
mod entry;
mod file;
mod format;
mod known;
mod matching;
mod ofx;
mod post;
mod proof;
mod review;
mod shapes;
mod shown;
mod store;
#[cfg(test)]
mod tests;
mod values;

use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use self::columns::Columns;
use self::file::{BankFile, FileLine};
use self::matching::Matcher;
use self::shown::{BankLine, BankStatement};
use self::store::StoredLine;
pub use self::store::waiting;
use crate::audit;
use crate::base::closed_set::closed_set;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::base::text::clean_name;
use crate::money::payments::PaymentContext;
use crate::staff::context::StaffContext;
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::form;
use crate::web::id::{Id, numbered};
use crate::web::idempotency::{IdempotentFile, Once};
use crate::web::pagination::{ListQuery, Listed, PageRequest};
use crate::web::query::Query;
use crate::web::sheet::request::is_on;

/// Maximum file size.
const MAX_BYTES: usize = 1024 * 1024;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    let import = endpoints![import_bank_file].layer(DefaultBodyLimit::max(MAX_BYTES));
    let lists = endpoints![list_bank_imports, get_bank_import, forget_bank_columns].merge(import);
    lists.merge(post::routes()).merge(review::routes())
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
        /// It may be a payment that is recorded already.
        LooksRecorded = "looks_recorded",
        /// It may take a payment back.
        Returned = "returned",
        /// An earlier file of the account had it.
        Seen = "seen",
        /// It is not a payment.
        Ignored = "ignored",
        /// A payment was recorded from it.
        Posted = "posted",
        /// It is a payment that was recorded already.
        Same = "same",
        /// It took a payment back.
        Reversed = "reversed",
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
        /// It is a payment that was recorded already.
        Same = "same",
        /// It took a payment back.
        Reversed = "reversed",
    }
}

impl From<KeptState> for LineState {
    fn from(state: KeptState) -> Self {
        match state {
            KeptState::Unknown => Self::Unknown,
            KeptState::Seen => Self::Seen,
            KeptState::Ignored => Self::Ignored,
            KeptState::Posted => Self::Posted,
            KeptState::Same => Self::Same,
            KeptState::Reversed => Self::Reversed,
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
    /// The column that says in a word whether the amount came in or went out.
    #[param(value_type = Option<String>)]
    direction: String,
    /// The order of a date's numbers: `ymd`, `mdy` or `dmy`; otherwise as the dates of the file prove it.
    #[param(value_type = Option<String>)]
    date_format: String,
    /// The account of the file whose lines are read, where the file has several.
    #[param(value_type = Option<String>)]
    account_number: String,
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
        let Self { date, text, amount, credit, debit, direction, account_number, .. } = self;
        let names = [date, text, amount, credit, debit, direction, account_number];
        let [date, text, amount, credit, debit, direction, account_number] =
            names.map(|name| name.trim().to_owned());
        let columns = date_format.map(|date_format| Columns {
            date,
            text,
            amount,
            credit,
            debit,
            direction,
            date_format,
            account_number,
            ..Columns::default()
        });
        errors.finish(columns.map(|columns| (account, columns)))
    }
}

/// Import a file of the bank, in CSV, OFX, QFX or CAMT.053; no payment is recorded. A line that cannot be read is left out
#[utoipa::path(post, path = "/api/admin/bank-imports", tag = "payments", params(ImportQuery),
    request_body(content = String, content_type = "text/csv"),
    responses((status = 400, body = ErrorBody, description = "Nothing can be read, or the columns are asked for \
        (`columns_unknown`): `columns` are the headings, and in `current` `rows` the first lines, `asks` what is missing \
        (`columns`, `dateFormat` or `account`), `chosen` the columns of last time, `accounts` those of the file"),
        (status = 409, body = ErrorBody, description = "The same file was imported before (`seen_before`, with \
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
        let StaffContext { user_id, now, .. } = *context.payments;
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

form! {
    /// `POST /api/admin/bank-imports/forget-columns`' body.
    pub struct ForgetForm {
        /// What the school calls the account.
        account: String,
    }
}

/// Forget the columns of an account: the next file asks for them, unless the bank is known; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/bank-imports/forget-columns", tag = "payments", request_body = ForgetForm,
    responses((status = 204, description = "They are forgotten")))]
async fn forget_bank_columns(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Json(form): Json<ForgetForm>,
) -> Result<StatusCode> {
    let account = form.account.between(1, 40, "Name the account of at most 40 characters");
    let account = account.map_err(|message| FieldErrors::one("account", message))?;
    let actor = staff.actor();
    let now = app.clock.now();
    app.db
        .write(move |connection| {
            store::forget_columns(connection, &account, now)?;
            let detail = json!({ "account": account });
            audit::record(connection, &actor, "forget columns", "bank_import", None, detail, now)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
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
        account: &str,
        file: Vec<u8>,
        student_id: i64,
        today: Date,
    ) -> Result<()> {
        let file = file::read(file, account, Columns::default(), None, today)?;
        let imported = self.import(connection, account, &file)?;
        let is_own =
            |line: &&BankLine| line.matched.as_ref().is_some_and(|found| found.student_id == student_id);
        let lines = imported.lines.iter().filter(is_own).filter_map(|line| line.id);
        let lines: Vec<_> = lines.map(post::PostedLine::whole).collect();
        self.post(connection, imported.id.unwrap_or_default(), &lines).map(drop)
    }

    fn import(&self, connection: &Connection, account: &str, file: &BankFile) -> Result<BankStatement> {
        expect_new(connection, file)?;
        let StaffContext { user_id, now, .. } = *self.payments;
        let states = self.first_states(connection, file)?;
        let id = store::insert(connection, account, file, &states, user_id, now)?;
        let detail = json!({ "account": account, "lines": file.lines.len(), "leftOut": file.left_out.len() });
        audit::record(connection, &self.payments.actor, "import", "bank_import", id, detail, now)?;
        self.statement(connection, id)
    }

    /// The states in which the lines of a file begin.
    fn first_states(&self, connection: &Connection, file: &BankFile) -> Result<Vec<KeptState>> {
        let mut matcher = Matcher::new(connection, &self.school);
        let state = |line: &FileLine| {
            let stored = StoredLine::of(line, KeptState::Unknown);
            Ok(if store::is_seen(connection, line)? {
                KeptState::Seen
            } else if line.cents > 0 || known::taken_back(connection, &mut matcher, &stored)?.is_some() {
                KeptState::Unknown
            } else {
                KeptState::Ignored
            })
        };
        file.lines.iter().map(state).collect()
    }
}

fn expect_new(connection: &Connection, file: &BankFile) -> Result<()> {
    let Some(before) = store::same_file(connection, file.sha256)? else { return Ok(()) };
    let message = "This file was imported before. Open that import, or undo it first.".to_owned();
    Err(Error::Lacking("seen_before", message, Box::new(json!(before))))
}
