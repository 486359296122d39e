//! Retention periods, and what happens after them.
//!
//! Promises: rules are data with an effective date; nightly maintenance proposes expired items and deletes nothing; an
//! admin sees the number and a sample and types the number before anything is deleted, with an audit row; items on hold
//! stay; marks and the ledger are never proposed. Files of deleted documents are deleted a day later, like those of
//! removed ones.

mod due;
mod proposals;
mod review;
mod rules;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use utoipa_axum::router::OpenApiRouter;

use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::Result;
use crate::web::app::App;

/// The office's endpoints.
pub fn routes() -> OpenApiRouter<App> {
    review::routes()
}

closed_set! {
    /// A class of data with a retention period.
    pub enum RetentionClass {
        /// Courses, marks and credits, with the student's name.
        Marks = "marks",
        /// Charges and payments.
        Ledger = "ledger",
        /// Documents of students, with their files.
        Documents = "documents",
        /// Address, telephone, parents and the rest of a profile; the office's notes.
        Profile = "profile",
        /// Messages of visitors.
        Messages = "messages",
        /// Requests for a place that were not granted or not taken.
        AdmissionRequests = "admission_requests",
        /// The breach register.
        Breaches = "breaches",
    }
}

closed_set! {
    /// Start of the retention period.
    pub enum RetentionSince {
        /// When a student was last seen or their last course ended, with no course open.
        LeftOn = "left_on",
        /// When it was received or discovered.
        ReceivedOn = "received_on",
    }
}

closed_set! {
    /// Action after the retention period.
    pub enum RetentionAction {
        /// None: it is kept.
        Keep = "keep",
        /// Deletes the row and its file.
        DeleteFile = "delete_file",
        /// Blanks the row.
        Blank = "blank",
        /// Deletes the row.
        Delete = "delete",
    }
}

/// Proposes expired items, and withdraws proposals that no longer apply. Deletes nothing.
///
/// # Errors
/// Database errors.
pub async fn propose(app: &App) -> Result<usize> {
    let now = app.clock.now();
    let today = app.today();
    let mut proposed = 0;
    for class in RetentionClass::ALL {
        // Searched on a reader, so that the writer is not blocked.
        let found = app
            .db
            .query(move |connection| {
                let rule = rules::in_force(connection, *class, today)?;
                due::find(connection, &rule, today)
            })
            .await?;
        let write = move |connection: &Connection| proposals::replace(connection, *class, &found, now);
        proposed += app.db.write(write).await?;
    }
    Ok(proposed)
}

/// Proposes the deletable data of a student whose deletion request was granted.
///
/// # Errors
/// Database errors.
pub fn propose_asked(connection: &Connection, student_id: i64, today: Date, now: Timestamp) -> Result<()> {
    for class in [RetentionClass::Documents, RetentionClass::Profile] {
        let rule = rules::in_force(connection, class, today)?;
        for found in due::find_asked(connection, &rule, today, student_id)? {
            proposals::insert(connection, class, &found, true, now)?;
        }
    }
    Ok(())
}
