//! `[mail]`: how mail leaves, and how much of it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::values;
use crate::base::email::Email;

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
    /// The sender's address. Without one: the school's address.
    #[serde(with = "values::optional")]
    pub from: Option<Email>,
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
            from: None,
            recipient_per_hour: 3,
            recipient_per_day: 10,
            account_per_day: 20,
            strangers_per_day: 1000,
            office_copies_per_hour: 30,
        }
    }
}
