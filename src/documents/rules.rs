//! What may be uploaded (specification, sections 3, 5 and 9) and under which name it is shown.

use axum::http::HeaderValue;

use crate::base::closed_set::{ClosedSet, closed_set};

/// "Up to 10MB": exactly this many bytes pass.
pub const MAX_BYTES: u64 = crate::config::Documents::MAX_FILE_BYTES;

closed_set! {
    /// What a document is, in the order of the form (specification, section 3).
    pub enum DocumentType {
        /// A passport, say.
        GovernmentId = "government_id",
        /// What another school certifies.
        Transcript = "transcript",
        /// A bill, say.
        ProofOfAddress = "proof_of_address",
        /// A card or a policy.
        HealthInsurance = "health_insurance",
        /// Anything else.
        Other = "other",
    }
}

impl DocumentType {
    /// What people read (specification, section 3).
    pub fn label(self) -> &'static str {
        match self {
            Self::GovernmentId => "Government ID",
            Self::Transcript => "School Transcript",
            Self::ProofOfAddress => "Proof of Address",
            Self::HealthInsurance => "Health Insurance",
            Self::Other => "Other Document",
        }
    }
}

closed_set! {
    /// What the office makes of a document.
    pub enum DocumentStatus {
        /// Nobody decided about it.
        PendingReview = "pending_review",
        /// It is what it should be.
        Accepted = "accepted",
        /// It is not, for a reason that the student reads.
        Rejected = "rejected",
        /// A newer one of its type takes its place.
        Superseded = "superseded",
        /// It counted until its own end.
        Expired = "expired",
    }
}

closed_set! {
    /// What the content of a document is, by its first bytes.
    pub enum ContentType {
        /// PDF.
        Pdf = "application/pdf",
        /// JPEG.
        Jpeg = "image/jpeg",
        /// PNG.
        Png = "image/png",
    }
}

closed_set! {
    /// Why a document left the list.
    pub enum RemovalCause {
        /// Its student removed it.
        Removed = "removed",
        /// A newer one drove it out.
        Replaced = "replaced",
    }
}

/// Said when the type is none of them.
pub fn unknown_type() -> String {
    let labels = DocumentType::ALL.iter().map(|known| known.label()).collect::<Vec<_>>().join(", ");
    format!("Document type must be one of: {labels}")
}

/// Said when the file or the type is missing (section 8).
pub const MISSING: &str = "File and document type are required";

/// Said when the file has no content.
pub const EMPTY: &str = "The file is empty. Please choose another file.";

/// Said when the file is larger than [`MAX_BYTES`].
pub const TOO_LARGE: &str = "The file is larger than 10 MB. Please choose a smaller one.";

/// Said when the content is of no accepted type, whatever the name claims.
pub const WRONG_CONTENT: &str = "This file is not a PDF, JPG or PNG. Please choose another file.";

/// What the first bytes say the content is, if it is one of the accepted types.
pub fn content_type(beginning: &[u8]) -> Option<ContentType> {
    ContentType::parse(infer::get(beginning)?.mime_type())
}

/// Said when a document is to be removed that belongs to the student's file by now.
pub const LOOKED_AT: &str = "The office has looked at this document already, so it stays in your file. \
    Please write to the office if it should be removed.";

/// A name fit to be stored and shown: the last part of a path, without control characters.
pub fn file_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or("");
    let clean: String = last.chars().filter(|c| !c.is_control()).take(200).collect();
    let clean = clean.trim();
    if clean.is_empty() { "document".to_owned() } else { clean.to_owned() }
}

/// `Content-Disposition: inline` with the name in ASCII and, encoded, in full (RFC 6266).
pub fn inline(name: &str) -> HeaderValue {
    use std::fmt::Write;
    let ascii: String = name
        .chars()
        .map(|c| if c.is_ascii_graphic() && !matches!(c, '"' | '\\' | '%') || c == ' ' { c } else { '_' })
        .collect();
    let mut encoded = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    HeaderValue::from_str(&format!("inline; filename=\"{ascii}\"; filename*=UTF-8''{encoded}"))
        .unwrap_or(HeaderValue::from_static("inline"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_decides_about_the_type() {
        let table: [(&[u8], Option<ContentType>); 7] = [
            (b"%PDF-1.7\n%...", Some(ContentType::Pdf)),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", Some(ContentType::Png)),
            (b"\xFF\xD8\xFF\xE0\0\x10JFIF\0", Some(ContentType::Jpeg)),
            (b"GIF89a", None),
            (b"PK\x03\x04", None),
            (b"<html><script>", None),
            (b"", None),
        ];
        for (bytes, expected) in table {
            assert_eq!(content_type(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn names_lose_their_folders_and_control_characters() {
        let table = [
            ("transcript.pdf", "transcript.pdf"),
            ("C:\\Users\\me\\id.png", "id.png"),
            ("../../etc/passwd", "passwd"),
            ("a\r\nSet-Cookie: x.pdf", "aSet-Cookie: x.pdf"),
            ("", "document"),
            ("护照.pdf", "护照.pdf"),
        ];
        for (name, expected) in table {
            assert_eq!(file_name(name), expected);
        }
    }

    #[test]
    fn a_foreign_name_survives_in_the_header() {
        let value = inline("护照 \"1\".pdf");
        let text = value.to_str().unwrap();
        assert_eq!(
            text,
            "inline; filename=\"__ _1_.pdf\"; filename*=UTF-8''%E6%8A%A4%E7%85%A7%20%221%22.pdf"
        );
    }
}
