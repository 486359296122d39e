//! Work that moves with a staff account: what a colleague holds, and handing it over when the account is disabled or
//! its role no longer allows it.
//!
//! Promises: work in progress is never held by a colleague who cannot act on it. Disabling and a change of role hand it
//! over in their own transaction, to one colleague or to none; what is left from before is unassigned within a minute.

use axum::extract::State;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::admissions::store as applications;
use crate::audit::{self, Actor};
use crate::base::closed_set::ClosedSet as _;
use crate::base::error::{Error, ErrorBody, Result};
use crate::base::json::Json;
use crate::config::Office;
use crate::messages::store as messages;
use crate::staff::colleagues::{AdminAction, CheckedChange, StaffChange};
use crate::staff::members::StaffAccounts;
use crate::staff::row::StaffRow;
use crate::staff::store::{self as staff_store, StaffMember};
use crate::staff::{Assignable, Colleague, HeldItem, Recent, Role, Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, OptionalJson, form};
use crate::web::id::{Id, Numbered as _};
use crate::web::query::Query;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_held_work, change_staff, disable_staff]
}

/// Items of one kind that are listed; all of them are counted.
const LISTED: usize = 20;

/// What a colleague works on.
#[derive(Debug, Serialize, ToSchema)]
pub struct HeldWork {
    /// Number of items.
    count: usize,
    /// The kinds of which there are any.
    kinds: Vec<HeldKind>,
    /// Colleagues who may take over all of it, by username.
    colleagues: Vec<Colleague>,
}

/// Items of one kind.
#[derive(Debug, Serialize, ToSchema)]
pub struct HeldKind {
    /// The kind.
    kind: Assignable,
    /// Number of items.
    count: usize,
    /// The oldest twenty.
    items: Vec<HeldItem>,
}

/// Query parameters of what a colleague holds.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
struct HeldQuery {
    /// Only what this role does not allow.
    #[param(value_type = Option<Role>)]
    role: String,
}

form! {
    /// `POST /api/admin/staff/{id}/disable`'s body, which may be left out.
    pub struct DisableForm {
        /// Number of the colleague who takes over the work; null or absent for none.
        hand_over_to: Option<i64>,
        /// Version of the row as it was seen; after a change nothing is done.
        version: Option<i64>,
    }
}

fn held(connection: &Connection, kind: Assignable, user_id: i64) -> Result<Vec<HeldItem>> {
    match kind {
        Assignable::Messages => messages::held_by(connection, user_id),
        Assignable::Applications => applications::held_by(connection, user_id),
    }
}

impl HeldWork {
    /// What an account holds, without the kinds that `role` allows.
    fn read(
        connection: &Connection,
        member: &StaffMember,
        role: Option<Role>,
        office: &Office,
    ) -> Result<Self> {
        let mut kinds = Vec::new();
        for kind in
            Assignable::ALL.iter().copied().filter(|kind| role.is_none_or(|role| !kind.is_for(role, office)))
        {
            let mut items = held(connection, kind, member.account.id)?;
            if !items.is_empty() {
                let count = items.len();
                items.truncate(LISTED);
                kinds.push(HeldKind { kind, count, items });
            }
        }
        let held: Vec<_> = kinds.iter().map(|held| held.kind).collect();
        let mut colleagues = Colleague::list_all(connection, &held, office)?;
        colleagues.retain(|colleague| colleague.id != member.account.id);
        Ok(Self { count: kinds.iter().map(|held| held.count).sum(), kinds, colleagues })
    }
}

/// Hands over what an account holds and cannot act on any more, to a colleague or to none. Returns the number of items.
///
/// # Errors
/// A field error if the colleague cannot act on it.
pub fn release(accounts: &StaffAccounts<'_>, user_id: i64, to: Option<i64>) -> Result<usize> {
    let found = staff_store::find_member_by_id(accounts.connection, user_id)?;
    let moved = move_held(accounts, &found.ok_or_else(StaffRow::not_found)?, to)?;
    let count = moved.values().filter_map(Value::as_array).map(Vec::len).sum();
    if count > 0 {
        accounts.record("hand over", user_id, json!({ "to": to, "items": moved }))?;
    }
    Ok(count)
}

fn move_held(
    accounts: &StaffAccounts<'_>,
    member: &StaffMember,
    to: Option<i64>,
) -> Result<Map<String, Value>> {
    let StaffAccounts { connection, config, actor, now } = *accounts;
    let mut moved = Map::new();
    let from = member.account.id;
    for kind in Assignable::ALL.iter().copied().filter(|kind| !kind.can_be_held_by(member, &config.office)) {
        let ids: Vec<i64> = held(connection, kind, from)?.iter().map(|item| item.id).collect();
        if ids.is_empty() {
            continue;
        }
        Colleague::check(connection, to, kind, &config.office, "handOverTo")?;
        for &id in &ids {
            match kind {
                Assignable::Messages => messages::set_assignee(connection, id, to)?,
                Assignable::Applications => applications::assign(connection, id, to)?,
            }
            let detail = json!({ "from": from, "to": to });
            audit::record(connection, actor, "assign", kind.object(), id, detail, now)?;
        }
        moved.insert(kind.as_str().to_owned(), json!(ids));
    }
    Ok(moved)
}

/// Unassigns what is held by accounts that cannot act on it: disabled on another way or before this was known.
///
/// # Errors
/// Database errors.
pub async fn run_due(app: &App) -> Result<()> {
    let config = app.config.clone();
    let now = app.clock.now();
    if app.db.damage().is_some() {
        return Ok(());
    }
    let office = config.office.clone();
    let stranded = app.db.query(move |connection| stranded(connection, &office)).await?;
    if stranded.is_empty() {
        return Ok(());
    }
    app.db
        .write(move |connection| {
            let actor = Actor::system();
            let accounts = StaffAccounts { connection, config: &config, actor: &actor, now };
            stranded.iter().try_for_each(|&user_id| release(&accounts, user_id, None).map(drop))
        })
        .await
}

fn stranded(connection: &Connection, office: &Office) -> Result<Vec<i64>> {
    let mut found = Vec::new();
    for member in staff_store::list_members(connection)? {
        for kind in Assignable::ALL.iter().copied().filter(|kind| !kind.can_be_held_by(&member, office)) {
            if !held(connection, kind, member.account.id)?.is_empty() {
                found.push(member.account.id);
            }
        }
    }
    found.dedup();
    Ok(found)
}

/// What a colleague works on, and who can take it over
#[utoipa::path(get, path = "/api/admin/staff/{id}/work", tag = "staff", params(HeldQuery))]
async fn get_held_work(
    _: Staff<may::Staff>,
    State(app): State<App>,
    Id(id, ..): Id<StaffRow>,
    Query(query): Query<HeldQuery>,
) -> Result<Json<HeldWork>> {
    let role = match query.role.trim() {
        "" => None,
        word => Some(Role::choose(word).map_err(|message| Error::field("role", message))?),
    };
    let office = app.config.office.clone();
    app.db
        .query(move |connection| {
            let member = staff_store::find_member_by_id(connection, id)?.ok_or_else(StaffRow::not_found)?;
            HeldWork::read(connection, &member, role, &office)
        })
        .await
        .map(Json)
}

/// The colleague who takes over.
fn taker(field: &Field<i64>) -> Result<Option<i64>> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(id) => Ok(Some(*id)),
        Field::Wrong => Err(Error::field("handOverTo", "Choose a colleague, or none")),
    }
}

/// Change a colleague's role, name or email address; a new role applies from their next request, and work that it does
/// not allow is handed over
#[utoipa::path(patch, path = "/api/admin/staff/{id}", tag = "staff",
    responses((status = 409, body = ErrorBody, description = "The last administrator, oneself, or a row \
            that another user changed: `current` is the current row")))]
async fn change_staff(
    staff: Staff<may::Staff, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<StaffRow>,
    Json(form): Json<StaffChange>,
) -> Result<Json<StaffRow>> {
    AdminAction::carry_out(&staff, &app, id, move |accounts, member, action| {
        CheckedChange::parse(&form)?.apply(accounts, member, action)?;
        release(accounts, member.account.id, taker(&form.hand_over_to)?).map(drop)
    })
    .await
}

/// Disable a colleague's account: ends every session and link at once, and hands the work over, to a colleague or to
/// none; repeating it changes nothing
#[utoipa::path(post, path = "/api/admin/staff/{id}/disable", tag = "staff", request_body = Option<DisableForm>,
    responses((status = 409, body = ErrorBody)))]
async fn disable_staff(
    staff: Staff<may::Staff, Recent>,
    State(app): State<App>,
    Id(id, ..): Id<StaffRow>,
    OptionalJson(form): OptionalJson<DisableForm>,
) -> Result<Json<StaffRow>> {
    AdminAction::carry_out(&staff, &app, id, move |accounts, member, action| {
        let to = taker(&form.hand_over_to)?;
        action.check_other(
            accounts,
            member,
            "You cannot disable your own account. Another administrator can.",
        )?;
        if let Field::Value(seen) = form.version
            && seen != member.version
        {
            let words = "This account was changed since you looked at it. Please look again.";
            return Err(accounts.conflict(member, words));
        }
        accounts.disable(member)?;
        release(accounts, member.account.id, to).map(drop)
    })
    .await
}
