//! A damaged database, told to the administrators past the outbox, which lies in it.

use jiff::{SignedDuration, Timestamp};

use crate::mail::{Kind, Letter, urgent};
use crate::staff;
use crate::web::app::App;

/// A little less than a day: the hour of the letter must not wander.
const REMIND_AFTER: SignedDuration = SignedDuration::from_hours(23);

/// Writes to the administrators once a day while the database is damaged; `told_at` is when it last
/// did, and answers when it did now. A school that starts again begins anew.
///
/// # Errors
/// When nobody could be reached; the next round tries again.
pub async fn tell(app: &App, told_at: Option<Timestamp>) -> anyhow::Result<Option<Timestamp>> {
    let now = app.clock.now();
    let Some(found) = app.db.damage() else { return Ok(told_at) };
    if told_at.is_some_and(|told| now.duration_since(told) < REMIND_AFTER) {
        return Ok(told_at);
    }
    let admins = app.db.read(staff::store::admin_emails).await.map_err(|error| anyhow::anyhow!("{error}"))?;
    for admin in &admins {
        let letter = Letter::to(Kind::Alarm, admin, "The school's database is damaged")
            .greeting(None)
            .paragraph(&format!(
                "The school can still be read, but nothing can be changed any more, so that nothing gets worse. \
                 What was found: {found}."
            ))
            .paragraph(
                "Please go to the server, stop the school, and restore the last backup with \"schoolhouse restore \
                 ARCHIVE\". What is there now is kept aside. If it happens again, the disk is failing.",
            );
        urgent::send(&app.config, &app.data_dir.spool(), &letter, now).await?;
    }
    Ok(Some(now))
}
