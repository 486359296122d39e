//! Steps of a random history: charged, paid, applied, moved, waived, refunded, reversed, approved, transferred,
//! withdrawn, undone, merged, imported from the bank; a section is cancelled, an account closed. Each is what the office's call does, in a savepoint; a refusal is a step, too.

use std::sync::Arc;

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _};
use rusqlite::Connection;
use serde_json::json;

use super::agreement::Agreement;
use crate::audit::Actor;
use crate::base::error::{Error, Result};
use crate::base::money::Money;
use crate::config::{Config, PublishedMoney};
use crate::enrollments::decisions::{
    Approve, DecisionContext, Explanation, Refund as Withdrawn, Reschedule, Transfer, TransferCost, Withdraw,
};
use crate::enrollments::requests::prices::QuoteTerms;
use crate::enrollments::requests::rules::NewEnrollment;
use crate::enrollments::store;
use crate::money::charges::context::MoneyContext;
use crate::money::charges::on_account::{self, Wish};
use crate::money::charges::rules::{Charge, Plan, Refund, Waiver};
use crate::money::ledger::holds;
use crate::money::ledger::{self, ChargedFor, FeeItem, Payer, PaymentMethod, PaymentPart};
use crate::money::payments::PaymentContext;
use crate::money::payments::rules::{Move, NewPayment, Target};
use crate::staff::context::StaffContext;
use crate::storage::db;
use crate::storage::statements::{Statements, params};
use crate::students::status::StudentStatus;
use crate::{admissions, classes, courses, decisions, enrollments, students, terms};

const CLOSE: &str = "close_account";
const WHY: &str = "For the sake of this test.";
pub const STUDENTS: i64 = 3;

/// What can happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    Request,
    Approve,
    Extend,
    Transfer,
    Withdraw,
    ReverseApproval,
    CancelSection,
    CloseAccount,
    Undo,
    Charge,
    Waive,
    Refund,
    ReverseEntry,
    ReversePayout,
    Pay,
    ReversePayment,
    Allocate,
    Apply,
    Hold,
    Release,
    MovePart,
    Deposit,
    Plan,
    Import,
    PostLine,
    UndoImport,
    Merge,
    Wait,
}

/// As often as it is here.
pub const STEPS: [Step; 46] = [
    Step::Request,
    Step::Request,
    Step::Request,
    Step::Approve,
    Step::Approve,
    Step::Approve,
    Step::Extend,
    Step::Transfer,
    Step::Withdraw,
    Step::ReverseApproval,
    Step::CancelSection,
    Step::CancelSection,
    Step::CloseAccount,
    Step::Undo,
    Step::Undo,
    Step::Charge,
    Step::Charge,
    Step::Waive,
    Step::Waive,
    Step::Refund,
    Step::Refund,
    Step::ReverseEntry,
    Step::ReverseEntry,
    Step::ReversePayout,
    Step::Pay,
    Step::Pay,
    Step::Pay,
    Step::Pay,
    Step::ReversePayment,
    Step::Allocate,
    Step::Apply,
    Step::Apply,
    Step::Hold,
    Step::Release,
    Step::MovePart,
    Step::MovePart,
    Step::MovePart,
    Step::Deposit,
    Step::Plan,
    Step::Import,
    Step::Import,
    Step::PostLine,
    Step::PostLine,
    Step::UndoImport,
    Step::Merge,
    Step::Wait,
];

pub struct History<'a> {
    connection: &'a Connection,
    pub(super) random: &'a mut fastrand::Rng,
    pub(super) config: Arc<Config>,
    zone: TimeZone,
    now: Timestamp,
    decisions: Vec<String>,
    told: Vec<String>,
    agreement: Agreement,
}

impl<'a> History<'a> {
    /// Some day before or around the end of a year.
    pub fn begin(connection: &'a Connection, random: &'a mut fastrand::Rng) -> Self {
        let config = Arc::new(Config::default());
        // As a server that runs: otherwise the school's facts are read from the file at every look.
        config.use_published(config.school(), None, PublishedMoney::default());
        let zone = config.school().zone();
        let day = date(2026, 11, 21) + random.i64(0..45).days();
        let now = day.at(10, 0, 0, 0).to_zoned(zone.clone()).unwrap().timestamp();
        let agreement = Agreement::new(zone.clone(), config.clone());
        let decisions = Vec::new();
        let told = Vec::new();
        let mut history = Self { connection, random, config, zone, now, decisions, told, agreement };
        for _ in 0..6 {
            history.attempt_one(Step::Request);
            history.attempt_one(Step::Approve);
        }
        history
    }

    pub(super) fn today(&self) -> Date {
        self.now.to_zoned(self.zone.clone()).date()
    }

    fn actor() -> Actor {
        Actor::staff(1, "office")
    }

    fn office(&self) -> DecisionContext {
        let terms = QuoteTerms { days: 30, today: self.today(), zone: self.zone.clone() };
        DecisionContext { staff: self.staff(), terms }
    }

    fn staff(&self) -> StaffContext {
        let config = self.config.clone();
        StaffContext { user_id: 1, actor: Self::actor(), now: self.now, today: self.today(), config }
    }

    fn money(&self) -> MoneyContext {
        self.staff().into()
    }

    pub(super) fn payments(&self) -> PaymentContext {
        self.staff().into()
    }

    pub(super) fn some(&mut self, table: &str) -> i64 {
        let sql = format!("select coalesce(max(id), 1) from {table}");
        let max: i64 = self.connection.one(&sql, []).unwrap();
        self.random.i64(1..=max)
    }

    pub(super) fn amount(&mut self) -> Money {
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
        match ledger::payer_of(self.connection, item).unwrap() {
            Some(Payer::Student(id)) => id,
            _ => 1,
        }
    }

    /// Tries one thing; `None` if it was refused.
    pub fn step(&mut self) -> Option<Step> {
        let step = *self.random.choice(STEPS.iter()).unwrap();
        self.attempt_one(step)
    }

    fn attempt_one(&mut self, step: Step) -> Option<Step> {
        let connection = self.connection;
        let done = db::in_savepoint(connection, |connection| self.attempt(connection, step));
        let words = done.as_ref().err().map_or("done".to_owned(), |error| format!("refused, {error}"));
        self.told.push(format!("{step:?}: {words}"));
        if let Err(error) = &done {
            assert!(error.status().is_client_error(), "{error:?} after {:#?}", self.told);
        }
        self.agreement.check_kept(connection, self.today(), &self.told);
        done.ok().map(|()| step)
    }

    /// Compares all figures.
    pub fn check(&mut self) {
        self.agreement.check(self.connection, self.today(), &self.told);
    }

    fn attempt(&mut self, connection: &Connection, step: Step) -> Result<()> {
        match step {
            Step::Request => self.request(connection),
            Step::Approve
            | Step::Extend
            | Step::Transfer
            | Step::Withdraw
            | Step::ReverseApproval
            | Step::CancelSection
            | Step::CloseAccount
            | Step::Undo => self.decide(connection, step),
            Step::Charge
            | Step::Waive
            | Step::Refund
            | Step::ReverseEntry
            | Step::ReversePayout
            | Step::Plan => self.adjust(connection, step),
            Step::Pay => self.pay(connection),
            Step::ReversePayment | Step::Allocate | Step::MovePart | Step::Deposit => {
                self.change_payment(connection, step)
            }
            Step::Apply | Step::Hold | Step::Release => self.use_account(connection, step),
            Step::Import | Step::PostLine | Step::UndoImport => self.use_bank(connection, step),
            Step::Merge => self.merge(connection),
            Step::Wait => {
                // Nothing is posted any more on a day that has ended.
                let today = self.today();
                self.now += SignedDuration::from_hours(self.random.i64(1..60));
                if self.today() > today {
                    self.agreement.end_day(connection, today);
                }
                Ok(())
            }
        }
    }

    fn request(&mut self, connection: &Connection) -> Result<()> {
        let courses = courses::store::list(connection)?;
        let course = self.random.choice(&courses).unwrap();
        let start_date = self.today();
        let end_date = start_date + 90.days();
        let sections = terms::store::list_open(connection, Some(course.id), start_date)?;
        let section_id =
            self.random.bool().then(|| self.random.choice(&sections).map(|one| one.id)).flatten();
        let new = NewEnrollment { course_id: course.id, section_id, start_date, end_date };
        let student = self.random.i64(1..=STUDENTS);
        if is_merged(connection, student)? || is_closed(connection, student)? {
            return Err(not_now());
        }
        store::request(connection, student, &new, course, self.now)?;
        Ok(())
    }

    fn decide(&mut self, connection: &Connection, step: Step) -> Result<()> {
        let id = self.some("enrollments");
        let office = self.office();
        let explain = Explanation { reason: WHY.into(), expected: None };
        let decided = match step {
            Step::Approve => office.approve(connection, id, &Approve::default(), None)?,
            Step::Extend => {
                let start_date = self.today();
                let end_date = self.today() + 120.days();
                let reason = WHY.into();
                let fee = Some(self.amount());
                let overrides = Vec::new();
                let new = Reschedule { start_date, end_date, reason, expected: None, overrides, fee };
                office.change_dates(connection, id, &new)?
            }
            Step::Transfer => {
                let price = *self.random.choice([None, Some(TransferCost::Keep)].iter()).unwrap();
                let course = self.random.i64(1..=3);
                let section = self.random.i64(1..=6);
                let is_to_section = self.random.bool();
                let transfer = Transfer {
                    section_id: is_to_section.then_some(section),
                    course_id: (!is_to_section).then_some(course),
                    start_date: None,
                    end_date: None,
                    price,
                    reason: WHY.into(),
                    expected: None,
                    overrides: Vec::new(),
                };
                office.transfer(connection, id, &transfer, None)?
            }
            Step::Withdraw => {
                let refund = self.random.bool().then_some(Withdrawn::Full);
                let effective_on = self.today() + 5.days();
                let reason = WHY.into();
                let withdraw = Withdraw { effective_on, reason, mark: None, refund, expected: None };
                office.withdraw(connection, id, &withdraw)?
            }
            Step::ReverseApproval => office.reverse_approval(connection, id, &explain)?,
            Step::CancelSection => {
                let section = self.random.i64(1..=6);
                let cancelled = classes::cancel_section(&office, connection, section, WHY, None)?;
                self.decisions.extend(json!(cancelled)["undo"]["id"].as_str().map(str::to_owned));
                return Ok(());
            }
            Step::CloseAccount => return self.close_account(connection, &office),
            _ => return self.undo(connection, &office),
        };
        self.decisions.extend(decided.undo.map(|undo| undo.id));
        Ok(())
    }

    /// What closing does to money: what is open ends by the rules of leaving. Or opens the account again, which does nothing
    /// to it.
    fn close_account(&mut self, connection: &Connection, office: &DecisionContext) -> Result<()> {
        let student = self.random.i64(1..=STUDENTS);
        if is_merged(connection, student)? {
            return Err(not_now());
        }
        if is_closed(connection, student)? {
            return students::store::set_status(connection, student, StudentStatus::Active, None, self.now);
        }
        let decision = office.begin_decision(connection, CLOSE)?;
        office.end_with_account(connection, student, WHY, &decision)?;
        self.decisions.push(decision.id().to_owned());
        students::store::set_status(connection, student, StudentStatus::Closed, Some(WHY), self.now)
    }

    fn undo(&mut self, connection: &Connection, office: &DecisionContext) -> Result<()> {
        let Some(decision) = self.random.choice(&self.decisions).cloned() else { return Ok(()) };
        let money = self.money();
        let now = self.now;
        decisions::undo_each(connection, &decision, |connection, one| {
            match one.verb.as_str() {
                on_account::APPLY => money.undo(connection, one).map(drop),
                CLOSE if one.is_undone => Ok(()),
                CLOSE => {
                    office.restore_enrollments(connection, &one.id)?;
                    let reopen = "update students set status = 'active' where status = 'closed' and merged_into is null";
                    connection.run(reopen, [])?;
                    decisions::mark_undone(connection, &one.id, now)
                }
                _ => office.undo(connection, one).map(drop),
            }
            .map(|()| vec![()])
        })?;
        Ok(())
    }

    fn adjust(&mut self, connection: &Connection, step: Step) -> Result<()> {
        let amount = self.amount();
        let item = self.item();
        let money = self.money();
        let today = self.today();
        let student = self.owner(item);
        match step {
            Step::Charge => {
                let due_on = today + self.random.i64(0..40).days();
                let description = None;
                let is_for = ChargedFor::Material;
                let tax = Money::default();
                let charge = Charge { item, amount, description, is_for, due_on, tax };
                money.charge(connection, student, &charge)?;
            }
            Step::Waive => {
                money.waive(connection, student, &Waiver { item, amount, reason: WHY.into() })?;
            }
            Step::Refund => {
                let item = self.random.bool().then_some(item);
                let method = PaymentMethod::Cheque;
                let reason = WHY.into();
                let refund = Refund {
                    item,
                    waive: Money::default(),
                    amount,
                    method,
                    reference: None,
                    paid_on: today,
                    reason,
                };
                money.refund(connection, student, &refund)?;
            }
            Step::ReverseEntry => {
                let entry = self.some("ledger");
                money.reverse(connection, entry, WHY)?;
            }
            Step::ReversePayout => {
                let payout = self.some("payouts");
                money.reverse_payout(connection, payout, WHY)?;
            }
            _ => {
                let plan = match self.random.i64(0..5) {
                    0 => Plan::Parts(Vec::new()),
                    parts => Plan::Monthly(parts, today),
                };
                let id = self.some("enrollments");
                money.plan(connection, id, &plan)?;
            }
        }
        Ok(())
    }

    fn pay(&mut self, connection: &Connection) -> Result<()> {
        let amount = self.amount();
        let item = self.item();
        let target = match self.random.u8(..4) {
            0 => Target::Parts(Vec::new()),
            1 => Target::One(item),
            2 => Target::Parts(vec![PaymentPart { item, amount }]),
            _ => Target::OldestFirst,
        };
        let new = NewPayment {
            student_id: Some(self.owner(item)),
            target,
            amount,
            method: PaymentMethod::Cash,
            reference: None,
            // Before the charge, too.
            received_on: self.today() - self.random.i64(0..50).days(),
            payer_name: None,
            sends_receipt: false,
            is_confirmed: true,
            import_line_id: None,
        };
        self.payments().record(connection, &new, None)?;
        Ok(())
    }

    fn change_payment(&mut self, connection: &Connection, step: Step) -> Result<()> {
        let payment = self.some("payments");
        let payments = self.payments();
        let today = self.today();
        match step {
            Step::ReversePayment => _ = payments.reverse(connection, payment, WHY)?,
            Step::Allocate => {
                let target = match self.random.bool() {
                    true => Target::OldestFirst,
                    false => Target::Parts(vec![PaymentPart { item: self.item(), amount: self.amount() }]),
                };
                payments.allocate(connection, payment, &target)?;
            }
            Step::MovePart => {
                let sql = "select enrollment_id, amount_cents from ledger l where payment_id = :payment
                        and enrollment_id is not null
                        and not exists (select 1 from ledger r where r.reverses_id = l.id) limit 1";
                let part: Option<(i64, i64)> = connection.find(sql, params![payment])?;
                let (from, cents) = part.ok_or_else(not_now)?;
                let sql = "select o.id from enrollments o join enrollments e on e.student_id = o.student_id
                    where e.id = :from and o.id <> e.id";
                let others: Vec<i64> = connection.list(sql, params![from])?;
                let to = *self.random.choice(&others).ok_or_else(not_now)?;
                let amount = Money::from_cents(self.random.i64(1..=cents));
                let [from, to] = [from, to].map(FeeItem::Enrollment);
                let part = Move { from, to, amount };
                payments.move_part(connection, payment, &part)?;
            }
            _ => {
                let on = self.random.bool().then_some(today);
                payments.deposit(connection, payment, on)?;
            }
        }
        Ok(())
    }

    /// Money on account is applied, set aside, or no longer set aside.
    fn use_account(&mut self, connection: &Connection, step: Step) -> Result<()> {
        let student = self.random.i64(1..=STUDENTS);
        let money = self.money();
        let amount = self.amount();
        if is_merged(connection, student)? {
            return Err(not_now());
        }
        match step {
            Step::Apply => {
                let applied = decisions::decide_each(connection, &[student], |connection, id, bulk| {
                    money.apply(connection, id, bulk)
                })?;
                self.decisions.extend(json!(applied)["undo"]["id"].as_str().map(str::to_owned));
            }
            Step::Hold => {
                let amount = self.random.bool().then_some(amount);
                let until = self.today() + self.random.i64(0..9).days();
                money.hold(connection, student, &Wish { amount, held_for: WHY.into(), until })?;
            }
            _ => drop(money.release(connection, student)?),
        }
        Ok(())
    }

    /// What merging two accounts does to money: it changes whose it is, and no sum.
    fn merge(&mut self, connection: &Connection) -> Result<()> {
        let from = self.random.i64(1..=STUDENTS);
        let to = self.random.i64(1..=STUDENTS);
        // Rarely, so that most histories keep several students.
        if self.random.u8(..4) > 0 || from == to || is_merged(connection, from)? || is_merged(connection, to)?
        {
            return Err(not_now());
        }
        enrollments::hand_over(connection, from, to)?;
        admissions::store::move_student(connection, from, to)?;
        students::store::set_status(connection, from, StudentStatus::Closed, Some(WHY), self.now)?;
        holds::end(connection, from, self.now)?;
        students::store::set_merged(connection, from, to)?;
        self.agreement.merged(connection);
        Ok(())
    }
}

/// Nothing here that it could happen to.
pub fn not_now() -> Error {
    Error::conflict("Not now.", &"nothing here that it could happen to")
}

pub fn is_merged(connection: &Connection, student: i64) -> Result<bool> {
    let sql = "select merged_into is not null from students where id = :student";
    connection.one(sql, params![student])
}

fn is_closed(connection: &Connection, student: i64) -> Result<bool> {
    connection.one("select status = 'closed' from students where id = :student", params![student])
}
