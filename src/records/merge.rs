//! Two accounts of one student become one: what every room keeps moves, in one write.

use std::collections::BTreeMap;

use axum::extract::State;

use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::staff::{Recent, Staff, may};
use crate::students::Student;
use crate::students::office::merge::{self, Keep, KeptFrom};
use crate::students::office::{self, StudentRecord};
use crate::students::status::StudentStatus;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::id::Id;
use crate::{documents, enrollments};

form! {
    /// `POST /api/admin/students/{id}/merge`'s body.
    pub struct Merge {
        /// The account that is closed.
        other_id: i64,
        /// Of which account a field of the profile is kept, by its name: `this` or `other`. What is not
        /// named is this account's, or the other's where this one has none.
        #[schema(value_type = BTreeMap<String, KeptFrom>, required = false)]
        keep: BTreeMap<String, String>,
    }
}

impl Merge {
    fn parse(&self, id: i64) -> Result<(i64, Keep), FieldErrors> {
        let mut errors = FieldErrors::default();
        let other = match self.other_id {
            Field::Value(other) if other != id => Ok(other),
            Field::Value(_) => Err("Choose another account than this one"),
            Field::Absent | Field::Null | Field::Wrong => Err("The other account is required"),
        };
        let other = errors.take("otherId", other);
        let empty = BTreeMap::new();
        let words = match &self.keep {
            Field::Value(words) => words,
            Field::Absent | Field::Null => &empty,
            Field::Wrong => return Err(FieldErrors::one("keep", "Each value must be this or other")),
        };
        let keep = Keep::parse(words)?;
        errors.finish(other.map(|other| (other, keep)))
    }
}

/// Join two accounts of one student: courses, documents, charges and notes of the other move here, and the
/// other is closed with a pointer. It cannot be undone.
#[utoipa::path(post, path = "/api/admin/students/{id}/merge", tag = "students",
    params(("id" = i64, Path, description = "The account that goes on")), request_body = Merge,
    responses((status = 200, body = StudentRecord), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "Both have an open enrollment in one course, or one is closed")))]
pub(super) async fn merge_students(
    staff: Staff<may::Merging, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<Student>,
    Json(form): Json<Merge>,
) -> Result<Json<StudentRecord>> {
    let (now, today) = (app.clock.now(), app.today());
    let config = app.config.clone();
    app.write_and_post(move |connection| {
        let this = office::read(connection, id, today)?;
        let (other_id, keep) = form.parse(id)?;
        let other = office::store::find(connection, other_id, today)?
            .ok_or_else(|| Error::field("otherId", "There is no such student"))?;
        for record in [&this, &other] {
            if record.status == StudentStatus::Closed {
                let message = "A closed account cannot be merged. Reinstate it first.";
                return Err(Error::Conflict(message.into()));
            }
        }
        enrollments::merge::hand_over(connection, other_id, id)?;
        documents::store::hand_over(connection, other_id, id)?;
        merge::merge(connection, &staff, (&this, &other), &keep, &config, now)?;
        office::read(connection, id, today)
    })
    .await
    .map(Json)
}
