-- What leaving a course costs by which day, as the school decided it. A change is another version, so that what was
-- proposed can always be explained.
create table refund_policies (
    id integer primary key,
    name text not null check (length(name) between 1 and 100),
    -- For residents of these provinces; null: for all others.
    provinces text check (json_type(provinces) = 'array'),
    -- For requests from this day on.
    effective_on text not null check (effective_on is date(effective_on)),
    -- [{"until": "start+5sd", "percent": 100, "keep": 10000}]: what is forgiven until when, less what is kept in cents.
    rules text not null check (json_type(rules) = 'array'),
    created_by integer references users (id),
    created_at integer not null
) strict;

create trigger refund_policies_are_never_edited before update on refund_policies
begin select raise(abort, 'refund policies are append-only'); end;

create trigger refund_policies_are_never_deleted before delete on refund_policies
begin select raise(abort, 'refund policies are append-only'); end;

-- What the office has to do by a day.
create table tasks (
    id integer primary key,
    -- Money is to be paid back to the student of an enrollment.
    kind text not null check (kind in ('refund_due')),
    enrollment_id integer not null references enrollments (id),
    amount_cents integer not null check (amount_cents between 1 and 9999999999),
    -- When the student gave notice, and by when it is to be done.
    notice_on text not null check (notice_on is date(notice_on)),
    due_on text not null check (due_on is date(due_on)),
    decision_id text references decisions (id),
    created_by integer references users (id),
    created_at integer not null,
    -- When, by whom and how it was closed: paid back; settled in another way, with the reason; its decision undone.
    done_at integer,
    done_by integer references users (id),
    done_as text check (done_as in ('paid', 'settled', 'undone')),
    note text,
    check ((done_at is null) = (done_as is null)),
    check ((note is not null) = (done_as is 'settled'))
) strict;

create index tasks_open on tasks (kind, due_on) where done_at is null;
create index tasks_enrollment on tasks (enrollment_id);
create index tasks_decision on tasks (decision_id) where decision_id is not null;

-- Towards which task money was paid back.
alter table payouts add column task_id integer references tasks (id);
create index payouts_task on payouts (task_id) where task_id is not null;

-- A task is closed by what is paid back towards it, and open again once that is taken back.
create trigger payouts_close_tasks after insert on payouts when new.task_id is not null and new.reverses_id is null begin
    update tasks set done_at = new.created_at, done_by = new.created_by, done_as = 'paid'
    where id = new.task_id and done_at is null and amount_cents <= (
        select sum(o.amount_cents) from payouts o
        where o.task_id = new.task_id and o.reverses_id is null
            and not exists (select 1 from payouts undo where undo.reverses_id = o.id));
end;

create trigger payouts_open_tasks after insert on payouts when new.reverses_id is not null begin
    update tasks set done_at = null, done_by = null, done_as = null
    where id = (select task_id from payouts where id = new.reverses_id) and done_as = 'paid';
end;
