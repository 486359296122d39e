//! Reasons for failed deliveries: stored with the email for the office, and reported by `mail-test`.

use lettre::transport::smtp::Error as SmtpError;

/// Maximum length of a stored reason, in characters.
const MAX_CHARACTERS: usize = 500;

/// Explanations and advice for parts of TLS library errors.
const HINTS: [(&str, &str); 8] = [
    (
        "not valid for name",
        "the certificate belongs to another server; put the name it was issued for into mail.smtp_host",
    ),
    (
        "UnknownIssuer",
        "the certificate is not signed by an authority this program trusts; for your own mail server, name its \
         certificate in mail.ca_file",
    ),
    (
        "CaUsedAsEndEntity",
        "the mail server shows an authority's certificate (CA:TRUE) as its own; make one with \
         \"basicConstraints = CA:FALSE\" and name that in mail.ca_file",
    ),
    ("certificate expired", "the certificate has expired: the operator of the mail server must renew it"),
    ("certificate not valid yet", "the certificate is not valid yet: check the clock of this machine"),
    (
        "corrupt message of type InvalidContentType",
        "what came is not encrypted: either the port does not fit mail.security (\"tls\" with 465, \
         \"starttls\" with 587), or the connection is being tampered with",
    ),
    (
        "STARTTLS is not supported",
        "the server offers no encryption on this port: try port 465 with mail.security = \"tls\"",
    ),
    (
        "No compatible authentication mechanism",
        "the server offers no login that is understood here (PLAIN or LOGIN): clear mail.username if it \
         needs none, or check mail.security and mail.smtp_port",
    ),
];

/// The server's response, or the innermost cause, which lettre wraps in several "connection errors"; with advice if
/// available.
pub(super) fn describe(error: &SmtpError) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(cause) = innermost.source() {
        innermost = cause;
    }
    match error.status() {
        Some(code) => format!("the server answered {code} {innermost}"),
        None => with_hint(&innermost.to_string()),
    }
}

fn with_hint(words: &str) -> String {
    match HINTS.into_iter().find(|(part, _)| words.contains(part)) {
        Some((_, hint)) => format!("{hint} ({words})"),
        // Errors of lettre and tokio for a connection that ends in the middle of a response.
        None if words == "incomplete response" || words.is_empty() => "the server hung up".to_owned(),
        None => words.to_owned(),
    }
}

/// Advice when `mail-test` stopped at a step for this reason.
pub(super) fn advice(step: &str, reason: &str) -> &'static str {
    let says = |part: &str| reason.to_lowercase().contains(part);
    match step {
        "Configuration" => "correct the [mail] section of the configuration",
        "DNS" => "check the spelling of mail.smtp_host, and whether this machine can look up names at all",
        "TCP" => {
            "check mail.smtp_host and mail.smtp_port; a firewall or the hosting company may block the port (25 \
             often, 587 and 465 seldom)"
        }
        "TLS" | "Greeting" if says("no answer") => {
            "such a silence mostly means that the port wants TLS at once: mail.security = \"tls\", port 465"
        }
        "TLS" | "Greeting" => "fix what the line above names, then test again",
        "AUTH" => {
            "check mail.username and the password; many providers want the whole address as the name, and a \
             password made for programs (\"app password\")"
        }
        "MAIL FROM" if says("starttls") => "set mail.security = \"starttls\"",
        "MAIL FROM" | "RCPT TO" if says("answered 530") || says("relay") || says("authentication") => {
            "the server wants a login first: set mail.username and mail.password_file"
        }
        "MAIL FROM" => "set mail.from to an address that the account at the mail server may send as",
        _ if says("answered 4") => {
            "the server asks to try again later, as many do with strangers: test again in some minutes (real \
             messages are tried again by themselves)"
        }
        "RCPT TO" => "the server does not accept mail for this address: try another one of yours",
        _ => "ask the operator of the mail server what its answer above means",
    }
}

/// Removes words that contain an address or one of `people` from a server's response.
pub(super) fn without_addresses(reason: &str, people: &[&str]) -> String {
    let people: Vec<String> = people.iter().map(|one| one.to_lowercase()).collect();
    let words = reason.split_whitespace().map(|word| {
        let lower = word.to_lowercase();
        let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
        let is_personal = lower.contains('@') || people.iter().any(|one| one == bare || one == &lower);
        if is_personal { "(address)" } else { word }
    });
    let reason = words.collect::<Vec<_>>().join(" ");
    reason.chars().filter(|c| !c.is_control()).take(MAX_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_reason_contains_no_addresses() {
        let cases = [
            (
                "permanent error (550): 5.1.1 <Mei.Tanaka@example.org>: user unknown",
                "permanent error (550): 5.1.1 (address) user unknown",
            ),
            ("550 no mailbox \"mei.tanaka\" here", "550 no mailbox (address) here"),
            ("mailbox of MEI.TANAKA: full\r\nsorry", "mailbox of (address) full sorry"),
        ];
        for (answer, kept) in cases {
            assert_eq!(without_addresses(answer, &["mei.tanaka"]), kept);
        }
        assert_eq!(without_addresses(&"x".repeat(999), &[]).len(), MAX_CHARACTERS);
    }
}
