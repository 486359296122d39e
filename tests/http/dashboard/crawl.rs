//! Every status in the office's lists has an action that changes it, or is final for a stated reason.

use reqwest::StatusCode;
use schoolhouse::testing::openapi;
use serde_json::{Value, json};

use super::{bank_lines, busy_school, rows, waiting};
use crate::support::{Actor, School};

/// How a row leaves its state.
enum Exit {
    /// By this call, whose `{id}` is the row's, with a body made of the row.
    By(&'static str, fn(&Value) -> Value),
    /// By itself: by time, or by what its student does.
    Alone(&'static str),
    /// Nothing follows, for this reason.
    Final(&'static str),
}

use Exit::{Alone, By, Final};

/// How a list tells the states of its rows.
enum Told {
    /// By a filter, which knows them all.
    Filter,
    /// In this field of each row, of this type.
    Field(&'static str, &'static str),
    /// Not at all: whatever is listed waits.
    Listed,
    /// In their state, as lines of the list's rows.
    Lines,
}

use Told::{Field, Filter, Lines, Listed};

fn reason(_: &Value) -> Value {
    json!({ "reason": "Agreed with the family on the phone." })
}

fn nothing(_: &Value) -> Value {
    json!({})
}

/// A list, how it tells the states of its rows, and how each of them is left.
type List = (&'static str, Told, &'static [(&'static str, Exit)]);

/// The office's lists, and each state of their closed sets.
const LISTS: &[List] = &[
    (
        "enrollments",
        Filter,
        &[
            ("pending", By("POST enrollments/{id}/decline", reason)),
            (
                "active",
                By(
                    "POST enrollments/{id}/complete",
                    |_| json!({ "finalMark": 71, "reason": "The marks came early." }),
                ),
            ),
            ("waitlisted", By("POST enrollments/{id}/decline", reason)),
            ("declined", By("POST enrollments/{id}/reopen", reason)),
            ("withdrawn", Final("asked for again, it is another row")),
            ("completed", By("POST enrollments/{id}/reopen", reason)),
            (
                "cancelled",
                By(
                    "POST enrollments/{id}/withdraw",
                    |_| json!({ "effectiveOn": "2026-11-21", "reason": "There is no other class." }),
                ),
            ),
        ],
    ),
    (
        "messages",
        Filter,
        &[
            ("new", By("POST messages/{id}/read", nothing)),
            ("open", By("POST messages/{id}/reply", |_| json!({ "body": "Yes, it does." }))),
            ("replied", By("POST messages/{id}/close", nothing)),
            ("closed", By("POST messages/{id}/reopen", nothing)),
            ("spam", By("POST messages/{id}/not-spam", nothing)),
        ],
    ),
    (
        "mail",
        Filter,
        &[
            ("queued", Alone("the mailer sends it or gives it up")),
            ("sent", Final("it has arrived")),
            ("dead", By("POST mail/{id}/settle", nothing)),
        ],
    ),
    (
        "students",
        Filter,
        &[
            ("unverified", By("POST students/{id}/close", reason)),
            ("active", By("POST students/{id}/suspend", reason)),
            ("suspended", By("POST students/{id}/reinstate", nothing)),
            ("closed", By("POST students/{id}/reinstate", nothing)),
        ],
    ),
    (
        "documents",
        Filter,
        &[
            ("lost", By("POST documents/{id}/write-off", reason)),
            ("pending_review", By("POST documents/{id}/accept", nothing)),
            ("accepted", By("POST documents/{id}/reopen", nothing)),
            ("rejected", By("POST documents/{id}/reopen", nothing)),
            ("superseded", Final("a newer one of its type counts")),
            ("expired", Final("its student is asked for a new one")),
        ],
    ),
    (
        "admission-requests",
        Filter,
        &[
            ("pending", By("POST admission-requests/{id}/decline", reason)),
            ("in_review", By("POST admission-requests/{id}/waitlist", nothing)),
            ("info_requested", By("POST admission-requests/{id}/start-review", nothing)),
            ("waitlisted", By("POST admission-requests/{id}/decline", reason)),
            ("offered", By("POST admission-requests/{id}/start-review", reason)),
            ("accepted", Final("the family has a place")),
            ("expired", By("POST admission-requests/{id}/reopen", nothing)),
            ("declined", By("POST admission-requests/{id}/reopen", nothing)),
            ("withdrawn", By("POST admission-requests/{id}/reopen", nothing)),
        ],
    ),
    (
        "privacy-requests",
        Field("status", "PrivacyRequestStatus"),
        &[
            ("open", By("PATCH privacy-requests/{id}", |_| json!({ "decision": "grant" }))),
            ("withdrawn", Final("it was taken back")),
            ("granted", Final("the school has answered")),
            ("refused", Final("the school has answered")),
        ],
    ),
    (
        "breaches",
        Field("risk", "Risk"),
        &[
            ("not_assessed", By("PATCH breaches/{id}", assessed)),
            ("low", Final("the book keeps it")),
            ("significant", Final("the book keeps it, with the days on which others were told")),
        ],
    ),
    (
        "invoices",
        Listed,
        &[("listed", Final("it says what is charged; it is cancelled by its number, and stays in the list"))],
    ),
    (
        "payments",
        Listed,
        &[("listed", Final("it was received; a mistake is reversed, and stays in the list"))],
    ),
    (
        "sections",
        Filter,
        &[
            (
                "planned",
                By("PATCH sections/{id}", |row| json!({ "status": "open", "version": row["version"] })),
            ),
            (
                "open",
                By("PATCH sections/{id}", |row| json!({ "status": "closed", "version": row["version"] })),
            ),
            ("closed", By("POST sections/{id}/cancel", reason)),
            ("cancelled", Final("its students are told, and wait for another one")),
        ],
    ),
    (
        "bank-imports",
        Lines,
        &[
            ("matched", By("POST bank-imports/{import}/ignore", |row| json!({ "lines": [row["id"]] }))),
            ("suggested", By("POST bank-imports/{import}/ignore", |row| json!({ "lines": [row["id"]] }))),
            ("unknown", By("POST bank-imports/{import}/ignore", |row| json!({ "lines": [row["id"]] }))),
            ("looks_recorded", By("POST bank-imports/{import}/same", |row| json!({ "lines": [row["id"]] }))),
            ("returned", By("POST bank-imports/{import}/returned", |row| json!({ "lines": [row["id"]] }))),
            ("seen", Final("it counts in the earlier file")),
            (
                "ignored",
                By(
                    "POST bank-imports/{import}/post",
                    |row| json!({ "lines": [{ "lineId": row["id"], "studentId": 1 }] }),
                ),
            ),
            ("posted", Final("a payment was recorded; a mistake is reversed, and stays in the list")),
            ("same", By("POST bank-imports/{import}/reopen", |row| json!({ "lines": [row["id"]] }))),
            ("reversed", Final("the bank took it back; money that comes again is another line")),
        ],
    ),
    ("money/refunds-due", Listed, &[("listed", By("POST money/refunds-due/{id}/settle", reason))]),
    ("staff/invitations", Listed, &[("listed", By("POST staff/invitations/{id}/withdraw", nothing))]),
];

fn assessed(breach: &Value) -> Value {
    let mut body = breach.clone();
    body["risk"] = "low".into();
    body["riskReason"] = "It was found within the hour.".into();
    body
}

/// The states that a list knows: a filter names them to a caller who names none of them.
async fn states(staff: &Actor, list: &str, told: &Told) -> Vec<String> {
    match told {
        Filter => {
            let fields = staff.get(&format!("/api/admin/{list}?status=nonsense&page=1")).await.fields();
            let message = fields["status"].as_str().unwrap().to_owned();
            let (_, words) = message.rsplit_once(" of ").unwrap_or_else(|| panic!("{message}"));
            words.split(", ").map(str::to_owned).collect()
        }
        Field(_, schema) => states_of(schema),
        Lines => states_of("LineState"),
        Listed => vec!["listed".into()],
    }
}

fn states_of(schema: &str) -> Vec<String> {
    let all = serde_json::to_value(openapi()).unwrap()["components"]["schemas"][schema]["enum"].clone();
    serde_json::from_value(all).unwrap()
}

/// The rows of a list that are in a state.
async fn rows_in(staff: &Actor, list: &str, told: &Told, state: &str) -> Vec<Value> {
    if matches!(told, Lines) {
        let mut lines = bank_lines(staff).await;
        lines.retain(|line| line["state"] == state);
        return lines;
    }
    let query = if matches!(told, Filter) { format!("?status={state}&page=1") } else { String::new() };
    let rows = staff.get(&format!("/api/admin/{list}{query}")).await.expect(StatusCode::OK).json();
    let mut rows = rows.as_array().unwrap().clone();
    if let Field(field, _) = told {
        rows.retain(|row| row[field] == state);
    }
    rows
}

#[tokio::test]
async fn every_state_of_the_offices_lists_can_be_left_or_is_final_for_a_reason() {
    let school = busy_school().await;
    let staff = school.staff().await;
    let breach = json!({ "discoveredOn": "2026-11-20", "what": "A laptop was left on a train.", "affected": "A class",
        "risk": "not_assessed" });
    staff.post("/api/admin/breaches", &breach).await.expect(StatusCode::CREATED);
    let colleague = json!({ "email": "noor@school.example", "fullName": "Noor Haddad", "role": "viewer" });
    staff.post("/api/admin/staff/invitations", &colleague).await.expect(StatusCode::CREATED);
    let mut left = 0;
    for (list, told, exits) in LISTS {
        let known: Vec<_> = exits.iter().map(|(state, _)| (*state).to_owned()).collect();
        let mut wanted = states(&staff, list, told).await;
        wanted.sort_by_key(|state| known.iter().position(|one| one == state));
        assert_eq!(known, wanted, "{list}: each state needs its exit here");
        for (state, exit) in *exits {
            left += usize::from(leave(&staff, (list, told), state, exit).await);
        }
    }
    assert!(left >= 21, "the demo has rows in {left} states that an act leaves");
}

/// Has a row leave its state; false where the school has none in it, or nothing is to be done.
async fn leave(staff: &Actor, (list, told): (&str, &Told), state: &str, exit: &Exit) -> bool {
    let found = rows_in(staff, list, told, state).await;
    let (act, body) = match exit {
        By(act, body) => (act, body),
        Alone(why) | Final(why) => {
            assert!(!why.is_empty());
            return false;
        }
    };
    // A class is full, a course has another row by now: of the demo's rows some may refuse, never all.
    let mut refusals = Vec::new();
    for row in &found {
        let (method, call) = act.split_once(' ').unwrap();
        let call = format!("/api/admin/{}", call.replace("{id}", &row["id"].to_string()));
        let call = call.replace("{import}", &row["import"].to_string());
        let answer = staff.send(staff.request(method, &call).json(&body(row))).await;
        if answer.status.is_success() {
            let after = rows_in(staff, list, told, state).await;
            assert!(after.iter().all(|one| one["id"] != row["id"]), "{call} left {list} {row} {state}");
            return true;
        }
        refusals.push(answer.text());
    }
    assert!(found.is_empty(), "{list}: nothing leaves {state}: {refusals:#?}");
    false
}

#[tokio::test]
async fn requests_that_cannot_be_handled_yet_do_not_count_as_waiting() {
    let school: School = busy_school().await;
    let staff = school.staff().await;
    let lines = waiting(&staff).await;
    for (list, _, exits) in LISTS {
        let stuck: Vec<_> = exits
            .iter()
            .filter(|(_, exit)| !matches!(exit, By(..) | Alone(_)))
            .map(|(state, _)| *state)
            .collect();
        // What an accepted application waits for ends by a link or a payment, and not by another state.
        let by_state = |href: &str| href.contains(list) && !href.contains("waits=");
        for line in lines.iter().filter(|line| by_state(line["href"].as_str().unwrap())) {
            for row in rows(&staff, line).await {
                let state = row["status"].as_str().unwrap_or_default();
                assert!(!stuck.contains(&state), "{line} counts a row that is {state} for ever");
            }
        }
    }
}

#[tokio::test]
async fn every_count_beside_a_list_is_the_number_of_its_rows() {
    let school = busy_school().await;
    let staff = school.staff().await;
    let get = async |path: &str| staff.get(&format!("/api/admin/{path}")).await.expect(StatusCode::OK);
    let mut counts: Vec<(String, Value)> = Vec::new();
    let tabs = get("enrollments/counts").await.json();
    for (tab, query) in [
        ("pending", "status=pending"),
        ("waitlisted", "status=waitlisted"),
        ("active", "status=active"),
        ("endedRequests", "due=ended"),
        ("ending", "due=ending"),
        ("needsMark", "due=mark"),
        ("leaving", "due=leave"),
        ("transferring", "due=transfer"),
        ("ended", "status=declined,withdrawn,completed"),
    ] {
        counts.push((format!("enrollments?{query}"), tabs[tab].clone()));
    }
    assert_eq!(tabs.as_object().unwrap().len(), counts.len(), "{tabs}");
    for flag in get("students/flags").await.json().as_array().unwrap() {
        counts.push((format!("students?flags={}", flag["flag"].as_str().unwrap()), flag["count"].clone()));
    }
    let requests = get("admission-requests/counts").await.json();
    for (list, filter, name) in
        [("statuses", "status", "status"), ("waits", "waits", "waits"), ("assignees", "assignee", "id")]
    {
        for row in requests[list].as_array().unwrap().iter().filter(|row| !row["count"].is_null()) {
            let value = row[name].to_string();
            let query = format!("admission-requests?{filter}={}", value.trim_matches('"'));
            counts.push((query, row["count"].clone()));
        }
    }
    for (list, count) in counts {
        assert_eq!(json!(get(&format!("{list}&page=1")).await.total()), count, "{list}");
    }
}
