//! What becomes of money on account: it is applied to what is due, for one family or many at once, or set aside. What is
//! refunded from it is in `adjustments`.

use axum::extract::{Path, State};
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::context::MoneyContext;
use super::rules::reason;
use crate::audit;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::decisions::{self, BulkDecided, DecidedRow, Decision, EMAIL_HAS_LEFT, Undo};
use crate::money::ledger::holds::{self, Hold};
use crate::money::ledger::{self, Fees, Payer, payouts};
use crate::money::payments::rules::{Target, divide};
use crate::staff::{Staff, may};
use crate::storage::statements::params;
use crate::storage::waiting::Waits;
use crate::students::{self, Student};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::bulk;
use crate::web::form::{Field, form};
use crate::web::id::{Id, Numbered};
use crate::web::idempotency::{Idempotent, Once};
use crate::web::price::{self, PriceInput};

/// The verb of the decision.
pub const APPLY: &str = "apply_money";

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![apply_money, undo_applied_money, set_money_aside, stop_setting_aside]
}

form! {
    /// `POST /api/admin/money/apply`'s body.
    pub struct ApplyForm {
        /// 1 to 200 students.
        student_ids: Vec<i64>,
    }
}

form! {
    /// `POST /api/admin/students/{id}/hold`'s body.
    pub struct SetAsideForm {
        /// Up to so many dollars; default all that is on account.
        #[schema(value_type = Option<PriceInput>)]
        amount: Option<Money>,
        /// What for, for the office: 3 to 500 characters.
        held_for: String,
        /// The day on which the office looks at it again: today or later.
        until: Date,
    }
}

/// A student's money on account.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MoneyOnAccount {
    /// Number of the account.
    student_id: i64,
    /// The student's name.
    student_name: String,
    /// Dollars that were applied.
    #[schema(value_type = f64)]
    applied: Money,
    /// Dollars on account.
    #[schema(value_type = f64)]
    unapplied: Money,
    /// Dollars owed on all items.
    #[schema(value_type = f64)]
    due: Money,
    /// What is set aside of it.
    #[schema(required)]
    hold: Option<Hold>,
    /// Undo of the decision.
    #[schema(required)]
    undo: Option<Undo>,
}

impl DecidedRow for MoneyOnAccount {
    fn undo(&self) -> Option<&Undo> {
        self.undo.as_ref()
    }
}

/// What came back on account.
#[derive(Debug, Serialize, ToSchema)]
pub struct AppliedUndone {
    /// The students, as they stand now.
    restored: Vec<MoneyOnAccount>,
}

/// Apply what lies on account, and is not set aside, to what is due, the oldest first; no email is sent
#[utoipa::path(post, path = "/api/admin/money/apply", tag = "money", request_body = ApplyForm)]
async fn apply_money(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Idempotent { key, body }: Idempotent<ApplyForm>,
) -> Result<Once<BulkDecided<MoneyOnAccount>, 200>> {
    let ids = bulk::ids(&body.student_ids, "students");
    let ids = ids.map_err(|message| FieldErrors::one("studentIds", message))?;
    let context = MoneyContext::new(&app, &staff);
    app.write_and_notify(move |connection| {
        key.once(connection, context.user_id, context.now, || {
            decisions::decide_each(connection, &ids, |connection, id, bulk| {
                context.apply(connection, id, bulk)
            })
        })
    })
    .await
}

/// Put back on account what was applied, while the decision can be undone; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/money/apply/{id}/undo", tag = "money",
    params(("id" = String, Path, description = "The decision, as its answer named it")),
    responses((status = 409, body = ErrorBody, description = "The time is over, or it is refunded already; `current` is the student's money")))]
async fn undo_applied_money(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<AppliedUndone>> {
    let context = MoneyContext::new(&app, &staff);
    app.carry_out(move |connection| {
        let restored =
            decisions::undo_each(connection, &id, |connection, one| context.undo(connection, one))?;
        Ok(AppliedUndone { restored })
    })
    .await
}

/// Set money on account aside: it covers nothing that is due, and waits in no list, until its day
#[utoipa::path(post, path = "/api/admin/students/{id}/hold", tag = "money", request_body = SetAsideForm,
    responses((status = 409, body = ErrorBody, description = "Nothing is on account; `current` is what is")))]
async fn set_money_aside(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    Idempotent { key, body }: Idempotent<SetAsideForm>,
) -> Result<Once<MoneyOnAccount, 200>> {
    let context = MoneyContext::new(&app, &staff);
    let wish = Wish::parse(&body, context.today)?;
    app.db
        .write(move |connection| {
            key.once(connection, context.user_id, context.now, || context.hold(connection, id, &wish))
        })
        .await
}

/// Set nothing aside any more; repeating it changes nothing
#[utoipa::path(delete, path = "/api/admin/students/{id}/hold", tag = "money")]
async fn stop_setting_aside(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
) -> Result<Json<MoneyOnAccount>> {
    let context = MoneyContext::new(&app, &staff);
    app.carry_out(move |connection| context.release(connection, id)).await
}

/// A validated wish to set money aside.
#[derive(Debug, Clone)]
pub struct Wish {
    /// Amount; `None` means all of it.
    pub amount: Option<Money>,
    /// What it is set aside for.
    pub held_for: String,
    /// Day on which the office looks at it again.
    pub until: Date,
}

impl Wish {
    fn parse(form: &SetAsideForm, today: Date) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let amount = match form.amount {
            Field::Absent | Field::Null => Ok(None),
            _ => price::positive(&form.amount).map(Some),
        };
        let amount = errors.take("amount", amount);
        let held_for = errors.take("heldFor", reason(&form.held_for));
        let until = match form.until.date("Say on which day the office looks at it again") {
            Ok(day) if day < today => Err("Must be today or later".to_owned()),
            until => until,
        };
        let until = errors.take("until", until);
        let wish = || Some(Self { amount: amount?, held_for: held_for?, until: until? });
        errors.finish(wish())
    }
}

impl MoneyContext {
    /// Applies what of a student's money on account is not set aside.
    ///
    /// # Errors
    /// 404 when there is no such student; 409 when there is nothing to apply, or nothing is due.
    pub fn apply(&self, connection: &Connection, id: i64, bulk: &str) -> Result<MoneyOnAccount> {
        let payer = Payer::Student(id);
        let before = Self::on_account(connection, id)?;
        let mut free = ledger::free_on_account(connection, id, before.unapplied)?.cents();
        if free == 0 {
            let words = if before.unapplied.cents() > 0 {
                "What is on account is set aside. Release it first."
            } else {
                "Nothing is on account."
            };
            return Err(Error::conflict(words, &before));
        }
        if before.due.cents() == 0 {
            return Err(Error::conflict("Nothing is due. Refund the money, or set it aside.", &before));
        }
        let decision =
            Decision::begin(connection, APPLY, self.user_id, Some(bulk), &self.config.office, self.now)?;
        for (payment, held) in payouts::held(connection, payer)? {
            let money = Money::from_cents(held.cents().min(free));
            let fees = Fees::read(connection, payer)?;
            let parts = divide(&Target::OldestFirst, money, &fees.open(), &fees.per_item())?;
            free -= parts.iter().map(|part| part.amount.cents()).sum::<i64>();
            ledger::post_payment(connection, payment, &parts, Some(decision.id()), self.user_id, self.now)?;
        }
        let after = Self::on_account(connection, id)?;
        let applied = before.unapplied - after.unapplied;
        let detail = json!({ "amount": applied, "decision": decision.id() });
        audit::record(connection, &self.actor, APPLY, "student", id, detail, self.now)?;
        Ok(MoneyOnAccount { applied, undo: decision.undo(), ..after })
    }

    /// Takes back what a decision applied.
    ///
    /// # Errors
    /// 404 for a decision about something else; 409 when the time is over, or what was applied is refunded already.
    pub fn undo(&self, connection: &Connection, one: &decisions::Stored) -> Result<Vec<MoneyOnAccount>> {
        if one.verb != APPLY {
            return Err(Error::NotFound("Decision not found".into()));
        }
        let students = ledger::students_of(connection, &one.id)?;
        let read = || students.iter().map(|id| Self::on_account(connection, *id)).collect::<Result<Vec<_>>>();
        let rows = read()?;
        if one.is_undone {
            return Ok(rows);
        }
        if !one.take_back_emails(connection, self.now)? {
            return Err(Error::conflict(EMAIL_HAS_LEFT, &rows.first()));
        }
        ledger::take_back(connection, &one.id, self.user_id, self.now, &rows.first())?;
        decisions::mark_undone(connection, &one.id, self.now)?;
        for id in &students {
            let detail = json!({ "decision": APPLY });
            audit::record(connection, &self.actor, "undo", "student", *id, detail, self.now)?;
        }
        read()
    }

    /// Sets money on account aside.
    ///
    /// # Errors
    /// 404 when there is no such student; 409 when nothing is on account; 400 when less is.
    pub fn hold(&self, connection: &Connection, id: i64, wish: &Wish) -> Result<MoneyOnAccount> {
        let before = Self::on_account(connection, id)?;
        if before.unapplied.cents() == 0 {
            return Err(Error::conflict("Nothing is on account.", &before));
        }
        let amount = wish.amount.unwrap_or(before.unapplied);
        if amount > before.unapplied {
            let message = format!("Only {} is on account", before.unapplied);
            return Err(FieldErrors::one("amount", message).into());
        }
        let hold = Hold { amount, held_for: wish.held_for.clone(), until: wish.until };
        holds::set(connection, id, &hold, self.user_id, self.now)?;
        let detail = json!({ "amount": amount, "for": hold.held_for, "until": hold.until });
        audit::record(connection, &self.actor, "hold_money", "student", id, detail, self.now)?;
        Ok(MoneyOnAccount { hold: Some(hold), ..before })
    }

    /// Ends what was set aside.
    pub fn release(&self, connection: &Connection, id: i64) -> Result<MoneyOnAccount> {
        let before = Self::on_account(connection, id)?;
        if let Some(hold) = &before.hold {
            holds::end(connection, id, self.now)?;
            let detail = json!({ "amount": hold.amount, "for": hold.held_for });
            audit::record(connection, &self.actor, "release_money", "student", id, detail, self.now)?;
        }
        Ok(MoneyOnAccount { hold: None, ..before })
    }

    fn on_account(connection: &Connection, id: i64) -> Result<MoneyOnAccount> {
        let student = students::store::find(connection, id)?.ok_or_else(Student::not_found)?;
        let payer = Payer::Student(id);
        let due = Fees::read(connection, payer)?.open().iter().map(|open| open.amount).sum();
        let name = student.profile.full_name;
        Ok(MoneyOnAccount {
            student_id: id,
            student_name: name.unwrap_or_else(|| format!("Student #{id}")),
            applied: Money::default(),
            unapplied: ledger::on_account(connection, payer)?,
            due,
            hold: holds::find(connection, id)?,
            undo: None,
        })
    }
}

/// Families whose money on account is neither set aside nor, where its day has come, looked at again.
///
/// # Errors
/// Database errors.
pub fn waiting(connection: &Connection, today: Date) -> Result<Waits> {
    const SQL: &str = "select count(*) as count, min(last_payment_on) as oldest from (
            select student_id, last_payment_on from student_balances indexed by student_balances_free where free_cents > 0
            union
            select b.student_id, b.last_payment_on
            from account_holds h indexed by account_holds_until cross join students s on s.id = h.student_id
                cross join student_balances b on b.student_id = coalesce(s.merged_into, s.id)
            where h.ended_at is null and h.until_on < :today and b.unapplied_cents > 0)";
    Waits::read(connection, SQL, params![today = today.to_string()])
}
