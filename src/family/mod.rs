//! The family page: what a parent or guardian sees of the students who name their email address, and their answers to
//! open requests. It needs no account: a mailed link begins a session.
//!
//! Promises: opening a link decides nothing; a student disappears from the page at 18 by the school's calendar, unless
//! the student keeps it, and at once where the office stops disclosing; the answer to a request for a link is the same for every address.

mod own;
mod papers;
mod store;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use self::store::FamilyContext;
use crate::accounts::Message;
use crate::accounts::mailed::{
    self, LinkHolder, MailedLinkPurpose, MailedPurpose, NewMailedLink, SessionCookie, exchange, requests,
};
use crate::base::closed_set::closed_set;
use crate::base::email::Email;
use crate::base::error::{ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::config::Config;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::{EnrolledCourse, Enrollment};
use crate::mail::{Cause, EmailMessage, Kind, outbox};
use crate::money::payments::own::OwnFees;
use crate::school::texts;
use crate::settings::site::Site;
use crate::students::guardians::store as guardians;
use crate::students::lacks::Wanted;
use crate::students::names;
use crate::terms::EnrolledSection;
use crate::web::access::{AnyCaller, endpoints};
use crate::web::app::App;
use crate::web::form::form;
use crate::web::id::Id;
use crate::web::rate_limit::ClientAddr;
use crate::web::request_queue::Queue;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints! {
        ask_for_family_link, open_family_session, end_family_session, get_family, confirm_as_guardian, refuse_as_guardian,
    }
    .merge(own::routes())
    .merge(papers::routes())
}

/// Lifetime of a link that was asked for.
const LINK_FOR: SignedDuration = SignedDuration::from_mins(30);

/// The family page's links.
#[derive(Debug, Clone, Copy)]
pub struct FamilyPurpose;

impl MailedPurpose for FamilyPurpose {
    const PURPOSE: MailedLinkPurpose = MailedLinkPurpose::Family;
}

/// Holder of a mailbox that opened a link to the family page.
pub type FamilyMember = LinkHolder<FamilyPurpose>;

/// The family page.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Family {
    /// The address that the students name.
    pub email: String,
    /// The students under 18 who name it.
    pub children: Vec<FamilyChild>,
    /// Dollars owed for all of them, which money on account does not cover.
    #[schema(value_type = f64)]
    pub total: Money,
    /// Days after an approval in which its fee is due.
    pub due_days: u32,
    /// How to pay a fee.
    pub how_to_pay: String,
    /// How to cancel a request or an enrollment.
    pub how_to_cancel: &'static str,
    /// Refund terms.
    pub refunds: String,
}

/// A student on the family page.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FamilyChild {
    /// Number of the student.
    pub id: i64,
    /// Name; null while the profile has none.
    #[schema(required)]
    pub full_name: Option<String>,
    /// What the student calls the reader.
    pub guardian_name: String,
    /// Enrollments, newest first.
    pub enrollments: Vec<FamilyEnrollment>,
    /// What the school still needs, without reasons.
    pub wanted: Vec<Wanted>,
    /// Balance of all enrollments in dollars; negative if overpaid.
    #[schema(value_type = f64)]
    pub balance: Money,
    /// What it is made of, and how to pay.
    pub fees: OwnFees,
}

/// An enrollment on the family page.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FamilyEnrollment {
    /// Number of the enrollment.
    pub id: i64,
    /// The course.
    pub course: EnrolledCourse,
    /// State.
    pub status: EnrollmentStatus,
    /// First day.
    pub start_date: Date,
    /// Last day.
    pub end_date: Date,
    /// The section, without links; null for own dates.
    pub section: Option<EnrolledSection>,
    /// When it was requested.
    pub requested_at: Timestamp,
    /// What was charged or, before that, quoted; null while there is no price.
    #[schema(value_type = Option<f64>, required)]
    pub price: Option<Money>,
    /// Why it was declined or withdrawn.
    #[schema(required)]
    pub reason: Option<String>,
    /// Whether a guardian's confirmation stands, or where everyone is asked, the reader's.
    pub guardian_confirmed: bool,
    /// Whether the school asks the reader to decide.
    pub is_asked: bool,
    /// Whether another guardian still has to confirm.
    pub is_waiting_for_others: bool,
    /// Last day of the school year in which the course begins.
    pub school_year_ends_on: Date,
}

form! {
    /// `POST /api/family/link`'s body.
    pub struct FamilyLinkForm {
        email: String,
    }
}

form! {
    /// `POST /api/family/session`'s body.
    pub struct FamilyToken {
        /// Last segment of the link.
        token: String,
    }
}

closed_set! {
    /// What a guardian confirms.
    pub enum ConfirmationScope {
        /// This course.
        Course = "course",
        /// Every course that begins in the same school year.
        SchoolYear = "school_year",
    }
}

form! {
    /// `POST /api/family/enrollments/{id}/confirm`'s body.
    pub struct ConfirmForm {
        /// The guardian's name, as a signature.
        name: String,
        /// Default: this course.
        scope: Option<ConfirmationScope>,
        /// Versions of the texts shown beside the form's button.
        accepted_text_versions: Option<Vec<String>>,
    }
}

form! {
    /// `POST /api/family/enrollments/{id}/refuse`'s body.
    pub struct RefuseForm {
        /// Why, for the student and the office.
        reason: String,
    }
}

/// Ask for a link to the family page by email; the answer is the same for every address
#[utoipa::path(post, path = "/api/family/link", tag = "family")]
async fn ask_for_family_link(
    _: AnyCaller,
    State(app): State<App>,
    client: ClientAddr,
    Json(form): Json<FamilyLinkForm>,
) -> Result<Json<Message>> {
    requests::note(&app, MailedLinkPurpose::Family, form.email.text(), client).await?;
    let message =
        "If a family page belongs to this address, we have sent it a link. It is valid for 30 minutes.";
    Ok(Json(Message::from(message)))
}

/// Begin a session with the token of a mailed link, which works as often as needed until it expires
#[utoipa::path(post, path = "/api/family/session", tag = "family", responses((status = 404, body = ErrorBody)))]
async fn open_family_session(
    _: AnyCaller,
    State(app): State<App>,
    client: ClientAddr,
    Json(form): Json<FamilyToken>,
) -> Result<(SessionCookie, Json<Family>)> {
    let context = FamilyContext::new(&app);
    let read =
        move |connection: &Connection, member: &FamilyMember| context.family(connection, &member.email);
    let (cookie, family) = exchange(&app, form.token.text(), client, read).await?;
    Ok((cookie, Json(family)))
}

/// End the session, as on a shared computer; the link in the email opens the page again
#[utoipa::path(delete, path = "/api/family/session", tag = "family")]
async fn end_family_session(
    member: FamilyMember,
    State(app): State<App>,
) -> Result<(SessionCookie, StatusCode)> {
    Ok((mailed::end(&app, member).await?, StatusCode::NO_CONTENT))
}

/// The students under 18 who name the reader's address
#[utoipa::path(get, path = "/api/family", tag = "family")]
async fn get_family(member: FamilyMember, State(app): State<App>) -> Result<Json<Family>> {
    let context = FamilyContext::new(&app);
    app.db.query(move |connection| context.family(connection, &member.email)).await.map(Json)
}

/// Confirm a request as a parent or guardian; repeating it changes nothing
#[utoipa::path(post, path = "/api/family/enrollments/{id}/confirm", tag = "family",
    responses((status = 409, body = ErrorBody, description = "It has ended; `current` is the enrollment")))]
async fn confirm_as_guardian(
    member: FamilyMember,
    State(app): State<App>,
    Extension(site): Extension<Site>,
    Id(id, ..): Id<Enrollment>,
    Json(form): Json<ConfirmForm>,
) -> Result<Json<FamilyEnrollment>> {
    let context = FamilyContext::new(&app);
    let site = site.current(&app.db, context.terms.today).await?;
    app.carry_out(move |connection| {
        let mut errors = FieldErrors::default();
        let accepted = texts::accepted(&form.accepted_text_versions, &site.texts, &mut errors);
        let name = errors.take("name", form.name.person(1, 200, "Enter your full name"));
        let scope = errors.take("scope", form.scope.optional_one_of());
        let parsed = || Some((name?, scope?.unwrap_or(ConfirmationScope::Course)));
        let parsed = errors.finish(parsed());
        let known = context.find(connection, &member.email, id)?;
        let (name, scope) = parsed?;
        let accepted = texts::keep(connection, &accepted, context.now)?;
        context.confirm(connection, known, &name, scope, &accepted)
    })
    .await
}

/// Refuse a request as a parent or guardian, which withdraws it; repeating it changes nothing
#[utoipa::path(post, path = "/api/family/enrollments/{id}/refuse", tag = "family",
    responses((status = 409, body = ErrorBody, description = "It is no longer open; `current` is the enrollment")))]
async fn refuse_as_guardian(
    member: FamilyMember,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    Json(form): Json<RefuseForm>,
) -> Result<Json<FamilyEnrollment>> {
    let context = FamilyContext::new(&app);
    app.carry_out_and_notify(move |connection| {
        let known = context.find(connection, &member.email, id)?;
        let reason = form.reason.between(1, 1000, "Please say why; the student and the office read it");
        let reason = reason.map_err(|message| FieldErrors::one("reason", message))?;
        context.refuse(connection, known, &reason)
    })
    .await
}

/// The queue of visitors who asked for a link.
pub const QUEUE: Queue = Queue { waiting, settle };

fn waiting(connection: &Connection, after: i64, limit: u32) -> Result<Vec<i64>> {
    requests::waiting(connection, MailedLinkPurpose::Family, after, limit)
}

fn settle(connection: &Connection, config: &Config, id: i64, now: Timestamp) -> Result<()> {
    let Some((email, asker)) = requests::take(connection, id)? else { return Ok(()) };
    let today = now.to_zoned(config.school().zone()).date();
    let Some(guardian) = guardians::with_email(connection, email.as_str(), today)?.into_iter().next() else {
        return Ok(());
    };
    let link = NewMailedLink::generate(MailedLinkPurpose::Family, LINK_FOR)?;
    let is_seen = names::are_seen(connection, guardian.student_id)?;
    let message = link_email(&email, Some(&*guardian.name).filter(|_| is_seen), &link.url(config));
    if outbox::enqueue(connection, &message, Cause::Visitor(asker), config, now)?.is_accepted() {
        link.keep(connection, None, &email, now)?;
    }
    Ok(())
}

fn link_email(to: &Email, name: Option<&str>, url: &str) -> EmailMessage {
    EmailMessage::to(Kind::FamilyLink, to, "Your family page")
        .greeting(name)
        .paragraph("You asked for a link to your family page. It shows the courses of your children and what waits for you.")
        .button("Open the family page", url)
        .paragraph("The link is valid for 30 minutes. If you did not ask for it, you can ignore this message.")
}
