//! The ACME client: account, validation of the host names, certificate.
//!
//! Validation uses the HTTPS port first (TLS-ALPN), which must be open anyway, then port 80 if this program listens
//! there; either is enough.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use instant_acme::{
    Account, AuthorizationStatus, ChallengeHandle, ChallengeType, Error, Identifier, NewAccount, NewOrder,
    Order, OrderStatus, RetryPolicy,
};
use tokio_rustls::rustls::crypto::ring::sign::any_supported_type;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::sign::CertifiedKey;

use super::http_client::AcmeHttpClient;
use super::keyring::Keyring;
use super::problem::OrderProblem;
use super::store::{self, Folder};
use crate::base::email::Email;

/// Time limit for the authority to validate all names, and again for issuing the certificate.
const POLL_POLICY: RetryPolicy = RetryPolicy::new().timeout(Duration::from_mins(2));

/// Settings of an order.
pub(super) struct AcmeClient {
    pub(super) client: AcmeHttpClient,
    pub(super) folder: Folder,
    pub(super) keyring: Arc<Keyring>,
    /// Every name of the certificate, the domain first.
    pub(super) names: Vec<String>,
    /// Contact address, if any.
    pub(super) email: Option<Email>,
    /// Whether this program listens on port 80.
    pub(super) has_port_80: bool,
}

/// A certificate with its chain, and its key.
pub(super) struct IssuedCertificate {
    pub(super) chain_pem: String,
    pub(super) key_pem: String,
}

impl AcmeClient {
    /// Validates the names without ordering a certificate.
    pub(super) async fn dry_run(&self, directory: &str) -> Result<(), OrderProblem> {
        self.validate(directory).await.map(drop)
    }

    /// Orders a certificate.
    pub(super) async fn order(&self, directory: &str) -> Result<IssuedCertificate, OrderProblem> {
        let (mut order, by) = self.validate(directory).await?;
        let problem = |error| OrderProblem::from_error(error, &self.names[0], &by);
        let key_pem = order.finalize().await.map_err(problem)?;
        let chain_pem = order.poll_certificate(&POLL_POLICY).await.map_err(problem)?;
        Ok(IssuedCertificate { chain_pem, key_pem })
    }

    /// Creates an order and validates its names with the first challenge type that works.
    async fn validate(&self, directory: &str) -> Result<(Order, ChallengeType), OrderProblem> {
        let by = ChallengeType::TlsAlpn01;
        let first = self.validate_by(directory, &by).await;
        self.keyring.close_challenges();
        let refused = match first {
            Ok(order) => return Ok((order, by)),
            Err(OrderProblem::Refused(reason)) if self.has_port_80 => reason,
            Err(problem) => return Err(problem),
        };
        let by = ChallengeType::Http01;
        let second = self.validate_by(directory, &by).await;
        self.keyring.close_challenges();
        match second {
            Ok(order) => {
                tracing::info!("validated on port 80, after port 443 was refused: {refused}");
                Ok((order, by))
            }
            // Report the refusal for the port that the website itself needs.
            Err(OrderProblem::Refused(_)) => Err(OrderProblem::Refused(refused)),
            Err(problem) => Err(problem),
        }
    }

    async fn validate_by(&self, directory: &str, by: &ChallengeType) -> Result<Order, OrderProblem> {
        let problem = |error| OrderProblem::from_error(error, &self.names[0], by);
        let mut order = self.begin(directory).await.map_err(problem)?;
        let mut authorizations = order.authorizations();
        while let Some(authorization) = authorizations.next().await {
            let mut authorization = authorization.map_err(problem)?;
            let name = authorization.identifier().to_string();
            if authorization.status == AuthorizationStatus::Valid {
                continue;
            }
            let Some(mut challenge) = authorization.challenge(by.clone()) else {
                return Err(OrderProblem::Refused(format!(
                    "The certificate authority does not offer the challenge {by:?} for {name}."
                )));
            };
            self.set_up(&name, &challenge)
                .map_err(|error| OrderProblem::Unavailable(format!("{error:#}")))?;
            challenge.set_ready().await.map_err(|error| OrderProblem::from_error(error, &name, by))?;
        }
        match order.poll_ready(&POLL_POLICY).await {
            Ok(OrderStatus::Ready) => Ok(order),
            Ok(_) | Err(Error::Api(_)) => Err(self.refusal(&mut order, by).await),
            Err(error) => Err(problem(error)),
        }
    }

    /// Creates an order, with a new account if the authority no longer knows the old one.
    async fn begin(&self, directory: &str) -> Result<Order, Error> {
        let identifiers: Vec<_> = self.names.iter().cloned().map(Identifier::Dns).collect();
        let new = NewOrder::new(&identifiers);
        if let Some(credentials) = self.folder.account(directory) {
            let account = Account::builder_with_http(Box::new(self.client.clone()))
                .from_credentials(credentials)
                .await?;
            match account.new_order(&new).await {
                Err(Error::Api(problem)) if is_about_the_account(problem.r#type.as_deref()) => {
                    tracing::warn!("the certificate authority does not know our account: {problem}");
                    self.folder.forget_account(directory).map_err(boxed)?;
                }
                order => return order,
            }
        }
        self.open_account(directory).await?.new_order(&new).await
    }

    async fn open_account(&self, directory: &str) -> Result<Account, Error> {
        let contact = self.email.as_ref().map(|email| format!("mailto:{email}"));
        let contact: Vec<_> = contact.iter().map(String::as_str).collect();
        let new =
            NewAccount { contact: &contact, terms_of_service_agreed: true, only_return_existing: false };
        let (account, credentials) = Account::builder_with_http(Box::new(self.client.clone()))
            .create(&new, directory.to_owned(), None)
            .await?;
        let kept = store::AcmeAccount { directory: directory.to_owned(), credentials };
        self.folder.save_account(&kept).map_err(boxed)?;
        Ok(account)
    }

    /// Publishes the response to a challenge.
    fn set_up(&self, name: &str, challenge: &ChallengeHandle<'_>) -> anyhow::Result<()> {
        let authorization = challenge.key_authorization();
        if challenge.r#type == ChallengeType::Http01 {
            self.keyring.add_http_challenge(&challenge.token, authorization.as_str());
            return Ok(());
        }
        let mut params = rcgen::CertificateParams::new(vec![name.to_owned()])?;
        params.custom_extensions =
            vec![rcgen::CustomExtension::new_acme_identifier(authorization.digest().as_ref())];
        let key = rcgen::KeyPair::generate()?;
        let certificate = params.self_signed(&key).context("making the challenge certificate")?;
        let key = any_supported_type(&PrivateKeyDer::Pkcs8(key.serialize_der().into()))?;
        self.keyring.add_tls_challenge(name, CertifiedKey::new(vec![certificate.der().clone()], key));
        Ok(())
    }

    /// Determines which name was refused, and why.
    async fn refusal(&self, order: &mut Order, by: &ChallengeType) -> OrderProblem {
        let mut authorizations = order.authorizations();
        while let Some(Ok(mut authorization)) = authorizations.next().await {
            let name = authorization.identifier().to_string();
            let Ok(state) = authorization.refresh().await else { continue };
            let problem = state.challenges.iter().find_map(|challenge| challenge.error.as_ref());
            if let Some(problem) = problem {
                return OrderProblem::from_document(problem, &name, by);
            }
        }
        OrderProblem::Unavailable("The certificate authority refused without a reason.".into())
    }
}

/// Whether the error means an unknown or closed account.
fn is_about_the_account(kind: Option<&str>) -> bool {
    kind.is_some_and(|kind| kind.ends_with(":accountDoesNotExist") || kind.ends_with(":unauthorized"))
}

fn boxed(error: anyhow::Error) -> Error {
    Error::Other(error.into_boxed_dyn_error())
}
