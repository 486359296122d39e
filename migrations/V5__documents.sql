create table student_documents (
    id integer primary key,
    student_id integer not null references students (id),
    document_type text not null check (document_type in
        ('government_id', 'transcript', 'proof_of_address', 'health_insurance', 'other')),
    -- Relative to the data folder: documents/ab/<sha256>. The file is whole before the row exists.
    document_path text not null,
    sha256 text not null check (length(sha256) = 64),
    -- What the content is, never what its name claims.
    content_type text not null check (content_type in ('application/pdf', 'image/jpeg', 'image/png')),
    size_bytes integer not null check (size_bytes between 1 and 10485760),
    original_name text not null,
    status text not null default 'pending_review'
        check (status in ('pending_review', 'accepted', 'rejected', 'superseded', 'expired')),
    reason text,
    expires_on text check (expires_on is date(expires_on)),
    uploaded_at integer not null
) strict;

create index student_documents_student on student_documents (student_id, uploaded_at);
create index student_documents_sha256 on student_documents (sha256);
