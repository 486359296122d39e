//! Housekeeping: what has to be done now and then without anybody asking.

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

/// How often it checks whether something is due.
const INTERVAL: Duration = Duration::from_mins(1);
/// How often expired rows and stray files are deleted.
const CLEANUP_INTERVAL: Duration = Duration::from_hours(1);

/// Runs until `stopped` turns true.
pub async fn run(app: App, mut stopped: watch::Receiver<bool>) {
    tokio::select! {
        () = run_forever(&app) => {}
        () = listener::shutdown_requested(&mut stopped) => {}
    }
}

async fn run_forever(app: &App) {
    // A backup of a damaged school would push out a good one, and a damaged index may lack the row
    // that names a file.
    app.db.inspected().await;
    let mut cleaned_at: Option<Instant> = None;
    let mut reported_damage = None;
    loop {
        if cleaned_at.is_none_or(|at| at.elapsed() >= CLEANUP_INTERVAL) {
            cleaned_at = Some(Instant::now());
            clean_up(app).await;
        }
        if let Err(error) = maintenance::run_due(app).await {
            tracing::warn!("maintenance: {error:?}");
        }
        if let Err(error) = maintenance::unsent::report(app).await {
            tracing::warn!("the administrators could not be warned of the mail budget: {error:?}");
        }
        match maintenance::damage::report(app, reported_damage).await {
            Ok(reported) => reported_damage = reported,
            Err(error) => tracing::warn!("the administrators could not be warned of the damage: {error:#}"),
        }
        security_log::log_left_out();
        sleep(INTERVAL).await;
    }
}

/// Deletes what has expired, and files that no row names.
async fn clean_up(app: &App) {
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
        Ok(files) => tracing::info!("housekeeping deleted {files} files that no row names"),
        Err(error) => tracing::warn!("housekeeping: {error:?}"),
    }
    backup::sweep(&app.data_dir);
    mail::sweep_spool(&app.data_dir.spool(), now);
    app.limits.forget_idle(&app.clock);
}
