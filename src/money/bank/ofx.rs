//! OFX and QFX, 1.x in SGML and 2.x in XML: of each transaction the few fields that a payment needs (OFX 2.2, section 11.4).
//!
//! In 1.x a value ends where the next tag begins, and has no closing tag. What banks add of their own (`<INTU.BID>`) is passed
//! over.

use jiff::civil::Date;

use super::entry::{Entry, PENDING, ReadEntry, check_currency};
use super::values;
use crate::web::sheet::DecimalMark;

/// A transaction, as it is read.
#[derive(Default)]
struct Transaction<'a> {
    line: u64,
    is_pending: bool,
    posted: &'a str,
    amount: &'a str,
    id: &'a str,
    currency: &'a str,
    text: Vec<&'a str>,
}

/// The transactions of a file, in its order.
pub fn entries(text: &str) -> Vec<Entry> {
    let mut account = "";
    let mut currency = "";
    let mut open: Option<Transaction<'_>> = None;
    let mut found: Vec<(&str, &str, Transaction<'_>)> = Vec::new();
    let mut line = 1;
    for part in text.split('<') {
        let at = line;
        line += part.matches('\n').count() as u64;
        // Before the first tag there is none.
        let Some((tag, value)) = part.split_once('>') else { continue };
        let value = value.trim().lines().next().unwrap_or_default().trim_end();
        match tag.trim().to_uppercase().as_str() {
            "CURDEF" => currency = value,
            "ACCTID" if open.is_none() => account = value,
            "STMTTRN" | "STMTTRNP" => {
                found.extend(open.take().map(|one| (account, currency, one)));
                let is_pending = tag.ends_with(['P', 'p']);
                open = Some(Transaction { line: at, is_pending, ..Transaction::default() });
            }
            "/STMTTRN" | "/STMTTRNP" | "/BANKTRANLIST" => {
                found.extend(open.take().map(|one| (account, currency, one)));
            }
            name => {
                let Some(one) = &mut open else { continue };
                match name {
                    "DTPOSTED" | "DTTRAN" => one.posted = value,
                    "TRNAMT" => one.amount = value,
                    "FITID" => one.id = value,
                    "CURSYM" => one.currency = value,
                    "NAME" | "MEMO" | "CHECKNUM" if !value.is_empty() => one.text.push(value),
                    _ => {}
                }
            }
        }
    }
    found.extend(open.take().map(|one| (account, currency, one)));
    let mark = DecimalMark::of_file(found.iter().map(|(.., one)| one.amount)).unwrap_or(DecimalMark::Point);
    let entry = |(account, currency, one): &(&str, &str, Transaction<'_>)| {
        let text = decode(&one.text.join(" "));
        let shown = [one.posted, one.amount, &text].join(" ");
        let currency = if one.currency.is_empty() { currency } else { one.currency };
        Entry { line: one.line, account: (*account).to_owned(), shown, read: read(one, currency, text, mark) }
    };
    found.iter().map(entry).collect()
}

fn read(one: &Transaction<'_>, currency: &str, text: String, mark: DecimalMark) -> Result<ReadEntry, String> {
    if one.is_pending {
        return Err(PENDING.to_owned());
    }
    check_currency(currency)?;
    // Of `20261126120000.000[-5:EST]` the day, as it was where the bank is.
    let day = one.posted.get(..8).and_then(|day| Date::strptime("%Y%m%d", day).ok());
    let date = day.ok_or_else(|| format!("The date \u{201c}{}\u{201d} must be a real date.", one.posted))?;
    let cents = values::amount(one.amount, Some(mark))
        .map_err(|rule| format!("The amount \u{201c}{}\u{201d} {rule}.", one.amount))?;
    Ok(ReadEntry { date, cents, text, id: one.id.to_owned() })
}

/// The characters that XML and SGML write as names.
fn decode(text: &str) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&nbsp;", " "), ("&amp;", "&")]
        .iter()
        .fold(text.to_owned(), |text, (name, letter)| text.replace(name, letter))
}
