//! What an e-mail is about, and what follows from that: how urgent it is, and which limits hold for it.

use crate::base::closed_set::closed_set;

closed_set! {
    /// What an e-mail is about. Each is written by one room and named when an e-mail is begun.
    pub enum Kind {
        /// A link that proves the mailbox of a new account.
        Verification = "verification",
        /// Somebody registered an address that has an account.
        AccountExists = "account_exists",
        /// A link to a new password.
        PasswordReset = "password_reset",
        /// A link that proves the mailbox to which an account's address is to change.
        EmailChange = "email_change",
        /// Something happened to an account: a new password, another address.
        AccountNotice = "account_notice",
        /// The school has a visitor's message.
        ContactConfirmation = "contact_confirmation",
        /// A visitor's message, for the office.
        ContactCopy = "contact_copy",
        /// The school has a student's request for a course, or knows that it was taken back.
        EnrollmentReceipt = "enrollment_receipt",
        /// What the office decided about an enrollment.
        EnrollmentDecision = "enrollment_decision",
        /// A student asks to leave a course, or stays after all; for the office.
        LeaveRequest = "leave_request",
        /// What waits for the office, on the morning of a weekday.
        Waiting = "waiting",
        /// What the office wrote to one student.
        OfficeMessage = "office_message",
        /// Something happened to an account of the staff.
        StaffNotice = "staff_notice",
        /// The server needs somebody: a backup, the certificate, the database.
        Alarm = "alarm",
        /// The day's e-mails are used up.
        BudgetAlarm = "budget_alarm",
        /// Somebody at the command line wants to know whether mail arrives.
        DeliveryTest = "delivery_test",
    }
}

/// Which of two waiting e-mails leaves first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// Somebody sits in front of a screen and waits for it.
    Urgent,
    /// Everything else.
    Normal,
}

/// The limits that hold for an e-mail that the office does not cause. What the school sends in a day is
/// divided into shares, so that no kind is stopped by a flood of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MailBudget {
    /// Lets a person in, at an address that nobody has proved yet.
    Newcomer,
    /// Lets the owner of an account in, at its proved address; caused by anybody.
    Owner,
    /// Proves the address to which an account is to move; the old one opens it meanwhile.
    Change,
    /// To the proved address of the account that causes it. The mailbox's limits hold for each topic;
    /// what exceeds them waits its turn.
    Receipt,
    /// A courtesy to an address that nobody has proved.
    Courtesy,
    /// Tells the owner of an account what happened to it, or the office what it must hear of. Only the mailbox's limits hold, for each
    /// topic, and what exceeds them waits its turn: nobody can spend a budget first, so that the
    /// owner hears of nothing.
    Security,
    /// To the office itself, which finds the same in its lists.
    Inbox,
    /// No limits: only the office and the program write these.
    Free,
}

impl Kind {
    /// How long it may wait behind others.
    pub fn urgency(self) -> Urgency {
        match self {
            Self::Verification
            | Self::AccountExists
            | Self::PasswordReset
            | Self::EmailChange
            | Self::AccountNotice
            | Self::StaffNotice
            | Self::Alarm
            | Self::BudgetAlarm
            | Self::DeliveryTest => Urgency::Urgent,
            Self::ContactConfirmation
            | Self::ContactCopy
            | Self::EnrollmentReceipt
            | Self::EnrollmentDecision
            | Self::LeaveRequest
            | Self::Waiting
            | Self::OfficeMessage => Urgency::Normal,
        }
    }

    pub(super) fn budget(self) -> MailBudget {
        match self {
            Self::Verification => MailBudget::Newcomer,
            Self::AccountExists | Self::PasswordReset => MailBudget::Owner,
            Self::EmailChange => MailBudget::Change,
            Self::EnrollmentReceipt | Self::EnrollmentDecision => MailBudget::Receipt,
            Self::ContactConfirmation => MailBudget::Courtesy,
            Self::AccountNotice | Self::LeaveRequest => MailBudget::Security,
            Self::ContactCopy => MailBudget::Inbox,
            Self::OfficeMessage
            | Self::Waiting
            | Self::StaffNotice
            | Self::Alarm
            | Self::BudgetAlarm
            | Self::DeliveryTest => MailBudget::Free,
        }
    }
}

impl Urgency {
    /// Both, the one that leaves first before the other.
    pub(super) const ALL: [Self; 2] = [Self::Urgent, Self::Normal];

    /// As the database has it.
    pub(super) fn number(self) -> i64 {
        match self {
            Self::Urgent => 0,
            Self::Normal => 1,
        }
    }
}

impl MailBudget {
    /// Percent of the school's day that only owners in a browser that is known for their account may use, beside
    /// the share of [`Self::Owner`].
    pub(super) const FOR_KNOWN_BROWSERS: u32 = 5;

    /// Percent of the school's day; none where the day does not matter.
    pub(super) fn share(self) -> Option<u32> {
        match self {
            Self::Newcomer => Some(30),
            Self::Owner => Some(15),
            Self::Change | Self::Courtesy => Some(5),
            Self::Receipt => Some(40),
            Self::Security | Self::Inbox | Self::Free => None,
        }
    }

    /// What an administrator reads of it.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Newcomer => "Verifications of new addresses",
            Self::Owner => "Links to a new password",
            Self::Change => "Confirmations of changed addresses",
            Self::Receipt => "Receipts of students' requests",
            Self::Courtesy => "Confirmations of messages",
            Self::Security => "News of an account",
            Self::Inbox => "Copies to the office",
            Self::Free => "From the office",
        }
    }

    /// Whether what exceeds the limits waits its turn; it is not sent otherwise.
    pub(super) fn delays(self) -> bool {
        matches!(self, Self::Receipt | Self::Security)
    }

    /// Whether the mailbox's limits hold for each asker: others cannot use up what lets the owner in.
    pub(super) fn lets_in(self) -> bool {
        matches!(self, Self::Newcomer | Self::Owner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::closed_set::ClosedSet;

    #[test]
    fn the_shares_are_a_whole_day() {
        let mut budgets: Vec<MailBudget> = Vec::new();
        for budget in Kind::ALL.iter().map(|kind| kind.budget()) {
            if !budgets.contains(&budget) {
                budgets.push(budget);
            }
        }
        let shares: u32 = budgets.iter().filter_map(|budget| budget.share()).sum();
        assert_eq!(shares + MailBudget::FOR_KNOWN_BROWSERS, 100);
    }
}
