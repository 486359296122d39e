-- Every index costs each row that is written. The nightly sweep of who asked finds its rows in `outbox_asker`, which
-- holds those of the last days and nothing else.
drop index outbox_asked;

-- Only what waits for a seat has a place in the line. The state stays in front, for the order of the office's list.
drop index enrollments_line;
create index enrollments_line on enrollments (status, waitlisted_at, id) where status = 'waitlisted';
