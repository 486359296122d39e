//! No badge without a handle: every state of the office's lists has an act that leaves it, or is final for a reason.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{busy_school, rows, waiting};
use crate::support::{Actor, School};

/// How a row leaves its state.
enum Exit {
    /// By this call, whose `{id}` is the row's.
    By(&'static str, fn() -> Value),
    /// By itself: by time, or by what its student does.
    Alone(&'static str),
    /// Nothing follows, for this reason.
    Final(&'static str),
    /// The act comes later: nothing may count it as waiting until then.
    Later(&'static str),
}

use Exit::{Alone, By, Final, Later};

fn reason() -> Value {
    json!({ "reason": "Agreed with the family on the phone." })
}

fn nothing() -> Value {
    json!({})
}

/// The office's lists, and each state of their closed sets.
const LISTS: &[(&str, &[(&str, Exit)])] = &[
    (
        "enrollments",
        &[
            ("pending", By("enrollments/{id}/decline", reason)),
            (
                "active",
                By(
                    "enrollments/{id}/complete",
                    || json!({ "finalMark": 71, "reason": "The marks came early." }),
                ),
            ),
            ("waitlisted", By("enrollments/{id}/decline", reason)),
            ("declined", By("enrollments/{id}/reopen", reason)),
            ("withdrawn", Final("asked for again, it is another row")),
            ("completed", By("enrollments/{id}/reopen", reason)),
        ],
    ),
    (
        "messages",
        &[
            ("new", By("messages/{id}/read", nothing)),
            ("open", By("messages/{id}/unread", nothing)),
            ("replied", Final("it was answered")),
            ("closed", Final("nothing more is to be done")),
            ("spam", Final("nothing is to be done")),
        ],
    ),
    (
        "mail",
        &[
            ("queued", Alone("the mailer sends it or gives it up")),
            ("sent", Final("it has arrived")),
            ("dead", By("mail/{id}/settle", nothing)),
        ],
    ),
    (
        "students",
        &[
            ("unverified", By("students/{id}/close", reason)),
            ("active", By("students/{id}/suspend", reason)),
            ("suspended", By("students/{id}/reinstate", nothing)),
            ("closed", By("students/{id}/reinstate", nothing)),
        ],
    ),
    ("documents", &[("lost", By("documents/{id}/write-off", reason))]),
    (
        "admission-requests",
        &[
            ("pending", Later("decisions about admissions")),
            ("in_review", Later("decisions about admissions")),
            ("info_requested", Later("decisions about admissions")),
            ("waitlisted", Later("decisions about admissions")),
            ("offered", Later("decisions about admissions")),
            ("accepted", Final("the family has a place")),
            ("expired", Final("the offer ran out")),
            ("declined", Final("the school has answered")),
            ("withdrawn", Final("the family has answered")),
        ],
    ),
];

/// The states that a list knows, by the message to a caller who names none of them.
async fn states(staff: &Actor, list: &str) -> Vec<String> {
    let fields = staff.get(&format!("/api/admin/{list}?status=nonsense&page=1")).await.fields();
    let message = fields["status"].as_str().unwrap().to_owned();
    let (_, words) = message.rsplit_once(" of ").unwrap_or_else(|| panic!("{message}"));
    words.split(", ").map(str::to_owned).collect()
}

#[tokio::test]
async fn every_state_of_the_offices_lists_can_be_left_or_is_final_for_a_reason() {
    let school = busy_school().await;
    let staff = school.staff().await;
    let mut left = 0;
    for (list, exits) in LISTS {
        let known: Vec<_> = exits.iter().map(|(state, _)| (*state).to_owned()).collect();
        let mut wanted = states(&staff, list).await;
        wanted.sort_by_key(|state| known.iter().position(|one| one == state));
        assert_eq!(known, wanted, "{list}: each state needs its exit here");
        for (state, exit) in *exits {
            left += usize::from(leave(&staff, list, state, exit).await);
        }
    }
    assert!(left >= 10, "the demo has rows in {left} states that an act leaves");
}

/// Has a row leave its state; false where the school has none in it, or nothing is to be done.
async fn leave(staff: &Actor, list: &str, state: &str, exit: &Exit) -> bool {
    let path = format!("/api/admin/{list}?status={state}&page=1");
    let found = staff.get(&path).await.expect(StatusCode::OK).json();
    let (act, body) = match exit {
        By(act, body) => (act, body()),
        Alone(why) | Final(why) | Later(why) => {
            assert!(!why.is_empty());
            return false;
        }
    };
    // A class is full, a course has another row by now: of the demo's rows some may refuse, never all.
    let mut refusals = Vec::new();
    for row in found.as_array().unwrap() {
        let id = &row["id"];
        let call = format!("/api/admin/{}", act.replace("{id}", &id.to_string()));
        let answer = staff.post(&call, &body).await;
        if answer.status.is_success() {
            let after = staff.get(&path).await.expect(StatusCode::OK);
            assert!(!after.column("id").contains(id), "{call} left {list} {id} {state}");
            return true;
        }
        refusals.push(answer.text());
    }
    assert!(found.as_array().unwrap().is_empty(), "{list}: nothing leaves {state}: {refusals:#?}");
    false
}

#[tokio::test]
async fn what_no_act_can_change_yet_is_not_counted_as_waiting() {
    let school: School = busy_school().await;
    let staff = school.staff().await;
    let lines = waiting(&staff).await;
    for (list, exits) in LISTS {
        let stuck: Vec<_> = exits
            .iter()
            .filter(|(_, exit)| !matches!(exit, By(..) | Alone(_)))
            .map(|(state, _)| *state)
            .collect();
        for line in lines.iter().filter(|line| line["href"].as_str().unwrap().contains(list)) {
            for row in rows(&staff, line).await {
                let state = row["status"].as_str().unwrap_or_default();
                assert!(!stuck.contains(&state), "{line} counts a row that is {state} for ever");
            }
        }
    }
    // The review of a document and the answer to a request for admission have no act.
    assert!(lines.iter().all(|line| line["kind"] != "applications"));
    assert!(school.count("select count(*) from student_documents where status = 'pending_review'") > 1);
    let documents = lines.iter().find(|line| line["kind"] == "documents").unwrap();
    assert_eq!(documents["count"], 1, "the lost one alone");
}
