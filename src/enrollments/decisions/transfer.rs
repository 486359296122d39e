//! Transferring a student to another section or course: one decision ends the enrollment and begins the next, with what
//! was charged and paid.

use axum::extract::State;
use jiff::civil::Date;
use rusqlite::Connection;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::approve::{Overrides, RequirementOverride, is_overridden, overrides, words};
use super::{Decided, DecisionContext, conflict, lacking, reason};
use crate::base::closed_set::closed_set;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::config::Demand;
use crate::courses::{self, Course};
use crate::enrollments::emails::Transferred;
use crate::enrollments::events::Event;
use crate::enrollments::requests::requirements::{Requirement, Standing};
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::store::Destination;
use crate::enrollments::transitions::Transition;
use crate::enrollments::{Enrollment, emails, seats, store};
use crate::money::ledger::{self, FeeItem, Fees, Moved, Payer, Replacement, TransferPrice};
use crate::staff::{Staff, may};
use crate::terms::{self, Section, SectionStatus};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::Id;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![transfer_enrollment]
}

closed_set! {
    /// What a transfer costs.
    pub enum TransferCost {
        /// What was charged is kept.
        Keep = "keep",
        /// The new section's or course's price of today is charged instead.
        New = "new",
    }
}

form! {
    /// `POST /api/admin/enrollments/{id}/transfer`'s body.
    pub struct TransferForm {
        /// The section to go on in.
        section_id: Option<i64>,
        /// Without a section: the course to go on in.
        course_id: Option<i64>,
        /// First day; otherwise the section's, or that of the enrollment.
        start_date: Option<Date>,
        /// Last day; otherwise the section's, or that of the enrollment.
        end_date: Option<Date>,
        /// Default: `keep` within the same course, `new` for another one.
        price: Option<TransferCost>,
        /// Reason for the student: 10 to 1,000 characters.
        reason: String,
        /// Expected state; refused if it has changed.
        expected: Option<EnrollmentStatus>,
        /// Reasons for going on without required items, or for exceeding the capacity.
        r#override: Option<Overrides>,
    }
}

/// A validated transfer.
#[derive(Debug)]
pub struct Transfer {
    /// The section to go on in.
    pub section_id: Option<i64>,
    /// Without a section: the course.
    pub course_id: Option<i64>,
    /// First day, if it is not the usual one.
    pub start_date: Option<Date>,
    /// Last day, if it is not the usual one.
    pub end_date: Option<Date>,
    /// What it costs, if that was said.
    pub price: Option<TransferCost>,
    /// Why.
    pub reason: String,
    /// Expected state.
    pub expected: Option<EnrollmentStatus>,
    /// Items that may be missing, with reasons.
    pub overrides: Vec<RequirementOverride>,
}

impl Transfer {
    fn parse(form: &TransferForm) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let number = |field: &Field<i64>, message| match field {
            Field::Absent | Field::Null => Ok(None),
            Field::Value(id) => Ok(Some(*id)),
            Field::Wrong => Err(message),
        };
        let section_id = errors.take("sectionId", number(&form.section_id, NO_SECTION));
        let course_id = errors.take("courseId", number(&form.course_id, NO_COURSE));
        let start_date = errors.take("startDate", form.start_date.optional_date());
        let end_date = errors.take("endDate", form.end_date.optional_date());
        let price = errors.take("price", form.price.optional_one_of());
        let reason = errors.take("reason", reason(&form.reason));
        let expected = errors.take("expected", form.expected.optional_one_of());
        let overrides = errors.take("override", overrides(&form.r#override));
        if (section_id, course_id) == (Some(None), Some(None)) {
            errors.add("sectionId", "Please choose the section or the course to go on in");
        }
        let transfer = || {
            Some(Self {
                section_id: section_id?,
                course_id: course_id?,
                start_date: start_date?,
                end_date: end_date?,
                price: price?,
                reason: reason?,
                expected: expected?,
                overrides: overrides?,
            })
        };
        errors.finish(transfer())
    }

    /// To a section, at its usual price and days.
    pub fn to_section(id: i64, reason: &str, overrides: &[RequirementOverride]) -> Self {
        Self {
            section_id: Some(id),
            course_id: None,
            start_date: None,
            end_date: None,
            price: None,
            reason: reason.to_owned(),
            expected: None,
            overrides: overrides.to_vec(),
        }
    }
}

const NO_SECTION: &str = "There is no such section";
const NO_COURSE: &str = "There is no such course";

/// Move an active student, or one whose section was cancelled, to another section or course: this enrollment ends, and a new one goes on with what was charged
/// and paid
#[utoipa::path(post, path = "/api/admin/enrollments/{id}/transfer", tag = "enrollments",
    responses((status = 409, body = ErrorBody, description = "It is in another state, the student has the course \
            already, the class is full, or something that the school requires is missing (`reason`); `current` is the enrollment")))]
async fn transfer_enrollment(
    staff: Staff<may::Enrollments>,
    State(app): State<App>,
    Id(id, ..): Id<Enrollment>,
    Json(form): Json<TransferForm>,
) -> Result<Json<Decided>> {
    let transfer = Transfer::parse(&form)?;
    let context = DecisionContext::new(&app, &staff);
    app.carry_out_and_notify(move |connection| context.transfer(connection, id, &transfer, None)).await
}

/// Where the student goes on, found by its numbers.
struct Target {
    course: Course,
    section: Option<Section>,
}

impl Target {
    fn find(connection: &Connection, transfer: &Transfer, before: &Enrollment) -> Result<Self> {
        let section = match transfer.section_id {
            Some(id) => Some(
                terms::store::find(connection, id)?.ok_or_else(|| Error::field("sectionId", NO_SECTION))?,
            ),
            None => None,
        };
        let named = transfer.course_id.or(section.as_ref().map(|section| section.course_id));
        let course = courses::store::find_open(connection, named.unwrap_or(before.course_id))?
            .ok_or_else(|| Error::field("courseId", NO_COURSE))?;
        match &section {
            Some(section) if section.course_id != course.id => {
                return Err(Error::field("sectionId", "This section is one of another course"));
            }
            Some(section) if section.status == SectionStatus::Cancelled => {
                return Err(Error::field("sectionId", "This section is cancelled"));
            }
            _ => {}
        }
        Ok(Self { course, section })
    }

    /// Whether an enrollment is in it already.
    fn holds(&self, enrollment: &Enrollment) -> bool {
        let section = enrollment.section.as_ref().map(|section| section.id);
        enrollment.course_id == self.course.id && section == self.section.as_ref().map(|section| section.id)
    }

    /// Today's price.
    fn price(&self) -> Option<Money> {
        self.section.as_ref().and_then(|section| section.price).or(self.course.price)
    }

    fn dates(&self, transfer: &Transfer, before: &Enrollment) -> Result<(Date, Date)> {
        let (start, end) = match &self.section {
            Some(section) => (section.starts_on, section.ends_on),
            None => (before.start_date, before.end_date),
        };
        let start = transfer.start_date.unwrap_or(start);
        let end = transfer.end_date.unwrap_or(end);
        if end <= start {
            return Err(Error::field("endDate", "End date must be after start date"));
        }
        Ok((start, end))
    }
}

impl DecisionContext {
    /// What the enrollment that a transfer begins lacks, by the rules of an approval: a guardian who agreed to another
    /// course has not agreed to this one.
    ///
    /// # Errors
    /// 409 with the enrollment before, if the school requires something of it without an override.
    fn lacking_there(
        &self,
        connection: &Connection,
        new_id: i64,
        before: &Enrollment,
        overrides: &[RequirementOverride],
    ) -> Result<Vec<Requirement>> {
        let mut missing = Standing::of(connection, new_id, &self.config.office, self.moment())?.missing;
        // A seat is taken or overridden by now.
        missing.retain(|one| *one != Requirement::Capacity);
        let stops = |one: &&Requirement| {
            one.demand(&self.config.office) == Demand::Required && !is_overridden(overrides, **one)
        };
        match missing.iter().find(stops) {
            None => Ok(missing),
            Some(one) => Err(lacking(*one, before)),
        }
    }

    /// Transfers a student to another section or course; returns the enrollment that has ended.
    pub fn transfer(
        &self,
        connection: &Connection,
        id: i64,
        transfer: &Transfer,
        bulk: Option<&str>,
    ) -> Result<Decided> {
        let before = store::find(connection, id)?;
        let target = Target::find(connection, transfer, &before)?;
        let next = before.transferred_to.map(|next| store::find(connection, next)).transpose()?;
        if next.is_some_and(|next| target.holds(&next)) {
            return Decided::unchanged(connection, id);
        }
        let begun = self.begin(connection, id, &Transition::TRANSFER, transfer.expected, bulk)?;
        let Some(pending) = begun else { return Decided::unchanged(connection, id) };
        if target.holds(&before) {
            return Err(conflict("The student is in this section already.", &before));
        }
        let (start_date, end_date) = target.dates(transfer, &before)?;
        // Of a cancelled section nothing is owed: the new one is charged, with what was paid for the old one.
        let cancelled_by = match before.status {
            EnrollmentStatus::Cancelled => store::cancelled_by(connection, id)?,
            _ => None,
        };
        let is_kept = target.course.id == before.course_id && cancelled_by.is_none();
        let usual = if is_kept { TransferCost::Keep } else { TransferCost::New };
        let due_on = self.config.money.due_on(self.terms.today);
        let price = match transfer.price.unwrap_or(usual) {
            TransferCost::Keep if cancelled_by.is_some() => TransferPrice::New(before.charged_price, due_on),
            TransferCost::Keep => TransferPrice::Kept,
            TransferCost::New => TransferPrice::New(target.price(), due_on),
        };
        let overrides = words(&transfer.overrides);
        let event =
            Event { reason: Some(&transfer.reason), overrides: overrides.as_ref(), ..pending.event() };
        store::leave_for(connection, event, self.terms.today, self.user_id, self.now)?;
        let section_id = target.section.as_ref().map(|section| section.id);
        let course = &target.course;
        let student_id = pending.student.id;
        let to = Destination { from: id, student_id, course, section_id, start_date, end_date, price };
        let begins = Event { from: None, to: EnrollmentStatus::Active, ..event };
        let new_id = store::go_on(connection, &to, begins, self.now)?;
        let new = store::find(connection, new_id)?;
        let may_exceed = is_overridden(&transfer.overrides, Requirement::Capacity);
        if !may_exceed && seats::is_full(connection, new_id, self.terms.today, self.now)? {
            return Err(lacking(Requirement::Capacity, &before));
        }
        let missing = self.lacking_there(connection, new_id, &before, &transfer.overrides)?;
        let decision = pending.decision.id();
        let moved = Moved { from: id, to: new_id };
        match (&cancelled_by, price) {
            (Some((cancelled_by, _)), TransferPrice::New(price, due_on)) => {
                let price = price.unwrap_or_default();
                let replacement = Replacement { moved, price, due_on, cancelled_by, decision };
                ledger::go_on(connection, &replacement, self.user_id, self.now)?;
            }
            _ => ledger::transfer(connection, moved, price, decision, self.user_id, self.now)?,
        }
        self.promote(connection, &pending)?;
        let detail = json!({
            "course": before.course.code, "section": before.section.as_ref().map(|section| &section.label),
            "toCourse": new.course.code, "toSection": new.section.as_ref().map(|section| &section.label),
            "enrollment": new_id, "reason": transfer.reason, "overrides": overrides, "missing": missing,
            "price": { "from": before.charged_price, "to": new.charged_price },
        });
        let fees = Fees::read(connection, Payer::Student(student_id))?;
        let fees = fees.of_item(FeeItem::Enrollment(new_id));
        let transferred = Transferred {
            before: &before,
            after: &new,
            reason: &transfer.reason,
            is_charged_again: price != TransferPrice::Kept,
            open: fees.as_ref().map_or(&[], |fees| &fees.open),
        };
        let decided = self.finish(connection, &pending, detail, |to, _| {
            emails::transferred(to, &transferred, &self.config)
        })?;
        Ok(Decided { missing, ..decided })
    }
}
