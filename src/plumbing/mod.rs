//! What carries the rooms: command line, configuration, database, sessions, mail, the network.
//!
//! Nothing here knows what a school is, but for [`router`] and [`cli`], which join the rooms.

pub mod age;
pub mod app;
pub mod backup;
pub mod caretaker;
pub mod cli;
pub mod clock;
pub mod compression;
pub mod config;
pub mod db;
pub mod disk;
pub mod doctor;
pub mod encoding;
pub mod error;
pub mod form;
pub mod guessable;
pub mod health;
pub mod https;
pub mod limits;
pub mod listener;
pub mod log;
pub mod mail;
pub mod metrics;
pub mod money;
pub mod names;
pub mod page;
pub mod password_change;
pub mod passwords;
pub mod random;
pub mod router;
pub mod run;
pub mod search;
pub mod session;
pub mod signed_in;
pub mod systemd;
pub mod upkeep;
