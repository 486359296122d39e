//! What a parent or guardian of a student under 18 has said, as the office notes it. The enrollments ask
//! [`confirmation`].

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::{Connection, OptionalExtension, named_params};
use serde::Serialize;
use utoipa::ToSchema;

use super::history::{self, Change};
use super::{Student, age};
use crate::audit::{self, Actor, By};
use crate::base::clock::from_seconds;
use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::Result;
use crate::web::id::Numbered;

closed_set! {
    /// How a parent or guardian confirmed.
    pub enum GuardianHow {
        /// On the phone.
        Phone = "phone",
        /// With a signature.
        Paper = "paper",
        /// At the office.
        InPerson = "in_person",
        /// In an e-mail.
        Email = "email",
    }
}

/// That a parent or guardian confirmed, as the office noted it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct GuardianConfirmation {
    /// When it was noted.
    pub at: Timestamp,
    /// Who of the staff noted it, by username.
    #[schema(required)]
    pub by: Option<String>,
    /// How.
    pub how: GuardianHow,
}

/// Whether somebody has to answer for a student, and has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuardianState {
    /// The student is of age, or has told no birth date.
    NotNeeded,
    /// The student is under 18, and the office noted a confirmation.
    Confirmed,
    /// The student is under 18, and nobody has confirmed.
    Missing,
}

impl GuardianState {
    /// By a birth date and whether anybody has confirmed.
    pub fn new(born: Option<Date>, today: Date, is_confirmed: bool) -> Self {
        match born {
            Some(born) if age::years(born, today) < age::OF_AGE => {
                if is_confirmed {
                    Self::Confirmed
                } else {
                    Self::Missing
                }
            }
            Some(_) | None => Self::NotNeeded,
        }
    }
}

/// The state of a student, for whoever decides about an enrollment.
///
/// # Errors
/// 404 when there is no such student.
pub fn state(connection: &Connection, student_id: i64, today: Date) -> Result<GuardianState> {
    let student = super::store::find(connection, student_id)?.ok_or_else(Student::not_found)?;
    let is_confirmed = confirmation(connection, student_id)?.is_some();
    Ok(GuardianState::new(student.profile.date_of_birth, today, is_confirmed))
}

/// What the office noted.
pub fn confirmation(connection: &Connection, student_id: i64) -> Result<Option<GuardianConfirmation>> {
    Ok(connection
        .prepare_cached(
            "select s.guardian_confirmed_at, s.guardian_confirmed_how, u.username
             from students s left join users u on u.id = s.guardian_confirmed_by
             where s.id = :id and s.guardian_confirmed_at is not null",
        )?
        .query_row(named_params! { ":id": student_id }, |row| {
            Ok(GuardianConfirmation {
                at: from_seconds(row.get("guardian_confirmed_at")?),
                by: row.get("username")?,
                how: row.get("guardian_confirmed_how")?,
            })
        })
        .optional()?)
}

/// Notes that a parent or guardian confirmed; `by` is a member of the staff, by number and for the audit.
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

/// Takes back that they did.
pub fn take_back(connection: &Connection, id: i64, by: (i64, &Actor), now: Timestamp) -> Result<()> {
    record(connection, by, id, None, now)?;
    note(connection, id, None, now)
}

fn note(
    connection: &Connection,
    id: i64,
    confirmed: Option<(GuardianHow, i64)>,
    now: Timestamp,
) -> Result<()> {
    let (how, user_id) = confirmed.unzip();
    connection
        .prepare_cached(
            "update students set guardian_confirmed_at = iif(:how is null, null, :now),
                 guardian_confirmed_by = :user_id, guardian_confirmed_how = :how
             where id = :id",
        )?
        .execute(named_params! { ":id": id, ":how": how, ":user_id": user_id, ":now": now.as_second() })?;
    Ok(())
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
    let change = Change { field: "guardianConfirmed", before, after, reason: None };
    history::add(connection, id, By::Staff(user_id), change, now)?;
    let action = if how.is_some() { "confirm guardian" } else { "take back guardian" };
    let detail = serde_json::json!({ "how": how });
    audit::record(connection, actor, action, "student", id, detail, now)
}
