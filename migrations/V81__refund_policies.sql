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
    -- When it was settled in another way than by paying, or its decision was undone; and why.
    done_at integer,
    done_by integer references users (id),
    note text,
    check ((done_at is null) = (note is null))
) strict;

create index tasks_open on tasks (enrollment_id, due_on) where done_at is null;
create index tasks_decision on tasks (decision_id) where decision_id is not null;

-- Towards which task money was paid back.
alter table payouts add column task_id integer references tasks (id);
create index payouts_task on payouts (task_id) where task_id is not null;

-- What is still to be paid back, of what there is to pay it from: what was paid for the enrollment beyond what it costs,
-- and what lies on account. It is none once it was paid back or applied to something else, and again once that is undone.
create view refunds_due as
select t.id, t.enrollment_id, e.student_id, e.course_id, t.notice_on, t.due_on, t.created_at, min(t.amount_cents - coalesce((
        select sum(o.amount_cents) from payouts o
        where o.task_id = t.id and o.reverses_id is null
            and not exists (select 1 from payouts undo where undo.reverses_id = o.id)
    ), 0), coalesce((
        select max(0, -b.balance) from enrollment_balances b where b.enrollment_id = t.enrollment_id
    ), 0) + coalesce((
        select sum(h.unapplied_cents) from student_payments p cross join payments_held h on h.id = p.id
        where p.student_id = e.student_id
    ), 0)) as left_cents
from tasks t indexed by tasks_open cross join enrollments e on e.id = t.enrollment_id
where t.done_at is null;
