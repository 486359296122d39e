//! Withdrawing a student from an active course, with date, reason and refund.

use axum::extract::State;
use jiff::ToSpan as _;
use jiff::civil::Date;
use rusqlite::Connection;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;

use super::marks::mark;
use super::{Decided, DecisionContext, PendingDecision, reason};
use crate::base::clock::from_seconds;
use crate::base::closed_set::closed_set;
use crate::base::error::{ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::transitions::Transition;
use crate::enrollments::{Enrollment, emails, store};
use crate::money::ledger::{self, FeeItem, Payer};
use crate::money::refunds::arithmetic::repay_by;
use crate::money::refunds::rules::LeavingDays;
use crate::money::refunds::tasks::{self, NewTask};
use crate::money::refunds::{self, RefundProposal};
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::Id;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![withdraw_student]
}

closed_set! {
    /// Refund of the fee.
    pub enum Refund {
        /// No refund.
        None = "none",
        /// The charge is reversed completely.
        Full = "full",
        /// What the school's refund policy says.
        Policy = "policy",
    }
}

form! {
    /// `POST /api/admin/enrollments/{id}/withdraw`'s body.
    pub struct WithdrawForm {
        /// The first day on which the student is no longer in the course; at most a year from today.
        effective_on: Date,
        /// Why, in words that the student reads: 10 to 1,000 characters.
        reason: String,
        /// The mark on that day, 0 to 100.
        mark: Option<i64>,
        /// Refund; default: full if the course has not started by that day, else none. `policy`: what the policy forgives
        /// is waived, and what is to be paid back becomes a task of the bursar.
        refund: Option<Refund>,
        /// Expected state; refused if it has changed.
        expected: Option<EnrollmentStatus>,
    }
}

/// A validated withdrawal.
pub struct Withdraw {
    /// From which day.
    pub effective_on: Date,
    /// Why.
    pub reason: String,
    /// The mark on that day.
    pub mark: Option<i64>,
    /// Refund of the fee.
    pub refund: Option<Refund>,
    /// The state that the office saw.
    pub expected: Option<EnrollmentStatus>,
}

impl Withdraw {
    fn parse(form: &WithdrawForm, today: Date) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let effective_on = errors.take("effectiveOn", effective_on(&form.effective_on, today));
        let reason = errors.take("reason", reason(&form.reason));
        let mark = errors.take("mark", mark(&form.mark));
        let refund = errors.take("refund", form.refund.optional_one_of());
        let expected = errors.take("expected", form.expected.optional_one_of());
        let withdraw = || {
            let effective_on = effective_on?;
            let reason = reason?;
            Some(Self { effective_on, reason, mark: mark?, refund: refund?, expected: expected? })
        };
        errors.finish(withdraw())
    }
}

fn effective_on(field: &Field<String>, today: Date) -> Result<Date, String> {
    let day = field.date("Effective date is required")?;
    if day < today.saturating_sub(1.year()) || day > today.saturating_add(1.year()) {
        return Err("Effective date must be at most a year from today".to_owned());
    }
    Ok(day)
}

/// End an active enrollment as of a date, with a reason for the student
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/withdraw", tag = "enrollments",
    responses((status = 409, body = ErrorBody, description = "It is in another state; `current` is the \
            enrollment")))]
async fn withdraw_student(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    Json(form): Json<WithdrawForm>,
) -> Result<Json<Decided>> {
    let context = DecisionContext::new(&app, &staff);
    let withdraw = Withdraw::parse(&form, context.terms.today)?;
    app.carry_out_and_notify(move |connection| context.withdraw(connection, id, &withdraw)).await
}

/// Detail of a withdrawal for the audit trail.
pub(super) fn withdrawal(pending: &PendingDecision, withdraw: &Withdraw, refund: Refund) -> Value {
    json!({
        "course": pending.before.course.code, "effectiveOn": withdraw.effective_on, "reason": withdraw.reason,
        "mark": withdraw.mark, "refund": refund,
    })
}

impl DecisionContext {
    /// Ends an active enrollment as of a date.
    pub fn withdraw(&self, connection: &Connection, id: i64, withdraw: &Withdraw) -> Result<Decided> {
        let begun = self.begin(connection, id, &Transition::WITHDRAW, withdraw.expected, None)?;
        let Some(pending) = begun else { return Decided::unchanged(connection, id) };
        let (refund, proposal) = self.end_enrollment(connection, &pending, withdraw)?;
        self.promote(connection, &pending)?;
        let detail = withdrawal(&pending, withdraw, refund);
        self.finish(connection, &pending, detail, |to, enrollment| {
            emails::withdrawn(to, enrollment, withdraw, refund, proposal.as_ref(), &self.config)
        })
    }

    /// Ends an enrollment as of a date, and posts the refund.
    pub(super) fn end_enrollment(
        &self,
        connection: &Connection,
        pending: &PendingDecision,
        withdraw: &Withdraw,
    ) -> Result<(Refund, Option<RefundProposal>)> {
        let before = &pending.before;
        let is_as_if_never = withdraw.effective_on <= before.start_date;
        let is_cancelled = before.status == EnrollmentStatus::Cancelled;
        let usual = if is_as_if_never || is_cancelled { Refund::Full } else { Refund::None };
        let refund = match withdraw.refund.unwrap_or(usual) {
            // No policy of leaving is about what the school cancelled.
            Refund::Policy if is_cancelled => Refund::Full,
            refund => refund,
        };
        store::end(connection, pending.event(), withdraw, self.user_id, self.now)?;
        let proposal = self.post_refund(connection, pending, refund, withdraw.effective_on)?;
        Ok((refund, proposal))
    }

    /// Takes back or forgives what the refund says. What is then to be paid back becomes a task, which is due so many days
    /// after the student asked to leave.
    fn post_refund(
        &self,
        connection: &Connection,
        pending: &PendingDecision,
        refund: Refund,
        effective_on: Date,
    ) -> Result<Option<RefundProposal>> {
        let id = pending.before.id;
        let decision = pending.decision.id();
        let zone = self.config.school().zone();
        let asked_on = pending.before.leave_asked_at.map(|at| at.to_zoned(zone.clone()).date());
        let notice_on = asked_on.unwrap_or(self.terms.today);
        let payer = Payer::Student(pending.student.id);
        if pending.before.status == EnrollmentStatus::Cancelled && refund != Refund::None {
            return self.refund_cancelled(connection, id, decision).map(|()| None);
        }
        let (proposal, amount) = match refund {
            Refund::None => return Ok(None),
            Refund::Full => {
                let held = ledger::on_account(connection, payer)?;
                let item = FeeItem::Enrollment(id);
                ledger::reverse_charges(connection, item, Some(decision), self.user_id, self.now)?;
                let freed = ledger::on_account(connection, payer)?.cents() - held.cents();
                (None, Money::from_cents(freed))
            }
            Refund::Policy => {
                let days = LeavingDays { effective_on, notice_on };
                let proposal = refunds::propose(connection, id, &pending.before, days, &zone)?;
                let words = format!("Refund policy “{}”", proposal.policy.name);
                let waive = proposal.waive;
                let user = self.user_id;
                ledger::waive_enrollment(connection, id, waive, &words, decision, user, self.now)?;
                ledger::check(connection, FeeItem::Enrollment(id), &pending.before)?;
                let amount = proposal.refund;
                (Some(proposal), amount)
            }
        };
        let due_on = repay_by(notice_on);
        let task = NewTask { enrollment_id: id, amount, notice_on, due_on, decision };
        tasks::add(connection, &task, self.user_id, self.now)?;
        Ok(proposal)
    }

    /// What was paid for an enrollment that the school cancelled goes back in full, whatever the policy of leaving says: the
    /// days count from the cancellation.
    fn refund_cancelled(&self, connection: &Connection, id: i64, decision: &str) -> Result<()> {
        let Some((cancelled_by, at)) = store::cancelled_by(connection, id)? else { return Ok(()) };
        let paid = ledger::freed(connection, id, &cancelled_by)?;
        let amount = Money::from_cents(paid.iter().map(|one| one.cents).sum());
        let on = from_seconds(at).to_zoned(self.config.school().zone()).date();
        let task = NewTask { enrollment_id: id, amount, notice_on: on, due_on: repay_by(on), decision };
        tasks::add(connection, &task, self.user_id, self.now)
    }
}
