//! HTTPS by itself: a certificate is asked for, shown, and renewed without anybody's help.
//!
//! The `keeper` decides when, `order` speaks to the certificate authority (ACME, RFC 8555) through
//! `client`, `store` keeps what must survive, and the `keyring` is what the network shows. Plain
//! HTTP leads to HTTPS by `redirect`. A certificate can come from files instead. Deliberately
//! absent: wildcards (they need the DNS challenge), OCSP stapling (the authorities gave it up), and a
//! self-made certificate while there is none.

mod certificate;
mod client;
mod keeper;
mod keyring;
mod order;
mod redirect;
mod store;
mod words;

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use axum::Router;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

pub use certificate::Facts;
pub use store::{Failure, Record};

use crate::config::Https;
use crate::storage::data_dir::DataDir;
use crate::web::app::App;
use crate::web::listener::{Door, Sockets};
use keeper::Keeper;
use keyring::Keyring;
use store::Folder;

/// HTTPS of a running school, before it is opened to the network.
pub struct Frontdoor {
    keyring: Arc<Keyring>,
    keeper: Keeper,
    bell: Arc<Notify>,
}

impl Frontdoor {
    /// Reads the certificate that is there, if any.
    ///
    /// # Errors
    /// When certificate files are configured and cannot be used.
    pub fn prepare(app: &App) -> anyhow::Result<Self> {
        let (keyring, bell) = (Arc::new(Keyring::default()), Arc::new(Notify::new()));
        let keeper = Keeper::new(app.clone(), keyring.clone(), bell.clone())?;
        Ok(Self { keyring, keeper, bell })
    }

    /// The doors of the school: plain HTTP, and with a domain HTTPS and the way there.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub fn doors(&self, sockets: Sockets, router: Router, app: &App) -> anyhow::Result<Vec<Door>> {
        let mut doors = vec![Door::plain(sockets.plain, router.clone())];
        if let Some(socket) = sockets.https {
            let acceptor = TlsAcceptor::from(keyring::server_config(self.keyring.clone())?);
            let router = redirect::from_aliases(router, app.config.clone());
            doors.push(Door::tls(socket, acceptor, router));
        }
        if let Some(socket) = sockets.redirect {
            let router = redirect::router(self.keyring.clone(), app.config.clone());
            doors.push(Door::plain(socket, router));
        }
        Ok(doors)
    }

    /// Rings for the keeper of the certificate, who otherwise looks at the clock now and then.
    pub fn bell(&self) -> Arc<Notify> {
        self.bell.clone()
    }

    /// Keeps the certificate in order until `stop` turns true.
    pub fn keep(self, stop: watch::Receiver<bool>) -> JoinHandle<()> {
        tokio::spawn(self.keeper.run(stop))
    }
}

/// How the last attempts went, out of their file. The server may be running.
pub fn record(data_dir: &DataDir) -> Record {
    Folder::of(data_dir).record()
}

/// What is known about the certificate, for `doctor` and for figures.
#[derive(Debug)]
pub struct State {
    /// The names it must hold.
    pub names: Vec<String>,
    /// What the certificate in use says; none while there is none.
    pub certificate: Option<Facts>,
    /// Whether it comes from files that somebody else renews.
    pub is_from_files: bool,
    /// How the last attempts to renew it went.
    pub record: Record,
}

impl State {
    /// How it stands, for people: `Ok` while visitors are served, `Err` when somebody must act.
    ///
    /// # Errors
    /// What is wrong and what to do about it.
    pub fn verdict(&self, now: Timestamp, zone: &TimeZone) -> Result<String, String> {
        let day = |at: Timestamp| at.to_zoned(zone.clone()).strftime("%B %-d, %Y").to_string();
        let names = self.names.join(", ");
        let reason = self.record.failure.as_ref().map(|failure| failure.reason.as_str());
        let why = reason.unwrap_or(if self.is_from_files {
            "Replace the files https.cert_file and https.key_file by newer ones."
        } else {
            "The server asks for a new one by itself while it serves."
        });
        let Some(facts) = &self.certificate else {
            return Err(format!("There is no certificate for {names} yet. {why}"));
        };
        let until = day(facts.not_after);
        if facts.not_after <= now {
            return Err(format!("The certificate for {names} expired on {until}. {why}"));
        }
        if !facts.covers(&self.names) {
            return Err(format!(
                "The certificate is for {}, and should be for {names}. {why}",
                facts.names.join(", ")
            ));
        }
        match reason {
            _ if facts.is_ending(now) && (reason.is_some() || self.is_from_files) => {
                Err(format!("The certificate for {names} expires on {until}. {why}"))
            }
            Some(reason) => Ok(format!(
                "valid until {until}; since {} renewing it fails: {reason}",
                self.record.failure.as_ref().map_or_else(String::new, |failure| day(failure.since))
            )),
            None => Ok(format!("valid until {until}")),
        }
    }
}

/// Reads the state out of the files; none without HTTPS. The server may be running.
///
/// # Errors
/// When the certificate's files cannot be read.
pub fn state(settings: &Https, data_dir: &DataDir) -> anyhow::Result<Option<State>> {
    if !settings.is_on() {
        return Ok(None);
    }
    let folder = Folder::of(data_dir);
    let loaded = match from_files(settings) {
        Some(loaded) => Some(loaded.context("https.cert_file")?),
        None => folder.certificate()?,
    };
    Ok(Some(State {
        names: settings.names(),
        certificate: loaded.map(|(_, facts)| facts),
        is_from_files: settings.cert_file.is_some(),
        record: record(data_dir),
    }))
}

/// The certificate of the configured files; none where no files are configured.
fn from_files(settings: &Https) -> Option<anyhow::Result<(tokio_rustls::rustls::sign::CertifiedKey, Facts)>> {
    let (certificate, key) = (settings.cert_file.as_ref()?, settings.key_file.as_ref()?);
    let read = |path: &Path| std::fs::read(path).with_context(|| format!("reading {}", path.display()));
    Some((|| {
        let (certificate_pem, key_pem) = (read(certificate)?, read(key)?);
        certificate::load(&certificate_pem, &key_pem)
            .with_context(|| format!("{} with {}", certificate.display(), key.display()))
    })())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_says_how_it_stands_and_what_to_do() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let facts = Facts {
            names: vec!["school.example".into()],
            not_before: at("2026-01-01T12:00:00Z"),
            not_after: at("2026-04-01T12:00:00Z"),
            mark: 0,
        };
        let failure = Failure {
            since: at("2026-03-05T12:00:00Z"),
            last: at("2026-03-06T12:00:00Z"),
            attempts: 9,
            reason: "Nobody answers.".into(),
        };
        let told_of = |is_from_files,
                       names: &[&str],
                       certificate: Option<&Facts>,
                       failure: Option<&Failure>,
                       now: &str| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            let record = Record { failure: failure.cloned(), warned_at: None };
            let certificate = certificate.cloned();
            State { names, certificate, is_from_files, record }.verdict(at(now), &TimeZone::UTC)
        };
        let told = |names: &[&str], certificate: Option<&Facts>, failure: Option<&Failure>, now: &str| {
            told_of(false, names, certificate, failure, now)
        };
        let (own, good, bad) = (&["school.example"], Some(&facts), Some(&failure));
        let (early, late, over) = ("2026-02-01T00:00:00Z", "2026-03-25T00:00:00Z", "2026-05-01T00:00:00Z");
        let ok = |text: &str| Ok(text.to_owned());
        let wrong = |text: &str| Err(text.to_owned());
        assert_eq!(told(own, good, None, early), ok("valid until April 1, 2026"));
        assert_eq!(
            told(own, good, bad, early),
            ok("valid until April 1, 2026; since March 5, 2026 renewing it fails: Nobody answers.")
        );
        assert_eq!(
            told(own, good, bad, late),
            wrong("The certificate for school.example expires on April 1, 2026. Nobody answers.")
        );
        assert_eq!(
            told(own, good, bad, over),
            wrong("The certificate for school.example expired on April 1, 2026. Nobody answers.")
        );
        assert_eq!(
            told(own, None, bad, early),
            wrong("There is no certificate for school.example yet. Nobody answers.")
        );
        assert!(
            told(&["other.example"], good, None, early).unwrap_err().contains("should be for other.example")
        );
    }
}
