//! Access control: the first parameter of a handler states who may call the endpoint.
//!
//! [`endpoint!`] accepts only handlers with a [`Caller`] as the first parameter, so that an endpoint without access
//! control does not compile. The OpenAPI document's `security`, and so the test that calls every endpoint as every kind
//! of caller, come from the same type. OWASP ASVS 5.0, V8 (authorization): `tests/asvs.md`.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use utoipa::openapi::Ref;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::{Operation, Paths};
use utoipa::openapi::security::SecurityRequirement;
use utoipa_axum::router::UtoipaMethodRouter;

use crate::web::app::App;
use crate::web::description::{Answer, Description, Parameter};

/// One permitted kind of caller: a portal's session, and the duty that the caller's role must include.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WayIn {
    /// The portal: `student` or `staff`.
    pub portal: &'static str,
    /// The duty, if the portal's session alone is not enough.
    pub duty: Option<&'static str>,
    /// Whether the caller must have authenticated recently.
    pub is_recent: bool,
}

/// An extractor for the caller of an endpoint.
pub trait Caller {
    /// Permitted kinds of callers; empty means everyone.
    fn ways_in() -> Vec<WayIn>;
}

/// Any caller, signed in or not.
#[derive(Debug, Clone, Copy)]
pub struct AnyCaller;

impl Caller for AnyCaller {
    fn ways_in() -> Vec<WayIn> {
        Vec::new()
    }
}

impl<S: Sync> FromRequestParts<S> for AnyCaller {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self)
    }
}

/// A handler with a [`Caller`] as its first parameter; its signature completes the endpoint's description.
pub trait Signature<Parameters> {
    /// Adds what follows from the parameters and the result to the description.
    fn describe(description: &mut Description<'_>);
}

macro_rules! signature {
    ($($parameter:ident)*) => {
        impl<F, Running, C: Caller, $($parameter: Parameter),*> Signature<(C, $($parameter,)*)> for F
        where
            F: Fn(C, $($parameter),*) -> Running,
            Running: Future<Output: Answer>,
        {
            fn describe(description: &mut Description<'_>) {
                describe_caller(&C::ways_in(), description);
                $($parameter::describe(description);)*
                Running::Output::describe(description);
            }
        }
    };
}

signature!();
signature!(A1);
signature!(A1 A2);
signature!(A1 A2 A3);
signature!(A1 A2 A3 A4);
signature!(A1 A2 A3 A4 A5);
signature!(A1 A2 A3 A4 A5 A6);

/// OpenAPI extension: the caller must have authenticated recently.
const RECENT_PROOF: &str = "x-recent-proof";

/// OpenAPI response for a role without permission.
pub const NOT_ALLOWED: &str = "NotAllowed";

fn describe_caller(ways_in: &[WayIn], description: &mut Description<'_>) {
    if ways_in.is_empty() {
        return;
    }
    description.refusal("401");
    if ways_in.iter().any(|way| way.duty.is_some()) {
        description.refusal("403");
    } else if ways_in.iter().any(|way| way.portal == "staff") {
        // Any role may be required to set up a second factor first.
        description.answer("403", Ref::from_response_name(NOT_ALLOWED));
    }
    let requirements = ways_in.iter().map(|way| SecurityRequirement::new(way.portal, way.duty));
    description.operation.security = Some(requirements.collect());
    if ways_in.iter().any(|way| way.is_recent) {
        description.operation.extensions = Some(Extensions::builder().add(RECENT_PROOF, true).build());
    }
}

/// Completes the description from `routes!` with that of the handler's signature.
pub fn described<H: Signature<Parameters>, Parameters>(
    _: &H,
    (mut schemas, mut paths, router): UtoipaMethodRouter<App>,
) -> UtoipaMethodRouter<App> {
    for item in paths.paths.values_mut() {
        let operations = [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            H::describe(&mut Description { operation, schemas: &mut schemas });
        }
    }
    (schemas, paths, router)
}

/// The path of an endpoint, without a description.
pub fn undescribed<P: utoipa::Path>() -> Paths {
    let mut paths = Paths::new();
    paths.add_path_operation(P::path(), P::methods(), Operation::default());
    paths
}

/// A handler with its description, for `OpenApiRouter::routes`; it has a [`Signature`].
///
/// A release build generates no descriptions: that would add 3 MB of code, and the document is embedded already.
macro_rules! endpoint {
    ($handler:ident) => {
        if cfg!(debug_assertions) {
            $crate::web::access::described(&$handler, utoipa_axum::routes!($handler))
        } else {
            utoipa_axum::paste! {{
                let methods = <[<__path_ $handler>] as utoipa::Path>::methods();
                let router = methods.iter().fold(axum::routing::MethodRouter::new(), |router, method| {
                    router.on(utoipa_axum::PathItemExt::to_method_filter(method), $handler)
                });
                (Vec::new(), $crate::web::access::undescribed::<[<__path_ $handler>]>(), router)
            }}
        }
    };
}
pub(crate) use endpoint;

/// The router of these handlers.
macro_rules! endpoints {
    ($($handler:ident),+ $(,)?) => {
        utoipa_axum::router::OpenApiRouter::new()$(.routes($crate::web::access::endpoint!($handler)))+
    };
}
pub(crate) use endpoints;
