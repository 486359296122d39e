//! Notifications to systemd: ready, alive, stopping. Without systemd none are sent.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use sd_notify::NotifyState;
use tokio::sync::watch;

use crate::base::error::{Error, Result};
use crate::web::app::App;
use crate::web::listener;

/// How often a long start asks for more time, and how much.
const ASK: Duration = Duration::from_secs(10);
const MORE: Duration = Duration::from_mins(1);
/// A start that takes longer than an hour hangs.
const MAX_ASKS: u32 = 360;

/// Tells that requests are served from now on.
pub fn ready(status: &str) {
    say(&[NotifyState::Ready, NotifyState::Status(status)]);
}

/// Tells that the end has begun.
pub fn stopping() {
    say(&[NotifyState::Stopping, NotifyState::Status("Finishing requests and closing the database")]);
}

fn say(words: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(words) {
        tracing::warn!("systemd could not be notified: {error}");
    }
}

/// Asks for more time as long as it lives: a migration of a large database, with the snapshot before
/// it, takes longer than a start should.
pub struct StartupNotice(Option<Sender<()>>);

impl StartupNotice {
    /// Begins to ask, if there is anybody to ask.
    pub fn begin() -> Self {
        if std::env::var_os("NOTIFY_SOCKET").is_none() {
            return Self(None);
        }
        say(&[NotifyState::Status("Opening the database")]);
        let (alive, ended) = channel();
        let asking = std::thread::Builder::new().name("starting".into()).spawn(move || {
            for _ in 0..MAX_ASKS {
                say(&[NotifyState::ExtendTimeoutUsec(u32::try_from(MORE.as_micros()).unwrap_or(u32::MAX))]);
                if ended.recv_timeout(ASK) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
        });
        if let Err(error) = asking {
            tracing::warn!("systemd is not asked for more time: {error}");
        }
        Self(Some(alive))
    }
}

impl Drop for StartupNotice {
    fn drop(&mut self) {
        drop(self.0.take());
    }
}

/// Feeds the watchdog as long as the database answers, three times per period, until `stopped` turns
/// true. Returns at once where no watchdog is set.
pub async fn feed_watchdog(app: App, mut stopped: watch::Receiver<bool>) {
    let Some(period) = sd_notify::watchdog_enabled() else { return };
    let every = period / 3;
    let mut was_well = true;
    loop {
        let is_well = matches!(tokio::time::timeout(every, probe(&app)).await, Ok(Ok(())));
        if is_well {
            say(&[NotifyState::Watchdog]);
        } else {
            tracing::error!("the database does not answer; the watchdog is not fed");
        }
        if is_well != was_well {
            let status = if is_well { "Serving" } else { "The database does not answer" };
            say(&[NotifyState::Status(status)]);
        }
        was_well = is_well;
        tokio::select! {
            () = tokio::time::sleep(every) => {}
            () = listener::shutdown_requested(&mut stopped) => return,
        }
    }
}

/// A read, and a turn of the writer that takes the database's write lock and gives it back.
///
/// Nothing is written: a full or broken disk is no hang, and to be started again would only take
/// from the readers what still works.
async fn probe(app: &App) -> Result<()> {
    app.db
        .read(|connection| Ok(connection.query_row("select count(*) from sqlite_schema", [], |_| Ok(()))?))
        .await?;
    match app.db.write(|_| Ok(())).await {
        // Known damage is an answer too: the server goes on reading, and a new start would find the same.
        Err(Error::ReadOnly) => Ok(()),
        answer => answer,
    }
}
