-- A check counts for what it was made about: a guardian's confirmation for that guardian and for the requests of
-- that day, an identity check for the name and the birth date that were compared.

-- The newest request when the confirmation was noted: one that is made later asks for a confirmation again.
alter table students add column guardian_confirmed_through integer;
-- When a parent or guardian who had confirmed was last replaced; null once the office has looked at it.
alter table students add column guardian_changed_at integer;

update students set guardian_confirmed_through = coalesce((select max(id) from enrollments
    where student_id = students.id and created_at <= students.guardian_confirmed_at), 0)
where guardian_confirmed_at is not null;

create index students_guardian_changed on students (guardian_changed_at) where guardian_changed_at is not null;

-- A complete profile has a birth date, too.
drop index students_incomplete;
create index students_incomplete on students (id) where status <> 'closed'
    and (full_name is null or date_of_birth is null or phone_number is null or address is null);

-- What was missing when a request was approved; null where that was not recorded.
alter table enrollment_events add column missing text check (json_valid(missing));

-- Approvals used to set identity_checked_at without a comparison. Keep only the checks that the audit trail records as
-- a confirmation; the student's history says so for the others.
insert into student_history (student_id, at, actor_kind, field, before, reason)
select id, unixepoch(), 'system', 'identityChecked', date(identity_checked_at, 'unixepoch'),
    'Noted by an approval, without a comparison of name and birth date with a document'
from students where identity_checked_at is not null and not exists (select 1 from audit
    where object = 'student' and object_id = students.id and action = 'confirm identity'
        and at = students.identity_checked_at);
update students set identity_checked_at = null, identity_checked_by = null
where identity_checked_at is not null and not exists (select 1 from audit
    where object = 'student' and object_id = students.id and action = 'confirm identity'
        and at = students.identity_checked_at);
