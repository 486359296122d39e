//! Random histories of money: charged, paid, applied, moved, waived, paid back, taken back, approved, withdrawn and
//! undone. Whatever happens, the figures agree to the cent, receipts have no gap, and a report of a past day stays.

use std::sync::Arc;

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _};
use rusqlite::Connection;
use serde_json::json;

use super::balances;
use super::context::MoneyContext;
use super::report::BalanceRow;
use super::report::{self, ReportDay};
use super::rules::{Charge, Plan, Refund, Waiver};
use crate::audit::Actor;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::config::Config;
use crate::courses;
use crate::decisions;
use crate::enrollments::decisions::{Approve, DecisionContext, Explain, Refund as Withdrawn, Withdraw};
use crate::enrollments::prices::QuoteTerms;
use crate::enrollments::rules::NewEnrollment;
use crate::enrollments::store;
use crate::fees::{self, ChargedFor, FeeItem, Fees, Payer, PaymentMethod, entries, total_due};
use crate::payments::rules::{NewPayment, Target};
use crate::payments::{PaymentContext, own};
use crate::storage::db;
use crate::storage::statements::{Statements, params};
use crate::tests::fuzz::for_rounds;
use crate::web::sheet::SheetRow as _;

const WHY: &str = "For the sake of this test.";
const STUDENTS: i64 = 3;
const STEPS: usize = 30;

struct History<'a> {
    connection: &'a Connection,
    random: &'a mut fastrand::Rng,
    config: Arc<Config>,
    now: Timestamp,
    decisions: Vec<String>,
    told: Vec<String>,
    /// What a report of a past day said when the day had ended.
    past: Vec<(Date, String)>,
}

impl History<'_> {
    fn zone() -> TimeZone {
        TimeZone::get("America/Toronto").unwrap()
    }

    fn today(&self) -> Date {
        self.now.to_zoned(Self::zone()).date()
    }

    fn actor() -> Actor {
        Actor::staff(1, "office")
    }

    fn office(&self) -> DecisionContext {
        let terms = QuoteTerms { days: 30, today: self.today(), zone: Self::zone() };
        DecisionContext {
            user_id: 1,
            actor: Self::actor(),
            config: self.config.clone(),
            terms,
            now: self.now,
        }
    }

    fn money(&self) -> MoneyContext {
        let (config, today) = (self.config.clone(), self.today());
        MoneyContext { user_id: 1, actor: Self::actor(), now: self.now, today, config }
    }

    fn payments(&self) -> PaymentContext {
        PaymentContext { user_id: 1, actor: Self::actor(), now: self.now, config: self.config.clone() }
    }

    fn some(&mut self, table: &str) -> i64 {
        let sql = format!("select coalesce(max(id), 1) from {table}");
        let max: i64 = self.connection.one(&sql, []).unwrap();
        self.random.i64(1..=max)
    }

    fn amount(&mut self) -> Money {
        let few = [1, 333, 10_000, 25_000, 50_000, 76_950];
        Money::from_cents(*self.random.choice(few.iter()).unwrap())
    }

    /// An enrollment, or now and then the admission of the first student.
    fn item(&mut self) -> FeeItem {
        if self.random.u8(..6) == 0 {
            FeeItem::Admission(1)
        } else {
            FeeItem::Enrollment(self.some("enrollments"))
        }
    }

    fn owner(&self, item: FeeItem) -> i64 {
        match fees::payer_of(self.connection, item).unwrap() {
            Some(Payer::Student(id)) => id,
            _ => 1,
        }
    }

    fn step(&mut self) {
        let what = self.random.u32(..17);
        let connection = self.connection;
        let done = db::in_savepoint(connection, |connection| self.attempt(connection, what));
        let words = done.as_ref().err().map_or("done".to_owned(), |error| format!("refused, {error}"));
        self.told.push(format!("{what}: {words}"));
        if let Err(error) = done {
            assert!(error.status().is_client_error(), "{error:?} after {:#?}", self.told);
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each thing that can happen")]
    fn attempt(&mut self, connection: &Connection, what: u32) -> Result<()> {
        let id = self.some("enrollments");
        let (amount, item) = (self.amount(), self.item());
        let student = self.owner(item);
        let explain = Explain { reason: WHY.into(), expected: None };
        match what {
            0 => {
                let courses = courses::store::list(connection)?;
                let course = self.random.choice(&courses).unwrap();
                let start_date = self.today();
                let new = NewEnrollment {
                    course_id: course.id,
                    section_id: None,
                    start_date,
                    end_date: start_date + 90.days(),
                };
                store::request(connection, self.random.i64(1..=STUDENTS), &new, course, self.now)?;
            }
            1 | 2 => {
                let decided = self.office().approve(connection, id, &Approve::default(), None)?;
                self.decisions.extend(decided.undo.map(|undo| undo.id));
            }
            3 => {
                let refund = self.random.bool().then_some(Withdrawn::Full);
                let effective_on = self.today() + 5.days();
                let withdraw =
                    Withdraw { effective_on, reason: WHY.into(), mark: None, refund, expected: None };
                let decided = self.office().withdraw(connection, id, &withdraw)?;
                self.decisions.extend(decided.undo.map(|undo| undo.id));
            }
            4 => {
                let decided = self.office().reverse_approval(connection, id, &explain)?;
                self.decisions.extend(decided.undo.map(|undo| undo.id));
            }
            5 => {
                let Some(decision) = self.random.choice(&self.decisions).cloned() else { return Ok(()) };
                let office = self.office();
                decisions::undo_each(connection, &decision, |connection, one| office.undo(connection, one))?;
            }
            6 => {
                let due_on = self.today() + self.random.i64(0..40).days();
                let (description, is_for) = (None, ChargedFor::Material);
                let tax = Money::default();
                let charge = Charge { item, amount, description, is_for, due_on, tax };
                self.money().charge(connection, student, &charge)?;
            }
            7 => {
                let waiver = Waiver { item, amount, reason: WHY.into() };
                self.money().waive(connection, student, &waiver)?;
            }
            8 => {
                let refund = Refund {
                    item: self.random.bool().then_some(item),
                    amount,
                    method: PaymentMethod::Cheque,
                    reference: None,
                    paid_on: self.today(),
                    reason: WHY.into(),
                };
                self.money().refund(connection, student, &refund)?;
            }
            9 => {
                let entry = self.some("ledger");
                self.money().reverse(connection, entry, WHY)?;
            }
            10..=12 => {
                let target = match self.random.u8(..4) {
                    0 => Target::Parts(Vec::new()),
                    1 => Target::One(item),
                    2 => Target::Parts(vec![(item, amount)]),
                    _ => Target::OldestFirst,
                };
                let new = NewPayment {
                    student_id: Some(student),
                    target,
                    amount,
                    method: PaymentMethod::Cash,
                    reference: None,
                    received_on: self.today() - self.random.i64(0..50).days(),
                    payer_name: None,
                    sends_receipt: false,
                    is_confirmed: true,
                };
                self.payments().record(connection, &new, None)?;
            }
            13 => {
                let payment = self.some("payments");
                self.payments().reverse(connection, payment, WHY)?;
            }
            14 => {
                let payment = self.some("payments");
                self.payments().allocate(connection, payment, &Target::OldestFirst)?;
            }
            15 => {
                let parts = self.random.i64(1..5);
                self.money().plan(connection, id, &Plan::Monthly(parts, self.today()))?;
            }
            _ => {
                // Nothing is posted any more on a day that has ended.
                let today = self.today();
                self.now += SignedDuration::from_hours(self.random.i64(1..60));
                if self.today() > today {
                    let said = self.report(today);
                    self.past.push((today, said));
                }
            }
        }
        Ok(())
    }

    fn rows(&self, on: Date) -> Vec<BalanceRow> {
        report::read(self.connection, &ReportDay::new(on, Self::zone())).unwrap()
    }

    fn report(&self, on: Date) -> String {
        json!(self.rows(on)).to_string()
    }

    fn check(&self) {
        let (connection, told) = (self.connection, &self.told);
        let sum = |amounts: &mut dyn Iterator<Item = Money>| amounts.map(Money::cents).sum::<i64>();
        let card = total_due::read(connection).unwrap();
        assert_eq!(total_due::difference(connection).unwrap(), None, "{told:#?}");
        let rows = self.rows(self.today());
        let summary = balances::summary(connection, &ReportDay::new(self.today(), Self::zone())).unwrap();
        let summary = json!(summary);
        let cents = |name: &str| (summary[name].as_f64().unwrap() * 100.0).round() as i64;
        assert_eq!((card, cents("due")), (sum(&mut rows.iter().map(|row| row.due)), card), "{told:#?}");
        let aging = |row: &BalanceRow| row.aging.not_yet_due.cents() + row.aging.overdue().cents();
        assert_eq!(rows.iter().map(aging).sum::<i64>(), card, "{told:#?}");
        let heading = BalanceRow::HEADINGS.iter().position(|heading| *heading == "Due").unwrap();
        let cell = |row: &BalanceRow| Money::parse(&row.cells()[heading]).unwrap();
        assert_eq!(sum(&mut rows.iter().map(cell)), card, "{told:#?}");
        let mut closings = 0;
        for row in &rows {
            let payer = Payer::Student(row.student_id);
            let items = Fees::read(connection, payer).unwrap().per_item();
            let enrolled = items.iter().filter(|item| item.enrollment_id.is_some());
            assert_eq!(sum(&mut enrolled.map(|item| item.due)), row.due.cents(), "{told:#?}");
            for item in &items {
                assert!(item.waived <= item.charged && item.refunded <= item.paid, "{item:?}: {told:#?}");
                let parts = sum(&mut item.instalments.iter().map(|part| part.amount));
                let fee = item.charged.cents() - item.waived.cents();
                assert!(item.instalments.is_empty() || parts == fee, "{item:?}: {told:#?}");
            }
            let balance = fees::balance_of_student(connection, row.student_id).unwrap();
            let parts =
                row.due.cents() + row.admission_due.cents() - row.credit.cents() - row.unapplied.cents();
            assert_eq!((balance, balance.cents()), (row.balance, parts), "{told:#?}");
            let own = own::read(connection, row.student_id, &self.config, self.today()).unwrap();
            assert_eq!(json!(own)["balance"], json!(balance), "{told:#?}");
            let newest = entries::all(connection, payer).unwrap();
            let running = newest.first().map_or(0, |entry| entry.running.cents());
            assert_eq!(running - row.unapplied.cents(), balance.cents(), "{told:#?}");
            closings += balance.cents();
        }
        let whole = cents("due") - cents("credits") - cents("unapplied") + cents("admissionFeesDue");
        assert_eq!(closings, whole, "{told:#?}");
        let none = |sql: &str| assert_eq!(connection.one::<i64>(sql, []).unwrap(), 0, "{sql}: {told:#?}");
        none("select count(*) from payments_held where unapplied_cents < 0");
        none(
            "select count(*) from receipts where substr(number, 6) + 0 <>
                 (select count(*) from receipts r where r.id <= receipts.id and substr(r.number, 1, 4) = substr(receipts.number, 1, 4))",
        );
        for (on, said) in &self.past {
            assert_eq!(&self.report(*on), said, "{on}: {told:#?}");
        }
    }
}

fn school(connection: &Connection) {
    connection
        .execute_batch(
            "insert into users (id, username, email, password_hash, role, created_at)
             values (1, 'office', 'office@mail.example', 'x', 'admin', 0);
             with recursive n(i) as (select 1 union all select i + 1 from n where i < 3)
             insert into students (id, email, password_hash, status, full_name, created_at, updated_at)
             select i, 'student' || i || '@mail.example', 'x', 'active', 'Student ' || i, 0, 0 from n;
             insert into courses (id, code, name, description, grade, course_type, price_cents, created_at, updated_at)
             values (1, 'ENG4U', 'English', 'A course with a price.', 12, 'University', 50000, 0, 0),
                 (2, 'MHF4U', 'Functions', 'Another one with a price.', 12, 'University', 76950, 0, 0),
                 (3, 'CHV2O', 'Civics', 'A course without a price.', 10, 'Open', null, 0, 0);
             insert into admission_requests (id, reference, state_since, first_name, last_name, email, phone, address, grade, created_at, student_id)
             values (1, 'A-1', 0, 'A', 'B', 'student1@mail.example', '4165550100', 'Main Street 1', 9, 0, 1);
             insert into admissions (id, request_id, enrollment_date) values (1, 1, 0);
             insert into ledger (kind, amount_cents, admission_id, due_on, created_at)
             values ('charge', 30000, 1, '2026-10-01', 0)",
        )
        .unwrap();
}

#[test]
fn random_histories_agree_to_the_cent() {
    let folder = tempfile::tempdir().unwrap();
    let connection = db::open(&folder.path().join("school.db")).unwrap();
    school(&connection);
    for_rounds("histories of money", 60, |random| {
        connection.execute_batch("begin").unwrap();
        let now = date(2026, 11, 21).at(10, 0, 0, 0).to_zoned(History::zone()).unwrap().timestamp();
        let config = Arc::new(Config::default());
        let mut history = History {
            connection: &connection,
            random,
            config,
            now,
            decisions: Vec::new(),
            told: Vec::new(),
            past: Vec::new(),
        };
        for step in 0..STEPS {
            history.step();
            if step % 10 == 9 {
                history.check();
            }
        }
        connection.execute_batch("rollback").unwrap();
    });
}

#[test]
fn nothing_of_money_is_edited_or_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let connection = db::open(&folder.path().join("school.db")).unwrap();
    school(&connection);
    connection
        .execute_batch(
            "insert into payments (id, student_id, amount_cents, method, received_on, created_at)
             values (1, 1, 100, 'cash', '2026-11-20', 0);
             insert into payouts (student_id, payment_id, amount_cents, method, paid_on, reason, created_at)
             values (1, 1, 40, 'cash', '2026-11-20', 'Paid twice', 0);
             insert into receipts (number, payment_id, issued_at, body_json) values ('2026-000001', 1, 0, '{}');
             insert into enrollments (id, student_id, course_id, start_date, end_date, created_at)
             values (1, 1, 1, '2026-09-01', '2026-12-01', 0);
             insert into instalments (enrollment_id, n, due_on, amount_cents, after_ledger_id, created_at)
             values (1, 1, '2026-12-01', 100, 1, 0)",
        )
        .unwrap();
    for table in ["ledger", "payments", "payouts", "receipts", "instalments"] {
        for sql in [format!("delete from {table}"), format!("update {table} set id = id + 1")] {
            let refused = connection.execute(&sql, []).unwrap_err().to_string();
            assert!(refused.contains("append-only"), "{sql}: {refused}");
        }
    }
    // What may become known later, may.
    connection.execute("update payments set deposited_on = '2026-11-21'", []).unwrap();
    connection.execute("update instalments set ended_at = 5", []).unwrap();
    connection.execute("update instalments set ended_at = 6", []).unwrap_err();
    let held: i64 =
        connection.one("select unapplied_cents from payments_held where id = :id", params![id = 1]).unwrap();
    assert_eq!(held, 60);
}
