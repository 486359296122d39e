//! What kind of file it is: a table, OFX, CAMT.053, or one of which the bank has a better form.

use crate::web::sheet::foreign_text;

/// A file that can be read.
#[derive(Debug)]
pub enum Format {
    /// Lines of cells.
    Table(String),
    /// OFX or QFX.
    Ofx(String),
    /// An account statement of ISO 20022.
    Camt(String),
}

/// The bytes among which a file says what it is.
const HEAD: usize = 2048;

/// The kind of a file.
///
/// # Errors
/// A sentence that names the file for what it is, and says which one to download.
pub fn of(bytes: Vec<u8>) -> Result<Format, String> {
    let instead = |what: &str| {
        format!(
            "This is {what}. Download the transactions of the account from the bank as a CSV file, or as OFX or QFX."
        )
    };
    for (beginning, what) in [
        (&b"%PDF"[..], "a PDF"),
        (b"PK\x03\x04", "a workbook or an archive, not a CSV file"),
        (b"\xD0\xCF\x11\xE0", "a workbook of an old Excel, not a CSV file"),
    ] {
        if bytes.starts_with(beginning) {
            return Err(instead(what));
        }
    }
    let text = foreign_text(bytes).map_err(|problem| format!("Nothing was imported: {problem}."))?;
    let begin = text.trim_start_matches('\u{feff}').trim_start();
    let head: String = begin.chars().take(HEAD).collect();
    let upper = head.to_uppercase();
    let has_tag = |tag: &str| upper.contains(tag);
    if begin.starts_with("OFXHEADER") || has_tag("<?OFX") || has_tag("<OFX>") {
        return Ok(Format::Ofx(text));
    }
    if has_tag("BKTOCSTMRSTMT") {
        return Ok(Format::Camt(text));
    }
    let is_mt940 = begin.starts_with("{1:") || (begin.starts_with(":20:") && head.contains("\n:60"));
    for (is_so, what) in [
        (is_mt940, "an MT940 file"),
        (upper.starts_with("!TYPE:"), "a QIF file"),
        (
            upper.starts_with("<!DOCTYPE HTML") || upper.starts_with("<HTML"),
            "a web page and no file of the bank",
        ),
        (upper.starts_with("<?XML"), "an XML file, but no account statement in CAMT.053"),
    ] {
        if is_so {
            return Err(instead(what));
        }
    }
    Ok(Format::Table(text))
}
