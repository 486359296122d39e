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

/// Whether a character is a control or a format character (Unicode's Cc and Cf).
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}' | '\u{70F}' | '\u{890}' | '\u{891}'
            | '\u{8E2}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{110BD}' | '\u{110CD}'
            | '\u{13430}'..='\u{1343F}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E007F}')
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
        ] {
            assert_eq!(clean_name(name), expected, "{name:?}");
            assert_eq!(clean_name(expected), expected, "once is enough: {expected:?}");
        }
    }
}
