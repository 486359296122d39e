//! Prices and other amounts of money as a form sends them.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::base::money::{Money, NotAmount};
use crate::web::form::{Field, read_as};

/// A price as a number or as the text of an input (section 3: it may arrive as a string).
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum PriceInput {
    /// Dollars.
    Number(f64),
    /// What was typed.
    Text(String),
}

read_as!(Money => PriceInput);

impl PriceInput {
    /// The amount, unless the text is blank.
    ///
    /// # Errors
    /// When it is not an amount from zero to [`Money::MAX`].
    pub fn amount(&self) -> Result<Option<Money>, NotAmount> {
        match self {
            Self::Number(dollars) => Money::from_dollars(*dollars).map(Some),
            Self::Text(text) if text.trim().is_empty() => Ok(None),
            Self::Text(text) => Money::parse(text).map(Some),
        }
    }

    /// Whether dollars and cents may be divided in another way than here: that must not be guessed.
    fn is_ambiguous(&self) -> bool {
        let is_figure = |c: char| c.is_ascii_digit() || c.is_whitespace() || matches!(c, '.' | ',' | '$');
        matches!(self, Self::Text(text) if text.contains(['.', ','])
            && text.contains(|c: char| c.is_ascii_digit())
            && text.trim().chars().all(is_figure))
    }
}

/// An amount that may be missing.
///
/// # Errors
/// When it is sent and not an amount from zero to [`Money::MAX`].
pub fn amount(field: &Field<PriceInput>) -> Result<Option<Money>, NotAmount> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(input) => input.amount(),
        Field::Wrong => Err(NotAmount::NotANumber),
    }
}

/// An amount that a form sends as a number, and that may be missing.
///
/// # Errors
/// A sentence when it is not an amount from zero to [`Money::MAX`].
pub fn dollars(field: &Field<f64>) -> Result<Option<Money>, &'static str> {
    let amount = match field {
        Field::Absent | Field::Null => return Ok(None),
        Field::Value(dollars) => Money::from_dollars(*dollars).ok(),
        Field::Wrong => None,
    };
    amount.map(Some).ok_or("Must be an amount in dollars, from 0")
}

/// A price that may be missing.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub fn optional(field: &Field<PriceInput>) -> Result<Option<Money>, String> {
    amount(field).map_err(|reason| match reason {
        NotAmount::NotANumber => "Price must be a number".into(),
        NotAmount::Negative => "Price cannot be negative".into(),
        NotAmount::TooPrecise => "Price must have at most two decimals".into(),
        NotAmount::TooLarge => format!("Price must be at most {}", Money::MAX),
    })
}

/// An amount to be charged or received.
///
/// # Errors
/// A sentence when it is missing or not more than zero.
pub fn positive(field: &Field<PriceInput>) -> Result<Money, &'static str> {
    let Field::Value(input) = field else { return Err("Amount is required") };
    match input.amount() {
        Ok(Some(amount)) if amount.cents() > 0 => Ok(amount),
        Err(NotAmount::NotANumber | NotAmount::TooPrecise) if input.is_ambiguous() => {
            Err("This amount can be read in two ways. Write it like 1,200.50 or 1200.50")
        }
        Ok(None) | Err(NotAmount::NotANumber) => {
            Err("This is not an amount. Write it like 1,200.50 or 1200.50")
        }
        _ => Err("Amount must be more than $0.00 and at most $99,999,999.99, with at most two decimals"),
    }
}
