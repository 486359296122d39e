//! What must agree after every history: the card, the list, the student's pages, the sheet, the aging, the statements,
//! each payment; what was posted stays as it was posted, receipts have no gap, and the report of a day that has ended
//! stays.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::base::money::Money;
use crate::config::Config;
use crate::money::ledger::{self, Fees, ItemFees, Payer, entries, kept, total_due};
use crate::money::payments::statement::{self, Period};
use crate::money::payments::{self, own};
use crate::money::reports::balances;
use crate::money::reports::report::{self, BalanceRow, ReportDay};
use crate::storage::search::fold;
use crate::storage::statements::{Statements, params};
use crate::web::sheet::SheetRow as _;

/// Tables whose rows stay, and the columns that may become known later.
const FROZEN: [(&str, &str); 5] = [
    ("ledger", ""),
    ("payments", "deposited_on"),
    ("payouts", ""),
    ("receipts", "voided_at, void_reason"),
    ("instalments", "ended_at"),
];

pub struct Agreement {
    zone: TimeZone,
    config: Arc<Config>,
    /// What a report of a past day said when the day had ended.
    past: Vec<(Date, Vec<BalanceRow>)>,
    /// Of each table the newest row, and all until then.
    rows: BTreeMap<&'static str, (i64, String)>,
}

fn sum<'a, T: 'a>(rows: impl IntoIterator<Item = &'a T>, amount: impl Fn(&T) -> Money) -> i64 {
    rows.into_iter().map(|row| amount(row).cents()).sum()
}

fn said(rows: &[BalanceRow]) -> String {
    json!(rows).to_string()
}

/// What a report comes to over all students.
fn totals(rows: &[BalanceRow]) -> [i64; 8] {
    let of = |amount: fn(&BalanceRow) -> Money| sum(rows, amount);
    [
        of(|row| row.due),
        of(|row| row.credit),
        of(|row| row.unapplied),
        of(|row| row.balance),
        of(|row| row.overdue),
        of(|row| row.aging.not_yet_due),
        of(|row| row.admission_due),
        of(|row| row.covered),
    ]
}

impl Agreement {
    pub fn new(zone: TimeZone, config: Arc<Config>) -> Self {
        Self { zone, config, past: Vec::new(), rows: BTreeMap::new() }
    }

    fn report(&self, connection: &Connection, on: Date) -> Vec<BalanceRow> {
        report::read(connection, &ReportDay::new(on, self.zone.clone())).unwrap()
    }

    /// Keeps what the report of a day says.
    pub fn end_day(&mut self, connection: &Connection, on: Date) {
        self.past.push((on, self.report(connection, on)));
    }

    /// Another student has what two had: the reports change their rows, and not what they come to; but the money of one
    /// covers now what the other owed.
    pub fn merged(&mut self, connection: &Connection) {
        let past: Vec<_> = self.past.iter().map(|(on, _)| (*on, self.report(connection, *on))).collect();
        for ((on, before), (_, after)) in self.past.iter().zip(&past) {
            let sums = |rows| {
                let [due, credit, unapplied, balance, overdue, not_yet_due, admission_due, covered] =
                    totals(rows);
                [due, credit, unapplied, balance, admission_due, overdue + not_yet_due + covered]
            };
            assert_eq!(sums(before), sums(after), "{on}");
        }
        self.past = past;
    }

    /// What is kept is what the ledger comes to.
    pub fn check_kept(&self, connection: &Connection, today: Date, told: &[String]) {
        kept::settle(connection).unwrap();
        let day = ReportDay::new(today, self.zone.clone());
        assert!(kept::is_as_before(connection, day.before).unwrap(), "{told:#?}");
        let mut computed = report::compute(connection, &day).unwrap();
        computed.sort_by_cached_key(|row| (fold(&row.student_name), row.student_id));
        assert_eq!(said(&self.report(connection, today)), said(&computed), "{told:#?}");
        assert_eq!(total_due::difference(connection).unwrap(), None, "{told:#?}");
    }

    pub fn check(&mut self, connection: &Connection, today: Date, told: &[String]) {
        let rows = self.report(connection, today);
        let card = total_due::read(connection).unwrap();
        let summary = balances::summary(connection, &ReportDay::new(today, self.zone.clone())).unwrap();
        let summary = json!(summary);
        let cents = |name: &str| (summary[name].as_f64().unwrap() * 100.0).round() as i64;
        let [due, credit, unapplied, balance, overdue, not_yet_due, admission_due, covered] = totals(&rows);
        let figures = ["due", "credits", "unapplied", "overdue", "admissionFeesDue", "covered"].map(cents);
        assert_eq!(figures, [due, credit, unapplied, overdue, admission_due, covered], "{told:#?}");
        assert_eq!([due, cents("totalDue")], [card, due + admission_due], "{told:#?}");
        assert_eq!(overdue + not_yet_due, due + admission_due - covered, "{told:#?}");
        assert_eq!(balance, due - credit - unapplied + admission_due, "{told:#?}");
        for (heading, expected) in [
            ("Courses", due),
            ("Admission", admission_due),
            ("Total due", due + admission_due),
            ("Overdue", overdue),
            ("Credit", credit),
            ("On account", unapplied),
            ("Balance", balance),
        ] {
            let place = BalanceRow::HEADINGS.iter().position(|other| *other == heading).unwrap();
            let cells = rows.iter().map(|row| signed(row.cells()[place].as_str())).sum::<i64>();
            assert_eq!(cells, expected, "{heading}: {told:#?}");
        }
        let mut received = 0;
        for row in &rows {
            received += self.check_student(connection, row, today, told);
        }
        assert_eq!(received, cents("receivedThisMonth"), "{told:#?}");
        self.check_statements(connection, &rows, today, told);
        let none = |sql: &str| assert_eq!(connection.one::<i64>(sql, []).unwrap(), 0, "{sql}: {told:#?}");
        none("select count(*) from payments_held where unapplied_cents < 0");
        none(
            "select count(*) from (
                 select number, row_number() over (partition by substr(number, 1, 4) order by id) as place from receipts)
             where substr(number, 6) + 0 <> place",
        );
        for (on, before) in &self.past {
            assert_eq!(said(&self.report(connection, *on)), said(before), "{on}: {told:#?}");
            self.check_statements(connection, before, *on, told);
        }
        self.check_rows(connection, told);
    }

    /// Returns what of a student's payments was received in this month.
    fn check_student(&self, connection: &Connection, row: &BalanceRow, today: Date, told: &[String]) -> i64 {
        let id = row.student_id;
        let payer = Payer::Student(row.student_id);
        let items = Fees::read(connection, payer).unwrap().per_item();
        let of = |is_enrolled: bool, amount: fn(&ItemFees) -> Money| {
            sum(items.iter().filter(|item| item.enrollment_id.is_some() == is_enrolled), amount)
        };
        let dues = [of(true, |item| item.due), of(false, |item| item.due)];
        assert_eq!(dues, [row.due.cents(), row.admission_due.cents()], "{told:#?}");
        assert_eq!(sum(&items, |item| item.credit), row.credit.cents(), "{told:#?}");
        for item in &items {
            assert!(item.waived <= item.charged && item.refunded <= item.paid, "{item:?}: {told:#?}");
            let parts = sum(&item.instalments, |part| part.amount);
            let fee = item.charged.cents() - item.waived.cents();
            assert!(item.instalments.is_empty() || parts == fee, "{item:?}: {told:#?}");
        }
        let balance = ledger::balance_of_student(connection, id).unwrap();
        let parts = row.due.cents() + row.admission_due.cents() - row.credit.cents() - row.unapplied.cents();
        assert_eq!((balance, balance.cents()), (row.balance, parts), "{told:#?}");
        let own = json!(own::read(connection, id, &self.config, today).unwrap());
        for (name, expected) in [
            ("balance", row.balance),
            ("due", row.total_due),
            ("covered", row.covered),
            ("overdue", row.overdue),
            ("credit", row.credit),
            ("unapplied", row.unapplied),
        ] {
            assert_eq!(own[name], json!(expected), "{name}: {told:#?}");
        }
        let newest = entries::all(connection, payer).unwrap();
        let running = newest.first().map_or(0, |entry| entry.running.cents());
        assert_eq!(running - row.unapplied.cents(), balance.cents(), "{told:#?}");
        let payments = payments::of_student(connection, id).unwrap();
        assert_eq!(sum(&payments, |payment| payment.unapplied), row.unapplied.cents(), "{told:#?}");
        let live = payments.iter().filter(|payment| payment.voided_at.is_none());
        let month = today.first_of_month()..=today.last_of_month();
        sum(live.filter(|payment| month.contains(&payment.received_on)), |payment| payment.amount)
    }

    /// A statement begins with what the one before it ended with, its rows add up, and all together end with what is owed.
    fn check_statements(&self, connection: &Connection, rows: &[BalanceRow], on: Date, told: &[String]) {
        let mut closings = 0;
        for row in rows {
            let read = |from, to| {
                let period = Period { from, to };
                json!(statement::read(connection, row.student_id, period, on, &self.config).unwrap())
            };
            let cents = |amount: &Value| (amount.as_f64().unwrap() * 100.0).round() as i64;
            let whole = read(None, Some(on));
            let day = read(Some(on), Some(on));
            for statement in [&whole, &day] {
                let amounts = statement["rows"].as_array().unwrap().iter().map(|row| cents(&row["amount"]));
                let sum = cents(&statement["opening"]) + amounts.sum::<i64>();
                assert_eq!(sum, cents(&statement["closing"]), "{statement} {told:#?}");
                assert_eq!(statement["closing"], json!(row.balance), "{on}: {told:#?}");
            }
            let before = read(None, on.yesterday().ok());
            assert_eq!(before["closing"], day["opening"], "{on}: {told:#?}");
            let aging = whole["aging"].as_object().unwrap().values().map(cents).sum::<i64>();
            assert_eq!(aging, row.total_due.cents() - row.covered.cents(), "{on}: {told:#?}");
            assert_eq!(whole["covered"], json!(row.covered), "{on}: {told:#?}");
            assert_eq!(whole["aging"], json!(row.aging), "{on}: {told:#?}");
            closings += cents(&whole["closing"]);
        }
        assert_eq!(closings, sum(rows, |row| row.balance), "{on}: {told:#?}");
    }

    /// What was there at the last look is there, and as it was.
    fn check_rows(&mut self, connection: &Connection, told: &[String]) {
        for (table, may_change) in FROZEN {
            let (newest, before) = self.rows.remove(table).unwrap_or_default();
            let columns = "select group_concat(name) from pragma_table_info(:table)
                where :may_change not like '%' || name || '%'";
            let columns: String = connection.one(columns, params![table, may_change]).unwrap();
            let all = |until: i64| -> String {
                let sql = format!(
                    "select coalesce(group_concat(row, char(10)), '') from (
                         select json_array({columns}) as row from {table} where id <= :until order by id)"
                );
                connection.one(&sql, params![until]).unwrap()
            };
            assert_eq!(all(newest), before, "{table}: {told:#?}");
            let newest = connection.one(&format!("select coalesce(max(id), 0) from {table}"), []).unwrap();
            self.rows.insert(table, (newest, all(newest)));
        }
    }
}

/// A cell's cents; credits may be less than zero.
fn signed(cell: &str) -> i64 {
    match cell.strip_prefix('-') {
        Some(cell) => -Money::parse(cell).unwrap().cents(),
        None => Money::parse(cell).unwrap().cents(),
    }
}
