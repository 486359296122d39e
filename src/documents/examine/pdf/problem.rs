//! Reasons to refuse a PDF, with advice.

use serde::{Deserialize, Serialize};

/// Why a PDF is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PdfProblem {
    /// It needs a password.
    Password,
    /// It is a dynamic form (XFA).
    DynamicForm,
    /// It is a portfolio of other files.
    Portfolio,
    /// It has fields or marks without stored appearance.
    UnseenMarks,
    /// It cannot be read completely.
    Damaged,
    /// The contents of its pages are missing.
    NoPages,
    /// Its compression or encryption is not supported.
    Unusual,
    /// It has too many or too deeply nested objects.
    TooComplicated,
    /// It decompresses to too much data.
    Unpacks,
    /// The rewritten file is too large.
    GrownTooLarge,
    /// The processor time is used up.
    TooSlow,
}

const PRINT_AGAIN: &str = "Please open it, print it to PDF again, and upload that.";

impl PdfProblem {
    /// What happened and what to do.
    pub fn words(self) -> String {
        match self {
            Self::Password => {
                "This PDF opens only with a password. Please open it, print it to PDF without the \
                password, and upload that."
                    .into()
            }
            Self::DynamicForm => {
                format!("This PDF is a form that builds its pages itself (XFA). {PRINT_AGAIN}")
            }
            Self::Portfolio => {
                "This PDF is a folder with other files in it. Please open the one that is meant, \
                save it by itself, and upload that."
                    .into()
            }
            Self::UnseenMarks => format!(
                "This PDF has filled-in fields or marks that each program draws in its own way. {PRINT_AGAIN}"
            ),
            Self::Damaged => format!("This PDF is damaged or incomplete. {PRINT_AGAIN}"),
            Self::NoPages => format!("There is nothing on the pages of this PDF. {PRINT_AGAIN}"),
            Self::Unusual => format!("This PDF is packed in a way that cannot be read here. {PRINT_AGAIN}"),
            Self::TooComplicated => format!("This PDF is too complicated to be checked. {PRINT_AGAIN}"),
            Self::Unpacks => {
                "This PDF unpacks to far more than its size. Please print it to PDF again, in a \
                lower quality, and upload that."
                    .into()
            }
            Self::GrownTooLarge => {
                "Once it is checked, this PDF is larger than 10 MB. Please print it to PDF again, \
                in a lower quality, and upload that."
                    .into()
            }
            Self::TooSlow => {
                "This PDF takes too long to check. Please print it to PDF again, in a lower quality, and \
                upload that."
                    .into()
            }
        }
    }

    /// Whether it is a problem of size.
    pub fn is_of_size(self) -> bool {
        matches!(self, Self::Unpacks | Self::GrownTooLarge)
    }
}
