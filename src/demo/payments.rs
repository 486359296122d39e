//! Payments that the demo's office recorded: three of four students pay what is due; a part of what a student owes, all of
//! what another owes, and one that came back from the bank.

use jiff::{SignedDuration, ToSpan as _};
use serde_json::json;

use super::form;
use super::names::AMARA;
use super::plan::Plan;
use super::scene::{RequestIndex, Scene};
use super::staff::OFFICE;
use crate::base::error::Result;
use crate::money::ledger::PaymentMethod;
use crate::money::payments::PaymentContext;
use crate::money::payments::rules::{NewPayment, PaymentForm};
use crate::staff::context::StaffContext;
use crate::storage::statements::{Statements as _, params};

const SCHOOL_YEAR_WEEKS: i64 = 40;

/// Schedules them in the days before today.
pub fn add(plan: &mut Plan) {
    let now = plan.calendar.now;
    let ago = |hours: i64| now - SignedDuration::from_hours(hours);
    for weeks in 1..=SCHOOL_YEAR_WEEKS {
        plan.diary.note(ago(weeks * 7 * 24 + 30), |scene| scene.pay_what_is_due());
    }
    plan.diary.note(ago(52), |scene| {
        let student_id = scene.amara()?;
        let method = PaymentMethod::ETransfer;
        scene.pay(&DemoPayment { student_id, amount: "400.00", method, reference: "CA7QK4M3" }, None)
    });
    plan.diary.note(ago(29), |scene| {
        let came_back = Some("The cheque came back from the bank.");
        let student_id = scene.amara()?;
        let method = PaymentMethod::Cheque;
        scene.pay(&DemoPayment { student_id, amount: "250.00", method, reference: "000318" }, came_back)
    });
    plan.diary.note(ago(26), |scene| {
        let (student_id, amount) = scene.first_in_debt()?;
        let method = PaymentMethod::Card;
        scene.pay(&DemoPayment { student_id, amount: &amount, method, reference: "POS 1182" }, None)
    });
}

/// A payment of a student.
struct DemoPayment<'a> {
    student_id: i64,
    /// In dollars, as the office enters it.
    amount: &'a str,
    method: PaymentMethod,
    reference: &'a str,
}

impl Scene<'_> {
    pub(super) fn amara(&self) -> Result<i64> {
        self.connection.one("select id from students where email = :email", params![email = AMARA])
    }

    /// A student with one charge, and its amount.
    fn first_in_debt(&self) -> Result<(i64, String)> {
        let sql =
            "select student_id, printf('%.2f', sum(cents) / 100.0) from student_entries where cents <> 0
            group by student_id having count(*) = 1 and sum(cents) > 0 order by student_id desc limit 1";
        self.connection.one(sql, [])
    }

    /// Three of four students pay the courses that are due, without a receipt by email.
    fn pay_what_is_due(&self) -> Result<()> {
        let sql = "select b.student_id, printf('%.2f', sum(b.due) / 100.0) from balances b
            join ledger l on l.id = b.first_id join students s on s.id = b.student_id
            where b.due > 0 and b.enrollment_id is not null and l.due_on <= :today and s.id % 4 <> 3 and s.email <> :email
            group by b.student_id";
        let owed: Vec<(i64, String)> =
            self.connection.list(sql, params![today = self.today(), email = AMARA])?;
        for (student_id, amount) in owed {
            let methods = [PaymentMethod::ETransfer, PaymentMethod::ETransfer, PaymentMethod::Card];
            let method = methods[student_id as usize % 3];
            self.record(&DemoPayment { student_id, amount: &amount, method, reference: "" }, false)?;
        }
        Ok(())
    }

    /// The student of a request pays everything, due or not.
    pub(super) fn pay_all_of(&self, request: RequestIndex) -> Result<()> {
        let sql = "select b.student_id, printf('%.2f', sum(b.due) / 100.0) from balances b
            where b.student_id = (select student_id from enrollments where id = :id) group by b.student_id";
        let (student_id, amount): (i64, String) =
            self.connection.one(sql, params![id = self.request(request)?])?;
        let method = PaymentMethod::ETransfer;
        self.pay(&DemoPayment { student_id, amount: &amount, method, reference: "" }, None)
    }

    /// Records a payment of the day before with its receipt; it is reversed, if it came back.
    fn pay(&self, payment: &DemoPayment<'_>, came_back: Option<&str>) -> Result<()> {
        let (context, payment_id) = self.record(payment, true)?;
        if let Some(why) = came_back {
            context.reverse(self.connection, payment_id, why)?;
        }
        Ok(())
    }

    fn record(&self, payment: &DemoPayment<'_>, is_sent: bool) -> Result<(PaymentContext, i64)> {
        let DemoPayment { student_id, amount, method, reference } = payment;
        let day = self.today().saturating_sub(1.day());
        let form: PaymentForm = form(json!({
            "studentId": student_id, "amount": amount, "method": method, "reference": reference, "receivedOn": day,
            "sendReceipt": is_sent,
        }))?;
        let office = StaffContext::at(self.app.config.clone(), self.team.office, OFFICE, self.now);
        let context = PaymentContext::from(office);
        let recorded = context.record(self.connection, &NewPayment::parse(&form, self.today())?, None)?;
        Ok((context, recorded.payment_id()))
    }
}
