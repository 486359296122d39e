//! What the network shows to visitors and to the certificate authority; changed while it serves.
//!
//! A new certificate is put in with [`Keyring::wear`]; connections that are open keep theirs, the
//! next handshake sees the new one.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use anyhow::Context;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{DEFAULT_VERSIONS, ServerConfig};

use crate::web::listener::CHALLENGE_PROTOCOL;

/// The certificate in use and the answers to open challenges.
#[derive(Debug, Default)]
pub struct Keyring {
    worn: RwLock<Option<Arc<CertifiedKey>>>,
    /// Certificates that answer TLS-ALPN challenges, by host name.
    proofs: RwLock<HashMap<String, Arc<CertifiedKey>>>,
    /// Texts that answer HTTP challenges, by token.
    answers: RwLock<HashMap<String, String>>,
}

impl Keyring {
    /// Shows this certificate from the next handshake on.
    pub fn wear(&self, certificate: CertifiedKey) {
        *self.worn.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(certificate));
    }

    /// Whether there is a certificate to show.
    pub fn is_dressed(&self) -> bool {
        self.worn.read().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Answers TLS-ALPN challenges for a host name with this certificate.
    pub(super) fn prove(&self, name: &str, proof: CertifiedKey) {
        self.proofs.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), Arc::new(proof));
    }

    /// Answers the HTTP challenge with this token.
    pub(super) fn answer(&self, token: &str, text: &str) {
        let mut answers = self.answers.write().unwrap_or_else(PoisonError::into_inner);
        answers.insert(token.to_owned(), text.to_owned());
    }

    /// The text for an HTTP challenge, if it is open.
    pub(super) fn answer_to(&self, token: &str) -> Option<String> {
        self.answers.read().unwrap_or_else(PoisonError::into_inner).get(token).cloned()
    }

    /// Closes every challenge.
    pub(super) fn close_challenges(&self) {
        self.proofs.write().unwrap_or_else(PoisonError::into_inner).clear();
        self.answers.write().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl ResolvesServerCert for Keyring {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let is_challenge = hello.alpn().is_some_and(|mut offered| {
            offered.next() == Some(CHALLENGE_PROTOCOL) && offered.next().is_none()
        });
        if is_challenge {
            let proofs = self.proofs.read().unwrap_or_else(PoisonError::into_inner);
            return proofs.get(hello.server_name()?).cloned();
        }
        self.worn.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// How the listener speaks TLS: 1.2 and 1.3, HTTP/2 before HTTP/1.1.
///
/// # Errors
/// When the cryptography offers neither version, which would be a fault of the build.
pub fn server_config(keyring: Arc<Keyring>) -> anyhow::Result<Arc<ServerConfig>> {
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(DEFAULT_VERSIONS)
        .context("setting TLS up")?
        .with_no_client_auth()
        .with_cert_resolver(keyring);
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec(), CHALLENGE_PROTOCOL.to_vec()];
    Ok(Arc::new(config))
}
