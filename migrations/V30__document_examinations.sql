-- Whether somebody looked into the file (src/documents/examine). Those of before wait for
-- housekeeping, and are not opened in a browser until then.
alter table student_documents add column examination text not null default 'waiting'
    check (examination in ('waiting', 'passed', 'refused'));

create index student_documents_unexamined on student_documents (id) where examination = 'waiting';

-- A picture that is written anew has another size.
create trigger student_documents_resized after update of size_bytes on student_documents begin
    update documents_total set bytes = bytes - old.size_bytes + new.size_bytes where id = 1;
end;
