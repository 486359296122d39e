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

/// The limits that hold for an e-mail that somebody else than the office causes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Budget {
    /// To an address that nobody has proved yet: the mailbox's limits, the account's, and half of the
    /// school's day, so that a flood of these leaves room for whoever has an account.
    Unconfirmed,
    /// To the proved address of an account, caused by anybody: the same, of the whole day.
    Known,
    /// To the proved address of the account that causes it. The mailbox's limits hold for each topic;
    /// what exceeds them waits its turn.
    Receipt,
    /// Tells the owner of an account what happened to it. Only the mailbox's limits hold, for each
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
            | Self::OfficeMessage => Urgency::Normal,
        }
    }

    pub(super) fn budget(self) -> Budget {
        match self {
            Self::Verification | Self::EmailChange | Self::ContactConfirmation => Budget::Unconfirmed,
            Self::AccountExists | Self::PasswordReset => Budget::Known,
            Self::EnrollmentReceipt | Self::EnrollmentDecision => Budget::Receipt,
            Self::AccountNotice => Budget::Security,
            Self::ContactCopy => Budget::Inbox,
            Self::OfficeMessage
            | Self::StaffNotice
            | Self::Alarm
            | Self::BudgetAlarm
            | Self::DeliveryTest => Budget::Free,
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

impl Budget {
    /// Whether what exceeds the limits waits its turn; it is not sent otherwise.
    pub(super) fn delays(self) -> bool {
        matches!(self, Self::Receipt | Self::Security)
    }

    /// Whether the limits of the account that causes it, and of the school's day, hold.
    pub(super) fn is_shared(self) -> bool {
        matches!(self, Self::Unconfirmed | Self::Known | Self::Receipt)
    }
}
