//! `[school]`: what the pages, the e-mails and the search engines say about the school.
//!
//! The defaults are a sample school, and while they stand unchanged the site says so.

use std::fmt::Write;

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::values::{self, Zone};
use crate::base::email::Email;

/// `[school]` in the configuration.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct School {
    /// The school's name.
    pub name: String,
    /// A few words under the name.
    pub tagline: String,
    /// The ministry's inspection identifier (BSID, six digits).
    pub inspection_id: String,
    /// The school's registration number.
    pub registration_number: String,
    /// The year the school opened.
    pub founded_year: u16,
    /// Street and number.
    pub street: String,
    /// City.
    pub city: String,
    /// Province, two letters.
    pub province: String,
    /// Postal code.
    pub postal_code: String,
    /// Telephone number as it is shown.
    pub phone: String,
    /// The office's address; it receives the contact messages.
    #[serde(with = "values::text")]
    pub email: Email,
    /// Office hours as they are shown (section 2 of the specification).
    pub hours: String,
    /// The school's time zone.
    pub time_zone: Zone,
    /// Universities that accepted graduates.
    pub universities: Vec<String>,
    /// Profiles elsewhere; only those named here are shown.
    pub social_links: Vec<SocialLink>,
}

/// A profile of the school elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SocialLink {
    /// The service's name, as shown.
    pub name: String,
    /// The profile's address, https only.
    pub url: String,
}

impl Default for School {
    fn default() -> Self {
        Self {
            name: "Northgate Academy".into(),
            tagline: "Private secondary school, Ontario".into(),
            inspection_id: "880000".into(),
            registration_number: "880000".into(),
            founded_year: 2008,
            street: "120 Example Street, Suite 300".into(),
            city: "Toronto".into(),
            province: "ON".into(),
            postal_code: "M5V 0A0".into(),
            phone: "(416) 555-0142".into(),
            email: Email::known("office@northgate.example"),
            hours: "Monday to Friday, 8:30 AM to 4:30 PM".into(),
            time_zone: Zone::toronto(),
            universities: [
                "University of Toronto",
                "University of British Columbia",
                "McGill University",
                "McMaster University",
                "University of Waterloo",
                "Western University",
                "Queen's University",
                "York University",
                "Toronto Metropolitan University",
                "University of Ottawa",
                "University of Alberta",
                "Simon Fraser University",
            ]
            .map(String::from)
            .into(),
            social_links: Vec::new(),
        }
    }
}

impl School {
    /// Whether the identity is still the sample's, in whole or in the facts that identify it.
    pub fn is_sample(&self) -> bool {
        let sample = Self::default();
        self.name == sample.name || self.email == sample.email || self.inspection_id == sample.inspection_id
    }

    /// The school's time zone.
    pub fn zone(&self) -> TimeZone {
        self.time_zone.rules().clone()
    }

    /// Adds a line to `wrong` for each value that breaks a rule.
    pub(super) fn check(&self, wrong: &mut String) {
        if self.name.trim().is_empty() {
            let _ = writeln!(wrong, "school.name: must not be empty");
        }
        for link in &self.social_links {
            if !link.url.starts_with("https://") {
                let _ = writeln!(
                    wrong,
                    "school.social_links: {} must begin with https:// (found {:?})",
                    link.name, link.url
                );
            }
        }
        if self.name.contains(['\r', '\n']) || self.tagline.contains(['\r', '\n']) {
            let _ = writeln!(wrong, "school.name and school.tagline: must be one line");
        }
    }
}
