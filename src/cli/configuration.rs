//! `config check` and `config show`.

use std::fmt::Write;
use std::path::Path;

use rusqlite::Connection;

use crate::config::{self, Config, ConfigError, ServerProcess, Service};
use crate::operations::https;
use crate::settings::versions::{self, Override};
use crate::storage::data_dir::DataDir;
use crate::storage::db;

/// Says that the configuration is valid, with what it names, as the server would find it at its next start.
///
/// # Errors
/// When the mail server's password, the key of the documents, the certificate or the folder for backups cannot be
/// used.
pub(super) fn check(data_dir: &DataDir, config: &Config, config_file: Option<&Path>) -> anyhow::Result<()> {
    // First what the server cannot reach: it says what to do.
    let mut obstacles = config::obstacles_to_files(config, config_file, data_dir);
    obstacles.extend(config::obstacle_to_backups(config, data_dir, ServerProcess::Next));
    if !obstacles.is_empty() {
        let found: String = obstacles.iter().map(|obstacle| format!("\n  {}", obstacle.found)).collect();
        let what = "the server cannot use what is named here:";
        return Err(ConfigError(format!("{what}{found}\n{}", config::advice(&obstacles))).into());
    }
    config.mail_password()?;
    config.documents.keys(data_dir)?;
    if config.https.files().is_some() {
        let wrong = |error| ConfigError(format!("https.cert_file: {error}"));
        let state = https::state(&config.https, data_dir).map_err(|error| wrong(format!("{error:#}")))?;
        let facts = state.and_then(|state| state.certificate);
        if facts.is_some_and(|facts| !facts.covers(&config.https.names()[..1])) {
            return Err(wrong(format!("the certificate is not for {}", config.https.domain)).into());
        }
    }
    if Service::of(data_dir).is_some() && !rustix::process::geteuid().is_root() {
        eprintln!("Whether the service can read what is named here is tried only as root.");
    }
    println!("the configuration is valid");
    tell_missing_facts(config);
    Ok(())
}

/// Says which facts of the school are not set; the site leaves them out.
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
}

/// Has a command speak of the school as the office has published it, as far as that can be read.
pub(super) fn use_published(data_dir: &DataDir, config: &Config) {
    let path = data_dir.database();
    if !path.exists() {
        return;
    }
    let read = db::connect_to_look(&path).and_then(|connection| {
        versions::use_published(&connection, config).map_err(|error| anyhow::anyhow!("{error}"))
    });
    if let Err(error) = read {
        tracing::debug!("the school's facts as published: {error:#}");
    }
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
    for Override { key, value, since, .. } in overrides {
        let since = since.to_zoned(config.school().zone()).strftime("%B %-d, %Y");
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
