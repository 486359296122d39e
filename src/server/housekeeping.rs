//! The caretaker: what has to be done now and then without anybody asking.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use crate::base::security_log;
use crate::mail;
use crate::operations::backup;
use crate::operations::maintenance;
use crate::web::app::App;
use crate::web::listener;
use crate::web::rate_limit;
use crate::web::session;
use crate::{documents, staff, students};

/// How often the caretaker looks whether something is due.
const EVERY: Duration = Duration::from_secs(60);
/// How often what has run out is forgotten.
const TIDY_EVERY: Duration = Duration::from_secs(3600);

/// Makes rounds until `stopped` turns true.
pub async fn take_care(app: App, mut stopped: watch::Receiver<bool>) {
    tokio::select! {
        () = make_rounds(&app) => {}
        () = listener::told_to_stop(&mut stopped) => {}
    }
}

async fn make_rounds(app: &App) {
    // A backup of a damaged school would push out a good one, and a damaged index may lack the row
    // that names a file.
    app.db.inspected().await;
    let mut tidied: Option<Instant> = None;
    let mut told_of_damage = None;
    loop {
        if tidied.is_none_or(|at| at.elapsed() >= TIDY_EVERY) {
            tidied = Some(Instant::now());
            tidy(app).await;
        }
        if let Err(error) = maintenance::round(app).await {
            tracing::warn!("upkeep: {error:?}");
        }
        if let Err(error) = maintenance::unsent::tell(app).await {
            tracing::warn!("the administrators could not be told of the mail budget: {error:?}");
        }
        match maintenance::damage::tell(app, told_of_damage).await {
            Ok(told) => told_of_damage = told,
            Err(error) => tracing::warn!("the administrators could not be told of the damage: {error:#}"),
        }
        security_log::tell_left_out();
        sleep(EVERY).await;
    }
}

/// Forgets what has run out and deletes files that nothing names.
async fn tidy(app: &App) {
    let (now, clock) = (app.clock.now(), app.clock.clone());
    let swept = app
        .db
        .write(move |connection| {
            session::sweep(connection, now)?;
            mail::sweep(connection, now)?;
            rate_limit::sweep(connection, &clock)?;
            staff::store::sweep_tokens(connection, now)?;
            students::sweep(connection, now)
        })
        .await;
    if let Err(error) = swept {
        tracing::warn!("housekeeping: {error:?}");
    }
    if app.db.damage().is_some() {
        return;
    }
    match documents::sweep::sweep_files(app).await {
        Ok(0) => {}
        Ok(files) => tracing::info!("housekeeping deleted {files} files that nothing names"),
        Err(error) => tracing::warn!("housekeeping: {error:?}"),
    }
    backup::sweep(&app.data_dir);
    mail::sweep_spool(&app.data_dir.spool(), now);
    app.limits.forget_idle(&app.clock);
}
