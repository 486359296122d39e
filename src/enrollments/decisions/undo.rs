//! Undoing a decision while its emails wait: the emails are deleted, rows are restored, charges are reversed, and the
//! events keep both.

use rusqlite::Connection;
use serde_json::json;

use super::{DecisionContext, conflict};
use crate::audit::{self, By};
use crate::base::closed_set::ClosedSet;
use crate::base::error::Result;
use crate::decisions::{self, EMAIL_HAS_LEFT, Stored};
use crate::enrollments::events::{self, Decided as Transition, Event};
use crate::enrollments::seats::waitlist;
use crate::enrollments::status::EnrollmentStatus;
use crate::enrollments::verb::Verb;
use crate::enrollments::{Enrollment, seats, store};
use crate::money::ledger::{self, FeeItem};
use crate::money::refunds::tasks;
use crate::terms::changes;

impl DecisionContext {
    /// Undoes a decision; returns the current enrollments. Repeating it changes nothing.
    ///
    /// # Errors
    /// 409 when an email of it has left, or something has changed since.
    pub fn undo(&self, connection: &Connection, decision: &Stored) -> Result<Vec<Enrollment>> {
        let transitions = events::of_decision(connection, &decision.id)?;
        if !decision.is_undone {
            if !decision.take_back_emails(connection, self.now)? {
                let Some(one) = transitions.first() else {
                    return Err(changes::conflict(connection, &decision.id, EMAIL_HAS_LEFT)?);
                };
                return Err(conflict(EMAIL_HAS_LEFT, &store::find(connection, one.enrollment_id)?));
            }
            let restored = changes::undo(connection, &decision.id, self.user_id, self.now)?;
            let detail = json!({ "decision": decision.id });
            for id in restored.sections {
                self.record_section(connection, Verb::Undo.as_str(), id, detail.clone())?;
            }
            if let Some(id) = restored.term {
                audit::record(connection, &self.actor, Verb::Undo.as_str(), "term", id, detail, self.now)?;
            }
            self.take_back(connection, &transitions, &decision.id)?;
            decisions::mark_undone(connection, &decision.id, self.now)?;
        }
        // A seat offered because of the decision is handled separately.
        let decided = transitions.iter().filter(|one| one.verb != Verb::OfferPlace);
        let mut ids: Vec<i64> = decided.map(|one| one.enrollment_id).collect();
        ids.dedup();
        ids.into_iter().map(|id| store::find(connection, id)).collect()
    }

    /// Takes back what a decision did to enrollments, as a part of undoing it.
    ///
    /// # Errors
    /// 409 when one of them has changed since.
    pub fn restore_enrollments(&self, connection: &Connection, decision: &str) -> Result<()> {
        self.take_back(connection, &events::of_decision(connection, decision)?, decision)
    }

    fn take_back(&self, connection: &Connection, transitions: &[Transition], decision: &str) -> Result<()> {
        for one in transitions {
            let id = one.enrollment_id;
            let newest =
                transitions.iter().filter(|other| other.enrollment_id == id).map(|other| other.id).max();
            if events::last(connection, id)? != newest {
                let words = "This enrollment has changed since, so the decision can no longer be undone.";
                return Err(conflict(words, &store::find(connection, id)?));
            }
        }
        let first = transitions.first().map(|one| store::find(connection, one.enrollment_id)).transpose()?;
        ledger::take_back(connection, decision, self.user_id, self.now, &first)?;
        tasks::take_back(connection, decision, self.user_id, self.now)?;
        for transition in transitions.iter().rev() {
            self.take_back_one(connection, transition)?;
        }
        for id in transitions.iter().map(|one| one.enrollment_id) {
            waitlist::promote(
                connection,
                store::find(connection, id)?.course_id,
                &self.waitlist_context(),
                None,
            )?;
        }
        Ok(())
    }

    fn take_back_one(&self, connection: &Connection, transition: &Transition) -> Result<()> {
        let id = transition.enrollment_id;
        let to = transition.from.unwrap_or(EnrollmentStatus::Withdrawn);
        if to.is_open() && !transition.to.is_open() {
            store::check_no_other_open(connection, id)?;
        }
        let undoing = Event::new(id, By::Staff(self.user_id), Verb::Undo, Some(transition.to), to);
        let undoing = Event { undoes_id: Some(transition.id), ..undoing };
        match &transition.before {
            Some(before) => store::restore(connection, undoing, before, self.now)?,
            // It was created by the decision, so it is closed and its record stays.
            None => {
                store::close(connection, undoing, self.terms.today, self.now)?;
                store::forget_transfer(connection, id)?;
            }
        }
        self.check_way_back(connection, transition, to)?;
        if transition.verb == Verb::Approve {
            // Also reverses a charge posted manually meanwhile.
            ledger::reverse_charges(connection, FeeItem::Enrollment(id), None, self.user_id, self.now)?;
        }
        let detail = json!({ "decision": transition.verb, "status": to });
        self.record(connection, Verb::Undo, id, detail)
    }

    /// Refuses an undo that needs a seat given to another student since; `row` is the old row.
    fn check_way_back(
        &self,
        connection: &Connection,
        transition: &Transition,
        to: EnrollmentStatus,
    ) -> Result<()> {
        let id = transition.enrollment_id;
        let comes_back = to == EnrollmentStatus::Active && transition.to != to;
        if !comes_back && transition.verb != Verb::ChangeDates {
            return Ok(());
        }
        // The seats of a section do not depend on dates.
        let has_section = store::find(connection, id)?.section.is_some();
        if has_section && transition.verb == Verb::ChangeDates {
            return Ok(());
        }
        if !store::takes_seat(connection, id, self.now)?
            || !seats::is_full(connection, id, self.terms.today, self.now)?
        {
            return Ok(());
        }
        if events::is_seat_given_since(connection, id, transition.id)? {
            let words =
                "The seat has been given to another student since, so the decision can no longer be undone.";
            return Err(conflict(words, &store::find(connection, id)?));
        }
        Ok(())
    }
}
