//! What the two most frequent writes cost: statements, and steps of SQLite's virtual machine. The commit is left out,
//! because simultaneous writes share it.

use jiff::civil::date;
use reqwest::StatusCode;
use schoolhouse::testing::db::{self, Cost, Costs};
use serde_json::json;

use super::sources::collapse;
use crate::support::School;

/// Statements that run less often than the requests do not belong to them.
const REQUESTS: usize = 10;

#[tokio::test]
async fn a_write_runs_no_more_statements_than_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    let costs = db::watch(&folder.path().join("schoolhouse.db"));
    let school = School::open_in(folder, |_| {}).await;
    let (staff, student, visitor) = (school.staff().await, school.student().await, school.visitor());
    let mut courses = Vec::new();
    for number in 0..=REQUESTS {
        courses.push(school.course(&staff, &format!("C{number:03}U"), json!(500)).await);
    }
    let ask = async |course| student.send(student.enrollment(course, date(2026, 12, 1))).await;
    ask(courses.pop().unwrap()).await.expect(StatusCode::CREATED);
    costs.lock().unwrap().clear();
    for course in courses {
        ask(course).await.expect(StatusCode::CREATED);
    }
    assert_costs(&costs, "a request for a course", 15, 1270);
    for number in 0..REQUESTS {
        let email = format!("mei{number}@mail.example");
        visitor.write_message("Mei", &email, "Is the office open?").await.expect(StatusCode::OK);
    }
    assert_costs(&costs, "a contact message", 8, 770);
}

fn assert_costs(costs: &Costs, what: &str, most_statements: usize, most_steps: usize) {
    let all = std::mem::take(&mut *costs.lock().unwrap());
    let mut own: Vec<(String, Cost)> = all
        .into_iter()
        .filter(|(sql, cost)| cost.runs as usize >= REQUESTS && !is_shared(sql))
        .map(|(sql, cost)| (collapse(&sql), cost))
        .collect();
    own.sort_by_key(|(_, cost)| -cost.total);
    let runs: usize = own.iter().map(|(_, cost)| cost.runs as usize).sum();
    let steps: usize = own.iter().map(|(_, cost)| usize::try_from(cost.total).unwrap()).sum();
    let lines: Vec<_> =
        own.iter().map(|(sql, cost)| format!("{:4} runs {:6} steps  {sql}", cost.runs, cost.total)).collect();
    assert!(
        runs <= most_statements * REQUESTS && steps <= most_steps * REQUESTS,
        "{what} runs {} statements with {} steps; of {REQUESTS}:\n{}",
        runs / REQUESTS,
        steps / REQUESTS,
        lines.join("\n")
    );
}

/// Whether a group of writes shares the statement, or the mailer runs it, which every write wakes.
fn is_shared(sql: &str) -> bool {
    let groups = ["begin immediate", "savepoint job", "release job", "commit"];
    let settled =
        ["select student_id, posted_at from stale_balances", "select request_id, at from document_handovers"]
            .iter()
            .any(|part| sql.starts_with(part));
    let mailers = ["min(next_attempt_at)", "next_attempt_at <= :now", "update outbox"];
    groups.contains(&sql) || settled || mailers.iter().any(|part| sql.contains(part))
}
