//! Price of an enrollment: the quote while it is valid, else today's price.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use crate::base::closed_set::{ClosedSet, closed_set};
use crate::base::error::{Error, Result};
use crate::base::money::Money;
use crate::web::form::Field;

/// Validity of quotes, and today's date.
#[derive(Debug, Clone)]
pub struct QuoteTerms {
    /// Days after the request, including the whole last day.
    pub days: u32,
    /// The school's time zone.
    pub zone: TimeZone,
    /// Today at the school.
    pub today: Date,
}

impl QuoteTerms {
    /// The last day of a quote from this time.
    pub fn last_day(&self, quoted_at: Timestamp) -> Date {
        quoted_at.to_zoned(self.zone.clone()).date().saturating_add(i64::from(self.days).days())
    }
}

/// The prices an enrollment might be approved at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prices {
    /// What the course cost at the request; none when it had no price.
    pub quoted: Option<Money>,
    /// When that was.
    pub quoted_at: Option<Timestamp>,
    /// What the course costs today; none when it has no price.
    pub current: Option<Money>,
}

closed_set! {
    /// The office's choice of price.
    pub enum PriceChoice {
        /// The price of the day of the request, even if the quote has expired.
        Quoted = "quoted",
        /// The price of today.
        Current = "current",
    }
}

impl PriceChoice {
    /// Reads the word of a body; none when nothing was sent.
    ///
    /// # Errors
    /// A sentence that names the words.
    pub fn read(field: &Field<String>) -> Result<Option<Self>, &'static str> {
        match field {
            Field::Absent | Field::Null => Ok(None),
            Field::Value(word) => Self::parse(word).map(Some).ok_or(NO_CHOICE),
            Field::Wrong => Err(NO_CHOICE),
        }
    }
}

const NO_CHOICE: &str = "Price must be quoted or current";

impl Prices {
    /// Whether there is a valid quote.
    pub fn is_quote_held(&self, terms: &QuoteTerms) -> bool {
        self.quoted.is_some() && self.quoted_at.is_some_and(|at| terms.today <= terms.last_day(at))
    }

    /// Default price of an approval. An expired quote is used if there is no other price.
    pub fn usual(&self, terms: &QuoteTerms) -> Option<Money> {
        if self.is_quote_held(terms) { self.quoted } else { self.current.or(self.quoted) }
    }

    /// What an approval charges.
    ///
    /// # Errors
    /// A field error when the chosen price does not exist.
    pub fn choose(&self, choice: Option<PriceChoice>, terms: &QuoteTerms) -> Result<Option<Money>> {
        let missing = |sentence| Error::field("price", sentence);
        match choice {
            None => Ok(self.usual(terms)),
            Some(PriceChoice::Quoted) => self
                .quoted
                .map(Some)
                .ok_or_else(|| missing("No price was quoted for this enrollment. Choose the current price.")),
            Some(PriceChoice::Current) => self.current.map(Some).ok_or_else(|| {
                missing("The course has no price today. Set one first, or choose the quoted price.")
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::zone_rules;

    fn terms(today: &str) -> QuoteTerms {
        let zone = zone_rules::IN_FORCE.zone("America/Toronto").unwrap();
        QuoteTerms { days: 30, zone, today: today.parse().unwrap() }
    }

    fn prices(quoted: Option<i64>, current: Option<i64>) -> Prices {
        let quoted_at = quoted.map(|_| "2026-11-22T03:00:00Z".parse().unwrap());
        Prices { quoted: quoted.map(Money::from_cents), quoted_at, current: current.map(Money::from_cents) }
    }

    #[test]
    fn a_quote_holds_to_the_end_of_its_last_day_at_the_school() {
        // It was still November 21 in Toronto.
        assert!(prices(Some(500), None).is_quote_held(&terms("2026-12-21")));
        assert!(!prices(Some(500), None).is_quote_held(&terms("2026-12-22")));
    }

    #[test]
    fn each_choice_charges_its_price() {
        use PriceChoice::{Current, Quoted};
        const HELD: &str = "2026-12-01";
        const LAPSED: &str = "2027-02-01";
        type Cents = Option<i64>;
        type Case = (Cents, Cents, Option<PriceChoice>, &'static str, Result<Cents, ()>);
        let table: [Case; 14] = [
            (Some(500), Some(900), None, HELD, Ok(Some(500))),
            (Some(500), Some(900), None, LAPSED, Ok(Some(900))),
            (Some(0), Some(900), None, HELD, Ok(Some(0))),
            (Some(500), Some(0), None, LAPSED, Ok(Some(0))),
            (Some(500), None, None, HELD, Ok(Some(500))),
            (Some(500), None, None, LAPSED, Ok(Some(500))),
            (None, Some(900), None, HELD, Ok(Some(900))),
            (None, None, None, HELD, Ok(None)),
            (Some(500), Some(900), Some(Current), HELD, Ok(Some(900))),
            (Some(500), Some(900), Some(Quoted), LAPSED, Ok(Some(500))),
            (Some(500), None, Some(Current), HELD, Err(())),
            (None, Some(900), Some(Quoted), HELD, Err(())),
            (None, None, Some(Quoted), HELD, Err(())),
            (None, None, Some(Current), HELD, Err(())),
        ];
        for (quoted, current, choice, today, expected) in table {
            let chosen = prices(quoted, current).choose(choice, &terms(today)).map_err(|_| ());
            let case = format!("{quoted:?} {current:?} {choice:?} {today}");
            assert_eq!(chosen.map(|money| money.map(Money::cents)), expected, "{case}");
        }
    }
}
