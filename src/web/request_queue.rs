//! What somebody who is not signed in asks for and hears of by e-mail: the worker that works it off.
//!
//! Promises: the handler writes the request and nothing else, so that neither its answer nor its time
//! tells whether there is such an account; a worker makes links and e-mails of it a moment later, and
//! after a crash.

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

/// The worker looks this often even if nobody rings: a request that failed is tried again.
const POLL: Duration = Duration::from_secs(30);
/// Requests are worked off together after a pause of this length and up to as much again. Without it the
/// worker's writes would hold up whatever the same person asks for next, longer for a known account.
const PAUSE: Duration = Duration::from_millis(100);
/// Requests that share a commit.
const BATCH: u32 = 32;
/// A request that failed for this long is given up: whoever asked has asked again.
pub const GIVE_UP_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// The requests of one room, in a table of its own.
pub struct Queue {
    /// The numbers of those that wait behind a number, in order, at most so many.
    pub waiting: fn(&Connection, after: i64, limit: u32) -> Result<Vec<i64>>,
    /// Takes one away and does what it asks for.
    pub settle: fn(&Connection, &Config, id: i64, now: Timestamp) -> Result<()>,
}

/// Starts the worker; it ends when `stopped` turns true. What it has not done then is done after the
/// next start.
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

/// A pause that nobody can foresee.
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
        // Asked for at once, they share a commit; one that fails leaves the others alone.
        let mut writes = JoinSet::new();
        for id in ids {
            let app = app.clone();
            writes.spawn(async move {
                let (now, config) = (app.clock.now(), app.config.clone());
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
