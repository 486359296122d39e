//! Notifications to systemd: ready, watchdog, stopping. None are sent without systemd.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use sd_notify::NotifyState;
use tokio::sync::watch;

use crate::base::error::{Error, Result};
use crate::web::app::App;
use crate::web::listener;

/// How often a long start requests more time, and how much.
const ASK: Duration = Duration::from_secs(10);
const MORE: Duration = Duration::from_mins(1);
/// A start that takes longer than an hour hangs.
const MAX_ASKS: u32 = 360;

/// Notifies that the server is ready.
pub fn ready(status: &str) {
    notify(&[NotifyState::Ready, NotifyState::Status(status)]);
}

/// Notifies that the server is stopping.
pub fn stopping() {
    notify(&[NotifyState::Stopping, NotifyState::Status("Finishing requests and closing the database")]);
}

fn notify(words: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(words) {
        tracing::warn!("systemd could not be notified: {error}");
    }
}

/// Requests more startup time until dropped: migrating a large database, with the copy before it, may exceed the limit.
pub struct StartupNotice(Option<Sender<()>>);

impl StartupNotice {
    /// Starts requesting more time, if run by systemd.
    pub fn begin() -> Self {
        if std::env::var_os("NOTIFY_SOCKET").is_none() {
            return Self(None);
        }
        notify(&[NotifyState::Status("Opening the database")]);
        let (alive, ended) = channel();
        let asking = std::thread::Builder::new().name("starting".into()).spawn(move || {
            for _ in 0..MAX_ASKS {
                notify(&[NotifyState::ExtendTimeoutUsec(
                    u32::try_from(MORE.as_micros()).unwrap_or(u32::MAX),
                )]);
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

/// Feeds the watchdog as long as the database responds, three times per period, until `stopped` turns true. Returns at
/// once if no watchdog is set.
pub async fn feed_watchdog(app: App, mut stopped: watch::Receiver<bool>) {
    let Some(period) = sd_notify::watchdog_enabled() else { return };
    let every = period / 3;
    let mut was_well = true;
    loop {
        let is_well = matches!(tokio::time::timeout(every, probe(&app)).await, Ok(Ok(())));
        if is_well {
            notify(&[NotifyState::Watchdog]);
        } else {
            tracing::error!("the database does not answer; the watchdog is not fed");
        }
        if is_well != was_well {
            let status = if is_well { "Serving" } else { "The database does not answer" };
            notify(&[NotifyState::Status(status)]);
        }
        was_well = is_well;
        tokio::select! {
            () = tokio::time::sleep(every) => {}
            () = listener::shutdown_requested(&mut stopped) => return,
        }
    }
}

/// A read, and an empty write transaction.
///
/// Nothing is written: a full or broken disk is not a hang, and a restart would only interrupt readers.
async fn probe(app: &App) -> Result<()> {
    app.db
        .read(|connection| Ok(connection.query_row("select count(*) from sqlite_schema", [], |_| Ok(()))?))
        .await?;
    match app.db.write(|_| Ok(())).await {
        // Known damage counts as a response: the server continues read-only, and a restart would not help.
        Err(Error::ReadOnly) => Ok(()),
        answer => answer,
    }
}
