-- What the office keeps of a student beside the profile: a number, a name to be called by, why an account
-- is shut, what a parent or guardian has said, and notes.

-- `2026-0042`: drawn when the account first becomes active, and kept for good.
alter table students add column student_number text;
-- How the student wants to be called.
alter table students add column preferred_name text;
-- Who made the account: an address that registered itself and was never verified is forgotten after a
-- while, one that the office typed in is not.
alter table students add column origin text not null default 'registration'
    check (origin in ('registration', 'office'));
-- Why the office suspended or closed it.
alter table students add column suspended_reason text;
alter table students add column closed_reason text;
alter table students add column closed_at integer;
-- The account that goes on in the place of this one, where two were one student's.
alter table students add column merged_into integer references students (id);
-- When a parent or guardian of a student under 18 confirmed to the office, how, and to whom.
alter table students add column guardian_confirmed_at integer;
alter table students add column guardian_confirmed_by integer references users (id);
alter table students add column guardian_confirmed_how text
    check (guardian_confirmed_how in ('phone', 'paper', 'in_person', 'email'));
-- When the student was here last, as far as the sessions tell.
alter table students add column last_activity_at integer;
-- Grows with every change that the office could write over.
alter table students add column version integer not null default 1;

-- The last number that was drawn in each year.
create table student_numbers (
    year integer primary key,
    last integer not null check (last > 0)
) strict, without rowid;

with numbered as (
    select id, strftime('%Y', created_at, 'unixepoch') as year,
        row_number() over (partition by strftime('%Y', created_at, 'unixepoch') order by created_at, id) as number
    from students where status <> 'unverified'
)
update students set student_number = printf('%s-%04d', numbered.year, numbered.number)
from numbered where numbered.id = students.id;

insert into student_numbers (year, last)
select cast(substr(student_number, 1, 4) as integer), max(cast(substr(student_number, 6) as integer))
from students where student_number is not null group by 1;

create unique index students_number on students (student_number);

update students set last_activity_at = max(created_at,
    coalesce((select max(last_seen_at) from sessions where kind = 'student' and subject_id = students.id), 0),
    coalesce((select max(created_at) from enrollments where student_id = students.id), 0),
    coalesce((select max(uploaded_at) from student_documents where student_id = students.id), 0));

create trigger students_seen after insert on sessions when new.kind = 'student'
begin
    update students set last_activity_at = max(coalesce(last_activity_at, 0), new.last_seen_at)
    where id = new.subject_id;
end;

create trigger students_seen_again after update of last_seen_at on sessions when new.kind = 'student'
begin
    update students set last_activity_at = max(coalesce(last_activity_at, 0), new.last_seen_at)
    where id = new.subject_id;
end;

-- A visit is no change of the account: only what the office edits counts.
create trigger students_versioned after update of email, status, full_name, preferred_name, date_of_birth,
    gender, canadian_status, address, city, province, postal_code, phone_number, parent_name,
    parent_contact, last_school, last_grade_completed, transferring_credits, country, region,
    guardian_confirmed_at, merged_into on students
when new.version = old.version
begin update students set version = old.version + 1 where id = old.id; end;

create index students_merged on students (merged_into) where merged_into is not null;

-- Why a field was changed, in the office's words.
alter table student_history add column reason text;

-- What the office writes down about a student. A deleted note leaves its place, without its text.
create table student_notes (
    id integer primary key,
    student_id integer not null references students (id),
    user_id integer not null references users (id),
    body text not null check (length(body) <= 4000),
    is_pinned integer not null default 0 check (is_pinned in (0, 1)),
    created_at integer not null,
    edited_at integer,
    deleted_at integer,
    check ((deleted_at is not null) = (body = ''))
) strict;

create index student_notes_student on student_notes (student_id, created_at);

-- The office's list of students, in each of its orders. Closed accounts are listed only when asked for.
create index students_name on students ((full_name is null), full_name collate nocase, id)
    where status <> 'closed';
create index students_name_down on students ((full_name is null), full_name collate nocase desc, id desc)
    where status <> 'closed';
create index students_created on students (created_at, id) where status <> 'closed';
create index students_activity on students (last_activity_at, id) where status <> 'closed';
create index students_state on students (status, created_at);
-- What each of its filters looks for.
create index students_incomplete on students (id)
    where status <> 'closed' and (full_name is null or phone_number is null or address is null);
create index students_birth on students (date_of_birth, guardian_confirmed_at) where status <> 'closed';
create index students_international on students (id)
    where status <> 'closed' and canadian_status = 'international_student';
create index enrollments_requested on enrollments (student_id) where status = 'pending';
create index enrollments_running on enrollments (student_id, end_date)
    where status = 'active' and final_mark is null;
create index student_documents_waiting on student_documents (student_id) where status = 'pending_review';

-- What the school wrote to a student, and what came from that address.
create index outbox_recipient on outbox (recipient, created_at);
create index contact_messages_email on contact_messages (email, created_at);
