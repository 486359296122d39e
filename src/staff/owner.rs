//! [`Owner`] for staff accounts, and their shared endpoints.

use axum::http::StatusCode;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::links::{NewLink, StaffLinkPurpose};
use super::members::StaffAccounts;
use super::store::{self, StaffMember};
use super::{StaffAccount, emails};
use crate::accounts::call::{Mount, call};
use crate::accounts::links::{self, LinkPolicy};
use crate::accounts::second_factor::news::FactorNews;
use crate::accounts::second_factor::{self, passkeys};
use crate::accounts::{
    Owner, PasswordChangedBy, Recent, SignedInOwner, devices, old_browser, password, step_up,
};
use crate::audit;
use crate::base::email::Email;
use crate::base::error::{ErrorBody, Result};
use crate::config::Config;
use crate::mail::{Cause, EmailMessage, outbox};
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::portal::Portal;
use crate::web::signed_in::Device;

const OWN: Mount = Mount { path: "/api/user", tag: "staff" };
const VISITORS: Mount = Mount { path: "/api", tag: "staff" };

/// Endpoints of the own account.
pub fn routes() -> OpenApiRouter<App> {
    let change_password = call!(password::change_password::<StaffAccount>)
        .summary("Change the own password; every other session and every link ends");
    let list_sessions =
        call!(devices::list_sessions::<StaffAccount>).summary("The staff member's signed-in devices");
    let turn_off = call!(second_factor::turn_off_second_factor::<StaffAccount>);
    let reset_password = call!(password::reset_password::<StaffAccount>);
    OpenApiRouter::new()
        .routes(change_password.at(OWN, "change_staff_password"))
        .routes(reset_password.at(VISITORS, "reset_staff_password"))
        .routes(call!(old_browser::report_old_browser::<StaffAccount>).at(OWN, "report_old_staff_browser"))
        .routes(list_sessions.at(OWN, "list_staff_sessions"))
        .routes(
            call!(devices::end_other_sessions::<StaffAccount>).refuses().at(OWN, "end_other_staff_sessions"),
        )
        .routes(call!(devices::end_session::<StaffAccount>).refuses().at(OWN, "end_staff_session"))
        .routes(call!(second_factor::get_second_factor::<StaffAccount>).at(OWN, "get_second_factor"))
        .routes(call!(second_factor::begin_second_factor::<StaffAccount>).at(OWN, "begin_second_factor"))
        .routes(call!(second_factor::confirm_second_factor::<StaffAccount>).at(OWN, "confirm_second_factor"))
        .routes(call!(second_factor::draw_recovery_codes::<StaffAccount>).at(OWN, "draw_recovery_codes"))
        .routes(turn_off.at(OWN, "turn_off_second_factor"))
        .routes(call!(passkeys::begin_passkey::<StaffAccount>).at(OWN, "begin_passkey"))
        .routes(call!(passkeys::add_passkey::<StaffAccount>).at(OWN, "add_passkey"))
        .routes(call!(passkeys::rename_passkey::<StaffAccount>).at(OWN, "rename_passkey"))
        .routes(call!(passkeys::remove_passkey::<StaffAccount>).at(OWN, "remove_passkey"))
        .routes(call!(passkeys::ask_passkey::<StaffAccount>).at(OWN, "ask_passkey"))
        .routes(call!(step_up::prove_identity::<StaffAccount>).at(OWN, "prove_identity"))
        .routes(endpoint!(check_proof))
}

/// A message for the staff member.
#[derive(Debug, Serialize, ToSchema)]
pub struct StaffMessage {
    message: &'static str,
}

impl From<&'static str> for StaffMessage {
    fn from(message: &'static str) -> Self {
        Self { message }
    }
}

/// Check for authentication within ten minutes; 403 with the reason `step_up` otherwise
#[utoipa::path(get, path = "/api/user/proof", tag = "staff", responses((status = 403, body = ErrorBody)))]
async fn check_proof(_: SignedInOwner<StaffAccount, Recent>) -> StatusCode {
    StatusCode::NO_CONTENT
}

impl Owner for StaffAccount {
    const PORTAL: Portal = Portal::Staff;
    const WRONG_PASSWORD: &'static str = "Invalid username or password";
    const RESETTING: LinkPolicy<StaffLinkPurpose> = LinkPolicy {
        purposes: &[StaffLinkPurpose::ResetPassword],
        dead: "This link has expired or was used already. Please ask for a new one.",
    };
    type Purpose = StaffLinkPurpose;
    type Message = StaffMessage;

    fn id(&self) -> i64 {
        self.id
    }

    fn label(&self) -> &str {
        &self.username
    }

    fn names(&self) -> Vec<&str> {
        vec![&self.username, self.name(), &self.email]
    }

    fn has_second_factor(&self) -> bool {
        self.has_second_factor
    }

    fn password_changed(
        &self,
        connection: &Connection,
        by: PasswordChangedBy,
        config: &Config,
        now: Timestamp,
    ) -> Result<()> {
        audit::record(connection, &self.actor(), "change_password", "user", self.id, json!({}), now)?;
        self.write(connection, |to| emails::password_changed(to, self, by, config), config, now)
    }

    fn record(&self, connection: &Connection, news: FactorNews, now: Timestamp) -> Result<()> {
        audit::record(connection, &self.actor(), news.action(), "user", self.id, news.detail(), now)
    }

    fn post(&self, connection: &Connection, news: FactorNews, config: &Config, now: Timestamp) -> Result<()> {
        self.write(connection, |to| emails::second_factor(to, self, news, config), config, now)
    }
}

impl StaffAccount {
    /// Queues an email to the owner. An address that is invalid by newer rules is skipped and must not block the login.
    pub(super) fn write(
        &self,
        connection: &Connection,
        message: impl FnOnce(&Email) -> EmailMessage,
        config: &Config,
        now: Timestamp,
    ) -> Result<()> {
        let Ok(to) = Email::parse(&self.email) else { return Ok(()) };
        outbox::enqueue(connection, &message(&to), Cause::Office, config, now).map(drop)
    }

    /// Creates a password link; invalidates earlier ones of the account.
    pub fn make_reset_link(
        &self,
        connection: &Connection,
        config: &Config,
        now: Timestamp,
    ) -> Result<String> {
        links::end_all::<StaffLinkPurpose>(connection, self.id)?;
        let link = NewLink::generate(StaffLinkPurpose::ResetPassword)?;
        link.keep(connection, self.id, None, now)?;
        Ok(link.url(config))
    }
}

/// Records a login, and notifies the owner of a `new` device. A failure to record it does not fail the login.
pub(super) async fn note_login(app: &App, account: StaffAccount, new: Option<Device>) {
    let now = app.clock.now();
    let config = app.config.clone();
    let noted = app
        .write_and_notify(move |connection| {
            let before = store::note_login(connection, account.id, now)?;
            let Some(device) = new.filter(|_| before.is_some()) else { return Ok(()) };
            let message = |to: &Email| emails::new_device(to, &account, device.as_str(), &config);
            account.write(connection, message, &config, now)
        })
        .await;
    if let Err(error) = noted {
        tracing::warn!("a login was not recorded: {error:?}");
    }
}

impl StaffAccounts<'_> {
    /// Resets a colleague's second factor and ends their sessions. Returns the number; `None` if there was no second
    /// factor.
    pub fn reset_second_factor(&self, member: &StaffMember) -> Result<Option<usize>> {
        let account = &member.account;
        let ended = second_factor::reset(self.connection, account, self.config, self.now)?;
        if let Some(sessions) = ended {
            self.record(FactorNews::Reset.action(), account.id, json!({ "sessions": sessions }))?;
        }
        Ok(ended)
    }
}
