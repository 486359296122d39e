//! Verbs of events and decisions about enrollments.

use crate::base::closed_set::closed_set;

closed_set! {
    /// An action on an enrollment.
    pub enum Verb {
        /// The student requested the course.
        Request = "request",
        /// The office enrolled the student without a request.
        Enroll = "enroll",
        /// A request became an enrollment.
        Approve = "approve",
        /// A request was refused.
        Decline = "decline",
        /// A request waits for a seat.
        Waitlist = "waitlist",
        /// A seat was offered to the next student on the waiting list.
        OfferPlace = "offer_place",
        /// The student accepted the offer.
        AcceptPlace = "accept_place",
        /// The student declined the offer.
        DeclinePlace = "decline_place",
        /// The offer expired.
        Lapse = "lapse",
        /// The student withdrew, or the office ended the enrollment.
        Withdraw = "withdraw",
        /// The student asked to leave the course.
        AskToLeave = "ask_to_leave",
        /// The student stays after all.
        Stay = "stay",
        /// The office did not let the student leave.
        RefuseLeave = "refuse_leave",
        /// The mark in the middle of the course.
        Midterm = "midterm",
        /// The course ended with its mark.
        Complete = "complete",
        /// The mark was corrected.
        CorrectMark = "correct_mark",
        /// A declined or completed enrollment was reopened.
        Reopen = "reopen",
        /// An approval was reversed after its email was sent.
        ReverseApproval = "reverse_approval",
        /// The dates were changed.
        ChangeDates = "change_dates",
        /// The student goes on in another section or course.
        Transfer = "transfer",
        /// The school cancelled its section.
        Cancel = "cancel",
        /// A decision was undone before its email was sent.
        Undo = "undo",
    }
}
