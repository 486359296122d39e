//! Certificates for TLS handshakes with visitors and the certificate authority, replaceable at runtime.
//!
//! A new certificate takes effect with [`Keyring::install`]; open connections keep the old one, new handshakes use the
//! new one. OWASP ASVS 5.0, V12.1 (TLS): `tests/asvs.md`.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use anyhow::Context;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{DEFAULT_VERSIONS, ServerConfig};

use crate::web::listener::CHALLENGE_PROTOCOL;

/// The certificate in use and the responses to open challenges.
#[derive(Debug, Default)]
pub struct Keyring {
    current: RwLock<Option<Arc<CertifiedKey>>>,
    /// Certificates for TLS-ALPN challenges, by host name.
    tls_challenges: RwLock<HashMap<String, Arc<CertifiedKey>>>,
    /// Responses to HTTP challenges, by token.
    http_challenges: RwLock<HashMap<String, String>>,
}

impl Keyring {
    /// Uses this certificate for new handshakes.
    pub fn install(&self, certificate: CertifiedKey) {
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(certificate));
    }

    /// Whether there is a certificate to use.
    pub fn has_certificate(&self) -> bool {
        self.current.read().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Adds the certificate for a host name's TLS-ALPN challenge.
    pub(super) fn add_tls_challenge(&self, name: &str, certificate: CertifiedKey) {
        self.tls_challenges
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(name.to_owned(), Arc::new(certificate));
    }

    /// Adds the response to the HTTP challenge with this token.
    pub(super) fn add_http_challenge(&self, token: &str, text: &str) {
        let mut challenges = self.http_challenges.write().unwrap_or_else(PoisonError::into_inner);
        challenges.insert(token.to_owned(), text.to_owned());
    }

    /// The response to an HTTP challenge, if it is open.
    pub(super) fn http_challenge(&self, token: &str) -> Option<String> {
        self.http_challenges.read().unwrap_or_else(PoisonError::into_inner).get(token).cloned()
    }

    /// Closes every challenge.
    pub(super) fn close_challenges(&self) {
        self.tls_challenges.write().unwrap_or_else(PoisonError::into_inner).clear();
        self.http_challenges.write().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl ResolvesServerCert for Keyring {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let is_challenge = hello.alpn().is_some_and(|mut offered| {
            offered.next() == Some(CHALLENGE_PROTOCOL) && offered.next().is_none()
        });
        if is_challenge {
            let tls_challenges = self.tls_challenges.read().unwrap_or_else(PoisonError::into_inner);
            return tls_challenges.get(hello.server_name()?).cloned();
        }
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// TLS settings: 1.2 and 1.3, HTTP/2 before HTTP/1.1.
///
/// # Errors
/// When the crypto provider supports neither version, which would be a build error.
pub fn server_config(keyring: Arc<Keyring>) -> anyhow::Result<Arc<ServerConfig>> {
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(DEFAULT_VERSIONS)
        .context("setting TLS up")?
        .with_no_client_auth()
        .with_cert_resolver(keyring);
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec(), CHALLENGE_PROTOCOL.to_vec()];
    Ok(Arc::new(config))
}
