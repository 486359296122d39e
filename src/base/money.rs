//! Amounts of money: whole cents inside, a JSON number of dollars outside.
//!
//! Also holds how a decimal number with two places is read, since a float cannot hold most of them: 0.1 + 0.2 is thirty
//! cents here. Not here: other currencies, and which amounts are allowed where; the rooms decide that.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An amount in Canadian dollars, exact to the cent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money {
    cents: i64,
}

/// Why a text or a number is not a valid amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotAmount {
    /// Not a decimal number.
    NotANumber,
    /// Less than zero.
    Negative,
    /// More than two decimals.
    TooPrecise,
    /// More than ten digits, including two decimals.
    TooLarge,
}

impl Money {
    /// The largest amount accepted: precision 10, scale 2 (section 9 of the specification).
    pub const MAX: Self = Self { cents: 9_999_999_999 };

    /// An amount from cents; sums and balances may be negative or large.
    pub fn from_cents(cents: i64) -> Self {
        Self { cents }
    }

    /// The amount in cents.
    pub fn cents(self) -> i64 {
        self.cents
    }

    /// Parses a typed amount: `549`, `1200.5`, `$1,200.00`, `1 200.00 CAD`. A third decimal is refused even if it is 0:
    /// `1.200` may mean twelve hundred.
    ///
    /// # Errors
    /// When it is not an amount from zero to [`Money::MAX`].
    pub fn parse(text: &str) -> Result<Self, NotAmount> {
        let text = text.trim();
        let is_negative = text.starts_with('-');
        let text = text.strip_prefix('-').unwrap_or(text);
        let text = bare(text.trim_start());
        let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
        let whole = ungrouped(whole).ok_or(NotAmount::NotANumber)?;
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_digits(&whole) || !is_digits(decimals) || whole.len() + decimals.len() == 0 {
            return Err(NotAmount::NotANumber);
        }
        let is_zero = [&whole, decimals].iter().all(|digits| digits.bytes().all(|digit| digit == b'0'));
        if is_negative && !is_zero {
            return Err(NotAmount::Negative);
        }
        if decimals.len() > 2 {
            return Err(NotAmount::TooPrecise);
        }
        let cents = format!("0{whole}{decimals:0<2}").parse().map_err(|_| NotAmount::TooLarge)?;
        Some(Self { cents }).filter(|amount| *amount <= Self::MAX).ok_or(NotAmount::TooLarge)
    }

    /// Without the dollar sign and grouping, for spreadsheets: `1549.00`, `-0.50`.
    pub fn plain(self) -> String {
        let sign = if self.cents < 0 { "-" } else { "" };
        let cents = self.cents.unsigned_abs();
        format!("{sign}{}.{:02}", cents / 100, cents % 100)
    }

    /// Reads a JSON number of dollars.
    ///
    /// # Errors
    /// When it is not an amount from zero to [`Money::MAX`].
    pub fn from_dollars(dollars: f64) -> Result<Self, NotAmount> {
        hundredths(dollars).map(Self::from_cents)
    }
}

/// Reads a number with at most two decimals as a count of hundredths.
///
/// # Errors
/// When it is negative, finer than a hundredth, or larger than ten digits.
pub fn hundredths(number: f64) -> Result<i64, NotAmount> {
    let scaled = number * 100.0;
    let nearest = scaled.round();
    if !number.is_finite() {
        Err(NotAmount::NotANumber)
    } else if number < 0.0 {
        Err(NotAmount::Negative)
    } else if nearest > 9_999_999_999.0 {
        Err(NotAmount::TooLarge)
    } else if (scaled - nearest).abs() > 1e-5 {
        // The noise of a float (0.30000000000000004) stays below 2e-6 up to the largest amount.
        Err(NotAmount::TooPrecise)
    } else {
        // A whole number of at most ten digits: nothing is cut off.
        Ok(nearest as i64)
    }
}

/// Writes a count of hundredths as a JSON number: 549, 0.5, 319.25.
pub fn serialize_hundredths<S: Serializer>(hundredths: i64, serializer: S) -> Result<S::Ok, S::Error> {
    if hundredths % 100 == 0 {
        return serializer.serialize_i64(hundredths / 100);
    }
    // The nearest float prints as the shortest text that means it: the same two decimals, for any
    // amount of up to 15 digits.
    serializer.serialize_f64(hundredths as f64 / 100.0)
}

/// Without the currency before or behind it: `$`, `CAD`, `CA$`.
fn bare(text: &str) -> &str {
    let is = |found: Option<&str>, word: &str| found.is_some_and(|found| found.eq_ignore_ascii_case(word));
    let mut text = text;
    for word in ["CA$", "CAD", "$"] {
        if is(text.get(..word.len()), word) {
            text = text[word.len()..].trim_start();
        }
    }
    for word in ["CAD", "$"] {
        let at = text.len().saturating_sub(word.len());
        if is(text.get(at..), word) {
            text = text[..at].trim_end();
        }
    }
    text
}

/// Removes commas and spaces between groups of three digits. "12,50" is no such number: a decimal comma must not multiply the
/// amount by a hundred.
fn ungrouped(whole: &str) -> Option<String> {
    let is_separator = |c: char| c == ',' || c.is_whitespace();
    let mut groups = whole.split(is_separator);
    let first = groups.next().unwrap_or("");
    let is_grouped = whole.contains(is_separator);
    let well_formed = !is_grouped || ((1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3));
    well_formed.then(|| whole.replace(is_separator, ""))
}

impl Add for Money {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::from_cents(self.cents + other.cents)
    }
}

impl Sub for Money {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::from_cents(self.cents - other.cents)
    }
}

impl Neg for Money {
    type Output = Self;

    fn neg(self) -> Self {
        Self::from_cents(-self.cents)
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Money {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::default(), Self::add)
    }
}

impl fmt::Display for Money {
    /// `$1,234.50`, `−$0.50`
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = (self.cents.unsigned_abs() / 100).to_string();
        let mut dollars = String::new();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                dollars.push(',');
            }
            dollars.push(digit);
        }
        let sign = if self.cents < 0 { "−" } else { "" };
        write!(formatter, "{sign}${dollars}.{:02}", self.cents.unsigned_abs() % 100)
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_hundredths(self.cents, serializer)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let dollars = f64::deserialize(deserializer)?;
        Self::from_dollars(dollars).map_err(|_| serde::de::Error::custom("not an amount in dollars"))
    }
}

impl ToSql for Money {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.cents.into())
    }
}

impl FromSql for Money {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_i64().map(Self::from_cents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typed_amount_is_read_to_the_cent() {
        for (text, cents) in [
            ("0", 0),
            ("549", 54_900),
            ("549.00", 54_900),
            ("0.3", 30),
            (".05", 5),
            ("5.", 500),
            ("0.10", 10),
            ("19.99", 1_999),
            ("$1,200.00", 120_000),
            (" $ 1,234,567.89 ", 123_456_789),
            ("-0.00", 0),
            ("1 200", 120_000),
            ("1\u{a0}200\u{202f}000.5", 120_000_050),
            ("1200.50 CAD", 120_050),
            ("cad 1,200.50", 120_050),
            ("CA$1 200", 120_000),
            ("550 $", 55_000),
            ("$550 CAD", 55_000),
            ("99999999.99", 9_999_999_999),
        ] {
            assert_eq!(Money::parse(text), Ok(Money::from_cents(cents)), "{text}");
        }
    }

    #[test]
    fn an_invalid_amount_is_refused_with_its_reason() {
        use NotAmount::{Negative, NotANumber, TooLarge, TooPrecise};
        for (text, reason) in [
            ("", NotANumber),
            (".", NotANumber),
            ("$", NotANumber),
            ("abc", NotANumber),
            ("1e3", NotANumber),
            ("NaN", NotANumber),
            ("12,50", NotANumber),
            ("1,2000", NotANumber),
            (",200", NotANumber),
            ("1.2.3", NotANumber),
            ("12 50", NotANumber),
            ("1  200", NotANumber),
            ("1 200 00", NotANumber),
            ("1200 .50", NotANumber),
            ("CAD", NotANumber),
            ("USD 5", NotANumber),
            ("5 $ 5", NotANumber),
            ("1.5,00", NotANumber),
            ("--5", NotANumber),
            ("-x", NotANumber),
            ("٣", NotANumber),
            ("-0.01", Negative),
            ("-$5", Negative),
            ("1.005", TooPrecise),
            ("1.200", TooPrecise),
            ("100000000", TooLarge),
            ("99999999999999999999999999", TooLarge),
        ] {
            assert_eq!(Money::parse(text), Err(reason), "{text}");
        }
    }

    #[test]
    fn a_number_is_read_exactly_in_spite_of_floats() {
        for (number, cents) in [
            (0.0, 0),
            (-0.0, 0),
            (0.1 + 0.2, 30),
            (1.005 * 3.0 - 0.015, 300),
            (4.35, 435),
            (1.15, 115),
            (99_999_999.99, 9_999_999_999),
        ] {
            assert_eq!(Money::from_dollars(number), Ok(Money::from_cents(cents)), "{number}");
        }
        for (number, reason) in [
            (-0.01, NotAmount::Negative),
            (0.001, NotAmount::TooPrecise),
            (99_999_999.999, NotAmount::TooLarge),
            (100_000_000.0, NotAmount::TooLarge),
            (1e300, NotAmount::TooLarge),
            (f64::NAN, NotAmount::NotANumber),
            (f64::INFINITY, NotAmount::NotANumber),
        ] {
            assert_eq!(Money::from_dollars(number), Err(reason), "{number}");
        }
    }

    #[test]
    fn every_amount_survives_the_wire() {
        for cents in (0..100_000).chain(9_999_900_000..=9_999_999_999).step_by(37) {
            let json = serde_json::to_string(&Money::from_cents(cents)).unwrap();
            assert!(json.split_once('.').is_none_or(|(_, decimals)| decimals.len() <= 2), "{json}");
            let read: f64 = serde_json::from_str(&json).unwrap();
            assert_eq!(Money::from_dollars(read), Ok(Money::from_cents(cents)), "{json}");
        }
    }

    #[test]
    fn an_amount_is_shown_with_a_dollar_sign_and_two_decimals() {
        for (cents, shown, plain) in [
            (0, "$0.00", "0.00"),
            (5, "$0.05", "0.05"),
            (123_450, "$1,234.50", "1234.50"),
            (99_999, "$999.99", "999.99"),
            (9_999_999_999, "$99,999,999.99", "99999999.99"),
            (-1_200, "−$12.00", "-12.00"),
            (-5, "−$0.05", "-0.05"),
            (-123_450, "−$1,234.50", "-1234.50"),
        ] {
            let amount = Money::from_cents(cents);
            assert_eq!((amount.to_string().as_str(), amount.plain().as_str()), (shown, plain));
        }
    }
}
