//! Why a file is not taken, and what to do about it.

use super::pdf::PdfProblem;
use crate::base::error::Error;
use crate::base::picture::PictureProblem;
use crate::base::picture::kind::OtherKind;
use crate::documents::rules::{TOO_LARGE, WRONG_CONTENT};

/// Why a file is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileRefusal {
    /// It is no PDF, JPEG or PNG.
    OtherKind,
    /// A picture that is no JPEG or PNG.
    OtherPicture(OtherKind),
    /// A PDF that cannot be written again, or would lose what it shows.
    Pdf(PdfProblem),
    /// A picture that cannot be written anew as it is.
    Picture(PictureProblem),
    /// The processor time is used up.
    TooSlow,
    /// As it would be stored it is too large.
    TooLarge,
}

impl FileRefusal {
    /// A sentence for its student.
    pub fn words(self) -> String {
        match self {
            Self::OtherKind => WRONG_CONTENT.into(),
            Self::OtherPicture(kind) => format!("This file {}", kind.words()),
            Self::Pdf(problem) => problem.words(),
            Self::Picture(problem) => problem.words(),
            Self::TooSlow => {
                "This picture takes too long to check. Please save it smaller, and upload that.".into()
            }
            Self::TooLarge => TOO_LARGE.into(),
        }
    }
}

impl From<PictureProblem> for FileRefusal {
    fn from(problem: PictureProblem) -> Self {
        match problem {
            PictureProblem::TooSlow => Self::TooSlow,
            PictureProblem::TooLarge => Self::TooLarge,
            problem => Self::Picture(problem),
        }
    }
}

impl From<PdfProblem> for FileRefusal {
    fn from(problem: PdfProblem) -> Self {
        Self::Pdf(problem)
    }
}

impl From<FileRefusal> for Error {
    fn from(refusal: FileRefusal) -> Self {
        match refusal {
            FileRefusal::TooLarge | FileRefusal::Picture(PictureProblem::TooManyPixels(_)) => {
                Self::TooLarge(refusal.words())
            }
            FileRefusal::Pdf(problem) if problem.is_of_size() => Self::TooLarge(refusal.words()),
            _ => Self::UnsupportedType(refusal.words()),
        }
    }
}
