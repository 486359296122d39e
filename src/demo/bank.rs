//! Two files of the bank that the demo's office imported: of the second a line waits in every state.

use jiff::{SignedDuration, Timestamp, ToSpan as _};

use super::names::AMARA;
use super::plan::Plan;
use super::scene::Scene;
use super::staff::OFFICE;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::money::bank::BankContext;
use crate::money::payments::{PaymentContext, codes};
use crate::staff::context::StaffContext;
use crate::storage::statements::{Statements as _, from_row, params};

const ACCOUNT: &str = "Chequing";

/// Schedules them in the days before today, after the payments that were recorded by hand.
pub fn add(plan: &mut Plan) {
    let now = plan.calendar.now;
    let ago = |hours: i64| now - SignedDuration::from_hours(hours);
    plan.diary.note(ago(24), move |scene| {
        let file = scene.bank_file(now, &[])?;
        scene.import_bank_file(file)
    });
    plan.diary.note(ago(3), move |scene| {
        let debtors = scene.debtors()?;
        let mut lines = vec![DemoLine::new("WIRE TRANSFER 0417 HOLDINGS", 184_000)];
        if let [matched, suggested, ..] = debtors.as_slice() {
            lines.push(DemoLine { text: scene.with_code(matched.id)?, amount: matched.balance });
            let name = suggested.name.to_uppercase();
            let text = format!("E-TRANSFER RECEIVED {name}");
            lines.push(DemoLine { text, amount: suggested.balance });
        }
        lines.push(DemoLine::new("MONTHLY FEE", -1_500));
        lines.push(DemoLine::new(&scene.with_code(scene.amara()?)?, 15_000));
        let file = scene.bank_file(now, &lines)?;
        scene.import_bank_file(file)
    });
}

/// A line of the file.
struct DemoLine {
    text: String,
    amount: Money,
}

impl DemoLine {
    fn new(text: &str, cents: i64) -> Self {
        Self { text: text.to_owned(), amount: Money::from_cents(cents) }
    }
}

struct Debtor {
    id: i64,
    name: String,
    balance: Money,
}

from_row!(Debtor { id, name, balance = "cents" });

impl Scene<'_> {
    /// Students who owe one charge.
    fn debtors(&self) -> Result<Vec<Debtor>> {
        let sql = "select s.id, s.full_name as name, sum(e.cents) as cents from student_entries e
            join students s on s.id = e.student_id where e.cents <> 0 and s.email <> :email and s.full_name is not null
            group by s.id having count(*) = 1 and sum(e.cents) > 0 order by s.id limit 2";
        self.connection.list(sql, params![email = AMARA])
    }

    fn with_code(&self, student_id: i64) -> Result<String> {
        let code = codes::of_student(self.connection, &self.app.config.school().name, student_id)?;
        Ok(format!("E-TRANSFER RECEIVED {code}"))
    }

    /// A file as RBC writes it: what came to Amara's account two days ago, and these lines of the day before today.
    fn bank_file(&self, now: Timestamp, lines: &[DemoLine]) -> Result<String> {
        let mut file = String::from(
            "\"Account Type\",\"Account Number\",\"Transaction Date\",\"Cheque Number\",\"Description 1\",\"Description 2\",\"CAD$\",\"USD$\"\n",
        );
        let first = DemoLine::new(&self.with_code(self.amara()?)?, 10_000);
        for (days, DemoLine { text, amount }) in
            [(2, &first)].into_iter().chain(lines.iter().map(|line| (1, line)))
        {
            let day = now.to_zoned(self.app.config.school().zone()).date().saturating_sub(days.days());
            let day = day.strftime("%-m/%-d/%Y");
            let amount = amount.cents() as f64 / 100.0;
            file += &format!("Chequing,01234-5678901,{day},,\"{text}\",,{amount:.2},\n");
        }
        Ok(file)
    }

    /// Imports a file, and records what has Amara's code and was not seen before.
    fn import_bank_file(&self, file: String) -> Result<()> {
        let office = StaffContext::at(self.app.config.clone(), self.team.office, OFFICE, self.now);
        let context = PaymentContext::from(office);
        let context = BankContext::of(context);
        context.import_and_post(self.connection, ACCOUNT, file.into_bytes(), self.amara()?, self.today())
    }
}
