//! `[money]`: prices and payment.

use std::fmt::Write;

use jiff::ToSpan as _;
use jiff::civil::Date;

section! {
    /// `[money]` in the configuration.
    pub struct Prices {
        /// Days for which the price at the time of the request is guaranteed.
        pub quote_days: u32 = 30,
        /// Days after approval within which the fee is due.
        pub due_days: u32 = 14,
        /// How to pay, as a sentence for families.
        pub how_to_pay: String = "Please ask the office how to pay before you send any money.".into(),
    }
}

impl Prices {
    /// How to pay, if the school has set it.
    pub fn written_how_to_pay(&self) -> Option<&str> {
        (self.how_to_pay != Self::default().how_to_pay).then_some(&*self.how_to_pay)
    }

    /// Due date of a fee charged today.
    pub fn due_on(&self, today: Date) -> Date {
        today.saturating_add(i64::from(self.due_days).days())
    }

    /// Adds a line to `wrong` for each invalid value.
    pub(super) fn check(&self, wrong: &mut String) {
        for (key, value) in [("quote_days", self.quote_days), ("due_days", self.due_days)] {
            if value > 366 {
                let _ = writeln!(wrong, "money.{key}: must be 0 to 366 (found {value})");
            }
        }
        if self.how_to_pay.trim().is_empty() {
            let _ = writeln!(wrong, "money.how_to_pay: must not be empty");
        }
    }
}
