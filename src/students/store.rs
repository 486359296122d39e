//! The table `students`.

use std::sync::LazyLock;

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, named_params};

use super::profile::{Profile, ProfileUpdate};
use super::status::StudentStatus;
use super::{Student, history, number};
use crate::accounts::AccountStore;
use crate::base::clock::from_seconds;
use crate::base::email::Email;
use crate::base::error::Result;
use crate::storage::columns::Columns;
use crate::storage::db;

const HAS_SECOND_FACTOR: &str = "exists (select 1 from second_factor_owners f
    where f.portal = 'student' and f.account_id = students.id) as has_second_factor";

/// Outside Canada, the province is whatever people call it there, in a column of its own.
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

/// How long an account waits for its verification: a family on holiday finds it still there, and an
/// address that somebody else typed is not kept for good.
const UNVERIFIED_FOR: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Makes an unverified account.
pub fn insert(connection: &Connection, email: &Email, password_hash: &str, now: Timestamp) -> Result<i64> {
    connection
        .prepare_cached(
            "insert into students (email, password_hash, status, created_at, updated_at, last_activity_at)
             values (:email, :password_hash, 'unverified', :now, :now, :now)",
        )?
        .execute(named_params! {
            ":email": email.as_str(), ":password_hash": password_hash, ":now": now.as_second(),
        })?;
    Ok(connection.last_insert_rowid())
}

/// A student by number.
pub fn find(connection: &Connection, id: i64) -> Result<Option<Student>> {
    Ok(connection
        .prepare_cached(&format!("select {} from students where id = :id", *COLUMNS))?
        .query_row(named_params! { ":id": id }, student)
        .optional()?)
}

/// A student by address.
pub fn find_by_email(connection: &Connection, email: &Email) -> Result<Option<Student>> {
    Ok(connection
        .prepare_cached(&format!("select {} from students where email = :email", *COLUMNS))?
        .query_row(named_params! { ":email": email.as_str() }, student)
        .optional()?)
}

impl AccountStore for Student {
    fn find(connection: &Connection, id: i64) -> Result<Option<Self>> {
        Ok(find(connection, id)?.filter(|student| student.status == StudentStatus::Active))
    }

    fn find_by_link(connection: &Connection, id: i64) -> Result<Option<Self>> {
        find(connection, id)
    }

    fn find_for_login(connection: &Connection, name: &str) -> Result<Option<(Self, String)>> {
        Ok(connection
            .prepare_cached(&format!(
                "select {}, password_hash from students where email = :email",
                *COLUMNS
            ))?
            .query_row(named_params! { ":email": name }, |row| Ok((student(row)?, row.get("password_hash")?)))
            .optional()?)
    }

    fn find_password(connection: &Connection, id: i64) -> Result<Option<String>> {
        match Self::find(connection, id)? {
            Some(_) => password_hash(connection, id),
            None => Ok(None),
        }
    }

    /// Forgets a new address that waits for confirmation, too.
    fn set_password(connection: &Connection, id: i64, hash: &str, now: Timestamp) -> Result<()> {
        connection
            .prepare_cached(
                "update students set password_hash = :hash, pending_email = null, updated_at = :now
                 where id = :id",
            )?
            .execute(named_params! { ":id": id, ":hash": hash, ":now": now.as_second() })?;
        Ok(())
    }

    fn renew_hash(connection: &Connection, id: i64, old: &str, new: &str) -> Result<()> {
        connection
            .prepare_cached(
                "update students set password_hash = :new where id = :id and password_hash = :old",
            )?
            .execute(named_params! { ":id": id, ":old": old, ":new": new })?;
        Ok(())
    }
}

/// The hash of a student's password.
pub fn password_hash(connection: &Connection, id: i64) -> Result<Option<String>> {
    Ok(connection
        .prepare_cached("select password_hash from students where id = :id")?
        .query_row(named_params! { ":id": id }, |row| row.get(0))
        .optional()?)
}

/// Writes a checked profile; the e-mail address, which has to be confirmed, is not part of it.
pub fn update_profile(
    connection: &Connection,
    id: i64,
    update: &ProfileUpdate,
    now: Timestamp,
) -> Result<()> {
    let now = now.as_second();
    let mut parameters = update.profile.parameters();
    parameters.extend([(":id", &id as &dyn ToSql), (":now", &now)]);
    connection.prepare_cached(&UPDATE_PROFILE)?.execute(&*parameters)?;
    Ok(())
}

/// Opens an unverified account, which gets its student number; leaves any other state alone.
pub fn mark_verified(connection: &Connection, id: i64, today: Date, now: Timestamp) -> Result<()> {
    let opened = connection
        .prepare_cached(
            "update students set status = 'active', updated_at = :now
             where id = :id and status = 'unverified'",
        )?
        .execute(named_params! { ":id": id, ":now": now.as_second() })?;
    if opened > 0 { number::draw(connection, id, today) } else { Ok(()) }
}

/// Closes an account until its address is verified anew.
pub fn mark_unverified(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update students set status = 'unverified', updated_at = :now
             where id = :id and status = 'active'",
        )?
        .execute(named_params! { ":id": id, ":now": now.as_second() })?;
    Ok(())
}

/// Removes an account with its links and returns true, unless anything else belongs to it: documents,
/// enrollments and whatever a later table keeps of a student stay, and so does the account then.
pub fn remove_untouched(connection: &Connection, id: i64) -> Result<bool> {
    let removed = connection
        .prepare_cached("delete from students where id = :id")?
        .execute(named_params! { ":id": id });
    match removed {
        Err(error) if db::is_still_named(&error) => Ok(false),
        removed => Ok(removed? > 0),
    }
}

/// Removes accounts that somebody registered and nobody verified for so long, as far as nothing belongs to
/// them.
pub fn sweep_unverified(connection: &Connection, now: Timestamp) -> Result<()> {
    let before = (now - UNVERIFIED_FOR).as_second();
    let mut select = connection.prepare_cached(
        "select id from students indexed by students_unverified
         where status = 'unverified' and updated_at <= :before and origin = 'registration' limit 500",
    )?;
    let ids = select
        .query_map(named_params! { ":before": before }, |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<i64>>>()?;
    for id in ids {
        remove_untouched(connection, id)?;
    }
    Ok(())
}

/// Notes a new address that waits for confirmation.
pub fn set_pending_email(connection: &Connection, id: i64, email: &Email) -> Result<()> {
    connection
        .prepare_cached("update students set pending_email = :email where id = :id")?
        .execute(named_params! { ":id": id, ":email": email.as_str() })?;
    Ok(())
}

/// Forgets a new address that waits for confirmation.
pub fn drop_pending_email(connection: &Connection, id: i64) -> Result<()> {
    connection
        .prepare_cached("update students set pending_email = null where id = :id")?
        .execute(named_params! { ":id": id })?;
    Ok(())
}

/// Puts a confirmed address in the place of the old one.
///
/// # Errors
/// When the database refuses, also because another account has the address.
pub fn change_email(connection: &Connection, id: i64, email: &Email, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update students set email = :email, pending_email = null, updated_at = :now where id = :id",
        )?
        .execute(named_params! { ":id": id, ":email": email.as_str(), ":now": now.as_second() })?;
    Ok(())
}

fn student(row: &Row<'_>) -> rusqlite::Result<Student> {
    let row = &Columns::of(row);
    let (id, email, pending_email) = (row.get("id")?, row.get("email")?, row.get("pending_email")?);
    let status = row.get("status")?;
    Ok(Student {
        id,
        email,
        pending_email,
        is_verified: status != StudentStatus::Unverified,
        status,
        origin: row.get("origin")?,
        created_at: from_seconds(row.get("created_at")?),
        version: row.get("version")?,
        has_second_factor: row.get("has_second_factor")?,
        profile: Profile::read(row)?,
    })
}

/// Makes an account that waits for its owner to choose a password; nobody can log in to it before.
pub fn insert_by_office(connection: &Connection, email: &Email, nobody: &str, now: Timestamp) -> Result<i64> {
    connection
        .prepare_cached(
            "insert into students (email, password_hash, status, origin, created_at, updated_at)
             values (:email, :password_hash, 'unverified', 'office', :now, :now)",
        )?
        .execute(named_params! {
            ":email": email.as_str(), ":password_hash": nobody, ":now": now.as_second(),
        })?;
    Ok(connection.last_insert_rowid())
}

/// Writes a profile, which may be incomplete.
pub fn write_profile(connection: &Connection, id: i64, profile: &Profile, now: Timestamp) -> Result<()> {
    let now = now.as_second();
    let mut parameters = profile.parameters();
    parameters.extend([(":id", &id as &dyn ToSql), (":now", &now)]);
    connection.prepare_cached(&UPDATE_PROFILE)?.execute(&*parameters)?;
    Ok(())
}

/// Puts an account into another state, with the office's reason.
pub fn set_status(
    connection: &Connection,
    id: i64,
    status: StudentStatus,
    reason: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    connection
        .prepare_cached(
            "update students set status = :status,
                 suspended_reason = iif(:status = 'suspended', :reason, null),
                 closed_reason = iif(:status = 'closed', :reason, null),
                 closed_at = iif(:status = 'closed', :now, null), updated_at = :now
             where id = :id",
        )?
        .execute(named_params! {
            ":id": id, ":status": status, ":reason": reason, ":now": now.as_second(),
        })?;
    Ok(())
}

/// What is blanked. The country stays, since an address is always in one.
static BLANK: LazyLock<String> = LazyLock::new(|| {
    let columns = Profile::blanked().map(|(column, _)| column).filter(|column| *column != "country");
    let sets: String = columns.chain(["region"]).map(|column| format!("{column} = null, ")).collect();
    format!("update students set {sets}updated_at = :now where id = :id")
});

/// Empties what a profile says beyond who the student was, and the same in its history: name, birth date,
/// number and address of the account stay with the marks.
pub fn blank(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    connection.prepare_cached(&BLANK)?.execute(named_params! { ":id": id, ":now": now.as_second() })?;
    let fields: Vec<_> = Profile::blanked().map(|(_, wire)| wire).collect();
    history::blank(connection, id, &fields)
}

/// Notes that another account goes on in the place of this one.
pub fn set_merged(connection: &Connection, id: i64, into: i64) -> Result<()> {
    connection
        .prepare_cached("update students set merged_into = :into where id = :id")?
        .execute(named_params! { ":id": id, ":into": into })?;
    Ok(())
}
