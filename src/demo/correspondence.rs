//! Messages of visitors to the demo school.

use anyhow::Context as _;
use jiff::SignedDuration;
use serde_json::json;

use super::form;
use super::plan::Plan;
use super::sample::{SAMPLE, SampleMessage, SampleTemplate};
use super::scene::Scene;
use crate::audit;
use crate::base::closed_set::ClosedSet;
use crate::base::error::Result;
use crate::messages::decisions::{MessageContext, Reply};
use crate::messages::rules::NewMessage;
use crate::messages::status::{Mark, MessageStatus, MessageVerb};
use crate::messages::{MessageForm, store, templates};
use crate::staff;

/// Schedules each arrival, and its handling by the office an hour later.
pub fn add(plan: &mut Plan) -> Result<()> {
    let now = plan.calendar.now;
    let ago = |hours: i64| now - SignedDuration::from_hours(hours);
    for message in &SAMPLE.messages {
        plan.diary.note(ago(message.hours_ago), |scene| scene.receive(message));
        if message.status != MessageStatus::New {
            plan.diary.note(ago(message.hours_ago - 1), |scene| scene.deal_with(message));
        }
    }
    for SampleTemplate { name, subject, body } in &SAMPLE.templates {
        plan.diary.note(ago(900), move |scene| templates::add(scene.connection, name, subject, body));
    }
    Ok(())
}

impl Scene<'_> {
    fn receive(&mut self, message: &'static SampleMessage) -> Result<()> {
        let SampleMessage { name, mailbox, phone, subject, message, .. } = message;
        let form: MessageForm = form(json!({
            "name": name, "email": format!("{mailbox}@mail.example"), "phone": phone, "subject": subject,
            "message": message,
        }))?;
        let id = store::insert(self.connection, &NewMessage::parse(&form)?, None, self.now)?;
        self.messages.insert(mailbox, id);
        Ok(())
    }

    /// The registrar reads a message, and replies or sets it aside.
    fn deal_with(&self, message: &SampleMessage) -> Result<()> {
        let SampleMessage { mailbox, status, reply, answer, note, assignee, .. } = message;
        let id = *self.messages.get(mailbox.as_str()).with_context(|| format!("the message of {mailbox}"))?;
        let connection = self.connection;
        let office = MessageContext::from(self.staff());
        if let Some(body) = reply {
            office.reply(connection, id, &Reply { body: body.clone(), ..Reply::default() })?;
        }
        if let Some(body) = answer {
            office.answer(connection, id, body)?;
        }
        match status {
            MessageStatus::Closed => drop(office.change(connection, id, MessageVerb::Close, None, None)?),
            MessageStatus::Spam => drop(office.change(connection, id, MessageVerb::Spam, None, None)?),
            MessageStatus::Open if answer.is_none() => self.read(id)?,
            _ => {}
        }
        if let Some(body) = note {
            office.note(connection, id, body)?;
        }
        if let Some(username) = assignee {
            let member = staff::store::find_member(connection, username)?;
            let member = member.with_context(|| format!("the staff member {username}"))?;
            office.assign(connection, id, Some(member.account.id))?;
        }
        Ok(())
    }

    fn read(&self, id: i64) -> Result<()> {
        store::set_status(self.connection, id, MessageStatus::Open)?;
        let detail = json!({ "from": MessageStatus::New, "to": MessageStatus::Open });
        let word = Mark::Read.as_str();
        audit::record(self.connection, &self.registrar(), word, "message", id, detail, self.now)
    }
}
