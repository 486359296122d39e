//! Reads a number as English and French spreadsheets and banks write it: the one way for every file.

use std::borrow::Cow;
use std::cmp::Ordering;

/// What stands before the decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecimalMark {
    /// `1,200.50`.
    Point,
    /// `1 200,50`, `1.200,50`.
    Comma,
}

impl DecimalMark {
    fn sign(self) -> char {
        match self {
            Self::Point => '.',
            Self::Comma => ',',
        }
    }

    fn of(sign: char) -> Self {
        if sign == ',' { Self::Comma } else { Self::Point }
    }

    /// What most numbers of a file prove; `None` where none proves anything, or as many the one as the other.
    pub fn of_file<'a>(cells: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let proofs: Vec<Self> = cells.into_iter().filter_map(Self::proof).collect();
        let points = proofs.iter().filter(|mark| **mark == Self::Point).count();
        match points.cmp(&(proofs.len() - points)) {
            Ordering::Greater => Some(Self::Point),
            Ordering::Less => Some(Self::Comma),
            Ordering::Equal => None,
        }
    }

    /// What a number alone proves: of two marks the last one, of a repeated one the other, and one that has not three digits
    /// behind it.
    pub fn proof(text: &str) -> Option<Self> {
        let digits = |c: char| c.is_ascii_digit();
        let text = text.trim_matches(|c: char| !digits(c));
        if text
            .chars()
            .any(|c| !digits(c) && !c.is_whitespace() && !matches!(c, ',' | '.' | '\'' | '\u{2019}'))
        {
            return None;
        }
        let marks: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| matches!(c, ',' | '.')).collect();
        match marks.as_slice() {
            [] => None,
            [(at, sign)] => {
                let decimals = text.len() - at - 1;
                let is_whole = &text[..*at] == "0";
                (decimals != 3 || is_whole).then_some(Self::of(*sign))
            }
            [(_, first), .., (_, last)] if first == last => {
                Some(if *first == ',' { Self::Point } else { Self::Comma })
            }
            [.., (_, last)] => Some(Self::of(*last)),
        }
    }
}

/// Normalizes a number: `1 200,50 $` becomes `1200.50`. `mark` is what the file proves; without it a number that can be two
/// is refused. Other text is unchanged.
///
/// # Errors
/// The rule, if the number is ambiguous, or contradicts the file.
pub fn plain_number(text: &str, mark: Option<DecimalMark>) -> Result<Cow<'_, str>, &'static str> {
    let number = text.strip_suffix('$').unwrap_or(text).trim_end();
    let (sign, number) = number.strip_prefix('-').map_or(("", number), |number| ("-", number));
    // Who writes the dollar sign first writes English numbers, in which a comma is no decimal one.
    let number = match number.strip_prefix('$') {
        Some(rest) if mark.is_none() && !rest.contains('.') => return Ok(text.into()),
        Some(rest) => rest.trim_start(),
        None => number,
    };
    let proof = DecimalMark::proof(number);
    let has_mark = number.contains([',', '.']);
    let Some(decimal) = mark.or(proof).or((!has_mark).then_some(DecimalMark::Point)) else {
        return match is_grouped(number, None) {
            true => Err(
                "three digits behind a comma or a point can be thousands or decimals. Write 1200 or 1200,00 for \
                 thousands, 1,20 for decimals",
            ),
            false => Ok(text.into()),
        };
    };
    let (whole, decimals) = match number.rfind(decimal.sign()) {
        Some(at) => (&number[..at], Some(&number[at + 1..])),
        None => (number, None),
    };
    let is_number = decimals.is_none_or(is_digits) && is_grouped(whole, Some(decimal));
    match (is_number, proof) {
        (true, _) => {
            let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
            let decimals = decimals.map(|decimals| format!(".{decimals}")).unwrap_or_default();
            Ok(format!("{sign}{whole}{decimals}").into())
        }
        (false, Some(proof)) if proof != decimal && is_number_at_all(number, proof) => Err(
            "the file writes its decimals otherwise on other lines, so this amount can be two. Write it like the others",
        ),
        (false, _) => Ok(text.into()),
    }
}

fn is_number_at_all(number: &str, mark: DecimalMark) -> bool {
    plain_number(number, Some(mark)).is_ok_and(|plain| is_digits(&plain.replace('.', "")))
}

/// Whether it is digits, or groups of three behind a first one, all divided by the same: a blank, or the mark that is not
/// before decimals. French usually groups with no-break spaces: U+00A0, U+202F.
fn is_grouped(whole: &str, mark: Option<DecimalMark>) -> bool {
    let is_divider = |c: char| match (c, mark) {
        (',' | '.', Some(mark)) => c != mark.sign(),
        (',' | '.', None) => true,
        _ => c.is_whitespace(),
    };
    let mut dividers: Vec<char> = whole.chars().filter(|c| is_divider(*c)).collect();
    dividers.dedup_by_key(|c| if c.is_whitespace() { ' ' } else { *c });
    let groups: Vec<_> = whole.split(is_divider).collect();
    dividers.len() <= 1
        && groups.iter().all(|group| is_digits(group))
        && (groups.len() == 1 || groups[0].len() <= 3 && groups[1..].iter().all(|group| group.len() == 3))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::DecimalMark::{Comma, Point};
    use super::*;

    #[test]
    fn a_decimal_comma_is_read_and_an_ambiguous_number_is_refused() {
        for (text, number) in [
            ("1 200,00 $", "1200.00"),
            ("1\u{a0}200,00\u{a0}$", "1200.00"),
            ("1\u{202f}200,5", "1200.5"),
            ("0,5", "0.5"),
            ("0,500", "0.500"),
            ("12,50", "12.50"),
            ("549", "549"),
            ("1200,0000", "1200.0000"),
            ("1.200,00", "1200.00"),
            ("1,200.00", "1200.00"),
            ("1,200,000", "1200000"),
            ("1.200.000,5", "1200000.5"),
            ("1 200", "1200"),
            ("549.00", "549.00"),
            ("-5,00", "-5.00"),
            // Left to the room's validation.
            ("$1,200", "$1,200"),
            ("$1,200.50", "1200.50"),
            ("12 50", "12 50"),
            ("1.2.3", "1.2.3"),
            ("1 200,000.50", "1 200,000.50"),
            ("abc", "abc"),
            ("", ""),
            (",", ","),
            ("$", "$"),
        ] {
            assert_eq!(plain_number(text, None).as_deref(), Ok(number), "{text}");
        }
        for text in ["1,200", "1.200", "12,500 $", "$1.200"] {
            assert!(plain_number(text, None).is_err(), "{text}");
        }
    }

    #[test]
    fn a_file_decides_what_its_numbers_leave_open() {
        for (cells, mark) in [
            (&["1,200", "769.00"][..], Some(Point)),
            (&["1,200", "769,00"], Some(Comma)),
            (&["1,200", "1 500,5"], Some(Comma)),
            (&["1,200,000"], Some(Point)),
            (&["1,200", "500"], None),
            (&["769,00", "769.00"], None),
            (&["769,00", "769.00", "1,200.00"], Some(Point)),
            (&["Total", "", "(12.50)"], Some(Point)),
        ] {
            assert_eq!(DecimalMark::of_file(cells.iter().copied()), mark, "{cells:?}");
        }
        for (text, mark, number) in [
            ("1,200", Point, "1200"),
            ("1,200", Comma, "1.200"),
            ("1.200", Comma, "1200"),
            ("1.200,5", Comma, "1200.5"),
            ("12", Comma, "12"),
        ] {
            assert_eq!(plain_number(text, Some(mark)).as_deref(), Ok(number), "{text}");
        }
        for (text, mark) in [("769,00", Point), ("1.200,00", Point), ("769.00", Comma), ("1,200.00", Comma)] {
            assert!(plain_number(text, Some(mark)).is_err(), "{text} contradicts the file");
        }
    }
}
