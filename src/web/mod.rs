//! Web infrastructure: shared state, network listener, sessions, rate limits, forms and lists.

pub mod access;
pub mod app;
pub mod bulk;
pub mod cached_response;
pub mod compression;
pub mod content_policy;
pub mod description;
pub mod form;
pub mod id;
pub mod idempotency;
pub mod listener;
pub mod pagination;
pub mod portal;
pub mod price;
pub mod print;
pub mod query;
pub mod rate_limit;
pub mod request_queue;
pub mod session;
pub mod sheet;
pub mod signed_in;
