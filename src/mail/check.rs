//! `schoolhouse mail-test`: the way of a letter, told step by step up to the first that fails.

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
use super::letter::Letter;
use super::message::compose;
use super::outbox::{Outgoing, draw_message_id};
use super::reason::advice;
use super::smtp::{ANSWER, LAST_ANSWER, Relay, STEP, parameters, within};
use super::{is_spooled, spool};
use crate::base::clock::Clock;
use crate::base::email::Email;
use crate::config::{Config, MailSecurity};

/// One step of a test and how it went; displays itself as one line for a person.
#[derive(Debug, PartialEq, Eq)]
pub struct Step {
    /// DNS, TCP, TLS, …
    pub name: &'static str,
    /// What was found, or why it failed.
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

/// Sends a test letter to `address`, telling each step as it ends; stops at the first failure.
/// Without a mail server it writes the letter into the folder `spool` and says so.
///
/// # Errors
/// When a step failed; its reason has been told, and the error says what to do next.
pub async fn test(
    config: &Config,
    spool: &Path,
    address: &Email,
    tell: &mut dyn FnMut(&Step),
) -> anyhow::Result<()> {
    let mut teller = Teller { tell, failed: None };
    // Nothing is decided by this instant; it dates the letter of whoever sits at the terminal.
    let now = Clock::System.now();
    match prepare(config, address, now) {
        Err(error) => teller.step("Letter", Err(error)),
        Ok(message) if is_spooled(config) => write(&mut teller, &message, spool, now),
        Ok(message) => send(&mut teller, config, &message).await,
    };
    match teller.failed {
        Some((name, reason)) => Err(anyhow!("the test stopped at {name}: {}", advice(name, &reason))),
        None => Ok(()),
    }
}

/// Tells a step's outcome and hands its value on; none ends the test.
struct Teller<'a> {
    tell: &'a mut dyn FnMut(&Step),
    failed: Option<(&'static str, String)>,
}

impl Teller<'_> {
    fn step<T>(&mut self, name: &'static str, outcome: anyhow::Result<(T, String)>) -> Option<T> {
        let (value, outcome) = match outcome {
            Ok((value, found)) => (Some(value), Ok(found)),
            Err(error) => (None, Err(format!("{error:#}"))),
        };
        if let Err(reason) = &outcome {
            self.failed = Some((name, reason.clone()));
        }
        (self.tell)(&Step { name, outcome });
        value
    }
}

fn prepare(config: &Config, address: &Email, now: Timestamp) -> anyhow::Result<Message> {
    let letter =
        Letter::to(Kind::DeliveryTest, address, &format!("Test message from {}", config.school.name))
            .greeting(None)
            .paragraph(&format!(
                "This is a test. Mail from {} reaches you, and nothing needs to be done.",
                config.public_url()
            ));
    let bodies = letter.render(&config.school).map_err(|error| anyhow!("{error}"))?;
    let outgoing = Outgoing {
        id: 0,
        message_id: draw_message_id(&config.school).map_err(|error| anyhow!("{error}"))?,
        recipient: address.as_str().to_owned(),
        reply_to: None,
        subject: letter.subject().to_owned(),
        text: bodies.text,
        html: bodies.html,
        created_at: now,
    };
    compose(&outgoing, config)
}

fn write(teller: &mut Teller<'_>, message: &Message, spool: &Path, now: Timestamp) -> Option<()> {
    let name = spool::file_name(now, "test");
    let written = spool::write(spool, &name, &message.formatted()).map(|path| {
        let told = format!(
            "no mail server is configured (mail.smtp_host); mail is written into a folder: {}",
            path.display()
        );
        ((), told)
    });
    teller.step("File", written)
}

/// Goes the way of a letter up to the account and turns back; nothing is sent.
///
/// # Errors
/// When a step failed; its reason has been told, and the error says what to do next.
pub async fn knock(config: &Config, tell: &mut dyn FnMut(&Step)) -> anyhow::Result<()> {
    let mut teller = Teller { tell, failed: None };
    if let Some(mut connection) = connect(&mut teller, config).await {
        let _ = within(STEP, connection.quit()).await;
    }
    match teller.failed {
        Some((name, reason)) => Err(anyhow!("{}", advice(name, &reason))),
        None => Ok(()),
    }
}

async fn send(teller: &mut Teller<'_>, config: &Config, message: &Message) -> Option<()> {
    let mut connection = connect(teller, config).await?;
    deliver(teller, &mut connection, message).await
}

async fn connect(teller: &mut Teller<'_>, config: &Config) -> Option<AsyncSmtpConnection> {
    let relay = teller.step("Configuration", configured(config))?;
    let addresses = teller.step("DNS", look_up(&relay, config).await)?;
    let address = teller.step("TCP", reach(&addresses).await)?;
    let protection = if relay.is_encrypted() { "TLS" } else { "Greeting" };
    let mut connection = teller.step(protection, greet(&relay, address, config).await)?;
    teller.step("AUTH", log_in(&relay, &mut connection, config).await)?;
    Some(connection)
}

fn configured(config: &Config) -> anyhow::Result<(Relay, String)> {
    let mail = &config.mail;
    let relay = Relay::of(config)?;
    Ok((relay, format!("{} port {}, {:?}", mail.smtp_host, mail.smtp_port, mail.security).to_lowercase()))
}

async fn look_up(relay: &Relay, config: &Config) -> anyhow::Result<(Vec<SocketAddr>, String)> {
    let addresses = relay.addresses().await?;
    let told = addresses.iter().map(|address| address.ip().to_string()).collect::<Vec<_>>().join(", ");
    let told = format!("{} is {told}", config.mail.smtp_host);
    Ok((addresses, told))
}

/// The first address that takes a connection. It is closed again: the next step makes its own,
/// because TLS from the first byte cannot be laid over this one.
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
            // The mix-up everybody makes once; the server's side of it explains nothing.
            (465, MailSecurity::Starttls | MailSecurity::None) => {
                anyhow!("{error:#} (port 465 speaks mail.security = \"tls\")")
            }
            (25 | 587, MailSecurity::Tls) => {
                anyhow!("{error:#} (port {} speaks mail.security = \"starttls\")", address.port())
            }
            _ => error,
        })?;
    let told = if relay.is_encrypted() {
        "encrypted, and the certificate is right"
    } else {
        "the server answers; the connection is not encrypted"
    };
    Ok((connection, told.into()))
}

async fn log_in(
    relay: &Relay,
    connection: &mut AsyncSmtpConnection,
    config: &Config,
) -> anyhow::Result<((), String)> {
    let told = if relay.authenticate(connection).await? {
        format!("logged in as {}", config.mail.username)
    } else {
        "no account is configured; not needed so far".into()
    };
    Ok(((), told))
}

/// The delivery in its parts, so that a refused sender is told from a refused recipient.
async fn deliver(
    teller: &mut Teller<'_>,
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
    teller.step("MAIL FROM", said.map(|_| ((), format!("{sender} may send"))))?;
    for recipient in envelope.to() {
        let said = within(ANSWER, connection.command(Rcpt::new(recipient.clone(), Vec::new()))).await;
        teller.step("RCPT TO", said.map(|_| ((), format!("{recipient} is accepted"))))?;
    }
    let bytes = message.formatted();
    let said = async {
        within(ANSWER, connection.command(Data)).await.context("beginning the message")?;
        within(LAST_ANSWER, connection.message(&bytes)).await.context("ending the message")
    };
    let said = said.await.map(|answer| {
        let answer = answer.first_line().unwrap_or("accepted").to_owned();
        ((), format!("the server took the message: {answer}"))
    });
    teller.step("DATA", said)?;
    // The message is delivered, whatever becomes of the farewell.
    let _ = within(STEP, connection.quit()).await;
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn steps(config: &Config, spool: &Path) -> (bool, Vec<Step>) {
        let mut told = Vec::new();
        let address = Email::parse("it@example.org").unwrap();
        let done = test(config, spool, &address, &mut |step| {
            told.push(Step { name: step.name, outcome: step.outcome.clone() });
        })
        .await;
        (done.is_ok(), told)
    }

    #[tokio::test]
    async fn without_a_mail_server_the_test_says_where_mail_goes() {
        let folder = tempfile::tempdir().unwrap();
        let (done, told) = steps(&Config::default(), folder.path()).await;
        assert!(done);
        let written = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        assert!(written.to_str().unwrap().ends_with("-test.eml"));
        assert!(told[0].to_string().contains(written.to_str().unwrap()), "{told:?}");
    }

    #[tokio::test]
    async fn the_test_stops_at_the_first_step_that_fails() {
        let folder = tempfile::tempdir().unwrap();
        // A port that was free a moment ago and that nobody listens on.
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let mut config = Config::default();
        config.mail.smtp_host = "127.0.0.1".into();
        config.mail.smtp_port = free.port();
        let (done, told) = steps(&config, folder.path()).await;
        let names: Vec<_> = told.iter().map(|step| (step.name, step.outcome.is_ok())).collect();
        assert!(!done);
        assert_eq!(names, [("Configuration", true), ("DNS", true), ("TCP", false)]);
    }
}
