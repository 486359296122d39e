//! The number of a thing in a path: one way to read it, and the 404 of its kind.

use std::marker::PhantomData;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use crate::base::error::{Error, Result};

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
