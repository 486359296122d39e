-- How many may take a course at once; null: as many as come. And whether it takes new requests.
alter table courses add column capacity integer check (capacity between 1 and 10000);
alter table courses add column is_open integer not null default 1 check (is_open in (0, 1));

-- The line for a full course: since when, and until when a freed seat is kept for the next in it.
alter table enrollments add column waitlisted_at integer;
alter table enrollments add column offered_until integer;
-- A student who wants to leave an active course asks the office: when, and why.
alter table enrollments add column leave_asked_at integer;
alter table enrollments add column leave_reason text check (length(leave_reason) between 10 and 1000);
-- The mark in the middle of the course, and who entered the last mark.
alter table enrollments add column midterm_mark integer check (midterm_mark between 0 and 100);
alter table enrollments add column midterm_on text check (midterm_on is date(midterm_on));
alter table enrollments add column mark_by integer references users (id);
alter table enrollments add column mark_at integer;
-- What the course was worth when it was completed with at least 50; 0 when it was failed.
alter table enrollments add column credits_hundredths integer check (credits_hundredths between 0 and 400);
-- Grows with every change, so that nobody writes over what somebody else has written meanwhile.
alter table enrollments add column version integer not null default 1;

update enrollments set credits_hundredths = iif(final_mark >= 50,
    (select c.credits_hundredths from courses c where c.id = enrollments.course_id), 0)
where status = 'completed' and final_mark is not null;
update enrollments set waitlisted_at = coalesce(decided_at, created_at) where status = 'waitlisted';

create trigger enrollments_versioned after update on enrollments when new.version = old.version
begin update enrollments set version = old.version + 1 where id = old.id; end;

-- A course's seats and its line, in order.
create index enrollments_seats on enrollments (course_id, status, waitlisted_at, id);
drop index if exists enrollments_course;
-- Seats that are kept for somebody, for the clock to look at.
create index enrollments_offered on enrollments (offered_until) where offered_until is not null;
create index enrollments_leave on enrollments (leave_asked_at) where leave_asked_at is not null;

-- What an enrollment was before a transition, so that undoing gives back all of it.
alter table enrollment_events add column before text check (json_valid(before));
-- The decision that posted a row, so that undoing it takes back just these.
alter table ledger add column decision_id text references decisions (id);
create index ledger_decision on ledger (decision_id) where decision_id is not null;
