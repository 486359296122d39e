//! Which page a path is, and the data a page starts with.

use serde::Serialize;

use crate::base::error::{Error, Result};
use crate::courses::Course;
use crate::school::PublicSchool;

/// A page of the site; the interface's route table has the same ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Page {
    /// `/`
    Home,
    /// `/about`
    About,
    /// `/services`
    Services,
    /// `/courses`, and `/courses?grade=N`
    Courses(Option<u8>),
    /// `/contact`
    Contact,
    /// `/terms`
    Terms,
    /// `/privacy`
    Privacy,
    /// `/student/…`
    Student(StudentPage),
    /// `/admin/…`
    Admin(AdminPage),
    /// Anything else.
    NotFound,
}

/// A page of the student portal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StudentPage {
    /// `/student/auth`, and every other path: they all lead there (specification, section 2).
    Login,
    /// `/student/verify/{token}`
    Verify,
    /// `/student/forgot-password`
    ForgotPassword,
    /// `/student/reset-password/{token}`
    ResetPassword,
    /// `/student/choose-password/{token}`
    ChoosePassword,
    /// `/student/not-me/{token}`
    NotMe,
    /// `/student/undo-email-change/{token}`
    UndoEmailChange,
    /// `/student/dashboard`
    Dashboard,
    /// `/student/courses`
    Courses,
    /// `/student/account`
    Account,
}

/// A page of the office.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AdminPage {
    /// `/admin/login`, and every other path: they all lead there (specification, section 2).
    Login,
    /// `/admin/reset-password/{token}`
    ResetPassword,
    /// `/admin/dashboard`
    Dashboard,
    /// `/admin/courses`
    Courses,
    /// `/admin/documents`
    Documents,
    /// `/admin/admission-requests`
    AdmissionRequests,
    /// `/admin/charges`
    Charges,
    /// `/admin/identity-changes`
    IdentityChanges,
    /// `/admin/messages`
    Messages,
    /// `/admin/mail`
    Mail,
    /// `/admin/account`
    Account,
}

impl Page {
    /// The pages that search engines should know.
    pub const PUBLIC: [Self; 11] = [
        Self::Home,
        Self::About,
        Self::Services,
        Self::Courses(None),
        Self::Courses(Some(9)),
        Self::Courses(Some(10)),
        Self::Courses(Some(11)),
        Self::Courses(Some(12)),
        Self::Contact,
        Self::Terms,
        Self::Privacy,
    ];

    /// The page at a path; a grade other than 9 to 12 is none (specification, section 2).
    pub fn at(path: &str, query: Option<&str>) -> Self {
        let path = if path == "/" { path } else { path.trim_end_matches('/') };
        match path {
            "/" => Self::Home,
            "/about" => Self::About,
            "/services" => Self::Services,
            "/courses" => Self::Courses(grade(query.unwrap_or(""))),
            "/contact" => Self::Contact,
            "/terms" => Self::Terms,
            "/privacy" => Self::Privacy,
            _ => match path.split('/').collect::<Vec<_>>().as_slice() {
                ["", "student", rest @ ..] => Self::Student(StudentPage::at(rest)),
                ["", "admin", rest @ ..] => Self::Admin(AdminPage::at(rest)),
                _ => Self::NotFound,
            },
        }
    }

    /// The page's canonical path.
    pub fn path(self) -> String {
        match self {
            Self::Home => "/".into(),
            Self::About => "/about".into(),
            Self::Services => "/services".into(),
            Self::Courses(None) => "/courses".into(),
            Self::Courses(Some(grade)) => format!("/courses?grade={grade}"),
            Self::Contact => "/contact".into(),
            Self::Terms => "/terms".into(),
            Self::Privacy => "/privacy".into(),
            Self::Student(_) => "/student/auth".into(),
            Self::Admin(_) => "/admin/login".into(),
            Self::NotFound => "/404".into(),
        }
    }

    /// Whether search engines should list it.
    pub fn is_public(self) -> bool {
        !matches!(self, Self::Student(_) | Self::Admin(_) | Self::NotFound)
    }

    /// Whether its address holds a secret, which no other site may be told.
    pub fn holds_token(self) -> bool {
        matches!(
            self,
            Self::Student(
                StudentPage::Verify
                    | StudentPage::ResetPassword
                    | StudentPage::ChoosePassword
                    | StudentPage::NotMe
                    | StudentPage::UndoEmailChange
            ) | Self::Admin(AdminPage::ResetPassword)
        )
    }

    fn shows_courses(self) -> bool {
        matches!(self, Self::Home | Self::Courses(_))
    }
}

impl StudentPage {
    fn at(rest: &[&str]) -> Self {
        match rest {
            // Without its token too: the screen says that the link is not whole.
            ["verify"] | ["verify", _] => Self::Verify,
            ["forgot-password"] => Self::ForgotPassword,
            ["reset-password", _] => Self::ResetPassword,
            ["choose-password", _] => Self::ChoosePassword,
            ["not-me", _] => Self::NotMe,
            ["undo-email-change", _] => Self::UndoEmailChange,
            ["dashboard"] => Self::Dashboard,
            ["courses"] => Self::Courses,
            ["account"] => Self::Account,
            _ => Self::Login,
        }
    }
}

impl AdminPage {
    fn at(rest: &[&str]) -> Self {
        match rest {
            ["reset-password", _] => Self::ResetPassword,
            ["dashboard"] => Self::Dashboard,
            ["courses"] => Self::Courses,
            ["documents"] => Self::Documents,
            ["admission-requests"] => Self::AdmissionRequests,
            ["charges"] => Self::Charges,
            ["identity-changes"] => Self::IdentityChanges,
            ["messages"] => Self::Messages,
            ["mail"] => Self::Mail,
            ["account"] => Self::Account,
            _ => Self::Login,
        }
    }
}

fn grade(query: &str) -> Option<u8> {
    let value = query.split('&').find_map(|pair| pair.strip_prefix("grade="))?;
    ["9", "10", "11", "12"].contains(&value).then(|| value.parse().ok()).flatten()
}

#[derive(Serialize)]
struct Boot<'a> {
    school: &'a PublicSchool,
    #[serde(skip_serializing_if = "Option::is_none")]
    courses: Option<&'a [Course]>,
}

/// The data block that spares the interface its first calls.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn boot(page: Page, school: &PublicSchool, courses: &[Course]) -> Result<String> {
    let boot = Boot { school, courses: page.shows_courses().then_some(courses) };
    let json = serde_json::to_string(&boot).map_err(|error| Error::Internal(error.into()))?;
    Ok(format!("<script type=\"application/json\" id=\"boot\">{}</script>", in_script(&json)))
}

/// JSON that cannot end the script element it stands in.
pub fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_pages() {
        let table = [
            ("/", None, Page::Home),
            ("/about", None, Page::About),
            ("/about/", None, Page::About),
            ("/courses", None, Page::Courses(None)),
            ("/courses", Some("grade=12"), Page::Courses(Some(12))),
            ("/courses", Some("q=x&grade=9"), Page::Courses(Some(9))),
            ("/courses", Some("grade=13"), Page::Courses(None)),
            ("/courses", Some("grade=011"), Page::Courses(None)),
            ("/student", None, Page::Student(StudentPage::Login)),
            ("/student/auth", Some("verified=true"), Page::Student(StudentPage::Login)),
            ("/student/verify/abc", None, Page::Student(StudentPage::Verify)),
            ("/student/verify/abc/", None, Page::Student(StudentPage::Verify)),
            ("/student/verify/", None, Page::Student(StudentPage::Verify)),
            ("/student/verify/a/b", None, Page::Student(StudentPage::Login)),
            ("/student/dashboard/", None, Page::Student(StudentPage::Dashboard)),
            ("/students", None, Page::NotFound),
            ("/admin", None, Page::Admin(AdminPage::Login)),
            ("/admin/courses", None, Page::Admin(AdminPage::Courses)),
            ("/admin/courses/7", None, Page::Admin(AdminPage::Login)),
            ("/admin/reset-password/abc", None, Page::Admin(AdminPage::ResetPassword)),
            ("/admin/reset-password", None, Page::Admin(AdminPage::Login)),
            ("/administration", None, Page::NotFound),
            ("//student/dashboard", None, Page::NotFound),
            ("/nothing", None, Page::NotFound),
        ];
        for (path, query, expected) in table {
            assert_eq!(Page::at(path, query), expected, "{path} {query:?}");
        }
    }

    #[test]
    fn the_data_block_cannot_be_ended_from_inside() {
        assert_eq!(in_script("\"</script><!--\""), "\"\\u003c/script>\\u003c!--\"");
    }
}
