//! The table `account_holds`: money on account that the office has set aside for something. It covers nothing that is due
//! until the office takes it back, whatever its day: what is kept of a student does not depend on the day.

use jiff::Timestamp;
use jiff::civil::Date;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::error::Result;
use crate::base::money::Money;
use crate::storage::statements::{Statements, from_row, params};

/// Money on account that is set aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hold {
    /// Up to so many dollars of what is on account.
    #[schema(value_type = f64)]
    pub amount: Money,
    /// What for.
    pub held_for: String,
    /// The day on which the office looks at it again.
    pub until: Date,
}

from_row!(Hold { amount = "amount_cents", held_for, until = "until_on" });

/// The accounts that are one student's now.
const OWN: &str = "(select :student_id union all select id from students where merged_into = :student_id)";

/// What is set aside of a student's money on account, if anything.
pub fn find(connection: &Connection, student_id: i64) -> Result<Option<Hold>> {
    before(connection, student_id, i64::MAX)
}

/// What was set aside at an instant.
pub fn before(connection: &Connection, student_id: i64, before: i64) -> Result<Option<Hold>> {
    let sql = format!(
        "select amount_cents, held_for, until_on from account_holds
         where student_id in {OWN} and created_at < :before and (ended_at is null or ended_at >= :before)
         order by id desc limit 1"
    );
    connection.find(&sql, params![student_id, before])
}

impl Hold {
    /// What of money on account is not set aside, in cents.
    pub fn free_of(hold: Option<&Self>, on_account: i64) -> i64 {
        (on_account - hold.map_or(0, |hold| hold.amount.cents())).max(0)
    }
}

/// Sets money aside, instead of what was set aside before.
pub fn set(
    connection: &Connection,
    student_id: i64,
    hold: &Hold,
    user_id: i64,
    now: Timestamp,
) -> Result<()> {
    end(connection, student_id, now)?;
    let Hold { amount, held_for, until } = hold;
    let sql =
        "insert into account_holds (student_id, amount_cents, held_for, until_on, created_by, created_at)
        values (:student_id, :amount, :held_for, :until, :user_id, :now)";
    let until = until.to_string();
    let now = now.as_second();
    connection.run(sql, params![student_id, amount, held_for, until, user_id, now])
}

/// Sets nothing aside any more.
pub fn end(connection: &Connection, student_id: i64, now: Timestamp) -> Result<()> {
    let sql =
        format!("update account_holds set ended_at = :now where student_id in {OWN} and ended_at is null");
    connection.run(&sql, params![student_id, now = now.as_second()])
}
