//! A document as its reviewer sees it: beside the profile, with the name of any other current reviewer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Extension;
use axum::extract::State;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::base::error::Result;
use crate::base::json::Json;
use crate::documents::{Document, ListedDocument, store};
use crate::staff::{Staff, may};
use crate::students::{self, Student};
use crate::web::access::endpoint;
use crate::web::app::App;
use crate::web::id::{Id, Numbered};

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(endpoint!(get_document_review))
        .routes(endpoint!(look_at_document))
        .layer(Extension(Reviewers::default()))
}

/// A document, and the profile data that it is compared with.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentReview {
    /// The document.
    #[serde(flatten)]
    pub document: ListedDocument,
    /// What the profile says.
    pub facts: ProfileFacts,
    /// The student's other documents of its type, newest first.
    pub earlier: Vec<Document>,
    /// Months for which an accepted document is valid unless its reviewer sets a day; null if it does not expire.
    #[schema(required)]
    pub valid_months: Option<i64>,
}

/// Profile data that a document is compared with.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileFacts {
    /// The full name.
    #[schema(required)]
    pub full_name: Option<String>,
    /// The date of birth.
    #[schema(required)]
    pub date_of_birth: Option<Date>,
    /// The address, in one line.
    #[schema(required)]
    pub address: Option<String>,
    /// The school attended last.
    #[schema(required)]
    pub last_school: Option<String>,
    /// When the office last compared name and birth date with a document.
    #[schema(required)]
    pub identity_checked_at: Option<Timestamp>,
}

/// Other reviewers who have the document open.
#[derive(Debug, Serialize, ToSchema)]
pub struct OtherReviewers {
    /// Their names.
    pub others: Vec<String>,
}

/// A document with its student's profile data and earlier documents of its type
#[utoipa::path(get, path = "/api/admin/documents/{id}", tag = "documents")]
async fn get_document_review(
    _: Staff<may::Documents>,
    State(app): State<App>,
    Id(id, ..): Id<Document>,
) -> Result<Json<DocumentReview>> {
    app.db.query(move |connection| review(connection, id)).await.map(Json)
}

fn review(connection: &Connection, id: i64) -> Result<DocumentReview> {
    let document = store::find_listed(connection, id)?.ok_or_else(Document::not_found)?;
    let student =
        students::store::find(connection, document.document.student_id)?.ok_or_else(Student::not_found)?;
    let checked_at = students::identity::checked_at(connection, student.id)?;
    let profile = student.profile;
    let parts = [profile.address, profile.city, profile.province, profile.postal_code];
    let address: Vec<_> = parts.into_iter().flatten().collect();
    Ok(DocumentReview {
        earlier: store::list_earlier(connection, &document.document)?,
        valid_months: store::valid_months(connection, document.document.document_type)?,
        facts: ProfileFacts {
            full_name: profile.full_name,
            date_of_birth: profile.date_of_birth,
            address: (!address.is_empty()).then(|| address.join(", ")),
            last_school: profile.last_school,
            identity_checked_at: checked_at,
        },
        document,
    })
}

/// Tell other reviewers that the caller has a document open; returns who else opened it in the last two minutes
#[utoipa::path(post, path = "/api/admin/documents/{id}/looking", tag = "documents")]
async fn look_at_document(
    staff: Staff<may::Documents>,
    State(app): State<App>,
    Extension(reviewers): Extension<Reviewers>,
    Id(id, ..): Id<Document>,
) -> Result<Json<OtherReviewers>> {
    app.db.read(|connection| store::find(connection, id)).await?.ok_or_else(Document::not_found)?;
    let name = staff.user.full_name.as_ref().unwrap_or(&staff.user.username);
    let others = reviewers.look(id, Reviewer { user_id: staff.id, name }, app.clock.now());
    Ok(Json(OtherReviewers { others }))
}

/// How long an opened document counts as being reviewed.
const LOOKS: SignedDuration = SignedDuration::from_mins(2);

/// The last reviewers of each document, in memory only: a hint that a restart forgets.
#[derive(Debug, Clone, Default)]
struct Reviewers(Arc<Mutex<HashMap<i64, Vec<Look>>>>);

#[derive(Debug)]
struct Look {
    user_id: i64,
    name: String,
    at: Timestamp,
}

/// A reviewer who looks now.
#[derive(Clone, Copy)]
struct Reviewer<'a> {
    user_id: i64,
    name: &'a str,
}

impl Reviewers {
    /// Records that a reviewer opened a document, and returns the others; removes expired entries.
    fn look(&self, document: i64, reviewer: Reviewer<'_>, now: Timestamp) -> Vec<String> {
        let Reviewer { user_id, name } = reviewer;
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, looks| {
            looks.retain(|look| look.user_id != user_id && now.duration_since(look.at) < LOOKS);
            !looks.is_empty()
        });
        let looks = all.entry(document).or_default();
        let others = looks.iter().map(|look| look.name.clone()).collect();
        looks.push(Look { user_id, name: name.to_owned(), at: now });
        others
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reviewer_looks_at_one_document_and_for_two_minutes() {
        let reviewers = Reviewers::default();
        let rana = Reviewer { user_id: 1, name: "rana" };
        let tom = Reviewer { user_id: 2, name: "tom" };
        let at = |seconds| Timestamp::from_second(seconds).unwrap();
        assert_eq!(reviewers.look(1, rana, at(0)), [""; 0]);
        assert_eq!(reviewers.look(1, tom, at(60)), ["rana"]);
        assert_eq!(reviewers.look(1, rana, at(70)), ["tom"]);
        assert_eq!(reviewers.look(2, rana, at(80)), [""; 0], "another one");
        assert_eq!(reviewers.look(1, tom, at(90)), [""; 0], "has gone on");
        assert_eq!(reviewers.look(1, rana, at(209)), ["tom"]);
        assert_eq!(reviewers.look(1, rana, at(210)), [""; 0], "two minutes are over");
    }
}
