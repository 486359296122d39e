//! The two portals, each with its own accounts, cookie and sessions.

use crate::base::closed_set::closed_set;

closed_set! {
    /// A portal; its session cookie is named after it.
    pub enum Portal {
        /// Signed in until logout: 90 days after the last visit, `[limits] student_session_days` in any case.
        Student = "student",
        /// Signed out after 60 idle minutes, and after 12 hours in any case.
        Staff = "staff",
    }
}

impl Portal {
    /// Selects the value for this portal.
    pub fn pick<T>(self, staff: T, student: T) -> T {
        match self {
            Self::Staff => staff,
            Self::Student => student,
        }
    }
}
