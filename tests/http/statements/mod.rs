//! What every statement costs in a large school: nothing scans, and nothing visits much more than it
//! returns, except by name and with a reason.
//!
//! A school of the design load is filled; its people use it (`tour`), while SQLite counts what each statement visits. A
//! statement of the source that the tour does not meet is run by the test itself, with values of that school. So a new
//! statement is checked without anyone having to think of it.

mod exceptions;
mod school;
mod sources;
mod statistics;
mod tour;
mod writes;

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::Connection;
use schoolhouse::testing::db::{self, Cost, Costs};

use crate::support::School;
use exceptions::{EXCEPTIONS, SEARCHES, STATISTICS};
use sources::collapse;

/// Steps of SQLite's virtual machine that a statement may take beyond what its rows cost: a look
/// into some indexes takes a hundred, the enrollments of one course take thousands.
const MAX_STEPS: i64 = 600;

const NOW: &str = "2026-11-21T15:00:00Z";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_statement_scans_or_visits_much_more_than_it_returns() {
    let folder = tempfile::tempdir().unwrap();
    school::fill(folder.path(), NOW.parse::<jiff::Timestamp>().unwrap().as_second(), 1).unwrap();
    let database = folder.path().join("schoolhouse.db");
    let costs = db::watch(&database);
    let school = School::open_in(folder, |_| {}).await;
    let staff = tour::visit_everything(&school, &costs).await;
    // What SQLite plans by: a database without statistics is planned alike, however large it grows.
    let has_statistics = "select exists (select 1 from sqlite_schema where name like 'sqlite_stat%')";
    assert_eq!(school.count(has_statistics), 0, "the program gathers no statistics");
    assert_eq!(schoolhouse::testing::total_due_difference(&school.database()).unwrap(), None);
    let mut problems = run_the_rest(&database, &costs);
    problems.extend(compare(&school.database(), &costs, EXCEPTIONS));
    problems.extend(judge_at_ten_times(&school, &costs));
    // A search is the same statement with other values: counted apart, so that it excuses no page.
    costs.lock().unwrap().clear();
    tour::search(&staff).await;
    costs.lock().unwrap().retain(|sql, _| sql.contains("matches_terms("));
    problems.extend(compare(&school.database(), &costs, SEARCHES));
    assert!(problems.is_empty(), "{} statements need a look:\n\n{}", problems.len(), problems.join("\n\n"));
}

/// What SQLite has counted, by the collapsed text.
fn counted(costs: &Costs) -> BTreeMap<String, (String, Cost)> {
    let costs = costs.lock().unwrap();
    costs.iter().map(|(sql, cost)| (collapse(sql), (sql.clone(), cost.clone()))).collect()
}

/// Runs the statements of the source that have not run yet, and rolls them back.
fn run_the_rest(database: &Path, costs: &Costs) -> Vec<String> {
    let seen = counted(costs);
    let connection = schoolhouse::testing::db::connect(database).unwrap();
    let mut problems = Vec::new();
    for literal in sources::statements() {
        if seen.keys().any(|run| literal.is(run)) {
            continue;
        }
        let outcome =
            if literal.is_whole() { run(&connection, &literal.text) } else { Err("has a hole".into()) };
        if let Err(reason) = outcome {
            problems.push(format!(
                "{}: this statement was not met, and cannot be run by itself ({reason}). Let \
                 tests/http/statements/tour.rs come by it.\n    {}",
                literal.place, literal.text
            ));
        }
    }
    problems
}

fn run(connection: &Connection, sql: &str) -> Result<(), String> {
    connection.execute_batch("begin immediate").unwrap();
    let outcome = (|| {
        let mut statement = connection.prepare(sql)?;
        for index in 1..=statement.parameter_count() {
            let name = statement.parameter_name(index).unwrap_or(":id").to_owned();
            statement.raw_bind_parameter(index, tour::typical(&name))?;
        }
        let mut rows = statement.raw_query();
        while rows.next()?.is_some() {}
        Ok::<_, rusqlite::Error>(())
    })();
    connection.execute_batch("rollback").unwrap();
    match outcome {
        // The row that a value stands for is not there, or there already: it was looked for.
        Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation) => Ok(()),
        Err(error) => Err(error.to_string()),
        Ok(()) => Ok(()),
    }
}

fn compare(connection: &Connection, costs: &Costs, exceptions: &[(&str, &str)]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut needed = vec![false; exceptions.len()];
    for (sql, (original, cost)) in counted(costs) {
        if !is_statement(&sql) {
            continue;
        }
        let faults = faults(connection, &original, &cost);
        if faults.is_empty() {
            continue;
        }
        if let Some(place) = exceptions.iter().position(|(start, _)| sql.contains(start)) {
            needed[place] = true;
            continue;
        }
        problems.push(format!(
            "{sql}\n  {}\n  The dearest of {} runs took {} steps for {} rows:\n    {}\n  Give it an index (a \
             migration), or name it in tests/http/statements/exceptions.rs with the reason why it may.",
            faults.join("\n  "),
            cost.runs,
            cost.steps,
            cost.rows,
            collapse(&cost.example),
        ));
    }
    problems.extend(idle(exceptions, &needed));
    problems
}

/// The exceptions that no statement needs.
fn idle(exceptions: &[(&str, &str)], needed: &[bool]) -> Vec<String> {
    let idle = exceptions.iter().zip(needed).filter(|(_, needed)| !**needed);
    let say = |(start, reason): &(&str, &str)| {
        format!("no statement needs this exception any more: {start} ({reason})")
    };
    idle.map(|(exception, _)| say(exception)).collect()
}

fn is_statement(sql: &str) -> bool {
    matches!(sql.split(' ').next(), Some("select" | "insert" | "update" | "delete" | "with"))
}

/// The statements whose plan SQLite would change in a school ten times as large, if it knew of it.
fn judge_at_ten_times(school: &School, costs: &Costs) -> Vec<String> {
    let connection = school.database();
    let statements: Vec<_> = counted(costs)
        .into_iter()
        .filter(|(sql, _)| is_statement(sql))
        .map(|(sql, (original, _))| (plan(&connection, &original), sql, original))
        .collect();
    statistics::multiply(&connection, 10);
    let mut problems = Vec::new();
    let mut needed = vec![false; STATISTICS.len()];
    for (before, sql, original) in statements {
        let after = plan(&connection, &original);
        let (now, then) = (ways(&connection, &sql, &before), ways(&connection, &sql, &after));
        if now == then {
            continue;
        }
        if let Some(place) = STATISTICS.iter().position(|(start, _)| sql.contains(start)) {
            needed[place] = true;
            continue;
        }
        problems.push(format!(
            "{sql}\n  In a school ten times as large SQLite would rather do this:\n    {}\n  than this:\n    {}\n  \
             Have it do the better of the two (`cross join`, `indexed by`, a `+`), or name the statement in \
             tests/http/statements/exceptions.rs with the reason why it may.",
            then.join("\n    "),
            now.join("\n    "),
        ));
    }
    connection.execute_batch("drop table sqlite_stat1").unwrap();
    problems.extend(idle(STATISTICS, &needed));
    problems
}

/// What a plan does with tables that grow.
fn ways(connection: &Connection, sql: &str, plan: &[String]) -> Vec<String> {
    let grows = |step: &&String| {
        let mut words = step.split(' ');
        match (words.next(), words.next()) {
            (Some("SCAN" | "SEARCH"), Some(name)) => {
                table_of(connection, sql, name).is_none_or(|table| !school::SMALL.contains(&table.as_str()))
            }
            (Some("BLOOM"), _) => false,
            _ => true,
        }
    };
    plan.iter().filter(grows).cloned().collect()
}

fn faults(connection: &Connection, sql: &str, cost: &Cost) -> Vec<String> {
    let mut faults = Vec::new();
    for step in plan(connection, sql) {
        // In the order of an index until enough is found: the steps tell how far it went.
        if step.contains(" USING ") && sql.contains(" limit ") {
            continue;
        }
        let table = step.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next());
        if let Some(table) = table.and_then(|name| table_of(connection, sql, name))
            && !school::SMALL.contains(&table.as_str())
        {
            faults.push(format!("reads {table} from one end to the other: {step}"));
        }
    }
    if cost.excess > MAX_STEPS {
        faults.push("visits much more than it returns".into());
    }
    faults
}

fn plan(connection: &Connection, sql: &str) -> Vec<String> {
    schoolhouse::testing::db::register_functions(connection).unwrap();
    let mut explain = connection.prepare(&format!("explain query plan {sql}")).unwrap();
    let mut rows = explain.raw_query();
    let mut steps = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        steps.push(row.get("detail").unwrap());
    }
    steps
}

/// The table behind a name of the plan, which may be an alias; none for what is no table.
fn table_of(connection: &Connection, sql: &str, name: &str) -> Option<String> {
    let is_table = |name: &str| {
        let mut exists = connection
            .prepare_cached("select 1 from sqlite_schema where type = 'table' and name = ?")
            .unwrap();
        exists.exists([name]).unwrap()
    };
    if is_table(name) {
        return Some(name.to_owned());
    }
    let words: Vec<&str> = sql
        .split(|c: char| c.is_whitespace() || c == '(' || c == ')' || c == ',')
        .filter(|word| !word.is_empty())
        .collect();
    let before = |place: usize| {
        if words[place - 1] == "as" { words.get(place.checked_sub(2)?) } else { words.get(place - 1) }
    };
    (1..words.len())
        .filter(|place| words[*place] == name)
        .filter_map(before)
        .find(|word| is_table(word))
        .map(|word| (*word).to_owned())
}
