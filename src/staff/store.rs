//! The `users` table.

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

/// The addresses of the administrators who may sign in.
///
/// # Errors
/// When the database refuses.
pub fn admins(connection: &Connection) -> Result<Vec<Email>> {
    let mut select = connection
        .prepare_cached("select email from users where role = 'admin' and disabled_at is null order by id")?;
    let addresses = select.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
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
