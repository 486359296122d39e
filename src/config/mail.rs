//! `[mail]`: how mail leaves, and how much of it.

use std::net::IpAddr;
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
    /// E-mails of one kind to one mailbox that people who are not staff can cause, per hour. Those that let a
    /// person in count apart for each address block that asks, and for the owner's known browser.
    pub recipient_per_hour: u32,
    /// The same, per day.
    pub recipient_per_day: u32,
    /// E-mails of one kind that let a person in, to one mailbox, whoever asks, per day; after them one an hour.
    pub recipient_in_all_per_day: u32,
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

impl Mail {
    /// Whether e-mails do not cross a network on their way to the mail server.
    pub fn is_on_this_machine(&self) -> bool {
        let host = self.smtp_host.trim_start_matches('[').trim_end_matches(']');
        host.parse::<IpAddr>().map_or_else(|_| host.eq_ignore_ascii_case("localhost"), |ip| ip.is_loopback())
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
            from: None,
            recipient_per_hour: 3,
            recipient_per_day: 10,
            recipient_in_all_per_day: 20,
            account_per_day: 20,
            strangers_per_day: 2000,
            office_copies_per_hour: 30,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_this_machine() {
        for (host, expected) in [
            ("127.0.0.1", true),
            ("127.9.9.9", true),
            ("[::1]", true),
            ("localhost", true),
            ("LOCALHOST", true),
            ("10.0.0.1", false),
            ("localhost.example", false),
            ("mail.example", false),
        ] {
            let mail = Mail { smtp_host: host.to_owned(), ..Mail::default() };
            assert_eq!(mail.is_on_this_machine(), expected, "{host}");
        }
    }
}
