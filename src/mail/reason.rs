//! Why mail did not leave: kept with the e-mail for the office, and reported by `mail-test`.

use lettre::transport::smtp::Error as SmtpError;

/// The longest reason that is kept, in characters.
const MAX_CHARACTERS: usize = 500;

/// What a part of a TLS library's words means, and what to do.
const HINTS: [(&str, &str); 8] = [
    (
        "not valid for name",
        "the certificate belongs to another server; put the name that it is made for into mail.smtp_host",
    ),
    (
        "UnknownIssuer",
        "nobody this program trusts has signed the certificate; for a mail server of your own, name its \
         certificate in mail.ca_file",
    ),
    (
        "CaUsedAsEndEntity",
        "the mail server shows an authority's certificate (CA:TRUE) as its own; make one with \
         \"basicConstraints = CA:FALSE\" and name that in mail.ca_file",
    ),
    ("certificate expired", "the certificate has run out: whoever runs the mail server must renew it"),
    (
        "certificate not valid yet",
        "the certificate is not valid yet: look whether the clock of this machine is right",
    ),
    (
        "corrupt message of type InvalidContentType",
        "what came is not encrypted: either the port does not fit mail.security (\"tls\" with 465, \
         \"starttls\" with 587), or somebody on the way changes what is sent",
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

/// What the server said, or the innermost cause: lettre wraps it in several "connection errors".
/// Where more can be said than the cause itself does, what to do comes with it.
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
        // What lettre and tokio say of a connection that ends in the middle of an answer.
        None if words == "incomplete response" || words.is_empty() => "the server hung up".to_owned(),
        None => words.to_owned(),
    }
}

/// What a volunteer does next when `mail-test` stopped at a step for this reason.
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
        "RCPT TO" => "the server does not take mail for this address: try another one, of your own",
        _ => "ask whoever runs the mail server what its answer above means",
    }
}

/// Takes out of a server's answer every word that holds an address or one of `people`.
pub(super) fn without_addresses(reason: &str, people: &[&str]) -> String {
    let people: Vec<String> = people.iter().map(|one| one.to_lowercase()).collect();
    let words = reason.split_whitespace().map(|word| {
        let lower = word.to_lowercase();
        let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
        let names_somebody = lower.contains('@') || people.iter().any(|one| one == bare || one == &lower);
        if names_somebody { "(address)" } else { word }
    });
    let reason = words.collect::<Vec<_>>().join(" ");
    reason.chars().filter(|c| !c.is_control()).take(MAX_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_reason_names_nobody() {
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
