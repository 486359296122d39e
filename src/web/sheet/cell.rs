//! Encoding of text in CSV cells, and decoding of cells written by spreadsheets.

use std::borrow::Cow;

use crate::web::form::Field;

/// Characters that start a formula (OWASP, CSV Injection).
const FORMULA: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\n'];

/// Encodes a text: with a leading apostrophe if a spreadsheet would change it, or if it already starts with
/// apostrophes, so that [`read`] can remove exactly one.
pub(super) fn mark(text: &str) -> Cow<'_, str> {
    if is_in_need(text) && !is_negative(text) { format!("'{text}").into() } else { text.into() }
}

/// Whether a spreadsheet would change a text, ignoring leading apostrophes: run it as a formula, or alter it as
/// [`spoiled`] detects.
fn is_in_need(text: &str) -> bool {
    let bare = text.trim_start_matches('\'');
    bare.starts_with(FORMULA) || spoiled(bare.trim()).is_some()
}

/// The text after a round trip: the same except for surrounding white space and line ends.
pub fn as_read(text: &str) -> String {
    read(&normalize_line_ends(mark(text).trim())).into_owned()
}

/// Normalizes line ends.
pub(super) fn normalize_line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Decodes a cell: the reverse of [`mark`]; also `="0042"`, which programs write to keep a text from being read as a
/// number.
pub(super) fn read(cell: &str) -> Cow<'_, str> {
    let marked = cell.strip_prefix('\'').filter(|text| is_in_need(text));
    if let Some(text) = marked {
        return text.into();
    }
    match cell.strip_prefix("=\"").and_then(|rest| rest.strip_suffix('"')) {
        // A single quotation mark inside is part of a longer formula.
        Some(text) if !text.replace("\"\"", "").contains('"') => text.replace("\"\"", "\"").into(),
        _ => cell.into(),
    }
}

/// A negative amount, which stays a number. With a plus sign it is a telephone number.
fn is_negative(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|number| {
        let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
        is_digits(whole) && is_digits(decimals)
    })
}

/// Detects a cell that a spreadsheet damaged when saving, and says what to do.
pub(super) fn spoiled(cell: &str) -> Option<&'static str> {
    if is_in_powers(cell) {
        return Some(
            "the spreadsheet has shortened a long number to a power of ten, and its last digits are lost. Format \
             the column as text, type the number again, then save the file again",
        );
    }
    if cell.len() > 1 && cell.bytes().all(|byte| byte == b'#') {
        return Some(
            "the spreadsheet wrote # signs because the column was too narrow. Widen the column, then save the \
             file again",
        );
    }
    let is_failed = ["#NAME?", "#REF!", "#VALUE!", "#N/A", "#DIV/0!", "#NUM!", "#NULL!"].contains(&cell);
    is_failed.then_some(
        "the spreadsheet took the text for a formula, and lost it. Format the column as text, type it again, then \
         save the file again",
    )
}

/// `4.16556E+09`, with a decimal comma likewise.
fn is_in_powers(cell: &str) -> bool {
    let Some((number, power)) = cell.split_once(['E', 'e']) else { return false };
    let number = number.strip_prefix(['-', '+']).unwrap_or(number);
    let (whole, decimals) = number.split_once(['.', ',']).unwrap_or((number, "0"));
    whole.len() == 1
        && is_digits(whole)
        && is_digits(decimals)
        && power.strip_prefix(['-', '+']).is_some_and(is_digits)
}

/// A yes or no, in English or as a French spreadsheet writes it.
pub fn yes_or_no(text: &str) -> Field<bool> {
    match text.to_lowercase().as_str() {
        "true" | "yes" | "y" | "1" | "vrai" | "oui" => Field::Value(true),
        "false" | "no" | "n" | "0" | "faux" | "non" => Field::Value(false),
        _ => Field::Wrong,
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::fuzz::for_rounds;

    #[test]
    fn random_cells_come_back_as_they_were_and_none_is_a_formula() {
        const PARTS: [&str; 17] = [
            "'", "''", "=", "+", "-", "@", "\t", "\r", "\n", "\"", "=\"", "7", ".5", "Zoë ", "4E+09", "##",
            "#N/A",
        ];
        for_rounds("cells of sheets", 20_000, |random| {
            let text: String = (0..random.usize(..6)).map(|_| *random.choice(&PARTS).unwrap()).collect();
            let cell = mark(&text);
            // Text is never encoded as `="…"`.
            assert_eq!(read(&cell), text, "{cell:?}");
            assert!(!cell.starts_with(FORMULA) || is_negative(&cell), "{cell:?}");
            assert_eq!(spoiled(cell.trim()), None, "{cell:?}");
        });
    }

    #[test]
    fn markers_against_spreadsheet_guessing_are_removed() {
        for (cell, text) in [
            ("'+1 416 555 0100", "+1 416 555 0100"),
            ("'-Art", "-Art"),
            ("''=x", "'=x"),
            ("'tis", "'tis"),
            ("=\"0042\"", "0042"),
            ("=\"say \"\"no\"\"\"", "say \"no\""),
            ("'=\"0042\"", "=\"0042\""),
            ("=\"a\"&\"b\"", "=\"a\"&\"b\""),
            ("=1+1", "=1+1"),
            ("-12.50", "-12.50"),
        ] {
            assert_eq!(read(cell), text, "{cell}");
        }
        assert_eq!(
            (&*mark("-12.50"), &*mark("+14165550100"), &*mark("-inf")),
            ("-12.50", "'+14165550100", "'-inf")
        );
    }

    #[test]
    fn damage_by_a_spreadsheet_is_distinguished_from_typed_text() {
        for cell in
            ["4.16556E+09", "4,16556E+09", "4E+09", "1.2e-05", "-4.1E+10", "########", "#NAME?", "#N/A"]
        {
            assert!(spoiled(cell).is_some(), "{cell}");
        }
        for cell in [
            "",
            "#",
            "E+09",
            "4.16556E",
            "4165556E+09",
            "ENG4U",
            "1e309",
            "# 12",
            "416-555-0100",
            "Grade 9E+",
            "é",
        ] {
            assert_eq!(spoiled(cell), None, "{cell}");
        }
    }
}
