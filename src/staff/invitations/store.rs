//! The table `staff_invitations`.

use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::base::random::Token;
use crate::staff::Role;
use crate::storage::statements::{Statements, from_row, params};
use crate::web::id::{Numbered, numbered};

/// Lifetime of an invitation.
const VALID_FOR: SignedDuration = SignedDuration::from_hours(72);
/// How long the page of an invalid link can explain why.
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(90 * 24);

/// An open invitation.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StaffInvitation)]
pub struct Invitation {
    /// Id of the invitation.
    pub id: i64,
    /// Email address.
    pub email: String,
    /// Full name of the colleague.
    pub full_name: String,
    /// Role.
    pub role: Role,
    /// Name of the inviting administrator.
    pub invited_by: String,
    /// When it was last sent.
    pub sent_at: Timestamp,
    /// When its link expires.
    pub expires_at: Timestamp,
    #[serde(skip)]
    pub(super) is_withdrawn: bool,
    #[serde(skip)]
    is_accepted: bool,
}

numbered!(Invitation, "Invitation");

impl Invitation {
    /// Why its link is no longer valid, if so, and what to do.
    pub(super) fn dead_because(&self, now: Timestamp) -> Option<String> {
        if self.is_accepted {
            Some("This invitation was accepted already. Log in with the username that you chose then.".into())
        } else if self.is_withdrawn {
            Some(
                "This invitation was withdrawn. If you think that this is a mistake, ask an administrator."
                    .into(),
            )
        } else if self.expires_at <= now {
            let who = &self.invited_by;
            Some(format!(
                "This invitation has expired. Please ask {who} or another administrator to send it again."
            ))
        } else {
            None
        }
    }
}

/// A new invitation.
pub(super) struct NewInvitation {
    pub(super) email: Email,
    pub(super) full_name: String,
    pub(super) role: Role,
}

/// An invitation that was neither accepted nor withdrawn; it may have expired.
pub(super) fn find_unanswered(connection: &Connection, id: i64) -> Result<Invitation> {
    let invitation = find(connection, id)?.ok_or_else(Invitation::not_found)?;
    if invitation.is_accepted || invitation.is_withdrawn {
        let what = if invitation.is_accepted { "accepted" } else { "withdrawn" };
        return Err(Error::conflict(format!("This invitation was {what} already."), &invitation));
    }
    Ok(invitation)
}

const INVITATIONS: &str = "select i.id, i.email, i.full_name, i.role, i.sent_at, i.expires_at,
    i.withdrawn_at is not null as is_withdrawn, i.accepted_at is not null as is_accepted,
    coalesce(u.full_name, u.username) as invited_by
    from staff_invitations i join users u on u.id = i.invited_by";

pub(super) fn find(connection: &Connection, id: i64) -> Result<Option<Invitation>> {
    connection.find(&format!("{INVITATIONS} where i.id = :id"), params![id])
}

pub(super) fn find_by_token(connection: &Connection, hash: &[u8; 32]) -> Result<Option<Invitation>> {
    connection.find(&format!("{INVITATIONS} where i.token_hash = :hash"), params![hash])
}

pub(super) fn list_open(connection: &Connection) -> Result<Vec<Invitation>> {
    let sql =
        format!("{INVITATIONS} where i.withdrawn_at is null and i.accepted_at is null order by i.id desc");
    connection.list(&sql, [])
}

pub(super) fn is_invited(connection: &Connection, email: &Email) -> Result<bool> {
    let sql = "select exists (select 1 from staff_invitations
        where email = :email and withdrawn_at is null and accepted_at is null)";
    connection.one(sql, params![email = email.as_str()])
}

pub(super) fn insert(
    connection: &Connection,
    new: &NewInvitation,
    invited_by: i64,
    token: &Token,
    now: Timestamp,
) -> Result<i64> {
    let sql = "insert into staff_invitations
            (token_hash, email, full_name, role, invited_by, created_at, sent_at, expires_at)
        values (:hash, :email, :full_name, :role, :invited_by, :now, :now, :expires_at)";
    let values = params! {
        hash = token.hash(), email = new.email.as_str(), full_name = new.full_name, role = new.role,
        invited_by, now = now.as_second(), expires_at = (now + VALID_FOR).as_second(),
    };
    connection.insert(sql, values)
}

/// Replaces the link of an invitation, and its sender.
pub(super) fn renew(
    connection: &Connection,
    id: i64,
    invited_by: i64,
    token: &Token,
    now: Timestamp,
) -> Result<()> {
    let sql = "update staff_invitations
        set token_hash = :hash, invited_by = :invited_by, sent_at = :now, expires_at = :expires_at
        where id = :id";
    let values = params! {
        hash = token.hash(), invited_by, now = now.as_second(), expires_at = (now + VALID_FOR).as_second(),
        id,
    };
    connection.run(sql, values)
}

pub(super) fn withdraw(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    let sql = "update staff_invitations set withdrawn_at = :now where id = :id";
    connection.run(sql, params![id, now = now.as_second()])
}

pub(super) fn accept(connection: &Connection, id: i64, now: Timestamp) -> Result<()> {
    let sql = "update staff_invitations set accepted_at = :now where id = :id";
    connection.run(sql, params![id, now = now.as_second()])
}

/// Expires the invitations of an administrator who lost the role.
pub(in crate::staff) fn expire_of(connection: &Connection, invited_by: i64, now: Timestamp) -> Result<()> {
    let sql = "update staff_invitations set expires_at = :now
        where invited_by = :invited_by and expires_at > :now";
    connection.run(sql, params![invited_by, now = now.as_second()])
}

/// Deletes old invitations that were not accepted.
pub(in crate::staff) fn sweep(connection: &Connection, now: Timestamp) -> Result<()> {
    let sql = "delete from staff_invitations where expires_at <= :before and accepted_at is null";
    connection.run(sql, params![before = (now - KEPT_FOR).as_second()])
}

from_row! { Invitation {
    id, email, full_name, role, invited_by, sent_at, expires_at, is_withdrawn, is_accepted,
} }
