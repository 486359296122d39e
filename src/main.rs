//! The program; everything is in the library.

// Named for its features alone (see Cargo.toml).
use log as _;

fn main() -> std::process::ExitCode {
    schoolhouse::run()
}
