//! The OpenAPI document: descriptions from the handlers, and responses of the middleware.
//!
//! It is generated in tests, which compare it with `ui/openapi.json`; the server sends that file.

use axum::http::StatusCode;
use utoipa::OpenApi;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::schema::{KnownFormat, Object, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::openapi::server::ServerBuilder;
use utoipa::openapi::{Content, Ref, RefOr, Response, ResponseBuilder};
use utoipa_axum::router::OpenApiRouter;

use super::router::{open_endpoints, signed_in_endpoints};
use crate::accounts::mailed::MailedLinkPurpose;
use crate::base::closed_set::ClosedSet;
use crate::web::access;
use crate::web::portal::Portal;

#[derive(OpenApi)]
#[openapi(info(
    title = "schoolhouse",
    description = "Every endpoint of the school's website, student portal and office."
))]
struct Document;

/// The OpenAPI document of every endpoint.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let document = OpenApiRouter::with_openapi(Document::openapi());
    let document = document.merge(open_endpoints()).merge(signed_in_endpoints()).split_for_parts().1;
    described(with_limits(document))
}

/// Answers that a handler gives no words of its own, by status: their name, and their words.
const COMMON: [(&str, &str, &str); 7] = [
    ("400", "Invalid", "A field breaks a rule: `fields` names it and says the rule."),
    ("401", "SignedOut", "No session of this kind, or one that has ended."),
    (
        "403",
        "Forbidden",
        "Not for this caller, or not before who they are is proved again; or sent by another website.",
    ),
    ("404", "NotFound", "There is none, or none that this caller may know of."),
    ("409", "Conflict", "It has changed since: `current` is how it is now."),
    ("413", "LargeBody", ""),
    ("415", "WrongType", ""),
];

/// Adds what OpenAPI 3.1 requires and handlers do not say: a description of every answer (4.8.17), which calls are open
/// (4.8.10), where the calls are (4.8.5), and that a file is no list of numbers.
fn described(mut document: utoipa::openapi::OpenApi) -> utoipa::openapi::OpenApi {
    document.servers = Some(vec![ServerBuilder::new().url("/").build()]);
    let file = ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
        .build();
    let operations = document.paths.paths.values_mut().flat_map(|path| {
        [&mut path.get, &mut path.post, &mut path.put, &mut path.patch, &mut path.delete]
            .into_iter()
            .flatten()
    });
    for operation in operations {
        operation.security.get_or_insert_default();
        for (status, answer) in &mut operation.responses.responses {
            let RefOr::T(own) = answer else { continue };
            for (kind, content) in &mut own.content {
                if !kind.starts_with("text/") && kind != "application/json" {
                    *content = Content::new(Some(file.clone())).into();
                }
            }
            match COMMON.iter().find(|(known, ..)| known == status) {
                Some((_, name, _)) if *own == said("") => *answer = Ref::from_response_name(*name).into(),
                _ if own.description.is_empty() => own.description = reason(status),
                _ => {}
            }
        }
    }
    let components = document.components.get_or_insert_default();
    for (_, name, words) in COMMON.into_iter().filter(|(.., words)| !words.is_empty()) {
        components.responses.insert(name.to_owned(), said(words).into());
    }
    document
}

/// The words of a status by RFC 9110, such as "Created".
fn reason(status: &str) -> String {
    let known = StatusCode::from_bytes(status.as_bytes()).ok().and_then(|status| status.canonical_reason());
    known.unwrap_or(status).to_owned()
}

/// An answer of the server's own words.
fn said(why: &str) -> Response {
    let body = Content::new(Some(Ref::from_schema_name("ErrorBody")));
    ResponseBuilder::new().description(why).content("application/json", body).build()
}

/// Endpoints that a middleware response applies to.
enum Answers {
    /// All of them.
    Every,
    /// Those that take a body.
    WithBody,
    /// Those that change something.
    Unsafe,
}

/// Adds responses of the middleware, and those common to all handlers.
fn with_limits(mut document: utoipa::openapi::OpenApi) -> utoipa::openapi::OpenApi {
    let text = || Content::new(Some(Object::with_type(Type::String)));
    let full = |whose: &str, else_said: Option<&str>| {
        let seconds = HeaderBuilder::new()
            .description(Some("Seconds to wait"))
            .schema(Some(Object::with_type(Type::Integer)));
        let in_json = else_said.map(|said| format!(" Or in JSON: {said}.")).unwrap_or_default();
        let about =
            format!("{whose}; the body is a sentence in plain text, and the connection closes.{in_json}");
        let answer = ResponseBuilder::new()
            .description(about)
            .header("Retry-After", seconds.build())
            .content("text/plain", text());
        let body = || Content::new(Some(Ref::from_schema_name("ErrorBody")));
        match else_said {
            Some(_) => answer.content("application/json", body()).build(),
            None => answer.build(),
        }
    };
    let slow = "The body took too long to arrive: 15 s in all, or an upload slower than 512 bytes a second.";
    let general = [
        ("403", Answers::Unsafe, "CrossSite", said("Another website made a browser send this.")),
        ("408", Answers::WithBody, "SlowBody", said(slow)),
        ("413", Answers::WithBody, "LargeBody", said("The body is larger than this endpoint accepts.")),
        (
            "415",
            Answers::WithBody,
            "WrongType",
            said("The body is of a type that this endpoint does not accept."),
        ),
        (
            "429",
            Answers::Every,
            "ClientIsFull",
            full("All connections that one client may have are in use", None),
        ),
        ("500", Answers::Every, "Fault", said("An internal error; see the log.")),
        (
            "503",
            Answers::Every,
            "ServerIsFull",
            full(
                "All connections that the server may have are in use",
                Some("the server is busy or its disk full"),
            ),
        ),
    ];
    for path in document.paths.paths.values_mut() {
        let operations = [
            (false, &mut path.get),
            (true, &mut path.post),
            (true, &mut path.put),
            (true, &mut path.patch),
            (true, &mut path.delete),
        ];
        for (is_unsafe, operation) in operations {
            let Some(operation) = operation else { continue };
            for (status, gives, name, _) in &general {
                let is_given = match gives {
                    Answers::Every => true,
                    Answers::WithBody => operation.request_body.is_some(),
                    Answers::Unsafe => is_unsafe,
                };
                if is_given {
                    let answer = Ref::from_response_name(*name);
                    let answers = &mut operation.responses.responses;
                    let known = answers.entry((*status).to_owned()).or_insert_with(|| answer.into());
                    // Combine the handler's description with the listener's.
                    if let (RefOr::T(own), "429" | "503") = (known, *status) {
                        own.content.entry("text/plain".to_owned()).or_insert_with(|| text().into());
                    }
                }
            }
        }
    }
    let components = document.components.get_or_insert_default();
    for portal in Portal::ALL {
        let about = "A session's cookie; over HTTPS its name begins with __Host-. The words beside it are duties \
            that the role has to include.";
        let name = format!("schoolhouse_{}", portal.as_str());
        let cookie = ApiKeyValue::with_description(name, about.to_owned());
        let scheme = SecurityScheme::ApiKey(ApiKey::Cookie(cookie));
        components.add_security_scheme(portal.as_str(), scheme);
    }
    for purpose in [MailedLinkPurpose::Application, MailedLinkPurpose::Family] {
        let about = "The cookie of a browser that opened a link in an email; over HTTPS its name begins with __Host-.";
        let name = format!("schoolhouse_{}", purpose.as_str());
        let scheme =
            SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description(name, about.to_owned())));
        components.add_security_scheme(purpose.as_str(), scheme);
    }
    let refused = said("The role does not allow it, or requires a second factor first.");
    components.responses.insert(access::NOT_ALLOWED.to_owned(), refused.into());
    components.responses.extend(general.map(|(_, _, name, answer)| (name.to_owned(), answer.into())));
    document
}
