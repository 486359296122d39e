//! What a family owes as a reminder tells it, and whether it is reminded at all.

use jiff::civil::Date;
use rusqlite::Connection;

use super::rules::{NotReminded, ReminderMode, Step, step_on};
use super::store;
use crate::admissions::mailboxes;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::money::ledger::{self, Fees, Payer};
use crate::students::Student;
use crate::students::status::StudentStatus;

/// A part of what a family owes.
#[derive(Debug, Clone)]
pub struct OwedLine {
    /// What for.
    pub label: String,
    /// How much.
    pub amount: Money,
    /// By when.
    pub due_on: Option<Date>,
}

/// Amount owing.
#[derive(Debug, Clone, Default)]
pub struct Owed {
    /// Its parts, the earliest first.
    pub lines: Vec<OwedLine>,
    /// What is on account and not set aside.
    pub unapplied: Money,
}

impl Owed {
    /// Reads it: what is open of everything, courses that the student has left included.
    pub fn read(connection: &Connection, student_id: i64) -> Result<Self> {
        let payer = Payer::Student(student_id);
        let fees = Fees::read(connection, payer)?;
        let mut lines = Vec::new();
        for open in fees.open() {
            let label = fees.of_item(open.item).map(|item| item.label).unwrap_or_default();
            lines.push(OwedLine { label, amount: open.amount, due_on: open.due_on });
        }
        lines.sort_by_key(|line| (line.due_on.is_some(), line.due_on));
        let unapplied = ledger::on_account(connection, payer)?;
        Ok(Self { lines, unapplied: ledger::free_on_account(connection, student_id, unapplied)? })
    }

    /// The same without what money on account covers: the earliest first.
    pub fn uncovered(&self) -> Self {
        let mut on_account = self.unapplied.cents();
        let lines = self.lines.iter().filter_map(|line| {
            let covered = line.amount.cents().min(on_account);
            on_account -= covered;
            let amount = Money::from_cents(line.amount.cents() - covered);
            (amount.cents() > 0).then(|| OwedLine { amount, ..line.clone() })
        });
        Self { lines: lines.collect(), unapplied: Money::default() }
    }

    fn due(&self) -> Money {
        self.lines.iter().map(|line| line.amount).sum()
    }

    /// What is due, less what is on account.
    pub fn to_pay(&self) -> Money {
        (self.due() - self.unapplied).max(Money::default())
    }

    /// Which reminder it would be.
    pub fn step(&self, today: Date, schedule: &[i64]) -> Step {
        let first = self.lines.iter().map(|line| line.due_on.unwrap_or(today)).min();
        step_on(first.map_or(0, |first| i64::from((today - first).get_days())), schedule)
    }
}

/// The days that a reminder is about.
#[derive(Debug, Clone, Copy)]
pub struct ReminderDays {
    /// Today at the school.
    pub today: Date,
    /// When it would leave.
    pub send_on: Date,
}

/// Why a family is not reminded on a day; `None` if it is.
pub fn why_not(
    connection: &Connection,
    student: &Student,
    owed: &Owed,
    ReminderDays { today, send_on }: ReminderDays,
) -> Result<Option<NotReminded>> {
    let mode =
        store::mode(connection, student.id)?.filter(|mode| mode.until.is_none_or(|until| until >= today));
    let mode = mode.map_or(ReminderMode::Normal, |mode| mode.mode);
    Ok(match (student.status, mode) {
        (StudentStatus::Suspended | StudentStatus::Closed, _) | (_, ReminderMode::Never) => {
            Some(NotReminded::Never)
        }
        (_, ReminderMode::Arrangement) => Some(NotReminded::Arrangement),
        _ if owed.due().cents() == 0 => Some(NotReminded::NothingDue),
        _ if owed.to_pay().cents() == 0 => Some(NotReminded::Covered),
        _ if store::is_on(connection, student.id, send_on)? => Some(NotReminded::AlreadyToday),
        (StudentStatus::Unverified, _)
            if mailboxes::opened_of_student(connection, student.id)?.is_empty() =>
        {
            Some(NotReminded::NoAddress)
        }
        _ => None,
    })
}
