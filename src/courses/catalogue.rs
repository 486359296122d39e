//! The public catalogue, serialized once per change and cached.
//!
//! Promises: a response is never older than the last change committed before the request by any process; a stale cache
//! is rebuilt only once. A query per request takes about 60 times as long.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use anyhow::Context;
use jiff::civil::Date;
use tokio::sync::Mutex;

use super::values::CourseCode;
use super::{CatalogueCourse, Course, store};
use crate::base::error::Result;
use crate::storage::db::{self, Db};
use crate::terms::{ListedSection, PublicSection};
use crate::web::cached_response::Encoded;

/// Topic of its revisions.
pub const TOPIC: &str = "courses";

/// The cached catalogue. Cheap to clone.
#[derive(Clone, Default)]
pub struct Catalogue(Arc<Cache>);

#[derive(Default)]
struct Cache {
    cached: RwLock<Option<Arc<CatalogueSnapshot>>>,
    rebuilding: Mutex<()>,
}

/// The catalogue at one revision.
#[derive(Debug)]
pub struct CatalogueSnapshot {
    /// What `revisions` said when the list was read.
    pub revision: i64,
    /// The day of which it tells: a section is listed until it ends.
    pub day: Date,
    /// The courses, by grade, then in the order of their adding.
    pub courses: Vec<Course>,
    /// Archived courses, latest first.
    pub archived: Vec<Course>,
    /// Open sections by their courses, without their seats.
    pub sections: HashMap<i64, Vec<ListedSection>>,
    /// The courses as `GET /api/courses` answers them.
    pub json: Encoded,
}

/// Result of a look-up by code.
#[derive(Debug, Clone, Copy)]
pub enum CodeMatch<'a> {
    /// An offered course.
    Offered(&'a Course),
    /// An archived course.
    Archived(&'a Course),
}

impl CatalogueSnapshot {
    /// Finds a course by code; offered courses take precedence over archived ones.
    pub fn find(&self, code: &CourseCode) -> Option<CodeMatch<'_>> {
        let with = |courses: &'_ [Course]| courses.iter().position(|course| course.code == *code);
        with(&self.courses)
            .map(|at| CodeMatch::Offered(&self.courses[at]))
            .or_else(|| with(&self.archived).map(|at| CodeMatch::Archived(&self.archived[at])))
    }

    /// A course as the list shows it.
    pub fn row(&self, course: Course) -> CatalogueCourse {
        CatalogueCourse { has_sections: self.sections.contains_key(&course.id), course }
    }

    /// The open sections of a course with their prices, and without their seats.
    pub fn sections(&self, course: &Course, time_zone: &str) -> Vec<PublicSection> {
        let listed = self.sections.get(&course.id).into_iter().flatten();
        listed.map(|section| section.public(self.day, time_zone, course.price)).collect()
    }
}

impl Catalogue {
    /// The catalogue as it is now, `today` being the school's day.
    pub async fn current(&self, db: &Db, today: Date) -> Result<Arc<CatalogueSnapshot>> {
        let revision = db.revision(TOPIC).await?;
        if let Some(snapshot) = self.at_least(revision, today) {
            return Ok(snapshot);
        }
        let _only_one = self.0.rebuilding.lock().await;
        // The previous holder of the lock may have built what this request needs.
        if let Some(snapshot) = self.at_least(revision, today) {
            return Ok(snapshot);
        }
        let snapshot = Arc::new(build(db, today).await?);
        *self.0.cached.write().unwrap_or_else(PoisonError::into_inner) = Some(snapshot.clone());
        Ok(snapshot)
    }

    fn at_least(&self, revision: i64, today: Date) -> Option<Arc<CatalogueSnapshot>> {
        let cached = self.0.cached.read().unwrap_or_else(PoisonError::into_inner);
        cached.as_ref().filter(|snapshot| snapshot.revision >= revision && snapshot.day >= today).cloned()
    }
}

async fn build(db: &Db, today: Date) -> Result<CatalogueSnapshot> {
    let (revision, courses, archived, sections) = db
        .query(move |connection| {
            // One read transaction, the revision first: a label newer than its list would hide the
            // change in between until the next one.
            let reading = connection.unchecked_transaction()?;
            let sections = ListedSection::by_course(&reading, None, today)?;
            let courses = store::list(&reading)?;
            let archived = store::list_archived(&reading)?;
            Ok((db::revision(&reading, TOPIC)?, courses, archived, sections))
        })
        .await?;
    // Apart from the query: the reader is given back before the milliseconds of compressing.
    tokio::task::spawn_blocking(move || {
        let json = Encoded::new("application/json", "no-cache", Vec::new());
        let snapshot = CatalogueSnapshot { revision, day: today, courses, archived, sections, json };
        let rows: Vec<_> = snapshot.courses.iter().cloned().map(|course| snapshot.row(course)).collect();
        let json = serde_json::to_vec(&rows).context("writing the catalogue as JSON")?;
        Ok(CatalogueSnapshot { json: Encoded::new("application/json", "no-cache", json), ..snapshot })
    })
    .await
    .context("compressing the catalogue panicked")?
}
