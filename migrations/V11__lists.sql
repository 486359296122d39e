-- The office's lists are read newest first, a page at a time. An index ends with the row's id, so
-- that rows of the same second have their order in it too. Pending enrollments, and messages and
-- requests in one state, have theirs since V4, V6 and V7.
create index student_documents_uploaded on student_documents (uploaded_at);
create index contact_messages_created on contact_messages (created_at);
create index admission_requests_created on admission_requests (created_at);
