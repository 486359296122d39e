//! Worker for requests of visitors that are answered by email.
//!
//! Promises: the handler only stores the request, so that neither its response nor its timing reveals whether the
//! account exists; the worker creates links and emails a moment later, also after a crash.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::sleep;

use super::app::App;
use super::listener::shutdown_requested;
use crate::base::error::Result;
use crate::base::random;
use crate::config::Config;

/// Poll interval when nothing wakes the worker; failed requests are retried.
const POLL: Duration = Duration::from_secs(30);
/// Requests are processed in batches after a pause of this length to twice as long. Without it the worker's writes
/// would delay the visitor's next request, longer for an existing account.
const PAUSE: Duration = Duration::from_millis(100);
/// Requests per commit.
const BATCH: u32 = 32;
/// Failed requests are given up after this time: the visitor has asked again.
pub const GIVE_UP_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// The requests of one room, in its own table.
pub struct Queue {
    /// Ids of waiting requests after `after`, in order, at most `limit`.
    pub waiting: fn(&Connection, after: i64, limit: u32) -> Result<Vec<i64>>,
    /// Removes a request and performs it.
    pub settle: fn(&Connection, &Config, id: i64, now: Timestamp) -> Result<()>,
}

/// Starts the worker, which ends when `stopped` turns true; remaining requests are processed after the next start.
pub fn spawn(app: App, queues: &'static [Queue], mut stopped: watch::Receiver<bool>) -> JoinHandle<()> {
    tokio::spawn(async move {
        tokio::select! {
            () = work(&app, queues) => {}
            () = shutdown_requested(&mut stopped) => {}
        }
    })
}

async fn work(app: &App, queues: &'static [Queue]) {
    loop {
        for queue in queues {
            if let Err(error) = settle_waiting(app, queue).await {
                tracing::warn!("requests for accounts could not be processed: {error:?}");
            }
        }
        tokio::select! {
            () = app.request_wakeup.notified() => sleep(pause()).await,
            () = sleep(POLL) => {}
        }
    }
}

/// A random pause.
fn pause() -> Duration {
    let part = random::bytes::<1>().map_or(u8::MAX, |[byte]| byte);
    PAUSE + PAUSE * u32::from(part) / u32::from(u8::MAX)
}

async fn settle_waiting(app: &App, queue: &'static Queue) -> Result<()> {
    let mut after = 0;
    loop {
        let ids = app.db.read(|connection| (queue.waiting)(connection, after, BATCH)).await?;
        let Some(last) = ids.last().copied() else { return Ok(()) };
        after = last;
        // Submitted together they share a commit; a failure does not affect the others.
        let mut writes = JoinSet::new();
        for id in ids {
            let app = app.clone();
            writes.spawn(async move {
                let now = app.clock.now();
                let config = app.config.clone();
                app.db.write(move |connection| (queue.settle)(connection, &config, id, now)).await
            });
        }
        while let Some(settled) = writes.join_next().await {
            if let Ok(Err(error)) = settled {
                tracing::warn!("a request for an account could not be processed: {error:?}");
            }
        }
        app.mailer_wakeup.notify_one();
    }
}
