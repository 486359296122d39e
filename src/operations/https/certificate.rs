//! Reads names and dates from a certificate in DER form.
//!
//! Only what renewal and messages need. Validation is left to the visitor's browser.

use anyhow::{Context, anyhow, ensure};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use sha2::{Digest, Sha256};
use tokio_rustls::rustls::crypto::ring::sign::any_supported_type;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::sign::CertifiedKey;
use yasna::models::ObjectIdentifier;
use yasna::{ASN1Error, ASN1ErrorKind, ASN1Result, BERReader, Tag};

/// Names and dates of a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CertificateFacts {
    /// Host names.
    pub names: Vec<String>,
    /// Start of validity.
    pub not_before: Timestamp,
    /// End of validity.
    pub not_after: Timestamp,
    /// First bytes of its SHA-256, as an identifier.
    pub mark: u32,
}

impl CertificateFacts {
    /// When to renew: with a third of its lifetime left, or up to a thirtieth earlier, so that servers set up on the
    /// same day do not renew at the same time.
    pub fn renew_at(&self) -> Timestamp {
        let life = self.not_after.as_second() - self.not_before.as_second();
        // Derived from the certificate, so the time is the same after every restart.
        let jitter = (life / 30).max(0) * i64::from(self.mark % 1024) / 1024;
        let at = self.not_after.as_second() - life / 3 - jitter;
        Timestamp::from_second(at).unwrap_or(self.not_after)
    }

    /// Whether to warn about expiry: 14 days before, or in the last quarter of a short lifetime.
    pub fn is_ending(&self, now: Timestamp) -> bool {
        let life = self.not_after.duration_since(self.not_before);
        let margin = SignedDuration::from_hours(14 * 24).min(life / 4);
        now.as_second() >= self.not_after.as_second() - margin.as_secs()
    }

    /// Whether it covers all of these names; a wildcard matches one label.
    pub fn covers(&self, names: &[String]) -> bool {
        names.iter().all(|name| {
            let parent = name.split_once('.').map_or("", |(_, parent)| parent);
            self.names.iter().any(|own| own == name || own.strip_prefix("*.") == Some(parent))
        })
    }
}

/// Loads a certificate with its key for TLS, and its facts.
///
/// # Errors
/// When the PEM texts hold no certificate or no key, or they do not match.
pub fn load(certificate_pem: &[u8], key_pem: &[u8]) -> anyhow::Result<(CertifiedKey, CertificateFacts)> {
    let chain = CertificateDer::pem_slice_iter(certificate_pem)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| anyhow!("the certificate is not in PEM form: {error}"))?;
    let first = chain.first().context("there is no certificate in PEM form")?;
    let facts = read(first)?;
    let key = PrivateKeyDer::from_pem_slice(key_pem)
        .map_err(|error| anyhow!("there is no private key in PEM form: {error}"))?;
    let key = any_supported_type(&key).context("the private key is of an unknown kind")?;
    let certified = CertifiedKey::new(chain, key);
    certified.keys_match().context("the private key does not belong to the certificate")?;
    Ok((certified, facts))
}

fn read(der: &CertificateDer<'_>) -> anyhow::Result<CertificateFacts> {
    let (not_before, not_after, names) = yasna::parse_der(der, certificate)
        .map_err(|error| anyhow!("the certificate cannot be read: {:?}", error.kind()))?;
    ensure!(not_before < not_after, "the certificate's dates are in the wrong order");
    let digest = Sha256::digest(der);
    let mark = digest.iter().take(4).fold(0, |mark, byte| mark << 8 | u32::from(*byte));
    Ok(CertificateFacts { names, not_before, not_after, mark })
}

type Parts = (Timestamp, Timestamp, Vec<String>);

/// RFC 5280, section 4.1: `Certificate` and its `TBSCertificate`.
fn certificate(reader: BERReader<'_, '_>) -> ASN1Result<Parts> {
    reader.read_sequence(|certificate| {
        let parts = certificate.next().read_sequence(|body| {
            body.read_optional(|version| version.read_tagged(Tag::context(0), |value| value.read_u8()))?;
            // Serial number, signature algorithm, issuer.
            for _ in 0..3 {
                body.next().read_der()?;
            }
            let (from, until) =
                body.next().read_sequence(|validity| Ok((time(validity.next())?, time(validity.next())?)))?;
            // Subject, public key, and two obsolete identifiers.
            for _ in 0..2 {
                body.next().read_der()?;
            }
            for tag in [1, 2] {
                body.read_optional(|id| {
                    id.read_tagged_implicit(Tag::context(tag), |value| value.read_bitvec_bytes())
                })?;
            }
            let names = body.read_optional(|list| list.read_tagged(Tag::context(3), extensions))?;
            Ok((from, until, names.unwrap_or_default()))
        })?;
        // Signature algorithm, signature.
        for _ in 0..2 {
            certificate.next().read_der()?;
        }
        Ok(parts)
    })
}

fn time(reader: BERReader<'_, '_>) -> ASN1Result<Timestamp> {
    let instant = if reader.lookahead_tag()? == yasna::tags::TAG_UTCTIME {
        *reader.read_utctime()?.datetime()
    } else {
        *reader.read_generalized_time()?.datetime()
    };
    Timestamp::from_second(instant.unix_timestamp()).map_err(|_| ASN1Error::new(ASN1ErrorKind::Invalid))
}

/// Finds the subject alternative names among the extensions (section 4.2.1.6).
fn extensions(reader: BERReader<'_, '_>) -> ASN1Result<Vec<String>> {
    let alternative_names = ObjectIdentifier::from_slice(&[2, 5, 29, 17]);
    let mut names = Vec::new();
    reader.read_sequence_of(|extension| {
        extension.read_sequence(|extension| {
            let kind = extension.next().read_oid()?;
            extension.read_optional(|value| value.read_bool())?;
            let value = extension.next().read_bytes()?;
            if kind == alternative_names {
                names = yasna::parse_der(&value, general_names)?;
            }
            Ok(())
        })
    })?;
    Ok(names)
}

fn general_names(reader: BERReader<'_, '_>) -> ASN1Result<Vec<String>> {
    let host_name = Tag::context(2);
    let mut names = Vec::new();
    reader.read_sequence_of(|name| {
        if name.lookahead_tag()? == host_name {
            names.push(name.read_tagged_implicit(host_name, |value| value.read_ia5_string())?.to_lowercase());
        } else {
            name.read_der()?;
        }
        Ok(())
    })?;
    Ok(names)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A self-signed certificate and its key.
    pub(in crate::operations::https) fn self_signed(
        names: &[&str],
        from: &str,
        until: &str,
    ) -> (String, String) {
        let at = |text: &str| {
            let seconds = text.parse::<Timestamp>().unwrap().as_second();
            time::OffsetDateTime::from_unix_timestamp(seconds).unwrap()
        };
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = rcgen::CertificateParams::new(names).unwrap();
        (params.not_before, params.not_after) = (at(from), at(until));
        let key = rcgen::KeyPair::generate().unwrap();
        (params.self_signed(&key).unwrap().pem(), key.serialize_pem())
    }

    fn facts(names: &[&str], from: &str, until: &str) -> CertificateFacts {
        let (certificate, key) = self_signed(names, from, until);
        load(certificate.as_bytes(), key.as_bytes()).unwrap().1
    }

    #[test]
    fn names_and_dates_before_and_after_2050_are_read() {
        let found = facts(
            &["school.example", "www.school.example", "192.0.2.7"],
            "2026-11-21T15:00:00Z",
            "2027-02-19T14:59:59Z",
        );
        assert_eq!(found.names, ["school.example", "www.school.example"]);
        assert_eq!(found.not_before.to_string(), "2026-11-21T15:00:00Z");
        assert_eq!(found.not_after.to_string(), "2027-02-19T14:59:59Z");
        assert_eq!(
            facts(&["a.b"], "2049-01-01T00:00:00Z", "2051-01-01T00:00:00Z").not_after.to_string(),
            "2051-01-01T00:00:00Z"
        );
    }

    #[test]
    fn a_wrong_key_and_garbage_are_refused_with_a_message() {
        let (certificate, key) = self_signed(&["a.b"], "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z");
        let (_, other) = self_signed(&["a.b"], "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z");
        let error = |certificate: &str, key: &str| {
            format!("{:#}", load(certificate.as_bytes(), key.as_bytes()).unwrap_err())
        };
        assert!(error(&certificate, &other).contains("does not belong"));
        assert!(error("", &key).contains("no certificate"));
        assert!(error(&certificate, "").contains("no private key"));
        let der = CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap();
        for length in 0..der.len() {
            assert!(read(&CertificateDer::from(der[..length].to_vec())).is_err(), "cut after {length}");
        }
    }

    #[test]
    fn renewal_falls_on_the_last_third_and_a_little_earlier() {
        let ninety_days = facts(&["a.b"], "2026-01-01T00:00:00Z", "2026-04-01T00:00:00Z");
        let left = ninety_days.not_after.duration_since(ninety_days.renew_at()).as_hours();
        assert!((30 * 24..=33 * 24).contains(&left), "{left}");
        let six_days = facts(&["a.b"], "2026-01-01T00:00:00Z", "2026-01-07T00:00:00Z");
        let left = six_days.not_after.duration_since(six_days.renew_at()).as_hours();
        assert!((48..=53).contains(&left), "{left}");
    }

    #[test]
    fn the_end_is_announced_14_days_before_or_in_the_last_quarter_of_a_short_life() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let ninety_days = facts(&["a.b"], "2026-01-01T00:00:00Z", "2026-04-01T00:00:00Z");
        assert!(!ninety_days.is_ending(at("2026-03-17T23:59:59Z")));
        assert!(ninety_days.is_ending(at("2026-03-18T00:00:00Z")));
        let eight_days = facts(&["a.b"], "2026-01-01T00:00:00Z", "2026-01-09T00:00:00Z");
        assert!(!eight_days.is_ending(at("2026-01-06T23:59:59Z")));
        assert!(eight_days.is_ending(at("2026-01-07T00:00:00Z")));
    }

    #[test]
    fn a_wildcard_covers_one_label() {
        let found = facts(&["*.school.example"], "2026-01-01T00:00:00Z", "2026-04-01T00:00:00Z");
        let covers = |name: &str| found.covers(&[name.to_owned()]);
        assert!(covers("www.school.example"));
        assert!(!covers("school.example") && !covers("a.b.school.example"));
    }
}
