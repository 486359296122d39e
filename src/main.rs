//! The program; everything is in the library.

fn main() -> std::process::ExitCode {
    schoolhouse::plumbing::cli::run()
}
