-- Terms, the sections of courses that are taught in them, and the weekly hours of each section.

create table terms (
    id integer primary key,
    name text not null check (length(name) between 1 and 60),
    starts_on text not null check (starts_on is date(starts_on)),
    ends_on text not null check (ends_on is date(ends_on)),
    -- When families may ask for its sections; null: as soon as one is open, and as long as it can be joined.
    requests_from text check (requests_from is date(requests_from)),
    requests_until text check (requests_until is date(requests_until)),
    -- The last day on which a student may join.
    join_until text not null check (join_until is date(join_until)),
    midterm_on text check (midterm_on is date(midterm_on)),
    first_report_on text check (first_report_on is date(first_report_on)),
    final_on text check (final_on is date(final_on)),
    -- Dates without classes, in order.
    days_off text not null default '[]' check (json_type(days_off) = 'array'),
    is_published integer not null default 0 check (is_published in (0, 1)),
    version integer not null default 1,
    created_at integer not null,
    check (starts_on < ends_on),
    check (join_until between starts_on and ends_on)
) strict;

create index terms_starting on terms (starts_on, id);
-- What visitors read.
create index terms_published on terms (ends_on) where is_published = 1;

create table sections (
    id integer primary key,
    course_id integer not null references courses (id),
    -- Null: not part of a term.
    term_id integer references terms (id),
    label text not null check (length(label) between 1 and 20),
    kind text not null default 'regular' check (kind in ('regular', 'upgrade')),
    delivery text not null default 'synchronous' check (delivery in ('synchronous', 'asynchronous', 'blended')),
    starts_on text not null check (starts_on is date(starts_on)),
    ends_on text not null check (ends_on is date(ends_on)),
    -- Null: unlimited.
    capacity integer check (capacity between 1 and 10000),
    -- Null: the course's price.
    price_cents integer check (price_cents between 0 and 9999999999),
    teacher_name text check (length(teacher_name) between 1 and 200),
    status text not null default 'planned' check (status in ('planned', 'open', 'closed', 'cancelled')),
    version integer not null default 1,
    created_at integer not null,
    check (starts_on < ends_on)
) strict;

-- A label names one section of a course in a term.
create unique index sections_label on sections (course_id, ifnull(term_id, 0), label);
create index sections_term on sections (term_id, course_id, label);
-- What visitors read.
create index sections_open on sections (course_id, starts_on) where status = 'open';

create table meetings (
    id integer primary key,
    section_id integer not null references sections (id) on delete cascade,
    -- ISO 8601: 1 is Monday.
    weekday integer not null check (weekday between 1 and 7),
    -- Hours of the school's zone: 19:00.
    starts_at text not null check (starts_at glob '[0-2][0-9]:[0-5][0-9]' and starts_at < '24:00'),
    ends_at text not null check (ends_at glob '[0-2][0-9]:[0-5][0-9]' and ends_at < '24:00'),
    -- Where the class meets online; a secret of those who are enrolled.
    link text check (length(link) between 1 and 500),
    check (ends_at > starts_at)
) strict;

create index meetings_section on meetings (section_id, weekday, starts_at);

-- What happened to a section, with what it was before, so that undoing gives back all of it.
create table section_events (
    id integer primary key,
    section_id integer not null references sections (id),
    at integer not null,
    user_id integer references users (id),
    verb text not null check (verb in ('change', 'cancel', 'cancel_class', 'restore_class')),
    reason text,
    before text check (json_valid(before)),
    decision_id text references decisions (id),
    undoes_id integer references section_events (id)
) strict;

create index section_events_section on section_events (section_id, at);
create index section_events_decision on section_events (decision_id) where decision_id is not null;

create trigger section_events_are_never_edited before update on section_events
begin select raise(abort, 'the events of a section are append-only'); end;
create trigger section_events_are_never_deleted before delete on section_events
begin select raise(abort, 'the events of a section are append-only'); end;

-- Null: own dates, of a course without sections.
alter table enrollments add column section_id integer references sections (id);
-- The enrollment that this one goes on from, after a transfer.
alter table enrollments add column transferred_from integer references enrollments (id);

create index enrollments_section on enrollments (section_id, status, waitlisted_at, id) where section_id is not null;
create index enrollments_transferred on enrollments (transferred_from) where transferred_from is not null;

-- Seats by dates are those of enrollments with own dates; a section counts its own.
drop index enrollments_taken;
create index enrollments_taken on enrollments (course_id, end_date, start_date, status, offered_until, withdrawn_on)
    where section_id is null
        and (status in ('active', 'waitlisted') or (status = 'withdrawn' and withdrawn_on > start_date));

-- The catalogue's cached answers say which courses have sections, and when the terms begin.
create trigger sections_inserted after insert on sections
begin update revisions set value = value + 1 where topic = 'courses'; end;
create trigger sections_updated after update on sections
begin update revisions set value = value + 1 where topic = 'courses'; end;
create trigger sections_deleted after delete on sections
begin update revisions set value = value + 1 where topic = 'courses'; end;
create trigger meetings_inserted after insert on meetings
begin update revisions set value = value + 1 where topic = 'courses'; end;
create trigger meetings_updated after update on meetings
begin update revisions set value = value + 1 where topic = 'courses'; end;
create trigger meetings_deleted after delete on meetings
begin update revisions set value = value + 1 where topic = 'courses'; end;
create trigger terms_inserted after insert on terms
begin update revisions set value = value + 1 where topic = 'courses'; end;
create trigger terms_updated after update on terms
begin update revisions set value = value + 1 where topic = 'courses'; end;
create trigger terms_deleted after delete on terms
begin update revisions set value = value + 1 where topic = 'courses'; end;
