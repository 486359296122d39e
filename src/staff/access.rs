//! Access control for staff: `Staff<may::…>` as the handler's first parameter, and `Staff<may::…, Recent>` if the
//! caller must have authenticated within ten minutes (OWASP ASVS 5.0, V7.5: `tests/asvs.md`).

use std::marker::PhantomData;
use std::ops::Deref;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;

use super::{CurrentStaff, Duty};
use crate::accounts::{Anytime, ProofAge};
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, Result};
use crate::web::access::{Caller, WayIn};
use crate::web::app::App;
use crate::web::portal::Portal;

/// Requirement of a handler for its caller's role.
pub trait Requirement {
    /// The required duty; `None` if every role may call.
    const DUTY: Option<Duty>;
    /// Whether it concerns the caller's own account and is allowed before a second factor is set up.
    const IS_OWN: bool = false;
}

/// The requirements, one for each duty.
pub mod may {
    use super::{Duty, Requirement};

    macro_rules! requirements {
        ($($(#[$about:meta])* $name:ident => $duty:expr;)*) => {$(
            $(#[$about])*
            #[derive(Debug, Clone, Copy)]
            pub struct $name;

            impl Requirement for $name {
                const DUTY: Option<Duty> = $duty;
            }
        )*};
    }

    /// Every role, for the own account.
    #[derive(Debug, Clone, Copy)]
    pub struct OwnAccount;

    impl Requirement for OwnAccount {
        const DUTY: Option<Duty> = None;
        const IS_OWN: bool = true;
    }

    requirements! {
        /// Every role.
        AnyRole => None;
        /// As [`Duty::Courses`].
        Courses => Some(Duty::Courses);
        /// As [`Duty::Enrollments`].
        Enrollments => Some(Duty::Enrollments);
        /// As [`Duty::Admissions`].
        Admissions => Some(Duty::Admissions);
        /// As [`Duty::Documents`].
        Documents => Some(Duty::Documents);
        /// As [`Duty::Messages`].
        Messages => Some(Duty::Messages);
        /// As [`Duty::AssignedMessages`].
        AssignedMessages => Some(Duty::AssignedMessages);
        /// As [`Duty::Mail`].
        Mail => Some(Duty::Mail);
        /// As [`Duty::Money`].
        Money => Some(Duty::Money);
        /// As [`Duty::Balances`].
        Balances => Some(Duty::Balances);
        /// As [`Duty::Students`].
        Students => Some(Duty::Students);
        /// As [`Duty::Records`].
        Records => Some(Duty::Records);
        /// As [`Duty::Merging`].
        Merging => Some(Duty::Merging);
        /// As [`Duty::Staff`].
        Staff => Some(Duty::Staff);
        /// As [`Duty::Settings`].
        Settings => Some(Duty::Settings);
        /// As [`Duty::Privacy`].
        Privacy => Some(Duty::Privacy);
        /// As [`Duty::Audit`].
        Audit => Some(Duty::Audit);
        /// As [`Duty::EveryAudit`].
        EveryAudit => Some(Duty::EveryAudit);
    }
}

/// A signed-in staff member with the required role. Extraction fails with 401 for other callers, and with 403 for other
/// roles, without a required second factor, or without required recent authentication; it runs before any other
/// parameter.
#[derive(Debug, Clone)]
pub struct Staff<R, P = Anytime> {
    current: CurrentStaff,
    requirement: PhantomData<(R, P)>,
}

impl<R, P> Staff<R, P> {
    /// The staff member, without the requirement.
    pub fn into_inner(self) -> CurrentStaff {
        self.current
    }
}

impl<R, P> Deref for Staff<R, P> {
    type Target = CurrentStaff;

    fn deref(&self) -> &CurrentStaff {
        &self.current
    }
}

impl<R: Requirement, P: ProofAge> FromRequestParts<App> for Staff<R, P> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let current = CurrentStaff::from_request_parts(parts, app).await?.ok_or_else(Error::signed_out)?;
        if !R::IS_OWN {
            current.require_second_factor()?;
        }
        if let Some(duty) = R::DUTY {
            current.require(duty)?;
        }
        if P::RECENT_IN.contains(&Portal::Staff) {
            current.require_recent(app.clock.now())?;
        }
        Ok(Self { current, requirement: PhantomData })
    }
}

impl<R: Requirement, P: ProofAge> Caller for Staff<R, P> {
    fn ways_in() -> Vec<WayIn> {
        let duty = R::DUTY.map(Duty::as_str);
        vec![WayIn { portal: Portal::Staff.as_str(), duty, is_recent: P::RECENT_IN.contains(&Portal::Staff) }]
    }
}
