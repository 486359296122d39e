//! Admission, eviction and the sweep, with a test clock.

use super::*;

fn registry(connections: usize, per_client: usize) -> Arc<Registry> {
    let trusted_proxies = vec!["192.0.2.200/32".parse().unwrap()];
    Registry::new(ConnectionLimits {
        connections,
        per_client,
        trusted_proxies,
        timeouts: Timeouts::default(),
    })
}

/// Sweeps one connection for two minutes; returns after how many seconds it was closed, and how.
fn outlives(mut each_tick: impl FnMut(&Activity, f64)) -> Option<(u64, CloseMode)> {
    let registry = registry(1, 1);
    let start = Instant::now();
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
    assert_eq!(outlives(|_, _| {}), Some((5, CloseMode::AtOnce)), "in the handshake");
    assert_eq!(outlives(|one, _| one.enter(Phase::Http1)), Some((5, CloseMode::AtOnce)));
    let heard = |phase, requests: u32| {
        outlives(move |one, time| {
            one.enter(phase);
            one.note_received();
            // Sequential requests in the first seconds.
            if time < f64::from(requests) {
                one.begin();
                one.end();
            }
        })
    };
    assert_eq!(heard(Phase::Http1, 0), Some((10, CloseMode::AtOnce)));
    assert_eq!(heard(Phase::Http2, 0), Some((10, CloseMode::AtOnce)));
    assert_eq!(heard(Phase::Http1, 5), Some((14, CloseMode::Gracefully)));
    assert_eq!(heard(Phase::Http2, 5), Some((64, CloseMode::Gracefully)));
}

#[test]
fn a_response_must_be_read_at_the_minimum_rate_and_the_server_may_take_its_time() {
    let reads = |bytes_per_second: f64, piece: usize| {
        let mut sum = 0.0;
        outlives(move |one, time| {
            one.enter(Phase::Http1);
            if time == 0.0 {
                one.note_received();
                one.begin();
            }
            while sum + piece as f64 <= bytes_per_second * time {
                sum += piece as f64;
                one.write(piece);
            }
            one.block();
        })
    };
    assert_eq!(reads(0.0, 1), Some((20, CloseMode::AtOnce)));
    assert_eq!(reads(1.0, 1), Some((20, CloseMode::AtOnce)));
    assert_eq!(reads(400.0, 1), Some((20, CloseMode::AtOnce)));
    assert_eq!(reads(2000.0, 1), None);
    // The kernel reports free space only occasionally.
    assert_eq!(reads(2000.0, 16 * 1024), None);
    let thinks = |one: &Activity, time: f64| {
        one.enter(Phase::Http1);
        if time == 0.0 {
            one.note_received();
            one.begin();
        }
    };
    assert_eq!(outlives(thinks), None);
}

#[test]
fn a_response_blocked_by_the_clients_window_is_not_read_whatever_else_is_written() {
    let stalled = |bytes: usize| {
        outlives(move |one, time| {
            one.enter(Phase::Http2);
            if time == 0.0 {
                one.note_received();
                one.begin();
                one.hand_on();
            }
            // Replies to its pings.
            one.write(4096);
            one.move_bytes(bytes);
        })
    };
    assert_eq!(stalled(0), Some((20, CloseMode::AtOnce)));
    assert_eq!(stalled(1024), None);
}

#[test]
fn the_oldest_idle_connection_of_the_largest_client_is_closed_and_none_that_is_served() {
    let registry = registry(4, 3);
    let start = Instant::now();
    let [one, two, three] = [1, 2, 3].map(|last| IpAddr::from([192, 0, 2, last]));
    let after = |seconds| start + Duration::from_secs(seconds);
    let mut first = registry.admit(one, after(0)).unwrap();
    let mut alone = registry.admit(two, after(1)).unwrap();
    let mut second = registry.admit(one, after(2)).unwrap();
    let mut served = registry.admit(one, after(3)).unwrap();
    served.activity.begin();
    // One more from the same address closes its own oldest.
    let mut fourth = registry.admit(one, after(4)).unwrap();
    assert_eq!(first.close.try_recv(), Ok(CloseMode::AtOnce));
    // One from elsewhere closes one of the client that holds the most.
    let newcomer = registry.admit(three, after(5)).unwrap();
    assert_eq!(second.close.try_recv(), Ok(CloseMode::AtOnce));
    let another = registry.admit(three, after(6)).unwrap();
    assert_eq!(fourth.close.try_recv(), Ok(CloseMode::AtOnce));
    for slot in [&newcomer, &another, &alone] {
        slot.activity.begin();
    }
    assert_eq!(registry.admit(one, after(7)).err(), Some(FullLimit::Server));
    // A request that waits for a body is expendable until it keeps the rate.
    served.activity.await_body();
    served.activity.move_bytes(4096);
    registry.sweep(after(8));
    served.activity.move_bytes(4096);
    registry.sweep(after(9));
    assert_eq!(registry.admit(one, after(10)).err(), Some(FullLimit::Server));
    alone.activity.await_body();
    registry.sweep(after(10));
    assert!(registry.admit(one, after(11)).is_ok());
    assert_eq!(alone.close.try_recv(), Ok(CloseMode::AtOnce));
    assert!(served.close.try_recv().is_err());
}

#[test]
fn a_client_that_keeps_reconnecting_is_refused_until_its_oldest_has_a_minimum_age() {
    let registry = registry(4, 1);
    let start = Instant::now();
    let one = IpAddr::from([192, 0, 2, 1]);
    let mut first = registry.admit(one, start).unwrap();
    let soon = start + registry.timeouts().min_age / 2;
    assert_eq!(registry.admit(one, soon).err(), Some(FullLimit::Client));
    assert!(first.close.try_recv().is_err());
    let _second = registry.admit(one, start + registry.timeouts().min_age).unwrap();
    assert_eq!(first.close.try_recv(), Ok(CloseMode::AtOnce));
}

#[test]
fn a_client_is_an_address_or_a_network_of_64_bits_and_a_proxy_is_none() {
    let registry = registry(100, 1);
    let now = Instant::now();
    let mut held = Vec::new();
    let mut admit = |address: &str| {
        let slot = registry.admit(address.parse().unwrap(), now)?;
        slot.activity.begin();
        held.push(slot);
        Ok(())
    };
    assert_eq!(admit("192.0.2.1"), Ok(()));
    assert_eq!(admit("::ffff:192.0.2.1"), Err(FullLimit::Client));
    assert_eq!(admit("2001:db8::1"), Ok(()));
    assert_eq!(admit("2001:db8::2"), Err(FullLimit::Client));
    assert_eq!(admit("2001:db8:0:1::2"), Ok(()));
    for _ in 0..50 {
        assert_eq!(admit("192.0.2.200"), Ok(()));
    }
    held.clear();
    let open = registry.lock();
    assert!(open.clients.is_empty());
    assert_eq!((open.open, open.occupied), (0, 0));
}
