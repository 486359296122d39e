//! The list of who is to be reminded: what is to be paid, when the family was last reminded, which reminder leaves next,
//! and which ones the office skips.

use axum::extract::State;
use jiff::ToSpan as _;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::clock::MADE_UP;
use super::look::{self, Owed, ReminderDays};
use super::rules::{NotReminded, Skip, SkipForm, Step, UnskipForm};
use super::{ReminderState, SkippedReminder, store};
use crate::audit;
use crate::base::dates::date_in_words;
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::money::Money;
use crate::money::charges::context::MoneyContext;
use crate::money::reports::balances::in_one_view;
use crate::money::reports::report::{self, BalanceRow, ReportDay};
use crate::staff::{Staff, may};
use crate::storage::search::fold;
use crate::students::{self, Student};
use crate::terms::SchoolDays;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::{Id, Numbered};
use crate::web::idempotency::{Idempotent, Once};
use crate::web::pagination::{ListQuery, Listed, PageRequest};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![list_reminders, skip_reminder, unskip_reminder]
}

/// A student with something to pay.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReminderRow {
    /// Number of the account.
    student_id: i64,
    /// The student's name.
    student_name: String,
    /// The student's address.
    email: String,
    /// Since when something is late.
    #[schema(required)]
    overdue_since: Option<Date>,
    /// Which reminder leaves next.
    #[serde(flatten)]
    outlook: ReminderOutlook,
}

/// Which reminder of a student leaves next.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReminderOutlook {
    /// Dollars owing: what is due less what is on account.
    #[schema(value_type = f64)]
    amount: Money,
    /// When the family was last reminded.
    #[schema(required)]
    last_reminder_on: Option<Date>,
    /// Number of reminders that were sent.
    sent_count: i64,
    /// The next reminder; null if none leaves.
    #[schema(required)]
    next: Option<NextReminder>,
    /// Why none leaves; null too if the schedule has no further day.
    #[schema(required)]
    why: Option<NotReminded>,
    /// Skipped ones whose day is still to come, the earliest first.
    skipped: Vec<SkippedReminder>,
    /// What the office said; null: as usual.
    #[schema(required)]
    state: Option<ReminderState>,
}

/// The next reminder of a student.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NextReminder {
    /// On which day it leaves.
    on: Date,
    /// Which reminder.
    step: Step,
    /// Whether the office asked for it; else the schedule does.
    is_by_hand: bool,
}

/// Students with something to pay and their next reminder; the longest overdue first
#[utoipa::path(get, path = "/api/admin/reminders", tag = "money", params(ListQuery))]
async fn list_reminders(
    staff: Staff<may::Money>,
    State(app): State<App>,
    page: PageRequest,
) -> Result<Listed<ReminderRow>> {
    let context = MoneyContext::new(&app, &staff);
    app.db
        .query(move |connection| in_one_view(connection, |connection| context.reminders(connection, &page)))
        .await
}

/// Skip the next reminder of a student, with the reason; those after it leave as usual. Repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/students/{id}/reminders/skip", tag = "money", request_body = SkipForm,
    responses((status = 409, body = ErrorBody, description = "The next reminder does not leave on that day; `current` \
        says when")))]
async fn skip_reminder(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    Idempotent { key, body }: Idempotent<SkipForm>,
) -> Result<Once<ReminderOutlook, 200>> {
    let skip = Skip::parse(&body)?;
    let context = MoneyContext::new(&app, &staff);
    app.db
        .write(move |connection| {
            key.once(connection, context.user_id, context.now, || context.skip(connection, id, &skip))
        })
        .await
}

/// Remind on a skipped day after all. Repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/students/{id}/reminders/unskip", tag = "money", request_body = UnskipForm,
    responses((status = 409, body = ErrorBody, description = "That day has passed; `current` says what is next")))]
async fn unskip_reminder(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    Idempotent { key, body }: Idempotent<UnskipForm>,
) -> Result<Once<ReminderOutlook, 200>> {
    let on = body.parse()?;
    let context = MoneyContext::new(&app, &staff);
    app.db
        .write(move |connection| {
            key.once(connection, context.user_id, context.now, || context.unskip(connection, id, on))
        })
        .await
}

/// When the schedule reminds families from now on.
struct Outlook {
    today: Date,
    /// Steps up to this day are done with.
    since: Date,
    /// The first day on which something can leave.
    first: Date,
    days: SchoolDays,
    /// Empty if the school sends none by schedule.
    schedule: Vec<i64>,
}

impl MoneyContext {
    fn reminders(&self, connection: &Connection, page: &PageRequest) -> Result<Listed<ReminderRow>> {
        let report = ReportDay::new(self.today, self.config.school().zone());
        let mut rows = report::read(connection, &report)?;
        rows.retain(|row| row.total_due.cents() > 0);
        rows.sort_by_cached_key(|row| {
            (row.overdue_since.is_none(), row.overdue_since, fold(&row.student_name), row.student_id)
        });
        let text = |row: &BalanceRow| {
            let number = row.student_number.as_deref().unwrap_or_default();
            format!("{} {number} {}", row.student_name, row.email)
        };
        let Listed { rows, total } = page.cut(rows, text);
        let outlook = self.outlook(connection)?;
        let rows = rows.into_iter().map(|row| {
            let BalanceRow { student_id, student_name, email, overdue_since, .. } = row;
            let outlook = self.next_reminder(connection, student_id, &outlook)?;
            Ok(ReminderRow { student_id, student_name, email, overdue_since, outlook })
        });
        Ok(Listed { rows: rows.collect::<Result<_>>()?, total })
    }

    fn outlook(&self, connection: &Connection) -> Result<Outlook> {
        let today = self.today;
        let ran_on = store::ran_on(connection)?;
        let earliest = today.saturating_sub(MADE_UP.days());
        let days = SchoolDays::from(connection, earliest.saturating_sub(7.days()))?;
        // Before the schedule was looked at for the first time, nothing is made up for.
        let since = ran_on.unwrap_or(today).clamp(earliest, today);
        let first = if ran_on == Some(today) { today.saturating_add(1.day()) } else { today };
        let first = days.next(first);
        let money = &self.config.money;
        let schedule = if money.are_reminders_on() { money.schedule() } else { Vec::new() };
        Ok(Outlook { today, since, first, days, schedule })
    }

    fn next_reminder(&self, connection: &Connection, id: i64, outlook: &Outlook) -> Result<ReminderOutlook> {
        let student = students::store::find(connection, id)?.ok_or_else(Student::not_found)?;
        let owed = Owed::read(connection, id)?;
        let days = ReminderDays { today: outlook.today, send_on: outlook.first };
        let why = look::why_not(connection, &student, &owed, days)?;
        let why = why.filter(|why| *why != NotReminded::AlreadyToday);
        let skipped = store::skips(connection, id, outlook.first)?;
        let by_hand = store::next_by_hand(connection, id)?.map(|on| on.max(outlook.first));
        let scheduled = outlook.scheduled(&owed, &skipped);
        let next = [by_hand, scheduled].into_iter().flatten().min().filter(|_| why.is_none());
        let next = next.map(|on| NextReminder {
            on,
            step: owed.step(on, &self.config.money.schedule()),
            is_by_hand: by_hand == Some(on),
        });
        let store = store::of_student(connection, id, &self.config.school().zone())?;
        let last_reminder_on = store.last_reminder_on;
        let sent_count = store.sent_count;
        let state = store.state;
        Ok(ReminderOutlook { amount: owed.to_pay(), last_reminder_on, sent_count, next, why, skipped, state })
    }

    fn skip(&self, connection: &Connection, id: i64, skip: &Skip) -> Result<ReminderOutlook> {
        let outlook = self.outlook(connection)?;
        let before = self.next_reminder(connection, id, &outlook)?;
        if before.skipped.iter().any(|skipped| skipped.on == skip.on) {
            return Ok(before);
        }
        if before.next.is_none_or(|next| next.on != skip.on) {
            let message = match before.next {
                Some(next) => format!("The next reminder will be sent on {}.", date_in_words(next.on)),
                None => "No reminder is to leave.".to_owned(),
            };
            return Err(Error::conflict(message, &before));
        }
        store::skip(connection, id, skip, self.user_id, self.now)?;
        let detail = json!({ "on": skip.on, "reason": skip.reason });
        audit::record(connection, &self.actor, "skip_reminder", "student", id, detail, self.now)?;
        self.next_reminder(connection, id, &outlook)
    }

    fn unskip(&self, connection: &Connection, id: i64, on: Date) -> Result<ReminderOutlook> {
        let outlook = self.outlook(connection)?;
        if store::skips(connection, id, on)?.iter().any(|skipped| skipped.on == on) {
            if on < outlook.first {
                let message = "That day has passed. Send the reminder by hand.".to_owned();
                let current = self.next_reminder(connection, id, &outlook)?;
                return Err(Error::conflict(message, &current));
            }
            store::unskip(connection, id, on, self.now)?;
            let detail = json!({ "on": on });
            audit::record(connection, &self.actor, "unskip_reminder", "student", id, detail, self.now)?;
        }
        self.next_reminder(connection, id, &outlook)
    }
}

impl Outlook {
    /// The next day on which the schedule reminds of any part that is to be paid.
    fn scheduled(&self, owed: &Owed, skipped: &[SkippedReminder]) -> Option<Date> {
        let dues = owed.lines.iter().filter_map(|line| line.due_on);
        let steps = dues
            .flat_map(|due_on| self.schedule.iter().map(move |after| due_on.saturating_add(after.days())));
        let steps = steps.map(|day| self.days.next(day)).filter(|step| *step > self.since);
        let leaving = steps.map(|step| (step, step.max(self.first)));
        let is_skipped = |step: Date, day: Date| skipped.iter().any(|skip| step <= skip.on && skip.on <= day);
        leaving.filter(|(step, day)| !is_skipped(*step, *day)).map(|(_, day)| day).min()
    }
}
