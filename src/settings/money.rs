//! How families pay, by when, and when they are reminded: the bursar's part of the settings. It is published at once, as a
//! version like any other.

use axum::Extension;
use axum::extract::State;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::site::Site;
use super::{Settings, versions};
use crate::audit;
use crate::base::email::Email;
use crate::base::error::{FieldErrors, Result};
use crate::base::json::Json;
use crate::base::money::Money;
use crate::config::{Prices, PublishedMoney, UsualOffer};
use crate::school::texts::markup;
use crate::staff::{Recent, Staff, may};
use crate::web::access::endpoints;
use crate::web::app::App;
use crate::web::form::{Field, form};
use crate::web::price;

/// The endpoints.
pub fn routes() -> OpenApiRouter<App> {
    endpoints![get_money_settings, save_money_settings]
}

/// What the office says of payments; null: as the configuration says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MoneySettings {
    /// The address for e-Transfers; empty: none.
    #[schema(required)]
    pub e_transfer: Option<String>,
    /// Days after approval within which a fee is due.
    #[schema(required)]
    pub due_days: Option<u32>,
    /// Whether families are reminded by the schedule.
    #[schema(required)]
    pub reminders: Option<bool>,
    /// Days after a due date on which they are; less than 0 before it.
    #[schema(required)]
    pub reminder_days: Option<Vec<i64>>,
    /// The usual fee of an offered place, in dollars; null: each offer names it.
    #[schema(required, value_type = Option<f64>)]
    pub offer_fee: Option<Money>,
    /// What of it is due first, in dollars; null: nothing.
    #[schema(required, value_type = Option<f64>)]
    pub offer_deposit: Option<Money>,
    /// Days within which a family answers an offer.
    #[schema(required)]
    pub offer_answer_days: Option<u32>,
    /// Days from the offer until the deposit is due.
    #[schema(required)]
    pub offer_deposit_days: Option<u32>,
    /// Days from the offer until the fee is due, or what the deposit leaves of it.
    #[schema(required)]
    pub offer_fee_days: Option<u32>,
}

impl MoneySettings {
    /// As they lie over the configuration.
    pub fn published(&self) -> PublishedMoney {
        let Self { e_transfer, due_days, reminders, reminder_days, .. } = self.clone();
        let usual = UsualOffer::default();
        let offer = UsualOffer {
            fee: self.offer_fee,
            deposit: self.offer_deposit,
            answer_days: self.offer_answer_days.unwrap_or(usual.answer_days),
            deposit_days: self.offer_deposit_days.unwrap_or(usual.deposit_days),
            fee_days: self.offer_fee_days.unwrap_or(usual.fee_days),
        };
        PublishedMoney { e_transfer, due_days, reminders, reminder_days, offer }
    }
}

/// A number of days from 0 to [`Prices::MAX_DAYS`], or none.
fn days(field: &Field<i64>) -> Result<Option<u32>, &'static str> {
    match field {
        Field::Absent | Field::Null => Ok(None),
        Field::Value(days) if (0..=i64::from(Prices::MAX_DAYS)).contains(days) => {
            Ok(u32::try_from(*days).ok())
        }
        _ => Err("Must be a whole number from 0 to 366"),
    }
}

/// What the office says of payments, and what the configuration says where it says nothing.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MoneySettingsPage {
    /// The office's.
    settings: MoneySettings,
    /// The configuration's.
    defaults: MoneySettings,
    /// How to pay, as families read it.
    how_to_pay: String,
    /// The address that it names in the place of the one for e-Transfers, which families then do not read.
    #[schema(required)]
    other_address: Option<String>,
}

form! {
    /// `PUT /api/admin/settings/money`'s body; null: as the configuration says.
    pub struct MoneySettingsForm {
        /// An email address; empty: none.
        e_transfer: Option<String>,
        /// 0 to 366.
        due_days: Option<i64>,
        reminders: Option<bool>,
        /// At most 6 numbers from -366 to 366.
        reminder_days: Option<Vec<i64>>,
        /// In dollars; null: each offer of a place names its fee.
        offer_fee: Option<f64>,
        /// In dollars, at most the fee; null: none.
        offer_deposit: Option<f64>,
        /// 0 to 366.
        offer_answer_days: Option<i64>,
        /// 0 to 366, at most `offerFeeDays`.
        offer_deposit_days: Option<i64>,
        /// 0 to 366.
        offer_fee_days: Option<i64>,
    }
}

impl MoneySettingsForm {
    fn parse(&self) -> Result<MoneySettings, FieldErrors> {
        let mut errors = FieldErrors::default();
        let e_transfer = match &self.e_transfer {
            Field::Absent | Field::Null => Ok(None),
            field if field.is_blank() => Ok(Some(String::new())),
            field => Email::parse(field.text()).map(|email| Some(email.to_string())),
        };
        let e_transfer = errors.take("eTransfer", e_transfer);
        let most = i64::from(Prices::MAX_DAYS);
        let due_days = errors.take("dueDays", days(&self.due_days));
        let reminders = match self.reminders {
            Field::Absent | Field::Null => Ok(None),
            Field::Value(is_on) => Ok(Some(is_on)),
            Field::Wrong => Err("Must be true or false"),
        };
        let reminders = errors.take("reminders", reminders);
        let reminder_days = match &self.reminder_days {
            Field::Absent | Field::Null => Ok(None),
            Field::Value(days)
                if (1..=Prices::MAX_REMINDERS).contains(&days.len())
                    && days.iter().all(|day| (-most..=most).contains(day)) =>
            {
                let mut days = days.clone();
                days.sort_unstable();
                days.dedup();
                Ok(Some(days))
            }
            _ => Err("Must be 1 to 6 whole numbers from -366 to 366"),
        };
        let reminder_days = errors.take("reminderDays", reminder_days);
        let offer_fee = errors.take("offerFee", price::dollars(&self.offer_fee));
        let offer_deposit = errors.take("offerDeposit", price::dollars(&self.offer_deposit));
        if let (Some(fee), Some(Some(deposit))) = (offer_fee, offer_deposit)
            && fee.is_none_or(|fee| deposit > fee)
        {
            errors.add("offerDeposit", "The deposit is part of the fee and cannot be more");
        }
        let offer_answer_days = errors.take("offerAnswerDays", days(&self.offer_answer_days));
        let offer_deposit_days = errors.take("offerDepositDays", days(&self.offer_deposit_days));
        let offer_fee_days = errors.take("offerFeeDays", days(&self.offer_fee_days));
        let settings = || {
            Some(MoneySettings {
                e_transfer: e_transfer?,
                due_days: due_days?,
                reminders: reminders?,
                reminder_days: reminder_days?,
                offer_fee: offer_fee?,
                offer_deposit: offer_deposit?,
                offer_answer_days: offer_answer_days?,
                offer_deposit_days: offer_deposit_days?,
                offer_fee_days: offer_fee_days?,
            })
        };
        let settings = settings();
        if let Some(offer) = settings.as_ref().map(|settings| settings.published().offer)
            && offer.deposit.is_some()
            && offer.deposit_days > offer.fee_days
        {
            errors.add("offerDepositDays", "The deposit is due before the rest of the fee");
        }
        errors.finish(settings)
    }
}

fn read(connection: &Connection, file: &Prices) -> Result<MoneySettingsPage> {
    let usual = UsualOffer::default();
    let defaults = MoneySettings {
        e_transfer: Some(file.e_transfer.clone()),
        due_days: Some(file.due_days),
        reminders: Some(file.reminders),
        reminder_days: Some(file.reminder_days.clone()),
        offer_fee: None,
        offer_deposit: None,
        offer_answer_days: Some(usual.answer_days),
        offer_deposit_days: Some(usual.deposit_days),
        offer_fee_days: Some(usual.fee_days),
    };
    let published = versions::published(connection)?;
    let how_to_pay = how_to_pay(&published, file);
    let other_address =
        e_transfer(&published.money, file).and_then(|address| Prices::other_address(&how_to_pay, address));
    let other_address = other_address.map(|email| email.to_string());
    Ok(MoneySettingsPage { settings: published.money, defaults, how_to_pay, other_address })
}

fn how_to_pay(published: &Settings, file: &Prices) -> String {
    let own = published.texts.how_to_pay.as_deref();
    own.map_or_else(|| file.how_to_pay.clone(), |text| markup::render(text).plain)
}

fn e_transfer<'a>(money: &'a MoneySettings, file: &'a Prices) -> Option<&'a str> {
    Some(money.e_transfer.as_deref().unwrap_or(&file.e_transfer)).filter(|address| !address.is_empty())
}

/// Refuses another address for e-Transfers than the text for families names: they read both on one page.
fn check_address(published: &Settings, money: &MoneySettings, file: &Prices) -> Result<(), FieldErrors> {
    let address =
        e_transfer(money, file).filter(|address| Some(*address) != e_transfer(&published.money, file));
    match address.and_then(|address| Prices::other_address(&how_to_pay(published, file), address)) {
        Some(other) => {
            let message = format!("The text How to Pay names {other}. Change it in Site Settings first");
            Err(FieldErrors::one("eTransfer", message))
        }
        None => Ok(()),
    }
}

/// How families pay, by when, and when they are reminded
#[utoipa::path(get, path = "/api/admin/settings/money", tag = "school")]
async fn get_money_settings(_: Staff<may::Money>, State(app): State<App>) -> Result<Json<MoneySettingsPage>> {
    let config = app.config.clone();
    app.db.query(move |connection| read(connection, &config.money)).await.map(Json)
}

/// Publish how families pay, by when, and when they are reminded
///
/// `eTransfer` is refused while the text How to Pay names another address.
#[utoipa::path(put, path = "/api/admin/settings/money", tag = "school")]
async fn save_money_settings(
    staff: Staff<may::Money, Recent>,
    State(app): State<App>,
    Extension(site): Extension<Site>,
    Json(form): Json<MoneySettingsForm>,
) -> Result<Json<MoneySettingsPage>> {
    let money = form.parse()?;
    let now = app.clock.now();
    let config = app.config.clone();
    let user_id = staff.id;
    let actor = staff.actor();
    let page = app
        .db
        .write(move |connection| {
            let published = versions::published(connection)?;
            if published.money != money {
                check_address(&published, &money, &config.money)?;
                let draft = versions::draft(connection)?;
                let written = Settings { money: money.clone(), ..draft.settings };
                versions::write(connection, &written, draft.version, user_id, now)?;
                let settings = Settings { money: money.clone(), ..published };
                let id =
                    versions::publish(connection, &settings, Some("Payment settings"), Some(user_id), now)?;
                let detail = json!({ "changes": ["Payment settings"], "eTransfer": money.e_transfer });
                audit::record(connection, &actor, "publish", "site", id, detail, now)?;
            }
            read(connection, &config.money)
        })
        .await?;
    site.current(&app.db, app.today()).await?;
    Ok(Json(page))
}
