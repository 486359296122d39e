//! When what is owed is due: the parts of an item in the order of their dates, what is left of each, and how old it is.
//!
//! What is paid and waived covers the earliest part first. A plan of instalments takes the place of the charges that it
//! was made of; what was waived or reversed later comes off its last parts, and a charge posted later is one more.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::money::Money;

/// A charge, or a part of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// Of a charge its row; of a part of a plan the newest row of the ledger when the plan was made.
    pub ledger_id: i64,
    /// Of a part of a plan: the how manieth.
    pub n: Option<i64>,
    /// By when it is to be paid; `None`: on the day on which it was posted.
    pub due_on: Option<Date>,
    /// When it was posted.
    pub posted_at: Timestamp,
    /// How much.
    pub cents: i64,
}

impl Due {
    /// The day by which it is to be paid.
    pub fn day(&self, zone: &TimeZone) -> Date {
        self.due_on.unwrap_or_else(|| self.posted_at.to_zoned(zone.clone()).date())
    }
}

/// What an item comes to, without what was reversed, in cents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sums {
    /// Charged.
    pub charged: i64,
    /// Need not be paid.
    pub waived: i64,
    /// Paid.
    pub paid: i64,
    /// Paid back.
    pub refunded: i64,
    /// What of it is owed; less than zero if more was paid than charged.
    pub balance: i64,
}

/// The parts of an item, the earliest first, and what covers them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Schedule {
    parts: Vec<Due>,
    has_plan: bool,
    covered: i64,
    owed: i64,
}

impl Schedule {
    /// Of the charges and parts that count.
    pub fn new(mut dues: Vec<Due>, sums: &Sums) -> Self {
        let made_after = dues.iter().filter(|due| due.n.is_some()).map(|due| due.ledger_id).max();
        let is_planned = |due: &Due| made_after.is_some_and(|newest| due.ledger_id <= newest);
        // A plan ends when all that it was made of is reversed.
        let has_plan = dues.iter().any(|due| due.n.is_none() && is_planned(due));
        dues.retain(|due| if has_plan { due.n.is_some() || !is_planned(due) } else { due.n.is_none() });
        let by_day = |due: &Due| (due.due_on.is_some(), due.due_on, due.n.is_none(), due.n, due.ledger_id);
        let mut covered = sums.paid - sums.refunded;
        if has_plan {
            // The plan's own parts last: a later charge makes no earlier part more.
            dues.sort_by_key(|due| (due.n.is_some(), by_day(due)));
            let mut over = dues.iter().map(|due| due.cents).sum::<i64>() - (sums.charged - sums.waived);
            for due in dues.iter_mut().rev() {
                let less = over.min(due.cents);
                due.cents -= less;
                over -= less;
                // A waiver of before the plan was reversed: the last part is that much more.
                if over <= 0 {
                    break;
                }
            }
            dues.retain(|due| due.cents > 0);
        } else {
            covered += sums.waived;
        }
        dues.sort_by_key(by_day);
        Self { parts: dues, has_plan, covered, owed: sums.balance.max(0) }
    }

    /// The parts of the plan as they are now, with what was charged since; none without a plan.
    pub fn plan(&self) -> &[Due] {
        if self.has_plan { &self.parts } else { &[] }
    }

    /// What is left of each part: together what is owed.
    pub fn rests(&self) -> Vec<Due> {
        let mut left = self.owed;
        let mut covered = self.covered.max(0);
        let mut rests = Vec::new();
        for part in &self.parts {
            let gone = covered.min(part.cents);
            covered -= gone;
            let cents = (part.cents - gone).min(left);
            left -= cents;
            if cents > 0 {
                rests.push(Due { cents, ..part.clone() });
            }
        }
        // More was paid back than paid: it is owed with the last part.
        if left > 0
            && let Some(last) = self.parts.last()
        {
            match rests.last_mut().filter(|rest| rest.ledger_id == last.ledger_id && rest.n == last.n) {
                Some(rest) => rest.cents += left,
                None => rests.push(Due { cents: left, ..last.clone() }),
            }
        }
        rests
    }
}

/// What is due, by how long it has been.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Aging {
    /// Dollars not due until their day has ended.
    #[schema(value_type = f64)]
    pub not_yet_due: Money,
    /// Dollars 1 to 30 days late.
    #[serde(rename = "days1to30")]
    #[schema(value_type = f64)]
    pub days_1_to_30: Money,
    /// Dollars 31 to 60 days late.
    #[serde(rename = "days31to60")]
    #[schema(value_type = f64)]
    pub days_31_to_60: Money,
    /// Dollars 61 and more days late.
    #[serde(rename = "days61plus")]
    #[schema(value_type = f64)]
    pub days_61_plus: Money,
}

/// A day at the school, on which money is looked at.
#[derive(Debug, Clone)]
pub struct AgingDay {
    /// The day.
    pub on: Date,
    /// The school's zone.
    pub zone: TimeZone,
}

impl AgingDay {
    /// The instant at which it ends at the school, in seconds; the last day of the calendar never does.
    pub fn end(&self) -> i64 {
        let next = self.on.tomorrow().ok().and_then(|next| next.to_zoned(self.zone.clone()).ok());
        next.map_or(i64::MAX, |next| next.timestamp().as_second())
    }
}

impl Aging {
    /// Adds what is left of a part.
    pub fn add(&mut self, rest: &Due, day: &AgingDay) {
        let bucket = match (day.on - rest.day(&day.zone)).get_days() {
            ..=0 => &mut self.not_yet_due,
            1..=30 => &mut self.days_1_to_30,
            31..=60 => &mut self.days_31_to_60,
            61.. => &mut self.days_61_plus,
        };
        *bucket += Money::from_cents(rest.cents);
    }

    /// Adds what another one comes to.
    pub fn include(&mut self, other: &Self) {
        for (sum, add) in [
            (&mut self.not_yet_due, other.not_yet_due),
            (&mut self.days_1_to_30, other.days_1_to_30),
            (&mut self.days_31_to_60, other.days_31_to_60),
            (&mut self.days_61_plus, other.days_61_plus),
        ] {
            *sum += add;
        }
    }

    /// What is late.
    pub fn overdue(&self) -> Money {
        self.days_1_to_30 + self.days_31_to_60 + self.days_61_plus
    }
}

/// Since when something is late: the earliest date with a rest.
pub fn overdue_since<'a>(rests: impl IntoIterator<Item = &'a Due>, day: &AgingDay) -> Option<Date> {
    rests.into_iter().map(|rest| rest.day(&day.zone)).filter(|due| *due < day.on).min()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn charge(ledger_id: i64, cents: i64, due_on: Option<Date>) -> Due {
        Due { ledger_id, n: None, due_on, posted_at: Timestamp::UNIX_EPOCH, cents }
    }

    fn part(n: i64, cents: i64, due_on: Date) -> Due {
        Due { ledger_id: 10, n: Some(n), due_on: Some(due_on), posted_at: Timestamp::UNIX_EPOCH, cents }
    }

    fn sums(charged: i64, waived: i64, paid: i64, refunded: i64) -> Sums {
        Sums { charged, waived, paid, refunded, balance: charged + refunded - waived - paid }
    }

    fn cents(dues: &[Due]) -> Vec<i64> {
        dues.iter().map(|due| due.cents).collect()
    }

    #[test]
    fn what_is_left_is_what_is_owed_the_earliest_covered_first() {
        let first = Some(date(2026, 12, 5));
        let second = Some(date(2027, 1, 5));
        let dues = || vec![charge(1, 500, second), charge(2, 200, first), charge(3, 50, None)];
        for (sums, expected) in [
            (sums(750, 0, 0, 0), vec![50, 200, 500]),
            (sums(750, 100, 0, 0), vec![150, 500]),
            (sums(750, 100, 650, 0), vec![]),
            (sums(750, 0, 900, 0), vec![]),
            (sums(750, 0, 750, 30), vec![30]),
            (sums(750, 0, 0, 30), vec![50, 200, 530]),
        ] {
            let rests = Schedule::new(dues(), &sums).rests();
            assert_eq!(cents(&rests), expected, "{sums:?}");
            assert_eq!(cents(&rests).iter().sum::<i64>(), sums.balance.max(0), "{sums:?}");
        }
    }

    #[test]
    fn a_plan_follows_what_is_charged_and_waived_after_it() {
        let days = [date(2026, 12, 1), date(2027, 1, 1), date(2027, 2, 1)];
        let plan = || vec![part(1, 3333, days[0]), part(2, 3333, days[1]), part(3, 3334, days[2])];
        let with = |extra: &[Due]| [plan(), vec![charge(4, 12_000, Some(days[0]))], extra.to_vec()].concat();
        let schedule = |extra: &[Due], sums: Sums| Schedule::new(with(extra), &sums);
        // 120.00 were charged and 20.00 waived when it was made.
        assert_eq!(cents(schedule(&[], sums(12_000, 2000, 0, 0)).plan()), [3333, 3333, 3334]);
        assert_eq!(cents(&schedule(&[], sums(12_000, 2000, 5000, 0)).rests()), [1666, 3334]);
        // A later waiver comes off the last, a waiver reversed goes onto the last.
        assert_eq!(cents(schedule(&[], sums(12_000, 6000, 0, 0)).plan()), [3333, 2667]);
        assert_eq!(cents(schedule(&[], sums(12_000, 0, 0, 0)).plan()), [3333, 3333, 5334]);
        // A later charge is a part of its own.
        let later = charge(11, 500, Some(date(2026, 12, 20)));
        assert_eq!(cents(schedule(&[later], sums(12_500, 2000, 0, 0)).plan()), [3333, 500, 3333, 3334]);
        // After a waiver, too, a later charge changes no part; only what is more than the plan comes off it.
        let last = charge(11, 500, Some(date(2027, 3, 1)));
        let waived = |cents| schedule(std::slice::from_ref(&last), sums(12_500, cents, 0, 0));
        assert_eq!(cents(waived(6000).plan()), [3333, 2667, 500]);
        assert_eq!(cents(waived(12_200).plan()), [300]);
        // All that it was made of was reversed, and charged again.
        let again =
            Schedule::new([plan(), vec![charge(12, 9000, Some(days[2]))]].concat(), &sums(9000, 0, 0, 0));
        assert_eq!((again.plan().len(), cents(&again.rests())), (0, vec![9000]));
    }

    #[test]
    fn a_rest_is_late_from_the_day_after_its_own() {
        let day = |on| AgingDay { on, zone: TimeZone::UTC };
        let due = charge(1, 100, Some(date(2026, 11, 1)));
        let late = |on| {
            let mut aging = Aging::default();
            aging.add(&due, &day(on));
            let Aging { not_yet_due, days_1_to_30, days_31_to_60, days_61_plus } = aging;
            let buckets = [not_yet_due, days_1_to_30, days_31_to_60, days_61_plus].map(Money::cents);
            (buckets, overdue_since([&due], &day(on)).is_some())
        };
        assert_eq!(late(date(2026, 11, 1)), ([100, 0, 0, 0], false));
        assert_eq!(late(date(2026, 11, 2)), ([0, 100, 0, 0], true));
        assert_eq!(late(date(2026, 12, 1)), ([0, 100, 0, 0], true));
        assert_eq!(late(date(2026, 12, 2)), ([0, 0, 100, 0], true));
        assert_eq!(late(date(2026, 12, 31)), ([0, 0, 100, 0], true));
        assert_eq!(late(date(2027, 1, 1)), ([0, 0, 0, 100], true));
        let undated = charge(1, 100, None);
        assert_eq!(overdue_since([&undated], &day(date(1970, 1, 2))), Some(date(1970, 1, 1)));
    }
}
