//! The table `passkeys`.

use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::accounts::owner::AccountKey;
use crate::base::error::Result;
use crate::base::webauthn::Credential;
use crate::storage::statements::{Statements, from_row, params};

/// A passkey, as shown to its owner.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Passkey {
    /// Id.
    pub id: i64,
    /// Name given by its owner.
    pub name: String,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was last used, if ever.
    #[schema(required)]
    pub last_used_at: Option<Timestamp>,
}

/// Data of a passkey for authentication.
pub struct StoredPasskey {
    /// Id.
    pub id: i64,
    /// Public key in COSE form.
    pub public_key: Vec<u8>,
    /// Signature counter.
    pub counter: u32,
}

/// A credential with its transports.
pub struct ReachableCredential {
    /// Credential id.
    pub credential_id: Vec<u8>,
    /// Transports as in the `WebAuthn` specification, separated by spaces.
    pub transports: String,
}

/// The passkeys of an account, in order of creation.
pub fn list(connection: &Connection, key: AccountKey) -> Result<Vec<Passkey>> {
    let sql = "select id, name, created_at, last_used_at from passkeys
        where portal = :portal and account_id = :account_id order by id";
    connection.list(sql, params![portal = key.portal, account_id = key.id])
}

from_row!(Passkey { id, name, created_at, last_used_at });

/// Transports of an account's passkeys.
pub fn list_reached(connection: &Connection, key: AccountKey) -> Result<Vec<ReachableCredential>> {
    let sql = "select credential_id, transports from passkeys
        where portal = :portal and account_id = :account_id order by id";
    connection.list(sql, params![portal = key.portal, account_id = key.id])
}

from_row!(ReachableCredential { credential_id, transports });

/// Finds an account's passkey by credential id.
pub fn find(connection: &Connection, key: AccountKey, credential_id: &[u8]) -> Result<Option<StoredPasskey>> {
    let sql = "select id, public_key, counter from passkeys
        where credential_id = :credential_id and portal = :portal and account_id = :account_id";
    connection.find(sql, params![credential_id, portal = key.portal, account_id = key.id])
}

from_row!(StoredPasskey { id, public_key, counter });

/// A checked credential with what its owner knows it by.
pub struct NamedCredential<'a> {
    /// What authentication checks.
    pub credential: &'a Credential,
    /// Name given by its owner.
    pub name: &'a str,
    /// Transports, as the browser listed them.
    pub transports: &'a str,
}

/// Stores a passkey. Returns false if the credential is already registered.
pub fn insert(
    connection: &Connection,
    key: AccountKey,
    new: &NamedCredential<'_>,
    now: Timestamp,
) -> Result<bool> {
    let sql = "insert into passkeys
            (portal, account_id, name, credential_id, public_key, counter, transports, created_at)
        values (:portal, :account_id, :name, :credential_id, :public_key, :counter, :transports, :now)
        on conflict (credential_id) do nothing";
    let NamedCredential { credential, name, transports } = new;
    let values = params! {
        portal = key.portal, account_id = key.id, name, credential_id = credential.id,
        public_key = credential.public_key, counter = credential.counter, transports, now = now.as_second(),
    };
    let inserted = connection.change(sql, values)?;
    Ok(inserted == 1)
}

/// Records a use.
pub fn note_use(connection: &Connection, id: i64, counter: u32, now: Timestamp) -> Result<()> {
    let sql = "update passkeys set counter = :counter, last_used_at = :now where id = :id";
    connection.run(sql, params![id, counter, now = now.as_second()])
}

/// Renames a passkey. Returns whether it belongs to the account.
pub fn rename(connection: &Connection, key: AccountKey, id: i64, name: &str) -> Result<bool> {
    let sql =
        "update passkeys set name = :name where id = :id and portal = :portal and account_id = :account_id";
    let renamed = connection.change(sql, params![id, portal = key.portal, account_id = key.id, name])?;
    Ok(renamed == 1)
}

/// Deletes a passkey. Returns whether it belonged to the account.
pub fn delete(connection: &Connection, key: AccountKey, id: i64) -> Result<bool> {
    let sql = "delete from passkeys where id = :id and portal = :portal and account_id = :account_id";
    let deleted = connection.change(sql, params![id, portal = key.portal, account_id = key.id])?;
    Ok(deleted == 1)
}

/// Deletes all passkeys of an account. Returns whether there were any.
pub fn delete_all(connection: &Connection, key: AccountKey) -> Result<bool> {
    let sql = "delete from passkeys where portal = :portal and account_id = :account_id";
    let deleted = connection.change(sql, params![portal = key.portal, account_id = key.id])?;
    Ok(deleted > 0)
}
