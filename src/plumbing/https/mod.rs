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
mod settings;
mod store;
mod words;

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use axum::Router;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

pub use certificate::Facts;
pub use keyring::CHALLENGE_PROTOCOL;
pub use settings::Https;
pub use store::{Failure, Record};

use super::app::App;
use super::listener::{Door, Sockets};
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
pub fn record(data_dir: &Path) -> Record {
    Folder::of(data_dir).record()
}

/// What is known about the certificate, for `doctor` and for figures.
#[derive(Debug)]
pub struct State {
    /// The names it must hold.
    pub names: Vec<String>,
    /// What the certificate in use says; none while there is none.
    pub certificate: Option<Facts>,
    /// How the last attempts to renew it went.
    pub record: Record,
}

/// Reads the state out of the files; none without HTTPS. The server may be running.
///
/// # Errors
/// When the certificate's files cannot be read.
pub fn state(settings: &Https, data_dir: &Path) -> anyhow::Result<Option<State>> {
    if !settings.is_on() {
        return Ok(None);
    }
    let folder = Folder::of(data_dir);
    let loaded = match from_files(settings) {
        Some(loaded) => Some(loaded.context("https.cert_file")?),
        None => folder.certificate()?,
    };
    let certificate = loaded.map(|(_, facts)| facts);
    Ok(Some(State { names: settings.names(), certificate, record: record(data_dir) }))
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
