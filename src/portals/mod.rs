//! The pages of the portals: visitors are redirected to the login, and signed-in owners away from it, before anything
//! is shown.

mod forms;

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::any;
use axum::{Extension, Router};

use crate::base::error::Result;
use crate::staff::{CurrentStaff, StaffAccount};
use crate::students::{CurrentStudent, Student};
use crate::web::app::App;
use crate::website::{self, OfficeDuties, PortalAccess, Website};

/// The pages of both portals, at every address of theirs.
pub fn routes(app: &App) -> Router<App> {
    let page = || any(website::get_page);
    Router::new()
        .route("/student", page())
        .route("/student/", page())
        .route("/student/{*rest}", page())
        .route(forms::STUDENT_LOGIN, page().post(forms::log_in_student))
        .route(forms::STUDENT_FORGOT, page().post(forms::ask_student))
        .route("/student/reset-password/{token}", page().post(forms::choose_password::<Student>))
        .route("/student/choose-password/{token}", page().post(forms::choose_password::<Student>))
        .route("/student/logout", page().post(forms::log_out_student))
        .route("/admin", page())
        .route("/admin/", page())
        .route("/admin/{*rest}", page())
        .route(forms::OFFICE_LOGIN, page().post(forms::log_in_staff))
        .route(forms::OFFICE_FORGOT, page().post(forms::ask_staff))
        .route("/admin/reset-password/{token}", page().post(forms::choose_password::<StaffAccount>))
        .route("/admin/logout", page().post(forms::log_out_staff))
        .layer(middleware::from_fn_with_state(app.clone(), door))
}

const NO_STORE: HeaderValue = HeaderValue::from_static("private, no-store");

async fn door(
    State(_): State<App>,
    student: Result<Option<CurrentStudent>>,
    staff: Result<Option<CurrentStaff>>,
    Extension(website): Extension<Arc<Website>>,
    mut request: Request,
    next: Next,
) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    let is_office = request.uri().path().starts_with("/admin");
    let is_signed_in = match is_office {
        true => staff.as_ref().map(Option::is_some),
        false => student.as_ref().map(Option::is_some),
    };
    // If sessions cannot be read, the interface asks again.
    let Ok(is_signed_in) = is_signed_in else { return next.run(request).await };
    let door = website.door(request.uri(), is_signed_in);
    if let PortalAccess::Elsewhere(address) = &door {
        return ([(header::CACHE_CONTROL, NO_STORE)], Redirect::to(address)).into_response();
    }
    if let Ok(Some(staff)) = staff {
        request.extensions_mut().insert(OfficeDuties(staff.user.duties));
    }
    let mut answer = next.run(request).await;
    if door == PortalAccess::Login {
        // On Back, the browser must ask again whether the login is shown.
        answer.headers_mut().insert(header::CACHE_CONTROL, NO_STORE);
    }
    answer
}
