//! The lists of a school of 5,000 students and 20,000 enrollments.

use std::path::Path;

use super::*;
use crate::base::zone_rules;
use crate::config::Office;
use crate::storage::db;
use crate::web::sheet::SheetRow as _;

/// Four enrollments for each of 5,000 students, in 100 courses: 200 pending, 100 waitlisted, 10,000
/// active, the rest ended.
fn large_school(folder: &Path) -> Connection {
    let connection = db::open(&folder.join("school.db")).unwrap();
    connection
        .execute_batch(
            "begin;
             with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
             insert into students (id, email, password_hash, status, full_name, created_at, updated_at)
             select i, 'student' || i || '@mail.example', 'x', 'active', 'Student ' || i, 0, 0 from n;
             with recursive n(i) as (select 1 union all select i + 1 from n where i < 100)
             insert into courses (id, code, name, description, grade, course_type, capacity, created_at, updated_at)
             select i, 'ABC' || i, 'Course ' || i, 'A course of a hundred.', 9 + i % 4, 'Open', 100, 0, 0 from n;
             with recursive n(i) as (select 0 union all select i + 1 from n where i < 19999)
             insert into enrollments (id, student_id, course_id, start_date, end_date, status, created_at,
                 decided_at, waitlisted_at, leave_asked_at)
             select i + 1, i / 4 + 1, (i * 25 + i / 4) % 100 + 1, date('2026-09-01', (i % 60) || ' days'),
                 date('2026-12-01', (i % 60) || ' days'),
                 case when i < 200 then 'pending' when i < 300 then 'waitlisted' when i < 10300 then 'active'
                     when i % 3 = 0 then 'declined' when i % 3 = 1 then 'withdrawn' else 'completed' end,
                 i / 3, iif(i < 200, null, i / 2), iif(i between 200 and 299, i, null), iif(i % 500 = 400, i, null)
             from n;
             insert into document_requirements (document_type, label, needed_for, position)
             values ('transcript', 'School transcript', 'request', 1);
             commit; analyze",
        )
        .unwrap();
    connection
}

fn reading() -> Reading {
    let zone = zone_rules::IN_FORCE.zone("America/Toronto").unwrap();
    let today = "2026-12-20".parse().unwrap();
    let terms = QuoteTerms { days: 30, zone, today };
    let at = Moment::new("2026-12-20T15:00:00Z".parse().unwrap(), today);
    Reading { terms, at, config: Arc::default(), reads_records: true }
}

fn ask(connection: &Connection, query: &str) -> Listed<OfficeEnrollment> {
    let uri = format!("/?{query}").parse().unwrap();
    let page = PageRequest::from_uri(&uri).unwrap();
    let filter = Filter::parse(&uri, &page).unwrap();
    read(connection, &page, &filter, page.sort().unwrap(), &reading()).unwrap()
}

/// SQLite's plan for the first page, without subqueries per row.
fn plan(connection: &Connection, query: &str) -> Vec<String> {
    let uri = format!("/?{query}").parse().unwrap();
    let page = PageRequest::from_uri(&uri).unwrap();
    let filter = Filter::parse(&uri, &page).unwrap();
    let list = statements::list(&filter, page.sort().unwrap(), &Office::default());
    let explain = format!("explain query plan {}", list.rows);
    let steps = connection.list_by(&explain, params![], |row| Ok((row.read("parent")?, row.read("detail")?)));
    let steps: Vec<(i64, String)> = steps.unwrap();
    steps.into_iter().filter(|(parent, _)| *parent == 0).map(|(_, step)| step).collect()
}

#[test]
fn each_tab_is_sorted_by_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let connection = large_school(folder.path());
    for (tab, orders) in [
        ("", "created decided student course"),
        ("status=pending", "created start end student course"),
        ("status=pending&ready=1", "created start end student course"),
        ("status=waitlisted", "waitlisted start end student course"),
        ("status=active", "created start end student course"),
        ("status=active&grade=11", "start end student course"),
        ("status=active&term=2026-09", "start student course"),
        ("status=declined,withdrawn,completed", "decided created student course"),
        ("due=ending", "end student course"),
        ("due=mark", "end student course"),
    ] {
        let orders = orders.split(' ').map(|order| format!("{tab}&sort={order}"));
        for query in orders.chain([tab.to_owned()]) {
            let plan = plan(&connection, &query);
            let by_itself = |step: &&String| {
                step.contains("TEMP B-TREE FOR ORDER BY")
                    || (step.starts_with("SCAN") && !step.contains("USING"))
            };
            assert_eq!(plan.iter().find(by_itself), None, "{query}: {plan:#?}");
        }
    }
}

#[test]
fn each_tab_lists_its_enrollments() {
    let folder = tempfile::tempdir().unwrap();
    let connection = large_school(folder.path());
    let counts = counts(&connection, reading().terms.today).unwrap();
    for (query, count) in [
        ("status=pending", counts.pending),
        ("status=waitlisted", counts.waitlisted),
        ("status=active", counts.active),
        ("due=ending", counts.ending),
        ("due=mark", counts.needs_mark),
        ("due=leave", counts.leaving),
        ("status=declined,withdrawn,completed", counts.ended),
    ] {
        assert!(count > 0, "{query}");
        assert_eq!(ask(&connection, &format!("{query}&page=1")).total, count, "{query}");
        let all = ask(&connection, query);
        assert_eq!(all.rows.len(), usize::try_from(count).unwrap(), "{query}");
    }
    let by_course = ask(&connection, "status=active&course=7&sort=student&page=1");
    assert!(by_course.rows.iter().all(|row| row.course_id == 7));
    assert!(by_course.rows.is_sorted_by(|a, b| a.student_name <= b.student_name));
    let latest = ask(&connection, "sort=-decided&page=1").rows;
    assert!(latest.is_sorted_by(|a, b| a.decided_at >= b.decided_at) && latest.len() == 25);
    let grade = ask(&connection, "status=pending&grade=11&page=1");
    assert!(grade.rows.iter().all(|row| row.course_grade == 11) && grade.total == 50);
    let ready = ask(&connection, "status=pending&ready=1&page=1");
    assert_eq!((ready.total, ready.rows.len()), (0, 0), "no student has a profile or documents");
    assert_eq!(ask(&connection, "q=student5000@").rows.len(), 4);
}

#[test]
fn hidden_document_states_are_a_dash_in_a_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let connection = large_school(folder.path());
    let row = ask(&connection, "status=pending&page=1").rows.swap_remove(0);
    let missing = OfficeEnrollment::HEADINGS.iter().position(|heading| *heading == "Missing").unwrap();
    assert_eq!(row.cells()[missing].as_str(), "ended profile guardian documents");
    assert_eq!(row.clone().without_records().cells()[missing].as_str(), "ended profile guardian –");
    let ready = OfficeEnrollment { missing: Vec::new(), ..row };
    assert_eq!(ready.without_records().cells()[missing].as_str(), "–");
}
