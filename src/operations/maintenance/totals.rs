//! Corrects the kept totals (`storage/totals.rs`) where they are not what is there, which nothing but a change past the
//! program makes them.

use rusqlite::Connection;

use crate::base::error::Result;
use crate::fees;
use crate::storage::db::Db;

/// Each total of migration V38, counted by hand; `{cents}` is what a row adds to the ledger.
const COUNTED: &str = "
    select 'admission_requests' as topic, status as word, count(*) as value from admission_requests group by status
    union all select 'contact_messages', status, count(*) from contact_messages group by status
    union all select 'enrollments', status, count(*) from enrollments group by status
    union all select 'outbox', state, count(*) from outbox group by state
    union all select 'students', status, count(*) from students group by status
    union all select 'student_documents', '', count(*) from student_documents
    union all select 'audit', '', count(*) from audit
    union all select 'ledger', 'due', coalesce(sum(max(0, cents)), 0) from (
        select sum({cents}) as cents from ledger l left join ledger undone on undone.id = l.reverses_id
        where l.enrollment_id is not null group by l.enrollment_id)";

/// Counts anew where a total is not what is there, and returns those that were wrong, in words.
///
/// # Errors
/// When the database refuses.
pub async fn correct(db: &Db) -> Result<Vec<String>> {
    // Looked for by a reader first: nobody waits for a count that finds nothing.
    if db.query(|connection| Ok(wrong(connection)?)).await?.is_empty() {
        return Ok(Vec::new());
    }
    db.write(|connection| {
        let wrong = wrong(connection)?;
        let counted = counted();
        connection.execute_batch(&format!(
            "delete from totals; insert into totals (topic, word, value) {counted};"
        ))?;
        Ok(wrong)
    })
    .await
}

fn counted() -> String {
    COUNTED.replace("{cents}", fees::ENTRY_CENTS)
}

/// The totals that are not what is there, in words; a state that nothing is in needs none.
///
/// # Errors
/// What SQLite says.
pub fn wrong(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let counted = counted();
    let mut differing = connection.prepare(&format!(
        "select topic, word, sum(kept), sum(found) from (
             select topic, word, value as kept, 0 as found from totals
             union all select topic, word, 0, value from ({counted})
         ) group by topic, word having sum(kept) <> sum(found)"
    ))?;
    let rows = differing.query_map([], |row| {
        let (topic, word): (String, String) = (row.get(0)?, row.get(1)?);
        let (kept, found): (i64, i64) = (row.get(2)?, row.get(3)?);
        Ok(format!("{} is kept as {kept}, and is {found}", format!("{topic} {word}").trim_end()))
    })?;
    rows.collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::storage::db;
    use crate::storage::disk::Disk;

    const ROWS: &str = "
        insert into students (id, email, password_hash, status, full_name, created_at, updated_at)
        select id, 's' || id || '@mail.example', 'x', iif(id % 2, 'active', 'suspended'), 'S', 0, 0 from fresh;
        insert into courses (id, code, name, description, grade, course_type, created_at, updated_at)
        select id, 'C' || id, 'Course', 'A course of some.', 9, 'Open', 0, 0 from fresh;
        insert into enrollments (id, student_id, course_id, start_date, end_date, status, created_at)
        select id, id, id, '2026-09-01', '2026-12-01', iif(id % 3, 'active', 'pending'), 0 from fresh;
        insert into student_documents (student_id, document_type, document_path, sha256, content_type, size_bytes,
            original_name, uploaded_at)
        select id, 'other', 'documents/00/' || id, printf('%064d', id), 'application/pdf', 1, 'x.pdf', 0 from fresh;
        insert into contact_messages (id, name, email, subject, message, status, created_at)
        select id, 'Mei', 'mei@mail.example', 'general', 'x', iif(id % 2, 'new', 'closed'), 0 from fresh;
        insert into admission_requests (id, first_name, last_name, email, phone, address, grade, status, created_at)
        select id, 'M', 'T', 'mei@mail.example', '647', 'x', 10, iif(id % 2, 'pending', 'declined'), 0 from fresh;
        insert into outbox (id, message_id, recipient, subject, text_body, html_body, state, attempts,
            next_attempt_at, created_at)
        select id, '<' || id || '>', 'mei@mail.example', 'x', 'x', 'x', iif(id % 2, 'queued', 'dead'), 0, 0, 0
        from fresh;
        insert into audit (at, actor, action, object, object_id) select 0, 'c', 'x', 'course', id from fresh;
        insert into ledger (kind, amount_cents, enrollment_id, created_at)
        select 'charge', 50000 + id, id, 0 from fresh;
        insert into ledger (kind, amount_cents, enrollment_id, created_at)
        select iif(id % 2, 'payment', 'waiver'), 20000 * (id % 5), id, 0 from fresh where id % 5;
        insert into ledger (kind, amount_cents, enrollment_id, reverses_id, created_at)
        select 'reversal', amount_cents, enrollment_id, id, 0 from ledger where enrollment_id in (select id from fresh)
            and enrollment_id % 4 = 0;
        insert into ledger (kind, amount_cents, enrollment_id, created_at)
        select 'refund', 100, id, 0 from fresh where id % 7 = 0;";

    fn add(connection: &Connection, from: i64, to: i64) {
        let numbers = format!(
            "create temp table fresh (id integer primary key);
             with recursive n(i) as (select {from} union all select i + 1 from n where i < {to})
             insert into fresh select i from n;"
        );
        connection.execute_batch(&format!("{numbers} {ROWS} drop table fresh;")).unwrap();
    }

    fn value(connection: &Connection, sql: &str) -> i64 {
        connection.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_total_is_what_is_there_however_rows_came_and_went() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school.db");
        add(&db::testing::open_at(&path, 37), 1, 40);
        let connection = db::open(&path).unwrap();
        assert_eq!(wrong(&connection).unwrap(), [""; 0]);
        assert!(value(&connection, "select count(*) from totals where value > 0") > 12);
        let due = "select value from totals where topic = 'ledger'";
        let before = value(&connection, due);
        add(&connection, 41, 90);
        assert!(value(&connection, due) > before);
        assert_eq!(wrong(&connection).unwrap(), [""; 0]);
        for change in [
            "update students set status = 'closed' where id % 3 = 0",
            "update students set status = status, full_name = 'T'",
            "update enrollments set status = 'waitlisted' where id % 3 = 0",
            "update enrollments set status = 'completed', final_mark = 80 where id % 3 = 1",
            "update contact_messages set status = 'closed'",
            "update admission_requests set status = 'accepted' where id < 30",
            "update outbox set state = 'sent', sent_at = 1, text_body = null, html_body = null where id < 60",
            "delete from student_documents where id % 4 = 0",
            "delete from contact_messages where id > 50",
            "delete from admission_requests where id > 50",
            "delete from outbox where id % 2",
            "delete from outbox",
            // Somebody's rule for conflicts becomes that of the triggers.
            "insert or ignore into contact_messages (id, name, email, subject, message, status, created_at)
             select value, 'Mei', 'mei@mail.example', 'general', 'x', 'new', 0 from json_each('[1, 200, 200, 201]')",
            "update or ignore contact_messages set status = 'new' where id < 10",
            "insert into contact_messages (id, name, email, subject, message, status, created_at)
             values (1, 'Mei', 'mei@mail.example', 'general', 'x', 'new', 0)
             on conflict do update set status = 'closed'",
        ] {
            let changed = connection.execute(change, []).unwrap();
            assert!(changed > 0, "{change}");
            assert_eq!(wrong(&connection).unwrap(), [""; 0], "{change}");
        }
        connection.execute_batch("begin; delete from contact_messages; rollback").unwrap();
        assert_eq!(wrong(&connection).unwrap(), [""; 0]);
    }

    #[tokio::test]
    async fn a_total_that_was_changed_past_the_program_is_found_and_set_right() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school.db");
        let connection = db::open(&path).unwrap();
        add(&connection, 1, 9);
        let (db, _) = Db::start(&path, Arc::new(Disk::new(folder.path(), 0))).unwrap();
        assert_eq!(correct(&db).await.unwrap(), [""; 0]);
        connection.execute_batch("update totals set value = value + 2 where topic = 'audit'").unwrap();
        connection.execute_batch("delete from totals where topic = 'students' and word = 'active'").unwrap();
        let differing = ["audit is kept as 11, and is 9", "students active is kept as 0, and is 5"];
        assert_eq!(wrong(&connection).unwrap(), differing);
        assert_eq!(correct(&db).await.unwrap(), differing);
        assert_eq!(wrong(&connection).unwrap(), [""; 0]);
        add(&connection, 10, 20);
        assert_eq!(wrong(&connection).unwrap(), [""; 0], "and they are kept from here on");
    }
}
