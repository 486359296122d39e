//! Easily guessed passwords: the most common ones, and those made from public facts about the owner, the school and
//! this program.
//!
//! The first kind is a list of 23,000; `guessable/LICENSES.txt` names its source. Case, the usual substitutions
//! (`p@ssw0rd`) and digits or punctuation around the word make no difference. There is no strength meter: any other
//! password of eight characters is accepted.

use std::io::Read;
use std::sync::LazyLock;

/// Maximum number of characters added to a word for which it is still refused.
const MAX_ADDED: usize = 8;
/// The name of this program, which its source code and its cookies reveal.
const PROGRAM: &str = "schoolhouse";
/// Minimum length of a name that is checked.
const MIN_NAME: usize = 3;

const COMMON: &str = "This is one of the most used passwords, or close to one, so it is guessed first. \
    Try three or four words that do not belong together.";
const OWN: &str = "This is made from a name that is easy to find out: the school's, its software's, your email \
    address or your username. Try three or four words that do not belong together.";

/// Refuses an easily guessed password. `own` is what is known about its owner: the school's names, the address, the
/// username.
///
/// # Errors
/// A sentence that says why, and what to choose instead.
pub(super) fn check(password: &str, own: &[&str]) -> Result<(), &'static str> {
    let cores = cores(password);
    if cores.iter().any(|core| is_common(core)) {
        return Err(COMMON);
    }
    let names: Vec<String> = own.iter().chain([&PROGRAM]).flat_map(|text| names(text)).collect();
    if cores.iter().any(|core| names.contains(&letters_and_digits(core))) {
        return Err(OWN);
    }
    Ok(())
}

/// The possible base words of a password: all of it, and without leading and trailing digits and punctuation, each as
/// typed and with look-alikes replaced by letters.
fn cores(password: &str) -> Vec<String> {
    let chars: Vec<char> = password.to_lowercase().chars().collect();
    let first_letter = chars.iter().position(|c| c.is_alphabetic()).unwrap_or(0);
    let after_letters = chars.iter().rposition(|c| c.is_alphabetic()).map_or(0, |last| last + 1);
    let mut cores = Vec::new();
    for start in [0, first_letter] {
        for end in after_letters.max(start)..=chars.len() {
            let core: String = chars[start..end].iter().collect();
            // Eight digits are a date or a personal number, not a word with digits added.
            let min = if after_letters == 0 { 6 } else { MIN_NAME };
            let added = chars.len() - (end - start);
            if (end - start) >= min && added <= MAX_ADDED {
                cores.extend([without_look_alikes(&core, 'i'), without_look_alikes(&core, 'l'), core]);
            }
        }
    }
    cores
}

fn without_look_alikes(word: &str, one: char) -> String {
    word.chars()
        .map(|c| match c {
            '@' | '4' => 'a',
            '3' => 'e',
            '1' | '!' => one,
            '0' => 'o',
            '$' | '5' => 's',
            '7' => 't',
            _ => c,
        })
        .collect()
}

fn is_common(word: &str) -> bool {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let mut text = String::new();
        let packed: &[u8] = include_bytes!("guessable/common.txt.gz");
        if let Err(error) = flate2::read::GzDecoder::new(packed).read_to_string(&mut text) {
            tracing::error!("the list of common passwords cannot be read: {error}");
        }
        text
    });
    // Sorted, as the file is.
    static WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| TEXT.lines().collect());
    WORDS.binary_search(&word).is_ok()
}

/// The parts of a name or address that a password may contain: all of it, the part before the @, each part of an address, and each longer word.
fn names(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let words = text.split(|c: char| !c.is_alphabetic()).map(str::to_owned);
    let mut names: Vec<String> = words.chain(text.split(['@', '.']).map(letters_and_digits)).collect();
    names.retain(|name| name.chars().count() > MIN_NAME);
    let before_at = text.split('@').next().unwrap_or_default();
    let whole = [letters_and_digits(&text), letters_and_digits(before_at)];
    names.extend(whole.into_iter().filter(|name| name.chars().count() >= MIN_NAME));
    names
}

fn letters_and_digits(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_passwords_and_their_variations_are_refused() {
        for password in [
            "password",
            "Password",
            "PASSWORD1",
            "password123!",
            "p@ssw0rd",
            "P4$$w0rd2026",
            "12345678",
            "123456789!",
            "qwertyuiop",
            "iloveyou!!",
            "Dragon99",
            "monkey-2024",
            "123monkey123",
            "letmein22",
            "scheisse",
            "00password00",
            "11112222",
            "sunshine 1",
            "footba11",
        ] {
            assert_eq!(check(password, &[]), Err(COMMON), "{password}");
        }
    }

    #[test]
    fn facts_about_the_owner_are_refused() {
        let own = ["Northgate Academy", "amara.okonkwo07@mail.example", "frontdesk"];
        for password in [
            "northgate academy",
            "NorthgateAcademy1",
            "Northgate2026",
            "n0rthgate!",
            "amara.okonkwo07",
            "amaraokonkwo07!",
            "amara.okonkwo07@mail.example",
            "Okonkwo2009",
            "frontdesk",
            "FrontDesk-1",
            "2026frontdesk",
        ] {
            assert_eq!(check(password, &own), Err(OWN), "{password}");
        }
        assert_eq!(check("Northgate2026", &[]), Ok(()), "known only where it is the school's");
        // The part after the @ is the name of a school or of a mail service.
        for password in ["Fairview2026", "fairview-office"] {
            assert_eq!(check(password, &["office@fairview-office.example"]), Err(OWN), "{password}");
        }
    }

    #[test]
    fn the_name_of_the_program_is_refused_everywhere() {
        for password in ["schoolhouse", "Schoolhouse", "sch00lh0use!", "schoolhouse2026", "1-schoolhouse"] {
            assert_eq!(check(password, &[]), Err(OWN), "{password}");
        }
    }

    #[test]
    fn other_passwords_are_accepted() {
        let own = ["Northgate Academy", "al@mail.example", "jo"];
        for password in [
            "correct horse battery",
            "an even quieter heron",
            "brand new one",
            "ködermaus",
            "20090301",
            "48213907",
            "xkvd82hq",
            "love 8213-9972-4410-2231",
            "my academy is far",
            "passwordless heron",
            "密码密码密码密码",
            "al482139",
            "        ",
        ] {
            assert_eq!(check(password, &own), Ok(()), "{password}");
        }
    }

    /// The hint shown while typing uses its own list; each of its words must be refused here.
    #[test]
    fn the_interfaces_common_words_are_all_refused() {
        let source = include_str!("../../../ui/src/accounts/passwordStrength.ts");
        let (_, list) = source.split_once("export const commonWords =\n  '").unwrap();
        let words: Vec<_> = list.split_once('\'').unwrap().0.split(' ').collect();
        assert!(words.len() > 50 && words.contains(&"letmein"), "{words:?}");
        for word in words {
            assert!(is_common(word), "{word}");
        }
    }

    #[test]
    fn the_list_is_there_sorted_and_in_lower_case() {
        assert!(is_common("password") && is_common("zzzzzzzz") && !is_common(""));
        // What the binary search relies on.
        for word in ["0000", "1q2w3e4r", "abc123", "letmein", "outoutout", "zxcvbnm1"] {
            assert!(is_common(word), "{word}");
        }
    }
}
