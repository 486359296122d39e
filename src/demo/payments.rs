//! Payments that the demo's office recorded: a part of what a student owes, all of what another owes, and one that came
//! back from the bank.

use jiff::{SignedDuration, ToSpan as _};
use serde_json::json;

use super::form;
use super::names::AMARA;
use super::plan::Plan;
use super::scene::Scene;
use super::staff::OFFICE;
use crate::audit::Actor;
use crate::base::error::Result;
use crate::payments::PaymentContext;
use crate::payments::rules::{NewPayment, PaymentForm};
use crate::storage::statements::{Statements as _, params};

/// Schedules them in the days before today.
pub fn add(plan: &mut Plan) {
    let now = plan.calendar.now;
    let ago = |hours: i64| now - SignedDuration::from_hours(hours);
    plan.diary.note(ago(52), |scene| scene.pay(scene.amara()?, "400.00", ("e_transfer", "CA7QK4M3"), None));
    plan.diary.note(ago(29), |scene| {
        let came_back = Some("The cheque came back from the bank.");
        scene.pay(scene.amara()?, "250.00", ("cheque", "000318"), came_back)
    });
    plan.diary.note(ago(26), |scene| {
        let (student, balance) = scene.first_in_debt()?;
        scene.pay(student, &balance, ("card", "POS 1182"), None)
    });
}

impl Scene<'_> {
    pub(super) fn amara(&self) -> Result<i64> {
        self.connection.one("select id from students where email = :email", params![email = AMARA])
    }

    /// A student with one charge, and its amount.
    fn first_in_debt(&self) -> Result<(i64, String)> {
        let sql = "select student_id, printf('%.2f', sum(cents) / 100.0) from student_entries
            group by student_id having count(*) = 1 and sum(cents) > 0 order by student_id desc limit 1";
        self.connection.one(sql, [])
    }

    /// Records a payment of the day before with its receipt; it is reversed, if it came back.
    fn pay(
        &self,
        student_id: i64,
        amount: &str,
        (method, reference): (&str, &str),
        came_back: Option<&str>,
    ) -> Result<()> {
        let day = self.today().saturating_sub(1.day());
        let form: PaymentForm = form(json!({
            "studentId": student_id, "amount": amount, "method": method, "reference": reference, "receivedOn": day,
            "sendReceipt": true,
        }))?;
        let by = Actor::staff(self.team.office, OFFICE);
        let context = PaymentContext::at(self.app.config.clone(), self.team.office, by, self.now);
        let recorded = context.record(self.connection, &NewPayment::parse(&form, self.today())?, None)?;
        if let Some(why) = came_back {
            context.reverse(self.connection, recorded.payment_id(), why)?;
        }
        Ok(())
    }
}
