//! What leaving a course costs: which rule of a policy holds on a day, what it forgives, and what is then to be paid
//! back. In numbers, and in words that a family can follow with a calendar and a pencil.

use jiff::ToSpan as _;
use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;

use super::RefundPolicy;
use super::rules::{LeavingDays, Rule, Until};
use crate::base::dates::{DateRange, date_in_words};
use crate::base::money::Money;
use crate::terms::SchoolDays;

/// Days after a notice of cancellation within which money is refunded.
const DAYS_TO_REPAY: i64 = 15;

/// By when money is refunded after a notice.
pub fn repay_by(notice_on: Date) -> Date {
    notice_on.saturating_add(DAYS_TO_REPAY.days())
}

/// A course that a student may leave.
#[derive(Debug, Clone, Default)]
pub struct CourseTaken {
    /// The first and the last day.
    pub days: DateRange,
    /// The school days of its term.
    pub calendar: SchoolDays,
    /// Charged, less what was waived before the student left; before an approval what was quoted.
    pub fee: Money,
    /// Waived since the student left.
    pub waived: Money,
    /// Paid, before refunds.
    pub paid: Money,
    /// Refunded of what was paid.
    pub refunded: Money,
}

/// The rule of a policy that holds on a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppliedPolicy {
    /// Number of the version.
    pub id: i64,
    /// What the policy is called.
    pub name: String,
    /// Since when this version holds.
    pub effective_on: Date,
    /// The last day of the rule; null when the day is after the last rule, and nothing is forgiven.
    #[schema(required)]
    pub until: Option<Date>,
    /// Percent of the fee that is waived.
    pub percent: i64,
    /// Dollars that the school keeps of them.
    #[schema(value_type = f64)]
    pub keep: Money,
}

/// What a policy says of a student who leaves a course on a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundProposal {
    /// Which policy.
    pub policy: AppliedPolicy,
    /// How it comes to the amounts, a sentence for each step.
    pub arithmetic: Vec<String>,
    /// Dollars of the fee that are forgiven, without what was waived since the student left.
    #[schema(value_type = f64)]
    pub waive: Money,
    /// Dollars that are refunded.
    #[schema(value_type = f64)]
    pub refund: Money,
    /// Dollars of the fee that the school keeps.
    #[schema(value_type = f64)]
    pub kept: Money,
    /// By when it is refunded.
    pub repay_by: Date,
    /// Dollars charged, and not waived before the student left.
    #[schema(value_type = f64)]
    pub fee: Money,
}

/// What leaving costs until a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeavingStep {
    /// The first day on which it no longer costs as little as before; null for the first step.
    #[schema(required)]
    pub from: Option<Date>,
    /// The last day on which it costs no more; null for the last step.
    #[schema(required)]
    pub until: Option<Date>,
    /// Dollars of the fee that are to be paid all the same.
    #[schema(value_type = f64)]
    pub cost: Money,
    /// The same in words.
    pub words: String,
}

impl CourseTaken {
    /// The first rule whose day is not before a day, with its day.
    fn rule_on(&self, rules: &[Rule], day: Date) -> Option<(Rule, Date)> {
        let mut days = rules.iter().map(|rule| (*rule, rule.until.day(self.days, &self.calendar)));
        days.find(|(_, until)| *until >= day)
    }

    /// What a policy proposes when the student leaves the course.
    pub fn propose(&self, policy: &RefundPolicy, days: LeavingDays) -> RefundProposal {
        let LeavingDays { effective_on, notice_on } = days;
        let Self { fee, waived, refunded, .. } = *self;
        let paid = self.paid - refunded;
        let found = self.rule_on(&policy.parsed, effective_on);
        let nothing = Rule { until: Until::End, percent: 0, keep: Money::default() };
        let rule = found.map_or(nothing, |(rule, _)| rule);
        let forgiven = rule.waives(fee);
        let waive = forgiven - forgiven.min(waived);
        let kept = fee - forgiven.max(waived);
        let refund = (paid - kept).max(Money::default());
        let repay_by = repay_by(notice_on);
        let mut arithmetic = vec![self.day_in_words(effective_on)];
        arithmetic.push(match found {
            Some((Rule { percent: 0, .. }, until)) => {
                format!(
                    "Policy “{}”, until {}: no part of the fee is waived.",
                    policy.name,
                    date_in_words(until)
                )
            }
            Some((Rule { percent, keep, .. }, until)) => {
                let kept = match keep.cents() {
                    0 => String::new(),
                    _ => format!(", less {keep} that the school keeps"),
                };
                let name = &policy.name;
                let until = date_in_words(until);
                format!("Policy “{name}”, until {until}: {percent}% of the fee is waived{kept}.")
            }
            None => {
                format!("Policy “{}”: its last day has passed, so no part of the fee is waived.", policy.name)
            }
        });
        if rule.percent > 0 {
            let share = Money::from_cents(fee.cents() * rule.percent / 100);
            let keep = rule.keep;
            arithmetic.push(match keep.cents() {
                0 => format!("Waived: {}% of {fee} = {share}.", rule.percent),
                _ if keep > share => format!("Waived: {share} − {keep} is less than nothing, so $0.00."),
                _ => format!("Waived: {}% of {fee} = {share}; {share} − {keep} = {forgiven}.", rule.percent),
            });
        }
        if waived.cents() > 0 {
            arithmetic.push(match waive.cents() {
                0 => format!("{waived} was waived already, so no more is."),
                _ => format!("{waived} was waived already: {forgiven} − {waived} = {waive} is missing."),
            });
        }
        arithmetic.push(format!("Fee after the waiver: {fee} − {} = {kept}.", forgiven.max(waived)));
        if refunded.cents() > 0 {
            arithmetic.push(format!("{refunded} of the {} paid was refunded already.", self.paid));
        }
        arithmetic.push(if refund.cents() > 0 {
            format!("Refund: {paid} paid − {kept} = {refund}.")
        } else if paid < kept {
            format!("Paid: {paid}. No refund; {} is still owing.", kept - paid)
        } else {
            format!("Paid: {paid}. No refund, and nothing is owing.")
        });
        if refund.cents() > 0 {
            arithmetic.push(format!(
                "By law it must be refunded by {}: {DAYS_TO_REPAY} days after the notice on {}.",
                date_in_words(repay_by),
                date_in_words(notice_on)
            ));
        }
        let policy = AppliedPolicy {
            id: policy.id,
            name: policy.name.clone(),
            effective_on: policy.effective_on,
            until: found.map(|(_, until)| until),
            percent: rule.percent,
            keep: rule.keep,
        };
        RefundProposal { policy, arithmetic, waive, refund, kept, repay_by, fee }
    }

    /// "Leaving on September 10, 2026: school day 3 of 86."
    fn day_in_words(&self, day: Date) -> String {
        let DateRange { first: start, last: end } = self.days;
        let all = self.calendar.count(start, end);
        let leaving = format!("Leaving on {}", date_in_words(day));
        if day < start {
            return format!("{leaving}: before the course begins on {}.", date_in_words(start));
        }
        if day > end {
            return format!("{leaving}: after the course has ended on {}.", date_in_words(end));
        }
        match self.calendar.count(start, day) {
            0 => format!("{leaving}: before the first of {all} school days."),
            n if self.calendar.contains(day) => format!("{leaving}: school day {n} of {all}."),
            n => format!("{leaving}: no school day, after school day {n} of {all}."),
        }
    }

    /// What leaving costs by when, the earliest step first; none for a course that costs nothing.
    pub fn steps(&self, policy: &RefundPolicy) -> Vec<LeavingStep> {
        let fee = self.fee;
        let end = self.days.last;
        let mut steps: Vec<LeavingStep> = Vec::new();
        let mut from = None;
        if fee.cents() == 0 {
            return steps;
        }
        let days =
            policy.parsed.iter().map(|rule| (rule.waives(fee), rule.until.day(self.days, &self.calendar)));
        // After the last rule nothing is forgiven.
        for (waived, until) in days.chain([(Money::default(), end)]) {
            let until = until.min(end);
            if from.is_some_and(|from| until < from) {
                continue;
            }
            let cost = fee - waived;
            // What costs the same goes on.
            match steps.last_mut().filter(|last| last.cost == cost) {
                Some(last) => last.until = Some(until),
                None => steps.push(LeavingStep { from, until: Some(until), cost, words: String::new() }),
            }
            from = until.tomorrow().ok();
        }
        if let Some(last) = steps.last_mut() {
            last.until = None;
        }
        for step in &mut steps {
            step.words = step.date_in_words(fee);
        }
        steps
    }
}

impl LeavingStep {
    fn date_in_words(&self, fee: Money) -> String {
        let when = match (self.from, self.until) {
            (_, Some(until)) => format!("Until {}", date_in_words(until)),
            (Some(from), None) => format!("From {}", date_in_words(from)),
            (None, None) => "On any day".to_owned(),
        };
        match self.cost {
            cost if cost.cents() == 0 => format!("{when} leaving costs nothing."),
            cost if cost == fee => format!("{when} the whole fee of {fee} is payable."),
            cost => format!("{when} leaving costs {cost} of the fee of {fee}."),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use jiff::civil::date;

    use super::*;
    use crate::tests::fuzz::for_rounds;

    fn rule(until: &str, percent: i64, keep: i64) -> Rule {
        Rule { until: until.parse().unwrap(), percent, keep: Money::from_cents(keep) }
    }

    fn policy(rules: Vec<Rule>) -> RefundPolicy {
        RefundPolicy {
            id: 7,
            name: "Full before day 6".into(),
            provinces: None,
            effective_on: date(2026, 1, 1),
            rules: Vec::new(),
            created_at: Timestamp::UNIX_EPOCH,
            by: None,
            parsed: rules,
        }
    }

    fn usual() -> RefundPolicy {
        policy(vec![
            rule("start-1d", 100, 0),
            rule("start+5sd", 100, 10_000),
            rule("start+10sd", 50, 0),
            rule("end", 0, 0),
        ])
    }

    /// With a notice of September 9, 2026.
    fn leaving(effective_on: Date) -> LeavingDays {
        LeavingDays { effective_on, notice_on: date(2026, 9, 9) }
    }

    /// From Tuesday, September 8, 2026 to January 29, with Thanksgiving and the winter break off.
    fn course(fee: i64, paid: i64) -> CourseTaken {
        let break_days = date(2026, 12, 21).series(1.day()).take_while(|day| *day <= date(2027, 1, 1));
        CourseTaken {
            days: DateRange { first: date(2026, 9, 8), last: date(2027, 1, 29) },
            calendar: SchoolDays::without(break_days.chain([date(2026, 10, 12)]).collect()),
            fee: Money::from_cents(fee),
            waived: Money::default(),
            paid: Money::from_cents(paid),
            refunded: Money::default(),
        }
    }

    #[test]
    fn the_first_rule_whose_day_is_not_past_holds_and_the_words_name_each_step() {
        let course = course(76_900, 76_900);
        let on = |day| {
            let found = course.propose(&usual(), leaving(day));
            (found.waive.cents(), found.refund.cents(), found.policy.until)
        };
        assert_eq!(on(date(2026, 9, 7)), (76_900, 76_900, Some(date(2026, 9, 7))));
        assert_eq!(on(date(2026, 9, 8)), (66_900, 66_900, Some(date(2026, 9, 14))));
        assert_eq!(on(date(2026, 9, 14)), (66_900, 66_900, Some(date(2026, 9, 14))));
        assert_eq!(on(date(2026, 9, 15)), (38_450, 38_450, Some(date(2026, 9, 21))));
        assert_eq!(on(date(2026, 9, 22)), (0, 0, Some(date(2027, 1, 29))));
        assert_eq!(on(date(2027, 1, 30)), (0, 0, None));
        let third = course.propose(&usual(), leaving(date(2026, 9, 10)));
        assert_eq!(third.repay_by, date(2026, 9, 24));
        assert_eq!(
            third.arithmetic,
            [
                "Leaving on September 10, 2026: school day 3 of 93.",
                "Policy “Full before day 6”, until September 14, 2026: 100% of the fee is waived, less $100.00 that the school keeps.",
                "Waived: 100% of $769.00 = $769.00; $769.00 − $100.00 = $669.00.",
                "Fee after the waiver: $769.00 − $669.00 = $100.00.",
                "Refund: $769.00 paid − $100.00 = $669.00.",
                "By law it must be refunded by September 24, 2026: 15 days after the notice on September 9, 2026.",
            ]
        );
        let sunday = course.propose(&usual(), leaving(date(2026, 9, 13)));
        assert_eq!(
            sunday.arithmetic[0],
            "Leaving on September 13, 2026: no school day, after school day 4 of 93."
        );
    }

    #[test]
    fn what_is_left_after_both_are_posted_is_exactly_what_is_kept() {
        for_rounds("refunds by policy", 2000, |random| {
            let fee = random.i64(0..=200_000);
            let paid = random.i64(0..=fee + 5000);
            let untils = ["start-1d", "start+3d", "start+5sd", "start+30sd", "end"];
            let rules = untils.map(|until| rule(until, random.i64(0..=100), random.i64(0..=30_000)));
            let day = date(2026, 9, 8) + random.i64(-10..=160).days();
            let policy = policy(rules.to_vec());
            let mut course = course(fee, paid);
            let days = LeavingDays { effective_on: day, notice_on: date(2026, 9, 8) };
            let found = course.propose(&policy, days);
            let waive = found.waive.cents();
            let refund = found.refund.cents();
            let kept = found.kept.cents();
            assert!((0..=fee).contains(&waive) && (0..=paid).contains(&refund), "{found:?}");
            assert_eq!(kept, fee - waive, "{found:?}");
            let percent = found.policy.percent;
            assert_eq!(waive, (fee * percent / 100 - found.policy.keep.cents()).max(0), "{found:?}");
            // What was paid beyond what is kept is refunded; what is missing is owed.
            let paid = paid - refund;
            let owed = fee - waive - paid;
            assert!(
                if refund > 0 {
                    (paid, owed) == (kept, 0)
                } else {
                    owed == kept - paid && owed >= 0 || paid == kept
                },
                "{found:?}"
            );
            // Asked again once a part of it is posted, the rest is proposed, and then nothing.
            for part in [2, 1] {
                let again = course.propose(&policy, days);
                assert_eq!((again.kept, again.fee), (found.kept, found.fee), "{again:?}");
                course.waived = Money::from_cents(course.waived.cents() + again.waive.cents() / part);
                let again = course.propose(&policy, days);
                let back = if part == 1 { again.refund.cents() } else { refund / 2 };
                course.refunded = Money::from_cents(course.refunded.cents() + back);
            }
            let nothing = course.propose(&policy, days);
            let none = Money::default();
            assert_eq!(
                (nothing.waive, nothing.refund, nothing.kept),
                (none, none, found.kept),
                "{nothing:?}"
            );
            assert_eq!((course.waived, course.refunded), (found.waive, found.refund), "{nothing:?}");
        });
    }

    #[test]
    fn what_was_waived_and_refunded_since_counts_as_given_in_words() {
        let mut course = CourseTaken {
            waived: Money::from_cents(6_000),
            refunded: Money::from_cents(1_000),
            ..course(10_000, 10_000)
        };
        let sixty = policy(vec![rule("end", 60, 0)]);
        let words = |course: &CourseTaken| {
            course.propose(&sixty, leaving(date(2026, 9, 10))).arithmetic[2..].to_vec()
        };
        assert_eq!(
            words(&course),
            [
                "Waived: 60% of $100.00 = $60.00.",
                "$60.00 was waived already, so no more is.",
                "Fee after the waiver: $100.00 − $60.00 = $40.00.",
                "$10.00 of the $100.00 paid was refunded already.",
                "Refund: $90.00 paid − $40.00 = $50.00.",
                "By law it must be refunded by September 24, 2026: 15 days after the notice on September 9, 2026.",
            ]
        );
        course.refunded = Money::from_cents(6_000);
        assert_eq!(words(&course)[4], "Paid: $40.00. No refund, and nothing is owing.");
        course.waived = Money::from_cents(5_000);
        assert_eq!(words(&course)[1], "$50.00 was waived already: $60.00 − $50.00 = $10.00 is missing.");
    }

    #[test]
    fn steps_say_what_each_day_costs_as_the_proposal_does() {
        let course = course(76_900, 0);
        let steps = course.steps(&usual());
        let words: Vec<_> = steps.iter().map(|step| step.words.as_str()).collect();
        assert_eq!(
            words,
            [
                "Until September 7, 2026 leaving costs nothing.",
                "Until September 14, 2026 leaving costs $100.00 of the fee of $769.00.",
                "Until September 21, 2026 leaving costs $384.50 of the fee of $769.00.",
                "From September 22, 2026 the whole fee of $769.00 is payable.",
            ]
        );
        for day in date(2026, 9, 1).series(1.day()).take_while(|day| *day < date(2027, 2, 10)) {
            let kept = course.propose(&usual(), LeavingDays { effective_on: day, notice_on: day }).kept;
            let step = steps.iter().find(|step| step.until.is_none_or(|until| day <= until)).unwrap();
            assert_eq!(step.cost, kept, "{day}");
        }
        assert_eq!(CourseTaken { fee: Money::default(), ..course.clone() }.steps(&usual()), []);
        let never = course.steps(&policy(vec![rule("start-20sd", 100, 0)]));
        assert_eq!(never.len(), 2);
        let always = course.steps(&policy(vec![rule("end", 100, 10_000)]));
        assert_eq!(always[0].words, "On any day leaving costs $100.00 of the fee of $769.00.");
    }
}
