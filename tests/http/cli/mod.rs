//! The command line of the real binary.

mod machine;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use reqwest::StatusCode;
use serde_json::json;

use crate::support::{Actor, PASSWORD, PDF, Program, School, profile, read_spool, wait_for};

pub const CATALOGUE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/ontario-courses.csv");

pub fn schoolhouse(data_dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_schoolhouse"));
    command.arg("--data-dir").arg(data_dir).env_clear();
    command
}

pub fn run(data_dir: &Path, arguments: &[&str]) -> Output {
    schoolhouse(data_dir).args(arguments).output().unwrap()
}

pub fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn the_real_catalogue_is_imported_and_a_second_run_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let dry = run(folder.path(), &["import-courses", CATALOGUE, "--dry-run"]);
    assert_eq!(out(&dry), "158 would be added, 0 would be updated, 0 unchanged\n", "{}", err(&dry));
    let first = run(folder.path(), &["import-courses", CATALOGUE]);
    assert_eq!(out(&first), "158 added, 0 updated, 0 unchanged\n", "{}", err(&first));
    let second = run(folder.path(), &["import-courses", CATALOGUE]);
    assert_eq!(out(&second), "0 added, 0 updated, 158 unchanged\n", "{}", err(&second));
}

#[tokio::test]
async fn a_running_school_shows_an_import_at_once() {
    let school = School::open().await;
    let visitor = school.visitor();
    assert_eq!(visitor.get("/api/courses").await.json(), json!([]));
    let output = run(school.path(), &["import-courses", CATALOGUE]);
    assert!(output.status.success(), "{}", err(&output));
    let courses = visitor.get("/api/courses").await.json();
    assert_eq!(courses.as_array().unwrap().len(), 158);
    assert_eq!(courses[0]["code"], "ENL1W");
}

#[test]
fn a_bad_file_is_refused_with_every_mistake_and_imports_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.csv");
    std::fs::write(&file, "code,name,description,grade,courseType,price\nENG4U,English,Reading and writing.,12,University,1.00\n\
        E,En,Short,13,Nothing,-3\n").unwrap();
    let output = run(folder.path(), &["import-courses", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let text = err(&output);
    for part in [
        "was not imported",
        "line 3",
        "Course code must be at least 2 characters",
        "Course name must be at least 3 characters",
        "Description must be at least 10 characters",
        "Grade must be a whole number from 9 to 12",
        "Price cannot be negative",
    ] {
        assert!(text.contains(part), "{part} is missing in: {text}");
    }
    assert!(!text.contains("line 2"), "{text}");
    let again = run(folder.path(), &["import-courses", CATALOGUE]);
    assert_eq!(out(&again), "158 added, 0 updated, 0 unchanged\n");
}

#[tokio::test]
async fn an_administrator_is_made_beside_a_running_school_and_logs_in() {
    let school = School::open().await;
    let mut child = schoolhouse(school.path())
        .args(["create-admin", "--username", "head", "--email", "head@school.example", "--password-stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"a good long password\n").unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    let body = json!({ "username": "head", "password": "a good long password" });
    let user = school.visitor().post("/api/login", &body).await.expect(StatusCode::OK).json();
    assert_eq!(user["role"], "admin");
}

#[test]
fn an_administrators_name_address_and_password_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, password, part) in [
        (["--username", "a b", "--email", "a@b.example"], "12345678", "--username"),
        (
            ["--username", "offi\u{441}e", "--email", "a@b.example"],
            "12345678",
            "--username: must be 1 to 64 letters (a to z), digits or . _ -",
        ),
        (["--username", "ab", "--email", "a@b.example"], "schoolhouse", "made from a name"),
        (["--username", "ab", "--email", "a@b"], "12345678", "--email: Please enter a valid email address"),
        (["--username", "ab", "--email", "a@b.example"], "1234567", "Password must be at least 8 characters"),
    ] {
        let mut child = schoolhouse(folder.path())
            .arg("create-admin")
            .args(arguments)
            .arg("--password-stdin")
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that refuses the name exits before it reads.
        let _ = child.stdin.take().unwrap().write_all(password.as_bytes());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(err(&output).contains(part), "{}", err(&output));
    }
}

#[test]
fn other_users_of_the_machine_cannot_read_stored_files() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    assert!(run(&data_dir, &["import-courses", CATALOGUE]).status.success());
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&data_dir), 0o700);
    assert_eq!(mode(&data_dir.join("schoolhouse.db")), 0o600);
}

#[tokio::test]
async fn a_second_school_on_the_same_folder_is_refused() {
    let school = School::open().await;
    let output = run(school.path(), &["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("already serving"), "{}", err(&output));
}

#[test]
fn a_newer_database_is_refused_in_words_and_with_status_78() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &["import-courses", CATALOGUE]);
    let database = rusqlite::Connection::open(folder.path().join("schoolhouse.db")).unwrap();
    database
        .execute("insert into refinery_schema_history (version, name, applied_on, checksum) values (9999, 'later', '2030-01-01T00:00:00Z', '1')", [])
        .unwrap();
    drop(database);
    let output = run(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(output.status.code(), Some(78));
    assert!(err(&output).contains("9999") && err(&output).contains("newer"), "{}", err(&output));
}

#[test]
fn wrong_configuration_is_named_with_status_78_and_wrong_usage_with_2() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    for (text, part) in [
        ("[server]\nlisen = \"127.0.0.1:1\"", "lisen"),
        ("[limits]\nlogins_per_minute = 0", "limits.logins_per_minute"),
        ("[server]\npublic_url = \"school.example\"", "server.public_url"),
        ("[school]\ntime_zone = \"Ontario\"", "school.time_zone"),
        ("[mail]\nsecurity = \"ssl\"", "security"),
        ("[metrics]\nlisten = \"9464\"", "metrics.listen: "),
        ("[metrics]\nlisten = \"9464\"", "must be like 127.0.0.1:9464, or empty"),
        ("[backup]\nnightly_at = \"25:00\"", "backup.nightly_at: "),
        ("[backup]\nage_recipient = \"age1x\"", "must be an age recipient"),
        ("[mail]\nfrom = \"office\"", "mail.from: "),
        ("[https]\nemail = \"office\"", "https.email: "),
        ("[metrics]\nlisten = \"0.0.0.0:9464\"", "metrics.allow_remote"),
        ("[log]\nformat = \"xml\"", "format"),
        ("[https]\ndomain = \"https://school.example\"", "https.domain"),
        ("[https]\nredirect_listen = \"80\"", "redirect_listen"),
    ] {
        std::fs::write(&file, text).unwrap();
        let output = run(folder.path(), &["--config", file.to_str().unwrap(), "config", "check"]);
        assert_eq!(output.status.code(), Some(78), "{text}");
        assert!(err(&output).contains(part), "{}", err(&output));
    }
    std::fs::write(
        &file,
        "[https]\ndomain = \"school.example\"\nlisten = \"127.0.0.1:0\"\nredirect_listen = \"\"\n\
        cert_file = \"missing.pem\"\nkey_file = \"missing.key\"",
    )
    .unwrap();
    let output =
        run(folder.path(), &["--config", file.to_str().unwrap(), "serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(output.status.code(), Some(78));
    assert!(err(&output).contains("https.cert_file: reading missing.pem"), "{}", err(&output));
    assert_eq!(run(folder.path(), &["serve", "--nonsense"]).status.code(), Some(2));
    let output = schoolhouse(folder.path())
        .args(["config", "check"])
        .env("SCHOOLHOUSE_SERVER_LISEN", "x")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(78));
    assert!(err(&output).contains("SCHOOLHOUSE_SERVER_LISEN"), "{}", err(&output));
}

#[test]
fn variables_win_over_the_file_and_secrets_are_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    std::fs::write(&file, "[school]\nname = \"From the file\"\n[mail]\npassword = \"hunter22\"").unwrap();
    let output = schoolhouse(folder.path())
        .args(["--config", file.to_str().unwrap(), "config", "show"])
        .env("SCHOOLHOUSE_SCHOOL_NAME", "From the environment")
        .env("SCHOOLHOUSE_LIMITS_LOGINS_PER_MINUTE", "77")
        .output()
        .unwrap();
    let text = out(&output);
    assert!(
        text.contains("name = \"From the environment\"") && text.contains("logins_per_minute = 77"),
        "{text}{}",
        err(&output)
    );
    assert!(!text.contains("hunter22"), "{text}");
}

#[test]
fn published_overrides_are_printed_beside_the_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let show = || {
        let text = out(&schoolhouse(folder.path()).args(["config", "show"]).output().unwrap());
        toml::from_str::<toml::Table>(&text).unwrap();
        text
    };
    let bare = show();
    assert!(!folder.path().join("schoolhouse.db").exists() && !bare.contains("from the office"), "{bare}");
    assert!(run(folder.path(), &["import-courses", CATALOGUE]).status.success());
    assert_eq!(show(), bare, "nothing was published");

    let connection = rusqlite::Connection::open(folder.path().join("schoolhouse.db")).unwrap();
    for (settings, at) in [
        (r#"{"universities": ["Trent"]}"#, "2026-03-01"),
        ("{}", "2026-04-01"),
        (r#"{"universities": ["Brock", "Trent"]}"#, "2026-05-01"),
        (
            r#"{"universities": ["Brock \"2\""], "money": {"eTransfer": "pay@school.example", "dueDays": 10},
                "everyGuardianConfirms": true}"#,
            "2026-06-01",
        ),
    ] {
        let insert =
            "insert into site_versions (settings, published_at) values (?1, unixepoch(?2, '+12 hours'))";
        connection.execute(insert, [settings, at]).unwrap();
    }
    let text = show();
    assert!(text.starts_with(&bare), "{text}");
    let added = &text[bare.len()..];
    assert!(
        added.contains("# school.universities = ['Brock \"2\"'] # from the office since May 1, 2026"),
        "{added}"
    );
    for line in [
        "# money.e_transfer = \"pay@school.example\" # from the office since June 1, 2026",
        "# money.due_days = 10 # from the office since June 1, 2026",
        "# office.every_guardian_confirms = true # from the office since June 1, 2026",
    ] {
        assert!(added.lines().any(|added| added == line), "{added}");
    }
    assert!(!added.contains("school.hours") && !added.contains("money.reminders"), "{added}");
}

#[test]
fn the_example_configuration_is_the_default_one_with_every_key() {
    let text = include_str!("../../../config.example.toml");
    let parsed: schoolhouse::testing::Config = toml::from_str(text).unwrap();
    assert_eq!(parsed, schoolhouse::testing::Config::default());
    let keys = |table: &toml::Table| -> Vec<String> {
        table
            .iter()
            .flat_map(|(section, keys)| {
                keys.as_table().unwrap().keys().map(move |key| format!("{section}.{key}"))
            })
            .collect()
    };
    let shown = keys(&text.parse().unwrap());
    let known = keys(&toml::Table::try_from(schoolhouse::testing::Config::default()).unwrap());
    let missing: Vec<_> = known.iter().filter(|key| !shown.contains(key)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    for commented in [
        "# password_file = ",
        "# ca_file = ",
        "# cert_file = ",
        "# key_file = ",
        "# founded_year = ",
        "# identity_file = ",
    ] {
        assert!(text.contains(commented), "{commented}");
    }
}

#[tokio::test]
async fn a_backup_is_taken_while_the_school_serves() {
    let school = School::open().await;
    let student = school.student().await;
    student.upload("other", "a.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    let output = run(school.path(), &["backup"]);
    assert!(output.status.success(), "{}", err(&output));
    let archive = out(&output).trim().to_owned();
    assert!(Path::new(&archive).starts_with(school.path().join("backups")), "{archive}");
    let decoder = zstd::Decoder::new(std::fs::File::open(&archive).unwrap()).unwrap();
    let mut archive = tar::Archive::new(decoder);
    let names: Vec<_> = archive
        .entries()
        .unwrap()
        .map(|entry| entry.unwrap().path().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names.len(), 4, "{names:?}");
    assert!(
        names.contains(&"manifest.json".to_owned()) && names.contains(&"schoolhouse.db".to_owned()),
        "{names:?}"
    );
}

#[test]
fn a_command_where_no_folder_is_named_begins_no_school() {
    if Path::new("/etc/schoolhouse/config.toml").exists() {
        eprintln!("not tried: this machine has a school of its own");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let type_in = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_schoolhouse"));
        command.args(arguments).current_dir(folder.path()).env_clear().stdin(Stdio::null()).output().unwrap()
    };
    let admin = ["create-admin", "--username", "head", "--email", "head@school.example", "--password-stdin"];
    let needing: [&[&str]; 12] = [
        &admin,
        &["import-courses", CATALOGUE],
        &["import-students", CATALOGUE],
        &["restore", "school.tar.zst"],
        &["mail-test", "head@school.example"],
        &["reset-password", "--username", "head"],
        &["disable-staff", "--username", "head"],
        &["reset-second-factor", "--username", "head"],
        &["list-staff"],
        &["export", "students"],
        &["backup"],
        &["decrypt-documents"],
    ];
    for arguments in needing.iter().chain(&[&["doctor"][..], &["config", "check"], &["config", "show"]]) {
        let output = type_in(arguments);
        assert_eq!(output.status.success(), arguments[0] == "config", "{arguments:?}: {}", err(&output));
        assert!(!err(&output).contains("Working on"), "{arguments:?}: {}", err(&output));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{arguments:?} made something");
    }
    for arguments in needing {
        let output = type_in(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(err(&output).contains("--data-dir DIR"), "{arguments:?}: {}", err(&output));
    }
    // Named, it begins one, and says where; from then on it is the school of this place.
    let begun = type_in(&["--data-dir", "data", "import-courses", CATALOGUE]);
    let said = format!("Working on Northgate Academy in {}/data", folder.path().display());
    assert!(
        begun.status.success() && err(&begun).contains(&format!("{said}, a new school\n")),
        "{}",
        err(&begun)
    );
    for arguments in
        [&["list-staff"][..], &["import-courses", CATALOGUE], &["backup"], &["doctor"], &["config", "show"]]
    {
        let output = type_in(arguments);
        assert!(err(&output).contains(&format!("{said}\n")), "{arguments:?}: {}", err(&output));
    }
}

#[test]
fn a_backup_goes_where_the_configuration_says() {
    let folder = tempfile::tempdir().unwrap();
    let (data, elsewhere) = (folder.path().join("data"), folder.path().join("elsewhere"));
    assert!(run(&data, &["import-courses", CATALOGUE]).status.success());
    let back_up = |arguments: &[&str]| {
        schoolhouse(&data)
            .arg("backup")
            .args(arguments)
            .env("SCHOOLHOUSE_BACKUP_FOLDER", &elsewhere)
            .output()
            .unwrap()
    };
    let refused = back_up(&[]);
    assert!(
        refused.status.code() == Some(1) && err(&refused).contains("is its disk mounted?"),
        "{}",
        err(&refused)
    );
    assert!(!elsewhere.exists(), "it made a folder where a disk belongs");
    std::fs::create_dir(&elsewhere).unwrap();
    let archive = out(&back_up(&[]));
    assert!(Path::new(archive.trim()).starts_with(&elsewhere), "{archive}");
    let named = folder.path().join("named");
    let archive = out(&back_up(&[named.to_str().unwrap()]));
    assert!(Path::new(archive.trim()).starts_with(&named), "what is named goes first: {archive}");
    assert_eq!(std::fs::read_dir(data.join("backups")).unwrap().count(), 0);
}

#[test]
fn a_read_only_disk_is_reported_in_one_sentence() {
    // A file system that only this test sees.
    let script = "mount -t tmpfs tmpfs \"$2\" && \"$1\" --data-dir \"$2/data\" import-courses \"$3\" && \
         mount -o remount,ro \"$2\" && for command in list-staff backup doctor 'serve --listen 127.0.0.1:0' \
         'create-admin --username a --email a@b.example --password-stdin'; do \
         \"$1\" --data-dir \"$2/data\" $command </dev/null; echo \"$?\" >&2; done";
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new("unshare")
        .args(["--mount", "sh", "-c", script, "sh", env!("CARGO_BIN_EXE_schoolhouse")])
        .arg(folder.path())
        .arg(CATALOGUE)
        .env_clear()
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .output()
        .unwrap();
    if !out(&output).contains("158 added") {
        eprintln!("not tried: no file system can be mounted here: {}", err(&output));
        return;
    }
    let sentence = format!("the disk of {}/data is mounted read-only", folder.path().display());
    let said = err(&output);
    let answers: Vec<&str> = said.lines().filter(|line| line.starts_with("error: ")).collect();
    // The doctor says it among its findings.
    assert_eq!(answers.len(), 5, "{said}");
    assert_eq!(answers.iter().filter(|answer| answer.contains(&sentence)).count(), 4, "{said}");
    assert!(answers.iter().all(|answer| !answer.contains("os error")), "{said}");
    assert!(out(&output).contains(&format!("PROBLEM  Disk            {sentence}")), "{}", out(&output));
}

#[test]
fn a_folder_whose_disk_is_not_mounted_gets_no_archive() {
    // A disk that only this test sees. First the folder is on it, then it is not, then the operator says so.
    let script = "mkdir \"$2/disk\" && mount -t tmpfs tmpfs \"$2/disk\" || exit 9
        school() { \"$program\" --data-dir \"$folder/data\" \"$@\"; echo \"status $?\"; }
        program=$1 folder=$2; export SCHOOLHOUSE_BACKUP_FOLDER=\"$2/disk\"
        school import-courses \"$3\"; school backup; school doctor; umount \"$2/disk\"
        school backup; school backup \"$2/disk\"; ls \"$2/disk\" | wc -l; school doctor
        school backup --same-disk; school backup; school doctor";
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new("unshare")
        .args(["--mount", "sh", "-c", script, "sh", env!("CARGO_BIN_EXE_schoolhouse")])
        .arg(folder.path())
        .arg(CATALOGUE)
        .env_clear()
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .output()
        .unwrap();
    let said = out(&output);
    if !said.contains("158 added") {
        eprintln!("not tried: no file system can be mounted here: {}", err(&output));
        return;
    }
    let statuses: Vec<_> = said.lines().filter_map(|line| line.strip_prefix("status ")).collect();
    assert_eq!([&statuses[1], &statuses[3], &statuses[4]], [&"0", &"1", &"1"], "{said}");
    assert_eq!([&statuses[6], &statuses[7]], [&"0", &"0"], "{said}{}", err(&output));
    let disk = folder.path().join("disk");
    let findings: Vec<_> = said.lines().filter(|line| line.contains(" Backup folder ")).collect();
    assert_eq!(findings.len(), 3, "{said}");
    assert!(
        findings[0].starts_with("ok ") && findings[0].ends_with("on a disk of its own"),
        "{}",
        findings[0]
    );
    assert!(
        findings[1].starts_with("PROBLEM") && findings[1].ends_with("is its disk mounted?"),
        "{}",
        findings[1]
    );
    assert!(findings[2].starts_with("warning") && findings[2].contains("went elsewhere"), "{}", findings[2]);
    assert!(said.contains("PROBLEM  Backup          the last attempt failed"), "{said}");
    assert!(said.lines().any(|line| line.trim() == "0"), "nothing was written to the system's disk: {said}");
    let refusal = format!("{} is on the system's disk now", disk.canonicalize().unwrap().display());
    assert_eq!(err(&output).matches(&refusal).count(), 2, "{}", err(&output));
}

#[tokio::test]
async fn a_school_opens_in_an_evening() {
    let folder = tempfile::tempdir().unwrap();
    assert!(run(folder.path(), &["import-courses", CATALOGUE]).status.success());
    let mut child = schoolhouse(folder.path())
        .args(["create-admin", "--username", "head", "--email", "head@school.example", "--password-stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(PASSWORD.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());

    let program = Program::serve(folder.path(), &[]);
    let (student, staff) = (Actor::new(&program.address), Actor::new(&program.address));
    student.register("new@mail.example").await;
    let mail = wait_for(|| read_spool(&folder.path().join("mail")).pop()).await;
    let token = mail.token(&format!("{}/student/verify/", program.address));
    student.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
    student.log_in("new@mail.example", PASSWORD).await.expect(StatusCode::OK);
    student.patch("/api/students/me", &profile("new@mail.example")).await.expect(StatusCode::OK);
    student.upload("transcript", "transcript.pdf", PDF.to_vec()).await.expect(StatusCode::CREATED);
    let courses = student.get("/api/courses").await.expect(StatusCode::OK).json();
    let course = courses.as_array().unwrap().iter().find(|course| course["code"] == "ENG4U").unwrap().clone();
    let enrollment = student.enroll(course["id"].as_i64().unwrap()).await.expect(StatusCode::CREATED).json();

    let body = json!({ "username": "head", "password": PASSWORD });
    staff.post("/api/login", &body).await.expect(StatusCode::OK);
    let approve = format!("/api/admin/enrollments/{}/approve", enrollment["id"]);
    staff.post(&approve, &json!({})).await.expect(StatusCode::OK);
    assert_eq!(student.get("/api/students/enrollments").await.json()[0]["status"], "active");
    let figures = staff.get("/api/admin/dashboard").await.json();
    assert_eq!(figures["pendingEnrollmentsCount"], 0);
    assert_eq!(figures["approvedEnrollmentsCount"], 1);
    assert_eq!(figures["totalFeeDue"], course["price"]);
}

#[test]
fn the_demo_prints_who_may_log_in_with_new_passwords_each_time() {
    let passwords = || {
        let mut child = schoolhouse(Path::new("unused"))
            .args(["serve", "--demo", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let found: Vec<String> = lines
            .by_ref()
            .take_while(|line| !line.contains("thrown away"))
            .filter(|line| line.contains("amara.okonkwo") || line.trim_start().starts_with("office"))
            .map(|line| line.split_whitespace().last().unwrap().to_owned())
            .collect();
        rustix::process::kill_process(
            rustix::process::Pid::from_child(&child),
            rustix::process::Signal::TERM,
        )
        .unwrap();
        assert!(child.wait().unwrap().success());
        found
    };
    let (first, second) = (passwords(), passwords());
    assert_eq!((first.len(), second.len()), (2, 2));
    assert!(first.iter().all(|password| password.len() == 20 && !second.contains(password)));
}

#[test]
fn health_says_whether_the_server_answers() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let ask = |more: &[&str]| run(&data, &[&["health"], more].concat());
    let program = Program::serve(&data, &[]);
    let address = program.address.strip_prefix("http://").unwrap().to_owned();
    for more in [&[][..], &["--listen", &address]] {
        let said = ask(more);
        assert!(said.status.success(), "{}", err(&said));
        assert_eq!(out(&said).trim(), format!("{address} answers"));
    }
    drop(program);
    let said = ask(&["--listen", &address]);
    assert_eq!(said.status.code(), Some(1));
    assert!(err(&said).contains("does not answer"), "{}", err(&said));
    // It begins no school where there is none.
    let nowhere = folder.path().join("nowhere");
    assert_eq!(run(&nowhere, &["health", "--listen", &address]).status.code(), Some(1));
    assert!(!nowhere.exists());
}

#[test]
fn as_many_files_as_connections_may_be_open_whatever_the_shell_allows() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -S -n 256; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_schoolhouse"), "--data-dir"])
        .arg(folder.path())
        .args(["serve", "--listen", "127.0.0.1:0"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    lines.find(|line| line.contains(" on http://")).unwrap();
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap();
    let open = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let soft: u64 = open.split_whitespace().nth(3).unwrap().parse().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(soft > 1024, "{open}");
}

#[test]
fn bash_completes_commands_and_options_whatever_the_configuration() {
    let source = format!("source <({} completions bash)", env!("CARGO_BIN_EXE_schoolhouse"));
    let complete = |words: &str, typed: &str, after: &str| {
        let script = format!(
            "{source}; COMP_WORDS=({words} {typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _schoolhouse schoolhouse {typed} {after}; echo \"${{COMPREPLY[@]}}\""
        );
        let mut bash = Command::new("bash");
        out(&bash.args(["-c", &script]).env("SCHOOLHOUSE_CONFIG", "/nowhere.toml").output().unwrap())
    };
    assert_eq!(complete("schoolhouse", "import-c", "schoolhouse"), "import-courses\n");
    assert_eq!(complete("schoolhouse backup", "--re", "backup"), "--recipient\n");
    assert_eq!(complete("schoolhouse config", "ch", "config"), "check\n");
}

#[tokio::test]
async fn students_are_imported_and_every_list_leaves_as_a_sheet() {
    let school = School::open().await;
    let staff = school.staff().await;
    school.course(&staff, "ENG4U", json!(500)).await;
    let file = school.path().join("students.csv");
    let write = |text: &str| std::fs::write(&file, text).unwrap();
    let import =
        |more: &[&str]| run(school.path(), &[&["import-students", file.to_str().unwrap()], more].concat());
    write("email,fullName\njane@mail.example,\u{200B}\nzoe,Zoe\n");
    let refused = import(&[]);
    assert_eq!(refused.status.code(), Some(1));
    for part in ["was not imported", "line 2, fullName: Full name is required", "line 3, email: Please enter"]
    {
        assert!(err(&refused).contains(part), "{part} is missing in: {}", err(&refused));
    }
    write("email,fullName\njane@mail.example,Jane Doe\n");
    assert_eq!(out(&import(&["--dry-run"])), "1 would be added, 0 would be updated, 0 unchanged\n");
    assert_eq!(out(&import(&[])), "1 added, 0 updated, 0 unchanged\n");
    assert_eq!(out(&import(&[])), "0 added, 0 updated, 1 unchanged\n");
    assert_eq!(staff.get("/api/admin/students?q=jane").await.json()[0]["fullName"], "Jane Doe");
    for list in [
        "students",
        "enrollments",
        "external-credits",
        "courses",
        "documents",
        "messages",
        "admission-requests",
        "mail",
    ] {
        let sheet = run(school.path(), &["export", list]);
        assert!(sheet.status.success() && out(&sheet).starts_with('\u{feff}'), "{list}: {}", err(&sheet));
    }
    let target = school.path().join("out.csv");
    let export = || run(school.path(), &["export", "students", target.to_str().unwrap()]);
    assert!(export().status.success());
    assert!(std::fs::read_to_string(&target).unwrap().contains("Jane Doe"));
    assert_eq!(export().status.code(), Some(1), "a file that is there is not written over");
    // What left can come back.
    let courses = school.path().join("courses.csv");
    run(school.path(), &["export", "courses", courses.to_str().unwrap()]);
    let again = run(school.path(), &["import-courses", courses.to_str().unwrap()]);
    assert_eq!(out(&again), "0 added, 0 updated, 1 unchanged\n", "{}", err(&again));
    let again = run(school.path(), &["import-students", target.to_str().unwrap()]);
    assert_eq!(out(&again), "0 added, 0 updated, 1 unchanged\n", "{}", err(&again));
}
