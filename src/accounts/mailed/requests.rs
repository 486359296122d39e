//! The table `link_requests`: visitors who asked for their links, until the worker has written to them.

use jiff::Timestamp;
use rusqlite::Connection;

use super::MailedLinkPurpose;
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::mail::Asker;
use crate::storage::statements::{Statements, params};
use crate::web::app::App;
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::guesses::LinkUse;
use crate::web::request_queue::GIVE_UP_AFTER;

/// Counts and stores a visitor's request, and wakes the worker; whether the address has any links is not looked at.
///
/// # Errors
/// 400 for what is no address; 429 after too many.
pub async fn note(app: &App, purpose: MailedLinkPurpose, address: &str, client: ClientAddr) -> Result<()> {
    let email = Email::parse(address).map_err(|message| Error::field("email", message))?;
    let asker = app.limits.asker(client);
    app.limits.ask_for_link(LinkUse::AskMailed, email.as_str(), client, asker).await?;
    let now = app.clock.now();
    app.db
        .write(move |connection| {
            let sql = "insert into link_requests (purpose, email, asker, created_at)
                values (:purpose, :email, :asker, :now)";
            let values = params! {
                purpose, email = email.as_str(), asker = asker.key, now = now.as_second(),
            };
            connection.run(sql, values)
        })
        .await?;
    app.request_wakeup.notify_one();
    Ok(())
}

/// Ids of waiting requests of a purpose, for its room's [`Queue`](crate::web::request_queue::Queue).
pub fn waiting(
    connection: &Connection,
    purpose: MailedLinkPurpose,
    after: i64,
    limit: u32,
) -> Result<Vec<i64>> {
    let sql =
        "select id from link_requests where purpose = :purpose and id > :after order by id limit :limit";
    connection.list(sql, params![purpose, after, limit])
}

/// Removes a request; `None` if it is gone already, or its address is invalid by newer rules.
pub fn take(connection: &Connection, id: i64) -> Result<Option<(Email, Asker)>> {
    let sql = "delete from link_requests where id = :id returning email, asker";
    let found: Option<(String, Option<[u8; 16]>)> = connection.find(sql, params![id])?;
    Ok(found.and_then(|(email, key)| Some((Email::parse(&email).ok()?, Asker { key, is_owner: false }))))
}

/// Deletes requests that could not be processed.
pub(super) fn sweep(connection: &Connection, now: Timestamp) -> Result<()> {
    let sql = "delete from link_requests where created_at <= :before";
    connection.run(sql, params![before = (now - GIVE_UP_AFTER).as_second()])
}
