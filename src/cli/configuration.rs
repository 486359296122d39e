//! `config check` and `config show`.

use std::fmt::Write;

use rusqlite::Connection;

use crate::config::Config;
use crate::school::versions::{self, Override};
use crate::storage::data_dir::DataDir;
use crate::storage::db;

/// Says that the configuration is valid, with the files that it names.
///
/// # Errors
/// When the mail server's password or the key of the documents cannot be read.
pub(super) fn check(data_dir: &DataDir, config: &Config) -> anyhow::Result<()> {
    config.mail_password()?;
    config.documents.keys(data_dir)?;
    println!("the configuration is valid");
    Ok(())
}

/// Prints the configuration in force, and as comments what the office has published over it.
///
/// # Errors
/// When the database is there and cannot be read.
pub(super) fn show(data_dir: &DataDir, config: &Config) -> anyhow::Result<()> {
    print!("{}", config.show()?);
    if !data_dir.database().exists() {
        return Ok(());
    }
    let overrides = overrides(&db::connect_to_look(&data_dir.database())?)?;
    if overrides.is_empty() {
        return Ok(());
    }
    let mut text =
        String::from("\n# The site shows instead, as the office has published it (Office -> Settings):\n");
    for Override { key, value, since } in overrides {
        let since = since.to_zoned(config.school.zone()).strftime("%B %-d, %Y");
        writeln!(text, "# school.{key} = {value} # from the office since {since}")?;
    }
    print!("{text}");
    Ok(())
}

/// None in a school of a program that knew no such settings.
fn overrides(connection: &Connection) -> anyhow::Result<Vec<Override>> {
    if !connection.table_exists(None, "site_versions")? {
        return Ok(Vec::new());
    }
    versions::overrides(connection).map_err(|error| anyhow::anyhow!("{error}"))
}
