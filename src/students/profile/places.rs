//! Provinces by their names as people type them.

use super::choices::Province;
use crate::base::closed_set::ClosedSet as _;
use crate::storage::search::fold;

/// Names and abbreviations in English and French, besides the code.
const PROVINCE_WORDS: [(Province, &str); 13] = [
    (Province::Alberta, "alberta alta"),
    (Province::BritishColumbia, "britishcolumbia colombiebritannique"),
    (Province::Manitoba, "manitoba man"),
    (Province::NewBrunswick, "newbrunswick nouveaubrunswick"),
    (Province::Newfoundland, "newfoundlandandlabrador newfoundland nfld nf terreneuveetlabrador"),
    (Province::NovaScotia, "novascotia nouvelleecosse"),
    (Province::NorthwestTerritories, "northwestterritories nwt"),
    (Province::Nunavut, "nunavut"),
    (Province::Ontario, "ontario ont"),
    (Province::PrinceEdwardIsland, "princeedwardisland pei"),
    (Province::Quebec, "quebec que pq"),
    (Province::Saskatchewan, "saskatchewan sask"),
    (Province::Yukon, "yukon yukonterritory"),
];

impl Province {
    /// A province by its code, its name or an abbreviation, in English or French.
    pub fn from_words(text: &str) -> Option<Self> {
        let letters = letters(text);
        let is_meant = |(known, words): &&(Self, &str)| {
            known.as_str().eq_ignore_ascii_case(&letters) || words.split(' ').any(|word| word == letters)
        };
        PROVINCE_WORDS.iter().find(is_meant).map(|(known, _)| *known)
    }
}

/// The letters and digits of a text, lower-case and without accents.
pub fn letters(text: &str) -> String {
    fold(&text.replace('&', "and")).chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn provinces_are_known_by_their_names() {
        for text in ["ON", "on", "Ontario", "ontario", "Ont.", " ONTARIO "] {
            assert_eq!(Province::from_words(text), Some(Province::Ontario), "{text}");
        }
        for (text, code) in [
            ("B.C.", "BC"),
            ("Québec", "QC"),
            ("P.E.I.", "PE"),
            ("Newfoundland & Labrador", "NL"),
            ("N.W.T.", "NT"),
        ] {
            assert_eq!(Province::from_words(text).map(Province::as_str), Some(code), "{text}");
        }
        assert_eq!((Province::from_words("Greater London"), Province::from_words("")), (None, None));
        for known in Province::ALL {
            assert_eq!(Province::from_words(known.as_str()), Some(*known));
        }
    }
}
