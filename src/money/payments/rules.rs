//! What a payment must be, and what it goes to.

use jiff::ToSpan as _;
use jiff::civil::Date;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::base::error::FieldErrors;
use crate::base::money::Money;
use crate::money::ledger::{FeeItem, ItemFees, OpenCharge, PaymentMethod, PaymentPart};
use crate::web::form::{Field, form, read_as};
use crate::web::price::{self, PriceInput};

form! {
    /// `POST /api/admin/payments`' body.
    pub struct PaymentForm {
        /// Who it is from; may be left out if `enrollmentId` or `admissionId` says it.
        pub student_id: Option<i64>,
        /// Pay for this enrollment alone.
        pub enrollment_id: Option<i64>,
        /// Pay for this admission alone.
        pub admission_id: Option<i64>,
        /// Dollars with at most two decimals, more than 0.
        #[schema(value_type = PriceInput)]
        pub amount: Money,
        /// How it came.
        pub method: PaymentMethod,
        /// What tells it from others: the number of a transfer or cheque. At most 200 characters.
        pub reference: Option<String>,
        /// When it came: today or earlier, at most five years ago.
        pub received_on: Date,
        /// Who paid, if not the student. At most 200 characters.
        pub payer_name: Option<String>,
        /// What it pays for. If absent, the oldest due first; if empty, nothing: it stays on account.
        pub allocations: Option<Vec<Allocation>>,
        /// Whether the receipt is emailed; default false.
        pub send_receipt: Option<bool>,
        /// Whether a payment that looks like an earlier one is recorded nevertheless.
        pub confirm_duplicate: Option<bool>,
    }
}

/// A part of a payment, for one enrollment or one admission.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Allocation {
    /// The enrollment.
    enrollment_id: Option<i64>,
    /// Or the admission.
    admission_id: Option<i64>,
    /// Dollars, at most what is due of it.
    amount: PriceInput,
}

read_as!(Vec<Allocation> => Vec<Allocation>);

/// What a payment goes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// What is due, the oldest first.
    OldestFirst,
    /// What is due of one item.
    One(FeeItem),
    /// These parts; nothing when there are none.
    Parts(Vec<PaymentPart>),
}

/// A validated payment.
#[derive(Debug, Clone)]
pub struct NewPayment {
    /// Who it is from, if that was said.
    pub student_id: Option<i64>,
    /// What it goes to.
    pub target: Target,
    /// How much it is.
    pub amount: Money,
    /// How it came.
    pub method: PaymentMethod,
    /// What tells it from others.
    pub reference: Option<String>,
    /// When it came.
    pub received_on: Date,
    /// Who paid.
    pub payer_name: Option<String>,
    /// Whether the receipt is emailed.
    pub sends_receipt: bool,
    /// Whether a possible duplicate is wanted.
    pub is_confirmed: bool,
    /// The line of a bank's file that it is recorded from: its receipt waits like the emails of a decision.
    pub import_line_id: Option<i64>,
}

const NO_PARTS: &str = "Each part needs an enrollment or an admission, and an amount of more than $0.00";

impl NewPayment {
    /// Validates a form.
    pub fn parse(form: &PaymentForm, today: Date) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let amount = errors.take("amount", price::positive(&form.amount));
        let method = errors.take("method", form.method.one_of());
        let reference = errors.take("reference", line(&form.reference));
        let payer_name = errors.take("payerName", line(&form.payer_name));
        let received_on = day_until(&form.received_on, today, "Say when it was received");
        let received_on = errors.take("receivedOn", received_on);
        let [student, enrollment, admission] = [
            ("studentId", &form.student_id),
            ("enrollmentId", &form.enrollment_id),
            ("admissionId", &form.admission_id),
        ]
        .map(|(name, field)| errors.take(name, number(field)));
        let parts = errors.take("allocations", parts(&form.allocations));
        let target = match (enrollment.flatten(), admission.flatten(), parts.flatten()) {
            (None, None, None) => Some(Target::OldestFirst),
            (None, None, Some(parts)) => Some(Target::Parts(parts)),
            (Some(id), None, None) => Some(Target::One(FeeItem::Enrollment(id))),
            (None, Some(id), None) => Some(Target::One(FeeItem::Admission(id))),
            _ => {
                errors.add(
                    "allocations",
                    "Name one enrollment, one admission, or the parts, and not several of them",
                );
                None
            }
        };
        if student == Some(None) && matches!(target, Some(Target::OldestFirst | Target::Parts(_))) {
            errors.add("studentId", "Student is required");
        }
        if let (Some(Target::Parts(parts)), Some(amount)) = (&target, amount)
            && sum(parts) > amount.cents()
        {
            errors.add("allocations", "The parts add up to more than the payment");
        }
        let [sends_receipt, is_confirmed] =
            [("sendReceipt", &form.send_receipt), ("confirmDuplicate", &form.confirm_duplicate)]
                .map(|(name, field)| errors.take(name, is_wanted(field)));
        let payment = || {
            Some(Self {
                student_id: student?,
                target: target?,
                amount: amount?,
                method: method?,
                reference: reference?,
                received_on: received_on?,
                payer_name: payer_name?,
                sends_receipt: sends_receipt?,
                is_confirmed: is_confirmed?,
                import_line_id: None,
            })
        };
        let payment = payment();
        errors.finish(payment)
    }

    /// Divides it among what is due; the rest stays on account.
    ///
    /// # Errors
    /// As [`divide`].
    pub fn divide(&self, open: &[OpenCharge], items: &[ItemFees]) -> Result<Vec<PaymentPart>, FieldErrors> {
        divide(&self.target, self.amount, open, items)
    }
}

/// Divides an amount among what is due.
///
/// # Errors
/// A field error if a part is more than what is due of its item.
pub fn divide(
    target: &Target,
    amount: Money,
    open: &[OpenCharge],
    items: &[ItemFees],
) -> Result<Vec<PaymentPart>, FieldErrors> {
    let parts = match target {
        Target::Parts(parts) => parts.clone(),
        Target::OldestFirst => oldest_first(amount, open.iter()),
        Target::One(item) => oldest_first(amount, open.iter().filter(|charge| charge.item == *item)),
    };
    for PaymentPart { item, amount } in &parts {
        let due = items.iter().find(|one| one.item() == *item).map_or(Money::default(), |one| one.due);
        if *amount > due {
            let message = format!("Only {due} of it is due, so {amount} cannot go to it");
            return Err(FieldErrors::one("allocations", message));
        }
    }
    Ok(parts)
}

form! {
    /// `POST /api/admin/payments/{id}/move`' body.
    pub struct MoveForm {
        /// The enrollment that it pays for.
        from_enrollment_id: i64,
        /// The enrollment that it shall pay for.
        to_enrollment_id: i64,
        /// Dollars, at most what it pays of the one and what is due of the other.
        #[schema(value_type = PriceInput)]
        amount: Money,
    }
}

/// A validated move.
#[derive(Debug, Clone, Copy)]
pub struct Move {
    /// From where.
    pub from: FeeItem,
    /// To where.
    pub to: FeeItem,
    /// How much.
    pub amount: Money,
}

impl Move {
    /// Validates a form.
    pub fn parse(form: &MoveForm) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let [from, to] =
            [("fromEnrollmentId", &form.from_enrollment_id), ("toEnrollmentId", &form.to_enrollment_id)].map(
                |(name, field)| {
                    let id = number(field).and_then(|id| id.ok_or("Enrollment is required"));
                    errors.take(name, id)
                },
            );
        if from.is_some() && from == to {
            errors.add("toEnrollmentId", "Choose another enrollment");
        }
        let amount = errors.take("amount", price::positive(&form.amount));
        let wish = || {
            let [from, to] = [FeeItem::Enrollment(from?), FeeItem::Enrollment(to?)];
            Some(Self { from, to, amount: amount? })
        };
        errors.finish(wish())
    }
}

fn sum(parts: &[PaymentPart]) -> i64 {
    parts.iter().map(|part| part.amount.cents()).sum()
}

/// One row for each item, in the order in which money reaches them.
fn oldest_first<'a>(amount: Money, open: impl Iterator<Item = &'a OpenCharge>) -> Vec<PaymentPart> {
    let mut left = amount.cents();
    let mut parts = Vec::<PaymentPart>::new();
    for charge in open {
        let cents = charge.amount.cents().min(left);
        if cents == 0 {
            break;
        }
        left -= cents;
        match parts.iter_mut().find(|part| part.item == charge.item) {
            Some(part) => part.amount = Money::from_cents(part.amount.cents() + cents),
            None => parts.push(PaymentPart { item: charge.item, amount: Money::from_cents(cents) }),
        }
    }
    parts
}

/// An optional number.
pub fn number(field: &Field<i64>) -> Result<Option<i64>, &'static str> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(id) => Ok(Some(*id)),
        Field::Wrong => Err("Must be a number"),
    }
}

fn is_wanted(field: &Field<bool>) -> Result<bool, &'static str> {
    match field {
        Field::Absent | Field::Null => Ok(false),
        Field::Value(is_wanted) => Ok(*is_wanted),
        Field::Wrong => Err("Must be true or false"),
    }
}

/// One line of at most 200 characters.
pub fn line(field: &Field<String>) -> Result<Option<String>, String> {
    let line = field.optional(200)?;
    if line.as_ref().is_some_and(|line| line.contains(['\n', '\r', '\t'])) {
        return Err("Must be one line".to_owned());
    }
    Ok(line)
}

/// A day that has come, at most five years ago; `missing` if there is none.
pub fn day_until(field: &Field<String>, today: Date, missing: &str) -> Result<Date, String> {
    let day = field.date(missing)?;
    if day > today {
        return Err("Must be today or earlier".to_owned());
    }
    if day < today.saturating_sub(5.years()) {
        return Err("Must be at most five years ago".to_owned());
    }
    Ok(day)
}

/// Parts of a payment, if they are named.
pub fn parts(field: &Field<Vec<Allocation>>) -> Result<Option<Vec<PaymentPart>>, &'static str> {
    let parts = match field {
        Field::Absent | Field::Null => return Ok(None),
        Field::Wrong => return Err(NO_PARTS),
        Field::Value(parts) => parts,
    };
    let mut read: Vec<PaymentPart> = Vec::with_capacity(parts.len());
    for Allocation { enrollment_id, admission_id, amount } in parts {
        let item = match (enrollment_id, admission_id) {
            (Some(id), None) => FeeItem::Enrollment(*id),
            (None, Some(id)) => FeeItem::Admission(*id),
            _ => return Err(NO_PARTS),
        };
        let amount = price::positive(&Field::Value(amount.clone())).map_err(|_| NO_PARTS)?;
        if read.iter().any(|other| other.item == item) {
            return Err("Name each enrollment and admission once");
        }
        read.push(PaymentPart { item, amount });
    }
    Ok(Some(read))
}

/// A date in a column: `Nov 21, 2026`.
pub fn short(date: Date) -> String {
    date.strftime("%b %-d, %Y").to_string()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use serde_json::{Value, json};

    use super::*;

    const TODAY: Date = date(2026, 11, 21);

    fn parse(body: Value) -> Result<NewPayment, Value> {
        let form: PaymentForm = serde_json::from_value(body).unwrap();
        NewPayment::parse(&form, TODAY).map_err(|errors| serde_json::to_value(errors).unwrap())
    }

    #[test]
    fn every_wrong_field_is_named_at_once() {
        let missing = parse(json!({})).unwrap_err();
        let names: Vec<_> = missing.as_object().unwrap().keys().cloned().collect();
        assert_eq!(names, ["amount", "method", "receivedOn", "studentId"]);
        let wrong = parse(json!({
            "studentId": "one", "amount": "1.200,00", "method": "barter", "receivedOn": "2026-11-22",
            "reference": "a\nb", "payerName": "x".repeat(201), "allocations": [{ "amount": 5 }], "sendReceipt": "yes",
        }))
        .unwrap_err();
        assert_eq!(wrong.as_object().unwrap().len(), 8, "{wrong}");
        assert!(wrong["amount"].as_str().unwrap().contains("two ways"), "{wrong}");
        let much = parse(json!({ "amount": "100000000" })).unwrap_err();
        assert!(much["amount"].as_str().unwrap().contains("$99,999,999.99"), "{much}");
        let none = parse(json!({ "amount": "abc" })).unwrap_err();
        assert_eq!(none["amount"], "This is not an amount. Write it like 1,200.50 or 1200.50");
    }

    #[test]
    fn amounts_are_taken_as_people_type_them() {
        let cents = |amount: Value| {
            let body =
                json!({ "studentId": 1, "amount": amount, "method": "cash", "receivedOn": "2026-11-21" });
            parse(body).ok().map(|payment| payment.amount.cents())
        };
        for (typed, expected) in [
            (json!(1200.5), Some(120_050)),
            (json!("1,200"), Some(120_000)),
            (json!("1200.5"), Some(120_050)),
            (json!("$1,200.00"), Some(120_000)),
            (json!("1\u{a0}200.50 CAD"), Some(120_050)),
            (json!("CAD 1,200.50"), Some(120_050)),
            (json!("12 50"), None),
            (json!("1.200 CAD"), None),
            (json!("1.200,00"), None),
            (json!("12,50"), None),
            (json!(0), None),
            (json!(-5), None),
            (json!(0.001), None),
            (json!("100000000"), None),
            (json!("99999999.99"), Some(9_999_999_999)),
            (json!(true), None),
        ] {
            assert_eq!(cents(typed.clone()), expected, "{typed}");
        }
    }

    #[test]
    fn a_day_to_come_and_one_long_ago_are_refused() {
        for (day, is_right) in [
            ("2026-11-21", true),
            ("2021-11-21", true),
            ("2026-11-22", false),
            ("2021-11-20", false),
            ("2026-02-30", false),
            ("", false),
        ] {
            let body = json!({ "studentId": 1, "amount": 5, "method": "cash", "receivedOn": day });
            assert_eq!(parse(body).is_ok(), is_right, "{day}");
        }
    }

    #[test]
    fn parts_name_each_item_once_and_are_no_more_than_the_payment() {
        let body = |allocations: Value| {
            json!({ "studentId": 1, "amount": 100, "method": "cash", "receivedOn": "2026-11-21",
                "allocations": allocations })
        };
        let [one, two] =
            [json!({ "enrollmentId": 1, "amount": 60 }), json!({ "admissionId": 2, "amount": "40.00" })];
        let parsed = parse(body(json!([one, two]))).unwrap();
        assert_eq!(
            parsed.target,
            Target::Parts(vec![
                PaymentPart { item: FeeItem::Enrollment(1), amount: Money::from_cents(6000) },
                PaymentPart { item: FeeItem::Admission(2), amount: Money::from_cents(4000) },
            ])
        );
        assert_eq!(parse(body(json!([]))).unwrap().target, Target::Parts(vec![]));
        for wrong in [
            json!([one, one]),
            json!([one, { "admissionId": 2, "amount": 40.01 }]),
            json!([{ "enrollmentId": 1, "admissionId": 2, "amount": 1 }]),
            json!([{ "enrollmentId": 1, "amount": 0 }]),
            json!([{ "enrollmentId": 1 }]),
            json!({ "enrollmentId": 1, "amount": 1 }),
        ] {
            let fields = parse(body(wrong.clone())).unwrap_err();
            assert!(fields["allocations"].is_string(), "{wrong}: {fields}");
        }
        let mut both = body(json!([one]));
        both["enrollmentId"] = json!(1);
        assert!(parse(both).unwrap_err()["allocations"].is_string());
    }
}
