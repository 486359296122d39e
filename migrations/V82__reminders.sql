-- Whether a family is reminded of what it owes; without a row as usual.
create table reminder_modes (
    student_id integer primary key references students (id) on delete cascade,
    mode text not null check (mode in ('normal', 'arrangement', 'never')),
    note text check (length(note) between 1 and 500),
    -- The last day of it; null: until it is changed.
    until_on text check (until_on is date(until_on)),
    set_by integer references users (id),
    set_at integer not null
) strict;

-- Reminders that were sent, or wait for the next school day.
create table reminders (
    id integer primary key,
    student_id integer not null references students (id) on delete cascade,
    step text not null check (step in ('before', 'first', 'second')),
    -- What was to be paid then.
    amount_cents integer not null check (amount_cents between 1 and 9999999999),
    -- The day at the school on which it leaves.
    send_on text not null check (send_on is date(send_on)),
    -- Null: by the schedule.
    created_by integer references users (id),
    created_at integer not null,
    sent_at integer,
    -- Why it did not leave after all.
    dropped text,
    check (sent_at is null or dropped is null)
) strict;

create index reminders_student on reminders (student_id, send_on);
create index reminders_waiting on reminders (send_on, id) where sent_at is null and dropped is null;
create index reminders_sent on reminders (student_id, sent_at) where sent_at is not null;

-- The last day on which the schedule was looked at.
create table reminder_schedule (
    id integer primary key check (id = 1),
    ran_on text not null check (ran_on is date(ran_on))
) strict;
