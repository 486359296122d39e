//! An email to the administrators when the daily limit of emails is used up.

use super::emails;
use crate::base::error::Result;
use crate::mail::Cause;
use crate::mail::outbox::enqueue;
use crate::mail::unsent::{is_report_due, used_up};
use crate::staff;
use crate::web::app::App;

/// Emails the administrators once a day while the daily limit holds emails back.
pub async fn report(app: &App) -> Result<()> {
    let now = app.clock.now();
    if !app.db.read(|connection| is_report_due(connection, now)).await? {
        return Ok(());
    }
    let config = app.config.clone();
    app.write_and_notify(move |connection| {
        let shares = used_up(connection, now)?;
        for admin in staff::store::admin_emails(connection)? {
            let message = emails::limit_used_up(&admin, &shares, &config);
            enqueue(connection, &message, Cause::Office, &config, now)?;
        }
        Ok(())
    })
    .await
}
