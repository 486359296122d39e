//! What a refund policy must be.

use std::fmt;
use std::str::FromStr;

use jiff::ToSpan as _;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::base::dates::DateRange;
use crate::base::error::FieldErrors;
use crate::base::money::Money;
use crate::terms::SchoolDays;
use crate::web::form::{Field, form, read_as};
use crate::web::price::PriceInput;

/// Codes of the provinces and territories.
pub const PROVINCES: [&str; 13] =
    ["AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT"];
const MOST_POLICIES: usize = 20;
const MOST_RULES: usize = 12;
/// More days than any course is long.
const MOST_DAYS: i64 = 400;

/// Until when a rule holds, as of a course: `start-1d`, `start+5sd` (school days), `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// Days from the first one: with a calendar, or counted by school days.
    Start {
        /// Number of days; negative before it.
        days: i64,
        /// Whether only school days count, of which the first day on or after the start is 1.
        by_school_days: bool,
    },
    /// The last day.
    End,
}

impl Until {
    /// The day in a course.
    pub fn day(self, DateRange { first: start, last: end }: DateRange, calendar: &SchoolDays) -> Date {
        match self {
            Self::End => end,
            Self::Start { days, by_school_days: true } => calendar.nth(start, days),
            Self::Start { days, by_school_days: false } => start.saturating_add(days.days()),
        }
    }
}

impl FromStr for Until {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if text == "end" {
            return Ok(Self::End);
        }
        let days = text.strip_prefix("start").ok_or(())?;
        if days.is_empty() {
            return Ok(Self::Start { days: 0, by_school_days: false });
        }
        let (number, by_school_days) = match days.strip_suffix("sd") {
            Some(number) => (number, true),
            None => (days.strip_suffix('d').ok_or(())?, false),
        };
        let days: i64 = number.parse().map_err(|_| ())?;
        if !number.starts_with(['+', '-']) || days.abs() > MOST_DAYS {
            return Err(());
        }
        Ok(Self::Start { days, by_school_days })
    }
}

impl fmt::Display for Until {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End => f.write_str("end"),
            Self::Start { days, by_school_days: true } => write!(f, "start{days:+}sd"),
            Self::Start { days, by_school_days: false } => write!(f, "start{days:+}d"),
        }
    }
}

/// What is forgiven of the fee of a student who leaves by a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The last day.
    pub until: Until,
    /// Percent of the fee.
    pub percent: i64,
    /// What the school keeps of them.
    pub keep: Money,
}

impl Rule {
    /// What is forgiven of a fee: the percentage, rounded down to the cent, less what is kept.
    pub fn waives(&self, fee: Money) -> Money {
        Money::from_cents((fee.cents() * self.percent / 100 - self.keep.cents()).max(0))
    }
}

/// A rule, as it is sent.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundRuleInput {
    /// The last day: `start-1d`, `start+5sd` (school days, of which the first from the start on is 1) or `end`.
    until: String,
    /// Percent of the fee that is waived: 0 to 100.
    #[serde(default)]
    percent: Option<f64>,
    /// Dollars that the school keeps of them; default 0.
    #[serde(default)]
    keep: Option<PriceInput>,
}

/// A policy, as it is sent.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundPolicyInput {
    /// 1 to 100 characters.
    name: String,
    /// Two letters each, for residents of these provinces; null for all others.
    #[serde(default)]
    provinces: Option<Vec<String>>,
    /// For requests from this day on; a past day is allowed.
    #[schema(value_type = Date)]
    effective_on: String,
    /// 1 to 12 rules, the earliest day first.
    rules: Vec<RefundRuleInput>,
}

read_as!(Vec<RefundPolicyInput> => Vec<RefundPolicyInput>);

form! {
    /// `PUT /api/admin/refund-policies`' body.
    pub struct RefundPoliciesForm {
        /// 1 to 20 policies; each that differs from what is known becomes a version.
        policies: Vec<RefundPolicyInput>,
    }
}

/// A validated policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPolicy {
    /// What it is called.
    pub name: String,
    /// Of which provinces' residents; `None`: of all others.
    pub provinces: Option<Vec<String>>,
    /// For requests from this day on.
    pub effective_on: Date,
    /// The earliest day first.
    pub rules: Vec<Rule>,
}

impl RefundPoliciesForm {
    /// Validates it.
    pub fn parse(&self) -> Result<Vec<NewPolicy>, FieldErrors> {
        let inputs = match &self.policies {
            Field::Value(inputs) if (1..=MOST_POLICIES).contains(&inputs.len()) => inputs,
            _ => {
                let message = "Send 1 to 20 policies, each with name, effectiveOn and rules";
                return Err(FieldErrors::one("policies", message));
            }
        };
        let mut errors = FieldErrors::default();
        let parse = |(at, input): (usize, &RefundPolicyInput)| input.parse(at, &mut errors);
        let policies: Vec<_> = inputs.iter().enumerate().map(parse).collect();
        errors.finish(policies.into_iter().collect())
    }
}

impl RefundPolicyInput {
    fn parse(&self, at: usize, errors: &mut FieldErrors) -> Option<NewPolicy> {
        let field = |name: &str| format!("policies.{at}.{name}");
        let text = |text: &str| Field::Value(text.to_owned());
        let name = errors.take(field("name"), text(&self.name).name(1, 100, "Please name the policy"));
        let effective_on = text(&self.effective_on).date("Say from which day it holds");
        let effective_on = errors.take(field("effectiveOn"), effective_on);
        let provinces = match &self.provinces {
            None => Some(None),
            Some(codes) => {
                let mut codes: Vec<_> = codes.iter().map(|code| code.trim().to_ascii_uppercase()).collect();
                codes.sort_unstable();
                codes.dedup();
                let is_right = !codes.is_empty() && codes.iter().all(|code| PROVINCES.contains(&&**code));
                let words = "Must be provinces by their two letters, or null for all others";
                errors.take(field("provinces"), if is_right { Ok(Some(codes)) } else { Err(words) })
            }
        };
        if !(1..=MOST_RULES).contains(&self.rules.len()) {
            errors.add(field("rules"), "A policy has 1 to 12 rules");
        }
        let parse = |(n, rule): (usize, &RefundRuleInput)| rule.parse(&field(&format!("rules.{n}")), errors);
        let rules: Vec<_> = self.rules.iter().enumerate().map(parse).collect();
        let rules: Option<Vec<_>> = rules.into_iter().collect();
        Some(NewPolicy { name: name?, provinces: provinces?, effective_on: effective_on?, rules: rules? })
    }
}

impl RefundRuleInput {
    fn parse(&self, field: &str, errors: &mut FieldErrors) -> Option<Rule> {
        let until = self.until.trim().parse();
        let until = until.map_err(|()| "Must be like start-1d, start+5sd or end, at most 400 days");
        let until = errors.take(format!("{field}.until"), until);
        let percent = match self.percent {
            // A whole number of at most three digits.
            Some(percent) if (0.0..=100.0).contains(&percent) && percent.fract() == 0.0 => Ok(percent as i64),
            _ => Err("Must be a whole number from 0 to 100"),
        };
        let percent = errors.take(format!("{field}.percent"), percent);
        let keep = self.keep.as_ref().map_or(Ok(None), PriceInput::amount);
        let keep = keep
            .map(Option::unwrap_or_default)
            .map_err(|_| "Must be $0.00 or more, with at most two decimals");
        let keep = errors.take(format!("{field}.keep"), keep);
        Some(Rule { until: until?, percent: percent?, keep: keep? })
    }
}

/// A rule as its column keeps it, in cents.
#[derive(Debug, Serialize, Deserialize)]
pub struct StoredRule {
    until: String,
    percent: i64,
    keep: i64,
}

impl From<&Rule> for StoredRule {
    fn from(rule: &Rule) -> Self {
        Self { until: rule.until.to_string(), percent: rule.percent, keep: rule.keep.cents() }
    }
}

impl StoredRule {
    /// The rule, unless the column holds what it never may.
    pub fn read(&self) -> Option<Rule> {
        let until = self.until.parse().ok()?;
        Some(Rule { until, percent: self.percent, keep: Money::from_cents(self.keep) })
    }
}

form! {
    /// `POST /api/admin/enrollments/{id}/refund-proposal`'s body.
    pub struct RefundProposalForm {
        /// The first day on which the student is no longer in the course.
        pub effective_on: Date,
        /// When the student gave notice, today or earlier; default today.
        pub notice_on: Option<Date>,
    }
}

/// When a student leaves a course.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeavingDays {
    /// The first day on which the student is no longer in the course.
    pub effective_on: Date,
    /// When the student gave notice.
    pub notice_on: Date,
}

impl RefundProposalForm {
    /// Validates it.
    pub fn parse(&self, today: Date) -> Result<LeavingDays, FieldErrors> {
        let mut errors = FieldErrors::default();
        let effective_on = errors.take("effectiveOn", self.effective_on.date("Effective date is required"));
        let notice_on = match self.notice_on.optional_date() {
            Ok(Some(day)) if day > today => Err("Must be today or earlier".to_owned()),
            notice_on => notice_on.map(|day| day.unwrap_or(today)),
        };
        let notice_on = errors.take("noticeOn", notice_on);
        let days = || Some(LeavingDays { effective_on: effective_on?, notice_on: notice_on? });
        errors.finish(days())
    }
}
