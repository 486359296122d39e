//! What charges, waivers, refunds and plans must be.

use jiff::civil::Date;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::base::error::FieldErrors;
use crate::base::money::Money;
use crate::config::Prices;
use crate::money::ledger::plans::{self, PlannedPart};
use crate::money::ledger::{ChargedFor, FeeItem, PaymentMethod};
use crate::money::payments::rules::{line, number};
use crate::web::form::{Field, form, read_as};
use crate::web::price::{self, PriceInput};

form! {
    /// `POST /api/admin/students/{id}/charges`' body.
    pub struct ChargeForm {
        /// An enrollment of this student that was ever approved.
        enrollment_id: Option<i64>,
        /// Or an admission of this student.
        admission_id: Option<i64>,
        /// Dollars with at most two decimals, more than 0.
        #[schema(value_type = PriceInput)]
        amount: Money,
        /// What it is for: 3 to 200 characters; default the course's name.
        description: Option<String>,
        /// What it is for; default `course`, of an admission `admission`.
        item: Option<ChargedFor>,
        /// Due date, today or later; default from the configuration.
        due_on: Option<Date>,
        /// Dollars of tax contained in the amount; default 0.
        #[schema(value_type = Option<PriceInput>)]
        tax: Option<Money>,
    }
}

/// A validated charge.
#[derive(Debug, Clone)]
pub struct Charge {
    /// On what.
    pub item: FeeItem,
    /// How much.
    pub amount: Money,
    /// What it is for, if that was said.
    pub description: Option<String>,
    /// Of what kind.
    pub is_for: ChargedFor,
    /// By when.
    pub due_on: Date,
    /// The tax in it.
    pub tax: Money,
}

impl Charge {
    /// Validates a form.
    pub fn parse(form: &ChargeForm, settings: &Prices, today: Date) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let item = item(&mut errors, &form.enrollment_id, &form.admission_id);
        let amount = errors.take("amount", price::positive(&form.amount));
        let description = if form.description.is_blank() {
            Some(None)
        } else {
            errors
                .take("description", form.description.between(3, 200, "Describe it in at least 3 characters"))
                .map(Some)
        };
        let is_for = errors.take("item", form.item.optional_one_of());
        let due_on = errors.take("dueOn", due_on(&form.due_on, settings, today));
        let tax = errors.take("tax", optional_amount(&form.tax, "Tax"));
        if let (Some(amount), Some(tax)) = (amount, tax)
            && tax > amount
        {
            errors.add("tax", "The tax is a part of the amount, so it cannot be more");
        }
        let charge = || {
            let item = item?;
            let usual = match item {
                FeeItem::Enrollment(_) => ChargedFor::Course,
                FeeItem::Admission(_) => ChargedFor::Admission,
            };
            let is_for = is_for?.unwrap_or(usual);
            Some(Self {
                item,
                amount: amount?,
                description: description?,
                is_for,
                due_on: due_on?,
                tax: tax?,
            })
        };
        errors.finish(charge())
    }
}

/// The item that a form names.
enum NamedItem {
    /// One.
    Item(FeeItem),
    /// None.
    Nothing,
    /// Several, or something else; the errors say so.
    Wrong,
}

fn named(errors: &mut FieldErrors, enrollment: &Field<i64>, admission: &Field<i64>) -> NamedItem {
    let enrollment = errors.take("enrollmentId", number(enrollment));
    let admission = errors.take("admissionId", number(admission));
    match (enrollment, admission) {
        (Some(Some(_)), Some(Some(_))) => {
            errors.add("enrollmentId", "Name an enrollment or an admission, not both");
            NamedItem::Wrong
        }
        (Some(Some(id)), Some(None)) => NamedItem::Item(FeeItem::Enrollment(id)),
        (Some(None), Some(Some(id))) => NamedItem::Item(FeeItem::Admission(id)),
        (Some(None), Some(None)) => NamedItem::Nothing,
        _ => NamedItem::Wrong,
    }
}

/// The item that a form has to name.
fn item(errors: &mut FieldErrors, enrollment: &Field<i64>, admission: &Field<i64>) -> Option<FeeItem> {
    match named(errors, enrollment, admission) {
        NamedItem::Item(item) => Some(item),
        NamedItem::Nothing => {
            errors.add("enrollmentId", "Enrollment is required");
            None
        }
        NamedItem::Wrong => None,
    }
}

fn due_on(field: &Field<String>, settings: &Prices, today: Date) -> Result<Date, String> {
    let day = field.optional_date()?.unwrap_or_else(|| settings.due_on(today));
    if day < today { Err("Due date must be today or later".to_owned()) } else { Ok(day) }
}

/// An amount that is nothing unless it is sent.
fn optional_amount(field: &Field<PriceInput>, what: &str) -> Result<Money, String> {
    let amount =
        price::amount(field).map_err(|_| format!("{what} must be $0.00 or more, with at most two decimals"));
    amount.map(Option::unwrap_or_default)
}

form! {
    /// `POST /api/admin/students/{id}/waivers`' body: a document that is not asked for, or a part of a fee.
    pub struct WaiverForm {
        /// The requirement of a document.
        pub requirement_id: Option<i64>,
        /// Or an enrollment of this student.
        pub enrollment_id: Option<i64>,
        /// Or an admission of this student.
        pub admission_id: Option<i64>,
        /// Of a fee: dollars with at most two decimals, at most what is charged and not waived.
        #[schema(value_type = Option<PriceInput>)]
        pub amount: Money,
        /// Why: 3 to 500 characters.
        pub reason: String,
    }
}

/// A validated waiver of a fee.
#[derive(Debug, Clone)]
pub struct Waiver {
    /// On what.
    pub item: FeeItem,
    /// How much.
    pub amount: Money,
    /// Why.
    pub reason: String,
}

impl Waiver {
    /// Validates a form.
    pub fn parse(form: &WaiverForm) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let item = item(&mut errors, &form.enrollment_id, &form.admission_id);
        let amount = errors.take("amount", price::positive(&form.amount));
        let reason = errors.take("reason", reason(&form.reason));
        let waiver = || Some(Self { item: item?, amount: amount?, reason: reason? });
        errors.finish(waiver())
    }
}

/// Why something is waived, refunded or reversed.
pub fn reason(field: &Field<String>) -> Result<String, String> {
    field.between(3, 500, "Say why, in at least 3 characters")
}

form! {
    /// `POST /api/admin/students/{id}/refunds`' body.
    pub struct RefundForm {
        /// Pay back what was paid for this enrollment; if neither is named, what lies on account.
        enrollment_id: Option<i64>,
        /// Pay back what was paid for this admission.
        admission_id: Option<i64>,
        /// Dollars of the enrollment's fee that are waived with it, as a refund policy has it; default 0.
        #[schema(value_type = Option<PriceInput>)]
        waive: Option<Money>,
        /// Dollars with at most two decimals, at most what was paid and not refunded.
        #[schema(value_type = PriceInput)]
        amount: Money,
        /// How it was refunded.
        method: PaymentMethod,
        /// What tells it from others: the number of a transfer or cheque. At most 200 characters.
        reference: Option<String>,
        /// When: today or earlier, at most five years ago.
        paid_on: Date,
        /// Why: 3 to 500 characters.
        reason: String,
    }
}

/// A validated refund.
#[derive(Debug, Clone)]
pub struct Refund {
    /// Of what; `None`: of what lies on account.
    pub item: Option<FeeItem>,
    /// What of the item's fee is waived with it.
    pub waive: Money,
    /// How much.
    pub amount: Money,
    /// How.
    pub method: PaymentMethod,
    /// What tells it from others.
    pub reference: Option<String>,
    /// When.
    pub paid_on: Date,
    /// Why.
    pub reason: String,
}

impl Refund {
    /// Validates a form.
    pub fn parse(form: &RefundForm, today: Date) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let item = match named(&mut errors, &form.enrollment_id, &form.admission_id) {
            NamedItem::Item(item) => Some(item),
            NamedItem::Nothing | NamedItem::Wrong => None,
        };
        let waive = errors.take("waive", optional_amount(&form.waive, "The waived part"));
        if item.is_none() && waive.is_some_and(|waive| waive.cents() > 0) {
            errors.add("waive", "Only a part of an enrollment's or an admission's fee can be waived");
        }
        let amount = errors.take("amount", price::positive(&form.amount));
        let method = errors.take("method", form.method.one_of());
        let reference = errors.take("reference", line(&form.reference));
        let paid_on =
            crate::money::payments::rules::day_until(&form.paid_on, today, "Enter the day of the refund");
        let paid_on = errors.take("paidOn", paid_on);
        let reason = errors.take("reason", reason(&form.reason));
        let refund = || {
            Some(Self {
                item,
                waive: waive?,
                amount: amount?,
                method: method?,
                reference: reference?,
                paid_on: paid_on?,
                reason: reason?,
            })
        };
        errors.finish(refund())
    }
}

form! {
    /// `POST /api/admin/ledger/{id}/reverse`' body.
    pub struct ReverseEntryForm {
        /// Why: 3 to 500 characters.
        pub reason: String,
    }
}

form! {
    /// `POST /api/admin/money/refunds-due/{id}/settle`'s body.
    pub struct SettleForm {
        /// Why: 3 to 500 characters.
        pub reason: String,
    }
}

/// A row of `POST /api/admin/charges`.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnpricedCharge {
    /// An active enrollment that was approved without a price.
    pub enrollment_id: i64,
    /// Dollars with at most two decimals, more than 0.
    pub amount: PriceInput,
    /// Due date, today or later; default from the configuration.
    #[serde(default)]
    pub due_on: Option<String>,
}

read_as!(Vec<UnpricedCharge> => Vec<UnpricedCharge>);

form! {
    /// `POST /api/admin/charges`' body.
    pub struct ChargesForm {
        /// 1 to 200 of them.
        rows: Vec<UnpricedCharge>,
    }
}

impl ChargesForm {
    /// The rows.
    pub fn rows(&self) -> Result<Vec<UnpricedCharge>, FieldErrors> {
        match &self.rows {
            Field::Value(rows) if (1..=crate::web::bulk::MAX).contains(&rows.len()) => Ok(rows.clone()),
            _ => Err(FieldErrors::one("rows", "Choose 1 to 200 enrollments, each with an amount".to_owned())),
        }
    }
}

impl UnpricedCharge {
    /// As a charge.
    pub fn parse(&self, settings: &Prices, today: Date) -> Result<Charge, FieldErrors> {
        let form = ChargeForm {
            enrollment_id: Field::Value(self.enrollment_id),
            amount: Field::Value(self.amount.clone()),
            due_on: self.due_on.clone().map_or(Field::Absent, Field::Value),
            ..ChargeForm::default()
        };
        Charge::parse(&form, settings, today)
    }
}

/// A part of a plan.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstalmentInput {
    /// Due date.
    #[schema(value_type = Date)]
    due_on: String,
    /// Dollars.
    amount: PriceInput,
}

read_as!(Vec<InstalmentInput> => Vec<InstalmentInput>);

form! {
    /// `PUT /api/admin/enrollments/{id}/instalments`' body.
    pub struct PlanForm {
        /// The parts, together what is charged and not waived; none takes the plan away. At most 24.
        instalments: Option<Vec<InstalmentInput>>,
        /// Or in how many equal monthly parts; the last takes the rest.
        count: Option<i64>,
        /// Due date of the first of them.
        first_due_on: Option<Date>,
    }
}

/// A validated plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    /// These parts.
    Parts(Vec<PlannedPart>),
    /// So many equal parts from this day on.
    Monthly(i64, Date),
}

const NO_PLAN: &str = "Each instalment needs a due date and an amount of more than $0.00 and at most $99,999,999.99; at most 24 instalments";

impl Plan {
    /// Validates a form.
    pub fn parse(form: &PlanForm) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let plan = match (&form.instalments, form.count.is_sent()) {
            (Field::Absent | Field::Null, true) => {
                let count = match form.count {
                    Field::Value(count) if (1..=plans::MOST).contains(&count) => Ok(count),
                    _ => Err("Choose 1 to 24 parts"),
                };
                let count = errors.take("count", count);
                let first = errors.take(
                    "firstDueOn",
                    form.first_due_on.date("Enter the day when the first instalment is due"),
                );
                count.zip(first).map(|(count, first)| Self::Monthly(count, first))
            }
            (Field::Value(parts), false)
                if parts.len() <= usize::try_from(plans::MOST).unwrap_or_default() =>
            {
                let parts = parts.iter().map(|part| {
                    let due_on = Field::Value(part.due_on.clone()).date("").ok()?;
                    let amount = price::positive(&Field::Value(part.amount.clone())).ok()?;
                    Some(PlannedPart { due_on, amount })
                });
                let mut parts: Option<Vec<_>> = parts.collect();
                if let Some(parts) = &mut parts {
                    parts.sort_by_key(|part| part.due_on);
                }
                errors.take("instalments", parts.map(Self::Parts).ok_or(NO_PLAN))
            }
            _ => errors.take("instalments", Err(NO_PLAN)),
        };
        errors.finish(plan)
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::{Value, json};

    use super::*;

    const TODAY: Date = date(2026, 11, 21);

    fn names<T>(parsed: Result<T, FieldErrors>) -> Vec<String> {
        let Err(errors) = parsed else { return Vec::new() };
        serde_json::to_value(errors).unwrap().as_object().unwrap().keys().cloned().collect()
    }

    #[test]
    fn every_wrong_field_of_a_charge_a_waiver_and_a_refund_is_named_at_once() {
        let charge = |body: Value| {
            names(Charge::parse(&serde_json::from_value(body).unwrap(), &Prices::default(), TODAY))
        };
        assert_eq!(charge(json!({})), ["amount", "enrollmentId"]);
        let all = json!({ "enrollmentId": 1, "admissionId": 2, "amount": "1.200,00", "description": "ab",
            "item": "sweets", "dueOn": "2026-11-20", "tax": -1 });
        assert_eq!(charge(all), ["amount", "description", "dueOn", "enrollmentId", "item", "tax"]);
        assert_eq!(charge(json!({ "enrollmentId": 1, "amount": 5, "tax": 5.01 })), ["tax"]);
        let numbers = json!({ "enrollmentId": 1, "amount": 5, "description": 5, "dueOn": 5 });
        assert_eq!(charge(numbers), ["description", "dueOn"]);
        assert!(charge(json!({ "admissionId": 1, "amount": "1,200", "tax": "" })).is_empty());
        let waiver = |body: Value| names(Waiver::parse(&serde_json::from_value(body).unwrap()));
        assert_eq!(waiver(json!({})), ["amount", "enrollmentId", "reason"]);
        let refund = |body: Value| names(Refund::parse(&serde_json::from_value(body).unwrap(), TODAY));
        assert_eq!(refund(json!({})), ["amount", "method", "paidOn", "reason"]);
        let right =
            json!({ "amount": 5, "method": "cheque", "paidOn": "2026-11-21", "reason": "Paid twice" });
        assert!(refund(right).is_empty());
    }

    #[test]
    fn a_plan_has_parts_or_a_number_of_months() {
        let plan = |body: Value| Plan::parse(&serde_json::from_value(body).unwrap());
        let part = |day: &str, amount: Value| json!({ "dueOn": day, "amount": amount });
        let two =
            json!({ "instalments": [part("2027-01-01", json!("50")), part("2026-12-01", json!(49.5))] });
        assert_eq!(
            plan(two).unwrap(),
            Plan::Parts(vec![
                PlannedPart { due_on: date(2026, 12, 1), amount: Money::from_cents(4950) },
                PlannedPart { due_on: date(2027, 1, 1), amount: Money::from_cents(5000) },
            ])
        );
        assert_eq!(plan(json!({ "instalments": [] })).unwrap(), Plan::Parts(Vec::new()));
        let monthly = json!({ "count": 3, "firstDueOn": "2026-12-01" });
        assert_eq!(plan(monthly).unwrap(), Plan::Monthly(3, date(2026, 12, 1)));
        assert_eq!(names(plan(json!({}))), ["instalments"]);
        assert_eq!(names(plan(json!({ "count": 25 }))), ["count", "firstDueOn"]);
        let many: Vec<_> = (0..25).map(|_| part("2027-01-01", json!(1))).collect();
        for wrong in
            [json!(many), json!([part("2027-02-30", json!(1))]), json!([part("2027-01-01", json!(0))])]
        {
            assert_eq!(names(plan(json!({ "instalments": wrong }))), ["instalments"]);
        }
    }
}
