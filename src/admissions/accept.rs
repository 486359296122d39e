//! The family's answer to an offer. Accepting is one transaction: the offer with the typed name, the consent to the
//! agreement by its words, the admission with its fee in the ledger, the student, and the emails.

use axum::extract::State;
use rusqlite::Connection;
use sha2::{Digest as _, Sha256};
use utoipa_axum::router::OpenApiRouter;

use super::emails::AcceptedOffer;
use super::events::Event;
use super::links::{Family, FamilyMail};
use super::mailboxes::StopContext;
use super::offers;
use super::own::{FamilyAct, OptionalReason, OwnApplication, conflict};
use super::status::{AdmissionRequestStatus, AdmissionVerb};
use super::{AdmissionRequest, ApplicationDetails, account, admitted, emails, mailboxes, store};
use crate::audit::{Actor, By};
use crate::base::contact::Contact;
use crate::base::email::Email;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::random::hex;
use crate::base::text::without_unseen;
use crate::consents::{self, ConsentKind};
use crate::mail::Cause;
use crate::money::ledger;
use crate::students::guardians::store as guardians;
use crate::students::opening::{self, NewAccount};
use crate::students::profile::{Profile, places};
use crate::students::{self, links};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, OptionalJson, form};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![accept_offer, decline_offer]
}

form! {
    /// `POST /api/applications/me/accept`'s body.
    pub struct AcceptanceForm {
        /// The name of who accepts, as typed.
        name: String,
        /// That the agreement was read and is agreed to: true.
        agreed: bool,
        /// The offer that was read.
        offer_id: i64,
        /// The student's own address, for the account; otherwise that of the application. Needed where another person
        /// applies from that address. Of an account that exists already, the office links the application by hand.
        student_email: Option<String>,
    }
}

struct Acceptance {
    name: String,
    offer_id: i64,
    student_email: Option<Email>,
}

impl AcceptanceForm {
    fn parse(&self) -> Result<Acceptance, FieldErrors> {
        let mut errors = FieldErrors::default();
        // As typed, but for what cannot be seen.
        let name = self.name.person(1, 200, "Please type your full name");
        let name = errors.take("name", name.map(|_| without_unseen(self.name.text())));
        if self.agreed != Field::Value(true) {
            errors.add("agreed", "Please confirm that you agree");
        }
        let offer_id = match self.offer_id {
            Field::Value(id) => Ok(id),
            Field::Absent | Field::Null | Field::Wrong => Err("Must be the number of the offer"),
        };
        let offer_id = errors.take("offerId", offer_id);
        let student_email = if self.student_email.is_blank() {
            Ok(None)
        } else {
            Email::parse(self.student_email.text()).map(Some)
        };
        let student_email = errors.take("studentEmail", student_email);
        let acceptance =
            || Some(Acceptance { name: name?, offer_id: offer_id?, student_email: student_email? });
        errors.finish(acceptance())
    }
}

/// Accept the offer; repeating it changes nothing
#[utoipa::path(post, path = "/api/applications/me/accept", tag = "applications",
    responses((status = 409, body = ErrorBody, description = "The offer has ended or another took its place; \
            `current` is the application")))]
async fn accept_offer(
    family: Family,
    State(app): State<App>,
    Json(form): Json<AcceptanceForm>,
) -> Result<Json<OwnApplication>> {
    let act = FamilyAct::new(&app, &family)?;
    let acceptance = form.parse()?;
    act.carry_out(&app, move |act, connection| {
        act.accept(connection, &acceptance.name, acceptance.offer_id, acceptance.student_email.as_ref())
    })
    .await
}

/// Decline the offer; repeating it changes nothing
#[utoipa::path(post, path = "/api/applications/me/decline", tag = "applications",
    request_body = Option<OptionalReason>,
    responses((status = 409, body = ErrorBody, description = "No offer stands; `current` is the application")))]
async fn decline_offer(
    family: Family,
    State(app): State<App>,
    OptionalJson(form): OptionalJson<OptionalReason>,
) -> Result<Json<OwnApplication>> {
    let act = FamilyAct::new(&app, &family)?;
    let reason = form.parse()?;
    act.carry_out(&app, move |act, connection| act.decline(connection, reason.as_deref())).await
}

impl FamilyAct {
    /// Accepts the offer.
    ///
    /// # Errors
    /// 400 where the student's own address is needed; 409 with the application, if the offer does not stand.
    pub fn accept(
        &self,
        connection: &Connection,
        name: &str,
        offer_id: i64,
        student_email: Option<&Email>,
    ) -> Result<()> {
        let refuse = |words: &str| Err(conflict(connection, self, words));
        let latest = offers::latest(connection, self.id)?;
        let Some(offer) = latest.filter(|offer| offer.id == offer_id) else {
            return refuse("This offer is no longer open. Please read the application again.");
        };
        let Some((request, to)) = self.begin(connection, AdmissionVerb::Accept)? else { return Ok(()) };
        if !offer.is_standing {
            return refuse("This offer is no longer open. Please read the application again.");
        }
        if offer.expires_on < self.today {
            return refuse("This offer has ended. Please contact the office if you still want the place.");
        }
        let email = match student_email {
            Some(email) => email.clone(),
            None if self.is_reader_of(&request)
                && store::is_address_of_another_applicant(connection, &request)? =>
            {
                let words = "Another person applies from the address of this application. Please enter the \
                    student’s own email address";
                return Err(Error::field("studentEmail", words));
            }
            None => Email::parse(&request.email).map_err(|message| Error::field("studentEmail", message))?,
        };
        offers::accept(connection, offer.id, name, self.now)?;
        let event = Event::family(AdmissionVerb::Accept, request.status, to);
        self.finish(connection, &Event { offer_id: Some(offer.id), reason: Some(name), ..event })?;
        let version = hex(&Sha256::digest(&offer.agreement));
        consents::give_with_application(connection, self.id, ConsentKind::Offer, &version, self.now)?;
        let admission = admitted::insert(connection, self.id, offer.id, self.now)?;
        let parts = offer.charges(self.today, self.config.money.due_days());
        ledger::charge_admission(connection, admission, &parts, self.now)?;
        account::keep_address(connection, self.id, email.as_str())?;
        if let Some(student_id) = self.student_of(connection, &request, &email)? {
            store::link_student(connection, self.id, student_id)?;
            if let Some(guardian) = &request.guardian_name {
                let relationship = store::details(connection, self.id)?.relationship;
                guardians::relate(connection, student_id, guardian, relationship)?;
            }
            let stops = StopContext { by: By::System, config: &self.config, now: self.now };
            mailboxes::settle_stops(connection, student_id, stops)?;
            account::hand_over(connection, self.id, self.now)?;
        }
        let accepted = AcceptedOffer { offer: &offer, parts: &parts, name, account: &email };
        self.confirm(connection, &request, &accepted)
    }

    /// Accepts the standing offer, for the history of the demo school.
    ///
    /// # Errors
    /// As [`FamilyAct::accept`].
    pub fn accept_latest(&self, connection: &Connection, name: &str) -> Result<()> {
        let offer = offers::latest(connection, self.id)?.map_or(0, |offer| offer.id);
        self.accept(connection, name, offer, None)
    }

    /// The student of an accepted application: the one with this birth date whose verified mailbox has opened a link of
    /// the application, or a new one who is invited. None where another student has the address, or where an address was
    /// typed that no link has proven: documents and fee would come to its account. The office links by hand then.
    fn student_of(
        &self,
        connection: &Connection,
        request: &AdmissionRequest,
        email: &Email,
    ) -> Result<Option<i64>> {
        if request.student_id.is_some() {
            return Ok(None);
        }
        if let Some(student) = students::store::find_by_email(connection, email)? {
            let is_same = student.is_verified && student.profile.date_of_birth == request.date_of_birth;
            let has_opened = mailboxes::has_opened(connection, self.id, email.as_str())?;
            return Ok((has_opened && is_same).then_some(student.id));
        }
        if links::is_reserved(connection, email, None, self.now)? {
            return Ok(None);
        }
        let profile = profile(request, store::details(connection, self.id)?);
        let new = NewAccount { email: email.clone(), profile, is_invited: true };
        let by = By::System;
        opening::open(connection, &new, by, &Actor::family(), &self.config, self.now)
            .map(|student| Some(student.id))
    }

    /// Sends the family what it agreed to.
    fn confirm(
        &self,
        connection: &Connection,
        request: &AdmissionRequest,
        accepted: &AcceptedOffer<'_>,
    ) -> Result<()> {
        // Once for each offer of the office, so no flood.
        let cause = Cause::Office;
        let mail = FamilyMail { connection, config: &self.config, cause, hold: None, now: self.now };
        mail.send(request, |to, url| emails::accepted(to, request, url, accepted, &self.config))
    }

    /// Declines the offer.
    ///
    /// # Errors
    /// 409 with the application, if no offer stands.
    pub fn decline(&self, connection: &Connection, reason: Option<&str>) -> Result<()> {
        let verb = AdmissionVerb::Decline;
        let Some((before, to)) = self.begin(connection, verb)? else { return Ok(()) };
        if before.status != AdmissionRequestStatus::Offered {
            return Err(conflict(connection, self, "There is no offer to decline."));
        }
        let offer_id = offers::end(connection, self.id, self.now)?;
        if let Some(offer) = offer_id {
            offers::note_declined(connection, offer, reason, self.now)?;
        }
        self.finish(connection, &Event { reason, offer_id, ..Event::family(verb, before.status, to) })
    }
}

/// What the family wrote, as the student's profile has it.
fn profile(request: &AdmissionRequest, details: ApplicationDetails) -> Profile {
    let contact = Contact { email: request.guardian_email.clone(), phone: details.guardian_phone };
    let country = Some(&*request.country);
    let province = details.province.and_then(|text| places::province(&text, country).ok());
    let postal_code = details.postal_code.map(|text| places::postal_code(&text, country).unwrap_or(text));
    Profile {
        full_name: Some(request.full_name()),
        date_of_birth: request.date_of_birth,
        gender: details.gender,
        country: request.country.clone(),
        address: Some(request.address.clone()),
        city: details.city,
        province,
        postal_code,
        phone_number: Some(request.phone.clone()),
        parent_name: request.guardian_name.clone(),
        parent_contact: contact.text(),
        last_school: request.previous_school.clone(),
        ..Profile::default()
    }
}
