//! `[https]`: domain and certificate.

use std::fmt::Write;
use std::net::{Ipv6Addr, SocketAddr};
use std::path::PathBuf;

use super::secret;
use super::values::{self, PublicUrl};
use crate::base::email::Email;

/// `[::]` accepts IPv4 as well; 0.0.0.0 would not answer on the AAAA record, which a certificate authority tries first.
fn everywhere(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv6Addr::UNSPECIFIED, port))
}

section! {
    /// `[https]`; without a domain the server speaks plain HTTP only.
    pub struct Https {
        /// The school's host name, like `school.example`. Empty: plain HTTP only.
        pub domain: String = String::new(),
        /// Further host names, which redirect to `domain`.
        pub aliases: Vec<String> = Vec::new(),
        /// Contact address for the certificate authority, if any.
        #[serde(with = "values::optional")]
        pub email: Option<Email> = None,
        /// The address for HTTPS.
        pub listen: SocketAddr = everywhere(443),
        /// The address that redirects to HTTPS; `None` is written as `""`.
        #[serde(with = "values::optional_address")]
        pub redirect_listen: Option<SocketAddr> = Some(everywhere(80)),
        /// An existing certificate with its chain, in PEM form; then none is requested by ACME.
        pub cert_file: Option<PathBuf> = None,
        /// The private key of `cert_file`.
        pub key_file: Option<PathBuf> = None,
        /// The certificate authority's ACME directory.
        pub directory: String = instant_acme::LetsEncrypt::Production.url().into(),
        /// The directory for a dry run before a real order; empty for none.
        pub staging_directory: String = instant_acme::LetsEncrypt::Staging.url().into(),
        /// An additional root certificate in PEM form, to trust for the two directories.
        pub ca_file: Option<PathBuf> = None,
    }
}

impl Https {
    /// Whether the server terminates HTTPS itself.
    pub fn is_on(&self) -> bool {
        !self.domain.is_empty()
    }

    /// An existing certificate and its key: the configured files, or the credentials `tls_certificate` and `tls_key`;
    /// `None` when the certificate comes by ACME.
    pub fn files(&self) -> Option<(PathBuf, PathBuf)> {
        self.cert_source().zip(self.key_source())
    }

    fn cert_source(&self) -> Option<PathBuf> {
        secret(self.cert_file.as_deref(), "tls_certificate")
    }

    fn key_source(&self) -> Option<PathBuf> {
        secret(self.key_file.as_deref(), "tls_key")
    }

    /// Every host name of the certificate, the domain first.
    pub fn names(&self) -> Vec<String> {
        std::iter::once(&self.domain).chain(&self.aliases).cloned().collect()
    }

    /// Adds a line to `wrong` for each invalid key.
    pub(super) fn check(&self, public_url: Option<&PublicUrl>, plain_listen: SocketAddr, wrong: &mut String) {
        let mut say = |key: &str, rule: &str, found: &dyn std::fmt::Debug| {
            let _ = writeln!(wrong, "{key}: {rule} (found {found:?})");
        };
        if self.cert_source().is_some() != self.key_source().is_some() {
            say(
                "https.cert_file, https.key_file",
                "must be given together",
                &(&self.cert_file, &self.key_file),
            );
        }
        if !self.is_on() {
            if !self.aliases.is_empty() || self.cert_file.is_some() {
                say("https.domain", "must be given where other keys of [https] are", &self.domain);
            }
            return;
        }
        let rule = "must be a name like \"school.example\": no https://, no port, no path; letters outside a-z \
                    in their xn-- form";
        for (key, name) in std::iter::once(("https.domain", &self.domain))
            .chain(self.aliases.iter().map(|name| ("https.aliases", name)))
        {
            if !is_host_name(name) {
                say(key, rule, name);
            }
        }
        for (key, url) in [("directory", &self.directory), ("staging_directory", &self.staging_directory)] {
            let may_be_empty = key == "staging_directory" || self.files().is_some();
            if !(url.starts_with("https://") || may_be_empty && url.is_empty()) {
                say(&format!("https.{key}"), "must begin with https://", url);
            }
        }
        if let Some(redirect) = self.redirect_listen
            && redirect.port() == self.listen.port()
            && redirect.port() != 0
        {
            say("https.redirect_listen", "must have another port than https.listen", &redirect);
        }
        let own = format!("https://{}", self.domain);
        let is_own = |url: &PublicUrl| {
            url.as_str().strip_prefix(&own).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        };
        if let Some(public_url) = public_url.filter(|url| !is_own(url)) {
            say(
                "server.public_url",
                &format!("must be empty or {own} while https.domain is set"),
                &public_url.as_str(),
            );
        }
        if !plain_listen.ip().is_loopback() {
            let rule = "must stay on this machine (127.0.0.1) while https.domain is set: logins work over HTTPS \
                        only";
            say("server.listen", rule, &plain_listen);
        }
    }
}

/// Lower-case letters, digits and hyphens in labels of up to 63, at least two labels.
fn is_host_name(name: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let last = name.rsplit('.').next().unwrap_or("");
    name.len() <= 253
        && name.contains('.')
        && name.split('.').all(is_label)
        && last.bytes().any(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(change: impl FnOnce(&mut Https)) -> String {
        let mut settings = Https { domain: "school.example".into(), ..Https::default() };
        change(&mut settings);
        let mut wrong = String::new();
        settings.check(None, SocketAddr::from(([127, 0, 0, 1], 8080)), &mut wrong);
        wrong
    }

    #[test]
    fn every_wrong_key_is_named() {
        assert_eq!(wrong(|_| {}), "");
        type Change = fn(&mut Https);
        let cases: [(Change, &str); 9] = [
            (|https| https.domain = "https://school.example".into(), "https.domain: must be a name like"),
            (|https| https.domain = "school".into(), "https.domain"),
            (|https| https.domain = "192.0.2.7".into(), "https.domain"),
            (|https| https.domain = "School.example".into(), "https.domain"),
            (|https| https.aliases = vec!["www.school.example/".into()], "https.aliases"),
            (|https| https.directory = String::new(), "https.directory"),
            (|https| https.cert_file = Some("a.pem".into()), "https.key_file"),
            (|https| https.redirect_listen = Some(https.listen), "https.redirect_listen"),
            (
                |https| {
                    https.domain = String::new();
                    https.aliases = vec!["www.school.example".into()];
                },
                "https.domain: must be given",
            ),
        ];
        for (change, part) in cases {
            let problems = wrong(change);
            assert!(problems.contains(part) && problems.lines().count() == 1, "{part}: {problems}");
        }
    }

    #[test]
    fn the_plain_address_and_the_public_one_must_fit_the_domain() {
        let problems = |url: &str, listen: &str| {
            let settings = Https { domain: "school.example".into(), ..Https::default() };
            let mut wrong = String::new();
            settings.check(url.parse().ok().as_ref(), listen.parse().unwrap(), &mut wrong);
            wrong
        };
        assert_eq!(problems("https://school.example/", "[::1]:8080"), "");
        assert_eq!(problems("https://school.example:8443", "127.0.0.1:8080"), "");
        for (url, listen, key) in [
            ("http://school.example", "127.0.0.1:8080", "server.public_url"),
            ("https://school.example.org", "127.0.0.1:8080", "server.public_url"),
            ("", "0.0.0.0:8080", "server.listen"),
        ] {
            assert!(problems(url, listen).starts_with(key), "{url} {listen}");
        }
    }

    #[test]
    fn no_redirect_is_written_as_an_empty_text() {
        let settings: Https = toml::from_str("redirect_listen = \"\"").unwrap();
        assert_eq!(settings.redirect_listen, None);
        assert!(toml::to_string(&settings).unwrap().contains("redirect_listen = \"\""));
        assert!(toml::from_str::<Https>("redirect_listen = \"80\"").is_err());
    }
}
