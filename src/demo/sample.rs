//! Sample data of the demo school, from `sample.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::admissions::AdmissionRequestStatus;
use crate::messages::status::MessageStatus;

/// State of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AccountState {
    /// Verified, with a complete profile.
    #[default]
    Complete,
    /// Verified, with an empty profile.
    Bare,
    /// Not verified.
    Unverified,
    /// Suspended by the office.
    Suspended,
    /// Closed by the office.
    Closed,
}

/// Address outside Canada.
#[derive(Debug, Deserialize)]
pub struct Abroad {
    /// Two letters of ISO 3166-1.
    pub country: String,
    /// City.
    pub city: String,
    /// Street and number.
    pub address: String,
    /// Telephone number.
    pub phone: String,
}

/// A student of the demo.
#[derive(Debug, Deserialize)]
pub struct DemoStudent {
    /// Full name.
    pub name: String,
    /// What stands before `@mail.example`.
    pub mailbox: String,
    /// As the profile has it.
    pub gender: String,
    /// A parent or guardian.
    #[serde(default)]
    pub parent: String,
    /// The account.
    #[serde(default)]
    pub account: AccountState,
    /// Where they live, if not in Canada.
    pub abroad: Option<Abroad>,
}

/// City, province, the beginning of its postal codes, its telephone code.
pub type City = [String; 4];

/// A note, and whether it is pinned.
#[derive(Debug, Deserialize)]
pub struct SampleNote {
    /// What it says.
    pub text: String,
    /// Whether it stands above the others.
    pub is_pinned: bool,
}

/// What a visitor wrote.
#[derive(Debug, Deserialize)]
pub struct SampleMessage {
    /// How long ago.
    pub hours_ago: i64,
    /// Who.
    pub name: String,
    /// What stands before `@mail.example`.
    pub mailbox: String,
    /// Telephone number.
    pub phone: Option<String>,
    /// What about.
    pub subject: String,
    /// The text.
    pub message: String,
    /// What became of it.
    pub status: MessageStatus,
    /// The office's reply.
    pub reply: Option<String>,
    /// What the visitor answered to it.
    pub answer: Option<String>,
    /// The office's note.
    pub note: Option<String>,
    /// Username of the staff member who handles it.
    pub assignee: Option<String>,
}

/// A reply that the office sends often.
#[derive(Debug, Deserialize)]
pub struct SampleTemplate {
    /// Name, for the office.
    pub name: String,
    /// Subject of the email.
    pub subject: String,
    /// Text.
    pub body: String,
}

/// A family that asks for a place.
#[derive(Debug, Deserialize)]
pub struct SampleApplication {
    /// How long ago.
    pub hours_ago: i64,
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// What stands before `@mail.example`.
    pub mailbox: String,
    /// Telephone number.
    pub phone: String,
    /// Where they live.
    pub address: String,
    /// For which grade.
    pub grade: u8,
    /// The school before.
    pub previous_school: Option<String>,
    /// Where it stands today.
    pub state: AdmissionRequestStatus,
    /// The end of its reference.
    pub letters: String,
    /// The student's birthday.
    pub born: String,
    /// A parent.
    pub guardian: String,
    /// Mother or father.
    pub relationship: String,
    /// Two letters.
    pub country: String,
    /// When they would like to begin.
    pub start_term: Option<String>,
    /// Codes of courses.
    #[serde(default)]
    pub wanted_courses: Vec<String>,
    /// What they wrote beside.
    pub message: Option<String>,
}

/// The people of the demo, and what is drawn from for them.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// All students except the one with the printed password.
    pub people: Vec<DemoStudent>,
    /// Where they live.
    pub cities: Vec<City>,
    /// In which streets.
    pub streets: Vec<String>,
    /// To which schools they went before.
    pub schools: Vec<String>,
    /// What the office noted about them.
    pub notes: Vec<SampleNote>,
    /// What visitors wrote.
    pub messages: Vec<SampleMessage>,
    /// Replies that the office sends often.
    pub templates: Vec<SampleTemplate>,
    /// Families who ask for a place.
    pub applications: Vec<SampleApplication>,
}

/// The sample.
pub static SAMPLE: LazyLock<Sample> =
    LazyLock::new(|| toml::from_str(include_str!("sample.toml")).unwrap_or_default());

#[cfg(test)]
mod tests {
    #[test]
    fn the_sample_is_read() {
        let sample: super::Sample = toml::from_str(include_str!("sample.toml")).unwrap();
        assert_eq!((sample.people.len(), sample.messages.len(), sample.applications.len()), (59, 12, 10));
    }
}
