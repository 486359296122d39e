//! The doctor's own behaviour; its findings in a data folder are tested with the real binary.

use super::*;

fn context<'a>(data_dir: &'a DataDir, config: &'a Config) -> CheckContext<'a> {
    CheckContext {
        data_dir,
        config,
        config_file: None,
        depth: Depth::Quick,
        now: Clock::System.now(),
        runtime: runtime::start().unwrap(),
        connection: OnceCell::new(),
    }
}

#[test]
fn a_check_that_fails_or_panics_is_a_finding() {
    let config = Config::default();
    let nowhere = DataDir::new("/nonexistent");
    let context = context(&nowhere, &config);
    let failed = run_check("One", |_| anyhow::bail!("no luck"), &context);
    assert_eq!((failed.status, failed.found.as_str()), (Status::Problem, "could not be checked: no luck"));
    let panicked = run_check("Other", |_| panic!("oops"), &context);
    assert_eq!(panicked.status, Status::Problem);
}

#[test]
fn every_check_works_without_a_data_folder_and_creates_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let missing = DataDir::new(folder.path().join("missing"));
    let findings = examine(&missing, &Config::default(), None, Depth::Full, &Clock::System).unwrap();
    assert_eq!(findings.len(), CHECKS.len());
    assert!(!missing.exists());
}

#[test]
fn the_summary_counts() {
    let of = |statuses: &[Status]| {
        let findings: Vec<_> = statuses
            .iter()
            .map(|status| Finding { name: "x", status: *status, found: String::new(), advice: String::new() })
            .collect();
        summary(&findings)
    };
    assert_eq!(of(&[Status::Ok]), "Everything is in order.");
    assert_eq!(of(&[Status::Ok, Status::Warning]), "Nothing is broken; 1 warning.");
    assert_eq!(of(&[Status::Problem, Status::Problem]), "2 problems, 0 warnings.");
}
