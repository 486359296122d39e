//! Reports a damaged database to the administrators, bypassing the outbox, which is in the database.

use jiff::{SignedDuration, Timestamp};

use super::emails;
use crate::mail::urgent;
use crate::staff;
use crate::web::app::App;

/// Slightly less than a day, so that the email comes at the same hour.
const REMIND_AFTER: SignedDuration = SignedDuration::from_hours(23);

/// Emails the administrators once a day while the database is damaged; takes and returns the time of the last email.
/// Reports again after a restart.
///
/// # Errors
/// When the email could not be sent; the next run tries again.
pub async fn report(app: &App, reported_at: Option<Timestamp>) -> anyhow::Result<Option<Timestamp>> {
    let now = app.clock.now();
    let Some(found) = app.db.damage() else { return Ok(reported_at) };
    if reported_at.is_some_and(|reported| now.duration_since(reported) < REMIND_AFTER) {
        return Ok(reported_at);
    }
    let admins = app.db.read(staff::store::admin_emails).await.map_err(|error| anyhow::anyhow!("{error}"))?;
    for admin in &admins {
        let message = emails::database_damaged(admin, found);
        urgent::send(&app.config, &app.data_dir.spool(), &message, now).await?;
    }
    Ok(Some(now))
}
