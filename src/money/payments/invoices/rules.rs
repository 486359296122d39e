//! Who is invoiced, and by when it is to be paid.

use jiff::civil::Date;
use rusqlite::Connection;

use crate::base::error::{Error, FieldErrors, Result};
use crate::config::Prices;
use crate::storage::statements::{Statements, params};
use crate::web::form::{Field, form};

/// Students of one call.
const MAX_STUDENTS: usize = 500;

form! {
    /// `POST /api/admin/invoices`' body: the students, or the term whose students are meant.
    pub struct InvoicesForm {
        /// At most 500.
        student_ids: Option<Vec<i64>>,
        /// Students who are or were in a class of this term.
        term_id: Option<i64>,
        /// Due date: today or later; default as after an approval.
        due_on: Option<Date>,
        /// Whether nothing is kept.
        dry_run: Option<bool>,
        /// Whether each is emailed; default false.
        send: Option<bool>,
    }
}

/// A validated call.
#[derive(Debug)]
pub struct Invoicing {
    scope: Scope,
    /// Due date.
    pub due_on: Date,
    /// Whether nothing is kept.
    pub is_dry_run: bool,
    /// Whether each is emailed.
    pub sends: bool,
}

#[derive(Debug)]
enum Scope {
    Students(Vec<i64>),
    Term(i64),
}

impl Invoicing {
    /// Validates a form.
    pub fn parse(form: &InvoicesForm, prices: &Prices, today: Date) -> Result<Self, FieldErrors> {
        const NEITHER: &str = "Name the students, or a term";
        let mut errors = FieldErrors::default();
        let scope = match (&form.student_ids, &form.term_id) {
            (Field::Value(ids), Field::Absent | Field::Null) => {
                let mut ids = ids.clone();
                ids.sort_unstable();
                ids.dedup();
                match ids.len() {
                    1..=MAX_STUDENTS => Ok(Scope::Students(ids)),
                    0 => Err(NEITHER.to_owned()),
                    _ => Err(format!("At most {MAX_STUDENTS} students at once")),
                }
            }
            (Field::Absent | Field::Null, Field::Value(id)) => Ok(Scope::Term(*id)),
            _ => Err(NEITHER.to_owned()),
        };
        let scope = errors.take("studentIds", scope);
        let due_on = match &form.due_on {
            Field::Absent | Field::Null => Ok(prices.due_on(today)),
            day => day.date("Must be a real date").and_then(|day| match day < today {
                true => Err("Must be today or later".to_owned()),
                false => Ok(day),
            }),
        };
        let due_on = errors.take("dueOn", due_on);
        let mut is = |name, field: &Field<bool>| {
            let value = match field {
                Field::Value(value) => Ok(*value),
                Field::Absent | Field::Null => Ok(false),
                Field::Wrong => Err("Must be true or false"),
            };
            errors.take(name, value)
        };
        let is_dry_run = is("dryRun", &form.dry_run);
        let sends = is("send", &form.send);
        let parsed = || Some(Self { scope: scope?, due_on: due_on?, is_dry_run: is_dry_run?, sends: sends? });
        errors.finish(parsed())
    }

    /// The students that are meant.
    ///
    /// # Errors
    /// 404 when there is no such term; 400 when it has too many.
    pub fn students(&self, connection: &Connection) -> Result<Vec<i64>> {
        let id = match &self.scope {
            Scope::Students(ids) => return Ok(ids.clone()),
            Scope::Term(id) => *id,
        };
        if !connection.one::<bool>("select exists (select 1 from terms where id = :id)", params![id])? {
            return Err(Error::NotFound("Term not found".into()));
        }
        let sql =
            "select distinct e.student_id from sections s cross join enrollments e on e.section_id = s.id
            where s.term_id = :id and exists (select 1 from ledger l where l.enrollment_id = e.id)
            order by e.student_id limit 501";
        let students: Vec<i64> = connection.list(sql, params![id])?;
        if students.len() > MAX_STUDENTS {
            let message = format!("It has more than {MAX_STUDENTS} students: name them in several calls");
            return Err(Error::field("termId", message));
        }
        Ok(students)
    }
}
