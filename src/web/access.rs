//! Who may call an endpoint: the first parameter of its handler says it.
//!
//! [`endpoint!`] takes no handler whose first parameter is not a [`Caller`], so that
//! forgetting the question does not compile; the OpenAPI document's `security`, and with it the test
//! that calls every endpoint as everybody, come from the same type. OWASP ASVS 5.0, V8 (authorization):
//! `tests/asvs.md`.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use utoipa::openapi::Ref;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::{Operation, Paths};
use utoipa::openapi::security::SecurityRequirement;

/// One way in: a portal's session, and the duty that the caller's role has to include.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WayIn {
    /// The portal: `student` or `staff`.
    pub portal: &'static str,
    /// The duty, where the portal's session alone is not enough.
    pub duty: Option<&'static str>,
    /// Whether the caller has to have proved lately who they are.
    pub is_recent: bool,
}

/// Somebody who calls an endpoint, as an extractor.
pub trait Caller {
    /// The ways in; none stands for everybody.
    fn ways_in() -> Vec<WayIn>;
}

/// Everybody, signed in or not.
#[derive(Debug, Clone, Copy)]
pub struct Anybody;

impl Caller for Anybody {
    fn ways_in() -> Vec<WayIn> {
        Vec::new()
    }
}

impl<S: Sync> FromRequestParts<S> for Anybody {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self)
    }
}

/// A handler whose first parameter says who may call.
pub trait Guarded<Parameters> {
    /// As [`Caller::ways_in`].
    fn ways_in(&self) -> Vec<WayIn>;
}

macro_rules! guarded {
    ($($parameter:ident)*) => {
        impl<F, Output, C: Caller, $($parameter),*> Guarded<(C, $($parameter,)*)> for F
        where
            F: Fn(C, $($parameter),*) -> Output,
        {
            fn ways_in(&self) -> Vec<WayIn> {
                C::ways_in()
            }
        }
    };
}

guarded!();
guarded!(A1);
guarded!(A1 A2);
guarded!(A1 A2 A3);
guarded!(A1 A2 A3 A4);
guarded!(A1 A2 A3 A4 A5);
guarded!(A1 A2 A3 A4 A5 A6);

/// How the OpenAPI document says that the caller has to have proved lately who they are.
pub const RECENT_PROOF: &str = "x-recent-proof";

/// The response of the OpenAPI document to whose role does not allow it.
pub const NOT_ALLOWED: &str = "NotAllowed";

/// Writes the ways in beside the one operation that was described.
pub fn describe(paths: &mut Paths, ways_in: Vec<WayIn>) {
    let is_recent = ways_in.iter().any(|way| way.is_recent);
    // Every role may be wanted to set a second factor up first.
    let is_office = ways_in.iter().any(|way| way.portal == "staff");
    let requirements: Vec<_> =
        ways_in.into_iter().map(|way| SecurityRequirement::new(way.portal, way.duty)).collect();
    if requirements.is_empty() {
        return;
    }
    for item in paths.paths.values_mut() {
        let operations = [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            operation.security = Some(requirements.clone());
            if is_office {
                let refused = || Ref::from_response_name(NOT_ALLOWED).into();
                operation.responses.responses.entry("403".to_owned()).or_insert_with(refused);
            }
            if is_recent {
                operation.extensions = Some(Extensions::builder().add(RECENT_PROOF, true).build());
            }
        }
    }
}

/// Where an endpoint is, of which nothing more is said.
pub fn undescribed<P: utoipa::Path>() -> Paths {
    let mut paths = Paths::new();
    paths.add_path_operation(P::path(), P::methods(), Operation::default());
    paths
}

/// A handler with its description, for `OpenApiRouter::routes`; its first parameter is a
/// `Caller`.
///
/// A release describes nothing: what describes is 3 MB of code, and the document that it would make lies in the
/// binary already.
macro_rules! endpoint {
    ($handler:ident) => {{
        let (schemas, mut paths, router) = if cfg!(debug_assertions) {
            utoipa_axum::routes!($handler)
        } else {
            utoipa_axum::paste! {
                let methods = <[<__path_ $handler>] as utoipa::Path>::methods();
                let router = methods.iter().fold(axum::routing::MethodRouter::new(), |router, method| {
                    router.on(utoipa_axum::PathItemExt::to_method_filter(method), $handler)
                });
                (Vec::new(), $crate::web::access::undescribed::<[<__path_ $handler>]>(), router)
            }
        };
        $crate::web::access::describe(&mut paths, $crate::web::access::Guarded::ways_in(&$handler));
        (schemas, paths, router)
    }};
}
pub(crate) use endpoint;
