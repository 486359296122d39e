-- Invoices: frozen when they are issued, numbered without gaps in each year, and cancelled by a credit note. They move
-- no money.

create table invoices (
    id integer primary key,
    number text not null unique check (number glob 'INV-[0-9][0-9][0-9][0-9]-[0-9][0-9][0-9][0-9][0-9][0-9]*'),
    student_id integer not null references students (id),
    issued_on text not null check (issued_on is date(issued_on)),
    due_on text not null check (due_on is date(due_on)),
    -- What it says, as it was when it was issued.
    body_json text not null check (json_valid(body_json)),
    total_cents integer not null check (total_cents > 0),
    created_by integer references users (id),
    created_at integer not null,
    -- When it was first emailed.
    sent_at integer,
    cancelled_at integer,
    cancelled_by integer references users (id),
    cancel_reason text,
    credit_note_number text unique
        check (credit_note_number glob 'CN-[0-9][0-9][0-9][0-9]-[0-9][0-9][0-9][0-9][0-9][0-9]*'),
    check ((cancelled_at is null) = (cancel_reason is null) and (cancelled_at is null) = (credit_note_number is null))
) strict;

create index invoices_student on invoices (student_id);

-- What is on an invoice: charges, and waivers that are deducted.
create table invoice_entries (
    invoice_id integer not null references invoices (id),
    ledger_id integer not null references ledger (id),
    primary key (ledger_id, invoice_id)
) strict, without rowid;

create trigger invoices_are_never_edited before update on invoices
when new.id is not old.id or new.number is not old.number or new.student_id is not old.student_id
    or new.issued_on is not old.issued_on or new.due_on is not old.due_on or new.body_json is not old.body_json
    or new.total_cents is not old.total_cents or new.created_by is not old.created_by
    or new.created_at is not old.created_at or (old.sent_at is not null and new.sent_at is not old.sent_at)
    or (old.cancelled_at is not null and (new.cancelled_at is not old.cancelled_at
        or new.cancelled_by is not old.cancelled_by or new.cancel_reason is not old.cancel_reason
        or new.credit_note_number is not old.credit_note_number))
begin select raise(abort, 'invoices are append-only'); end;

create trigger invoices_are_never_deleted before delete on invoices
begin select raise(abort, 'invoices are append-only'); end;

create trigger invoice_entries_are_never_edited before update on invoice_entries
begin select raise(abort, 'invoices are append-only'); end;

create trigger invoice_entries_are_never_deleted before delete on invoice_entries
begin select raise(abort, 'invoices are append-only'); end;
