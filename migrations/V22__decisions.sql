-- What the office decides, one row for each press of a button. Until `undo_until` its e-mails wait, and
-- it can be taken back as if it had never been.
create table decisions (
    -- Random, in hexadecimal digits.
    id text primary key,
    user_id integer not null references users (id),
    -- approve, decline: what was decided.
    verb text not null,
    created_at integer not null,
    undo_until integer not null check (undo_until >= created_at),
    undone_at integer
) strict, without rowid;

-- The decision that an e-mail reports; it is deleted unsent when the decision is undone.
alter table outbox add column decision_id text references decisions (id);
create index outbox_decision on outbox (decision_id) where decision_id is not null;
