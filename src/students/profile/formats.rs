//! Validation of countries, telephone numbers, dates of birth and postal codes.

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::places::{self, CANADA};
use crate::base::contact::written_phone;
use crate::web::form::Field;

/// The specification's message for an invalid number.
const PHONE_WANTED: &str = "Valid phone number required";
/// A country by its code or its name.
///
/// # Errors
/// When it is unknown.
pub fn country(field: &Field<String>) -> Result<String, String> {
    let text = field.filled("Country is required")?.text();
    let code = places::country(text).map(str::to_owned);
    code.ok_or_else(|| "Country must be a code of two letters, such as CA, or a name, such as Canada".into())
}

/// A city, where the country has any.
///
/// # Errors
/// When it is missing or too long.
pub fn city(field: &Field<String>, country: Option<&str>) -> Result<Option<String>, String> {
    if field.is_blank() && !places::has_cities(country) {
        return Ok(None);
    }
    field.between(1, 200, "City is required").map(Some)
}

/// A province; required in Canada.
///
/// # Errors
/// As [`places::province`], or when it is missing.
pub fn province(field: &Field<String>, country: Option<&str>) -> Result<Option<String>, String> {
    if country.is_none_or(|country| country == CANADA) {
        field.filled("Province is required")?;
    }
    optional_province(field, country)
}

/// The same where none is required.
///
/// # Errors
/// As [`places::province`].
pub fn optional_province(field: &Field<String>, country: Option<&str>) -> Result<Option<String>, String> {
    field.optional(100)?.map(|text| places::province(&text, country)).transpose()
}

/// A postal code; required in Canada.
///
/// # Errors
/// As [`places::postal_code`], or when it is missing.
pub fn postal_code(field: &Field<String>, country: Option<&str>) -> Result<Option<String>, String> {
    if country.is_none_or(|country| country == CANADA) {
        field.between(1, 200, "Postal code is required")?;
    }
    optional_postal_code(field, country)
}

/// The same where none is required.
///
/// # Errors
/// As [`places::postal_code`].
pub fn optional_postal_code(field: &Field<String>, country: Option<&str>) -> Result<Option<String>, String> {
    field.optional(20)?.map(|text| places::postal_code(&text, country)).transpose()
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

/// A telephone number. The specification requires only ten characters; no number has fewer than seven digits, and where a
/// country other than Canada and the United States is named, these are enough: numbers of Singapore, Hong Kong and Norway have
/// eight.
///
/// # Errors
/// When it has too few digits.
pub fn phone_number(field: &Field<String>, country: Option<&str>) -> Result<String, String> {
    let least = if matches!(country, None | Some(CANADA | "US")) { 10 } else { 7 };
    let text = field.between(least, 200, PHONE_WANTED)?;
    if text.chars().filter(|c| c.is_numeric()).count() < 7 {
        return Err(PHONE_WANTED.into());
    }
    Ok(written_phone(&text, is_north_american(country)))
}

/// An optional telephone number of at most so many characters.
///
/// # Errors
/// When it is longer.
pub fn optional_phone(
    field: &Field<String>,
    max: usize,
    country: Option<&str>,
) -> Result<Option<String>, String> {
    let phone = field.optional(max)?.map(|text| written_phone(&text, is_north_american(country)));
    Ok(phone.filter(|phone| !phone.is_empty()))
}

/// Whether numbers of ten digits are those of a country's own.
fn is_north_american(country: Option<&str>) -> bool {
    matches!(country, Some(CANADA | "US"))
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
