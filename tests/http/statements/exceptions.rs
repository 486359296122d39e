//! The statements that may visit more than they return, each with its reason.

/// A part of the statement, whitespace collapsed, and why it may. An exception that nothing needs fails
/// the test as well.
pub const EXCEPTIONS: &[(&str, &str)] = &[
    (
        "from sections s indexed by sections_open cross join courses c on c.id = s.course_id left join terms t on t.id = \
         s.term_id where s.status = 'open' and s.ends_on >= :today and (s.term_id is null or t.is_published = 1) order",
        "the open sections of the whole catalogue, from an index of nothing else, when it changes",
    ),
    (
        "select request_id, at from document_handovers",
        "what a commit noted: the table is empty between commits",
    ),
    // Sums. They grow with the database, in the order of an index and without reading a row; at the design load each
    // takes a few milliseconds on a reader's thread, and no write waits for it.
    ("select count(*) from admission_requests", "the length of a list, counted in an index"),
    ("select count(*) from invoices", "the length of a list, counted in an index"),
    (
        "from invoices i cross join students o",
        "a page of invoices, the newest first, or those that are looked for",
    ),
    ("select count(*) from contact_messages", "the length of a list, counted in an index"),
    ("select count(*) from payments p indexed by", "the length of a list, counted in an index"),
    ("select count(*) from bank_imports", "the length of a list, counted in an index"),
    ("select count(*) from student_balances", "the length of a list, counted in an index"),
    (
        "insert into stale_balances (student_id, posted_at) select id",
        "once: what is kept was changed past the program, and is computed again",
    ),
    (
        "json_array(day, cents)) from owed_days",
        "what is owed by its day, of which a school has some hundreds",
    ),
    ("(select coalesce(sum(balance_cents), 0) from student_balances)", "the hourly look at what is kept"),
    ("indexed by bank_lines_unknown", "the lines to decide about, from an index of nothing else"),
    ("select i.id, i.account, i.created_at", "a page of the bank's files, by number, the newest first"),
    (
        "select 'reversal', amount_cents, enrollment_id, admission_id, id, :user_id, :now from ledger l where payment_id",
        "one payment's parts, each with a look at the total due",
    ),
    (
        "values ('payment', :amount, :enrollment_id, :admission_id, :payment_id, :decision, :user_id, :now)",
        "one entry, with a look at the total due, and a note of whose balance it changes",
    ),
    ("select count(*) from outbox", "the length of a list, counted in an index"),
    ("select count(*) from student_documents", "the length of a list, counted in an index"),
    ("select count(*) from students where status <> 'closed'", "the length of a list, counted in an index"),
    (
        "from reminders r indexed by reminders_sent cross join students s",
        "when each family was last reminded, from an index of nothing else, for the report of all balances",
    ),
    ("select letters from school_letters", "the letters of each name that the school has had, a few"),
    (
        "from refund_policies p left join users u",
        "every version of the refund policies, of which a school has a few",
    ),
    (
        "from sections s indexed by sections_cancelled cross join enrollments e indexed by enrollments_section",
        "once at the start of the program: the cancelled sections, from an index of nothing else",
    ),
    (
        "delete from admission_requests where id = :id",
        "the one application, with everything that belongs to it",
    ),
    (
        "min(d.uploaded_at) as oldest from student_documents d where d.status = 'pending_review' and not exists",
        "the documents that wait, from an index of their state, each with a look at its account",
    ),
    (
        "left join confirmation_asks a on a.enrollment_id = e.id and a.guardian_id = u.id where :student_id is null",
        "once a minute: the guardians of the requests that are open, from an index of their state",
    ),
    ("from reply_templates order by name", "the office's few templates, all of them"),
    ("delete from outbox where created_at < :at", "the demo's past, when it opens"),
    ("select state, count(*) from outbox group by state", "the emails of each state, for Prometheus"),
    (
        "min(created_at) as oldest from enrollments where status = 'pending'",
        "the requests that wait, from an index of them and nothing else",
    ),
    (
        "select count(*) from audit a where",
        "the length of the trail as it is filtered, counted in the index of what it is filtered by",
    ),
    (
        "left join audit_chain c on c.audit_id = a.id order by a.id",
        "the nightly look at every link of the chain",
    ),
    (
        "select count(*) filter (where",
        "the figures of the list's chips: every student once, by looks into indexes",
    ),
    ("left join (select student_id, sum(", "the list by what each student owes, over the whole ledger"),
    // The figures of the school's money, and who owes what: the whole ledger, read when the bursar looks.
    ("select * from balances", "what every item comes to"),
    ("from entries x left join enrollments e", "what every item came to on a past day"),
    ("select * from dues where created_at", "every charge and part of a plan, for the aging"),
    ("from payments p not indexed left join students s", "every payment, for a report"),
    (
        "select id as student_id, full_name as name, false as is_guardian from students",
        "the name of every student and guardian, when the lines of a bank's file are looked at",
    ),
    ("from ledger order by id desc limit 1", "the newest entry, for a report"),
    (
        "select 'reversal', l.amount_cents, l.enrollment_id, l.admission_id, l.id",
        "one item's entries, each with a look at the total due",
    ),
    (
        "select id, student_number, coalesce(full_name, 'Student #' || id), email from students",
        "the names of a report",
    ),
    (
        "from payments p indexed by payments_received where received_on between",
        "the days of a drawer, or a month",
    ),
    ("order by s.status = 'closed', not matches_terms", "the office's search looks at every student's text"),
    ("from courses where archived_at is null and matches_terms(", "the same, at every course's"),
    ("|| last_name as name, email, status from admission_requests", "the same, at every family's"),
    (
        "matches_terms(concat_ws(' ', first_name, last_name, email, phone, guardian_phone, reference)",
        "the same, at every text of the applications in a state",
    ),
    (
        "select count(*) as count, min(e.end_date) as oldest from enrollments e indexed by enrollments_end",
        "the requests whose course has ended, counted in the index of what is due and nothing else",
    ),
    (
        "select count(*) as count, min(end_date) as oldest from enrollments",
        "what a tab says is due, counted in the index of what is due and nothing else",
    ),
    (
        "as oldest from ( select min(e.created_at) as since from enrollments e indexed by enrollments_requested",
        "the students whose requests wait, from an index of nothing else",
    ),
    (
        "select count(*) from enrollments where status = 'active' and end_date between",
        "what ends soon, counted in the index of what is due and nothing else",
    ),
    ("select count(*) from enrollments where status = ", "the length of a tab, counted in an index"),
    (
        "select count(*) from enrollments e ",
        "the length of a tab as it is narrowed down, counted in an index of the rows of its state",
    ),
    (
        "document_requirements",
        "thirty requirements at most; the order of a list that counts them is held to an index by its own test",
    ),
    ("s.parent_name, s.parent_contact, e.start_date", "one class, sorted by name"),
    (
        "from sections k cross join enrollments e",
        "the students of cancelled sections, from an index of nothing else",
    ),
    (
        "g.verb in ('offer_place'",
        "what happened since a decision that is undone, which may be for some minutes",
    ),
    (
        "join students s on s.id = x.student_id order by x.student_id",
        "every credit from another school, when they leave as a sheet",
    ),
    // The foreign keys look at each enrollment of the course, and refuse at the end.
    ("delete from courses where id = :id", "the enrollments of the one course, when the office deletes it"),
    (
        "with gone as (",
        "the nightly look for what was kept long enough: every student once, on a reader's thread",
    ),
    (
        "select coalesce(sum(max(0, balance)), 0) from enrollment_balances",
        "the hourly comparison of the kept total due with the ledger, on a reader's thread",
    ),
    (
        "from consents c where c.enrollment_id is not null or not exists (select 1 from consents later",
        "who agreed to which version, counted",
    ),
    // The foreign keys look into each table that names a student, in its index.
    ("delete from students where id = :id", "the one unverified account, when it is removed"),
    // Tables that stay small: fifty versions of the site, two hundred pictures.
    ("from site_versions", "the newest of fifty versions, or all of them"),
    ("select count(*) from site_pictures", "two hundred pictures at most, counted"),
    (
        "select id from site_pictures where created_at <",
        "two hundred pictures at most, when a version is published",
    ),
    // Once, at the start.
    ("select key, failures, until, forget_at from attempts", "what failed lately is remembered in memory"),
    (
        "indexed by admission_requests_without_student",
        "applications without a student, from an index of nothing else",
    ),
    (
        "indexed by admission_offers_deposit",
        "the offers that asked for a deposit, from an index of nothing else",
    ),
    ("indexed by outbox_unsettled where", "the emails that were given up, from an index of nothing else"),
    ("indexed by enrollments_unpriced", "the enrollments without a price, from an index of nothing else"),
    (
        "select coalesce(sum(cents), 0) from student_entries where student_id",
        "one student's charges and payments, for ten courses",
    ),
    ("and h.unapplied_cents > 0 order by p.id", "one student's payments, each with what is left of it"),
    (
        "cross join cancelled_classes x on x.section_id = i.value",
        "one look for each section of the list, few of which have a cancelled class",
    ),
    // Walks along what waits. On an ordinary day nothing does.
    ("and next_attempt_at > :now + case", "the mails that wait, one written by a faster clock among them"),
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

/// The statements that SQLite would carry out in another way if it knew how large the school is.
pub const STATISTICS: &[(&str, &str)] = &[
    // A student has ten enrollments and twenty documents: any index that begins with the student will do.
    ("e.student_id = s.id and e.status = 'pending'", "one student's enrollments"),
    ("where key_id is :key_id and id > :after order by id", "fifty rows in their order, by either index"),
    ("left join (select student_id, sum(", "the whole ledger in any order"),
    ("from staff_invitations i join", "an office's invitations"),
    (
        "from admission_requests q cross join students s on s.id = q.student_id where q.id",
        "one application, one student",
    ),
    (
        "select s.email, t.created_at as invited_at, t.expires_at from admission_requests q cross join students s",
        "one application, one student, one invitation",
    ),
    ("where :student_id is null and (e.status in ('pending', 'waitlisted')", "every open request, hourly"),
    ("select p.student_id from payouts o", "one payout, and the student of its payment"),
];
