//! Confirmation by a parent or guardian of a student under 18, recorded by the office. It applies to that guardian and
//! the requests at that time: a changed name or contact voids it, and a later request needs a new one.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::history::{self, HistoryChange};
use super::{Student, age, emails};
use crate::audit::{self, Actor, By};
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::email::Email;
use crate::base::error::Result;
use crate::config::Config;
use crate::mail::{self, Cause};
use crate::storage::statements::{Statements, from_row, params};

closed_set! {
    /// How a parent or guardian confirmed.
    pub enum GuardianHow {
        /// On the phone.
        Phone = "phone",
        /// With a signature.
        Paper = "paper",
        /// At the office.
        InPerson = "in_person",
        /// In an email.
        Email = "email",
    }
}

/// A recorded confirmation.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct GuardianConfirmation {
    /// When it was recorded.
    pub at: Timestamp,
    /// Username of the staff member who recorded it.
    #[schema(required)]
    pub by: Option<String>,
    /// Way of confirming.
    pub how: GuardianHow,
}

/// The recorded confirmation.
pub fn confirmation(connection: &Connection, student_id: i64) -> Result<Option<GuardianConfirmation>> {
    let sql = "select s.guardian_confirmed_at, s.guardian_confirmed_how, u.username
        from students s left join users u on u.id = s.guardian_confirmed_by
        where s.id = :id and s.guardian_confirmed_at is not null";
    connection.find(sql, params![id = student_id])
}

from_row!(GuardianConfirmation {
    at = "guardian_confirmed_at", by = "username", how = "guardian_confirmed_how",
});

/// Records a confirmation; `by` is the staff member's id and actor.
pub fn confirm(
    connection: &Connection,
    id: i64,
    how: GuardianHow,
    by: (i64, &Actor),
    now: Timestamp,
) -> Result<()> {
    note(connection, id, Some((how, by.0)), now)?;
    record(connection, by, id, Some(how), now)
}

/// Revokes a confirmation, or acknowledges a changed guardian who has not confirmed.
pub fn take_back(connection: &Connection, id: i64, by: (i64, &Actor), now: Timestamp) -> Result<()> {
    if confirmation(connection, id)?.is_some() {
        record(connection, by, id, None, now)?;
    } else {
        audit::record(connection, by.1, "see changed guardian", "student", id, serde_json::json!({}), now)?;
    }
    note(connection, id, None, now)
}

/// Whether a confirmation is needed: there is none, or the guardian or the requests have changed since.
pub fn is_outstanding(connection: &Connection, id: i64) -> Result<bool> {
    let sql = "select s.guardian_confirmed_at is null or s.guardian_changed_at is not null
            or exists (select 1 from enrollments e
                where e.student_id = s.id and e.id > s.guardian_confirmed_through)
        from students s where s.id = :id";
    connection.one(sql, params![id])
}

/// Whether the office has not reviewed a changed guardian.
pub fn is_changed(connection: &Connection, id: i64) -> Result<bool> {
    connection.one("select guardian_changed_at is not null from students where id = :id", params![id])
}

/// Voids the confirmation of a replaced guardian. For a student under 18 it is listed among the identity changes, and
/// the replaced guardian is notified if the contact is an email address.
pub fn void_if_replaced(
    connection: &Connection,
    by: By,
    (before, after): (&Student, &Student),
    config: &Config,
    now: Timestamp,
) -> Result<()> {
    let guardian =
        |student: &Student| (student.profile.parent_name.clone(), student.profile.parent_contact.clone());
    if guardian(before) == guardian(after) {
        return Ok(());
    }
    let Some(confirmed) = confirmation(connection, before.id)? else {
        let sql = "update students set guardian_changed_at = :now
            where id = :id and guardian_changed_at is not null";
        connection.run(sql, params![id = before.id, now = now.as_second()])?;
        return Ok(());
    };
    let how = Some(confirmed.how.as_str());
    let reason = Some("The parent or guardian was changed");
    let change = HistoryChange { field: "guardianConfirmed", before: how, after: None, reason };
    history::add(connection, before.id, by, change, now)?;
    note(connection, before.id, None, now)?;
    let today = now.to_zoned(config.school().zone()).date();
    if !age::is_minor(after.profile.date_of_birth, today) {
        return Ok(());
    }
    let sql = "update students set guardian_changed_at = :now where id = :id";
    connection.run(sql, params![id = before.id, now = now.as_second()])?;
    let Some(Ok(to)) = before.profile.parent_contact.as_deref().map(Email::parse) else { return Ok(()) };
    let cause = if by == By::Student { Cause::Student(before.id) } else { Cause::Office };
    let email = emails::guardian_replaced(&to, before, config);
    mail::outbox::enqueue(connection, &email, cause, config, now).map(drop)
}

fn note(
    connection: &Connection,
    id: i64,
    confirmed: Option<(GuardianHow, i64)>,
    now: Timestamp,
) -> Result<()> {
    let (how, user_id) = confirmed.unzip();
    let sql = "update students set guardian_confirmed_at = iif(:how is null, null, :now),
            guardian_confirmed_by = :user_id, guardian_confirmed_how = :how, guardian_changed_at = null,
            guardian_confirmed_through = iif(:how is null, null,
                (select coalesce(max(id), 0) from enrollments where student_id = :id))
        where id = :id";
    connection.run(sql, params![id, how, user_id, now = now.as_second()])
}

fn record(
    connection: &Connection,
    (user_id, actor): (i64, &Actor),
    id: i64,
    how: Option<GuardianHow>,
    now: Timestamp,
) -> Result<()> {
    let before = confirmation(connection, id)?.map(|before| before.how.as_str());
    let after = how.map(GuardianHow::as_str);
    let (before, after) = if how.is_some() { (None, after) } else { (before, None) };
    let change = HistoryChange { field: "guardianConfirmed", before, after, reason: None };
    history::add(connection, id, By::Staff(user_id), change, now)?;
    let action = if how.is_some() { "confirm guardian" } else { "take back guardian" };
    let detail = serde_json::json!({ "how": how });
    audit::record(connection, actor, action, "student", id, detail, now)
}
