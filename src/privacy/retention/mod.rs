//! How long what is kept, and what happens then.
//!
//! Promises: a rule is data with a day from which it holds; the night proposes what has been kept long
//! enough and deletes nothing; an admin sees how much and a sample, types the number, and only then it goes,
//! with an audit row; what is held for a reason stays; marks and the ledger are in no proposal, ever. The
//! files of deleted documents go as those of removed ones do, a day later.

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
    /// A kind of thing that is kept for some time.
    pub enum RetentionClass {
        /// Courses, marks and credits, and the name that they belong to.
        Marks = "marks",
        /// Charges and payments.
        Ledger = "ledger",
        /// Documents of students, and their files.
        Documents = "documents",
        /// Address, telephone, parents and the rest of a profile; the office's notes.
        Profile = "profile",
        /// Messages of visitors.
        Messages = "messages",
        /// Families who asked for a place and did not get or take one.
        AdmissionRequests = "admission_requests",
        /// The breach book.
        Breaches = "breaches",
    }
}

closed_set! {
    /// From when the years are counted.
    pub enum RetentionSince {
        /// The day on which a student was last seen or the last course ended, with no course open.
        LeftOn = "left_on",
        /// The day on which it came, or was discovered.
        ReceivedOn = "received_on",
    }
}

closed_set! {
    /// What happens after the years.
    pub enum RetentionAction {
        /// Nothing: it is kept on.
        Keep = "keep",
        /// The row and its file go.
        DeleteFile = "delete_file",
        /// The row stays and says nothing any more.
        Blank = "blank",
        /// The row goes.
        Delete = "delete",
    }
}

/// Proposes what has been kept long enough, and takes back proposals whose reason is gone. Deletes nothing.
///
/// # Errors
/// Of the database.
pub async fn propose(app: &App) -> Result<usize> {
    let (now, today) = (app.clock.now(), app.today());
    let mut proposed = 0;
    for class in RetentionClass::ALL {
        // Looked for on a reader's thread: the night is no reason to keep a writer waiting.
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

/// Proposes what may go of a student whose wish to be deleted was granted.
///
/// # Errors
/// Of the database.
pub fn propose_asked(connection: &Connection, student_id: i64, today: Date, now: Timestamp) -> Result<()> {
    for class in [RetentionClass::Documents, RetentionClass::Profile] {
        let rule = rules::in_force(connection, class, today)?;
        for found in due::find_asked(connection, &rule, today, student_id)? {
            proposals::insert(connection, class, &found, true, now)?;
        }
    }
    Ok(())
}
