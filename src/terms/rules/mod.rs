//! What a term and a section must be.

mod section;
mod term;

pub use self::section::SectionInput;
pub use self::term::{TermCopyForm, TermInput};
use crate::base::error::FieldErrors;
use crate::web::form::Field;

/// A version that is sent.
///
/// # Errors
/// When it is not a number.
pub fn version(field: &Field<i64>) -> Result<Option<i64>, FieldErrors> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(version) => Ok(Some(*version)),
        Field::Wrong => Err(FieldErrors::one("version", "Must be the version that was read")),
    }
}

/// The field's value, or what it is without it.
fn sent<F, T>(
    field: &Field<F>,
    before: &T,
    rule: impl FnOnce(&Field<F>) -> Result<T, String>,
) -> Result<T, String>
where
    T: Clone,
{
    if field.is_sent() { rule(field) } else { Ok(before.clone()) }
}
