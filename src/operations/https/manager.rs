//! Certificate manager: schedules orders, retries and warnings to administrators.
//!
//! It checks the clock every minute instead of sleeping until the next date, so that it reacts within a minute after a
//! suspend or a clock correction.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::sync::{Notify, watch};
use tokio_rustls::rustls::sign::CertifiedKey;

use super::acme::AcmeClient;
use super::certificate::{self, CertificateFacts};
use super::emails;
use super::from_files;
use super::http_client::AcmeHttpClient;
use super::keyring::Keyring;
use super::problem::OrderProblem;
use super::store::{Folder, RenewalFailure, RenewalRecord};
use crate::config::{ConfigError, Https};
use crate::mail::{Cause, outbox};
use crate::staff;
use crate::web::app::App;
use crate::web::listener::shutdown_requested;

const CHECK_INTERVAL: Duration = Duration::from_mins(1);
/// The pause after the first failure; it doubles with each further one.
const MIN_PAUSE: SignedDuration = SignedDuration::from_secs(60);
const MAX_PAUSE: SignedDuration = SignedDuration::from_hours(6);
/// Interval of warnings about the same problem.
const WARNING_INTERVAL: SignedDuration = SignedDuration::from_hours(24);

/// Keeps the certificate valid.
pub(super) struct Manager {
    app: App,
    keyring: Arc<Keyring>,
    wakeup: Arc<Notify>,
    folder: Folder,
    /// Facts of the current certificate.
    current: Option<CertificateFacts>,
    record: RenewalRecord,
    /// Failures since the start, so that after a restart, which often follows a repair, the first pauses are short.
    failures: u32,
}

impl Manager {
    /// Installs the existing certificate, if any.
    ///
    /// # Errors
    /// [`ConfigError`] when certificate files are configured and cannot be used.
    pub(super) fn new(app: App, keyring: Arc<Keyring>, wakeup: Arc<Notify>) -> anyhow::Result<Self> {
        let folder = Folder::new(&app.data_dir);
        let record = folder.record();
        let mut manager = Self { app, keyring, wakeup, folder, current: None, record, failures: 0 };
        if !manager.settings().is_on() {
            return Ok(manager);
        }
        let found = match from_files(manager.settings()) {
            Some(loaded) => Some(loaded.map_err(|error| ConfigError(format!("https.cert_file: {error:#}")))?),
            None => manager.folder.certificate().unwrap_or_else(|error| {
                tracing::warn!("the stored certificate is unusable; ordering a new one: {error:#}");
                None
            }),
        };
        let domain = &manager.settings().names()[..1];
        if let Some((certificate, facts)) = found.filter(|(_, facts)| facts.covers(domain)) {
            manager.install(certificate, facts);
        } else if manager.settings().files().is_some() {
            let problem =
                format!("https.cert_file: the certificate is not for {}", manager.settings().domain);
            return Err(ConfigError(problem).into());
        }
        Ok(manager)
    }

    /// Checks until `stop` turns true.
    pub(super) async fn run(mut self, mut stop: watch::Receiver<bool>) {
        if !self.settings().is_on() {
            return;
        }
        loop {
            tokio::select! {
                () = self.check() => {}
                () = shutdown_requested(&mut stop) => return,
            }
            tokio::select! {
                () = self.wakeup.notified() => {}
                () = tokio::time::sleep(CHECK_INTERVAL) => {}
                () = shutdown_requested(&mut stop) => return,
            }
        }
    }

    fn settings(&self) -> &Https {
        &self.app.config.https
    }

    fn install(&mut self, certificate: CertifiedKey, facts: CertificateFacts) {
        tracing::info!("the certificate for {} is valid until {}", facts.names.join(", "), facts.not_after);
        self.keyring.install(certificate);
        self.current = Some(facts);
    }

    async fn check(&mut self) {
        if self.settings().files().is_some() {
            self.reload_files().await;
        } else if self.is_due(self.app.clock.now()) {
            let outcome = self.obtain().await;
            self.record_outcome(outcome).await;
        }
        self.warn_of_expiry().await;
    }

    /// Whether to order a certificate now.
    fn is_due(&self, now: Timestamp) -> bool {
        let needs_one = self
            .current
            .as_ref()
            .is_none_or(|facts| facts.renew_at() <= now || !facts.covers(&self.settings().names()));
        let has_waited = self.record.failure.as_ref().is_none_or(|failure| {
            // A clock that was set back must not delay the next attempt for years.
            let waited = now.duration_since(failure.last);
            waited >= pause(self.failures) || waited.is_negative()
        });
        needs_one && has_waited
    }

    /// Orders a certificate. Unless the last attempt succeeded, a dry run comes first, because the production authority
    /// counts failures and then refuses for hours.
    async fn obtain(&self) -> Result<(CertifiedKey, CertificateFacts), String> {
        let settings = self.settings();
        let client =
            AcmeHttpClient::new(settings.ca_file.as_deref()).map_err(|error| format!("{error:#}"))?;
        let acme = AcmeClient {
            client,
            folder: self.folder.clone(),
            keyring: self.keyring.clone(),
            names: settings.names(),
            email: settings.email.clone(),
            has_port_80: settings.redirect_listen.is_some(),
        };
        let is_routine = self.current.is_some() && self.record.failure.is_none();
        if !is_routine && !settings.staging_directory.is_empty() {
            match acme.dry_run(&settings.staging_directory).await {
                Ok(()) => {
                    tracing::info!("the dry run for a certificate succeeded; ordering the real one");
                }
                Err(OrderProblem::Refused(reason)) => return Err(reason),
                // The production authority may be up while staging is down.
                Err(OrderProblem::Unavailable(reason)) => {
                    tracing::warn!("dry run for a certificate: {reason}");
                }
            }
        }
        let issued = acme.order(&settings.directory).await.map_err(OrderProblem::into_reason)?;
        let chain = issued.chain_pem;
        let key = issued.key_pem;
        let folder = self.folder.clone();
        let loaded = certificate::load(chain.as_bytes(), key.as_bytes())
            .map_err(|error| format!("The certificate authority sent something unusable: {error:#}"))?;
        on_disk(move || folder.save_certificate(&chain, &key)).await;
        Ok(loaded)
    }

    async fn record_outcome(&mut self, outcome: Result<(CertifiedKey, CertificateFacts), String>) {
        let now = self.app.clock.now();
        match outcome {
            Ok((certificate, facts)) => {
                let is_old = facts.renew_at() <= now;
                self.install(certificate, facts);
                if is_old {
                    // Otherwise it would be renewed every minute.
                    let reason = "The certificate is new but already due for renewal by this server's clock: correct the clock.";
                    self.failures += 1;
                    self.save_failure(reason.into(), now).await;
                    return;
                }
                self.failures = 0;
                self.save_record(RenewalRecord::default()).await;
            }
            Err(reason) => {
                self.failures += 1;
                let wait = pause(self.failures).as_mins();
                tracing::warn!("no certificate (the next attempt comes in {wait} min): {reason}");
                self.save_failure(reason, now).await;
            }
        }
    }

    async fn save_failure(&mut self, reason: String, now: Timestamp) {
        let (since, attempts) =
            self.record.failure.as_ref().map_or((now, 1), |before| (before.since, before.attempts + 1));
        let failure = Some(RenewalFailure { since, last: now, attempts, reason });
        self.save_record(RenewalRecord { failure, warned_at: self.record.warned_at }).await;
    }

    async fn save_record(&mut self, record: RenewalRecord) {
        self.record = record.clone();
        let folder = self.folder.clone();
        on_disk(move || folder.save_record(&record)).await;
    }

    /// Polls the files, as there is no notification when they are renewed (for example by certbot).
    async fn reload_files(&mut self) {
        let settings = self.settings().clone();
        let read = tokio::task::spawn_blocking(move || from_files(&settings)).await;
        let Ok(Some(loaded)) = read else { return };
        match loaded {
            Ok((_, facts)) if self.current.as_ref() == Some(&facts) => {
                if self.record.failure.is_some() {
                    self.save_record(RenewalRecord { failure: None, warned_at: self.record.warned_at }).await;
                }
            }
            Ok((certificate, facts)) if facts.covers(&self.settings().names()[..1]) => {
                self.install(certificate, facts);
                self.save_record(RenewalRecord::default()).await;
            }
            Ok(_) => self.refuse_files("it is for another domain".into()).await,
            // Probably half replaced; the next check finds both.
            Err(error) => self.refuse_files(format!("{error:#}")).await,
        }
    }

    async fn refuse_files(&mut self, why: String) {
        let reason = format!("The certificate in https.cert_file is not used: {why}.");
        if self.record.failure.as_ref().is_none_or(|failure| failure.reason != reason) {
            tracing::warn!("{reason} The previous one stays in use.");
            self.save_failure(reason, self.app.clock.now()).await;
        }
    }

    /// Emails the administrators once a day while a certificate is about to expire and renewal fails.
    async fn warn_of_expiry(&mut self) {
        let now = self.app.clock.now();
        let Some(facts) = self.current.clone().filter(|facts| facts.is_ending(now)) else { return };
        let reason = match (&self.record.failure, self.settings().files()) {
            (Some(failure), _) => failure.reason.clone(),
            (None, Some((file, _))) => format!(
                "The file {} was not replaced by a newer one. systemd reads its credentials only when the service starts.",
                file.display()
            ),
            (None, None) => return,
        };
        let is_fresh = |warned_at: Timestamp| {
            (SignedDuration::ZERO..WARNING_INTERVAL).contains(&now.duration_since(warned_at))
        };
        if self.record.warned_at.is_some_and(is_fresh) {
            return;
        }
        let config = self.app.config.clone();
        let domain = self.settings().domain.clone();
        let until = facts
            .not_after
            .to_zoned(config.school().zone())
            .strftime("%A, %B %-d, %Y, %-I:%M %p")
            .to_string();
        let has_expired = facts.not_after <= now;
        let queued = self.app.write_and_notify(move |connection| {
            for address in staff::store::admin_emails(connection)? {
                let message = emails::expiry(&address, &domain, &until, has_expired, &reason);
                outbox::enqueue(connection, &message, Cause::Office, &config, now)?;
            }
            Ok(())
        });
        match queued.await {
            Ok(()) => {
                self.save_record(RenewalRecord {
                    warned_at: Some(now),
                    failure: self.record.failure.clone(),
                })
                .await;
            }
            Err(error) => tracing::warn!("warning the administrators: {error:?}"),
        }
    }
}

/// Pause after this many failures.
fn pause(failures: u32) -> SignedDuration {
    let doublings = failures.clamp(1, 16) - 1;
    MAX_PAUSE.min(MIN_PAUSE * (1 << doublings))
}

/// Writes on a blocking thread. If the disk fails, the certificate stays in memory and is ordered again after the next
/// start.
async fn on_disk(write: impl FnOnce() -> anyhow::Result<()> + Send + 'static) {
    match tokio::task::spawn_blocking(write).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!("{error:#}"),
        Err(error) => tracing::warn!("writing into the folder https: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_doubles_from_a_minute_to_six_hours() {
        let minutes: Vec<i64> = (0..=12).map(|failures| pause(failures).as_mins()).collect();
        assert_eq!(minutes, [1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360]);
    }
}
