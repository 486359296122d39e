//! Corrupted configurations: an invalid one is refused with section and key; a valid one survives a round trip.

use fastrand::Rng;
use toml::Value;

use super::*;
use crate::tests::fuzz::{for_rounds, spoil};

const EXAMPLE: &str = include_str!("../../config.example.toml");

fn load(text: &str) -> Result<Config, String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let loaded = Config::load(Some(file.path()), std::iter::empty());
    loaded.map_err(|ConfigError(said)| said.replace(&*file.path().to_string_lossy(), "FILE"))
}

/// Written and read again.
fn assert_survives(config: &Config) {
    let text = config.show().unwrap();
    let mut again = load(&text).unwrap_or_else(|said| panic!("{said}\n{text}"));
    again.mail.password.clone_from(&config.mail.password);
    assert_eq!(&again, config, "{text}");
}

/// A value that an operator might write by mistake.
fn odd(random: &mut Rng) -> Value {
    let texts = [
        "",
        " ",
        "0",
        "-1",
        "yes",
        "127.0.0.1:8080",
        "[::]:99999",
        "https://school.example/x",
        "a@b",
        "25:00",
        "02:30",
        "Mars/Olympus",
        "line\nbreak",
        "\u{202e}",
        "age1",
        "../../etc/passwd",
        "none",
        "required",
        "schule.example",
    ];
    match random.u8(..8) {
        0 => Value::Integer(random.choice([0, 1, -1, 101, 65_536, i64::MAX, i64::MIN, 1 << 32]).unwrap_or(0)),
        1 => Value::Float(random.choice([0.5, -0.0, f64::NAN, f64::INFINITY, 1e300]).unwrap_or(0.5)),
        2 => Value::Boolean(random.bool()),
        3 => Value::Array(vec![odd(random)]),
        4 => Value::Table(toml::Table::from_iter([("name".to_owned(), odd(random))])),
        5 => Value::Array(Vec::new()),
        _ => Value::String((*random.choice(texts.iter()).unwrap()).to_owned()),
    }
}

#[test]
fn corrupted_values_are_refused_by_section_and_key_or_survive_a_round_trip() {
    let defaults = toml::Table::try_from(Config::default()).unwrap();
    let mut refused = 0;
    for_rounds("values of the configuration", 300, |random| {
        let mut table = defaults.clone();
        let sections: Vec<String> = table.keys().cloned().collect();
        let section = random.choice(sections).unwrap();
        let part = table[&section].as_table_mut().unwrap();
        let keys: Vec<String> = part.keys().cloned().chain(["no_such_key".to_owned()]).collect();
        let key = random.choice(keys).unwrap();
        part.insert(key.clone(), odd(random));
        match load(&table.to_string()) {
            Ok(config) => assert_survives(&config),
            Err(said) => {
                refused += 1;
                // Some rules concern two keys and name the other one first.
                assert!(said.contains(&format!("{section}.")), "{section}.{key}: {said}");
                assert!(said.contains(&key) || section == "https", "{section}.{key}: {said}");
            }
        }
    });
    assert!(refused > 50, "{refused}");
}

#[test]
fn corrupted_texts_are_refused_by_line_or_key_or_survive_a_round_trip() {
    let words: [&[u8]; 12] = [
        b"[",
        b"]",
        b"=",
        b"\"",
        b"'''",
        b"\n[server]\n",
        b"\nlisten = 1\n",
        b"[[school]]",
        b"{",
        b"\0",
        b"\xFF",
        b"school.name.x = 1\n",
    ];
    // Without the comments, so that the corruption affects values.
    let lines = EXAMPLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let example = lines.collect::<Vec<_>>().join("\n");
    let sections: Vec<String> = toml::Table::try_from(Config::default()).unwrap().keys().cloned().collect();
    for_rounds("texts of the configuration", 300, |random| {
        let mut bytes = example.clone().into_bytes();
        spoil(&mut bytes, &words, random);
        match load(&String::from_utf8_lossy(&bytes)) {
            Ok(config) => assert_survives(&config),
            Err(said) => {
                let names_key = sections.iter().any(|section| said.contains(section.as_str()));
                let names_line = said.contains("at line ");
                assert!(names_key || names_line, "{said}\n{}", String::from_utf8_lossy(&bytes));
            }
        }
    });
}

#[test]
fn corrupted_variables_are_refused_by_name_or_survive_a_round_trip() {
    let defaults = toml::Table::try_from(Config::default()).unwrap();
    for_rounds("variables of the configuration", 400, |random| {
        let sections: Vec<&String> = defaults.keys().collect();
        let section = *random.choice(&sections).unwrap();
        let keys: Vec<&String> = defaults[section].as_table().unwrap().keys().collect();
        let key = if random.u8(..10) == 0 { "no_such_key" } else { random.choice(&keys).unwrap() };
        let name = format!("SCHOOLHOUSE_{section}_{key}").to_uppercase();
        let value = match odd(random) {
            Value::String(text) => text,
            other => other.to_string(),
        };
        let loaded = Config::load(None, [(name.clone(), value.clone())].into_iter());
        match loaded {
            Ok(config) => assert_survives(&config),
            Err(ConfigError(said)) => {
                let names_key = said.contains(&name) || said.contains(&format!("{section}."));
                assert!(names_key, "{name}={value:?}: {said}");
            }
        }
    });
}

/// Every number has its reason beside it, and every limit its row in `docs/limits.md`.
#[test]
fn every_limit_has_its_reason_and_its_row_in_the_document() {
    const LIMITS: &str = include_str!("../../docs/limits.md");
    /// Numbers that are not limits.
    const NO_LIMITS: [&str; 6] = [
        "mail.smtp_port",
        "backup.keep",
        "money.quote_days",
        "money.due_days",
        "school.founded_year",
        "admissions.first_answer_days",
    ];
    // Columns: limit, default, key, what the user sees.
    let rows = LIMITS.lines().filter(|line| line.starts_with('|'));
    let keys: String = rows.filter_map(|row| row.split('|').nth(3)).collect();
    let defaults = toml::Table::try_from(Config::default()).unwrap();
    for key in keys.split('`').skip(1).step_by(2) {
        let (section, name) = key.split_once('.').unwrap();
        assert!(defaults[section].as_table().unwrap().contains_key(name), "docs/limits.md has {key}");
    }
    let mut section = String::new();
    let mut reason = 0;
    let mut count = 0;
    for line in EXAMPLE.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            name.clone_into(&mut section);
        }
        if line.starts_with('#') {
            reason += line.len();
            continue;
        }
        if let Some((key, _)) = line.split_once(" = ").filter(|(_, value)| value.parse::<u64>().is_ok()) {
            let key = format!("{section}.{key}");
            assert!(reason > 10, "{key} has no reason");
            if !NO_LIMITS.contains(&key.as_str()) {
                assert!(keys.contains(&format!("`{key}`")), "{key} has no row in docs/limits.md");
                count += 1;
            }
        }
        reason = 0;
    }
    assert!(count > 20, "the limits were found: {count}");
}
