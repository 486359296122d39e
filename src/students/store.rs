//! The table `students`.

use std::sync::LazyLock;

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, ToSql};

use super::guardians::store::NamedGuardian;
use super::profile::{Profile, ProfileUpdate};
use super::status::StudentStatus;
use super::{Student, guardians, history, number};
use crate::accounts::AccountStore;
use crate::base::email::Email;
use crate::base::error::Result;
use crate::storage::columns::Columns;
use crate::storage::db;
use crate::storage::statements::{FromRow, Statements, params};

const HAS_SECOND_FACTOR: &str = "exists (select 1 from second_factor_owners f
    where f.portal = 'student' and f.account_id = students.id) as has_second_factor";

/// Outside Canada, the province is free text in a separate column.
static COLUMNS: LazyLock<String> = LazyLock::new(|| {
    let profile = Profile::COLUMNS.iter().map(|column| match *column {
        "province" => "coalesce(province, region) as province",
        column => column,
    });
    let account =
        ["id", "email", "pending_email", "status", "origin", "created_at", "version", HAS_SECOND_FACTOR];
    account.into_iter().chain(profile).collect::<Vec<_>>().join(", ")
});

/// Writes every column of a profile.
static UPDATE_PROFILE: LazyLock<String> = LazyLock::new(|| {
    let sets: Vec<_> = (Profile::COLUMNS.iter())
        .map(|column| match *column {
            "province" => "province = iif(:country = 'CA', :province, null), \
                 region = iif(:country = 'CA', null, :province)"
                .to_owned(),
            column => format!("{column} = :{column}"),
        })
        .collect();
    format!("update students set {}, updated_at = :now where id = :id", sets.join(", "))
});

/// How long an unverified account is kept: long enough for a holiday, but an address entered by a stranger is not kept
/// forever.
const UNVERIFIED_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Creates an unverified account.
pub fn insert(connection: &Connection, email: &Email, password_hash: &str, now: Timestamp) -> Result<i64> {
    let sql = "insert into students (email, password_hash, status, created_at, updated_at, last_activity_at)
        values (:email, :password_hash, 'unverified', :now, :now, :now)";
    connection.insert(sql, params![email = email.as_str(), password_hash, now = now.as_second()])
}

/// Since when a student of age has the guardians keep the family page.
pub fn family_page_since(connection: &Connection, id: i64) -> Result<Option<Timestamp>> {
    connection.one("select family_page_since from students where id = :id", params![id])
}

/// Has the guardians keep the family page from 18 on, or end with it.
pub fn keep_family_page(connection: &Connection, id: i64, since: Option<Timestamp>) -> Result<()> {
    let sql = "update students set family_page_since = :since where id = :id";
    connection.run(sql, params![id, since = since.map(Timestamp::as_second)])
}

/// Finds a student by id.
pub fn find(connection: &Connection, id: i64) -> Result<Option<Student>> {
    connection.find(&format!("select {} from students where id = :id", *COLUMNS), params![id])
}

/// The account that goes on as this one: itself, or the one it was merged into.
pub fn goes_on_as(connection: &Connection, id: i64) -> Result<Option<i64>> {
    connection.find("select coalesce(merged_into, id) from students where id = :id", params![id])
}

/// Finds a student by address.
pub fn find_by_email(connection: &Connection, email: &Email) -> Result<Option<Student>> {
    let sql = format!("select {} from students where email = :email", *COLUMNS);
    connection.find(&sql, params![email = email.as_str()])
}

impl AccountStore for Student {
    fn find(connection: &Connection, id: i64) -> Result<Option<Self>> {
        Ok(find(connection, id)?.filter(|student| student.status == StudentStatus::Active))
    }

    fn find_by_link(connection: &Connection, id: i64) -> Result<Option<Self>> {
        find(connection, id)
    }

    fn find_for_login(connection: &Connection, name: &str) -> Result<Option<(Self, String)>> {
        let sql = format!("select {}, password_hash from students where email = :email", *COLUMNS);
        connection
            .find_by(&sql, params![email = name], |row| Ok((Student::read(row)?, row.read("password_hash")?)))
    }

    fn find_password(connection: &Connection, id: i64) -> Result<Option<String>> {
        match Self::find(connection, id)? {
            Some(_) => password_hash(connection, id),
            None => Ok(None),
        }
    }

    /// Also clears a pending new address.
    fn set_password(connection: &Connection, id: i64, hash: &str, now: Timestamp) -> Result<()> {
        let sql = "update students set password_hash = :hash, pending_email = null, updated_at = :now
            where id = :id";
        connection.run(sql, params![id, hash, now = now.as_second()])
    }

    fn renew_hash(connection: &Connection, id: i64, old: &str, new: &str) -> Result<()> {
        let sql = "update students set password_hash = :new where id = :id and password_hash = :old";
        connection.run(sql, params![id, old, new])
    }
}

/// The hash of a student's password.
pub fn password_hash(connection: &Connection, id: i64) -> Result<Option<String>> {
    connection.find("select password_hash from students where id = :id", params![id])
}

/// Writes a validated profile, without the email address, which needs confirmation.
pub fn update_profile(
    connection: &Connection,
    id: i64,
    update: &ProfileUpdate,
    now: Timestamp,
) -> Result<()> {
    write_profile(connection, id, &update.profile, now)
}

/// Activates an unverified account and assigns its student number; does not change other states.
pub fn mark_verified(connection: &Connection, id: i64, today: Date, now: Timestamp) -> Result<()> {
    let sql = "update students set status = 'active', updated_at = :now
        where id = :id and status = 'unverified'";
    let opened = connection.change(sql, params![id, now = now.as_second()])?;
    if opened > 0 { number::draw(connection, id, today) } else { Ok(()) }
}

/// Returns an account to unverified.
pub fn mark_unverified(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    let sql = "update students set status = 'unverified', updated_at = :now
        where id = :id and status = 'active'";
    connection.run(sql, params![id, now = now.as_second()])
}

/// Removes an account with its links and returns true, unless other data refers to it, such as documents or
/// enrollments.
pub fn remove_untouched(connection: &Connection, id: i64) -> Result<bool> {
    match connection.change("delete from students where id = :id", params![id]) {
        Err(error) if db::is_still_named(&error) => Ok(false),
        removed => Ok(removed? > 0),
    }
}

/// Removes old unverified accounts without other data.
pub fn sweep_unverified(connection: &Connection, now: Timestamp) -> Result<()> {
    let before = (now - UNVERIFIED_FOR).as_second();
    let sql = "select id from students indexed by students_unverified
        where status = 'unverified' and updated_at <= :before and origin = 'registration' limit 500";
    let ids = connection.list(sql, params![before])?;
    for id in ids {
        remove_untouched(connection, id)?;
    }
    Ok(())
}

/// Stores a pending new address.
pub fn set_pending_email(connection: &Connection, id: i64, email: &Email) -> Result<()> {
    let sql = "update students set pending_email = :email where id = :id";
    connection.run(sql, params![id, email = email.as_str()])
}

/// Clears a pending new address.
pub fn drop_pending_email(connection: &Connection, id: i64) -> Result<()> {
    connection.run("update students set pending_email = null where id = :id", params![id])
}

/// Replaces the address with a confirmed one.
///
/// # Errors
/// Database errors, also when another account has the address.
pub fn change_email(connection: &Connection, id: i64, email: &Email, now: Timestamp) -> Result<()> {
    let sql = "update students set email = :email, pending_email = null, updated_at = :now where id = :id";
    connection.run(sql, params![id, email = email.as_str(), now = now.as_second()])
}

impl FromRow for Student {
    fn read(row: &Columns<'_, '_>) -> rusqlite::Result<Self> {
        let id = row.read("id")?;
        let email = row.read("email")?;
        let pending_email = row.read("pending_email")?;
        let status = row.read("status")?;
        Ok(Student {
            id,
            email,
            pending_email,
            is_verified: status != StudentStatus::Unverified,
            status,
            origin: row.read("origin")?,
            created_at: row.read("created_at")?,
            version: row.read("version")?,
            has_second_factor: row.read("has_second_factor")?,
            profile: Profile::read(row)?,
        })
    }
}

/// Creates an account without a usable password, until its owner chooses one.
pub fn insert_by_office(
    connection: &Connection,
    email: &Email,
    no_password: &str,
    now: Timestamp,
) -> Result<i64> {
    let sql = "insert into students (email, password_hash, status, origin, created_at, updated_at)
        values (:email, :password_hash, 'unverified', 'office', :now, :now)";
    connection
        .insert(sql, params![email = email.as_str(), password_hash = no_password, now = now.as_second()])
}

/// Writes a profile, which may be incomplete; the primary guardian follows a change of the one that it names.
pub fn write_profile(connection: &Connection, id: i64, profile: &Profile, now: Timestamp) -> Result<()> {
    let named =
        NamedGuardian { name: profile.parent_name.as_deref(), contact: profile.parent_contact.as_deref() };
    let NamedGuardian { name, contact } = named;
    let sql = "select parent_name is :name and parent_contact is :contact from students where id = :id";
    let is_same: bool = connection.one(sql, params![id, name, contact])?;
    let seconds = now.as_second();
    let mut parameters = profile.parameters();
    parameters.extend([(":id", &id as &dyn ToSql), (":now", &seconds)]);
    connection.run(&UPDATE_PROFILE, &*parameters)?;
    if is_same { Ok(()) } else { guardians::store::follow_profile(connection, id, named, now) }
}

/// Changes the state of an account, with the office's reason.
pub fn set_status(
    connection: &Connection,
    id: i64,
    status: StudentStatus,
    reason: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    let sql = "update students set status = :status,
            suspended_reason = iif(:status = 'suspended', :reason, null),
            closed_reason = iif(:status = 'closed', :reason, null),
            closed_at = iif(:status = 'closed', :now, null), updated_at = :now
        where id = :id";
    connection.run(sql, params![id, status, reason, now = now.as_second()])
}

/// Columns to blank. The country stays, as it is never null.
static BLANK: LazyLock<String> = LazyLock::new(|| {
    let columns = Profile::blanked().map(|(column, _)| column).filter(|column| *column != "country");
    let sets: String = columns.chain(["region"]).map(|column| format!("{column} = null, ")).collect();
    format!("update students set {sets}updated_at = :now where id = :id")
});

/// Blanks a profile and its history except for identity, and erases the guardians: name, birth date, number and email
/// address stay with the marks.
pub fn blank(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    connection.run(&BLANK, params![id, now = now.as_second()])?;
    guardians::store::erase(connection, id)?;
    let fields: Vec<_> =
        Profile::blanked().map(|(_, wire)| wire).chain(["guardian", "guardianStopped"]).collect();
    history::blank(connection, id, &fields)
}

/// Records the account that this one was merged into.
pub fn set_merged(connection: &Connection, id: i64, into: i64) -> Result<()> {
    connection
        .run("update students set merged_into = :into where id = :id or merged_into = :id", params![id, into])
}
