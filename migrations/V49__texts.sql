-- A consent is a text that was shown, an act, and a version by content. Rows that no screen had asked for, the ones of
-- visitors' messages and of requests for courses, say so. A registration's form has always shown its sentence.
create table consents_by_content (
    id integer primary key,
    student_id integer references students (id) on delete cascade,
    message_id integer references contact_messages (id) on delete cascade,
    -- The request for a course that it came with.
    enrollment_id integer references enrollments (id),
    kind text not null check (kind in ('privacy', 'terms', 'enrollment', 'refunds', 'how_to_pay')),
    -- The SHA-256 of the text's words; of rows from before that, a date.
    text_version text not null,
    is_given integer not null check (is_given in (0, 1)),
    at integer not null,
    -- Whether a screen showed the text and asked.
    was_asked integer not null default 1 check (was_asked in (0, 1)),
    check ((student_id is null) <> (message_id is null)),
    check (kind <> 'enrollment' or enrollment_id is not null)
) strict;

insert into consents_by_content (id, student_id, message_id, enrollment_id, kind, text_version, is_given, at, was_asked)
select id, student_id, message_id, enrollment_id, kind, text_version, is_given, at,
    message_id is null and kind <> 'enrollment'
from consents;

drop table consents;
alter table consents_by_content rename to consents;

create index consents_student on consents (student_id, at) where student_id is not null;
create index consents_message on consents (message_id) where message_id is not null;
create index consents_enrollment on consents (enrollment_id) where enrollment_id is not null;

create trigger consents_are_never_edited before update on consents
begin select raise(abort, 'consents are append-only'); end;

create trigger consents_are_never_shortened before delete on consents
when exists (select 1 from students where id = old.student_id)
    or exists (select 1 from contact_messages where id = old.message_id)
begin select raise(abort, 'consents are append-only'); end;

-- The words of every version that was ever accepted: a hash alone proves nothing.
create table accepted_texts (
    version text primary key check (length(version) = 64),
    kind text not null check (kind in ('terms', 'privacy', 'refunds', 'how_to_pay')),
    title text not null,
    text text not null,
    first_accepted_at integer not null
) strict, without rowid;

create trigger accepted_texts_are_never_edited before update on accepted_texts
begin select raise(abort, 'accepted texts are append-only'); end;

create trigger accepted_texts_are_never_removed before delete on accepted_texts
begin select raise(abort, 'accepted texts are append-only'); end;

-- What a registration accepted, until its account is made: versions of `accepted_texts` as a JSON array.
alter table account_requests add column accepted_texts text not null default '[]' check (json_valid(accepted_texts));
