//! The table `passkeys`.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::accounts::owner::AccountKey;
use crate::base::error::Result;
use crate::base::webauthn::Credential;
use crate::storage::statements::{Statements, from_row, params};

/// A passkey, as its owner sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Passkey {
    /// Its number.
    pub id: i64,
    /// What its owner calls it.
    pub name: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was used last, if ever.
    #[schema(required)]
    pub last_used_at: Option<Timestamp>,
}

/// What a login needs of a passkey.
pub struct StoredPasskey {
    /// Its number.
    pub id: i64,
    /// Its key in the COSE form.
    pub public_key: Vec<u8>,
    /// How often its authenticator had signed.
    pub counter: u32,
}

/// A credential and how a browser may reach it.
pub struct ReachableCredential {
    /// Which it is.
    pub credential_id: Vec<u8>,
    /// In the words of the specification, with spaces between.
    pub transports: String,
}

/// The passkeys of an account, in the order in which they were added.
pub fn list(connection: &Connection, key: AccountKey) -> Result<Vec<Passkey>> {
    let sql = "select id, name, created_at, last_used_at from passkeys
        where portal = :portal and account_id = :account_id order by id";
    connection.list(sql, params![portal = key.portal, account_id = key.id])
}

from_row!(Passkey { id, name, created_at, last_used_at });

/// How browsers reach an account's passkeys.
pub fn list_reached(connection: &Connection, key: AccountKey) -> Result<Vec<ReachableCredential>> {
    let sql = "select credential_id, transports from passkeys
        where portal = :portal and account_id = :account_id order by id";
    connection.list(sql, params![portal = key.portal, account_id = key.id])
}

from_row!(ReachableCredential { credential_id, transports });

/// One of an account's passkeys, by the id that a browser has for it.
pub fn find(connection: &Connection, key: AccountKey, credential_id: &[u8]) -> Result<Option<StoredPasskey>> {
    let sql = "select id, public_key, counter from passkeys
        where credential_id = :credential_id and portal = :portal and account_id = :account_id";
    connection.find(sql, params![credential_id, portal = key.portal, account_id = key.id])
}

from_row!(StoredPasskey { id, public_key, counter });

/// Keeps a new one. Returns whether it did: a credential belongs to one account, once.
pub fn insert(
    connection: &Connection,
    key: AccountKey,
    credential: &Credential,
    (name, transports): (&str, &str),
    now: Timestamp,
) -> Result<bool> {
    let sql = "insert into passkeys
            (portal, account_id, name, credential_id, public_key, counter, transports, created_at)
        values (:portal, :account_id, :name, :credential_id, :public_key, :counter, :transports, :now)
        on conflict (credential_id) do nothing";
    let values = params! {
        portal = key.portal, account_id = key.id, name, credential_id = credential.id,
        public_key = credential.public_key, counter = credential.counter, transports, now = now.as_second(),
    };
    let inserted = connection.change(sql, values)?;
    Ok(inserted == 1)
}

/// Notes that one was used.
pub fn note_use(connection: &Connection, id: i64, counter: u32, now: Timestamp) -> Result<()> {
    let sql = "update passkeys set counter = :counter, last_used_at = :now where id = :id";
    connection.run(sql, params![id, counter, now = now.as_second()])
}

/// Renames one. Returns whether it is the account's.
pub fn rename(connection: &Connection, key: AccountKey, id: i64, name: &str) -> Result<bool> {
    let sql =
        "update passkeys set name = :name where id = :id and portal = :portal and account_id = :account_id";
    let renamed = connection.change(sql, params![id, portal = key.portal, account_id = key.id, name])?;
    Ok(renamed == 1)
}

/// Deletes one. Returns whether it was the account's.
pub fn delete(connection: &Connection, key: AccountKey, id: i64) -> Result<bool> {
    let sql = "delete from passkeys where id = :id and portal = :portal and account_id = :account_id";
    let deleted = connection.change(sql, params![id, portal = key.portal, account_id = key.id])?;
    Ok(deleted == 1)
}

/// Deletes all of an account's. Returns whether there were any.
pub fn delete_all(connection: &Connection, key: AccountKey) -> Result<bool> {
    let sql = "delete from passkeys where portal = :portal and account_id = :account_id";
    let deleted = connection.change(sql, params![portal = key.portal, account_id = key.id])?;
    Ok(deleted > 0)
}
