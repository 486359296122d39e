//! The number of a thing in a path: one way to read it, and the 404 of its kind.

use std::marker::PhantomData;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use utoipa::PartialSchema;
use utoipa::openapi::path::{Parameter as Described, ParameterBuilder, ParameterIn};
use utoipa::openapi::{RefOr, Required};

use crate::base::error::{Error, Result};
use crate::web::description::{Description, Parameter};

/// A kind of thing that paths name by its number.
pub trait Numbered {
    /// What people call it, as a sentence begins.
    const NAME: &'static str;

    /// There is no such thing, or it belongs to somebody else.
    fn not_found() -> Error {
        Error::NotFound(format!("{} not found", Self::NAME))
    }
}

/// The `{id}` of a path. What is no number names nothing, and is answered as a number that names nothing.
#[derive(Debug)]
pub struct Id<T>(pub i64, pub PhantomData<T>);

impl<T: Numbered, S: Send + Sync> FromRequestParts<S> for Id<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let Path(number) = Path::from_request_parts(parts, state).await.map_err(|_| T::not_found())?;
        Ok(Self(number, PhantomData))
    }
}

impl<T: Numbered> Parameter for Id<T> {
    fn describe(description: &mut Description<'_>) {
        description.refusal("404");
        let parameters = description.operation.parameters.get_or_insert_default();
        let is_described =
            |parameter: &RefOr<_>| matches!(parameter, RefOr::T(Described { name, .. }) if name == "id");
        if !parameters.iter().any(is_described) {
            let number = ParameterBuilder::new()
                .name("id")
                .parameter_in(ParameterIn::Path)
                .required(Required::True)
                .description(Some(format!("Number of the {}", T::NAME.to_lowercase())))
                .schema(Some(i64::schema()));
            parameters.insert(0, number.build().into());
        }
    }
}
