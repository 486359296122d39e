//! Environment variables `SCHOOLHOUSE_…`, merged over the file.

use super::{Config, ConfigError, SchoolFile};

/// Variables of the command line and of the build; cargo passes the build's on to what it runs.
const OUTSIDE: [&str; 6] = [
    "SCHOOLHOUSE_CONFIG",
    "SCHOOLHOUSE_DATA_DIR",
    "SCHOOLHOUSE_LOG",
    "SCHOOLHOUSE_UI_DIR",
    "SCHOOLHOUSE_COMMIT_HASH",
    "SCHOOLHOUSE_COMMIT_DATE",
];

/// Merges the variables over the table of the file.
///
/// # Errors
/// When a variable names no key, or its value is not of the key's kind.
pub(super) fn merge(
    table: &mut toml::Table,
    environment: impl Iterator<Item = (String, String)>,
) -> Result<(), ConfigError> {
    let every_key = Config { school_file: SchoolFile::sample(), ..Config::default() };
    let known = toml::Table::try_from(every_key).map_err(|error| ConfigError(error.to_string()))?;
    for (name, text) in environment {
        let Some(rest) = name.strip_prefix("SCHOOLHOUSE_") else { continue };
        if OUTSIDE.contains(&name.as_str()) {
            continue;
        }
        let path = rest.to_lowercase();
        let Some((section, key)) = path.split_once('_').filter(|(section, _)| known.contains_key(*section))
        else {
            return Err(ConfigError(format!("{name}: there is no such key")));
        };
        let sample = known[section].get(key);
        let value = parse(&text, sample);
        let into = table.entry(section).or_insert_with(|| toml::Table::new().into());
        if let Some(into) = into.as_table_mut() {
            into.insert(key.to_owned(), value);
        }
        let mut only = toml::Table::new();
        only.insert(
            section.to_owned(),
            toml::Table::from_iter([(key.to_owned(), table[section][key].clone())]).into(),
        );
        only.try_into::<Config>().map_err(|error| ConfigError(format!("{name}: {}", error.message())))?;
    }
    Ok(())
}

/// Kept as a string where the default is one; anything else is parsed as a TOML value.
fn parse(text: &str, sample: Option<&toml::Value>) -> toml::Value {
    let as_text = || toml::Value::String(text.to_owned());
    if sample.is_none_or(toml::Value::is_str) {
        return as_text();
    }
    format!("value = {text}")
        .parse::<toml::Table>()
        .ok()
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(as_text)
}
