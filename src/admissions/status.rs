//! The states of an application, and which act leads where.

use crate::base::closed_set::{ClosedSet as _, closed_set};

closed_set! {
    /// The state of a request for a place, in the order in which it passes through them.
    pub enum AdmissionRequestStatus {
        /// Not reviewed yet.
        Pending = "pending",
        /// Under review.
        InReview = "in_review",
        /// More information was requested.
        InfoRequested = "info_requested",
        /// Waits for a place.
        Waitlisted = "waitlisted",
        /// A place is offered.
        Offered = "offered",
        /// The family takes it.
        Accepted = "accepted",
        /// The offer ran out.
        Expired = "expired",
        /// Refused by the office, or the offer by the family.
        Declined = "declined",
        /// Withdrawn by the family.
        Withdrawn = "withdrawn",
    }
}

closed_set! {
    /// What happened to an application, as in `admission_events` and `decisions`.
    pub enum AdmissionVerb {
        /// It arrived.
        Receive = "receive",
        /// The family or the office corrected what was typed.
        Edit = "edit",
        /// The office looks at it, again perhaps.
        StartReview = "start_review",
        /// The office asked for information.
        Ask = "ask",
        /// The family answered.
        Answer = "answer",
        /// The family sent a document.
        Upload = "upload",
        /// It waits for a place.
        Waitlist = "waitlist",
        /// A place was offered.
        Offer = "offer",
        /// The family accepted the offer.
        Accept = "accept",
        /// The office declined it, or the family declined the offer.
        Decline = "decline",
        /// The family withdrew it.
        Withdraw = "withdraw",
        /// The offer ran out.
        Expire = "expire",
        /// The office opened it again.
        Reopen = "reopen",
        /// It was linked to a student.
        Link = "link",
        /// The admission was cancelled.
        Cancel = "cancel",
        /// A decision was undone before its emails were sent.
        Undo = "undo",
        /// The office stopped disclosing it to an address.
        Stop = "stop",
        /// The office discloses it to an address again.
        Resume = "resume",
        /// The family does not know the address of the student's account.
        Disown = "disown",
        /// The office reminded the family of its question.
        Remind = "remind",
    }
}

closed_set! {
    /// Who did something to an application.
    pub enum AdmissionActor {
        /// The family.
        Family = "family",
        /// The office.
        Staff = "staff",
        /// The program, when an offer runs out.
        System = "system",
    }
}

closed_set! {
    /// How an application reached the school.
    pub enum AdmissionSource {
        /// By the form on the website.
        Web = "web",
        /// By telephone.
        Phone = "phone",
        /// On paper.
        Paper = "paper",
        /// By an agent.
        Agent = "agent",
    }
}

closed_set! {
    /// Language in which the family wants to be written to.
    pub enum FamilyLanguage {
        /// English.
        English = "en",
        /// French.
        French = "fr",
    }
}

use AdmissionRequestStatus::{
    Accepted, Declined, Expired, InReview, InfoRequested, Offered, Pending, Waitlisted, Withdrawn,
};

impl AdmissionRequestStatus {
    /// As a sentence says it.
    pub fn in_words(self) -> &'static str {
        match self {
            Pending => "new",
            InReview => "in review",
            InfoRequested => "waiting for the family’s answer",
            Waitlisted => "on the waiting list",
            Offered => "offered a place",
            Accepted => "accepted",
            Expired => "expired",
            Declined => "declined",
            Withdrawn => "withdrawn",
        }
    }

    /// Whether a decision is still to come.
    pub fn is_open(self) -> bool {
        matches!(self, Pending | InReview | InfoRequested | Waitlisted | Offered)
    }
}

impl AdmissionVerb {
    /// The state after the act; `None` if the application is in it already and the act would repeat itself.
    ///
    /// # Errors
    /// The refusing sentence, if the state does not allow the act.
    pub fn after(self, from: AdmissionRequestStatus) -> Result<Option<AdmissionRequestStatus>, String> {
        let is_open = from.is_open();
        let (to, is_allowed) = match self {
            Self::StartReview => (InReview, is_open),
            Self::Ask => (InfoRequested, matches!(from, Pending | InReview | Waitlisted)),
            Self::Answer => (InReview, from == InfoRequested),
            // Each reminder is an act of its own, so its result is no repetition.
            Self::Remind if from == InfoRequested => return Ok(Some(from)),
            Self::Remind => (from, false),
            // A document that arrives while a question is open answers it.
            Self::Upload if from == InfoRequested => return Ok(Some(InReview)),
            Self::Waitlist => (Waitlisted, matches!(from, Pending | InReview | InfoRequested)),
            // A new offer takes the place of the old one, so it is never a repetition.
            Self::Offer if from == Offered => return Ok(Some(Offered)),
            Self::Offer => (Offered, is_open || from == Expired),
            Self::Accept => (Accepted, from == Offered),
            Self::Decline => (Declined, is_open),
            Self::Withdraw => (Withdrawn, is_open),
            Self::Expire => (Expired, from == Offered),
            Self::Reopen => (InReview, matches!(from, Expired | Declined | Withdrawn)),
            Self::Receive
            | Self::Edit
            | Self::Upload
            | Self::Link
            | Self::Cancel
            | Self::Undo
            | Self::Stop
            | Self::Resume
            | Self::Disown => {
                return Ok(Some(from));
            }
        };
        // Only an application that waits for an answer can be answered, so its result is no repetition.
        if from == to && !matches!(self, Self::Answer | Self::Remind) {
            return Ok(None);
        }
        if is_allowed { Ok(Some(to)) } else { Err(self.refusal(from)) }
    }

    fn refusal(self, from: AdmissionRequestStatus) -> String {
        let state = from.in_words();
        match (self, from) {
            (Self::Remind, _) => format!("This application is {state}, and no question is open."),
            (_, Accepted) => "The family has accepted the offer. Cancel the admission instead.".into(),
            (Self::Answer, _) => format!("This application is {state}, and no question is open."),
            (Self::Accept, _) => format!("This application is {state}, so there is no offer to accept."),
            (Self::Reopen, _) => format!("This application is {state} and not closed."),
            (Self::Ask | Self::Waitlist, Offered) => {
                "A place is offered. Withdraw the offer first by starting the review again.".into()
            }
            (_, Expired | Declined | Withdrawn) => {
                format!("This application is {state}. Reopen it to decide again.")
            }
            _ => format!("This application is {state}, which does not allow this."),
        }
    }

    /// The action in the audit trail.
    pub fn audited(self) -> String {
        self.as_str().replace('_', " ")
    }
}

#[cfg(test)]
mod tests {
    use crate::base::closed_set::ClosedSet;

    use super::*;

    /// The table of states: for each state, the acts that move it, and where to.
    #[test]
    fn an_act_leads_where_the_table_of_states_says_and_nowhere_else() {
        use AdmissionVerb::{
            Accept, Answer, Ask, Decline, Expire, Offer, Remind, Reopen, StartReview, Upload, Waitlist,
            Withdraw,
        };
        let table: [(AdmissionRequestStatus, &[(AdmissionVerb, AdmissionRequestStatus)]); 9] = [
            (
                Pending,
                &[
                    (StartReview, InReview),
                    (Ask, InfoRequested),
                    (Waitlist, Waitlisted),
                    (Offer, Offered),
                    (Decline, Declined),
                    (Withdraw, Withdrawn),
                ],
            ),
            (
                InReview,
                &[
                    (Ask, InfoRequested),
                    (Waitlist, Waitlisted),
                    (Offer, Offered),
                    (Decline, Declined),
                    (Withdraw, Withdrawn),
                ],
            ),
            (
                InfoRequested,
                &[
                    (StartReview, InReview),
                    (Answer, InReview),
                    (Waitlist, Waitlisted),
                    (Offer, Offered),
                    (Decline, Declined),
                    (Withdraw, Withdrawn),
                ],
            ),
            (
                Waitlisted,
                &[
                    (StartReview, InReview),
                    (Ask, InfoRequested),
                    (Offer, Offered),
                    (Decline, Declined),
                    (Withdraw, Withdrawn),
                ],
            ),
            (
                Offered,
                &[
                    (StartReview, InReview),
                    (Offer, Offered),
                    (Accept, Accepted),
                    (Decline, Declined),
                    (Withdraw, Withdrawn),
                    (Expire, Expired),
                ],
            ),
            (Accepted, &[]),
            (Expired, &[(Offer, Offered), (Reopen, InReview)]),
            (Declined, &[(Reopen, InReview)]),
            (Withdrawn, &[(Reopen, InReview)]),
        ];
        assert_eq!(Upload.after(InfoRequested), Ok(Some(InReview)), "a document answers the question");
        assert_eq!(Upload.after(Waitlisted), Ok(Some(Waitlisted)));
        assert_eq!(Remind.after(InfoRequested), Ok(Some(InfoRequested)));
        for state in AdmissionRequestStatus::ALL.iter().filter(|state| **state != InfoRequested) {
            assert!(Remind.after(*state).unwrap_err().ends_with("no question is open."), "{state:?}");
        }
        let moving = [StartReview, Ask, Answer, Waitlist, Offer, Accept, Decline, Withdraw, Expire, Reopen];
        assert_eq!(table.len(), AdmissionRequestStatus::ALL.len());
        for (from, moves) in table {
            for verb in moving {
                let expected = moves.iter().find(|(known, _)| *known == verb).map(|(_, to)| *to);
                let found = verb.after(from).ok().flatten();
                assert_eq!(found, expected, "{from:?} {verb:?}");
            }
        }
        assert_eq!(Waitlist.after(Waitlisted), Ok(None), "repeating it changes nothing");
        assert!(Answer.after(InReview).is_err(), "an answer without a question is no repetition");
        assert_eq!(
            Decline.after(Accepted).unwrap_err(),
            "The family has accepted the offer. Cancel the admission instead."
        );
    }
}
