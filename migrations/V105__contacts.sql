-- A guardian's email address that was stored within a telephone number becomes the guardian's address. Never the
-- student's own, and for a guardian to whom the office discloses never one that it stopped for this student: the stop
-- is by address, so those of stopped guardians are read first.
create temp table read_back (
    guardian_id integer primary key,
    student_id integer not null,
    name text not null,
    stored text not null,
    email text,
    phone text
);

insert into read_back
select g.id, g.student_id, g.name, g.phone, contact_email(g.phone, concat_ws(' ', s.email, s.pending_email)),
    contact_phone(g.phone, concat_ws(' ', s.email, s.pending_email))
from guardians g join students s on s.id = g.student_id
where g.email is null and g.phone like '%@%' and g.stopped_at is not null;

update guardians set email = r.email, phone = r.phone from read_back r
where r.guardian_id = guardians.id and r.email is not null;

-- The stop holds in the applications of the student, too.
insert or ignore into admission_stops (request_id, email, stopped_at, reason, stopped_by, was_guardian)
select q.id, g.email, g.stopped_at, coalesce(g.stopped_reason, ''), g.stopped_by,
    q.guardian_email is not null and q.guardian_email = g.email
from read_back r join guardians g on g.id = r.guardian_id join admission_requests q on q.student_id = g.student_id
where g.email is not null;

update admission_requests set guardian_email = null
where exists (select 1 from admission_stops s
    where s.request_id = admission_requests.id and s.email = admission_requests.guardian_email);

delete from links where purpose = 'application' and exists (select 1 from admission_stops s
    where s.request_id = links.subject_id and s.email = links.email);

insert into read_back
select g.id, g.student_id, g.name, g.phone, contact_email(g.phone, x.excluded), contact_phone(g.phone, x.excluded)
from guardians g join (
    select s.id, concat_ws(' ', s.email, s.pending_email, (
        select group_concat(concat_ws(' ', o.email, o.phone), ' ')
        from guardians o where o.student_id = s.id and o.stopped_at is not null), (
        select group_concat(o.email, ' ')
        from admission_requests q join admission_stops o on o.request_id = q.id where q.student_id = s.id)) as excluded
    from students s) x on x.id = g.student_id
where g.email is null and g.phone like '%@%' and g.stopped_at is null;

delete from read_back where email is null;

update guardians set email = r.email, phone = r.phone from read_back r
where r.guardian_id = guardians.id and r.email is not null;

insert into student_history (student_id, at, actor_kind, field, before, after, reason)
select student_id, unixepoch(), 'system', 'guardian', concat_ws(', ', name, stored), concat_ws(', ', name, email, phone),
    'The email address was read out of the telephone number'
from read_back order by guardian_id;

drop table read_back;

-- The profile mirrors the address and the number.
update students set parent_contact = concat_ws(', ', g.email, g.phone)
from guardians g
where g.student_id = students.id and g.is_primary = 1 and g.phone is not null
    and students.parent_contact = g.email collate nocase;
