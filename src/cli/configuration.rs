//! `config check` and `config show`.

use std::fmt::Write;
use std::path::Path;

use rusqlite::Connection;

use crate::base::dates::date_in_words;
use crate::config::{self, Config, ConfigError, ServerProcess, Service};
use crate::operations::https;
use crate::settings::versions::{self, Override};
use crate::storage::data_dir::DataDir;
use crate::storage::db;

/// Checks the configuration and the files it names, as the server would find them at its next start.
///
/// # Errors
/// When the mail server's password, the key of the documents, the certificate or the folder for backups cannot be
/// used.
pub(super) fn check(data_dir: &DataDir, config: &Config, config_file: Option<&Path>) -> anyhow::Result<()> {
    // First what the server cannot open, as that has advice.
    let mut obstacles = config::obstacles_to_files(config, config_file, data_dir);
    obstacles.extend(config::obstacle_to_backups(config, data_dir, ServerProcess::Next));
    if !obstacles.is_empty() {
        let found: String = obstacles.iter().map(|obstacle| format!("\n  {}", obstacle.found)).collect();
        let what = "the server cannot use these:";
        return Err(ConfigError(format!("{what}{found}\n{}", config::advice(&obstacles))).into());
    }
    config.mail_password()?;
    config.documents.keys(data_dir)?;
    config.backup.identities()?;
    if config.https.files().is_some() {
        let wrong = |error| ConfigError(format!("https.cert_file: {error}"));
        let state = https::state(&config.https, data_dir).map_err(|error| wrong(format!("{error:#}")))?;
        let facts = state.and_then(|state| state.certificate);
        if facts.is_some_and(|facts| !facts.covers(&config.https.names()[..1])) {
            return Err(wrong(format!("the certificate is not for {}", config.https.domain)).into());
        }
    }
    if Service::of(data_dir).is_some() && !rustix::process::geteuid().is_root() {
        eprintln!("Run this as root to check whether the service can read the named files.");
    }
    println!("the configuration is valid");
    tell_missing_facts(config);
    Ok(())
}

/// Reports unset facts of the school, which the site leaves out.
fn tell_missing_facts(config: &Config) {
    let school = config.school();
    let missing: Vec<_> = school.missing_facts().iter().map(|fact| fact.key).collect();
    if !school.is_named() {
        eprintln!("school.name is not set: the site shows a sample school and says so");
    } else if !missing.is_empty() {
        eprintln!(
            "not set, and left out of pages and emails: {}; set them under [school] or in the office's Site Settings",
            missing.join(", ")
        );
    }
    let placeholders = config.school_file.placeholders();
    if school.is_named() && !placeholders.is_empty() {
        eprintln!("still the sample's in [school], and not published: {}", placeholders.join(", "));
    }
}

/// Applies the published facts of the school to a command, if they can be read.
pub(super) fn use_published(data_dir: &DataDir, config: &Config) {
    let path = data_dir.database();
    if !path.exists() {
        return;
    }
    let read = db::connect_to_inspect(&path).and_then(|connection| {
        versions::use_published(&connection, config).map_err(|error| anyhow::anyhow!("{error}"))
    });
    if let Err(error) = read {
        tracing::debug!("the school's facts as published: {error:#}");
    }
}

/// Prints the effective configuration, with overrides by the office as comments.
///
/// # Errors
/// When the database exists but cannot be read.
pub(super) fn show(data_dir: &DataDir, config: &Config) -> anyhow::Result<()> {
    print!("{}", config.show()?);
    if !data_dir.database().exists() {
        return Ok(());
    }
    let overrides = overrides(&db::connect_to_inspect(&data_dir.database())?)?;
    if overrides.is_empty() {
        return Ok(());
    }
    let mut text = String::from(
        "\n# What holds instead, as the office has published it (Site Settings, Payment Settings):\n",
    );
    for Override { key, value, since, .. } in overrides {
        let since = date_in_words(since.to_zoned(config.school().zone()).date());
        let section = if key.contains('.') { "" } else { "school." };
        writeln!(text, "# {section}{key} = {value} # from the office since {since}")?;
    }
    print!("{text}");
    Ok(())
}

/// Empty for a database from before these settings.
fn overrides(connection: &Connection) -> anyhow::Result<Vec<Override>> {
    if !connection.table_exists(None, "site_versions")? {
        return Ok(Vec::new());
    }
    let found = versions::overrides(connection).and_then(|mut found| {
        found.extend(versions::other_overrides(connection)?);
        Ok(found)
    });
    found.map_err(|error| anyhow::anyhow!("{error}"))
}
