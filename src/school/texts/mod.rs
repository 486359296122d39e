//! What people read before they agree to anything: the terms, the privacy policy, what is refunded, how to pay.
//!
//! The terms and the policy are built in (specification, section 2), with the school's own facts in them, until the
//! school writes its own in Site Settings; what is refunded and how to pay only the school can say. Promises: the
//! version of a text is the SHA-256 of the words that are shown, so that a fact or a rule that changes them makes
//! another version; and the terms say what the settings demand, and no more.

pub mod markup;

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use self::markup::{RenderedText, TextSection};
use crate::base::closed_set::{ClosedSet as _, closed_set};
use crate::base::contact::telephone_link;
use crate::base::dates::date_in_words;
use crate::base::error::{FieldErrors, Result};
use crate::base::random::hex;
use crate::config::{Config, Demand, School};
use crate::consents::{self, AcceptedText, ConsentKind};
use crate::web::form::Field;

closed_set! {
    /// What a text is about.
    pub enum TextKind {
        /// The Terms of Service.
        Terms = "terms" => "Terms of Service",
        /// The Privacy Policy.
        Privacy = "privacy" => "Privacy Policy",
        /// What is refunded, and when.
        Refunds = "refunds" => "Refunds",
        /// How a fee is paid.
        HowToPay = "how_to_pay" => "How to Pay",
    }
}

/// When the built-in texts were last changed (specification, section 9).
const BUILT_IN: &str = "June 1, 2023";

impl TextKind {
    /// Its page.
    pub fn path(self) -> &'static str {
        match self {
            Self::Terms => "/terms",
            Self::Privacy => "/privacy",
            Self::Refunds => "/refunds",
            Self::HowToPay => "/how-to-pay",
        }
    }

    /// The text of a page.
    pub fn at(path: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.path() == path)
    }

    fn lead(self, name: &str) -> String {
        match self {
            Self::Terms => {
                format!("The agreement between {name} and the people who use this site and take its courses.")
            }
            Self::Privacy => {
                format!("What {name} keeps about the people who use this site, why, and who may see it.")
            }
            Self::Refunds => format!("What {name} pays back when a course is left, and when."),
            Self::HowToPay => format!(
                "How the fees of {name} are paid. Your payment code is on the Fees page of the student portal."
            ),
        }
    }
}

/// The school's own texts, in the manner of [`markup`]; null: the built-in one, or none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct OwnTexts {
    /// In the place of the built-in terms.
    #[schema(required)]
    pub terms: Option<String>,
    /// In the place of the built-in policy.
    #[schema(required)]
    pub privacy: Option<String>,
    /// What is refunded, and when.
    #[schema(required)]
    pub refunds: Option<String>,
    /// How a fee is paid.
    #[schema(required)]
    pub how_to_pay: Option<String>,
}

impl OwnTexts {
    /// The one of a kind.
    pub fn of(&self, kind: TextKind) -> Option<&str> {
        match kind {
            TextKind::Terms => self.terms.as_deref(),
            TextKind::Privacy => self.privacy.as_deref(),
            TextKind::Refunds => self.refunds.as_deref(),
            TextKind::HowToPay => self.how_to_pay.as_deref(),
        }
    }
}

/// A text in force, as a form names it that asks people to accept it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextInForce {
    /// What it is about.
    pub kind: TextKind,
    /// The SHA-256 of its words, hexadecimal: what `acceptedTextVersions` takes.
    pub version: String,
    /// Its title.
    #[schema(value_type = String)]
    pub title: &'static str,
    /// Its page.
    #[schema(value_type = String)]
    pub url: &'static str,
}

/// A text as its page shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SchoolText {
    /// What it is called, and its version.
    #[serde(flatten)]
    pub in_force: TextInForce,
    /// The day of its last change, in words.
    pub updated: String,
    /// What it is, in a sentence.
    pub lead: String,
    /// Its parts.
    pub sections: Vec<TextSection>,
    /// Its words.
    pub text: String,
}

/// The texts in force, each with the day of its last change: `written` tells when the school wrote its own.
pub fn in_force(
    config: &Config,
    school: &School,
    own: &OwnTexts,
    written: impl Fn(TextKind) -> Option<Date>,
) -> Vec<Arc<SchoolText>> {
    let text = |kind: TextKind| {
        let source = source(config, school, own, kind)?;
        let RenderedText { sections, plain } = markup::render(&source);
        let version = hex(&Sha256::digest(format!("{}\n\n{plain}", kind.label())));
        let updated = own.of(kind).and_then(|_| written(kind));
        let updated = updated.map_or_else(|| BUILT_IN.to_owned(), date_in_words);
        let in_force = TextInForce { kind, version, title: kind.label(), url: kind.path() };
        let lead = kind.lead(&school.name);
        Some(Arc::new(SchoolText { in_force, updated, lead, sections, text: plain }))
    };
    TextKind::ALL.iter().copied().filter_map(text).collect()
}

/// A text as it is written; none where only the school could write it and has not.
pub fn source(config: &Config, school: &School, own: &OwnTexts, kind: TextKind) -> Option<String> {
    own.of(kind).map(str::to_owned).or_else(|| match kind {
        TextKind::Terms => {
            let text =
                include_str!("terms.md").replace("{guardian}", guardian(config.office.guardian_confirmation));
            Some(text.replace("{contact}", &reached_at(school)).replace("{name}", &plain(&school.name)))
        }
        TextKind::Privacy => Some(include_str!("privacy.md").replace("{contact}", &written_to(school))),
        TextKind::Refunds => None,
        TextKind::HowToPay => config.money.written_how_to_pay().map(str::to_owned),
    })
}

/// What the terms say of students under 18: what the office in fact asks for before it approves one.
fn guardian(demand: Demand) -> &'static str {
    match demand {
        Demand::Required => {
            "A student who is under 18 needs the agreement of a parent or guardian, who accepts these terms on the \
             student’s behalf."
        }
        Demand::Recommended => {
            "A student who is under 18 should have the agreement of a parent or guardian, who accepts these terms on \
             the student’s behalf. The office asks for it."
        }
        Demand::Off => {
            "A student who is under 18 should read these terms together with a parent or guardian."
        }
    }
}

/// A fact in a text: no mark of it begins a link or a strong word.
fn plain(fact: &str) -> String {
    fact.replace("**", "* *").replace("](", "] (")
}

fn email(school: &School) -> String {
    let link = |email: &crate::base::email::Email| format!("[{email}](mailto:{email})");
    school.email.as_ref().map_or_else(|| "our [contact page](/contact)".into(), link)
}

fn phone(school: &School) -> Option<String> {
    let link = telephone_link(&school.phone);
    (!link.is_empty()).then(|| format!("[{}]({link})", plain(&school.phone)))
}

/// Follows "are welcome at".
fn reached_at(school: &School) -> String {
    let mut text = email(school);
    if let Some(phone) = phone(school) {
        text += &format!(" or {phone}");
    }
    if !school.hours.is_empty() {
        text += &format!(", {}", plain(&school.hours));
    }
    if !school.street.is_empty() {
        text += &format!(", and at {}", plain(&school.address()));
    }
    text
}

/// Follows "write to".
fn written_to(school: &School) -> String {
    let mut text = email(school);
    if let Some(phone) = phone(school) {
        text += &format!(", call {phone}");
        if !school.hours.is_empty() {
            text += &format!(" ({})", plain(&school.hours));
        }
    }
    if !school.street.is_empty() {
        text += &format!(", or send a letter to {}, {}", plain(&school.name), plain(&school.address()));
    }
    text
}

/// What a form says was accepted: the texts of those versions, each once. One that is not in force, and what is no
/// list, is noted as an error of `acceptedTextVersions`.
pub fn accepted(
    field: &Field<Vec<String>>,
    in_force: &[Arc<SchoolText>],
    errors: &mut FieldErrors,
) -> Vec<Arc<SchoolText>> {
    const FIELD: &str = "acceptedTextVersions";
    let versions = match field {
        Field::Absent | Field::Null => return Vec::new(),
        Field::Wrong => {
            errors.add(FIELD, "Must be a list of versions");
            return Vec::new();
        }
        Field::Value(versions) => versions,
    };
    let is_in_force = |version: &String| in_force.iter().any(|text| text.in_force.version == *version);
    if !versions.iter().all(is_in_force) {
        errors.add(FIELD, CHANGED);
    }
    in_force.iter().filter(|text| versions.contains(&text.in_force.version)).cloned().collect()
}

const CHANGED: &str =
    "A text has changed since this page was opened. Please read it again and send the form once more.";

impl SchoolText {
    /// As it is kept with a consent.
    pub fn accepted(&self) -> AcceptedText<'_> {
        let TextInForce { kind, version, title, .. } = &self.in_force;
        let kind = match kind {
            TextKind::Terms => ConsentKind::Terms,
            TextKind::Privacy => ConsentKind::Privacy,
            TextKind::Refunds => ConsentKind::Refunds,
            TextKind::HowToPay => ConsentKind::HowToPay,
        };
        AcceptedText { kind, version, title, text: &self.text }
    }
}

/// Keeps the words of texts, and returns their versions.
pub fn keep<'a>(
    connection: &Connection,
    texts: &'a [Arc<SchoolText>],
    now: Timestamp,
) -> Result<Vec<&'a str>> {
    let accepted: Vec<_> = texts.iter().map(|text| text.accepted()).collect();
    consents::keep(connection, &accepted, now)?;
    Ok(accepted.iter().map(|text| text.version).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(config: &Config, own: &OwnTexts, kind: TextKind) -> Option<Arc<SchoolText>> {
        let texts = in_force(config, &config.school(), own, |_| Some(jiff::civil::date(2026, 11, 2)));
        texts.into_iter().find(|text| text.in_force.kind == kind)
    }

    #[test]
    fn the_built_in_texts_have_the_specifications_sections() {
        let config = Config::default();
        let terms = text(&config, &OwnTexts::default(), TextKind::Terms).unwrap();
        let names: Vec<_> = terms.sections.iter().map(|section| &*section.name).collect();
        assert_eq!(
            names,
            [
                "Acceptance of Terms",
                "Enrollment",
                "Fees and Payment",
                "Academic Policies",
                "Attendance",
                "Code of Conduct",
                "Privacy",
                "Limitation of Liability",
                "Changes to These Terms",
                "Contact",
            ]
        );
        let privacy = text(&config, &OwnTexts::default(), TextKind::Privacy).unwrap();
        assert_eq!(privacy.sections.len(), 11);
        for text in [&terms, &privacy] {
            assert_eq!(text.updated, "June 1, 2023");
            assert!(
                !text.text.contains(['{', '}', '[']) && text.in_force.version.len() == 64,
                "{}",
                text.text
            );
        }
        assert!(terms.text.ends_with(
            "welcome at office@northgate.example or (416) 555-0142, Monday to Friday, 8:30 AM to 4:30 PM, and at 120 \
             Example Street, Suite 300, Toronto, ON M5V 0A0. These terms follow the laws of the Province of Ontario \
             and the laws of Canada that apply there."
        ), "{}", terms.text);
        let contact = terms.sections[9].blocks.iter().flat_map(|block| block.lines.iter().flatten());
        let phone = contact.filter(|part| part.to.as_deref() == Some("tel:+1-416-555-0142"));
        assert_eq!(phone.map(|part| &*part.words).collect::<Vec<_>>(), ["(416) 555-0142"]);
        let lists = privacy.sections[0].blocks.iter().filter(|block| block.is_list);
        let strong = lists.flat_map(|block| block.lines.iter().flatten()).filter(|part| part.is_strong);
        assert!(strong.map(|part| &*part.words).any(|words| words == "Messages."));
    }

    #[test]
    fn the_terms_demand_what_the_settings_demand() {
        let versions = [
            (Demand::Required, "needs the agreement"),
            (Demand::Recommended, "should have the agreement"),
            (Demand::Off, "should read these terms"),
        ]
        .map(|(demand, words)| {
            let mut config = Config::default();
            config.office.guardian_confirmation = demand;
            let terms = text(&config, &OwnTexts::default(), TextKind::Terms).unwrap();
            assert!(terms.text.contains(words), "{}", terms.text);
            assert_eq!(terms.text.contains("needs"), demand == Demand::Required, "{}", terms.text);
            terms.in_force.version.clone()
        });
        assert!(versions[0] != versions[1] && versions[1] != versions[2]);
    }

    #[test]
    fn a_version_is_the_words_with_the_facts_in_them() {
        let mut config = Config::default();
        let own = OwnTexts::default();
        let before = text(&config, &own, TextKind::Terms).unwrap();
        assert_eq!(text(&Config::default(), &own, TextKind::Terms).unwrap(), before, "the same each time");
        config.school_file.name = Some("Lakeview **College** [x](/y)".into());
        let after = text(&config, &own, TextKind::Terms).unwrap();
        assert_ne!(after.in_force.version, before.in_force.version);
        assert!(
            after.text.contains("a course of Lakeview * *College* * [x] (/y) (“the school”"),
            "{}",
            after.text
        );
        assert!(after.text.contains("are welcome at our contact page. These terms"), "{}", after.text);
        for kind in [TextKind::Refunds, TextKind::HowToPay] {
            assert_eq!(text(&config, &own, kind), None, "only the school can write it");
        }
        let own = OwnTexts { refunds: Some("All of it.".into()), ..own };
        let refunds = text(&config, &own, TextKind::Refunds).unwrap();
        assert_eq!((&*refunds.text, &*refunds.updated), ("All of it.", "November 2, 2026"));
        config.money.how_to_pay = "By e-Transfer.".into();
        assert_eq!(text(&config, &own, TextKind::HowToPay).unwrap().text, "By e-Transfer.");
    }

    #[test]
    fn only_a_version_in_force_is_accepted() {
        let texts = in_force(&Config::default(), &School::default(), &OwnTexts::default(), |_| None);
        let terms = texts[0].in_force.version.clone();
        let mut errors = FieldErrors::default();
        assert_eq!(accepted(&Field::Absent, &texts, &mut errors), []);
        let twice = accepted(&Field::Value(vec![terms.clone(), terms.clone()]), &texts, &mut errors);
        assert_eq!((twice, errors.iter().count()), (vec![texts[0].clone()], 0));
        for wrong in [Field::Wrong, Field::Value(vec![terms, "2023-06-01".into()])] {
            let mut errors = FieldErrors::default();
            accepted(&wrong, &texts, &mut errors);
            assert!(errors.iter().any(|(name, _)| name == "acceptedTextVersions"));
        }
    }
}
