//! What happened at the demo school, written down in any order and told in that of its days: so numbers,
//! lists and histories grow as they do in a school.

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
    /// Writes down what happens at an instant; what is written down later happens later at the same one.
    pub fn note(&mut self, at: Timestamp, event: impl FnOnce(&mut Scene<'_>) -> Result<()> + 'static) {
        self.events.push((at, Box::new(event)));
    }

    /// A name for a request that is going to be made.
    pub fn next_request(&mut self) -> RequestIndex {
        self.requests += 1;
        self.requests
    }

    /// Lets everything happen, the earliest first.
    pub fn tell(mut self, scene: &mut Scene<'_>) -> Result<()> {
        self.events.sort_by_key(|(at, _)| *at);
        for (at, event) in self.events {
            scene.now = at;
            event(scene)?;
        }
        Ok(())
    }
}
