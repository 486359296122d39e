-- A student who corrects a fact again goes on with the last row of its field: the value before stays, the one after is
-- the newest. Rows of others, of other fields and older rows of the field stay as they are; values may be blanked.
drop trigger student_history_is_never_edited;
create trigger student_history_is_never_edited before update on student_history
when new.id <> old.id or new.student_id <> old.student_id or new.at <> old.at or new.actor_kind <> old.actor_kind
    or new.user_id is not old.user_id or new.field <> old.field or new.reason is not old.reason
    or (new.before is not null or new.after is not null)
        and (new.before is not old.before or old.actor_kind <> 'student' or old.after is null
            or exists (select 1 from student_history h
                where h.student_id = old.student_id and h.at >= old.at and h.id > old.id and h.field = old.field))
begin select raise(abort, 'the history of a student is append-only'); end;
