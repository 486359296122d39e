-- Who takes a seat of a course, or may be offered one, by the days on which. A student who leaves on a later day
-- takes the seat until the day before.
drop index enrollments_taken;
create index enrollments_taken on enrollments (course_id, end_date, start_date, status, offered_until, withdrawn_on)
    where status in ('active', 'waitlisted') or (status = 'withdrawn' and withdrawn_on > start_date);
