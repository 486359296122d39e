//! The temporary school of `serve --demo`, with a history of months: the sample catalogue, four staff members, sixty
//! students with courses and documents in every state, and messages of visitors.
//!
//! It uses the rooms' own functions, with injected times. The school is the same on the same day, except for passwords
//! and the ids of decisions, which are random. One student can log in: see [`amara`].

mod accounts;
mod amara;
mod applications;
mod bank;
mod calendar;
mod changed_classes;
mod correspondence;
mod credits;
mod decisions;
mod diary;
mod dice;
mod files;
mod full_classes;
mod names;
mod notes;
mod old_mail;
mod papers;
mod payments;
mod plan;
mod privacy;
mod profiles;
mod sample;
mod scene;
mod schedule;
mod site;
mod staff;
mod terms;
mod waiting;

use anyhow::anyhow;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::de::DeserializeOwned;

use self::calendar::Calendar;
use self::dice::Dice;
use self::files::Files;
use self::plan::Plan;
use self::scene::Scene;
pub use self::staff::DemoLogins;
use self::staff::Team;
use crate::audit::Actor;
use crate::base::error::{Error, Result};
use crate::courses::import::{CourseImport, SAMPLE};
use crate::documents::review::clock;
use crate::web::app::App;
use crate::web::sheet::Importing;

/// With this seed there are enough students without each course; other seeds may fail.
const SEED: u64 = 2026;

/// Fills an empty school.
pub async fn seed(app: &App) -> Result<DemoLogins> {
    let calendar = Calendar::of(app);
    import_catalogue(app, calendar.now - staff::AGE).await?;
    let accounts = DemoLogins::draw(app).await?;
    let hashes = accounts.staff_hashes();
    let student_hash = accounts.student_hash();
    let now = calendar.now;
    let shared = app.clone();
    let terms = calendar.clone();
    let (team, amara) = app
        .db
        .write(move |connection| {
            let team = staff::insert(connection, &hashes, now)?;
            schedule::insert(connection, &terms)?;
            let amara = amara::insert(&shared, connection, &student_hash, team, &terms)?;
            // Before the first upload wakes the worker.
            old_mail::forget(connection, now)?;
            Ok((team, amara))
        })
        .await?;
    let files = amara::upload(app, amara, team).await?;
    let shared = app.clone();
    app.write_and_notify(move |connection| crowd(&shared, connection, team, &files, &calendar)).await?;
    clock::run_due(app).await?;
    Ok(accounts)
}

async fn import_catalogue(app: &App, at: Timestamp) -> Result<()> {
    let path = app.data_dir.database();
    tokio::task::spawn_blocking(move || -> Result<()> {
        let mut connection = crate::storage::db::connect(&path)?;
        let import = CourseImport { actor: Actor::command_line(), now: at };
        let mut importing = Importing::open(import, SAMPLE.to_vec());
        let problems = &importing.validate(&connection)?.problems;
        if !problems.is_empty() {
            return Err(anyhow!("the sample catalogue: {problems}").into());
        }
        importing.write(&mut connection, &mut |_, _| {})
    })
    .await
    .map_err(|error| anyhow!("importing the sample catalogue: {error}"))?
}

/// Creates all other students and the whole history in one write.
fn crowd(app: &App, connection: &Connection, team: Team, files: &Files, calendar: &Calendar) -> Result<()> {
    let mut plan = Plan::new(calendar.clone(), Dice::new(SEED));
    // Students of the full classes are chosen first, as few are in that grade.
    full_classes::add(&mut plan)?;
    full_classes::raise_prices(&mut plan)?;
    terms::past(&mut plan)?;
    terms::current(&mut plan)?;
    waiting::requests(&mut plan)?;
    waiting::came_to_nothing(&mut plan)?;
    accounts::add(&mut plan)?;
    correspondence::add(&mut plan)?;
    applications::add(&mut plan)?;
    notes::add(&mut plan)?;
    payments::add(&mut plan);
    bank::add(&mut plan);
    privacy::add(&mut plan)?;
    credits::add(&mut plan)?;
    full_classes::section(&mut plan)?;
    let published_at = calendar.now - jiff::SignedDuration::from_hours(24 * 40);
    site::publish(app, connection, team.office, published_at, calendar.today)?;
    let mut scene = Scene::new(app, connection, team, files, calendar);
    plan.diary.run(&mut scene)?;
    changed_classes::add(app, connection, team, calendar)?;
    old_mail::forget(connection, calendar.now)
}

/// A body of a request, as the form's own type.
fn form<T: DeserializeOwned>(fields: serde_json::Value) -> Result<T> {
    serde_json::from_value(fields).map_err(|error| Error::Internal(error.into()))
}
