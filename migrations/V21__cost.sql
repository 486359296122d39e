-- A request looks for an earlier one of the same student and course, whatever became of it; the index by
-- course alone led it past everybody who ever took the course. It serves the student's own list, too.
create index enrollments_student_course on enrollments (student_id, course_id);
drop index if exists enrollments_student;

-- Housekeeping forgets links that have run out, once an hour, without looking at all the others.
create index student_tokens_expiry on student_tokens (expires_at);
