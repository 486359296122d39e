//! A price as a form sends it.

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

/// A price that may be missing.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub fn optional(field: &Field<PriceInput>) -> Result<Option<Money>, String> {
    let parsed = match field {
        Field::Absent | Field::Null => return Ok(None),
        Field::Value(PriceInput::Text(text)) if text.trim().is_empty() => return Ok(None),
        Field::Value(PriceInput::Text(text)) => Money::parse(text),
        Field::Value(PriceInput::Number(number)) => Money::from_dollars(*number),
        Field::Wrong => Err(NotAmount::NotANumber),
    };
    parsed.map(Some).map_err(|reason| match reason {
        NotAmount::NotANumber => "Price must be a number".into(),
        NotAmount::Negative => "Price cannot be negative".into(),
        NotAmount::TooPrecise => "Price must have at most two decimals".into(),
        NotAmount::TooLarge => format!("Price must be at most {}", Money::MAX),
    })
}
