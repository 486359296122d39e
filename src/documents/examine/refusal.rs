//! Why a file is not taken, and what to do about it.

use super::pdf::names::Forbidden;
use crate::base::error::Error;
use crate::base::picture::Problem;
use crate::base::picture::kind::OtherKind;
use crate::documents::rules::{TOO_LARGE, WRONG_CONTENT};

/// Why a file is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It is no PDF, JPEG or PNG.
    OtherKind,
    /// A picture that is no JPEG or PNG.
    OtherPicture(OtherKind),
    /// A PDF that begins with something else.
    BeforeStart,
    /// A PDF that goes on with something else.
    BehindEnd,
    /// A PDF that does more than show its pages.
    Active(Forbidden),
    /// A PDF that cannot be read to its end.
    DamagedPdf,
    /// A PDF of a kind that programs of today do not write, and that readers disagree about.
    Unusual,
    /// A PDF with too many or too deep objects.
    TooComplicated,
    /// A PDF that unpacks to more than a reader should be asked to hold.
    Unpacks,
    /// A picture that cannot be written anew as it is.
    Picture(Problem),
    /// The processor time is used up.
    TooSlow,
    /// As it would be stored it is too large.
    TooLarge,
}

const PRINT_AGAIN: &str = "Please open it, print it to PDF again, and upload that.";
impl Refusal {
    /// A sentence for its student.
    pub fn words(self) -> String {
        match self {
            Self::OtherKind => WRONG_CONTENT.into(),
            Self::OtherPicture(kind) => format!("This file {}", kind.words()),
            Self::BeforeStart => format!("This file has something else before its PDF. {PRINT_AGAIN}"),
            Self::BehindEnd => format!("This PDF has something else behind its end. {PRINT_AGAIN}"),
            Self::Active(Forbidden::Encryption) => format!(
                "This PDF {}. Please open it, print it to PDF without protection, and upload that.",
                Forbidden::Encryption.words()
            ),
            Self::Active(found) => {
                format!("This PDF {}; only plain pages can be taken. {PRINT_AGAIN}", found.words())
            }
            Self::DamagedPdf => format!("This PDF is damaged or incomplete. {PRINT_AGAIN}"),
            Self::Unusual => format!("This PDF is written in a way that cannot be checked. {PRINT_AGAIN}"),
            Self::TooComplicated => format!("This PDF is too complicated to be checked. {PRINT_AGAIN}"),
            Self::Unpacks => {
                "This PDF unpacks to far more than its size. Please print it to PDF again, in a \
                lower quality, and upload that."
                    .into()
            }
            Self::Picture(problem) => problem.words(),
            Self::TooSlow => "This file takes too long to check. Please save it smaller, or print it to PDF \
                again, and upload that."
                .into(),
            Self::TooLarge => TOO_LARGE.into(),
        }
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        match problem {
            Problem::TooSlow => Self::TooSlow,
            Problem::TooLarge => Self::TooLarge,
            problem => Self::Picture(problem),
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::TooLarge | Refusal::Picture(Problem::TooManyPixels(_)) | Refusal::Unpacks => {
                Self::TooLarge(refusal.words())
            }
            _ => Self::UnsupportedType(refusal.words()),
        }
    }
}
