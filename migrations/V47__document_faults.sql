-- What is wrong with the file of a document: it is not on the disk, it is not what was stored, or the office has
-- given it up.
alter table student_documents add column fault text check (fault in ('missing', 'changed', 'written_off'));

create index student_documents_fault on student_documents (fault) where fault is not null;
