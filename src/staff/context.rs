//! What a decision of the office knows of its moment: who decides, when, and under what configuration.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;

use super::CurrentStaff;
use crate::audit::Actor;
use crate::config::Config;
use crate::web::app::App;

/// A member of the staff who acts, the time, and the configuration.
#[derive(Clone)]
pub struct StaffContext {
    /// Id of the user.
    pub user_id: i64,
    /// The same for the trail.
    pub actor: Actor,
    /// The configuration.
    pub config: Arc<Config>,
    /// The current time.
    pub now: Timestamp,
    /// The date at the school.
    pub today: Date,
}

impl StaffContext {
    /// The context of a call.
    pub fn new(app: &App, staff: &CurrentStaff) -> Self {
        let today = app.today();
        Self {
            user_id: staff.id,
            actor: staff.actor(),
            config: app.config.clone(),
            now: app.clock.now(),
            today,
        }
    }

    /// The context of a user at a given time, for the history of the demo school.
    pub fn at(config: Arc<Config>, user_id: i64, username: &str, now: Timestamp) -> Self {
        let today = now.to_zoned(config.school().zone()).date();
        Self { user_id, actor: Actor::staff(user_id, username), config, now, today }
    }
}

/// Declares the context of a room's decisions, which are its methods; its fields are those of [`StaffContext`].
macro_rules! staff_context {
    ($(#[doc = $doc:tt])* $context:ident) => {
        $(#[doc = $doc])*
        pub struct $context($crate::staff::context::StaffContext);

        impl $context {
            /// The context of a call.
            pub fn new(app: &$crate::web::app::App, staff: &$crate::staff::CurrentStaff) -> Self {
                Self($crate::staff::context::StaffContext::new(app, staff))
            }
        }

        impl From<$crate::staff::context::StaffContext> for $context {
            fn from(context: $crate::staff::context::StaffContext) -> Self {
                Self(context)
            }
        }

        impl std::ops::Deref for $context {
            type Target = $crate::staff::context::StaffContext;

            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }
    };
}
pub(crate) use staff_context;
