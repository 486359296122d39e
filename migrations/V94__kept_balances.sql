-- What each student owes, kept, because the list of all balances and its figures would read the whole ledger. `balances`
-- stays the truth: what is kept is computed from it again, for each student whose money has changed, before the commit
-- (src/fees/kept.rs). Nothing that is kept depends on the day.
create table student_balances (
    student_id integer primary key references students (id) on delete cascade,
    -- The student's name, folded: the order of the list.
    name text not null,
    due_cents integer not null,
    credit_cents integer not null,
    unapplied_cents integer not null,
    balance_cents integer not null,
    admission_due_cents integer not null,
    last_payment_on text,
    -- What is owed on enrollments, the earliest day first: [["2026-12-01", 50000], …]; of a charge without a day, the
    -- second at which it was posted.
    rests text not null check (json_valid(rests))
) strict;

create index student_balances_name on student_balances (name);

-- The same of all students.
create table balance_totals (
    id integer primary key check (id = 1),
    due_cents integer not null,
    credit_cents integer not null,
    unapplied_cents integer not null,
    admission_due_cents integer not null,
    -- The newest instant at which anything was posted that is in the balances.
    posted_at integer not null
) strict;

create table owed_days (
    day any primary key,
    cents integer not null
) strict, without rowid;

create trigger student_balances_add after insert on student_balances begin
    update balance_totals set due_cents = due_cents + new.due_cents, credit_cents = credit_cents + new.credit_cents,
        unapplied_cents = unapplied_cents + new.unapplied_cents,
        admission_due_cents = admission_due_cents + new.admission_due_cents;
    insert into owed_days (day, cents) select value ->> 0, value ->> 1 from json_each(new.rests) where true
    on conflict (day) do update set cents = cents + excluded.cents;
end;

create trigger student_balances_subtract after delete on student_balances begin
    update balance_totals set due_cents = due_cents - old.due_cents, credit_cents = credit_cents - old.credit_cents,
        unapplied_cents = unapplied_cents - old.unapplied_cents,
        admission_due_cents = admission_due_cents - old.admission_due_cents;
    insert into owed_days (day, cents) select value ->> 0, -(value ->> 1) from json_each(old.rests) where true
    on conflict (day) do update set cents = cents + excluded.cents;
    delete from owed_days where cents = 0 and day in (select value ->> 0 from json_each(old.rests));
end;

create trigger student_balances_change after update on student_balances begin
    update balance_totals set due_cents = due_cents + new.due_cents - old.due_cents,
        credit_cents = credit_cents + new.credit_cents - old.credit_cents,
        unapplied_cents = unapplied_cents + new.unapplied_cents - old.unapplied_cents,
        admission_due_cents = admission_due_cents + new.admission_due_cents - old.admission_due_cents;
    insert into owed_days (day, cents)
    select value ->> 0, value ->> 1 from json_each(new.rests)
    union all select value ->> 0, -(value ->> 1) from json_each(old.rests) where true
    on conflict (day) do update set cents = cents + excluded.cents;
    delete from owed_days where cents = 0 and day in (select value ->> 0 from json_each(old.rests));
end;

-- Students whose row is to be computed, and when what was posted last.
create table stale_balances (
    student_id integer primary key,
    posted_at integer not null
) strict;

create trigger enrollments_ledger_makes_stale after insert on ledger when new.enrollment_id is not null begin
    insert into stale_balances (student_id, posted_at)
    select student_id, new.created_at from enrollments where id = new.enrollment_id
    on conflict (student_id) do update set posted_at = max(posted_at, excluded.posted_at);
end;

create trigger admissions_ledger_makes_stale after insert on ledger when new.admission_id is not null begin
    insert into stale_balances (student_id, posted_at)
    select q.student_id, new.created_at from admissions a cross join admission_requests q on q.id = a.request_id
    where a.id = new.admission_id and q.student_id is not null
    on conflict (student_id) do update set posted_at = max(posted_at, excluded.posted_at);
end;

create trigger payments_make_stale after insert on payments begin
    insert into stale_balances (student_id, posted_at)
    select student_id, new.created_at from (
        select coalesce(new.student_id, (select student_id from admission_requests where id = new.request_id)) as student_id)
    where student_id is not null
    on conflict (student_id) do update set posted_at = max(posted_at, excluded.posted_at);
end;

create trigger payouts_make_stale after insert on payouts begin
    insert into stale_balances (student_id, posted_at) values (new.student_id, new.created_at)
    on conflict (student_id) do update set posted_at = max(posted_at, excluded.posted_at);
end;

create trigger instalments_make_stale after insert on instalments begin
    insert into stale_balances (student_id, posted_at)
    select student_id, new.created_at from enrollments where id = new.enrollment_id
    on conflict (student_id) do update set posted_at = max(posted_at, excluded.posted_at);
end;

create trigger ended_instalments_make_stale after update of ended_at on instalments begin
    insert into stale_balances (student_id, posted_at)
    select student_id, new.ended_at from enrollments where id = new.enrollment_id
    on conflict (student_id) do update set posted_at = max(posted_at, excluded.posted_at);
end;

-- An account that was merged goes on as another, and an application becomes a student's: a past report changes as well.
create trigger moved_enrollments_make_stale after update of student_id on enrollments begin
    insert into stale_balances (student_id, posted_at) values (old.student_id, 0), (new.student_id, 0)
    on conflict (student_id) do nothing;
end;

create trigger moved_applications_make_stale after update of student_id on admission_requests begin
    insert into stale_balances (student_id, posted_at)
    select value, 0 from json_each(json_array(old.student_id, new.student_id)) where value is not null
    on conflict (student_id) do nothing;
end;

create trigger students_make_stale after update of full_name, merged_into on students
when new.full_name is not old.full_name or new.merged_into is not old.merged_into begin
    insert into stale_balances (student_id, posted_at) values (new.id, 0) on conflict (student_id) do nothing;
end;

insert into balance_totals (id, due_cents, credit_cents, unapplied_cents, admission_due_cents, posted_at)
select 1, 0, 0, 0, 0, coalesce(max(at), 0) from (
    select max(created_at) as at from ledger union all select max(created_at) from payments
    union all select max(created_at) from payouts
    union all select max(max(created_at, coalesce(ended_at, 0))) from instalments);

insert into stale_balances (student_id, posted_at) select id, 0 from students;

-- What was received in each month, without what was reversed.
create table received_months (
    month text primary key,
    cents integer not null
) strict, without rowid;

insert into received_months (month, cents)
select substr(received_on, 1, 7), sum(amount_cents) from payments p
where reverses_id is null and not exists (select 1 from payments r where r.reverses_id = p.id) group by 1;

create trigger received_months_change after insert on payments begin
    insert into received_months (month, cents)
    select substr(p.received_on, 1, 7), iif(new.reverses_id is null, p.amount_cents, -p.amount_cents)
    from payments p where p.id = coalesce(new.reverses_id, new.id)
    on conflict (month) do update set cents = cents + excluded.cents;
end;
