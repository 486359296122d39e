//! [`Owner`] for student accounts, and their shared endpoints.

use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::history::{self, HistoryChange};
use super::links::{Link, LinkPurpose};
use super::requests::post;
use super::status::StudentStatus;
use super::{Student, emails, store};
use crate::accounts::call::{Mount, call};
use crate::accounts::links::LinkPolicy;
use crate::accounts::second_factor::news::FactorNews;
use crate::accounts::second_factor::{self, passkeys};
use crate::accounts::{Message, Owner, PasswordChangedBy, devices, old_browser, password, step_up};
use crate::audit::{self, Actor, By};
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::config::Config;
use crate::mail::{Asker, Cause};
use crate::web::app::App;
use crate::web::portal::Portal;

const OWN: Mount = Mount { path: "/api/students", tag: "students" };

/// Endpoints of the own account.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(call!(password::change_password::<Student>).at(OWN, "change_student_password"))
        .routes(call!(password::reset_password::<Student>).at(OWN, "reset_password"))
        .routes(call!(old_browser::report_old_browser::<Student>).at(OWN, "report_old_student_browser"))
        .routes(call!(devices::list_sessions::<Student>).at(OWN, "list_student_sessions"))
        .routes(call!(devices::end_other_sessions::<Student>).at(OWN, "end_other_student_sessions"))
        .routes(call!(devices::end_session::<Student>).at(OWN, "end_student_session"))
        .routes(call!(second_factor::get_second_factor::<Student>).at(OWN, "get_student_factor"))
        .routes(call!(second_factor::begin_second_factor::<Student>).at(OWN, "begin_student_factor"))
        .routes(call!(second_factor::confirm_second_factor::<Student>).at(OWN, "confirm_student_factor"))
        .routes(call!(second_factor::draw_recovery_codes::<Student>).at(OWN, "draw_student_recovery_codes"))
        .routes(call!(second_factor::turn_off_second_factor::<Student>).at(OWN, "turn_off_student_factor"))
        .routes(call!(passkeys::begin_passkey::<Student>).refuses().at(OWN, "begin_student_passkey"))
        .routes(call!(passkeys::add_passkey::<Student>).refuses().at(OWN, "add_student_passkey"))
        .routes(call!(passkeys::rename_passkey::<Student>).at(OWN, "rename_student_passkey"))
        .routes(call!(passkeys::remove_passkey::<Student>).refuses().at(OWN, "remove_student_passkey"))
        .routes(call!(passkeys::ask_passkey::<Student>).at(OWN, "ask_student_passkey"))
        .routes(call!(step_up::prove_identity::<Student>).at(OWN, "prove_student"))
}

impl Owner for Student {
    const PORTAL: Portal = Portal::Student;
    const WRONG_PASSWORD: &'static str = "Invalid email or password";
    const RESETTING: LinkPolicy<LinkPurpose> = LinkPolicy {
        purposes: &[LinkPurpose::ResetPassword, LinkPurpose::ChoosePassword],
        dead: "This link has expired or was used already. Please ask for a new one.",
    };
    type Purpose = LinkPurpose;
    type Message = Message;

    fn id(&self) -> i64 {
        self.id
    }

    fn label(&self) -> &str {
        &self.email
    }

    fn has_second_factor(&self) -> bool {
        self.has_second_factor
    }

    fn names(&self) -> Vec<&str> {
        vec![&self.email]
    }

    fn check_open(&self, config: &Config) -> Result<()> {
        match self.status {
            StudentStatus::Active => Ok(()),
            StudentStatus::Unverified => Err(Error::Forbidden(
                "Please verify your email address first. We can send you a new verification link.".into(),
            )),
            StudentStatus::Suspended | StudentStatus::Closed => {
                let words = "This account is not open. Please contact the office";
                Err(Error::Forbidden(format!("{words}{}.", config.school().contacts())))
            }
        }
    }

    fn may_reset_by(&self, link: &Link) -> bool {
        // A link to a former address is no longer valid.
        self.email.eq_ignore_ascii_case(&link.email) && self.status.may_reset_password()
    }

    fn password_changed(
        &self,
        connection: &Connection,
        by: PasswordChangedBy,
        config: &Config,
        now: Timestamp,
    ) -> Result<()> {
        let cause = match by {
            PasswordChangedBy::Owner => Cause::Student(self.id),
            PasswordChangedBy::Link => {
                // Using the link also verifies the mailbox.
                let today = now.to_zoned(config.school().zone()).date();
                store::mark_verified(connection, self.id, today, now)?;
                Cause::Visitor(Asker::default())
            }
        };
        let name = self.profile.full_name.as_deref();
        let message = emails::password_changed(&self.address()?, name, config);
        post(connection, &message, cause, config, now).map(drop)
    }

    fn record(&self, connection: &Connection, news: FactorNews, now: Timestamp) -> Result<()> {
        note(connection, self.id, By::Student, news, now)
    }

    fn post(&self, connection: &Connection, news: FactorNews, config: &Config, now: Timestamp) -> Result<()> {
        // An address that is invalid by newer rules is skipped and must not block the action.
        let Ok(to) = Email::parse(&self.email) else { return Ok(()) };
        let cause = if news == FactorNews::Reset { Cause::Office } else { Cause::Student(self.id) };
        let name = self.profile.full_name.as_deref();
        post(connection, &emails::second_factor(&to, name, news, config), cause, config, now).map(drop)
    }
}

/// Records it in the student's history.
fn note(connection: &Connection, id: i64, by: By, news: FactorNews, now: Timestamp) -> Result<()> {
    let left;
    let (field, before, after) = match news {
        FactorNews::SetUp => ("secondFactor", None, Some("on")),
        FactorNews::FirstPasskey => ("secondFactor", None, Some("on, by a passkey")),
        FactorNews::TurnedOff | FactorNews::Reset => ("secondFactor", Some("on"), None),
        FactorNews::PasskeyAdded => ("secondFactor", None, Some("one more passkey")),
        FactorNews::PasskeyRemoved => ("secondFactor", Some("a passkey"), None),
        FactorNews::AppTurnedOff => ("secondFactor", Some("an authenticator app"), None),
        FactorNews::Drawn => ("recoveryCodes", None, Some("new ones")),
        FactorNews::Recovered { left: number } => {
            left = format!("one used, {number} left");
            ("recoveryCodes", None, Some(left.as_str()))
        }
    };
    history::add(connection, id, by, HistoryChange { field, before, after, reason: None }, now)
}

/// Resets a student's second factor and ends their sessions. Returns the number; `None` if there was no second factor.
pub fn reset_second_factor(
    connection: &Connection,
    student: &Student,
    by: By,
    actor: &Actor,
    config: &Config,
    now: Timestamp,
) -> Result<Option<usize>> {
    let ended = second_factor::reset(connection, student, config, now)?;
    if let Some(sessions) = ended {
        note(connection, student.id, by, FactorNews::Reset, now)?;
        let action = FactorNews::Reset.action();
        let detail = json!({ "sessions": sessions });
        audit::record(connection, actor, action, "student", student.id, detail, now)?;
    }
    Ok(ended)
}
