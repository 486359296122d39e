//! Validation of email addresses. The forms refuse only obvious mistakes (`ui/src/components/email.ts`) and are tested
//! with the same cases.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::str::FromStr;

use super::text::without_unseen;

/// An email address, in lower case; one mailbox has one spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email(String);

/// Why a text is not an email address: the specification's message (section 5), with the mistake where it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoAddress {
    reason: String,
}

impl NoAddress {
    /// The same reason after another sentence.
    pub fn in_words(&self, sentence: &str) -> String {
        format!("{sentence}{}", self.reason)
    }
}

impl Display for NoAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words("Please enter a valid email address"))
    }
}

impl From<NoAddress> for String {
    fn from(refused: NoAddress) -> Self {
        refused.to_string()
    }
}

impl Email {
    /// Parses an address as typed or pasted.
    ///
    /// # Errors
    /// Why it is not an address.
    pub fn parse(text: &str) -> Result<Self, NoAddress> {
        let text = extract(text);
        let options = email_address::Options::default()
            .with_required_tld()
            .without_domain_literal()
            .without_display_text();
        let parsed = email_address::EmailAddress::parse_with_options(&text, options);
        // A quoted local part is legal but never intended, and allows header injection.
        let is_plain = parsed.is_ok_and(|parsed| !parsed.local_part().starts_with('"'));
        if !is_plain || text.len() > 254 || !text.is_ascii() {
            return Err(NoAddress { reason: reason(&text) });
        }
        Ok(Self(text.to_ascii_lowercase()))
    }

    /// An address from the source code.
    pub(crate) fn known(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    /// The addresses in a text, in its order.
    pub fn all_in(text: &str) -> Vec<Self> {
        let words = text.split(|c: char| c.is_whitespace() || "()<>[]{}*|,;:\"“”‘’".contains(c));
        let words = words.map(|word| word.trim_end_matches(['.', '!', '?']));
        words.filter(|word| word.contains('@')).filter_map(|word| Self::parse(word).ok()).collect()
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part after the @.
    pub fn domain(&self) -> &str {
        self.0.rsplit_once('@').map_or("", |(_, domain)| domain)
    }
}

/// Extracts the address from text copied out of mail programs and pages: `Jane <jane@example.org>;`,
/// `mailto:jane@example.org`, with invisible characters.
fn extract(text: &str) -> Cow<'_, str> {
    let seen = without_unseen(text);
    let text = seen.trim().trim_end_matches([',', ';']).trim_end();
    let bare = without_name(text).unwrap_or(text).trim();
    let bare = match bare.get(..7) {
        Some(scheme) if scheme.eq_ignore_ascii_case("mailto:") => without_query(&bare[7..]),
        _ => bare,
    };
    match bare.rsplit_once('@') {
        Some((local, domain)) if !domain.is_ascii() => match idna::domain_to_ascii(domain) {
            Ok(domain) => format!("{local}@{domain}").into(),
            Err(_) => bare.to_owned().into(),
        },
        _ => bare.to_owned().into(),
    }
}

/// Removes the query of a `mailto:` link; before the @ a question mark is part of the address.
fn without_query(link: &str) -> &str {
    let end = link.find('@').and_then(|at| Some(at + link[at..].find('?')?));
    end.map_or(link, |end| &link[..end])
}

/// The text between `<` and `>`, unless the text before it is an address, too.
fn without_name(text: &str) -> Option<&str> {
    let (name, address) = text.strip_suffix('>')?.split_once('<')?;
    let is_name = !name.contains('@') || name.trim().eq_ignore_ascii_case(address.trim());
    (is_name && !address.contains(['<', '>'])).then_some(address)
}

/// The mistake in a mistyped address; empty if the text is not an address at all.
fn reason(text: &str) -> String {
    if !text.contains('@') {
        return String::new();
    }
    let may_be = |c: char| c.is_ascii_alphanumeric() || ".!#$%&'*+/=?^_`{|}~@-".contains(c);
    let dots = [text.starts_with('.'), text.ends_with('.')].contains(&true)
        || ["..", ".@", "@."].iter().any(|wrong| text.contains(wrong));
    match text.chars().find(|c| !may_be(*c)) {
        Some(space) if space.is_whitespace() => ": there is a space in it".into(),
        Some(strange) => format!(": “{strange}” cannot be in it"),
        None if text.matches('@').count() > 1 => ": there is more than one @ in it".into(),
        None if dots => ": a dot is in the wrong place".into(),
        None => String::new(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Cases {
        taken: Vec<(String, String)>,
        refused: Vec<(String, String)>,
    }

    #[test]
    fn addresses_are_found_in_a_text() {
        let found = |text| Email::all_in(text).iter().map(Email::to_string).collect::<Vec<_>>();
        let text = "Send it to Fees@School.example, or ask (office@school.example). Not @school.";
        assert_eq!(found(text), ["fees@school.example", "office@school.example"]);
        assert_eq!(found("Use [this](mailto:pay@school.example)!"), ["pay@school.example"]);
        assert_eq!(found("By cheque at the office."), Vec::<String>::new());
    }

    #[test]
    fn an_address_is_understood_as_it_is_pasted_and_refused_with_its_reason() {
        let cases: Cases =
            serde_json::from_str(include_str!("../../ui/src/components/email.cases.json")).unwrap();
        assert!(cases.taken.len() > 20 && cases.refused.len() > 20);
        for (text, address) in cases.taken {
            assert_eq!(Email::parse(&text).map(|email| email.0), Ok(address.clone()), "{text:?}");
            assert_eq!(Email::parse(&address).map(|email| email.0), Ok(address));
        }
        for (text, reason) in cases.refused {
            assert_eq!(Email::parse(&text), Err(NoAddress { reason }), "{text:?}");
        }
    }
}
