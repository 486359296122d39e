//! Site settings: what the office publishes over the configuration. A draft, its preview, publishing it, and the way
//! back to an earlier version; the pictures; and the site as it then is.

mod facts;
mod input;
mod money;
pub mod pictures;
pub mod site;
mod values;
pub mod versions;

use axum::Extension;
use axum::extract::multipart::{Multipart, MultipartRejection};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

pub use self::facts::Facts;
use self::input::SettingsInput;
use self::pictures::{PictureForm, UploadedPicture};
use self::site::Site;
pub use self::values::{Banner, BannerLink, OnByDefault, Portrait, Settings, Shown};
use self::versions::{Override, SiteVersion};
use crate::audit;
use crate::base::error::{Error, ErrorBody, FieldErrors, Result};
use crate::base::json::Json;
use crate::config::MissingFact;
use crate::school::letters;
use crate::school::semesters::{self, Semester};
use crate::school::texts::{OwnTexts, TextKind};
use crate::staff::{Recent, Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form, read_as};
use crate::web::id::Id;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints! {
        get_settings, save_settings, discard_settings, publish_settings, preview_settings,
        list_settings_versions, restore_settings_version,
    }
    .merge(money::routes())
    .merge(endpoints![upload_picture].layer(DefaultBodyLimit::max(pictures::MAX_BODY_BYTES)))
}

/// What is being written, beside what visitors see.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsPage {
    /// Version for optimistic locking.
    version: i64,
    /// What is being written.
    settings: Settings,
    /// Which parts of it visitors do not see yet.
    changes: Vec<&'static str>,
    /// The version that visitors see; null before the first.
    #[schema(required)]
    published: Option<SiteVersion>,
    /// Every picture that it shows and that is still there.
    pictures: Vec<UploadedPicture>,
    /// What the configuration says where nothing is chosen.
    defaults: SettingsDefaults,
    /// What visitors see in the place of a value of the configuration, since when and by which version.
    overrides: Vec<Override>,
    /// Facts that visitors do not see, because nothing sets them.
    missing_facts: Vec<MissingFact>,
}

/// What the configuration says.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsDefaults {
    /// Facts of the school; null if the configuration has none.
    facts: Facts,
    /// The texts as they are written, with the school's published facts in them; null where only the school can write
    /// one.
    texts: OwnTexts,
    /// Office hours as they are shown.
    hours: String,
    /// Universities that accepted graduates.
    universities: Vec<String>,
    /// What a school without semesters may begin with.
    semesters: Vec<Semester>,
    /// Whether every guardian has to confirm.
    every_guardian_confirms: bool,
}

impl SettingsDefaults {
    fn of(site: &Site, today: Date) -> Self {
        let school = site.defaults();
        let built_in = |kind| site.built_in_text(kind);
        let texts = OwnTexts {
            terms: built_in(TextKind::Terms),
            privacy: built_in(TextKind::Privacy),
            refunds: built_in(TextKind::Refunds),
            how_to_pay: built_in(TextKind::HowToPay),
        };
        Self {
            texts,
            // The sample's facts are no school's: what is not set here is set nowhere.
            facts: if school.is_named() { Facts::of(&school) } else { Facts::default() },
            hours: school.hours,
            universities: school.universities,
            semesters: semesters::proposal(today),
            every_guardian_confirms: site.asks_every_guardian_by_default(),
        }
    }
}

impl SettingsPage {
    fn read(connection: &Connection, site: &Site, today: Date) -> Result<Self> {
        let published = versions::published(connection)?;
        let draft = versions::draft(connection)?;
        let stored = pictures::find_all(connection, draft.settings.pictures().map(|(_, id)| id))?;
        let mut pictures: Vec<_> =
            stored.iter().map(|(id, stored)| UploadedPicture::new(id, stored)).collect();
        pictures.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(Self {
            version: draft.version,
            changes: draft.settings.changes(&published),
            settings: draft.settings,
            published: versions::newest(connection)?,
            pictures,
            defaults: SettingsDefaults::of(site, today),
            overrides: versions::overrides(connection)?,
            missing_facts: site.with(&published).missing_facts(),
        })
    }
}

/// A version with what it changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedVersion {
    #[serde(flatten)]
    version: SiteVersion,
    /// Which parts differ from the version before it; of the oldest that is kept, from the configuration.
    changes: Vec<&'static str>,
}

form! {
    /// `PUT /api/admin/settings/draft`'s body.
    pub struct SettingsForm {
        /// The version that was changed.
        version: i64,
        settings: SettingsInput,
    }
}

read_as!(SettingsInput => SettingsInput);

form! {
    /// The version of the draft that was seen.
    pub struct SeenForm {
        version: i64,
    }
}

form! {
    /// `POST /api/admin/settings/publish`'s body.
    pub struct PublishForm {
        /// The version that was seen.
        version: i64,
        /// What is new, for the list of versions: at most 200 characters.
        note: Option<String>,
    }
}

form! {
    /// `POST /api/admin/settings/preview`'s body.
    pub struct PreviewForm {
        /// A version that was published; null: what is being written.
        id: Option<i64>,
    }
}

/// Address of a preview.
#[derive(Debug, Serialize, ToSchema)]
pub struct PreviewLink {
    /// Link to the home page as a preview, valid for two hours.
    link: String,
}

fn seen(field: &Field<i64>) -> Result<i64> {
    match field {
        Field::Value(version) => Ok(*version),
        _ => Err(Error::field("version", "Version is required")),
    }
}

/// What the office gives the site
#[utoipa::path(get, path = "/api/admin/settings", tag = "school")]
async fn get_settings(
    _: Staff<may::Settings>,
    State(app): State<App>,
    Extension(site): Extension<Site>,
) -> Result<Json<SettingsPage>> {
    let today = app.today();
    app.db.query(move |connection| SettingsPage::read(connection, &site, today)).await.map(Json)
}

/// Save what is being written
#[utoipa::path(put, path = "/api/admin/settings/draft", tag = "school",
    responses((status = 409, body = ErrorBody, description = "It was changed after it was read")))]
async fn save_settings(
    staff: Staff<may::Settings>,
    State(app): State<App>,
    Extension(site): Extension<Site>,
    Json(form): Json<SettingsForm>,
) -> Result<Json<SettingsPage>> {
    let seen = seen(&form.version)?;
    let Field::Value(input) = &form.settings else {
        return Err(Error::field("settings", "Settings are required"));
    };
    let settings = input.parse()?;
    write_draft(&app, site, staff.id, seen, |connection| {
        check_pictures(connection, &settings)?;
        // The bursar's part has a page of its own.
        Ok(Settings { money: versions::draft(connection)?.settings.money, ..settings })
    })
    .await
}

/// Refuses a version other than that of the draft.
fn check_seen(connection: &Connection, site: &Site, seen: i64, today: Date) -> Result<()> {
    if versions::draft(connection)?.version == seen {
        return Ok(());
    }
    let message = "This was changed by another user meanwhile. Please review the current version.";
    Err(Error::conflict(message, &SettingsPage::read(connection, site, today)?))
}

/// Puts settings in the place of what was seen of the draft.
async fn write_draft(
    app: &App,
    site: Site,
    user_id: i64,
    seen: i64,
    settings: impl FnOnce(&Connection) -> Result<Settings> + Send + 'static,
) -> Result<Json<SettingsPage>> {
    let now = app.clock.now();
    let today = app.today();
    app.carry_out(move |connection| {
        let settings = settings(connection)?;
        check_seen(connection, &site, seen, today)?;
        versions::write(connection, &settings, seen, user_id, now)?;
        SettingsPage::read(connection, &site, today)
    })
    .await
}

fn check_pictures(connection: &Connection, settings: &Settings) -> Result<(), Error> {
    let found = pictures::find_all(connection, settings.pictures().map(|(_, id)| id))?;
    let mut errors = FieldErrors::default();
    for (field, _) in settings.pictures().filter(|(_, id)| !found.contains_key(id)) {
        errors.add(field, "This picture is no longer there. Please upload it again");
    }
    Ok(errors.finish(Some(()))?)
}

/// Go back to what visitors see
#[utoipa::path(post, path = "/api/admin/settings/discard", tag = "school",
    responses((status = 409, body = ErrorBody, description = "It was changed after it was read")))]
async fn discard_settings(
    staff: Staff<may::Settings>,
    State(app): State<App>,
    Extension(site): Extension<Site>,
    Json(form): Json<SeenForm>,
) -> Result<Json<SettingsPage>> {
    write_draft(&app, site, staff.id, seen(&form.version)?, versions::published).await
}

/// Show visitors what was written
#[utoipa::path(post, path = "/api/admin/settings/publish", tag = "school",
    responses((status = 409, body = ErrorBody, description = "Nothing is new, or another user changed it \
            meanwhile")))]
async fn publish_settings(
    staff: Staff<may::Settings, Recent>,
    State(app): State<App>,
    Extension(site): Extension<Site>,
    Json(form): Json<PublishForm>,
) -> Result<Json<SettingsPage>> {
    let seen = seen(&form.version)?;
    let note = form.note.optional(200).map_err(|message| Error::field("note", message))?;
    let now = app.clock.now();
    let today = app.today();
    let shown = site.clone();
    let config = app.config.clone();
    let published = app
        .db
        .write(move |connection| {
            let draft = versions::draft(connection)?;
            let changes = draft.settings.changes(&versions::published(connection)?);
            if changes.is_empty() {
                let current = SettingsPage::read(connection, &site, today)?;
                return Err(Error::conflict("There is nothing new to publish.", &current));
            }
            check_pictures(connection, &draft.settings)?;
            check_seen(connection, &site, seen, today)?;
            letters::keep(connection, &config.school().name)?;
            // Increments the version, so that edits based on the old one are refused.
            versions::write(connection, &draft.settings, seen, staff.id, now)?;
            let id = versions::publish(connection, &draft.settings, note.as_deref(), Some(staff.id), now)?;
            versions::sweep_pictures(connection, now)?;
            let detail = json!({ "changes": changes, "note": note });
            audit::record(connection, &staff.actor(), "publish", "site", id, detail, now)?;
            SettingsPage::read(connection, &site, today)
        })
        .await?;
    // The next email says what was published, whether or not a visitor has looked at a page.
    shown.current(&app.db, today).await?;
    Ok(Json(published))
}

/// Look at the site as it would be
#[utoipa::path(post, path = "/api/admin/settings/preview", tag = "school",
    responses((status = 404, body = ErrorBody)))]
async fn preview_settings(
    _: Staff<may::Settings>,
    State(app): State<App>,
    Extension(site): Extension<Site>,
    Json(form): Json<PreviewForm>,
) -> Result<(StatusCode, Json<PreviewLink>)> {
    let id = match form.id {
        Field::Absent | Field::Null => None,
        Field::Value(id) => Some(id),
        Field::Wrong => return Err(Error::field("id", "Must be the number of a version")),
    };
    let settings = app
        .db
        .query(move |connection| match id {
            Some(id) => versions::find(connection, id),
            None => Ok(versions::draft(connection)?.settings),
        })
        .await?;
    let token = site.preview(&app.db, settings, app.clock.now(), app.today()).await?;
    Ok((StatusCode::CREATED, Json(PreviewLink { link: format!("/?preview={token}") })))
}

/// What was published, the newest first
#[utoipa::path(get, path = "/api/admin/settings/versions", tag = "school")]
async fn list_settings_versions(
    _: Staff<may::Settings>,
    State(app): State<App>,
) -> Result<Json<Vec<ListedVersion>>> {
    let listed = app.db.query(|connection| {
        let versions = versions::list(connection)?;
        let settings: Vec<_> =
            versions.iter().map(|version| versions::find(connection, version.id)).collect::<Result<_>>()?;
        let nothing = Settings::default();
        let befores = settings.iter().skip(1).chain([&nothing]);
        let changes: Vec<_> =
            settings.iter().zip(befores).map(|(after, before)| after.changes(before)).collect();
        Ok(versions
            .into_iter()
            .zip(changes)
            .map(|(version, changes)| ListedVersion { version, changes })
            .collect())
    });
    listed.await.map(Json)
}

/// Take a version as what is being written; it is published by a step of its own
#[utoipa::path(post, path = "/api/admin/settings/versions/{id}/restore", tag = "school",
    responses((status = 409, body = ErrorBody, description = "It was changed after it was read")))]
async fn restore_settings_version(
    staff: Staff<may::Settings>,
    State(app): State<App>,
    Extension(site): Extension<Site>,
    Id(id, ..): Id<SiteVersion>,
    Json(form): Json<SeenForm>,
) -> Result<Json<SettingsPage>> {
    let seen = seen(&form.version)?;
    write_draft(&app, site, staff.id, seen, move |connection| versions::find(connection, id)).await
}

/// Upload a picture for the site
#[utoipa::path(post, path = "/api/admin/pictures", tag = "school",
    request_body(content = PictureForm, content_type = "multipart/form-data"),
    responses((status = 409, body = ErrorBody, description = "The site has as many pictures as it can keep"),
        (status = 503, body = ErrorBody, headers(("Retry-After" = i64, description = "Seconds to wait")),
            description = "The server is busy, or its disk is full")))]
async fn upload_picture(
    staff: Staff<may::Settings>,
    State(app): State<App>,
    form: Result<Multipart, MultipartRejection>,
) -> Result<(StatusCode, Json<UploadedPicture>)> {
    let form = form.map_err(|_| Error::UnsupportedType("The upload must be a form with a file.".into()))?;
    Ok((StatusCode::CREATED, Json(pictures::take(&app, form, staff.id).await?)))
}
