//! Cleaning of single-line text: names of people and files.

/// A name as stored: without invisible characters, which can reverse the direction of the text that follows or make two
/// names look alike; runs of white space become one space.
///
/// Joiners stay between letters, because Persian and Indic scripts need them.
pub fn clean_name(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let is_within = |at: usize| {
        let is_letter = |at: usize| {
            letters.get(at).is_some_and(|c| !c.is_ascii() && !c.is_whitespace() && !is_unseen(*c))
        };
        at > 0 && is_letter(at - 1) && is_letter(at + 1)
    };
    let seen = letters.iter().enumerate().filter(|(at, c)| match c {
        '\u{200C}' | '\u{200D}' => is_within(*at),
        _ => c.is_whitespace() || !is_unseen(**c),
    });
    collapse_whitespace(&seen.map(|(_, c)| *c).collect::<String>())
}

/// Removes control and format characters but keeps white space.
pub fn without_unseen(text: &str) -> String {
    text.chars().filter(|c| c.is_whitespace() || !is_unseen(*c)).collect()
}

/// Runs of white space become one space.
pub fn collapse_whitespace(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Number of characters that can be seen, white space included.
pub fn count_seen(text: &str) -> usize {
    text.chars().filter(|c| c.is_whitespace() || !is_unseen(*c)).count()
}

/// Checks that a [cleaned](clean_name) text can be a person's name: it goes out in the school's letters and stands under
/// agreements.
///
/// # Errors
/// A sentence for an address of a website or a mailbox, which mail programs turn into links, and for a text without a
/// letter.
pub fn check_person(name: &str) -> Result<(), String> {
    // Full-width letters are read like the others.
    let narrow = |c: char| match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        _ => c,
    };
    let text: String = name.chars().map(narrow).flat_map(char::to_lowercase).collect();
    if ["://", "www.", "@"].iter().any(|part| text.contains(part)) {
        return Err("Enter the name without a web or email address".to_owned());
    }
    if text.chars().any(char::is_alphabetic) { Ok(()) } else { Err("Enter the name in letters".to_owned()) }
}

/// Whether a character is a control or a format character (Unicode's Cc and Cf), a variation selector, or a letter
/// without a shape.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}' | '\u{70F}' | '\u{890}' | '\u{891}'
            | '\u{8E2}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{110BD}' | '\u{110CD}'
            | '\u{13430}'..='\u{1343F}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}' | '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFF8}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_visible_characters_only() {
        for (name, expected) in [
            ("  Zoë \t\r\n Müller ", "Zoë Müller"),
            ("transcript\u{202E}fdp.html", "transcriptfdp.html"),
            ("\u{2066}Ann\u{2069}\u{200F} Lee\u{FEFF}", "Ann Lee"),
            ("a\u{0}b\u{7F}c\u{AD}d\u{E0041}e", "abcde"),
            ("علی\u{200C}رضا", "علی\u{200C}رضا"),
            ("ශ්\u{200D}රී", "ශ්\u{200D}රී"),
            ("ad\u{200D}min\u{200C}", "admin"),
            ("\u{200C}علی\u{200C}", "علی"),
            ("護照 محمد", "護照 محمد"),
            ("\u{202E}\u{200B}", ""),
            ("\u{3164}\u{115F}\u{FFA0}\u{2800}\u{FE0F}\u{E0101}\u{34F}", ""),
            ("Ann\u{3164}Lee\u{FE0F}", "AnnLee"),
        ] {
            assert_eq!(clean_name(name), expected, "{name:?}");
            assert_eq!(clean_name(expected), expected, "once is enough: {expected:?}");
        }
    }

    #[test]
    fn a_persons_name_has_a_letter_and_no_address() {
        for name in [
            "R",
            "李",
            "Zoë Müller",
            "J.R. Smith",
            "St. John",
            "O’Neil (Mum)",
            "علی\u{200C}رضا",
            "Awww",
            "7 of 9",
        ] {
            assert_eq!(check_person(name), Ok(()), "{name}");
        }
        for name in [
            "",
            "...",
            "- -",
            "12",
            "Win at https://pills.example",
            "WWW.pills.example",
            "a@b.example",
            "Ａ＠ｂ",
            "ｗｗｗ．pills",
            "http：／／x",
        ] {
            assert!(check_person(name).is_err(), "{name}");
        }
    }
}
