//! The school that is attacked: the real binary on a fresh folder, its people, and its endpoints.

use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

use reqwest::StatusCode;
use rusqlite::Connection;
use schoolhouse::testing::openapi;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Actor, Mail, PASSWORD, Program, browser, profile, read_spool, wait_for};

/// Limits that let the other attacks through: each attack is about one thing.
const OPEN: &[(&str, &str)] = &[
    ("SCHOOLHOUSE_LIMITS_LOGINS_PER_MINUTE", "1000000"),
    ("SCHOOLHOUSE_LIMITS_FAILED_LOGINS_PER_SITE_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_LIMITS_FAILED_LOGINS_IN_ALL_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_LIMITS_WRONG_PASSWORDS_PER_ACCOUNT_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_LIMITS_WRONG_PASSWORDS", "1000000"),
    ("SCHOOLHOUSE_LIMITS_CONTACTS_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_LIMITS_CONTACTS_PER_BLOCK_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_LIMITS_UPLOADS_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_LIMITS_UPLOADS_PER_BLOCK_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_LIMITS_PASSWORD_RESETS_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_LIMITS_LINKS_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_LIMITS_LINKS_PER_BLOCK_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_MAIL_RECIPIENT_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_MAIL_RECIPIENT_PER_DAY", "1000000"),
    ("SCHOOLHOUSE_MAIL_RECIPIENT_IN_ALL_PER_DAY", "1000000"),
    ("SCHOOLHOUSE_MAIL_ACCOUNT_PER_DAY", "1000000"),
    ("SCHOOLHOUSE_MAIL_STRANGERS_PER_DAY", "1000000"),
    ("SCHOOLHOUSE_MAIL_OFFICE_COPIES_PER_HOUR", "1000000"),
];

/// What every school here has: room to make its people in, no wait before an email of a decision.
const ALWAYS: &[(&str, &str)] = &[
    ("SCHOOLHOUSE_LIMITS_REGISTRATIONS_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_LIMITS_REGISTRATIONS_PER_BLOCK_PER_HOUR", "1000000"),
    ("SCHOOLHOUSE_OFFICE_UNDO_SECONDS", "0"),
    ("SCHOOLHOUSE_SERVER_DISK_RESERVE_MB", "1"),
    ("SCHOOLHOUSE_LOG", "error,schoolhouse::server::run=info"),
];

pub struct Target {
    folder: TempDir,
    pub program: Program,
}

impl Target {
    /// A school whose limits are out of the way.
    pub async fn open() -> Self {
        Self::start(OPEN).await
    }

    /// A school with the limits of the configuration.
    pub async fn limited() -> Self {
        Self::start(&[]).await
    }

    pub async fn start(settings: &[(&'static str, &'static str)]) -> Self {
        let settings: Vec<_> = ALWAYS.iter().chain(settings).copied().collect();
        // Beside the attacks, whose connections would else wait for it.
        tokio::task::spawn_blocking(move || Self::begin(&settings)).await.unwrap()
    }

    fn begin(settings: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut office = Command::new(env!("CARGO_BIN_EXE_schoolhouse"));
        office.arg("--data-dir").arg(folder.path()).env_clear().args([
            "create-admin",
            "--username",
            "office",
            "--email",
            "office@school.example",
            "--password-stdin",
        ]);
        let mut child =
            office.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(PASSWORD.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
        let program = Program::serve(folder.path(), settings);
        Self { folder, program }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn address(&self) -> SocketAddr {
        self.program.address.trim_start_matches("http://").parse().unwrap()
    }

    pub fn database(&self) -> Connection {
        Connection::open(self.folder.path().join("schoolhouse.db")).unwrap()
    }

    pub fn count(&self, sql: &str) -> i64 {
        self.database().query_row(sql, [], |row| row.get(0)).unwrap()
    }

    pub fn visitor(&self) -> Actor {
        Actor::with(patient(), &self.program.address)
    }

    /// A visitor with a separate address: on Linux all of 127.0.0.0/8 is this machine.
    pub fn visitor_at(&self, number: u32) -> Actor {
        let address = Ipv4Addr::from_bits(Ipv4Addr::new(127, 3, 0, 1).to_bits() + number);
        Actor::with(patient().local_address(IpAddr::from(address)), &self.program.address)
    }

    pub async fn office(&self) -> Actor {
        self.staff("office").await
    }

    pub async fn staff(&self, username: &str) -> Actor {
        let actor = self.visitor();
        let body = json!({ "username": username, "password": PASSWORD });
        actor.post("/api/login", &body).await.expect(StatusCode::OK);
        actor
    }

    /// A colleague of this role, invited by the office and logged in; called as the role.
    pub async fn hire(&self, office: &Actor, role: &str) -> Actor {
        let email = format!("{role}@school.example");
        let form = json!({ "email": email, "fullName": "Noor Haddad", "role": role });
        office.post("/api/admin/staff/invitations", &form).await.expect(StatusCode::CREATED);
        let token = self.mail(&email, "/admin/invitation/").await.token("/admin/invitation/");
        let form = json!({ "username": role, "password": PASSWORD, "confirmPassword": PASSWORD });
        let path = format!("/api/staff/invitations/{token}");
        self.visitor().post(&path, &form).await.expect(StatusCode::CREATED);
        self.staff(role).await
    }

    /// A verified student with a complete profile, logged in; and the number of the account.
    pub async fn student(&self, name: &str) -> (Actor, i64) {
        let (actor, email) = (self.visitor(), format!("{name}@mail.example"));
        actor.register(&email).await;
        let token = self.mail(&email, "/student/verify/").await.token("/student/verify/");
        actor.get(&format!("/api/students/verify/{token}")).await.expect(StatusCode::OK);
        let body = actor.log_in(&email, PASSWORD).await.expect(StatusCode::OK).json();
        actor.patch("/api/students/me", &profile(&email)).await.expect(StatusCode::OK);
        (actor, body["student"]["id"].as_i64().unwrap())
    }

    /// A guardian of a student, who opened the link to the family page.
    pub async fn guardian(&self, student: &Actor) -> Actor {
        let (actor, email) = (self.visitor(), "chidi@mail.example");
        let guardians = json!([{ "name": "Chidi Okonkwo", "email": email }]);
        let put = student.request("PUT", "/api/students/guardians").json(&guardians);
        student.send(put).await.expect(StatusCode::OK);
        actor.post("/api/family/link", &json!({ "email": email })).await.expect(StatusCode::OK);
        let token = self.mail(email, "/family/").await.token("/family/");
        actor.post("/api/family/session", &json!({ "token": token })).await.expect(StatusCode::OK);
        actor
    }

    pub async fn course(&self, office: &Actor, code: &str) -> i64 {
        let body = json!({ "code": code, "name": "A course", "description": "What it is about.", "grade": 12,
            "courseType": "University", "price": 500, "capacity": 1 });
        let made = office.post("/api/admin/courses", &body).await.expect(StatusCode::CREATED).json();
        made["id"].as_i64().unwrap()
    }

    /// The newest email to an address whose text contains this.
    pub async fn mail(&self, to: &str, part: &str) -> Mail {
        let fits = |mail: &Mail| mail.to == to && mail.text.contains(part);
        wait_for(|| self.mails().into_iter().rev().find(fits)).await
    }

    /// Every email so far.
    pub fn mails(&self) -> Vec<Mail> {
        read_spool(&self.path().join("mail"))
    }

    /// Every email, once nothing is left to be sent.
    pub async fn all_mails(&self) -> Vec<Mail> {
        let due = "select (select count(*) from account_requests) + (select count(*) from staff_requests)
            + (select count(*) from outbox where state = 'queued')";
        wait_for(|| (self.count(due) == 0).then(|| self.mails())).await
    }

    /// Whether the server is there and well.
    pub async fn is_well(&self) -> bool {
        let visitor = self.visitor();
        let answer = visitor.attempt(visitor.request("GET", "/readyz")).await;
        answer.is_ok_and(|answer| answer.status == StatusCode::OK)
    }
}

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::to_value(openapi()).unwrap());

/// A browser that opens a new connection before the server ends an idle one, which is after ten seconds: a
/// request that is sent at that moment has no answer.
fn patient() -> reqwest::ClientBuilder {
    browser().pool_idle_timeout(Duration::from_secs(3))
}

/// An endpoint of the OpenAPI document.
pub struct Endpoint {
    pub method: String,
    /// With its placeholders.
    pub template: String,
    pub operation: Value,
}

impl Endpoint {
    /// Its address, with this for every placeholder.
    pub fn path(&self, id: &str) -> String {
        let (mut path, mut rest) = (String::new(), self.template.as_str());
        while let Some((before, after)) = rest.split_once('{') {
            path.extend([before, id]);
            rest = after.split_once('}').unwrap().1;
        }
        path + rest
    }

    pub fn is_get(&self) -> bool {
        self.method == "GET"
    }

    /// The admitted portals; empty means all.
    pub fn portals(&self) -> Vec<&str> {
        let ways = self.operation["security"].as_array().into_iter().flatten();
        ways.filter_map(|way| way.as_object()?.keys().next().map(String::as_str)).collect()
    }

    /// The names of what may stand behind the question mark.
    pub fn queries(&self) -> Vec<&str> {
        let parameters = self.operation["parameters"].as_array().into_iter().flatten();
        parameters.filter(|one| one["in"] == "query").filter_map(|one| one["name"].as_str()).collect()
    }
}

/// Every endpoint, but those that end the caller's own session.
pub fn endpoints() -> Vec<Endpoint> {
    let mut found = Vec::new();
    for (template, item) in DOCUMENT["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let method = method.to_uppercase();
            let ends_own = method == "DELETE" && template.ends_with("/sessions");
            if !ends_own && !template.ends_with("/logout") {
                found.push(Endpoint { method, template: template.clone(), operation: operation.clone() });
            }
        }
    }
    assert!(found.len() > 100, "the endpoints were found");
    found
}

/// A body for an endpoint with this in every field that is a text, and something fitting in the others;
/// none where it takes no JSON.
pub fn body(endpoint: &Endpoint, text: &str) -> Option<Value> {
    let schema = &endpoint.operation["requestBody"]["content"]["application/json"]["schema"];
    (!schema.is_null()).then(|| sample(schema, text))
}

fn sample(schema: &Value, text: &str) -> Value {
    if let Some(pointer) = schema["$ref"].as_str() {
        return sample(DOCUMENT.pointer(pointer.trim_start_matches('#')).unwrap(), text);
    }
    for several in ["oneOf", "anyOf", "allOf"] {
        if let Some(first) = schema[several].as_array().and_then(|all| all.first()) {
            return sample(first, text);
        }
    }
    if let Some(word) = schema["enum"].as_array().and_then(|words| words.first()) {
        return word.clone();
    }
    let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str());
    match kind {
        Some("object") => {
            let fields = schema["properties"].as_object().into_iter().flatten();
            fields.map(|(name, field)| (name.clone(), sample(field, text))).collect()
        }
        Some("array") => json!([sample(&schema["items"], text)]),
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        _ => json!(text),
    }
}
