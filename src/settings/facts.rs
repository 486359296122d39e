//! The school's facts as the office sets them in Site Settings.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::base::email::Email;
use crate::base::error::FieldErrors;
use crate::config::{School, SchoolFile};
use crate::web::form::{Field, form};

/// Facts of the school; null: as the configuration says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Facts {
    /// The school's name.
    #[schema(required)]
    pub name: Option<String>,
    /// The office's address; it receives the contact messages.
    #[schema(required)]
    pub email: Option<String>,
    /// Telephone number as it is shown.
    #[schema(required)]
    pub phone: Option<String>,
    /// Street and number.
    #[schema(required)]
    pub street: Option<String>,
    /// City.
    #[schema(required)]
    pub city: Option<String>,
    /// Province, two letters.
    #[schema(required)]
    pub province: Option<String>,
    /// Postal code.
    #[schema(required)]
    pub postal_code: Option<String>,
    /// The ministry's inspection identifier (BSID).
    #[schema(required)]
    pub inspection_id: Option<String>,
    /// The school's registration number.
    #[schema(required)]
    pub registration_number: Option<String>,
    /// The year the school opened.
    #[schema(required)]
    pub founded_year: Option<u16>,
    /// A few words under the name.
    #[schema(required)]
    pub tagline: Option<String>,
}

form! {
    /// Facts of the school; null or blank: as the configuration says.
    pub struct FactsInput {
        /// 2 to 80 characters.
        name: Option<String>,
        email: Option<String>,
        /// At least 7 digits, at most 40 characters.
        phone: Option<String>,
        /// At most 120 characters.
        street: Option<String>,
        /// At most 80 characters.
        city: Option<String>,
        /// Two letters.
        province: Option<String>,
        /// At most 12 characters.
        postal_code: Option<String>,
        /// At most 20 characters, without the letters BSID.
        inspection_id: Option<String>,
        /// At most 40 characters.
        registration_number: Option<String>,
        /// 1800 to 2200.
        founded_year: Option<i64>,
        /// At most 120 characters.
        tagline: Option<String>,
    }
}

impl FactsInput {
    /// Checks every rule of them; what breaks one is noted as `facts.…`.
    pub fn parse(&self, errors: &mut FieldErrors) -> Facts {
        let mut line = |name, field: &Field<String>, min, max, message: &str| {
            let parsed = match one_line(field, max) {
                Ok(Some(text)) if text.chars().count() < min => Err(message.to_owned()),
                parsed => parsed,
            };
            errors.take(name, parsed).flatten()
        };
        let facts = Facts {
            name: line("facts.name", &self.name, 2, 80, "Please enter at least 2 characters"),
            email: None,
            phone: line("facts.phone", &self.phone, 7, 40, PHONE_WANTED),
            street: line("facts.street", &self.street, 1, 120, ""),
            city: line("facts.city", &self.city, 1, 80, ""),
            province: line("facts.province", &self.province, 1, 12, ""),
            postal_code: line("facts.postalCode", &self.postal_code, 1, 12, ""),
            inspection_id: line("facts.inspectionId", &self.inspection_id, 1, 20, ""),
            registration_number: line("facts.registrationNumber", &self.registration_number, 1, 40, ""),
            founded_year: None,
            tagline: line("facts.tagline", &self.tagline, 1, 120, ""),
        };
        if facts.phone.as_ref().is_some_and(|phone| phone.chars().filter(char::is_ascii_digit).count() < 7) {
            errors.add("facts.phone", PHONE_WANTED);
        }
        let province = facts.province.as_ref().map(|province| province.to_ascii_uppercase());
        let is_code = |province: &String| {
            province.len() == 2 && province.bytes().all(|byte| byte.is_ascii_alphabetic())
        };
        if province.as_ref().is_some_and(|province| !is_code(province)) {
            errors.add("facts.province", "Must be two letters, such as ON");
        }
        let email = match &self.email {
            field if field.is_blank() => Ok(None),
            field => Email::parse(field.text()).map(|email| Some(email.to_string())),
        };
        let founded_year = match self.founded_year {
            Field::Absent | Field::Null => Ok(None),
            Field::Value(year @ 1800..=2200) => u16::try_from(year).map(Some).map_err(|_| YEAR_WANTED),
            _ => Err(YEAR_WANTED),
        };
        Facts {
            province,
            email: errors.take("facts.email", email).flatten(),
            founded_year: errors.take("facts.foundedYear", founded_year).flatten(),
            ..facts
        }
    }
}

const PHONE_WANTED: &str = "Please enter a telephone number with at least 7 digits";
const YEAR_WANTED: &str = "Must be a year such as 1998";

fn one_line(field: &Field<String>, max: usize) -> Result<Option<String>, String> {
    let text = field.optional(max)?.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    Ok(text.filter(|text| !text.is_empty()))
}

impl Facts {
    /// Those of a school, as far as it has them.
    pub fn of(school: &School) -> Self {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Self {
            name: text(&school.name),
            email: school.email.as_ref().map(ToString::to_string),
            phone: text(&school.phone),
            street: text(&school.street),
            city: text(&school.city),
            province: text(&school.province),
            postal_code: text(&school.postal_code),
            inspection_id: text(&school.inspection_id),
            registration_number: text(&school.registration_number),
            founded_year: school.founded_year,
            tagline: text(&school.tagline),
        }
    }

    /// As they lie over those of the file.
    pub fn over_file(&self) -> SchoolFile {
        let facts = self.clone();
        SchoolFile {
            name: facts.name,
            email: facts.email.and_then(|email| Email::parse(&email).ok()),
            phone: facts.phone,
            street: facts.street,
            city: facts.city,
            province: facts.province,
            postal_code: facts.postal_code,
            inspection_id: facts.inspection_id,
            registration_number: facts.registration_number,
            founded_year: facts.founded_year,
            tagline: facts.tagline,
            ..SchoolFile::default()
        }
    }

    /// What stands in the place of a key of the configuration.
    pub fn replaced(&self, key: &str) -> Option<toml::Value> {
        let text = match key {
            "founded_year" => return self.founded_year.map(|year| i64::from(year).into()),
            "name" => &self.name,
            "email" => &self.email,
            "phone" => &self.phone,
            "street" => &self.street,
            "city" => &self.city,
            "province" => &self.province,
            "postal_code" => &self.postal_code,
            "inspection_id" => &self.inspection_id,
            "registration_number" => &self.registration_number,
            "tagline" => &self.tagline,
            _ => return None,
        };
        text.clone().map(Into::into)
    }
}
