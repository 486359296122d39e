//! The profile's rules (specification, section 5), each with its message.

use std::sync::LazyLock;

use jiff::ToSpan as _;
use jiff::civil::Date;
use serde::Deserialize;
use utoipa::ToSchema;

use super::Student;
use crate::base::email::Email;
use crate::base::error::{Error, FieldErrors, Result};
use crate::web::form::Field;

const PHONE_WANTED: &str = "Valid phone number required";
/// Where the 13 provinces are, and a postal code is needed.
const CANADA: &str = "CA";
/// ISO 3166-1, one list for the server and the interface.
static COUNTRIES: LazyLock<Vec<String>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../ui/src/students/countries.json")).unwrap_or_default()
});
const GENDERS: [&str; 3] = ["male", "female", "other"];
const CANADIAN_STATUSES: [&str; 4] = ["citizen", "permanent_resident", "international_student", "other"];
const PROVINCES: [&str; 13] = ["AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT"];

/// `PATCH /api/students/me`'s body. Other keys (id, isVerified …) are not the caller's to set.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileForm {
    #[serde(default)]
    #[schema(value_type = String)]
    full_name: Field<String>,
    #[serde(default)]
    #[schema(value_type = String)]
    email: Field<String>,
    /// Asked for when `email` is neither the address in use nor the one that waits.
    #[serde(default)]
    #[schema(value_type = String)]
    current_password: Field<String>,
    #[serde(default)]
    #[schema(value_type = String)]
    phone_number: Field<String>,
    #[serde(default)]
    #[schema(value_type = String, format = Date)]
    date_of_birth: Field<String>,
    #[serde(default)]
    #[schema(value_type = String)]
    gender: Field<String>,
    #[serde(default)]
    #[schema(value_type = String)]
    canadian_status: Field<String>,
    #[serde(default)]
    #[schema(value_type = String, example = "CA")]
    country: Field<String>,
    #[serde(default)]
    #[schema(value_type = String)]
    address: Field<String>,
    #[serde(default)]
    #[schema(value_type = String)]
    city: Field<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    province: Field<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    postal_code: Field<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    parent_name: Field<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    parent_contact: Field<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    last_school: Field<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    last_grade_completed: Field<String>,
    #[serde(default)]
    #[schema(value_type = Option<bool>)]
    transferring_credits: Field<bool>,
}

impl ProfileForm {
    /// Whether the form says anything about the address.
    pub fn names_email(&self) -> bool {
        !matches!(self.email, Field::Absent)
    }

    /// The password of the account, as it was typed; not trimmed.
    pub fn current_password(&self) -> &str {
        match &self.current_password {
            Field::Value(password) => password,
            _ => "",
        }
    }
}

/// A profile whose every field is right.
#[derive(Debug, Clone)]
pub struct Profile {
    /// The address; a changed one has to be confirmed before it counts.
    pub email: Email,
    /// At least two characters.
    pub full_name: String,
    /// At least ten characters, seven of them digits.
    pub phone_number: String,
    /// 5 to 100 years ago.
    pub date_of_birth: Date,
    /// One of the three words.
    pub gender: String,
    /// One of the four words.
    pub canadian_status: String,
    /// Street and number.
    pub address: String,
    /// City.
    pub city: String,
    /// Two letters.
    pub country: String,
    /// In Canada always, two letters; elsewhere what people call it.
    pub province: Option<String>,
    /// In Canada always, as `A1A 1A1`.
    pub postal_code: Option<String>,
    /// Optional.
    pub parent_name: Option<String>,
    /// Optional.
    pub parent_contact: Option<String>,
    /// Optional.
    pub last_school: Option<String>,
    /// Optional.
    pub last_grade_completed: Option<String>,
    /// No unless said otherwise.
    pub transferring_credits: bool,
}

/// Lays the form over what is stored and checks the whole.
///
/// # Errors
/// Every broken rule by field.
pub fn parse(form: &ProfileForm, before: &Student, today: Date) -> Result<Profile> {
    let mut errors = FieldErrors::default();
    let mut text = |name, field: &Field<String>, stored: Option<&str>, least, message: &str| {
        let field = laid_over(field, stored);
        errors.take(name, field.between(least, 200, message))
    };
    let full_name =
        text("fullName", &form.full_name, before.full_name.as_deref(), 2, "Full name is required");
    let phone = text("phoneNumber", &form.phone_number, before.phone_number.as_deref(), 10, PHONE_WANTED);
    let address = text("address", &form.address, before.address.as_deref(), 1, "Address is required");
    let city = text("city", &form.city, before.city.as_deref(), 1, "City is required");

    let country = errors.take("country", country(&laid_over(&form.country, Some(&before.country))));
    // In another country the old province and postal code mean nothing.
    let moves = country.as_ref().is_some_and(|country| *country != before.country);
    let stored = |value: &Option<String>| value.clone().filter(|_| !moves);
    let province = laid_over(&form.province, stored(&before.province).as_deref());
    let postal = laid_over(&form.postal_code, stored(&before.postal_code).as_deref());
    let is_canada = country.as_deref().is_none_or(|country| country == CANADA);
    let (province, postal) = if is_canada {
        (
            one_of(&province, &PROVINCES, "Province is required").map(Some),
            postal.between(1, 200, "Postal code is required").map(Some),
        )
    } else {
        (province.optional(100), postal.optional(20))
    };
    let province = errors.take("province", province).flatten();
    let postal = errors.take("postalCode", postal).flatten();

    let phone = phone.and_then(|text| errors.take("phoneNumber", phone_number(&text, country.as_deref())));

    let mut choice = |name, field: &Field<String>, stored: Option<&str>, options: &[&str], message: &str| {
        errors.take(name, one_of(&laid_over(field, stored), options, message))
    };
    let gender = choice("gender", &form.gender, before.gender.as_deref(), &GENDERS, "Gender is required");
    let canadian = choice(
        "canadianStatus",
        &form.canadian_status,
        before.canadian_status.as_deref(),
        &CANADIAN_STATUSES,
        "Canadian status is required",
    );

    let email = laid_over(&form.email, Some(&before.email));
    let email = errors.take("email", Email::parse(email.text()).map_err(|_| "Invalid email address"));
    let is_new = email.as_ref().is_some_and(|email| is_new_address(email, before));
    if is_new && form.current_password().is_empty() {
        errors.add("currentPassword", "Please enter your current password to change your email address");
    }
    let born = before.date_of_birth.map(|date| date.to_string());
    let born = date_of_birth(&laid_over(&form.date_of_birth, born.as_deref()), today);
    let born = errors.take("dateOfBirth", born);

    let mut optional = |name, field: &Field<String>, stored: Option<&str>| {
        errors.take(name, laid_over(field, stored).optional(200)).flatten()
    };
    let parent_name = optional("parentName", &form.parent_name, before.parent_name.as_deref());
    let parent_contact = optional("parentContact", &form.parent_contact, before.parent_contact.as_deref());
    let last_school = optional("lastSchool", &form.last_school, before.last_school.as_deref());
    let last_grade =
        optional("lastGradeCompleted", &form.last_grade_completed, before.last_grade_completed.as_deref());
    let transferring = match form.transferring_credits {
        Field::Absent => Ok(before.transferring_credits),
        Field::Null => Ok(false),
        Field::Value(value) => Ok(value),
        Field::Wrong => Err("Must be yes or no"),
    };
    let transferring = errors.take("transferringCredits", transferring);

    errors.check()?;
    let profile = || {
        Some(Profile {
            email: email?,
            full_name: squeeze(&full_name?),
            phone_number: phone?,
            date_of_birth: born?,
            gender: gender?,
            canadian_status: canadian?,
            address: address?,
            city: city?,
            country: country?,
            province: province.map(|text| squeeze(&text)),
            postal_code: postal.map(|text| if is_canada { postal_code(&text) } else { squeeze(&text) }),
            parent_name,
            parent_contact,
            last_school,
            last_grade_completed: last_grade,
            transferring_credits: transferring?,
        })
    };
    profile().ok_or_else(|| Error::BadRequest("The profile is incomplete.".into()))
}

/// Whether an address is neither in use nor waits already, in which case its link is only sent again.
/// A new one takes the password: the account goes where its address goes.
pub fn is_new_address(email: &Email, before: &Student) -> bool {
    let is = |address: &str| address.eq_ignore_ascii_case(email.as_str());
    !is(&before.email) && !before.pending_email.as_deref().is_some_and(is)
}

fn laid_over(field: &Field<String>, stored: Option<&str>) -> Field<String> {
    match (field, stored) {
        (Field::Absent, Some(stored)) => Field::Value(stored.to_owned()),
        (field, _) => field.clone(),
    }
}

fn one_of(field: &Field<String>, options: &[&str], message: &str) -> Result<String, String> {
    let text = field.text();
    if text.is_empty() {
        Err(message.to_owned())
    } else if options.contains(&text) {
        Ok(text.to_owned())
    } else {
        Err(format!("Must be one of {}", options.join(", ")))
    }
}

fn country(field: &Field<String>) -> Result<String, &'static str> {
    let code = field.text().to_ascii_uppercase();
    if code.is_empty() {
        Err("Country is required")
    } else if COUNTRIES.contains(&code) {
        Ok(code)
    } else {
        Err("Country must be a code of two letters, such as CA")
    }
}

/// The specification asks for ten characters only; no number in the world has fewer than seven digits.
/// A number of North America gets its usual form, one from elsewhere its plus sign.
fn phone_number(text: &str, country: Option<&str>) -> Result<String, &'static str> {
    if text.chars().filter(|c| c.is_numeric()).count() < 7 {
        return Err(PHONE_WANTED);
    }
    let squeezed = squeeze(text);
    if text.chars().any(|c| !c.is_ascii_digit() && !"+-.() \t/".contains(c)) {
        return Ok(squeezed);
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let is_foreign = text.starts_with('+') || digits.starts_with("00");
    let national = match digits.len() {
        10 if !is_foreign => Some(&*digits),
        11 if digits.starts_with('1') => Some(&digits[1..]),
        _ => None,
    };
    match national.filter(|_| matches!(country, Some(CANADA | "US"))) {
        Some(digits) => Ok(format!("({}) {}-{}", &digits[..3], &digits[3..6], &digits[6..])),
        None => Ok(squeezed.strip_prefix("00").map_or(squeezed.clone(), |rest| format!("+{rest}"))),
    }
}

/// Section 5 asks for a day in the past; a year that nobody here can be born in is a slip of the key.
fn date_of_birth(field: &Field<String>, today: Date) -> Result<Date, String> {
    let born = field.date_of_any_year("Date of birth is required")?;
    let years_ago = |years: i32| today.saturating_sub(years.years());
    if born >= today {
        Err("Date of birth must be in the past".into())
    } else if born > years_ago(5) || born < years_ago(100) {
        Err("Please check the year of birth".into())
    } else {
        Ok(born)
    }
}

/// Runs of white space become one space.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `m5v0a0` becomes `M5V 0A0`; anything that is no Canadian postal code stays as it was typed.
fn postal_code(text: &str) -> String {
    let bare: String =
        text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_uppercase();
    let canadian = bare.len() == 6
        && bare
            .chars()
            .enumerate()
            .all(|(i, c)| if i % 2 == 0 { c.is_ascii_alphabetic() } else { c.is_ascii_digit() });
    if canadian { format!("{} {}", &bare[..3], &bare[3..]) } else { squeeze(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nobody() -> Student {
        Student {
            id: 1,
            email: "a@example.com".into(),
            pending_email: None,
            is_verified: true,
            full_name: None,
            date_of_birth: None,
            gender: None,
            canadian_status: None,
            address: None,
            city: None,
            country: "CA".into(),
            province: None,
            postal_code: None,
            phone_number: None,
            parent_name: None,
            parent_contact: None,
            last_school: None,
            last_grade_completed: None,
            transferring_credits: false,
            created_at: Timestamp::UNIX_EPOCH,
            status: "active".into(),
        }
    }
    use jiff::Timestamp;

    fn complete() -> serde_json::Value {
        serde_json::json!({
            "fullName": "Li", "email": "a@example.com", "phoneNumber": "4165550142", "dateOfBirth": "2009-03-01",
            "gender": "female", "canadianStatus": "citizen", "address": "1 Main St", "city": "Toronto",
            "province": "ON", "postalCode": "m5v0a0",
        })
    }

    fn check(body: serde_json::Value) -> Result<Profile> {
        let form = serde_json::from_value(body).unwrap();
        parse(&form, &nobody(), "2026-11-21".parse().unwrap())
    }

    #[test]
    fn a_complete_profile_passes_and_is_normalised() {
        let profile = check(complete()).unwrap();
        assert_eq!(profile.postal_code.as_deref(), Some("M5V 0A0"));
        assert_eq!(profile.phone_number, "(416) 555-0142");
        assert_eq!(profile.country, "CA");
    }

    #[test]
    fn the_list_of_countries_is_read() {
        assert_eq!(COUNTRIES.len(), 249);
    }

    #[test]
    fn a_profile_is_completed_from_abroad_by_the_rules_of_the_country() {
        let mut body = complete();
        for (name, value) in [
            ("country", "hk"),
            ("city", "Kowloon"),
            ("phoneNumber", "00852 5555 0142"),
            ("province", " "),
            ("postalCode", ""),
        ] {
            body[name] = value.into();
        }
        let profile = check(body.clone()).unwrap();
        assert_eq!((profile.country.as_str(), profile.province, profile.postal_code), ("HK", None, None));
        assert_eq!(profile.phone_number, "+852 5555 0142");
        body["country"] = "GB".into();
        body["province"] = " Greater  London ".into();
        body["postalCode"] = "sw1a  1aa".into();
        let profile = check(body.clone()).unwrap();
        assert_eq!(profile.province.as_deref(), Some("Greater London"));
        assert_eq!(profile.postal_code.as_deref(), Some("sw1a 1aa"));
        for (value, message) in [
            ("", "Country is required"),
            ("XX", "Country must be a code of two letters, such as CA"),
            ("Canada", "Country must be a code of two letters, such as CA"),
        ] {
            body["country"] = value.into();
            let Err(Error::Invalid(errors)) = check(body.clone()) else { panic!("{value:?} passed") };
            assert!(errors.iter().any(|error| error == ("country", message)), "{errors:?}");
        }
    }

    #[test]
    fn whoever_moves_leaves_the_old_province_behind() {
        let mut before = nobody();
        before.province = Some("ON".into());
        before.postal_code = Some("M5V 0A0".into());
        let mut body = complete();
        body["country"] = "NG".into();
        for name in ["province", "postalCode"] {
            body.as_object_mut().unwrap().remove(name);
        }
        let today = "2026-11-21".parse().unwrap();
        let form = |body: &serde_json::Value| serde_json::from_value(body.clone()).unwrap();
        let profile = parse(&form(&body), &before, today).unwrap();
        assert_eq!((profile.province, profile.postal_code), (None, None));
        before.country = "NG".into();
        before.province = Some("Lagos".into());
        body["country"] = "CA".into();
        let Err(Error::Invalid(errors)) = parse(&form(&body), &before, today) else { panic!("passed") };
        assert_eq!(
            errors.iter().collect::<Vec<_>>(),
            [("postalCode", "Postal code is required"), ("province", "Province is required")]
        );
    }

    #[test]
    fn a_telephone_number_is_written_as_its_country_does() {
        for (country, text, expected) in [
            ("CA", "416.555.0142", "(416) 555-0142"),
            ("US", "+1 416 555 0142", "(416) 555-0142"),
            ("CA", "1-416-555-0142", "(416) 555-0142"),
            ("CA", "(416) 555-0142 ext. 7", "(416) 555-0142 ext. 7"),
            ("CA", "+86 10 5555 0142", "+86 10 5555 0142"),
            ("CN", "0086 10  5555 0142", "+86 10 5555 0142"),
            ("DE", "0170 5550100", "0170 5550100"),
        ] {
            assert_eq!(phone_number(text, Some(country)).as_deref(), Ok(expected), "{country} {text}");
        }
    }

    #[test]
    fn every_rule_has_its_message() {
        let table = [
            ("fullName", "A", "Full name is required"),
            ("email", "a@", "Invalid email address"),
            ("phoneNumber", "416555014", "Valid phone number required"),
            ("phoneNumber", "please call", "Valid phone number required"),
            ("phoneNumber", "(416) 55 - 5 -", "Valid phone number required"),
            ("dateOfBirth", "", "Date of birth is required"),
            ("dateOfBirth", "2009-02-29", "Must be a real date in the form YYYY-MM-DD"),
            ("dateOfBirth", "09-03-2009", "Must be a real date in the form YYYY-MM-DD"),
            ("dateOfBirth", "2026-11-21", "Date of birth must be in the past"),
            ("dateOfBirth", "2909-03-01", "Date of birth must be in the past"),
            ("dateOfBirth", "2026-11-20", "Please check the year of birth"),
            ("dateOfBirth", "2021-11-22", "Please check the year of birth"),
            ("dateOfBirth", "1926-11-20", "Please check the year of birth"),
            ("dateOfBirth", "1809-03-01", "Please check the year of birth"),
            ("dateOfBirth", "0009-03-01", "Please check the year of birth"),
            ("gender", " ", "Gender is required"),
            ("gender", "MALE", "Must be one of male, female, other"),
            ("canadianStatus", "", "Canadian status is required"),
            ("address", "", "Address is required"),
            ("city", "", "City is required"),
            ("province", "", "Province is required"),
            ("postalCode", "", "Postal code is required"),
        ];
        for (name, value, message) in table {
            let mut body = complete();
            body[name] = value.into();
            let Err(Error::Invalid(errors)) = check(body) else { panic!("{name} {value:?} passed") };
            assert_eq!(errors.iter().collect::<Vec<_>>(), [(name, message)]);
        }
    }

    #[test]
    fn what_is_right_at_the_edge_of_its_rule_passes() {
        for (name, value) in [
            ("dateOfBirth", "2021-11-21"),
            ("dateOfBirth", "1926-11-21"),
            ("phoneNumber", "555 0142 x"),
            ("phoneNumber", "+86 10 5555 0142"),
            ("phoneNumber", "４１６５５５０１４２"),
        ] {
            let mut body = complete();
            body[name] = value.into();
            assert!(check(body).is_ok(), "{name} {value:?}");
        }
    }

    #[test]
    fn an_empty_form_names_every_required_field_at_once() {
        let Err(Error::Invalid(errors)) = check(serde_json::json!({})) else { panic!("passed") };
        let names: Vec<_> = errors.iter().map(|(name, _)| name).collect();
        assert_eq!(
            names,
            [
                "address",
                "canadianStatus",
                "city",
                "dateOfBirth",
                "fullName",
                "gender",
                "phoneNumber",
                "postalCode",
                "province"
            ]
        );
    }
}
