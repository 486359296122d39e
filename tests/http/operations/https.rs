//! Automatic HTTPS: certificates from a real authority, checked by real clients.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use jiff::SignedDuration;
use reqwest::header::HOST;
use reqwest::{StatusCode, Version};
use schoolhouse::testing::https::{self, CertificateState};

use crate::support::pebble::{DOMAIN, Pebble};
use crate::support::{Actor, School, browser, eventually, free_port, wait_for};

async fn open(pebble: &Pebble) -> School {
    School::open_with(|config| config.https = pebble.settings()).await
}

fn state(school: &School) -> CertificateState {
    https::state(&school.app().config.https, &school.app().data_dir).unwrap().unwrap()
}

/// Waits until there is a certificate, and it is in use: the record is written last.
async fn certificate(school: &School) -> https::CertificateFacts {
    wait_for(|| state(school).certificate.filter(|_| school.path().join("https/record.json").exists())).await
}

fn record(school: &School) -> https::RenewalRecord {
    https::record(&school.app().data_dir)
}

async fn failure(school: &School, attempts: u32) -> https::RenewalFailure {
    wait_for(|| record(school).failure.filter(|failure| failure.attempts >= attempts)).await
}

/// How many authorities the server has an account with.
fn accounts(school: &School) -> usize {
    let files = std::fs::read_dir(school.path().join("https")).unwrap().map(Result::unwrap);
    files.filter(|file| file.file_name().to_str().unwrap().starts_with("account-")).count()
}

/// A visitor who uses the school's name, with a browser that trusts the authority.
async fn visitor(pebble: &Pebble, port: u16) -> Actor {
    visitor_of(DOMAIN, pebble, port).await
}

async fn visitor_of(name: &str, pebble: &Pebble, port: u16) -> Actor {
    let browser = browser()
        .tls_certs_only([pebble.root().await])
        .resolve(name, SocketAddr::from(([127, 0, 0, 1], port)))
        .redirect(reqwest::redirect::Policy::none());
    let scheme = if port == pebble.http_port { "http" } else { "https" };
    Actor::with(browser, &format!("{scheme}://{name}:{port}"))
}

#[tokio::test]
async fn a_first_certificate_is_tried_ordered_and_kept_for_the_next_start() {
    let (mut pebble, mut stage) = (Pebble::start(), Pebble::start());
    stage.tls_port = pebble.tls_port;
    stage.http_port = pebble.http_port;
    stage.restart();
    let school = School::open_with(|config| {
        config.https = pebble.settings();
        config.https.staging_directory = stage.directory();
        // One file can vouch for both.
        let both = config.https.ca_file.clone().unwrap();
        let text = std::fs::read_to_string(&both).unwrap();
        let more = std::fs::read_to_string(stage.settings().ca_file.unwrap()).unwrap();
        std::fs::write(&both, text + &more).unwrap();
    })
    .await;
    let facts = certificate(&school).await;
    assert_eq!(facts.names, [DOMAIN]);
    assert_eq!(record(&school), https::RenewalRecord::default());

    let visitor = visitor(&pebble, pebble.tls_port).await;
    let answer = visitor.send(visitor.request("GET", "/healthz")).await.expect(StatusCode::OK);
    assert_eq!(answer.header("strict-transport-security"), "max-age=31536000");
    // The loopback address goes on answering, for checks from the machine itself.
    school.visitor().get("/healthz").await.expect(StatusCode::OK);

    let folder = school.path().join("https");
    assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    for entry in std::fs::read_dir(&folder).unwrap().map(Result::unwrap) {
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{entry:?}");
    }
    assert_eq!(accounts(&school), 2);

    pebble.stop();
    stage.stop();
    let school = school.reopen().await;
    visitor.get("/healthz").await.expect(StatusCode::OK);
    assert_eq!((certificate(&school).await, record(&school).failure), (facts, None));
}

#[tokio::test]
async fn browsers_get_http2_or_http1_and_secure_cookies() {
    let pebble = Pebble::start();
    let school = open(&pebble).await;
    certificate(&school).await;
    school.hire("head", schoolhouse::testing::Role::Admin).await;
    let address = SocketAddr::from(([127, 0, 0, 1], pebble.tls_port));
    for version in [Version::HTTP_2, Version::HTTP_11] {
        let mut browser =
            browser().tls_certs_only([pebble.root().await]).resolve(DOMAIN, address).https_only(true);
        if version == Version::HTTP_11 {
            browser = browser.http1_only();
        }
        let base = format!("https://{DOMAIN}:{}", pebble.tls_port);
        let browser = browser.build().unwrap();
        let answer = browser.get(format!("{base}/")).send().await.unwrap();
        assert_eq!((answer.status(), answer.version()), (StatusCode::OK, version));
        let body = serde_json::json!({ "username": "head", "password": crate::support::PASSWORD });
        // A page of this school, by a browser too old to say more than where it comes from.
        let answer = browser
            .post(format!("{base}/api/login"))
            .header("origin", format!("https://{DOMAIN}"))
            .json(&body)
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        let cookie = answer.headers()["set-cookie"].to_str().unwrap();
        assert!(cookie.starts_with("__Host-schoolhouse_") && cookie.contains("Secure"), "{cookie}");
        let user = browser.get(format!("{base}/api/user")).send().await.unwrap();
        assert_eq!(user.status(), StatusCode::OK);
    }
}

#[tokio::test]
async fn plain_http_leads_to_the_domain_and_nowhere_else() {
    let pebble = Pebble::start();
    let school = School::open_with(|config| {
        config.https = pebble.settings();
        config.https.aliases = vec!["www.school.example".into()];
    })
    .await;
    certificate(&school).await;
    let visitor = visitor(&pebble, pebble.http_port).await;
    for (host, status) in [
        (DOMAIN, 308),
        ("school.example:80", 308),
        ("www.school.example", 308),
        ("192.0.2.7", 308),
        ("evil.example", 421),
        ("school.example.evil.example", 421),
    ] {
        let request = visitor.request("POST", "/courses?grade=12").header(HOST, host);
        let answer = visitor.send(request).await;
        assert_eq!(answer.status.as_u16(), status, "{host}");
        let place = if status == 308 { "https://school.example/courses?grade=12" } else { "" };
        assert_eq!(answer.header("location"), place, "{host}");
    }
    visitor.get("/.well-known/acme-challenge/unknown").await.expect(StatusCode::NOT_FOUND);
    let alias = visitor_of("www.school.example", &pebble, pebble.tls_port).await;
    let answer = alias.get("/about?x=1").await.expect(StatusCode::PERMANENT_REDIRECT);
    assert_eq!(answer.header("location"), "https://school.example/about?x=1");
}

#[tokio::test]
async fn a_renewed_certificate_is_shown_to_the_next_visitor_and_breaks_no_connection() {
    let mut pebble = Pebble::start();
    let school = open(&pebble).await;
    let first = certificate(&school).await;
    let early = visitor(&pebble, pebble.tls_port).await;
    early.get("/healthz").await.expect(StatusCode::OK);

    // A little too early nothing happens; and an authority that lost our account gets a new one.
    pebble.restart();
    let until_renewal = first.renew_at().duration_since(school.clock.now());
    school.advance(until_renewal - SignedDuration::from_secs(1));
    school.check_certificate();
    school.advance(SignedDuration::from_secs(1));
    school.check_certificate();
    // The authority has a new root since: a client that trusts only that one is served with the new certificate.
    let late = visitor(&pebble, pebble.tls_port).await;
    let answer = eventually(async || late.attempt(late.request("GET", "/healthz")).await.ok()).await;
    answer.expect(StatusCode::OK);
    assert_ne!(first.mark, certificate(&school).await.mark);
    // The early one trusts the old root alone: only its old connection can carry this.
    early.get("/healthz").await.expect(StatusCode::OK);
}

#[tokio::test]
async fn an_unreachable_authority_only_causes_a_daily_email_near_expiry() {
    let mut pebble = Pebble::start();
    let school = open(&pebble).await;
    school.hire("head", schoolhouse::testing::Role::Admin).await;
    school.hire("colleague", schoolhouse::testing::Role::Viewer).await;
    let facts = certificate(&school).await;
    let visitor = visitor(&pebble, pebble.tls_port).await;
    visitor.get("/healthz").await.expect(StatusCode::OK);
    pebble.stop();

    let look_at = async |left: SignedDuration, attempts: u32| {
        let now = school.clock.now();
        school.advance(facts.not_after.duration_since(now) - left);
        school.check_certificate();
        failure(&school, attempts).await
    };
    let days = |days: i64| SignedDuration::from_hours(24 * days);
    let first = look_at(days(20), 1).await;
    assert!(first.reason.contains("could not be reached"), "{}", first.reason);
    let mails = school.all_mails().await;
    assert!(mails.is_empty(), "20 days are left: {mails:?}");
    let warned = |count: usize| {
        let school = &school;
        wait_for(move || {
            let sql = "select count(*) from outbox where subject like '%certificate%' and state = 'sent'";
            (usize::try_from(school.count(sql)).unwrap() == count).then_some(())
        })
    };
    look_at(days(13), 2).await;
    warned(1).await;
    let mail = school.mail("head@school.example", "The website's certificate is about to expire").await;
    assert!(mail.text.contains("could not be reached") && mail.text.contains("expires on"), "{}", mail.text);
    look_at(days(13) - SignedDuration::from_hours(20), 3).await;
    look_at(days(12), 4).await;
    warned(2).await;
    let last = look_at(-SignedDuration::from_hours(1), 5).await;
    warned(3).await;
    school.mail("head@school.example", "The website's certificate has expired").await;
    assert_eq!((last.since, last.attempts), (first.since, 5));
    visitor.get("/healthz").await.expect(StatusCode::OK);
}

#[tokio::test]
async fn a_fast_clock_is_reported_and_does_not_exhaust_the_authoritys_limits() {
    let pebble = Pebble::start();
    let school = open(&pebble).await;
    let facts = certificate(&school).await;
    school.advance(facts.not_after.duration_since(school.clock.now()));
    school.check_certificate();
    let problem = failure(&school, 1).await.reason;
    assert!(problem.contains("correct the clock"), "{problem}");
    let second = certificate(&school).await;
    assert_ne!(second, facts);
    school.advance(SignedDuration::from_secs(59));
    school.check_certificate();
    visitor(&pebble, pebble.tls_port).await.get("/healthz").await.expect(StatusCode::OK);
    assert_eq!(certificate(&school).await, second);
}

#[tokio::test]
async fn before_the_first_certificate_people_read_why_and_the_log_says_what_to_do() {
    let (pebble, stage) = (Pebble::start(), Pebble::start());
    stage.lead(false).await;
    let school = School::open_with(|config| {
        config.https = pebble.settings();
        config.https.staging_directory = stage.directory();
        config.https.ca_file = stage.settings().ca_file;
    })
    .await;
    let problem = failure(&school, 1).await;
    assert!(problem.reason.contains("school.example does not resolve"), "{}", problem.reason);
    assert!(problem.reason.contains("add an A record"), "{}", problem.reason);
    let visitor = visitor(&pebble, pebble.http_port).await;
    let answer = visitor.get("/").await.expect(StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.text().contains("waiting for its certificate") && !answer.text().contains("A record"));
    assert_eq!(answer.header("retry-after"), "60");
    school.visitor().get("/healthz").await.expect(StatusCode::OK);
    // The real authority was not bothered: there is no account with it.
    assert_eq!(accounts(&school), 1);

    // The next attempt waits a minute, then two.
    school.check_certificate();
    school.advance(SignedDuration::from_secs(59));
    school.check_certificate();
    school.advance(SignedDuration::from_secs(1));
    school.check_certificate();
    failure(&school, 2).await;
    school.advance(SignedDuration::from_secs(119));
    school.check_certificate();
    visitor.get("/").await;
    assert_eq!(failure(&school, 2).await.attempts, 2);
}

#[tokio::test]
async fn a_repaired_name_is_found_at_the_next_attempt() {
    let pebble = Pebble::start();
    pebble.lead(false).await;
    let school = open(&pebble).await;
    failure(&school, 1).await;
    pebble.lead(true).await;
    school.advance(SignedDuration::from_secs(60));
    school.check_certificate();
    certificate(&school).await;
    wait_for(|| (record(&school) == https::RenewalRecord::default()).then_some(())).await;
    visitor(&pebble, pebble.tls_port).await.get("/healthz").await.expect(StatusCode::OK);
}

#[tokio::test]
async fn port_80_proves_what_port_443_cannot_and_a_closed_door_is_named() {
    let mut pebble = Pebble::start();
    // As behind a firewall: what the authority finds on 443 is not this program.
    let open_port = std::mem::replace(&mut pebble.tls_port, free_port());
    pebble.restart();
    pebble.tls_port = open_port;
    let school = open(&pebble).await;
    certificate(&school).await;
    visitor(&pebble, pebble.tls_port).await.get("/healthz").await.expect(StatusCode::OK);

    let school = School::open_with(|config| {
        config.https = pebble.settings();
        config.https.listen.set_port(0);
        config.https.redirect_listen = None;
    })
    .await;
    let problem = failure(&school, 1).await.reason;
    assert!(problem.contains("could not connect to port 443") && problem.contains("firewall"), "{problem}");
}

/// A certificate in files, as another program would leave it.
pub struct Files {
    folder: tempfile::TempDir,
    pub port: u16,
}

impl Files {
    pub fn write() -> Self {
        let files = Self { folder: tempfile::tempdir().unwrap(), port: free_port() };
        let (_, key) = files.renew();
        files.renew_key(&key);
        files
    }

    /// Writes another certificate and returns it, with its key that is yet to be written.
    pub fn renew(&self) -> (reqwest::Certificate, String) {
        let key = rcgen::KeyPair::generate().unwrap();
        let params = rcgen::CertificateParams::new(vec![DOMAIN.to_owned()]).unwrap();
        std::fs::write(self.certificate(), params.self_signed(&key).unwrap().pem()).unwrap();
        (self.root(), key.serialize_pem())
    }

    pub fn renew_key(&self, key: &str) {
        std::fs::write(self.key(), key).unwrap();
    }

    pub fn certificate(&self) -> PathBuf {
        self.folder.path().join("a.pem")
    }

    pub fn key(&self) -> PathBuf {
        self.folder.path().join("a.key")
    }

    pub fn root(&self) -> reqwest::Certificate {
        let pem = std::fs::read(self.certificate()).unwrap();
        reqwest::Certificate::from_pem(&pem).unwrap()
    }

    pub fn settings(&self) -> schoolhouse::testing::Https {
        schoolhouse::testing::Https {
            domain: DOMAIN.into(),
            listen: SocketAddr::from(([127, 0, 0, 1], self.port)),
            redirect_listen: None,
            cert_file: Some(self.certificate()),
            key_file: Some(self.key()),
            // No server there: a request would fail.
            directory: "https://127.0.0.1:9/".into(),
            ..schoolhouse::testing::Https::default()
        }
    }

    /// A client that trusts this certificate.
    pub fn visitor(&self, root: &reqwest::Certificate) -> reqwest::Client {
        let address = SocketAddr::from(([127, 0, 0, 1], self.port));
        browser().tls_certs_only([root.clone()]).resolve(DOMAIN, address).build().unwrap()
    }

    pub fn url(&self, path: &str) -> String {
        format!("https://{DOMAIN}:{}{path}", self.port)
    }
}

#[tokio::test]
async fn certificate_files_are_used_instead_and_noticed_when_they_change() {
    let files = Files::write();
    let first = files.root();
    let school = School::open_with(|config| config.https = files.settings()).await;
    let trusts = async |root| files.visitor(root).get(files.url("/healthz")).send().await.is_ok();
    assert!(trusts(&first).await);
    let (second, key) = files.renew();
    school.check_certificate();
    let problem = failure(&school, 1).await.reason;
    assert!(problem.contains("does not belong"), "{problem}");
    assert!(trusts(&first).await && !trusts(&second).await, "half replaced, the one before stays in use");
    files.renew_key(&key);
    school.check_certificate();
    wait_for(|| record(&school).failure.is_none().then_some(())).await;
    assert!(trusts(&second).await && !trusts(&first).await);
}

#[tokio::test]
async fn an_authority_that_mislays_every_third_message_is_asked_until_it_answers() {
    let pebble = Pebble::start_losing(33);
    let school = open(&pebble).await;
    wait_for(|| {
        school.advance(SignedDuration::from_hours(6));
        school.check_certificate();
        state(&school).certificate
    })
    .await;
}
