//! `[money]`: prices and payment.

use std::fmt::Write;

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::values::InForce;
use crate::base::email::Email;
use crate::base::money::Money;

section! {
    /// `[money]` in the configuration.
    pub struct Prices {
        /// Days for which the price at the time of the request is guaranteed.
        pub quote_days: u32 = 30,
        /// Days after approval within which the fee is due.
        pub due_days: u32 = 14,
        /// How to pay, as a sentence for families.
        pub how_to_pay: String = "Please ask the office how to pay before you send any money.".into(),
        /// Address for Interac e-Transfers; empty: none.
        pub e_transfer: String = String::new(),
        /// Whether families are reminded of what is due by the schedule.
        pub reminders: bool = true,
        /// Days after a due date on which they are reminded; less than 0 before it.
        pub reminder_days: Vec<i64> = vec![-3, 7, 21],
        /// What the office has published over it.
        #[serde(skip)]
        pub in_force: InForce<PublishedMoney> = InForce::default(),
    }
}

/// What the office has published of payments; `None`: as the file says.
#[derive(Debug, Clone, Default)]
pub struct PublishedMoney {
    /// Address for e-Transfers.
    pub e_transfer: Option<String>,
    /// Days after approval within which a fee is due.
    pub due_days: Option<u32>,
    /// Whether families are reminded by the schedule.
    pub reminders: Option<bool>,
    /// Days after a due date on which they are.
    pub reminder_days: Option<Vec<i64>>,
    /// What an offer of a place asks for.
    pub offer: UsualOffer,
}

/// What an offer of a place asks for unless it says otherwise. Days count from the day on which it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsualOffer {
    /// The fee; `None`: each offer names it.
    pub fee: Option<Money>,
    /// What of it is due first; `None`: nothing.
    pub deposit: Option<Money>,
    /// Days within which the family answers.
    pub answer_days: u32,
    /// Days until the deposit is due.
    pub deposit_days: u32,
    /// Days until the fee is due, or what the deposit leaves of it.
    pub fee_days: u32,
}

impl Default for UsualOffer {
    fn default() -> Self {
        Self { fee: None, deposit: None, answer_days: 14, deposit_days: 14, fee_days: 28 }
    }
}

impl UsualOffer {
    /// The last day on which an offer of today can be accepted.
    pub fn expires_on(&self, today: Date) -> Date {
        today.saturating_add(i64::from(self.answer_days).days())
    }

    /// The due date of its deposit.
    pub fn deposit_due_on(&self, today: Date) -> Date {
        today.saturating_add(i64::from(self.deposit_days).days())
    }

    /// The due date of its fee, or of what the deposit leaves of it.
    pub fn fee_due_on(&self, today: Date) -> Date {
        today.saturating_add(i64::from(self.fee_days).days())
    }
}

impl Prices {
    /// The most days of a price, of a due date, and of the schedule of reminders.
    pub const MAX_DAYS: u32 = 366;
    /// The most reminders of one due date.
    pub const MAX_REMINDERS: usize = 6;

    fn published(&self) -> PublishedMoney {
        self.in_force.get().unwrap_or_default()
    }

    /// The address for e-Transfers, if there is one.
    pub fn e_transfer(&self) -> Option<String> {
        self.published()
            .e_transfer
            .or_else(|| Some(self.e_transfer.clone()))
            .filter(|email| !email.is_empty())
    }

    /// The address that a text names in the place of that for e-Transfers, if it does.
    pub fn other_address(text: &str, e_transfer: &str) -> Option<Email> {
        let named = Email::all_in(text);
        let is_named = named.iter().any(|email| email.as_str().eq_ignore_ascii_case(e_transfer));
        named.into_iter().next().filter(|_| !is_named)
    }

    /// Days after approval within which a fee is due.
    pub fn due_days(&self) -> u32 {
        self.published().due_days.unwrap_or(self.due_days)
    }

    /// What an offer of a place usually asks for.
    pub fn usual_offer(&self) -> UsualOffer {
        self.published().offer
    }

    /// Whether families are reminded by the schedule.
    pub fn are_reminders_on(&self) -> bool {
        self.published().reminders.unwrap_or(self.reminders)
    }

    /// Days after a due date on which families are reminded, in order.
    pub fn schedule(&self) -> Vec<i64> {
        self.published().reminder_days.unwrap_or_else(|| self.reminder_days.clone())
    }

    /// How to pay, if the school has set it.
    pub fn written_how_to_pay(&self) -> Option<&str> {
        (self.how_to_pay != Self::default().how_to_pay).then_some(&*self.how_to_pay)
    }

    /// Due date of a fee charged today.
    pub fn due_on(&self, today: Date) -> Date {
        today.saturating_add(i64::from(self.due_days()).days())
    }

    /// Adds a line to `wrong` for each invalid value.
    pub(super) fn check(&self, wrong: &mut String) {
        for (key, value) in [("quote_days", self.quote_days), ("due_days", self.due_days)] {
            let max = Self::MAX_DAYS;
            if value > max {
                let _ = writeln!(wrong, "money.{key}: must be 0 to {max} (found {value})");
            }
        }
        if !self.e_transfer.is_empty() && Email::parse(&self.e_transfer).is_err() {
            let _ = writeln!(wrong, "money.e_transfer: must be an email address, or empty");
        }
        let is_far = |day: &i64| day.unsigned_abs() > u64::from(Self::MAX_DAYS);
        if self.reminder_days.len() > Self::MAX_REMINDERS || self.reminder_days.iter().any(is_far) {
            let max = Self::MAX_REMINDERS;
            let _ = writeln!(wrong, "money.reminder_days: must be at most {max} numbers from -366 to 366");
        }
        if self.how_to_pay.trim().is_empty() {
            let _ = writeln!(wrong, "money.how_to_pay: must not be empty");
        }
    }
}
