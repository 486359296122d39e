//! What SQLite would know of a school ten times the design load, after `analyze`.
//!
//! The server never does, so that its database holds no statistics, and a plan is the same in a school of any
//! size. It has to be the one that SQLite would choose if it knew the school.

use std::collections::HashMap;

use rusqlite::{Connection, named_params};

use super::school;

/// A column with more values than this has ten times as many in a school ten times as large: people, and what
/// belongs to each of them. Where there are fewer, a state or a course, each has ten times the rows.
const FEW: i64 = 1000;

/// Has SQLite look at a database, and believe that it is so many times as large.
pub fn multiply(connection: &Connection, times: i64) {
    connection.execute_batch("analyze").unwrap();
    let mut select = connection.prepare("select rowid, tbl, stat from sqlite_stat1").unwrap();
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    let rows: Vec<(i64, String, String)> = rows.map(Result::unwrap).collect();
    let mut sizes: HashMap<&str, i64> = HashMap::new();
    for (_, table, stat) in &rows {
        let size = sizes.entry(table).or_default();
        *size = (*size).max(rows_of(stat));
    }
    for (rowid, table, stat) in &rows {
        let stat = if sizes[table.as_str()] > FEW {
            Some(multiplied(stat, times))
        } else {
            // Of a large table that was not filled nothing is known.
            school::SMALL.contains(&table.as_str()).then(|| stat.clone())
        };
        connection
            .execute(
                "update sqlite_stat1 set stat = :stat where rowid = :rowid",
                named_params! { ":rowid": rowid, ":stat": stat },
            )
            .unwrap();
    }
    // Reads them again.
    connection.execute_batch("delete from sqlite_stat1 where stat is null; analyze sqlite_schema").unwrap();
}

fn rows_of(stat: &str) -> i64 {
    stat.split(' ').next().unwrap().parse().unwrap()
}

/// The figures of an index: its rows, and how many of them share the first column, the first two, and so on.
fn multiplied(stat: &str, times: i64) -> String {
    let rows = rows_of(stat);
    let figures = stat.split(' ').skip(1).map(|word| match word.parse::<i64>() {
        Ok(same) if same > 1 && rows / same <= FEW => (same * times).to_string(),
        _ => word.to_owned(),
    });
    std::iter::once((rows * times).to_string()).chain(figures).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_larger_school_has_more_people_and_no_more_states() {
    assert_eq!(multiplied("50000 10", 10), "500000 10");
    assert_eq!(multiplied("50000 12500 1", 10), "500000 125000 1");
    assert_eq!(multiplied("50 1", 10), "500 1");
    assert_eq!(multiplied("100000 100000 20 noskipscan", 10), "1000000 1000000 20 noskipscan");
}
