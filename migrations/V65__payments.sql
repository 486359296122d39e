-- Payments and their receipts, both append-only; what the ledger knows of a payment; and answers that are kept for a
-- call that is sent twice.

create table payments (
    id integer primary key,
    -- Of a student, or of a family whose application has no student yet.
    student_id integer references students (id),
    request_id integer references admission_requests (id),
    amount_cents integer not null check (amount_cents between 1 and 9999999999),
    method text not null check (method in ('e_transfer', 'cheque', 'cash', 'card', 'wire', 'online', 'other')),
    reference text check (length(reference) between 1 and 200),
    payer_name text check (length(payer_name) between 1 and 200),
    received_on text not null check (received_on is date(received_on)),
    deposited_on text check (deposited_on is date(deposited_on)),
    -- Of a reversal: why.
    note text,
    created_by integer references users (id),
    created_at integer not null,
    -- The payment that a reversal takes back; each can be taken back once.
    reverses_id integer references payments (id),
    idempotency_key text,
    check ((student_id is null) <> (request_id is null)),
    check ((reverses_id is null) = (note is null)),
    unique (created_by, idempotency_key)
) strict;

create unique index payments_reversal on payments (reverses_id) where reverses_id is not null;
create index payments_student on payments (student_id) where student_id is not null;
create index payments_request on payments (request_id) where request_id is not null;
-- The list, whole, by day, by method, and both.
create index payments_received on payments (received_on, id) where reverses_id is null;
create index payments_method on payments (method, received_on, id) where reverses_id is null;

create trigger payments_are_never_edited before update on payments
when new.id is not old.id or new.student_id is not old.student_id or new.request_id is not old.request_id
    or new.amount_cents is not old.amount_cents or new.method is not old.method
    or new.reference is not old.reference or new.payer_name is not old.payer_name
    or new.received_on is not old.received_on or new.note is not old.note or new.created_by is not old.created_by
    or new.created_at is not old.created_at or new.reverses_id is not old.reverses_id
    or new.idempotency_key is not old.idempotency_key
begin select raise(abort, 'payments are append-only'); end;

create trigger payments_are_never_deleted before delete on payments
begin select raise(abort, 'payments are append-only'); end;

create table receipts (
    id integer primary key,
    -- The year of issue and a number without gaps in it: 2026-000123.
    number text not null unique check (number glob '[0-9][0-9][0-9][0-9]-[0-9][0-9][0-9][0-9][0-9][0-9]*'),
    payment_id integer not null unique references payments (id),
    issued_at integer not null,
    -- What it says, as it was when it was issued.
    body_json text not null check (json_valid(body_json)),
    voided_at integer,
    void_reason text,
    check ((voided_at is null) = (void_reason is null))
) strict;

create trigger receipts_are_never_edited before update on receipts
when new.id is not old.id or new.number is not old.number or new.payment_id is not old.payment_id
    or new.issued_at is not old.issued_at or new.body_json is not old.body_json or old.voided_at is not null
begin select raise(abort, 'receipts are append-only'); end;

create trigger receipts_are_never_deleted before delete on receipts
begin select raise(abort, 'receipts are append-only'); end;

-- The next number of each kind in each year at the school, taken in the transaction that uses it.
create table counters (
    name text not null,
    year integer not null,
    next integer not null check (next > 0),
    primary key (name, year)
) strict, without rowid;

create trigger counters_leave_no_gap before update on counters
when new.name <> old.name or new.year <> old.year or new.next <> old.next + 1
begin select raise(abort, 'a number is neither left out nor used twice'); end;

-- What a call with an Idempotency-Key was answered.
create table idempotency (
    user_id integer not null references users (id) on delete cascade,
    key text not null,
    -- SHA-256 of address and body.
    request_hash blob not null check (length(request_hash) = 32),
    response text not null,
    created_at integer not null,
    primary key (user_id, key)
) strict, without rowid;

create index idempotency_created on idempotency (created_at);

alter table ledger add column description text;
-- The payment that a row of the kind payment is a part of.
alter table ledger add column payment_id integer references payments (id);
-- The tax contained in the amount.
alter table ledger add column tax_cents integer not null default 0 check (tax_cents >= 0);
alter table ledger add column item text check (item in ('course', 'admission', 'deposit', 'material', 'late', 'other'));

create index ledger_payment on ledger (payment_id) where payment_id is not null;

-- What is left of each payment: on account until it is applied. Of one that was reversed, nothing.
create view payments_held as
select p.id, r.id is not null as is_reversed, iif(r.id is not null, 0, p.amount_cents - coalesce((
        select sum(part.amount_cents) from ledger part
        where part.payment_id = p.id and not exists (select 1 from ledger undo where undo.reverses_id = part.id)
    ), 0)) as unapplied_cents
from payments p left join payments r on r.reverses_id = p.id
where p.reverses_id is null;

-- Whose payments they are: an account that was merged goes on as another.
create view student_payments as
select p.id, p.student_id from payments p cross join students s on s.id = p.student_id
where s.merged_into is null and p.reverses_id is null
union all
select p.id, s.merged_into from students s cross join payments p on p.student_id = s.id
where s.merged_into is not null and p.reverses_id is null;

-- What adds up to a student's balance: the entries of what is owed, and what is on account.
create view student_entries as
select e.student_id, l.amount_cents * iif(l.kind = 'reversal', -1, 1)
        * iif(coalesce(undone.kind, l.kind) in ('charge', 'refund'), 1, -1) as cents
from enrollments e cross join ledger l on l.enrollment_id = e.id left join ledger undone on undone.id = l.reverses_id
union all
select p.student_id, -h.unapplied_cents from student_payments p cross join payments_held h on h.id = p.id;
