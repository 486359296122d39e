//! CAMT.053, the account statement of ISO 20022: of each entry the few fields that a payment needs.
//!
//! Read with `roxmltree`: it takes whole documents, expands nothing from outside, and refuses a document type.

use jiff::civil::Date;
use roxmltree::{Document, Node};

use super::entry::{Entry, PENDING, ReadEntry, check_currency};
use super::values;
use crate::web::sheet::DecimalMark;

/// The entries of a file, in its order.
///
/// # Errors
/// A sentence that says where the file is damaged.
pub fn entries(text: &str) -> Result<Vec<Entry>, String> {
    let text = text.trim_start_matches('\u{feff}');
    let document = Document::parse(text).map_err(|error| {
        format!("This statement in CAMT.053 is damaged at line {}. Download it again.", error.pos().row)
    })?;
    let mut found = Vec::new();
    for statement in document.descendants().filter(|node| is(*node, "Stmt")) {
        let account = one(statement, &["Acct", "Id"]).and_then(|id| {
            id.descendants().find(|node| {
                is(*node, "IBAN") || is(*node, "Id") && node.children().all(|child| child.is_text())
            })
        });
        let account = account.and_then(|node| node.text()).unwrap_or_default().trim();
        for entry in statement.children().filter(|node| is(*node, "Ntry")) {
            let line = u64::from(document.text_pos_at(entry.range().start).row);
            let text = words(entry);
            let amount = of(entry, &["Amt"]);
            let shown = [booked(entry), amount, &text].join(" ");
            found.push(Entry { line, account: account.to_owned(), shown, read: read(entry, text) });
        }
    }
    Ok(found)
}

fn read(entry: Node<'_, '_>, text: String) -> Result<ReadEntry, String> {
    // Until version 07 the status is a text, from 08 on a code within.
    let status =
        Some(of(entry, &["Sts", "Cd"])).filter(|code| !code.is_empty()).unwrap_or(of(entry, &["Sts"]));
    if !matches!(status, "" | "BOOK") {
        return Err(PENDING.to_owned());
    }
    check_currency(one(entry, &["Amt"]).and_then(|node| node.attribute("Ccy")).unwrap_or_default())?;
    let written = booked(entry);
    let day = written.get(..10).and_then(|day| day.parse::<Date>().ok());
    let date = day.ok_or_else(|| format!("The date \u{201c}{written}\u{201d} must be a real date."))?;
    let amount = of(entry, &["Amt"]);
    let cents = values::amount(amount, Some(DecimalMark::Point))
        .map_err(|rule| format!("The amount \u{201c}{amount}\u{201d} {rule}."))?;
    let cents = match of(entry, &["CdtDbtInd"]) {
        "CRDT" => cents.abs(),
        "DBIT" => -cents.abs(),
        other => {
            return Err(format!(
                "\u{201c}{other}\u{201d} does not say whether the money came in or went out."
            ));
        }
    };
    Ok(ReadEntry { date, cents, text, id: of(entry, &["AcctSvcrRef"]).to_owned() })
}

/// Who paid and what was written, or what the bank says of it.
fn words(entry: Node<'_, '_>) -> String {
    let mut words = Vec::new();
    for details in entry.descendants().filter(|node| is(*node, "TxDtls")) {
        let debtor = one(details, &["RltdPties", "Dbtr"]);
        words.extend(debtor.and_then(|node| node.descendants().find(|node| is(*node, "Nm"))?.text()));
        let is_note =
            |node: &Node<'_, '_>| ["Ustrd", "AddtlTxInf", "EndToEndId"].iter().any(|name| is(*node, name));
        let notes = details.descendants().filter(is_note);
        words.extend(notes.filter_map(|node| node.text()));
    }
    if words.is_empty() {
        words.push(of(entry, &["AddtlNtryInf"]));
    }
    // The entry's own direction is said beside it.
    if matches!(of(entry, &["RvslInd"]), "true" | "1") {
        words.push("Reversal");
    }
    words
        .iter()
        .map(|text| text.trim())
        .filter(|text| !matches!(*text, "" | "NOTPROVIDED"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The day on which it was booked, as it is written.
fn booked<'a>(entry: Node<'a, '_>) -> &'a str {
    let days = ["BookgDt", "ValDt"].map(|name| [of(entry, &[name, "Dt"]), of(entry, &[name, "DtTm"])]);
    days.into_iter().flatten().find(|day| !day.is_empty()).unwrap_or_default()
}

fn is(node: Node<'_, '_>, name: &str) -> bool {
    node.tag_name().name() == name
}

/// The element at the end of a path.
fn one<'a, 'input>(node: Node<'a, 'input>, path: &[&str]) -> Option<Node<'a, 'input>> {
    path.iter().try_fold(node, |node, name| node.children().find(|child| is(*child, name)))
}

/// The text of the element at the end of a path.
fn of<'a>(node: Node<'a, '_>, path: &[&str]) -> &'a str {
    one(node, path).and_then(|node| node.text()).unwrap_or_default().trim()
}
