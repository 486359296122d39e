//! A form for browsers without scripts, shown again with its input and errors.

use maud::{Markup, html};

use crate::base::error::Error;

/// A form and its errors by field.
pub struct PlainForm<'a> {
    /// Prefix of its fields' ids.
    id: &'static str,
    wrong: Vec<(&'a str, &'a str)>,
}

impl<'a> PlainForm<'a> {
    /// A refused form; `id` is the prefix that the interface uses.
    pub fn new(id: &'static str, error: &'a Error) -> Self {
        let wrong = match error {
            Error::Invalid(errors) => errors.iter().collect(),
            Error::WrongCode(words, _) => vec![("code", *words)],
            _ => Vec::new(),
        };
        Self { id, wrong }
    }

    /// Whether an error is shown at a field.
    pub fn is_said(&self) -> bool {
        !self.wrong.is_empty()
    }

    /// An error of the whole form.
    pub fn notice(words: &str) -> Markup {
        html! { .notice.notice-error role="alert" { div { p { (words) } } } }
    }

    /// A field with label and error. `control` gets the ids of the field and of the error.
    pub fn field(&self, name: &str, label: &str, control: impl Fn(&str, Option<&str>) -> Markup) -> Markup {
        let id = format!("{}-{name}", self.id);
        let error = self.wrong.iter().find(|(each, _)| *each == name);
        let error_id = format!("{id}-error");
        html! {
            .field {
                label for=(id) { (label) }
                (control(&id, error.map(|_| error_id.as_str())))
                @if let Some((_, message)) = error { p.field-error id=(error_id) { (message) } }
            }
        }
    }

    /// A single-line field; `kind` and `autocomplete` as in HTML.
    pub fn input(&self, name: &str, label: &str, kind: &str, autocomplete: &str, value: &str) -> Markup {
        self.field(name, label, |id, described| {
            html! {
                input id=(id) name=(name) type=(kind) autocomplete=(autocomplete) value=(value)
                    spellcheck=[(autocomplete != "name").then_some("false")]
                    aria-invalid=[described.map(|_| "true")] aria-describedby=[described];
            }
        })
    }

    /// The submit button.
    pub fn submit(label: &str) -> Markup {
        html! { div { button.button.button-primary.button-wide type="submit" { (label) } } }
    }
}
