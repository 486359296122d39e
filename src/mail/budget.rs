//! The mail budget: limits of emails caused by people outside the office.
//!
//! Visitors can type any address, so emails they cause are limited: per mailbox, per account, per [`Asker`], and in
//! total per day, of which each [`MailBudget`] has a share. Counts come from the outbox, so a restart forgets nothing.
//! An email over a limit is not sent, or is delayed if its reader must get it eventually; the HTTP response is the same.
//! Emails caused by the office are never limited.
//!
//! What strangers cause shares one count per mailbox, whatever it is about and however many strangers there are. The
//! last few of a day are kept for links into an account, one in six hours, so that strangers cannot lock its owner out;
//! a browser in which the owner has logged in is no stranger and has a count of its own.

use jiff::Timestamp;
use rusqlite::Connection;

use super::kind::{Kind, MailBudget};
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::email::Email;
use crate::base::error::Result;
use crate::base::security_log;
use crate::config::{self, Config};
use crate::storage::columns::Columns;
use crate::storage::statements::{FromRow, Statements, from_row, params};

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;
/// Divisor: one asker gets this fraction of what others left of a share.
const ASKERS_PART: i64 = 10;
/// Minimum for one asker while anything is left, for example a family that mistypes an address.
const MIN_PER_ASKER: i64 = 3;
/// Emails of a mailbox's day that are kept for links into an account, and the time between two of them.
const KEPT_FOR_LINKS: i64 = 4;
const BETWEEN_LINKS: i64 = DAY / KEPT_FOR_LINKS;
/// Hours to keep the counts, the same as sent emails.
const COUNTS_KEPT: i64 = 90 * 24;

/// Emails dated in the future, by a clock that was set back since, do not count. One that is charged by now was also
/// created by now, which the index tells without the row.
pub(super) const TO_MAILBOX: &str =
    "select id, charged_at, kind, iif(charged_at > :now, state = 'queued' and attempts = 0, 0) from outbox
     where mailbox = :mailbox and kind = :kind and topic = :topic and charged_at > :since
         and (charged_at <= :now or created_at <= :now) and (:owner is null or asker = :owner)
     order by charged_at desc";
pub(super) const BY_STRANGERS: &str = "select id, charged_at, kind, 0 from outbox
     where mailbox = :mailbox and is_strangers = 1 and charged_at > :since
         and (charged_at <= :now or created_at <= :now)
     order by charged_at desc";
pub(super) const BY_ACCOUNT: &str = "select charged_at from outbox
     where caused_by = :account and charged_at > :since and (charged_at <= :now or created_at <= :now)
     order by charged_at desc limit 1 offset :skip";

/// Cause of an email, which determines the budget charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Staff, the command line or the program itself; never limited.
    Office,
    /// A visitor who is not signed in.
    Visitor(Asker),
    /// A signed-in student, by id.
    Student(i64),
}

/// Identity of a visitor for budgets, as far as known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asker {
    /// Keyed hash of the address block, or of the account if the browser is known for it. `None` if the address is
    /// unknown.
    pub key: Option<[u8; 16]>,
    /// Whether the browser is known for the account that the email is about.
    pub is_owner: bool,
}

from_row!(Asker { key = "asker", is_owner });

/// Result of queueing an email.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueOutcome {
    /// Queued, or replaced a waiting one: its id.
    Accepted(i64),
    /// Not sent, because a budget is used up.
    OverBudget,
}

impl QueueOutcome {
    /// Whether it will be sent.
    pub fn is_accepted(self) -> bool {
        match self {
            Self::Accepted(_) => true,
            Self::OverBudget => false,
        }
    }
}

closed_set! {
    /// The limit that was reached.
    pub enum Limit {
        /// Too many for one mailbox.
        Recipient = "recipient",
        /// Too many caused by one student account.
        Account = "account",
        /// The daily limit of one address block.
        Block = "block",
        /// The kind's share of the school's daily limit is used up.
        School = "school",
    }
}

closed_set! {
    /// Counting category of an email.
    pub enum BudgetOutcome {
        /// Queued without a limit.
        Office = "office",
        /// Queued within the limits.
        Accepted = "accepted",
        /// Not sent, because of [`Limit::Recipient`].
        Recipient = "recipient",
        /// Not sent, because of [`Limit::Account`].
        Account = "account",
        /// Not sent, because of [`Limit::Block`].
        Block = "block",
        /// Not sent, because of [`Limit::School`].
        School = "school",
    }
}

impl From<Limit> for BudgetOutcome {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Recipient => Self::Recipient,
            Limit::Account => Self::Account,
            Limit::Block => Self::Block,
            Limit::School => Self::School,
        }
    }
}

/// An email to be charged.
#[derive(Debug)]
pub(super) struct BudgetRequest<'a> {
    pub(super) kind: Kind,
    pub(super) mailbox: String,
    pub(super) topic: &'a str,
    pub(super) cause: Cause,
}

impl<'a> BudgetRequest<'a> {
    pub(super) fn new(kind: Kind, to: &Email, topic: &'a str, cause: Cause) -> Self {
        // Kinds that are never delayed have no topics, so that varying text cannot evade a limit.
        let topic = if kind.budget().delays() { topic } else { "" };
        Self { kind, mailbox: mailbox(to), topic, cause }
    }

    /// Whether any limit applies.
    pub(super) fn is_limited(&self) -> bool {
        self.cause != Cause::Office && self.kind.budget() != MailBudget::Free
    }

    /// The charged account, if any.
    pub(super) fn account(&self) -> Option<i64> {
        match self.cause {
            Cause::Student(id) if self.kind.budget().share().is_some() => Some(id),
            Cause::Office | Cause::Visitor(_) | Cause::Student(_) => None,
        }
    }

    /// The asker, if not signed in.
    pub(super) fn asker(&self) -> Asker {
        match self.cause {
            Cause::Visitor(asker) => asker,
            Cause::Office | Cause::Student(_) => Asker::default(),
        }
    }

    /// Whether it counts among what strangers cause. A student's new address is a stranger's until it is confirmed.
    pub(super) fn is_strangers(&self) -> bool {
        match (self.cause, self.kind.budget()) {
            (Cause::Office, _) => false,
            (Cause::Visitor(asker), MailBudget::Newcomer | MailBudget::Owner | MailBudget::Courtesy) => {
                !asker.is_owner
            }
            (_, budget) => budget == MailBudget::Change,
        }
    }

    /// Emails to the mailbox within a day that count with this one, those that are delayed among them; the latest
    /// first.
    pub(super) fn earlier(&self, connection: &Connection, now: Timestamp) -> Result<Vec<EarlierEmail>> {
        if !self.is_limited() {
            return Ok(Vec::new());
        }
        let now = now.as_second();
        let since = now - if self.kind.budget() == MailBudget::Inbox { HOUR } else { DAY };
        if self.is_strangers() {
            return connection.list(BY_STRANGERS, params![mailbox = self.mailbox, since, now]);
        }
        let asker = self.asker();
        let values = params! {
            mailbox = self.mailbox, kind = self.kind, topic = self.topic, since, now,
            owner = asker.key.filter(|_| asker.is_owner),
        };
        connection.list(TO_MAILBOX, values)
    }

    /// When it may be sent: `now` or, for a kind that can be delayed, later; otherwise the limit.
    pub(super) fn weigh(
        &self,
        connection: &Connection,
        earlier: &[EarlierEmail],
        config: &Config,
        now: Timestamp,
    ) -> Result<Result<i64, Limit>> {
        let now = now.as_second();
        if !self.is_limited() {
            return Ok(Ok(now));
        }
        let budget = self.kind.budget();
        let mut found = vec![(self.mailbox_has_room(earlier, &config.mail, now), Limit::Recipient)];
        if let Some(share) = budget.share() {
            found.push((self.account_has_room(connection, &config.mail, now)?, Limit::Account));
            let more = if self.asker().is_owner { MailBudget::FOR_KNOWN_BROWSERS } else { 0 };
            let share = i64::from(config.mail.strangers_per_day) * i64::from(share + more);
            let day =
                DailyUsage { share: (share + 99) / 100, hours: accepted_by_hour(connection, budget, now)? };
            found.push((self.asker_has_room(connection, &day, now)?, Limit::Block));
            found.push((day.has_room(now), Limit::School));
        }
        let mut latest = (now, Limit::Recipient);
        for (at, limit) in found {
            if at > latest.0 {
                latest = (at, limit);
            }
        }
        let waits = if budget.delays() { DAY } else { 0 };
        Ok(if latest.0 - now <= waits { Ok(latest.0) } else { Err(latest.1) })
    }

    fn mailbox_has_room(&self, earlier: &[EarlierEmail], limits: &config::Mail, now: i64) -> i64 {
        let hour = (limits.recipient_per_hour, HOUR);
        let day = (limits.recipient_per_day, DAY);
        if self.kind.budget() == MailBudget::Inbox {
            return room_by(&earlier.iter(), &[(limits.office_copies_per_hour, HOUR)], now);
        }
        if !self.is_strangers() {
            return room_by(&earlier.iter(), &[hour, day], now);
        }
        let in_all = limits.recipient_in_all_per_day.min(limits.recipient_per_day);
        let kept = u32::try_from(KEPT_FOR_LINKS).unwrap_or_default().min(in_all / 2);
        let open = room_by(&earlier.iter(), &[hour, (in_all - kept, DAY)], now);
        if !self.kind.lets_in() {
            return open;
        }
        let links = earlier.iter().filter(|one| one.lets_in);
        let kept = room_by(&earlier.iter(), &[hour, (in_all, DAY)], now);
        open.min(kept.max(room_by(&links, &[(1, BETWEEN_LINKS)], now)))
    }

    /// Whether one asker leaves enough of the share to others: a flood from one place gets a tenth of it, from two
    /// places a fifth, and a new asker always gets part of the rest.
    fn asker_has_room(&self, connection: &Connection, day: &DailyUsage, now: i64) -> Result<i64> {
        let Some(asker) = self.asker().key else { return Ok(now) };
        let is_full = |own: i64, others: i64| own >= ((day.share - others) / ASKERS_PART).max(MIN_PER_ASKER);
        // On most days all askers together are below the limit of one.
        let all = day.hours.iter().map(|(_, count)| count).sum();
        if !is_full(all, all) {
            return Ok(now);
        }
        let sql = "select kind, count(*) from outbox
            where asker = :asker and charged_at > :since and created_at <= :now group by kind";
        let counts: Vec<(Kind, i64)> = connection.list(sql, params![asker, since = now - DAY, now])?;
        let own = counts.iter().filter(|(kind, _)| kind.budget() == self.kind.budget());
        let own: i64 = own.map(|(_, count)| count).sum();
        let others = (day.used(now / HOUR) - own).max(0);
        // The shortest wait, so that it is reported as the reason only if it is the only one.
        Ok(if is_full(own, others) { now + 1 } else { now })
    }

    fn account_has_room(&self, connection: &Connection, limits: &config::Mail, now: i64) -> Result<i64> {
        let Some(account) = self.account() else { return Ok(now) };
        let values = params![account, since = now - DAY, now, skip = limits.account_per_day - 1];
        let before: Option<i64> = connection.find(BY_ACCOUNT, values)?;
        Ok(before.map_or(now, |before| before + DAY))
    }
}

/// An email that counts with the one to be charged.
#[derive(Debug)]
pub(super) struct EarlierEmail {
    pub(super) id: i64,
    /// When it is sent at the earliest.
    charged_at: i64,
    /// Whether it lets its reader into an account.
    lets_in: bool,
    /// Whether it is delayed.
    pub(super) waits: bool,
}

impl FromRow for EarlierEmail {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        let kind: Kind = row.read_at(2)?;
        Ok(Self {
            id: row.read_at(0)?,
            charged_at: row.read_at(1)?,
            lets_in: kind.lets_in(),
            waits: row.read_at(3)?,
        })
    }
}

/// The time at which every window has room for another email; the latest of `earlier` comes first.
fn room_by<'a>(
    earlier: &(impl Iterator<Item = &'a EarlierEmail> + Clone),
    limits: &[(u32, i64)],
    now: i64,
) -> i64 {
    let ends = limits.iter().map(|(count, window)| {
        let last = earlier.clone().nth((*count as usize).saturating_sub(1));
        last.map_or(now, |last| last.charged_at + window)
    });
    ends.fold(now, i64::max)
}

/// Daily limit of a budget, and emails per hour over two days.
struct DailyUsage {
    share: i64,
    /// By hour, from the one in which the last 24 hours began.
    hours: Vec<(i64, i64)>,
}

impl DailyUsage {
    /// Emails sent in the 24 hours that end with this hour, plus those waiting for a later one.
    fn used(&self, hour: i64) -> i64 {
        self.hours.iter().filter(|(at, _)| *at > hour - 24).map(|(_, count)| count).sum()
    }

    /// The earliest time at which the daily limit has room.
    fn has_room(&self, now: i64) -> i64 {
        let mut hours = (now / HOUR)..=(now / HOUR + 24);
        hours.find(|hour| self.used(*hour) < self.share).map_or(now + 2 * DAY, |hour| now.max(hour * HOUR))
    }
}

/// Emails of a budget accepted in the last day, and those delayed to a later hour.
fn accepted_by_hour(connection: &Connection, budget: MailBudget, now: i64) -> Result<Vec<(i64, i64)>> {
    let sql = "select hour, kind, count from mail_hours
        where hour >= :hour - 24 and hour <= :hour + 24 and outcome = 'accepted'";
    let counts: Vec<(i64, Kind, i64)> = connection.list(sql, params![hour = now / HOUR])?;
    let of_budget = counts.into_iter().filter(|(_, kind, _)| kind.budget() == budget);
    Ok(of_budget.map(|(hour, _, count)| (hour, count)).collect())
}

/// Counts an accepted email in the hour in which it is sent.
pub(super) fn count_accepted(connection: &Connection, charge: &BudgetRequest<'_>, at: i64) -> Result<()> {
    let outcome = if charge.cause == Cause::Office { BudgetOutcome::Office } else { BudgetOutcome::Accepted };
    count(connection, charge.kind, outcome, at)
}

/// Counts and logs an email that is not sent.
pub(super) fn count_refused(connection: &Connection, kind: Kind, limit: Limit, now: Timestamp) -> Result<()> {
    security_log::note_unsent(kind.as_str(), limit.as_str());
    count(connection, kind, limit.into(), now.as_second())
}

fn count(connection: &Connection, kind: Kind, outcome: BudgetOutcome, at: i64) -> Result<()> {
    let sql = "insert into mail_hours (hour, kind, outcome, count) values (:hour, :kind, :outcome, 1)
        on conflict do update set count = count + 1";
    connection.run(sql, params![hour = at / HOUR, kind, outcome])
}

/// Deletes old counts, and the askers of emails sent more than a day ago.
pub(super) fn sweep(connection: &Connection, now: Timestamp) -> Result<usize> {
    let sql = "update outbox indexed by outbox_asker set asker = null
        where asker is not null and +charged_at <= :before";
    connection.run(sql, params![before = now.as_second() - DAY])?;
    let sql = "delete from mail_hours where hour < :hour";
    connection.change(sql, params![hour = now.as_second() / HOUR - COUNTS_KEPT])
}

/// Normalizes an address to its mailbox: without a plus suffix, and for Google, which ignores them, without dots. Used
/// for limits only, never for identity.
fn mailbox(address: &Email) -> String {
    let (local, domain) = address.as_str().rsplit_once('@').unwrap_or((address.as_str(), ""));
    // An address that starts with "+" has no suffix.
    let local = local.split_once('+').map_or(local, |(user, _)| if user.is_empty() { local } else { user });
    match domain {
        "gmail.com" | "googlemail.com" => format!("{}@gmail.com", local.replace('.', "")),
        _ => format!("{local}@{domain}"),
    }
}

#[cfg(test)]
mod tests;
