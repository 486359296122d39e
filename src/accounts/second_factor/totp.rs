//! TOTP (RFC 6238) with HMAC-SHA-1, six digits and 30-second steps, which every authenticator app supports.
//!
//! Pure functions without clock or database.

use data_encoding::BASE32_NOPAD;
use jiff::Timestamp;
use qrcode::render::svg;
use qrcode::{EcLevel, QrCode};
use ring::hmac;

use crate::base::error::Result;
use crate::base::random;

/// Bytes of a secret: the output size of HMAC-SHA-1 (RFC 4226, 4).
pub const SECRET_BYTES: usize = 20;
/// Seconds per step.
const STEP_SECONDS: i64 = 30;
/// Accepted steps before and after, for clock drift and typing time.
const DRIFT: i64 = 1;
/// Digits of a code.
pub const DIGITS: usize = 6;

/// The shared secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TotpSecret([u8; SECRET_BYTES]);

/// Result of verifying a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeVerdict {
    /// The code of this step.
    Right(i64),
    /// A code that was used before.
    Used,
    /// A wrong code.
    Wrong,
}

impl TotpSecret {
    /// Generates a secret.
    pub fn generate() -> Result<Self> {
        random::bytes().map(Self)
    }

    /// Restores a stored secret.
    pub fn from_bytes(bytes: [u8; SECRET_BYTES]) -> Self {
        Self(bytes)
    }

    /// The bytes to store.
    pub fn bytes(&self) -> &[u8; SECRET_BYTES] {
        &self.0
    }

    /// Base32, as apps expect it.
    pub fn base32(&self) -> String {
        BASE32_NOPAD.encode(&self.0)
    }

    /// Base32 in groups of four, for typing.
    pub fn grouped(&self) -> String {
        let text = self.base32();
        let groups = text.as_bytes().chunks(4).map(|group| String::from_utf8_lossy(group).into_owned());
        groups.collect::<Vec<_>>().join(" ")
    }

    /// The setup URI for a QR code (<https://github.com/google/google-authenticator/wiki/Key-Uri-Format>).
    pub fn uri(&self, school: &str, username: &str) -> String {
        let school = encode(school);
        let username = encode(username);
        format!(
            "otpauth://totp/{school}:{username}?secret={}&issuer={school}&algorithm=SHA1&digits={DIGITS}&period={STEP_SECONDS}",
            self.base32()
        )
    }

    /// Verifies a code of [`DIGITS`] digits; `last_step` is the last step whose code was accepted.
    pub fn check(&self, code: &str, now: Timestamp, last_step: i64) -> CodeVerdict {
        let current = step(now);
        let found = (current - DRIFT..=current + DRIFT).find(|step| is_equal(&self.code(*step), code));
        match found {
            Some(step) if step > last_step => CodeVerdict::Right(step),
            Some(_) => CodeVerdict::Used,
            None => CodeVerdict::Wrong,
        }
    }

    /// The code of a step (RFC 4226, 5.3).
    fn code(&self, step: i64) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &self.0);
        let digest = hmac::sign(&key, &step.to_be_bytes());
        let digest = digest.as_ref();
        let offset = usize::from(digest.last().copied().unwrap_or_default() & 0xf);
        let mut word = [0; 4];
        word.copy_from_slice(&digest[offset..offset + 4]);
        let number = (u32::from_be_bytes(word) & 0x7fff_ffff) % 10_u32.pow(DIGITS as u32);
        format!("{number:0DIGITS$}")
    }
}

/// The code shown by an app, for tests; `None` for an invalid secret.
pub fn code_at(base32: &str, now: Timestamp) -> Option<String> {
    let bytes = BASE32_NOPAD.decode(base32.replace(' ', "").as_bytes()).ok()?;
    Some(TotpSecret(bytes.try_into().ok()?).code(step(now)))
}

/// Step number since 1970.
fn step(now: Timestamp) -> i64 {
    now.as_second().div_euclid(STEP_SECONDS)
}

/// Compares in constant time.
fn is_equal(right: &str, code: &str) -> bool {
    right.len() == code.len()
        && right.bytes().zip(code.bytes()).fold(0, |difference, (one, other)| difference | (one ^ other)) == 0
}

/// Percent-encodes a URI component (RFC 3986, 2.3).
fn encode(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

/// Renders a QR code as SVG: black on white with quiet zone, regardless of the page's colours.
///
/// # Errors
/// When the text is too long for one.
pub fn draw_qr(text: &str) -> anyhow::Result<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M)?;
    Ok(code.render::<svg::Color<'_>>().min_dimensions(240, 240).build())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rfc() -> TotpSecret {
        TotpSecret(*b"12345678901234567890")
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn codes_are_those_of_rfc_6238() {
        // Appendix B, SHA-1; of its eight digits the last six.
        for (second, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(rfc().code(step(at(second))), code, "{second}");
            assert_eq!(code_at(&rfc().grouped(), at(second)).unwrap(), code);
        }
    }

    #[test]
    fn codes_are_those_of_rfc_4226() {
        // Appendix D.
        let codes = [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871",
            "520489",
        ];
        for (counter, code) in (0..).zip(codes) {
            assert_eq!(rfc().code(counter), code, "{counter}");
        }
    }

    #[test]
    fn a_code_is_valid_for_its_step_and_its_neighbours_and_only_once() {
        let now = 1_234_567_890;
        for (seconds, verdict) in [
            (-90, CodeVerdict::Wrong),
            (-60, CodeVerdict::Wrong),
            (-30, CodeVerdict::Right(step(at(now)) - 1)),
            (0, CodeVerdict::Right(step(at(now)))),
            (30, CodeVerdict::Right(step(at(now)) + 1)),
            (60, CodeVerdict::Wrong),
        ] {
            let code = rfc().code(step(at(now + seconds)));
            assert_eq!(rfc().check(&code, at(now), 0), verdict, "{seconds}");
        }
        let last = step(at(now));
        for (ahead, verdict) in
            [(-1, CodeVerdict::Used), (0, CodeVerdict::Used), (1, CodeVerdict::Right(last + 1))]
        {
            assert_eq!(rfc().check(&rfc().code(last + ahead), at(now), last), verdict, "{ahead}");
        }
        for wrong in ["", "00592", "0059244", "005925", "٠٠٥٩٢٤"] {
            assert_eq!(rfc().check(wrong, at(now), 0), CodeVerdict::Wrong, "{wrong}");
        }
    }

    #[test]
    fn an_app_is_set_up_by_a_uri_and_its_qr_code() {
        let uri = rfc().uri("Lycée & Co: 1", "o.brien");
        assert_eq!(
            uri,
            "otpauth://totp/Lyc%C3%A9e%20%26%20Co%3A%201:o.brien?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\
             &issuer=Lyc%C3%A9e%20%26%20Co%3A%201&algorithm=SHA1&digits=6&period=30"
        );
        assert_eq!(rfc().grouped(), "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ");
        let picture = draw_qr(&uri).unwrap();
        assert!(picture.contains("<svg") && !picture.contains("script"), "{picture}");
    }
}
