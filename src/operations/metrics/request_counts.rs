//! Requests by route, method and status class: a table fixed when the router is built.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::Instant;

use crate::base::meters::{Counter, Histogram};
use crate::base::request_id::PAGE;

/// Route names as labels; all other requests count as pages.
static TABLE: OnceLock<RouteTable> = OnceLock::new();

const METHODS: [&str; 5] = ["GET", "POST", "PATCH", "DELETE", "other"];
const CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

struct RouteTable {
    index: HashMap<String, usize>,
    routes: Vec<RouteCounts>,
}

/// Counters of one route.
pub struct RouteCounts {
    /// The route template, never actual parameters.
    pub name: String,
    counts: [[Counter; CLASSES.len()]; METHODS.len()],
    /// Seconds until the response began.
    pub seconds: Histogram<11>,
}

impl RouteCounts {
    fn new(name: String) -> Self {
        const BOUNDS: &[f64; 11] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];
        Self {
            name,
            counts: [const { [const { Counter::new() }; CLASSES.len()] }; METHODS.len()],
            seconds: Histogram::new(BOUNDS),
        }
    }

    /// Method, status class and count, without zeros.
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, &'static str, u64)> {
        self.counts
            .iter()
            .zip(METHODS)
            .flat_map(|(classes, method)| {
                classes.iter().zip(CLASSES).map(move |(count, class)| (method, class, count.get()))
            })
            .filter(|(_, _, count)| *count > 0)
    }
}

/// Initializes the table; every router of a process has the same routes.
pub fn know(templates: impl Iterator<Item = String>) {
    TABLE.get_or_init(|| {
        let names: Vec<String> = std::iter::once(PAGE.to_owned()).chain(templates).collect();
        RouteTable {
            index: names.iter().cloned().zip(0..).collect(),
            routes: names.into_iter().map(RouteCounts::new).collect(),
        }
    });
}

/// Counts a completed request.
pub fn count(route: &str, method: &str, status: u16, start: Instant) {
    let Some(table) = TABLE.get() else { return };
    let route = &table.routes[table.index.get(route).copied().unwrap_or(0)];
    let method = METHODS.iter().position(|name| *name == method).unwrap_or(METHODS.len() - 1);
    let class = usize::from(status / 100).clamp(1, CLASSES.len()) - 1;
    route.counts[method][class].add(1);
    route.seconds.note_since(start);
}

/// Routes with at least one request.
pub fn asked() -> impl Iterator<Item = &'static RouteCounts> {
    TABLE.get().into_iter().flat_map(|table| &table.routes).filter(|route| route.counts().next().is_some())
}
