//! The tables `guardians` and `confirmation_asks`. `parentName` and `parentContact` of the profile mirror the primary
//! guardian, the contact as [`Contact::text`].

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::GuardianStop;
use crate::base::closed_set::closed_set;
use crate::base::contact::Contact;
use crate::base::error::Result;
use crate::storage::statements::{Statements, from_row, params};
use crate::students::age;

closed_set! {
    /// What a guardian is to a student.
    pub enum Relationship {
        /// Mother.
        Mother = "mother",
        /// Father.
        Father = "father",
        /// Legal guardian.
        Guardian = "guardian",
        /// An agency that looks after the student; it informs, and confirms nothing where everyone is asked.
        Agency = "agency",
        /// Anything else.
        Other = "other",
    }
}

/// A parent or guardian of a student.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Guardian {
    /// Number of the guardian.
    pub id: i64,
    /// The student.
    #[serde(skip)]
    pub student_id: i64,
    /// Name.
    pub name: String,
    /// Address of the family page's links, and of copies.
    #[schema(required)]
    pub email: Option<String>,
    /// Telephone number.
    #[schema(required)]
    pub phone: Option<String>,
    /// Null if only the profile named them.
    #[schema(required)]
    pub relationship: Option<Relationship>,
    /// Whether `parentName` and `parentContact` of the profile are theirs.
    pub is_primary: bool,
    /// Whether they get emails about the student.
    pub gets_mail: bool,
    /// When the office stopped disclosing anything to them.
    #[schema(required)]
    pub stopped_at: Option<Timestamp>,
}

from_row!(Guardian { id, student_id, name, email, phone, relationship, is_primary, gets_mail, stopped_at });

impl Guardian {
    /// How to reach the guardian.
    pub fn contact(&self) -> Contact {
        Contact { email: self.email.clone(), phone: self.phone.clone() }
    }

    /// "Chidi Okonkwo, chidi@mail.example".
    pub fn words(&self) -> String {
        let parts = [Some(&*self.name), self.email.as_deref(), self.phone.as_deref()];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

const SELECT: &str =
    "select id, student_id, name, email, phone, relationship, is_primary, gets_mail, stopped_at
    from guardians";

/// A student's guardians, the primary one first.
pub fn list(connection: &Connection, student_id: i64) -> Result<Vec<Guardian>> {
    let sql = format!("{SELECT} where student_id = :student_id order by is_primary desc, id");
    connection.list(&sql, params![student_id])
}

/// A guardian of this student.
pub fn find(connection: &Connection, student_id: i64, id: i64) -> Result<Option<Guardian>> {
    connection.find(&format!("{SELECT} where id = :id and student_id = :student_id"), params![id, student_id])
}

/// SQL: a guardian `u` who may open the family page of a student `s`: under 18, or of age and willing. Takes `:of_age`.
/// An address that the
/// office stopped for a student stays stopped, even under another name.
pub const MAY_SEE: &str = "u.email is not null and u.stopped_at is null and s.status <> 'closed'
    and (s.date_of_birth is null or s.date_of_birth > :of_age or s.family_page_since is not null)
    and not exists (select 1 from guardians x indexed by guardians_student
        where x.student_id = s.id and x.email = u.email and x.stopped_at is not null)";

/// The guardians with this address who may open the family page, by student.
pub fn with_email(connection: &Connection, email: &str, today: Date) -> Result<Vec<Guardian>> {
    let sql = format!(
        "select u.id, u.student_id, u.name, u.email, u.phone, u.relationship, u.is_primary, u.gets_mail, u.stopped_at
         from guardians u indexed by guardians_email cross join students s on s.id = u.student_id
         where u.email = :email and {MAY_SEE} order by s.full_name collate nocase, s.id, u.id"
    );
    connection.list(&sql, params![email, of_age = age::last_birth_of_age(today)])
}

/// SQL: a guardian `u` who gets copies of what the school writes to a student `s`, as [`MAY_SEE`] says; not with the
/// address of the student's account, which gets the email itself. Takes `:of_age`.
fn gets_copies() -> String {
    format!("u.gets_mail = 1 and u.email <> s.email and {MAY_SEE}")
}

/// Guardians who get copies of what the school writes to a student, each address once.
pub fn mailed(connection: &Connection, student_id: i64, today: Date) -> Result<Vec<Guardian>> {
    let sql = format!(
        "select u.id, u.student_id, u.name, u.email, u.phone, u.relationship, u.is_primary, u.gets_mail, u.stopped_at
         from guardians u indexed by guardians_student cross join students s on s.id = u.student_id
         where u.student_id = :student_id and {}
         group by u.email order by u.is_primary desc, u.id",
        gets_copies()
    );
    connection.list(&sql, params![student_id, of_age = age::last_birth_of_age(today)])
}

/// Number of those copies, of what is written to each of some students.
///
/// # Errors
/// Database errors.
pub fn count_mailed(connection: &Connection, student_ids: &[i64], today: Date) -> Result<i64> {
    let sql = format!(
        "select count(distinct s.id || ' ' || u.email)
         from json_each(:ids) j cross join students s on s.id = j.value
             cross join guardians u indexed by guardians_student on u.student_id = s.id
         where {}",
        gets_copies()
    );
    let ids = serde_json::json!(student_ids).to_string();
    connection.one(&sql, params![ids, of_age = age::last_birth_of_age(today)])
}

/// Most students of a family: an address that more of them share is no parent's.
const MAX_FAMILY: i64 = 12;

/// The other students who share a guardian's address with a student, as far as the office discloses anything to it: brothers
/// and sisters. An agency's address makes no family.
pub fn siblings(connection: &Connection, student_id: i64) -> Result<Vec<i64>> {
    let sql = "select distinct v.student_id
        from guardians u indexed by guardians_student cross join guardians v indexed by guardians_email on v.email = u.email
            cross join students s on s.id = v.student_id
        where u.student_id = :student_id and u.email is not null and v.student_id <> :student_id
            and u.stopped_at is null and v.stopped_at is null and s.merged_into is null
            and u.relationship is not 'agency' and v.relationship is not 'agency'
        order by v.student_id limit :max";
    let found: Vec<i64> = connection.list(sql, params![student_id, max = MAX_FAMILY])?;
    let is_family = i64::try_from(found.len()).is_ok_and(|count| count < MAX_FAMILY);
    Ok(if is_family { found } else { Vec::new() })
}

/// What is stored of a guardian.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardianFacts {
    /// Name.
    pub name: String,
    /// Email address.
    pub email: Option<String>,
    /// Telephone number.
    pub phone: Option<String>,
    /// What they are to the student.
    pub relationship: Option<Relationship>,
    /// Whether they are the primary one.
    pub is_primary: bool,
    /// Whether they get emails.
    pub gets_mail: bool,
}

impl GuardianFacts {
    /// How to reach the guardian.
    pub fn contact(&self) -> Contact {
        Contact { email: self.email.clone(), phone: self.phone.clone() }
    }
}

/// Adds a guardian, or changes one; a changed address is asked again.
pub fn write(
    connection: &Connection,
    student_id: i64,
    id: Option<i64>,
    facts: &GuardianFacts,
    now: Timestamp,
) -> Result<i64> {
    let GuardianFacts { name, email, phone, relationship, is_primary, gets_mail } = facts;
    let Some(id) = id else {
        let sql =
            "insert into guardians (student_id, name, email, phone, relationship, is_primary, gets_mail,
                created_at)
            values (:student_id, :name, :email, :phone, :relationship, :is_primary, :gets_mail, :now)";
        let values = params! {
            student_id, name, email, phone, relationship, is_primary, gets_mail, now = now.as_second(),
        };
        return connection.insert(sql, values);
    };
    let sql = "delete from confirmation_asks
        where guardian_id in (select id from guardians where id = :id and email is not :email)";
    connection.run(sql, params![id, email])?;
    let sql =
        "update guardians set name = :name, email = :email, phone = :phone, relationship = :relationship,
            is_primary = :is_primary, gets_mail = :gets_mail
        where id = :id";
    connection.run(sql, params![id, name, email, phone, relationship, is_primary, gets_mail])?;
    Ok(id)
}

/// Removes a guardian; what they confirmed stays, without the reference.
pub fn remove(connection: &Connection, id: i64) -> Result<()> {
    connection.run("delete from guardians where id = :id", params![id])
}

/// Makes no guardian of a student the primary one.
pub fn clear_primary(connection: &Connection, student_id: i64) -> Result<()> {
    let sql = "update guardians set is_primary = 0 where student_id = :student_id and is_primary = 1";
    connection.run(sql, params![student_id])
}

/// A parent or guardian as a profile names them.
#[derive(Debug, Clone, Copy)]
pub struct NamedGuardian<'a> {
    /// Name.
    pub name: Option<&'a str>,
    /// Contact, in one text.
    pub contact: Option<&'a str>,
}

/// Makes the primary guardian the one that the profile names.
pub fn follow_profile(
    connection: &Connection,
    student_id: i64,
    named: NamedGuardian<'_>,
    now: Timestamp,
) -> Result<()> {
    let sql = format!("{SELECT} where student_id = :student_id and is_primary = 1");
    let primary: Option<Guardian> = connection.find(&sql, params![student_id])?;
    let Some(name) = named.name else {
        // The office's stop of a guardian outlasts the profile.
        let sql = "delete from guardians
            where student_id = :student_id and is_primary = 1 and stopped_at is null";
        return connection.run(sql, params![student_id]);
    };
    let contact = named.contact.map(Contact::parse).unwrap_or_default();
    if primary.as_ref().is_some_and(|primary| primary.name == name && primary.contact() == contact) {
        return Ok(());
    }
    let changed = primary.filter(|primary| primary.stopped_at.is_none());
    if changed.is_none() {
        clear_primary(connection, student_id)?;
    }
    let known = changed.as_ref().filter(|changed| changed.name == name);
    let facts = GuardianFacts {
        name: name.to_owned(),
        email: contact.email,
        phone: contact.phone,
        relationship: known.and_then(|known| known.relationship),
        is_primary: true,
        gets_mail: known.is_none_or(|known| known.gets_mail),
    };
    write(connection, student_id, changed.map(|changed| changed.id), &facts, now).map(drop)
}

/// Sets what the guardian with this name is to the student, where that is unknown.
pub fn relate(
    connection: &Connection,
    student_id: i64,
    name: &str,
    relationship: Option<Relationship>,
) -> Result<()> {
    let sql = "update guardians set relationship = :relationship
        where student_id = :student_id and name = :name collate nocase and relationship is null";
    connection.run(sql, params![student_id, name, relationship])
}

/// Writes the primary guardian's name and contact to the profile.
pub fn lead_profile(connection: &Connection, student_id: i64, now: Timestamp) -> Result<()> {
    let sql = "update students set updated_at = :now,
            parent_name = (select name from guardians where student_id = :student_id and is_primary = 1),
            parent_contact = (select nullif(concat_ws(', ', email, phone), '') from guardians
                where student_id = :student_id and is_primary = 1)
        where id = :student_id";
    connection.run(sql, params![student_id, now = now.as_second()])
}

/// The office's stop of a guardian, or its end without a reason.
pub fn set_stopped(
    connection: &Connection,
    id: i64,
    stopped: Option<GuardianStop<'_>>,
    now: Timestamp,
) -> Result<()> {
    let reason = stopped.map(|stop| stop.reason);
    let user_id = stopped.and_then(|stop| stop.user_id);
    let sql = "update guardians set stopped_at = iif(:reason is null, null, :now), stopped_reason = :reason,
            stopped_by = :user_id
        where id = :id";
    connection.run(sql, params![id, reason, user_id, now = now.as_second()])?;
    // After a stop the guardian is asked again.
    connection.run("delete from confirmation_asks where guardian_id = :id", params![id])
}

/// An address that the office stopped for a student.
#[derive(Debug, Clone)]
pub struct StoppedAddress {
    /// The address.
    pub email: String,
    /// Why, for the office.
    pub reason: String,
    /// Who of the staff.
    pub stopped_by: Option<i64>,
}

from_row!(StoppedAddress { email, reason, stopped_by });

/// The addresses that the office stopped for a student.
pub fn stopped_addresses(connection: &Connection, student_id: i64) -> Result<Vec<StoppedAddress>> {
    let sql = "select email, coalesce(max(stopped_reason), '') as reason, max(stopped_by) as stopped_by
        from guardians indexed by guardians_student
        where student_id = :student_id and email is not null and stopped_at is not null
        group by email";
    connection.list(sql, params![student_id])
}

/// Why the office stopped a guardian.
pub fn stopped_reason(connection: &Connection, id: i64) -> Result<Option<String>> {
    connection.one("select stopped_reason from guardians where id = :id", params![id])
}

/// Records that a guardian was asked about a request, or reminded after so many days.
pub fn note_asked(
    connection: &Connection,
    enrollment_id: i64,
    guardian_id: i64,
    days: i64,
    now: Timestamp,
) -> Result<()> {
    let sql = "insert into confirmation_asks (enrollment_id, guardian_id, asked_at, sent_at)
        values (:enrollment_id, :guardian_id, :now, :now)
        on conflict do update set reminded_days = :days, sent_at = :now";
    connection.run(sql, params![enrollment_id, guardian_id, days, now = now.as_second()])
}

/// Moves confirmations of courses, and the guardians that the remaining account does not name. One that the office
/// stopped in either account is stopped in the remaining one.
pub fn hand_over(connection: &Connection, from: i64, to: i64) -> Result<()> {
    let sql =
        "update confirmations set student_id = :to where student_id = :from and +enrollment_id is not null";
    connection.run(sql, params![from, to])?;
    let sql = "update guardians set student_id = :to, is_primary = 0
        where student_id = :from and not exists (select 1 from guardians g where g.student_id = :to
            and g.name = guardians.name collate nocase
            and coalesce(g.email, g.phone, '') = coalesce(guardians.email, guardians.phone, '')
            and (g.stopped_at is not null or guardians.stopped_at is null))";
    connection.run(sql, params![from, to])?;
    // The same name and contact, or the same address under another name.
    let sql = "update guardians set stopped_at = s.stopped_at, stopped_reason = s.stopped_reason,
            stopped_by = s.stopped_by
        from guardians s
        where guardians.student_id = :to and guardians.stopped_at is null
            and s.student_id = :to and s.stopped_at is not null
            and (s.email = guardians.email or s.email is null and guardians.email is null
                and s.phone = guardians.phone and s.name = guardians.name collate nocase)";
    connection.run(sql, params![to])
}

/// Deletes a student's guardians and confirmations.
pub fn erase(connection: &Connection, student_id: i64) -> Result<()> {
    connection.run("delete from confirmations where student_id = :student_id", params![student_id])?;
    connection.run("delete from guardians where student_id = :student_id", params![student_id])
}
