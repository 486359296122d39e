//! A course as visitors and students see it, with the sections that can be asked for and their free seats.

use axum::Extension;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;

use crate::base::error::{Error, Result};
use crate::base::json::Json;
use crate::courses::Course;
use crate::courses::catalogue::{Catalogue, CatalogueSnapshot, CodeMatch};
use crate::courses::details::{ArchivedAnswer, ArchivedCourse, CourseDetails};
use crate::courses::values::CourseCode;
use crate::settings::site::Site;
use crate::staff::CurrentStaff;
use crate::students::CurrentStudent;
use crate::terms;
use crate::web::access::{Caller, WayIn, endpoints};
use crate::web::app::App;
use crate::web::form::Field;
use crate::web::id::Numbered as _;

/// The endpoint for every caller.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![show_course]
}

/// Any caller; those who are signed in see what a section costs, because a student agrees to that price.
struct Reader {
    is_signed_in: bool,
}

impl FromRequestParts<App> for Reader {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let student: Option<CurrentStudent> = Option::from_request_parts(parts, app).await?;
        let staff: Option<CurrentStaff> = Option::from_request_parts(parts, app).await?;
        Ok(Self { is_signed_in: student.is_some() || staff.is_some() })
    }
}

impl Caller for Reader {
    fn ways_in() -> Vec<WayIn> {
        Vec::new()
    }
}

/// Show everything about a course, by its code. Prices and free seats of its sections are shown if the website shows
/// them, and prices to anyone who is signed in.
#[utoipa::path(get, path = "/api/courses/{code}", tag = "courses",
    params(("code" = String, Path, description = "Course code, in any case")),
    responses((status = 200, body = CourseDetails),
        (status = 410, body = ArchivedAnswer, description = "It is no longer offered; what to take \
            instead")))]
async fn show_course(
    reader: Reader,
    State(app): State<App>,
    Extension(catalogue): Extension<Catalogue>,
    Extension(site): Extension<Site>,
    Path(code): Path<String>,
) -> Result<Response> {
    let today = app.today();
    let catalogue = catalogue.current(&app.db, today).await?;
    let code = CourseCode::parse(&Field::Value(code)).ok();
    match code.and_then(|code| catalogue.find(&code)) {
        Some(CodeMatch::Offered(course)) => {
            let school = &site.current(&app.db, today).await?.school;
            let mut details = CourseDetails::new(course, &catalogue.courses);
            details.sections = catalogue.sections(course, &school.time_zone.name);
            if !school.show_fees && !reader.is_signed_in {
                details.sections =
                    details.sections.into_iter().map(|section| section.with_price(None)).collect();
            }
            if school.show_seats {
                show_seats(&app, &catalogue, &mut details).await?;
            }
            Ok(Json(details).into_response())
        }
        Some(CodeMatch::Archived(course)) => {
            let gone = ArchivedAnswer::from(ArchivedCourse::new(course, &catalogue.courses));
            Ok((StatusCode::GONE, Json(gone)).into_response())
        }
        None => Err(Course::not_found()),
    }
}

/// Adds the free seats, counted now.
async fn show_seats(app: &App, catalogue: &CatalogueSnapshot, details: &mut CourseDetails) -> Result<()> {
    let id = details.course.id;
    let Some(listed) = catalogue.sections.get(&id) else { return Ok(()) };
    let taken = app.db.read(move |connection| terms::store::taken(connection, id)).await?;
    for (section, public) in listed.iter().zip(&mut details.sections) {
        section.show_seats(public, taken.get(&public.id).copied().unwrap_or_default());
    }
    Ok(())
}
