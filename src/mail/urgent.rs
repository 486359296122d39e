//! An e-mail that cannot wait in the outbox, because the outbox is in the damaged database it reports.

use std::path::Path;

use anyhow::anyhow;
use jiff::Timestamp;

use super::message::EmailMessage;
use super::mime::compose;
use super::outbox::{Outgoing, draw_message_id};
use super::smtp::{DeliveryError, Relay, deliver};
use super::{is_spooled, spool};
use crate::config::Config;

/// Delivers an e-mail at once, or writes it into the folder `spool` where there is no mail server.
///
/// # Errors
/// When it cannot be delivered now; the caller tries again.
pub async fn send(
    config: &Config,
    spool: &Path,
    message: &EmailMessage,
    now: Timestamp,
) -> anyhow::Result<()> {
    let bodies = message.render(&config.school).map_err(|error| anyhow!("{error}"))?;
    let message_id = draw_message_id(&config.school).map_err(|error| anyhow!("{error}"))?;
    let mark = format!("urgent-{}", message_id.trim_start_matches('<').get(..8).unwrap_or_default());
    let outgoing = Outgoing {
        id: 0,
        message_id,
        recipient: message.recipient().as_str().to_owned(),
        reply_to: None,
        subject: message.subject().to_owned(),
        text: bodies.text,
        html: bodies.html,
        created_at: now,
    };
    let message = compose(&outgoing, config)?;
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
