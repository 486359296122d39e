//! HTTPS client for the certificate authority.
//!
//! instant-acme's own connector calls `getaddrinfo`, which crashes a static binary (see [`dns`]), so this connects by
//! address. An order takes a dozen requests every two months, so each uses a new connection.

use std::future::Future;
use std::net::IpAddr;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, Request, Uri, header};
use bytes::Bytes;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use instant_acme::{BodyWrapper, BytesResponse, Error, HttpClient};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, DEFAULT_VERSIONS, RootCertStore};

use crate::base::dns;

/// Time limit of a request with its response.
const DEADLINE: Duration = Duration::from_secs(30);
const CONNECT: Duration = Duration::from_secs(10);
/// Limit of a response; a certificate chain has about ten kilobytes.
const MAX_RESPONSE: usize = 1024 * 1024;

/// Client that trusts the public certificate authorities and, if configured, one more.
#[derive(Clone)]
pub(super) struct AcmeHttpClient(Arc<ClientConfig>);

impl AcmeHttpClient {
    /// Reads the extra root, if there is one.
    ///
    /// # Errors
    /// When its file cannot be read or holds no certificate.
    pub(super) fn new(ca_file: Option<&Path>) -> anyhow::Result<Self> {
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        if let Some(path) = ca_file {
            let mut read = || -> anyhow::Result<()> {
                let certificates = CertificateDer::pem_file_iter(path)?.collect::<Result<Vec<_>, _>>()?;
                let (added, _) = roots.add_parsable_certificates(certificates);
                ensure!(added > 0, "there is no certificate in PEM form");
                Ok(())
            };
            read().with_context(|| format!("https.ca_file {}", path.display()))?;
        }
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_protocol_versions(DEFAULT_VERSIONS)
            .context("setting TLS up")?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self(Arc::new(config)))
    }

    async fn send(self, mut request: Request<BodyWrapper<Bytes>>) -> anyhow::Result<BytesResponse> {
        let authority = request.uri().authority().context("an address without a host")?.clone();
        let stream = self.connect(authority.host(), authority.port_u16().unwrap_or(443)).await?;
        let host = HeaderValue::from_str(authority.as_str()).context("an unusable host")?;
        request.headers_mut().insert(header::HOST, host);
        let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
        *request.uri_mut() = path.parse::<Uri>().context("an unusable path")?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        let exchange = async {
            let (parts, body) = sender.send_request(request).await?.into_parts();
            let body = to_bytes(Body::new(body), MAX_RESPONSE).await.context("reading the response")?;
            anyhow::Ok(BytesResponse { parts, body: Box::new(body) })
        };
        let mut connection = std::pin::pin!(connection);
        let mut exchange = std::pin::pin!(exchange);
        // The connection must be polled during the exchange, and may end before the body is read.
        tokio::select! {
            response = &mut exchange => return response,
            ended = &mut connection => ended.context("the connection was closed early")?,
        }
        exchange.await
    }

    async fn connect(&self, host: &str, port: u16) -> anyhow::Result<TlsStream<TcpStream>> {
        let name =
            ServerName::try_from(host.trim_matches(['[', ']']).to_owned()).context("an unusable name")?;
        let mut addresses = dns::resolve(host).await?;
        // Many small servers have an IPv6 address but no route.
        addresses.sort_by_key(IpAddr::is_ipv6);
        // Report the first failure: IPv4's, if there is one.
        let mut failure = None;
        for address in addresses {
            let stream = match tokio::time::timeout(CONNECT, TcpStream::connect((address, port))).await {
                Ok(Ok(stream)) => stream,
                Ok(Err(error)) => {
                    let error = anyhow!("connecting to {host} ({address}, port {port}): {error}");
                    failure.get_or_insert(error);
                    continue;
                }
                Err(_) => {
                    failure.get_or_insert(anyhow!("{host} ({address}, port {port}) does not answer"));
                    continue;
                }
            };
            return TlsConnector::from(self.0.clone())
                .connect(name, stream)
                .await
                .with_context(|| format!("beginning TLS with {host} ({address}, port {port})"));
        }
        Err(failure.unwrap_or_else(|| anyhow!("{host} has no address")))
    }
}

impl HttpClient for AcmeHttpClient {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        let client = self.clone();
        Box::pin(async move {
            let response = tokio::time::timeout(DEADLINE, client.send(request)).await;
            let response =
                response.unwrap_or_else(|_| Err(anyhow!("no response within {} s", DEADLINE.as_secs())));
            response.map_err(|error| Error::Other(error.into_boxed_dyn_error()))
        })
    }
}
