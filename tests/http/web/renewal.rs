//! Hashes of passwords that an older version stored, at a cost of its time.

use reqwest::StatusCode;
use schoolhouse::testing::Role;
use serde_json::{Value, json};

use crate::support::{Actor, PASSWORD, School, wait_for};

/// `PASSWORD` at half the memory and half the passes of a debug build, by Python's argon2-cffi.
const OLD: &str =
    "$argon2id$v=19$m=512,t=1,p=1$c2l4dGVlbiBvbGQgc2FsdA$qfcuKWRYvK4XcwkFeoy4WL3H3FjpuDP2qEMCxptO56M";

struct Account {
    table: &'static str,
    log_in: &'static str,
    name: Value,
}

impl Account {
    fn hash(&self, school: &School) -> String {
        let sql = format!("select password_hash from {} where id = 1", self.table);
        school.database().query_row(&sql, [], |row| row.get(0)).unwrap()
    }

    fn set_old(&self, school: &School) {
        let sql = format!("update {} set password_hash = ? where id = 1", self.table);
        assert_eq!(school.database().execute(&sql, [OLD]).unwrap(), 1);
    }

    async fn enter(&self, browser: &Actor, password: &str) -> StatusCode {
        let mut body = self.name.clone();
        body["password"] = password.into();
        browser.post(self.log_in, &body).await.status
    }
}

#[tokio::test]
async fn a_right_password_renews_a_hash_that_costs_too_little_and_its_browser_stays_known() {
    let school = School::open().await;
    let student = school.student().await;
    school.hire("colleague", Role::Registrar).await;
    for account in [
        Account { table: "students", log_in: "/api/students/login", name: json!({ "email": student.email }) },
        Account { table: "users", log_in: "/api/login", name: json!({ "username": "colleague" }) },
    ] {
        let browser = school.visitor();
        let current = account.hash(&school);
        assert_eq!(account.enter(&browser, PASSWORD).await, StatusCode::OK);
        account.set_old(&school);
        assert_eq!(account.enter(&browser, "not the password").await, StatusCode::UNAUTHORIZED);
        assert_eq!(account.enter(&browser, PASSWORD).await, StatusCode::OK);
        let renewed = wait_for(|| Some(account.hash(&school)).filter(|hash| hash != OLD)).await;
        let cost = |hash: &str| hash.split('$').nth(3).unwrap().to_owned();
        assert_eq!(cost(&renewed), cost(&current), "{}", account.table);
        let told = "select count(*) from outbox where subject like 'A new device%'";
        let before = school.count(told);
        assert_eq!(account.enter(&browser, PASSWORD).await, StatusCode::OK);
        assert_eq!(account.enter(&school.visitor(), "not the password").await, StatusCode::UNAUTHORIZED);
        assert_eq!(account.hash(&school), renewed, "a hash of today is left alone");
        assert_eq!(school.count(told), before, "the browser is known by its salt");
    }
}
