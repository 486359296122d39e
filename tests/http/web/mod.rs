//! What every endpoint has in common: connections, limits, lists, sessions, and words of a closed set.

mod connections;
mod corrupt;
mod devices;
mod http2;
mod limits;
mod lists;
mod silence;
