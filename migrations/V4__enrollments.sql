create table enrollments (
    id integer primary key,
    student_id integer not null references students (id),
    course_id integer not null references courses (id),
    start_date text not null check (start_date is date(start_date)),
    end_date text not null check (end_date is date(end_date)),
    -- The specification's default is active; a request is stored as pending, explicitly.
    status text not null default 'active'
        check (status in ('pending', 'active', 'waitlisted', 'declined', 'withdrawn', 'completed')),
    -- Why it was declined or withdrawn; shown to the student.
    reason text,
    withdrawn_on text check (withdrawn_on is date(withdrawn_on)),
    final_mark integer check (final_mark between 0 and 100),
    created_at integer not null,
    -- The last change of state.
    decided_at integer,
    -- When the office approved it; null for a request that never became active.
    approved_at integer,
    decided_by integer references users (id),
    check (end_date > start_date)
) strict;

-- One open row for a student and a course, whatever arrives at once.
create unique index enrollments_open on enrollments (student_id, course_id)
    where status in ('pending', 'waitlisted', 'active');
create index enrollments_student on enrollments (student_id);
create index enrollments_course on enrollments (course_id);
create index enrollments_status on enrollments (status, created_at);
