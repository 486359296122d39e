-- The files of the school's bank: what came in, line by line, and which payments were recorded from it.

create table bank_imports (
    id integer primary key,
    -- What the school calls the account.
    account text not null collate nocase check (length(account) between 1 and 40),
    sha256 blob not null check (length(sha256) = 32),
    -- Where date, text and amount stand: remembered for the next file of the account.
    columns text not null check (json_valid(columns)),
    created_by integer references users (id),
    created_at integer not null,
    undone_by integer references users (id),
    undone_at integer,
    check ((undone_at is null) = (undone_by is null))
) strict;

create unique index bank_imports_file on bank_imports (sha256) where undone_at is null;
create index bank_imports_account on bank_imports (account, id);

create table bank_lines (
    id integer primary key,
    import_id integer not null references bank_imports (id),
    -- The line of the file, from 1.
    line_no integer not null,
    date text not null check (date is date(date)),
    amount_cents integer not null check (abs(amount_cents) <= 9999999999),
    text text not null,
    -- SHA-256 of account, date, amount, text, and the how manieth such line of its file it is.
    hash blob not null check (length(hash) = 32),
    -- Whose an unknown line may be is worked out when it is looked at.
    state text not null check (state in ('unknown', 'seen', 'ignored', 'posted')),
    unique (import_id, line_no)
) strict;

create index bank_lines_hash on bank_lines (hash);
create index bank_lines_unknown on bank_lines (import_id) where state = 'unknown';

create trigger bank_lines_are_never_edited before update on bank_lines
when new.id is not old.id or new.import_id is not old.import_id or new.line_no is not old.line_no
    or new.date is not old.date or new.amount_cents is not old.amount_cents or new.text is not old.text
    or new.hash is not old.hash
begin select raise(abort, 'lines of the bank are append-only'); end;

create trigger bank_lines_are_never_deleted before delete on bank_lines
begin select raise(abort, 'lines of the bank are append-only'); end;

-- The line that a payment was recorded from, and the decision that holds its receipt back.
drop trigger payments_are_never_edited;
alter table payments add column import_line_id integer references bank_lines (id);
alter table payments add column decision_id text references decisions (id);

create index payments_line on payments (import_line_id) where import_line_id is not null;

create trigger payments_are_never_edited before update on payments
when new.id is not old.id or new.student_id is not old.student_id or new.request_id is not old.request_id
    or new.amount_cents is not old.amount_cents or new.method is not old.method
    or new.reference is not old.reference or new.payer_name is not old.payer_name
    or new.received_on is not old.received_on or new.note is not old.note or new.created_by is not old.created_by
    or new.created_at is not old.created_at or new.reverses_id is not old.reverses_id
    or new.idempotency_key is not old.idempotency_key or new.import_line_id is not old.import_line_id
    or new.decision_id is not old.decision_id
begin select raise(abort, 'payments are append-only'); end;
