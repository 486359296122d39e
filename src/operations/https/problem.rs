//! Explains refusals by the certificate authority, with remedies for a part-time operator.

use instant_acme::ChallengeType;

/// Why an order failed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum OrderProblem {
    /// The authority could not validate this server; retrying alone does not help.
    Refused(String),
    /// A network or authority failure.
    Unavailable(String),
}

impl OrderProblem {
    /// The reason, with the remedy.
    pub(super) fn into_reason(self) -> String {
        match self {
            Self::Refused(reason) | Self::Unavailable(reason) => reason,
        }
    }

    /// Classifies an error of the ACME library.
    pub(super) fn from_error(error: instant_acme::Error, name: &str, by: &ChallengeType) -> Self {
        match error {
            instant_acme::Error::Api(problem) => Self::from_document(&problem, name, by),
            instant_acme::Error::Timeout(_) => {
                Self::Unavailable("The certificate authority did not finish in time.".into())
            }
            error => Self::Unavailable(format!(
                "The certificate authority could not be reached: {}. If this stays so, check that this server \
                 may make outgoing connections to port 443.",
                with_causes(&error)
            )),
        }
    }

    /// Explains a problem document (RFC 8555, section 6.7).
    pub(super) fn from_document(problem: &instant_acme::Problem, name: &str, by: &ChallengeType) -> Self {
        let detail = problem.detail.as_deref().unwrap_or("it gave no reason").trim();
        let kind = kind(problem.r#type.as_deref().unwrap_or(""), detail);
        let port = if *by == ChallengeType::Http01 { 80 } else { 443 };
        let advice = match kind {
            "dns" => format!(
                "The name {name} does not resolve. Where the domain is registered, add an A record with this \
                 server's IPv4 address; add an AAAA record only if the server has an IPv6 address."
            ),
            "connection" => format!(
                "The certificate authority looked for {name} and could not connect to port {port}. Check that \
                 the A and AAAA records hold this server's addresses and no others, and that the ports 443 \
                 and 80 are open in the firewall and at the hosting company."
            ),
            "unauthorized" | "tls" | "incorrectResponse" => format!(
                "Something else answers for {name} on port {port}. Check that the A and AAAA records hold this \
                 server's addresses and no others, and that no proxy or content network stands before it."
            ),
            "caa" => format!(
                "A CAA record of the domain {name} forbids this certificate authority. Change or remove the \
                 record where the domain is registered."
            ),
            "rejectedIdentifier" | "unsupportedIdentifier" => format!(
                "The certificate authority gives no certificates for {name}. Check https.domain and \
                 https.aliases in the configuration."
            ),
            "invalidContact" | "unsupportedContact" => {
                "The certificate authority does not accept the address in https.email.".into()
            }
            "rateLimited" => {
                "The certificate authority asks us to wait: too many attempts were made for this name. There \
                 is nothing to do; the next attempt comes by itself."
                    .into()
            }
            _ => "The certificate authority failed.".into(),
        };
        let reason = format!("{advice} (The authority says: {detail})");
        match kind {
            "rateLimited" | "serverInternal" | "badNonce" | "" => Self::Unavailable(reason),
            _ => Self::Refused(reason),
        }
    }
}

/// The last part of the problem's type; where authorities differ in that, their message decides.
fn kind<'a>(of: &'a str, detail: &str) -> &'a str {
    let kind = of.rsplit(':').next().unwrap_or("");
    let says = |words: &str| detail.to_ascii_lowercase().contains(words);
    match kind {
        "unauthorized" | "malformed" | "tls" if says("resolve") || says("nxdomain") => "dns",
        "unauthorized" | "malformed" | "tls" if says("failed to connect") => "connection",
        kind => kind,
    }
}

/// The error with its causes, without repetitions.
fn with_causes(error: &instant_acme::Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_says_what_to_do_and_what_the_authority_said() {
        let table = [
            ("dns", "add an A record", true),
            ("connection", "connect to port 443", true),
            ("unauthorized", "Something else answers for school.example on port 443", true),
            ("caa", "CAA record", true),
            ("rejectedIdentifier", "https.domain", true),
            ("invalidContact", "https.email", true),
            ("rateLimited", "nothing to do", false),
            ("serverInternal", "The certificate authority failed", false),
        ];
        for (kind, part, is_refusal) in table {
            let problem = serde_json::from_value(serde_json::json!({
                "type": format!("urn:ietf:params:acme:error:{kind}"), "detail": "because", "status": 400,
            }));
            let problem =
                OrderProblem::from_document(&problem.unwrap(), "school.example", &ChallengeType::TlsAlpn01);
            assert_eq!(matches!(problem, OrderProblem::Refused(_)), is_refusal, "{kind}");
            let reason = problem.into_reason();
            assert!(reason.contains(part) && reason.ends_with("(The authority says: because)"), "{reason}");
        }
    }

    #[test]
    fn the_authoritys_message_decides_where_the_kind_is_vague() {
        assert_eq!(kind("urn:ietf:params:acme:error:malformed", "Could not resolve URL"), "dns");
        assert_eq!(
            kind("urn:ietf:params:acme:error:unauthorized", "Failed to connect to 1.2.3.4"),
            "connection"
        );
        assert_eq!(kind("urn:ietf:params:acme:error:unauthorized", "Invalid response: 404"), "unauthorized");
    }
}
