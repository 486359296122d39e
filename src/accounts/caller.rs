//! The owner of an account as the caller of a handler: `SignedInOwner<O>` as its first parameter, and `SignedInOwner<O,
//! Recent>` where they must have authenticated within ten minutes (OWASP ASVS 5.0, V7.5: `tests/asvs.md`).

use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use jiff::Timestamp;
use tower_sessions::Session;

use super::owner::Owner;
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, Result};
use crate::web::access::{Caller, WayIn};
use crate::web::app::App;
use crate::web::portal::Portal;
use crate::web::session::{self, Accounts};

/// Required age of the last authentication.
pub trait ProofAge {
    /// Portals that require authentication within the last ten minutes.
    const RECENT_IN: &'static [Portal];
}

/// The login is enough.
#[derive(Debug, Clone, Copy)]
pub struct Anytime;

impl ProofAge for Anytime {
    const RECENT_IN: &'static [Portal] = &[];
}

/// By the password or the second factor, within [`session::PROOF_TTL`].
#[derive(Debug, Clone, Copy)]
pub struct Recent;

impl ProofAge for Recent {
    const RECENT_IN: &'static [Portal] = Portal::ALL;
}

/// As [`Recent`] for staff, as [`Anytime`] for students.
#[derive(Debug, Clone, Copy)]
pub struct RecentInOffice;

impl ProofAge for RecentInOffice {
    const RECENT_IN: &'static [Portal] = &[Portal::Staff];
}

/// The signed-in owner of an account; extraction fails with 401 for other callers, and with 403 without the required
/// recent authentication.
#[derive(Debug, Clone)]
pub struct SignedInOwner<O, P = Anytime> {
    /// The account.
    pub account: Arc<O>,
    /// The session of this request.
    pub session: Session,
    /// Time of the last authentication; `None` in sessions from before it was recorded.
    pub proven_at: Option<Timestamp>,
    proof: PhantomData<P>,
}

impl<O: Owner, P> SignedInOwner<O, P> {
    /// Finds the owner from the portal's session of a request.
    pub async fn find(parts: &Parts, app: &App) -> Result<Option<Self>> {
        let Some(session) = session::of(O::PORTAL, &parts.extensions) else { return Ok(None) };
        let Some(id) = session::subject(session, O::PORTAL, app.clock.now()).await? else { return Ok(None) };
        let Some(account) = Accounts::find(parts, &app.db, id, O::find).await? else { return Ok(None) };
        let proven_at = session::proven_at(session).await?;
        Ok(Some(Self { account, session: session.clone(), proven_at, proof: PhantomData }))
    }

    /// For actions that also require the password: with a second factor, the password alone is not sufficient.
    ///
    /// # Errors
    /// [`Error::Unproven`] without authentication in the last ten minutes.
    pub fn check_before_password(&self, now: Timestamp) -> Result<()> {
        if self.account.has_second_factor() { session::check_recent(self.proven_at, now) } else { Ok(()) }
    }

    /// Time of the last authentication, after the password was verified: with a second factor the password alone does
    /// not count.
    pub fn proof_after_password(&self, now: Timestamp) -> Option<Timestamp> {
        if self.account.has_second_factor() { self.proven_at } else { Some(now) }
    }
}

impl<O, P> Deref for SignedInOwner<O, P> {
    type Target = O;

    fn deref(&self) -> &O {
        &self.account
    }
}

impl<O: Owner> OptionalFromRequestParts<App> for SignedInOwner<O> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>> {
        Self::find(parts, app).await
    }
}

impl<O: Owner, P: ProofAge> FromRequestParts<App> for SignedInOwner<O, P> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let owner = Self::find(parts, app).await?.ok_or_else(Error::signed_out)?;
        if P::RECENT_IN.contains(&O::PORTAL) {
            session::check_recent(owner.proven_at, app.clock.now())?;
        }
        Ok(owner)
    }
}

impl<O: Owner, P: ProofAge> Caller for SignedInOwner<O, P> {
    fn ways_in() -> Vec<WayIn> {
        // The OpenAPI document marks only the office's endpoints.
        let is_recent = O::PORTAL == Portal::Staff && P::RECENT_IN.contains(&Portal::Staff);
        vec![WayIn { portal: O::PORTAL.as_str(), duty: None, is_recent }]
    }
}
