//! Ids in paths, and the 404 for each kind of thing.

use std::marker::PhantomData;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use utoipa::PartialSchema;
use utoipa::openapi::path::{Parameter as Described, ParameterBuilder, ParameterIn};
use utoipa::openapi::{RefOr, Required};

use crate::base::error::{Error, Result};
use crate::web::description::{Description, Parameter};

/// A kind of thing that is identified by number in paths.
pub trait Numbered {
    /// Its name at the start of a sentence.
    const NAME: &'static str;

    /// The 404 error, also for things that belong to another user.
    fn not_found() -> Error {
        Error::NotFound(format!("{} not found", Self::NAME))
    }
}

/// Names a kind of thing, as a sentence begins.
macro_rules! numbered {
    ($thing:ty, $name:literal) => {
        impl $crate::web::id::Numbered for $thing {
            const NAME: &'static str = $name;
        }
    };
}
pub(crate) use numbered;

/// The `{id}` of a path. A value that is not a number gets the same 404 as an unknown number.
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
