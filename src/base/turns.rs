//! Admission control for expensive work: a few requests work at once, a limited number wait, and the rest get 503 with
//! a message. Each client or account has a limited share of the places.
//!
//! One mechanism for everything that needs a thread, memory or a file per request: the work takes a turn, and a
//! response generated for one request keeps its place until it is sent.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Context;
use axum::body::{Body, Bytes};
use futures_util::{StreamExt as _, stream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;

use super::error::{Error, Result};

/// The longest wait for a turn: the handler itself has 30 s.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Gives about a third of the processor time of a thread at normal priority (`sched(7)`). At 10 it was a tenth, and on
/// a busy machine one phone photo delayed the next ones by half a minute.
const NICENESS: i32 = 5;

/// Limits for one kind of work, and the messages when they are reached.
#[derive(Debug, Clone, Copy)]
pub struct Capacity {
    /// Thread name; at most 15 characters (`pthread_setname_np(3)`).
    pub name: &'static str,
    /// Requests that work at once.
    pub at_once: usize,
    /// Places in total: requests that work, wait, or are sending their response.
    pub places: usize,
    /// Places per client or account.
    pub each: usize,
    /// Message when all places are taken.
    pub busy: &'static str,
    /// Message when a client or account has used its share.
    pub own: &'static str,
}

/// Turns and places for one kind of work, by client or account.
pub struct Turns<K> {
    capacity: Capacity,
    turns: Arc<Semaphore>,
    taken: Mutex<OccupiedPlaces<K>>,
}

struct OccupiedPlaces<K> {
    by: HashMap<K, usize>,
    total: usize,
}

/// A place, held until its last clone is dropped.
#[derive(Clone)]
pub struct Place<K: Eq + Hash>(Arc<PlaceGuard<K>>);

struct PlaceGuard<K: Eq + Hash> {
    of: Arc<Turns<K>>,
    key: K,
}

/// A turn, held until the work is done.
pub struct Turn {
    permit: OwnedSemaphorePermit,
    name: &'static str,
}

impl<K: Eq + Hash + Clone> Turns<K> {
    /// Creates the turns for one kind of work.
    pub fn new(capacity: Capacity) -> Arc<Self> {
        let turns = Arc::new(Semaphore::new(capacity.at_once));
        Arc::new(Self { capacity, turns, taken: Mutex::new(OccupiedPlaces { by: HashMap::new(), total: 0 }) })
    }

    /// Takes a place.
    ///
    /// # Errors
    /// [`Error::Busy`] when there is none, or this key has used its share.
    pub fn place(self: &Arc<Self>, key: K) -> Result<Place<K>> {
        let mut taken = self.taken();
        let own = taken.by.get(&key).copied().unwrap_or_default();
        if own >= self.capacity.each {
            return Err(Error::Busy(self.capacity.own));
        }
        if taken.total >= self.capacity.places {
            return Err(Error::Busy(self.capacity.busy));
        }
        taken.total += 1;
        taken.by.insert(key.clone(), own + 1);
        Ok(Place(Arc::new(PlaceGuard { of: self.clone(), key })))
    }
}

impl<K> Turns<K> {
    fn taken(&self) -> MutexGuard<'_, OccupiedPlaces<K>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash> Place<K> {
    /// Waits for a turn.
    ///
    /// # Errors
    /// [`Error::Busy`] when it does not come in time.
    pub async fn turn(&self) -> Result<Turn> {
        let Turns { capacity, turns, .. } = &*self.0.of;
        match timeout(TIMEOUT, turns.clone().acquire_owned()).await {
            Ok(permit) => Ok(Turn { permit: permit.context("waiting for a turn")?, name: capacity.name }),
            Err(_) => Err(Error::Busy(capacity.busy)),
        }
    }

    /// Waits for a turn and runs `work`.
    ///
    /// # Errors
    /// What `work` returned; [`Error::Busy`] when the turn does not come in time.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.turn().await?.work(work).await
    }
}

impl Turn {
    /// Runs `work` on a separate thread of low priority.
    ///
    /// # Errors
    /// What `work` returned.
    pub async fn work<T: Send + 'static>(
        self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let Self { permit, name } = self;
        let (sender, receiver) = oneshot::channel();
        let work = move || {
            // On Linux niceness belongs to the thread, so this affects only this one.
            if let Err(error) = rustix::process::nice(NICENESS) {
                tracing::debug!("a thread keeps its priority: {error}");
            }
            let _ = sender.send(work());
            // Held until the work ends, even if the client has gone.
            drop(permit);
        };
        std::thread::Builder::new().name(name.into()).spawn(work).context("starting a thread")?;
        receiver.await.with_context(|| format!("work on {name} panicked"))?
    }
}

impl<K: Eq + Hash + Send + Sync + 'static> Place<K> {
    /// Bytes that hold the place as long as any of them exist.
    pub fn keep(self, bytes: Vec<u8>) -> Bytes {
        Bytes::from_owner(HeldBytes { bytes, _place: self })
    }

    /// A body that holds the place until it is sent.
    pub fn keep_body(self, body: Body) -> Body {
        Body::from_stream(stream::unfold((body.into_data_stream(), self), |(mut pieces, place)| async move {
            pieces.next().await.map(|piece| (piece, (pieces, place)))
        }))
    }
}

struct HeldBytes<K: Eq + Hash> {
    bytes: Vec<u8>,
    _place: Place<K>,
}

impl<K: Eq + Hash> AsRef<[u8]> for HeldBytes<K> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl<K: Eq + Hash> Drop for PlaceGuard<K> {
    fn drop(&mut self) {
        let mut taken = self.of.taken();
        taken.total -= 1;
        match taken.by.get_mut(&self.key) {
            Some(own) if *own > 1 => *own -= 1,
            _ => drop(taken.by.remove(&self.key)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::task::JoinSet;

    use super::*;

    fn turns(at_once: usize, places: usize, each: usize) -> Arc<Turns<u8>> {
        let busy = "All are taken.";
        let own = "You have yours.";
        Turns::new(Capacity { name: "tests", at_once, places, each, busy, own })
    }

    #[test]
    fn each_key_has_a_limited_share_of_the_places() {
        let turns = turns(1, 3, 2);
        let first = turns.place(1).unwrap();
        let _second = turns.place(1).unwrap();
        assert!(matches!(turns.place(1), Err(Error::Busy("You have yours."))));
        let _other = turns.place(2).unwrap();
        assert!(matches!(turns.place(3), Err(Error::Busy("All are taken."))));
        drop(first);
        let _third = turns.place(3).unwrap();
    }

    #[test]
    fn a_response_keeps_its_place_until_its_last_part_is_dropped() {
        let turns = turns(1, 1, 1);
        let mut answer = turns.place(1).unwrap().keep(b"an answer".to_vec());
        let rest = answer.split_off(3);
        drop(answer);
        assert!(turns.place(1).is_err());
        assert_eq!(&*rest, b"answer");
        drop(rest);
        turns.place(1).unwrap();
        assert!(turns.taken().by.is_empty(), "nothing remains of released places");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn turns_limit_concurrent_work_even_for_clients_that_left() {
        static WORKING: AtomicUsize = AtomicUsize::new(0);
        let turns = turns(2, 100, 100);
        let mut all = JoinSet::new();
        for number in 0..40 {
            let place = turns.place(1).unwrap();
            let work = move || {
                let at_once = WORKING.fetch_add(1, Ordering::SeqCst) + 1;
                std::thread::yield_now();
                WORKING.fetch_sub(1, Ordering::SeqCst);
                Ok(at_once)
            };
            let task = all.spawn(async move { place.work(work).await });
            if number % 3 == 0 {
                task.abort();
            }
        }
        let mut max = 0;
        while let Some(done) = all.join_next().await {
            max = max.max(done.map_or(0, Result::unwrap));
        }
        assert!((1..=2).contains(&max), "{max} at once");
        assert!(turns.taken().by.is_empty());
    }
}
