//! The tables `staff_totp` and `staff_recovery_codes`.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, named_params};

use super::totp::{SECRET_BYTES, Secret};
use crate::base::clock::from_seconds;
use crate::base::error::Result;

/// What is kept of somebody's app.
#[derive(Clone)]
pub struct Totp {
    /// What the app has, too.
    pub secret: Secret,
    /// When its first code came; none where setting up was begun and not finished.
    pub confirmed_at: Option<Timestamp>,
    /// The step whose code was taken last.
    pub last_step: i64,
}

/// Somebody's app, set up or about to be.
pub fn find(connection: &Connection, user_id: i64) -> Result<Option<Totp>> {
    Ok(connection
        .prepare_cached("select secret, confirmed_at, last_step from staff_totp where user_id = :user_id")?
        .query_row(named_params! { ":user_id": user_id }, |row| {
            Ok(Totp {
                secret: Secret::from_bytes(row.get::<_, [u8; SECRET_BYTES]>("secret")?),
                confirmed_at: row.get::<_, Option<i64>>("confirmed_at")?.map(from_seconds),
                last_step: row.get("last_step")?,
            })
        })
        .optional()?)
}

/// Keeps a secret that no code has proved yet, in place of another such. Returns whether it did: one that is in
/// use stays.
pub fn begin(connection: &Connection, user_id: i64, secret: &Secret, now: Timestamp) -> Result<bool> {
    let kept = connection
        .prepare_cached(
            "insert into staff_totp (user_id, secret, created_at) values (:user_id, :secret, :now)
             on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at
                 where staff_totp.confirmed_at is null",
        )?
        .execute(named_params! { ":user_id": user_id, ":secret": secret.bytes(), ":now": now.as_second() })?;
    Ok(kept == 1)
}

/// The app is set up.
pub fn confirm(connection: &Connection, user_id: i64, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached("update staff_totp set confirmed_at = :now where user_id = :user_id")?
        .execute(named_params! { ":user_id": user_id, ":now": now.as_second() })?;
    Ok(())
}

/// Notes that the code of a step was taken.
pub fn take_step(connection: &Connection, user_id: i64, step: i64) -> Result<()> {
    connection
        .prepare_cached("update staff_totp set last_step = :step where user_id = :user_id")?
        .execute(named_params! { ":user_id": user_id, ":step": step })?;
    Ok(())
}

/// Forgets somebody's app and recovery codes. Returns whether there was an app in use.
pub fn end(connection: &Connection, user_id: i64) -> Result<bool> {
    end_recovery_codes(connection, user_id)?;
    let was_on: Option<bool> = connection
        .prepare_cached("delete from staff_totp where user_id = :user_id returning confirmed_at is not null")?
        .query_row(named_params! { ":user_id": user_id }, |row| row.get(0))
        .optional()?;
    Ok(was_on == Some(true))
}

/// Keeps a set of recovery codes in place of those before.
pub fn set_recovery_codes(connection: &Connection, user_id: i64, hashes: &[[u8; 32]]) -> Result<()> {
    end_recovery_codes(connection, user_id)?;
    let mut insert = connection
        .prepare_cached("insert into staff_recovery_codes (code_hash, user_id) values (:hash, :user_id)")?;
    for hash in hashes {
        insert.execute(named_params! { ":hash": hash, ":user_id": user_id })?;
    }
    Ok(())
}

fn end_recovery_codes(connection: &Connection, user_id: i64) -> Result<()> {
    connection
        .prepare_cached("delete from staff_recovery_codes where user_id = :user_id")?
        .execute(named_params! { ":user_id": user_id })?;
    Ok(())
}

/// Whether a recovery code was used; none for what is no code of theirs.
pub fn find_recovery_code(connection: &Connection, user_id: i64, hash: &[u8; 32]) -> Result<Option<bool>> {
    Ok(connection
        .prepare_cached(
            "select used_at is not null from staff_recovery_codes
             where code_hash = :hash and user_id = :user_id",
        )?
        .query_row(named_params! { ":hash": hash, ":user_id": user_id }, |row| row.get(0))
        .optional()?)
}

/// Uses a recovery code up.
pub fn use_recovery_code(connection: &Connection, hash: &[u8; 32], now: Timestamp) -> Result<()> {
    connection
        .prepare_cached("update staff_recovery_codes set used_at = :now where code_hash = :hash")?
        .execute(named_params! { ":hash": hash, ":now": now.as_second() })?;
    Ok(())
}

/// How many recovery codes somebody has left.
pub fn count_recovery_codes(connection: &Connection, user_id: i64) -> Result<i64> {
    Ok(connection
        .prepare_cached(
            "select count(*) from staff_recovery_codes where user_id = :user_id and used_at is null",
        )?
        .query_row(named_params! { ":user_id": user_id }, |row| row.get(0))?)
}
