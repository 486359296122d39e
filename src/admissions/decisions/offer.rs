//! Offering a place: the fee, the deposit, the last day, the conditions, and the agreement by its version.

use axum::extract::State;
use jiff::civil::Date;
use rusqlite::Connection;
use utoipa_axum::router::OpenApiRouter;

use super::DecidedApplication;
use crate::admissions::desk::AdmissionDesk;
use crate::admissions::events::Event;
use crate::admissions::offers::{self, NewOffer};
use crate::admissions::status::{AdmissionRequestStatus, AdmissionVerb};
use crate::admissions::{AdmissionRequest, agreements, emails, store};
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::mail::EmailPreview;
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::Id;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![offer_place, preview_offer]
}

form! {
    /// The body of an offer.
    pub struct OfferForm {
        /// The fee in dollars, from 0.
        fee_due: f64,
        /// What of it is due first, in dollars.
        deposit: Option<f64>,
        /// By when the deposit is due.
        deposit_due_on: Option<Date>,
        /// The last day on which it can be accepted; not in the past.
        expires_on: Date,
        /// What has to be met: at most 4,000 characters.
        conditions: Option<String>,
        /// The version of the agreement; otherwise the newest in force.
        text_version_id: Option<i64>,
        /// Expected current state; in any other, nothing is decided.
        expected: Option<AdmissionRequestStatus>,
    }
}

/// A validated offer; the agreement is looked up with the application.
pub struct OfferTerms {
    fee_due: Money,
    deposit: Option<Money>,
    deposit_due_on: Option<Date>,
    expires_on: Date,
    conditions: Option<String>,
    text_version_id: Option<i64>,
    expected: Option<AdmissionRequestStatus>,
}

fn amount(field: &Field<f64>) -> Result<Option<Money>, &'static str> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(dollars) => {
            Money::from_dollars(*dollars).map(Some).map_err(|_| "Must be an amount in dollars, from 0")
        }
        Field::Wrong => Err("Must be an amount in dollars, from 0"),
    }
}

impl OfferForm {
    /// Checks the offer.
    pub fn parse(&self, today: Date) -> Result<OfferTerms, FieldErrors> {
        let mut errors = FieldErrors::default();
        let fee_due = errors.take("feeDue", amount(&self.fee_due));
        if fee_due == Some(None) {
            errors.add("feeDue", "Please enter the fee; 0 if there is none");
        }
        let deposit = errors.take("deposit", amount(&self.deposit)).map(|deposit| {
            // A deposit of nothing is none.
            deposit.filter(|deposit| deposit.cents() > 0)
        });
        if let (Some(Some(fee)), Some(Some(deposit))) = (fee_due, deposit)
            && deposit > fee
        {
            errors.add("deposit", "The deposit is part of the fee and cannot be more");
        }
        let day = |field: &Field<String>| match field {
            Field::Absent | Field::Null => Ok(None),
            field => field.date("").map(Some),
        };
        let deposit_due_on = errors.take("depositDueOn", day(&self.deposit_due_on));
        match (deposit, deposit_due_on) {
            (Some(None), Some(Some(_))) => errors.add("depositDueOn", "There is no deposit"),
            (_, Some(Some(day))) if day < today => errors.add("depositDueOn", PASSED),
            _ => {}
        }
        let expires_on =
            errors.take("expiresOn", self.expires_on.date("Please choose the last day of the offer"));
        if expires_on.is_some_and(|day| day < today) {
            errors.add("expiresOn", PASSED);
        }
        let conditions = errors.take("conditions", self.conditions.optional(4000));
        let text_version_id = match self.text_version_id {
            Field::Absent | Field::Null => Ok(None),
            Field::Value(id) => Ok(Some(id)),
            Field::Wrong => Err("Must be the number of an agreement"),
        };
        let text_version_id = errors.take("textVersionId", text_version_id);
        let expected = errors.take("expected", self.expected.optional_one_of());
        let terms = || {
            Some(OfferTerms {
                fee_due: fee_due.flatten()?,
                deposit: deposit?,
                deposit_due_on: deposit_due_on?,
                expires_on: expires_on?,
                conditions: conditions?,
                text_version_id: text_version_id?,
                expected: expected?,
            })
        };
        errors.finish(terms())
    }
}

const PASSED: &str = "This day has passed";

/// Offer a place; a new offer takes the place of a standing one
#[utoipa::path(post, path = "/api/admin/admission-requests/{id}/offer", tag = "admissions",
    responses((status = 409, body = ErrorBody, description = "Another state; `current` is the application")))]
async fn offer_place(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
    Json(form): Json<OfferForm>,
) -> Result<Json<DecidedApplication>> {
    let desk = AdmissionDesk::new(&app, &staff);
    let terms = form.parse(desk.today)?;
    app.carry_out_and_notify(move |connection| desk.offer(connection, id, &terms)).await
}

/// The email of an offer, for the dialog that makes it; nothing is stored, and the link is made when it is sent
#[utoipa::path(post, path = "/api/admin/admission-requests/{id}/offer/preview", tag = "admissions")]
async fn preview_offer(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
    Json(form): Json<OfferForm>,
) -> Result<Json<EmailPreview>> {
    let desk = AdmissionDesk::new(&app, &staff);
    let terms = form.parse(desk.today)?;
    app.db
        .query(move |connection| {
            let request = store::get(connection, id)?;
            let is_new = request.status == AdmissionRequestStatus::Offered;
            let new = desk.terms(connection, id, &terms)?;
            let to = Email::parse(&request.email).map_err(|message| Error::field("email", message))?;
            let url = format!("{}/application/...", desk.config.public_url());
            let email = emails::offered(&to, &request, &url, (&new, is_new), &desk.config);
            email.preview(&desk.config.school()).map(Json)
        })
        .await
}

impl AdmissionDesk {
    /// The terms of an offer, with the agreement that they name or the newest in force.
    fn terms(&self, connection: &Connection, id: i64, terms: &OfferTerms) -> Result<NewOffer> {
        let language = store::details(connection, id)?.language;
        let agreement = agreements::in_force(connection, terms.text_version_id, language, self.today)?;
        let agreement =
            agreement.ok_or_else(|| Error::field("textVersionId", "No such agreement is in force"))?;
        Ok(NewOffer {
            fee_due: terms.fee_due,
            deposit: terms.deposit,
            deposit_due_on: terms.deposit_due_on,
            expires_on: terms.expires_on,
            conditions: terms.conditions.clone(),
            text_version_id: agreement.id,
        })
    }

    /// Offers a place.
    ///
    /// # Errors
    /// As [`AdmissionDesk::begin`]; 400 for an agreement that is not in force.
    pub fn offer(&self, connection: &Connection, id: i64, terms: &OfferTerms) -> Result<DecidedApplication> {
        let begun = self.begin(connection, id, AdmissionVerb::Offer, terms.expected, None)?;
        let Some(pending) = begun else { return self.unchanged(connection, id) };
        let new = self.terms(connection, id, terms)?;
        let (offer_id, superseded) = offers::insert(connection, id, &new, self.now)?;
        pending.record(connection, &Event { offer_id: Some(offer_id), ..pending.event() })?;
        pending.write(connection, |to, request, url, config| {
            emails::offered(to, request, url, (&new, superseded.is_some()), config)
        })?;
        pending.answer(connection)
    }
}
