-- What a course cost when it was asked for, every decision and every change of a profile: kept, not
-- overwritten.

-- The price on the day of the request; null when the course had none. 0 is a free course.
alter table enrollments add column quoted_price_cents integer
    check (quoted_price_cents between 0 and 9999999999);
alter table enrollments add column quoted_at integer;
-- The price at which the office approved it, or that it charged later; null while there is none.
alter table enrollments add column charged_price_cents integer
    check (charged_price_cents between 0 and 9999999999);
-- The earlier request of the same student for the same course that came to nothing.
alter table enrollments add column repeat_of integer references enrollments (id);

-- What the ledger says is what was charged. A course that is free today was free or unpriced then,
-- which is the same money; any other row without a charge is unpriced until the office posts one.
update enrollments set charged_price_cents = (
    select sum(amount_cents) from ledger where enrollment_id = enrollments.id and kind = 'charge'
) where approved_at is not null;
update enrollments set charged_price_cents = 0
where approved_at is not null and charged_price_cents is null
    and exists (select 1 from courses where courses.id = enrollments.course_id and price_cents = 0);

-- What the office still has to charge.
create index enrollments_unpriced on enrollments (approved_at)
    where status = 'active' and quoted_price_cents is null and charged_price_cents is null;

-- A charge is due on a day of the school's calendar; null for those from before there was one.
alter table ledger add column due_on text check (due_on is date(due_on));

-- Every transition of an enrollment; the first one has no state before it.
create table enrollment_events (
    id integer primary key,
    enrollment_id integer not null references enrollments (id),
    at integer not null,
    actor_kind text not null check (actor_kind in ('student', 'staff', 'guardian', 'system')),
    -- Who of the staff.
    user_id integer references users (id),
    from_status text check (from_status in
        ('pending', 'active', 'waitlisted', 'declined', 'withdrawn', 'completed')),
    to_status text not null check (to_status in
        ('pending', 'active', 'waitlisted', 'declined', 'withdrawn', 'completed')),
    reason text,
    effective_on text check (effective_on is date(effective_on)),
    mark integer check (mark between 0 and 100)
) strict;

create index enrollment_events_enrollment on enrollment_events (enrollment_id);

create trigger enrollment_events_are_never_edited before update on enrollment_events
begin select raise(abort, 'the events of an enrollment are append-only'); end;

create trigger enrollment_events_are_never_shortened before delete on enrollment_events
begin select raise(abort, 'the events of an enrollment are append-only'); end;

-- What the rows still tell of the time before: the request, the approval, and the last decision.
insert into enrollment_events (enrollment_id, at, actor_kind, to_status)
select id, created_at, 'student', 'pending' from enrollments;
insert into enrollment_events (enrollment_id, at, actor_kind, user_id, from_status, to_status)
select id, approved_at, 'staff', iif(status = 'active', decided_by, null), 'pending', 'active'
from enrollments where approved_at is not null and status in ('active', 'completed', 'withdrawn');
insert into enrollment_events (enrollment_id, at, actor_kind, user_id, from_status, to_status, reason,
    effective_on, mark)
select id, decided_at, iif(status = 'withdrawn' and decided_by is null, 'student', 'staff'), decided_by,
    iif(approved_at is null, 'pending', 'active'), status, reason, withdrawn_on, final_mark
from enrollments where decided_at is not null and status in ('declined', 'withdrawn', 'completed');

-- Two letters (ISO 3166-1). Elsewhere than in Canada the part of the country is free text, or none.
alter table students add column country text not null default 'CA' check (country glob '[A-Z][A-Z]');
alter table students add column region text;
-- When the office first approved an enrollment of this person, and so took them for who they are.
alter table students add column identity_checked_at integer;
alter table students add column identity_checked_by integer references users (id);
-- When name, date of birth or status in Canada last changed after that; null once the office has
-- looked again.
alter table students add column identity_changed_at integer;

update students set
    identity_checked_at = (select min(approved_at) from enrollments where student_id = students.id)
where full_name is not null;

create index students_identity_changed on students (identity_changed_at)
    where identity_changed_at is not null;

-- What changed in a profile, field by field.
create table student_history (
    id integer primary key,
    -- An account that its mailbox disowns goes with what was typed into it.
    student_id integer not null references students (id) on delete cascade,
    at integer not null,
    actor_kind text not null check (actor_kind in ('student', 'staff', 'guardian', 'system')),
    -- Who of the staff.
    user_id integer references users (id),
    field text not null,
    before text,
    after text
) strict;

create index student_history_student on student_history (student_id, at);

create trigger student_history_is_never_edited before update on student_history
begin select raise(abort, 'the history of a student is append-only'); end;

-- Nobody shortens the history of an account that is there; what goes with its account may go.
create trigger student_history_is_never_shortened before delete on student_history
when exists (select 1 from students where id = old.student_id)
begin select raise(abort, 'the history of a student is append-only'); end;
