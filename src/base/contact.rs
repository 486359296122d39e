//! A way to reach a parent or guardian: an email address, a telephone number, or both. [`Contact::parse`] is the one
//! reader of texts that hold either; the text of a contact reads as the same contact again.

use super::email::Email;
use super::text::{collapse_whitespace, without_unseen};

/// The longest text: an address, a comma, and 200 characters of a number.
pub const MAX_CHARACTERS: usize = 254 + 2 + MAX_PHONE_CHARACTERS;
/// The longest telephone number, with what is written beside it.
pub const MAX_PHONE_CHARACTERS: usize = 200;

/// Hyphens, dashes and the minus sign, as phones and word processors write them.
const HYPHENS: [char; 6] = ['‐', '‑', '‒', '–', '—', '−'];

/// An email address, a telephone number, or both.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contact {
    /// Email address, in lower case.
    pub email: Option<String>,
    /// Telephone number, with what is written beside it: other addresses, "after six".
    pub phone: Option<String>,
}

impl Contact {
    /// Reads a text as typed: `wei@mail.example, 416 555 0199`, `Wei <wei@mail.example>`, `416 555 0199`.
    pub fn parse(text: &str) -> Self {
        Self::parse_without(text, &[])
    }

    /// As [`Contact::parse`], with the first address that is not among these; those stay in the number's text.
    pub fn parse_without(text: &str, excluded: &[&str]) -> Self {
        let text = collapse_whitespace(&without_unseen(text));
        let take = |text: &str| {
            let email = Email::parse(text).ok()?.as_str().to_owned();
            (!excluded.iter().any(|one| one.eq_ignore_ascii_case(&email))).then_some(email)
        };
        let whole = take(&text);
        let Some((start, word, email)) =
            words(&text).find_map(|(start, word)| take(word).map(|email| (start, word, email)))
        else {
            let phone = Some(text).filter(|_| whole.is_none());
            let phone = phone.map(|text| written_phone(&text, false)).filter(|text| !text.is_empty());
            return Self { email: whole, phone };
        };
        let (before, after) = without_brackets(&text[..start], &text[start + word.len()..]);
        let parts = [without_label(before), without_joint(after)];
        let rest = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        // `Wei Chen <wei@mail.example>`: a name is not part of the contact.
        let is_name = whole.is_some() && !rest.contains(char::is_numeric);
        Self {
            email: Some(email),
            phone: Some(written_phone(&rest, false)).filter(|rest| !is_name && !rest.is_empty()),
        }
    }

    /// From two fields. An address that was typed as the number, with no other, is the address.
    pub fn of(email: Option<String>, phone: Option<String>) -> Self {
        match (email, phone) {
            (None, Some(phone)) if phone.contains('@') => Self::parse(&phone),
            (email, phone) => Self { email, phone },
        }
    }

    /// What identifies the person behind it: the address, or else the number.
    pub fn key(&self) -> Option<&str> {
        self.email.as_deref().or(self.phone.as_deref())
    }

    /// As one text: `wei@mail.example, 416 555 0199`.
    pub fn text(&self) -> Option<String> {
        let parts: Vec<_> = [self.email.as_deref(), self.phone.as_deref()].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// What stands between an address and a number.
fn is_separator(c: char) -> bool {
    c.is_whitespace() || ",;/|<>()[]{}\"“”‘’«»*".contains(c)
}

/// The words of a text with their places, each without the label that is glued to it and without a full stop behind it.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(is_separator).filter(|word| word.contains('@')).map(move |word| {
        let bare = word.rsplit_once(':').map_or(word, |(_, bare)| bare).trim_end_matches(['.', '!', '?']);
        (bare.as_ptr().addr() - text.as_ptr().addr(), bare)
    })
}

/// What stands before and after an address, without the brackets around it.
fn without_brackets<'a>(before: &'a str, after: &'a str) -> (&'a str, &'a str) {
    let pairs = [('<', '>'), ('(', ')'), ('[', ']'), ('{', '}'), ('"', '"'), ('“', '”'), ('«', '»')];
    let bare = |(open, close)| {
        Some((before.trim_end().strip_suffix(open)?, after.trim_start().strip_prefix(close)?))
    };
    pairs.into_iter().find_map(bare).unwrap_or((before, after))
}

/// What joins two parts of a contact.
fn is_joint(c: char) -> bool {
    c.is_whitespace() || ",;/|:&*·•.–—-".contains(c)
}

/// The text before an address, without what only announces it: `416 555 0199, email:`.
fn without_label(before: &str) -> &str {
    const LABELS: [&str; 8] = ["email", "mail", "mailto", "courriel", "and", "or", "et", "ou"];
    let mut text = before.trim_matches(is_joint);
    loop {
        let separator = text.char_indices().rev().find(|(_, c)| is_separator(*c));
        let (rest, last) = text.split_at(separator.map_or(0, |(at, c)| at + c.len_utf8()));
        let letters = last.replace(['-', ':'], "");
        if !LABELS.iter().any(|label| label.eq_ignore_ascii_case(&letters)) {
            return text;
        }
        text = rest.trim_matches(is_joint);
    }
}

/// The text after an address, without what only joins it.
fn without_joint(after: &str) -> &str {
    let text = after.trim_end_matches(|c: char| is_joint(c) && c != '.').trim_start_matches(is_joint);
    let joined = ["and ", "or ", "et ", "ou "].into_iter().find_map(|word| {
        let is_joined = text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        is_joined.then(|| text[word.len()..].trim_start_matches(is_joint))
    });
    joined.unwrap_or(text)
}

/// A telephone number as it is kept: of ten digits, or of eleven with a 1, formatted where it is known to be North American;
/// others get a plus sign. Invisible characters, other hyphens and `tel:` of a pasted link go. What is written beside a
/// number stays.
pub fn written_phone(text: &str, is_north_american: bool) -> String {
    let text = without_unseen(text).replace(HYPHENS, "-");
    let text = match text.get(..4) {
        Some(scheme) if scheme.eq_ignore_ascii_case("tel:") => text[4..].trim(),
        _ => text.trim(),
    };
    let collapsed = collapse_whitespace(text);
    if text.chars().any(|c| !c.is_ascii_digit() && !"+-.() \t/".contains(c)) {
        return collapsed;
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let is_foreign = text.starts_with('+') || digits.starts_with("00");
    let national = match digits.len() {
        10 if !is_foreign => Some(&*digits),
        11 if digits.starts_with('1') => Some(&digits[1..]),
        _ => None,
    };
    match national.filter(|_| is_north_american) {
        Some(digits) => format!("({}) {}-{}", &digits[..3], &digits[3..6], &digits[6..]),
        None => collapsed.strip_prefix("00").map_or(collapsed.clone(), |rest| format!("+{rest}")),
    }
}

/// Digits of a number without its area.
const LOCAL: usize = 7;

/// The address of a telephone number (RFC 3966): `tel:+1-416-555-0100;ext=2`. A number of ten digits, or of eleven that begin
/// with 1, is one of North America; empty where there are no digits.
pub fn telephone_link(number: &str) -> String {
    let lower = number.to_lowercase();
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    // Only behind a whole number: "text 416-555-0100", "fax".
    let is_behind_number = |at: &usize| digits(&lower[..*at]).len() >= LOCAL;
    let words = ["ext", "poste", "x", "#"].iter().flat_map(|word| lower.match_indices(word));
    let at = words.map(|(at, _)| at).filter(is_behind_number).min().unwrap_or(lower.len());
    let (number, extension) = lower.split_at(at);
    let own = digits(number);
    let extension = digits(extension);
    let is_foreign = number.trim_start().starts_with('+') || own.starts_with("00");
    let own = own.trim_start_matches("00");
    let national = match own.len() {
        10 if !is_foreign => Some(own),
        11 => own.strip_prefix('1'),
        _ => None,
    };
    let link = match national {
        Some(own) => format!("tel:+1-{}-{}-{}", &own[..3], &own[3..6], &own[6..]),
        None if own.is_empty() => return String::new(),
        None => format!("tel:{}{own}", if is_foreign { "+" } else { "" }),
    };
    if extension.is_empty() { link } else { format!("{link};ext={extension}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<String>, Option<String>) {
        let Contact { email, phone } = Contact::parse(text);
        (email, phone)
    }

    #[test]
    fn an_address_and_a_number_in_one_text_are_both_read() {
        for text in [
            "wei@mail.example, 416 555 0199",
            "Wei@Mail.example,416 555 0199",
            "416 555 0199 wei@mail.example",
            "416 555 0199; wei@mail.example;",
            "wei@mail.example / 416 555 0199",
            "416 555 0199/wei@mail.example",
            "wei@mail.example\n416 555 0199",
            "416 555 0199 <wei@mail.example>",
            "416 555 0199 (wei@mail.example)",
            "wei@mail.example - 416 555 0199",
            "wei@mail.example or 416 555 0199",
            "416 555 0199 and wei@mail.example.",
            "416 555 0199, Email: wei@mail.example",
            "416 555 0199 Courriel:wei@mail.example",
            "mailto:wei@mail.example | 416 555 0199",
            "\u{202a}wei@mail.example\u{202c}, 416\u{a0}555\u{a0}0199",
        ] {
            let both = (Some("wei@mail.example".into()), Some("416 555 0199".into()));
            assert_eq!(read(text), both, "{text:?}");
        }
        assert_eq!(read("(416) 555-0199, wei@mail.example").1.as_deref(), Some("(416) 555-0199"));
        assert_eq!(read("wei@mail.example, (416) 555-0199").1.as_deref(), Some("(416) 555-0199"));
        assert_eq!(
            read("wei@mail.example, +1 416 555 0199 ext. 7").1.as_deref(),
            Some("+1 416 555 0199 ext. 7")
        );
        assert_eq!(read("Cell: 416 555 0199, wei@mail.example").1.as_deref(), Some("Cell: 416 555 0199"));
    }

    #[test]
    fn one_of_both_is_read_as_it_is_and_nothing_else_is_lost() {
        assert_eq!(read(" wei@mail.example "), (Some("wei@mail.example".into()), None));
        assert_eq!(read("Wei Chen <wei@mail.example>"), (Some("wei@mail.example".into()), None));
        assert_eq!(read("(647) 555-0189"), (None, Some("(647) 555-0189".into())));
        assert_eq!(read("ask at the @ desk"), (None, Some("ask at the @ desk".into())));
        assert_eq!(read("tel:416‑555‑0100"), (None, Some("416-555-0100".into())));
        assert_eq!(read("wei@mail.example, 0033 1 55 50 01 42").1.as_deref(), Some("+33 1 55 50 01 42"));
        assert_eq!(read(" \u{200b} "), (None, None));
        let several = read("wei@mail.example; mei@mail.example, 416 555 0199");
        assert_eq!(several.1.as_deref(), Some("mei@mail.example, 416 555 0199"));
        let contact = Contact::parse_without("wei@mail.example / Mei@Mail.example", &["WEI@mail.example"]);
        assert_eq!(contact.email.as_deref(), Some("mei@mail.example"));
        assert_eq!(contact.phone.as_deref(), Some("wei@mail.example"));
        let own = "wei@mail.example, 416 555 0199";
        assert_eq!(Contact::parse_without(own, &["wei@mail.example"]).phone.as_deref(), Some(own));
    }

    #[test]
    fn the_text_of_a_contact_reads_as_the_same_contact() {
        for (email, phone) in [
            (Some("wei@mail.example"), Some("(416) 555-0199")),
            (Some("wei@mail.example"), Some("mei@mail.example, 416 555 0199 (after six)")),
            (Some("wei@mail.example"), Some("Cell: 416 555 0199.")),
            (Some("wei@mail.example"), None),
            (None, Some("416 555 0199 / 416 555 0200")),
        ] {
            let contact = Contact::of(email.map(str::to_owned), phone.map(str::to_owned));
            assert_eq!(Contact::parse(&contact.text().unwrap()), contact);
        }
        assert_eq!(Contact::default().text(), None);
        let typed_as_number = Contact::of(None, Some("wei@mail.example".into()));
        assert_eq!(typed_as_number.key(), Some("wei@mail.example"));
    }

    #[test]
    fn telephone_numbers_are_linked_as_their_standard_says() {
        let cases: serde_json::Value =
            serde_json::from_str(include_str!("../../ui/src/components/telephone.cases.json")).unwrap();
        for case in cases.as_array().unwrap() {
            assert_eq!(super::telephone_link(case["number"].as_str().unwrap()), case["link"], "{case}");
        }
    }
}
