//! A school as large as one gets, filled in one transaction: the design load, and its history. The
//! benchmark fills one ten times as large, too.

use std::path::Path;

use anyhow::{Context, anyhow};
use schoolhouse::testing::{DataDir, db, link_audit, settle_balances};

/// Tables that stay small in any school, so that reading one whole costs nothing.
pub const SMALL: [&str; 17] = [
    "counters",
    "courses",
    "users",
    "upkeep",
    "revisions",
    "staff_tokens",
    "staff_invitations",
    "student_numbers",
    "retention",
    "breaches",
    "privacy_requests",
    "total_due",
    "balance_totals",
    "received_months",
    "stale_balances",
    "texts",
    "terms",
];

/// Tables, and the rows that they get at the design load; `i` counts from 1, `:now` is now in Unix
/// seconds, `:students` how many students there are.
const FILL: &[(u32, &str)] = &[
    // One in fifty has just registered.
    (
        5_000,
        "insert into students (id, email, password_hash, status, full_name, created_at, updated_at)
         select i, 'pupil' || i || '@mail.example', 'x', iif(i % 50 = 0, 'unverified', 'active'),
             'Renée Müller ' || i, :now - i * 100, iif(i % 50 = 0, :now, 0)",
    ),
    (
        158,
        "insert into courses (id, code, name, description, grade, course_type, price_cents, capacity, created_at,
             updated_at)
         select i, printf('C%03d', i), 'Course ' || i, 'What it is about.', 9 + i % 4, 'University',
             iif(i % 20 = 0, null, 55000), iif(i % 3 = 0, 50, null), 0, 0",
    ),
    (20, "insert into users (id, username, password_hash, email, created_at) select i, 'registrar' || i, 'x', 'registrar' || i || '@mail.example', 0"),
    // Ten years of terms. Each course has a section that one in five of its enrollments is in, and one has two hundred.
    (
        30,
        "insert into terms (id, name, starts_on, ends_on, join_until, is_published, created_at)
         select i, 'Term ' || i, date(:now, 'unixepoch', (140 - i * 120) || ' days'),
             date(:now, 'unixepoch', (250 - i * 120) || ' days'), date(:now, 'unixepoch', (160 - i * 120) || ' days'), 1, 0",
    ),
    (
        358,
        "insert into sections (id, course_id, term_id, label, starts_on, ends_on, capacity, teacher_name, status, created_at)
         select i, iif(i > 158, 7, i), 1 + i % 3, 'S' || i, date(:now, 'unixepoch', '-100 days'),
             date(:now, 'unixepoch', '100 days'), 25, 'Teacher ' || i % 40, iif(i % 10 = 0, 'closed', 'open'), 0",
    ),
    (
        716,
        "insert into meetings (section_id, weekday, starts_at, ends_at, link)
         select 1 + i % 358, 1 + i % 7, '19:00', '20:30', 'https://meet.example/' || i",
    ),
    // Ten courses for each student: two that go on or have just ended, and a history. One in a hundred waits for
    // the office, half as many for a seat, and a few want to leave. Every third class is full.
    (
        50_000,
        "insert into enrollments (id, student_id, course_id, section_id, start_date, end_date, status, created_at,
             decided_at, approved_at, decided_by, quoted_price_cents, quoted_at, charged_price_cents,
             waitlisted_at, offered_until, leave_asked_at)
         select i, 1 + i % :students, 1 + (i / :students * 13 + i % :students) % 158,
             iif(i % 5 = 0, 1 + (i / :students * 13 + i % :students) % 158, null),
             date(:now, 'unixepoch', iif(i / :students < 2 or i % 100 = 0 or i % 200 = 1, i % 40 - 130, -445) || ' days'),
             date(:now, 'unixepoch', iif(i / :students < 2 or i % 100 = 0 or i % 200 = 1, i % 40 - 10, -154) || ' days'),
             case when i % 100 = 0 then 'pending' when i % 200 = 1 then 'waitlisted'
                 when i / :students < 2 then 'active' when i % 7 = 0 then 'withdrawn' else 'completed' end,
             :now - 10000000 + i * 100, :now, :now - 10000000 + i * 100, 1, 55000,
             :now - 10000000 + i * 100, iif(i % 100 = 0, null, 55000), iif(i % 200 = 1, :now - 1000000 + i, null),
             iif(i % 2000 = 1, :now + 100000 + i, null),
             iif(i / :students < 2 and i % 200 = 3, :now - 100000 + i, null)",
    ),
    (
        50_000,
        "insert into enrollment_events (enrollment_id, at, actor_kind, to_status, verb)
         select i, :now - 10000000 + i * 100, 'student', 'pending', 'request'",
    ),
    (
        10_000,
        "insert into consents (student_id, kind, text_version, is_given, at)
         select 1 + i % :students, iif(i > :students, 'terms', 'privacy'), '2026-01', 1, :now - 10000000 + i",
    ),
    (
        10_000,
        "insert into student_history (student_id, at, actor_kind, field, after)
         select 1 + i % :students, :now - 10000000 + i, 'student', 'city', 'Toronto'",
    ),
    (
        49_000,
        "insert into ledger (kind, amount_cents, enrollment_id, due_on, created_by, created_at)
         select 'charge', 55000, i, date(:now, 'unixepoch', (14 - i % 400) || ' days'), 1, :now - i",
    ),
    (
        40_000,
        "insert into payments (id, student_id, amount_cents, method, reference, received_on, created_by, created_at)
         select i, 1 + i % :students, 50000, iif(i % 2 = 0, 'e_transfer', 'cheque'), 'CA' || i,
             date(:now - i * 1000, 'unixepoch'), 1, :now - 50000000 + i % 40000 * 1000",
    ),
    (
        40_000,
        "insert into ledger (kind, amount_cents, enrollment_id, payment_id, created_by, created_at)
         select 'payment', 50000, i, i, 1, :now - i",
    ),
    (
        40_000,
        "insert into receipts (number, payment_id, issued_at, body_json)
         select printf('2025-%06d', i), i, :now - 50000000 + i % 40000 * 1000, '{}'",
    ),
    (
        100_000,
        "insert into student_documents (id, student_id, document_type, document_path, sha256, content_type,
             size_bytes, original_name, status, uploaded_at, examination)
         select i, 1 + i % :students, iif(i % 2 = 0, 'transcript', 'other'), 'documents/00/' || i, printf('%064d', i),
             'application/pdf', 1000, 'transcript.pdf', iif(i % 500 = 0, 'pending_review', 'accepted'),
             :now - 10000000 + i * 50, 'passed'",
    ),
    (
        20_000,
        "insert into contact_messages (id, name, email, subject, message, status, created_at)
         select i, 'Zoë Müller', 'zoe' || i || '@mail.example', 'general', 'Question number ' || i,
             iif(i % 200 = 0, 'new', 'closed'), :now - 5000000 + i * 100",
    ),
    (
        10_000,
        "insert into admission_requests (id, reference, first_name, last_name, date_of_birth, email, guardian_email,
             phone, address, grade, status, state_since, assignee_id, created_at)
         select i, printf('A-26-%05d', i), 'Mei', 'Tanaka ' || i, date('2008-01-01', (i % 1500) || ' days'),
             'mei' || i || '@mail.example', 'emi' || i || '@mail.example', '647 555 0100', '88 Sample Crescent', 10,
             iif(i % 200 = 0, 'pending', 'declined'), :now, 1 + i % 20, :now - 5000000 + i * 100",
    ),
    (
        50_000,
        "insert into admission_events (request_id, at, actor_kind, verb, to_status)
         select 1 + i % 10000, :now - 5000000 + i * 20, 'family', 'receive', 'pending'",
    ),
    (
        10_000,
        "insert into admission_offers (id, request_id, fee_due_cents, expires_on, text_version_id, sent_at, ended_at)
         select i, 1 + i % 10000, 640000, date(:now, 'unixepoch', (i % 40) || ' days'), 1, :now - 1000000,
             iif(i % 100 = 0, null, :now)",
    ),
    (
        20_000,
        "insert into admission_documents (id, request_id, document_type, document_path, sha256, content_type,
             size_bytes, original_name, uploaded_at)
         select i, 1 + i % 10000, 'transcript', 'documents/00/a' || i, printf('%063da', i), 'application/pdf', 1000,
             'transcript.pdf', :now",
    ),
    (
        20_000,
        "insert into links (token_hash, purpose, subject_id, email, created_at, expires_at)
         select unhex(printf('%064x', i)), 'application', 1 + i % 10000, 'mei' || (1 + i % 10000) || '@mail.example',
             :now, :now + 100000 + i",
    ),
    (
        100_000,
        "insert into outbox (id, message_id, recipient, subject, state, attempts, next_attempt_at, created_at, sent_at)
         select i, '<' || i || '@school.example>', 'pupil' || (1 + i % :students) || '@mail.example',
             'We have your enrollment request', 'sent', 1, 0, :now - 7000000 + i * 50, :now - 7000000 + i * 50",
    ),
    // Given up, or in the pause after an attempt.
    (
        200,
        "insert into outbox (message_id, recipient, subject, text_body, html_body, state, attempts,
             next_attempt_at, created_at)
         select '<w' || i || '@school.example>', 'pupil' || i || '@mail.example', 'A message', 'x', 'x',
             iif(i % 10 = 0, 'dead', 'queued'), 10, :now + 14000, :now - 1000",
    ),
    (
        20_000,
        "insert into sessions (id_hash, kind, subject_id, data, created_at, last_seen_at, expires_at)
         select unhex(printf('%064x', i)), 'student', 1 + i % :students, '{}', :now, :now, :now + 1000000 + i",
    ),
    (
        20_000,
        "insert into student_tokens (token_hash, student_id, purpose, email, created_at, expires_at)
         select unhex(printf('%064x', i)), 1 + i % :students, 'verify', 'pupil' || i || '@mail.example', :now,
             :now + 100000 + i",
    ),
    (
        100_000,
        "insert into audit (at, user_id, actor, action, object, object_id)
         select :now - 10000000 + i * 100, 1 + i % 20, 'registrar', 'approve', 'enrollment', 1 + i % (10 * :students)",
    ),
];

/// Makes the folder's database and fills it, so many times as large as the design load. The audit rows are
/// linked and the balances kept, as they are where a server has written them: the next start finds nothing to catch up on.
///
/// # Errors
/// When a statement does not fit the schema.
pub fn fill(folder: &Path, now: i64, times: u32) -> anyhow::Result<()> {
    DataDir::new(folder).make()?;
    let connection = db::open(&folder.join("schoolhouse.db"))?;
    connection.execute_batch("pragma synchronous=off; begin")?;
    for (rows, insert) in FILL {
        // Neither the catalogue nor the office grows.
        let rows = if *rows < 1000 { *rows } else { rows * times };
        let sql = format!(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < {rows})
             {} from n",
            insert.replacen("insert into", "insert or ignore into", 1)
        );
        let sql = sql.replace(":now", &now.to_string()).replace(":students", &(5000 * times).to_string());
        connection.execute_batch(&sql).with_context(|| sql.clone())?;
    }
    while link_audit(&connection).map_err(|error| anyhow!("linking the audit trail: {error:?}"))? > 0 {}
    let stale = "select count(*) from stale_balances";
    while connection.query_row(stale, [], |row| row.get::<_, i64>(0))? > 0 {
        settle_balances(&connection).map_err(|error| anyhow!("keeping the balances: {error:?}"))?;
    }
    Ok(connection.execute_batch("commit; pragma wal_checkpoint(truncate)")?)
}
