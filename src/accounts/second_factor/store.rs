//! The tables `second_factors` and `recovery_codes`.

use jiff::Timestamp;
use rusqlite::Connection;

use super::passkeys::store as passkeys;
use super::totp::{SECRET_BYTES, TotpSecret};
use crate::accounts::owner::AccountKey;
use crate::base::error::Result;
use crate::storage::columns::Column;
use crate::storage::statements::{Statements, from_row, params};

/// A stored authenticator app.
#[derive(Clone)]
pub struct Totp {
    /// The shared secret.
    pub secret: TotpSecret,
    /// When it was confirmed; `None` while setup is unfinished.
    pub confirmed_at: Option<Timestamp>,
    /// The last step whose code was accepted.
    pub last_step: i64,
}

/// The app of an account, confirmed or not.
pub fn find(connection: &Connection, key: AccountKey) -> Result<Option<Totp>> {
    let sql = "select secret, confirmed_at, last_step from second_factors
        where portal = :portal and account_id = :id";
    connection.find(sql, params![portal = key.portal, id = key.id])
}

from_row!(Totp { secret, confirmed_at, last_step });

impl Column for TotpSecret {
    type Stored = [u8; SECRET_BYTES];

    fn of(stored: Self::Stored) -> Self {
        Self::from_bytes(stored)
    }
}

/// Stores an unconfirmed secret, replacing another unconfirmed one. Returns false if an app is in use.
pub fn begin(connection: &Connection, key: AccountKey, secret: &TotpSecret, now: Timestamp) -> Result<bool> {
    let sql = "insert into second_factors (portal, account_id, secret, created_at)
        values (:portal, :id, :secret, :now)
        on conflict (portal, account_id)
            do update set secret = excluded.secret, created_at = excluded.created_at
            where second_factors.confirmed_at is null";
    let values = params! {
        portal = key.portal, id = key.id, secret = secret.bytes(), now = now.as_second(),
    };
    let kept = connection.change(sql, values)?;
    Ok(kept == 1)
}

/// Confirms the app.
pub fn confirm(connection: &Connection, key: AccountKey, now: Timestamp) -> Result<()> {
    let sql = "update second_factors set confirmed_at = :now where portal = :portal and account_id = :id";
    connection.run(sql, params![portal = key.portal, id = key.id, now = now.as_second()])
}

/// Records the step of an accepted code.
pub fn take_step(connection: &Connection, key: AccountKey, step: i64) -> Result<()> {
    let sql = "update second_factors set last_step = :step where portal = :portal and account_id = :id";
    connection.run(sql, params![portal = key.portal, id = key.id, step])
}

/// Whether a login requires a second factor.
pub fn is_on(connection: &Connection, key: AccountKey) -> Result<bool> {
    let sql = "select exists (select 1 from second_factor_owners
        where portal = :portal and account_id = :id)";
    connection.one(sql, params![portal = key.portal, id = key.id])
}

/// Deletes an account's app. Returns whether it was in use.
pub fn end_app(connection: &Connection, key: AccountKey) -> Result<bool> {
    let sql = "delete from second_factors where portal = :portal and account_id = :id
        returning confirmed_at is not null";
    let was_on: Option<bool> = connection.find(sql, params![portal = key.portal, id = key.id])?;
    Ok(was_on == Some(true))
}

/// Deletes the whole second factor of an account. Returns whether there was one.
pub fn end(connection: &Connection, key: AccountKey) -> Result<bool> {
    end_recovery_codes(connection, key)?;
    let had_passkeys = passkeys::delete_all(connection, key)?;
    Ok(end_app(connection, key)? || had_passkeys)
}

/// Replaces the recovery codes.
pub fn set_recovery_codes(connection: &Connection, key: AccountKey, hashes: &[[u8; 32]]) -> Result<()> {
    end_recovery_codes(connection, key)?;
    let sql = "insert into recovery_codes (code_hash, portal, account_id) values (:hash, :portal, :id)";
    hashes.iter().try_for_each(|hash| connection.run(sql, params![hash, portal = key.portal, id = key.id]))
}

/// Deletes an account's recovery codes.
pub fn end_recovery_codes(connection: &Connection, key: AccountKey) -> Result<()> {
    let sql = "delete from recovery_codes where portal = :portal and account_id = :id";
    connection.run(sql, params![portal = key.portal, id = key.id])
}

/// Whether a recovery code was used; `None` if it is unknown.
pub fn find_recovery_code(connection: &Connection, key: AccountKey, hash: &[u8; 32]) -> Result<Option<bool>> {
    let sql = "select used_at is not null from recovery_codes
        where code_hash = :hash and portal = :portal and account_id = :id";
    connection.find(sql, params![hash, portal = key.portal, id = key.id])
}

/// Marks a recovery code as used.
pub fn use_recovery_code(connection: &Connection, hash: &[u8; 32], now: Timestamp) -> Result<()> {
    let sql = "update recovery_codes set used_at = :now where code_hash = :hash";
    connection.run(sql, params![hash, now = now.as_second()])
}

/// Number of unused recovery codes.
pub fn count_recovery_codes(connection: &Connection, key: AccountKey) -> Result<i64> {
    let sql = "select count(*) from recovery_codes
        where portal = :portal and account_id = :id and used_at is null";
    connection.one(sql, params![portal = key.portal, id = key.id])
}
