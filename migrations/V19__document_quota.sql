-- When the office first opened a document. Until then its student may remove it.
alter table student_documents add column viewed_at integer;

update student_documents set viewed_at = views.first_at
from (
    select object_id, min(at) as first_at from audit
    where action = 'view' and object = 'document' group by object_id
) as views
where views.object_id = student_documents.id;

-- What left a student's list before the office saw it. The number is not given to another document,
-- and the file stays on the disk for a day: what was removed within a day still takes up room.
create table document_removals (
    document_id integer primary key,
    student_id integer not null references students (id),
    document_type text not null,
    sha256 text not null,
    size_bytes integer not null,
    uploaded_at integer not null,
    cause text not null check (cause in ('removed', 'replaced')),
    removed_at integer not null
) strict;

create index document_removals_student on document_removals (student_id, removed_at, size_bytes);
create index document_removals_removed on document_removals (removed_at, size_bytes);

-- The size of all documents: adding it up for each upload would read every row.
create table documents_total (
    id integer primary key check (id = 1),
    bytes integer not null check (bytes >= 0)
) strict;

insert into documents_total (id, bytes)
select 1, coalesce(sum(size_bytes), 0) from student_documents;

create trigger student_documents_added after insert on student_documents begin
    update documents_total set bytes = bytes + new.size_bytes where id = 1;
end;

create trigger student_documents_removed after delete on student_documents begin
    update documents_total set bytes = bytes - old.size_bytes where id = 1;
end;
