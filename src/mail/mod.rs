//! Mail: a room writes an [`EmailMessage`], the [`outbox`] keeps it, the [`worker`] delivers it.
//!
//! An email is queued in the transaction of the change it reports and delivered later, so that a slow or missing mail
//! server never delays a request. A crash between delivery and its record repeats an email with the same Message-ID, so
//! the repeat is recognizable. Without a configured mail server every email becomes a file in `mail/`. [`records`]
//! shows the state of each email and deletes old ones. An attachment is a document
//! for paper, written when the email leaves. Not supported: receiving mail, mailing lists.

mod blocks;
mod budget;
pub mod check;
mod html;
mod kind;
mod message;
mod mime;
pub mod outbox;
mod reason;
pub mod records;
mod smtp;
mod spool;
mod text;
pub mod unsent;
pub mod urgent;
mod wire;
pub mod worker;

#[cfg(test)]
pub use budget::BudgetOutcome;
pub use budget::{Asker, Cause, Limit, QueueOutcome};
pub use check::{Step, probe, test};
pub use kind::Kind;
pub use message::{EmailLink, EmailMessage, EmailPreview};
pub use outbox::oldest_due_age;
pub use records::{EmailStatus, sweep};
pub use spool::sweep_spool;

use crate::config::Config;

/// Whether emails are written into `mail/` instead of being delivered.
pub fn is_spooled(config: &Config) -> bool {
    config.mail.smtp_host.is_empty()
}
