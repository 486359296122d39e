//! One mail server, spoken to step by step.
//!
//! The connection is made by address and TLS is given the name: a connection by name would ask
//! `getaddrinfo` (see [`dns`]). Every step has a deadline.

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

/// For each step until the server is ready for an e-mail.
pub(super) const STEP: Duration = Duration::from_secs(20);
/// For the answer to a sender, a recipient and the beginning of a message: a server may ask the
/// recipient's own before it answers.
pub(super) const ANSWER: Duration = Duration::from_mins(1);
/// For the answer to a whole message: a server may search it for spam first, and hanging up too
/// early delivers it twice (RFC 5321, 4.5.3.2.6 asks for ten minutes).
pub(super) const LAST_ANSWER: Duration = Duration::from_mins(10);

/// Why an e-mail was not delivered; no reason holds anybody's address.
#[derive(Debug)]
pub(super) enum DeliveryError {
    /// The server cannot be used now, whatever the e-mail.
    Unreachable(String),
    /// The server does not want the e-mail now.
    Later(String),
    /// The server will never want the e-mail.
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

    /// Finds the server and brings a connection to where e-mails can be handed over.
    ///
    /// # Errors
    /// Each address's reason, or the refused login.
    pub(super) async fn dial(&self) -> anyhow::Result<AsyncSmtpConnection> {
        let mut failures = Vec::new();
        for address in self.addresses().await? {
            match self.greet(address).await {
                // One login, however many addresses: a wrong password must not lock the account.
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
        // Many a small server has an IPv6 address and no route for it.
        found.sort_by_key(IpAddr::is_ipv6);
        Ok(found.into_iter().map(|address| SocketAddr::new(address, self.port)).collect())
    }

    /// Connects, encrypts as configured and exchanges greetings.
    ///
    /// # Errors
    /// When the server does not answer, refuses, or is not the one its certificate must name.
    pub(super) async fn greet(&self, address: SocketAddr) -> anyhow::Result<AsyncSmtpConnection> {
        if self.security == MailSecurity::Tls {
            let tls = self.tls.clone();
            let encrypted = AsyncSmtpConnection::connect_tokio1(address, Some(STEP), &self.hello, tls, None);
            return within(STEP, encrypted).await;
        }
        let stream = tokio::time::timeout(STEP, TcpStream::connect(address)).await;
        let stream = stream.map_err(|_| silent(STEP))?.map_err(|error| anyhow!("{error}"))?;
        // A message and its end are written apart: without this the end waits 40 ms for an answer to
        // the message, each time.
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

    /// Logs in, where the configuration names an account. Returns whether it does.
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

/// Hands one message over.
///
/// # Errors
/// [`DeliveryError::Never`] when the server refused it for good, another one otherwise.
pub(super) async fn deliver(
    connection: &mut AsyncSmtpConnection,
    message: &Message,
) -> Result<(), DeliveryError> {
    let envelope = message.envelope();
    let people: Vec<&str> = envelope.to().iter().map(|address| address.user()).collect();
    let options = parameters(connection, envelope).map_err(DeliveryError::Never)?;
    let sender = Mail::new(envelope.from().cloned(), options);
    judge("the sender", &people, ANSWER, connection.command(sender)).await?;
    for recipient in envelope.to() {
        let recipient = Rcpt::new(recipient.clone(), Vec::new());
        judge("the recipient", &people, ANSWER, connection.command(recipient)).await?;
    }
    judge("the message", &people, ANSWER, connection.command(Data)).await?;
    let bytes = message.formatted();
    judge("the message", &people, LAST_ANSWER, connection.message(&bytes)).await
}

/// What must be said beside the sender: addresses in other scripts need a server that knows them.
///
/// # Errors
/// When this server does not.
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

async fn judge<T>(
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
                "The mail server fell silent: {}",
                silent(limit)
            )));
        }
    };
    let code = error.status().map(u16::from);
    let verb = if code.is_some() { "refused" } else { "did not take" };
    let reason = without_addresses(&format!("The mail server {verb} {what}: {}", describe(&error)), people);
    Err(match code {
        // It is closing down, whatever the e-mail (RFC 5321, 4.2.2).
        Some(421) => DeliveryError::Unreachable(reason),
        _ if is_final(&error) => DeliveryError::Never(reason),
        _ => DeliveryError::Later(reason),
    })
}

fn silent(limit: Duration) -> anyhow::Error {
    anyhow!("no answer within {} seconds", limit.as_secs())
}

/// A 5xx answer is final for the e-mail, but for those that complain of our login (RFC 4954): the
/// office can mend that, and then the e-mail leaves.
fn is_final(error: &SmtpError) -> bool {
    let code = error.status().map(u16::from);
    error.is_permanent() && !matches!(code, Some(530 | 534 | 535 | 538))
}

/// Takes a step that must end in time.
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
        // lettre takes any file and finds no certificate in it.
        ensure!(holds_certificate(&pem), "{}: the file holds no certificate in PEM form", context());
        builder = builder.add_root_certificate(Certificate::from_pem(&pem).with_context(context)?);
    }
    builder.build().context("preparing TLS for the mail server")
}

fn holds_certificate(pem: &[u8]) -> bool {
    String::from_utf8_lossy(pem).contains("-----BEGIN CERTIFICATE-----")
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
}
