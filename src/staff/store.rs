//! The tables `users` and `staff_tokens`.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, named_params};

use super::{Role, User};
use crate::plumbing::error::{Error, Result};
use crate::plumbing::form::Email;

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

/// Makes an account and answers its number.
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
            ":email": new.email.as_str(), ":role": new.role.name(), ":now": now.as_second(),
        })?;
    Ok(connection.last_insert_rowid())
}

/// An account that may sign in.
///
/// # Errors
/// When the database refuses.
pub fn find(connection: &Connection, id: i64) -> Result<Option<User>> {
    Ok(connection
        .prepare_cached("select id, username, email, role from users where id = :id and disabled_at is null")?
        .query_row(named_params! { ":id": id }, user)
        .optional()?)
}

/// An account that may sign in, and the hash of its password.
///
/// # Errors
/// When the database refuses.
pub fn find_for_login(connection: &Connection, username: &str) -> Result<Option<(User, String)>> {
    Ok(connection
        .prepare_cached(
            "select id, username, email, role, password_hash from users
             where username = :username and disabled_at is null",
        )?
        .query_row(named_params! { ":username": username }, |row| Ok((user(row)?, row.get("password_hash")?)))
        .optional()?)
}

/// An account by name, and whether it is disabled.
///
/// # Errors
/// When the database refuses.
pub fn find_by_username(connection: &Connection, username: &str) -> Result<Option<(User, bool)>> {
    Ok(connection
        .prepare_cached(
            "select id, username, email, role, disabled_at is not null as disabled from users
             where username = :username",
        )?
        .query_row(named_params! { ":username": username }, |row| Ok((user(row)?, row.get("disabled")?)))
        .optional()?)
}

/// Sets the hash of a new password.
///
/// # Errors
/// When the database refuses.
pub fn set_password(connection: &Connection, id: i64, hash: &str) -> Result<()> {
    connection
        .prepare_cached("update users set password_hash = :hash where id = :id")?
        .execute(named_params! { ":id": id, ":hash": hash })?;
    Ok(())
}

/// Stores the hash of a link's token.
///
/// # Errors
/// When the database refuses.
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
///
/// # Errors
/// When the database refuses.
pub fn find_by_token(connection: &Connection, hash: &[u8; 32], now: Timestamp) -> Result<Option<User>> {
    Ok(connection
        .prepare_cached(
            "select u.id, u.username, u.email, u.role from staff_tokens t join users u on u.id = t.user_id
             where t.token_hash = :hash and t.expires_at > :now and u.disabled_at is null",
        )?
        .query_row(named_params! { ":hash": hash, ":now": now.as_second() }, user)
        .optional()?)
}

/// Makes every link of an account worthless.
///
/// # Errors
/// When the database refuses.
pub fn delete_tokens(connection: &Connection, user_id: i64) -> Result<()> {
    connection
        .prepare_cached("delete from staff_tokens where user_id = :user_id")?
        .execute(named_params! { ":user_id": user_id })?;
    Ok(())
}

/// Deletes links that have run out.
///
/// # Errors
/// When the database refuses.
pub fn sweep_tokens(connection: &Connection, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached("delete from staff_tokens where expires_at <= :now")?
        .execute(named_params! { ":now": now.as_second() })?;
    Ok(())
}

/// Where the administrators are reached: whoever keeps the server in order.
///
/// # Errors
/// When the database refuses.
pub fn admin_emails(connection: &Connection) -> Result<Vec<Email>> {
    let mut select = connection
        .prepare_cached("select email from users where role = 'admin' and disabled_at is null order by id")?;
    let addresses = select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    // An address that no longer passes the check cannot be written to either.
    Ok(addresses.iter().filter_map(|address| Email::parse(address).ok()).collect())
}

fn user(row: &Row<'_>) -> rusqlite::Result<User> {
    let role: String = row.get("role")?;
    // The schema knows no other role; the weakest is the safe reading.
    let role = Role::parse(&role).unwrap_or(Role::Viewer);
    Ok(User {
        id: row.get("id")?,
        username: row.get("username")?,
        email: row.get("email")?,
        role,
        duties: role.duties(),
    })
}
