//! An endpoint of both portals: one handler with one description, mounted under each portal's path.

use axum::handler::Handler;
use axum::routing::MethodRouter;
use utoipa::Path;
use utoipa::openapi::RefOr;
use utoipa::openapi::path::{HttpMethod, Operation, Paths};
use utoipa::openapi::schema::Schema;
use utoipa_axum::PathItemExt;
use utoipa_axum::router::UtoipaMethodRouter;

use crate::web::access::Signature;
use crate::web::app::App;
use crate::web::description::Description;

/// A handler with its description, not mounted yet.
pub struct Call {
    /// Path relative to the mount.
    path: String,
    methods: Vec<HttpMethod>,
    operation: Operation,
    schemas: Vec<(String, RefOr<Schema>)>,
    router: MethodRouter<App>,
    describe: fn(&mut Description<'_>),
}

/// Mount point of a portal's endpoints.
#[derive(Clone, Copy)]
pub struct Mount {
    /// Path prefix.
    pub path: &'static str,
    /// Tag in the OpenAPI document.
    pub tag: &'static str,
}

impl Call {
    /// A handler and its description `P`; omitted in a release, see [`crate::web::access::endpoint`] says.
    pub fn new<P, H, Extracted, Parameters>(handler: &H) -> Self
    where
        P: Path + utoipa::__dev::SchemaReferences,
        H: Handler<Extracted, App> + Signature<Parameters>,
        Extracted: 'static,
    {
        let mut schemas = Vec::new();
        let mut operation = Operation::default();
        let mut describe: fn(&mut Description<'_>) = |_| ();
        if cfg!(debug_assertions) {
            P::schemas(&mut schemas);
            operation = P::operation();
            describe = H::describe;
        }
        let methods = P::methods();
        let router = methods.iter().fold(MethodRouter::new(), |router, method| {
            router.on(method.to_method_filter(), handler.clone())
        });
        Self { path: P::path(), methods, operation, schemas, router, describe }
    }

    /// Overrides the summary for this portal.
    pub fn summary(mut self, summary: &str) -> Self {
        self.operation.summary = Some(summary.to_owned());
        self
    }

    /// Documents a 403 response of the handler.
    pub fn refuses(mut self) -> Self {
        Description { operation: &mut self.operation, schemas: &mut self.schemas }.refusal("403");
        self
    }

    /// Mounts it under the portal's path, with a unique operation id.
    pub fn at(mut self, mount: Mount, id: &str) -> UtoipaMethodRouter<App> {
        self.operation.operation_id = Some(id.to_owned());
        self.operation.tags = Some(vec![mount.tag.to_owned()]);
        (self.describe)(&mut Description { operation: &mut self.operation, schemas: &mut self.schemas });
        let mut paths = Paths::new();
        paths.add_path_operation(format!("{}{}", mount.path, self.path), self.methods, self.operation);
        (self.schemas, paths, self.router)
    }
}

/// Creates a [`Call`] from a generic handler of this room.
macro_rules! call {
    ($module:ident::$handler:ident::<$owner:ty>) => {
        utoipa_axum::paste! {
            $crate::accounts::call::Call::new::<$module::[<__path_ $handler>], _, _, _>(
                &$module::$handler::<$owner>,
            )
        }
    };
}
pub(crate) use call;
