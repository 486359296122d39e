//! The tables `second_factors` and `recovery_codes`.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, named_params};

use super::passkeys::store as passkeys;
use super::totp::{SECRET_BYTES, TotpSecret};
use crate::accounts::owner::AccountKey;
use crate::base::clock::from_seconds;
use crate::base::error::Result;

/// An authenticator app, as it is kept.
#[derive(Clone)]
pub struct Totp {
    /// What the app has, too.
    pub secret: TotpSecret,
    /// When its first code came; none where setting up was begun and not finished.
    pub confirmed_at: Option<Timestamp>,
    /// The step whose code was taken last.
    pub last_step: i64,
}

/// The app of an account, set up or about to be.
pub fn find(connection: &Connection, key: AccountKey) -> Result<Option<Totp>> {
    Ok(connection
        .prepare_cached(
            "select secret, confirmed_at, last_step from second_factors
             where portal = :portal and account_id = :id",
        )?
        .query_row(named_params! { ":portal": key.portal, ":id": key.id }, |row| {
            Ok(Totp {
                secret: TotpSecret::from_bytes(row.get::<_, [u8; SECRET_BYTES]>("secret")?),
                confirmed_at: row.get::<_, Option<i64>>("confirmed_at")?.map(from_seconds),
                last_step: row.get("last_step")?,
            })
        })
        .optional()?)
}

/// Keeps a secret that no code has proved yet, in place of another such. Returns whether it did: one that is in
/// use stays.
pub fn begin(connection: &Connection, key: AccountKey, secret: &TotpSecret, now: Timestamp) -> Result<bool> {
    let kept = connection
        .prepare_cached(
            "insert into second_factors (portal, account_id, secret, created_at)
             values (:portal, :id, :secret, :now)
             on conflict (portal, account_id)
                 do update set secret = excluded.secret, created_at = excluded.created_at
                 where second_factors.confirmed_at is null",
        )?
        .execute(named_params! {
            ":portal": key.portal, ":id": key.id, ":secret": secret.bytes(), ":now": now.as_second(),
        })?;
    Ok(kept == 1)
}

/// The app is set up.
pub fn confirm(connection: &Connection, key: AccountKey, now: Timestamp) -> Result<()> {
    connection
        .prepare_cached(
            "update second_factors set confirmed_at = :now where portal = :portal and account_id = :id",
        )?
        .execute(named_params! { ":portal": key.portal, ":id": key.id, ":now": now.as_second() })?;
    Ok(())
}

/// Notes that the code of a step was taken.
pub fn take_step(connection: &Connection, key: AccountKey, step: i64) -> Result<()> {
    connection
        .prepare_cached(
            "update second_factors set last_step = :step where portal = :portal and account_id = :id",
        )?
        .execute(named_params! { ":portal": key.portal, ":id": key.id, ":step": step })?;
    Ok(())
}

/// Whether a login takes more than the password.
pub fn is_on(connection: &Connection, key: AccountKey) -> Result<bool> {
    Ok(connection
        .prepare_cached(
            "select exists (select 1 from second_factor_owners
                 where portal = :portal and account_id = :id)",
        )?
        .query_row(named_params! { ":portal": key.portal, ":id": key.id }, |row| row.get(0))?)
}

/// Deletes an account's app. Returns whether it was in use.
pub fn end_app(connection: &Connection, key: AccountKey) -> Result<bool> {
    let was_on: Option<bool> = connection
        .prepare_cached(
            "delete from second_factors where portal = :portal and account_id = :id
             returning confirmed_at is not null",
        )?
        .query_row(named_params! { ":portal": key.portal, ":id": key.id }, |row| row.get(0))
        .optional()?;
    Ok(was_on == Some(true))
}

/// Deletes the whole second factor of an account. Returns whether there was one.
pub fn end(connection: &Connection, key: AccountKey) -> Result<bool> {
    end_recovery_codes(connection, key)?;
    let had_passkeys = passkeys::delete_all(connection, key)?;
    Ok(end_app(connection, key)? || had_passkeys)
}

/// Keeps a set of recovery codes in place of those before.
pub fn set_recovery_codes(connection: &Connection, key: AccountKey, hashes: &[[u8; 32]]) -> Result<()> {
    end_recovery_codes(connection, key)?;
    let mut insert = connection.prepare_cached(
        "insert into recovery_codes (code_hash, portal, account_id) values (:hash, :portal, :id)",
    )?;
    for hash in hashes {
        insert.execute(named_params! { ":hash": hash, ":portal": key.portal, ":id": key.id })?;
    }
    Ok(())
}

/// Deletes an account's recovery codes.
pub fn end_recovery_codes(connection: &Connection, key: AccountKey) -> Result<()> {
    connection
        .prepare_cached("delete from recovery_codes where portal = :portal and account_id = :id")?
        .execute(named_params! { ":portal": key.portal, ":id": key.id })?;
    Ok(())
}

/// Whether a recovery code was used; none for what is no code of theirs.
pub fn find_recovery_code(connection: &Connection, key: AccountKey, hash: &[u8; 32]) -> Result<Option<bool>> {
    Ok(connection
        .prepare_cached(
            "select used_at is not null from recovery_codes
             where code_hash = :hash and portal = :portal and account_id = :id",
        )?
        .query_row(named_params! { ":hash": hash, ":portal": key.portal, ":id": key.id }, |row| row.get(0))
        .optional()?)
}

/// Uses a recovery code up.
pub fn use_recovery_code(connection: &Connection, hash: &[u8; 32], now: Timestamp) -> Result<()> {
    connection
        .prepare_cached("update recovery_codes set used_at = :now where code_hash = :hash")?
        .execute(named_params! { ":hash": hash, ":now": now.as_second() })?;
    Ok(())
}

/// How many recovery codes an account has left.
pub fn count_recovery_codes(connection: &Connection, key: AccountKey) -> Result<i64> {
    Ok(connection
        .prepare_cached(
            "select count(*) from recovery_codes
             where portal = :portal and account_id = :id and used_at is null",
        )?
        .query_row(named_params! { ":portal": key.portal, ":id": key.id }, |row| row.get(0))?)
}
