//! Emails to administrators about the website's certificate.

use crate::base::email::Email;
use crate::mail::{EmailMessage, Kind};

/// It has expired or will soon, and renewal fails.
pub fn expiry(to: &Email, domain: &str, until: &str, has_expired: bool, reason: &str) -> EmailMessage {
    let (subject, what) = if has_expired {
        ("The website's certificate has expired", "expired on")
    } else {
        ("The website's certificate is about to expire", "expires on")
    };
    EmailMessage::to(Kind::Alarm, to, subject)
        .greeting(None)
        .paragraph(&format!(
            "The certificate of {domain} {what} {until}, and it could not be renewed. Without it, browsers \
             warn all visitors away from the website."
        ))
        .paragraph(reason)
        .paragraph(
            "The server keeps trying by itself. On the server, \"schoolhouse doctor\" shows how it stands. \
             This message comes once a day until the certificate is renewed.",
        )
}
