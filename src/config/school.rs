//! `[school]`: facts about the school for pages, emails and search engines.
//!
//! [`SchoolFile`] holds the facts of the file; the office may override them in Site Settings.
//! [`Config::school`](super::Config::school) returns both merged as [`School`], the only way to read a fact. A fact
//! that neither sets is unset; the sample's facts apply only while the school has no name, and then all of them. What
//! is written in the file is the school's own, whether or not it equals the sample's, except what no school can have
//! (the sample's address, numbers and email).

use std::fmt::Write;

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use super::values::{self, Zone};
use crate::base::email::Email;

/// Facts as set by one source, the file or the office; `None` means not set.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SchoolFile {
    /// The school's name.
    pub name: Option<String>,
    /// A few words under the name.
    pub tagline: Option<String>,
    /// The ministry's inspection identifier (BSID, six digits).
    pub inspection_id: Option<String>,
    /// The school's registration number.
    pub registration_number: Option<String>,
    /// The year the school opened.
    pub founded_year: Option<u16>,
    /// Street and number.
    pub street: Option<String>,
    /// City.
    pub city: Option<String>,
    /// Province, two letters.
    pub province: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// Telephone number as displayed.
    pub phone: Option<String>,
    /// The office's address; it receives the contact messages.
    #[serde(with = "values::optional")]
    pub email: Option<Email>,
    /// Office hours as displayed (section 2 of the specification).
    pub hours: Option<String>,
    /// The school's time zone.
    pub time_zone: Option<Zone>,
    /// Universities that accepted graduates.
    pub universities: Option<Vec<String>>,
    /// Social media profiles.
    pub social_links: Vec<SocialLink>,
    /// Refund terms, from Site Settings.
    #[serde(skip)]
    pub refunds: Option<String>,
    /// How to pay a fee, from Site Settings.
    #[serde(skip)]
    pub how_to_pay: Option<String>,
}

/// A social media profile of the school.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SocialLink {
    /// The service's name, as shown.
    pub name: String,
    /// The profile's address, https only.
    pub url: String,
}

/// The effective facts of the school; an unset fact is empty.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct School {
    #[serde(skip)]
    is_own: bool,
    /// The school's name; never empty.
    pub name: String,
    /// A few words under the name.
    pub tagline: String,
    /// The ministry's inspection identifier (BSID, six digits).
    pub inspection_id: String,
    /// The school's registration number.
    pub registration_number: String,
    /// The year the school opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub founded_year: Option<u16>,
    /// Street and number.
    pub street: String,
    /// City.
    pub city: String,
    /// Province, two letters; empty without a city.
    pub province: String,
    /// Postal code.
    pub postal_code: String,
    /// Telephone number as displayed.
    pub phone: String,
    /// The office's address; it receives the contact messages.
    #[serde(serialize_with = "values::optional::serialize")]
    pub email: Option<Email>,
    /// Office hours as displayed.
    pub hours: String,
    /// The school's time zone.
    pub time_zone: Zone,
    /// Universities that accepted graduates.
    pub universities: Vec<String>,
    /// Social media profiles.
    pub social_links: Vec<SocialLink>,
    /// Refund terms; `None` until the office has written them.
    #[serde(skip)]
    pub refunds: Option<String>,
    /// How to pay a fee; `None` until the office has written it.
    #[serde(skip)]
    pub how_to_pay: Option<String>,
}

/// Default province.
const ONTARIO: &str = "ON";

/// A fact that the school has not set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MissingFact {
    /// Key under `[school]` in the configuration.
    pub key: &'static str,
    /// Label in Site Settings.
    pub label: &'static str,
    /// Whether the site shows the sample notice until the fact is set.
    pub is_required: bool,
}

impl SchoolFile {
    /// The facts of the sample school.
    pub(super) fn sample() -> Self {
        let text = |text: &str| Some(text.to_owned());
        Self {
            name: text("Northgate Academy"),
            tagline: text("Private secondary school, Ontario"),
            inspection_id: text("880000"),
            registration_number: text("880000"),
            founded_year: Some(2008),
            street: text("120 Example Street, Suite 300"),
            city: text("Toronto"),
            province: text(ONTARIO),
            postal_code: text("M5V 0A0"),
            phone: text("(416) 555-0142"),
            email: Some(Email::known("office@northgate.example")),
            hours: text("Monday to Friday, 8:30 AM to 4:30 PM"),
            time_zone: Some(Zone::toronto()),
            universities: Some(
                [
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
            ),
            social_links: Vec::new(),
            refunds: None,
            how_to_pay: None,
        }
    }

    /// Merges the office's facts over the file's. Without a name, unset facts come from the sample; with a name, none
    /// do.
    pub fn school(&self, office: &Self) -> School {
        let sample = Self::sample();
        let file = self.without_blanks();
        let is_own = office.name.is_some()
            || file.name.as_ref().is_some_and(|name| Some(name) != sample.name.as_ref());
        let mut facts = if is_own {
            office.clone().or(file.without_placeholders(&sample))
        } else {
            office.clone().or(file).or(sample)
        };
        facts.province = facts.city.is_some().then(|| facts.province.unwrap_or_else(|| ONTARIO.into()));
        School { is_own, ..facts.written() }
    }

    /// The facts as they are set, without the sample's.
    fn written(self) -> School {
        School {
            is_own: false,
            name: self.name.unwrap_or_default(),
            tagline: self.tagline.unwrap_or_default(),
            inspection_id: self.inspection_id.unwrap_or_default(),
            registration_number: self.registration_number.unwrap_or_default(),
            founded_year: self.founded_year,
            street: self.street.unwrap_or_default(),
            city: self.city.unwrap_or_default(),
            province: self.province.unwrap_or_default(),
            postal_code: self.postal_code.unwrap_or_default(),
            phone: self.phone.unwrap_or_default(),
            email: self.email,
            hours: self.hours.unwrap_or_default(),
            time_zone: self.time_zone.unwrap_or_else(Zone::toronto),
            universities: self.universities.unwrap_or_default(),
            social_links: self.social_links,
            refunds: self.refunds,
            how_to_pay: self.how_to_pay,
        }
    }

    /// An empty text is not set.
    fn without_blanks(&self) -> Self {
        let mut facts = self.clone();
        for (_, text) in facts.texts() {
            *text = text.take().filter(|text| !text.trim().is_empty());
        }
        facts
    }

    /// Keys of the file that still have values of the sample which are not published.
    pub fn placeholders(&self) -> Vec<&'static str> {
        let mut file = self.without_blanks();
        let mut kept = file.clone().without_placeholders(&Self::sample());
        let texts = file.texts().into_iter().zip(kept.texts());
        let mut keys: Vec<_> =
            texts.filter(|((_, own), (_, kept))| own != kept).map(|((key, _), _)| key).collect();
        let others = [
            ("email", file.email != kept.email),
            ("founded_year", file.founded_year != kept.founded_year),
            ("universities", file.universities != kept.universities),
        ];
        keys.extend(others.into_iter().filter(|(_, is_gone)| *is_gone).map(|(key, _)| key));
        keys
    }

    /// The office's email address from the file, unless it is the sample's.
    pub(super) fn own_email(&self) -> Option<Email> {
        self.email.clone().filter(|email| Self::sample().email.as_ref() != Some(email))
    }

    /// Each fact from `self`, else from `other`.
    fn or(self, other: Self) -> Self {
        let social_links = if self.social_links.is_empty() { other.social_links } else { self.social_links };
        macro_rules! first {
            ($($fact:ident)+) => { Self { $($fact: self.$fact.or(other.$fact),)+ social_links } };
        }
        first! {
            name tagline inspection_id registration_number founded_year street city province postal_code phone email
            hours time_zone universities refunds how_to_pay
        }
    }

    fn texts(&mut self) -> [(&'static str, &mut Option<String>); 10] {
        macro_rules! texts {
            ($($key:ident)+) => { [$((stringify!($key), &mut self.$key)),+] };
        }
        texts!(name tagline inspection_id registration_number street city province postal_code phone hours)
    }

    /// Removes the values of the sample that no school can have. Up to 0.3 the packaged configuration had all of the
    /// sample's as settings: where not one of those was changed, what else equals the sample's was not written by the
    /// school either.
    fn without_placeholders(mut self, sample: &Self) -> Self {
        const IMPOSSIBLE: [&str; 5] =
            ["inspection_id", "registration_number", "street", "postal_code", "phone"];
        let is_email = self.email == sample.email;
        let mut own = sample.clone();
        let mut copies: Vec<_> = self
            .texts()
            .into_iter()
            .zip(own.texts())
            .filter(|((_, text), (_, sample))| text == sample)
            .collect();
        let impossible = copies.iter().filter(|((key, _), _)| IMPOSSIBLE.contains(key)).count();
        let is_untouched = is_email && impossible == IMPOSSIBLE.len();
        for ((key, text), _) in &mut copies {
            if is_untouched || IMPOSSIBLE.contains(key) {
                **text = None;
            }
        }
        self.email = self.email.filter(|_| !is_email);
        if is_untouched {
            self.founded_year = self.founded_year.filter(|year| Some(*year) != sample.founded_year);
            self.universities = self.universities.filter(|list| Some(list) != sample.universities.as_ref());
        }
        self
    }

    /// Adds a line to `wrong` for each invalid value.
    pub(super) fn check(&self, wrong: &mut String) {
        for link in &self.social_links {
            if !link.url.starts_with("https://") {
                let _ = writeln!(
                    wrong,
                    "school.social_links: {} must begin with https:// (found {:?})",
                    link.name, link.url
                );
            }
        }
        if [&self.name, &self.tagline].into_iter().flatten().any(|text| text.contains(['\r', '\n'])) {
            let _ = writeln!(wrong, "school.name and school.tagline: must be one line");
        }
    }
}

/// Writes what is set, and every other key blank: a variable for an omitted key would not be recognized.
impl Serialize for SchoolFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.without_blanks().written().serialize(serializer)
    }
}

impl PartialEq for SchoolFile {
    fn eq(&self, other: &Self) -> bool {
        self.without_blanks().written() == other.without_blanks().written()
    }
}

/// The sample.
impl Default for School {
    fn default() -> Self {
        SchoolFile::default().school(&SchoolFile::default())
    }
}

impl School {
    /// Whether it has its own name; without one it is the sample.
    pub fn is_named(&self) -> bool {
        self.name != Self::default().name
    }

    /// Whether the site still shows the sample notice: until every required fact is set.
    pub fn is_sample(&self) -> bool {
        let sample = Self::default();
        !self.is_named()
            || self.email == sample.email
            || self.inspection_id == sample.inspection_id
            || self.missing_facts().iter().any(|fact| fact.is_required)
    }

    /// Unset facts in the order of Site Settings, including those that still come from the sample.
    pub fn missing_facts(&self) -> Vec<MissingFact> {
        let facts = [
            ("name", "Name", true, true),
            ("email", "Email", true, self.email.is_some()),
            ("phone", "Phone", true, !self.phone.is_empty()),
            ("street", "Street and number", true, !self.street.is_empty()),
            ("city", "City", true, !self.city.is_empty()),
            ("postal_code", "Postal code", true, !self.postal_code.is_empty()),
            ("inspection_id", "Inspection ID (BSID)", true, !self.inspection_id.is_empty()),
            (
                "registration_number",
                "School registration number",
                false,
                !self.registration_number.is_empty(),
            ),
            ("founded_year", "Founding year", false, self.founded_year.is_some()),
            ("tagline", "Tagline", false, !self.tagline.is_empty()),
            ("hours", "Office hours", false, !self.hours.is_empty()),
            ("universities", "Universities", false, !self.universities.is_empty()),
        ];
        let missing = facts.into_iter().filter(|(.., is_set)| !self.is_own || !is_set);
        missing.map(|(key, label, is_required, _)| MissingFact { key, label, is_required }).collect()
    }

    /// The school's time zone.
    pub fn zone(&self) -> TimeZone {
        self.time_zone.rules().clone()
    }

    /// The office's postal address on one line, as far as known.
    pub fn address(&self) -> String {
        let place = [&*self.province, &*self.postal_code].join(" ");
        let parts = [self.street.trim(), self.city.trim(), place.trim()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }

    /// Contact details, to follow "please contact the office": `: (416) 555-0142, office@school.example`.
    pub fn contacts(&self) -> String {
        let email = self.email.as_ref().map_or("", Email::as_str);
        let ways: Vec<_> = [&*self.phone, email].into_iter().filter(|way| !way.is_empty()).collect();
        if ways.is_empty() { String::new() } else { format!(": {}", ways.join(", ")) }
    }

    /// How to reach the office: `Write to office@school.example or call (416) 555-0142`.
    pub fn write_or_call(&self) -> String {
        match (&self.email, &*self.phone) {
            (Some(email), "") => format!("Write to {email}"),
            (Some(email), phone) => format!("Write to {email} or call {phone}"),
            (None, "") => "Ask the office".into(),
            (None, phone) => format!("Call {phone}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn all_facts_are_the_samples_until_the_school_has_a_name() {
        let none = SchoolFile::default();
        let sample = none.school(&none);
        assert!(!sample.is_named() && sample.is_sample());
        assert_eq!(sample.missing_facts().len(), 12, "the sample sets nothing for the school");
        let phone = SchoolFile { phone: text("(613) 555-0155"), ..none.clone() };
        assert_eq!(School { phone: "(613) 555-0155".into(), ..sample }, phone.school(&none));
    }

    #[test]
    fn with_a_name_no_fact_comes_from_the_sample() {
        let none = SchoolFile::default();
        for (file, office) in [
            (SchoolFile { name: text("Lakeview"), ..none.clone() }, none.clone()),
            (none.clone(), SchoolFile { name: text("Lakeview"), ..none.clone() }),
            (SchoolFile { name: text("Lakeview"), ..SchoolFile::sample() }, none.clone()),
        ] {
            let school = file.school(&office);
            assert_eq!(
                (&*school.name, school.address(), school.contacts()),
                ("Lakeview", String::new(), String::new())
            );
            assert_eq!((school.founded_year, &*school.hours, &*school.tagline), (None, "", ""));
            assert_eq!((school.universities.len(), school.write_or_call()), (0, "Ask the office".into()));
            assert_eq!(school.missing_facts().len(), 11);
        }
    }

    #[test]
    fn what_a_school_wrote_is_kept_where_it_equals_the_samples() {
        let none = SchoolFile::default();
        let written = SchoolFile {
            name: text("Lakeview"),
            email: Email::parse("office@lakeview.example").ok(),
            street: text("9 King Street West"),
            postal_code: text("M5H 1A1"),
            phone: text("(416) 555-0155"),
            inspection_id: text("665544"),
            ..SchoolFile::sample()
        };
        let school = written.school(&none);
        assert_eq!(school.address(), "9 King Street West, Toronto, ON M5H 1A1");
        assert_eq!((school.founded_year, school.universities.len()), (Some(2008), 12));
        assert_eq!(
            (&*school.hours, &*school.tagline),
            ("Monday to Friday, 8:30 AM to 4:30 PM", "Private secondary school, Ontario")
        );
        // No school has this number, and leaving it takes nothing else away.
        assert_eq!((&*school.registration_number, written.placeholders()), ("", vec!["registration_number"]));
        assert!(!school.is_sample());
        for kept in [
            SchoolFile { city: text("Toronto"), founded_year: Some(2008), ..none.clone() },
            SchoolFile { phone: text("(416) 555-0155"), ..SchoolFile::sample() },
        ] {
            let school = SchoolFile { name: text("Lakeview"), ..kept }.school(&none);
            assert_eq!((school.address(), school.founded_year), ("Toronto, ON".into(), Some(2008)));
            assert!(school.is_sample(), "the notice stays until all is set");
        }
    }

    #[test]
    fn a_written_configuration_has_nothing_of_the_sample() {
        let none = SchoolFile::default();
        let file = SchoolFile { phone: text("(613) 555-0155"), province: text("QC"), ..none };
        let again: SchoolFile = toml::from_str(&toml::to_string(&file).unwrap()).unwrap();
        let office = SchoolFile { name: text("Lakeview"), city: text("Gatineau"), ..SchoolFile::default() };
        let school = again.school(&office);
        assert_eq!(school, file.school(&office));
        assert_eq!(
            (school.address(), &*school.phone, &*school.hours),
            ("Gatineau, QC".into(), "(613) 555-0155", "")
        );
    }

    #[test]
    fn the_notice_goes_with_the_last_required_fact() {
        let none = SchoolFile::default();
        let file = SchoolFile { name: text("Lakeview"), city: text("Kingston"), phone: text("613"), ..none };
        let office = SchoolFile {
            email: Email::parse("office@lakeview.example").ok(),
            street: text("9 Princess Street"),
            postal_code: text("K7L 1A1"),
            phone: text("(613) 555-0155"),
            ..SchoolFile::default()
        };
        assert!(file.school(&office).is_sample());
        let school = file.school(&SchoolFile { inspection_id: text("665544"), ..office });
        assert!(!school.is_sample());
        assert_eq!(school.address(), "9 Princess Street, Kingston, ON K7L 1A1");
        assert_eq!(
            school.contacts(),
            ": (613) 555-0155, office@lakeview.example",
            "the office comes before the file"
        );
    }
}
