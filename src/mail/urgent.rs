//! Sends an email without the outbox, which is in the damaged database that it reports.

use std::path::Path;

use anyhow::anyhow;
use jiff::Timestamp;

use super::message::EmailMessage;
use super::mime::compose;
use super::outbox::Outgoing;
use super::smtp::{DeliveryError, Relay, deliver};
use super::{is_spooled, spool};
use crate::config::Config;

/// Delivers an email at once, or writes it into the folder `spool` if there is no mail server.
///
/// # Errors
/// When it cannot be delivered now; the caller tries again.
pub async fn send(
    config: &Config,
    spool: &Path,
    message: &EmailMessage,
    now: Timestamp,
) -> anyhow::Result<()> {
    let outgoing = Outgoing::unqueued(message, config, now).map_err(|error| anyhow!("{error}"))?;
    let mark = format!("urgent-{}", outgoing.message_id.get(9..17).unwrap_or_default());
    let message = compose(&outgoing, None, config)?;
    if is_spooled(config) {
        spool::write(spool, &spool::file_name(now, &mark), &message.formatted())?;
        return Ok(());
    }
    let mut connection = Relay::new(config)?.dial().await?;
    let sent = deliver(&mut connection, &message).await;
    let _ = connection.quit().await;
    sent.map_err(|failure| match failure {
        DeliveryError::Unreachable(reason) | DeliveryError::Later(reason) | DeliveryError::Never(reason) => {
            anyhow!(reason)
        }
    })
}
