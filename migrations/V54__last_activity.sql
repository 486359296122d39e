-- A visit is written once an hour; what a student does counts at its own time.
create trigger students_uploaded after insert on student_documents when new.uploaded_by is null
begin
    update students set last_activity_at = max(coalesce(last_activity_at, 0), new.uploaded_at)
    where id = new.student_id;
end;

create trigger students_decided after insert on enrollment_events when new.actor_kind = 'student'
begin
    update students set last_activity_at = max(coalesce(last_activity_at, 0), new.at)
    where id = (select student_id from enrollments where id = new.enrollment_id);
end;

create trigger students_changed_themselves after insert on student_history when new.actor_kind = 'student'
begin
    update students set last_activity_at = max(coalesce(last_activity_at, 0), new.at)
    where id = new.student_id;
end;

-- An account that the office made, and that was never visited, has no activity of its student.
update students set last_activity_at = null
where origin = 'office' and last_activity_at = created_at
    and not exists (select 1 from sessions where kind = 'student' and subject_id = students.id);
