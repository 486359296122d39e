//! The mail budget: how many e-mails people who are not staff can have the school send.
//!
//! Anybody can type anybody's address, so what the school sends at a stranger's wish is limited: for
//! each mailbox and kind, for each account that causes it, and for the school in a day. It is counted
//! in the outbox itself, so that a restart forgets nothing. What exceeds a limit is not sent, or waits
//! its turn where its reader must hear of it in the end (see [`Budget`]); whoever asked gets the same
//! answer. What the office causes is never limited.

use jiff::Timestamp;
use rusqlite::{Connection, named_params};

use super::kind::{Budget, Kind};
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::email::Email;
use crate::base::error::Result;
use crate::base::security_log;
use crate::config::{self, Config};

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;
/// Hours for which the counts are kept, as long as sent e-mails are.
const COUNTS_KEPT: i64 = 90 * 24;

/// Who causes an e-mail, and so whose budget pays for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A member of the staff, the command line or the program itself; never limited.
    Office,
    /// Somebody who is not signed in.
    Visitor,
    /// The student with this number, signed in.
    Student(i64),
}

/// What became of an e-mail that was to be queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is queued, or takes the place of one that waits: its number.
    Accepted(i64),
    /// A budget is used up: it is not sent.
    OverBudget,
}

impl Outcome {
    /// Whether it will be sent.
    pub fn is_accepted(self) -> bool {
        match self {
            Self::Accepted(_) => true,
            Self::OverBudget => false,
        }
    }
}

closed_set! {
    /// Which limit was reached.
    pub enum Limit {
        /// Too many of a kind for one mailbox.
        Recipient = "recipient",
        /// Too many by one student's account.
        Account = "account",
        /// The school's day is used up.
        School = "school",
    }
}

closed_set! {
    /// As what an e-mail is counted.
    pub enum CountedAs {
        /// Queued, and never limited.
        Office = "office",
        /// Queued.
        Accepted = "accepted",
        /// Not sent, because of [`Limit::Recipient`].
        Recipient = "recipient",
        /// Not sent, because of [`Limit::Account`].
        Account = "account",
        /// Not sent, because of [`Limit::School`].
        School = "school",
    }
}

impl From<Limit> for CountedAs {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Recipient => Self::Recipient,
            Limit::Account => Self::Account,
            Limit::School => Self::School,
        }
    }
}

/// An e-mail as the budget sees it.
#[derive(Debug)]
pub(super) struct Charge<'a> {
    pub(super) kind: Kind,
    pub(super) mailbox: String,
    pub(super) topic: &'a str,
    pub(super) cause: Cause,
}

impl<'a> Charge<'a> {
    pub(super) fn new(kind: Kind, to: &Email, topic: &'a str, cause: Cause) -> Self {
        // Where nothing waits there are no topics: words that vary must not lift a limit.
        let topic = if kind.budget().delays() { topic } else { "" };
        Self { kind, mailbox: mailbox(to), topic, cause }
    }

    /// Whether any limit holds.
    pub(super) fn is_limited(&self) -> bool {
        self.cause != Cause::Office && self.kind.budget() != Budget::Free
    }

    /// The account whose budget pays, if one does.
    pub(super) fn account(&self) -> Option<i64> {
        match self.cause {
            Cause::Student(id) if self.kind.budget().is_shared() => Some(id),
            Cause::Office | Cause::Visitor | Cause::Student(_) => None,
        }
    }

    /// When it may leave: `now` or, for a kind that waits its turn, later; else the limit.
    pub(super) fn weigh(
        &self,
        connection: &Connection,
        config: &Config,
        now: Timestamp,
    ) -> Result<Result<i64, Limit>> {
        let now = now.as_second();
        if !self.is_limited() {
            return Ok(Ok(now));
        }
        let budget = self.kind.budget();
        let mut found = vec![(self.mailbox_has_room(connection, &config.mail, now)?, Limit::Recipient)];
        if budget.is_shared() {
            found.push((self.account_has_room(connection, &config.mail, now)?, Limit::Account));
            found.push((school_has_room(connection, budget, &config.mail, now)?, Limit::School));
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

    fn mailbox_has_room(&self, connection: &Connection, limits: &config::Mail, now: i64) -> Result<i64> {
        let limits: &[(u32, i64)] = match self.kind.budget() {
            Budget::Inbox => &[(limits.office_copies_per_hour, HOUR)],
            Budget::Unconfirmed | Budget::Known | Budget::Receipt | Budget::Security | Budget::Free => {
                &[(limits.recipient_per_hour, HOUR), (limits.recipient_per_day, DAY)]
            }
        };
        // Written in the future by a clock that was put back since, an e-mail counts no more.
        let mut select = connection.prepare_cached(
            "select charged_at from outbox
             where mailbox = :mailbox and kind = :kind and topic = :topic and charged_at > :since
                 and created_at <= :now
             order by charged_at desc limit 1 offset :skip",
        )?;
        let mut room = now;
        for (count, window) in limits {
            let mut rows = select.query(named_params! {
                ":mailbox": self.mailbox, ":kind": self.kind, ":topic": self.topic,
                ":since": now - window, ":now": now, ":skip": count - 1,
            })?;
            if let Some(row) = rows.next()? {
                room = room.max(row.get::<_, i64>(0)? + window);
            }
        }
        Ok(room)
    }

    fn account_has_room(&self, connection: &Connection, limits: &config::Mail, now: i64) -> Result<i64> {
        let Some(account) = self.account() else { return Ok(now) };
        let mut select = connection.prepare_cached(
            "select charged_at from outbox
             where caused_by = :account and charged_at > :since and created_at <= :now
             order by charged_at desc limit 1 offset :skip",
        )?;
        let mut rows = select.query(named_params! {
            ":account": account, ":since": now - DAY, ":now": now, ":skip": limits.account_per_day - 1,
        })?;
        Ok(match rows.next()? {
            Some(row) => row.get::<_, i64>(0)? + DAY,
            None => now,
        })
    }
}

/// The first moment from now on at which fewer e-mails left within a day than may.
fn school_has_room(connection: &Connection, budget: Budget, limits: &config::Mail, now: i64) -> Result<i64> {
    let hours = accepted_by_hour(connection, now)?;
    let max = i64::from(limits.strangers_per_day);
    for hour in (now / HOUR)..=(now / HOUR + 24) {
        let in_a_day = |wanted: fn(Budget) -> bool| -> i64 {
            let counted = hours.iter().filter(|((at, kind), _)| *at > hour - 24 && wanted(*kind));
            counted.map(|(_, count)| count).sum()
        };
        let is_full = in_a_day(Budget::is_shared) >= max
            || (budget == Budget::Unconfirmed
                && in_a_day(|kind| kind == Budget::Unconfirmed) >= (max + 1) / 2);
        if !is_full {
            return Ok(now.max(hour * HOUR));
        }
    }
    Ok(now + 2 * DAY)
}

/// E-mails that were accepted in the last day, and those that wait for an hour to come.
fn accepted_by_hour(connection: &Connection, now: i64) -> Result<Vec<((i64, Budget), i64)>> {
    let mut select = connection.prepare_cached(
        "select hour, kind, count from mail_hours
         where hour > :hour - 24 and hour <= :hour + 24 and outcome = 'accepted'",
    )?;
    let mut rows = select.query(named_params! { ":hour": now / HOUR })?;
    let mut hours = Vec::new();
    while let Some(row) = rows.next()? {
        let kind: Kind = row.get("kind")?;
        hours.push(((row.get("hour")?, kind.budget()), row.get("count")?));
    }
    Ok(hours)
}

/// Counts an e-mail that was accepted, in the hour in which it leaves.
pub(super) fn count_accepted(connection: &Connection, charge: &Charge<'_>, at: i64) -> Result<()> {
    let outcome = if charge.cause == Cause::Office { CountedAs::Office } else { CountedAs::Accepted };
    count(connection, charge.kind, outcome, at)
}

/// Counts an e-mail that is not sent, and says so in the log.
pub(super) fn count_refused(connection: &Connection, kind: Kind, limit: Limit, now: Timestamp) -> Result<()> {
    security_log::note_unsent(kind.as_str(), limit.as_str());
    count(connection, kind, limit.into(), now.as_second())
}

fn count(connection: &Connection, kind: Kind, outcome: CountedAs, at: i64) -> Result<()> {
    connection
        .prepare_cached(
            "insert into mail_hours (hour, kind, outcome, count) values (:hour, :kind, :outcome, 1)
             on conflict do update set count = count + 1",
        )?
        .execute(named_params! { ":hour": at / HOUR, ":kind": kind, ":outcome": outcome })?;
    Ok(())
}

/// Forgets the counts of days long past.
pub(super) fn sweep(connection: &Connection, now: Timestamp) -> Result<usize> {
    Ok(connection
        .prepare_cached("delete from mail_hours where hour < :hour")?
        .execute(named_params! { ":hour": now.as_second() / HOUR - COUNTS_KEPT })?)
}

/// The mailbox that an address reaches, as far as its spelling tells: everywhere without what follows
/// a plus sign, and at Google, which ignores them, without dots. Nobody's identity depends on it.
fn mailbox(address: &Email) -> String {
    let (local, domain) = address.as_str().rsplit_once('@').unwrap_or((address.as_str(), ""));
    // "+tag@" alone is an address of its own.
    let local = local.split_once('+').map_or(local, |(user, _)| if user.is_empty() { local } else { user });
    match domain {
        "gmail.com" | "googlemail.com" => format!("{}@gmail.com", local.replace('.', "")),
        _ => format!("{local}@{domain}"),
    }
}

#[cfg(test)]
mod tests;
