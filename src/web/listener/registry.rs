//! Who is connected: so many in all, so many for each client's network, and none for ever.
//!
//! When there is no room, the connection that has been of no use for longest makes some: one on
//! which nothing runs, or whose client neither sends nor reads at the least pace. Those of the
//! network that holds most go first, so that a flood ends its own. A connection that is being served
//! well is never ended for another; then the newcomer is turned away. A sweep now and then ends what
//! has been idle or behind the pace for too long.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ipnet::IpNet;
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

use super::activity::{Activity, Phase, Reading, Turn};
use super::timeouts::Timeouts;
use crate::base::meters;

/// How much there is room for.
#[derive(Debug, Clone)]
pub struct Capacity {
    /// Connections at once.
    pub connections: usize,
    /// Of these, from one IPv4 address or one IPv6 network of 64 bits.
    pub per_client: usize,
    /// Proxies, who bring many clients each and have no limit of their own.
    pub trusted_proxies: Vec<IpNet>,
    /// How long each may take for what.
    pub timeouts: Timeouts,
}

/// How a connection is asked to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Close {
    /// After the requests that run, with notice to the client.
    Gracefully,
    AtOnce,
}

/// Why a connection is turned away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Full {
    /// Every connection is in use.
    Server,
    /// Every connection of this client's network is in use.
    Client,
}

/// The open connections.
pub(super) struct Registry {
    capacity: Capacity,
    open: Mutex<Open>,
    emptied: Notify,
}

#[derive(Default)]
struct Open {
    clients: HashMap<Key, Client>,
    /// Those that were asked to end are open, but have no slot any more.
    open: usize,
    occupied: usize,
    next: u64,
}

/// A network; none for the trusted proxies together.
type Key = Option<IpAddr>;

#[derive(Default)]
struct Client {
    members: HashMap<u64, Member>,
    occupied: usize,
}

struct Member {
    activity: Arc<Activity>,
    admitted: Instant,
    /// Gone once it was asked to end.
    close: Option<oneshot::Sender<Close>>,
    seen: Reading,
    /// Since when it is idle, or the last moment at which it kept the pace.
    since: Instant,
    /// The counters at that moment.
    mark: Reading,
    /// Whether it kept the pace at that moment, rather than only beginning.
    kept_pace: bool,
}

/// A slot among the open connections, until it is dropped.
pub(super) struct Slot {
    client: Key,
    id: u64,
    pub activity: Arc<Activity>,
    /// Says when to end.
    pub close: oneshot::Receiver<Close>,
    registry: Arc<Registry>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut open = self.registry.lock();
        open.close(self.client, self.id, Close::AtOnce);
        open.remove_member(self.client, self.id);
        if open.open == 0 {
            self.registry.emptied.notify_waiters();
        }
    }
}

impl Registry {
    pub fn new(capacity: Capacity) -> Arc<Self> {
        Arc::new(Self { capacity, open: Mutex::default(), emptied: Notify::new() })
    }

    pub fn timeouts(&self) -> &Timeouts {
        &self.capacity.timeouts
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives a newcomer a slot, at the expense of an idle connection if need be.
    pub fn admit(self: &Arc<Self>, peer: IpAddr, now: Instant) -> Result<Slot, Full> {
        let client = self.client(peer);
        let mut open = self.lock();
        let held = open.clients.get(&client).map_or(0, |client| client.occupied);
        if client.is_some()
            && held >= self.capacity.per_client
            && !open.evict_one_of(client, &self.capacity, now)
        {
            return Err(Full::Client);
        }
        if open.occupied >= self.capacity.connections && !open.evict(&self.capacity, now) {
            return Err(Full::Server);
        }
        let activity = Arc::<Activity>::default();
        let (sender, close) = oneshot::channel();
        let id = open.admit(client, Member::new(activity.clone(), sender, now));
        Ok(Slot { client, id, activity, close, registry: self.clone() })
    }

    /// Makes room for one more, where something else than a slot is lacking.
    pub fn make_room(&self, now: Instant) {
        self.lock().evict(&self.capacity, now);
    }

    /// Ends whatever has been idle or behind the pace for too long.
    pub fn sweep(&self, now: Instant) {
        let timeouts = self.timeouts();
        let mut open = self.lock();
        let mut late = Vec::new();
        for (client, members) in &mut open.clients {
            let occupied = members.members.iter_mut().filter(|(_, member)| member.close.is_some());
            late.extend(
                occupied.filter_map(|(id, member)| Some((*client, *id, member.observe(now, timeouts)?))),
            );
        }
        for (client, id, close) in late {
            meters::TIMED_OUT_CONNECTIONS.add(1);
            open.close(client, id, close);
        }
    }

    /// Asks every connection to end after the requests that run.
    pub fn close_all(&self) {
        let mut open = self.lock();
        let members = |(client, members): (&Key, &Client)| {
            let client = *client;
            members.members.keys().map(move |id| (client, *id)).collect::<Vec<_>>()
        };
        let all: Vec<_> = open.clients.iter().flat_map(members).collect();
        for (client, id) in all {
            open.close(client, id, Close::Gracefully);
        }
    }

    /// Returns once no connection is open.
    pub async fn emptied(&self) {
        loop {
            let mut emptied = std::pin::pin!(self.emptied.notified());
            emptied.as_mut().enable();
            if self.lock().open == 0 {
                return;
            }
            emptied.await;
        }
    }

    fn client(&self, peer: IpAddr) -> Key {
        let peer = peer.to_canonical();
        let is_trusted = self.capacity.trusted_proxies.iter().any(|net| net.contains(&peer));
        (!is_trusted).then(|| match peer {
            IpAddr::V4(_) => peer,
            IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from(u128::from(v6) & !u128::from(u64::MAX))),
        })
    }
}

impl Open {
    fn admit(&mut self, client: Key, member: Member) -> u64 {
        let id = self.next;
        self.next += 1;
        self.open += 1;
        self.occupied += 1;
        let client = self.clients.entry(client).or_default();
        client.occupied += 1;
        client.members.insert(id, member);
        id
    }

    /// Asks a connection to end; from then on its slot is free.
    fn close(&mut self, client: Key, id: u64, how: Close) {
        let Some(client) = self.clients.get_mut(&client) else { return };
        let Some(close) = client.members.get_mut(&id).and_then(|member| member.close.take()) else { return };
        // Whoever does not listen any more is ending already.
        let _ = close.send(how);
        client.occupied -= 1;
        self.occupied -= 1;
    }

    fn remove_member(&mut self, key: Key, id: u64) {
        let Some(client) = self.clients.get_mut(&key) else { return };
        self.open -= usize::from(client.members.remove(&id).is_some());
        if client.members.is_empty() {
            self.clients.remove(&key);
        }
    }

    /// Ends the connection that a client can best spare; whether there was one. Whoever connects again
    /// and again gets no further than once in a while, and is else refused, which costs next to nothing.
    fn evict_one_of(&mut self, client: Key, capacity: &Capacity, now: Instant) -> bool {
        let min_age = capacity.timeouts.min_age;
        let candidate =
            self.clients.get(&client).and_then(|client| client.evictable(now, &capacity.timeouts));
        match candidate {
            Some((id, member)) if now.duration_since(member.admitted) >= min_age => {
                let how = self.how_to_close(member, capacity);
                self.evict_member(client, id, how);
                true
            }
            _ => false,
        }
    }

    /// Ends the connection that can best be spared of all; whether there was one.
    fn evict(&mut self, capacity: &Capacity, now: Instant) -> bool {
        let mut by_size: Vec<(usize, Key)> =
            self.clients.iter().map(|(key, client)| (key.map_or(0, |_| client.occupied), *key)).collect();
        by_size.sort_unstable_by_key(|(size, _)| std::cmp::Reverse(*size));
        let candidate = by_size.chunk_by(|one, other| one.0 == other.0).find_map(|as_large| {
            as_large
                .iter()
                .filter_map(|(_, key)| {
                    let (id, member) = self.clients.get(key)?.evictable(now, &capacity.timeouts)?;
                    Some((*key, id, member))
                })
                .min_by_key(|(_, _, member)| member.since)
        });
        let Some((key, id, member)) = candidate else { return false };
        let how = self.how_to_close(member, capacity);
        self.evict_member(key, id, how);
        true
    }

    fn evict_member(&mut self, client: Key, id: u64, how: Close) {
        meters::EVICTED_CONNECTIONS.add(1);
        self.close(client, id, how);
    }

    /// Those that take their time to leave have a slot no more, so they must be few.
    fn how_to_close(&self, member: &Member, capacity: &Capacity) -> Close {
        let are_few = self.open - self.occupied <= capacity.connections / 4;
        if are_few && member.seen.begun > 0 { Close::Gracefully } else { Close::AtOnce }
    }
}

impl Client {
    /// The connection that has been of no use for longest.
    fn evictable(&self, now: Instant, timeouts: &Timeouts) -> Option<(u64, &Member)> {
        self.members
            .iter()
            .filter(|(_, member)| member.close.is_some() && member.is_evictable(now, timeouts))
            .min_by_key(|(_, member)| member.since)
            .map(|(id, member)| (*id, member))
    }
}

impl Member {
    fn new(activity: Arc<Activity>, close: oneshot::Sender<Close>, now: Instant) -> Self {
        let seen = activity.read();
        Self { activity, admitted: now, close: Some(close), seen, since: now, mark: seen, kept_pace: false }
    }

    /// Takes note of what it does now; returns how it has to end, if it has to.
    fn observe(&mut self, now: Instant, timeouts: &Timeouts) -> Option<Close> {
        let reading = self.activity.read();
        let turn = reading.turn();
        let is_new =
            turn != self.seen.turn() || reading.begun != self.seen.begun || reading.phase != self.seen.phase;
        let keeps_pace = !is_new
            && turn != Turn::Idle
            && timeouts.is_enough(reading.moved_since(&self.mark), now.duration_since(self.since));
        self.seen = reading;
        if is_new || keeps_pace || turn == Turn::Server {
            (self.since, self.mark, self.kept_pace) = (now, reading, keeps_pace);
        }
        let (patience, close) = match turn {
            // Whoever waits for a body answers in words when it does not come.
            Turn::Server | Turn::Sending => return None,
            Turn::Reading => (timeouts.window, Close::AtOnce),
            Turn::Idle => idle(&reading, timeouts),
        };
        (self.since + patience <= now + timeouts.tick).then_some(close)
    }

    /// Whether nothing runs, or only what its client holds up.
    fn is_evictable(&self, now: Instant, timeouts: &Timeouts) -> bool {
        match self.activity.read().turn() {
            Turn::Server => false,
            Turn::Idle => true,
            Turn::Sending | Turn::Reading => {
                !self.kept_pace || now.duration_since(self.since) > timeouts.window / 2
            }
        }
    }
}

impl Reading {
    /// Bytes of requests and answers since an earlier reading. What the kernel takes counts only
    /// while it is full: other bytes may be an answer to a ping.
    fn moved_since(&self, mark: &Self) -> u64 {
        let moved = self.moved - mark.moved;
        if self.is_blocked { moved.max(self.written - mark.written) } else { moved }
    }
}

/// How long nothing may run, and how it ends then.
fn idle(reading: &Reading, timeouts: &Timeouts) -> (Duration, Close) {
    match reading.phase {
        Phase::Handshake => (timeouts.handshake, Close::AtOnce),
        _ if !reading.is_heard => (timeouts.first_byte, Close::AtOnce),
        _ if reading.begun == 0 => (timeouts.header, Close::AtOnce),
        Phase::Http1 => (timeouts.header, Close::Gracefully),
        Phase::Http2 => (timeouts.idle, Close::Gracefully),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry(connections: usize, per_client: usize) -> Arc<Registry> {
        let trusted_proxies = vec!["192.0.2.200/32".parse().unwrap()];
        Registry::new(Capacity { connections, per_client, trusted_proxies, timeouts: Timeouts::default() })
    }

    /// Two minutes of sweeps over one connection; returns after how many seconds it was ended, and how.
    fn outlives(mut each_tick: impl FnMut(&Activity, f64)) -> Option<(u64, Close)> {
        let (registry, start) = (registry(1, 1), Instant::now());
        let mut slot = registry.admit(IpAddr::from([192, 0, 2, 1]), start).unwrap();
        for tick in 0..240_u32 {
            let time = registry.timeouts().tick * tick;
            each_tick(&slot.activity, time.as_secs_f64());
            registry.sweep(start + time);
            if let Ok(close) = slot.close.try_recv() {
                return Some((time.as_millis().div_ceil(1000) as u64, close));
            }
        }
        None
    }

    #[test]
    fn silence_ends_in_5_seconds_half_a_header_in_10_and_rest_in_10_or_60() {
        assert_eq!(outlives(|_, _| {}), Some((5, Close::AtOnce)), "in the handshake");
        assert_eq!(outlives(|one, _| one.enter(Phase::Http1)), Some((5, Close::AtOnce)));
        let heard = |phase, requests: u32| {
            outlives(move |one, time| {
                one.enter(phase);
                one.hear();
                // One after the other, in the first seconds.
                if time < f64::from(requests) {
                    one.begin();
                    one.end();
                }
            })
        };
        assert_eq!(heard(Phase::Http1, 0), Some((10, Close::AtOnce)));
        assert_eq!(heard(Phase::Http2, 0), Some((10, Close::AtOnce)));
        assert_eq!(heard(Phase::Http1, 5), Some((14, Close::Gracefully)));
        assert_eq!(heard(Phase::Http2, 5), Some((64, Close::Gracefully)));
    }

    #[test]
    fn an_answer_has_to_be_read_at_the_least_pace_and_the_server_may_think() {
        let reads = |bytes_per_second: f64, piece: usize| {
            let mut sum = 0.0;
            outlives(move |one, time| {
                one.enter(Phase::Http1);
                if time == 0.0 {
                    one.hear();
                    one.begin();
                }
                while sum + piece as f64 <= bytes_per_second * time {
                    sum += piece as f64;
                    one.write(piece);
                }
                one.block();
            })
        };
        assert_eq!(reads(0.0, 1), Some((20, Close::AtOnce)));
        assert_eq!(reads(1.0, 1), Some((20, Close::AtOnce)));
        assert_eq!(reads(400.0, 1), Some((20, Close::AtOnce)));
        assert_eq!(reads(2000.0, 1), None);
        // The kernel says that there is room only now and then.
        assert_eq!(reads(2000.0, 16 * 1024), None);
        let thinks = |one: &Activity, time: f64| {
            one.enter(Phase::Http1);
            if time == 0.0 {
                one.hear();
                one.begin();
            }
        };
        assert_eq!(outlives(thinks), None);
    }

    #[test]
    fn an_answer_without_room_in_the_clients_window_is_not_read_whatever_else_is_written() {
        let stalled = |bytes: usize| {
            outlives(move |one, time| {
                one.enter(Phase::Http2);
                if time == 0.0 {
                    one.hear();
                    one.begin();
                    one.hand_on();
                }
                // Answers to its pings.
                one.write(4096);
                one.move_bytes(bytes);
            })
        };
        assert_eq!(stalled(0), Some((20, Close::AtOnce)));
        assert_eq!(stalled(1024), None);
    }

    #[test]
    fn the_oldest_idle_connection_of_whoever_holds_most_makes_room_and_none_that_is_served() {
        let (registry, start) = (registry(4, 3), Instant::now());
        let [one, two, three] = [1, 2, 3].map(|last| IpAddr::from([192, 0, 2, last]));
        let after = |seconds| start + Duration::from_secs(seconds);
        let mut first = registry.admit(one, after(0)).unwrap();
        let mut alone = registry.admit(two, after(1)).unwrap();
        let mut second = registry.admit(one, after(2)).unwrap();
        let mut served = registry.admit(one, after(3)).unwrap();
        served.activity.begin();
        // One more from the same address costs it its own oldest.
        let mut fourth = registry.admit(one, after(4)).unwrap();
        assert_eq!(first.close.try_recv(), Ok(Close::AtOnce));
        // One from elsewhere costs whoever holds most.
        let newcomer = registry.admit(three, after(5)).unwrap();
        assert_eq!(second.close.try_recv(), Ok(Close::AtOnce));
        let another = registry.admit(three, after(6)).unwrap();
        assert_eq!(fourth.close.try_recv(), Ok(Close::AtOnce));
        for slot in [&newcomer, &another, &alone] {
            slot.activity.begin();
        }
        assert_eq!(registry.admit(one, after(7)).err(), Some(Full::Server));
        // A body that is waited for can be spared until it keeps the pace.
        served.activity.await_body();
        served.activity.move_bytes(4096);
        registry.sweep(after(8));
        served.activity.move_bytes(4096);
        registry.sweep(after(9));
        assert_eq!(registry.admit(one, after(10)).err(), Some(Full::Server));
        alone.activity.await_body();
        registry.sweep(after(10));
        assert!(registry.admit(one, after(11)).is_ok());
        assert_eq!(alone.close.try_recv(), Ok(Close::AtOnce));
        assert!(served.close.try_recv().is_err());
    }

    #[test]
    fn whoever_connects_again_and_again_is_refused_until_its_oldest_has_stayed_a_while() {
        let (registry, start) = (registry(4, 1), Instant::now());
        let one = IpAddr::from([192, 0, 2, 1]);
        let mut first = registry.admit(one, start).unwrap();
        let soon = start + registry.timeouts().min_age / 2;
        assert_eq!(registry.admit(one, soon).err(), Some(Full::Client));
        assert!(first.close.try_recv().is_err());
        let _second = registry.admit(one, start + registry.timeouts().min_age).unwrap();
        assert_eq!(first.close.try_recv(), Ok(Close::AtOnce));
    }

    #[test]
    fn a_client_is_an_address_or_a_network_of_64_bits_and_a_proxy_is_none() {
        let (registry, now) = (registry(100, 1), Instant::now());
        let mut held = Vec::new();
        let mut admit = |address: &str| {
            let slot = registry.admit(address.parse().unwrap(), now)?;
            slot.activity.begin();
            held.push(slot);
            Ok(())
        };
        assert_eq!(admit("192.0.2.1"), Ok(()));
        assert_eq!(admit("::ffff:192.0.2.1"), Err(Full::Client));
        assert_eq!(admit("2001:db8::1"), Ok(()));
        assert_eq!(admit("2001:db8::2"), Err(Full::Client));
        assert_eq!(admit("2001:db8:0:1::2"), Ok(()));
        for _ in 0..50 {
            assert_eq!(admit("192.0.2.200"), Ok(()));
        }
        held.clear();
        let open = registry.lock();
        assert!(open.clients.is_empty());
        assert_eq!((open.open, open.occupied), (0, 0));
    }
}
