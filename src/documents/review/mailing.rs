//! Emails about verdicts, and when: the first email leaves at once, what is decided about the same student within the
//! hour after it leaves as one.

use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;

use super::ReviewContext;
use crate::base::clock::from_seconds;
use crate::base::error::Result;
use crate::decisions::Decision;
use crate::documents::{Document, emails, store};
use crate::mail::outbox::{self, EmailTopic};
use crate::mail::{EmailMessage, Kind};
use crate::storage::statements::{Statements, params};
use crate::students::{self, Student, lacks};
use crate::web::id::Numbered;

/// How long further decisions about the same student are collected into one email.
const BATCH: SignedDuration = SignedDuration::from_hours(1);

/// The event within the last hour whose email was sent at once and not undone; further decisions join its batch.
pub(super) fn open_batch(connection: &Connection, student_id: i64, now: Timestamp) -> Result<Option<i64>> {
    let sql = "select e.id from document_events e
        where e.student_id = :student_id and e.at > :since and e.is_mailed = 1 and e.batch_id is null
            and not exists (select 1 from document_events u where u.undoes_id = e.id)
        order by e.at desc, e.id desc limit 1";
    connection.find(sql, params![student_id, since = (now - BATCH).as_second()])
}

/// When a batch leaves: an hour after its first verdict, and when none of it can be undone any more.
fn leaves_at(connection: &Connection, batch: i64) -> Result<Timestamp> {
    let sql = "select max((select at from document_events where id = :batch) + :hour,
            coalesce((select max(d.undo_until) from document_events f
                join document_events e on e.student_id = f.student_id and e.at >= f.at and e.batch_id = f.id
                join decisions d on d.id = e.decision_id where f.id = :batch), 0))";
    let seconds: i64 = connection.one(sql, params![batch, hour = BATCH.as_secs()])?;
    Ok(from_seconds(seconds))
}

/// The current documents of a batch, without those reopened since.
fn documents_of(connection: &Connection, batch: i64) -> Result<Vec<Document>> {
    let sql = "select distinct d.id from document_events f
        join document_events e on e.student_id = f.student_id and e.at >= f.at and e.batch_id = f.id
        join student_documents d on d.id = e.document_id
        where f.id = :batch and d.status in ('accepted', 'rejected')
            and not exists (select 1 from document_events u where u.undoes_id = e.id)
        order by d.id";
    let ids: Vec<i64> = connection.list(sql, params![batch])?;
    let mut documents = Vec::with_capacity(ids.len());
    for id in ids {
        documents.extend(store::find(connection, id)?);
    }
    Ok(documents)
}

/// Topic of a student's queued email about documents.
fn topic(student_id: i64) -> String {
    format!("documents of {student_id}")
}

impl ReviewContext {
    fn email(
        &self,
        connection: &Connection,
        student_id: i64,
        documents: &[Document],
    ) -> Result<EmailMessage> {
        let student = students::store::find(connection, student_id)?.ok_or_else(Student::not_found)?;
        let wanted = lacks::wanted(connection, student_id, &self.config.office, self.today)?;
        let name = student.profile.full_name.as_deref();
        Ok(emails::reviewed((&student.address()?, name), documents, &wanted, &self.config)
            .topic(&topic(student_id)))
    }

    /// Queues the email of one verdict, which leaves when it can no longer be undone.
    pub(super) fn write_at_once(&self, connection: &Connection, id: i64, decision: &Decision) -> Result<()> {
        let Some(document) = store::find(connection, id)? else { return Ok(()) };
        let email = self.email(connection, document.student_id, &[document])?;
        outbox::enqueue_held(connection, &email, decision.hold(), &self.config, self.now)
    }

    /// Rewrites the email of a batch with all decisions made so far.
    pub(super) fn write_later(&self, connection: &Connection, student_id: i64, batch: i64) -> Result<()> {
        let documents = documents_of(connection, batch)?;
        let email = match &*documents {
            [] => None,
            documents => Some(self.email(connection, student_id, documents)?),
        };
        let at = leaves_at(connection, batch)?;
        let topic = topic(student_id);
        let student = students::store::find(connection, student_id)?.ok_or_else(Student::not_found)?;
        let waiting = EmailTopic { to: &student.address()?, kind: Kind::DocumentDecision, topic: &topic };
        outbox::replace_on_topic(connection, &waiting, email.as_ref(), at, &self.config, self.now)
    }

    /// Rewrites the email that may name a document whose decision has changed.
    pub(super) fn rewrite_batch(&self, connection: &Connection, student_id: i64) -> Result<()> {
        match open_batch(connection, student_id, self.now)? {
            Some(batch) => self.write_later(connection, student_id, batch),
            None => Ok(()),
        }
    }
}
