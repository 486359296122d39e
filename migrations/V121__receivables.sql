-- A family's money is one figure: admission fees age like those of courses, and what lies on account covers what is due,
-- in the order in which it would be applied, unless the office has set it aside for something else.

-- What lies on account for a purpose; a new one ends the one before, which stays, for reports of a past day.
create table account_holds (
    id integer primary key,
    student_id integer not null references students (id) on delete cascade,
    -- Up to how much of what lies on account.
    amount_cents integer not null check (amount_cents between 1 and 9999999999),
    -- What for, in the office's words.
    held_for text not null check (length(held_for) between 1 and 500),
    -- The day on which the office looks at it again.
    until_on text not null check (until_on is date(until_on)),
    created_by integer references users (id),
    created_at integer not null,
    ended_at integer
) strict;

create unique index account_holds_live on account_holds (student_id) where ended_at is null;
create index account_holds_until on account_holds (until_on) where ended_at is null;
create index account_holds_student on account_holds (student_id);

create trigger new_holds_make_stale after insert on account_holds begin
    insert into stale_balances (student_id, posted_at) values (new.student_id, new.created_at)
    on conflict (student_id) do update set posted_at = max(posted_at, excluded.posted_at);
end;

create trigger ended_holds_make_stale after update of ended_at on account_holds begin
    insert into stale_balances (student_id, posted_at) values (new.student_id, new.ended_at)
    on conflict (student_id) do update set posted_at = max(posted_at, excluded.posted_at);
end;

-- `rests` has what is owed on admissions, too, less what is covered.
alter table student_balances add column covered_cents integer not null default 0;
-- What lies on account and is not set aside.
alter table student_balances add column free_cents integer not null default 0;
alter table balance_totals add column covered_cents integer not null default 0;

create index student_balances_free on student_balances (free_cents) where free_cents > 0;

drop trigger student_balances_add;
drop trigger student_balances_subtract;
drop trigger student_balances_change;

create trigger student_balances_add after insert on student_balances begin
    update balance_totals set due_cents = due_cents + new.due_cents, credit_cents = credit_cents + new.credit_cents,
        unapplied_cents = unapplied_cents + new.unapplied_cents,
        admission_due_cents = admission_due_cents + new.admission_due_cents,
        covered_cents = covered_cents + new.covered_cents;
    insert into owed_days (day, cents) select value ->> 0, value ->> 1 from json_each(new.rests) where true
    on conflict (day) do update set cents = cents + excluded.cents;
end;

create trigger student_balances_subtract after delete on student_balances begin
    update balance_totals set due_cents = due_cents - old.due_cents, credit_cents = credit_cents - old.credit_cents,
        unapplied_cents = unapplied_cents - old.unapplied_cents,
        admission_due_cents = admission_due_cents - old.admission_due_cents,
        covered_cents = covered_cents - old.covered_cents;
    insert into owed_days (day, cents) select value ->> 0, -(value ->> 1) from json_each(old.rests) where true
    on conflict (day) do update set cents = cents + excluded.cents;
    delete from owed_days where cents = 0 and day in (select value ->> 0 from json_each(old.rests));
end;

create trigger student_balances_change after update on student_balances begin
    update balance_totals set due_cents = due_cents + new.due_cents - old.due_cents,
        credit_cents = credit_cents + new.credit_cents - old.credit_cents,
        unapplied_cents = unapplied_cents + new.unapplied_cents - old.unapplied_cents,
        admission_due_cents = admission_due_cents + new.admission_due_cents - old.admission_due_cents,
        covered_cents = covered_cents + new.covered_cents - old.covered_cents;
    insert into owed_days (day, cents)
    select value ->> 0, value ->> 1 from json_each(new.rests)
    union all select value ->> 0, -(value ->> 1) from json_each(old.rests) where true
    on conflict (day) do update set cents = cents + excluded.cents;
    delete from owed_days where cents = 0 and day in (select value ->> 0 from json_each(old.rests));
end;

insert into stale_balances (student_id, posted_at) select id, 0 from students where true
on conflict (student_id) do nothing;
