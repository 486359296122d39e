-- What is owed and what was paid, in cents, each row on one enrollment or one admission.
-- A mistake is undone by a reversal, never by an edit.
create table ledger (
    id integer primary key,
    kind text not null check (kind in ('charge', 'payment', 'waiver', 'refund', 'reversal')),
    amount_cents integer not null check (amount_cents between 1 and 9999999999),
    enrollment_id integer references enrollments (id),
    admission_id integer references admissions (id),
    -- The row that a reversal undoes; each row can be undone once.
    reverses_id integer unique references ledger (id),
    note text,
    created_by integer references users (id),
    created_at integer not null,
    check ((enrollment_id is null) <> (admission_id is null)),
    check ((kind = 'reversal') = (reverses_id is not null))
) strict;

create index ledger_enrollment on ledger (enrollment_id) where enrollment_id is not null;
create index ledger_admission on ledger (admission_id) where admission_id is not null;

create trigger ledger_is_never_edited before update on ledger
begin select raise(abort, 'the ledger is append-only'); end;

create trigger ledger_is_never_shortened before delete on ledger
begin select raise(abort, 'the ledger is append-only'); end;
