-- Single classes that do not take place, and the addresses of students' calendars.

create table cancelled_classes (
    section_id integer not null references sections (id) on delete cascade,
    held_on text not null check (held_on is date(held_on)),
    -- Null: every class of the section on that day, also after its hours changed.
    starts_at text check (starts_at glob '[0-2][0-9]:[0-5][0-9]'),
    reason text not null check (length(reason) between 10 and 1000)
) strict;

create unique index cancelled_classes_section on cancelled_classes (section_id, held_on, ifnull(starts_at, ''));

-- The secret of an address is derived from this number; a student without a row has the first.
create table calendar_addresses (
    student_id integer primary key references students (id) on delete cascade,
    generation integer not null check (generation > 1)
) strict;

-- Sections whose students wait for a transfer.
create index sections_cancelled on sections (id) where status = 'cancelled';

-- Which event undoes another; each is undone once.
create unique index section_events_undoes on section_events (undoes_id) where undoes_id is not null;
