//! Chosen passwords. OWASP ASVS 5.0, V6.2 (passwords): `tests/asvs.md`.

mod guessable;

use std::borrow::Cow;

use icu_normalizer::ComposingNormalizerBorrowed;

use crate::base::error::Error;

const COMPATIBLE: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfkc();

/// Normalizes a password for hashing and comparison, so that an "é" is the same from every keyboard (NIST 800-63B,
/// 3.1.1.2: NFKC).
pub fn normal(typed: &str) -> Cow<'_, str> {
    COMPATIBLE.normalize(typed)
}

/// A password that meets the rule of section 5 and is not easily guessed, in its [normal form](normal); never printed.
pub struct Password(String);

impl Password {
    /// Upper limit, which bounds the work of hashing.
    pub const MAX_CHARS: usize = 256;

    /// Parses a chosen password. `own` is what is known about its owner, if known here: the school's names, the
    /// address, the username.
    ///
    /// # Errors
    /// The specification's message, the upper limit, or why it is easily guessed.
    pub fn parse(text: &str, own: &[&str]) -> Result<Self, String> {
        check_length(text)?;
        let text = normal(text);
        guessable::check(&text, own)?;
        Ok(Self(text.into_owned()))
    }

    /// Refuses a password made from its owner's names, for callers that learn the owner from a link after parsing.
    ///
    /// # Errors
    /// A field error.
    pub fn check_own(&self, own: &[&str]) -> Result<(), Error> {
        guessable::check(&self.0, own).map_err(|message| Error::field("password", message))
    }

    /// The text, for hashing.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// The rule on a password's length (specification, section 5).
///
/// # Errors
/// Its message, or the upper limit.
pub fn check_length(text: &str) -> Result<(), String> {
    // Not trimmed: a space at either end is part of the password.
    match normal(text).chars().count() {
        0..8 => Err("Password must be at least 8 characters".into()),
        8..=Password::MAX_CHARS => Ok(()),
        _ => Err(format!("Password must be at most {} characters", Password::MAX_CHARS)),
    }
}
