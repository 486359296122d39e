//! The statements that may visit more than they return, each with its reason.

/// A part of the statement, whitespace collapsed, and why it may. An exception that nothing needs fails
/// the test as well.
pub const EXCEPTIONS: &[(&str, &str)] = &[
    // Sums. They grow with the database, in the order of an index and without reading a row; at the design
    // load each takes a few milliseconds on a reader's thread, and nobody waits for it to write.
    ("select count(*) from student_documents", "the length of a list, counted in its smallest index"),
    ("select count(*) from contact_messages", "the length of a list, counted in an index"),
    ("select count(*) from admission_requests", "the length of a list, counted in an index"),
    ("select count(*) from outbox", "the length of a list, counted in an index"),
    ("select count(*) from enrollments where status = ", "a figure of the dashboard, counted in an index"),
    ("with entry as ( select l.enrollment_id,", "the dashboard's sum of what is owed, over the whole ledger"),
    ("select state, count(*) from outbox group by state", "figures for Prometheus, counted in an index"),
    // The foreign keys look at each enrollment of the course, and refuse at the end.
    ("delete from courses where id = :id", "the enrollments of the one course, when the office deletes it"),
    // Once, at the start.
    ("select key, failures, until, forget_at from attempts", "what failed lately is remembered in memory"),
    ("indexed by enrollments_unpriced", "the enrollments without a price, from an index of nothing else"),
    // Walks along what waits. On an ordinary day nothing does.
    ("and next_attempt_at > :now + case", "the mails that wait, one written by a faster clock among them"),
    ("select min(iif(next_attempt_at >", "the mails that wait, one written by a faster clock among them"),
    (
        "select min(coalesce(renewed_at, created_at)) from outbox where state = 'queued'",
        "the mails that wait",
    ),
];

/// The same for a search, and for a page far from the first.
pub const SEARCHES: &[(&str, &str)] = &[(
    "matches_terms(",
    "a part of a word in any case and accent is found by looking at each row of the list",
)];
