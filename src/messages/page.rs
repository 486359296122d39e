//! The contact form of a page whose script does not run: the browser sends it, and the answer is a page.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};

use super::rules::ContactSubject;
use super::{MessageForm, send};
use crate::base::closed_set::ClosedSet;
use crate::base::error::{Error, Result};
use crate::web::access::AnyCaller;
use crate::web::app::App;
use crate::web::form::Urlencoded;
use crate::web::rate_limit::ClientAddr;
use crate::website::Website;
use crate::website::plain_form::PlainForm;

const CONTACT: &str = "/contact";
const SENT: &str = "/contact?sent";

/// Takes the form. What was typed stays in the page if it is refused.
pub async fn post(
    _: AnyCaller,
    State(app): State<App>,
    Extension(website): Extension<Arc<Website>>,
    client: ClientAddr,
    form: Result<Urlencoded<MessageForm>>,
) -> Response {
    let (form, kept, sent) = match form {
        Ok(Urlencoded(form)) => {
            let sent = send(&app, client, &form).await;
            (form, "What you wrote is still here.", sent)
        }
        Err(error) => {
            (MessageForm::default(), "What you wrote is where Back in your browser leads.", Err(error))
        }
    };
    match sent {
        // A page of its own: loading it again sends nothing again.
        Ok(()) => Redirect::to(SENT).into_response(),
        Err(error) => {
            let form = again(&form, &error, kept);
            website.refuse_form(CONTACT, form, error, client).await
        }
    }
}

/// The form with what was typed, and what is wrong with it; `kept` says where the words are.
fn again(typed: &MessageForm, error: &Error, kept: &str) -> Markup {
    let form = PlainForm::new("contact", error);
    let said = error.to_string();
    let notice = if form.is_said() { said } else { format!("{said} {kept}") };
    let chosen = typed.subject.text();
    html! {
        h2 { "Send a Message" }
        form method="post" action=(CONTACT) {
            (PlainForm::notice(&notice))
            (form.input("name", "Name", "text", "name", typed.name.text()))
            (form.input("email", "Email", "email", "email", typed.email.text()))
            (form.input("phone", "Phone (optional)", "tel", "tel", typed.phone.text()))
            (form.field("subject", "Subject", |id, described| html! {
                select id=(id) name="subject" aria-invalid=[described.map(|_| "true")] aria-describedby=[described] {
                    option value="" { "Select a subject" }
                    @for subject in ContactSubject::ALL {
                        option value=(subject.as_str()) selected[subject.as_str() == chosen] { (subject.label()) }
                    }
                }
            }))
            (form.field("message", "Message", |id, described| html! {
                // The first line's end would be the element's own.
                textarea id=(id) name="message" rows="6"
                    aria-invalid=[described.map(|_| "true")] aria-describedby=[described] { "\n" (typed.message.text()) }
            }))
            (PlainForm::submit("Send Message"))
        }
    }
}
