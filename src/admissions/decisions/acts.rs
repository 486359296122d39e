//! Reviewing, asking, waiting, declining, withdrawing and reopening.

use axum::extract::State;
use rusqlite::Connection;
use utoipa_axum::router::OpenApiRouter;

use super::DecidedApplication;
use crate::admissions::desk::{AdmissionDesk, conflict};
use crate::admissions::events::{self, AskedOfFamily, Event};
use crate::admissions::question::{self, FamilyQuestion};
use crate::admissions::status::{AdmissionRequestStatus, AdmissionVerb};
use crate::admissions::{AdmissionRequest, emails, offers, store};
use crate::base::closed_set::ClosedSet as _;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::documents::rules::DocumentType;
use crate::enrollments::decisions::decline::DeclineCode;
use crate::staff::{CurrentStaff, Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, OptionalJson, form};
use crate::web::id::Id;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![
        start_application_review,
        ask_family,
        remind_family,
        waitlist_application,
        decline_application,
        withdraw_application,
        reopen_application,
    ]
}

/// A decision that takes no more than words.
#[derive(Debug, Clone)]
pub enum Act {
    /// Look at it, again perhaps; withdraws an offer, for a reason.
    StartReview {
        /// Why.
        reason: Option<String>,
    },
    /// Ask the family.
    Ask {
        /// What.
        text: String,
        /// Which documents it wants.
        wants: Vec<DocumentType>,
    },
    /// Remind the family of the question.
    Remind,
    /// Let it wait for a place.
    Waitlist,
    /// Decline.
    Decline {
        /// Why, for the family.
        reason: String,
        /// Why, for the school's figures.
        code: DeclineCode,
    },
    /// Withdraw, on the family's word.
    Withdraw {
        /// Why.
        reason: String,
    },
    /// Open it again.
    Reopen {
        /// Why.
        reason: Option<String>,
    },
}

impl Act {
    fn verb(&self) -> AdmissionVerb {
        match self {
            Self::StartReview { .. } => AdmissionVerb::StartReview,
            Self::Ask { .. } => AdmissionVerb::Ask,
            Self::Remind => AdmissionVerb::Remind,
            Self::Waitlist => AdmissionVerb::Waitlist,
            Self::Decline { .. } => AdmissionVerb::Decline,
            Self::Withdraw { .. } => AdmissionVerb::Withdraw,
            Self::Reopen { .. } => AdmissionVerb::Reopen,
        }
    }
}

impl AdmissionDesk {
    /// Carries a decision out, alone or as one of a bulk.
    ///
    /// # Errors
    /// As [`AdmissionDesk::begin`]; 400 for a withdrawn offer without a reason; 409 for a second reminder in a day.
    pub fn act(
        &self,
        connection: &Connection,
        id: i64,
        act: &Act,
        expected: Option<AdmissionRequestStatus>,
        bulk: Option<&str>,
    ) -> Result<DecidedApplication> {
        let verb = act.verb();
        let Some(pending) = self.begin(connection, id, verb, expected, bulk)? else {
            if let Act::Ask { text, .. } = act
                && events::asked(connection, id)?.is_none_or(|asked| asked.text != *text)
            {
                let words = "A question is open. Start the review first, then ask again.";
                return Err(conflict(words, &store::get(connection, id)?));
            }
            return self.unchanged(connection, id);
        };
        let is_offered = pending.before.status == AdmissionRequestStatus::Offered;
        if let Act::StartReview { reason: None } = act
            && is_offered
        {
            return Err(Error::field("reason", "Please say why the offer is withdrawn; the family reads it"));
        }
        let asked =
            if matches!(act, Act::Remind) { self.reminded_of(connection, &pending.before)? } else { None };
        let offer_id = if is_offered { offers::end(connection, id, self.now)? } else { None };
        let wants: Vec<String> = match act {
            Act::Ask { wants, .. } => wants.iter().map(|one| one.as_str().to_owned()).collect(),
            _ => Vec::new(),
        };
        let event = Event { offer_id, ..pending.event() };
        let event = match act {
            Act::StartReview { reason } | Act::Reopen { reason } => {
                Event { reason: reason.as_deref(), ..event }
            }
            Act::Ask { text, .. } => Event { asked: Some(text), wants: Some(&wants), ..event },
            Act::Remind | Act::Waitlist => event,
            Act::Decline { reason, code } => {
                Event { reason: Some(reason), code: Some(code.as_str()), ..event }
            }
            Act::Withdraw { reason } => Event { reason: Some(reason), ..event },
        };
        pending.record(connection, &event)?;
        match act {
            Act::StartReview { reason: Some(reason) } if is_offered => {
                pending.write(connection, |to, request, url, config| {
                    emails::offer_withdrawn(to, request, url, reason, config)
                })?;
            }
            Act::StartReview { .. } | Act::Reopen { .. } => {}
            Act::Ask { text, wants } => pending.write(connection, |to, request, url, config| {
                emails::asked(to, request, url, &emails::OfficeQuestion { text, wants }, config)
            })?,
            Act::Remind => {
                if let Some(asked) = &asked {
                    pending.remind(connection, asked)?;
                }
            }
            Act::Waitlist => pending.write(connection, emails::waitlisted)?,
            Act::Decline { reason, .. } => pending.write(connection, |to, request, url, config| {
                emails::declined(to, request, url, reason, config)
            })?,
            Act::Withdraw { reason } => pending.write(connection, |to, request, url, config| {
                emails::withdrawn(to, request, url, reason, config)
            })?,
        }
        pending.answer(connection)
    }
}

impl AdmissionDesk {
    /// The question that the family is reminded of.
    ///
    /// # Errors
    /// 409 on the day of the question or of another reminder.
    fn reminded_of(
        &self,
        connection: &Connection,
        request: &AdmissionRequest,
    ) -> Result<Option<AskedOfFamily>> {
        let reading = self.reading();
        let question = FamilyQuestion::read(connection, request, &reading)?;
        match question {
            Some(FamilyQuestion { can_be_reminded: false, reminded_at, .. }) => {
                let what = if reminded_at.is_some() { "reminded" } else { "asked" };
                let words = format!("The family was {what} today. It can be reminded again tomorrow.");
                Err(conflict(words, request))
            }
            _ => question::open(connection, request),
        }
    }
}

form! {
    /// The body of a decision with a reason that may be left out.
    pub struct ReviewForm {
        /// Why: at most 1,000 characters. Needed where it withdraws an offer.
        reason: Option<String>,
        /// Expected current state; in any other, nothing is decided.
        expected: Option<AdmissionRequestStatus>,
    }
}

form! {
    /// The body of a question to the family.
    pub struct AskForm {
        /// What the office asks, which the family reads: 1 to 4,000 characters.
        pub(super) text: String,
        /// Types of documents that it wants.
        pub(super) wants: Option<Vec<String>>,
        /// Expected current state; in any other, nothing is decided.
        pub(super) expected: Option<AdmissionRequestStatus>,
    }
}

form! {
    /// The body of a decision without words.
    pub struct WaitForm {
        /// Expected current state; in any other, nothing is decided.
        expected: Option<AdmissionRequestStatus>,
    }
}

form! {
    /// The body of declining.
    pub struct DeclineApplicationForm {
        /// Why, which the family reads: 1 to 1,000 characters.
        pub(super) reason: String,
        /// Why, in a word for the school's figures; otherwise `other`.
        pub(super) code: Option<DeclineCode>,
        /// Expected current state; in any other, nothing is decided.
        pub(super) expected: Option<AdmissionRequestStatus>,
    }
}

form! {
    /// The body of withdrawing on the family's word.
    pub struct FamilyWithdrawForm {
        /// Why, which the family reads: 1 to 1,000 characters.
        reason: String,
        /// Expected current state; in any other, nothing is decided.
        expected: Option<AdmissionRequestStatus>,
    }
}

type Parsed = (Act, Option<AdmissionRequestStatus>);

impl ReviewForm {
    fn parse(&self, act: impl FnOnce(Option<String>) -> Act) -> Result<Parsed, FieldErrors> {
        let mut errors = FieldErrors::default();
        let reason = errors.take("reason", self.reason.optional(1000));
        let expected = errors.take("expected", self.expected.optional_one_of());
        errors.finish(reason.map(act).zip(expected))
    }
}

impl WaitForm {
    fn parse(&self, act: Act) -> Result<Parsed, FieldErrors> {
        let expected = self.expected.optional_one_of();
        expected.map(|expected| (act, expected)).map_err(|message| FieldErrors::one("expected", message))
    }
}

/// Types of documents, each once.
fn wanted(field: &Field<Vec<String>>) -> Result<Vec<DocumentType>, String> {
    let words: &[String] = match field {
        Field::Absent | Field::Null => &[],
        Field::Value(words) => words,
        Field::Wrong => return Err("Must be a list of types of documents".into()),
    };
    let mut wants = Vec::with_capacity(words.len());
    for word in words {
        let one = DocumentType::choose(word)?;
        if !wants.contains(&one) {
            wants.push(one);
        }
    }
    Ok(wants)
}

impl AskForm {
    /// Checks the question.
    pub fn parse(&self) -> Result<Parsed, FieldErrors> {
        let mut errors = FieldErrors::default();
        let text = errors.take("text", self.text.between(1, 4000, "Please write what you ask for"));
        let wants = errors.take("wants", wanted(&self.wants));
        let expected = errors.take("expected", self.expected.optional_one_of());
        let parsed = || Some((Act::Ask { text: text?, wants: wants? }, expected?));
        errors.finish(parsed())
    }
}

fn reason(field: &Field<String>) -> Result<String, String> {
    field.between(1, 1000, "Please say why; the family reads it")
}

impl DeclineApplicationForm {
    /// Checks the refusal.
    pub fn parse(&self) -> Result<Parsed, FieldErrors> {
        let mut errors = FieldErrors::default();
        let reason = errors.take("reason", reason(&self.reason));
        let code = errors.take("code", self.code.optional_one_of());
        let expected = errors.take("expected", self.expected.optional_one_of());
        let decline = || Some(Act::Decline { reason: reason?, code: code?.unwrap_or(DeclineCode::Other) });
        errors.finish(decline().zip(expected))
    }
}

/// Start the review, again perhaps; from an offer it withdraws the offer, for a reason
#[utoipa::path(post, path = "/api/admin/admission-requests/{id}/start-review", tag = "admissions",
    request_body = Option<ReviewForm>,
    responses((status = 409, body = ErrorBody, description = "Another state; `current` is the application")))]
async fn start_application_review(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
    OptionalJson(form): OptionalJson<ReviewForm>,
) -> Result<Json<DecidedApplication>> {
    carry_out(&app, &staff, id, form.parse(|reason| Act::StartReview { reason })?).await
}

/// Ask the family for information or documents
#[utoipa::path(post, path = "/api/admin/admission-requests/{id}/ask", tag = "admissions",
    responses((status = 409, body = ErrorBody, description = "Another state; `current` is the application")))]
async fn ask_family(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
    Json(form): Json<AskForm>,
) -> Result<Json<DecidedApplication>> {
    carry_out(&app, &staff, id, form.parse()?).await
}

/// Remind the family of what the office asked, at most once a day and not on the day of the question
#[utoipa::path(post, path = "/api/admin/admission-requests/{id}/remind", tag = "admissions",
    request_body = Option<WaitForm>,
    responses((status = 409, body = ErrorBody, description = "No question is open, or the family was asked or reminded \
            today; `current` is the application")))]
async fn remind_family(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
    OptionalJson(form): OptionalJson<WaitForm>,
) -> Result<Json<DecidedApplication>> {
    carry_out(&app, &staff, id, form.parse(Act::Remind)?).await
}

/// Put an application on the waiting list; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/admission-requests/{id}/waitlist", tag = "admissions",
    request_body = Option<WaitForm>,
    responses((status = 409, body = ErrorBody, description = "Another state; `current` is the application")))]
async fn waitlist_application(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
    OptionalJson(form): OptionalJson<WaitForm>,
) -> Result<Json<DecidedApplication>> {
    carry_out(&app, &staff, id, form.parse(Act::Waitlist)?).await
}

/// Decline an application, with a reason that the family reads; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/admission-requests/{id}/decline", tag = "admissions",
    responses((status = 409, body = ErrorBody, description = "Another state; `current` is the application")))]
async fn decline_application(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
    Json(form): Json<DeclineApplicationForm>,
) -> Result<Json<DecidedApplication>> {
    carry_out(&app, &staff, id, form.parse()?).await
}

/// Withdraw an application on the family's word; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/admission-requests/{id}/withdraw", tag = "admissions",
    responses((status = 409, body = ErrorBody, description = "Another state; `current` is the application")))]
async fn withdraw_application(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
    Json(form): Json<FamilyWithdrawForm>,
) -> Result<Json<DecidedApplication>> {
    let mut errors = FieldErrors::default();
    let reason = errors.take("reason", reason(&form.reason));
    let expected = errors.take("expected", form.expected.optional_one_of());
    let parsed = errors.finish(reason.map(|reason| Act::Withdraw { reason }).zip(expected))?;
    carry_out(&app, &staff, id, parsed).await
}

/// Open a declined, withdrawn or expired application again, which puts it into review
#[utoipa::path(post, path = "/api/admin/admission-requests/{id}/reopen", tag = "admissions",
    request_body = Option<ReviewForm>,
    responses((status = 409, body = ErrorBody, description = "Another state; `current` is the application")))]
async fn reopen_application(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<AdmissionRequest>,
    OptionalJson(form): OptionalJson<ReviewForm>,
) -> Result<Json<DecidedApplication>> {
    carry_out(&app, &staff, id, form.parse(|reason| Act::Reopen { reason })?).await
}

async fn carry_out(
    app: &App,
    staff: &CurrentStaff,
    id: i64,
    (act, expected): Parsed,
) -> Result<Json<DecidedApplication>> {
    let desk = AdmissionDesk::new(app, staff);
    app.carry_out_and_notify(move |connection| desk.act(connection, id, &act, expected, None)).await
}
