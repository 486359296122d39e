-- Who of the staff uploaded a document in the place of its student; null when the student did.
alter table student_documents add column uploaded_by integer references users (id);
