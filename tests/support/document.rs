//! Checks every response in a test against the OpenAPI document: its status, its type and its body. So is the JSON of a
//! request that did what it asked for.
//!
//! Of JSON Schema it knows what our document uses; a word that it does not know is a surprise and fails.

use std::sync::LazyLock;

use reqwest::StatusCode;
use schoolhouse::testing::openapi;
use serde_json::Value;

use super::Answer;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::to_value(openapi()).unwrap());

/// Words of a schema that only describe.
const DESCRIPTIONS: [&str; 7] =
    ["description", "example", "examples", "format", "default", "title", "propertyNames"];

/// Fails when an endpoint of the document gives an answer that the document does not name, or takes a body
/// that is none there.
#[track_caller]
pub fn assert_documented(method: &str, path: &str, sent: Option<&Value>, answer: &Answer) {
    let Some((template, operation)) = operation(method, path) else { return };
    assert_conflict_has_its_row(method, path, answer);
    let (status, name) = (answer.status.as_str(), format!("{method} {template}"));
    if answer.status.is_success()
        && let Err(problem) = takes(&operation["requestBody"], sent)
    {
        panic!("{name} took {}: {problem}", sent.unwrap_or(&Value::Null));
    }
    let documented = resolve(&operation["responses"][status]);
    // A wrong method or address of a known one is no answer of the endpoint's own.
    assert!(!documented.is_null(), "{name} answers {status}, which is not documented: {}", answer.text());
    let Some(types) = documented["content"].as_object() else { return };
    let kind = answer.header("content-type").split(';').next().unwrap_or_default();
    // A page stands in for a document where a browser asked for one.
    if answer.bytes.is_empty() || kind == "text/html" {
        return;
    }
    let Some(content) = types.get(kind) else {
        panic!("{name} answers {status} as {kind:?}, which is not documented: {}", answer.text())
    };
    if kind == "application/json"
        && answer.header("content-encoding").is_empty()
        && let Err(problem) = conforms(&content["schema"], &answer.json(), "the body")
    {
        panic!("{name} answers {status}: {problem}\n{}", answer.text());
    }
}

/// A conflict carries the row as it is; only a PDF that lacks letters names the page to print instead.
#[track_caller]
fn assert_conflict_has_its_row(method: &str, path: &str, answer: &Answer) {
    if answer.status == StatusCode::CONFLICT && answer.header("content-encoding").is_empty() {
        let body = answer.json();
        let has_row = !body["current"].is_null() || body["reason"] == "script_missing";
        assert!(has_row, "{method} {path} refuses without the current row: {body}");
    }
}

/// Whether a body that was taken is one of the document.
fn takes(documented: &'static Value, sent: Option<&Value>) -> Result<(), String> {
    let types = &documented["content"];
    let Some(sent) = sent else {
        let is_json = types["application/json"].is_object();
        return if is_json && documented["required"] == true {
            Err("a body is required".into())
        } else {
            Ok(())
        };
    };
    // Whatever reads no JSON takes an empty one.
    let is_empty = sent.as_object().is_some_and(serde_json::Map::is_empty);
    if is_empty && types["application/json"].is_null() {
        return Ok(());
    }
    let schema = &types["application/json"]["schema"];
    if schema.is_null() {
        return Err("no JSON is taken".into());
    }
    conforms(schema, sent, "the body")
}

/// The endpoint of an address; one without placeholders goes first.
fn operation(method: &str, path: &str) -> Option<(&'static String, &'static Value)> {
    let fits = |template: &str| {
        let (mut parts, mut wanted) = (path.split('/'), template.split('/'));
        loop {
            match (parts.next(), wanted.next()) {
                (None, None) => return true,
                (Some(part), Some(wanted)) if part == wanted || wanted.starts_with('{') => {}
                _ => return false,
            }
        }
    };
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let found = paths.iter().filter(|(template, _)| fits(template));
    let (template, item) = found.min_by_key(|(template, _)| template.matches('{').count())?;
    Some((template, item.get(method.to_lowercase())?))
}

fn resolve(value: &'static Value) -> &'static Value {
    match value["$ref"].as_str() {
        Some(pointer) => resolve(DOCUMENT.pointer(pointer.trim_start_matches('#')).unwrap()),
        None => value,
    }
}

fn conforms(schema: &'static Value, value: &Value, at: &str) -> Result<(), String> {
    let schema = resolve(schema);
    for (word, rule) in schema.as_object().into_iter().flatten() {
        let is_right = match word.as_str() {
            "type" => kinds(rule).any(|kind| is_of(kind, value)),
            "enum" => rule.as_array().unwrap().contains(value),
            "oneOf" => all(rule, value).flatten().count() == 1,
            "anyOf" => all(rule, value).any(|outcome| outcome.is_ok()),
            "allOf" => all(rule, value).try_for_each(|outcome| outcome).map(|()| true)?,
            "required" => value.as_object().is_none_or(|object| {
                rule.as_array().unwrap().iter().all(|key| object.contains_key(key.as_str().unwrap()))
            }),
            "properties" => {
                for (key, schema) in rule.as_object().unwrap() {
                    if let Some(value) = value.get(key) {
                        conforms(schema, value, &format!("{at}, {key}"))?;
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = |key: &String| schema["properties"].get(key).is_some();
                for (key, value) in value.as_object().into_iter().flatten().filter(|(key, _)| !known(key)) {
                    conforms(rule, value, &format!("{at}, {key}"))?;
                }
                true
            }
            "items" => {
                for (place, value) in value.as_array().into_iter().flatten().enumerate() {
                    conforms(rule, value, &format!("{at}, {place}"))?;
                }
                true
            }
            "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().unwrap()),
            word if DESCRIPTIONS.contains(&word) => true,
            word => panic!("what is {word:?} in a schema?"),
        };
        if !is_right {
            return Err(format!("{at} is {value}, against {word}: {rule}"));
        }
    }
    Ok(())
}

/// What each of several schemas says.
fn all<'a>(rule: &'static Value, value: &'a Value) -> impl Iterator<Item = Result<(), String>> + 'a {
    rule.as_array().unwrap().iter().map(move |schema| conforms(schema, value, "one of them"))
}

fn kinds(rule: &'static Value) -> impl Iterator<Item = &'static str> {
    let several = rule.as_array().map_or(std::slice::from_ref(rule), Vec::as_slice);
    several.iter().map(|kind| kind.as_str().unwrap())
}

fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "null" => value.is_null(),
        _ => panic!("what is {kind}?"),
    }
}
