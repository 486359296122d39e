//! The portals' forms for browsers without scripts: login with a second factor, forgotten and new password, logout.
//! Each does the same as the API's call, with the same rules and rate limits. Errors are shown on the page, and input
//! is kept except for passwords and codes.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::Uri;
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;

use crate::accounts::Owner;
use crate::accounts::browser::Browser;
use crate::accounts::password::{self, PasswordReset};
use crate::base::error::{Error, Result};
use crate::base::security_log::SecurityEvent;
use crate::staff::forgotten::{self, ForgottenName};
use crate::staff::{self, StaffAccount, StaffCredentials};
use crate::students::account::{self, AccountEmail};
use crate::students::{self, Student, StudentCredentials};
use crate::web::access::AnyCaller;
use crate::web::app::App;
use crate::web::form::{Field, Urlencoded};
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::device::{Devices, Remember};
use crate::web::session::{self, StaffSession, StudentSession};
use crate::website::Website;
use crate::website::plain_form::PlainForm;

/// The students' login.
pub const STUDENT_LOGIN: &str = "/student/auth";
/// The office's.
pub const OFFICE_LOGIN: &str = "/admin/login";
/// Where students ask for a link to a new password.
pub const STUDENT_FORGOT: &str = "/student/forgot-password";
/// Where the staff do.
pub const OFFICE_FORGOT: &str = "/admin/forgot-password";

type Sent<T> = Result<Urlencoded<T>>;

/// The differences between the two logins.
struct LoginPage {
    address: &'static str,
    forgotten: &'static str,
    /// Id of the form on the page for a forgotten password.
    forgotten_form: &'static str,
    field: NameField,
}

/// The field with an account's name.
struct NameField {
    name: &'static str,
    label: &'static str,
    /// Its type, as HTML has it.
    kind: &'static str,
}

const STUDENTS: LoginPage = LoginPage {
    address: STUDENT_LOGIN,
    forgotten: STUDENT_FORGOT,
    forgotten_form: "account",
    field: NameField { name: "email", label: "Email", kind: "email" },
};
const OFFICE: LoginPage = LoginPage {
    address: OFFICE_LOGIN,
    forgotten: OFFICE_FORGOT,
    forgotten_form: "forgot",
    field: NameField { name: "username", label: "Username", kind: "text" },
};

/// Logs a student in.
pub async fn log_in_student(
    _: AnyCaller,
    State(app): State<App>,
    Extension(website): Extension<Arc<Website>>,
    browser: Browser<Student>,
    uri: Uri,
    form: Sent<StudentCredentials>,
) -> Response {
    let client = browser.client;
    let (form, done) = match form {
        Ok(Urlencoded(form)) => {
            let done = students::log_in(&app, &form, &browser).await;
            (form, done.map(|(_, remember)| remember))
        }
        Err(error) => (StudentCredentials::default(), Err(error)),
    };
    answer_login(website, &STUDENTS, form.email.text(), &form.code, done, &uri, client).await
}

/// Logs a member of the staff in.
pub async fn log_in_staff(
    _: AnyCaller,
    State(app): State<App>,
    Extension(website): Extension<Arc<Website>>,
    browser: Browser<StaffAccount>,
    uri: Uri,
    form: Sent<StaffCredentials>,
) -> Response {
    let client = browser.client;
    let (form, done) = match form {
        Ok(Urlencoded(form)) => {
            let done = staff::log_in(&app, &form, browser).await;
            (form, done.map(|(_, remember)| remember))
        }
        Err(error) => (StaffCredentials::default(), Err(error)),
    };
    answer_login(website, &OFFICE, form.username.text(), &form.code, done, &uri, client).await
}

/// Redirects after a login, or shows the form with the error.
async fn answer_login(
    website: Arc<Website>,
    page: &LoginPage,
    name: &str,
    code: &Field<String>,
    done: Result<Remember>,
    uri: &Uri,
    client: ClientAddr,
) -> Response {
    let error = match done {
        Ok(remember) => {
            let home = Redirect::to(&website.after_login(uri));
            return (Extension(SecurityEvent::LoginSucceeded), remember, home).into_response();
        }
        Err(error) => error,
    };
    let takes_code = matches!(error, Error::CodeWanted(_) | Error::WrongCode(..)) || !code.is_blank();
    let form = PlainForm::new("login", &error);
    let NameField { name: field, label, kind } = page.field;
    let drawn = html! {
        form method="post" {
            @if let Error::CodeWanted(_) = error {
                (PlainForm::notice("Please enter your password once more, and with it a code: the six digits that \
                    your authenticator app shows now, or one of your recovery codes."))
            } @else {
                (PlainForm::notice(&error.to_string()))
            }
            (form.input(field, label, kind, "username", name))
            (form.input("password", "Password", "password", "current-password", ""))
            @if takes_code { (form.input("code", "Code", "text", "one-time-code", "")) }
            p.auth-help { a href=(page.forgotten) { "Forgot password?" } }
            (PlainForm::submit("Login"))
        }
    };
    website.refuse_form(page.address, drawn, error, client).await
}

/// Sends a student a link to a new password.
pub async fn ask_student(
    _: AnyCaller,
    State(app): State<App>,
    Extension(website): Extension<Arc<Website>>,
    client: ClientAddr,
    devices: Devices,
    form: Sent<AccountEmail>,
) -> Response {
    let (form, done) = match form {
        Ok(Urlencoded(form)) => {
            let done = account::ask_for_password(&app, &form, client, &devices).await;
            (form, done)
        }
        Err(error) => (AccountEmail::default(), Err(error)),
    };
    answer_asked(website, &STUDENTS, form.email.text(), done, client).await
}

/// Sends a member of the staff a link to a new password.
pub async fn ask_staff(
    _: AnyCaller,
    State(app): State<App>,
    Extension(website): Extension<Arc<Website>>,
    client: ClientAddr,
    devices: Devices,
    form: Sent<ForgottenName>,
) -> Response {
    let (form, done) = match form {
        Ok(Urlencoded(form)) => {
            let done = forgotten::ask_for_password(&app, &form, client, &devices).await;
            (form, done)
        }
        Err(error) => (ForgottenName::default(), Err(error)),
    };
    answer_asked(website, &OFFICE, form.username.text(), done, client).await
}

/// Redirects after a request for a link, or shows the form with the error.
async fn answer_asked(
    website: Arc<Website>,
    page: &LoginPage,
    name: &str,
    done: Result<()>,
    client: ClientAddr,
) -> Response {
    let Err(error) = done else { return Redirect::to(&format!("{}?sent", page.forgotten)).into_response() };
    let form = PlainForm::new(page.forgotten_form, &error);
    let NameField { name: field, label, kind } = page.field;
    let drawn = html! {
        form method="post" {
            (PlainForm::notice(&error.to_string()))
            (form.input(field, label, kind, "username", name))
            (PlainForm::submit("Send the Link"))
        }
    };
    website.refuse_form(page.forgotten, drawn, error, client).await
}

/// A page for a new password, opened by a link.
struct NewPasswordPage {
    /// Its path before the token.
    folder: &'static str,
    /// A path with a placeholder for the token.
    address: &'static str,
    /// Where to go afterwards.
    done: &'static str,
    /// Where to request another link.
    again: &'static str,
    label: &'static str,
    submit: &'static str,
}

const NEW_PASSWORD: [NewPasswordPage; 3] = [
    NewPasswordPage {
        folder: "/student/reset-password/",
        address: "/student/reset-password/token",
        done: "/student/reset-password/done",
        again: STUDENT_FORGOT,
        label: "New Password",
        submit: "Change My Password",
    },
    NewPasswordPage {
        folder: "/student/choose-password/",
        address: "/student/choose-password/token",
        done: "/student/auth?verified=true",
        again: STUDENT_FORGOT,
        label: "Password",
        submit: "Save My Password",
    },
    NewPasswordPage {
        folder: "/admin/reset-password/",
        address: "/admin/reset-password/token",
        done: "/admin/reset-password/done",
        again: OFFICE_FORGOT,
        label: "New Password",
        submit: "Change My Password",
    },
];

/// Sets a new password by the token in the form's address.
pub async fn choose_password<O: Owner>(
    _: AnyCaller,
    State(app): State<App>,
    Extension(website): Extension<Arc<Website>>,
    browser: Browser<O>,
    Path(token): Path<String>,
    uri: Uri,
    form: Sent<PasswordReset>,
) -> Response {
    let client = browser.client;
    let [first, ..] = &NEW_PASSWORD;
    let page = NEW_PASSWORD.iter().find(|page| uri.path().starts_with(page.folder)).unwrap_or(first);
    let done = match form {
        Ok(Urlencoded(mut form)) => {
            form.token = Field::Value(token);
            password::reset(&app, &browser, &form).await
        }
        Err(error) => Err(error),
    };
    let error = match done {
        Ok(remember) => return (remember, Redirect::to(page.done)).into_response(),
        Err(error) => error,
    };
    let form = PlainForm::new("reset", &error);
    let again = format!("Confirm {}", page.label);
    let drawn = html! {
        (PlainForm::notice(&error.to_string()))
        @if let Error::NotFound(_) = error {
            a.button.button-primary.button-wide href=(page.again) { "Ask for a New Link" }
        } @else {
            form method="post" {
                (form.input("password", page.label, "password", "new-password", ""))
                (form.input("confirmPassword", &again, "password", "new-password", ""))
                (PlainForm::submit(page.submit))
            }
        }
    };
    website.refuse_form(page.address, drawn, error, client).await
}

/// Ends the student's session.
pub async fn log_out_student(
    _: AnyCaller,
    Extension(StudentSession(session)): Extension<StudentSession>,
) -> Result<(session::SignedOut, Redirect)> {
    session::sign_out(&session).await?;
    Ok((session::SIGNED_OUT, Redirect::to(STUDENT_LOGIN)))
}

/// Ends the session of a member of the staff.
pub async fn log_out_staff(
    _: AnyCaller,
    Extension(StaffSession(session)): Extension<StaffSession>,
) -> Result<(session::SignedOut, Redirect)> {
    session::sign_out(&session).await?;
    Ok((session::SIGNED_OUT, Redirect::to(OFFICE_LOGIN)))
}
