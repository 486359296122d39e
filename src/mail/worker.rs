//! The mailer: delivers due emails from the outbox, one at a time.
//!
//! Requests never wait for it: a room queues an email and wakes the mailer, so a slow mail server affects only the
//! mailer. At shutdown it has a few seconds to finish due emails.

use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use jiff::Timestamp;
use lettre::Message;
use lettre::transport::smtp::client::AsyncSmtpConnection;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use super::mime::{AttachedPdf, compose};
use super::outbox::{self, Outgoing};
use super::smtp::{self, DeliveryError, Relay};
use super::{is_spooled, reason, spool};
use crate::base::clock::Clock;
use crate::base::error::Result;
use crate::config::Config;
use crate::paper::{Paper, pdf};
use crate::storage::db::Db;

/// Emails that share one connection and one claim.
const BATCH: u32 = 16;
/// How often the outbox is checked without a wakeup.
const POLL_INTERVAL: Duration = Duration::from_secs(30);
/// How long the mail server's reply to QUIT may take.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);
/// Time limit of the final run.
const LAST_RUN_TIMEOUT: Duration = Duration::from_secs(5);

/// Starts the mailer. `spool` is the folder for emails when no mail server is configured; `wakeup` is notified after a
/// write that queued an email; `stop` turns true, or is dropped, at shutdown.
pub fn spawn(
    db: Db,
    config: Arc<Config>,
    clock: Clock,
    spool: PathBuf,
    wakeup: Arc<Notify>,
    mut stop: watch::Receiver<bool>,
) -> JoinHandle<()> {
    tokio::spawn(async move {
        let mut last_look = None;
        loop {
            let mut run = pin!(async {
                look_for_stragglers(&db, &clock, &mut last_look).await?;
                flush_once(&db, &config, &clock, &spool).await
            });
            let outcome = tokio::select! {
                // Checked first, so that a run that starts at shutdown is the last one.
                biased;
                () = stopped(&mut stop) => {
                    if timeout(LAST_RUN_TIMEOUT, run).await.is_err() {
                        tracing::warn!("mail that is still due will be sent after the next start");
                    }
                    return;
                }
                outcome = &mut run => outcome,
            };
            let pause = match outcome {
                Ok(next) => pause(next, clock.now()),
                Err(error) => {
                    tracing::warn!("the outbox could not be processed: {error:?}");
                    POLL_INTERVAL
                }
            };
            tokio::select! {
                () = wakeup.notified() => {}
                () = sleep(pause) => {}
                () = stopped(&mut stop) => {}
            }
        }
    })
}

async fn stopped(stop: &mut watch::Receiver<bool>) {
    // An error means that the sender is gone, which also ends the mailer.
    let _ = stop.wait_for(|stop| *stop).await;
}

fn pause(next: Option<i64>, now: Timestamp) -> Duration {
    let seconds = next.map_or(POLL_INTERVAL.as_secs(), |at| {
        u64::try_from(at.saturating_sub(now.as_second())).unwrap_or(0).max(1)
    });
    POLL_INTERVAL.min(Duration::from_secs(seconds))
}

/// Makes emails due that were scheduled by a clock that was set back since. Checks all that wait: at the start, after the
/// clock was set back, and otherwise at most once per [`POLL_INTERVAL`].
async fn look_for_stragglers(db: &Db, clock: &Clock, last: &mut Option<(Timestamp, Instant)>) -> Result<()> {
    let now = clock.now();
    if last.is_some_and(|(at, since)| at <= now && since.elapsed() < POLL_INTERVAL) {
        return Ok(());
    }
    if db.query(move |connection| outbox::has_stragglers(connection, now)).await? {
        db.write(move |connection| outbox::bring_forward(connection, now)).await?;
    }
    *last = Some((now, Instant::now()));
    Ok(())
}

/// Attempts every email that is due now; returns when the next one is.
///
/// # Errors
/// When the outbox cannot be read or written; a failed delivery is not an error here.
pub async fn flush_once(db: &Db, config: &Arc<Config>, clock: &Clock, spool: &Path) -> Result<Option<i64>> {
    let mut route = Transport::new(config, spool);
    loop {
        let now = clock.now();
        // Claiming is a synced write, and most checks find nothing due.
        let next = db.read(|connection| outbox::next_due(connection, now)).await?;
        if next.is_none_or(|at| at > now.as_second()) {
            route.end().await;
            return Ok(next);
        }
        let emails = db.write(move |connection| outbox::claim(connection, now, BATCH)).await?;
        let mut sent = Vec::new();
        let mut failures = Vec::new();
        let mut unreachable = None;
        for email in emails {
            let outcome = match &unreachable {
                Some(reason) => Err(DeliveryError::Unreachable(String::clone(reason))),
                None => route.send(&email, config).await,
            };
            match outcome {
                Ok(()) => {
                    sent.push(email.id);
                    // Recorded before the next email is sent, so that a crash repeats at most one. Files are
                    // overwritten under the same name, so one commit for all is enough.
                    if !is_spooled(config) {
                        record_sent(db, clock, std::mem::take(&mut sent), false).await?;
                    }
                }
                Err(failure) => {
                    if let DeliveryError::Unreachable(reason) = &failure {
                        unreachable.get_or_insert_with(|| reason.clone());
                    }
                    failures.push((email.id, failure));
                }
            }
        }
        record_sent(db, clock, sent, true).await?;
        record_failures(db, clock, failures).await?;
    }
}

async fn record_sent(db: &Db, clock: &Clock, emails: Vec<i64>, is_in_file: bool) -> Result<()> {
    if emails.is_empty() {
        return Ok(());
    }
    let now = clock.now();
    tracing::debug!("emails {emails:?} sent");
    db.write(move |connection| {
        emails.iter().try_for_each(|id| outbox::mark_sent(connection, *id, is_in_file, now))
    })
    .await
}

/// One commit for all: if a crash loses it, the failure recurs after the pause stored by the claim.
async fn record_failures(db: &Db, clock: &Clock, failures: Vec<(i64, DeliveryError)>) -> Result<()> {
    if failures.is_empty() {
        return Ok(());
    }
    let now = clock.now();
    let recorded = db.write(move |connection| {
        let mut recorded = Vec::new();
        for (id, failure) in failures {
            let (reason, is_final) = match failure {
                DeliveryError::Never(reason) => (reason, true),
                DeliveryError::Later(reason) | DeliveryError::Unreachable(reason) => (reason, false),
            };
            let dead = outbox::mark_failed(connection, id, &reason, is_final, now)?;
            recorded.push((id, reason, dead));
        }
        Ok(recorded)
    });
    for (id, reason, dead) in recorded.await? {
        let fate = if dead { "given up" } else { "will be tried again" };
        tracing::warn!("email {id} not delivered, {fate}: {reason}");
    }
    Ok(())
}

/// Delivery transport, with a connection that is reused.
enum Transport<'a> {
    Folder(&'a Path),
    Server(Option<Box<AsyncSmtpConnection>>),
}

impl<'a> Transport<'a> {
    fn new(config: &Config, spool: &'a Path) -> Self {
        if is_spooled(config) { Self::Folder(spool) } else { Self::Server(None) }
    }

    async fn send(&mut self, email: &Outgoing, config: &Config) -> Result<(), DeliveryError> {
        let never = |error: anyhow::Error| DeliveryError::Never(without_addresses(&error));
        let attachment = match email.attachment().cloned() {
            None => None,
            Some(paper) => Some(attached(paper).await.map_err(never)?),
        };
        let message = compose(email, attachment, config).map_err(never)?;
        match self {
            Self::Folder(folder) => write_file(folder, email, &message).await,
            Self::Server(kept) => {
                let mut connection = match kept.take().filter(|connection| !connection.has_broken()) {
                    Some(connection) => connection,
                    None => dial(config)
                        .await
                        .map_err(|error| DeliveryError::Unreachable(without_addresses(&error)))?,
                };
                // Not reused after a failure, as the protocol state is unknown.
                smtp::deliver(&mut connection, &message).await?;
                *kept = Some(connection);
                Ok(())
            }
        }
    }

    /// Sends QUIT, without which some servers log a broken connection; the reply is ignored.
    async fn end(self) {
        if let Self::Server(Some(mut connection)) = self {
            let _ = timeout(QUIT_TIMEOUT, connection.quit()).await;
        }
    }
}

/// Writes the PDF of a document.
async fn attached(paper: Paper) -> anyhow::Result<AttachedPdf> {
    let name = paper.file_name();
    let written = tokio::task::spawn_blocking(move || pdf::write(&paper)).await;
    let pdf = written.unwrap_or_else(|_| Err(anyhow!("writing the PDF panicked")))?;
    Ok(AttachedPdf { name, pdf })
}

async fn dial(config: &Config) -> anyhow::Result<Box<AsyncSmtpConnection>> {
    Ok(Box::new(Relay::new(config)?.dial().await?))
}

async fn write_file(folder: &Path, email: &Outgoing, message: &Message) -> Result<(), DeliveryError> {
    let folder = folder.to_owned();
    let name = spool::file_name(email.created_at, &email.id.to_string());
    let bytes = message.formatted();
    let written = tokio::task::spawn_blocking(move || spool::write(&folder, &name, &bytes)).await;
    let written = written.unwrap_or_else(|_| Err(anyhow!("writing the file panicked")));
    written.map(drop).map_err(|error| DeliveryError::Unreachable(without_addresses(&error)))
}

fn without_addresses(error: &anyhow::Error) -> String {
    reason::without_addresses(&format!("{error:#}"), &[])
}

#[cfg(test)]
mod tests;
