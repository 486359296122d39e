//! The table `users`.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, named_params};

use super::{Role, StaffAccount};
use crate::accounts::AccountStore;
use crate::base::clock::from_seconds;
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::config::Config;

/// An account to be made.
pub struct NewUser<'a> {
    /// Name to log in with, unique whatever its case.
    pub username: &'a str,
    /// Where the school reaches them.
    pub email: &'a Email,
    /// PHC string of the password.
    pub password_hash: &'a str,
    /// What they may do.
    pub role: Role,
}

/// Makes an account and returns its number.
///
/// # Errors
/// A field error when the name is taken.
pub fn insert(connection: &Connection, new: &NewUser<'_>, now: Timestamp) -> Result<i64> {
    let taken: bool = connection
        .prepare_cached("select exists(select 1 from users where username = :username)")?
        .query_row(named_params! { ":username": new.username }, |row| row.get(0))?;
    if taken {
        return Err(Error::field("username", "An account with this username already exists"));
    }
    connection
        .prepare_cached(
            "insert into users (username, password_hash, email, role, created_at)
             values (:username, :password_hash, :email, :role, :now)",
        )?
        .execute(named_params! {
            ":username": new.username, ":password_hash": new.password_hash,
            ":email": new.email.as_str(), ":role": new.role, ":now": now.as_second(),
        })?;
    Ok(connection.last_insert_rowid())
}

impl AccountStore for StaffAccount {
    fn find(connection: &Connection, id: i64) -> Result<Option<Self>> {
        Ok(connection
            .prepare_cached(
                "select id, username, full_name, email, role,
                     exists (select 1 from second_factor_owners f
                             where f.portal = 'staff' and f.account_id = users.id) as has_second_factor
                 from users where id = :id and disabled_at is null",
            )?
            .query_row(named_params! { ":id": id }, account)
            .optional()?)
    }

    fn find_for_login(connection: &Connection, name: &str) -> Result<Option<(Self, String)>> {
        Ok(connection
            .prepare_cached(
                "select id, username, full_name, email, role, password_hash,
                     exists (select 1 from second_factor_owners f
                             where f.portal = 'staff' and f.account_id = users.id) as has_second_factor
                 from users
                 where username = :username and disabled_at is null",
            )?
            .query_row(named_params! { ":username": name }, |row| {
                Ok((account(row)?, row.get("password_hash")?))
            })
            .optional()?)
    }

    fn find_password(connection: &Connection, id: i64) -> Result<Option<String>> {
        Ok(connection
            .prepare_cached("select password_hash from users where id = :id and disabled_at is null")?
            .query_row(named_params! { ":id": id }, |row| row.get(0))
            .optional()?)
    }

    fn set_password(connection: &Connection, id: i64, hash: &str, _: Timestamp) -> Result<()> {
        connection
            .prepare_cached("update users set password_hash = :hash where id = :id")?
            .execute(named_params! { ":id": id, ":hash": hash })?;
        Ok(())
    }

    fn renew_hash(connection: &Connection, id: i64, old: &str, new: &str) -> Result<()> {
        connection
            .prepare_cached("update users set password_hash = :new where id = :id and password_hash = :old")?
            .execute(named_params! { ":id": id, ":old": old, ":new": new })?;
        Ok(())
    }
}

/// A member of the staff, whether they may sign in or not.
#[derive(Debug, Clone)]
pub struct StaffMember {
    /// The account.
    pub account: StaffAccount,
    /// Whether they are shut out.
    pub is_disabled: bool,
    /// When the account was made.
    pub created_at: Timestamp,
    /// When they last logged in with their password.
    pub last_login_at: Option<Timestamp>,
    /// Grows with each change of the account by the office.
    pub version: i64,
}

const MEMBERS: &str = "select id, username, full_name, email, role, created_at, last_login_at, version,
    disabled_at is not null as is_disabled,
    exists (select 1 from second_factor_owners f
        where f.portal = 'staff' and f.account_id = users.id) as has_second_factor from users";

/// A member of the staff by the name they log in with.
pub fn find_member(connection: &Connection, username: &str) -> Result<Option<StaffMember>> {
    Ok(connection
        .prepare_cached(&format!("{MEMBERS} where username = :username"))?
        .query_row(named_params! { ":username": username }, member)
        .optional()?)
}

/// A member of the staff by number.
pub fn find_member_by_id(connection: &Connection, id: i64) -> Result<Option<StaffMember>> {
    Ok(connection
        .prepare_cached(&format!("{MEMBERS} where id = :id"))?
        .query_row(named_params! { ":id": id }, member)
        .optional()?)
}

/// Every member of the staff, by name.
pub fn list_members(connection: &Connection) -> Result<Vec<StaffMember>> {
    let mut select = connection.prepare_cached(&format!("{MEMBERS} order by username"))?;
    Ok(select.query_map([], member)?.collect::<rusqlite::Result<_>>()?)
}

/// Whether somebody of the office has an address already.
pub fn has_email(connection: &Connection, email: &Email, but_for: Option<i64>) -> Result<bool> {
    Ok(connection
        .prepare_cached("select exists (select 1 from users where email = :email and id is not :but_for)")?
        .query_row(named_params! { ":email": email.as_str(), ":but_for": but_for }, |row| row.get(0))?)
}

/// Changes the name and the address of an account.
pub fn set_details(connection: &Connection, id: i64, full_name: Option<&str>, email: &str) -> Result<()> {
    connection
        .prepare_cached("update users set full_name = :full_name, email = :email where id = :id")?
        .execute(named_params! { ":id": id, ":full_name": full_name, ":email": email })?;
    Ok(())
}

/// Counts a change, so that whoever saw the row before it does not write over it.
pub fn count_change(connection: &Connection, id: i64) -> Result<()> {
    connection
        .prepare_cached("update users set version = version + 1 where id = :id")?
        .execute(named_params! { ":id": id })?;
    Ok(())
}

/// Notes a login. Returns when the one before it was.
pub fn note_login(connection: &Connection, id: i64, now: Timestamp) -> Result<Option<Timestamp>> {
    let before: Option<i64> = connection
        .prepare_cached("select last_login_at from users where id = :id")?
        .query_row(named_params! { ":id": id }, |row| row.get(0))?;
    connection
        .prepare_cached("update users set last_login_at = :now where id = :id")?
        .execute(named_params! { ":id": id, ":now": now.as_second() })?;
    Ok(before.map(from_seconds))
}

/// True of an account unless it is the last of an administrator who may sign in.
const NOT_LAST_ADMIN: &str = "(role <> 'admin' or disabled_at is not null or exists (
    select 1 from users other where other.id <> users.id and other.role = 'admin' and other.disabled_at is null))";

/// Whether an account is the last of an administrator who may sign in.
pub fn is_last_admin(connection: &Connection, id: i64) -> Result<bool> {
    let sql = format!("select not {NOT_LAST_ADMIN} from users where id = :id");
    Ok(connection.prepare_cached(&sql)?.query_row(named_params! { ":id": id }, |row| row.get(0))?)
}

/// Shuts an account out. Returns whether it did: the last administrator stays.
pub fn disable(connection: &Connection, id: i64, now: Timestamp) -> Result<bool> {
    let sql = format!("update users set disabled_at = :now where id = :id and {NOT_LAST_ADMIN}");
    let changed =
        connection.prepare_cached(&sql)?.execute(named_params! { ":id": id, ":now": now.as_second() })?;
    Ok(changed == 1)
}

/// Lets an account in again.
pub fn enable(connection: &Connection, id: i64) -> Result<()> {
    connection
        .prepare_cached("update users set disabled_at = null where id = :id")?
        .execute(named_params! { ":id": id })?;
    Ok(())
}

/// Gives an account another role. Returns whether it did: the last administrator stays one.
pub fn set_role(connection: &Connection, id: i64, role: Role) -> Result<bool> {
    let sql =
        format!("update users set role = :role where id = :id and (:role = 'admin' or {NOT_LAST_ADMIN})");
    let changed = connection.prepare_cached(&sql)?.execute(named_params! { ":id": id, ":role": role })?;
    Ok(changed == 1)
}

/// How many accounts may log in.
pub fn count_enabled(connection: &Connection) -> Result<i64> {
    Ok(connection
        .prepare_cached("select count(*) from users where disabled_at is null")?
        .query_row([], |row| row.get(0))?)
}

/// Where the administrators are reached: whoever keeps the server in order.
pub fn admin_emails(connection: &Connection) -> Result<Vec<Email>> {
    let mut select = connection
        .prepare_cached("select email from users where role = 'admin' and disabled_at is null order by id")?;
    let addresses = select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    // An address that no longer passes the check cannot be written to either.
    Ok(addresses.iter().filter_map(|address| Email::parse(address).ok()).collect())
}

/// Where the office is reached: at the school's address or, while it has none, at the administrators'.
pub fn office_emails(connection: &Connection, config: &Config) -> Result<Vec<Email>> {
    config.school().email.clone().map_or_else(|| admin_emails(connection), |office| Ok(vec![office]))
}

fn member(row: &Row<'_>) -> rusqlite::Result<StaffMember> {
    Ok(StaffMember {
        account: account(row)?,
        is_disabled: row.get("is_disabled")?,
        created_at: from_seconds(row.get("created_at")?),
        last_login_at: row.get::<_, Option<i64>>("last_login_at")?.map(from_seconds),
        version: row.get("version")?,
    })
}

fn account(row: &Row<'_>) -> rusqlite::Result<StaffAccount> {
    Ok(StaffAccount {
        id: row.get("id")?,
        username: row.get("username")?,
        full_name: row.get("full_name")?,
        email: row.get("email")?,
        role: row.get("role")?,
        has_second_factor: row.get("has_second_factor")?,
    })
}
