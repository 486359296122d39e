//! `schoolhouse mail-test`: delivers an email, reporting each step up to the first that fails.

use std::fmt::{self, Display, Formatter};
use std::net::SocketAddr;
use std::path::Path;

use anyhow::{Context, anyhow};
use jiff::Timestamp;
use lettre::Message;
use lettre::transport::smtp::client::AsyncSmtpConnection;
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use tokio::net::TcpStream;

use super::kind::Kind;
use super::message::EmailMessage;
use super::mime::compose;
use super::outbox::Outgoing;
use super::reason::advice;
use super::smtp::{ANSWER, LAST_ANSWER, Relay, STEP, parameters, within};
use super::{is_spooled, spool};
use crate::base::clock::Clock;
use crate::base::email::Email;
use crate::config::{Config, MailSecurity};

/// A step of a test with its outcome; displays as one line.
#[derive(Debug, PartialEq, Eq)]
pub struct Step {
    /// DNS, TCP, TLS, …
    pub name: &'static str,
    /// The result, or why it failed.
    pub outcome: Result<String, String>,
}

impl Display for Step {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.outcome {
            Ok(found) => write!(f, "ok      {:<13} {found}", self.name),
            Err(reason) => write!(f, "failed  {:<13} {reason}", self.name),
        }
    }
}

/// Sends a test email to `address`, reporting each step as it ends; stops at the first failure. Without a mail server
/// it writes the email into the folder `spool` and reports that.
///
/// # Errors
/// When a step failed; the reason has been reported, and the error has advice.
pub async fn test(
    config: &Config,
    spool: &Path,
    address: &Email,
    report: &mut dyn FnMut(&Step),
) -> anyhow::Result<()> {
    let mut reporter = Reporter { report, failed: None };
    // Only the date of the test email; nothing depends on it.
    let now = Clock::System.now();
    match prepare(config, address, now) {
        Err(error) => reporter.step("Email", Err(error)),
        Ok(message) if is_spooled(config) => write(&mut reporter, &message, spool, now),
        Ok(message) => send(&mut reporter, config, &message).await,
    };
    match reporter.failed {
        Some((name, reason)) => Err(anyhow!("the test stopped at {name}: {}", advice(name, &reason))),
        None => Ok(()),
    }
}

/// Reports a step's outcome and returns its value; `None` ends the test.
struct Reporter<'a> {
    report: &'a mut dyn FnMut(&Step),
    failed: Option<(&'static str, String)>,
}

impl Reporter<'_> {
    fn step<T>(&mut self, name: &'static str, outcome: anyhow::Result<(T, String)>) -> Option<T> {
        let (value, outcome) = match outcome {
            Ok((value, found)) => (Some(value), Ok(found)),
            Err(error) => (None, Err(format!("{error:#}"))),
        };
        if let Err(reason) = &outcome {
            self.failed = Some((name, reason.clone()));
        }
        (self.report)(&Step { name, outcome });
        value
    }
}

fn prepare(config: &Config, address: &Email, now: Timestamp) -> anyhow::Result<Message> {
    let message =
        EmailMessage::to(Kind::DeliveryTest, address, &format!("Test message from {}", config.school().name))
            .greeting(None)
            .paragraph(&format!(
                "This is a test. Mail from {} reaches you, and nothing needs to be done.",
                config.public_url()
            ));
    let outgoing = Outgoing::unqueued(&message, config, now).map_err(|error| anyhow!("{error}"))?;
    compose(&outgoing, None, config)
}

fn write(reporter: &mut Reporter<'_>, message: &Message, spool: &Path, now: Timestamp) -> Option<()> {
    let name = spool::file_name(now, "test");
    let written = spool::write(spool, &name, &message.formatted()).map(|path| {
        let found = format!(
            "no mail server is configured (mail.smtp_host); mail is written into a folder: {}",
            path.display()
        );
        ((), found)
    });
    reporter.step("File", written)
}

/// Performs the steps of a delivery up to the login; sends nothing.
///
/// # Errors
/// When a step failed; the reason has been reported, and the error has advice.
pub async fn probe(config: &Config, report: &mut dyn FnMut(&Step)) -> anyhow::Result<()> {
    let mut reporter = Reporter { report, failed: None };
    if let Some(mut connection) = connect(&mut reporter, config).await {
        let _ = within(STEP, connection.quit()).await;
    }
    match reporter.failed {
        Some((name, reason)) => Err(anyhow!("{}", advice(name, &reason))),
        None => Ok(()),
    }
}

async fn send(reporter: &mut Reporter<'_>, config: &Config, message: &Message) -> Option<()> {
    let mut connection = connect(reporter, config).await?;
    deliver(reporter, &mut connection, message).await
}

async fn connect(reporter: &mut Reporter<'_>, config: &Config) -> Option<AsyncSmtpConnection> {
    let relay = reporter.step("Configuration", configured(config))?;
    let addresses = reporter.step("DNS", look_up(&relay, config).await)?;
    let address = reporter.step("TCP", reach(&addresses).await)?;
    let protection = if relay.is_encrypted() { "TLS" } else { "Greeting" };
    let mut connection = reporter.step(protection, greet(&relay, address, config).await)?;
    reporter.step("AUTH", log_in(&relay, &mut connection, config).await)?;
    Some(connection)
}

fn configured(config: &Config) -> anyhow::Result<(Relay, String)> {
    let mail = &config.mail;
    let relay = Relay::new(config)?;
    Ok((relay, format!("{} port {}, {:?}", mail.smtp_host, mail.smtp_port, mail.security).to_lowercase()))
}

async fn look_up(relay: &Relay, config: &Config) -> anyhow::Result<(Vec<SocketAddr>, String)> {
    let addresses = relay.addresses().await?;
    let list = addresses.iter().map(|address| address.ip().to_string()).collect::<Vec<_>>().join(", ");
    let found = format!("{} is {list}", config.mail.smtp_host);
    Ok((addresses, found))
}

/// The first address that accepts a connection. It is closed again: the next step opens its own, because it may need
/// TLS from the first byte.
async fn reach(addresses: &[SocketAddr]) -> anyhow::Result<(SocketAddr, String)> {
    let mut failures = Vec::new();
    for address in addresses {
        match tokio::time::timeout(STEP, TcpStream::connect(address)).await {
            Ok(Ok(_)) => return Ok((*address, format!("connected to {address}"))),
            Ok(Err(error)) => failures.push(format!("{address}: {error}")),
            Err(_) => failures.push(format!("{address}: no answer within {} seconds", STEP.as_secs())),
        }
    }
    Err(anyhow!("{}", failures.join("; ")))
}

async fn greet(
    relay: &Relay,
    address: SocketAddr,
    config: &Config,
) -> anyhow::Result<(AsyncSmtpConnection, String)> {
    let connection =
        relay.greet(address).await.map_err(|error| match (address.port(), config.mail.security) {
            // A common mistake, which the server's error does not explain.
            (465, MailSecurity::Starttls | MailSecurity::None) => {
                anyhow!("{error:#} (port 465 speaks mail.security = \"tls\")")
            }
            (25 | 587, MailSecurity::Tls) => {
                anyhow!("{error:#} (port {} speaks mail.security = \"starttls\")", address.port())
            }
            _ => error,
        })?;
    let found = if relay.is_encrypted() {
        "encrypted, with a valid certificate"
    } else {
        "the server answers; the connection is not encrypted"
    };
    Ok((connection, found.into()))
}

async fn log_in(
    relay: &Relay,
    connection: &mut AsyncSmtpConnection,
    config: &Config,
) -> anyhow::Result<((), String)> {
    let found = if relay.authenticate(connection).await? {
        format!("logged in as {}", config.mail.username)
    } else {
        "no account is configured; none was needed so far".into()
    };
    Ok(((), found))
}

/// The delivery in separate steps, to distinguish a refused sender from a refused recipient.
async fn deliver(
    reporter: &mut Reporter<'_>,
    connection: &mut AsyncSmtpConnection,
    message: &Message,
) -> Option<()> {
    let envelope = message.envelope();
    let sender = envelope.from().map(ToString::to_string).unwrap_or_default();
    let said = match parameters(connection, envelope) {
        Ok(parameters) => {
            within(ANSWER, connection.command(Mail::new(envelope.from().cloned(), parameters))).await
        }
        Err(reason) => Err(anyhow!(reason)),
    };
    reporter.step("MAIL FROM", said.map(|_| ((), format!("{sender} may send"))))?;
    for recipient in envelope.to() {
        let said = within(ANSWER, connection.command(Rcpt::new(recipient.clone(), Vec::new()))).await;
        reporter.step("RCPT TO", said.map(|_| ((), format!("{recipient} is accepted"))))?;
    }
    let bytes = message.formatted();
    let said = async {
        within(ANSWER, connection.command(Data)).await.context("beginning the message")?;
        within(LAST_ANSWER, connection.message(&bytes)).await.context("ending the message")
    };
    let said = said.await.map(|answer| {
        let answer = answer.first_line().unwrap_or("accepted").to_owned();
        ((), format!("the server accepted the message: {answer}"))
    });
    reporter.step("DATA", said)?;
    // The message is delivered even if QUIT fails.
    let _ = within(STEP, connection.quit()).await;
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn steps(config: &Config, spool: &Path) -> (bool, Vec<Step>) {
        let mut seen = Vec::new();
        let address = Email::parse("it@example.org").unwrap();
        let done = test(config, spool, &address, &mut |step| {
            seen.push(Step { name: step.name, outcome: step.outcome.clone() });
        })
        .await;
        (done.is_ok(), seen)
    }

    #[tokio::test]
    async fn without_a_mail_server_the_test_says_where_mail_goes() {
        let folder = tempfile::tempdir().unwrap();
        let (done, seen) = steps(&Config::default(), folder.path()).await;
        assert!(done);
        let written = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        assert!(written.to_str().unwrap().ends_with("-test.eml"));
        assert!(seen[0].to_string().contains(written.to_str().unwrap()), "{seen:?}");
    }

    #[tokio::test]
    async fn the_test_stops_at_the_first_step_that_fails() {
        let folder = tempfile::tempdir().unwrap();
        // A free port without a listener.
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let mut config = Config::default();
        config.mail.smtp_host = "127.0.0.1".into();
        config.mail.smtp_port = free.port();
        let (done, seen) = steps(&config, folder.path()).await;
        let names: Vec<_> = seen.iter().map(|step| (step.name, step.outcome.is_ok())).collect();
        assert!(!done);
        assert_eq!(names, [("Configuration", true), ("DNS", true), ("TCP", false)]);
    }
}
