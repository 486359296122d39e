//! A student's classes of a week.

use axum::extract::State;
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::own;
use crate::base::dates::DateRange;
use crate::base::error::{Error, Result};
use crate::base::json::Json;
use crate::students::CurrentStudent;
use crate::terms::TimeOfDay;
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::Field;
use crate::web::query::Query;

/// The endpoint.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_week]
}

/// A class of a student's week.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeekClass {
    /// The date at the school.
    date: Date,
    /// `19:00`, in the school's zone.
    #[schema(value_type = String)]
    starts_at: TimeOfDay,
    /// As `startsAt`.
    #[schema(value_type = String)]
    ends_at: TimeOfDay,
    /// The school's zone: `America/Toronto`.
    time_zone: String,
    /// When it begins, anywhere.
    starts_at_utc: Timestamp,
    /// The course.
    course: WeekCourse,
    /// The section.
    section: WeekSection,
    /// Where the class meets online; null until the day before the enrollment's first day.
    #[schema(required)]
    link: Option<String>,
    /// Whether it does not take place.
    is_cancelled: bool,
}

/// The course of a class.
#[derive(Debug, Serialize, ToSchema)]
pub struct WeekCourse {
    /// Code.
    code: String,
    /// Name.
    name: String,
}

/// The section of a class.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeekSection {
    /// Label.
    label: String,
    /// The teacher.
    #[schema(required)]
    teacher_name: Option<String>,
}

/// Which week.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
struct WeekQuery {
    /// A day of the week, which begins on Monday; otherwise today at the school.
    #[param(value_type = Option<Date>)]
    date: String,
}

/// The signed-in student's classes of a week, Monday to Sunday at the school; days off are left out
#[utoipa::path(get, path = "/api/students/week", tag = "schedule", params(WeekQuery),
    responses((status = 400, body = crate::base::error::ErrorBody)))]
async fn get_week(
    student: CurrentStudent,
    State(app): State<App>,
    Query(query): Query<WeekQuery>,
) -> Result<Json<Vec<WeekClass>>> {
    let today = app.today();
    let day = match query.date.trim() {
        "" => today,
        text => Field::Value(text.to_owned()).date("").map_err(|message| Error::field("date", message))?,
    };
    let id = student.id;
    let sections = app.db.query(move |connection| own::sections(connection, id, today)).await?;
    let monday = day.saturating_sub(i64::from(day.weekday().to_monday_zero_offset()).days());
    let school = app.config.school();
    let zone = &school.time_zone;
    let week = DateRange { first: monday, last: monday.saturating_add(6.days()) };
    let mut classes = Vec::new();
    for section in &sections {
        for class in section.classes(week, zone.rules()) {
            classes.push(WeekClass {
                date: class.date,
                starts_at: class.meeting.starts_at,
                ends_at: class.meeting.ends_at,
                time_zone: zone.name().to_owned(),
                starts_at_utc: class.starts,
                course: WeekCourse { code: section.code.clone(), name: section.name.clone() },
                section: WeekSection {
                    label: section.label.clone(),
                    teacher_name: section.teacher_name.clone(),
                },
                link: class.meeting.link.clone(),
                is_cancelled: section.is_cancelled(&class),
            });
        }
    }
    classes.sort_by(|a, b| (a.starts_at_utc, &a.course.code).cmp(&(b.starts_at_utc, &b.course.code)));
    Ok(Json(classes))
}
