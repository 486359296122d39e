//! Events of the demo school, scheduled in any order and executed chronologically, so that ids, lists and histories
//! grow as in a real school.

use jiff::Timestamp;

use super::scene::{RequestIndex, Scene};
use crate::base::error::Result;

type Event = Box<dyn FnOnce(&mut Scene<'_>) -> Result<()>>;

/// Events, each with its instant.
#[derive(Default)]
pub struct Diary {
    events: Vec<(Timestamp, Event)>,
    requests: usize,
}

impl Diary {
    /// Schedules an event; events at the same instant run in the order of scheduling.
    pub fn note(&mut self, at: Timestamp, event: impl FnOnce(&mut Scene<'_>) -> Result<()> + 'static) {
        self.events.push((at, Box::new(event)));
    }

    /// Index of a request that will be made.
    pub fn next_request(&mut self) -> RequestIndex {
        self.requests += 1;
        self.requests
    }

    /// Executes all events in chronological order.
    pub fn run(mut self, scene: &mut Scene<'_>) -> Result<()> {
        self.events.sort_by_key(|(at, _)| *at);
        for (at, event) in self.events {
            scene.now = at;
            event(scene)?;
        }
        Ok(())
    }
}
