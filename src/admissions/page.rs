//! The form of an application as a browser without scripts sends it, and the form that asks for a lost link: the
//! answer is a page. What was typed stays in the page if it is refused.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};

use super::apply::{self, ApplicationForm};
use super::links::ApplicationEmail;
use crate::accounts::mailed::{MailedLinkPurpose, requests};
use crate::base::error::{Error, Result};
use crate::settings::site::Site;
use crate::students::profile::{CANADA, COUNTRY_NAMES};
use crate::web::access::AnyCaller;
use crate::web::app::App;
use crate::web::form::{FormPairs, Urlencoded};
use crate::web::rate_limit::ClientAddr;
use crate::website::Website;
use crate::website::plain_form::PlainForm;

const APPLY: &str = "/apply";
const LINK: &str = "/application";
/// Programs send a form at once; people need longer.
const MIN_SECONDS: i64 = 3;
const TOO_SOON: &str = "That was very quick. Please look at the form again, and send it again.";

/// What the browser sent.
#[derive(Default)]
struct TypedForm(Vec<(String, String)>);

impl TypedForm {
    fn text(&self, name: &str) -> &str {
        self.0.iter().find(|(each, _)| each == name).map_or("", |(_, value)| value)
    }

    fn has(&self, name: &str, value: &str) -> bool {
        self.0.iter().any(|(each, sent)| each == name && sent == value)
    }

    /// The form, with the courses that were typed into one field.
    fn application(&self) -> ApplicationForm {
        let pairs = self.0.iter().flat_map(|(name, value)| {
            if name != "wantedCourses" {
                return vec![(name.clone(), value.clone())];
            }
            let codes = value.split(|c: char| !c.is_alphanumeric()).filter(|code| !code.is_empty());
            codes.map(|code| (name.clone(), code.to_uppercase())).collect()
        });
        ApplicationForm::of_pairs(pairs)
    }

    /// Whether it was sent sooner than a person could have. Without the time at which it was opened, it was not.
    fn is_too_soon(&self, now: i64) -> bool {
        self.text("opened").parse::<i64>().is_ok_and(|opened| (0..MIN_SECONDS).contains(&(now - opened)))
    }
}

/// Takes an application.
pub async fn post(
    _: AnyCaller,
    State(app): State<App>,
    Extension(website): Extension<Arc<Website>>,
    Extension(site): Extension<Site>,
    client: ClientAddr,
    form: Result<FormPairs>,
) -> Response {
    let (typed, kept, sent) = match form {
        Ok(FormPairs(pairs)) => {
            let typed = TypedForm(pairs);
            let sent = match typed.is_too_soon(app.clock.now().as_second()) {
                true => Err(Error::BadRequest(TOO_SOON.into())),
                false => apply::submit(&app, &site, client, &typed.application()).await,
            };
            (typed, "What you typed is still here.", sent)
        }
        Err(error) => {
            (TypedForm::default(), "What you typed is where Back in your browser leads.", Err(error))
        }
    };
    match sent {
        // A page of its own: loading it again sends nothing again.
        Ok(reference) => Redirect::to(&format!("{APPLY}?sent={reference}")).into_response(),
        Err(error) => {
            let form = again(&typed, &error, kept);
            website.refuse_form(APPLY, form, error, client).await
        }
    }
}

/// Sends the links of a mailbox's applications.
pub async fn post_link(
    _: AnyCaller,
    State(app): State<App>,
    Extension(website): Extension<Arc<Website>>,
    client: ClientAddr,
    form: Result<Urlencoded<ApplicationEmail>>,
) -> Response {
    let (form, sent) = match form {
        Ok(Urlencoded(form)) => {
            let sent = requests::note(&app, MailedLinkPurpose::Application, form.email.text(), client).await;
            (form, sent)
        }
        Err(error) => (ApplicationEmail::default(), Err(error)),
    };
    let Err(error) = sent else { return Redirect::to(&format!("{LINK}?sent")).into_response() };
    let page = PlainForm::new("lost", &error);
    let drawn = html! {
        form method="post" action=(LINK) {
            (PlainForm::notice(&error.to_string()))
            (page.input("email", "Email", "email", "email", form.email.text()))
            (PlainForm::submit("Send the Link"))
        }
    };
    website.refuse_form(LINK, drawn, error, client).await
}

/// The refused form, with what was typed.
struct RefusedForm<'a> {
    form: PlainForm<'a>,
    typed: &'a TypedForm,
}

impl RefusedForm<'_> {
    fn line(&self, name: &'static str, label: &str, kind: &str, complete: &str) -> Markup {
        self.form.input(name, label, kind, complete, self.typed.text(name))
    }

    fn choice(&self, name: &'static str, label: &str, options: &[(&str, &str)]) -> Markup {
        self.form.field(name, label, |id, described| {
            html! {
                select id=(id) name=(name) aria-invalid=[described.map(|_| "true")] aria-describedby=[described] {
                    @for (value, words) in options {
                        option value=(value) selected[*value == self.typed.text(name)] { (words) }
                    }
                }
            }
        })
    }

    fn student(&self) -> Markup {
        html! {
            fieldset.step {
                (legend("1", "The student"))
                .grid.field-pair {
                    // The child's: a browser would fill in the parent's own.
                    (self.line("firstName", "First name", "text", "off"))
                    (self.line("lastName", "Last name", "text", "off"))
                    (self.line("dateOfBirth", "Date of birth", "date", "off"))
                    (self.choice("grade", "Grade to enter", &GRADES))
                }
                .grid.field-pair {
                    (self.choice("gender", "Gender (optional)", &GENDERS))
                    (self.line("previousSchool", "Current or last school (optional)", "text", "off"))
                }
            }
        }
    }

    fn family(&self) -> Markup {
        let mut countries: Vec<_> =
            COUNTRY_NAMES.iter().map(|(code, name)| (code.as_str(), name.as_str())).collect();
        countries.sort_by_key(|(code, name)| (*code != CANADA, *name));
        html! {
            fieldset.step {
                (legend("2", "The family"))
                .grid.field-pair {
                    (self.line("email", "Email", "email", "email"))
                    (self.line("phone", "Phone", "tel", "tel"))
                }
                (self.choice("country", "Country", &countries))
                (self.line("address", "Address", "text", "street-address"))
                .grid.field-pair.apply-place {
                    (self.line("city", "City (optional)", "text", "address-level2"))
                    (self.line("province", "Province or state (optional)", "text", "address-level1"))
                    (self.line("postalCode", "Postal code (optional)", "text", "postal-code"))
                }
                h3 { "Parent or guardian" }
                p.fine-print { "Needed if the student is under 18." }
                .grid.field-pair {
                    (self.line("guardianName", "Name", "text", "off"))
                    (self.choice("relationship", "Relationship (optional)", &RELATIONSHIPS))
                    (self.line("guardianEmail", "Guardian’s email", "email", "off"))
                    (self.line("guardianPhone", "Guardian’s phone (optional)", "tel", "off"))
                }
            }
        }
    }

    fn wishes(&self) -> Markup {
        html! {
            fieldset.step {
                (legend("3", "School and wishes"))
                .grid.field-pair {
                    (self.choice("startTerm", "When would you like to start? (optional)", &STARTS))
                    (self.choice("language", "Preferred language (optional)", &LANGUAGES))
                }
                (self.line("wantedCourses", "Courses (optional)", "text", "off"))
                (self.form.field("message", "Anything we should know? (optional)", |id, described| html! {
                    // The first line's end would be the element's own.
                    textarea id=(id) name="message" rows="4" maxlength="4000"
                        aria-invalid=[described.map(|_| "true")] aria-describedby=[described] {
                        "\n" (self.typed.text("message"))
                    }
                }))
                (self.form.field("consents", "Consent", |id, described| html! {
                    .tick {
                        input id=(id) type="checkbox" name="consents" value="privacy"
                            checked[self.typed.has("consents", "privacy")]
                            aria-invalid=[described.map(|_| "true")] aria-describedby=[described];
                        span {
                            "I agree that the school keeps these details to decide on the application, as the "
                            a href="/privacy" target="_blank" { "Privacy Policy" }
                            " describes (it opens in a new tab)."
                        }
                    }
                }))
                .field {
                    label.tick {
                        input type="checkbox" name="consents" value="marketing"
                            checked[self.typed.has("consents", "marketing")];
                        span { "Send us news such as open house dates (optional)." }
                    }
                }
            }
        }
    }
}

/// The form with what was typed, and what is wrong with it; `kept` says where the words are.
fn again(typed: &TypedForm, error: &Error, kept: &str) -> Markup {
    let refused = RefusedForm { form: PlainForm::new("apply", error), typed };
    // Where fields are refused, a strange birth date was asked about with them.
    let asked = if refused.form.is_said() { "dateOfBirth" } else { "askedBirthDate" };
    let said = error.to_string();
    let notice = if refused.form.is_said() { said } else { format!("{said} {kept}") };
    html! {
        h2 #application-title { "Application for a Place" }
        form method="post" action=(APPLY) {
            (PlainForm::notice(&notice))
            input type="hidden" name="opened" value=(typed.text("opened"));
            input type="hidden" name="askedBirthDate" value=(typed.text(asked));
            .sr-only aria-hidden="true" {
                label for="apply-website" { "Leave this field empty" }
                input #apply-website name="website" type="text" tabindex="-1" autocomplete="off";
            }
            (refused.student())
            (refused.family())
            (refused.wishes())
            (PlainForm::submit("Send Again"))
        }
    }
}

fn legend(number: &str, title: &str) -> Markup {
    html! { legend { span aria-hidden="true" { (number) } span { " " (title) } } }
}

const GRADES: [(&str, &str); 5] =
    [("", "Select a grade"), ("9", "Grade 9"), ("10", "Grade 10"), ("11", "Grade 11"), ("12", "Grade 12")];

/// As in `ui/src/admissions/ApplyFields.tsx`.
const GENDERS: [(&str, &str); 4] =
    [("", "Select..."), ("female", "Female"), ("male", "Male"), ("other", "Other")];

const LANGUAGES: [(&str, &str); 3] = [("", "Select..."), ("en", "English"), ("fr", "French")];

/// Without years, so that the page holds for longer than one.
const STARTS: [(&str, &str); 6] = [
    ("", "Select..."),
    ("As soon as possible", "As soon as possible"),
    ("September", "September"),
    ("February", "February"),
    ("July", "July"),
    ("Later", "Later"),
];

const RELATIONSHIPS: [(&str, &str); 6] = [
    ("", "Select..."),
    ("mother", "Mother"),
    ("father", "Father"),
    ("guardian", "Legal guardian"),
    ("agency", "Agency"),
    ("other", "Other"),
];
