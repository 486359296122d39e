//! Enrollments that were approved without a price: the office's list of them, and the charge that is posted later.

use axum::extract::State;
use axum::http::StatusCode;
use jiff::civil::Date;
use utoipa_axum::router::OpenApiRouter;

use super::guardian_emails::{AskContext, Leaves, send_with_copies};
use super::{Enrollment, UnpricedEnrollment, emails, quote_terms, store};
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::config::Prices;
use crate::courses::rules::{PriceInput, positive_amount};
use crate::staff::{Staff, may};
use crate::students::Student;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::{Id, Numbered};
use crate::{audit, fees};

/// The office's endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_unpriced_enrollments, post_charge]
}

form! {
    /// `POST /api/admin/students/{id}/charges`' body.
    pub struct NewCharge {
        /// An enrollment of this student that was approved without a price.
        enrollment_id: i64,
        /// Dollars with at most two decimals, more than 0.
        #[schema(value_type = PriceInput)]
        amount: Money,
        /// Due date, today or later; default from the configuration.
        due_on: Option<Date>,
    }
}

/// A validated charge.
struct Charge {
    enrollment_id: i64,
    amount: Money,
    due_on: Date,
}

impl Charge {
    fn parse(form: &NewCharge, settings: &Prices, today: Date) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let id = match form.enrollment_id {
            Field::Value(id) => Ok(id),
            _ => Err("Enrollment is required"),
        };
        let id = errors.take("enrollmentId", id);
        let amount = errors.take("amount", positive_amount(&form.amount));
        let due_on = errors.take("dueOn", due_on(&form.due_on, settings, today));
        let charge = || Some(Self { enrollment_id: id?, amount: amount?, due_on: due_on? });
        errors.finish(charge())
    }
}

fn due_on(field: &Field<String>, settings: &Prices, today: Date) -> Result<Date, String> {
    if field.text().is_empty() {
        return Ok(settings.due_on(today));
    }
    let day = field.date("")?;
    if day < today { Err("Due date must be today or later".to_owned()) } else { Ok(day) }
}

/// Active enrollments that were approved without a price and never charged, oldest first
#[utoipa::path(get, path = "/api/admin/enrollments/unpriced", tag = "enrollments")]
async fn list_unpriced_enrollments(
    _: Staff<may::AnyRole>,
    State(app): State<App>,
) -> Result<Json<Vec<UnpricedEnrollment>>> {
    let usual_due_on = app.config.money.due_on(quote_terms(&app).today);
    app.db.query(move |connection| store::list_unpriced(connection, usual_due_on)).await.map(Json)
}

/// Charge an enrollment that was approved without a price; the student is told by email
#[utoipa::path(post, path = "/api/admin/students/{id}/charges", tag = "enrollments",
    responses((status = 409, body = ErrorBody)))]
async fn post_charge(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(student_id, ..): Id<Student>,
    Json(form): Json<NewCharge>,
) -> Result<(StatusCode, Json<Enrollment>)> {
    let (now, config, today) = (app.clock.now(), app.config.clone(), quote_terms(&app).today);
    let Charge { enrollment_id: id, amount, due_on } = Charge::parse(&form, &config.money, today)?;
    app.write_and_notify(move |connection| {
        store::own_status(connection, id, student_id)?.ok_or_else(Enrollment::not_found)?;
        if !store::is_unpriced(connection, id)? {
            return Err(Error::Conflict(
                "Only an active enrollment that was approved without a price, and was not charged yet, \
                 can be charged here."
                    .into(),
            ));
        }
        fees::charge_enrollment(connection, id, amount, due_on, None, Some(staff.id), now)?;
        store::set_charged_price(connection, id, amount)?;
        let enrollment = store::find(connection, id)?;
        let detail =
            serde_json::json!({ "course": enrollment.course.code, "price": amount, "dueOn": due_on });
        audit::record(connection, &staff.actor(), "charge", "enrollment", id, detail, now)?;
        let student = store::student_of(connection, id)?;
        let email = emails::charge_posted(&student, &enrollment, due_on, &config);
        send_with_copies(connection, &student, &email, Leaves::Now, &AskContext { config: &config, now })?;
        Ok((StatusCode::CREATED, Json(enrollment)))
    })
    .await
}
