//! A new password, in both portals: of somebody who is signed in, who is asked for the current one, as a
//! thief of an open browser does not know it; and by a link. And a stored hash that costs too little by now.

use rusqlite::Connection;

use crate::base::error::{Error, FieldErrors, Result};
use crate::base::hashing;
use crate::base::password::{Password, normal};
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::portal::Portal;
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::guesses::Attempt;

form! {
    /// `POST /api/user/password`'s and `POST /api/students/password`'s body.
    pub struct PasswordChange {
        /// The password until now.
        current: String,
        /// The new one.
        password: String,
        /// The new one again.
        confirm_password: String,
    }
}

/// A change whose every field is right; whether the current password is, [`NewPassword::hash`] finds out.
pub struct NewPassword {
    current: String,
    password: Password,
}

impl NewPassword {
    /// Checks the form. `own` is what is known about the owner, as for [`Password::parse`].
    pub fn parse(form: &PasswordChange, own: &[&str]) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let current = match &form.current {
            Field::Value(current) if !current.is_empty() => Ok(current.clone()),
            _ => Err("Current password is required"),
        };
        let current = errors.take("current", current);
        let password = Password::parse_confirmed(&form.password, &form.confirm_password, own, &mut errors);
        if let (Some(current), Some(password)) = (&current, &password)
            && password.expose() == normal(current)
        {
            errors.add("password", "Choose a password that differs from your current one");
        }
        let new = || Some(Self { current: current?, password: password? });
        errors.finish(new())
    }

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

form! {
    /// `POST /api/reset-password`'s and `POST /api/students/reset-password`'s body.
    pub struct PasswordReset {
        /// The last segment of the link.
        token: String,
        /// The new password.
        password: String,
        /// The new one again.
        confirm_password: String,
    }
}

impl PasswordReset {
    /// The link's secret, as it was sent.
    pub fn token(&self) -> &str {
        self.token.text()
    }

    /// Checks the new password. Whose it is nobody knows yet: `own` is what everybody here knows.
    pub fn parse(&self, own: &[&str]) -> Result<Password, FieldErrors> {
        let mut errors = FieldErrors::default();
        let password = Password::parse_confirmed(&self.password, &self.confirm_password, own, &mut errors);
        errors.finish(password)
    }
}

/// The account of somebody who has just proven a password, and what stores a hash of its if the one that it
/// was made from is still there.
pub struct RenewedHash {
    /// Number of the account.
    pub id: i64,
    /// Takes the number, the old hash and the new one.
    pub store: fn(&Connection, i64, &str, &str) -> Result<()>,
}

impl RenewedHash {
    /// Hashes the password anew where its hash is of an older version or may be of another form, while the answer
    /// is on its way. What fails is tried again at the next login.
    pub fn make(self, app: &App, password: &str, old: &str, client: ClientAddr) {
        if !hashing::may_be_outdated(password, old) {
            return;
        }
        let (app, password, old) = (app.clone(), password.to_owned(), old.to_owned());
        tokio::spawn(async move {
            let renewed = app.passwords.renew(password, old.clone(), client.lane()).await;
            let Self { id, store } = self;
            let stored = match renewed {
                Ok(new) if new == old => Ok(()),
                Ok(new) => app.db.write(move |connection| store(connection, id, &old, &new)).await,
                Err(error) => Err(error),
            };
            if let Err(error) = stored {
                tracing::info!("a password's hash was not renewed: {error:?}");
            }
        });
    }
}
