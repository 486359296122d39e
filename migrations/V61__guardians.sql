-- Several guardians for a student, and what each of them confirmed. `students.parent_name` and `parent_contact` mirror
-- the primary one.
create table guardians (
    id integer primary key,
    student_id integer not null references students (id) on delete cascade,
    name text not null,
    -- Links and copies go there; it opens the family page.
    email text collate nocase,
    phone text,
    -- Null where the profile only named a parent or guardian.
    relationship text check (relationship in ('mother', 'father', 'guardian', 'agency', 'other')),
    is_primary integer not null default 0 check (is_primary in (0, 1)),
    gets_mail integer not null default 1 check (gets_mail in (0, 1)),
    created_at integer not null,
    -- Set by the office, for example for custody: the school discloses nothing to this guardian.
    stopped_at integer,
    stopped_by integer references users (id),
    stopped_reason text,
    check ((stopped_at is null) = (stopped_reason is null))
) strict;

create unique index guardians_primary on guardians (student_id) where is_primary = 1;
create index guardians_student on guardians (student_id);
create index guardians_email on guardians (email) where email is not null;

-- A confirmation is about one enrollment, about the school year that ends on `until`, or, as the office recorded it,
-- about every request up to `through_id`. One that is void keeps its row.
create table confirmations (
    id integer primary key,
    student_id integer not null references students (id) on delete cascade,
    -- Null where no guardian was named, or the guardian was removed since.
    guardian_id integer references guardians (id) on delete set null,
    enrollment_id integer references enrollments (id),
    until text check (until is date(until)),
    through_id integer,
    how text not null check (how in ('link', 'phone', 'paper', 'in_person', 'email')),
    name_typed text,
    -- Versions of the texts that were shown, as JSON.
    text_version text check (json_valid(text_version)),
    user_id integer references users (id),
    at integer not null,
    void_at integer,
    void_why text,
    check ((enrollment_id is null) = (through_id is not null)),
    check ((void_at is null) = (void_why is null))
) strict;

create index confirmations_student on confirmations (student_id);
create index confirmations_guardian on confirmations (guardian_id) where guardian_id is not null;
create index confirmations_enrollment on confirmations (enrollment_id) where enrollment_id is not null;

-- Which guardian was emailed about which request.
create table confirmation_asks (
    enrollment_id integer not null references enrollments (id) on delete cascade,
    guardian_id integer not null references guardians (id) on delete cascade,
    asked_at integer not null,
    -- The last reminder, in days after that: 0, 3 or 7.
    reminded_days integer not null default 0 check (reminded_days in (0, 3, 7)),
    primary key (enrollment_id, guardian_id)
) strict, without rowid;

create index confirmation_asks_guardian on confirmation_asks (guardian_id);

-- A contact without white space that has an @ and a dot behind it is an email address, unless it is the student's own.
insert into guardians (student_id, name, email, phone, is_primary, created_at)
select id, parent_name,
    iif(contact like '%_@_%._%' and contact not like '% %' and contact <> email, contact, null),
    iif(contact like '%_@_%._%' and contact not like '% %', null, contact), 1, updated_at
from (select id, email, parent_name, updated_at, trim(parent_contact) as contact from students)
where parent_name is not null;

insert into confirmations (student_id, guardian_id, through_id, how, user_id, at)
select s.id, g.id, coalesce(s.guardian_confirmed_through, 0), coalesce(s.guardian_confirmed_how, 'phone'),
    s.guardian_confirmed_by, s.guardian_confirmed_at
from students s left join guardians g on g.student_id = s.id
where s.guardian_confirmed_at is not null;

-- The office asks about the requests that are open already.
insert into confirmation_asks (enrollment_id, guardian_id, asked_at, reminded_days)
select e.id, g.id, e.created_at, 7 from enrollments e join guardians g on g.student_id = e.student_id
where e.status in ('pending', 'waitlisted');

drop trigger students_versioned;
drop index students_birth;
alter table students drop column guardian_confirmed_at;
alter table students drop column guardian_confirmed_by;
alter table students drop column guardian_confirmed_how;
alter table students drop column guardian_confirmed_through;

create trigger students_versioned after update of email, status, full_name, preferred_name, date_of_birth,
    gender, canadian_status, address, city, province, postal_code, phone_number, parent_name,
    parent_contact, last_school, last_grade_completed, home_school, transferring_credits, country, region,
    merged_into on students
when new.version = old.version
begin update students set version = old.version + 1 where id = old.id; end;

create index students_birth on students (date_of_birth) where status <> 'closed';
