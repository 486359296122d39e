//! `[mail]`: mail server and email budgets.

use std::net::IpAddr;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::values;
use crate::base::email::Email;

section! {
    /// `[mail]`
    pub struct Mail {
        /// The mail server's name. Empty: messages are written as files into `mail/`.
        pub smtp_host: String = String::new(),
        /// The mail server's port.
        pub smtp_port: u16 = 587,
        /// How the connection is protected.
        pub security: MailSecurity = MailSecurity::Starttls,
        /// The account at the mail server; empty for none.
        pub username: String = String::new(),
        /// The account's password; prefer `password_file`.
        pub password: String = String::new(),
        /// A file with the password; systemd's credential `smtp_password` is used automatically.
        pub password_file: Option<PathBuf> = None,
        /// An additional certificate to trust, in PEM form.
        pub ca_file: Option<PathBuf> = None,
        /// Sender address; by default the school's address.
        #[serde(with = "values::optional")]
        pub from: Option<Email> = None,
        /// Emails to one mailbox that strangers can cause, whatever they are about, per hour; also those of one kind that a
        /// student or the owner's known browser can cause.
        pub recipient_per_hour: u32 = 3,
        /// The same per day. Of a stranger's, the last four are kept for links into an account, one in six hours.
        pub recipient_per_day: u32 = 10,
        /// Emails to one mailbox that all strangers can cause, per day; `recipient_per_day` if that is lower.
        pub recipient_in_all_per_day: u32 = 10,
        /// Emails that one student's account can cause, per day.
        pub account_per_day: u32 = 20,
        /// Emails that all people outside the office can cause together, per day.
        pub strangers_per_day: u32 = 2000,
        /// Copies of visitors' messages to the office, per hour.
        pub office_copies_per_hour: u32 = 30,
    }
}

/// How the connection to the mail server is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MailSecurity {
    /// STARTTLS, required (port 587).
    Starttls,
    /// TLS from the first byte (port 465).
    Tls,
    /// No protection: only for a server on the same machine.
    None,
}

impl Mail {
    /// Whether the mail server is on this machine, so that emails cross no network.
    pub fn is_on_this_machine(&self) -> bool {
        let host = self.smtp_host.trim_start_matches('[').trim_end_matches(']');
        host.parse::<IpAddr>().map_or_else(|_| host.eq_ignore_ascii_case("localhost"), |ip| ip.is_loopback())
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
