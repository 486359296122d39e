//! How single fields of a profile are read and written: countries, telephone numbers, dates of birth,
//! postal codes.

use std::sync::LazyLock;

use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::base::text::collapse_whitespace;
use crate::web::form::Field;

/// The specification's words for a number that is none.
pub const PHONE_WANTED: &str = "Valid phone number required";
/// Where the 13 provinces are, and a postal code is needed.
pub const CANADA: &str = "CA";
/// ISO 3166-1, one list for the server and the interface.
pub static COUNTRIES: LazyLock<Vec<String>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../ui/src/students/countries.json")).unwrap_or_default()
});

/// A country by its code.
///
/// # Errors
/// When there is none of that code.
pub fn country(field: &Field<String>) -> Result<String, &'static str> {
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
///
/// # Errors
/// When it has too few digits.
pub fn phone_number(text: &str, country: Option<&str>) -> Result<String, &'static str> {
    if text.chars().filter(|c| c.is_numeric()).count() < 7 {
        return Err(PHONE_WANTED);
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

/// Section 5 asks for a day in the past; a year that nobody here can be born in is a slip of the key.
///
/// # Errors
/// The sentence for what is wrong with it.
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

/// `m5v0a0` becomes `M5V 0A0`; anything that is no Canadian postal code stays as it was typed.
pub fn postal_code(text: &str) -> String {
    let bare: String =
        text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_uppercase();
    let canadian = bare.len() == 6
        && bare
            .chars()
            .enumerate()
            .all(|(i, c)| if i % 2 == 0 { c.is_ascii_alphabetic() } else { c.is_ascii_digit() });
    if canadian { format!("{} {}", &bare[..3], &bare[3..]) } else { collapse_whitespace(text) }
}
