//! Query plans, and data of earlier versions.

use super::*;
use crate::storage::db;
use crate::storage::statements::params;
use crate::web::pagination::testing::assert_comes_from_index;

#[test]
fn the_first_page_of_requests_comes_from_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let connection = db::open(&folder.path().join("school.db")).unwrap();
    assert_comes_from_index(&connection, &pending(), "enrollments_status");
}

#[test]
fn the_look_for_an_earlier_request_visits_the_students_own_rows_of_that_code_alone() {
    let folder = tempfile::tempdir().unwrap();
    let connection = db::open(&folder.path().join("school.db")).unwrap();
    let values = params![student_id = 1, start = "ENG4U", characters = 5];
    let plan = format!("explain query plan {EARLIER}");
    let plan: Vec<String> = connection.list_by(&plan, values, |row| row.read("detail")).unwrap();
    assert!(plan[0].ends_with("INDEX courses_by_code (code>? AND code<?)"), "{plan:?}");
    assert!(plan[1].ends_with("INDEX enrollments_student_course (student_id=? AND course_id=?)"), "{plan:?}");
}

#[test]
fn a_request_is_answered_as_it_was_stored() {
    let folder = tempfile::tempdir().unwrap();
    let connection = db::open(&folder.path().join("school.db")).unwrap();
    connection
        .execute_batch(
            "insert into students (id, email, password_hash, created_at, updated_at) values (1, 'a', 'x', 0, 0);
             insert into courses (id, code, name, description, grade, course_type, price_cents, created_at, updated_at)
             values (1, 'ENG4U', 'English', 'A course of English.', 12, 'University', 55000, 0, 0),
                 (2, 'ENG4U-2', 'English', 'A course of English.', 12, 'University', null, 0, 0),
                 (3, 'ENG4', 'English', 'A course of English.', 12, 'University', null, 0, 0)",
        )
        .unwrap();
    let ask = |course: i64| {
        let course = crate::courses::store::find_open(&connection, course).unwrap().unwrap();
        let start_date = "2026-12-01".parse().unwrap();
        let end_date = "2027-02-01".parse().unwrap();
        let new = rules::NewEnrollment { course_id: course.id, section_id: None, start_date, end_date };
        let answered =
            request(&connection, 1, &new, &course, "2026-11-21T15:00:00.5Z".parse().unwrap()).unwrap();
        let stored = find(&connection, answered.id).unwrap();
        assert_eq!(serde_json::to_value(&answered).unwrap(), serde_json::to_value(&stored).unwrap());
        answered
    };
    let end = |status: &str, mark: Option<i64>, id: i64| {
        let sql = "update enrollments set status = ?, final_mark = ? where id = ?";
        connection.run(sql, (status, mark, id)).unwrap();
    };
    let first = ask(1);
    assert_eq!((first.repeat_of, first.quoted_at.is_some()), (None, true));
    end("completed", Some(43), first.id);
    let second = ask(2);
    assert_eq!(
        (second.repeat_of, second.repeated_mark, second.repeat),
        (Some(1), Some(43), Some(Repeat::Failed))
    );
    end("declined", None, second.id);
    assert_eq!(ask(1).repeat_of, Some(1), "the one that was completed");
    let other = ask(3);
    assert_eq!((other.repeat_of, other.quoted_at), (None, None), "a code of its own");
    end("withdrawn", None, other.id);
    assert_eq!(ask(3).repeat_of, Some(other.id));
}

#[test]
fn enrollments_of_earlier_programs_keep_what_was_charged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("school.db");
    let old = db::testing::open_at(&path, 14);
    old.execute_batch(
        "insert into users (id, username, password_hash, email, created_at) values (1, 'x', '', 'x@x.x', 0);
         insert into students (id, email, password_hash, full_name, created_at, updated_at)
         values (1, 'a@b.c', '', 'Amara', 0, 0);
         insert into courses (id, code, name, description, grade, course_type, price_cents, created_at,
             updated_at)
         with recursive n(i) as (select 1 union all select i + 1 from n where i < 5)
         select i, 'AAA4' || i, 'A course', 'What it is about.', 12, 'Open', iif(i = 3, 0, 90000), 0, 0
         from n;
         insert into enrollments (id, student_id, course_id, start_date, end_date, status, created_at,
             decided_at, approved_at, decided_by, reason)
         values (1, 1, 1, '2026-09-01', '2027-01-01', 'active', 10, 20, 20, 1, null),
             (2, 1, 2, '2026-09-01', '2027-01-01', 'active', 10, 30, 30, 1, null),
             (3, 1, 3, '2026-09-01', '2027-01-01', 'active', 10, 40, 40, 1, null),
             (4, 1, 4, '2026-09-01', '2027-01-01', 'declined', 10, 50, null, 1, 'full'),
             (5, 1, 5, '2026-09-01', '2027-01-01', 'pending', 60, null, null, null, null);
         insert into ledger (kind, amount_cents, enrollment_id, created_at) values ('charge', 50000, 1, 20);",
    )
    .unwrap();
    drop(old);
    let connection = db::open(&path).unwrap();
    let price = |id| find(&connection, id).unwrap().course.price.map(Money::cents);
    assert_eq!([price(1), price(2), price(3), price(5)], [Some(50000), None, Some(0), None]);
    assert_eq!(
        crate::enrollments::waiting::charges(&connection).unwrap().count,
        1,
        "approved without a price, priced later"
    );
    let today = prices(&connection, 5).unwrap();
    assert_eq!((today.quoted, today.current), (None, Some(Money::from_cents(90000))));
    let count = |sql: &str| connection.one::<i64>(sql, []).unwrap();
    assert_eq!(count("select count(*) from enrollment_events"), 9);
    assert_eq!(count("select count(*) from enrollment_events where reason = 'full' and user_id = 1"), 1);
    assert_eq!(count("select count(*) from students where country = 'CA'"), 1);
    // An approval compared nothing with a document, and the history says so.
    assert_eq!(count("select count(*) from students where identity_checked_at is not null"), 0);
    let noted = "select count(*) from student_history where field = 'identityChecked' and before = '1970-01-01' \
        and actor_kind = 'system' and reason like 'Noted by an approval%'";
    assert_eq!(count(noted), 1);
}

#[test]
fn what_earlier_programs_noted_of_identities_and_guardians_counts_for_what_it_was_about() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("school.db");
    let old = db::testing::open_at(&path, 47);
    old.execute_batch(
        "insert into users (id, username, password_hash, email, created_at) values (1, 'x', '', 'x@x.x', 0);
         insert into students (id, email, password_hash, full_name, created_at, updated_at, identity_checked_at,
             identity_checked_by, guardian_confirmed_at, guardian_confirmed_how)
         values (1, 'a@b.c', '', 'Amara', 0, 0, 20, 1, 30, 'phone'), (2, 'b@b.c', '', 'Bo', 0, 0, 20, 1, null, null);
         insert into audit (at, user_id, actor, action, object, object_id)
         values (20, 1, 'x', 'confirm identity', 'student', 1);
         insert into courses (id, code, name, description, grade, course_type, created_at, updated_at)
         values (1, 'AAA4U', 'A course', 'What it is about.', 12, 'Open', 0, 0);
         insert into enrollments (id, student_id, course_id, start_date, end_date, status, created_at)
         values (1, 1, 1, '2026-09-01', '2027-01-01', 'completed', 10),
             (2, 2, 1, '2026-09-01', '2027-01-01', 'pending', 20), (3, 1, 1, '2026-09-01', '2027-01-01', 'pending', 40);",
    )
    .unwrap();
    drop(old);
    let connection = db::open(&path).unwrap();
    let text = |sql: &str| connection.one::<String>(sql, []).unwrap();
    let kept = "select group_concat(concat_ws(' ', id, coalesce(identity_checked_at, '-'), \
        coalesce(identity_checked_by, '-'), coalesce((select through_id from confirmations k where \
        k.student_id = s.id), '-')), ', ') from students s";
    assert_eq!(
        text(kept),
        "1 20 1 1, 2 - - -",
        "only the comparison stays, and no later request is confirmed"
    );
    assert_eq!(
        text("select group_concat(student_id) from student_history where field = 'identityChecked'"),
        "2"
    );
}
