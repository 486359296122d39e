//! The site as it is now: the configuration's facts, and over them what the office published.
//!
//! Promises: an answer is never older than the last version that was published before the request, whichever
//! process published it; it is put together once for each, and once a day, because years and semesters pass.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use anyhow::Context as _;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;

use super::pictures::{self, PictureId, StoredPicture};
use super::versions;
use super::{Banner, Settings};
use crate::base::error::Result;
use crate::base::random::Token;
use crate::config::{Config, School, SchoolFile};
use crate::school::hours::{self, OpeningHours};
use crate::school::look::{self, Colour};
use crate::school::semesters::{self, Semester};
use crate::school::texts::{self, OwnTexts, SchoolText, TextKind};
use crate::school::{Person, Picture, PublicSchool};
use crate::storage::db::{self, Db};
use crate::terms::{self, Term};
use crate::web::cached_response::Encoded;

/// What its revisions are counted under.
const TOPIC: &str = "site";
/// How long a link to a preview leads there.
const PREVIEW_TTL: SignedDuration = SignedDuration::from_hours(2);
/// More than an office looks at in that time.
const MAX_PREVIEWS: usize = 50;

/// The site. Cheap to clone.
#[derive(Clone)]
pub struct Site(Arc<Inner>);

struct Inner {
    config: Arc<Config>,
    started_on: Date,
    current: RwLock<Option<Arc<SiteSnapshot>>>,
    rebuilding: tokio::sync::Mutex<()>,
    previews: Mutex<Vec<Preview>>,
}

struct Preview {
    token: String,
    until: Timestamp,
    snapshot: Arc<SiteSnapshot>,
}

/// The site at one revision.
#[derive(Debug)]
pub struct SiteSnapshot {
    /// What `revisions` said when it was read.
    pub revision: i64,
    /// The day of which it tells.
    pub day: Date,
    /// The facts in force.
    pub facts: Arc<School>,
    /// What the pages say of the school.
    pub school: PublicSchool,
    /// The same as `GET /api/school` answers it.
    pub json: Encoded,
    /// When the office is open, where machines can be told.
    pub hours: Option<Vec<OpeningHours>>,
    /// The style sheet of its own look; empty if it has none.
    pub style_sheet: String,
    /// Its own crest.
    pub crest: Option<Picture>,
    /// Colour of the browser's frame around the site.
    pub theme: Colour,
    /// The texts in force.
    pub texts: Vec<Arc<SchoolText>>,
    /// What is announced, on its days.
    banner: Option<Banner>,
}

impl SiteSnapshot {
    /// The text in force of a kind.
    pub fn text(&self, kind: TextKind) -> Option<&SchoolText> {
        self.texts.iter().map(Arc::as_ref).find(|text| text.in_force.kind == kind)
    }

    /// What is announced on its day.
    pub fn banner(&self) -> Option<&Banner> {
        self.banner.as_ref().filter(|banner| banner.is_shown_on(self.day))
    }
}

impl Site {
    /// The site as it was put together last.
    ///
    /// # Errors
    /// When nothing was yet, and it cannot be.
    pub fn latest(&self) -> Result<Arc<SiteSnapshot>> {
        let kept = self.0.current.read().unwrap_or_else(PoisonError::into_inner).clone();
        let facts = || self.facts().as_ref().clone();
        let empty =
            || self.snapshot(0, self.0.started_on, facts(), Settings::default(), &PublishedParts::default());
        kept.map_or_else(|| empty().map(Arc::new), Ok)
    }

    /// The site of a configuration, as of the day on which the server starts.
    pub fn new(config: Arc<Config>, started_on: Date) -> Self {
        let inner = Inner {
            config,
            started_on,
            current: RwLock::default(),
            rebuilding: tokio::sync::Mutex::default(),
            previews: Mutex::default(),
        };
        Self(Arc::new(inner))
    }

    /// What the configuration alone says.
    pub fn defaults(&self) -> School {
        self.0.config.school_file.school(&SchoolFile::default())
    }

    /// Whether every guardian has to confirm, as the configuration alone says.
    pub fn asks_every_guardian_by_default(&self) -> bool {
        self.0.config.office.every_guardian_confirms
    }

    /// What the configuration and some settings say.
    pub fn with(&self, settings: &Settings) -> School {
        self.0.config.school_file.school(&settings.over_file())
    }

    /// A text as it is written where the school has none of its own.
    pub fn built_in_text(&self, kind: TextKind) -> Option<String> {
        texts::source(&self.0.config, &self.facts(), &OwnTexts::default(), kind)
    }

    /// The facts in force.
    pub fn facts(&self) -> Arc<School> {
        self.0.config.school()
    }

    /// The site as visitors see it now, `today` being the school's day.
    pub async fn current(&self, db: &Db, today: Date) -> Result<Arc<SiteSnapshot>> {
        let revision = db.revision(TOPIC).await?;
        let kept = || {
            let kept = self.0.current.read().unwrap_or_else(PoisonError::into_inner).clone();
            kept.filter(|kept| kept.revision >= revision && kept.day >= today)
        };
        if let Some(kept) = kept() {
            return Ok(kept);
        }
        let _only_one = self.0.rebuilding.lock().await;
        // The previous holder of the lock may have built what this request needs.
        if let Some(kept) = kept() {
            return Ok(kept);
        }
        let (revision, settings, stored) = db
            .query(|connection| {
                // One read transaction: a label newer than what it stands for would hide a version.
                let reading = connection.unchecked_transaction()?;
                let settings = versions::published(&reading)?;
                let stored = PublishedParts::read(&reading, &settings)?;
                Ok((db::revision(&reading, TOPIC)?, settings, stored))
            })
            .await?;
        let facts = self.with(&settings);
        let every_guardian = settings.every_guardian_confirms;
        let money = settings.money.published();
        let snapshot = Arc::new(self.snapshot(revision, today, facts, settings, &stored)?);
        let mut current = self.0.current.write().unwrap_or_else(PoisonError::into_inner);
        if current.as_ref().is_none_or(|kept| (kept.day, kept.revision) < (today, revision)) {
            self.0.config.use_published(snapshot.facts.clone(), every_guardian, money);
            *current = Some(snapshot.clone());
        }
        Ok(snapshot)
    }

    /// Makes the site of some settings to be looked at for a while, and returns the secret of its link.
    pub async fn preview(&self, db: &Db, settings: Settings, now: Timestamp, today: Date) -> Result<String> {
        let (settings, stored) = db
            .query(move |connection| {
                let mut stored = PublishedParts::read(connection, &settings)?;
                // As if it were published now.
                stored.written.retain(|kind, _| stored.published.of(*kind) == settings.texts.of(*kind));
                Ok((settings, stored))
            })
            .await?;
        let facts = self.with(&settings);
        let snapshot = Arc::new(self.snapshot(0, today, facts, settings, &stored)?);
        let token = Token::generate()?;
        let mut previews = self.0.previews.lock().unwrap_or_else(PoisonError::into_inner);
        previews.retain(|preview| preview.until > now);
        if previews.len() >= MAX_PREVIEWS {
            previews.remove(0);
        }
        previews.push(Preview { token: token.as_str().to_owned(), until: now + PREVIEW_TTL, snapshot });
        Ok(token.as_str().to_owned())
    }

    /// The site of a preview, as long as its link holds.
    pub fn previewed(&self, token: &str, now: Timestamp) -> Option<Arc<SiteSnapshot>> {
        let previews = self.0.previews.lock().unwrap_or_else(PoisonError::into_inner);
        let preview = previews.iter().find(|preview| preview.token == token && preview.until > now)?;
        Some(preview.snapshot.clone())
    }

    fn snapshot(
        &self,
        revision: i64,
        day: Date,
        facts: School,
        settings: Settings,
        stored: &PublishedParts,
    ) -> Result<SiteSnapshot> {
        let pictures = &stored.pictures;
        let mut school = PublicSchool::new(&facts, day);
        let hours = if settings.hours.is_empty() {
            hours::of_words(&facts.hours)
        } else {
            Some(settings.hours.clone())
        };
        let colours = settings.colours();
        // What was removed since is left out.
        let shown = |id: &PictureId, alt: &str| pictures.get(id).map(|stored| stored.shown(id, alt));
        let crest = settings.crest.and_then(|crest| shown(&crest, ""));
        school.pictures.hero = settings.hero.and_then(|hero| shown(&hero.picture, &hero.alt));
        school.pictures.campus =
            settings.campus.iter().filter_map(|campus| shown(&campus.picture, &campus.alt)).collect();
        let people = settings.people.into_iter().filter_map(|person| {
            let picture = shown(&person.picture, &person.name)?;
            Some(Person { name: person.name, role: person.role, picture })
        });
        school.pictures.people = people.collect();
        school.questions = settings.questions;
        // The published terms, or the semesters that a school without terms publishes.
        let semesters = if stored.terms.is_empty() { &settings.semesters } else { &stored.terms };
        school.semesters = semesters::offered(semesters, day);
        school.show_fees = settings.show_fees;
        school.show_seats = settings.show_seats;
        let zone = facts.zone();
        let written =
            |kind| Some(stored.written.get(&kind).map_or(day, |at| at.to_zoned(zone.clone()).date()));
        let texts = texts::in_force(&self.0.config, &facts, &settings.texts, written);
        school.texts = texts.iter().map(|text| text.in_force.clone()).collect();
        let json = serde_json::to_vec(&school).context("the school as JSON")?;
        Ok(SiteSnapshot {
            revision,
            day,
            json: Encoded::new("application/json", "no-cache", json),
            facts: Arc::new(facts),
            school,
            texts,
            hours,
            style_sheet: look::style_sheet(colours, crest.as_ref().map(|crest| crest.src.as_str())),
            crest,
            theme: colours.theme(),
            banner: settings.banner,
        })
    }
}

fn semester(term: Term) -> Semester {
    let Term { name, starts_on, ends_on, join_until, .. } = term;
    Semester { name, start_date: starts_on, end_date: ends_on, join_until }
}

/// What settings speak of and the database has.
#[derive(Default)]
struct PublishedParts {
    pictures: HashMap<PictureId, StoredPicture>,
    /// Since when the school's own texts are the published ones.
    written: HashMap<TextKind, Timestamp>,
    published: OwnTexts,
    /// The published terms, by their first days.
    terms: Vec<Semester>,
}

impl PublishedParts {
    fn read(connection: &Connection, settings: &Settings) -> Result<Self> {
        Ok(Self {
            pictures: pictures::find_all(connection, settings.pictures().map(|(_, id)| id))?,
            written: versions::texts_written_at(connection)?,
            published: versions::published(connection)?.texts,
            terms: terms::store::published_terms(connection, Date::MIN)?.into_iter().map(semester).collect(),
        })
    }
}
