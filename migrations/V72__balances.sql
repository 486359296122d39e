-- Money has one truth: `entries` says what each row of the ledger is worth, `balances` what each enrollment and each
-- admission comes to, `student_entries` what adds up to a student's balance. Nothing else adds up money.

-- What was paid back: of what lies on account, or of what was paid for an item (with the ledger's refund).
create table payouts (
    id integer primary key,
    student_id integer not null references students (id),
    -- The payment that it is paid back from.
    payment_id integer references payments (id),
    -- Or the refund in the ledger.
    ledger_id integer references ledger (id),
    amount_cents integer not null check (amount_cents between 1 and 9999999999),
    method text not null check (method in ('e_transfer', 'cheque', 'cash', 'card', 'wire', 'online', 'other')),
    reference text check (length(reference) between 1 and 200),
    paid_on text not null check (paid_on is date(paid_on)),
    reason text not null,
    created_by integer references users (id),
    created_at integer not null,
    -- The payout that a reversal takes back; each can be taken back once.
    reverses_id integer references payouts (id),
    check ((payment_id is null) <> (ledger_id is null))
) strict;

create unique index payouts_reversal on payouts (reverses_id) where reverses_id is not null;
create index payouts_student on payouts (student_id);
create index payouts_payment on payouts (payment_id) where payment_id is not null;
create index payouts_ledger on payouts (ledger_id) where ledger_id is not null;

create trigger payouts_are_never_edited before update on payouts
begin select raise(abort, 'payouts are append-only'); end;

create trigger payouts_are_never_deleted before delete on payouts
begin select raise(abort, 'payouts are append-only'); end;

-- In how many parts an enrollment is paid. A new plan ends the one before, which stays, for reports of a past day.
create table instalments (
    id integer primary key,
    enrollment_id integer not null references enrollments (id),
    n integer not null check (n between 1 and 24),
    due_on text not null check (due_on is date(due_on)),
    amount_cents integer not null check (amount_cents between 1 and 9999999999),
    -- The newest entry of the ledger when the plan was made: what was charged later is not in it.
    after_ledger_id integer not null,
    created_by integer references users (id),
    created_at integer not null,
    ended_at integer
) strict;

create index instalments_enrollment on instalments (enrollment_id);

create trigger instalments_are_never_edited before update on instalments
when old.ended_at is not null or new.id is not old.id or new.enrollment_id is not old.enrollment_id
    or new.n is not old.n or new.due_on is not old.due_on or new.amount_cents is not old.amount_cents
    or new.after_ledger_id is not old.after_ledger_id or new.created_by is not old.created_by
    or new.created_at is not old.created_at
begin select raise(abort, 'instalments are append-only'); end;

create trigger instalments_are_never_deleted before delete on instalments
begin select raise(abort, 'instalments are append-only'); end;

-- What a family writes into the message of an e-Transfer: four characters and a check character, of Crockford's 32.
-- The school's letters stand before it where it is shown. It is the number of the row, scrambled; a row outlives its
-- account, so that no code is used again. The check character is the sum of the others with odd weights: each wrong
-- character changes it.
create table payment_codes (
    id integer primary key check (id < 33554432),
    student_id integer unique references students (id) on delete set null,
    code text not null generated always as (
        iif(id >> 20 > 0, substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (id >> 20), 1), '')
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (((id * 424289 + 730387) & 1048575) >> 15 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (((id * 424289 + 730387) & 1048575) >> 10 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (((id * 424289 + 730387) & 1048575) >> 5 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (((id * 424289 + 730387) & 1048575) >> 0 & 31), 1)
        || substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + ((11 * (id >> 20)
            + 3 * (((id * 424289 + 730387) & 1048575) >> 15 & 31) + 5 * (((id * 424289 + 730387) & 1048575) >> 10 & 31)
            + 7 * (((id * 424289 + 730387) & 1048575) >> 5 & 31) + 9 * (((id * 424289 + 730387) & 1048575) >> 0 & 31)) & 31), 1)
    ) virtual unique
) strict;

create trigger students_get_a_payment_code after insert on students
begin insert into payment_codes (student_id) values (new.id); end;

insert into payment_codes (student_id) select id from students order by id;

-- What is left of each payment: on account until it is applied or paid back. Of one that was reversed, nothing.
drop view student_entries;
drop view payments_held;

create view payments_held as
select p.id, r.id is not null as is_reversed, iif(r.id is not null, 0, p.amount_cents - coalesce((
        select sum(part.amount_cents) from ledger part
        where part.payment_id = p.id and not exists (select 1 from ledger undo where undo.reverses_id = part.id)
    ), 0) - coalesce((
        select sum(out.amount_cents) from payouts out
        where out.payment_id = p.id and out.reverses_id is null
            and not exists (select 1 from payouts undo where undo.reverses_id = out.id)
    ), 0)) as unapplied_cents
from payments p left join payments r on r.reverses_id = p.id
where p.reverses_id is null;

-- What a row of the ledger is worth: `kind` is what it counts as, and a reversal takes from what it undoes.
create view entries as
select l.id, l.enrollment_id, l.admission_id, coalesce(undone.kind, l.kind) as kind,
    iif(l.kind = 'reversal', -l.amount_cents, l.amount_cents) as cents, l.created_at
from ledger l left join ledger undone on undone.id = l.reverses_id;

create view enrollment_balances as
select e.student_id, e.id as enrollment_id, sum(iif(x.kind = 'charge', x.cents, 0)) as charged,
    sum(iif(x.kind = 'waiver', x.cents, 0)) as waived, sum(iif(x.kind = 'payment', x.cents, 0)) as paid,
    sum(iif(x.kind = 'refund', x.cents, 0)) as refunded,
    sum(iif(x.kind in ('charge', 'refund'), x.cents, -x.cents)) as balance, min(x.id) as first_id
from enrollments e cross join entries x on x.enrollment_id = e.id
group by e.student_id, e.id;

create view admission_balances as
select q.student_id, q.id as request_id, a.id as admission_id, sum(iif(x.kind = 'charge', x.cents, 0)) as charged,
    sum(iif(x.kind = 'waiver', x.cents, 0)) as waived, sum(iif(x.kind = 'payment', x.cents, 0)) as paid,
    sum(iif(x.kind = 'refund', x.cents, 0)) as refunded,
    sum(iif(x.kind in ('charge', 'refund'), x.cents, -x.cents)) as balance, min(x.id) as first_id
from admission_requests q join admissions a on a.request_id = q.id cross join entries x on x.admission_id = a.id
group by q.student_id, q.id, a.id;

-- The one truth: what each item of a student or of a family comes to. What is due is never netted against the credit of
-- another item, or against what lies on account.
create view balances as
select student_id, null as request_id, enrollment_id, null as admission_id, charged, waived, paid, refunded, balance,
    max(0, balance) as due, max(0, -balance) as credit, first_id
from enrollment_balances
union all
select student_id, request_id, null, admission_id, charged, waived, paid, refunded, balance, max(0, balance),
    max(0, -balance), first_id
from admission_balances;

-- What is to be paid by when: charges, and the parts of a plan. `ended_at`: since when it no longer is.
create view dues as
select e.student_id, null as request_id, l.enrollment_id, null as admission_id, l.id as ledger_id, null as n, l.due_on,
    l.amount_cents, l.created_at, undo.created_at as ended_at
from enrollments e cross join ledger l on l.enrollment_id = e.id left join ledger undo on undo.reverses_id = l.id
where l.kind = 'charge'
union all
select q.student_id, q.id, null, l.admission_id, l.id, null, l.due_on, l.amount_cents, l.created_at, undo.created_at
from admission_requests q cross join admissions a on a.request_id = q.id cross join ledger l on l.admission_id = a.id
    left join ledger undo on undo.reverses_id = l.id
where l.kind = 'charge'
union all
select e.student_id, null, i.enrollment_id, null, i.after_ledger_id, i.n, i.due_on, i.amount_cents, i.created_at, i.ended_at
from enrollments e cross join instalments i on i.enrollment_id = e.id;

-- What adds up to a student's balance: the items, less what is on account.
create view student_entries as
select student_id, balance as cents from enrollment_balances
union all
select student_id, balance from admission_balances where student_id is not null
union all
select p.student_id, -h.unapplied_cents from student_payments p cross join payments_held h on h.id = p.id;

-- The dashboard's card is kept as a sum of the view: to sum it up takes 19 ms at 5,000 students, and 115 ms at 50,000.
drop trigger total_due_changes;

create trigger total_due_changes after insert on ledger when new.enrollment_id is not null begin
    update total_due set cents = cents + (
        select max(0, b.balance) - max(0, b.balance - iif(x.kind in ('charge', 'refund'), x.cents, -x.cents))
        from enrollment_balances b cross join entries x on x.id = new.id where b.enrollment_id = new.enrollment_id
    );
end;
