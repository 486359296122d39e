//! The running program: its endpoints and who may call them, its log, its health, and what starts it.

mod access;
mod busy;
mod durability;
mod headers;
mod health;
mod log;
mod matrix;
mod package;
mod proxies;
mod sheets;
mod sockets;
mod systemd;
