//! Transition table of enrollments: the effect of each decision in each state.

use self::Step::{Already, Refused, To};
use super::status::EnrollmentStatus::{self, Active, Completed, Declined, Pending, Waitlisted, Withdrawn};
use super::verb::Verb;
use crate::base::closed_set::ClosedSet;

/// Effect of a decision in one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Changes to this state, which may be the current one.
    To(EnrollmentStatus),
    /// Already made; changes nothing.
    Already,
    /// 409 with this sentence; `{}` is the state.
    Refused(&'static str),
}

/// A row of the table: a decision of the office or the student.
#[derive(Debug)]
pub struct Transition {
    /// Its verb in events, decisions and the audit trail.
    pub verb: Verb,
    /// In the order of [`EnrollmentStatus::ALL`].
    steps: [Step; 7],
}

const ACTIVE_ONLY: Step = Refused("This enrollment is {}; only an active one allows that.");
const NO_APPROVAL: Step = Refused("This enrollment is {} and can no longer be approved.");
const NO_DECLINE: Step = Refused("This enrollment is {} and can no longer be declined.");
const NO_WAITLIST: Step = Refused("This enrollment is {} and can no longer be put on the waiting list.");
const NO_CHANGE: Step = Refused("This enrollment is {} and can no longer be changed.");
const OPEN: Step = Refused("This enrollment is {} already.");
const ENROLL_AGAIN: Step = Refused("This enrollment is withdrawn. Enroll the student again instead.");
const NO_REOPENING: Step = Refused("This enrollment is {}. Transfer the student to another section instead.");
const NOT_A_REQUEST: Step = Refused("This enrollment is {} and no request any more.");
const NO_MARK: Step = Refused("This enrollment is {} and has no final mark to correct.");
const NOT_APPROVED: Step =
    Refused("The office has not approved this request yet. You can withdraw it yourself.");
const NOT_ENROLLED: Step = Refused("You are no longer in this course.");
const ASK_OFFICE: Step = Refused(
    "The office has already approved this enrollment. Please contact the office to leave the course.",
);
const WAS_DECLINED: Step = Refused("The office has declined this request, so there is nothing to withdraw.");
const WAS_WITHDRAWN: Step = Refused("You have already withdrawn this request.");
const WAS_COMPLETED: Step = Refused("You have already completed this course.");
const WAS_CANCELLED: Step =
    Refused("The school has cancelled this class. Please ask the office for another one, or to leave.");

#[rustfmt::skip]
impl Transition {
    // From:                                                             pending         active         waitlisted      declined      withdrawn      completed      cancelled
    pub const APPROVE:          Self = Self::new(Verb::Approve,         [To(Active),     Already,       To(Active),     NO_APPROVAL,  NO_APPROVAL,   NO_APPROVAL, NO_APPROVAL]);
    pub const DECLINE:          Self = Self::new(Verb::Decline,         [To(Declined),   NO_DECLINE,    To(Declined),   Already,      NO_DECLINE,    NO_DECLINE, NO_DECLINE]);
    pub const WAITLIST:         Self = Self::new(Verb::Waitlist,        [To(Waitlisted), NO_WAITLIST,   Already,        NO_WAITLIST,  NO_WAITLIST,   NO_WAITLIST, NO_WAITLIST]);
    pub const WITHDRAW:         Self = Self::new(Verb::Withdraw,        [ACTIVE_ONLY,    To(Withdrawn), ACTIVE_ONLY,    ACTIVE_ONLY,  ACTIVE_ONLY,   ACTIVE_ONLY, To(Withdrawn)]);
    pub const REFUSE_LEAVE:     Self = Self::new(Verb::RefuseLeave,     [ACTIVE_ONLY,    To(Active),    ACTIVE_ONLY,    ACTIVE_ONLY,  ACTIVE_ONLY,   ACTIVE_ONLY, ACTIVE_ONLY]);
    pub const MIDTERM:          Self = Self::new(Verb::Midterm,         [ACTIVE_ONLY,    To(Active),    ACTIVE_ONLY,    ACTIVE_ONLY,  ACTIVE_ONLY,   ACTIVE_ONLY, ACTIVE_ONLY]);
    pub const COMPLETE:         Self = Self::new(Verb::Complete,        [ACTIVE_ONLY,    To(Completed), ACTIVE_ONLY,    ACTIVE_ONLY,  ACTIVE_ONLY,   ACTIVE_ONLY, ACTIVE_ONLY]);
    pub const CORRECT_MARK:     Self = Self::new(Verb::CorrectMark,     [NO_MARK,        NO_MARK,       NO_MARK,        NO_MARK,      NO_MARK,       To(Completed), NO_MARK]);
    pub const REOPEN:           Self = Self::new(Verb::Reopen,          [OPEN,           OPEN,          OPEN,           To(Pending),  ENROLL_AGAIN,  To(Active), NO_REOPENING]);
    pub const REVERSE_APPROVAL: Self = Self::new(Verb::ReverseApproval, [ACTIVE_ONLY,    To(Pending),   ACTIVE_ONLY,    ACTIVE_ONLY,  ACTIVE_ONLY,   ACTIVE_ONLY, ACTIVE_ONLY]);
    pub const CHANGE_DATES:     Self = Self::new(Verb::ChangeDates,     [To(Pending),    To(Active),    To(Waitlisted), NO_CHANGE,    NO_CHANGE,     NO_CHANGE, NO_CHANGE]);
    pub const TRANSFER:         Self = Self::new(Verb::Transfer,        [ACTIVE_ONLY,    To(Withdrawn), ACTIVE_ONLY,    ACTIVE_ONLY,  ACTIVE_ONLY,   ACTIVE_ONLY, To(Withdrawn)]);
    pub const MOVE_REQUEST:     Self = Self::new(Verb::Transfer,        [To(Pending),    NOT_A_REQUEST, To(Waitlisted), NOT_A_REQUEST, NOT_A_REQUEST, NOT_A_REQUEST, NOT_A_REQUEST]);
    // By the student:
    pub const TAKE_BACK:        Self = Self::new(Verb::Withdraw,        [To(Withdrawn),  ASK_OFFICE,    To(Withdrawn),  WAS_DECLINED, WAS_WITHDRAWN, WAS_COMPLETED, WAS_CANCELLED]);
    pub const ASK_TO_LEAVE:     Self = Self::new(Verb::AskToLeave,      [NOT_APPROVED,   To(Active),    NOT_APPROVED,   NOT_ENROLLED, NOT_ENROLLED,  NOT_ENROLLED, WAS_CANCELLED]);
    pub const STAY:             Self = Self::new(Verb::Stay,            [NOT_APPROVED,   To(Active),    NOT_APPROVED,   NOT_ENROLLED, NOT_ENROLLED,  NOT_ENROLLED, WAS_CANCELLED]);
}

impl Transition {
    const fn new(verb: Verb, steps: [Step; 7]) -> Self {
        Self { verb, steps }
    }

    /// The state after it; `None` if it was made already.
    ///
    /// # Errors
    /// A sentence in a state that does not allow it.
    pub fn after(&self, status: EnrollmentStatus) -> Result<Option<EnrollmentStatus>, String> {
        for (from, step) in EnrollmentStatus::ALL.iter().zip(self.steps) {
            if *from == status {
                return match step {
                    To(after) => Ok(Some(after)),
                    Already => Ok(None),
                    Refused(sentence) => Err(sentence.replace("{}", status.as_str())),
                };
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFFICE: [&Transition; 12] = [
        &Transition::APPROVE,
        &Transition::DECLINE,
        &Transition::WAITLIST,
        &Transition::WITHDRAW,
        &Transition::REFUSE_LEAVE,
        &Transition::MIDTERM,
        &Transition::COMPLETE,
        &Transition::CORRECT_MARK,
        &Transition::REOPEN,
        &Transition::REVERSE_APPROVAL,
        &Transition::CHANGE_DATES,
        &Transition::TRANSFER,
    ];

    #[test]
    fn every_state_but_withdrawn_has_a_way_out() {
        for status in EnrollmentStatus::ALL {
            let leaves = |one: &&Transition| matches!(one.after(*status), Ok(Some(to)) if to != *status);
            assert_eq!(OFFICE.iter().any(leaves), *status != Withdrawn, "{status:?}");
        }
    }

    #[test]
    fn a_decision_made_again_changes_nothing_only_where_it_leads() {
        for one in OFFICE {
            for (status, step) in EnrollmentStatus::ALL.iter().zip(one.steps) {
                assert!(
                    step != Already || one.steps.contains(&To(*status)),
                    "{:?} from {status:?}",
                    one.verb
                );
            }
        }
    }

    #[test]
    fn dates_change_and_students_take_back_only_what_is_open() {
        for status in EnrollmentStatus::ALL {
            assert_eq!(Transition::CHANGE_DATES.after(*status).is_ok(), status.is_open(), "{status:?}");
            let may_take_back = status.is_open() && *status != Active;
            assert_eq!(Transition::TAKE_BACK.after(*status).is_ok(), may_take_back, "{status:?}");
        }
        let refusal = Transition::APPROVE.after(Declined).unwrap_err();
        assert_eq!(refusal, "This enrollment is declined and can no longer be approved.");
    }
}
