//! A student's statement of any period: what was owed at its beginning, what was charged, waived, paid and refunded in
//! it, and what was owed at its end. Entries count from the day on which they were posted at the school, so that the
//! statement of a past period never changes.

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::how_to_pay::HowToPay;
use super::receipts::{self, Owner};
use super::rules::short;
use super::{PaymentContext, emails};
use crate::audit;
use crate::base::dates::date_in_words;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::config::Config;
use crate::mail::{self, Cause};
use crate::money::ledger::aging::{Aging, AgingDay};
use crate::money::ledger::holds::{self, Hold};
use crate::money::ledger::{self, EntryKind, PastItem, Payer, PaymentMethod, uncovered};
use crate::paper::{Paper, Row};
use crate::staff::{Staff, may};
use crate::storage::statements::{Statements, from_row, params};
use crate::students::{self, CurrentStudent, Student};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::description::{Description, Parameter};
use crate::web::form::form;
use crate::web::id::{Id, Numbered};
use crate::web::idempotency::{Idempotent, Once};
use crate::web::print;
use crate::web::query;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_statement, get_own_statement, send_statement]
}

/// A student's statement.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Statement {
    /// Its first day.
    from: Date,
    /// Its last day.
    to: Date,
    /// Dollars owed before its first day; less than zero if overpaid.
    #[schema(value_type = f64)]
    opening: Money,
    /// What was posted in it, the earliest first.
    rows: Vec<StatementRow>,
    /// Dollars owed at the end of its last day: the opening balance and all amounts.
    #[schema(value_type = f64)]
    closing: Money,
    /// What of it is due and not covered by money on account, by how long it has been.
    aging: Aging,
    /// Dollars that are due and covered.
    #[schema(value_type = f64)]
    covered: Money,
    /// How to pay it.
    how_to_pay: HowToPay,
    /// Paid or waived beyond what was charged for an item, and what lies on account and covers nothing: with what is due,
    /// the closing balance.
    #[serde(skip)]
    not_due: [Money; 2],
}

/// A charge, waiver, refund or whole payment, or that one was reversed.
#[derive(Debug, Serialize, ToSchema)]
pub struct StatementRow {
    /// The day on which it was posted.
    on: Date,
    /// What it is.
    kind: EntryKind,
    /// What it is, in words.
    description: String,
    /// Due date of a charge.
    #[serde(rename = "dueOn")]
    #[schema(required)]
    due_on: Option<Date>,
    /// Dollars that it adds to what is owed; less than zero where it takes from it.
    #[schema(value_type = f64)]
    amount: Money,
    /// Dollars owed after it.
    #[schema(value_type = f64)]
    balance: Money,
}

/// What was posted.
struct Posted {
    at: Timestamp,
    kind: EntryKind,
    /// What a reversal undoes.
    undone: Option<EntryKind>,
    label: Option<String>,
    description: Option<String>,
    due_on: Option<Date>,
    method: Option<PaymentMethod>,
    receipt: Option<String>,
    cents: i64,
}

from_row!(Posted { at = "created_at", kind, undone, label, description, due_on, method, receipt = "number", cents });

/// Query parameters of a statement.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StatementQuery {
    /// First day; by default that of the first entry.
    #[serde(default)]
    #[param(value_type = Option<Date>)]
    from: String,
    /// Last day; by default today.
    #[serde(default)]
    #[param(value_type = Option<Date>)]
    to: String,
    /// `pdf`, or `html` for a page to print.
    #[serde(default)]
    #[param(value_type = Option<String>)]
    format: String,
}

form! {
    /// `POST /api/admin/students/{id}/statement`'s body.
    pub struct StatementForm {
        /// First day; by default that of the first entry.
        from: Option<Date>,
        /// Last day; by default today.
        to: Option<Date>,
    }
}

/// The days of a statement.
#[derive(Debug, Clone, Copy, Default)]
pub struct Period {
    /// The first; by default that of the first entry.
    pub from: Option<Date>,
    /// The last; by default today.
    pub to: Option<Date>,
}

/// What a statement is asked for as.
#[derive(Debug, Clone)]
pub struct StatementRequest {
    period: Period,
    form: Form,
    /// The query without the format, for other forms of the same.
    query: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Data,
    Pdf,
    Page,
}

/// Rows of the longest statement.
const MAX_ROWS: usize = 1500;

impl Period {
    fn parse(
        from: Result<Option<Date>, String>,
        to: Result<Option<Date>, String>,
    ) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let from = errors.take("from", from);
        let to = errors.take("to", to);
        if let (Some(Some(from)), Some(Some(to))) = (from, to)
            && from > to
        {
            errors.add("from", "Must not be after the last day");
        }
        let period = from.zip(to).map(|(from, to)| Self { from, to });
        errors.finish(period)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for StatementRequest {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let query: StatementQuery = query::of(&parts.uri)?;
        let form = match query.format.as_str() {
            "" | "json" => Form::Data,
            "pdf" => Form::Pdf,
            "html" => Form::Page,
            _ => return Err(Error::field("format", "Must be pdf or html, or left out")),
        };
        let period = Period::parse(query::day(&query.from), query::day(&query.to))?;
        let days = [("from", period.from), ("to", period.to)];
        let days = days.into_iter().filter_map(|(name, day)| Some(format!("{name}={}&", day?)));
        Ok(Self { period, form, query: days.collect() })
    }
}

impl Parameter for StatementRequest {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
    }
}

/// A student's statement: a row for each charge, waiver, refund and payment, with the balances before and after
#[utoipa::path(get, path = "/api/admin/students/{id}/statement", tag = "payments", params(StatementQuery),
    responses((status = 200, content((Statement = "application/json"), (Vec<u8> = "application/pdf"),
            (String = "text/html"))),
        (status = 409, body = ErrorBody, description = "A name has letters that no font has (`script_missing`)")))]
async fn get_statement(
    _: Staff<may::Balances>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    asked: StatementRequest,
) -> Result<Response> {
    respond(&app, id, asked, &format!("/api/admin/students/{id}/statement")).await
}

/// The signed-in student's statement
#[utoipa::path(get, path = "/api/students/statement", tag = "payments", params(StatementQuery),
    responses((status = 200, content((Statement = "application/json"), (Vec<u8> = "application/pdf"),
            (String = "text/html"))),
        (status = 409, body = ErrorBody, description = "A name has letters that no font has (`script_missing`)")))]
async fn get_own_statement(
    student: CurrentStudent,
    State(app): State<App>,
    asked: StatementRequest,
) -> Result<Response> {
    respond(&app, student.id, asked, "/api/students/statement").await
}

/// The addresses that a statement was emailed to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SentStatement {
    /// The addresses.
    sent_to: Vec<String>,
}

/// Email a student's statement to the student and the guardians who get the student's emails
#[utoipa::path(post, path = "/api/admin/students/{id}/statement", tag = "payments", request_body = StatementForm)]
async fn send_statement(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    Idempotent { key, body }: Idempotent<StatementForm>,
) -> Result<Once<SentStatement, 200>> {
    let period = Period::parse(body.from.optional_date(), body.to.optional_date())?;
    let context = PaymentContext::new(&app, &staff);
    app.write_and_notify(move |connection| {
        key.once(connection, context.user_id, context.now, || context.send_statement(connection, id, period))
    })
    .await
}

impl PaymentContext {
    fn send_statement(&self, connection: &Connection, id: i64, period: Period) -> Result<SentStatement> {
        let today = self.now.to_zoned(self.config.school().zone()).date();
        students::store::find(connection, id)?.ok_or_else(Student::not_found)?;
        let statement = read(connection, id, period, today, &self.config)?;
        let owner = Owner::find(connection, Payer::Student(id), today)?;
        let paper = paper(&statement, &owner, today, &self.config);
        for to in &owner.addresses {
            let email = emails::statement(to, &paper, &self.config)?;
            mail::outbox::enqueue(connection, &email, Cause::Office, &self.config, self.now)?;
        }
        let detail = json!({ "studentId": id, "from": statement.from, "to": statement.to });
        audit::record(connection, &self.actor, "send_statement", "student", id, detail, self.now)?;
        Ok(SentStatement { sent_to: owner.addresses })
    }
}

/// Answers with a student's statement; `address` is where it is asked for.
///
/// # Errors
/// 404 when there is no such student; 409 when a PDF cannot show it.
pub async fn respond(app: &App, student_id: i64, asked: StatementRequest, address: &str) -> Result<Response> {
    let config = app.config.clone();
    let today = app.today();
    let period = asked.period;
    let (statement, owner) = app
        .db
        .query(move |connection| {
            let connection = &connection.unchecked_transaction()?;
            students::store::find(connection, student_id)?.ok_or_else(Student::not_found)?;
            let statement = read(connection, student_id, period, today, &config)?;
            Ok((statement, Owner::find(connection, Payer::Student(student_id), today)?))
        })
        .await?;
    if asked.form == Form::Data {
        return Ok(Json(statement).into_response());
    }
    let paper = paper(&statement, &owner, today, &app.config);
    match asked.form {
        Form::Pdf => print::pdf(app, paper, &format!("{address}?{}format=html", asked.query)).await,
        _ => print::page(&paper, &format!("?{}format=pdf", asked.query)),
    }
}

/// What was ever posted for a student, the earliest first: the ledger without the parts of payments, which stand here
/// as a whole where their first part was entered, and what was refunded from the account.
fn posted(connection: &Connection, student_id: i64) -> Result<Vec<Posted>> {
    const ENTRY: &str =
        "l.created_at, l.kind, undone.kind as undone, l.description, l.due_on, null as method, null as number,
        iif(x.kind in ('charge', 'refund'), x.cents, -x.cents) as cents, l.id as entry, 0 as part, l.id as id";
    const REST: &str =
        "cross join entries x on x.id = l.id left join ledger undone on undone.id = l.reverses_id";
    const IS_WHOLE: &str = "coalesce(l.payment_id, undone.payment_id) is null";
    let sql = format!(
        "select c.code || ' · ' || c.name as label, {ENTRY}
         from enrollments e cross join courses c on c.id = e.course_id
             cross join ledger l on l.enrollment_id = e.id {REST} where e.student_id = :student_id and {IS_WHOLE}
         union all
         select 'Admission fee', {ENTRY}
         from admission_requests q cross join admissions a on a.request_id = q.id
             cross join ledger l on l.admission_id = a.id {REST} where q.student_id = :student_id and {IS_WHOLE}
         union all
         select null, p.created_at, iif(p.reverses_id is null, 'payment', 'reversal'),
             iif(p.reverses_id is null, null, 'payment'), p.note, null, p.method, t.number,
             iif(p.reverses_id is null, -p.amount_cents, p.amount_cents),
             iif(p.reverses_id is null, (select min(l.id) from ledger l where l.payment_id = p.id),
                 (select min(r.id) from ledger l cross join ledger r on r.reverses_id = l.id
                  where l.payment_id = m.id and r.created_at = p.created_at)), 1, p.id
         from student_payments m cross join payments p on p.id = m.id or p.reverses_id = m.id
             left join receipts t on t.payment_id = m.id where m.student_id = :student_id
         union all
         select null, o.created_at, iif(o.reverses_id is null, 'refund', 'reversal'),
             iif(o.reverses_id is null, null, 'refund'), o.reason, null, o.method, null,
             iif(o.reverses_id is null, o.amount_cents, -o.amount_cents), null, 2, o.id
         from student_payments m cross join payouts o on o.payment_id = m.id where m.student_id = :student_id
         order by created_at, entry nulls last, part, id"
    );
    connection.list(&sql, params![student_id])
}

impl Posted {
    /// What it is, in words: "Waiver for ENG4U · English: bursary".
    fn words(&self) -> String {
        let noun = |kind| match kind {
            EntryKind::Charge => "Charge",
            EntryKind::Payment => "Payment",
            EntryKind::Waiver => "Waiver",
            EntryKind::Refund => "Refund",
            EntryKind::Reversal => "Correction",
        };
        let mut words = match (self.kind, self.undone) {
            (EntryKind::Charge, _) => self.label.clone().unwrap_or_default(),
            (EntryKind::Reversal, Some(undone)) => format!("{} reversed", noun(undone)),
            (kind, _) => noun(kind).to_owned(),
        };
        match (&self.label, self.kind) {
            (_, EntryKind::Charge) => {}
            (Some(label), _) => words.push_str(&format!(" for {label}")),
            (None, EntryKind::Refund) => words.push_str(" from the account"),
            _ => {}
        }
        if let Some(method) = self.method.filter(|_| self.kind != EntryKind::Reversal) {
            words.push_str(method.adverb());
        }
        if let Some(number) = &self.receipt {
            words.push_str(&format!(", receipt {number}"));
        }
        let repeats =
            |description: &str| self.label.as_ref().is_some_and(|label| label.ends_with(description));
        match self.description.as_deref().filter(|description| !repeats(description)) {
            Some(description) => format!("{words}: {description}"),
            None => words,
        }
    }
}

/// A student's statement.
///
/// # Errors
/// 400 when it is too long.
pub fn read(
    connection: &Connection,
    student_id: i64,
    period: Period,
    today: Date,
    config: &Config,
) -> Result<Statement> {
    let zone = config.school().zone();
    let posted = posted(connection, student_id)?;
    let day = |posted: &Posted| posted.at.to_zoned(zone.clone()).date();
    let to = period.to.unwrap_or_else(|| today.max(period.from.unwrap_or(today)));
    let from = period.from.or_else(|| posted.first().map(day)).unwrap_or(to).min(to);
    let mut balance = 0;
    let mut opening = 0;
    let mut rows = Vec::new();
    for one in &posted {
        let on = day(one);
        if on > to {
            break;
        }
        balance += one.cents;
        if on < from {
            opening = balance;
            continue;
        }
        let amount = Money::from_cents(one.cents);
        let balance = Money::from_cents(balance);
        let due_on = one.due_on.filter(|_| one.kind == EntryKind::Charge);
        rows.push(StatementRow { on, kind: one.kind, description: one.words(), due_on, amount, balance });
    }
    if rows.len() > MAX_ROWS {
        let message = format!("There are {} entries: choose a period with at most {MAX_ROWS}", rows.len());
        return Err(Error::field("from", message));
    }
    let day = AgingDay { on: to.min(today), zone };
    let items = ledger::of_student_before(connection, student_id, day.end())?;
    let owed: i64 = items.iter().map(|item| item.sums.balance).sum();
    let credit: i64 = items.iter().map(|item| (-item.sums.balance).max(0)).sum();
    let hold = holds::before(connection, student_id, day.end())?;
    let free = Hold::free_of(hold.as_ref(), owed - balance);
    let left = uncovered(items.iter().flat_map(PastItem::open).collect(), free);
    let mut aging = Aging::default();
    for rest in &left {
        aging.add(rest, &day);
    }
    let to_pay = left.iter().map(|rest| rest.cents).sum::<i64>();
    let covered = owed + credit - to_pay;
    Ok(Statement {
        from,
        to,
        opening: Money::from_cents(opening),
        rows,
        closing: Money::from_cents(balance),
        aging,
        covered: Money::from_cents(covered),
        how_to_pay: HowToPay::new(connection, student_id, to_pay, config)?,
        not_due: [credit, owed - balance - covered].map(Money::from_cents),
    })
}

/// What a statement says.
fn paper(statement: &Statement, owner: &Owner, today: Date, config: &Config) -> Paper {
    let Statement {
        from, to, opening, rows, closing, aging, how_to_pay, not_due: [credit, on_account], ..
    } = statement;
    let row = |row: &StatementRow| Row {
        cells: vec![short(row.on), row.description.clone(), row.amount.to_string(), row.balance.to_string()],
        detail: row.due_on.map(|day| format!("due {}", short(day))).unwrap_or_default(),
    };
    let first = Row {
        cells: vec![short(*from), "Balance brought forward".into(), String::new(), opening.to_string()],
        ..Row::default()
    };
    let mut paper = Paper {
        kind: "Statement".into(),
        number: format!("{} – {}", short(*from), short(*to)),
        issued: format!("Printed on {}", date_in_words(today)),
        letterhead: receipts::letterhead(&config.school()),
        headline: Some(match closing.cents() {
            0 => "Everything is paid".into(),
            cents if cents < 0 => format!("{} in your favour", Money::from_cents(-cents)),
            _ => format!("{closing} owing"),
        }),
        columns: ["Date", "What", "Amount", "Balance"].map(str::to_owned).to_vec(),
        rows: std::iter::once(first).chain(rows.iter().map(row)).collect(),
        ..Paper::default()
    };
    paper.fact("Student", &owner.name);
    if let Some(number) = &owner.number {
        paper.fact("Student number", number);
    }
    paper.sum(&format!("Balance on {}", short((*to).min(today))), closing, true);
    let parts = [
        ("Not due yet", aging.not_yet_due),
        ("1 to 30 days late", aging.days_1_to_30),
        ("31 to 60 days late", aging.days_31_to_60),
        ("61 days late and more", aging.days_61_plus),
        ("Credit", -*credit),
        ("On account", -*on_account),
    ];
    for (label, amount) in parts.into_iter().filter(|(_, amount)| amount.cents() != 0) {
        paper.sum(label, amount, false);
    }
    if how_to_pay.amount.cents() > 0 {
        let text = format!("{}\nCode for the message of a transfer: {}", how_to_pay.text, how_to_pay.code);
        paper.notes.push(("How to pay".into(), text));
    }
    paper
}
