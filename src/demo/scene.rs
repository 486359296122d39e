//! Context of a diary event: the database at an instant. Events call the rooms' own functions with that instant.

use std::collections::BTreeMap;

use anyhow::{Context as _, anyhow};
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;

use super::calendar::Calendar;
use super::files::Files;
use super::names::StudentIndex;
use super::staff::{REGISTRAR, Team};
use crate::audit::Actor;
use crate::base::error::Result;
use crate::courses::values::CourseCode;
use crate::courses::{self, Course};
use crate::enrollments::decisions::DecisionContext;
use crate::staff::context::StaffContext;
use crate::web::app::App;
use crate::web::form::Field;

/// Index of a request in the diary, before it has an id.
pub type RequestIndex = usize;

/// The school while its history is created.
pub struct Scene<'a> {
    pub(super) app: &'a App,
    pub(super) connection: &'a Connection,
    pub(super) team: Team,
    pub(super) files: &'a Files,
    pub(super) calendar: &'a Calendar,
    /// Time of the event.
    pub now: Timestamp,
    pub(super) students: BTreeMap<StudentIndex, i64>,
    pub(super) requests: BTreeMap<RequestIndex, i64>,
    /// Message ids by the sender's local part.
    pub(super) messages: BTreeMap<&'static str, i64>,
    /// Numbers of applications, likewise.
    pub(super) applications: BTreeMap<&'static str, i64>,
}

impl<'a> Scene<'a> {
    /// A school without history.
    pub fn new(
        app: &'a App,
        connection: &'a Connection,
        team: Team,
        files: &'a Files,
        calendar: &'a Calendar,
    ) -> Self {
        let students = BTreeMap::new();
        let requests = BTreeMap::new();
        let messages = BTreeMap::new();
        let applications = BTreeMap::new();
        Self {
            app,
            connection,
            team,
            files,
            calendar,
            now: calendar.now,
            students,
            requests,
            messages,
            applications,
        }
    }

    /// The date at the school.
    pub fn today(&self) -> Date {
        self.calendar.date_of(self.now)
    }

    /// The registrar's context.
    pub fn context(&self) -> DecisionContext {
        DecisionContext::at(self.app, self.team.registrar, REGISTRAR, self.now)
    }

    /// The registrar, now.
    pub fn staff(&self) -> StaffContext {
        StaffContext::at(self.app.config.clone(), self.team.registrar, REGISTRAR, self.now)
    }

    /// The registrar as an actor, for the audit trail.
    pub fn registrar(&self) -> Actor {
        Actor::staff(self.team.registrar, REGISTRAR)
    }

    /// Id of a registered student.
    pub fn student(&self, who: StudentIndex) -> Result<i64> {
        Ok(*self.students.get(&who).with_context(|| format!("student {who} of the demo"))?)
    }

    /// Id of a request.
    pub fn request(&self, request: RequestIndex) -> Result<i64> {
        Ok(*self.requests.get(&request).with_context(|| format!("request {request} of the demo"))?)
    }

    /// A course of the sample catalogue.
    pub fn course(&self, code: &str) -> Result<Course> {
        course(self.connection, code)
    }
}

/// A course of the sample catalogue.
pub fn course(connection: &Connection, code: &str) -> Result<Course> {
    let known = CourseCode::parse(&Field::Value(code.to_owned())).map_err(|message| anyhow!(message))?;
    let found = courses::store::find_by_code(connection, &known)?;
    Ok(found.with_context(|| format!("{code} is in the sample"))?)
}
