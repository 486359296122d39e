//! The table `receipts`: numbered without gaps in each calendar year at the school. What a receipt says is stored when it
//! is issued and never computed again; only becoming void is added.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::rules::NewPayment;
use super::store;
use crate::base::dates::date_in_words;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::config::{Config, School};
use crate::money::ledger::{self, FeeItem, Fees, Payer, PaymentMethod, PaymentPart};
use crate::storage::statements::{Statements, from_row, params};
use crate::students::guardians::store as guardians;
use crate::web::id::numbered;

/// What a receipt says, as it is stored. Amounts are in cents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReceiptBody {
    /// Its number.
    pub number: String,
    /// The day of issue at the school.
    pub issued_on: Date,
    /// The school's name, address, telephone number and email address, a line each.
    pub school: Vec<String>,
    /// Who paid.
    pub payer: String,
    /// The student or applicant.
    pub student: String,
    /// The student's number.
    pub student_number: Option<String>,
    /// How it came.
    pub method: PaymentMethod,
    /// What tells it from others.
    pub reference: Option<String>,
    /// When it came.
    pub received_on: Date,
    /// How much it is.
    pub amount_cents: i64,
    /// What it pays for.
    pub lines: Vec<ReceiptLine>,
    /// What of it is on account.
    pub on_account_cents: i64,
    /// What the student owes after it; less than zero if overpaid.
    pub balance_after_cents: i64,
    /// Addresses that it was emailed to.
    pub sent_to: Vec<String>,
}

impl ReceiptBody {
    /// What it says, name by name, as the page and the email show it.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let money = |cents| Money::from_cents(cents).to_string();
        let student = match &self.student_number {
            Some(number) => format!("{} ({number})", self.student),
            None => self.student.clone(),
        };
        let mut facts = vec![("Receipt", self.number.clone()), ("Student", student)];
        if self.payer != self.student {
            facts.push(("Paid by", self.payer.clone()));
        }
        facts.push(("Received on", date_in_words(self.received_on)));
        facts.push(("Method", self.method.label().to_owned()));
        facts.extend(self.reference.clone().map(|reference| ("Reference", reference)));
        facts.push(("Amount", money(self.amount_cents)));
        let lines = self.lines.iter().map(|line| format!("{}: {}", line.label, money(line.amount_cents)));
        let lines = lines.collect::<Vec<_>>().join("; ");
        if !lines.is_empty() {
            facts.push(("For", lines));
        }
        if self.on_account_cents > 0 {
            facts.push(("On account", money(self.on_account_cents)));
        }
        facts.push(self.balance());
        facts
    }

    /// What is owed after it, with its name.
    pub fn balance(&self) -> (&'static str, String) {
        match self.balance_after_cents {
            cents if cents < 0 => ("Credit after this payment", Money::from_cents(-cents).to_string()),
            cents => ("Balance owing", Money::from_cents(cents).to_string()),
        }
    }
}

/// What a part of a payment is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReceiptLine {
    /// The course, or the admission.
    #[serde(rename = "for")]
    pub label: String,
    /// How much.
    pub amount_cents: i64,
}

/// A receipt as it is kept.
#[derive(Debug)]
pub struct Receipt {
    /// What it says.
    pub body: ReceiptBody,
    /// When it became void, and why.
    pub void: Option<(Timestamp, String)>,
}

/// A receipt in its student's list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnReceipt {
    /// Its number.
    number: String,
    /// Dollars.
    #[schema(value_type = f64)]
    amount: Money,
    /// When the money came.
    received_on: Date,
    /// How it came.
    method: PaymentMethod,
    /// When it became void.
    #[schema(required)]
    voided_at: Option<Timestamp>,
}

from_row!(OwnReceipt { number, amount = "amount_cents", received_on, method, voided_at });

numbered!(Receipt, "Receipt");

/// Issues the receipt of a payment that has been posted.
pub fn issue(
    connection: &Connection,
    payment_id: i64,
    payer: Payer,
    new: &NewPayment,
    parts: &[PaymentPart],
    config: &Config,
    now: Timestamp,
) -> Result<ReceiptBody> {
    let issued_on = now.to_zoned(config.school().zone()).date();
    let number = store::draw(connection, "receipt", issued_on.year())?;
    let fees = Fees::read(connection, payer)?;
    let items = fees.per_item();
    let label = |item: &FeeItem| {
        let label = items.iter().find(|one| one.item() == *item).map(|one| one.label.clone());
        label.unwrap_or_default()
    };
    let lines: Vec<_> = (parts.iter())
        .map(|part| ReceiptLine { label: label(&part.item), amount_cents: part.amount.cents() })
        .collect();
    let owner = Owner::find(connection, payer, issued_on)?;
    let applied: i64 = lines.iter().map(|line| line.amount_cents).sum();
    let body = ReceiptBody {
        number: format!("{}-{number:06}", issued_on.year()),
        issued_on,
        school: letterhead(&config.school()),
        payer: new.payer_name.clone().unwrap_or_else(|| owner.name.clone()),
        student: owner.name,
        student_number: owner.number,
        method: new.method,
        reference: new.reference.clone(),
        received_on: new.received_on,
        amount_cents: new.amount.cents(),
        lines,
        on_account_cents: new.amount.cents() - applied,
        balance_after_cents: fees.owed() - ledger::on_account(connection, payer)?.cents(),
        sent_to: if new.sends_receipt { owner.addresses } else { Vec::new() },
    };
    let json = serde_json::to_string(&body).map_err(anyhow::Error::from)?;
    let sql = "insert into receipts (number, payment_id, issued_at, body_json)
        values (:number, :payment_id, :now, :json)";
    connection.run(sql, params![number = body.number, payment_id, now = now.as_second(), json])?;
    Ok(body)
}

/// The school, as the head of its receipts names it.
pub fn letterhead(school: &School) -> Vec<String> {
    let place = [&school.city, &school.province, &school.postal_code].map(String::as_str);
    let place = place.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let email = school.email.as_ref().map(ToString::to_string).unwrap_or_default();
    let lines = [school.name.clone(), school.street.clone(), place, school.phone.clone(), email];
    lines.into_iter().filter(|line| !line.is_empty()).collect()
}

/// The student or applicant of a payment.
pub struct Owner {
    /// The name.
    pub name: String,
    /// The student's number.
    pub number: Option<String>,
    /// The student's or applicant's address, then those of guardians.
    pub addresses: Vec<String>,
}

impl Owner {
    /// With the addresses of the guardians who get the student's emails that day.
    pub fn find(connection: &Connection, payer: Payer, today: Date) -> Result<Self> {
        match payer {
            Payer::Student(id) => {
                let sql = "select coalesce(full_name, 'Student #' || id), student_number, email
                    from students where id = :id";
                let (name, number, email): (String, Option<String>, String) =
                    connection.one(sql, params![id])?;
                let copies = guardians::mailed(connection, id, today)?;
                let copies = copies.into_iter().filter_map(|guardian| guardian.email);
                Ok(Self { name, number, addresses: [email].into_iter().chain(copies).collect() })
            }
            Payer::Request(id) => {
                let sql = "select first_name || ' ' || last_name, email, guardian_email
                    from admission_requests where id = :id";
                let (name, email, guardian): (String, String, Option<String>) =
                    connection.one(sql, params![id])?;
                let guardian = guardian.filter(|guardian| !guardian.eq_ignore_ascii_case(&email));
                Ok(Self { name, number: None, addresses: [email].into_iter().chain(guardian).collect() })
            }
        }
    }
}

/// Addresses to tell that a receipt is void: the student's, as it is now, and of the guardians who got the receipt those
/// who still get the student's emails. For an applicant, the addresses that got the receipt.
pub fn told_of_void(
    connection: &Connection,
    student_id: Option<i64>,
    body: &ReceiptBody,
    today: Date,
) -> Result<Vec<String>> {
    let Some(id) = student_id.filter(|_| !body.sent_to.is_empty()) else { return Ok(body.sent_to.clone()) };
    let owner = Owner::find(connection, Payer::Student(id), today)?;
    let (own, guardians) = owner.addresses.split_at(1);
    let guardians = guardians.iter().filter(|address| body.sent_to.contains(address));
    Ok(own.iter().chain(guardians).cloned().collect())
}

/// Makes the receipt of a payment void, and returns what it says.
pub fn make_void(
    connection: &Connection,
    payment_id: i64,
    reason: &str,
    now: Timestamp,
) -> Result<ReceiptBody> {
    let sql = "update receipts set voided_at = :now, void_reason = :reason
        where payment_id = :payment_id returning body_json";
    let json: String = connection.one(sql, params![payment_id, reason, now = now.as_second()])?;
    Ok(serde_json::from_str(&json).map_err(anyhow::Error::from)?)
}

/// The receipt with a number.
pub fn find(connection: &Connection, number: &str) -> Result<Option<Receipt>> {
    let sql = "select body_json, voided_at, void_reason from receipts where number = :number";
    read(connection.find(sql, params![number])?)
}

/// The receipt of a student with a number.
pub fn find_own(connection: &Connection, number: &str, student_id: i64) -> Result<Option<Receipt>> {
    let sql = "select t.body_json, t.voided_at, t.void_reason from receipts t
        where t.number = :number and t.payment_id in (select id from student_payments where student_id = :student_id)";
    read(connection.find(sql, params![number, student_id])?)
}

fn read(row: Option<(String, Option<Timestamp>, Option<String>)>) -> Result<Option<Receipt>> {
    let Some((json, at, reason)) = row else { return Ok(None) };
    let body = serde_json::from_str(&json).map_err(anyhow::Error::from)?;
    Ok(Some(Receipt { body, void: at.zip(reason) }))
}

/// The receipts of a student, the newest first.
pub fn of_student(connection: &Connection, student_id: i64) -> Result<Vec<OwnReceipt>> {
    let sql = "select t.number, p.amount_cents, p.received_on, p.method, t.voided_at
        from student_payments m cross join payments p on p.id = m.id cross join receipts t on t.payment_id = p.id
        where m.student_id = :student_id order by p.received_on desc, p.id desc";
    connection.list(sql, params![student_id])
}
