//! The payments that a line may be, or may take back.

use std::collections::BTreeSet;

use rusqlite::Connection;

use super::matching::{self, Found, Matcher};
use super::store::{self, KnownPayment, Received, StoredLine};
use crate::base::error::Result;
use crate::storage::search::fold;

/// Words of a bank about money that it takes back.
const BACK: [&str; 16] = [
    "returned",
    "return",
    "nsf",
    "retourne",
    "retournee",
    "retour",
    "cancelled",
    "canceled",
    "annule",
    "annulee",
    "reversed",
    "reversal",
    "chargeback",
    "rejected",
    "rejete",
    "impaye",
];

/// The payments that a line may be: of its student, else from another file's line of the same day. Lines of the same file are
/// different money, and so is a payment whose own line is in the file again.
///
/// # Errors
/// Database errors.
pub fn like(
    connection: &Connection,
    received: &Received,
    found: &Found,
    hashes: &BTreeSet<[u8; 32]>,
) -> Result<Vec<KnownPayment>> {
    if !found.division.is_empty() {
        return Ok(Vec::new());
    }
    let student_id = found.matched.as_ref().map(|found| found.student_id);
    let mut like = store::like(connection, received, student_id)?;
    like.retain(|payment| !payment.is_of_line_in(hashes));
    Ok(like)
}

/// The payment that a line takes back: of the student whose code it has, or of the same payer.
///
/// # Errors
/// Database errors.
pub fn taken_back(
    connection: &Connection,
    matcher: &mut Matcher<'_>,
    line: &StoredLine,
) -> Result<Option<KnownPayment>> {
    let folded = fold(&line.text);
    let mut words = folded.split(|c: char| !c.is_alphanumeric());
    if line.cents >= 0 || !words.any(|word| BACK.contains(&word)) {
        return Ok(None);
    }
    let student_id = matcher.find(&line.text, -line.cents)?.matched.map(|found| found.student_id);
    let payer = matching::payer(&line.text);
    store::returned(connection, line.date, -line.cents, student_id, payer.as_deref())
}
