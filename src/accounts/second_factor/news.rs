//! Changes of a second factor: audit entries, and emails to the owner.

use serde_json::{Value, json};

/// A change of a second factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactorNews {
    /// An app was set up.
    SetUp,
    /// A passkey was added as the first factor.
    FirstPasskey,
    /// Another passkey was added.
    PasskeyAdded,
    /// A passkey was removed; another factor is left.
    PasskeyRemoved,
    /// The app was turned off; passkeys are left.
    AppTurnedOff,
    /// Its owner turned it off.
    TurnedOff,
    /// New recovery codes were generated.
    Drawn,
    /// A recovery code was used.
    Recovered {
        /// Number of unused codes.
        left: i64,
    },
    /// It was reset by the school or an operator.
    Reset,
}

impl FactorNews {
    /// Action in the audit trail.
    pub fn action(self) -> &'static str {
        match self {
            Self::SetUp => "set up second factor",
            Self::FirstPasskey | Self::PasskeyAdded => "add passkey",
            Self::PasskeyRemoved => "remove passkey",
            Self::AppTurnedOff => "turn off authenticator app",
            Self::TurnedOff => "turn off second factor",
            Self::Drawn => "draw recovery codes",
            Self::Recovered { .. } => "use recovery code",
            Self::Reset => "reset second factor",
        }
    }

    /// Detail in the audit trail.
    pub fn detail(self) -> Value {
        if let Self::Recovered { left } = self { json!({ "left": left }) } else { json!({}) }
    }

    /// Subject of the email.
    pub fn subject(self) -> &'static str {
        match self {
            Self::SetUp | Self::FirstPasskey => "Your second factor is set up",
            Self::PasskeyAdded => "You have a new passkey",
            Self::PasskeyRemoved => "A passkey was removed",
            Self::AppTurnedOff => "Your authenticator app was turned off",
            Self::TurnedOff => "Your second factor was turned off",
            Self::Drawn => "You have new recovery codes",
            Self::Recovered { .. } => "A recovery code was used",
            Self::Reset => "Your second factor was reset",
        }
    }

    /// Rest of a sentence that begins with the account; `who` is who resets it at the school.
    pub fn sentence(self, who: &str) -> String {
        match self {
            Self::SetUp => {
                "was given a second factor just now: from now on a login asks for a code from the \
                authenticator app, too. Every other device was logged out."
                    .to_owned()
            }
            Self::FirstPasskey => {
                "was given a second factor just now: from now on a login asks for a passkey, too. Every other \
                device was logged out."
                    .to_owned()
            }
            Self::PasskeyAdded => "was given one more passkey just now, which opens it beside the password."
                .to_owned(),
            Self::PasskeyRemoved => {
                "lost a passkey just now. What is left of its second factor goes on.".to_owned()
            }
            Self::AppTurnedOff => "takes no codes of an authenticator app any more. Its passkeys go on."
                .to_owned(),
            Self::TurnedOff => "lost its second factor just now: the password alone opens it again. Every \
                other device was logged out."
                .to_owned(),
            Self::Drawn => {
                "was given new recovery codes just now. Earlier ones no longer work.".to_owned()
            }
            Self::Recovered { left } => format!(
                "was opened by a recovery code just now, in place of the app or a passkey. {}",
                match left {
                    0 => "It was the last one.".to_owned(),
                    1 => "One code is left.".to_owned(),
                    left => format!("{left} codes are left."),
                }
            ),
            Self::Reset => format!(
                "had its second factor taken away just now, by {who} or on the server: the password alone \
                 opens it until you set up a new one. You were logged out everywhere."
            ),
        }
    }
}
