//! Kinds of emails, with their urgency and limits.

use crate::base::closed_set::closed_set;

closed_set! {
    /// Kind of an email, given when it is created.
    pub enum Kind {
        /// Verification link for a new account.
        Verification = "verification",
        /// Registration with an address that has an account.
        AccountExists = "account_exists",
        /// Password link.
        PasswordReset = "password_reset",
        /// Confirmation link for a changed address.
        EmailChange = "email_change",
        /// Notice about an account: new password, changed address.
        AccountNotice = "account_notice",
        /// Confirmation of a visitor's message.
        ContactConfirmation = "contact_confirmation",
        /// Copy of a visitor's message to the office.
        ContactCopy = "contact_copy",
        /// Reply of the office to a visitor's message.
        MessageReply = "message_reply",
        /// Receipt for a student's request or its withdrawal.
        EnrollmentReceipt = "enrollment_receipt",
        /// Asks a guardian to confirm a student's request.
        GuardianRequest = "guardian_request",
        /// Link to the family page.
        FamilyLink = "family_link",
        /// Decision of the office about an enrollment.
        EnrollmentDecision = "enrollment_decision",
        /// Receipt of a payment, or that it is void.
        PaymentReceipt = "payment_receipt",
        /// Reminder of what is to be paid.
        PaymentReminder = "payment_reminder",
        /// What the office decided about documents.
        DocumentDecision = "document_decision",
        /// A document expires soon, or has expired.
        DocumentReminder = "document_reminder",
        /// An application has arrived, or its link was asked for.
        ApplicationReceipt = "application_receipt",
        /// What the office decided about an application, or what follows from it.
        ApplicationDecision = "application_decision",
        /// A student asks to leave a course, or stays after all; for the office.
        LeaveRequest = "leave_request",
        /// Summary of waiting items, to the office on weekday mornings.
        Waiting = "waiting",
        /// Message from the office to a student.
        OfficeMessage = "office_message",
        /// Notice about a staff account.
        StaffNotice = "staff_notice",
        /// Alert about the server: backup, certificate, database.
        Alarm = "alarm",
        /// Alert that the daily email limit is used up.
        BudgetAlarm = "budget_alarm",
        /// Test email from the command line.
        DeliveryTest = "delivery_test",
    }
}

/// Priority of waiting emails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// The recipient is waiting for it.
    Urgent,
    /// Everything else.
    Normal,
}

/// Budget of an email that is not caused by the office. The daily limit is divided into shares, so that a flood of one
/// kind does not stop another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MailBudget {
    /// Sign-in link to an unverified address.
    Newcomer,
    /// Sign-in link to the verified address of an account, which any visitor can cause.
    Owner,
    /// Verification of an account's new address; the old one stays valid meanwhile.
    Change,
    /// To the verified address of the account that causes it, or to its guardians. Limits per mailbox apply to each
    /// topic; excess emails are delayed.
    Receipt,
    /// Courtesy email to an unverified address.
    Courtesy,
    /// Security notice to an account's owner or the office. Only limits per mailbox and topic apply, and excess emails
    /// are delayed: an attacker cannot exhaust a budget to suppress the notice.
    Security,
    /// To the office, which has the same information in its lists.
    Inbox,
    /// No limits: sent only by the office and the program.
    Free,
}

impl Kind {
    /// Its priority.
    pub fn urgency(self) -> Urgency {
        match self {
            Self::Verification
            | Self::AccountExists
            | Self::PasswordReset
            | Self::EmailChange
            | Self::AccountNotice
            | Self::FamilyLink
            | Self::StaffNotice
            | Self::Alarm
            | Self::BudgetAlarm
            | Self::DeliveryTest => Urgency::Urgent,
            Self::ContactConfirmation
            | Self::ContactCopy
            | Self::MessageReply
            | Self::EnrollmentReceipt
            | Self::EnrollmentDecision
            | Self::PaymentReceipt
            | Self::PaymentReminder
            | Self::GuardianRequest
            | Self::DocumentDecision
            | Self::DocumentReminder
            | Self::ApplicationReceipt
            | Self::ApplicationDecision
            | Self::LeaveRequest
            | Self::Waiting
            | Self::OfficeMessage => Urgency::Normal,
        }
    }

    /// Whether it lets its reader into an account or a family page. The links of applications work for 30 days.
    pub(super) fn lets_in(self) -> bool {
        matches!(self, Self::Verification | Self::AccountExists | Self::PasswordReset | Self::FamilyLink)
    }

    pub(super) fn budget(self) -> MailBudget {
        match self {
            Self::Verification | Self::ApplicationReceipt => MailBudget::Newcomer,
            Self::AccountExists | Self::PasswordReset | Self::FamilyLink => MailBudget::Owner,
            Self::EmailChange => MailBudget::Change,
            Self::EnrollmentReceipt
            | Self::EnrollmentDecision
            | Self::PaymentReceipt
            | Self::PaymentReminder
            | Self::GuardianRequest
            | Self::DocumentDecision
            | Self::DocumentReminder => MailBudget::Receipt,
            Self::ContactConfirmation => MailBudget::Courtesy,
            Self::AccountNotice | Self::LeaveRequest => MailBudget::Security,
            Self::ContactCopy => MailBudget::Inbox,
            Self::OfficeMessage
            | Self::MessageReply
            | Self::ApplicationDecision
            | Self::Waiting
            | Self::StaffNotice
            | Self::Alarm
            | Self::BudgetAlarm
            | Self::DeliveryTest => MailBudget::Free,
        }
    }
}

impl Urgency {
    /// Both, highest priority first.
    pub(super) const ALL: [Self; 2] = [Self::Urgent, Self::Normal];

    /// The value in the database.
    pub(super) fn number(self) -> i64 {
        match self {
            Self::Urgent => 0,
            Self::Normal => 1,
        }
    }
}

impl MailBudget {
    /// Percent of the daily limit reserved for owners in a known browser, in addition to the share of [`Self::Owner`].
    pub(super) const FOR_KNOWN_BROWSERS: u32 = 5;

    /// Percent of the daily limit; `None` if not limited per day.
    pub(super) fn share(self) -> Option<u32> {
        match self {
            Self::Newcomer => Some(30),
            Self::Owner => Some(15),
            Self::Change | Self::Courtesy => Some(5),
            Self::Receipt => Some(40),
            Self::Security | Self::Inbox | Self::Free => None,
        }
    }

    /// Title for administrators.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Newcomer => "Links to new addresses",
            Self::Owner => "Links to a new password",
            Self::Change => "Confirmations of changed addresses",
            Self::Receipt => "Receipts of students' requests",
            Self::Courtesy => "Confirmations of messages",
            Self::Security => "News of an account",
            Self::Inbox => "Copies to the office",
            Self::Free => "From the office",
        }
    }

    /// Whether excess emails are delayed instead of dropped.
    pub(super) fn delays(self) -> bool {
        matches!(self, Self::Receipt | Self::Security)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::closed_set::ClosedSet;

    #[test]
    fn the_shares_add_up_to_the_daily_limit() {
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
