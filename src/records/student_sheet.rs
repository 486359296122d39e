//! Student export for roles with access to records: the list's columns and the profile, so that it can be imported
//! again.

use rusqlite::Connection;
use serde::Serialize;

use super::import;
use crate::base::error::Result;
use crate::students::profile::Profile;
use crate::students::store;
use crate::web::pagination::Listed;
use crate::web::sheet::{SheetCell, SheetRow};

/// Cells of a student in the list, with those of the profile.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RecordedRow(Vec<SheetCell>);

impl RecordedRow {
    /// Adds profiles to the rows of a list; `id` returns the student's id.
    ///
    /// # Errors
    /// Database errors.
    pub(super) fn of<R: SheetRow>(
        connection: &Connection,
        listed: &Listed<R>,
        id: impl Fn(&R) -> i64,
    ) -> Result<Listed<Self>> {
        let mut rows = Vec::with_capacity(listed.rows.len());
        for row in &listed.rows {
            let student = store::find(connection, id(row))?;
            let profile = student.map(|student| student.profile).unwrap_or_default();
            // The list already has the two names of a profile.
            let profile = import::cells(&profile).into_iter().map(|(_, cell)| SheetCell::Text(cell)).skip(2);
            rows.push(Self(row.cells().into_iter().chain(profile).collect()));
        }
        Ok(Listed { rows, total: listed.total })
    }
}

/// The headings of the list.
pub(super) const LISTED: &[&str] = &[
    "Number",
    "Full name",
    "Preferred name",
    "Email",
    "Status",
    "Age",
    "Flags",
    "Documents accepted",
    "Documents required",
    "Open courses",
    "Balance",
    "Created",
    "Last activity",
];
/// The list already has the two names of a profile.
const OTHERS: &[&str] = Profile::HEADINGS.split_at(2).1;
const HEADINGS: [&str; LISTED.len() + OTHERS.len()] = {
    let own = LISTED.len();
    let mut all = [""; LISTED.len() + OTHERS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < own { LISTED[at] } else { OTHERS[at - own] };
        at += 1;
    }
    all
};

impl SheetRow for RecordedRow {
    const LIST: &'static str = "students";
    const HEADINGS: &'static [&'static str] = &HEADINGS;

    fn cells(&self) -> Vec<SheetCell> {
        self.0.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use fastrand::Rng;
    use jiff::Timestamp;
    use rusqlite::Connection;

    use super::*;
    use crate::audit::Actor;
    use crate::base::closed_set::ClosedSet as _;
    use crate::records::import::Importer;
    use crate::records::list::StudentRow;
    use crate::records::sheets::{ExportList, export};
    use crate::storage::db;
    use crate::storage::statements::Statements;
    use crate::tests::fuzz::for_rounds;
    use crate::web::sheet::{DateOrders, Importing, Sheet, SheetStyle, write};

    const PARTS: [&str; 28] = [
        "=",
        "+",
        "-",
        "@",
        "'",
        "\"",
        ",",
        ";",
        "\n",
        "\r\n",
        "\r",
        "\t",
        " ",
        "Zoë",
        "王小明",
        "محمد",
        "0042",
        "4E+09",
        "####",
        "#N/A",
        "true",
        "on",
        "3/1/2009",
        "\u{200b}",
        "=\"7\"",
        "-12.50",
        "Ontario",
        "a very long one",
    ];

    /// A text, or none.
    fn text(random: &mut Rng) -> Option<String> {
        let parts = random.usize(..6);
        (parts > 0).then(|| (0..parts).map(|_| *random.choice(&PARTS).unwrap()).collect())
    }

    fn one_of(random: &mut Rng, words: &[&str]) -> Option<String> {
        random.choice(words).map(|word| (*word).to_owned()).filter(|_| random.u8(..4) > 0)
    }

    fn insert(connection: &Connection, number: usize, random: &mut Rng) {
        let country = *random.choice(&["CA", "CN", "NG"]).unwrap();
        let mut values = vec![
            ("email", Some(format!("s{number}@mail.example"))),
            ("status", one_of(random, &["unverified", "active", "suspended", "closed"])),
            ("region", text(random).filter(|_| country != "CA")),
        ];
        values[1].1.get_or_insert_with(|| "active".to_owned());
        values.extend(Profile::COLUMNS.iter().map(|column| {
            let value = match *column {
                "date_of_birth" => one_of(random, &["2009-03-01", "1850-01-01", "2030-12-31"]),
                "gender" => one_of(random, &["male", "female", "other"]),
                "canadian_status" => one_of(random, &["citizen", "permanent_resident"]),
                "country" => Some(country.to_owned()),
                "province" => one_of(random, &["ON", "QC"]).filter(|_| country == "CA"),
                "transferring_credits" => Some(u8::from(random.bool()).to_string()),
                _ => text(random),
            };
            (*column, value)
        }));
        let (columns, values): (Vec<_>, Vec<_>) = values.into_iter().unzip();
        let places = vec!["?"; columns.len()].join(", ");
        let insert = format!(
            "insert into students (password_hash, created_at, updated_at, {}) values ('x', 0, 0, {places})",
            columns.join(", ")
        );
        connection.run(&insert, rusqlite::params_from_iter(values)).unwrap();
    }

    #[test]
    fn an_export_is_imported_without_changes() {
        let folder = tempfile::tempdir().unwrap();
        let connection = db::open(&folder.path().join("school.db")).unwrap();
        let now = Timestamp::from_second(1_795_000_000).unwrap();
        for_rounds("sheets of students", 40, |random| {
            connection.execute_batch("begin").unwrap();
            (0..10).for_each(|number| insert(&connection, number, random));
            let style = *random.choice(SheetStyle::ALL).unwrap();
            let sheet = export(&connection, &Arc::default(), ExportList::Students, style, now).unwrap();
            let importer = Importer {
                config: Arc::default(),
                actor: Actor::command_line(),
                user_id: None,
                is_invited: false,
                today: "2026-11-21".parse().unwrap(),
                now,
                orders: DateOrders::default(),
            };
            let mut importing = Importing::open(importer, sheet.bytes);
            let outcome = importing.validate(&connection).unwrap();
            assert!(outcome.problems.is_empty(), "{}", outcome.problems);
            assert_eq!((sheet.rows, outcome.unchanged), (10, 10), "{outcome:?}");
            connection.execute_batch("rollback").unwrap();
        });
    }

    #[test]
    fn each_heading_is_over_its_own_cells() {
        let profile = Profile { country: "CA".into(), ..Profile::default() };
        let own = StudentRow::HEADINGS.len();
        let names = import::cells(&profile).into_iter().map(|(name, _)| name.to_lowercase());
        let headings =
            RecordedRow::HEADINGS[own..].iter().map(|heading| heading.replace(' ', "").to_lowercase());
        assert_eq!(headings.collect::<Vec<_>>(), names.skip(2).collect::<Vec<_>>());
        assert_eq!(RecordedRow::HEADINGS[..own], *StudentRow::HEADINGS);
        // The bursar's export can be imported, too: of the profile it has only the names.
        let empty: [StudentRow; 0] = [];
        let columns = <Importer as crate::web::sheet::Import>::columns();
        let Ok((_, problems)) = Sheet::open(write(&empty, SheetStyle::English).unwrap(), &columns) else {
            panic!("it is a table")
        };
        assert!(problems.is_empty(), "{problems}");
    }
}
