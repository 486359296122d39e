//! The table `confirmations`: what a parent or guardian confirmed for a student under 18. On the family page they
//! confirm one course or the school year in which it begins; the office records what it heard for the requests of that
//! day. A changed name or contact of the guardian, or a stop, voids a confirmation; its row stays.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::guardians::store::Guardian;
use super::history::{self, HistoryChange};
use super::{Student, age, emails, names};
use crate::audit::{self, ActingStaff, By};
use crate::base::change::Change;
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::contact::Contact;
use crate::base::email::Email;
use crate::base::error::Result;
use crate::config::{Config, Office};
use crate::mail::{self, Cause};
use crate::storage::statements::{Statements, from_row, params};

closed_set! {
    /// How a parent or guardian confirmed.
    pub enum GuardianHow {
        /// On the family page.
        Link = "link",
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

/// A confirmation that stands.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct GuardianConfirmation {
    /// When it was given or recorded.
    pub at: Timestamp,
    /// Username of the staff member who recorded it; null for one given on the family page.
    #[schema(required)]
    pub by: Option<String>,
    /// Way of confirming.
    pub how: GuardianHow,
    /// The name as typed, or else the guardian's.
    #[schema(required)]
    pub name: Option<String>,
    /// Last day of the school year that it covers; null for one about courses.
    #[schema(required)]
    pub until: Option<Date>,
}

const SELECT: &str = "select k.at, k.how, u.username, k.until, coalesce(k.name_typed, g.name) as name
    from confirmations k left join users u on u.id = k.user_id left join guardians g on g.id = k.guardian_id";

/// The newest confirmation of a student that stands.
pub fn newest(connection: &Connection, student_id: i64) -> Result<Option<GuardianConfirmation>> {
    let sql = format!(
        "{SELECT} where k.student_id = :student_id and k.void_at is null order by k.at desc, k.id desc limit 1"
    );
    connection.find(&sql, params![student_id])
}

/// The newest one of a guardian that stands.
pub fn newest_of(connection: &Connection, guardian_id: i64) -> Result<Option<GuardianConfirmation>> {
    let sql = format!(
        "{SELECT} where k.guardian_id = :guardian_id and k.void_at is null order by k.at desc, k.id desc limit 1"
    );
    connection.find(&sql, params![guardian_id])
}

from_row!(GuardianConfirmation { at, by = "username", how, name, until });

/// SQL: the confirmation `k` stands and covers a request.
fn covers(request: &str) -> String {
    format!(
        "k.void_at is null and (k.enrollment_id = {request}.id or k.through_id >= {request}.id
             or k.until >= {request}.start_date and date(k.until, '-1 year') < {request}.start_date)"
    )
}

/// SQL: a confirmation that is still needed for a request of the student `s` is missing. Where the school asks every
/// guardian, each one but an agency has to confirm.
pub fn is_missing(request: &str, office: &Office) -> String {
    let covers = covers(request);
    let by_none = format!(
        "not exists (select 1 from confirmations k indexed by confirmations_student
             where k.student_id = s.id and {covers})"
    );
    if !office.asks_every_guardian() {
        return by_none;
    }
    format!(
        "({by_none} or exists (select 1 from guardians u indexed by guardians_student
             where u.student_id = s.id and u.stopped_at is null and u.relationship is not 'agency'
                 and not exists (select 1 from confirmations k indexed by confirmations_guardian
                     where k.guardian_id = u.id and {covers})))"
    )
}

/// SQL: the guardian `u` has confirmed a request.
pub fn is_by_guardian(request: &str) -> String {
    format!(
        "exists (select 1 from confirmations k indexed by confirmations_guardian
             where k.guardian_id = u.id and {})",
        covers(request)
    )
}

/// Records what the office heard from a guardian, or from one who is not named. It covers every request that there is.
pub fn record(
    connection: &Connection,
    id: i64,
    how: GuardianHow,
    guardian_id: Option<i64>,
    by: ActingStaff<'_>,
    now: Timestamp,
) -> Result<()> {
    let sql = "update confirmations set void_at = :now, void_why = 'recorded again'
        where student_id = :id and guardian_id is :guardian_id and through_id is not null and void_at is null";
    connection.run(sql, params![id, guardian_id, now = now.as_second()])?;
    let sql = "insert into confirmations (student_id, guardian_id, through_id, how, user_id, at)
        values (:id, :guardian_id, (select coalesce(max(id), 0) from enrollments where student_id = :id), :how,
            :user_id, :now)";
    connection.run(sql, params![id, guardian_id, how, user_id = by.id, now = now.as_second()])?;
    see_changes(connection, id)?;
    let change = Change { before: None, after: Some(how) };
    note(connection, By::Staff(by.id), id, change, None, now)?;
    audit::record(connection, by.actor, "confirm guardian", "student", id, json!({ "how": how }), now)
}

/// A confirmation given on the family page.
pub struct FamilyConfirmation<'a> {
    /// The enrollment that it is about.
    pub enrollment_id: i64,
    /// Last day of the school year, if it is for that, too.
    pub until: Option<Date>,
    /// The name as typed.
    pub name: &'a str,
    /// Versions of the texts that were shown.
    pub texts: &'a [&'a str],
}

/// Keeps a guardian's own confirmation.
pub fn give(
    connection: &Connection,
    guardian: &Guardian,
    confirmation: &FamilyConfirmation<'_>,
    now: Timestamp,
) -> Result<()> {
    let FamilyConfirmation { enrollment_id, until, name, texts } = confirmation;
    let sql = "insert into confirmations (student_id, guardian_id, enrollment_id, until, how, name_typed,
            text_version, at)
        values (:student_id, :guardian_id, :enrollment_id, :until, 'link', :name, :texts, :now)";
    let values = params! {
        student_id = guardian.student_id, guardian_id = guardian.id, enrollment_id,
        until = until.map(|day| day.to_string()), name, now = now.as_second(),
        texts = (!texts.is_empty()).then(|| json!(texts).to_string()),
    };
    connection.run(sql, values)?;
    let change = Change { before: None, after: Some(GuardianHow::Link) };
    note(connection, By::Guardian, guardian.student_id, change, None, now)
}

/// Voids a student's confirmations, or acknowledges a changed guardian who has not confirmed.
pub fn take_back(connection: &Connection, id: i64, by: ActingStaff<'_>, now: Timestamp) -> Result<()> {
    if let Some(newest) = newest(connection, id)? {
        let sql = "update confirmations set void_at = :now, void_why = 'taken back'
            where student_id = :id and void_at is null";
        connection.run(sql, params![id, now = now.as_second()])?;
        let change = Change { before: Some(newest.how), after: None };
        note(connection, By::Staff(by.id), id, change, None, now)?;
        let detail = json!({ "how": null });
        audit::record(connection, by.actor, "take back guardian", "student", id, detail, now)?;
    } else {
        audit::record(connection, by.actor, "see changed guardian", "student", id, json!({}), now)?;
    }
    see_changes(connection, id)
}

/// Whether the office has something to record: no confirmation stands, or the guardian or the requests have changed
/// since.
pub fn is_outstanding(connection: &Connection, id: i64, office: &Office) -> Result<bool> {
    let sql = format!(
        "select s.guardian_changed_at is not null
             or not exists (select 1 from confirmations k where k.student_id = s.id and k.void_at is null)
             or exists (select 1 from enrollments e where e.student_id = s.id and {})
         from students s where s.id = :id",
        is_missing("e", office)
    );
    connection.one(&sql, params![id])
}

/// Whether the office has not reviewed a changed guardian.
pub fn is_changed(connection: &Connection, id: i64) -> Result<bool> {
    connection.one("select guardian_changed_at is not null from students where id = :id", params![id])
}

fn see_changes(connection: &Connection, id: i64) -> Result<()> {
    connection.run("update students set guardian_changed_at = null where id = :id", params![id])
}

/// Voids what a guardian confirmed; for the primary one also what was recorded without naming one.
pub fn void(
    connection: &Connection,
    student_id: i64,
    guardian_id: Option<i64>,
    is_primary: bool,
    why: &str,
    now: Timestamp,
) -> Result<Option<GuardianHow>> {
    let sql = "update confirmations set void_at = :now, void_why = :why
        where student_id = :student_id and void_at is null
            and (guardian_id = :guardian_id or :is_primary and guardian_id is null)
        returning how";
    let voided: Vec<GuardianHow> =
        connection.list(sql, params![student_id, guardian_id, is_primary, why, now = now.as_second()])?;
    Ok(voided.last().copied())
}

/// A guardian as they were before a change.
pub struct PreviousGuardian<'a> {
    /// Id, if a row is left.
    pub id: Option<i64>,
    /// Whether parentName and parentContact were theirs.
    pub is_primary: bool,
    /// The name.
    pub name: Option<&'a str>,
    /// The address to notify.
    pub email: Option<&'a str>,
}

/// Voids the confirmation of a replaced guardian. For a student under 18 it is listed among the identity changes, and
/// the replaced guardian is notified.
pub fn void_replaced(
    connection: &Connection,
    by: By,
    student: &Student,
    is_minor: bool,
    replaced: &PreviousGuardian<'_>,
    config: &Config,
    now: Timestamp,
) -> Result<()> {
    let why = "the guardian was changed";
    let voided = void(connection, student.id, replaced.id, replaced.is_primary, why, now)?;
    let Some(how) = voided else {
        let sql = "update students set guardian_changed_at = :now
            where id = :id and guardian_changed_at is not null";
        return connection.run(sql, params![id = student.id, now = now.as_second()]);
    };
    let reason = Some("The parent or guardian was changed");
    note(connection, by, student.id, Change { before: Some(how), after: None }, reason, now)?;
    if !is_minor {
        return connection
            .run("update students set guardian_changed_at = null where id = :id", params![id = student.id]);
    }
    let sql = "update students set guardian_changed_at = :now where id = :id";
    connection.run(sql, params![id = student.id, now = now.as_second()])?;
    let Some(Ok(to)) = replaced.email.map(Email::parse) else { return Ok(()) };
    let cause = if by == By::Student { Cause::Student(student.id) } else { Cause::Office };
    let is_seen = names::are_seen(connection, student.id)?;
    let name = student.profile.full_name.as_deref().filter(|_| is_seen);
    let email = emails::guardian_replaced(&to, replaced.name.filter(|_| is_seen), name, config);
    mail::outbox::enqueue(connection, &email, cause, config, now).map(drop)
}

/// As [`void_replaced`], for a profile whose parent has another name or contact.
pub fn void_if_replaced(
    connection: &Connection,
    by: By,
    student: Change<&Student>,
    config: &Config,
    now: Timestamp,
) -> Result<()> {
    let Change { before, after } = student;
    let contact =
        |student: &Student| student.profile.parent_contact.as_deref().map(Contact::parse).unwrap_or_default();
    let known = contact(before);
    let new = contact(after);
    if before.profile.parent_name == after.profile.parent_name && known.key() == new.key() {
        return Ok(());
    }
    let today = now.to_zoned(config.school().zone()).date();
    let is_minor = age::is_minor(after.profile.date_of_birth, today);
    let sql = "select id from guardians where student_id = :id and is_primary = 1";
    let id = connection.find(sql, params![id = before.id])?;
    let name = before.profile.parent_name.as_deref();
    let email = known.email.as_deref();
    let replaced = PreviousGuardian { id, is_primary: true, name, email };
    void_replaced(connection, by, before, is_minor, &replaced, config, now)
}

fn note(
    connection: &Connection,
    by: By,
    id: i64,
    how: Change<Option<GuardianHow>>,
    reason: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    let before = how.before.map(GuardianHow::as_str);
    let after = how.after.map(GuardianHow::as_str);
    let change = HistoryChange { field: "guardianConfirmed", before, after, reason };
    history::add(connection, id, by, change, now)
}
