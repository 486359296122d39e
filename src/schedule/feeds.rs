//! Calendars that programs subscribe to: the school's, and that of a student at an address of their own.
//!
//! The secret of that address is a keyed hash of the student's number and of how often it was renewed. So it can be
//! shown again, stands nowhere in the database, and a renewal makes the old address unknown.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::ics::{Calendar, Event, EventTime, Revision};
use super::own::{self, OwnSection};
use crate::base::error::{Error, Result};
use crate::base::json::Json;
use crate::base::random::hex;
use crate::config::Config;
use crate::storage::statements::{Statements, from_row, params};
use crate::students::CurrentStudent;
use crate::students::status::StudentStatus;
use crate::web::access::{AnyCaller, endpoints};
use crate::web::app::App;
use crate::web::cached_response::Encoded;
use crate::web::query::Query;
use crate::web::rate_limit::secret::{HashKey, KeyUse};

/// The feeds, which calendar programs read without a session.
pub fn public_routes() -> OpenApiRouter<App> {
    endpoints![get_school_calendar, get_student_calendar]
}

/// The signed-in student's endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_calendar_address, renew_calendar_address]
}

/// Path of the students' feeds.
const PATH: &str = "/api/students/calendar.ics";

const TYPE: &str = "text/calendar; charset=utf-8";

/// Address of a student's calendar.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalendarAddress {
    /// For a calendar program; a person who knows it reads the calendar.
    url: String,
}

impl CalendarAddress {
    fn new(app: &App, student_id: i64, generation: i64) -> Self {
        let secret = hex(&secret(app.limits.hash_key(), student_id, generation));
        Self { url: format!("{}{PATH}?token={student_id}-{secret}", app.config.public_url()) }
    }
}

fn secret(key: &HashKey, student_id: i64, generation: i64) -> [u8; 32] {
    key.sign(KeyUse::Calendar, &[&student_id.to_be_bytes(), &generation.to_be_bytes()])
}

/// The address of the signed-in student's calendar
#[utoipa::path(get, path = "/api/students/calendar", tag = "schedule")]
async fn get_calendar_address(
    student: CurrentStudent,
    State(app): State<App>,
) -> Result<Json<CalendarAddress>> {
    let id = student.id;
    let generation = app.db.query(move |connection| generation(connection, id)).await?;
    Ok(Json(CalendarAddress::new(&app, id, generation)))
}

/// Replace the address; the old one is unknown from then on
#[utoipa::path(post, path = "/api/students/calendar/renew", tag = "schedule")]
async fn renew_calendar_address(
    student: CurrentStudent,
    State(app): State<App>,
) -> Result<Json<CalendarAddress>> {
    let id = student.id;
    let generation = app.db.write(move |connection| renew(connection, id)).await?;
    Ok(Json(CalendarAddress::new(&app, id, generation)))
}

fn generation(connection: &Connection, student_id: i64) -> Result<i64> {
    let sql =
        "select coalesce((select generation from calendar_addresses where student_id = :student_id), 1)";
    connection.one(sql, params![student_id])
}

fn renew(connection: &Connection, student_id: i64) -> Result<i64> {
    let sql = "insert into calendar_addresses (student_id, generation) values (:student_id, 2)
        on conflict do update set generation = generation + 1";
    connection.run(sql, params![student_id])?;
    generation(connection, student_id)
}

/// The secret of an address.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
struct FeedQuery {
    /// From the address.
    #[param(value_type = Option<String>)]
    token: String,
}

/// A student's calendar, for calendar programs: each class of the active enrollments, in the school's zone
#[utoipa::path(get, path = "/api/students/calendar.ics", tag = "schedule", params(FeedQuery),
    responses((status = 200, body = String, content_type = "text/calendar"), (status = 304),
        (status = 404, body = crate::base::error::ErrorBody, description = "The address was renewed, or the account \
            is not open")))]
async fn get_student_calendar(
    _: AnyCaller,
    State(app): State<App>,
    Query(query): Query<FeedQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    let today = app.today();
    let known =
        query.token.split_once('-').and_then(|(id, secret)| Some((id.parse::<i64>().ok()?, bytes(secret)?)));
    let (id, signature) = known.ok_or_else(unknown)?;
    let key = app.limits.hash_key();
    let (generation, is_open) =
        app.db.query(move |connection| Ok((generation(connection, id)?, is_open(connection, id)?))).await?;
    let parts: [&[u8]; 2] = [&id.to_be_bytes(), &generation.to_be_bytes()];
    if !is_open || !key.signed(KeyUse::Calendar, &parts, &signature) {
        return Err(unknown());
    }
    let sections = app.db.query(move |connection| own::sections(connection, id, today)).await?;
    let body = of_sections(&sections, &app.config, app.clock.now());
    let mut response =
        Encoded::for_one(TYPE, "private, max-age=43200", body, &headers, Into::into).respond(&headers);
    // Readers of calendars obey robots.txt, which allows the address; searches must not show it.
    response.headers_mut().insert("x-robots-tag", HeaderValue::from_static("noindex"));
    Ok(response)
}

fn unknown() -> Error {
    Error::NotFound(
        "This calendar’s address is not valid any more. The student portal shows the current one.".into(),
    )
}

/// The bytes of hexadecimal digits.
fn bytes(hex: &str) -> Option<Vec<u8>> {
    let pairs = hex.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

fn is_open(connection: &Connection, student_id: i64) -> Result<bool> {
    let status: Option<StudentStatus> =
        connection.find("select status from students where id = :student_id", params![student_id])?;
    Ok(status == Some(StudentStatus::Active))
}

/// The calendar of a student's sections.
fn of_sections(sections: &[OwnSection], config: &Config, now: Timestamp) -> Vec<u8> {
    let school = config.school();
    let zone = &school.time_zone;
    let mut calendar = Calendar::new(&format!("Classes at {}", school.name));
    let portal = config.student_dashboard();
    let today = now.to_zoned(zone.rules().clone()).date();
    let classes: Vec<_> = sections
        .iter()
        .flat_map(|section| {
            section.classes(section.days(), zone.rules()).into_iter().map(move |class| (section, class))
        })
        .collect();
    let first = classes.iter().map(|(_, class)| class.starts).min();
    let last = classes.iter().map(|(_, class)| class.ends).max();
    if let (Some(first), Some(last)) = (first, last) {
        calendar.time_zone(zone, first, last);
    }
    for (section, class) in &classes {
        let is_cancelled = section.is_cancelled(class);
        let course = format!("{} {}", section.code, section.name);
        let teacher = section.teacher_name.as_ref().map(|name| format!(", {name}")).unwrap_or_default();
        let at = |time: crate::terms::TimeOfDay| class.date.to_datetime(time.time());
        let start = at(class.meeting.starts_at);
        calendar.event(&Event {
            uid: &format!("class-{}-{}@{}", section.id, start.strftime("%Y%m%dT%H%M"), host(config)),
            revision: section.changes.at(today, zone.rules()),
            when: EventTime::Hours(start, at(class.meeting.ends_at), zone),
            summary: &if is_cancelled { format!("Cancelled: {course}") } else { course },
            description: &format!("Section {}{teacher}", section.label),
            // The room's own link would let in anyone with the feed's address, and minors are in it.
            link: class.meeting.link.as_deref().filter(|_| !is_cancelled).map(|_| &*portal),
            is_cancelled,
        });
    }
    calendar.finish(zone, now)
}

/// The host of the school's address, for identifiers.
fn host(config: &Config) -> String {
    let url = config.public_url();
    url.split_once("://").map_or(url.as_str(), |(_, host)| host).to_owned()
}

/// A published term.
struct PublishedTerm {
    id: i64,
    name: String,
    starts_on: Date,
    ends_on: Date,
    days_off: Vec<Date>,
    version: i64,
    changed_at: Timestamp,
}

from_row!(PublishedTerm { id, name, starts_on, ends_on, days_off, version, changed_at });

/// The school's calendar, for calendar programs: when the published terms begin and end, and their days off
#[utoipa::path(get, path = "/calendar.ics", tag = "schedule",
    responses((status = 200, body = String, content_type = "text/calendar"), (status = 304)))]
async fn get_school_calendar(_: AnyCaller, State(app): State<App>, headers: HeaderMap) -> Result<Response> {
    let terms = app.db.query(published_terms).await?;
    let body = of_terms(&terms, &app.config, app.clock.now());
    Ok(Encoded::for_one(TYPE, "public, max-age=43200", body, &headers, Into::into).respond(&headers))
}

fn published_terms(connection: &Connection) -> Result<Vec<PublishedTerm>> {
    let sql = "select id, name, starts_on, ends_on, days_off, version, coalesce(changed_at, created_at) as changed_at from terms
        where is_published = 1 order by ends_on, id";
    connection.list(sql, [])
}

fn of_terms(terms: &[PublishedTerm], config: &Config, now: Timestamp) -> Vec<u8> {
    let mut calendar = Calendar::new(&config.school().name);
    for term in terms {
        let day = |kind: &str, day: Date, summary: &str, calendar: &mut Calendar| {
            calendar.event(&Event {
                uid: &format!("{kind}-{}-{day}@{}", term.id, host(config)),
                revision: Revision { sequence: term.version - 1, changed_at: term.changed_at },
                when: EventTime::Day(day),
                summary,
                description: "",
                link: None,
                is_cancelled: false,
            });
        };
        day("term-begins", term.starts_on, &format!("{} begins", term.name), &mut calendar);
        for off in &term.days_off {
            day("day-off", *off, &format!("No classes ({})", term.name), &mut calendar);
        }
        day("term-ends", term.ends_on, &format!("{} ends", term.name), &mut calendar);
    }
    calendar.finish(&config.school().time_zone, now)
}
