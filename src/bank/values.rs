//! Dates and amounts as banks write them and as people type them; what may mean two things is refused.

use jiff::civil::Date;

use crate::base::closed_set::closed_set;
use crate::base::money::{Money, NotAmount};

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

/// Reads a date: `2026-11-26`, `20261126`, `11/26/2026`, `26 Nov 2026`. Numbers with the year at their end are month first,
/// unless the format says otherwise.
///
/// # Errors
/// The rule that it breaks.
pub fn date(text: &str, format: Option<DateFormat>) -> Result<Date, &'static str> {
    // A time of day may stand behind it.
    let text = text.trim();
    let text = text.split_once('T').filter(|(day, _)| day.len() == 10).map_or(text, |(day, _)| day);
    let mut parts: Vec<&str> =
        text.split(['-', '/', '.', ' ', ',']).filter(|part| !part.is_empty()).collect();
    if parts.len() > 3 && parts[3].contains(':') {
        parts.truncate(3);
    }
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if let [one] = parts.as_slice() {
        if one.len() != 8 || !digits(one) {
            return Err(NO_DATE);
        }
        let year_first = [&one[..4], &one[4..6], &one[6..]];
        let otherwise = [&one[..2], &one[2..4], &one[4..]];
        return match format {
            Some(DateFormat::Mdy) => day(otherwise[2], otherwise[0], otherwise[1]),
            Some(DateFormat::Dmy) => day(otherwise[2], otherwise[1], otherwise[0]),
            _ => Err(NO_DATE),
        }
        .or_else(|_| day(year_first[0], year_first[1], year_first[2]));
    }
    let &[first, second, third] = parts.as_slice() else { return Err(NO_DATE) };
    if first.len() == 4 && digits(first) {
        return day(first, second, third);
    }
    match (month(first), month(second)) {
        // A month in letters leaves one reading.
        (Some(_), _) if !digits(first) => day(third, first, second),
        (_, Some(_)) if !digits(second) => day(third, second, first),
        _ => match format {
            Some(DateFormat::Ymd) => day(first, second, third),
            Some(DateFormat::Dmy) => day(third, second, first),
            _ => day(third, first, second),
        },
    }
}

fn day(year: &str, month_word: &str, day: &str) -> Result<Date, &'static str> {
    let read = || {
        let number: i16 = year.parse().ok()?;
        let year = match year.len() {
            4 => number,
            2 => 2000 + number,
            _ => return None,
        };
        Date::new(year, month(month_word)?, day.parse().ok()?).ok()
    };
    read().ok_or(NO_DATE)
}

fn month(word: &str) -> Option<i8> {
    const NAMES: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return word.parse().ok();
    }
    let word = word.to_lowercase();
    let at = NAMES.iter().position(|name| word.starts_with(name))?;
    i8::try_from(at + 1).ok()
}

/// Reads an amount in cents, less than 0 where money went out: `1,200.50`, `-$12`, `(12.00)`, `12.00 CR`.
///
/// # Errors
/// The rule that it breaks.
pub fn amount(text: &str) -> Result<i64, String> {
    let (mut text, mut is_out) = (text.trim().replace('\u{2212}', "-"), false);
    if let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        (text, is_out) = (inner.to_owned(), true);
    }
    for (word, is_debit) in [("CR", false), ("DR", true)] {
        if let Some(rest) = text.to_uppercase().strip_suffix(word) {
            (text, is_out) = (rest.trim_end().to_owned(), is_out || is_debit);
        }
    }
    for sign in ['-', '+'] {
        let rest = text.strip_prefix(sign).or_else(|| text.strip_suffix(sign)).map(str::trim);
        if let Some(rest) = rest.map(str::to_owned) {
            (text, is_out) = (rest, is_out || sign == '-');
            break;
        }
    }
    let text = match text.strip_prefix("$-") {
        Some(rest) => {
            is_out = true;
            rest
        }
        None => text.as_str(),
    };
    let amount = Money::parse(text).map_err(|reason| match reason {
        NotAmount::NotANumber | NotAmount::Negative => "must be an amount, written like 1,200.00".to_owned(),
        NotAmount::TooPrecise => "must have at most two decimals".to_owned(),
        NotAmount::TooLarge => format!("must be at most {}", Money::MAX),
    })?;
    Ok(if is_out { -amount.cents() } else { amount.cents() })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date as on;

    use super::*;

    #[test]
    fn dates_are_read_as_banks_and_people_write_them() {
        use DateFormat::{Dmy, Mdy, Ymd};
        for (text, format, expected) in [
            ("2026-11-26", None, Some(on(2026, 11, 26))),
            ("2026-11-26", Some(Dmy), Some(on(2026, 11, 26))),
            ("2026/11/26", Some(Mdy), Some(on(2026, 11, 26))),
            ("2026-11-26T08:00:00", None, Some(on(2026, 11, 26))),
            ("2026-11-26 08:00", None, Some(on(2026, 11, 26))),
            ("20261126", None, Some(on(2026, 11, 26))),
            ("20261126", Some(Ymd), Some(on(2026, 11, 26))),
            ("26112026", Some(Dmy), Some(on(2026, 11, 26))),
            ("11262026", Some(Mdy), Some(on(2026, 11, 26))),
            ("11/26/2026", None, Some(on(2026, 11, 26))),
            ("3/4/2026", None, Some(on(2026, 3, 4))),
            ("3/4/2026", Some(Dmy), Some(on(2026, 4, 3))),
            ("26/11/2026", Some(Dmy), Some(on(2026, 11, 26))),
            ("26/11/2026", None, None),
            ("26-11-02", Some(Ymd), Some(on(2026, 11, 2))),
            ("11/26/26", None, Some(on(2026, 11, 26))),
            ("26 Nov 2026", None, Some(on(2026, 11, 26))),
            ("26-Nov-2026", None, Some(on(2026, 11, 26))),
            ("November 26, 2026", None, Some(on(2026, 11, 26))),
            ("2026-02-30", None, None),
            ("Transaction Date", None, None),
            ("2026-11", None, None),
            ("yesterday", None, None),
            ("", None, None),
        ] {
            assert_eq!(date(text, format).ok(), expected, "{text} {format:?}");
        }
    }

    #[test]
    fn amounts_are_read_as_people_type_them_and_the_ambiguous_is_refused() {
        for (text, expected) in [
            ("500", Some(50_000)),
            ("1,200.5", Some(120_050)),
            ("$1,200.00", Some(120_000)),
            ("-12.00", Some(-1_200)),
            ("-$12.00", Some(-1_200)),
            ("$-12.00", Some(-1_200)),
            ("\u{2212}12.00", Some(-1_200)),
            ("(12.00)", Some(-1_200)),
            ("12.00-", Some(-1_200)),
            ("+12.00", Some(1_200)),
            ("12.00 CR", Some(1_200)),
            ("12.00 DR", Some(-1_200)),
            ("0.00", Some(0)),
            ("1.200,00", None),
            ("12,50", None),
            ("--12", None),
            ("12.005", None),
            ("100000000", None),
            ("twelve", None),
            ("", None),
        ] {
            assert_eq!(amount(text).ok(), expected, "{text}");
        }
    }
}
