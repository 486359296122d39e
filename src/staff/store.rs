//! The table `users`.

use jiff::Timestamp;
use rusqlite::Connection;

use super::{Role, StaffAccount};
use crate::accounts::AccountStore;
use crate::base::clock::from_seconds;
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::config::Config;
use crate::storage::statements::{FromRow, Statements, from_row, params};

/// A new account.
pub struct NewUser<'a> {
    /// Login name, unique ignoring case.
    pub username: &'a str,
    /// Email address.
    pub email: &'a Email,
    /// PHC string of the password.
    pub password_hash: &'a str,
    /// Role.
    pub role: Role,
}

/// Creates an account and returns its id.
///
/// # Errors
/// A field error when the name is in use.
pub fn insert(connection: &Connection, new: &NewUser<'_>, now: Timestamp) -> Result<i64> {
    let sql = "select exists(select 1 from users where username = :username)";
    let taken: bool = connection.one(sql, params![username = new.username])?;
    if taken {
        return Err(Error::field("username", "An account with this username already exists"));
    }
    let sql = "insert into users (username, password_hash, email, role, created_at)
        values (:username, :password_hash, :email, :role, :now)";
    let values = params! {
        username = new.username, password_hash = new.password_hash, email = new.email.as_str(),
        role = new.role, now = now.as_second(),
    };
    connection.insert(sql, values)
}

impl AccountStore for StaffAccount {
    fn find(connection: &Connection, id: i64) -> Result<Option<Self>> {
        connection.find(&format!("{MEMBERS} where id = :id and disabled_at is null"), params![id])
    }

    fn find_for_login(connection: &Connection, name: &str) -> Result<Option<(Self, String)>> {
        let sql = format!("{MEMBERS} where username = :username and disabled_at is null");
        connection.find_by(&sql, params![username = name], |row| {
            Ok((<Self as FromRow>::read(row)?, row.read("password_hash")?))
        })
    }

    fn find_password(connection: &Connection, id: i64) -> Result<Option<String>> {
        connection.find("select password_hash from users where id = :id and disabled_at is null", params![id])
    }

    fn set_password(connection: &Connection, id: i64, hash: &str, _: Timestamp) -> Result<()> {
        connection.run("update users set password_hash = :hash where id = :id", params![id, hash])
    }

    fn renew_hash(connection: &Connection, id: i64, old: &str, new: &str) -> Result<()> {
        let sql = "update users set password_hash = :new where id = :id and password_hash = :old";
        connection.run(sql, params![id, old, new])
    }
}

/// A staff member, disabled or not.
#[derive(Debug, Clone)]
pub struct StaffMember {
    /// The account.
    pub account: StaffAccount,
    /// Whether the account is disabled.
    pub is_disabled: bool,
    /// When the account was created.
    pub created_at: Timestamp,
    /// Time of the last login with the password.
    pub last_login_at: Option<Timestamp>,
    /// Version, incremented with each change by an administrator.
    pub version: i64,
}

const MEMBERS: &str =
    "select id, username, full_name, email, role, created_at, last_login_at, version, password_hash, digest,
    disabled_at is not null as is_disabled,
    exists (select 1 from second_factor_owners f
        where f.portal = 'staff' and f.account_id = users.id) as has_second_factor from users";

/// Finds a staff member by login name.
pub fn find_member(connection: &Connection, username: &str) -> Result<Option<StaffMember>> {
    connection.find(&format!("{MEMBERS} where username = :username"), params![username])
}

/// Finds a staff member by id.
pub fn find_member_by_id(connection: &Connection, id: i64) -> Result<Option<StaffMember>> {
    connection.find(&format!("{MEMBERS} where id = :id"), params![id])
}

/// All staff, by username.
pub fn list_members(connection: &Connection) -> Result<Vec<StaffMember>> {
    connection.list(&format!("{MEMBERS} order by username"), [])
}

/// Whether another staff member has this address.
pub fn has_email(connection: &Connection, email: &Email, but_for: Option<i64>) -> Result<bool> {
    let sql = "select exists (select 1 from users where email = :email and id is not :but_for)";
    connection.one(sql, params![email = email.as_str(), but_for])
}

/// Changes the name and the address of an account.
pub fn set_details(connection: &Connection, id: i64, full_name: Option<&str>, email: &str) -> Result<()> {
    let sql = "update users set full_name = :full_name, email = :email where id = :id";
    connection.run(sql, params![id, full_name, email])
}

/// Increments the version, for optimistic locking.
pub fn count_change(connection: &Connection, id: i64) -> Result<()> {
    connection.run("update users set version = version + 1 where id = :id", params![id])
}

/// Records a login. Returns the time of the previous one.
pub fn note_login(connection: &Connection, id: i64, now: Timestamp) -> Result<Option<Timestamp>> {
    let before: Option<i64> =
        connection.one("select last_login_at from users where id = :id", params![id])?;
    let sql = "update users set last_login_at = :now where id = :id";
    connection.run(sql, params![id, now = now.as_second()])?;
    Ok(before.map(from_seconds))
}

/// Condition: not the last administrator who can sign in.
const NOT_LAST_ADMIN: &str = "(role <> 'admin' or disabled_at is not null or exists (
    select 1 from users other where other.id <> users.id and other.role = 'admin' and other.disabled_at is null))";

/// Whether an account is the last administrator who can sign in.
pub fn is_last_admin(connection: &Connection, id: i64) -> Result<bool> {
    let sql = format!("select not {NOT_LAST_ADMIN} from users where id = :id");
    connection.one(&sql, params![id])
}

/// Disables an account. Returns false for the last administrator.
pub fn disable(connection: &Connection, id: i64, now: Timestamp) -> Result<bool> {
    let sql = format!("update users set disabled_at = :now where id = :id and {NOT_LAST_ADMIN}");
    let changed = connection.change(&sql, params![id, now = now.as_second()])?;
    Ok(changed == 1)
}

/// Enables an account.
pub fn enable(connection: &Connection, id: i64) -> Result<()> {
    connection.run("update users set disabled_at = null where id = :id", params![id])
}

/// Changes the role of an account. Returns false for the last administrator.
pub fn set_role(connection: &Connection, id: i64, role: Role) -> Result<bool> {
    let sql =
        format!("update users set role = :role where id = :id and (:role = 'admin' or {NOT_LAST_ADMIN})");
    let changed = connection.change(&sql, params![id, role])?;
    Ok(changed == 1)
}

/// Number of accounts that can log in.
pub fn count_enabled(connection: &Connection) -> Result<i64> {
    connection.one("select count(*) from users where disabled_at is null", [])
}

/// Sets whether an account gets the weekday email. Returns false if it is so already.
pub fn set_digest(connection: &Connection, id: i64, is_on: bool) -> Result<bool> {
    let sql = "update users set digest = :is_on where id = :id and digest <> :is_on";
    Ok(connection.change(sql, params![id, is_on])? == 1)
}

/// The active accounts that get the weekday email, by id.
pub fn with_digest(connection: &Connection) -> Result<Vec<StaffAccount>> {
    connection.list(&format!("{MEMBERS} where digest = 1 and disabled_at is null order by id"), [])
}

/// Email addresses of the administrators.
pub fn admin_emails(connection: &Connection) -> Result<Vec<Email>> {
    let sql = "select email from users where role = 'admin' and disabled_at is null order by id";
    let addresses: Vec<String> = connection.list(sql, [])?;
    // Skips addresses that are no longer valid.
    Ok(addresses.iter().filter_map(|address| Email::parse(address).ok()).collect())
}

/// Email addresses of the office: the school's or, without one, the administrators'.
pub fn office_emails(connection: &Connection, config: &Config) -> Result<Vec<Email>> {
    config.school().email.clone().map_or_else(|| admin_emails(connection), |office| Ok(vec![office]))
}

from_row!(StaffMember { is_disabled, created_at, last_login_at, version } and account);

from_row!(StaffAccount { id, username, full_name, email, role, has_second_factor, digest });
