//! What the office's changes of money have in common: who, when, and the answer.

use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::error::Result;
use crate::base::money::Money;
use crate::enrollments::requests::guardian_emails::{AskContext, SendTime, send_with_copies};
use crate::enrollments::store::Addressee;
use crate::mail::EmailMessage;
use crate::money::ledger::{self, FeeItem, Fees, ItemFees, LedgerEntry, Payer, entries};
use crate::staff::context::staff_context;
use crate::students::{self, Student};
use crate::web::id::Numbered;

staff_context! {
    /// Who changes money, when, and under what configuration.
    MoneyContext
}

/// An entry that a call has just posted.
#[derive(Debug, Clone, Copy)]
pub struct NewlyPosted {
    /// Its number.
    pub entry_id: i64,
    /// On what.
    pub item: FeeItem,
}

/// An entry that was posted, and what its item comes to.
#[derive(Debug, Serialize, ToSchema)]
pub struct PostedEntry {
    /// The entry; null for what was refunded from the account, which is in no item.
    #[schema(required)]
    pub entry: Option<LedgerEntry>,
    /// What the enrollment or admission comes to now.
    #[schema(required)]
    pub item: Option<ItemFees>,
    /// Dollars on account.
    #[schema(value_type = f64)]
    pub unapplied: Money,
    /// What the student owes in all, less what is on account.
    #[serde(skip)]
    pub balance: Money,
}

impl MoneyContext {
    /// The student to tell.
    ///
    /// # Errors
    /// 404 when there is no such student.
    pub fn student(connection: &Connection, id: i64) -> Result<Addressee> {
        let student = students::store::find(connection, id)?.ok_or_else(Student::not_found)?;
        Addressee::new(connection, &student)
    }

    /// What was posted, as it stands now.
    pub fn posted(connection: &Connection, payer: Payer, new: Option<NewlyPosted>) -> Result<PostedEntry> {
        let item = new.map(|new| new.item);
        let entry =
            new.and_then(|new| entries::one(connection, payer, new.entry_id).transpose()).transpose()?;
        Ok(PostedEntry { entry, ..Self::unposted(connection, payer, item)? })
    }

    /// What an answer says while nothing is posted.
    pub fn unposted(connection: &Connection, payer: Payer, item: Option<FeeItem>) -> Result<PostedEntry> {
        let fees = Fees::read(connection, payer)?;
        let item = item.and_then(|item| fees.of_item(item));
        let unapplied = ledger::on_account(connection, payer)?;
        let balance = Money::from_cents(fees.owed() - unapplied.cents());
        Ok(PostedEntry { entry: None, item, unapplied, balance })
    }

    /// Queues an email to a student, with copies to the guardians who get the student's emails.
    pub fn send(&self, connection: &Connection, to: &Addressee, email: &EmailMessage) -> Result<()> {
        send_with_copies(connection, to, email, SendTime::Now, &self.ask())
    }

    /// The same for the emails of enrollments.
    pub fn ask(&self) -> AskContext<'_> {
        AskContext { config: &self.config, now: self.now }
    }
}
