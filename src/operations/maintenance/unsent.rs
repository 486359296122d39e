//! An e-mail to the administrators when the daily limit of e-mails is used up.

use crate::base::email::Email;
use crate::base::error::Result;
use crate::config::Config;
use crate::mail::outbox::enqueue;
use crate::mail::unsent::{NotSent, is_report_due};
use crate::mail::{Cause, EmailMessage, Kind};
use crate::staff;
use crate::web::app::App;

/// Writes to the administrators, once a day, while e-mails are held back because the daily limit is
/// used up.
pub async fn report(app: &App) -> Result<()> {
    let now = app.clock.now();
    if !app.db.read(|connection| is_report_due(connection, now)).await? {
        return Ok(());
    }
    let config = app.config.clone();
    app.write_and_post(move |connection| {
        let count = NotSent::read(connection, now)?.school;
        for admin in staff::store::admin_emails(connection)? {
            enqueue(connection, &message(&admin, count, &config), Cause::Office, &config, now)?;
        }
        Ok(())
    })
    .await
}

fn message(to: &Email, count: i64, config: &Config) -> EmailMessage {
    EmailMessage::to(Kind::BudgetAlarm, to, "Today's limit of e-mails is used up")
        .greeting(None)
        .paragraph(&format!(
            "People outside the office can have the school send {} e-mails within 24 hours: links for \
             registrations and passwords, confirmations of messages and requests. That many were sent, and \
             further ones are not ({} so far). It goes on by itself as soon as there is room.",
            config.mail.strangers_per_day, count
        ))
        .paragraph(
            "What the office causes is sent as always, and messages and requests are kept. But a family that \
             registers or asks for a new password now may wait for an e-mail in vain: \"schoolhouse \
             reset-password --student ADDRESS\" on the server prints a link for them.",
        )
        .paragraph(
            "Most likely a program is filling in the forms; the server's log names the limits that it meets. If \
             it was an ordinary busy day, raise mail.strangers_per_day in the configuration.",
        )
        .button("Open the list of e-mails", &format!("{}/admin/mail", config.public_url()))
}
