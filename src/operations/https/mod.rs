//! Automatic HTTPS: orders, installs and renews a certificate.
//!
//! `manager` schedules, `acme` talks to the certificate authority (ACME, RFC 8555) through `http_client`, `problem`
//! explains refusals, `store` persists state, `keyring` holds the certificates for handshakes, and `redirect` sends
//! plain HTTP to HTTPS. A certificate can also come from files. Not supported: wildcards (they need the DNS challenge),
//! OCSP stapling (abandoned by the authorities), and a temporary self-signed certificate.

mod acme;
mod certificate;
mod emails;
mod http_client;
mod keyring;
mod manager;
mod problem;
mod redirect;
mod store;

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use axum::Router;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

pub use certificate::CertificateFacts;
pub use store::{RenewalFailure, RenewalRecord};

use crate::base::dates::date_in_words;
use crate::config::Https;
use crate::storage::data_dir::DataDir;
use crate::web::app::App;
use crate::web::listener::{Listener, Sockets};
use keyring::Keyring;
use manager::Manager;
use store::Folder;

/// HTTPS setup before the server accepts connections.
pub struct Setup {
    keyring: Arc<Keyring>,
    manager: Manager,
    wakeup: Arc<Notify>,
}

impl Setup {
    /// Loads the existing certificate, if any.
    ///
    /// # Errors
    /// When certificate files are configured and cannot be used.
    pub fn prepare(app: &App) -> anyhow::Result<Self> {
        let keyring = Arc::new(Keyring::default());
        let wakeup = Arc::new(Notify::new());
        let manager = Manager::new(app.clone(), keyring.clone(), wakeup.clone())?;
        Ok(Self { keyring, manager, wakeup })
    }

    /// The server's listeners: plain HTTP and, with a domain, HTTPS and the redirect.
    pub fn listeners(&self, sockets: Sockets, router: Router, app: &App) -> anyhow::Result<Vec<Listener>> {
        let mut listeners = vec![Listener::plain(sockets.plain, router.clone())];
        if let Some(socket) = sockets.https {
            let acceptor = TlsAcceptor::from(keyring::server_config(self.keyring.clone())?);
            let router = redirect::from_aliases(router, app.config.clone());
            listeners.push(Listener::tls(socket, acceptor, router));
        }
        if let Some(socket) = sockets.redirect {
            let router = redirect::router(self.keyring.clone(), app.config.clone());
            listeners.push(Listener::plain(socket, router));
        }
        Ok(listeners)
    }

    /// Wakes the certificate manager for an immediate check.
    pub fn renewal_wakeup(&self) -> Arc<Notify> {
        self.wakeup.clone()
    }

    /// Runs the certificate manager until `stop` turns true.
    pub fn run_manager(self, stop: watch::Receiver<bool>) -> JoinHandle<()> {
        tokio::spawn(self.manager.run(stop))
    }
}

/// Outcome of the last attempts, from their file; works beside a running server.
pub fn record(data_dir: &DataDir) -> RenewalRecord {
    Folder::new(data_dir).record()
}

/// State of the certificate, for `doctor` and metrics.
#[derive(Debug)]
pub struct CertificateState {
    /// Required names.
    pub names: Vec<String>,
    /// The certificate in use, if any.
    pub certificate: Option<CertificateFacts>,
    /// Whether it comes from files, which are renewed externally.
    pub is_from_files: bool,
    /// Outcome of the last renewals.
    pub record: RenewalRecord,
}

impl CertificateState {
    /// Describes the state: `Ok` while visitors are served, `Err` when the operator must act.
    ///
    /// # Errors
    /// The problem and the remedy.
    pub fn verdict(&self, now: Timestamp, zone: &TimeZone) -> Result<String, String> {
        let day = |at: Timestamp| date_in_words(at.to_zoned(zone.clone()).date());
        let names = self.names.join(", ");
        let reason = self.record.failure.as_ref().map(|failure| failure.reason.as_str());
        let why = reason.unwrap_or(if self.is_from_files {
            "Replace its files with newer ones, and restart the service if systemd hands them over."
        } else {
            "The server orders a new one by itself while it runs."
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

/// Reads the state from the files, `None` without HTTPS; works beside a running server.
pub fn state(settings: &Https, data_dir: &DataDir) -> anyhow::Result<Option<CertificateState>> {
    if !settings.is_on() {
        return Ok(None);
    }
    let folder = Folder::new(data_dir);
    let loaded = match from_files(settings) {
        Some(loaded) => Some(loaded.context("https.cert_file")?),
        None => folder.certificate()?,
    };
    Ok(Some(CertificateState {
        names: settings.names(),
        certificate: loaded.map(|(_, facts)| facts),
        is_from_files: settings.files().is_some(),
        record: record(data_dir),
    }))
}

/// The certificate from configured files, if any.
fn from_files(
    settings: &Https,
) -> Option<anyhow::Result<(tokio_rustls::rustls::sign::CertifiedKey, CertificateFacts)>> {
    let (certificate, key) = settings.files()?;
    let read = |path: &Path| std::fs::read(path).with_context(|| format!("reading {}", path.display()));
    Some((|| {
        let certificate_pem = read(&certificate)?;
        let key_pem = read(&key)?;
        certificate::load(&certificate_pem, &key_pem)
            .with_context(|| format!("{} with {}", certificate.display(), key.display()))
    })())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_finding_names_the_state_and_the_next_step() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let facts = CertificateFacts {
            names: vec!["school.example".into()],
            not_before: at("2026-01-01T12:00:00Z"),
            not_after: at("2026-04-01T12:00:00Z"),
            mark: 0,
        };
        let failure = RenewalFailure {
            since: at("2026-03-05T12:00:00Z"),
            last: at("2026-03-06T12:00:00Z"),
            attempts: 9,
            reason: "No server answers.".into(),
        };
        let verdict_of = |is_from_files,
                          names: &[&str],
                          certificate: Option<&CertificateFacts>,
                          failure: Option<&RenewalFailure>,
                          now: &str| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            let record = RenewalRecord { failure: failure.cloned(), warned_at: None };
            let certificate = certificate.cloned();
            CertificateState { names, certificate, is_from_files, record }.verdict(at(now), &TimeZone::UTC)
        };
        let verdict =
            |names: &[&str],
             certificate: Option<&CertificateFacts>,
             failure: Option<&RenewalFailure>,
             now: &str| { verdict_of(false, names, certificate, failure, now) };
        let own = &["school.example"];
        let good = Some(&facts);
        let bad = Some(&failure);
        let early = "2026-02-01T00:00:00Z";
        let late = "2026-03-25T00:00:00Z";
        let over = "2026-05-01T00:00:00Z";
        let ok = |text: &str| Ok(text.to_owned());
        let wrong = |text: &str| Err(text.to_owned());
        assert_eq!(verdict(own, good, None, early), ok("valid until April 1, 2026"));
        assert_eq!(
            verdict(own, good, bad, early),
            ok("valid until April 1, 2026; since March 5, 2026 renewing it fails: No server answers.")
        );
        assert_eq!(
            verdict(own, good, bad, late),
            wrong("The certificate for school.example expires on April 1, 2026. No server answers.")
        );
        assert_eq!(
            verdict(own, good, bad, over),
            wrong("The certificate for school.example expired on April 1, 2026. No server answers.")
        );
        assert_eq!(
            verdict(own, None, bad, early),
            wrong("There is no certificate for school.example yet. No server answers.")
        );
        assert!(
            verdict(&["other.example"], good, None, early)
                .unwrap_err()
                .contains("should be for other.example")
        );
    }
}
