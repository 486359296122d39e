//! The caretaker: what has to be done now and then without anybody asking.

use std::time::Duration;

use tokio::sync::watch;

use super::app::App;
use super::{listener, mail, session};
use crate::{documents, staff, students};

/// How often the caretaker makes the round.
const EVERY: Duration = Duration::from_secs(3600);

/// Makes a round every hour until `stopped` turns true.
pub async fn take_care(app: App, mut stopped: watch::Receiver<bool>) {
    loop {
        tidy(&app).await;
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = listener::told_to_stop(&mut stopped) => return,
        }
    }
}

/// Forgets what has run out and deletes files that nothing names.
async fn tidy(app: &App) {
    let now = app.clock.now();
    let swept = app
        .db
        .write(move |connection| {
            session::sweep(connection, now)?;
            mail::sweep(connection, now)?;
            staff::store::sweep_tokens(connection, now)?;
            students::store::sweep_tokens(connection, now)
        })
        .await;
    if let Err(error) = swept {
        tracing::warn!("housekeeping: {error:?}");
    }
    match documents::store::sweep(app).await {
        Ok(0) => {}
        Ok(files) => tracing::info!("housekeeping deleted {files} files that nothing names"),
        Err(error) => tracing::warn!("housekeeping: {error:?}"),
    }
    app.limits.forget_idle();
}
