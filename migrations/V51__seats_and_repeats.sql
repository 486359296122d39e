-- Who takes a seat of a course, or may be offered one, by the days on which: a seat is taken from the first
-- to the last day of an enrollment, and of one that has ended no longer.
create index enrollments_taken on enrollments (course_id, end_date, start_date, status, offered_until)
    where status in ('active', 'waitlisted');

-- The completed attempts at a course that have a better mark than another of the same student, which earns
-- no credit beside them: a course is the first five characters of its code. Of equal marks the first counts.
create view better_attempts as
select e.id, b.id as better_id, b.final_mark as better_mark
from enrollments e cross join enrollments b on b.student_id = e.student_id and +b.status = 'completed' and b.id <> e.id
    join courses c on c.id = e.course_id
    join courses bc on bc.id = b.course_id and substr(bc.code, 1, 5) = substr(c.code, 1, 5)
where e.status = 'completed'
    and (coalesce(b.final_mark, -1), -b.id) > (coalesce(e.final_mark, -1), -e.id);
