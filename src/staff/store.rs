//! The tables `users` and `staff_tokens`.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, named_params};

use super::{Account, Role};
use crate::base::clock::from_seconds;
use crate::base::email::Email;
use crate::base::error::{Error, Result};

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

/// An account that may sign in.
pub fn find(connection: &Connection, id: i64) -> Result<Option<Account>> {
    Ok(connection
        .prepare_cached("select id, username, email, role from users where id = :id and disabled_at is null")?
        .query_row(named_params! { ":id": id }, account)
        .optional()?)
}

/// An account that may sign in, and the hash of its password.
pub fn find_for_login(connection: &Connection, username: &str) -> Result<Option<(Account, String)>> {
    Ok(connection
        .prepare_cached(
            "select id, username, email, role, password_hash from users
             where username = :username and disabled_at is null",
        )?
        .query_row(named_params! { ":username": username }, |row| {
            Ok((account(row)?, row.get("password_hash")?))
        })
        .optional()?)
}

/// A member of the staff, whether they may sign in or not.
#[derive(Debug)]
pub struct Member {
    /// The account.
    pub account: Account,
    /// Whether they are shut out.
    pub is_disabled: bool,
    /// When the account was made.
    pub created_at: Timestamp,
}

const MEMBERS: &str =
    "select id, username, email, role, created_at, disabled_at is not null as is_disabled from users";

/// A member of the staff by the name they log in with.
pub fn find_member(connection: &Connection, username: &str) -> Result<Option<Member>> {
    Ok(connection
        .prepare_cached(&format!("{MEMBERS} where username = :username"))?
        .query_row(named_params! { ":username": username }, member)
        .optional()?)
}

/// Every member of the staff, by name.
pub fn list_members(connection: &Connection) -> Result<Vec<Member>> {
    let mut select = connection.prepare_cached(&format!("{MEMBERS} order by username"))?;
    Ok(select.query_map([], member)?.collect::<rusqlite::Result<_>>()?)
}

/// True of an account unless it is the last of an administrator who may sign in.
const NOT_LAST_ADMIN: &str = "(role <> 'admin' or disabled_at is not null or exists (
    select 1 from users other where other.id <> users.id and other.role = 'admin' and other.disabled_at is null))";

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

/// The hash of the password of an account that may sign in.
pub fn find_password(connection: &Connection, id: i64) -> Result<Option<String>> {
    Ok(connection
        .prepare_cached("select password_hash from users where id = :id and disabled_at is null")?
        .query_row(named_params! { ":id": id }, |row| row.get(0))
        .optional()?)
}

/// Sets the hash of a new password.
pub fn set_password(connection: &Connection, id: i64, hash: &str) -> Result<()> {
    connection
        .prepare_cached("update users set password_hash = :hash where id = :id")?
        .execute(named_params! { ":id": id, ":hash": hash })?;
    Ok(())
}

/// Stores the hash of a link's token.
pub fn insert_token(
    connection: &Connection,
    hash: &[u8; 32],
    user_id: i64,
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<()> {
    connection
        .prepare_cached(
            "insert into staff_tokens (token_hash, user_id, created_at, expires_at)
             values (:hash, :user_id, :now, :expires_at)",
        )?
        .execute(named_params! {
            ":hash": hash, ":user_id": user_id, ":now": now.as_second(), ":expires_at": expires_at.as_second(),
        })?;
    Ok(())
}

/// Whose link it is, unless it has run out or the account may not sign in.
pub fn find_by_token(connection: &Connection, hash: &[u8; 32], now: Timestamp) -> Result<Option<Account>> {
    Ok(connection
        .prepare_cached(
            "select u.id, u.username, u.email, u.role from staff_tokens t join users u on u.id = t.user_id
             where t.token_hash = :hash and t.expires_at > :now and u.disabled_at is null",
        )?
        .query_row(named_params! { ":hash": hash, ":now": now.as_second() }, account)
        .optional()?)
}

/// Makes every link of an account worthless.
pub fn delete_tokens(connection: &Connection, user_id: i64) -> Result<()> {
    connection
        .prepare_cached("delete from staff_tokens where user_id = :user_id")?
        .execute(named_params! { ":user_id": user_id })?;
    Ok(())
}

/// Deletes links that have run out.
pub fn sweep_tokens(connection: &Connection, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached("delete from staff_tokens where expires_at <= :now")?
        .execute(named_params! { ":now": now.as_second() })?;
    Ok(())
}

/// Where the administrators are reached: whoever keeps the server in order.
pub fn admin_emails(connection: &Connection) -> Result<Vec<Email>> {
    let mut select = connection
        .prepare_cached("select email from users where role = 'admin' and disabled_at is null order by id")?;
    let addresses = select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    // An address that no longer passes the check cannot be written to either.
    Ok(addresses.iter().filter_map(|address| Email::parse(address).ok()).collect())
}

fn member(row: &Row<'_>) -> rusqlite::Result<Member> {
    Ok(Member {
        account: account(row)?,
        is_disabled: row.get("is_disabled")?,
        created_at: from_seconds(row.get("created_at")?),
    })
}

fn account(row: &Row<'_>) -> rusqlite::Result<Account> {
    Ok(Account {
        id: row.get("id")?,
        username: row.get("username")?,
        email: row.get("email")?,
        role: row.get("role")?,
    })
}
