//! The mail budget: how many e-mails people who are not staff can have the school send.
//!
//! Anybody can type anybody's address, so what the school sends at a stranger's wish is limited: for
//! each mailbox and kind, for each account that causes it, for each [`Asker`], and for the school in a
//! day, of which each [`MailBudget`] has a share. It is counted in the outbox itself, so that a restart
//! forgets nothing. What exceeds a limit is not sent, or waits its turn where its reader must hear of it
//! in the end; the answer is the same. What the office causes is never limited.
//!
//! What lets a person in is counted apart for each asker, so that others cannot use it up for a mailbox.
//! All of them together cannot flood it either: beyond a number in a day it gets one an hour, which is as
//! long as a link to a new password works, so that there always is one that does.

use jiff::Timestamp;
use rusqlite::{Connection, named_params};

use super::kind::{Kind, MailBudget};
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::email::Email;
use crate::base::error::Result;
use crate::base::security_log;
use crate::config::{self, Config};
use crate::storage::statements::from_row;

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;
/// Of what the others left of a share, one asker gets this part.
const ASKERS_PART: i64 = 10;
/// What one asker gets in any case while there is anything left: a family that mistypes an address.
const MIN_PER_ASKER: i64 = 3;
/// Hours for which the counts are kept, as long as sent e-mails are.
const COUNTS_KEPT: i64 = 90 * 24;

/// Who causes an e-mail, and so whose budget pays for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A member of the staff, the command line or the program itself; never limited.
    Office,
    /// Somebody who is not signed in.
    Visitor(Asker),
    /// The student with this number, signed in.
    Student(i64),
}

/// Who asks without being signed in, as far as they are told apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asker {
    /// A keyed hash of the address block, or of the account where the browser is known for it. None where no
    /// address is known.
    pub key: Option<[u8; 16]>,
    /// Whether the browser is known for the account that the e-mail is about.
    pub is_owner: bool,
}

from_row!(Asker { key = "asker", is_owner });

/// What became of an e-mail that was to be queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueOutcome {
    /// It is queued, or takes the place of one that waits: its number.
    Accepted(i64),
    /// A budget is used up: it is not sent.
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
    /// Which limit was reached.
    pub enum Limit {
        /// Too many of a kind for one mailbox.
        Recipient = "recipient",
        /// Too many by one student's account.
        Account = "account",
        /// Too much of the day for one address block.
        Block = "block",
        /// The kind's share of the school's day is used up.
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
        /// Not sent, because of [`Limit::Block`].
        Block = "block",
        /// Not sent, because of [`Limit::School`].
        School = "school",
    }
}

impl From<Limit> for CountedAs {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Recipient => Self::Recipient,
            Limit::Account => Self::Account,
            Limit::Block => Self::Block,
            Limit::School => Self::School,
        }
    }
}

/// An e-mail as the budget sees it.
#[derive(Debug)]
pub(super) struct BudgetRequest<'a> {
    pub(super) kind: Kind,
    pub(super) mailbox: String,
    pub(super) topic: &'a str,
    pub(super) cause: Cause,
}

impl<'a> BudgetRequest<'a> {
    pub(super) fn new(kind: Kind, to: &Email, topic: &'a str, cause: Cause) -> Self {
        // Where nothing waits there are no topics: words that vary must not lift a limit.
        let topic = if kind.budget().delays() { topic } else { "" };
        Self { kind, mailbox: mailbox(to), topic, cause }
    }

    /// Whether any limit holds.
    pub(super) fn is_limited(&self) -> bool {
        self.cause != Cause::Office && self.kind.budget() != MailBudget::Free
    }

    /// The account whose budget pays, if one does.
    pub(super) fn account(&self) -> Option<i64> {
        match self.cause {
            Cause::Student(id) if self.kind.budget().share().is_some() => Some(id),
            Cause::Office | Cause::Visitor(_) | Cause::Student(_) => None,
        }
    }

    /// Who asks, where nobody is signed in.
    pub(super) fn asker(&self) -> Asker {
        match self.cause {
            Cause::Visitor(asker) => asker,
            Cause::Office | Cause::Student(_) => Asker::default(),
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

    fn mailbox_has_room(&self, connection: &Connection, limits: &config::Mail, now: i64) -> Result<i64> {
        let budget = self.kind.budget();
        let for_one = [(limits.recipient_per_hour, HOUR), (limits.recipient_per_day, DAY)];
        if !budget.lets_in() {
            let copies = [(limits.office_copies_per_hour, HOUR)];
            let limits: &[_] = if budget == MailBudget::Inbox { &copies } else { &for_one };
            return self.room_by(connection, limits, Askers::All, now);
        }
        let room = self.room_by(connection, &for_one, Askers::This, now)?;
        if self.asker().is_owner {
            return Ok(room);
        }
        let in_all = self.room_by(connection, &[(limits.recipient_in_all_per_day, DAY)], Askers::All, now)?;
        let next = self.room_by(connection, &[(1, HOUR)], Askers::All, now)?;
        Ok(room.max(in_all.min(next)))
    }

    /// When fewer e-mails of the kind to the mailbox are in each window than may be.
    fn room_by(
        &self,
        connection: &Connection,
        limits: &[(u32, i64)],
        askers: Askers,
        now: i64,
    ) -> Result<i64> {
        // Written in the future by a clock that was put back since, an e-mail counts no more.
        let mut select = connection.prepare_cached(
            "select charged_at from outbox
             where mailbox = :mailbox and kind = :kind and topic = :topic and charged_at > :since
                 and created_at <= :now and (:of_all or asker is :asker)
             order by charged_at desc limit 1 offset :skip",
        )?;
        let mut room = now;
        for (count, window) in limits {
            let mut rows = select.query(named_params! {
                ":mailbox": self.mailbox, ":kind": self.kind, ":topic": self.topic,
                ":since": now - window, ":now": now, ":skip": count - 1,
                ":of_all": askers == Askers::All, ":asker": self.asker().key,
            })?;
            if let Some(row) = rows.next()? {
                room = room.max(row.get::<_, i64>(0)? + window);
            }
        }
        Ok(room)
    }

    /// Whether one asker leaves enough of the share to the others: a flood from one place has a tenth of it, one
    /// from two places a fifth, and who has not asked yet always gets something of the rest.
    fn asker_has_room(&self, connection: &Connection, day: &DailyUsage, now: i64) -> Result<i64> {
        let Some(asker) = self.asker().key else { return Ok(now) };
        let mut select = connection.prepare_cached(
            "select kind, count(*) from outbox
             where asker = :asker and charged_at > :since and created_at <= :now group by kind",
        )?;
        let mut rows = select.query(named_params! { ":asker": asker, ":since": now - DAY, ":now": now })?;
        let mut own = 0;
        while let Some(row) = rows.next()? {
            let kind: Kind = row.get(0)?;
            if kind.budget() == self.kind.budget() {
                own += row.get::<_, i64>(1)?;
            }
        }
        let left_by_others = day.share - (day.used(now / HOUR) - own).max(0);
        let is_full = own >= (left_by_others / ASKERS_PART).max(MIN_PER_ASKER);
        // The least of the waits, so that it is counted as the reason only where it is the only one.
        Ok(if is_full { now + 1 } else { now })
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

/// Whose e-mails are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Askers {
    This,
    All,
}

/// What a budget may send in a day, and what it sends in each hour of two.
struct DailyUsage {
    share: i64,
    hours: Vec<(i64, i64)>,
}

impl DailyUsage {
    /// What left in the day that ends with this hour, and what waits for a later one.
    fn used(&self, hour: i64) -> i64 {
        self.hours.iter().filter(|(at, _)| *at > hour - 24).map(|(_, count)| count).sum()
    }

    /// The first moment from now on at which fewer e-mails left within a day than may.
    fn has_room(&self, now: i64) -> i64 {
        let mut hours = (now / HOUR)..=(now / HOUR + 24);
        hours.find(|hour| self.used(*hour) < self.share).map_or(now + 2 * DAY, |hour| now.max(hour * HOUR))
    }
}

/// E-mails of a budget that were accepted in the last day, and those that wait for an hour to come.
fn accepted_by_hour(connection: &Connection, budget: MailBudget, now: i64) -> Result<Vec<(i64, i64)>> {
    let mut select = connection.prepare_cached(
        "select hour, kind, count from mail_hours
         where hour > :hour - 24 and hour <= :hour + 24 and outcome = 'accepted'",
    )?;
    let mut rows = select.query(named_params! { ":hour": now / HOUR })?;
    let mut hours = Vec::new();
    while let Some(row) = rows.next()? {
        let kind: Kind = row.get("kind")?;
        if kind.budget() == budget {
            hours.push((row.get("hour")?, row.get("count")?));
        }
    }
    Ok(hours)
}

/// Counts an e-mail that was accepted, in the hour in which it leaves.
pub(super) fn count_accepted(connection: &Connection, charge: &BudgetRequest<'_>, at: i64) -> Result<()> {
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

/// Forgets the counts of days long past, and who asked for what left more than a day ago.
pub(super) fn sweep(connection: &Connection, now: Timestamp) -> Result<usize> {
    connection
        .prepare_cached(
            "update outbox indexed by outbox_asked set asker = null
             where asker is not null and charged_at <= :before",
        )?
        .execute(named_params! { ":before": now.as_second() - DAY })?;
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
