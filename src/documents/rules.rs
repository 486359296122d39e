//! Rules for uploads (specification, sections 3, 5 and 9) and file names.

use axum::http::HeaderValue;

use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::text::clean_name;

/// Characters of what another document is called.
pub const MAX_LABEL: usize = 100;

/// "Up to 10MB": exactly this many bytes pass.
pub const MAX_BYTES: u64 = crate::config::Documents::MAX_FILE_BYTES;

closed_set! {
    /// Document types in the order of the form (specification, section 3).
    pub enum DocumentType {
        /// For example a passport.
        GovernmentId = "government_id" => "Government ID",
        /// Marks certified by another school.
        Transcript = "transcript" => "School Transcript",
        /// For example a bill.
        ProofOfAddress = "proof_of_address" => "Proof of Address",
        /// For example a card or a policy.
        HealthInsurance = "health_insurance" => "Health Insurance",
        /// Study permit of an international student.
        StudyPermit = "study_permit" => "Study Permit",
        /// Custodian in Canada of an international student under 18.
        Custodianship = "custodianship" => "Custodianship Declaration",
        /// A record of vaccinations.
        Immunization = "immunization" => "Immunization Record",
        /// A plan for a student with special needs.
        Iep = "iep" => "Individual Education Plan",
        /// Anything else.
        Other = "other" => "Other Document",
    }
}

closed_set! {
    /// Review status of a document.
    pub enum DocumentStatus {
        /// Not decided yet.
        PendingReview = "pending_review",
        /// Accepted by the office.
        Accepted = "accepted",
        /// Rejected, with a reason for the student.
        Rejected = "rejected",
        /// Replaced by a newer one of its type.
        Superseded = "superseded",
        /// Accepted until its expiry date.
        Expired = "expired",
    }
}

impl DocumentStatus {
    /// As a sentence says it.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::PendingReview => "waiting for the office",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Superseded => "superseded",
            Self::Expired => "expired",
        }
    }
}

closed_set! {
    /// Filters of the office's list of documents.
    pub enum DocumentFilter {
        /// Lost files, neither replaced nor written off.
        Lost = "lost",
        /// The office has not decided.
        PendingReview = "pending_review",
        /// Accepted.
        Accepted = "accepted",
        /// Rejected.
        Rejected = "rejected",
        /// Superseded.
        Superseded = "superseded",
        /// Expired.
        Expired = "expired",
    }
}

closed_set! {
    /// Type of the content, by its first bytes.
    pub enum ContentType {
        /// PDF.
        Pdf = "application/pdf",
        /// JPEG.
        Jpeg = "image/jpeg",
        /// PNG.
        Png = "image/png",
    }
}

impl ContentType {
    /// File extensions; the first is the default.
    fn endings(self) -> [&'static str; 2] {
        match self {
            Self::Pdf => ["pdf", "pdf"],
            Self::Jpeg => ["jpg", "jpeg"],
            Self::Png => ["png", "png"],
        }
    }
}

closed_set! {
    /// Result of examining a document's file.
    pub enum Examination {
        /// Not examined yet: uploaded to an older version.
        Waiting = "waiting",
        /// Rewritten and safe to display.
        Passed = "passed",
        /// Would be refused today.
        Refused = "refused",
    }
}

closed_set! {
    /// Why a document was removed.
    pub enum RemovalCause {
        /// Its student removed it.
        Removed = "removed",
        /// Displaced by newer ones.
        Replaced = "replaced",
    }
}

/// Message for an unknown type.
pub fn unknown_type() -> String {
    let labels = DocumentType::ALL.iter().map(|known| known.label()).collect::<Vec<_>>().join(", ");
    format!("Document type must be one of: {labels}")
}

/// Message for a missing file or type (section 8).
pub const MISSING: &str = "File and document type are required";

/// Message for an empty file.
pub const EMPTY: &str = "The file is empty. Please choose another file.";

/// Message for a file larger than [`MAX_BYTES`].
pub const TOO_LARGE: &str = "The file is larger than 10 MB. Please choose a smaller one.";

/// Message for content of an unsupported type, whatever the name claims.
pub const WRONG_CONTENT: &str = "This file is not a PDF, JPG or PNG. Please choose another file.";

/// Detects an accepted type by the first bytes. A PDF may start later, as viewers allow: some programs write a byte
/// order mark or mail headers before it.
pub fn content_type(beginning: &[u8]) -> Option<ContentType> {
    if beginning.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Some(ContentType::Png);
    }
    if beginning.starts_with(b"\xFF\xD8\xFF") {
        return Some(ContentType::Jpeg);
    }
    pdf_start(beginning).map(|_| ContentType::Pdf)
}

/// Start of a PDF: viewers search the first kilobyte for the marker.
pub fn pdf_start(bytes: &[u8]) -> Option<usize> {
    bytes[..bytes.len().min(1024)].windows(5).position(|five| five == b"%PDF-")
}

/// Message when a viewed document cannot be removed.
pub const LOOKED_AT: &str = "The office has looked at this document already, so it stays in your file. \
    Please write to the office if it should be removed.";

/// Sanitizes a file name: the last part of the path, cleaned, with the extension of the actual type, so that no system
/// opens it as something else. Idempotent.
pub fn file_name(name: &str, content_type: ContentType) -> String {
    const MAX_CHARS: usize = 190;
    let endings = content_type.endings();
    let clean = clean_name(name.rsplit(['/', '\\']).next().unwrap_or(""));
    let clean = clean.trim_end_matches([' ', '.']);
    let (stem, ending) = match clean.rsplit_once('.') {
        Some((stem, ending)) if is_ending(ending) => (stem, ending.to_lowercase()),
        _ => (clean, String::new()),
    };
    let stem: String = stem.trim_matches([' ', '.']).chars().take(MAX_CHARS).collect();
    let ending = endings.into_iter().find(|known| *known == ending).unwrap_or(endings[0]);
    format!("{}.{ending}", if stem.is_empty() { "document" } else { &*stem })
}

/// Whether this is a file extension: "html", "jpg", but not the 05 of a date.
fn is_ending(word: &str) -> bool {
    let is_short = (1..=5).contains(&word.len());
    is_short
        && word.bytes().all(|c| c.is_ascii_alphanumeric())
        && word.bytes().any(|c| c.is_ascii_alphabetic())
}

impl Examination {
    /// Content disposition of a file with this result.
    pub fn disposition(self) -> Disposition {
        match self {
            Self::Passed => Disposition::Inline,
            Self::Waiting | Self::Refused => Disposition::Attachment,
        }
    }
}

/// How a browser should handle a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disposition {
    /// Displayed in a tab.
    Inline,
    /// Downloaded as a file.
    Attachment,
}

/// `Content-Disposition` with an ASCII name and the full name, encoded (RFC 6266, RFC 8187).
pub fn disposition(how: Disposition, name: &str) -> HeaderValue {
    use std::fmt::Write;
    let how = match how {
        Disposition::Inline => "inline",
        Disposition::Attachment => "attachment",
    };
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
    HeaderValue::from_str(&format!("{how}; filename=\"{ascii}\"; filename*=UTF-8''{encoded}"))
        .unwrap_or(HeaderValue::from_static("attachment"))
}

/// A number of files and their size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileTotals {
    /// Files.
    pub files: u64,
    /// Bytes.
    pub bytes: u64,
}

impl FileTotals {
    /// Sum of both.
    pub(super) fn and(self, other: Self) -> Self {
        Self { files: self.files.saturating_add(other.files), bytes: self.bytes.saturating_add(other.bytes) }
    }
}

/// Storage used by a student.
#[derive(Debug, Clone, Copy)]
pub struct StorageUsed {
    /// Listed documents, without replaced ones.
    pub listed: FileTotals,
    /// Documents removed within the last day, with files still on disk.
    pub leaving: FileTotals,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_is_determined_by_the_content() {
        let table: [(&[u8], Option<ContentType>); 10] = [
            (b"%PDF-1.7\n%...", Some(ContentType::Pdf)),
            (b"\xEF\xBB\xBF%PDF-1.7", Some(ContentType::Pdf)),
            (&[b" ".repeat(1019).as_slice(), b"%PDF-"].concat(), Some(ContentType::Pdf)),
            (&[b" ".repeat(1020).as_slice(), b"%PDF-"].concat(), None),
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
    fn names_lose_their_folders_and_get_the_right_extension() {
        use ContentType::{Jpeg, Pdf, Png};
        let table = [
            ("transcript.pdf", Pdf, "transcript.pdf"),
            ("PASSPORT.PDF", Pdf, "PASSPORT.pdf"),
            ("C:\\Users\\me\\id.png", Png, "id.png"),
            ("../../etc/passwd", Pdf, "passwd.pdf"),
            ("a\r\nSet-Cookie: x.pdf", Pdf, "a Set-Cookie: x.pdf"),
            ("", Pdf, "document.pdf"),
            (".html", Pdf, "document.pdf"),
            ("护照.pdf", Pdf, "护照.pdf"),
            ("transcript\u{202E}fdp.html", Pdf, "transcriptfdp.pdf"),
            ("scan.JPEG", Jpeg, "scan.jpeg"),
            ("scan.png", Jpeg, "scan.jpg"),
            ("marks 2026.05", Pdf, "marks 2026.05.pdf"),
            ("photo.jpg.exe", Png, "photo.jpg.png"),
            ("trailing.pdf . ", Pdf, "trailing.pdf"),
        ];
        for (name, kind, expected) in table {
            assert_eq!(file_name(name, kind), expected, "{name:?}");
            assert_eq!(file_name(expected, kind), expected, "once is enough");
        }
    }

    #[test]
    fn a_foreign_name_survives_in_the_header() {
        let value = disposition(Disposition::Inline, "护照 \"1\".pdf");
        let text = value.to_str().unwrap();
        assert_eq!(
            text,
            "inline; filename=\"__ _1_.pdf\"; filename*=UTF-8''%E6%8A%A4%E7%85%A7%20%221%22.pdf"
        );
    }
}
