//! Charges that the office posts: one, or of several enrollments that were approved without a price. Beside them
//! what else the office posts: waivers, refunds, instalments, what becomes of money on account, and reversals.

mod adjustments;
pub mod context;
mod emails;
mod instalments;
pub mod on_account;
mod payouts;
mod refunds_due;
pub mod rules;

use axum::extract::State;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use self::context::{MoneyContext, NewlyPosted, PostedEntry};
use self::rules::{Charge, ChargeForm, ChargesForm};
use crate::audit;
use crate::base::error::{Error, ErrorBody, Result};
use crate::decisions::{BulkDone, BulkResult};
use crate::enrollments::requests::unpriced;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::store;
use crate::money::ledger::{self, ChargeDetails, EntryKind, FeeItem, NewEntry, Payer};
use crate::staff::{Staff, may};
use crate::storage::db;
use crate::storage::statements::{Statements, params};
use crate::students::Student;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::Id;
use crate::web::idempotency::{Idempotent, Once};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![post_charge, post_charges]
        .merge(adjustments::routes())
        .merge(instalments::routes())
        .merge(on_account::routes())
        .merge(payouts::routes())
        .merge(refunds_due::routes())
}

/// Charge an enrollment that was ever approved, or an admission; the student is told by email
#[utoipa::path(post, path = "/api/admin/students/{id}/charges", tag = "money", request_body = ChargeForm,
    responses((status = 404, body = ErrorBody, description = "No such student, or it is another's"),
        (status = 409, body = ErrorBody, description = "The enrollment was never approved")))]
async fn post_charge(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(student_id, ..): Id<Student>,
    Idempotent { key, body }: Idempotent<ChargeForm>,
) -> Result<Once<PostedEntry>> {
    let context = MoneyContext::new(&app, &staff);
    let charge = Charge::parse(&body, &context.config.money, context.today)?;
    app.write_and_notify(move |connection| {
        key.once(connection, context.user_id, context.now, || context.charge(connection, student_id, &charge))
    })
    .await
}

/// Charge enrollments that were approved without a price, each by itself; the students are told by email
#[utoipa::path(post, path = "/api/admin/charges", tag = "money", request_body = ChargesForm)]
async fn post_charges(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Idempotent { key, body }: Idempotent<ChargesForm>,
) -> Result<Once<BulkDone<PostedEntry>, 200>> {
    let context = MoneyContext::new(&app, &staff);
    let rows = body.rows()?;
    app.write_and_notify(move |connection| {
        key.once(connection, context.user_id, context.now, || {
            let mut results = Vec::with_capacity(rows.len());
            for row in &rows {
                let charged = row.parse(&context.config.money, context.today).map_err(Error::from);
                let charged = charged.and_then(|charge| {
                    db::in_savepoint(connection, |connection| {
                        context.charge_unpriced(connection, row.enrollment_id, &charge)
                    })
                });
                if let Err(error) = &charged
                    && error.status().is_server_error()
                {
                    return Err(Error::Internal(anyhow::anyhow!("a charge of several: {error}")));
                }
                results.push(BulkResult::of(row.enrollment_id, charged));
            }
            Ok(BulkDone { results })
        })
    })
    .await
}

impl MoneyContext {
    fn charge_unpriced(&self, connection: &Connection, id: i64, charge: &Charge) -> Result<PostedEntry> {
        let student_id = store::student_of(connection, id)?.id;
        if !store::is_unpriced(connection, id)? {
            let enrollment = store::find(connection, id)?;
            let message = match enrollment.status {
                EnrollmentStatus::Active => "It already has a price or a charge, so nothing was posted.",
                _ => {
                    "The student is not in this course, so nothing was posted. Post a charge from the student\u{2019}s page."
                }
            };
            return Err(Error::conflict(message, &enrollment));
        }
        self.charge(connection, student_id, charge)
    }

    /// Posts a charge.
    pub fn charge(&self, connection: &Connection, student_id: i64, charge: &Charge) -> Result<PostedEntry> {
        let student = Self::student(connection, student_id)?;
        ledger::expect_payer(connection, charge.item, Some(Payer::Student(student_id)))?;
        let mut is_unpriced = false;
        let mut course = "Admission fee".to_owned();
        if let FeeItem::Enrollment(id) = charge.item {
            if !was_approved(connection, id)? {
                let message = "Only an enrollment that was approved can be charged.";
                return Err(Error::conflict(message, &store::find(connection, id)?));
            }
            is_unpriced = store::is_unpriced(connection, id)?;
            course = store::find(connection, id)?.course.name;
        }
        let description = charge.description.as_deref().unwrap_or(&course);
        let item = charge.item;
        let amount = charge.amount;
        let details = Some(ChargeDetails { is_for: charge.is_for, due_on: charge.due_on, tax: charge.tax });
        let entry = NewEntry { item, kind: EntryKind::Charge, amount, description, charge: details };
        let id = ledger::post(connection, &entry, self.user_id, self.now)?;
        let detail = json!({
            "studentId": student_id, "entry": id, "price": amount, "dueOn": charge.due_on, "description": description,
        });
        let (object, object_id) = object(item);
        audit::record(connection, &self.actor, "charge", object, object_id, detail, self.now)?;
        let posted =
            Self::posted(connection, Payer::Student(student_id), Some(NewlyPosted { entry_id: id, item }))?;
        match item {
            FeeItem::Enrollment(id) if is_unpriced => {
                unpriced::set_first_price(connection, id, amount, charge.due_on, &self.ask())?;
            }
            _ => {
                let email = emails::charged(&student, &posted, description, &self.config);
                self.send(connection, &student, &email)?;
            }
        }
        Ok(posted)
    }
}

/// What the trail calls an item.
pub fn object(item: FeeItem) -> (&'static str, i64) {
    match item {
        FeeItem::Enrollment(id) => ("enrollment", id),
        FeeItem::Admission(id) => ("admission", id),
    }
}

/// Whether an enrollment was ever approved.
fn was_approved(connection: &Connection, id: i64) -> Result<bool> {
    let sql = "select approved_at is not null or exists (
            select 1 from enrollment_events where enrollment_id = e.id and to_status = 'active')
        from enrollments e where id = :id";
    connection.one(sql, params![id])
}
