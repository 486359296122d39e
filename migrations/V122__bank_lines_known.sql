-- What is known of a line of the bank: the account and the payer that the file names, the payment that it is the same as or
-- takes back; lines that were left out; and from which import on an account's columns are remembered.
create table bank_lines_known (
    id integer primary key,
    import_id integer not null references bank_imports (id),
    -- The line of the file, from 1.
    line_no integer not null,
    date text not null check (date is date(date)),
    amount_cents integer not null check (abs(amount_cents) <= 9999999999),
    text text not null,
    -- SHA-256 of account, date, amount, folded text or the bank's own number, and the how manieth such line of its file it is.
    hash blob not null check (length(hash) = 32),
    -- Whose an unknown line may be is worked out when it is looked at.
    state text not null check (state in ('unknown', 'seen', 'ignored', 'posted', 'same', 'reversed')),
    -- The number of the account, where the file names it.
    account text,
    -- Who paid, in folded words without those of the bank; null where nothing is left.
    payer text,
    -- The payment that it is the same as, or that it takes back.
    payment_id integer references payments (id),
    check ((payment_id is null) = (state not in ('same', 'reversed'))),
    unique (import_id, line_no)
) strict;

insert into bank_lines_known (id, import_id, line_no, date, amount_cents, text, hash, state)
    select id, import_id, line_no, date, amount_cents, text, hash, state from bank_lines;
drop table bank_lines;
alter table bank_lines_known rename to bank_lines;

create index bank_lines_hash on bank_lines (hash);
create index bank_lines_unknown on bank_lines (import_id) where state = 'unknown';
create index bank_lines_payer on bank_lines (payer, id) where state = 'posted';
create index bank_lines_payment on bank_lines (payment_id) where payment_id is not null;
create index bank_lines_day on bank_lines (date, amount_cents);

create trigger bank_lines_are_never_edited before update on bank_lines
when new.id is not old.id or new.import_id is not old.import_id or new.line_no is not old.line_no
    or new.date is not old.date or new.amount_cents is not old.amount_cents or new.text is not old.text
    or new.hash is not old.hash or new.account is not old.account or new.payer is not old.payer
begin select raise(abort, 'lines of the bank are append-only'); end;

create trigger bank_lines_are_never_deleted before delete on bank_lines
begin select raise(abort, 'lines of the bank are append-only'); end;

create trigger bank_lines_are_never_replaced before insert on bank_lines
begin select raise(abort, 'lines of the bank are append-only') from bank_lines
    where id = new.id or (import_id = new.import_id and line_no = new.line_no); end;

create table bank_left_out (
    import_id integer not null references bank_imports (id),
    line_no integer not null,
    -- As it stands in the file.
    text text not null,
    reason text not null,
    primary key (import_id, line_no)
) strict, without rowid;

-- The columns of imports until this one are forgotten.
create table bank_columns_forgotten (
    account text primary key collate nocase,
    until_import_id integer not null,
    at integer not null
) strict, without rowid;

-- What looks like the same money.
create index payments_amount on payments (amount_cents, received_on);
