//! What every endpoint has in common: connections, limits, lists, sessions, and words of a closed set.

mod connections;
mod corrupt;
mod devices;
mod http2;
mod lengths;
mod limits;
mod lists;
mod names;
mod renewal;
mod silence;
