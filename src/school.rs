//! The school's public identity: what the pages, the mails and the search engines say about it.
//!
//! It comes from `[school]` in the configuration. The defaults are a sample school, and while they
//! stand unchanged the site says so.

use std::fmt::Write;

use axum::extract::State;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::web::app::App;
use crate::web::cached_response::Encoded;
use crate::web::form::Email;

/// The calls of this room.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_school))
}

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
    pub email: String,
    /// Office hours as they are shown (section 2 of the specification).
    pub hours: String,
    /// The school's time zone by its IANA name.
    pub time_zone: String,
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
            email: "office@northgate.example".into(),
            hours: "Monday to Friday, 8:30 AM to 4:30 PM".into(),
            time_zone: "America/Toronto".into(),
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

    /// The school's time zone; checked when the configuration is loaded.
    pub fn zone(&self) -> TimeZone {
        TimeZone::get(&self.time_zone).unwrap_or(TimeZone::UTC)
    }

    /// Adds a line to `wrong` for each value that breaks a rule.
    pub fn check(&self, wrong: &mut String) {
        if self.name.trim().is_empty() {
            let _ = writeln!(wrong, "school.name: must not be empty");
        }
        if let Err(message) = Email::parse(&self.email) {
            let _ = writeln!(wrong, "school.email: {message} (found {:?})", self.email);
        }
        if TimeZone::get(&self.time_zone).is_err() {
            let _ = writeln!(
                wrong,
                "school.time_zone: must be an IANA name such as America/Toronto (found {:?})",
                self.time_zone
            );
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

    /// The public form of the identity.
    pub fn public(&self) -> PublicSchool {
        PublicSchool {
            name: self.name.clone(),
            tagline: self.tagline.clone(),
            inspection_id: self.inspection_id.clone(),
            registration_number: self.registration_number.clone(),
            founded_year: self.founded_year,
            address: Address {
                street: self.street.clone(),
                city: self.city.clone(),
                province: self.province.clone(),
                postal_code: self.postal_code.clone(),
            },
            phone: self.phone.clone(),
            email: self.email.clone(),
            hours: self.hours.clone(),
            social_links: self.social_links.clone(),
            universities: self.universities.clone(),
            time_zone: self.time_zone.clone(),
            is_sample: self.is_sample(),
        }
    }
}

/// The school as the pages show it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicSchool {
    /// The school's name.
    pub name: String,
    /// A few words under the name.
    pub tagline: String,
    /// The ministry's inspection identifier.
    pub inspection_id: String,
    /// The school's registration number.
    pub registration_number: String,
    /// The year the school opened.
    pub founded_year: u16,
    /// Where the office is.
    pub address: Address,
    /// Telephone number as it is shown.
    pub phone: String,
    /// The office's address.
    pub email: String,
    /// Office hours as they are shown.
    pub hours: String,
    /// Profiles elsewhere.
    pub social_links: Vec<SocialLink>,
    /// Universities that accepted graduates.
    pub universities: Vec<String>,
    /// The school's time zone by its IANA name.
    pub time_zone: String,
    /// Whether these are still the sample's facts.
    pub is_sample: bool,
}

/// Where the office is.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Address {
    /// Street and number.
    pub street: String,
    /// City.
    pub city: String,
    /// Province, two letters.
    pub province: String,
    /// Postal code.
    pub postal_code: String,
}

/// The school's public identity
#[utoipa::path(get, path = "/api/school", tag = "school", responses((status = 200, body = PublicSchool)))]
async fn get_school(State(app): State<App>, headers: axum::http::HeaderMap) -> axum::response::Response {
    app.school_json.respond(&headers)
}

/// The identity as compressed bytes, made once at start.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn encode(school: &School) -> anyhow::Result<Encoded> {
    let json = serde_json::to_vec(&school.public())?;
    Ok(Encoded::new("application/json", "no-cache", json))
}
