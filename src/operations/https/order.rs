//! One order at a certificate authority: account, proof that the names are ours, certificate.
//!
//! The proof is tried on the HTTPS port first (TLS-ALPN), which must be open anyway, and then on
//! port 80 where this program listens there; an order is a success if either door was found.

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

use super::client::Client;
use super::keyring::Keyring;
use super::store::{self, Folder};
use super::words::Trouble;
use crate::base::email::Email;

/// For the authority to look at every name, and again to make the certificate.
const PATIENCE: RetryPolicy = RetryPolicy::new().timeout(Duration::from_secs(120));

/// What an order needs to know.
pub(super) struct Clerk {
    pub(super) client: Client,
    pub(super) folder: Folder,
    pub(super) keyring: Arc<Keyring>,
    /// Every name of the certificate, the domain first.
    pub(super) names: Vec<String>,
    /// Where the authority may write to, if anywhere.
    pub(super) email: Option<Email>,
    /// Whether port 80 is ours to answer on.
    pub(super) has_plain_door: bool,
}

/// A certificate with its chain, and its key.
pub(super) struct Issued {
    pub(super) chain_pem: String,
    pub(super) key_pem: String,
}

impl Clerk {
    /// Has the names looked at, and asks for nothing.
    pub(super) async fn rehearse(&self, directory: &str) -> Result<(), Trouble> {
        self.prove(directory).await.map(drop)
    }

    /// Gets a certificate.
    pub(super) async fn order(&self, directory: &str) -> Result<Issued, Trouble> {
        let (mut order, by) = self.prove(directory).await?;
        let trouble = |error| Trouble::of(error, &self.names[0], &by);
        let key_pem = order.finalize().await.map_err(trouble)?;
        let chain_pem = order.poll_certificate(&PATIENCE).await.map_err(trouble)?;
        Ok(Issued { chain_pem, key_pem })
    }

    /// An order whose names are all proven, by the first door that works.
    async fn prove(&self, directory: &str) -> Result<(Order, ChallengeType), Trouble> {
        let by = ChallengeType::TlsAlpn01;
        let first = self.prove_by(directory, &by).await;
        self.keyring.close_challenges();
        let refused = match first {
            Ok(order) => return Ok((order, by)),
            Err(Trouble::Refused(reason)) if self.has_plain_door => reason,
            Err(trouble) => return Err(trouble),
        };
        let by = ChallengeType::Http01;
        let second = self.prove_by(directory, &by).await;
        self.keyring.close_challenges();
        match second {
            Ok(order) => {
                tracing::info!("proven on port 80, after port 443 was refused: {refused}");
                Ok((order, by))
            }
            // The first refusal is about the port that the website itself needs.
            Err(Trouble::Refused(_)) => Err(Trouble::Refused(refused)),
            Err(trouble) => Err(trouble),
        }
    }

    async fn prove_by(&self, directory: &str, by: &ChallengeType) -> Result<Order, Trouble> {
        let trouble = |error| Trouble::of(error, &self.names[0], by);
        let mut order = self.begin(directory).await.map_err(trouble)?;
        let mut authorizations = order.authorizations();
        while let Some(authorization) = authorizations.next().await {
            let mut authorization = authorization.map_err(trouble)?;
            let name = authorization.identifier().to_string();
            if authorization.status == AuthorizationStatus::Valid {
                continue;
            }
            let Some(mut challenge) = authorization.challenge(by.clone()) else {
                return Err(Trouble::Refused(format!(
                    "The certificate authority does not offer the proof {by:?} for {name}."
                )));
            };
            self.set_up(&name, &challenge).map_err(|error| Trouble::Unavailable(format!("{error:#}")))?;
            challenge.set_ready().await.map_err(|error| Trouble::of(error, &name, by))?;
        }
        match order.poll_ready(&PATIENCE).await {
            Ok(OrderStatus::Ready) => Ok(order),
            Ok(_) | Err(Error::Api(_)) => Err(self.refusal(&mut order, by).await),
            Err(error) => Err(trouble(error)),
        }
    }

    /// Begins an order, with a new account if the old one is unknown there.
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
        let kept = store::Account { directory: directory.to_owned(), credentials };
        self.folder.keep_account(&kept).map_err(boxed)?;
        Ok(account)
    }

    /// Puts the answer to a challenge where the authority will look.
    fn set_up(&self, name: &str, challenge: &ChallengeHandle<'_>) -> anyhow::Result<()> {
        let authorization = challenge.key_authorization();
        if challenge.r#type == ChallengeType::Http01 {
            self.keyring.answer(&challenge.token, authorization.as_str());
            return Ok(());
        }
        let mut params = rcgen::CertificateParams::new(vec![name.to_owned()])?;
        params.custom_extensions =
            vec![rcgen::CustomExtension::new_acme_identifier(authorization.digest().as_ref())];
        let key = rcgen::KeyPair::generate()?;
        let proof = params.self_signed(&key).context("making the proof")?;
        let key = any_supported_type(&PrivateKeyDer::Pkcs8(key.serialize_der().into()))?;
        self.keyring.prove(name, CertifiedKey::new(vec![proof.der().clone()], key));
        Ok(())
    }

    /// Finds out which name was refused, and why.
    async fn refusal(&self, order: &mut Order, by: &ChallengeType) -> Trouble {
        let mut authorizations = order.authorizations();
        while let Some(Ok(mut authorization)) = authorizations.next().await {
            let name = authorization.identifier().to_string();
            let Ok(state) = authorization.refresh().await else { continue };
            let problem = state.challenges.iter().find_map(|challenge| challenge.error.as_ref());
            if let Some(problem) = problem {
                return Trouble::told(problem, &name, by);
            }
        }
        Trouble::Unavailable("The certificate authority refused without a reason.".into())
    }
}

/// Whether the account is unknown there, or was closed.
fn is_about_the_account(kind: Option<&str>) -> bool {
    kind.is_some_and(|kind| kind.ends_with(":accountDoesNotExist") || kind.ends_with(":unauthorized"))
}

fn boxed(error: anyhow::Error) -> Error {
    Error::Other(error.into_boxed_dyn_error())
}
