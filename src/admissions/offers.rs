//! The table `admission_offers`: a place that is offered, on terms that are never edited. A request has one standing
//! offer at most; a new one takes its place.

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _};
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::error::Result;
use crate::base::money::Money;
use crate::money::ledger::{self, ChargedFor, FeePart};
use crate::storage::statements::{Statements, from_row, params};

/// An offer as the family and the office read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdmissionOffer {
    /// Number of the offer.
    pub id: i64,
    /// The fee, in dollars.
    #[schema(value_type = f64)]
    pub fee_due: Money,
    /// What of it is due first; null if nothing is.
    #[schema(value_type = Option<f64>, required)]
    pub deposit: Option<Money>,
    /// By when; null where that is the day of the acceptance.
    #[schema(required)]
    pub deposit_due_on: Option<Date>,
    /// By when the fee is due, or what the deposit leaves of it; null if nothing is left.
    #[schema(required)]
    pub fee_due_on: Option<Date>,
    /// The last day on which it can be accepted.
    pub expires_on: Date,
    /// What has to be met.
    #[schema(required)]
    pub conditions: Option<String>,
    /// What is agreed to by accepting it.
    pub agreement: String,
    /// The version of that text.
    pub text_version_id: i64,
    /// When the family accepted it.
    #[schema(required)]
    pub accepted_at: Option<Timestamp>,
    /// The name that was typed then.
    #[schema(required)]
    pub accepted_name: Option<String>,
    /// Why the family declined it.
    #[schema(required)]
    pub decline_reason: Option<String>,
    /// Whether it can be accepted, up to its last day.
    pub is_standing: bool,
}

from_row!(AdmissionOffer {
    id,
    fee_due,
    deposit,
    deposit_due_on,
    fee_due_on,
    expires_on,
    conditions,
    agreement,
    text_version_id,
    accepted_at,
    accepted_name,
    decline_reason,
    is_standing,
});

const SELECT: &str = "select o.id, o.fee_due_cents as fee_due, o.deposit_cents as deposit, o.deposit_due_on, \
    o.fee_due_on, o.expires_on, o.conditions, t.body as agreement, o.text_version_id, o.accepted_at, o.accepted_name, \
    o.decline_reason, o.ended_at is null and o.accepted_at is null as is_standing \
    from admission_offers o join texts t on t.id = o.text_version_id";

/// A validated offer.
#[derive(Debug, Clone)]
pub struct NewOffer {
    /// The fee.
    pub fee_due: Money,
    /// What of it is due first.
    pub deposit: Option<Money>,
    /// By when; `None`: on the day of the acceptance.
    pub deposit_due_on: Option<Date>,
    /// By when the fee is due, or what the deposit leaves of it; `None` if nothing is left.
    pub fee_due_on: Option<Date>,
    /// The last day on which it can be accepted.
    pub expires_on: Date,
    /// What has to be met.
    pub conditions: Option<String>,
    /// The version of the agreement.
    pub text_version_id: i64,
}

/// The fee in the parts in which it is due: the deposit with its day, and the rest.
pub fn parts(
    fee_due: Money,
    deposit: Option<(Money, Option<Date>)>,
    fee_due_on: Option<Date>,
) -> Vec<FeePart> {
    let asked = deposit.map_or(0, |(amount, _)| amount.cents());
    let deposit = deposit.map(|(amount, due_on)| FeePart { item: ChargedFor::Deposit, amount, due_on });
    let amount = Money::from_cents(fee_due.cents() - asked);
    let rest = FeePart { item: ChargedFor::Admission, amount, due_on: fee_due_on };
    deposit.into_iter().chain((amount.cents() > 0).then_some(rest)).collect()
}

impl NewOffer {
    /// The fee in the parts in which it is due.
    pub fn parts(&self) -> Vec<FeePart> {
        parts(self.fee_due, self.deposit.map(|deposit| (deposit, self.deposit_due_on)), self.fee_due_on)
    }
}

impl AdmissionOffer {
    /// The fee in the parts in which it is due.
    pub fn parts(&self) -> Vec<FeePart> {
        parts(self.fee_due, self.deposit.map(|deposit| (deposit, self.deposit_due_on)), self.fee_due_on)
    }

    /// The same as charged on the day of the acceptance; `due_days` count from it where an earlier version of the program
    /// promised no day.
    pub fn charges(&self, accepted_on: Date, due_days: u32) -> Vec<FeePart> {
        let mut parts = self.parts();
        let mut earliest = accepted_on;
        for part in &mut parts {
            let day = match part.item {
                ChargedFor::Deposit => accepted_on,
                _ => accepted_on.saturating_add(i64::from(due_days).days()).max(earliest),
            };
            earliest = *part.due_on.get_or_insert(day);
        }
        parts
    }
}

/// The fee of an application in the parts in which it is due: as the ledger has it once the offer is accepted, as the
/// offer promises it before.
pub fn parts_of(
    connection: &Connection,
    request_id: i64,
    offer: Option<&AdmissionOffer>,
) -> Result<Vec<FeePart>> {
    let sql = "select id from admissions where request_id = :request_id";
    match connection.find(sql, params![request_id])? {
        Some(admission) => ledger::parts_of_admission(connection, admission),
        None => Ok(offer.map(AdmissionOffer::parts).unwrap_or_default()),
    }
}

/// The standing or accepted offer of a request, or the last one.
pub fn latest(connection: &Connection, request_id: i64) -> Result<Option<AdmissionOffer>> {
    connection.find(
        &format!(
            "{SELECT} where o.request_id = :request_id and o.taken_back_at is null order by o.id desc limit 1"
        ),
        params![request_id],
    )
}

/// Finds an offer.
pub fn find(connection: &Connection, id: i64) -> Result<Option<AdmissionOffer>> {
    connection.find(&format!("{SELECT} where o.id = :id"), params![id])
}

/// The request that an offer is for.
pub fn request_of(connection: &Connection, id: i64) -> Result<i64> {
    connection.one("select request_id from admission_offers where id = :id", params![id])
}

/// Records that the family was reminded of the last day.
pub fn note_reminded(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    let sql = "update admission_offers set reminded_at = :now where id = :id";
    connection.run(sql, params![id, now = now.as_second()])
}

/// Stores an offer in the place of the standing one, and returns both numbers.
pub fn insert(
    connection: &Connection,
    request_id: i64,
    new: &NewOffer,
    now: Timestamp,
) -> Result<(i64, Option<i64>)> {
    let sql = "update admission_offers set ended_at = :now
        where request_id = :request_id and ended_at is null returning id";
    let superseded: Option<i64> = connection.find(sql, params![request_id, now = now.as_second()])?;
    let sql = "insert into admission_offers (request_id, fee_due_cents, deposit_cents, deposit_due_on, fee_due_on, expires_on,
            conditions, text_version_id, sent_at)
        values (:request_id, :fee_due, :deposit, :deposit_due_on, :fee_due_on, :expires_on, :conditions, :text_version_id, :now)";
    let values = params! {
        request_id, fee_due = new.fee_due, deposit = new.deposit,
        deposit_due_on = new.deposit_due_on.map(|day| day.to_string()),
        fee_due_on = new.fee_due_on.map(|day| day.to_string()), expires_on = new.expires_on.to_string(),
        conditions = new.conditions, text_version_id = new.text_version_id, now = now.as_second(),
    };
    let id = connection.insert(sql, values)?;
    let sql = "update admission_offers set superseded_by = :id where id = :superseded";
    connection.run(sql, params![id, superseded])?;
    Ok((id, superseded))
}

/// Records that an offer was accepted under this name.
pub fn accept(connection: &Connection, id: i64, name: &str, now: Timestamp) -> Result<()> {
    let sql = "update admission_offers set accepted_at = :now, accepted_name = :name where id = :id";
    connection.run(sql, params![id, name, now = now.as_second()])
}

/// Ends the standing offer of a request, and returns its number.
pub fn end(connection: &Connection, request_id: i64, now: Timestamp) -> Result<Option<i64>> {
    let sql = "update admission_offers set ended_at = :now
        where request_id = :request_id and ended_at is null and accepted_at is null returning id";
    connection.find(sql, params![request_id, now = now.as_second()])
}

/// Records that the family declined an offer.
pub fn note_declined(connection: &Connection, id: i64, reason: Option<&str>, now: Timestamp) -> Result<()> {
    let sql = "update admission_offers set declined_at = :now, decline_reason = :reason where id = :id";
    connection.run(sql, params![id, reason, now = now.as_second()])
}

/// Has an offer stand again whose end is taken back.
pub fn restore(connection: &Connection, id: i64) -> Result<()> {
    let sql = "update admission_offers set ended_at = null, superseded_by = null where id = :id";
    connection.run(sql, params![id])
}

/// Takes an offer back that the family was not told of, and has the one stand again whose place it took.
pub fn take_back(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    let sql = "update admission_offers set ended_at = :now, taken_back_at = :now where id = :id";
    connection.run(sql, params![id, now = now.as_second()])?;
    let sql = "update admission_offers set ended_at = null, superseded_by = null where superseded_by = :id";
    connection.run(sql, params![id])
}
