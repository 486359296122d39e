//! The table `retention_proposals`: expired items, until an admin confirms or holds them.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::RetentionClass;
use super::due::{self, DueItem};
use crate::base::closed_set::ClosedSet;
use crate::base::error::Result;
use crate::storage::statements::{Statements, from_row, params};
use crate::web::id::numbered;

/// Items of a class shown before an admin confirms.
const SAMPLE: i64 = 10;

/// Proposals of one class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposedClass {
    /// Class of data.
    pub class: RetentionClass,
    /// Number of items to be deleted.
    pub count: i64,
    /// Number of these requested by their student.
    pub asked: i64,
    /// Due date of the oldest.
    #[schema(required)]
    pub oldest_due_on: Option<Date>,
    /// A sample: requested ones first, then the oldest.
    pub sample: Vec<Proposal>,
    /// Items on hold.
    pub held: Vec<Proposal>,
}

/// A proposed deletion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// Id of the proposal.
    pub id: i64,
    /// Name of the item.
    #[schema(required)]
    pub about: Option<String>,
    /// Id of the student it belongs to.
    #[schema(required)]
    pub student_id: Option<i64>,
    /// Date since which it may be deleted.
    pub due_on: Date,
    /// Whether its student requested it.
    pub is_asked: bool,
    /// When it was put on hold.
    #[schema(required)]
    pub held_at: Option<Timestamp>,
    /// Reason for the hold.
    #[schema(required)]
    pub held_reason: Option<String>,
}

numbered!(Proposal, "Proposal");

/// Adds a proposal; an existing one is kept, but may become requested by its student.
pub(super) fn insert(
    connection: &Connection,
    class: RetentionClass,
    found: &DueItem,
    is_asked: bool,
    now: Timestamp,
) -> Result<usize> {
    let sql = "insert into retention_proposals (class, object_id, student_id, due_on, is_asked, proposed_at)
        values (:class, :object_id, :student_id, :due_on, :is_asked, :now)
        on conflict (class, object_id) do update set is_asked = 1 where excluded.is_asked > is_asked";
    let values = params! {
        class, object_id = found.object_id, student_id = found.student_id, due_on = found.due_on, is_asked,
        now = now.as_second(),
    };
    connection.change(sql, values)
}

/// Adds new proposals and withdraws earlier ones that are no longer due, because a student returned or a rule was
/// changed. Items on hold or requested stay.
pub(super) fn replace(
    connection: &Connection,
    class: RetentionClass,
    found: &[DueItem],
    now: Timestamp,
) -> Result<usize> {
    let due: BTreeSet<i64> = found.iter().map(|due| due.object_id).collect();
    let sql = "select id, object_id from retention_proposals
        where class = :class and held_at is null and is_asked = 0";
    let before: Vec<(i64, i64)> = connection.list(sql, params![class])?;
    for (id, _) in before.iter().filter(|(_, object_id)| !due.contains(object_id)) {
        remove(connection, *id)?;
    }
    found.iter().map(|due| insert(connection, class, due, false, now)).sum()
}

/// Deletes a proposal that was executed or is no longer due.
pub(super) fn remove(connection: &Connection, id: i64) -> Result<()> {
    connection.run("delete from retention_proposals where id = :id", params![id])
}

/// All classes with proposals or holds.
pub(super) fn list(connection: &Connection) -> Result<Vec<ProposedClass>> {
    let mut all = Vec::new();
    for class in RetentionClass::ALL.iter().copied() {
        let sql = "select count(*), coalesce(sum(is_asked), 0), min(due_on) from retention_proposals
            where class = :class and held_at is null";
        let (count, asked, oldest_due_on) = connection.one(sql, params![class])?;
        let sample = some(connection, class, "held_at is null order by is_asked desc, due_on, id", SAMPLE)?;
        let held = some(connection, class, "held_at is not null order by held_at desc, id", -1)?;
        if count > 0 || !held.is_empty() {
            all.push(ProposedClass { class, count, asked, oldest_due_on, sample, held });
        }
    }
    Ok(all)
}

fn some(connection: &Connection, class: RetentionClass, which: &str, limit: i64) -> Result<Vec<Proposal>> {
    let sql = format!(
        "select object_id, id, null as about, student_id, due_on, is_asked, held_at, held_reason
         from retention_proposals where class = :class and {which} limit :limit"
    );
    let mut found = connection.list(&sql, params![class, limit])?;
    for NamedProposal { object_id, proposal } in &mut found {
        proposal.about = due::name(connection, class, *object_id)?;
    }
    Ok(found.into_iter().map(|named| named.proposal).collect())
}

struct NamedProposal {
    object_id: i64,
    proposal: Proposal,
}

from_row!(NamedProposal { object_id } and proposal);
from_row!(Proposal { id, about, student_id, due_on, is_asked, held_at, held_reason });

/// Ids of the proposals to execute, each with its item's id.
pub(super) fn waiting(connection: &Connection, class: RetentionClass) -> Result<Vec<(i64, i64)>> {
    let sql =
        "select id, object_id from retention_proposals where class = :class and held_at is null order by id";
    connection.list(sql, params![class])
}

/// For a proposal that can still be executed: whether its student requested it, and the student's id.
pub(super) fn waits(connection: &Connection, id: i64) -> Result<Option<(bool, Option<i64>)>> {
    let sql = "select is_asked, student_id from retention_proposals where id = :id and held_at is null";
    connection.find(sql, params![id])
}

/// Why a proposal is on hold.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProposalHold<'a> {
    /// Id of the staff member who put it on hold.
    pub(super) by: i64,
    /// Reason.
    pub(super) reason: &'a str,
}

/// Puts a proposal on hold with a reason, or releases it without one; false if it does not exist.
pub(super) fn hold(
    connection: &Connection,
    id: i64,
    hold: Option<ProposalHold<'_>>,
    now: Timestamp,
) -> Result<bool> {
    let at = hold.map(|_| now.as_second());
    let by = hold.map(|hold| hold.by);
    let reason = hold.map(|hold| hold.reason);
    let sql =
        "update retention_proposals set held_at = :at, held_by = :by, held_reason = :reason where id = :id";
    let changed = connection.change(sql, params![id, at, by, reason])?;
    Ok(changed > 0)
}
