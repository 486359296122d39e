-- The review of documents: what is asked of whom, what the office made of each document, and more types.

-- What the school asks for. It begins with `[office] required_documents`, and is the office's from then on.
create table document_requirements (
    id integer primary key,
    document_type text not null check (document_type in
        ('government_id', 'transcript', 'proof_of_address', 'health_insurance', 'study_permit', 'custodianship',
         'immunization', 'iep')),
    -- What people call it.
    label text not null check (length(label) between 1 and 100),
    -- Of whom: a JSON object whose absent keys ask for nothing.
    applies text not null default '{}' check (json_valid(applies)),
    canadian_status text generated always as (applies ->> '$.canadianStatus') virtual,
    min_age integer generated always as (applies ->> '$.minAge') virtual,
    max_age integer generated always as (applies ->> '$.maxAge') virtual,
    grade_min integer generated always as (applies ->> '$.gradeMin') virtual,
    has_prerequisite integer generated always as (applies ->> '$.hasPrerequisite') virtual,
    -- Whether an approval is content with an upload, or wants it accepted.
    needed_for text not null check (needed_for in ('request', 'approval')),
    -- For how long an accepted one counts, where its reviewer names no day.
    valid_months integer check (valid_months between 1 and 120),
    is_active integer not null default 1 check (is_active in (0, 1)),
    -- Its place in the list.
    position integer not null
) strict;

-- When the list was taken over from the configuration: one row at most.
create table document_requirements_begun (
    id integer primary key check (id = 1),
    at integer not null
) strict;

-- A student of whom the office does not ask for one of them after all.
create table document_waivers (
    student_id integer not null references students (id) on delete cascade,
    requirement_id integer not null references document_requirements (id),
    reason text not null check (length(reason) between 3 and 500),
    user_id integer not null references users (id),
    at integer not null,
    primary key (student_id, requirement_id)
) strict, without rowid;

create table documents_reviewed (
    id integer primary key,
    student_id integer not null references students (id),
    document_type text not null check (document_type in
        ('government_id', 'transcript', 'proof_of_address', 'health_insurance', 'study_permit', 'custodianship',
         'immunization', 'iep', 'other')),
    -- What one of no other type is, in its student's or the office's words.
    label text check (length(label) between 1 and 100),
    -- Relative to the data folder: documents/ab/<sha256>. The file is whole before the row exists.
    document_path text not null,
    sha256 text not null check (length(sha256) = 64),
    -- Without a key: the file is as it was uploaded. With one: `sha256` is of what lies on the disk.
    key_id text check (length(key_id) = 16),
    -- Of the content, by the key.
    content_mac blob check (length(content_mac) = 32 and (content_mac is null) = (key_id is null)),
    -- What the content is, never what its name claims.
    content_type text not null check (content_type in ('application/pdf', 'image/jpeg', 'image/png')),
    size_bytes integer not null check (size_bytes between 1 and 10485760),
    original_name text not null,
    status text not null default 'pending_review'
        check (status in ('pending_review', 'accepted', 'rejected', 'superseded', 'expired')),
    -- Why it was rejected, and in the reviewer's words.
    reject_code text
        check (reject_code in ('unreadable', 'wrong_document', 'name_differs', 'expired', 'incomplete')),
    reason text,
    -- The last day on which an accepted one counts.
    expires_on text check (expires_on is date(expires_on)),
    -- The last reminder of that day, in days before it.
    reminded_days integer check (reminded_days > 0),
    reminder_sent_at integer,
    reviewed_by integer references users (id),
    reviewed_at integer,
    -- The one of its type that was there when it came.
    supersedes_id integer references documents_reviewed (id) on delete set null,
    uploaded_at integer not null,
    -- Who of the staff uploaded it in the place of its student; null when the student did.
    uploaded_by integer references users (id),
    -- When the office first opened it. Until then its student may remove it.
    viewed_at integer,
    -- Whether its file was looked into (src/documents/examine).
    examination text not null default 'waiting' check (examination in ('waiting', 'passed', 'refused')),
    -- Whether the file as it came carried a digital signature, which does not survive that.
    was_signed integer not null default 0 check (was_signed in (0, 1)),
    -- What is wrong with its file, and since when that is known.
    fault text check (fault in ('missing', 'changed', 'written_off')),
    fault_at integer
) strict;

insert into documents_reviewed (id, student_id, document_type, document_path, sha256, key_id, content_mac, content_type,
    size_bytes, original_name, status, reason, expires_on, uploaded_at, uploaded_by, viewed_at, examination, was_signed,
    fault, fault_at)
select id, student_id, document_type, document_path, sha256, key_id, content_mac, content_type,
    size_bytes, original_name, status, reason, expires_on, uploaded_at, uploaded_by, viewed_at, examination, was_signed,
    fault, fault_at
from student_documents;

drop table student_documents;
alter table documents_reviewed rename to student_documents;

create index student_documents_student on student_documents (student_id, uploaded_at);
create index student_documents_sha256 on student_documents (sha256);
create index student_documents_uploaded on student_documents (uploaded_at);
create index student_documents_waiting on student_documents (student_id) where status = 'pending_review';
create index student_documents_unexamined on student_documents (id) where examination = 'waiting';
create index student_documents_key on student_documents (key_id);
create index student_documents_fault on student_documents (fault) where fault is not null;
-- The office's list in one state, of one type, and both.
create index student_documents_status on student_documents (status, uploaded_at);
create index student_documents_type on student_documents (document_type, uploaded_at);
create index student_documents_status_type on student_documents (status, document_type, uploaded_at);
create index student_documents_expiring on student_documents (expires_on)
    where status = 'accepted' and expires_on is not null;
create index student_documents_supersedes on student_documents (supersedes_id) where supersedes_id is not null;

create trigger student_documents_added after insert on student_documents begin
    update documents_total set bytes = bytes + new.size_bytes where id = 1;
end;

create trigger student_documents_removed after delete on student_documents begin
    update documents_total set bytes = bytes - old.size_bytes where id = 1;
end;

create trigger student_documents_resized after update of size_bytes on student_documents begin
    update documents_total set bytes = bytes - old.size_bytes + new.size_bytes where id = 1;
end;

create trigger students_uploaded after insert on student_documents when new.uploaded_by is null
begin
    update students set last_activity_at = max(coalesce(last_activity_at, 0), new.uploaded_at)
    where id = new.student_id;
end;

-- What was decided about each document, and by what. A document that was removed keeps its events.
create table document_events (
    id integer primary key,
    document_id integer not null,
    student_id integer not null references students (id) on delete cascade,
    at integer not null,
    actor_kind text not null check (actor_kind in ('student', 'staff', 'guardian', 'system')),
    -- Who of the staff.
    user_id integer references users (id),
    verb text not null
        check (verb in ('accept_document', 'reject_document', 'reopen_document', 'expire_document', 'undo_document')),
    from_status text not null
        check (from_status in ('pending_review', 'accepted', 'rejected', 'superseded', 'expired')),
    to_status text not null check (to_status in ('pending_review', 'accepted', 'rejected', 'superseded', 'expired')),
    reject_code text
        check (reject_code in ('unreadable', 'wrong_document', 'name_differs', 'expired', 'incomplete')),
    reason text,
    expires_on text check (expires_on is date(expires_on)),
    decision_id text references decisions (id),
    -- The event that it takes back.
    undoes_id integer,
    -- Whether its student is told; with the event whose email left at once and within whose hour it came, if it waits
    -- to leave with others.
    is_mailed integer not null default 0 check (is_mailed in (0, 1)),
    batch_id integer,
    -- What undoing puts back.
    before text check (json_valid(before))
) strict;

create index document_events_student on document_events (student_id, at);
create index document_events_document on document_events (document_id);
create index document_events_decision on document_events (decision_id) where decision_id is not null;
create index document_events_undone on document_events (undoes_id) where undoes_id is not null;

-- They move with the documents of an account that goes on as another.
create trigger document_events_are_never_edited before update of id, document_id, at, actor_kind, user_id, verb,
    from_status, to_status, reject_code, reason, expires_on, decision_id, undoes_id, is_mailed, batch_id, before
on document_events
begin select raise(abort, 'the events of a document are append-only'); end;

create trigger document_events_are_never_shortened before delete on document_events
when exists (select 1 from students where id = old.student_id)
begin select raise(abort, 'the events of a document are append-only'); end;
