//! SMTP client, step by step.
//!
//! It connects by address and passes the name to TLS: connecting by name would call `getaddrinfo` (see [`dns`]). Every
//! step has a deadline.

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use lettre::Message;
use lettre::address::Envelope;
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailParameter};
use tokio::net::TcpStream;

use super::reason::{describe, without_addresses};
use super::wire::LineStream;
use crate::base::dns;
use crate::config::{Config, MailSecurity};

/// Timeout of each step until the server is ready for an email.
pub(super) const STEP: Duration = Duration::from_secs(20);
/// Timeout of the reply to a sender, a recipient and DATA: a server may query the recipient's server first.
pub(super) const ANSWER: Duration = Duration::from_mins(1);
/// Timeout of the reply to a whole message: a server may scan it for spam first, and hanging up early leads to a second
/// delivery (RFC 5321, 4.5.3.2.6 recommends ten minutes).
pub(super) const LAST_ANSWER: Duration = Duration::from_mins(10);

/// Why an email was not delivered; reasons contain no addresses.
#[derive(Debug)]
pub(super) enum DeliveryError {
    /// The server is unavailable for all emails.
    Unreachable(String),
    /// The server refused the email temporarily.
    Later(String),
    /// The server refused the email permanently.
    Never(String),
}

/// The configured mail server.
pub(super) struct Relay {
    host: String,
    port: u16,
    security: MailSecurity,
    /// `None` only without encryption.
    tls: Option<TlsParameters>,
    credentials: Option<Credentials>,
    hello: ClientId,
}

impl Relay {
    /// Reads the configuration, including the current password and certificate files.
    ///
    /// # Errors
    /// When a file cannot be read or holds no certificate.
    pub(super) fn new(config: &Config) -> anyhow::Result<Self> {
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

    /// Connects to the server and logs in.
    ///
    /// # Errors
    /// Each address's reason, or the refused login.
    pub(super) async fn dial(&self) -> anyhow::Result<AsyncSmtpConnection> {
        let mut failures = Vec::new();
        for address in self.addresses().await? {
            match self.greet(address).await {
                // Only one login attempt for all addresses: a wrong password must not lock the account.
                Ok(mut connection) => {
                    self.authenticate(&mut connection).await?;
                    return Ok(connection);
                }
                Err(error) => failures.push(format!("{address}: {error:#}")),
            }
        }
        Err(anyhow!("The mail server cannot be used. {}", failures.join("; ")))
    }

    /// Looks the server up.
    ///
    /// # Errors
    /// When the name has no address.
    pub(super) async fn addresses(&self) -> anyhow::Result<Vec<SocketAddr>> {
        let found = tokio::time::timeout(STEP, dns::resolve(&self.host)).await;
        let mut found = found.map_err(|_| anyhow!("no answer from the name servers"))??;
        // Many small servers have an IPv6 address but no route.
        found.sort_by_key(IpAddr::is_ipv6);
        Ok(found.into_iter().map(|address| SocketAddr::new(address, self.port)).collect())
    }

    /// Connects, sets up TLS as configured and exchanges greetings.
    ///
    /// # Errors
    /// When the server does not respond, refuses, or has another certificate.
    pub(super) async fn greet(&self, address: SocketAddr) -> anyhow::Result<AsyncSmtpConnection> {
        if self.security == MailSecurity::Tls {
            let tls = self.tls.clone();
            let encrypted = AsyncSmtpConnection::connect_tokio1(address, Some(STEP), &self.hello, tls, None);
            return within(STEP, encrypted).await;
        }
        let stream = tokio::time::timeout(STEP, TcpStream::connect(address)).await;
        let stream = stream.map_err(|_| silent(STEP))?.map_err(|error| anyhow!("{error}"))?;
        // A message and its end are written separately: without this the end waits 40 ms for the acknowledgement each
        // time.
        let _ = stream.set_nodelay(true);
        let stream = LineStream(stream);
        within(STEP, async {
            let mut connection =
                AsyncSmtpConnection::connect_with_transport(Box::new(stream), &self.hello).await?;
            if let Some(tls) = self.tls.clone() {
                connection.starttls(tls, &self.hello).await?;
            }
            Ok(connection)
        })
        .await
    }

    /// Logs in, if an account is configured. Returns whether it is.
    ///
    /// # Errors
    /// When the server refuses the account or offers no way to log in.
    pub(super) async fn authenticate(&self, connection: &mut AsyncSmtpConnection) -> anyhow::Result<bool> {
        let Some(credentials) = &self.credentials else { return Ok(false) };
        within(STEP, connection.auth(DEFAULT_MECHANISMS, credentials))
            .await
            .context("The mail server did not let us log in")?;
        Ok(true)
    }

    /// Whether the connection is encrypted.
    pub(super) fn is_encrypted(&self) -> bool {
        self.tls.is_some()
    }
}

/// Delivers one message.
///
/// # Errors
/// [`DeliveryError::Never`] when the server refused it permanently, another error otherwise.
pub(super) async fn deliver(
    connection: &mut AsyncSmtpConnection,
    message: &Message,
) -> Result<(), DeliveryError> {
    let envelope = message.envelope();
    let people: Vec<&str> = envelope.to().iter().map(|address| address.user()).collect();
    let options = parameters(connection, envelope).map_err(DeliveryError::Never)?;
    let sender = Mail::new(envelope.from().cloned(), options);
    classify("the sender", &people, ANSWER, connection.command(sender)).await?;
    for recipient in envelope.to() {
        let recipient = Rcpt::new(recipient.clone(), Vec::new());
        classify("the recipient", &people, ANSWER, connection.command(recipient)).await?;
    }
    classify("the message", &people, ANSWER, connection.command(Data)).await?;
    let bytes = message.formatted();
    classify("the message", &people, LAST_ANSWER, connection.message(&bytes)).await
}

/// Parameters for MAIL FROM: internationalized addresses need SMTPUTF8.
///
/// # Errors
/// When this server does not support it.
pub(super) fn parameters(
    connection: &AsyncSmtpConnection,
    envelope: &Envelope,
) -> Result<Vec<MailParameter>, String> {
    let mut addresses = envelope.from().into_iter().chain(envelope.to());
    if addresses.all(|address| AsRef::<str>::as_ref(address).is_ascii()) {
        Ok(Vec::new())
    } else if connection.server_info().supports_feature(Extension::SmtpUtfEight) {
        Ok(vec![MailParameter::SmtpUtfEight])
    } else {
        Err("The mail server cannot write to addresses with letters beyond a to z (SMTPUTF8).".into())
    }
}

async fn classify<T>(
    what: &str,
    people: &[&str],
    limit: Duration,
    step: impl Future<Output = Result<T, SmtpError>>,
) -> Result<(), DeliveryError> {
    let error = match tokio::time::timeout(limit, step).await {
        Ok(Ok(_)) => return Ok(()),
        Ok(Err(error)) => error,
        Err(_) => {
            return Err(DeliveryError::Unreachable(format!(
                "The mail server stopped responding: {}",
                silent(limit)
            )));
        }
    };
    let code = error.status().map(u16::from);
    let verb = if code.is_some() { "refused" } else { "did not take" };
    let reason = without_addresses(&format!("The mail server {verb} {what}: {}", describe(&error)), people);
    Err(match code {
        // The server is shutting down (RFC 5321, 4.2.2).
        Some(421) => DeliveryError::Unreachable(reason),
        _ if is_final(&error) => DeliveryError::Never(reason),
        _ => DeliveryError::Later(reason),
    })
}

fn silent(limit: Duration) -> anyhow::Error {
    anyhow!("no answer within {} seconds", limit.as_secs())
}

/// A 5xx reply is final, except for those about the login (RFC 4954): the operator can fix that, and the email is sent
/// later.
fn is_final(error: &SmtpError) -> bool {
    let code = error.status().map(u16::from);
    error.is_permanent() && !matches!(code, Some(530 | 534 | 535 | 538))
}

/// Runs a step with a time limit.
///
/// # Errors
/// When it fails, or takes longer than `limit`.
pub(super) async fn within<T>(
    limit: Duration,
    step: impl Future<Output = Result<T, SmtpError>>,
) -> anyhow::Result<T> {
    match tokio::time::timeout(limit, step).await {
        Ok(answer) => answer.map_err(|error| anyhow!(describe(&error))),
        Err(_) => Err(silent(limit)),
    }
}

fn tls(config: &Config) -> anyhow::Result<TlsParameters> {
    let mut builder = TlsParameters::builder(config.mail.smtp_host.clone());
    if let Some(path) = &config.mail.ca_file {
        let context = || format!("mail.ca_file {}", path.display());
        let pem = std::fs::read(path).with_context(context)?;
        // lettre accepts any file, even without a certificate.
        ensure!(holds_certificate(&pem), "{}: the file holds no certificate in PEM form", context());
        builder = builder.add_root_certificate(Certificate::from_pem(&pem).with_context(context)?);
    }
    builder.build().context("preparing TLS for the mail server")
}

fn holds_certificate(pem: &[u8]) -> bool {
    String::from_utf8_lossy(pem).contains("-----BEGIN CERTIFICATE-----")
}

/// The name for EHLO: the public host, or an address literal (RFC 5321, 4.1.3).
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
}
