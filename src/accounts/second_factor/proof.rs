//! Verification of codes and passkeys: at a login, and before changes of the second factor.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::change::{FactorChange, find};
use super::news::FactorNews;
use super::passkeys::question::{self, GivenPasskey};
use super::recovery;
use super::store::{self, Totp};
use super::totp::{CodeVerdict, DIGITS};
use crate::accounts::owner::{AccountKey, Owner};
use crate::accounts::password;
use crate::base::error::{Error, FieldErrors, Result};
use crate::base::security_log::{self, SecurityEvent};
use crate::config::Config;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::rate_limit::device::{DeviceAccount, Devices};
use crate::web::rate_limit::guesses::Attempt;

/// Whether the app is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TotpState {
    /// Setup started; needs a first code, not a recovery code.
    Begun,
    /// In use.
    InUse,
}

/// Why a code is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeRefusal {
    /// It is wrong.
    Wrong,
    /// It was used before.
    Used,
    /// It looks like a recovery code but is not one of theirs.
    NoRecoveryCode,
    /// A recovery code that was used before.
    UsedRecoveryCode,
    /// It looks like an app's code, but there is no app.
    NoApp,
    /// The passkey is unknown, invalid or too late.
    Passkey,
}

/// A submitted second factor.
pub enum FactorAnswer {
    /// A code of the app or a recovery code.
    Code(String),
    /// A passkey response.
    Passkey(Box<GivenPasskey>),
}

impl FactorAnswer {
    /// Parses the code or passkey; `None` if neither was sent.
    ///
    /// # Errors
    /// A message for `code` if it is malformed.
    pub fn parse(
        code: &Field<String>,
        passkey: &Field<BTreeMap<String, String>>,
    ) -> Result<Option<Self>, FieldErrors> {
        let unreadable = || FieldErrors::one("code", CodeRefusal::Passkey.words());
        match passkey {
            Field::Value(parts) => {
                let given = GivenPasskey::parse(parts).ok_or_else(unreadable)?;
                Ok(Some(Self::Passkey(Box::new(given))))
            }
            Field::Wrong => Err(unreadable()),
            Field::Absent | Field::Null if code.is_blank() => Ok(None),
            Field::Absent | Field::Null => code
                .between(1, 100, "Code is required")
                .map(|code| Some(Self::Code(code)))
                .map_err(|message| FieldErrors::one("code", message)),
        }
    }
}

impl CodeRefusal {
    /// Message for the field.
    pub fn words(self) -> &'static str {
        match self {
            Self::Wrong => "This code is not right. Please enter the one that your app shows now.",
            Self::Used => "This code was used already. Please wait for the next one.",
            Self::NoRecoveryCode => "This is none of your recovery codes",
            Self::UsedRecoveryCode => "This recovery code was used already. Please take another one.",
            Self::NoApp => {
                "There is no authenticator app for this account. Please use your passkey or a recovery code."
            }
            Self::Passkey => "This passkey was not accepted. Please try again, or use a recovery code.",
        }
    }
}

/// Verifies and consumes a second factor.
fn check<O: Owner>(
    change: &FactorChange<'_, O>,
    given: &FactorAnswer,
    state: TotpState,
) -> Result<Result<(), CodeRefusal>> {
    let connection = change.connection;
    let key = change.key();
    let totp = store::find(connection, key)?;
    let is_in_use = |totp: &Totp| totp.confirmed_at.is_some();
    match state {
        TotpState::Begun if totp.as_ref().is_none_or(is_in_use) => {
            return Err(change.conflict("There is nothing to confirm. Please start again."));
        }
        TotpState::InUse if !store::is_on(connection, key)? => {
            return Err(change.conflict("Your second factor is not set up."));
        }
        TotpState::Begun | TotpState::InUse => {}
    }
    let code = match (given, state) {
        (FactorAnswer::Code(code), _) => code,
        (FactorAnswer::Passkey(_), TotpState::Begun) => return Ok(Err(CodeRefusal::Wrong)),
        (FactorAnswer::Passkey(passkey), TotpState::InUse) => {
            return Ok(if passkey.check(change)? { Ok(()) } else { Err(CodeRefusal::Passkey) });
        }
    };
    let digits: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    let is_of_app = digits.len() <= DIGITS + 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_of_app || state == TotpState::Begun {
        let Some(totp) = totp.filter(|totp| state == TotpState::Begun || is_in_use(totp)) else {
            return Ok(Err(CodeRefusal::NoApp));
        };
        return match totp.secret.check(&digits, change.now, totp.last_step) {
            CodeVerdict::Right(step) => store::take_step(connection, key, step).map(Ok),
            CodeVerdict::Used => Ok(Err(CodeRefusal::Used)),
            CodeVerdict::Wrong => Ok(Err(CodeRefusal::Wrong)),
        };
    }
    let hash = recovery::hash(code);
    match store::find_recovery_code(connection, key, &hash)? {
        None => Ok(Err(CodeRefusal::NoRecoveryCode)),
        Some(true) => Ok(Err(CodeRefusal::UsedRecoveryCode)),
        Some(false) => {
            store::use_recovery_code(connection, &hash, change.now)?;
            let left = store::count_recovery_codes(connection, key)?;
            change.report(FactorNews::Recovered { left })?;
            security_log::note(SecurityEvent::FactorRecovered, None, None);
            Ok(Ok(()))
        }
    }
}

/// Second step of a login, after the right password.
///
/// # Errors
/// [`Error::CodeWanted`] without a code, [`Error::WrongCode`] for a wrong one, [`Error::HeldUp`] after too many.
pub async fn log_in<O: Owner>(
    app: &App,
    owner: &O,
    password_hash: &str,
    given: Option<FactorAnswer>,
    devices: &Devices,
) -> Result<()> {
    let key = owner.key();
    let Some(given) = given else { return Err(Error::CodeWanted(question_to(app, key).await?)) };
    let account = DeviceAccount { portal: key.portal, id: key.id, password_hash };
    let attempt = Attempt::to_give_code(&app.limits, account, devices);
    match guess(app, attempt, owner.clone(), given, TotpState::InUse, |_| Ok(())).await? {
        Ok(()) => Ok(()),
        Err(refused) => Err(Error::WrongCode(refused.words(), question_to(app, key).await?)),
    }
}

/// The passkey request of an account, for an error.
async fn question_to(app: &App, key: AccountKey) -> Result<Option<Box<serde_json::Value>>> {
    let Some(asked) = question::ask(app, key).await? else { return Ok(None) };
    Ok(Some(Box::new(serde_json::to_value(asked).map_err(anyhow::Error::from)?)))
}

/// Verifies and consumes the second factor of a signed-in owner.
///
/// # Errors
/// [`Error::HeldUp`] after too many wrong ones, [`Error::Conflict`] without a second factor.
pub(in crate::accounts) async fn judge_signed_in<O: Owner>(
    app: &App,
    id: i64,
    given: FactorAnswer,
) -> Result<Result<(), CodeRefusal>> {
    let owner = find::<O>(app, id).await?;
    let attempt = Attempt::code_signed_in(&app.limits, O::PORTAL, id);
    guess(app, attempt, owner, given, TotpState::InUse, |_| Ok(())).await
}

async fn guess<O: Owner, F>(
    app: &App,
    attempt: Attempt,
    owner: O,
    mut given: FactorAnswer,
    state: TotpState,
    work: F,
) -> Result<Result<(), CodeRefusal>>
where
    F: FnOnce(&FactorChange<'_, O>) -> Result<()> + Send + 'static,
{
    let config: Arc<Config> = app.config.clone();
    let now = app.clock.now();
    if let FactorAnswer::Passkey(passkey) = &mut given {
        passkey.take_challenge(app, owner.key());
    }
    let judged = app
        .limits
        .guess(attempt, move |connection| {
            let change = FactorChange { connection, owner: &owner, config: &config, now };
            match check(&change, &given, state)? {
                Ok(()) => work(&change).map(Ok),
                Err(refused) => Ok(Err(refused)),
            }
        })
        .await?;
    app.mailer_wakeup.notify_one();
    Ok(judged)
}

form! {
    /// Authentication for changing a second factor.
    pub struct FactorProof {
        /// A code of the app or, once it is in use, a recovery code.
        code: Option<String>,
        /// Instead of a code: the passkey response with `id`, `clientData`, `authenticatorData` and `signature` in
        /// base64url.
        passkey: Option<BTreeMap<String, String>>,
        /// The password of the account.
        current: String,
    }
}

/// A proof with all fields present; [`CheckedProof::carry_out`] verifies them.
pub(super) struct CheckedProof {
    given: FactorAnswer,
    current: String,
}

impl CheckedProof {
    pub(super) fn parse(form: &FactorProof) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let given = match FactorAnswer::parse(&form.code, &form.passkey) {
            Ok(given) => errors.take("code", given.ok_or("Code is required")),
            Err(unread) => return Err(unread),
        };
        let current = errors.take("current", password::current(&form.current));
        let parsed = || Some(Self { given: given?, current: current? });
        errors.finish(parsed())
    }

    /// Verifies the proof and runs `work` in the write that consumes the code.
    ///
    /// # Errors
    /// A field error for a wrong password or code, [`Error::HeldUp`] after too many.
    pub(super) async fn carry_out<O: Owner, F>(
        self,
        app: &App,
        id: i64,
        state: TotpState,
        work: F,
    ) -> Result<()>
    where
        F: FnOnce(&FactorChange<'_, O>) -> Result<()> + Send + 'static,
    {
        let proven = password::prove::<O>(app, id, &self.current, "current").await?;
        let owner = find::<O>(app, id).await?;
        let attempt = Attempt::code_signed_in(&app.limits, O::PORTAL, id);
        let judged = guess(app, attempt, owner, self.given, state, move |change| {
            proven.check_unchanged::<O>(change.connection, id)?;
            work(change)
        });
        judged.await?.map_err(|refused| Error::field("code", refused.words()))
    }
}
