//! The office's dashboard: figures, waiting items, and a new school's first steps. It reads the data of all rooms.

mod first_steps;
pub mod morning;
mod state;
mod waiting;

use axum::extract::State;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::admissions::{self, AdmissionRequestStatus};
use crate::base::error::Result;
use crate::base::json::Json;
use crate::base::money::Money;
use crate::config::{Config, MissingFact};
use crate::documents::{faults, store as documents};
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::store as enrollments;
use crate::enrollments::waiting::charges;
use crate::mail::{self, unsent::NotSent};
use crate::messages::status::MessageStatus;
use crate::messages::store as messages;
use crate::money::ledger;
use crate::operations::maintenance::{self, LastRun, TaskName};
use crate::records::identity;
use crate::staff::{Duty, Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_dashboard].merge(first_steps::routes()).merge(waiting::routes())
}

/// The three cards of the admin dashboard, and what the office should know beside them.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Dashboard {
    /// Course enrollments awaiting approval.
    pub pending_enrollments_count: i64,
    /// Total active course enrollments.
    pub approved_enrollments_count: i64,
    /// Total outstanding course fees, in dollars with at most two decimals.
    #[schema(value_type = f64)]
    pub total_fee_due: Money,
    /// Active enrollments that were approved without a price and were never charged.
    pub unpriced_enrollments_count: i64,
    /// Students whose name, date of birth or status in Canada changed after they were approved; null for a
    /// role that does not look at them.
    #[schema(required)]
    pub identity_changes_count: Option<i64>,
    /// Unread messages; null for a role without access.
    #[schema(required)]
    pub new_messages_count: Option<i64>,
    /// Requests for a place not reviewed yet; null for a role without access.
    #[schema(required)]
    pub pending_admission_requests_count: Option<i64>,
    /// Whether mails are delivered; false while they are only written into the data folder.
    pub is_mail_delivered: bool,
    /// Failed emails that need attention; null for a role without access.
    #[schema(required)]
    pub dead_mail_count: Option<i64>,
    /// Whether nothing can be changed, because the database is damaged.
    pub is_read_only: bool,
    /// The nightly backup; null when none is wanted.
    pub backup: Option<BackupState>,
    /// Documents that wait for the office's review; null for a role that does not look into documents.
    #[schema(required)]
    pub pending_documents_count: Option<i64>,
    /// Documents whose file is lost and that the office has neither replaced nor written off; null for a role that
    /// does not look into documents.
    #[schema(required)]
    pub lost_documents_count: Option<i64>,
    /// Emails that were not sent within the last day, because a budget was used up; null for a role that
    /// does not look at the school's mail.
    #[schema(required)]
    pub mail_not_sent: Option<NotSent>,
    /// Facts of the school that are not set and therefore left out; null for a role that does not set them.
    #[schema(required)]
    pub missing_facts: Option<Vec<MissingFact>>,
    /// Whether an administrator has hidden a new school's first steps; null for a role that does not take them.
    #[schema(required)]
    pub are_first_steps_hidden: Option<bool>,
}

/// How the nightly backup went.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackupState {
    /// When the last one succeeded and was checked; null before the first night.
    pub last_backup_at: Option<Timestamp>,
    /// When an archive was last restored on trial; null before the first night.
    pub last_drill_at: Option<Timestamp>,
    /// Absent unless archives are encrypted, so that a trial without their key opens none of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted: Option<EncryptedArchives>,
    /// Whether the last attempt failed, of the backup or of the trial.
    pub has_failed: bool,
    /// Whether nothing succeeded for longer than a night may take.
    pub is_late: bool,
}

/// What is known of encrypted archives.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EncryptedArchives {
    /// When one was last opened with its key; null if none ever was.
    #[schema(required)]
    pub last_opened_at: Option<Timestamp>,
}

/// The office's figures
#[utoipa::path(get, path = "/api/admin/dashboard", tag = "dashboard")]
async fn get_dashboard(staff: Staff<may::AnyRole>, State(app): State<App>) -> Result<Json<Dashboard>> {
    let is_mail_delivered = !app.is_mail_spooled();
    let config = app.config.clone();
    let is_read_only = app.db.damage().is_some();
    let now = app.clock.now();
    let duties = staff.user.duties;
    app.db
        .query(move |connection| {
            // Not counted for a role that may not see what is counted.
            let has = |duty: Duty| duties.contains(&duty);
            let figure = |duty: Duty, count: &dyn Fn() -> Result<i64>| has(duty).then(count).transpose();
            Ok(Json(Dashboard {
                pending_enrollments_count: enrollments::count(connection, EnrollmentStatus::Pending)?,
                approved_enrollments_count: enrollments::count(connection, EnrollmentStatus::Active)?,
                total_fee_due: Money::from_cents(ledger::total_due::read(connection)?),
                unpriced_enrollments_count: charges(connection)?.count,
                identity_changes_count: figure(Duty::Enrollments, &|| {
                    Ok(identity::waiting(connection)?.count)
                })?,
                new_messages_count: figure(Duty::Messages, &|| {
                    Ok(messages::waiting(connection, MessageStatus::New)?.count)
                })?,
                pending_admission_requests_count: figure(Duty::Admissions, &|| {
                    admissions::store::count(connection, AdmissionRequestStatus::Pending)
                })?,
                is_mail_delivered,
                dead_mail_count: figure(Duty::Mail, &|| Ok(mail::records::waiting(connection)?.count))?,
                is_read_only,
                backup: backup_state(connection, &config, now)?,
                pending_documents_count: figure(Duty::Documents, &|| {
                    Ok(documents::waiting(connection)?.count)
                })?,
                lost_documents_count: figure(Duty::Documents, &|| Ok(faults::waiting(connection)?.count))?,
                missing_facts: has(Duty::Settings).then(|| config.school().missing_facts()),
                are_first_steps_hidden: has(Duty::Settings)
                    .then(|| state::are_steps_hidden(connection))
                    .transpose()?,
                mail_not_sent: has(Duty::Mail).then(|| NotSent::read(connection, now)).transpose()?,
            }))
        })
        .await
}

fn backup_state(connection: &Connection, config: &Config, now: Timestamp) -> Result<Option<BackupState>> {
    let backup = maintenance::last(connection, maintenance::BACKUP.name)?;
    if !maintenance::is_watched(config, backup.as_ref()) {
        return Ok(None);
    }
    let drill = maintenance::last(connection, maintenance::DRILL.name)?
        .filter(|last| maintenance::is_watched(config, Some(last)));
    let opened = maintenance::last(connection, TaskName::Opened)?;
    let last_opened_at = opened.and_then(|last| last.succeeded_at);
    let encrypted = (!config.backup.age_recipient.is_empty()).then_some(EncryptedArchives { last_opened_at });
    let has_failed = |last: &Option<LastRun>| last.as_ref().is_some_and(|last| last.failure.is_some());
    Ok(Some(BackupState {
        has_failed: has_failed(&backup) || has_failed(&drill),
        is_late: maintenance::is_late(&maintenance::BACKUP, backup.as_ref(), now)
            || maintenance::is_late(&maintenance::DRILL, drill.as_ref(), now),
        encrypted,
        last_backup_at: backup.and_then(|last| last.succeeded_at),
        last_drill_at: drill.and_then(|last| last.succeeded_at),
    }))
}
