//! Fair queue for password hashing: round-robin, however many requests one origin sends.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Limit of queued jobs: the limit of connections; about a kilobyte each.
pub(super) const MAX: usize = 1024;

/// Origin of a request, for round-robin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lane {
    /// Unknown clients, by network; those without a known address share one lane.
    Site(Option<IpAddr>),
    /// A browser that logged in before.
    Known([u8; 16]),
}

/// Jobs by lane. Lanes are served round-robin, and every second job is one of a known browser.
pub(super) struct JobQueue<J> {
    waiting: Mutex<QueueState<J>>,
    wakeup: Condvar,
}

struct QueueState<J> {
    lanes: HashMap<Lane, VecDeque<J>>,
    known: VecDeque<Lane>,
    strangers: VecDeque<Lane>,
    was_known: bool,
    count: usize,
    is_closed: bool,
}

impl<J> JobQueue<J> {
    pub(super) fn new() -> Self {
        let waiting = QueueState {
            lanes: HashMap::new(),
            known: VecDeque::new(),
            strangers: VecDeque::new(),
            was_known: false,
            count: 0,
            is_closed: false,
        };
        Self { waiting: Mutex::new(waiting), wakeup: Condvar::new() }
    }

    /// Appends a job to its lane. When the queue is full, the longest lane loses its last job, which is returned.
    pub(super) fn push(&self, lane: Lane, job: J) -> Option<J> {
        let mut waiting = self.lock();
        waiting.push(lane, job);
        let displaced = if waiting.count > MAX { waiting.displace() } else { None };
        drop(waiting);
        self.wakeup.notify_one();
        displaced
    }

    /// Waits for the next job; `None` once the queue is closed and empty.
    pub(super) fn pop(&self) -> Option<J> {
        let mut waiting = self.lock();
        loop {
            if let Some(job) = waiting.pop() {
                return Some(job);
            }
            if waiting.is_closed {
                return None;
            }
            waiting = self.wakeup.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.wakeup.notify_all();
    }

    pub(super) fn count(&self) -> usize {
        self.lock().count
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<J>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<J> QueueState<J> {
    fn turns(&mut self, lane: Lane) -> &mut VecDeque<Lane> {
        if matches!(lane, Lane::Known(_)) { &mut self.known } else { &mut self.strangers }
    }

    fn push(&mut self, lane: Lane, job: J) {
        let jobs = self.lanes.entry(lane).or_default();
        jobs.push_back(job);
        self.count += 1;
        if jobs.len() == 1 {
            self.turns(lane).push_back(lane);
        }
    }

    fn pop(&mut self) -> Option<J> {
        let (first, second) = if self.was_known {
            (&mut self.strangers, &mut self.known)
        } else {
            (&mut self.known, &mut self.strangers)
        };
        let lane = first.pop_front().or_else(|| second.pop_front())?;
        self.was_known = matches!(lane, Lane::Known(_));
        let jobs = self.lanes.get_mut(&lane)?;
        let job = jobs.pop_front();
        if jobs.is_empty() {
            self.lanes.remove(&lane);
        } else {
            self.turns(lane).push_back(lane);
        }
        self.count -= usize::from(job.is_some());
        job
    }

    fn displace(&mut self) -> Option<J> {
        let (lane, jobs) = self.lanes.iter_mut().max_by_key(|(_, jobs)| jobs.len())?;
        let lane = *lane;
        let job = jobs.pop_back();
        if jobs.is_empty() {
            self.lanes.remove(&lane);
            self.turns(lane).retain(|other| *other != lane);
        }
        self.count -= usize::from(job.is_some());
        job
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(last: u8) -> Lane {
        Lane::Site(Some(IpAddr::from([192, 0, 2, last])))
    }

    #[test]
    fn a_late_lane_does_not_wait_behind_all_jobs_of_another() {
        let queue = JobQueue::new();
        for number in 0..90 {
            assert!(queue.push(site(1), number).is_none());
        }
        queue.push(site(2), 100);
        queue.push(Lane::Known([0; 16]), 200);
        let next: Vec<_> = (0..5).filter_map(|_| queue.pop()).collect();
        assert_eq!(next, [200, 0, 100, 1, 2], "and of one's own, in order");
        assert_eq!(queue.count(), 87);
    }

    #[test]
    fn known_browsers_have_every_second_turn_and_no_more() {
        let queue = JobQueue::new();
        for number in 0..3 {
            queue.push(Lane::Known([number; 16]), "known");
            queue.push(site(number), "stranger");
        }
        let order: Vec<_> = (0..6).filter_map(|_| queue.pop()).collect();
        assert_eq!(order, ["known", "stranger", "known", "stranger", "known", "stranger"]);
    }

    #[test]
    fn a_full_queue_drops_from_the_longest_lane() {
        let queue = JobQueue::new();
        for number in 0..MAX {
            assert!(queue.push(site(1), number).is_none());
        }
        assert_eq!(queue.push(site(2), MAX), Some(MAX - 1));
        assert_eq!(queue.push(site(1), MAX + 1), Some(MAX + 1));
        assert_eq!(queue.count(), MAX);
        assert_eq!((queue.pop(), queue.pop()), (Some(0), Some(MAX)));
    }

    #[test]
    fn a_full_queue_of_many_lanes_stays_full_and_every_job_is_handed_out_once() {
        let queue = JobQueue::new();
        let handed_back = (0..2 * MAX)
            .filter(|number| {
                let [.., high, low] = number.to_be_bytes();
                queue.push(Lane::Site(Some(IpAddr::from([198, 51, high, low]))), *number).is_some()
            })
            .count();
        assert_eq!((handed_back, queue.count()), (MAX, MAX));
        queue.close();
        assert_eq!(std::iter::from_fn(|| queue.pop()).count(), MAX);
    }

    #[test]
    fn a_closed_queue_hands_out_what_it_has_and_ends() {
        let queue = JobQueue::new();
        queue.push(site(1), 1);
        queue.close();
        assert_eq!((queue.pop(), queue.pop()), (Some(1), None));
    }
}
