-- Documents that a family sends with its application, before there is a student.
create table admission_documents (
    id integer primary key,
    request_id integer not null references admission_requests (id) on delete cascade,
    document_type text not null check (document_type in
        ('government_id', 'transcript', 'proof_of_address', 'health_insurance', 'study_permit', 'custodianship',
         'immunization', 'iep', 'other')),
    label text check (length(label) between 1 and 100),
    -- As those of students: the file is whole before the row exists.
    document_path text not null,
    sha256 text not null check (length(sha256) = 64),
    key_id text check (length(key_id) = 16),
    content_mac blob check (length(content_mac) = 32 and (content_mac is null) = (key_id is null)),
    content_type text not null check (content_type in ('application/pdf', 'image/jpeg', 'image/png')),
    size_bytes integer not null check (size_bytes between 1 and 10485760),
    original_name text not null,
    was_signed integer not null default 0 check (was_signed in (0, 1)),
    uploaded_at integer not null,
    -- The document of the student whom the application was linked to: the same file.
    moved_to integer references student_documents (id) on delete set null
) strict;

create index admission_documents_request on admission_documents (request_id, id);
create index admission_documents_sha256 on admission_documents (sha256);
create index admission_documents_key on admission_documents (key_id);
create index admission_documents_moved on admission_documents (moved_to) where moved_to is not null;

-- A file is counted for the student once it is one of theirs.
create trigger admission_documents_added after insert on admission_documents begin
    update documents_total set bytes = bytes + new.size_bytes where id = 1;
end;

create trigger admission_documents_removed after delete on admission_documents begin
    update documents_total set bytes = bytes - old.size_bytes where id = 1;
end;

-- Every file that a row refers to, as backups and checks of the disk look at it. The numbers of applications'
-- documents are negative here.
create view stored_documents as
select id, document_path, sha256, key_id, size_bytes, fault from student_documents
union all
select -id, document_path, sha256, key_id, size_bytes, null from admission_documents;
