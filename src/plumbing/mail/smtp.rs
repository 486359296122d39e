//! One mail server, spoken to step by step.
//!
//! The connection is made by address and TLS is told the name: a connection by name would ask
//! `getaddrinfo` (see [`names`]). Every step has a deadline.

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, anyhow};
use lettre::Message;
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::extension::ClientId;

use crate::plumbing::config::{Config, MailSecurity};
use crate::plumbing::names;

/// For each step until the server is ready for a letter.
pub(super) const STEP: Duration = Duration::from_secs(20);
/// For handing over one letter: a server may search it for spam before it answers, and hanging up
/// on it too early delivers the letter twice.
const DELIVERY: Duration = Duration::from_secs(60);
/// The longest reason that is kept, in characters.
const LONGEST_REASON: usize = 300;

/// Why a letter was not delivered; no reason holds anybody's address.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server cannot be used, whatever the letter.
    Unreachable(String),
    /// The server does not want the letter now.
    Later(String),
    /// The server will never want the letter.
    Never(String),
}

/// The configured mail server.
pub(super) struct Relay {
    host: String,
    port: u16,
    security: MailSecurity,
    /// None only without protection.
    tls: Option<TlsParameters>,
    credentials: Option<Credentials>,
    hello: ClientId,
}

impl Relay {
    /// Reads the configuration, with its password and certificate files as they are now.
    ///
    /// # Errors
    /// When a file cannot be read or holds no certificate.
    pub(super) fn of(config: &Config) -> anyhow::Result<Self> {
        let mail = &config.mail;
        let tls = match mail.security {
            MailSecurity::None => None,
            MailSecurity::Starttls | MailSecurity::Tls => Some(tls(config)?),
        };
        let credentials = (!mail.username.is_empty())
            .then(|| config.mail_password().map(|password| Credentials::new(mail.username.clone(), password)))
            .transpose()?;
        Ok(Self {
            host: mail.smtp_host.clone(),
            port: mail.smtp_port,
            security: mail.security,
            tls,
            credentials,
            hello: hello(&config.public_url()),
        })
    }

    /// Finds the server and brings a connection to where letters can be handed over.
    ///
    /// # Errors
    /// The last address's reason, or the refused login.
    pub(super) async fn dial(&self) -> anyhow::Result<AsyncSmtpConnection> {
        let mut failure = None;
        for address in self.addresses().await? {
            match self.greet(address).await {
                // One login, however many addresses: a wrong password must not lock the account.
                Ok(mut connection) => {
                    self.authenticate(&mut connection).await?;
                    return Ok(connection);
                }
                Err(error) => failure = Some(error.context(format!("mail server {address}"))),
            }
        }
        Err(failure.unwrap_or_else(|| anyhow!("the mail server has no address")))
    }

    /// Looks the server up.
    ///
    /// # Errors
    /// When the name has no address.
    pub(super) async fn addresses(&self) -> anyhow::Result<Vec<SocketAddr>> {
        let found = tokio::time::timeout(STEP, names::resolve(&self.host)).await;
        let mut found = found.map_err(|_| anyhow!("no answer from the name servers"))??;
        // Many a small server has an IPv6 address and no route for it.
        found.sort_by_key(IpAddr::is_ipv6);
        Ok(found.into_iter().map(|address| SocketAddr::new(address, self.port)).collect())
    }

    /// Connects, encrypts as configured and exchanges greetings.
    ///
    /// # Errors
    /// When the server does not answer, refuses, or is not the one its certificate must name.
    pub(super) async fn greet(&self, address: SocketAddr) -> anyhow::Result<AsyncSmtpConnection> {
        within(STEP, async {
            let from_the_first_byte = self.tls.clone().filter(|_| self.security == MailSecurity::Tls);
            let mut connection = AsyncSmtpConnection::connect_tokio1(
                address,
                Some(STEP),
                &self.hello,
                from_the_first_byte,
                None,
            )
            .await?;
            if let (MailSecurity::Starttls, Some(tls)) = (self.security, self.tls.clone()) {
                connection.starttls(tls, &self.hello).await?;
            }
            Ok(connection)
        })
        .await
    }

    /// Logs in, where the configuration names an account. Answers whether it does.
    ///
    /// # Errors
    /// When the server refuses the account or offers no way to log in.
    pub(super) async fn authenticate(&self, connection: &mut AsyncSmtpConnection) -> anyhow::Result<bool> {
        let Some(credentials) = &self.credentials else { return Ok(false) };
        within(STEP, connection.auth(DEFAULT_MECHANISMS, credentials))
            .await
            .context("logging in to the mail server")?;
        Ok(true)
    }

    /// Whether the connection is encrypted.
    pub(super) fn is_encrypted(&self) -> bool {
        self.tls.is_some()
    }
}

/// Hands one message over.
///
/// # Errors
/// [`Failure::Never`] when the server refused it for good, [`Failure::Later`] otherwise.
pub(super) async fn deliver(connection: &mut AsyncSmtpConnection, message: &Message) -> Result<(), Failure> {
    let bytes = message.formatted();
    let sending = connection.send(message.envelope(), &bytes);
    let error = match tokio::time::timeout(DELIVERY, sending).await {
        Ok(Ok(_)) => return Ok(()),
        Ok(Err(error)) => error,
        Err(_) => return Err(Failure::Later(format!("no answer within {} seconds", DELIVERY.as_secs()))),
    };
    let people: Vec<&str> = message.envelope().to().iter().map(|address| address.user()).collect();
    let reason = without_addresses(&told(&error), &people);
    if is_final(&error) { Err(Failure::Never(reason)) } else { Err(Failure::Later(reason)) }
}

/// A 5xx answer is final for the letter, but for those that complain of our login (RFC 4954): the
/// office can mend that, and then the letter leaves.
fn is_final(error: &SmtpError) -> bool {
    let code = error.status().map(u16::from);
    error.is_permanent() && !matches!(code, Some(530 | 534 | 535 | 538))
}

/// Takes out of a server's answer every word that holds an address or one of `people`.
pub(super) fn without_addresses(reason: &str, people: &[&str]) -> String {
    let people: Vec<String> = people.iter().map(|one| one.to_lowercase()).collect();
    let words = reason.split_whitespace().map(|word| {
        let lower = word.to_lowercase();
        let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
        let names_somebody = lower.contains('@') || people.iter().any(|one| one == bare || one == &lower);
        if names_somebody { "(address)" } else { word }
    });
    let reason = words.collect::<Vec<_>>().join(" ");
    reason.chars().filter(|c| !c.is_control()).take(LONGEST_REASON).collect()
}

/// Takes a step that must end in time.
///
/// # Errors
/// When it fails or does not.
pub(super) async fn within<T>(
    limit: Duration,
    step: impl Future<Output = Result<T, SmtpError>>,
) -> anyhow::Result<T> {
    match tokio::time::timeout(limit, step).await {
        Ok(answer) => answer.map_err(|error| anyhow!(told(&error))),
        Err(_) => Err(anyhow!("no answer within {} seconds", limit.as_secs())),
    }
}

/// What the server said, or the innermost cause: lettre wraps it in several "connection errors".
fn told(error: &SmtpError) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(cause) = innermost.source() {
        innermost = cause;
    }
    match error.status() {
        Some(code) => format!("the server answered {code} {innermost}"),
        None => innermost.to_string(),
    }
}

fn tls(config: &Config) -> anyhow::Result<TlsParameters> {
    let mut builder = TlsParameters::builder(config.mail.smtp_host.clone());
    if let Some(path) = &config.mail.ca_file {
        let told = || format!("mail.ca_file {}", path.display());
        let pem = std::fs::read(path).with_context(told)?;
        builder = builder.add_root_certificate(Certificate::from_pem(&pem).with_context(told)?);
    }
    builder.build().context("preparing TLS for the mail server")
}

/// The name we greet with: the public host, or its address as a literal (RFC 5321, 4.1.3).
fn hello(public_url: &str) -> ClientId {
    let host = public_url.split_once("://").map_or(public_url, |(_, rest)| rest);
    let host = host.split('/').next().unwrap_or(host);
    let host = match host.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => host,
    };
    match host.trim_start_matches('[').trim_end_matches(']').parse() {
        Ok(IpAddr::V4(address)) => ClientId::Ipv4(address),
        Ok(IpAddr::V6(address)) => ClientId::Ipv6(address),
        Err(_) => ClientId::Domain(host.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn we_greet_with_the_public_host() {
        let cases = [
            ("https://school.example", "school.example"),
            ("https://school.example:8443", "school.example"),
            ("http://127.0.0.1:8080", "[127.0.0.1]"),
            ("http://[2001:db8::1]:8080", "[IPv6:2001:db8::1]"),
            ("http://[2001:db8::1]", "[IPv6:2001:db8::1]"),
        ];
        for (url, expected) in cases {
            assert_eq!(hello(url).to_string(), expected, "{url}");
        }
    }

    #[test]
    fn a_kept_reason_names_nobody() {
        let cases = [
            (
                "permanent error (550): 5.1.1 <Mei.Tanaka@example.org>: user unknown",
                "permanent error (550): 5.1.1 (address) user unknown",
            ),
            ("550 no mailbox \"mei.tanaka\" here", "550 no mailbox (address) here"),
            ("mailbox of MEI.TANAKA: full\r\nsorry", "mailbox of (address) full sorry"),
        ];
        for (answer, kept) in cases {
            assert_eq!(without_addresses(answer, &["mei.tanaka"]), kept);
        }
        assert_eq!(without_addresses(&"x".repeat(999), &[]).len(), LONGEST_REASON);
    }
}
