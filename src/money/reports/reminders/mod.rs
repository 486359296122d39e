//! Reminders of what is to be paid, by hand and by the schedule.
//!
//! A family is never reminded on a weekend, a day off or a holiday, more than once a day, or when nothing is to be paid;
//! nor one that the office said not to remind. What waits for a school day is looked at again before it leaves.

pub mod clock;
mod email;
mod look;
mod outlook;
pub mod rules;
pub mod store;

use axum::extract::State;
use jiff::civil::Date;
use jiff::{Timestamp, Zoned};
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use self::look::{Owed, ReminderDays};
use self::rules::{NewMode, NotReminded, ReminderMode, ReminderModeForm, RemindersForm, Step};
use self::store::NewReminder;
use crate::admissions::mailboxes;
use crate::audit;
use crate::base::email::Email;
use crate::base::error::{Error, Result};
use crate::base::money::Money;
use crate::config::Config;
use crate::enrollments::emails;
use crate::enrollments::store::Addressee;
use crate::mail::{Cause, EmailMessage, outbox};
use crate::money::charges::context::MoneyContext;
use crate::money::payments::codes;
use crate::staff::{Staff, may};
use crate::students::guardians::store as guardians;
use crate::students::status::StudentStatus;
use crate::students::{self, Student, names};
use crate::terms::SchoolDays;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::id::{Id, Numbered};
use crate::web::idempotency::{Idempotent, Once};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![set_reminders, send_reminders].merge(outlook::routes())
}

/// Whether a family is reminded.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReminderState {
    /// As usual, by an arrangement, or never.
    pub mode: ReminderMode,
    /// What was agreed.
    #[schema(required)]
    pub note: Option<String>,
    /// The last day of it.
    #[schema(required)]
    pub until: Option<Date>,
    /// Username of the staff member who said so.
    #[schema(required)]
    pub by: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// A reminder that the office skips.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SkippedReminder {
    /// The day on which it would leave.
    pub on: Date,
    /// Why it does not.
    pub reason: String,
    /// Username of the staff member who skipped it.
    #[schema(required)]
    pub by: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// What a student's ledger says of reminders.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudentReminders {
    /// What the office said; null: as usual.
    #[schema(required)]
    pub state: Option<ReminderState>,
    /// When the family was last reminded.
    #[schema(required)]
    pub last_reminder_on: Option<Date>,
    /// Number of reminders that were sent.
    pub sent_count: i64,
}

/// What becomes of a student in `POST /api/admin/reminders`.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reminder {
    /// Number of the account.
    student_id: i64,
    /// The student's name.
    student_name: String,
    /// Dollars owing: what is due less what is on account.
    #[schema(value_type = f64)]
    amount: Money,
    /// Which reminder.
    step: Step,
    /// Whether it is sent.
    send: bool,
    /// Why not.
    #[schema(required)]
    why: Option<NotReminded>,
    /// On which day it leaves; null if it does not.
    #[schema(required)]
    send_on: Option<Date>,
}

/// `POST /api/admin/reminders`' answer.
#[derive(Debug, Serialize, ToSchema)]
pub struct Reminders {
    /// One for each student, in the order of the request.
    reminders: Vec<Reminder>,
}

/// Say whether a student's family is reminded
#[utoipa::path(put, path = "/api/admin/students/{id}/reminders", tag = "money", request_body = ReminderModeForm)]
async fn set_reminders(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    Idempotent { key, body }: Idempotent<ReminderModeForm>,
) -> Result<Once<StudentReminders, 200>> {
    let context = MoneyContext::new(&app, &staff);
    let new = NewMode::parse(&body, context.today)?;
    app.db
        .write(move |connection| {
            key.once(connection, context.user_id, context.now, || context.set_mode(connection, id, &new))
        })
        .await
}

/// Remind families of what is to be paid, or say what would be sent. On a day without school it waits for the next
/// school day, 09:00
#[utoipa::path(post, path = "/api/admin/reminders", tag = "money", request_body = RemindersForm)]
async fn send_reminders(
    staff: Staff<may::Money>,
    State(app): State<App>,
    Idempotent { key, body }: Idempotent<RemindersForm>,
) -> Result<Once<Reminders, 200>> {
    let (ids, is_dry) = body.parse()?;
    let context = MoneyContext::new(&app, &staff);
    if is_dry {
        let reminders = app.db.query(move |connection| context.look(connection, &ids)).await?;
        return Ok(Once::First(Reminders { reminders }));
    }
    app.write_and_notify(move |connection| {
        key.once(connection, context.user_id, context.now, || {
            let reminders = context.look(connection, &ids)?;
            let sender = context.sender();
            let mut batch = Batch::default();
            for reminder in reminders.iter().filter(|reminder| reminder.send) {
                sender.send_or_keep(connection, reminder, Some(context.user_id), &mut batch)?;
            }
            sender.send_copies(connection, batch)?;
            let sent = reminders.iter().filter(|reminder| reminder.send).map(|reminder| reminder.student_id);
            let detail = json!({ "students": sent.collect::<Vec<_>>() });
            audit::record(connection, &context.actor, "remind", "money", 0, detail, context.now)?;
            Ok(Reminders { reminders })
        })
    })
    .await
}

impl MoneyContext {
    fn set_mode(&self, connection: &Connection, id: i64, new: &NewMode) -> Result<StudentReminders> {
        students::store::find(connection, id)?.ok_or_else(Student::not_found)?;
        store::set_mode(connection, id, new, self.user_id, self.now)?;
        let detail = json!({ "mode": new.mode, "note": new.note, "until": new.until });
        audit::record(connection, &self.actor, "set_reminders", "student", id, detail, self.now)?;
        store::of_student(connection, id, &self.config.school().zone())
    }

    fn sender(&self) -> Sender<'_> {
        let now = self.now.to_zoned(self.config.school().zone());
        Sender { config: &self.config, now }
    }

    /// What becomes of each student.
    fn look(&self, connection: &Connection, ids: &[i64]) -> Result<Vec<Reminder>> {
        let sender = self.sender();
        let days = SchoolDays::from(connection, self.today)?;
        ids.iter()
            .map(|id| {
                let student = students::store::find(connection, *id)?
                    .ok_or_else(|| Error::field("studentIds", format!("There is no student {id}")))?;
                sender.look(connection, &student, days.next(self.today))
            })
            .collect()
    }
}

/// A reminder whose day has come.
#[derive(Clone, Copy)]
struct StoredReminder {
    id: i64,
    student_id: i64,
    step: Step,
}

/// Sends reminders.
struct Sender<'a> {
    config: &'a Config,
    /// At the school.
    now: Zoned,
}

impl Sender<'_> {
    /// What becomes of a student whose reminder leaves on a day.
    fn look(&self, connection: &Connection, student: &Student, send_on: Date) -> Result<Reminder> {
        let owed = Owed::read(connection, student.id)?;
        let days = ReminderDays { today: self.now.date(), send_on };
        let why = look::why_not(connection, student, &owed, days)?;
        let name = student.profile.full_name.clone();
        Ok(Reminder {
            student_id: student.id,
            student_name: name.unwrap_or_else(|| format!("Student #{}", student.id)),
            amount: owed.to_pay(),
            step: owed.step(send_on, &self.config.money.schedule()),
            send: why.is_none(),
            why,
            send_on: why.is_none().then_some(send_on),
        })
    }

    /// Sends a reminder, or keeps it for its day.
    fn send_or_keep(
        &self,
        connection: &Connection,
        reminder: &Reminder,
        by: Option<i64>,
        batch: &mut Batch,
    ) -> Result<()> {
        let Some(send_on) = reminder.send_on else { return Ok(()) };
        let Reminder { student_id, step, amount, .. } = *reminder;
        let new = NewReminder { student_id, step, amount, send_on, by };
        let id = store::add(connection, &new, self.now.timestamp())?;
        if send_on != self.now.date() {
            return Ok(());
        }
        self.send(connection, StoredReminder { id, student_id, step }, batch)
    }

    /// Sends a reminder to the student, if the address is confirmed; the batch has the family's mailboxes.
    fn send(
        &self,
        connection: &Connection,
        StoredReminder { id, student_id, step }: StoredReminder,
        batch: &mut Batch,
    ) -> Result<()> {
        let student = MoneyContext::student(connection, student_id)?;
        let today = self.now.date();
        let owed = Owed::read(connection, student_id)?;
        let code = codes::of_student(connection, &self.config.school().name, student_id)?;
        let email = email::reminder(&student, &owed, step, today, &code, self.config);
        store::set_sent(connection, id, today, self.now.timestamp())?;
        let is_seen = names::are_seen(connection, student_id)?;
        let about = |to, guardian| About {
            to,
            guardian,
            child: Child { student: student.clone(), is_seen, owed: owed.clone(), code: code.clone() },
            email: email.clone(),
            step,
        };
        if student.status == StudentStatus::Unverified {
            // Nothing is sent to an address that was never confirmed.
            batch.0.extend(
                mailboxes::opened_of_student(connection, student_id)?.into_iter().map(|to| about(to, None)),
            );
            return Ok(());
        }
        self.queue(connection, &email)?;
        let guardians = guardians::mailed(connection, student_id, today)?;
        let guardians = guardians.into_iter().filter_map(|guardian| {
            let to = Email::parse(guardian.email.as_deref()?).ok()?;
            Some(about(to, Some(guardian.name)))
        });
        batch.0.extend(guardians);
        Ok(())
    }

    /// Sends one email to each mailbox of the families, whatever number of children it is about.
    fn send_copies(&self, connection: &Connection, mut batch: Batch) -> Result<()> {
        batch.0.sort_by(|one, other| one.to.as_str().cmp(other.to.as_str()));
        for same in batch.0.chunk_by(|one, other| one.to == other.to) {
            let email = match same {
                [About { to, guardian: Some(name), child: Child { student, is_seen, .. }, email, .. }] => {
                    emails::copy_to_guardian(email, to, name, student, *is_seen, self.config)
                }
                [About { to, email, .. }] => email::to_applicant(email, to, self.config),
                several => {
                    let Some(About { to, guardian, child, .. }) = several.first() else { continue };
                    let name = guardian.as_deref().filter(|_| child.is_seen);
                    let children: Vec<_> = several.iter().map(|about| &about.child).collect();
                    let step = several.iter().map(|about| about.step).max().unwrap_or(Step::Before);
                    email::of_family(to, name, &children, step, self.now.date(), self.config)
                }
            };
            self.queue(connection, &email)?;
        }
        Ok(())
    }

    fn queue(&self, connection: &Connection, email: &EmailMessage) -> Result<()> {
        outbox::enqueue(connection, email, Cause::Office, self.config, self.now.timestamp()).map(drop)
    }
}

/// Reminders that leave together, for the mailboxes of the families.
#[derive(Default)]
struct Batch(Vec<About>);

/// A mailbox is reminded of what one student owes.
struct About {
    to: Email,
    /// The guardian's name; none for an address of the application.
    guardian: Option<String>,
    child: Child,
    /// What was written to the student.
    email: EmailMessage,
    step: Step,
}

/// A student, and what is owed.
struct Child {
    student: Addressee,
    /// Whether the office has seen the names.
    is_seen: bool,
    owed: Owed,
    code: String,
}
