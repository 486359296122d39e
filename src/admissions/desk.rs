//! Who of the office acts on an application, when, and by which rules.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde_json::Value;

use super::{AdmissionRequest, AdmissionsReading};
use crate::audit::{self, Actor};
use crate::base::error::{Error, Result};
use crate::config::Config;
use crate::staff::CurrentStaff;
use crate::web::app::App;

/// A conflict with the application as it is now, which the answer carries.
pub fn conflict(words: impl Into<String>, current: &AdmissionRequest) -> Error {
    Error::conflict(words, current)
}

/// The member of the staff, the time, and the rules.
pub struct AdmissionDesk {
    /// Id of the member of the staff.
    pub user_id: i64,
    actor: Actor,
    /// Configuration.
    pub config: Arc<Config>,
    /// Current time.
    pub now: Timestamp,
    /// The date at the school.
    pub today: Date,
}

impl AdmissionDesk {
    /// The desk of a member of the staff, now.
    pub fn new(app: &App, staff: &CurrentStaff) -> Self {
        Self {
            user_id: staff.id,
            actor: staff.actor(),
            config: app.config.clone(),
            now: app.clock.now(),
            today: app.today(),
        }
    }

    /// The desk of a member of the staff at a given time, for the history of the demo school.
    pub fn at(config: Arc<Config>, user_id: i64, username: &str, now: Timestamp) -> Self {
        let today = now.to_zoned(config.school().zone()).date();
        Self { user_id, actor: Actor::staff(user_id, username), config, now, today }
    }

    /// How it reads applications.
    pub fn reading(&self) -> AdmissionsReading {
        AdmissionsReading::at(&self.config, self.now)
    }

    /// Adds an audit row.
    pub fn audit(&self, connection: &Connection, action: &str, id: i64, detail: Value) -> Result<()> {
        audit::record(connection, &self.actor, action, "application", id, detail, self.now)
    }
}
