//! Configuration: defaults, then the TOML file, then `SCHOOLHOUSE_…` variables, then flags.
//!
//! A variable is named by section and key: `SCHOOLHOUSE_SERVER_LISTEN`, `SCHOOLHOUSE_SCHOOL_NAME`. An unknown key, in
//! the file or in the environment, is an error that names it. Secrets come from `*_file` keys or from systemd's
//! credentials folder, never from a flag.

/// Declares a section: each key with its default.
macro_rules! section {
    ($(#[$of_section:meta])* pub struct $section:ident {
        $($(#[$of_key:meta])* pub $key:ident: $value:ty = $default:expr,)+
    }) => {
        $(#[$of_section])*
        #[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $section {
            $($(#[$of_key])* pub $key: $value,)+
        }

        impl Default for $section {
            fn default() -> Self {
                Self { $($key: $default,)+ }
            }
        }
    };
}

mod admissions;
mod backup;
mod documents;
mod enrollments;
mod environment;
mod https;
mod limits;
mod log;
mod mail;
mod metrics;
mod office;
mod prices;
mod reach;
mod school;
mod server;
mod service;
#[cfg(test)]
mod tests;
mod values;

use std::fmt::Write;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use self::admissions::Admissions;
pub use self::backup::Backup;
pub use self::documents::Documents;
pub use self::enrollments::Enrollments;
pub use self::https::Https;
pub use self::limits::Limits;
pub use self::log::{Log, LogFormat};
pub use self::mail::{Mail, MailSecurity};
pub use self::metrics::Metrics;
pub use self::office::{Demand, Office, RequiredDocument, Role};
pub use self::prices::{Prices, PublishedMoney, UsualOffer};
pub use self::reach::{
    ServerProcess, advice, in_one_line, obstacle_to_backups, obstacles_to_files, protection,
};
pub use self::school::{MissingFact, School, SchoolFile, SocialLink};
pub use self::server::Server;
pub use self::service::{CONFIG_FILE, DATA_DIR, Service, is_same};
pub use self::values::Zone;
use self::values::{InForce, PublicUrl};
use crate::base::email::Email;

/// Name of the systemd credential with the configuration, for a file that only root can read.
const CONFIG_CREDENTIAL: &str = "config.toml";

/// What is shown, and put into archives, instead of a secret.
const HIDDEN: &str = "(hidden)";

/// The complete configuration. `config.example.toml` explains each key.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Listening addresses and trusted proxies.
    pub server: Server,
    /// Domain and certificate, if the server terminates HTTPS itself.
    pub https: Https,
    /// Rate limits.
    pub limits: Limits,
    /// Upload limits and encryption.
    pub documents: Documents,
    /// Mail server; without a host, emails are written into `mail/`.
    pub mail: Mail,
    /// Level and format of the log.
    pub log: Log,
    /// Office rules.
    pub office: Office,
    /// Applications for a place.
    pub admissions: Admissions,
    /// The nightly backup.
    pub backup: Backup,
    /// Metrics for Prometheus.
    pub metrics: Metrics,
    /// Prices and payment.
    pub money: Prices,
    /// Which dates a student may request.
    pub enrollments: Enrollments,
    /// The school's facts from the file; [`Config::school`] returns the effective ones.
    #[serde(rename = "school")]
    pub school_file: SchoolFile,
    #[serde(skip)]
    in_force: InForce<Arc<School>>,
}

/// A configuration error, which names the key and the reason. Exit status 78.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub String);

impl Config {
    /// Reads the file (if any) and the environment, and checks every value.
    ///
    /// # Errors
    /// [`ConfigError`] with the key, its position and the rule.
    pub fn load(
        file: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let mut table = toml::Table::new();
        if let Some(path) = file {
            let text = read(path).map_err(|error| {
                let way_out = match error.kind() {
                    ErrorKind::PermissionDenied => {
                        "; give the command as root; to the service, LoadCredential in its unit hands the file over"
                    }
                    _ => "",
                };
                ConfigError(format!("{}: {error}{way_out}", path.display()))
            })?;
            let wrong = |what: String| ConfigError(format!("{}: {what}", path.display()));
            // Parsed into the structure first: only then does an error have line and column.
            let document = toml::Deserializer::parse(&text).map_err(|error| wrong(error.to_string()))?;
            serde_path_to_error::deserialize::<_, Self>(document)
                .map_err(|error| wrong(format!("{}: {}", error.path(), error.inner())))?;
            table = text.parse().map_err(|error: toml::de::Error| wrong(error.to_string()))?;
        }
        environment::merge(&mut table, environment)?;
        let config: Self = table.try_into().map_err(|error| ConfigError(format!("environment: {error}")))?;
        config.check()?;
        Ok(config)
    }

    /// The effective facts of the school: those of the file, overridden by those that the office has published.
    pub fn school(&self) -> Arc<School> {
        self.in_force.get().unwrap_or_else(|| Arc::new(self.school_file.school(&SchoolFile::default())))
    }

    /// How to pay a fee: the office's text, else the file's.
    pub fn how_to_pay(&self) -> String {
        self.school().how_to_pay.clone().unwrap_or_else(|| self.money.how_to_pay.clone())
    }

    /// The address for e-Transfers as families read it beside how to pay; none where that names another one.
    pub fn e_transfer(&self) -> Option<String> {
        let text = self.how_to_pay();
        self.money.e_transfer().filter(|address| Prices::other_address(&text, address).is_none())
    }

    /// Refund terms: the office's text, else a default sentence.
    pub fn refunds(&self) -> String {
        const UNWRITTEN: &str = "The office sends you the refund terms before you pay.";
        self.school().refunds.clone().unwrap_or_else(|| UNWRITTEN.to_owned())
    }

    /// Applies what the office has published: the school's facts, whether every guardian has to confirm, and what it says
    /// of payments.
    pub fn use_published(
        &self,
        school: Arc<School>,
        every_guardian_confirms: Option<bool>,
        money: PublishedMoney,
    ) {
        self.money.in_force.set(Some(money));
        self.in_force.set(Some(school));
        self.office.in_force.set(every_guardian_confirms);
    }

    /// Base URL of links, without a trailing slash.
    pub fn public_url(&self) -> String {
        match &self.server.public_url {
            Some(url) => url.to_string(),
            None if self.https.is_on() => format!("https://{}", self.https.domain),
            None => format!("http://{}", self.server.listen),
        }
    }

    /// Whether the operator has set the site's address.
    pub fn has_public_url(&self) -> bool {
        self.server.public_url.is_some() || self.https.is_on()
    }

    /// The school's name without what the office has published.
    pub fn name_in_file(&self) -> String {
        self.school_file.school(&SchoolFile::default()).name
    }

    /// The address of the student portal's dashboard.
    pub fn student_dashboard(&self) -> String {
        format!("{}/student/dashboard", self.public_url())
    }

    /// Names that a password must not be made from: public facts about the school and the owner.
    pub fn known_names<'a>(&'a self, school: &'a School, own: &[&'a str]) -> Vec<&'a str> {
        let url = self.server.public_url.as_ref().map(PublicUrl::as_str);
        let host = url.and_then(|url| url.rsplit("://").next()).unwrap_or(&self.https.domain);
        let email = school.email.as_ref().map_or("", Email::as_str);
        [&[school.name.as_str(), email, host], own].concat()
    }

    /// Whether the public URL is HTTPS.
    pub fn is_https(&self) -> bool {
        self.server.public_url.as_ref().map_or(self.https.is_on(), |url| url.as_str().starts_with("https://"))
    }

    /// Sender of all emails. The file's address takes precedence over the office's: the mail server was set up with it.
    pub fn mail_from(&self) -> Email {
        let file = self.mail.from.clone().or_else(|| self.school_file.own_email());
        file.or_else(|| self.school().email.clone()).unwrap_or_else(|| Email::known("office@school.invalid"))
    }

    /// The password for the mail server, from the key, its file or systemd's credentials.
    pub fn mail_password(&self) -> Result<String, ConfigError> {
        let Some(path) = secret(self.mail.password_file.as_deref(), "smtp_password") else {
            if self.mail.password == HIDDEN {
                let found = "mail.password: no archive holds a secret; write the password in its place";
                return Err(ConfigError(format!("{found} (found {HIDDEN:?})")));
            }
            return Ok(self.mail.password.clone());
        };
        let text = std::fs::read_to_string(&path)
            .map_err(|error| ConfigError(format!("mail.password_file {}: {error}", path.display())))?;
        Ok(text.trim_end_matches(['\r', '\n']).to_owned())
    }

    /// The effective configuration as TOML, secrets hidden.
    pub fn show(&self) -> anyhow::Result<String> {
        let mut shown = self.clone();
        if !shown.mail.password.is_empty() {
            shown.mail.password = HIDDEN.into();
        }
        Ok(toml::to_string_pretty(&shown)?)
    }

    fn check(&self) -> Result<(), ConfigError> {
        let mut wrong = String::new();
        let limits = &self.limits;
        let mail = &self.mail;
        /// The keys of a section, each with whether it is zero.
        macro_rules! zeros {
            ($($section:ident { $($key:ident),+ $(,)? })+) => {
                [$($((concat!(stringify!($section), ".", stringify!($key)), self.$section.$key == 0)),+),+]
            };
        }
        let zeros = zeros! {
            limits {
                logins_per_minute, failed_logins_per_site_per_hour, failed_logins_in_all_per_hour,
                wrong_passwords_per_account_per_hour, wrong_passwords, registrations_per_hour,
                registrations_per_block_per_hour, contacts_per_hour, contacts_per_block_per_hour,
                applications_per_hour, applications_per_block_per_hour, uploads_per_hour, uploads_per_block_per_hour,
                password_resets_per_hour, links_per_hour, data_downloads_per_day, links_per_block_per_hour,
                student_session_days, sessions_per_account,
            }
            mail {
                recipient_per_hour, recipient_per_day, recipient_in_all_per_day, account_per_day, strangers_per_day,
                office_copies_per_hour,
            }
            server { max_connections, max_connections_per_client }
        };
        for (key, _) in zeros.into_iter().filter(|(_, is_zero)| *is_zero) {
            let _ = writeln!(wrong, "{key}: must be at least 1 (found 0)");
        }
        if limits.student_session_days > 3650 {
            let _ = writeln!(
                wrong,
                "limits.student_session_days: must be at most 3650 (found {})",
                limits.student_session_days
            );
        }
        if mail.security == MailSecurity::None && !mail.smtp_host.is_empty() && !mail.is_on_this_machine() {
            let _ = writeln!(
                wrong,
                "mail.security: \"none\" is only for a mail server on this machine (mail.smtp_host is {:?})",
                mail.smtp_host
            );
        }
        self.documents.check(&mut wrong);
        self.https.check(self.server.public_url.as_ref(), self.server.listen, &mut wrong);
        self.metrics.check(&mut wrong);
        self.money.check(&mut wrong);
        self.enrollments.check(&mut wrong);
        self.office.check(&mut wrong);
        self.admissions.check(&mut wrong);
        self.school_file.check(&mut wrong);
        if wrong.is_empty() { Ok(()) } else { Err(ConfigError(wrong.trim_end().to_owned())) }
    }
}

/// Reads the file, or the systemd credential where only root can read the file.
fn read(path: &Path) -> std::io::Result<String> {
    let text = std::fs::read_to_string(path);
    match (&text, handed(CONFIG_CREDENTIAL)) {
        (Err(error), Some(credential))
            if error.kind() == ErrorKind::PermissionDenied && path == Path::new(CONFIG_FILE) =>
        {
            std::fs::read_to_string(credential)
        }
        _ => text,
    }
}

/// File of a secret: this process's systemd credential, else the configured path, else, for a command run by root, the
/// service's credential.
fn secret(named: Option<&Path>, credential: &str) -> Option<PathBuf> {
    let kept = || Service::find()?.credential(credential).filter(|source| source.exists());
    handed(credential).or_else(|| named.map(Path::to_owned)).or_else(kept)
}

/// A systemd credential of this process.
fn handed(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("CREDENTIALS_DIRECTORY")?;
    Some(Path::new(&folder).join(name)).filter(|path| path.exists())
}
