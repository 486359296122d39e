-- Reminders that the office skips: what would leave on that day does not.
create table reminder_skips (
    id integer primary key,
    student_id integer not null references students (id) on delete cascade,
    -- The day at the school on which it would leave.
    skipped_on text not null check (skipped_on is date(skipped_on)),
    reason text not null check (length(reason) between 3 and 500),
    created_by integer references users (id),
    created_at integer not null,
    -- When it was taken back.
    undone_at integer
) strict;

create unique index reminder_skips_day on reminder_skips (student_id, skipped_on) where undone_at is null;
create index reminder_skips_student on reminder_skips (student_id);
