//! The list in a large school: the first page and every filter use indexes.

use super::*;
use crate::storage::db;
use crate::web::pagination::List;
use crate::web::pagination::testing::assert_comes_from_index;

/// 5,000 students with four enrollments and two documents each, most of them charged.
fn large_school(folder: &std::path::Path) -> Connection {
    let connection = db::open(&folder.join("school.db")).unwrap();
    connection
        .execute_batch(
            "begin;
             with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
             insert into students (id, email, password_hash, status, full_name, date_of_birth, created_at,
                 updated_at, last_activity_at)
             select i, 'student' || i || '@mail.example', 'x', iif(i % 50 = 0, 'closed', 'active'),
                 'Renée Müller ' || i, iif(i % 2 = 0, '2010-01-01', '2000-01-01'), i, 0, 9000 - i from n;
             insert into courses (id, code, name, description, grade, course_type, created_at, updated_at)
             select value, 'C00' || value, 'Course', 'What it is about.', 9, 'Open', 0, 0
             from json_each('[1, 2, 3, 4]');
             with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
             insert into enrollments (id, student_id, course_id, start_date, end_date, status, created_at)
             select i, 1 + i % 5000, 1 + i / 5000 % 4, '2026-09-01', '2027-01-30',
                 iif(i % 100 = 1, 'pending', 'completed'), i from n;
             insert into ledger (kind, amount_cents, enrollment_id, created_at)
             select 'charge', 100 + id, id, 0 from enrollments;
             with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)
             insert into student_documents (student_id, document_type, document_path, sha256, content_type,
                 size_bytes, original_name, status, uploaded_at)
             select 1 + i % 5000, 'other', 'documents/00/x', printf('%064d', i), 'application/pdf', 1, 'x.pdf',
                 iif(i % 70 = 0, 'pending_review', 'accepted'), i from n;
             commit",
        )
        .unwrap();
    connection
}

fn admin() -> ListContext {
    let config = Arc::new(Config::default());
    let duties = crate::staff::Role::Admin.duties(&config.office);
    ListContext { duties, today: "2026-11-21".parse().unwrap(), config }
}

fn wish(uri: &str) -> StudentsFilter {
    let query: axum::extract::Query<StudentsQuery> =
        axum::extract::Query::try_from_uri(&uri.parse().unwrap()).unwrap();
    query.parse(admin().duties, false).unwrap()
}

#[test]
fn the_first_page_of_five_thousand_students_comes_from_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let connection = large_school(folder.path());
    for (sort, index) in [
        ("name", "students_name"),
        ("-name", "students_name_down"),
        ("created", "students_created"),
        ("-created", "students_created"),
        ("lastActivity", "students_activity"),
        ("-lastActivity", "students_activity"),
    ] {
        let wish = wish(&format!("/?page=1&sort={sort}"));
        let condition = wish.condition(&Office::default(), None);
        let list = List { rows: numbers(&condition, wish.order), count: COUNT.into(), filter: &[] };
        assert_comes_from_index(&connection, &list, index);
    }
}

#[test]
fn every_filter_and_order_finds_its_students_in_a_large_school() {
    let folder = tempfile::tempdir().unwrap();
    let connection = large_school(folder.path());
    let ask = |uri: &str| {
        let listed = list(&connection, &wish(uri), &admin()).unwrap();
        (listed.rows.first().map(|row| row.id), listed.rows.len(), listed.total)
    };
    assert_eq!(ask("/?page=1&sort=-created"), (Some(4999), 25, 4900));
    assert_eq!(ask("/?page=196&sort=created"), (Some(4975), 25, 4900));
    assert_eq!(ask("/?page=1&status=closed&sort=created"), (Some(50), 25, 100));
    assert_eq!(ask("/?page=1&flags=under_18&sort=created"), (Some(2), 25, 2400));
    assert_eq!(ask("/?page=1&flags=request_waiting&sort=created"), (Some(2), 25, 50));
    assert_eq!(ask("/?page=1&q=student4999@"), (Some(4999), 1, 1));
    assert_eq!(ask("/?page=1&q=c001+4999"), (Some(4999), 1, 1));
    assert_eq!(ask("/?page=1&course=C003&sort=created").2, 50);
    // The last rows are the most expensive. Sorting by balance cannot use an index, as it is a sum over the ledger.
    assert_eq!(ask("/?page=1&sort=-balance").0, Some(1));
    let counts = count_flags(&connection, &admin()).unwrap();
    let count = |flag| counts.iter().find(|count| count.flag == flag).unwrap().count;
    assert_eq!((count(StudentFlag::Under18), count(StudentFlag::Closed)), (2400, 100));
}
