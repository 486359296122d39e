//! Which decision leads where from each state of a document.

use crate::base::closed_set::{ClosedSet as _, closed_set};
use crate::documents::rules::DocumentStatus::{self, Accepted, Expired, PendingReview, Rejected, Superseded};

closed_set! {
    /// Decisions about a document, as stored in `decisions` and `document_events`.
    pub enum DocumentVerb {
        /// Accept.
        Accept = "accept_document",
        /// Reject.
        Reject = "reject_document",
        /// Put back into review.
        Reopen = "reopen_document",
        /// Its last valid day has passed.
        Expire = "expire_document",
        /// Undo a decision before its email is sent.
        Undo = "undo_document",
    }
}

impl DocumentVerb {
    /// The action in the audit trail.
    pub(super) fn audited(self) -> &'static str {
        self.as_str().trim_end_matches("_document")
    }

    /// The state after the decision; `None` if the document is already in it.
    ///
    /// # Errors
    /// The refusing sentence, if the state does not allow the decision.
    pub(super) fn after(self, status: DocumentStatus) -> Result<Option<DocumentStatus>, String> {
        let (to, is_allowed) = match self {
            Self::Accept => (Accepted, status == PendingReview),
            Self::Reject => (Rejected, status == PendingReview),
            Self::Reopen => (PendingReview, matches!(status, Accepted | Rejected)),
            Self::Expire => (Expired, status == Accepted),
            Self::Undo => return Err("Only a decision is undone.".into()),
        };
        match status {
            _ if status == to => Ok(None),
            _ if is_allowed => Ok(Some(to)),
            Superseded | Expired => {
                Err(format!("This document is {}. Decide about a newer one.", status.in_words()))
            }
            PendingReview | Accepted | Rejected => {
                Err(format!("This document is {} already. Reopen it to decide again.", status.in_words()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_is_given_once_and_every_decided_document_has_a_way_back() {
        for status in DocumentStatus::ALL {
            for verb in [DocumentVerb::Accept, DocumentVerb::Reject] {
                let after = verb.after(*status);
                assert_eq!(matches!(after, Ok(Some(_))), *status == PendingReview, "{verb:?} {status:?}");
            }
            let reopens = matches!(DocumentVerb::Reopen.after(*status), Ok(Some(PendingReview)));
            assert_eq!(reopens, matches!(status, Accepted | Rejected), "{status:?}");
        }
        assert_eq!(DocumentVerb::Accept.after(Accepted), Ok(None));
        assert_eq!(
            DocumentVerb::Reject.after(Accepted).unwrap_err(),
            "This document is accepted already. Reopen it to decide again."
        );
    }
}
