//! The index page of the download, which needs no scripts and no network.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use maud::{DOCTYPE, Markup, html};
use serde_json::Value;

use super::collect::{Cells, DownloadContents};
use crate::config::School;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;\
    color:#1b2733;background:#fff}h1,h2{font-family:Georgia,serif;line-height:1.2}h2{margin-top:2.5rem}\
    table{border-collapse:collapse;display:block;overflow-x:auto}th,td{border:1px solid #b9c3cd;padding:.3rem .6rem;\
    text-align:left;vertical-align:top;overflow-wrap:anywhere}th{background:#eef2f6}nav ol{columns:2}\
    @media(max-width:40rem){nav ol{columns:1}}\
    @media(prefers-color-scheme:dark){body{color:#e6ebf0;background:#14202b}a{color:#9cc7f5}th{background:#22313f}\
    th,td{border-color:#46586a}}";

/// Renders the page.
pub fn page(collected: &DownloadContents, school: &School, at: Timestamp) -> String {
    let zone = school.zone();
    let whose = collected.student.profile.full_name.as_deref().unwrap_or(&collected.student.email);
    let page = html! {
        (DOCTYPE)
        html lang="en-CA" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "What " (school.name) " holds about " (whose) }
                style { (STYLE) }
            }
            body {
                h1 { "What " (school.name) " holds about " (whose) }
                p { "As of " (moment(at, &zone)) ". Times are those of the school. The same is in the folder "
                    code { "data" } " as JSON, for programs." }
                p { "What is not here, and why: hashes of passwords and of links, from which nothing can be read; what the \
                    office wrote for itself, which it goes through for other people’s names when you ask; what belongs \
                    to other people." }
                nav { ol {
                    @for (section, rows) in &collected.sections {
                        li { a href={ "#" (section.name) } { (section.title) } " (" (rows.len()) ")" }
                    }
                } }
                @for (section, rows) in &collected.sections {
                    h2 id=(section.name) { (section.title) }
                    @if !section.about.is_empty() { p { (section.about) } }
                    @if rows.is_empty() { p { "Nothing." } } @else { (table(rows, &zone)) }
                    @if section.name == "documents" {
                        ul { @for file in &collected.files { li { a href=(address(&file.name)) { (file.name) } } } }
                    }
                }
                p { "Something wrong or missing? " (school.write_or_call()) "." }
            }
        }
    };
    page.into_string()
}

fn table(rows: &[Cells], zone: &TimeZone) -> Markup {
    // A single row is displayed vertically: a profile has thirty columns.
    let Some(first) = rows.first() else { return html! {} };
    if rows.len() == 1 {
        return html! { table { @for (name, value) in first {
            @if !value.is_null() { tr { th scope="row" { (label(name)) } td { (text(name, value, zone)) } } }
        } } };
    }
    html! { table {
        tr { @for (name, _) in first { th scope="col" { (label(name)) } } }
        @for row in rows { tr { @for (name, value) in row { td { (text(name, value, zone)) } } } }
    } }
}

/// Converts "postalCode" to "Postal code".
fn label(name: &str) -> String {
    let mut words = String::new();
    for c in name.chars() {
        match c {
            c if words.is_empty() => words.extend(c.to_uppercase()),
            c if c.is_uppercase() => {
                words.push(' ');
                words.extend(c.to_lowercase());
            }
            c => words.push(c),
        }
    }
    words
}

fn text(name: &str, value: &Value, zone: &TimeZone) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::String(text) if name == "at" || name.ends_with("At") => {
            text.parse().map_or_else(|_| text.clone(), |at| moment(at, zone))
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn moment(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// A path inside the archive as a relative URL.
fn address(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    name.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_becomes_a_label_and_an_address() {
        assert_eq!(label("isTransferringCredits"), "Is transferring credits");
        assert_eq!(label("at"), "At");
        assert_eq!(address("documents/7-My pass#1.pdf"), "documents/7-My%20pass%231.pdf");
        assert_eq!(address("documents/8-é.pdf"), "documents/8-%C3%A9.pdf");
    }
}
