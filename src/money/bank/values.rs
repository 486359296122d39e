//! Dates and amounts as banks write them. What may mean two things is decided by the whole file, or refused.

use jiff::civil::Date;

use crate::base::closed_set::closed_set;
use crate::base::money::{Money, NotAmount};
use crate::money::ledger::PaymentMethod;
use crate::storage::search::fold;
use crate::web::sheet::{DecimalMark, WrittenDate, plain_number};

closed_set! {
    /// The order of the numbers of a date with slashes.
    pub enum DateFormat {
        /// Year, month, day.
        Ymd = "ymd",
        /// Month, day, year.
        Mdy = "mdy",
        /// Day, month, year.
        Dmy = "dmy",
    }
}

const NO_DATE: &str = "must be a real date, such as 2026-11-26";
const TWO_DAYS: &str = "can be two days. Choose the order of the date";

/// Reads a date. Three numbers with the year at their end can be two days, unless the format says which.
///
/// # Errors
/// The rule that it breaks.
pub fn date(text: &str, format: Option<DateFormat>) -> Result<Date, &'static str> {
    let is_short = text.split(['-', '/', '.']).next().is_some_and(|first| first.len() == 2);
    let written = match format {
        Some(DateFormat::Ymd) if is_short => WrittenDate::read(&format!("20{text}")),
        _ => WrittenDate::read_recent(text),
    };
    match (written, format) {
        (WrittenDate::Numbers { month_first, .. }, Some(DateFormat::Mdy)) => month_first.ok_or(NO_DATE),
        (WrittenDate::Numbers { day_first, .. }, Some(DateFormat::Dmy)) => day_first.ok_or(NO_DATE),
        (WrittenDate::None, _) => Err(NO_DATE),
        _ => written.certain().ok_or(TWO_DAYS),
    }
}

/// The order in which all dates of a file are days until `last`; `None` where it can be both or neither, or no date needs it.
pub fn order_of_file<'a>(cells: impl Iterator<Item = &'a str>, last: Date) -> Result<Option<DateFormat>, ()> {
    let mut is_needed = false;
    let mut fits = [true, true];
    for cell in cells {
        if let WrittenDate::Numbers { month_first, day_first } = WrittenDate::read_recent(cell) {
            is_needed |= month_first != day_first;
            for (fits, day) in fits.iter_mut().zip([month_first, day_first]) {
                *fits &= day.is_some_and(|day| day <= last);
            }
        }
    }
    match (is_needed, fits) {
        (false, _) => Ok(None),
        (true, [true, false]) => Ok(Some(DateFormat::Mdy)),
        (true, [false, true]) => Ok(Some(DateFormat::Dmy)),
        (true, _) => Err(()),
    }
}

/// Reads an amount in cents, less than 0 where money went out: `1,200.50`, `1 200,50 $`, `-$12`, `(12.00)`, `12.00 CR`. `mark`
/// is what stands before the decimals in this file, where it is known.
///
/// # Errors
/// The rule that it breaks.
pub fn amount(text: &str, mark: Option<DecimalMark>) -> Result<i64, String> {
    let mut text = text.trim().replace('\u{2212}', "-");
    let mut is_out = false;
    if let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        (text, is_out) = (inner.to_owned(), true);
    }
    for (word, is_debit) in [("CR", false), ("DR", true)] {
        if let Some(rest) = text.to_uppercase().strip_suffix(word) {
            (text, is_out) = (rest.trim_end().to_owned(), is_out || is_debit);
        }
    }
    let text = text.replace("$-", "-$");
    let unsigned = |sign: char| text.strip_prefix(sign).or_else(|| text.strip_suffix(sign)).map(str::trim);
    let text = match (unsigned('-'), unsigned('+')) {
        (Some(rest), _) => {
            is_out = true;
            rest
        }
        (None, Some(rest)) => rest,
        (None, None) => &text,
    };
    let bare = text.strip_suffix("CAD").unwrap_or(text).trim_end();
    let plain = plain_number(bare, mark)?;
    let amount = Money::parse(&plain).map_err(|reason| match reason {
        NotAmount::NotANumber | NotAmount::Negative => "must be an amount, written like 1,200.00".to_owned(),
        NotAmount::TooPrecise => "must have at most two decimals".to_owned(),
        NotAmount::TooLarge => format!("must be at most {}", Money::MAX),
    })?;
    Ok(if is_out { -amount.cents() } else { amount.cents() })
}

/// Whether a word says that money came in, or that it went out.
pub fn is_in(word: &str) -> Option<bool> {
    match fold(word.trim()).trim_end_matches('s') {
        "cr" | "credit" | "deposit" | "depot" | "in" | "money in" => Some(true),
        "dr" | "db" | "debit" | "withdrawal" | "retrait" | "out" | "money out" => Some(false),
        _ => None,
    }
}

/// Whether a word says that the bank has not posted the line yet.
pub fn is_pending(word: &str) -> bool {
    matches!(&*fold(word.trim()), "pending" | "en attente" | "en cours" | "authorized" | "autorise" | "pndg")
}

/// How it came, by the whole words of the text.
pub fn method(text: &str) -> PaymentMethod {
    let folded =
        fold(&text.to_lowercase().replace("e-transfer", "etransfer").replace("e transfer", "etransfer"));
    let words: Vec<_> = folded.split(|c: char| !c.is_alphanumeric()).collect();
    let says = |any: &[&str]| any.iter().any(|word| words.contains(word));
    if says(&["etransfer", "etransfers", "etrnsfr", "interac", "virement", "autodeposit"]) {
        PaymentMethod::ETransfer
    } else if says(&["cheque", "cheques", "check", "chq"]) {
        PaymentMethod::Cheque
    } else if says(&["cash", "comptant", "atm", "gab"]) {
        PaymentMethod::Cash
    } else if says(&["wire", "swift"]) {
        PaymentMethod::Wire
    } else {
        PaymentMethod::Other
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date as on;

    use super::DateFormat::{Dmy, Mdy, Ymd};
    use super::*;

    #[test]
    fn dates_are_read_as_banks_and_people_write_them() {
        for (text, format, expected) in [
            ("2026-11-26", None, Some(on(2026, 11, 26))),
            ("2026-11-26", Some(Dmy), Some(on(2026, 11, 26))),
            ("2026/11/26", Some(Mdy), Some(on(2026, 11, 26))),
            ("2026-11-26T08:00:00", None, Some(on(2026, 11, 26))),
            ("20261126", Some(Ymd), Some(on(2026, 11, 26))),
            ("26112026", Some(Dmy), Some(on(2026, 11, 26))),
            ("11262026", Some(Mdy), Some(on(2026, 11, 26))),
            ("11/26/2026", None, Some(on(2026, 11, 26))),
            ("26/11/2026", None, Some(on(2026, 11, 26))),
            ("26/11/2026", Some(Mdy), None),
            ("3/4/2026", None, None),
            ("3/4/2026", Some(Mdy), Some(on(2026, 3, 4))),
            ("3/4/2026", Some(Dmy), Some(on(2026, 4, 3))),
            ("3.4.2026", None, Some(on(2026, 4, 3))),
            ("26-11-02", Some(Ymd), Some(on(2026, 11, 2))),
            ("11/26/26", None, Some(on(2026, 11, 26))),
            ("26-Nov-2026", None, Some(on(2026, 11, 26))),
            ("26 d\u{e9}c. 2026", None, Some(on(2026, 12, 26))),
            ("2026-02-30", None, None),
            ("yesterday", None, None),
            ("", None, None),
        ] {
            assert_eq!(date(text, format).ok(), expected, "{text} {format:?}");
        }
    }

    #[test]
    fn one_date_of_a_file_says_the_order_of_all() {
        let last = on(2026, 12, 1);
        for (cells, order) in [
            (&["03/11/2026", "25/11/2026"][..], Ok(Some(Dmy))),
            (&["11/03/2026", "11/25/2026"], Ok(Some(Mdy))),
            // Month first it would be a day that has not come.
            (&["12/11/2026"], Ok(Some(Dmy))),
            (&["2026-11-03", "Total"], Ok(None)),
            (&["11/11/2026"], Ok(None)),
            (&["03/11/2026", "04/11/2026"], Err(())),
            (&["11/25/2026", "25/11/2026"], Err(())),
        ] {
            assert_eq!(order_of_file(cells.iter().copied(), last), order, "{cells:?}");
        }
    }

    #[test]
    fn amounts_are_read_as_people_type_them_and_the_ambiguous_is_refused() {
        for (text, expected) in [
            ("500", Some(50_000)),
            ("1,200.5", Some(120_050)),
            ("$1,200.00", Some(120_000)),
            ("$1,200", Some(120_000)),
            ("-12.00", Some(-1_200)),
            ("-$12.00", Some(-1_200)),
            ("$-12.00", Some(-1_200)),
            ("\u{2212}12.00", Some(-1_200)),
            ("(12.00)", Some(-1_200)),
            ("12.00-", Some(-1_200)),
            ("+12.00", Some(1_200)),
            ("12.00 CR", Some(1_200)),
            ("12.00 DR", Some(-1_200)),
            ("769,00", Some(76_900)),
            ("1\u{a0}269,00\u{a0}$", Some(126_900)),
            ("-1 200,00", Some(-120_000)),
            ("1.200,00", Some(120_000)),
            ("0.00", Some(0)),
            ("1,200", None),
            ("--12", None),
            ("12.000", None),
            ("100000000", None),
            ("twelve", None),
            ("", None),
        ] {
            assert_eq!(amount(text, None).ok(), expected, "{text}");
        }
        assert_eq!(amount("1,200", Some(DecimalMark::Point)), Ok(120_000));
        assert!(amount("1,200", Some(DecimalMark::Comma)).is_err(), "three decimals");
    }
}
