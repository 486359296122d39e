//! Why a document does not count, in the words that its student and the office read.

use jiff::civil::Date;

use crate::base::closed_set::closed_set;
use crate::base::dates::date_in_words;

closed_set! {
    /// Why the office rejected a document.
    pub enum RejectCode {
        /// It cannot be read.
        Unreadable = "unreadable",
        /// It is the wrong document.
        WrongDocument = "wrong_document",
        /// The name differs from the profile.
        NameDiffers = "name_differs",
        /// It is out of date.
        Expired = "expired",
        /// Pages or parts are missing.
        Incomplete = "incomplete",
    }
}

impl RejectCode {
    /// The code as a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::Unreadable => "It cannot be read.",
            Self::WrongDocument => "It is not the document we asked for.",
            Self::NameDiffers => "The name on it differs from the name in your profile.",
            Self::Expired => "It has expired.",
            Self::Incomplete => "Parts of it are missing.",
        }
    }

    /// The code as a sentence, followed by the reviewer's details.
    pub fn sentence(self, text: Option<&str>) -> String {
        text.map_or_else(|| self.words().to_owned(), |text| format!("{} {text}", self.words()))
    }
}

/// Sentence for a document that was valid until this day.
pub fn expired(on: Date) -> String {
    format!("It expired on {}.", date_in_words(on))
}

/// Sentence for a document whose file the school has lost.
pub const LOST: &str = "The school has lost its file.";
