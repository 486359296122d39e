-- Whether the file as it was uploaded carried a digital signature, which does not survive the examination.
alter table student_documents add column was_signed integer not null default 0 check (was_signed in (0, 1));

-- PDFs were kept as they came, or refused for what is left out today.
update student_documents set examination = 'waiting' where content_type = 'application/pdf';
