//! How a family pays what it owes.

use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::codes;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::config::Config;

/// Payment instructions.
#[derive(Debug, Serialize, ToSchema)]
pub struct HowToPay {
    /// The school's text.
    pub text: String,
    /// The address for e-Transfers; null without one, and where the text names another.
    #[schema(required)]
    pub email: Option<String>,
    /// What the family writes into the message of a transfer, so that the school knows whose it is.
    pub code: String,
    /// Dollars owing, less what is on account.
    #[schema(value_type = f64)]
    pub amount: Money,
}

impl HowToPay {
    /// For an amount that a student owes.
    ///
    /// # Errors
    /// Database errors.
    pub fn new(connection: &Connection, student_id: i64, cents: i64, config: &Config) -> Result<Self> {
        Ok(Self {
            text: config.how_to_pay(),
            email: config.e_transfer(),
            code: codes::of_student(connection, &config.school().name, student_id)?,
            amount: Money::from_cents(cents.max(0)),
        })
    }
}
