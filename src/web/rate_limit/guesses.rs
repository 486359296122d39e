//! Budgets of password guesses and link requests.
//!
//! A wrong password counts against the account at this address (with a growing delay), the account, the address, its
//! site, and the total; a right one counts against nothing, so that a class behind one address can log in. A browser
//! known for the account has a separate budget instead, and so has a signed-in user. Unknown names are counted alike.

use std::sync::Arc;

use rusqlite::Connection;

use super::client::ClientAddr;
use super::device::{DeviceAccount, Devices};
use super::ledger::{self, Claim, Ledger};
use super::rule::Rule;
use super::{RateLimiter, millis};
use crate::base::clock::Clock;
use crate::base::error::{Error, Result};
use crate::base::hashing::{self, Gate, Lane};
use crate::mail::Asker;
use crate::web::portal::Portal;

/// Kinds of attempts with separate counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GuessKind {
    Login(Portal),
    /// The code of a second factor.
    Code(Portal),
    Link(LinkUse),
}

/// Purpose of a link, requested or used; each has separate budgets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkUse {
    /// A forgotten password of a student.
    ForgotPassword,
    /// A forgotten staff password.
    ForgotStaffPassword,
    /// Another verification link.
    ResendVerification,
    /// Use of a student's link.
    UseStudent,
    /// Use of a staff link.
    UseStaff,
    /// Links to one's applications or children.
    AskMailed,
    /// Use of such a link.
    UseMailed,
}

impl GuessKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Login(Portal::Student) => "student login",
            Self::Login(Portal::Staff) => "staff login",
            Self::Code(Portal::Student) => "student code",
            Self::Code(Portal::Staff) => "staff code",
            Self::Link(LinkUse::ForgotPassword) => "forgot password",
            Self::Link(LinkUse::ForgotStaffPassword) => "forgot staff password",
            Self::Link(LinkUse::ResendVerification) => "resend verification",
            Self::Link(LinkUse::UseStudent) => "use link",
            Self::Link(LinkUse::UseStaff) => "use staff link",
            Self::Link(LinkUse::AskMailed) => "ask for mailed link",
            Self::Link(LinkUse::UseMailed) => "use mailed link",
        }
    }

    /// What to do instead of waiting.
    fn way_out(self) -> &'static str {
        match self {
            Self::Login(Portal::Student | Portal::Staff) => {
                "If you have forgotten your password, \"Forgot password?\" lets you choose a new one."
            }
            Self::Code(Portal::Student) => "If you have lost your second factor, the office can reset it.",
            Self::Code(Portal::Staff) => {
                "If you have lost your second factor, an administrator can reset it."
            }
            Self::Link(
                LinkUse::ForgotPassword
                | LinkUse::ForgotStaffPassword
                | LinkUse::ResendVerification
                | LinkUse::AskMailed,
            ) => "Please also check your junk mail for our email.",
            Self::Link(LinkUse::UseStudent | LinkUse::UseStaff | LinkUse::UseMailed) => "",
        }
    }
}

/// An attempt at a password, for [`RateLimiter::verify`].
#[derive(Debug, Clone)]
pub struct Attempt {
    kind: GuessKind,
    claims: Vec<Claim>,
    lane: Lane,
}

impl Attempt {
    /// A login with a name, and its account, if any.
    pub fn to_log_in(
        limits: &RateLimiter,
        portal: Portal,
        name: &str,
        account: Option<DeviceAccount<'_>>,
        client: ClientAddr,
        devices: &Devices,
    ) -> Self {
        let kind = GuessKind::Login(portal);
        // Also for unknown names, so that timing reveals nothing.
        let none = DeviceAccount { portal, id: 0, password_hash: hashing::NO_PASSWORD };
        let known = devices.find(&limits.secret, account.unwrap_or(none));
        if let Some(device) = known.filter(|_| account.is_some()) {
            return Self::alone(limits, kind, &[b"device", &device]);
        }
        let lane = client.lane();
        Self { kind, claims: limits.guess_claims(kind, name, client), lane }
    }

    /// A signed-in user who confirms the current password.
    pub fn signed_in(limits: &RateLimiter, portal: Portal, id: i64) -> Self {
        Self::alone(limits, GuessKind::Login(portal), &[b"signed in", &id.to_be_bytes()])
    }

    /// A second factor code after the right password. Codes are short, unlike passwords: a few wrong ones from unknown
    /// browsers delay every unknown browser that has the password.
    pub fn to_give_code(limits: &RateLimiter, account: DeviceAccount<'_>, devices: &Devices) -> Self {
        let kind = GuessKind::Code(account.portal);
        match devices.find(&limits.secret, account) {
            Some(device) => Self::alone(limits, kind, &[b"device", &device]),
            None => Self::alone(limits, kind, &[b"account", &account.id.to_be_bytes()]),
        }
    }

    /// A signed-in user who confirms a code.
    pub fn code_signed_in(limits: &RateLimiter, portal: Portal, id: i64) -> Self {
        Self::alone(limits, GuessKind::Code(portal), &[b"signed in", &id.to_be_bytes()])
    }

    fn alone(limits: &RateLimiter, kind: GuessKind, who: &[&[u8]]) -> Self {
        let claim = Claim { key: limits.key(kind, who), rule: limits.delay() };
        Self { kind, claims: vec![claim], lane: Lane::Known(claim.key) }
    }
}

impl RateLimiter {
    /// Verifies the password; `None` means an unknown account and takes as long.
    ///
    /// # Errors
    /// [`Error::HeldUp`] after too many wrong ones; [`Error::Busy`] when too many wait.
    pub async fn verify(&self, attempt: Attempt, password: &str, stored: Option<&str>) -> Result<bool> {
        let Attempt { kind, claims, lane } = attempt;
        let gate = AttemptGate { kind, claims, clock: self.clock.clone(), ledger: self.ledger.clone() };
        // Checked twice: here, so that refused attempts do not queue, and before hashing, so that concurrent attempts
        // do not bypass the limit.
        let answer = match gate.open() {
            Ok(()) => self.passwords.verify(lane, password, stored, Box::new(gate.clone())).await,
            Err(refused) => Err(refused),
        };
        match &answer {
            Ok(true) => self.forget_delay(&gate.claims).await,
            Ok(false) => self.write(&gate.claims).await,
            Err(_) => {}
        }
        answer
    }

    /// Performs a write that checks a code; a refusal (the inner error) counts like a wrong password. Writes are
    /// sequential, so each sees all earlier failures.
    ///
    /// # Errors
    /// [`Error::HeldUp`] after too many wrong ones; the error of the write.
    pub async fn guess<T, W, F>(&self, attempt: Attempt, work: F) -> Result<Result<T, W>>
    where
        T: Send + 'static,
        W: Send + 'static,
        F: FnOnce(&Connection) -> Result<Result<T, W>> + Send + 'static,
    {
        let Attempt { kind, claims, .. } = attempt;
        let gate = AttemptGate { kind, claims, clock: self.clock.clone(), ledger: self.ledger.clone() };
        let counter = gate.clone();
        let answer = self
            .db
            .write(move |connection| {
                counter.open()?;
                let judged = work(connection)?;
                if judged.is_err() {
                    counter.note_wrong();
                }
                Ok(judged)
            })
            .await;
        match &answer {
            Ok(Ok(_)) => self.forget_delay(&gate.claims).await,
            Ok(Err(_)) => self.write(&gate.claims).await,
            Err(_) => {}
        }
        answer
    }

    /// Counts a request for a link to a mailbox.
    ///
    /// # Errors
    /// [`Error::HeldUp`] after too many.
    pub async fn ask_for_link(
        &self,
        link: LinkUse,
        mailbox: &str,
        client: ClientAddr,
        asker: Asker,
    ) -> Result<()> {
        let claims = self.ask_claims(link, mailbox, client, asker);
        let wait = self.ledger.take(&claims, millis(&self.clock));
        refuse(GuessKind::Link(link), wait)?;
        self.write(&claims).await;
        Ok(())
    }

    /// Allows use of a link's token if it is valid (`lives`). Invalid tokens are counted; a valid one was not guessed
    /// and is always allowed, however many invalid ones came from the same address.
    ///
    /// # Errors
    /// [`Error::NotFound`] with the message for a `dead` link; [`Error::HeldUp`] after too many.
    pub async fn use_link(
        &self,
        link: LinkUse,
        client: ClientAddr,
        dead: &'static str,
        lives: impl FnOnce(&Connection) -> Result<bool> + Send + 'static,
    ) -> Result<()> {
        if self.db.query(lives).await? {
            return Ok(());
        }
        let claims = self.use_claims(link, client);
        let wait = self.ledger.take(&claims, millis(&self.clock));
        refuse(GuessKind::Link(link), wait)?;
        self.write(&claims).await;
        Err(Error::NotFound(dead.into()))
    }

    /// A right password resets the delay after typing errors.
    async fn forget_delay(&self, claims: &[Claim]) {
        let delays = claims.iter().filter(|claim| matches!(claim.rule, Rule::Growing { .. }));
        let keys: Vec<_> = delays.map(|claim| claim.key).filter(|key| self.ledger.forget(key)).collect();
        if !keys.is_empty() {
            log_unwritten(self.db.write(move |connection| ledger::delete(connection, &keys)).await);
        }
    }

    async fn write(&self, claims: &[Claim]) {
        let rows = self.ledger.rows(claims);
        let now = millis(&self.clock);
        log_unwritten(self.db.write(move |connection| ledger::write(connection, &rows, now)).await);
    }
}

/// The budgets of one attempt, checked on the password thread.
#[derive(Clone)]
struct AttemptGate {
    kind: GuessKind,
    claims: Vec<Claim>,
    clock: Clock,
    ledger: Arc<Ledger>,
}

impl Gate for AttemptGate {
    fn open(&self) -> Result<()> {
        refuse(self.kind, self.ledger.wait(&self.claims, millis(&self.clock)))
    }

    fn note_wrong(&self) {
        self.ledger.note(&self.claims, millis(&self.clock));
    }
}

fn refuse(kind: GuessKind, wait: Option<u64>) -> Result<()> {
    wait.map_or(Ok(()), |seconds| Err(Error::HeldUp { seconds, way_out: kind.way_out() }))
}

/// It is still counted in memory; only a restart would forget it.
fn log_unwritten(written: Result<()>) {
    if let Err(error) = written {
        tracing::debug!("a failed attempt was not stored: {error:?}");
    }
}
