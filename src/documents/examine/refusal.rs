//! Reasons to refuse a file, with advice.

use super::pdf::PdfProblem;
use crate::base::error::Error;
use crate::base::picture::PictureProblem;
use crate::base::picture::kind::UnsupportedFormat;
use crate::documents::rules::{TOO_LARGE, WRONG_CONTENT};

/// Why a file is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileRefusal {
    /// It is not a PDF, JPEG or PNG.
    UnsupportedFormat,
    /// A picture in another format.
    OtherPicture(UnsupportedFormat),
    /// A PDF that cannot be rewritten without loss.
    Pdf(PdfProblem),
    /// A picture that cannot be re-encoded.
    Picture(PictureProblem),
    /// The processor time is used up.
    TooSlow,
    /// The rewritten file is too large.
    TooLarge,
}

impl FileRefusal {
    /// Message for the student.
    pub fn words(self) -> String {
        match self {
            Self::UnsupportedFormat => WRONG_CONTENT.into(),
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
