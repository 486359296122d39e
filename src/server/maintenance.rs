//! The maintenance loop: tasks each minute, each hour and each night.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use crate::accounts::mailed;
use crate::audit::chain;
use crate::base::security_log;
use crate::dashboard::morning;
use crate::mail;
use crate::money::ledger::{kept, total_due};
use crate::operations::backup;
use crate::operations::maintenance;
use crate::web::app::App;
use crate::web::idempotency;
use crate::web::listener;
use crate::web::rate_limit;
use crate::web::session;
use crate::{admissions, documents, enrollments, handover, money, privacy, staff, students};

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
    // A backup of a damaged database would displace a good one, and a damaged index may hide the row of a file.
    app.db.inspected().await;
    let mut cleaned_at: Option<Instant> = None;
    let mut reported_damage = None;
    loop {
        let is_hour = cleaned_at.is_none_or(|at| at.elapsed() >= CLEANUP_INTERVAL);
        if is_hour {
            cleaned_at = Some(Instant::now());
            clean_up(app).await;
        }
        if let Err(error) = maintenance::run_due(app).await {
            tracing::warn!("maintenance: {error:?}");
        }
        if let Err(error) = morning::send_if_due(app).await {
            tracing::warn!("the office could not be told what waits: {error:?}");
        }
        if let Err(error) = documents::review::clock::run_due(app).await {
            tracing::warn!("the ends of documents could not be looked at: {error:?}");
        }
        if let Err(error) = admissions::clock::run_due(app).await {
            tracing::warn!("the ends of offers could not be looked at: {error:?}");
        }
        if let Err(error) = handover::run_due(app).await {
            tracing::warn!("the work of disabled colleagues could not be unassigned: {error:?}");
        }
        if let Err(error) = money::reports::reminders::clock::run_due(app).await {
            tracing::warn!("families could not be reminded of fees: {error:?}");
        }
        if let Err(error) = enrollments::requests::guardian_emails::run_due(app).await {
            tracing::warn!("guardians could not be asked or reminded: {error:?}");
        }
        if let Err(error) = maintenance::unsent::report(app).await {
            tracing::warn!("the administrators could not be warned of the mail budget: {error:?}");
        }
        match maintenance::damage::report(app, reported_damage).await {
            Ok(reported) => reported_damage = reported,
            Err(error) => tracing::warn!("the administrators could not be warned of the damage: {error:#}"),
        }
        if is_hour && app.db.damage().is_none() {
            propose(app).await;
        }
        security_log::log_left_out();
        sleep(INTERVAL).await;
    }
}

/// Proposes expired records to the office for deletion; deletes nothing itself.
async fn propose(app: &App) {
    match privacy::retention::propose(app).await {
        Ok(0) => {}
        Ok(found) => {
            tracing::info!("{found} more records have reached their retention period; the office decides");
        }
        Err(error) => tracing::warn!("maintenance: {error:?}"),
    }
}

/// Deletes expired rows and unreferenced files.
async fn clean_up(app: &App) {
    if let Err(error) = chain::link_waiting(&app.db).await {
        tracing::warn!("maintenance: the audit trail: {error:?}");
    }
    let now = app.clock.now();
    let clock = app.clock.clone();
    let swept = app
        .db
        .write(move |connection| {
            session::sweep(connection, now)?;
            mail::sweep(connection, now)?;
            rate_limit::sweep(connection, &clock)?;
            idempotency::sweep(connection, now)?;
            mailed::sweep(connection, now)?;
            staff::sweep(connection, now)?;
            students::sweep(connection, now)
        })
        .await;
    if let Err(error) = swept {
        tracing::warn!("maintenance: {error:?}");
    }
    if app.db.damage().is_some() {
        return;
    }
    match total_due::correct(&app.db).await {
        Ok(None) => {}
        Ok(Some(wrong)) => tracing::error!("the total due was corrected: {wrong}"),
        Err(error) => tracing::warn!("maintenance: the total due: {error:?}"),
    }
    if let Err(error) = kept::catch_up(&app.db).await {
        tracing::warn!("maintenance: the balances: {error:?}");
    }
    match documents::sweep::sweep_files(app).await {
        Ok(0) => {}
        Ok(files) => tracing::info!("maintenance deleted {files} unreferenced files"),
        Err(error) => tracing::warn!("maintenance: {error:?}"),
    }
    match documents::backlog::examine_stored(app).await {
        Ok((0, 0)) => {}
        Ok((passed, refused)) => {
            tracing::info!(
                "of documents uploaded to an older version, {passed} are safe to open and {refused} are not"
            );
        }
        Err(error) => tracing::warn!("maintenance: {error:?}"),
    }
    match documents::encryption::encrypt_stored(app).await {
        Ok(0) => {}
        Ok(files) => tracing::info!("{files} stored documents are encrypted now"),
        Err(error) => tracing::warn!("maintenance: {error:?}"),
    }
    backup::sweep(&app.data_dir);
    mail::sweep_spool(&app.data_dir.spool(), now);
    app.limits.forget_idle();
}
