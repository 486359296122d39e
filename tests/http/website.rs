//! Page shells, embedded files, and what search engines read.

mod link_picture;
mod searches;

use std::io::Read;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::{Actor, School, browser};

fn boot(html: &str) -> Value {
    let start = html.find("<script type=\"application/json\" id=\"boot\">").unwrap();
    let json = &html[start + "<script type=\"application/json\" id=\"boot\">".len()..];
    serde_json::from_str(&json[..json.find("</script>").unwrap()]).unwrap()
}

#[tokio::test]
async fn every_page_has_its_own_head_and_its_data() {
    let school = School::open().await;
    let staff = school.staff().await;
    school.course(&staff, "ENG4U", json!(549)).await;
    let visitor = school.visitor();
    for (path, title) in [
        ("/", "Northgate Academy: Private secondary school, Ontario"),
        ("/about", "About Us · Northgate Academy"),
        ("/services", "Our Services · Northgate Academy"),
        ("/courses", "Courses · Northgate Academy"),
        ("/courses?grade=12", "Grade 12 courses · Northgate Academy"),
        ("/contact", "Contact Us · Northgate Academy"),
        ("/terms", "Terms of Service · Northgate Academy"),
        ("/privacy", "Privacy Policy · Northgate Academy"),
    ] {
        let answer = visitor.get(path).await.expect(StatusCode::OK);
        let html = answer.text();
        assert!(html.contains(&format!("<title>{title}</title>")), "{path}: {html}");
        assert_eq!(html.matches("<title>").count(), 1, "{path}");
        assert!(html.contains(&format!("<link rel=\"canonical\" href=\"{}\">", school.url(path))), "{path}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(answer.header("cache-control"), "no-cache");
        let boot = boot(&html);
        assert_eq!(boot["school"]["name"], "Northgate Academy");
        assert_eq!(boot["school"]["isSample"], true);
        assert_eq!(boot["courses"].is_array(), path.starts_with("/courses"), "{path}");
        assert_eq!(boot["course"], Value::Null, "{path}");
        assert_eq!(boot["featured"]["total"] == 1, path == "/", "{path}");
    }
    let html = visitor.get("/courses?grade=12").await.text();
    assert!(html.contains("\"@type\":\"Course\"") && html.contains("\"courseCode\":\"ENG4U\""));
}

#[tokio::test]
async fn public_pages_come_drawn_with_their_styles_and_the_policy_that_allows_them() {
    let school = School::open().await;
    let staff = school.staff().await;
    school.course(&staff, "ENG4U", json!(549)).await;
    let visitor = school.visitor();
    let pages =
        ["/", "/about", "/services", "/courses", "/contact", "/contact?sent", "/terms", "/privacy", "/x"];
    for path in pages {
        let answer = visitor.get(path).await;
        let html = answer.text();
        assert!(html.contains("<h1>") && html.contains("Student Login"), "{path}: {html}");
        assert!(!html.contains("<noscript>This page needs"), "{path}");
        let style = html.split("<style>").nth(1).and_then(|rest| rest.split("</style>").next()).unwrap();
        let hash = BASE64_STANDARD.encode(Sha256::digest(style));
        let policy = answer.header("content-security-policy");
        assert!(policy.contains(&format!("style-src 'self' 'sha256-{hash}';")), "{path}: {policy}");
        let again = visitor.request("GET", path).header("if-none-match", answer.header("etag"));
        let again = visitor.send(again).await;
        assert_eq!(again.header("content-security-policy"), policy, "{path}: a kept page keeps its policy");
    }
    let courses = visitor.get("/courses?grade=12").await.text();
    assert!(courses.contains("href=\"/courses/ENG4U\""), "{courses}");
    assert!(visitor.get("/courses?grade=12&q=eng4u").await.text().contains(">1 course</p>"));
    assert!(visitor.get("/courses?grade=12&q=zzz").await.text().contains(">0 of 1 courses</p>"));
}

#[tokio::test]
async fn a_portals_page_is_a_frame_without_personal_data() {
    let school = School::open().await;
    let (staff, student, visitor) = (school.staff().await, school.student().await, school.visitor());
    let frame = student.get("/student/dashboard").await.expect(StatusCode::OK);
    let html = frame.text();
    assert!(html.contains("data-drawn=\"frame\"") && html.contains(">Welcome</h1>"), "{html}");
    assert!(html.contains("href=\"/student/courses\"") && html.contains("Logout"), "{html}");
    assert!(!html.contains(&student.email) && boot(&html)["school"]["name"] == "Northgate Academy");
    assert!(html.contains("href=\"/api/students/me\"") && html.contains("<noscript>"));
    let policy = frame.header("content-security-policy");
    assert!(
        policy.contains("style-src 'self' 'sha256-") && policy.contains("script-src 'self';"),
        "{policy}"
    );
    let other = school.student().await;
    assert_eq!(other.get("/student/dashboard").await.text(), html, "it is the same for every student");

    // What a role may not open is not offered.
    let registrar = school.staff_as(Role::Registrar).await;
    let (all, some) =
        (staff.get("/admin/dashboard").await.text(), registrar.get("/admin/dashboard").await.text());
    assert!(all.contains("href=\"/admin/settings\"") && some.contains("href=\"/admin/documents\""), "{some}");
    assert!(!some.contains("href=\"/admin/settings\"") && !some.contains("registrar"), "{some}");

    // A visitor sees none of it, and an owner no login; neither answer is kept.
    let stays = reqwest::redirect::Policy::none();
    let without = Actor::with(browser().redirect(stays), &visitor.base);
    let sent_on = without.get("/student/dashboard?tab=documents").await.expect(StatusCode::SEE_OTHER);
    assert_eq!(sent_on.header("location"), "/student/auth?next=%2Fstudent%2Fdashboard%3Ftab%3Ddocuments");
    assert_eq!(sent_on.header("cache-control"), "private, no-store");
    assert_eq!(without.get("/admin/mail").await.header("location"), "/admin/login?next=%2Fadmin%2Fmail");
    assert_eq!(without.get("/admin/nothing").await.header("location"), "/admin/login");
    let login = without.get("/student/auth").await.expect(StatusCode::OK);
    assert!(login.text().contains("Student Login</h1>") && login.text().contains("Forgot password?"));
    assert_eq!(login.header("cache-control"), "private, no-store");
    assert!(student.get("/student/auth").await.text().contains(">Welcome</h1>"));
    assert!(student.get("/admin/login").await.text().contains("Admin Login</h1>"), "the portals are two");
    assert!(staff.get("/admin/login?next=/admin/audit").await.text().contains(">Audit</h1>"));
}

#[tokio::test]
async fn an_unknown_page_is_a_404_with_the_not_found_screen() {
    let school = School::open().await;
    let answer = school.visitor().get("/no/such/page").await.expect(StatusCode::NOT_FOUND);
    assert!(answer.text().contains("<title>Page Not Found · Northgate Academy</title>"));
    assert!(answer.text().contains("noindex"));
    school.visitor().post("/about", &json!({})).await.expect(StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn the_portals_have_pages_that_search_engines_leave_alone() {
    let school = School::open().await;
    let table: Value = serde_json::from_str(include_str!("../../ui/pages.json")).unwrap();
    let listed = ["account", "student", "office"].iter().flat_map(|area| table[area].as_object().unwrap());
    let listed = listed.map(|(path, row)| (path.as_str(), row["title"].as_str().unwrap()));
    let (staff, student, visitor) = (school.staff().await, school.student().await, school.visitor());
    for (path, title) in listed.chain([
        ("/student", "Student Login"),
        ("/student/auth?verified=true", "Student Login"),
        ("/student/auth?tab=register", "Student Login"),
        ("/student/verify", "Verify Your Email"),
        ("/student/nothing", "Student Login"),
        ("/admin", "Admin Login"),
        ("/admin/nothing", "Admin Login"),
    ]) {
        let (page, secret) =
            path.split_once(":token").map_or((path, ""), |(page, _)| (page, "one-time-secret"));
        let page = page.replace(":id", "1");
        let is_in = |area: &str| table[area].get(path).is_some();
        let actor: &Actor = if is_in("office") {
            &staff
        } else if is_in("student") {
            &student
        } else {
            &visitor
        };
        let answer = actor.get(&format!("{page}{secret}")).await.expect(StatusCode::OK);
        let html = answer.text();
        assert!(html.contains("noindex"), "{path}");
        assert!(html.contains(&format!("<title>{title} · Northgate Academy</title>")), "{path}: {html}");
        let expected = if secret.is_empty() && page != "/student/verify" {
            "strict-origin-when-cross-origin"
        } else {
            "no-referrer"
        };
        assert_eq!(answer.header("referrer-policy"), expected, "{path}");
        assert!(
            !html.contains("one-time-secret"),
            "{path}: the token is not in the page, which is kept for others"
        );
    }
    let manifest = school.visitor().get("/site.webmanifest").await.expect(StatusCode::OK);
    assert_eq!(manifest.header("content-type"), "application/manifest+json");
    assert_eq!(manifest.json()["name"], "Northgate Academy");
    assert_eq!(
        school.visitor().get("/favicon.ico").await.expect(StatusCode::OK).header("content-type"),
        "image/x-icon"
    );
    let security = school.visitor().get("/.well-known/security.txt").await.expect(StatusCode::OK).text();
    assert!(security.starts_with("Contact: mailto:office@northgate.example\nExpires: 20"), "{security}");
    let robots = school.visitor().get("/robots.txt").await.expect(StatusCode::OK).text();
    assert!(robots.contains("Disallow: /admin/"), "{robots}");
    assert!(robots.contains("Allow: /api/students/calendar.ics\nDisallow: /api/\n"), "{robots}");
    let sitemap = school.visitor().get("/sitemap.xml").await.expect(StatusCode::OK).text();
    assert!(sitemap.contains(&format!("<loc>{}</loc>", school.url("/courses?grade=11"))), "{sitemap}");
}

#[tokio::test]
async fn every_course_has_a_page_and_an_archived_one_is_gone() {
    let school = School::open().await;
    let (staff, student, visitor) = (school.staff().await, school.student().await, school.visitor());
    let id = school.course(&staff, "ENG4U", json!(549)).await;
    let page = visitor.get("/courses/eng4u?utm=x").await.expect(StatusCode::OK).text();
    let name = boot(&page)["course"]["name"].as_str().unwrap().to_owned();
    assert!(page.contains(&format!("<title>{name} (ENG4U) · Northgate Academy</title>")), "{}", &page[..900]);
    let canonical = format!("<link rel=\"canonical\" href=\"{}\">", school.url("/courses/ENG4U"));
    assert!(page.contains(&canonical) && page.contains("data-drawn"));
    for word in ["\"@type\":\"Course\"", "PT110H", "BreadcrumbList"] {
        assert!(page.contains(word), "{word}");
    }
    let sitemap = visitor.get("/sitemap.xml").await.text();
    assert!(sitemap.contains(&format!("<loc>{}</loc>", school.url("/courses/ENG4U"))), "{sitemap}");
    for path in ["/courses/ENG4C", "/courses/x", "/courses/ENG4U/x"] {
        let missing = visitor.get(path).await.expect(StatusCode::NOT_FOUND).text();
        assert!(missing.contains("<title>Page Not Found · Northgate Academy</title>"), "{path}");
    }

    student.enroll(id).await.expect(StatusCode::CREATED);
    school.course(&staff, "ENG4C", json!(549)).await;
    staff.delete(&format!("/api/admin/courses/{id}")).await.expect(StatusCode::NO_CONTENT);
    let gone = visitor.get("/courses/ENG4U").await.expect(StatusCode::GONE);
    let page = gone.text();
    assert_eq!(boot(&page)["course"]["successors"][0]["code"], "ENG4C");
    assert!(page.contains("no longer offered") && page.contains("noindex") && !page.contains("canonical"));
    assert!(!visitor.get("/sitemap.xml").await.text().contains("/courses/ENG4U<"));
}

#[tokio::test]
async fn awkward_facts_and_courses_stay_text() {
    let school = School::open_with(|config| {
        config.school_file.name = Some("A & B </script><script>alert(1)</script>".into());
    })
    .await;
    let staff = school.staff().await;
    let body = json!({ "code": "XSS4U", "name": "</script><img src=x>", "description": "<!-- & \"quotes\" 'all' -->",
        "grade": 12, "courseType": "Open" });
    staff.post("/api/admin/courses", &body).await.expect(StatusCode::CREATED);
    let html = school.visitor().get("/courses?grade=12").await.text();
    assert!(!html.contains("alert(1)</script>") && !html.contains("<img src=x>"), "{html}");
    assert_eq!(boot(&html)["courses"][0]["name"], "</script><img src=x>");
    assert_eq!(boot(&html)["school"]["name"], "A & B </script><script>alert(1)</script>");
}

#[tokio::test]
async fn files_are_sent_compressed_and_kept_for_good() {
    let school = School::open().await;
    let visitor = school.visitor();
    let html = visitor.get("/").await.text();
    let (_, path) = html.split_once("name=\"scripts\" content=\"").unwrap();
    let (path, _) = path.split_once(' ').unwrap();
    let plain = visitor
        .send(visitor.request("GET", path).header("accept-encoding", "identity"))
        .await
        .expect(StatusCode::OK);
    let brotli = visitor
        .send(visitor.request("GET", path).header("accept-encoding", "gzip, br"))
        .await
        .expect(StatusCode::OK);
    assert_eq!(plain.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(brotli.header("content-encoding"), "br");
    let mut inflated = Vec::new();
    brotli::Decompressor::new(&brotli.bytes[..], 4096).read_to_end(&mut inflated).unwrap();
    assert!(!plain.bytes.is_empty() && inflated == plain.bytes, "the same file, compressed or not");
    assert_ne!(plain.header("etag"), brotli.header("etag"));
    let gzip = visitor.request("GET", path).header("accept-encoding", "gzip");
    let gzip = visitor.send(gzip).await.expect(StatusCode::OK);
    // The tests' client unpacks gzip by itself.
    assert!(
        gzip.header("etag").ends_with("-gzip\"") && gzip.bytes == plain.bytes,
        "for those without brotli"
    );
    let again = visitor
        .request("GET", path)
        .header("accept-encoding", "br")
        .header("if-none-match", brotli.header("etag"));
    let again = visitor.send(again).await.expect(StatusCode::NOT_MODIFIED);
    assert!(again.bytes.is_empty());
    visitor.get("/assets/none.js").await.expect(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_changed_course_changes_the_pages_at_once() {
    let school = School::open().await;
    let staff = school.staff().await;
    let visitor = school.visitor();
    let before = visitor.get("/courses?grade=12").await;
    school.course(&staff, "NEW4U", json!(1)).await;
    let after = visitor.get("/courses?grade=12").await;
    assert_ne!(before.header("etag"), after.header("etag"));
    assert!(after.text().contains("NEW4U"));
}

#[tokio::test]
async fn the_school_is_what_the_configuration_says() {
    let school = School::open_with(|config| {
        let text = |text: &str| Some(text.to_owned());
        config.school_file.name = text("Lakeview College");
        config.school_file.email = "office@lakeview.example".parse().ok();
        config.school_file.inspection_id = text("123456");
        config.school_file.phone = text("(613) 555-0155");
        config.school_file.street = text("9 Princess Street, Unit 2");
        config.school_file.city = text("Kingston");
        config.school_file.postal_code = text("K7L 1A1");
    })
    .await;
    let answer = school.visitor().get("/api/school").await.expect(StatusCode::OK).json();
    assert_eq!((&answer["name"], &answer["isSample"]), (&json!("Lakeview College"), &json!(false)));
    assert_eq!(answer["address"]["postalCode"], "K7L 1A1");
    assert_eq!(answer["address"]["province"], "ON", "where nothing else is said");
    assert_eq!(answer["phoneLink"], "tel:+1-613-555-0155");
    assert_eq!(
        answer["mapLink"],
        "https://www.openstreetmap.org/search?query=9+Princess+Street%2C+Kingston%2C+ON%2C+Canada"
    );
    for unset in ["hours", "tagline", "registrationNumber"] {
        assert_eq!(answer[unset], "", "{unset} is no sample's");
    }
    assert_eq!((&answer["foundedYear"], &answer["yearsOfTeaching"]), (&Value::Null, &Value::Null));
    assert_eq!(answer["universities"], json!([]));
}

#[tokio::test]
async fn the_school_is_alive_and_ready() {
    let school = School::open().await;
    let visitor = school.visitor();
    visitor.get("/healthz").await.expect(StatusCode::OK);
    let mut ready = visitor.get("/readyz").await.expect(StatusCode::OK).json();
    // Ready as soon as it answers, whether the database has been looked over yet or not.
    let integrity = ready.as_object_mut().unwrap().remove("integrity").unwrap();
    assert!(integrity == "checking" || integrity == "ok", "{integrity}");
    assert_eq!(
        ready,
        json!({ "database_read": true, "database_write": true, "schema": true, "disk": true, "mail": true, "backup": true })
    );
    school.all_mails().await;
}
