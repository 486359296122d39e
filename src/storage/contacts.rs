//! [`Contact::parse_without`] as SQL functions, for migrations.

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};

use crate::base::contact::Contact;
use crate::base::email::Email;

/// Registers `contact_email(text, excluded)` and `contact_phone(text, excluded)`, with a text in which the
/// excluded addresses occur.
pub fn register(connection: &Connection) -> rusqlite::Result<()> {
    // Only direct statements may call them, so that no view or index makes the file depend on them.
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_DIRECTONLY;
    connection.create_scalar_function("contact_email", 2, flags, |context| Ok(read(context)?.email))?;
    connection.create_scalar_function("contact_phone", 2, flags, |context| Ok(read(context)?.phone))
}

fn read(context: &Context<'_>) -> rusqlite::Result<Contact> {
    let text = context.get_raw(0).as_str_or_null()?.unwrap_or("");
    let excluded = Email::all_in(context.get_raw(1).as_str_or_null()?.unwrap_or(""));
    Ok(Contact::parse_without(text, &excluded.iter().map(Email::as_str).collect::<Vec<_>>()))
}
