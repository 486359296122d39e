//! A new password for somebody who is signed in: the current one is asked for, as a thief of an open
//! browser does not know it.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::base::error::{Error, FieldErrors, Result};
use crate::base::password::Password;
use crate::web::app::App;
use crate::web::form::Field;
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::guesses::Attempt;
use crate::web::session::Portal;

/// `POST /api/user/password`'s and `POST /api/students/password`'s body.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordChange {
    /// The password until now.
    #[serde(default)]
    #[schema(value_type = String, required = true)]
    current: Field<String>,
    /// The new one.
    #[serde(default)]
    #[schema(value_type = String, required = true)]
    password: Field<String>,
    /// The new one again.
    #[serde(default)]
    #[schema(value_type = String, required = true)]
    confirm_password: Field<String>,
}

/// A change whose form is right; whether the current password is, [`Checked::hash`] finds out.
pub struct Checked {
    current: String,
    password: Password,
}

impl PasswordChange {
    /// Checks the form. `own` is what is known about the owner, as for [`Password::parse`].
    pub fn check(&self, own: &[&str]) -> Result<Checked> {
        let mut errors = FieldErrors::default();
        let current = match &self.current {
            Field::Value(current) if !current.is_empty() => Some(current.clone()),
            _ => {
                errors.add("current", "Current password is required");
                None
            }
        };
        let password = Password::parse_confirmed(&self.password, &self.confirm_password, own, &mut errors);
        if let (Some(current), Some(password)) = (&current, &password)
            && password.expose() == current
        {
            errors.add("password", "Choose a password that differs from your current one");
        }
        errors.check()?;
        let (Some(current), Some(password)) = (current, password) else {
            return Err(Error::BadRequest("The form is incomplete.".into()));
        };
        Ok(Checked { current, password })
    }
}

impl Checked {
    /// The hash of the new password, once the current one has been proven against `stored`; a wrong
    /// one counts like a failed login.
    ///
    /// # Errors
    /// A field error for a wrong current password, [`Error::HeldUp`] after too many.
    pub async fn hash(
        &self,
        app: &App,
        (portal, id): (Portal, i64),
        client: ClientAddr,
        stored: &str,
    ) -> Result<String> {
        let attempt = Attempt::signed_in(&app.limits, portal, id);
        if !app.limits.verify(attempt, &self.current, Some(stored)).await? {
            return Err(Error::field("current", "This is not your current password"));
        }
        app.passwords.hash(&self.password, client.lane()).await
    }
}
