//! E-mail addresses.

use std::fmt::{self, Display};
use std::str::FromStr;

/// An e-mail address, in lower case; one mailbox has one spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Parses what a person typed.
    ///
    /// # Errors
    /// The specification's message (section 5).
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        const MESSAGE: &str = "Please enter a valid email address";
        let text = text.trim();
        let options = email_address::Options::default()
            .with_required_tld()
            .without_domain_literal()
            .without_display_text();
        let parsed = email_address::EmailAddress::parse_with_options(text, options).map_err(|_| MESSAGE)?;
        // A quoted local part is legal and never meant; header injection lives there.
        if parsed.local_part().starts_with('"') || text.len() > 254 || !text.is_ascii() {
            return Err(MESSAGE);
        }
        Ok(Self(text.to_ascii_lowercase()))
    }

    /// An address that is written in the program itself.
    pub(crate) fn known(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What stands behind the @.
    pub fn domain(&self) -> &str {
        self.0.rsplit_once('@').map_or("", |(_, domain)| domain)
    }
}

impl FromStr for Email {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text).map_err(|message| format!("{message} (found {text:?})"))
    }
}

impl Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
