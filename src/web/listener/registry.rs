//! Registry of open connections: limited in total, per client network and in time.
//!
//! When it is full, the connection that has been useless for longest is closed: one that is idle, or on which the
//! client neither sends nor reads at the minimum rate. Connections of the network that holds the most go first, so that
//! a flood displaces itself. A connection that makes progress is never closed for another; then the new one is refused.
//! A periodic sweep closes connections that were idle or too slow for too long.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ipnet::IpNet;
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

use super::activity::{Activity, ActivitySnapshot, Phase, WaitingOn};
use super::timeouts::Timeouts;
use crate::base::meters;

/// Limits of connections.
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    /// Concurrent connections.
    pub connections: usize,
    /// Concurrent connections per IPv4 address or IPv6 /64.
    pub per_client: usize,
    /// Proxies, which serve many clients and are exempt from the limit per client.
    pub trusted_proxies: Vec<IpNet>,
    /// Time limits.
    pub timeouts: Timeouts,
}

/// How to close a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CloseMode {
    /// After running requests, with notice to the client.
    Gracefully,
    AtOnce,
}

/// Why a connection is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FullLimit {
    /// Every connection is in use.
    Server,
    /// This client's network has reached its limit.
    Client,
}

/// The open connections.
pub(super) struct Registry {
    capacity: ConnectionLimits,
    open: Mutex<OpenConnections>,
    emptied: Notify,
}

#[derive(Default)]
struct OpenConnections {
    clients: HashMap<Key, ClientConnections>,
    /// Includes connections that are closing and no longer have a slot.
    open: usize,
    occupied: usize,
    next: u64,
}

/// A client network; `None` for all trusted proxies.
type Key = Option<IpAddr>;

#[derive(Default)]
struct ClientConnections {
    members: HashMap<u64, ConnectionEntry>,
    occupied: usize,
}

struct ConnectionEntry {
    activity: Arc<Activity>,
    admitted: Instant,
    /// `None` once it was asked to close.
    close: Option<oneshot::Sender<CloseMode>>,
    seen: ActivitySnapshot,
    /// When it became idle, or when it last kept the minimum rate.
    since: Instant,
    /// Counters at `since`.
    mark: ActivitySnapshot,
    /// Whether it kept the rate at `since`, rather than only having started.
    kept_pace: bool,
}

/// A slot among the open connections, released when dropped.
pub(super) struct Slot {
    client: Key,
    id: u64,
    pub activity: Arc<Activity>,
    /// Receives the request to close.
    pub close: oneshot::Receiver<CloseMode>,
    registry: Arc<Registry>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut open = self.registry.lock();
        open.close(self.client, self.id, CloseMode::AtOnce);
        open.remove_member(self.client, self.id);
        if open.open == 0 {
            self.registry.emptied.notify_waiters();
        }
    }
}

impl Registry {
    pub fn new(capacity: ConnectionLimits) -> Arc<Self> {
        Arc::new(Self { capacity, open: Mutex::default(), emptied: Notify::new() })
    }

    pub fn timeouts(&self) -> &Timeouts {
        &self.capacity.timeouts
    }

    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a connection, closing an idle one if necessary.
    pub fn admit(self: &Arc<Self>, peer: IpAddr, now: Instant) -> Result<Slot, FullLimit> {
        let client = self.client(peer);
        let mut open = self.lock();
        let held = open.clients.get(&client).map_or(0, |client| client.occupied);
        if client.is_some()
            && held >= self.capacity.per_client
            && !open.evict_one_of(client, &self.capacity, now)
        {
            return Err(FullLimit::Client);
        }
        if open.occupied >= self.capacity.connections && !open.evict(&self.capacity, now) {
            return Err(FullLimit::Server);
        }
        let activity = Arc::<Activity>::default();
        let (sender, close) = oneshot::channel();
        let id = open.admit(client, ConnectionEntry::new(activity.clone(), sender, now));
        Ok(Slot { client, id, activity, close, registry: self.clone() })
    }

    /// Closes one connection when a resource other than slots is exhausted.
    pub fn make_room(&self, now: Instant) {
        self.lock().evict(&self.capacity, now);
    }

    /// Closes connections that were idle or too slow for too long.
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

    /// Asks every connection to close after its running requests.
    pub fn close_all(&self) {
        let mut open = self.lock();
        let members = |(client, members): (&Key, &ClientConnections)| {
            let client = *client;
            members.members.keys().map(move |id| (client, *id)).collect::<Vec<_>>()
        };
        let all: Vec<_> = open.clients.iter().flat_map(members).collect();
        for (client, id) in all {
            open.close(client, id, CloseMode::Gracefully);
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

impl OpenConnections {
    fn admit(&mut self, client: Key, member: ConnectionEntry) -> u64 {
        let id = self.next;
        self.next += 1;
        self.open += 1;
        self.occupied += 1;
        let client = self.clients.entry(client).or_default();
        client.occupied += 1;
        client.members.insert(id, member);
        id
    }

    /// Asks a connection to close, which frees its slot.
    fn close(&mut self, client: Key, id: u64, how: CloseMode) {
        let Some(client) = self.clients.get_mut(&client) else { return };
        let Some(close) = client.members.get_mut(&id).and_then(|member| member.close.take()) else { return };
        // Fails only if the connection is closing already.
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

    /// Closes the most expendable connection of a client; returns whether there was one. A client that keeps
    /// reconnecting succeeds only occasionally and is refused otherwise, which is cheap.
    fn evict_one_of(&mut self, client: Key, capacity: &ConnectionLimits, now: Instant) -> bool {
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

    /// Closes the most expendable connection of all; returns whether there was one.
    fn evict(&mut self, capacity: &ConnectionLimits, now: Instant) -> bool {
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

    fn evict_member(&mut self, client: Key, id: u64, how: CloseMode) {
        meters::EVICTED_CONNECTIONS.add(1);
        self.close(client, id, how);
    }

    /// Graceful closing keeps a connection open without a slot, so it is used for a few only.
    fn how_to_close(&self, member: &ConnectionEntry, capacity: &ConnectionLimits) -> CloseMode {
        let are_few = self.open - self.occupied <= capacity.connections / 4;
        if are_few && member.seen.begun > 0 { CloseMode::Gracefully } else { CloseMode::AtOnce }
    }
}

impl ClientConnections {
    /// The connection that has been useless for longest.
    fn evictable(&self, now: Instant, timeouts: &Timeouts) -> Option<(u64, &ConnectionEntry)> {
        self.members
            .iter()
            .filter(|(_, member)| member.close.is_some() && member.is_evictable(now, timeouts))
            .min_by_key(|(_, member)| member.since)
            .map(|(id, member)| (*id, member))
    }
}

impl ConnectionEntry {
    fn new(activity: Arc<Activity>, close: oneshot::Sender<CloseMode>, now: Instant) -> Self {
        let seen = activity.read();
        Self { activity, admitted: now, close: Some(close), seen, since: now, mark: seen, kept_pace: false }
    }

    /// Records the current activity; returns how to close the connection, if its time is up.
    fn observe(&mut self, now: Instant, timeouts: &Timeouts) -> Option<CloseMode> {
        let reading = self.activity.read();
        let turn = reading.turn();
        let is_new =
            turn != self.seen.turn() || reading.begun != self.seen.begun || reading.phase != self.seen.phase;
        let keeps_pace = !is_new
            && turn != WaitingOn::Idle
            && timeouts.is_enough(reading.moved_since(&self.mark), now.duration_since(self.since));
        self.seen = reading;
        if is_new || keeps_pace || turn == WaitingOn::Server {
            (self.since, self.mark, self.kept_pace) = (now, reading, keeps_pace);
        }
        let (patience, close) = match turn {
            // A handler that waits for a body sends its own timeout response.
            WaitingOn::Server | WaitingOn::Sending => return None,
            WaitingOn::Reading => (timeouts.window, CloseMode::AtOnce),
            WaitingOn::Idle => idle(&reading, timeouts),
        };
        (self.since + patience <= now + timeouts.tick).then_some(close)
    }

    /// Whether it is idle, or all requests are held up by the client.
    fn is_evictable(&self, now: Instant, timeouts: &Timeouts) -> bool {
        match self.activity.read().turn() {
            WaitingOn::Server => false,
            WaitingOn::Idle => true,
            WaitingOn::Sending | WaitingOn::Reading => {
                !self.kept_pace || now.duration_since(self.since) > timeouts.window / 2
            }
        }
    }
}

impl ActivitySnapshot {
    /// Request and response bytes since an earlier snapshot. Bytes accepted by the kernel count only while its buffer
    /// was full: other bytes may be replies to pings.
    fn moved_since(&self, mark: &Self) -> u64 {
        let moved = self.moved - mark.moved;
        if self.is_blocked { moved.max(self.written - mark.written) } else { moved }
    }
}

/// Limit of idle time, and how the connection is closed then.
fn idle(reading: &ActivitySnapshot, timeouts: &Timeouts) -> (Duration, CloseMode) {
    match reading.phase {
        Phase::Handshake => (timeouts.handshake, CloseMode::AtOnce),
        _ if !reading.has_received => (timeouts.first_byte, CloseMode::AtOnce),
        _ if reading.begun == 0 => (timeouts.header, CloseMode::AtOnce),
        Phase::Http1 => (timeouts.header, CloseMode::Gracefully),
        Phase::Http2 => (timeouts.idle, CloseMode::Gracefully),
    }
}

#[cfg(test)]
mod tests;
