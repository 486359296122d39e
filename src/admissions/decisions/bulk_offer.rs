//! Offering places to many families on the same terms: what would happen, a result for each, and one undo for all.

use axum::extract::State;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::DecidedApplication;
use super::bulk::with_ids;
use super::offer::{OfferForm, OfferTerms, told_of_offer};
use crate::admissions::desk::{AdmissionDesk, conflict};
use crate::admissions::offers::{self, AdmissionOffer, NewOffer};
use crate::admissions::status::{AdmissionRequestStatus, AdmissionVerb};
use crate::admissions::{AdmissionRequest, store};
use crate::base::error::{FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::config::UsualOffer;
use crate::decisions::{self, BulkDecided, BulkResult};
use crate::mail::EmailPreview;
use crate::money::ledger::FeePart;
use crate::staff::{Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![offer_places, preview_offers]
}

form! {
    /// The body of an offer to many families. What is left out is as usual.
    pub struct BulkOfferForm {
        /// 1 to 200 applications.
        ids: Vec<i64>,
        /// The fee in dollars, from 0; otherwise the usual one.
        fee_due: Option<f64>,
        /// What of it is due first, in dollars; null or 0: nothing.
        deposit: Option<f64>,
        /// By when the deposit is due.
        deposit_due_on: Option<Date>,
        /// By when the fee is due, or what the deposit leaves of it; not before the deposit.
        fee_due_on: Option<Date>,
        /// The last day on which they can be accepted; not in the past.
        expires_on: Option<Date>,
        /// What has to be met: at most 4,000 characters.
        conditions: Option<String>,
        /// The version of the agreement; otherwise the newest in force.
        text_version_id: Option<i64>,
    }
}

/// A family that would get an offer.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfferedFamily {
    /// The addresses that the email goes to.
    emails: Vec<String>,
}

/// What an offer to many families would do.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OffersPreview {
    /// Each application with the addresses of its email, or why it is offered no place.
    results: Vec<BulkResult<OfferedFamily>>,
    /// Number of offers.
    offers: usize,
    /// Number of emails.
    emails: usize,
    /// The fee of each offer in the parts in which it is due.
    fee_parts: Vec<FeePart>,
    /// The last day on which they can be accepted.
    expires_on: Date,
    /// The fees of all offers, in dollars.
    #[schema(value_type = f64)]
    total: Money,
    /// The first email.
    #[schema(required)]
    email: Option<EmailPreview>,
}

impl BulkOfferForm {
    fn parse(self, today: Date, usual: &UsualOffer) -> Result<(Vec<i64>, OfferTerms), FieldErrors> {
        let dollars = |amount: Money| Field::Value(amount.cents() as f64 / 100.0);
        let day = |field: Field<String>, usual: Date| match field {
            Field::Absent | Field::Null => Field::Value(usual.to_string()),
            field => field,
        };
        let is_usual = matches!(self.fee_due, Field::Absent | Field::Null);
        let fee_due = if is_usual { usual.fee.map_or(Field::Null, dollars) } else { self.fee_due };
        let deposit = match self.deposit {
            Field::Absent if is_usual => usual.deposit.map_or(Field::Null, dollars),
            deposit => deposit,
        };
        let has_deposit = matches!(deposit, Field::Value(amount) if amount > 0.0);
        let deposit_due_on = match has_deposit {
            true => day(self.deposit_due_on, usual.deposit_due_on(today)),
            false => self.deposit_due_on,
        };
        let expires_on = day(self.expires_on, usual.expires_on(today));
        let fee_due_on = self.fee_due_on;
        let conditions = self.conditions;
        let text_version_id = self.text_version_id;
        let form = OfferForm {
            fee_due,
            deposit,
            deposit_due_on,
            fee_due_on,
            expires_on,
            conditions,
            text_version_id,
            ..OfferForm::default()
        };
        with_ids(&self.ids, form.parse(today, usual))
    }
}

/// Offer places to many families on the same terms; a family that has an offer keeps it
#[utoipa::path(post, path = "/api/admin/admission-requests/offer", tag = "admissions")]
async fn offer_places(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Json(form): Json<BulkOfferForm>,
) -> Result<Json<BulkDecided<DecidedApplication>>> {
    let desk = AdmissionDesk::new(&app, &staff);
    let (ids, terms) = form.parse(desk.today, &app.config.money.usual_offer())?;
    app.carry_out_and_notify(move |connection| {
        decisions::decide_each(connection, &ids, |connection, id, bulk| {
            desk.offer_unoffered(connection, id, &terms, bulk)
        })
    })
    .await
}

/// What such an offer would do: sums, emails, and who is offered no place; nothing is stored
#[utoipa::path(post, path = "/api/admin/admission-requests/offer/preview", tag = "admissions")]
async fn preview_offers(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Json(form): Json<BulkOfferForm>,
) -> Result<Json<OffersPreview>> {
    let desk = AdmissionDesk::new(&app, &staff);
    let (ids, terms) = form.parse(desk.today, &app.config.money.usual_offer())?;
    app.db.query(move |connection| desk.preview_offers(connection, &ids, &terms)).await.map(Json)
}

/// Whether an offer that stands is on the same terms.
fn is_same(offer: &AdmissionOffer, new: &NewOffer) -> bool {
    (offer.fee_due, offer.deposit, offer.deposit_due_on, offer.fee_due_on)
        == (new.fee_due, new.deposit, new.deposit_due_on, new.fee_due_on)
        && (offer.expires_on, &offer.conditions, offer.text_version_id)
            == (new.expires_on, &new.conditions, new.text_version_id)
}

impl AdmissionDesk {
    /// Offers a place to a family without a standing offer; the same offer once more changes nothing.
    ///
    /// # Errors
    /// As [`AdmissionDesk::offer`]; 409 when another offer stands.
    fn offer_unoffered(
        &self,
        connection: &Connection,
        id: i64,
        terms: &OfferTerms,
        bulk: &str,
    ) -> Result<DecidedApplication> {
        let request = store::get(connection, id)?;
        if request.status == AdmissionRequestStatus::Offered {
            let new = self.terms(connection, id, terms)?;
            return match offers::latest(connection, id)? {
                Some(offer) if is_same(&offer, &new) => self.unchanged(connection, id),
                _ => Err(conflict(STANDS, &request)),
            };
        }
        self.offer(connection, id, terms, Some(bulk))
    }

    /// The mailboxes that an offer to a family without a standing one would go to.
    fn check_offer(
        &self,
        connection: &Connection,
        id: i64,
        terms: &OfferTerms,
    ) -> Result<(AdmissionRequest, OfferedFamily)> {
        let request = store::get(connection, id)?;
        if request.status == AdmissionRequestStatus::Offered {
            return Err(conflict(STANDS, &request));
        }
        AdmissionVerb::Offer.after(request.status).map_err(|words| conflict(words, &request))?;
        let emails = told_of_offer(connection, &request)?;
        self.terms(connection, id, terms)?;
        Ok((request, OfferedFamily { emails: emails.iter().map(ToString::to_string).collect() }))
    }

    fn preview_offers(
        &self,
        connection: &Connection,
        ids: &[i64],
        terms: &OfferTerms,
    ) -> Result<OffersPreview> {
        let mut preview = OffersPreview {
            results: Vec::with_capacity(ids.len()),
            offers: 0,
            emails: 0,
            fee_parts: terms.parts(),
            expires_on: terms.expires_on,
            total: Money::default(),
            email: None,
        };
        for &id in ids {
            let family = match self.check_offer(connection, id, terms) {
                Err(error) if error.status().is_server_error() => return Err(error),
                Err(error) => Err(error),
                Ok((request, family)) => {
                    preview.offers += 1;
                    preview.emails += family.emails.len();
                    preview.total += terms.fee_due;
                    if let (None, Some(to)) = (&preview.email, told_of_offer(connection, &request)?.first()) {
                        preview.email = Some(self.preview_offer(connection, &request, to, terms)?);
                    }
                    Ok(family)
                }
            };
            preview.results.push(BulkResult::of(id, family));
        }
        Ok(preview)
    }
}

const STANDS: &str = "A place is offered already. Make a new offer on the page of the application.";
