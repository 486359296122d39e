//! The school's public identity: what the pages, the emails and the search engines say about it, and how it
//! shows itself.
//!
//! It comes from `[school]` in the configuration and from what the office publishes over that in Site Settings. A
//! fact that neither sets is empty here, and what needs it is left out. Without a name of its own the school is a
//! sample, and the site says so.

pub mod hours;
pub mod letters;
pub mod look;
pub mod semesters;
pub mod texts;
mod zone;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use self::semesters::OfferedSemester;
use self::texts::TextInForce;
pub use self::zone::SchoolZone;
use crate::base::contact::telephone_link;
use crate::config::{School, SocialLink};

/// The school as the pages show it; a text that is not set is empty.
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
    /// The year the school opened; null if it is not set.
    #[schema(required)]
    pub founded_year: Option<u16>,
    /// How long it has taught, in whole fives of years; none in its first five.
    #[schema(required)]
    pub years_of_teaching: Option<u16>,
    /// Where the office is.
    pub address: Address,
    /// Telephone number as it is shown.
    pub phone: String,
    /// The address under which a device dials it.
    pub phone_link: String,
    /// The office's address.
    pub email: String,
    /// Office hours as they are shown.
    pub hours: String,
    /// Where OpenStreetMap shows the office.
    pub map_link: String,
    /// Profiles elsewhere.
    pub social_links: Vec<SocialLink>,
    /// Universities that accepted graduates.
    pub universities: Vec<String>,
    /// What families ask, and what the school answers; its own words.
    pub questions: Vec<Question>,
    /// What the school shows of itself.
    pub pictures: Pictures,
    /// Those that a request may name now, the next one first.
    pub semesters: Vec<OfferedSemester>,
    /// Whether the public pages show what a course costs.
    pub show_fees: bool,
    /// Whether they show how many seats a section has left.
    pub show_seats: bool,
    /// What people read before they agree to anything, as `GET /api/texts` has it.
    pub texts: Vec<TextInForce>,
    /// The school's time zone.
    pub time_zone: SchoolZone,
    /// Whether the facts are the sample's, or lack one that a school cannot open without.
    pub is_sample: bool,
    /// Whether it has a name of its own.
    pub is_named: bool,
}

impl PublicSchool {
    /// What the pages show of the configuration on a day.
    pub fn new(school: &School, today: Date) -> Self {
        let this_year = u16::try_from(today.year()).unwrap_or_default();
        let years = school.founded_year.map(|year| this_year.saturating_sub(year) / 5 * 5);
        Self {
            name: school.name.clone(),
            tagline: school.tagline.clone(),
            inspection_id: school.inspection_id.clone(),
            registration_number: school.registration_number.clone(),
            founded_year: school.founded_year,
            years_of_teaching: years.filter(|years| *years > 0),
            address: Address {
                street: school.street.clone(),
                city: school.city.clone(),
                province: school.province.clone(),
                postal_code: school.postal_code.clone(),
            },
            phone: school.phone.clone(),
            phone_link: telephone_link(&school.phone),
            email: school.email.as_ref().map(ToString::to_string).unwrap_or_default(),
            hours: school.hours.clone(),
            map_link: map_link(school),
            social_links: school.social_links.clone(),
            universities: school.universities.clone(),
            questions: Vec::new(),
            pictures: Pictures::default(),
            semesters: Vec::new(),
            show_fees: false,
            show_seats: false,
            texts: Vec::new(),
            time_zone: SchoolZone::new(&school.time_zone, today),
            is_sample: school.is_sample(),
            is_named: school.is_named(),
        }
    }
}

/// A search: suites and units confuse it; the street, the city and the province find the entrance. Empty without
/// them.
fn map_link(school: &School) -> String {
    if school.street.is_empty() || school.city.is_empty() {
        return String::new();
    }
    let street = school.street.split(',').next().unwrap_or_default();
    let place = [street, &school.city, &school.province, "Canada"].join(", ");
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("query", &place).finish();
    format!("https://www.openstreetmap.org/search?{query}")
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

/// A question of families with the school's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// The question in one line.
    pub question: String,
    /// The answer in plain text.
    pub answer: String,
}

/// The school's pictures by where they stand; none until the school gives some.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pictures {
    /// Beside the first words of the home page.
    #[schema(required)]
    pub hero: Option<Picture>,
    /// Pictures of the campus, on the home page; at most six.
    pub campus: Vec<Picture>,
    /// People who run the school, on the About page; at most twelve.
    pub people: Vec<Person>,
}

/// A picture in several widths.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Picture {
    /// The address of one of middling width.
    pub src: String,
    /// All widths, as `srcset` lists them.
    pub srcset: String,
    /// Width of the largest in pixels.
    pub width: u32,
    /// Height of the largest in pixels.
    pub height: u32,
    /// Alternative text.
    pub alt: String,
}

/// A person who runs the school.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// First and last name.
    pub name: String,
    /// What they do at the school.
    pub role: String,
    /// Their portrait.
    pub picture: Picture,
}
