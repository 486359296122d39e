//! Offering a place: the fee, the deposit, their days, the last day, the conditions, and the agreement by its version.

use axum::extract::State;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::DecidedApplication;
use crate::admissions::desk::{AdmissionDesk, conflict};
use crate::admissions::events::Event;
use crate::admissions::offers::{self, NewOffer};
use crate::admissions::status::{AdmissionRequestStatus, AdmissionVerb};
use crate::admissions::{AdmissionRequest, agreements, emails, mailboxes, store};
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::config::UsualOffer;
use crate::mail::EmailPreview;
use crate::money::ledger::FeePart;
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::Id;
use crate::web::price;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![offer_place, preview_offer, get_usual_offer]
}

form! {
    /// The body of an offer.
    pub struct OfferForm {
        /// The fee in dollars, from 0.
        pub(super) fee_due: f64,
        /// What of it is due first, in dollars.
        pub(super) deposit: Option<f64>,
        /// By when the deposit is due; otherwise on the day of the acceptance.
        pub(super) deposit_due_on: Option<Date>,
        /// By when the fee is due, or what the deposit leaves of it, not before the deposit; otherwise after the usual
        /// number of days.
        pub(super) fee_due_on: Option<Date>,
        /// The last day on which it can be accepted; not in the past.
        pub(super) expires_on: Date,
        /// What has to be met: at most 4,000 characters.
        pub(super) conditions: Option<String>,
        /// The version of the agreement; otherwise the newest in force.
        pub(super) text_version_id: Option<i64>,
        /// Expected current state; in any other, nothing is decided.
        pub(super) expected: Option<AdmissionRequestStatus>,
    }
}

/// What an offer of today usually asks for.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsualOfferTerms {
    /// The fee in dollars; null: each offer names it.
    #[schema(value_type = Option<f64>, required)]
    fee_due: Option<Money>,
    /// What of it is due first, in dollars; null: nothing.
    #[schema(value_type = Option<f64>, required)]
    deposit: Option<Money>,
    /// By when the deposit is due.
    deposit_due_on: Date,
    /// By when the fee is due, or what the deposit leaves of it.
    fee_due_on: Date,
    /// The last day on which it can be accepted.
    expires_on: Date,
}

/// A validated offer; the agreement is looked up with the application.
pub struct OfferTerms {
    /// The fee.
    pub fee_due: Money,
    /// What of it is due first.
    pub deposit: Option<Money>,
    deposit_due_on: Option<Date>,
    fee_due_on: Option<Date>,
    /// The last day on which it can be accepted.
    pub expires_on: Date,
    conditions: Option<String>,
    text_version_id: Option<i64>,
    expected: Option<AdmissionRequestStatus>,
}

impl OfferForm {
    /// Checks the offer.
    pub fn parse(&self, today: Date, usual: &UsualOffer) -> Result<OfferTerms, FieldErrors> {
        let mut errors = FieldErrors::default();
        let fee_due = errors.take("feeDue", price::dollars(&self.fee_due));
        if fee_due == Some(None) {
            errors.add("feeDue", "Please enter the fee; 0 if there is none");
        }
        let deposit = errors.take("deposit", price::dollars(&self.deposit)).map(|deposit| {
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
        let fee_due_on = errors.take("feeDueOn", day(&self.fee_due_on));
        match (deposit_due_on.flatten(), fee_due_on.flatten()) {
            (_, Some(day)) if day < today => errors.add("feeDueOn", PASSED),
            (Some(deposit), Some(rest)) if deposit > rest => {
                errors.add("depositDueOn", "The deposit cannot be due after the rest of the fee");
            }
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
            let fee_due = fee_due.flatten()?;
            let deposit = deposit?;
            let expires_on = expires_on?;
            let deposit_due_on = deposit_due_on?;
            let usual = usual.fee_due_on(today).max(expires_on).max(deposit_due_on.unwrap_or(today));
            let has_rest = fee_due > deposit.unwrap_or_default();
            Some(OfferTerms {
                fee_due,
                deposit,
                deposit_due_on,
                fee_due_on: has_rest.then_some(fee_due_on?.unwrap_or(usual)),
                expires_on,
                conditions: conditions?,
                text_version_id: text_version_id?,
                expected: expected?,
            })
        };
        errors.finish(terms())
    }
}

/// What an offer of today usually asks for, as the payment settings have it
#[utoipa::path(get, path = "/api/admin/admission-requests/usual-offer", tag = "admissions")]
async fn get_usual_offer(_: Staff<may::Enrollments>, State(app): State<App>) -> Json<UsualOfferTerms> {
    let usual = app.config.money.usual_offer();
    let today = app.today();
    Json(UsualOfferTerms {
        fee_due: usual.fee,
        deposit: usual.deposit,
        deposit_due_on: usual.deposit_due_on(today),
        fee_due_on: usual.fee_due_on(today),
        expires_on: usual.expires_on(today),
    })
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
    let terms = form.parse(desk.today, &app.config.money.usual_offer())?;
    app.carry_out_and_notify(move |connection| desk.offer(connection, id, &terms, None)).await
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
    let terms = form.parse(desk.today, &app.config.money.usual_offer())?;
    app.db
        .query(move |connection| {
            let request = store::get(connection, id)?;
            let to = Email::parse(&request.email).map_err(|message| Error::field("email", message))?;
            desk.preview_offer(connection, &request, &to, &terms).map(Json)
        })
        .await
}

/// The mailboxes that an offer goes to.
///
/// # Errors
/// 409 when there is none: the family could not read the offer.
pub(super) fn told_of_offer(connection: &Connection, request: &AdmissionRequest) -> Result<Vec<Email>> {
    let mailboxes = mailboxes::written_to(connection, request)?;
    if mailboxes.is_empty() {
        let words = "No email reaches this family: each address is stopped or invalid. Correct it first.";
        return Err(conflict(words, request));
    }
    Ok(mailboxes)
}

impl OfferTerms {
    /// The fee in the parts in which it is due.
    pub(super) fn parts(&self) -> Vec<FeePart> {
        offers::parts(
            self.fee_due,
            self.deposit.map(|deposit| (deposit, self.deposit_due_on)),
            self.fee_due_on,
        )
    }
}

impl AdmissionDesk {
    /// The terms of an offer, with the agreement that they name or the newest in force.
    pub(super) fn terms(&self, connection: &Connection, id: i64, terms: &OfferTerms) -> Result<NewOffer> {
        let language = store::details(connection, id)?.language;
        let agreement = agreements::in_force(connection, terms.text_version_id, language, self.today)?;
        let agreement =
            agreement.ok_or_else(|| Error::field("textVersionId", "No such agreement is in force"))?;
        Ok(NewOffer {
            fee_due: terms.fee_due,
            deposit: terms.deposit,
            deposit_due_on: terms.deposit_due_on,
            fee_due_on: terms.fee_due_on,
            expires_on: terms.expires_on,
            conditions: terms.conditions.clone(),
            text_version_id: agreement.id,
        })
    }

    /// The email of an offer to one mailbox, without a link.
    pub(super) fn preview_offer(
        &self,
        connection: &Connection,
        request: &AdmissionRequest,
        to: &Email,
        terms: &OfferTerms,
    ) -> Result<EmailPreview> {
        let is_new = request.status == AdmissionRequestStatus::Offered;
        let new = self.terms(connection, request.id, terms)?;
        let url = format!("{}/application/...", self.config.public_url());
        emails::offered(to, request, &url, &new, is_new, &self.config).preview(&self.config.school())
    }

    /// Offers a place, alone or as one of a bulk.
    ///
    /// # Errors
    /// As [`AdmissionDesk::begin`]; 400 for an agreement that is not in force; 409 when no email reaches the family.
    pub fn offer(
        &self,
        connection: &Connection,
        id: i64,
        terms: &OfferTerms,
        bulk: Option<&str>,
    ) -> Result<DecidedApplication> {
        let begun = self.begin(connection, id, AdmissionVerb::Offer, terms.expected, bulk)?;
        let Some(pending) = begun else { return self.unchanged(connection, id) };
        told_of_offer(connection, &pending.before)?;
        let new = self.terms(connection, id, terms)?;
        let (offer_id, superseded) = offers::insert(connection, id, &new, self.now)?;
        pending.record(connection, &Event { offer_id: Some(offer_id), ..pending.event() })?;
        pending.write(connection, |to, request, url, config| {
            emails::offered(to, request, url, &new, superseded.is_some(), config)
        })?;
        pending.answer(connection)
    }
}
