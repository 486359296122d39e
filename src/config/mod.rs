//! Configuration: defaults, then the TOML file, then `SCHOOLHOUSE_…` variables, then flags.
//!
//! A variable names section and key: `SCHOOLHOUSE_SERVER_LISTEN`, `SCHOOLHOUSE_SCHOOL_NAME`.
//! An unknown key, in the file or in the environment, is an error that names it. Secrets come from
//! `*_file` keys or from systemd's credentials folder, never from a flag.

use std::fmt::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

use crate::documents::quota;
use crate::operations::backup;
use crate::operations::https::Https;
use crate::operations::metrics::Metrics;
use crate::school::School;
use crate::server::log::Log;
use crate::{enrollments, fees};

/// What the unit's `LoadCredential` names; only root can read it.
const CREDENTIAL: &str = "/etc/credstore/schoolhouse.smtp_password";

/// Everything that can be set. `config.example.toml` explains each key.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// How the server listens and what it believes.
    pub server: Server,
    /// The certificate, where the school speaks HTTPS itself.
    pub https: Https,
    /// Rates per client address.
    pub limits: Limits,
    /// How much students may upload.
    pub documents: quota::Settings,
    /// How mail leaves; without a host it is written into `mail/`.
    pub mail: Mail,
    /// What is logged, and how.
    pub log: Log,
    /// How the office works.
    pub office: Office,
    /// The nightly backup.
    pub backup: backup::Settings,
    /// Figures for Prometheus.
    pub metrics: Metrics,
    /// Prices, and how they are paid.
    pub money: fees::Settings,
    /// Which dates a student may ask for.
    pub enrollments: enrollments::settings::Settings,
    /// What the pages say about the school.
    pub school: School,
}

/// `[server]`
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The address that people type; links in mails use it. Empty: the listening address.
    pub public_url: String,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Connections served at once.
    pub max_connections: usize,
    /// Of these, from one client address.
    pub max_connections_per_client: usize,
    /// Free space, in megabytes, below which uploads are refused.
    pub disk_reserve_mb: u64,
}

/// `[limits]`: how often somebody may try something.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Failed logins from one client address, per minute.
    pub logins_per_minute: u32,
    /// Failed logins from one site (an IPv4 address, the /48 of an IPv6 address), per hour.
    pub failed_logins_per_site_per_hour: u32,
    /// Failed logins in all, per hour.
    pub failed_logins_in_all_per_hour: u32,
    /// Wrong passwords for one account from anywhere, per hour.
    pub wrong_passwords_per_account_per_hour: u32,
    /// Wrong passwords for one account from one address before each further one costs a wait.
    pub wrong_passwords: u32,
    /// New student accounts, per hour.
    pub registrations_per_hour: u32,
    /// Contact messages, per hour.
    pub contacts_per_hour: u32,
    /// Uploaded documents, per hour.
    pub uploads_per_hour: u32,
    /// Requests for a password or verification link to one mailbox from one address, per hour.
    pub password_resets_per_hour: u32,
    /// The same to any mailbox, and links used that open nothing, from one address, per hour.
    pub links_per_hour: u32,
}

/// `[mail]`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mail {
    /// The mail server's name. Empty: messages are written as files into `mail/`.
    pub smtp_host: String,
    /// The mail server's port.
    pub smtp_port: u16,
    /// How the connection is protected.
    pub security: MailSecurity,
    /// The account at the mail server; empty for none.
    pub username: String,
    /// The account's password; better in `password_file`.
    pub password: String,
    /// A file that holds the password; systemd's credential `smtp_password` is found by itself.
    pub password_file: Option<PathBuf>,
    /// A certificate in PEM form to trust beside the public ones.
    pub ca_file: Option<PathBuf>,
    /// The sender's address. Empty: the school's address.
    pub from: String,
    /// E-mails of one kind to one mailbox that people who are not staff can cause, per hour.
    pub recipient_per_hour: u32,
    /// The same, per day.
    pub recipient_per_day: u32,
    /// E-mails that one student's account can cause, per day.
    pub account_per_day: u32,
    /// E-mails that all who are not staff can cause together, per day.
    pub strangers_per_day: u32,
    /// Copies of visitors' messages to the office, per hour.
    pub office_copies_per_hour: u32,
}

/// `[office]`
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Office {
    /// Whether the role `viewer` may open students' documents.
    pub viewer_opens_documents: bool,
}

/// How the connection to the mail server is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MailSecurity {
    /// Plain first, then TLS or nothing (port 587).
    Starttls,
    /// TLS from the first byte (port 465).
    Tls,
    /// No protection: only for a server on the same machine.
    None,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            public_url: String::new(),
            trusted_proxies: Vec::new(),
            max_connections: 1024,
            max_connections_per_client: 128,
            disk_reserve_mb: 256,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            logins_per_minute: 30,
            failed_logins_per_site_per_hour: 100,
            failed_logins_in_all_per_hour: 2000,
            wrong_passwords_per_account_per_hour: 20,
            wrong_passwords: 5,
            registrations_per_hour: 10,
            contacts_per_hour: 10,
            uploads_per_hour: 60,
            password_resets_per_hour: 10,
            links_per_hour: 100,
        }
    }
}

impl Default for Mail {
    fn default() -> Self {
        Self {
            smtp_host: String::new(),
            smtp_port: 587,
            security: MailSecurity::Starttls,
            username: String::new(),
            password: String::new(),
            password_file: None,
            ca_file: None,
            from: String::new(),
            recipient_per_hour: 3,
            recipient_per_day: 10,
            account_per_day: 20,
            strangers_per_day: 1000,
            office_copies_per_hour: 30,
        }
    }
}

/// The configuration is wrong; says which key and why. Exit status 78.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub String);

impl Config {
    /// Reads the file (if any) and the environment, and checks every value.
    ///
    /// # Errors
    /// [`ConfigError`] naming the key, the value's place and the rule.
    pub fn load(
        file: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let mut table = toml::Table::new();
        if let Some(path) = file {
            let text = std::fs::read_to_string(path)
                .map_err(|error| ConfigError(format!("{}: {error}", path.display())))?;
            // Parsed into the structure first: only this way an error names line and column.
            toml::from_str::<Self>(&text)
                .map_err(|error| ConfigError(format!("{}: {error}", path.display())))?;
            table = text.parse().map_err(|error| ConfigError(format!("{error}")))?;
        }
        overlay(&mut table, environment)?;
        let config: Self = table.try_into().map_err(|error| ConfigError(format!("environment: {error}")))?;
        config.check()?;
        Ok(config)
    }

    /// The address that links use, without a trailing slash.
    pub fn public_url(&self) -> String {
        if self.server.public_url.is_empty() {
            if self.https.is_on() {
                format!("https://{}", self.https.domain)
            } else {
                format!("http://{}", self.server.listen)
            }
        } else {
            self.server.public_url.trim_end_matches('/').to_owned()
        }
    }

    /// Whether people reach the school over HTTPS.
    pub fn is_https(&self) -> bool {
        self.public_url().starts_with("https://")
    }

    /// The sender of every mail.
    pub fn mail_from(&self) -> &str {
        if self.mail.from.is_empty() { &self.school.email } else { &self.mail.from }
    }

    /// The password for the mail server, from the key, its file or systemd's credentials; for a command
    /// of root's from where systemd takes it.
    ///
    /// # Errors
    /// When a named file cannot be read.
    pub fn mail_password(&self) -> Result<String, ConfigError> {
        let credential = std::env::var_os("CREDENTIALS_DIRECTORY")
            .map_or_else(|| CREDENTIAL.into(), |folder| PathBuf::from(folder).join("smtp_password"));
        let credential = Some(credential).filter(|path| path.exists());
        let Some(path) = self.mail.password_file.clone().or(credential) else {
            return Ok(self.mail.password.clone());
        };
        let text = std::fs::read_to_string(&path)
            .map_err(|error| ConfigError(format!("mail.password_file {}: {error}", path.display())))?;
        Ok(text.trim_end_matches(['\r', '\n']).to_owned())
    }

    /// The effective configuration as TOML, secrets hidden.
    ///
    /// # Errors
    /// When the configuration cannot be written as TOML.
    pub fn show(&self) -> anyhow::Result<String> {
        let mut shown = self.clone();
        if !shown.mail.password.is_empty() {
            shown.mail.password = "(hidden)".into();
        }
        Ok(toml::to_string_pretty(&shown)?)
    }

    fn check(&self) -> Result<(), ConfigError> {
        let mut wrong = String::new();
        let url = &self.server.public_url;
        let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        if !url.is_empty()
            && host.is_none_or(|host| {
                host.trim_end_matches('/').is_empty()
                    || host.trim_end_matches('/').contains(['/', '?', '#', ' '])
            })
        {
            let _ = writeln!(
                wrong,
                "server.public_url: must be like https://school.example, without a path (found {url:?})"
            );
        }
        let (limits, mail) = (&self.limits, &self.mail);
        for (key, value) in [
            ("limits.logins_per_minute", limits.logins_per_minute),
            ("limits.failed_logins_per_site_per_hour", limits.failed_logins_per_site_per_hour),
            ("limits.failed_logins_in_all_per_hour", limits.failed_logins_in_all_per_hour),
            ("limits.wrong_passwords_per_account_per_hour", limits.wrong_passwords_per_account_per_hour),
            ("limits.wrong_passwords", limits.wrong_passwords),
            ("limits.registrations_per_hour", limits.registrations_per_hour),
            ("limits.contacts_per_hour", limits.contacts_per_hour),
            ("limits.uploads_per_hour", limits.uploads_per_hour),
            ("limits.password_resets_per_hour", limits.password_resets_per_hour),
            ("limits.links_per_hour", limits.links_per_hour),
            ("mail.recipient_per_hour", mail.recipient_per_hour),
            ("mail.recipient_per_day", mail.recipient_per_day),
            ("mail.account_per_day", mail.account_per_day),
            ("mail.strangers_per_day", mail.strangers_per_day),
            ("mail.office_copies_per_hour", mail.office_copies_per_hour),
        ] {
            if value == 0 {
                let _ = writeln!(wrong, "{key}: must be at least 1 (found 0)");
            }
        }
        for (key, value) in [
            ("max_connections", self.server.max_connections),
            ("max_connections_per_client", self.server.max_connections_per_client),
        ] {
            if value == 0 {
                let _ = writeln!(wrong, "server.{key}: must be at least 1 (found 0)");
            }
        }
        if let Err(message) = crate::web::form::Email::parse(self.mail_from()) {
            let _ = writeln!(wrong, "mail.from: {message} (found {:?})", self.mail_from());
        }
        self.documents.check(&mut wrong);
        self.https.check(url, self.server.listen, &mut wrong);
        self.backup.check(&mut wrong);
        self.metrics.check(&mut wrong);
        self.money.check(&mut wrong);
        self.enrollments.check(&mut wrong);
        self.school.check(&mut wrong);
        if wrong.is_empty() { Ok(()) } else { Err(ConfigError(wrong.trim_end().to_owned())) }
    }
}

/// Names that the command line and the build read themselves.
const OUTSIDE: [&str; 4] =
    ["SCHOOLHOUSE_CONFIG", "SCHOOLHOUSE_DATA_DIR", "SCHOOLHOUSE_LOG", "SCHOOLHOUSE_UI_DIR"];

fn overlay(
    table: &mut toml::Table,
    environment: impl Iterator<Item = (String, String)>,
) -> Result<(), ConfigError> {
    let known = toml::Table::try_from(Config::default()).map_err(|error| ConfigError(error.to_string()))?;
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

/// A text stays a text where the default is one; anything else is read as a TOML value.
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
