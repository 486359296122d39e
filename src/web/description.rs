//! OpenAPI descriptions from a handler's signature: the refusals of its parameters and the response it returns.
//!
//! `#[utoipa::path]` takes precedence, so a handler lists only the responses of its own code.

use std::any::type_name;
use std::borrow::Cow;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::{Multipart, Path, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use utoipa::ToSchema;
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{ArrayItems, Schema};
use utoipa::openapi::{Content, Ref, RefOr, ResponseBuilder};

use crate::base::error::ErrorBody;
use crate::base::json::Json;

/// An endpoint in the OpenAPI document.
pub struct Description<'a> {
    /// Entry of the endpoint.
    pub operation: &'a mut Operation,
    /// The schemas that the entry refers to, by name.
    pub schemas: &'a mut Vec<(String, RefOr<Schema>)>,
}

/// A parameter of a handler.
pub trait Parameter {
    /// Adds the parameter and its refusals.
    fn describe(_: &mut Description<'_>) {}
}

/// Return type of a handler.
pub trait Answer {
    /// Adds the response of a successful request.
    fn describe(_: &mut Description<'_>) {}
}

impl Description<'_> {
    /// Adds a response, unless one with this status is described already.
    pub fn answer(&mut self, status: &str, answer: impl Into<RefOr<utoipa::openapi::Response>>) {
        self.operation.responses.responses.entry(status.to_owned()).or_insert(answer.into());
    }

    /// Adds a refusal with an [`ErrorBody`], unless one with this status is described already.
    pub fn refusal(&mut self, status: &str) {
        let body = Content::new(Some(self.schema::<ErrorBody>()));
        self.answer(status, ResponseBuilder::new().content("application/json", body));
    }

    /// Adds the response of a successful request, unless the handler describes its own.
    pub fn success(&mut self, status: &str, answer: impl FnOnce(&mut Self) -> ResponseBuilder) {
        let described = &self.operation.responses.responses;
        if !described.keys().any(|status| status.starts_with('2')) {
            let answer = answer(self);
            self.answer(status, answer);
        }
    }

    /// A JSON response body.
    pub fn json<T: ToSchema>(&mut self) -> ResponseBuilder {
        let body = Content::new(Some(self.schema::<T>()));
        ResponseBuilder::new().content("application/json", body)
    }

    /// The reference to a schema, or a list of references.
    fn schema<T: ToSchema>(&mut self) -> RefOr<Schema> {
        T::schemas(self.schemas);
        let mut schema = T::schema();
        // utoipa inlines the schema of a list's items instead of referring to it.
        let items = type_name::<T>().strip_prefix("alloc::vec::Vec<").and_then(|name| name.strip_suffix('>'));
        if let (Some(items), RefOr::T(Schema::Array(list))) = (items, &mut schema) {
            if let ArrayItems::RefOrSchema(item) = &mut list.items {
                let name = items.rsplit("::").next().unwrap_or(items);
                let item = std::mem::replace(&mut **item, Ref::from_schema_name(name).into());
                self.schemas.push((name.to_owned(), item));
            }
            return schema;
        }
        let name = schema_name::<T>();
        self.schemas.push((name.clone().into_owned(), schema));
        Ref::from_schema_name(name).into()
    }
}

/// The name of a schema; of a generic type with that of its argument, as utoipa refers to it.
fn schema_name<T: ToSchema>() -> Cow<'static, str> {
    let last = |path: &'static str| path.rsplit("::").next().unwrap_or(path);
    match type_name::<T>().split_once('<') {
        Some((generic, argument)) if last(generic) == T::name() => {
            format!("{}_{}", T::name(), last(argument).trim_end_matches('>')).into()
        }
        _ => T::name(),
    }
}

// Extractors of axum without refusals worth documenting.
impl<S> Parameter for State<S> {}
impl<T> Parameter for Extension<T> {}
impl Parameter for HeaderMap {}
impl Parameter for Uri {}

/// Path parameters; the thing may not exist.
impl<T> Parameter for Path<T> {
    fn describe(description: &mut Description<'_>) {
        description.refusal("404");
    }
}

impl Parameter for Bytes {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
        description.refusal("413");
    }
}

impl Parameter for Multipart {
    fn describe(description: &mut Description<'_>) {
        description.refusal("400");
        description.refusal("413");
        description.refusal("415");
    }
}

/// The handler itself responds to the refusal.
impl<T: Parameter, E> Parameter for Result<T, E> {
    fn describe(description: &mut Description<'_>) {
        T::describe(description);
    }
}

/// The handler describes the body in `#[utoipa::path]`.
impl Answer for Response {}
impl Answer for &'static str {}

impl<T: ToSchema> Answer for Json<T> {
    fn describe(description: &mut Description<'_>) {
        description.success("200", Description::json::<T>);
    }
}

/// A creation.
impl<T: ToSchema> Answer for (StatusCode, Json<T>) {
    fn describe(description: &mut Description<'_>) {
        description.success("201", Description::json::<T>);
    }
}

/// A response without a body.
impl Answer for StatusCode {
    fn describe(description: &mut Description<'_>) {
        description.success("204", |_| ResponseBuilder::new());
    }
}

impl<E, A: Answer> Answer for (Extension<E>, A) {
    fn describe(description: &mut Description<'_>) {
        A::describe(description);
    }
}

impl<A: Answer, E> Answer for Result<A, E> {
    fn describe(description: &mut Description<'_>) {
        A::describe(description);
    }
}
