//! Browser information of a login or a password reset.

use std::marker::PhantomData;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use tower_sessions::Session;

use super::owner::Owner;
use crate::base::error::{Error, Result};
use crate::web::app::App;
use crate::web::description::{Description, Parameter};
use crate::web::rate_limit::ClientAddr;
use crate::web::rate_limit::device::Devices;
use crate::web::session;
use crate::web::signed_in::Device;

/// Browser information of a login or a password reset.
pub struct Browser<O> {
    /// Client address.
    pub client: ClientAddr,
    /// Device tokens of known accounts.
    pub devices: Devices,
    /// Kind of device.
    pub device: Device,
    /// Its session in the owner's portal.
    pub session: Session,
    owner: PhantomData<O>,
}

impl<O> Parameter for Browser<O> {
    fn describe(description: &mut Description<'_>) {
        ClientAddr::describe(description);
    }
}

impl<O: Owner> FromRequestParts<App> for Browser<O> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let Ok(client) = ClientAddr::from_request_parts(parts, app).await;
        let Ok(devices) = Devices::from_request_parts(parts, app).await;
        let Ok(device) = Device::from_request_parts(parts, app).await;
        let session = session::of(O::PORTAL, &parts.extensions).cloned();
        let session =
            session.ok_or_else(|| anyhow::anyhow!("the router knows no sessions of this portal"))?;
        Ok(Self { client, devices, device, session, owner: PhantomData })
    }
}
