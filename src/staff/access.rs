//! Which of the staff may call an endpoint: `Staff<may::…>` as the handler's first parameter.

use std::marker::PhantomData;
use std::ops::Deref;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;

use super::{CurrentStaff, Duty};
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, Result};
use crate::web::access::{Caller, WayIn};
use crate::web::app::App;
use crate::web::session::Portal;

/// What a handler asks of the role of whoever calls it.
pub trait Requirement {
    /// The duty that the role has to include; none where every role may call.
    const DUTY: Option<Duty>;
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

    requirements! {
        /// Every role may.
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
        /// As [`Duty::Mail`].
        Mail => Some(Duty::Mail);
        /// As [`Duty::Money`].
        Money => Some(Duty::Money);
    }
}

/// The signed-in member of the staff whose role meets the requirement: 401 to strangers, 403 to other
/// roles, before anything else of the request is looked at.
#[derive(Debug, Clone)]
pub struct Staff<R> {
    current: CurrentStaff,
    requirement: PhantomData<R>,
}

impl<R> Staff<R> {
    /// Whoever it is, without the requirement.
    pub fn into_inner(self) -> CurrentStaff {
        self.current
    }
}

impl<R> Deref for Staff<R> {
    type Target = CurrentStaff;

    fn deref(&self) -> &CurrentStaff {
        &self.current
    }
}

impl<R: Requirement> FromRequestParts<App> for Staff<R> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let current = CurrentStaff::from_request_parts(parts, app).await?.ok_or_else(Error::signed_out)?;
        if let Some(duty) = R::DUTY {
            current.require(duty)?;
        }
        Ok(Self { current, requirement: PhantomData })
    }
}

impl<R: Requirement> Caller for Staff<R> {
    fn ways_in() -> Vec<WayIn> {
        vec![WayIn { portal: Portal::Staff.as_str(), duty: R::DUTY.map(Duty::as_str) }]
    }
}
