-- What was done, in a word: two transitions between the same states are not the same thing. And why
-- the office decided although something was missing.
drop trigger enrollment_events_are_never_edited;
alter table enrollment_events add column verb text;
alter table enrollment_events add column overrides text check (json_valid(overrides));

update enrollment_events set verb = case
    when undoes_id is not null then 'undo'
    when from_status is null then 'request'
    when to_status = 'active' then 'approve'
    when to_status = 'declined' then 'decline'
    when to_status = 'waitlisted' then 'waitlist'
    when to_status = 'withdrawn' then 'withdraw'
    when to_status = 'completed' then 'complete'
    else 'reopen'
end;

create trigger enrollment_events_are_never_edited before update on enrollment_events
begin select raise(abort, 'the events of an enrollment are append-only'); end;

-- The office's list of enrollments, by state: what it is sorted by when it is long. Requests and the
-- line have theirs since V4 and V25.
create index enrollments_start on enrollments (status, start_date, id);
create index enrollments_end on enrollments (status, end_date, id);
create index enrollments_line on enrollments (status, waitlisted_at, id);
create index enrollments_decided on enrollments (decided_at, id);
create index enrollments_created on enrollments (created_at, id);
create index students_full_name on students (full_name collate nocase, id);
create index courses_by_code on courses (code, id);
