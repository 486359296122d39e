-- Who takes a seat of a course, or may be offered one, by the days on which: a seat is taken from the first
-- to the last day of an enrollment, and of one that has ended no longer.
create index enrollments_taken on enrollments (course_id, end_date, start_date, status, offered_until)
    where status in ('active', 'waitlisted');

