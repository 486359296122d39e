//! Validation of countries, telephone numbers, dates of birth and postal codes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::choices::Province;
use crate::base::closed_set::ClosedSet;
use crate::base::text::{collapse_whitespace, without_unseen};
use crate::web::form::Field;

/// The specification's message for an invalid number.
const PHONE_WANTED: &str = "Valid phone number required";
/// Hyphens, dashes and the minus sign, as phones and word processors write them.
const HYPHENS: [char; 6] = ['‐', '‑', '‒', '–', '—', '−'];
/// The country with the 13 provinces, where a postal code is required.
pub const CANADA: &str = "CA";
/// ISO 3166-1 codes, shared with the interface.
pub static COUNTRIES: LazyLock<Vec<String>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../ui/src/school/countries.json")).unwrap_or_default()
});
/// The interface's names of the countries, by code; a test compares them with the codes.
pub static COUNTRY_NAMES: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| serde_json::from_str(include_str!("country_names.json")).unwrap_or_default());

/// A country by its code.
///
/// # Errors
/// When the code is unknown.
pub fn country(field: &Field<String>) -> Result<String, String> {
    let code = field.filled("Country is required")?.text().to_ascii_uppercase();
    if COUNTRIES.contains(&code) {
        Ok(code)
    } else {
        Err("Country must be a code of two letters, such as CA".into())
    }
}

/// A Canadian province by its code; elsewhere optional free text.
///
/// # Errors
/// The message of the rule.
pub fn province(field: &Field<String>, country: Option<&str>) -> Result<Option<String>, String> {
    if !is_canada(country) {
        return free(field, 100);
    }
    let province: Province = field.filled("Province is required")?.one_of()?;
    Ok(Some(province.as_str().to_owned()))
}

/// `m5v0a0` becomes `M5V 0A0`; other postal codes stay as typed.
///
/// # Errors
/// If missing in Canada.
pub fn postal_code(field: &Field<String>, country: Option<&str>) -> Result<Option<String>, String> {
    if !is_canada(country) {
        return free(field, 20);
    }
    let text = field.between(1, 200, "Postal code is required")?;
    let bare: String =
        text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_uppercase();
    let canadian = bare.len() == 6
        && bare
            .chars()
            .enumerate()
            .all(|(i, c)| if i % 2 == 0 { c.is_ascii_alphabetic() } else { c.is_ascii_digit() });
    Ok(Some(if canadian { format!("{} {}", &bare[..3], &bare[3..]) } else { collapse_whitespace(&text) }))
}

/// An invalid country is treated as Canada.
fn is_canada(country: Option<&str>) -> bool {
    country.is_none_or(|country| country == CANADA)
}

fn free(field: &Field<String>, max: usize) -> Result<Option<String>, String> {
    Ok(field.optional(max)?.map(|text| collapse_whitespace(&text)))
}

/// A boolean; absent means no.
///
/// # Errors
/// When it is not a boolean.
pub fn yes_or_no(field: &Field<bool>) -> Result<bool, String> {
    match field {
        Field::Absent | Field::Null => Ok(false),
        Field::Value(value) => Ok(*value),
        Field::Wrong => Err("Must be yes or no".into()),
    }
}

/// The specification requires only ten characters; no number has fewer than seven digits. North American numbers are
/// formatted, others get a plus sign; invisible characters, other hyphens and `tel:` of a pasted link go.
///
/// # Errors
/// When it has too few digits.
pub fn phone_number(field: &Field<String>, country: Option<&str>) -> Result<String, String> {
    let text = without_unseen(&field.between(10, 200, PHONE_WANTED)?).replace(HYPHENS, "-");
    let text = match text.get(..4) {
        Some(scheme) if scheme.eq_ignore_ascii_case("tel:") => text[4..].trim(),
        _ => text.trim(),
    };
    if text.chars().filter(|c| c.is_numeric()).count() < 7 {
        return Err(PHONE_WANTED.into());
    }
    let collapsed = collapse_whitespace(text);
    if text.chars().any(|c| !c.is_ascii_digit() && !"+-.() \t/".contains(c)) {
        return Ok(collapsed);
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
        None => Ok(collapsed.strip_prefix("00").map_or(collapsed.clone(), |rest| format!("+{rest}"))),
    }
}

/// Section 5 requires a past date; an implausible year is a typing error.
///
/// # Errors
/// A message for the problem.
pub fn date_of_birth(field: &Field<String>, today: Date) -> Result<Date, String> {
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
