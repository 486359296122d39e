//! A file of the bank as it is shown: whose each line may be, and what it looks like.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::columns::Columns;
use super::file::{BankFile, LeftOut};
use super::matching::{BankMatch, Found, MatchReason, Matcher, SuggestedPart};
use super::store::{self, KnownPayment, LinePayment, Received, StoredLine};
use super::{BankContext, BankImport, KeptState, LineState, expect_new, known, values};
use crate::base::error::Result;
use crate::base::money::Money;
use crate::money::ledger::PaymentMethod;
use crate::web::id::Numbered as _;

/// A file of the bank, line by line.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BankStatement {
    /// Number of the import; null for a dry run.
    #[schema(required)]
    pub id: Option<i64>,
    /// What the school calls the account.
    account: String,
    /// When it was imported; null for a dry run.
    #[schema(required)]
    imported_at: Option<Timestamp>,
    /// When it was undone.
    #[schema(required)]
    undone_at: Option<Timestamp>,
    /// Its lines, as the file has them.
    pub lines: Vec<BankLine>,
    /// Lines of the file that are left out, each with the reason.
    left_out: Vec<LeftOut>,
    /// The columns that it was read by, which are remembered for the account.
    columns: Columns,
}

/// A line of the bank.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BankLine {
    /// Its number; null for a dry run.
    #[schema(required)]
    pub id: Option<i64>,
    /// Its line in the file, from 1.
    line: i64,
    /// Its date.
    pub date: Date,
    /// Dollars; less than 0 where money went out.
    #[schema(value_type = f64)]
    pub amount: Money,
    /// Its text.
    pub text: String,
    /// The number of its account; null where the file names none.
    #[schema(required)]
    account: Option<String>,
    /// How it came, as far as the text says.
    method: PaymentMethod,
    /// What becomes of it.
    state: LineState,
    /// The matched or suggested student.
    #[serde(rename = "match")]
    #[schema(required)]
    pub matched: Option<BankMatch>,
    /// The students that it may be divided among; empty unless it is for several.
    division: Vec<SuggestedPart>,
    /// The payment that it looks like, is the same as, or may take back or took back.
    #[schema(required)]
    known: Option<KnownPayment>,
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

impl BankContext {
    /// What importing a file would show.
    pub(super) fn preview(
        &self,
        connection: &Connection,
        account: &str,
        file: &BankFile,
    ) -> Result<BankStatement> {
        expect_new(connection, file)?;
        let states = self.first_states(connection, file)?;
        let stored: Vec<_> =
            file.lines.iter().zip(states).map(|(line, state)| StoredLine::of(line, state)).collect();
        let mut shown = Shown::new(connection, &self.school, 0, &stored);
        let mut lines = Vec::with_capacity(stored.len());
        for line in stored {
            lines.push(BankLine { id: None, ..shown.line(line, Vec::new())? });
        }
        Ok(BankStatement {
            id: None,
            account: account.to_owned(),
            imported_at: None,
            undone_at: None,
            lines,
            left_out: file.left_out.clone(),
            columns: file.columns.clone(),
        })
    }

    /// The lines of an import that have the amount of one of these, as they are shown: what one of them looks like depends on
    /// the others.
    pub(super) fn shown_with(
        &self,
        connection: &Connection,
        import_id: i64,
        ids: &[i64],
    ) -> Result<ShownLines> {
        let stored = store::lines(connection, import_id)?;
        let is_named = |line: &&StoredLine| ids.contains(&line.id);
        let amounts: BTreeSet<i64> = stored.iter().filter(is_named).map(|line| line.cents).collect();
        let mut shown = Shown::new(connection, &self.school, import_id, &stored);
        let lines = stored.into_iter().filter(|line| amounts.contains(&line.cents));
        let lines = lines.map(|line| shown.line(line, Vec::new())).collect::<Result<_>>()?;
        Ok(ShownLines { lines, hashes: shown.hashes })
    }

    /// An import, line by line.
    pub(super) fn statement(&self, connection: &Connection, id: i64) -> Result<BankStatement> {
        let import = store::find(connection, id)?.ok_or_else(BankImport::not_found)?;
        let mut payments = store::payments(connection, id)?;
        let stored = store::lines(connection, id)?;
        let mut shown = Shown::new(connection, &self.school, id, &stored);
        let mut lines = Vec::new();
        for line in stored {
            let own = payments.extract_if(.., |payment| payment.line_id == line.id).collect();
            lines.push(shown.line(line, own)?);
        }
        let BankImport { account, imported_at, undone_at, .. } = import;
        let left_out = store::left_out(connection, id)?;
        let columns = store::columns_of(connection, id)?;
        Ok(BankStatement {
            id: Some(id),
            account,
            imported_at: Some(imported_at),
            undone_at,
            lines,
            left_out,
            columns,
        })
    }
}

/// Some lines of an import, as they are shown.
pub struct ShownLines {
    lines: Vec<BankLine>,
    /// What all lines of the import are known by.
    pub hashes: BTreeSet<[u8; 32]>,
}

impl ShownLines {
    /// The payment of a line that is shown in this state.
    pub fn known(&self, id: i64, state: LineState) -> Option<i64> {
        let line = self.lines.iter().find(|line| line.id == Some(id) && line.state == state)?;
        line.known.as_ref().map(|known| known.payment_id)
    }

    /// A line of money that came in, from which no payment was recorded.
    pub fn undecided(&self, id: i64) -> Option<&BankLine> {
        let is_decided = |state| matches!(state, LineState::Seen | LineState::Posted | LineState::Same);
        let line = self.lines.iter().find(|line| line.id == Some(id))?;
        (line.amount.cents() > 0 && !is_decided(line.state)).then_some(line)
    }

    /// Whether another line looks like a payment.
    pub fn is_of_another(&self, payment_id: i64, line: &BankLine) -> bool {
        let others = self.lines.iter().filter(|other| other.id != line.id);
        others.filter_map(|other| other.known.as_ref()).any(|known| known.payment_id == payment_id)
    }
}

/// What is needed to show the lines of a file.
struct Shown<'a> {
    connection: &'a Connection,
    matcher: Matcher<'a>,
    import_id: i64,
    /// What the lines of the file are known by.
    hashes: BTreeSet<[u8; 32]>,
    /// Payments that another line of the file looks like.
    taken: BTreeSet<i64>,
}

impl<'a> Shown<'a> {
    fn new(connection: &'a Connection, school: &'a str, import_id: i64, lines: &[StoredLine]) -> Self {
        Self {
            connection,
            matcher: Matcher::new(connection, school),
            import_id,
            hashes: lines.iter().map(|line| line.hash).collect(),
            taken: BTreeSet::new(),
        }
    }

    fn line(&mut self, line: StoredLine, payments: Vec<LinePayment>) -> Result<BankLine> {
        let mut found = Found::default();
        let mut known = None;
        let mut state = LineState::from(line.state);
        if line.state == KeptState::Unknown && line.cents > 0 {
            found = self.matcher.find(&line.text, line.cents)?;
            let received = Received { on: line.date, cents: line.cents, import_id: self.import_id };
            known = known::like(self.connection, &received, &found, &self.hashes)?
                .into_iter()
                .find(|payment| self.taken.insert(payment.payment_id));
            state = match (&known, &found) {
                (Some(_), _) => LineState::LooksRecorded,
                (None, Found { matched: Some(BankMatch { why: MatchReason::Code, .. }), .. }) => {
                    LineState::Matched
                }
                (None, Found { matched: None, division }) if division.is_empty() => LineState::Unknown,
                _ => LineState::Suggested,
            };
        } else if matches!(line.state, KeptState::Unknown | KeptState::Ignored) {
            known = known::taken_back(self.connection, &mut self.matcher, &line)?;
            let is_open = line.state == KeptState::Unknown && known.is_some();
            state = if is_open { LineState::Returned } else { LineState::Ignored };
        } else if let Some(payment_id) = line.payment_id {
            known = store::payment(self.connection, payment_id)?;
        }
        let payments = payments.into_iter().map(BankPayment::from);
        Ok(BankLine {
            id: Some(line.id),
            line: line.line,
            date: line.date,
            amount: Money::from_cents(line.cents),
            method: values::method(&line.text),
            text: line.text,
            account: line.account,
            state,
            matched: found.matched,
            division: found.division,
            known,
            payments: payments.collect(),
        })
    }
}
