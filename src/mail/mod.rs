//! Mail: a room writes an [`EmailMessage`], the [`outbox`] keeps it, the [`worker`] delivers it.
//!
//! An e-mail is queued in the transaction of the change it reports and delivered later, so that a
//! slow or missing mail server never holds up a request. A crash between delivery and its record
//! repeats an e-mail; its Message-ID is the same, so the repeat is recognisable. Without a mail
//! server in the configuration every e-mail becomes a file in `mail/`. What became of each e-mail is
//! shown by [`records`], and forgotten after a while. Deliberately absent:
//! receiving mail, mailing lists, attachments.

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
pub use budget::CountedAs;
pub use budget::{Asker, Cause, Limit, QueueOutcome};
pub use check::{Step, probe, test};
pub use kind::Kind;
pub use message::{EmailMessage, EmailPreview};
pub use outbox::oldest_due_age;
pub use records::{EmailStatus, sweep};
pub use spool::sweep_spool;

use crate::config::Config;

/// Whether e-mails are written into `mail/` instead of being delivered.
pub fn is_spooled(config: &Config) -> bool {
    config.mail.smtp_host.is_empty()
}
