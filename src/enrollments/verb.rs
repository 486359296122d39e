//! What can happen to an enrollment, in the words of its events and of the office's decisions.

use crate::base::closed_set::closed_set;

closed_set! {
    /// What happened to an enrollment.
    pub enum Verb {
        /// The student asked for the course.
        Request = "request",
        /// The office enrolled the student, who need not ask.
        Enroll = "enroll",
        /// A request became an enrollment.
        Approve = "approve",
        /// A request was refused.
        Decline = "decline",
        /// A request waits for a seat.
        Waitlist = "waitlist",
        /// A seat was kept for the next in the line.
        OfferPlace = "offer_place",
        /// The student took that seat.
        AcceptPlace = "accept_place",
        /// The student did not want it.
        DeclinePlace = "decline_place",
        /// Nobody took it in time.
        Lapse = "lapse",
        /// The student took the request back, or the office ended the enrollment.
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
        /// The mark was another one.
        CorrectMark = "correct_mark",
        /// What was declined or completed is open again.
        Reopen = "reopen",
        /// An approval was taken back after its email had left.
        ReverseApproval = "reverse_approval",
        /// The course begins or ends on other days.
        ChangeDates = "change_dates",
        /// A decision was taken back before anybody read of it.
        Undo = "undo",
    }
}
